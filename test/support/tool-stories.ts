// Stories of several calls as data (R30): who calls which tool with what and sees what, run over HTTP and over standard input and output, where the
// twelve tools of the latter allow it. What a call gave is named, and stands in later calls as `$name.member`.
import { expect } from "bun:test";
import type { RepositoryWorld, Who } from "./repository-world.ts";
import type { ToolSaid } from "./tool-calls.ts";

type Json = Readonly<Record<string, unknown>>;
/** What calls gave, by the names they were given. */
export type Kept = Record<string, unknown>;

type Call = {
  readonly who: Who;
  readonly tool: string;
  readonly args: Json;
  /** Members of the result; of its `error` where the call is refused. */
  readonly says: Json;
  readonly isRefused: boolean;
  readonly as: string | null;
};
/** What happens beside the tools. */
type Deed = (world: RepositoryWorld, kept: Kept) => Promise<void>;
export type Step = Call | Deed;

export type Story = {
  /** Its number and what it tells. */
  readonly name: string;
  /** Whether the twelve tools of standard input and output suffice for it. */
  readonly over: "http" | "both" | "stdio";
  readonly steps: readonly Step[];
  /** What is so afterwards, seen through another door. */
  readonly afterwards: Deed;
};

export type CallTool = (who: Who, tool: string, args: Json) => Promise<ToolSaid>;

export const calls = (who: Who, tool: string, args: Json, says: Json = {}, as: string | null = null): Call => ({
  ...{ who, tool, args, says, as },
  isRefused: false,
});
/** A call that is refused with this status, these words, this help. */
export const refused = (who: Who, tool: string, args: Json, says: Json): Call => ({
  ...calls(who, tool, args, says),
  isRefused: true,
});

/** One after the other. `over` is the transport, as `$over`, which tells apart what both find. @throws Error where a call says something else. */
export async function tell(story: Story, world: RepositoryWorld, call: CallTool, over: "http" | "stdio"): Promise<void> {
  const kept: Kept = { over };
  for (const step of story.steps) {
    if (typeof step === "function") await step(world, kept);
    else await tellStep(step, kept, call);
  }
  await story.afterwards(world, kept);
}

async function tellStep(step: Call, kept: Kept, call: CallTool): Promise<void> {
  const args = filled(step.args, kept) as Json;
  const said = await call(step.who, step.tool, args);
  const { structuredContent } = said;
  const seen = { tool: step.tool, isError: said.isError === true, ...structuredContent };
  const says = filled(step.says, kept) as Json;
  const expected = step.isRefused ? { error: says } : says;
  expect(seen).toMatchObject({ tool: step.tool, isError: step.isRefused, ...expected });
  // What a model reads is what a program reads, but for escapes and for errors, which are told in lines.
  if (!step.isRefused) expect(JSON.parse(said.content[0]?.text ?? "")).toEqual(structuredContent);
  if (step.as !== null) kept[step.as] = structuredContent;
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

/** Names that arguments have on standard input and output. */
const STDIO_TOOL: Readonly<Record<string, string>> = { upload_file: "add_file" };
const STDIO_ARGUMENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  upload_file: { filename: "key", content_text: "text" },
  delete_file: { filename: "key" },
  create_record: { files: "files_enabled" },
};

/** The same call in the words of the other server. */
export const onStdio =
  (call: CallTool): CallTool =>
  (who, tool, args) => {
    const names = STDIO_ARGUMENT[tool] ?? {};
    const renamed = Object.entries(args).map(([name, value]) => [names[name] ?? name, value]);
    return call(who, STDIO_TOOL[tool] ?? tool, Object.fromEntries(renamed));
  };
