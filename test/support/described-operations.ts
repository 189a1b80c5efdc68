// Every operation of the repository as its interface description has it, and what asks all of them the same: the tests
// `described-*` of test/http demand that what is described occurs, and nothing else (R32).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Handler } from "../../plugins/http/frame.ts";
import { type DescribedAnswers, type DescribedOperation, operationsIn, statusesOf } from "./described-statuses.ts";

type Parameter = { readonly in?: string; readonly $ref?: string };
type Operation = DescribedOperation<{ readonly description: string }> & {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
};
export type Row = Operation & {
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly number[];
};
type Given = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | ReadableStream;
  /** With its question mark. */
  readonly query?: string;
};
export type Ask = (row: Row, given: Given) => Promise<Response>;

const FILE = join(import.meta.dirname, "..", "..", "src", "assets", "openapi-repository.json");
export const DOCUMENT: DescribedAnswers<{ readonly description: string }> & {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] }>
  >;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
} = JSON.parse(readFileSync(FILE, "utf8"));

const wholeParameter = (each: Parameter): Parameter =>
  DOCUMENT.components.parameters[each.$ref?.replace(/^.*\//, "") ?? ""] ?? each;

export const ROWS: readonly Row[] = operationsIn<Operation>(DOCUMENT).map(({ method, path, operation }) => ({
  ...operation,
  parameters: [...(DOCUMENT.paths[path]?.parameters ?? []), ...(operation.parameters ?? [])].map(wholeParameter),
  method: method.toUpperCase(),
  path,
  statuses: statusesOf(DOCUMENT, operation),
}));
/** The rows that state this status themselves: it is not one that all of their interface share. */
export const withOwn = (status: number): readonly Row[] => ROWS.filter(({ responses }) => status in responses);

export const takesJson = ({ requestBody }: Row): boolean => "application/json" in (requestBody?.content ?? {});
export const takesForm = ({ requestBody }: Row): boolean =>
  "application/x-www-form-urlencoded" in (requestBody?.content ?? {});
export const hasQuery = ({ parameters = [] }: Row): boolean => parameters.some((each) => each.in === "query");
export const HARVEST = "verb=ListRecords&metadataPrefix=oai_dc";
export const JSON_HEADERS = { "content-type": "application/json" };
const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded" };

export function withSomeBody(row: Row): Given {
  if (takesJson(row)) return { body: "{}", headers: JSON_HEADERS };
  return takesForm(row) ? { body: HARVEST, headers: FORM_HEADERS } : {};
}

/** Asks at the address that a row has, as the owner of a token; null: as a guest. */
export const askAt =
  (handler: Handler, token: string | null, addressOf: (row: Row) => string): Ask =>
  async (row, { headers = {}, body, query = "" }) => {
    const all = new Headers({ host: "repo.example.org", ...headers });
    if (token !== null) all.set("authorization", `Bearer ${token}`);
    const init = { method: row.method, headers: all, ...(body === undefined ? {} : { body, duplex: "half" }) };
    // A stream as the body of a request needs `duplex`, which the types do not know.
    const request = new Request(`http://repo.example.org${addressOf(row)}${query}`, init as RequestInit);
    return await handler(request, { addressOf: () => "192.0.2.1" });
  };

/** Asks rows, and returns what is not as described, and which rows describe this status and did not answer it. */
export async function provoke(
  rows: readonly Row[],
  ask: Ask,
  status: number,
  given: (row: Row) => Given | null = withSomeBody,
) {
  const faults: string[] = [];
  const met = new Set<string>();
  for (const row of rows) {
    const sent = given(row);
    if (sent === null) continue;
    // The hook of the world throws what is not as described.
    const response = await ask(row, sent).catch((error: unknown) => void faults.push(String(error)));
    await response?.body?.cancel();
    if (response?.status === status) met.add(row.operationId);
  }
  const unmet = rows.filter(({ operationId, statuses }) => statuses.includes(status) && !met.has(operationId));
  return { faults, unmet: unmet.map(({ operationId }) => operationId) };
}
