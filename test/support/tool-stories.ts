// Stories of several calls as data (R30): who calls which tool with what and sees what, run over HTTP and over standard
// input and output, where the twelve tools of the latter allow it. The result of a call has a name, and later calls
// refer to it as `$name.member`.
import { afterAll, beforeAll, expect } from "bun:test";
import { commandOf } from "./processes.ts";
import { type StdioClient, stdioClient } from "./stdio-client.ts";
import { stdioTools } from "./stdio-tools.ts";
import { type ToolReply, toolCalls } from "./tool-calls.ts";
import { BASE_URL, RESOLVER_URL, type RepositoryWorld, repositoryWorld, type Who } from "./world/repository.ts";
import { ARK_CREDENTIAL } from "./world/seeded.ts";

type Json = Readonly<Record<string, unknown>>;
/** What calls gave, by the names they were given. */
export type Kept = Record<string, unknown>;

type Call = {
  readonly who: Who;
  readonly tool: string;
  readonly args: Json;
  /** Members of the result; of its `error` where the call is refused. */
  readonly expected: Json;
  readonly isRefused: boolean;
  readonly name: string | null;
};
/** A call of a tool that succeeds, until it is stated otherwise. */
type Step = Call & {
  /** The result has these members. */
  gives(expected: Json): Step;
  /** It is refused with this status, these words, this help. */
  refuses(expected: Json): Step;
  /** Later steps refer to the result by this name. */
  as(name: string): Step;
};
/** Steps outside the tools. */
type Deed = (world: RepositoryWorld, kept: Kept) => Promise<void>;
type StoryStep = Call | Deed;

type CallTool = (who: Who, tool: string, args: Json) => Promise<ToolReply>;

const stepOf = (call: Call): Step => ({
  ...call,
  gives: (expected) => stepOf({ ...call, expected }),
  refuses: (expected) => stepOf({ ...call, expected, isRefused: true }),
  as: (name) => stepOf({ ...call, name }),
});
const by =
  (who: Who) =>
  (tool: string, args: Json = {}): Step =>
    stepOf({ who, tool, args, expected: {}, isRefused: false, name: null });
/** Calls of a tool by these people. */
export const [guest, registered, manager, other, general, stranger, system] = [
  by(null),
  by("registered"),
  by("manager"),
  by("other"),
  by("general"),
  by("stranger"),
  by("system"),
];

/** The world of the stories of a file. */
export function stories(settings: Readonly<Record<string, string>> = {}) {
  let world: RepositoryWorld;
  let stdio: ReturnType<typeof stdioTools>;
  beforeAll(async () => {
    world = await repositoryWorld({ env: settings });
    stdio = stdioTools(world, world.folder);
  });
  afterAll(async () => {
    for (const client of processes.values()) client.endInput();
    for (const client of processes.values()) await client.ended;
    await stdio.close();
    await world.close();
  });

  /** A process for each person, as desktop programs start it, next to the repository. */
  const processes = new Map<Who, StdioClient>();
  function started(who: Who): StdioClient {
    const token = typeof who === "string" ? world.people[who].token : (who?.token ?? null);
    return stdioClient(commandOf("mcp"), {
      ...{ SVC_DATA_DIR: world.folder, SVC_STDIO_IMPORT_DIR: `${world.folder}/import` },
      ...{ SVC_BASE_URL: BASE_URL, SVC_RESOLVER_URL: RESOLVER_URL, SVC_ITEM_ARK_CREDENTIAL: ARK_CREDENTIAL },
      ...(token === null ? {} : { SVC_MCP_TOKEN: token }),
    });
  }
  const byProcess: CallTool = async (who, name, args) => {
    const client = processes.get(who) ?? started(who);
    processes.set(who, client);
    const { result, error } = await client.modern("tools/call", { name, arguments: args });
    if (result === undefined) throw new Error(`${name}: ${JSON.stringify(error)}`);
    return result;
  };

  return {
    /**
     * A test: the steps, one after the other, over the transports whose tools suffice for them; then `afterwards`,
     * which sees what is so through another interface. `$over` distinguishes what both would find.
     */
    run:
      (over: "http" | "both" | "stdio" | "process", steps: readonly StoryStep[], afterwards: Deed) =>
      async (): Promise<void> => {
        const ways: readonly [string, CallTool][] = [
          ["http", toolCalls(world).call],
          ["stdio", onStdio(stdio.call)],
          ["process", onStdio(byProcess)],
        ];
        for (const [way, call] of ways.filter(([name]) => name === over || (over === "both" && name !== "process"))) {
          const kept: Kept = { over: way };
          for (const step of steps) {
            if (typeof step === "function") await step(world, kept);
            else await runStep(step, kept, call);
          }
          await afterwards(world, kept);
        }
      },
  };
}

async function runStep(step: Call, kept: Kept, call: CallTool): Promise<void> {
  const args = filled(step.args, kept) as Json;
  const { content, structuredContent, isError } = await call(step.who, step.tool, args);
  const { over } = kept;
  const seen = { over, tool: step.tool, isError: isError === true, ...structuredContent };
  const expected = filled(step.expected, kept) as Json;
  const members = step.isRefused ? { error: expected } : expected;
  expect(seen).toMatchObject({ over, tool: step.tool, isError: step.isRefused, ...members });
  // Text and structured content of a result are equal, but for escapes and for errors, which are written in lines.
  if (!step.isRefused) expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
  if (step.name !== null) kept[step.name] = structuredContent;
}

/** `$draft.id` is the member of what was kept; inside a longer text, its words. `…words` is a text with these in it. */
function filled(value: unknown, kept: Kept): unknown {
  if (typeof value === "string") {
    if (value.startsWith("…")) return expect.stringContaining(String(filled(value.slice(1), kept)));
    if (/^\$\w+(?:\.\w+)*$/.test(value)) return memberAt(kept, value.slice(1));
    return value.replace(/\$\w+(?:\.\w+)*/g, (path) => String(memberAt(kept, path.slice(1))));
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, kept));
  // Matchers of the test runner stay what they are.
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, kept)]));
}

export function memberAt(kept: Kept, path: string): unknown {
  let at: unknown = kept;
  for (const name of path.split(".")) at = typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined;
  if (at === undefined) throw new Error(`Nothing was kept as ${path}`);
  return at;
}

/** The number of a record that was kept. */
export const idIn = (kept: Kept, name: string): number => Number(memberAt(kept, `${name}.id`));

/** Names that arguments have on standard input and output. */
const STDIO_TOOL: Readonly<Record<string, string>> = { upload_file: "add_file" };
const STDIO_ARGUMENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  upload_file: { filename: "key", content_text: "text" },
  delete_file: { filename: "key" },
  create_record: { files: "files_enabled" },
};

/** The same call in the words of the other server. */
const onStdio =
  (call: CallTool): CallTool =>
  (who, tool, args) => {
    const names = STDIO_ARGUMENT[tool] ?? {};
    const renamed = Object.entries(args).map(([name, value]) => [names[name] ?? name, value]);
    return call(who, STDIO_TOOL[tool] ?? tool, Object.fromEntries(renamed));
  };
