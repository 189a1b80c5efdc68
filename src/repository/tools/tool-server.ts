// A server of tools without its transport (R30): the list of them, and a call by name. Scopes are the gate's; rights
// are the use cases', which ask them in the transaction that writes.
import type { TSchema } from "@sinclair/typebox";
import { guestWithout, type Viewer } from "../../auth/account.ts";
import type { Log } from "../../shared/log.ts";
import { isObject, memberOf } from "../../shared/objects.ts";
import type { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { RepositoryStore } from "../store/store.ts";
import { withoutAbsentTools } from "./named-tools.ts";
import { failed, failedBy, statusOf, succeeded, type ToolResult } from "./outcome.ts";
import { namedResource } from "./resources.ts";
import {
  implies,
  scopeOfCall,
  TOOL_SCOPES,
  type ToolCall,
  type ToolDefinition,
  type ToolHandler,
  type ToolScope,
} from "./tool.ts";
import { readArguments } from "./tool-input.ts";

/** Tools as the protocol lists them; always in the same order. */
type ListedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ToolDefinition["input"];
  readonly outputSchema: ToolDefinition["output"];
  readonly annotations: ToolDefinition["annotations"];
};

export type ToolList = {
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  list(which: (tool: ToolDefinition) => boolean): readonly ListedTool[];
};

export type ToolServer = ToolList & {
  /** Null: there is no such tool. A bug is thrown. */
  call(name: string, given: unknown, call: Omit<ToolCall<never>, "args">): Promise<ToolResult | null>;
};

/** `served`: only these; none: all (SVC_MCP_TOOLS). */
export function toolList(definitions: readonly ToolDefinition[], served: readonly string[]): ToolList {
  const chosen = definitions.filter(({ name }) => served.length === 0 || served.includes(name));
  const names = new Set(chosen.map(({ name }) => name));
  const isServed = (name: string): boolean => names.has(name);
  const tools = chosen.map((tool) => ({
    ...tool,
    description: withoutAbsentTools(tool.description.replaceAll(". ", ".\n"), "\n", isServed).replaceAll("\n", " "),
  }));
  const listed = new Map(tools.map((tool) => [tool.name, listedTool(tool)]));
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    list: (which) => tools.filter(which).flatMap(({ name }) => listed.get(name) ?? []),
  };
}

/** `hint`: which call helps after a refusal that does not name it itself. */
export function toolServer(
  definitions: readonly ToolDefinition[],
  handlers: Readonly<Record<string, ToolHandler>>,
  hint: (tool: string, refusal: Refusal) => string | undefined,
  served: readonly string[] = [],
): ToolServer {
  const list = toolList(definitions, served);
  return {
    ...list,
    async call(name, given, call) {
      const tool = list.tools.get(name);
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (tool === undefined || handler === undefined) return null;
      const read = readArguments(tool.input, given);
      if ("errors" in read) {
        const hint = `${name} takes ${Object.keys(tool.input.properties).join(", ") || "no arguments"}`;
        const sentence = isObject(given) ? tool.misread?.(given) : undefined;
        const message = sentence ?? "The arguments are not valid.";
        return failed({ status: 400, message, errors: read.errors, hint });
      }
      try {
        // Read by the input of this tool; the handlers of a table have the types of its tools.
        return succeeded(boundedBy(tool, await handler({ ...call, args: read.args as never })));
      } catch (error) {
        const result = failedBy(
          error,
          (refusal) => hint(name, refusal),
          (name) => list.tools.has(name),
        );
        if (result === null) throw error;
        return result;
      }
    },
  };
}

/** The member of a result that lists what was found; null: none. */
function listedIn({ properties = {} }: TSchema): string | null {
  if (!("total" in properties)) return null;
  const lists = Object.entries<TSchema>(properties).filter(([, { type }]) => type === "array");
  return lists[0]?.[0] ?? null;
}
/** As much of a result as one answer holds. */
function boundedBy({ output, rest = GET_RECORD }: ToolDefinition, result: Readonly<Record<string, unknown>>) {
  const isWanted = rest === null || result.whole === true || "part" in result;
  return isWanted ? result : bounded(result, listedIn(output), rest);
}

const GET_RECORD =
  "truncated names what is left out because it is long: get_record (recid, full=true) returns it whole";

/** Only the schema: marks of the builder are not sent. */
function listedTool({ name, title, description, input, output, annotations }: ToolDefinition): ListedTool {
  return { name, title, description, inputSchema: input, outputSchema: output, annotations };
}

// Whether a message to the tool server may pass (R30; reference 4.4): which scope each call in it needs, the strictest
// of all where several come together. A gate that checked only the first message would let a batch hide a write. Pure.

/** Messages at most of one body: all are checked. */
export const MESSAGES_MAX = 50;

