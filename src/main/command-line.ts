// Finds the command that was meant, runs it and reports what went wrong: exit code 0 done, 1 refused, 2 typed wrong.
import { describeError } from "../adapters/log.ts";
import { ProvisioningRefusal } from "../ark/provisioning/apply.ts";
import { ConfigError } from "../config.ts";
import { ServiceError, ValidationRefusal } from "../shared/errors.ts";
import { Refusal, type RefusalKind } from "../shared/refusal.ts";
import { StorageProblem } from "../storage/limits.ts";
import { apply } from "./commands/ark/apply.ts";
import { arkCommands } from "./commands/ark/ark.ts";
import { credentialCommands } from "./commands/ark/credential.ts";
import { exportCommands } from "./commands/ark/export.ts";
import { holdCommands } from "./commands/ark/hold.ts";
import { importCommand } from "./commands/ark/import.ts";
import { naanCommands } from "./commands/ark/naan.ts";
import { orgCommands } from "./commands/ark/org.ts";
import { retargetCommand } from "./commands/ark/retarget.ts";
import { shoulderCommands } from "./commands/ark/shoulder.ts";
import type { Command } from "./commands/command.ts";
import { completionCommand } from "./commands/completion.ts";
import { type Context, storageRefusal } from "./commands/context.ts";
import { likelyCommands } from "./commands/likely-commands.ts";
import { backupCommands } from "./commands/operating/backup.ts";
import { feedCommands } from "./commands/operating/feed.ts";
import { licenceCommands } from "./commands/operating/licences.ts";
import { runningCommands } from "./commands/operating/roles.ts";
import { serviceCommands } from "./commands/operating/service.ts";
import { verifyCommands } from "./commands/operating/verify.ts";
import { CommandRefusal, UsageError } from "./commands/refusals.ts";
import { StartError } from "./process/role-parts.ts";
import { plural, printable } from "./process/terminal.ts";
import { repositoryCommands, SETUP_STEPS } from "./repository/repository.ts";
import { versionLine, versionOf } from "./version.ts";

const GROUPS: readonly { readonly title: string; readonly commands: readonly Command[] }[] = [
  { title: "Run", commands: runningCommands },
  { title: "Set up", commands: [apply, ...naanCommands, ...orgCommands, ...shoulderCommands, ...credentialCommands] },
  { title: "Names", commands: [...arkCommands, retargetCommand, importCommand, ...exportCommands] },
  { title: "Holds", commands: holdCommands },
  ...(["People", "Send", "Items", "Deposits"] as const).map((title) => ({
    title,
    commands: repositoryCommands(title),
  })),
  {
    title: "Look after",
    commands: [
      ...serviceCommands,
      ...feedCommands,
      ...backupCommands,
      ...verifyCommands,
      ...licenceCommands,
      ...repositoryCommands("Look after"),
      completionCommand(() => COMMANDS),
    ],
  },
];
const COMMANDS: readonly Command[] = GROUPS.flatMap((group) => group.commands);
const WORDS_MAX = 3;

/** Runs one command line and returns its exit code. Nothing is thrown: errors are written to stderr. */
export async function runCommandLine(given: Omit<Context, "setUp">, args: readonly string[]): Promise<number> {
  const context = { ...given, setUp: SETUP_STEPS };
  try {
    return await dispatch(context, args);
  } catch (error) {
    return report(context, error, args.includes("--json"));
  }
}

async function dispatch(context: Context, args: readonly string[]): Promise<number> {
  const [first] = args;
  if (first === "--version" || first === "-V" || first === "version") {
    context.out(args.includes("--json") ? `${JSON.stringify(versionOf(), null, 2)}\n` : `${versionLine()}\n`);
    return 0;
  }
  const asksHelp = first === undefined || first === "--help" || first === "-h" || first === "help";
  const words = first === "help" ? args.slice(1) : args;
  if (asksHelp && (first !== "help" || words.length === 0)) {
    context.out(overview(GROUPS));
    return 0;
  }
  const found = find(words);
  if (found !== null)
    return await found.command.run(context, first === "help" ? ["--help"] : words.slice(found.length));
  return unknown(context, words);
}

function find(words: readonly string[]): { readonly command: Command; readonly length: number } | null {
  for (let length = Math.min(WORDS_MAX, words.length); length > 0; length--) {
    const name = words.slice(0, length).join(" ");
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (command !== undefined) return { command, length };
  }
  return null;
}

