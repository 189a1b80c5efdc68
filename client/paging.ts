// Lists as async iterators: page by page, or item by item. Whatever a list calls its next page (a link, a cursor, the
// last name, a number), the iterator asks for it when the caller wants more.
import { type Members, membersOf } from "./members.ts";
import type { Input, OperationAddress } from "./operations.ts";

/** Parameters that turn pages. */
type PageParameter = "after" | "cursor" | "page";
/** Ids of the operations that answer page by page. */
export type PagedIds<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends { readonly query?: infer Query }
    ? Extract<keyof NonNullable<Query>, PageParameter> extends never
      ? never
      : Id
    : never;
}[keyof Operations];

/** What a list holds: its hits, or its one member that is a list. */
export type ItemOf<Answer> = Answer extends readonly (infer Item)[]
  ? Item
  : Answer extends { readonly hits: { readonly hits: readonly (infer Item)[] } }
    ? Item
    : { [Name in keyof Answer]: Answer[Name] extends readonly (infer Item)[] ? Item : never }[keyof Answer];

/** Every page of a list, each when it is wanted. */
export async function* pagesOf(
  parameter: OperationAddress["pages"],
  input: Input,
  call: (input: Input) => Promise<unknown>,
): AsyncGenerator<unknown, void> {
  let query: Members | null = input.query ?? {};
  while (query !== null) {
    const answer = await call({ ...input, query });
    yield answer;
    query = nextQuery(parameter, query, answer);
  }
}

/** The items of an answer, wherever it has them. */
export function itemsOf<Answer>(answer: Answer): readonly ItemOf<Answer>[] {
  const { hits } = membersOf(answer);
  const inner = Array.isArray(answer) ? answer : membersOf(hits).hits;
  const found = Array.isArray(inner) ? inner : Object.values(membersOf(answer)).find(Array.isArray);
  // The type finds them as this function does.
  return (found ?? []) as readonly ItemOf<Answer>[];
}

/** Null after the last page. */
function nextQuery(parameter: OperationAddress["pages"], query: Members, answer: unknown): Members | null {
  const { links, next, cursor } = membersOf(answer);
  const { page: _page, ...others } = query;
  if (parameter === "after" || parameter === "cursor") {
    const place = next ?? cursor;
    return typeof place === "string" ? { ...others, [parameter]: place } : null;
  }
  if (parameter === undefined) return null;
  // Of the link its query alone counts: it names the public address, which is not always the one that was asked.
  const link = membersOf(links).next;
  if (typeof link === "string") return manyOf(new URL(link, "http://localhost").searchParams);
  const isOver = links !== undefined || itemsOf(answer).length === 0;
  return isOver ? null : { ...others, page: Number(query.page ?? 1) + 1 };
}

const manyOf = (query: URLSearchParams): Members =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));
