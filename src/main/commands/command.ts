// What a command of `arkstone` is: its name, its options as a small table, and what it does with what it was given.
import { parseArgs } from "node:util";
import { nearest } from "../../shared/text/nearest-word.ts";
import type { Context } from "./context.ts";
import { UsageError } from "./refusals.ts";

export type Option = {
  readonly type: "string" | "boolean";
  /** The placeholder of the value in the help: `--from PREFIX`. */
  readonly value?: string;
  readonly help: string;
  readonly short?: string;
};
export type Options = { readonly [name: string]: Option };

/** Options that were not given are undefined; flags are false. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K]["type"] extends "boolean" ? boolean : string | undefined;
};

type Spec<O extends Options> = {
  /** As it is typed: `credential key add`. */
  readonly name: string;
  readonly summary: string;
  /** The words after the name, one for each: `FILE`, or `[FILE]` where it may be left out, `ARK...` for one or more. */
  readonly words?: readonly string[];
  readonly options?: O;
  readonly examples: readonly string[];
  /** More for the help, in full sentences. */
  readonly details?: string;
  /** Returns the exit code when it is not 0. */
  run(context: Context, given: OptionValues<O>, words: readonly string[]): Promise<number | undefined> | Promise<void>;
};

export type Command = {
  readonly name: string;
  readonly summary: string;
  readonly help: string;
  readonly options: Options;
  readonly words: readonly string[];
  run(context: Context, args: readonly string[]): Promise<number>;
};

const COMMON = {
  json: { type: "boolean", help: "Print JSON instead of text" },
  help: { type: "boolean", short: "h", help: "Show this help" },
} as const satisfies Options;

/**
 * Commands that end with one of these words may be the first over a database, and make it; all others need one that is
 * there.
 */
const BEGINNERS: ReadonlySet<string> = new Set(["add", "apply", "import", "load", "migrate", "set"]);

export function command<const O extends Options>(spec: Spec<O>): Command {
  const help = helpOf(spec);
  return {
    name: spec.name,
    summary: spec.summary,
    help,
    options: { ...spec.options, ...COMMON },
    words: spec.words ?? [],
    async run(context, args) {
      const { values, words } = readArguments(spec, args);
      if (values.help === true) {
        context.out(help);
        return 0;
      }
      requireWords(spec, words);
      // readArguments has checked names and types against this very table.
      const given = values as OptionValues<O>;
      const needsDatabase = !BEGINNERS.has(spec.name.split(" ").at(-1) ?? "");
      return (await spec.run({ ...context, json: values.json === true, needsDatabase }, given, words)) ?? 0;
    },
  };
}

type ParsedArguments = { readonly values: Record<string, unknown>; readonly words: string[] };

function readArguments<O extends Options>(spec: Spec<O>, args: readonly string[]): ParsedArguments {
  const options: Options = { ...spec.options, ...COMMON };
  const hint = `See "arkstone ${spec.name} --help"`;
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]) => [
        name,
        short === undefined ? { type } : { type, short },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) values[name] = option.type === "boolean" ? false : undefined;
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) {
      const near = nearest(token.name, Object.keys(options));
      const meant = near === null ? "" : `: did you mean --${near}?`;
      throw new UsageError(`Unknown option ${token.rawName}${meant}`, hint);
    }
    if (option.type === "boolean" && token.value !== undefined) {
      throw new UsageError(`--${token.name} takes no value`, hint);
    }
    if (option.type === "string" && token.value === undefined) {
      throw new UsageError(`--${token.name} needs a value: --${token.name} ${option.value ?? "TEXT"}`, hint);
    }
    if (typeof values[token.name] === "string") throw new UsageError(`--${token.name} was given twice`, hint);
    values[token.name] = option.type === "boolean" ? true : token.value;
  }
  return { values, words };
}

function requireWords<O extends Options>(spec: Spec<O>, words: readonly string[]): void {
  const wanted = spec.words ?? [];
  const hint = `Usage: ${usageOf(spec)}`;
  const missing = wanted[words.length];
  if (missing !== undefined && !missing.startsWith("["))
    throw new UsageError(`${missing.replace("...", "")} is missing`, hint);
  const takesMany = wanted.at(-1)?.includes("...") === true;
  const extra = words[wanted.length];
  if (extra !== undefined && !takesMany) throw new UsageError(`Do not know what to do with "${extra}"`, hint);
}

function usageOf<O extends Options>(spec: Spec<O>): string {
  const words = (spec.words ?? []).map((word) => ` ${word}`).join("");
  return `arkstone ${spec.name}${words}${Object.keys(spec.options ?? {}).length > 0 ? " [options]" : ""}`;
}

function helpOf<O extends Options>(spec: Spec<O>): string {
  const options = Object.entries<Option>({ ...spec.options, ...COMMON }).map(([name, option]) => {
    const value = option.type === "string" ? ` ${option.value ?? "TEXT"}` : "";
    const short = option.short === undefined ? "" : `-${option.short}, `;
    return [`${short}--${name}${value}`, option.help] as const;
  });
  const width = Math.max(...options.map(([left]) => left.length));
  return [
    spec.summary,
    "",
    `Usage: ${usageOf(spec)}`,
    "",
    ...(spec.details === undefined ? [] : [spec.details.trim(), ""]),
    "Options:",
    ...options.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    "",
    spec.examples.length === 1 ? "Example:" : "Examples:",
    ...spec.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}