/** A group without a command shows what is in it; anything else is a mistyped word. */
function unknown(context: Context, words: readonly string[]): number {
  const typed = words.filter((word) => !word.startsWith("-")).slice(0, WORDS_MAX);
  const group = typed.join(" ");
  const inside = COMMANDS.filter((command) => group !== "" && command.name.startsWith(`${group} `));
  if (inside.length > 0) {
    context.out(overview([{ title: `arkstone ${group}`, commands: inside }]));
    return words.some((word) => word === "--help" || word === "-h") ? 0 : 2;
  }
  const {
    unknown: name,
    meant,
    group: above,
  } = likelyCommands(
    typed.length === 0 ? words.slice(0, 1) : typed,
    COMMANDS.map((command) => command.name),
  );
  throw new UsageError(
    `Unknown command "${name}"${didYouMean(meant)}`,
    `See "arkstone ${above === null ? "" : `${above} `}--help"`,
  );
}

function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return "";
  const quoted = names.map((name) => `"arkstone ${name}"`);
  const last = quoted.pop() ?? "";
  return `: did you mean ${quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`}?`;
}

function overview(groups: typeof GROUPS): string {
  const width = Math.max(...groups.flatMap((group) => group.commands.map((command) => command.name.length)));
  const lines = groups.flatMap(({ title, commands }) => [
    "",
    `${title}:`,
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
  ]);
  return [
    "Arkstone mints, manages and resolves ARK identifiers, and keeps a repository.",
    "",
    "Usage: arkstone <command> [options]",
    ...lines,
    "",
    'Every command has --help and --json. Settings come from the environment: "arkstone settings" shows them.',
    "",
  ].join("\n");
}

/** Reports what went wrong: one line for the problem and one for what to do next, or one JSON object of the same. */
function report(context: Context, error: unknown, json: boolean): number {
  const { code, message, hint, lines, more } = failureOf(error);
  if (json) {
    const details = lines.length === 0 ? {} : { details: lines };
    context.err(`${JSON.stringify({ code, message, hint, ...details, ...more })}\n`);
  } else {
    context.err(`arkstone: ${printable(message)}\n`);
    for (const line of lines) context.err(`  ${printable(line)}\n`);
    if (hint !== "") context.err(`${printable(hint)}\n`);
  }
  return error instanceof UsageError ? 2 : 1;
}

type Failure = {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly lines: readonly string[];
  /** Members that only JSON has. */
  readonly more: Readonly<Record<string, unknown>>;
};

function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return failure("usage", error.message, { hint: error.hint });
  if (error instanceof CommandRefusal) {
    return failure(error.code, error.message, { lines: error.lines, hint: error.hint });
  }
  if (error instanceof ProvisioningRefusal) {
    const lines = error.problems.map((problem) => `${problem.path}: ${problem.message}`);
    const message = `Refused, nothing was changed: ${plural(error.problems.length, "problem")}`;
    return failure("invalid", message, { lines, more: { problems: error.problems } });
  }
  if (error instanceof StorageProblem) return failureOf(storageRefusal(error));
  if (error instanceof StartError) return failure("start", error.message, { hint: SEE_SETTINGS });
  if (error instanceof ServiceError) {
    const details = Object.entries(error.detail).map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    const message = `${error.message} (${error.wireCode}${details.length > 0 ? `; ${details.join(", ")}` : ""})`;
    return failure(error.wireCode, message, { more: { detail: error.detail } });
  }
  if (error instanceof ValidationRefusal) {
    const lines = error.problems.map(
      (problem) => `${problem.loc.slice(1).join(".")}: ${problem.msg.replace("Value error, ", "")}`,
    );
    return failure("invalid", "The input cannot be taken", { lines, more: { problems: error.problems } });
  }
  if (error instanceof Refusal) {
    const { message, kind, detail } = error;
    return failure(kind, message, { hint: HINTS[kind] ?? "", more: detail });
  }
  if (error instanceof ConfigError) {
    return failure("setting", "A setting cannot be used", { lines: error.problems, hint: SEE_SETTINGS });
  }
  const message = error instanceof Error && error.message !== "" ? error.message : String(error);
  return failure("unexpected", message, { lines: describeError(error).split("\n").slice(1, 6) });
}

function failure(code: string, message: string, rest: Partial<Failure>): Failure {
  return { hint: "", lines: [], more: {}, ...rest, code, message };
}

const SEE_SETTINGS = 'See "arkstone settings"';

/** What to do next, where the message does not contain it. */
const HINTS: Partial<Record<RefusalKind, string>> = {
  not_found: 'The command that ends with "list" shows what there is',
  unavailable: "Try again in a while",
};
