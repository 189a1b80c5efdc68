// What clients are offered while somebody writes an argument of a prompt or of an address (R30; reference 4.3): each
// kind asks one tool, so that nobody is offered what they could not find. Data, and what is read from the result of the
// tool.
import { isObject, memberOf } from "../../shared/objects.ts";

/** Values of one answer, as the protocol bounds them. */
const SUGGESTED_MAX = 100;
/** Characters of what is being written. */
export const WRITTEN_MAX = 200;
const FOUND = 20;

const SUGGESTION_KINDS = ["record", "draft", "request", "community", "resource_type", "vocabulary"] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

type Suggestion = {
  readonly tool: string;
  readonly args: (written: string) => Readonly<Record<string, unknown>>;
  /** The list in the result, and the member of each that is offered. */
  readonly from: readonly [list: string, member: string];
  readonly only?: (found: object) => boolean;
  /** The tool searches for words; otherwise suggestions begin with the typed text. */
  readonly isSearch: boolean;
};

export const SUGGESTIONS: Readonly<Record<SuggestionKind, Suggestion>> = {
  record: {
    tool: "search_records",
    args: (query) => ({ query, size: FOUND }),
    from: ["records", "id"],
    only: (record) => memberOf(record, "is_published") === true,
    isSearch: true,
  },
  draft: {
    tool: "my_records",
    args: (query) => ({ query, size: FOUND }),
    from: ["records", "id"],
    only: (record) => memberOf(record, "is_draft") === true,
    isSearch: true,
  },
  request: {
    tool: "list_requests",
    args: () => ({ status: "submitted", size: SUGGESTED_MAX }),
    from: ["requests", "id"],
    isSearch: false,
  },
  community: {
    tool: "search_communities",
    args: (query) => ({ query, size: FOUND }),
    from: ["communities", "slug"],
    isSearch: true,
  },
  resource_type: {
    tool: "list_vocabulary",
    args: (query) => ({ vocab_type: "resourcetypes", query, size: FOUND }),
    from: ["items", "id"],
    isSearch: true,
  },
  vocabulary: { tool: "list_vocabulary_types", args: () => ({}), from: ["types", "id"], isSearch: false },
};

/** Values of a result, in its order. */
export function suggested(kind: SuggestionKind, written: string, result: unknown): readonly string[] {
  const { from, only = () => true, isSearch } = SUGGESTIONS[kind];
  const [list, member] = from;
  const found = isObject(result) ? memberOf(result, list) : undefined;
  if (!Array.isArray(found)) return [];
  return found
    .flatMap((each: unknown) => (isObject(each) && only(each) ? [String(memberOf(each, member))] : []))
    .filter((value) => isSearch || value.startsWith(written))
    .slice(0, SUGGESTED_MAX);
}
