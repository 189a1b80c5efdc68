// Whether a message to the tool server may pass (R30; reference 4.4): which scope each call in it needs, the strictest of all where several come
// together. A gate that looked at the first message only would let a batch hide a write. Pure.
import { isObject, memberOf } from "../../shared/fields.ts";
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

/** Null: it calls no tool, none that is there, or one that is for everybody. */
function scopeOfMessage(message: unknown, tools: ReadonlyMap<string, ToolDefinition>): ToolScope | null {
  if (!isObject(message) || memberOf(message, "method") !== "tools/call") return null;
  const params = memberOf(message, "params");
  if (!isObject(params)) return null;
  const tool = tools.get(String(memberOf(params, "name")));
  return tool === undefined ? null : scopeOfCall(tool, memberOf(params, "arguments"));
}

function strictest(scopes: readonly ToolScope[]): ToolScope | null {
  const highest = Math.max(-1, ...scopes.map((scope) => TOOL_SCOPES.indexOf(scope)));
  return TOOL_SCOPES[highest] ?? null;
}
