// What each scope of a token allows, in words (R6b, R33).
import type { RepositoryScope } from "../../../auth/account.ts";

/** `mcp:` scopes are in the words of the consent page. */
export type ScopeWords = Readonly<Record<Exclude<RepositoryScope, `mcp:${string}`>, string>>;

export const scopesEn: ScopeWords = {
  "deposit:write": "Send deposits by SWORD, together with the next one and with those of items",
  "deposit:actions": "Make, replace and delete items by SWORD, together with the one before and with those of items",
  "item:read": "See and search items and records as you see them, drafts included",
  "item:create": "Make new items and drafts",
  "item:update": "Change items, drafts and their files; publish",
  "item:delete": "Delete items and drafts",
  "index:read": "See the index tree as you see it",
  "index:create": "Make indexes",
  "index:update": "Change and move indexes",
  "index:delete": "Delete indexes",
  "author:search": "See and search the author database",
  "author:create": "Add persons to the author database",
  "author:update": "Change persons of the author database",
  "author:delete": "Delete and merge persons of the author database",
  "user:activity": "See activities and decide about them as you may",
  "file:read": "Download files that you may read",
};
