// Lists of tools as they were answered before (R30): they change with a release only, and making one costs more than
// everything around it. Two requests that differ in nothing but their id have answers that differ in nothing but their
// id; whatever else is asked goes the whole way.
import { isObject, memberOf } from "../../../src/shared/fields.ts";

/** Lists that are kept: of each table and selection, for each way in which clients ask. */
const KEPT_MAX = 64;
/** Characters of the key of a request. */
const KEY_MAX = 4_000;
/** What the response depends on in addition to the body. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"] as const;

type Id = string | number;
type Question = { readonly key: string; readonly id: Id };

export type KeptLists = {
  /** The answer to a list of tools, made by `make` where none like it is kept. */
  answer(request: Request, body: unknown, make: () => Promise<Response>): Promise<Response>;
};

export function keptLists(): KeptLists {
  /** The result as JSON. */
  const kept = new Map<string, string>();

  return {
    async answer(request, body, make) {
      const question = questionOf(request, body);
      if (question === null) return await make();
      const known = kept.get(question.key);
      if (known !== undefined) return given(known, question.id);
      const response = await make();
      if (response.status !== 200 || response.headers.get("content-type") !== "application/json") return response;
      const text = await response.text();
      const result = resultIn(text, question.id);
      if (result === null) return new Response(text, response);
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(question.key, result);
      return given(result, question.id);
    },
  };
}

/** Null: it asks for something else. */
function questionOf({ url, headers }: Request, body: unknown): Question | null {
  if (!isObject(body) || memberOf(body, "method") !== "tools/list") return null;
  const id = memberOf(body, "id");
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return null;
  const sent = HEADERS.map((name) => headers.get(name));
  const key = JSON.stringify([url, sent, { ...body, id: 0 }]);
  // A number was checked for above.
  return key.length > KEY_MAX ? null : { key, id: id as Id };
}

/** Of a response that has a result and nothing else. */
function resultIn(text: string, id: Id): string | null {
  const message: unknown = JSON.parse(text);
  if (!isObject(message) || Object.keys(message).sort().join() !== "id,jsonrpc,result") return null;
  return memberOf(message, "id") === id ? JSON.stringify(memberOf(message, "result")) : null;
}

const given = (result: string, id: Id): Response =>
  new Response(`{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`, {
    headers: { "content-type": "application/json" },
  });