/** `granted`: scopes of the token; null: no token was sent. */
type Verdict =
  | { readonly pass: true }
  /** 401 without a token, 403 for a token with too few scopes; `tool`: the one that needs most. */
  | { readonly pass: false; readonly status: 401 | 403; readonly scope: ToolScope; readonly tool: ToolDefinition };

type ToolNeed = { readonly tool: ToolDefinition; readonly scope: ToolScope };

export function gate(
  body: unknown,
  tools: ReadonlyMap<string, ToolDefinition>,
  granted: ReadonlySet<string> | null,
): Verdict {
  return verdictOf(strictest(messagesOf(body).flatMap((message) => neededBy(message, tools) ?? [])), granted);
}

/** The same of one call. */
export const admits = (tool: ToolDefinition, args: unknown, granted: ReadonlySet<string> | null): Verdict =>
  verdictOf(neededFor(tool, args), granted);

/**
 * The viewer a tool works for. A token without a scope of the tools calls what guests may call, and gets what guests
 * get (R6d, R37). The scope that let the caller pass is checked again where something is written (R2g).
 */
export function passing(asking: Viewer, { scope }: ToolDefinition): Viewer {
  const viewer = guestWithout(asking, TOOL_SCOPES);
  if (scope === null || viewer.scopes === null) return viewer;
  const implying = TOOL_SCOPES.findLast((each) => viewer.scopes?.has(each));
  return implying === undefined ? viewer : { ...viewer, asked: [implying] };
}

/** What a viewer may call; null: a guest. */
export const grantedTo = ({ account, scopes }: Viewer): ReadonlySet<string> | null =>
  account === null ? null : (scopes ?? new Set());

function verdictOf(needed: ToolNeed | null, granted: ReadonlySet<string> | null): Verdict {
  if (needed === null || (granted !== null && implies(granted, needed.scope))) return { pass: true };
  return { pass: false, status: granted === null ? 401 : 403, ...needed };
}

export const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

/**
 * Null: it calls no tool, none that is there, or one that is for everybody. Reading an address counts as a call of its
 * tool.
 */
function neededBy(message: unknown, tools: ReadonlyMap<string, ToolDefinition>): ToolNeed | null {
  const params = isObject(message) ? memberOf(message, "params") : undefined;
  if (!isObject(message) || !isObject(params)) return null;
  const method = memberOf(message, "method");
  if (method === "tools/call") {
    const tool = tools.get(textOf(memberOf(params, "name")));
    return tool === undefined ? null : neededFor(tool, memberOf(params, "arguments"));
  }
  const named = method === "resources/read" ? namedResource(textOf(memberOf(params, "uri"))) : null;
  const tool = named === null ? undefined : tools.get(named.kind.tool);
  return named === null || tool === undefined ? null : neededFor(tool, named.args);
}

/** What is not a text names no tool and no resource; the protocol refuses it. An object may not even have a text. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function neededFor(tool: ToolDefinition, args: unknown): ToolNeed | null {
  const scope = scopeOfCall(tool, args);
  return scope === null ? null : { tool, scope };
}

function strictest(needs: readonly ToolNeed[]): ToolNeed | null {
  const rank = ({ scope }: ToolNeed): number => TOOL_SCOPES.indexOf(scope);
  return needs.reduce<ToolNeed | null>((most, each) => (most === null || rank(each) > rank(most) ? each : most), null);
}

// Every call of a tool in the audit (R30; reference 4.4): who, by which client, which tool, how it ended, how long it
// took; never its content. Each is a line of the log; what may change something is a row of the audit too, in addition
// to those of the changes themselves.

type NotedCall = {
  readonly viewer: Viewer;
  readonly tool: ToolDefinition;
  /** As an answer over HTTP would have it. */
  readonly status: number;
  readonly ms: number;
};

export type ToolAudit = {
  /** A call that the gate refused: nothing was done. */
  refused(call: Omit<NotedCall, "ms">): void;
  /** The same tools, every call of them noted before its answer is given. */
  over(server: ToolServer): ToolServer;
};

type Needs = {
  readonly store: Pick<RepositoryStore, "transact">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
};

