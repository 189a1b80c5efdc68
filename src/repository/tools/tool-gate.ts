// Whether a message to the tool server may pass (R30; reference 4.4): which scope each call in it needs, the strictest
// of all where several come together. A gate that checked only the first message would let a batch hide a write. Pure.
import { guestWithout, type Viewer } from "../../auth/account.ts";
import { isObject, memberOf } from "../../shared/fields.ts";
import { namedResource } from "./resources.ts";
import { implies, scopeOfCall, TOOL_SCOPES, type ToolDefinition, type ToolScope } from "./tool.ts";

/** Messages at most of one body: all are checked. */
export const MESSAGES_MAX = 50;

/** `granted`: scopes of the token; null: no token was sent. */
export type Verdict =
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
