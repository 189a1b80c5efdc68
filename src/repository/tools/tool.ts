// What a tool is (R30; specification 3, "Tool servers"): its name, its arguments, what comes back, which scope it
// needs, and what it may do to what is there. The table of tools is in tool-table.ts, one definition each; the other
// files here implement them with the use cases that all interfaces share.

import type { TObject, TSchema } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";

export const TOOL_SCOPES = ["mcp:read", "mcp:write", "mcp:curate"] as const;
export type ToolScope = (typeof TOOL_SCOPES)[number];

export const TOOLSETS = [
  "records",
  "files",
  "versions",
  "vocabularies",
  "communities",
  "requests",
  "curation",
] as const;
type Toolset = (typeof TOOLSETS)[number];

/** The four annotations of the protocol, all set for every tool. */
type Annotations = {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
};

const annotations = (given: Partial<Annotations>): Annotations => ({
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
  ...given,
});
/** Nothing changes by it. */
export const READS = annotations({ readOnlyHint: true, idempotentHint: true });
/** The call creates something new. */
export const ADDS = annotations({});
/** The same, and a second call changes nothing more. */
export const ADDS_ONCE = annotations({ idempotentHint: true });
/** Something that was there is lost or decided. */
export const TAKES = annotations({ destructiveHint: true });
export const TAKES_ONCE = annotations({ destructiveHint: true, idempotentHint: true });
/** Something is fetched from an address that is given, and may replace what is there. */
export const FETCHES = annotations({ destructiveHint: true, openWorldHint: true });

export type ToolDefinition<Name extends string = string, Input extends TObject = TObject> = {
  readonly name: Name;
  readonly title: string;
  /** What it does, when to use it, what comes back, which tool helps next. */
  readonly description: string;
  readonly toolset: Toolset;
  /** Null: public information, without a token. */
  readonly scope: ToolScope | null;
  /** A guest may call it, but not with this argument set: what only its owner may read. */
  readonly draftScope?: ToolScope;
  readonly annotations: Annotations;
  readonly input: Input;
  readonly output: TSchema;
  /**
   * Which call returns what a result leaves out because it is long (bounds.ts); null: results are whole by themselves.
   */
  readonly rest?: string | null;
  /** The message for invalid arguments, if the specification fixes one. */
  readonly misread?: (given: Readonly<Record<string, unknown>>) => string | null;
};

export type ToolCall<Arguments> = {
  /** With the required scope, which is checked again at each write (R2g). */
  readonly viewer: Viewer;
  readonly args: Readonly<Arguments>;
  /** Called if the caller requested progress; values only grow. */
  readonly progress: (done: number, total: number, message: string) => void;
  /** Aborted when the caller calls it off: what only reads stops, what writes comes to its end. */
  readonly signal?: AbortSignal;
};
/** `never`: of any tool. */
export type ToolHandler<Arguments = never> = (call: ToolCall<Arguments>) => Promise<Readonly<Record<string, unknown>>>;

/** A definition with its types: a handler gets the arguments that its tool takes. */
export const tool = <const Name extends string, Input extends TObject>(
  definition: ToolDefinition<Name, Input>,
): ToolDefinition<Name, Input> => definition;

/** curate implies write implies read (R30). */
export function implies(granted: Iterable<string>, needed: ToolScope): boolean {
  const from = TOOL_SCOPES.indexOf(needed);
  for (const each of granted) {
    const rank = (TOOL_SCOPES as readonly string[]).indexOf(each);
    if (rank >= from) return true;
  }
  return false;
}

/** What this call of a tool needs; null: nothing. */
export function scopeOfCall({ scope, draftScope, input }: ToolDefinition, args: unknown): ToolScope | null {
  if (scope !== null || draftScope === undefined) return scope;
  const sent = typeof args === "object" && args !== null ? new Map(Object.entries(args)) : new Map<string, unknown>();
  const isDraft: unknown = sent.get("draft") ?? input.properties.draft?.default;
  return isDraft === true ? draftScope : null;
}