export function toolAudit({ store, clock, log }: Needs): ToolAudit {
  function line({ viewer, tool, status, ms }: NotedCall): void {
    log.info("tool_called", {
      account: viewer.account?.id ?? null,
      client: viewer.clientId,
      tool: tool.name,
      status,
      ms,
    });
  }

  async function note(call: NotedCall): Promise<void> {
    const { viewer, tool, status, ms } = call;
    line(call);
    if (tool.annotations.readOnlyHint) return;
    const event = { action: "tool-call", subject: `tool:${tool.name}`, detail: { status, ms } };
    try {
      await store.transact((tx) => tx.audit(viewer, clock.now(), [event]));
    } catch (error) {
      // The work is done: the caller gets the result, and the log line above is written.
      log.error("tool_call_not_in_audit", { tool: tool.name, cause: String(error) });
    }
  }

  return {
    refused: (call) => line({ ...call, ms: 0 }),
    over: (server) => ({
      ...server,
      async call(name, given, call) {
        const tool = server.tools.get(name);
        if (tool === undefined) return null;
        const startedAt = performance.now();
        const noted = (status: number): Promise<void> =>
          note({ viewer: call.viewer, tool, status, ms: Math.round(performance.now() - startedAt) });
        let result: Awaited<ReturnType<ToolServer["call"]>>;
        try {
          result = await server.call(name, given, call);
        } catch (error) {
          // An internal error: nothing of it is returned.
          log.error("unexpected", { tool: name, error });
          result = failed({
            status: 500,
            message: "Internal error",
            hint: "try again later; the log of the server has the cause",
          });
        }
        await noted(statusOf(result));
        return result;
      },
    }),
  };
}

// How much one result of a tool holds (R30; reference 5.5): every value in it is whole or absent, and `truncated` names
// what is absent, so that nobody takes a part of a text for the text and writes it back. Pure.

type Result = Readonly<Record<string, unknown>>;

/**
 * Characters of JSON: of one value, of one result, of a list with all its entries, and of one entry of a list that is
 * too long.
 */
export const VALUE_CHARACTERS = 30_000;
const RESULT_CHARACTERS = 100_000;
const LIST_CHARACTERS = 200_000;
const ENTRY_CHARACTERS = 2_000;
/**
 * Objects inside each other whose members are measured one by one; an object with more members than this is one value.
 */
const DEPTH = 3;
const MEMBERS = 100;

/** Members that every result has: they are short, and clients need them. */
const KEPT: ReadonlySet<string> = new Set(["id", "recid", "status", "revision_id", "untrusted"]);

type Unit = { readonly path: readonly string[]; readonly size: number };

/** `list`: the member of the result that lists entries; each of them is bounded by itself. */
export function bounded(result: Result, list: string | null, hint: string): Result {
  const entries = list === null ? undefined : result[list];
  if (list === null || !Array.isArray(entries)) {
    const cut = withoutLong(result, RESULT_CHARACTERS);
    return "truncated" in cut ? { ...cut, truncated_hint: hint } : cut;
  }
  const sizes = entries.map(sizeOf);
  const isLong = sizes.reduce((sum, size) => sum + size, 0) > LIST_CHARACTERS;
  const share = Math.max(ENTRY_CHARACTERS, Math.floor(LIST_CHARACTERS / Math.max(1, entries.length)));
  const shown = entries.map((entry: unknown) =>
    isObject(entry) ? withoutLong(entry, isLong ? share : RESULT_CHARACTERS) : entry,
  );
  const isCut = shown.some((entry) => isObject(entry) && "truncated" in entry);
  return { ...result, [list]: shown, ...(isCut ? { truncated_hint: hint } : {}) };
}

/** Paths of the values that a result leaves out where it is bounded. */
export function longPaths(result: Result): readonly string[] {
  const { truncated } = withoutLong(result, RESULT_CHARACTERS);
  return Array.isArray(truncated) ? truncated.map(String) : [];
}

/** Without the values that are too long by themselves, then without the longest until the rest fits. */
function withoutLong(result: Result, most: number): Result {
  const units = unitsOf(result, [], DEPTH);
  let size = units.reduce((sum, unit) => sum + unit.size, 0);
  const absent: Unit[] = [];
  for (const unit of units.toSorted((one, other) => other.size - one.size)) {
    if (unit.size <= VALUE_CHARACTERS && size <= most) break;
    absent.push(unit);
    size -= unit.size;
  }
  if (absent.length === 0) return result;
  const paths = absent.map(({ path }) => path.join(".")).sort();
  return { ...without(result, "", new Set(paths)), truncated: paths };
}

function unitsOf(from: Result, path: readonly string[], depth: number): readonly Unit[] {
  return Object.entries(from).flatMap(([name, value]): readonly Unit[] => {
    if (path.length === 0 && KEPT.has(name)) return [];
    const inner = [...path, name];
    if (depth > 1 && isObject(value) && Object.keys(value).length <= MEMBERS) return unitsOf(value, inner, depth - 1);
    return [{ path: inner, size: name.length + sizeOf(value) }];
  });
}

function without(from: Result, before: string, paths: ReadonlySet<string>): Result {
  return Object.fromEntries(
    Object.entries(from)
      .filter(([name]) => !paths.has(before + name))
      .map(([name, value]) => {
        const inner = `${before}${name}.`;
        const isOver = isObject(value) && [...paths].some((path) => path.startsWith(inner));
        return [name, isOver ? without(value, inner, paths) : value];
      }),
  );
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
