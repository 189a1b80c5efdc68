// Whether a message to the tool server may pass (R30; reference 4.4): which scope each call in it needs, the strictest of all where several come
// together. A gate that looked at the first message only would let a batch hide a write. Pure.
import type { Viewer } from "../../auth/account.ts";
import { isObject, memberOf } from "../../shared/fields.ts";
import { namedResource } from "./resources.ts";
import { implies, scopeOfCall, TOOL_SCOPES, type ToolDefinition, type ToolScope } from "./tool.ts";

/** Messages of one body that are looked at, and so may come. */
export const MESSAGES_MAX = 50;

/** `granted`: scopes of the token; null: nobody showed one. */
export type Verdict =
  | { readonly pass: true }
  /** 401 for whoever showed no token, 403 for a token that carries too little. */
  | { readonly pass: false; readonly status: 401 | 403; readonly scope: ToolScope };

export function gate(
  body: unknown,
  tools: ReadonlyMap<string, ToolDefinition>,
  granted: ReadonlySet<string> | null,
): Verdict {
  return verdictOf(strictest(messagesOf(body).flatMap((message) => scopeOfMessage(message, tools) ?? [])), granted);
}

/** The same of one call. */
export const admits = (tool: ToolDefinition, args: unknown, granted: ReadonlySet<string> | null): Verdict =>
  verdictOf(scopeOfCall(tool, args), granted);

function verdictOf(needed: ToolScope | null, granted: ReadonlySet<string> | null): Verdict {
  if (needed === null || (granted !== null && implies(granted, needed))) return { pass: true };
  return { pass: false, status: granted === null ? 401 : 403, scope: needed };
}

export const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

/** Null: it calls no tool, none that is there, or one that is for everybody. An address that is read is a call of the tool it stands on. */
function scopeOfMessage(message: unknown, tools: ReadonlyMap<string, ToolDefinition>): ToolScope | null {
  const params = isObject(message) ? memberOf(message, "params") : undefined;
  if (!isObject(message) || !isObject(params)) return null;
  const method = memberOf(message, "method");
  if (method === "tools/call") {
    const tool = tools.get(String(memberOf(params, "name")));
    return tool === undefined ? null : scopeOfCall(tool, memberOf(params, "arguments"));
  }
  const named = method === "resources/read" ? namedResource(String(memberOf(params, "uri"))) : null;
  const tool = named === null ? undefined : tools.get(named.kind.tool);
  return named === null || tool === undefined ? null : scopeOfCall(tool, named.args);
}

/** What a viewer may call; null: nobody is signed in. */
export const grantedTo = ({ account, scopes }: Viewer): ReadonlySet<string> | null =>
  account === null ? null : (scopes ?? new Set());

/** The scopes that let the call pass are looked at again where something is written (R2g): any of those that imply the one that is needed. */
export function asking(viewer: Viewer, { scope }: ToolDefinition): Viewer {
  if (scope === null || viewer.scopes === null) return viewer;
  const implying = TOOL_SCOPES.findLast((each) => viewer.scopes?.has(each));
  return implying === undefined ? viewer : { ...viewer, asked: [implying] };
}

function strictest(scopes: readonly ToolScope[]): ToolScope | null {
  const highest = Math.max(-1, ...scopes.map((scope) => TOOL_SCOPES.indexOf(scope)));
  return TOOL_SCOPES[highest] ?? null;
}
