// Scopes as clients ask for them and people allow them (R30; RFC 6749 3.3): curate implies write implies read. Pure.
import { scopeParts } from "../../auth/caller.ts";
import { implies, TOOL_SCOPES, type ToolScope } from "../tools/tool.ts";

/** A scope that asks for refresh tokens, which every client gets: it means nothing here. */
const WITHOUT_MEANING = "offline_access";

/** The scopes with those that each implies, least first. */
export const expanded = (scopes: readonly string[]): readonly ToolScope[] =>
  TOOL_SCOPES.filter((scope) => implies(scopes, scope));

/** What a text asks for; to read, where it asks for nothing; null where it names a scope there is none of. */
export function readScopes(text: string): readonly ToolScope[] | null {
  if (text.length > 1_000) return null;
  const asked = scopeParts(text).filter((part) => part !== WITHOUT_MEANING);
  if (asked.length === 0) return ["mcp:read"];
  return asked.every((part) => TOOL_SCOPES.some((scope) => scope === part)) ? expanded(asked) : null;
}
