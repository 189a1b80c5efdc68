// What people and programs read, over HTTP: records and their pages, searches on all interfaces, lists, what harvesters
// and machines take.
import { WHOLE_FACET } from "../../src/repository/pages/searching.ts";
import { consentBrowser } from "../../test/support/consent-browser.ts";
import type { Server } from "../lib.ts";
import { english, japanese } from "../search-documents.ts";
import { type Filled, send } from "./filled.ts";
import { type Call, get, type Operation } from "./measuring.ts";

/** Columns of the list export. */
const COLUMNS = ["name", "creator", "description"].map((key) => ({ name: { en: key }, roCrateKey: key }));
const TOKEN = /<resumptionToken[^>]*>([^<]+)</;
const BEGINNING_MOST = 6;

const one = <T>(list: readonly T[], n: number): T => {
  const found = list[n % list.length];
  if (found === undefined) throw new RangeError("The list is empty");
  return found;
};

/** Words of the titles of items, one after the other. */
function wordings({ samples }: Filled) {
  const words = (n: number): readonly string[] =>
    one(samples, n)
      .title.replace(/ \d+( \(\d+\))?$/, "")
      .toLowerCase()
      .split(/ |の/);
  const two = (n: number): string => words(n).slice(0, 2).join(" ");
  return {
    two,
    wide: (n: number): string => one([english(0), english(1), english(2), japanese(0), japanese(1)], n),
    question: (n: number): string => `What is known about ${words(n)[0]} and ${words(n)[1]} in the north of Japan?`,
    begun: (n: number): string => (words(n)[n % 2] ?? "").slice(0, 1 + (n % BEGINNING_MOST)),
  };
}

const encoded = encodeURIComponent;

export function recordReads(filled: Filled, server: Server): readonly Operation[] {
  const { samples } = filled;
  const id = (n: number): number => one(samples, n).id;
  return [
    { name: "landing page, first view", call: get(server, (n) => `/records/${id(n)}`) },
    { name: "GET a record", call: get(server, (n) => `/api/records/${id(n + 500)}`) },
    { name: "GET its RO-Crate object", call: get(server, (n) => `/api/v1/records/${id(n + 1_000)}`) },
    { name: "similar items", call: get(server, (n) => `/api/records/${id(n + 1_300)}/similar`) },
    { name: "export of a record, BibTeX", call: get(server, (n) => `/records/${id(n + 1_600)}/export/bibtex`) },
  ];
}

export function searches(filled: Filled, server: Server): readonly Operation[] {
  const kinds = wordings(filled);
  const interfaces = {
    "/api/v1/records": (q: string) => `/api/v1/records?search_type=1&q=${encoded(q)}`,
    "/api/records": (q: string) => `/api/records?q=${encoded(q)}`,
    OpenSearch: (q: string) => `/api/opensearch/search?q=${encoded(q)}`,
    "/search": (q: string) => `/search?q=${encoded(q)}`,
  };
  const questions = { "two words": kinds.two, "a wide word": kinds.wide, "a question": kinds.question };
  return [
    ...Object.entries(interfaces).flatMap(([name, pathOf]) =>
      Object.entries(questions).map(([kind, q]) => ({
        name: `${name}, ${kind}`,
        call: get(server, (n) => pathOf(q(n))),
      })),
    ),
    { name: "newest records", call: get(server, (n) => `/api/records?size=${10 + (n % 15)}`) },
    { name: "a facet in full, all items", call: get(server, () => `/search?${WHOLE_FACET}=Creator`) },
    {
      name: "a facet in full, two words",
      call: get(server, (n) => `/search?q=${encoded(kinds.two(n))}&${WHOLE_FACET}=Subject`),
    },
    { name: "completion", call: get(server, (n) => `/api/suggestions?q=${encoded(kinds.begun(n))}`) },
  ];
}

/** The lists of people: what is theirs, what waits for them, what there is. */
export async function lists(filled: Filled, server: Server): Promise<readonly Operation[]> {
  const { owners, communities, indexes, keeper } = filled.base;
  const [token = "", [index], [community]] = [owners[0], indexes, communities];
  const { two, begun } = wordings(filled);
  const browser = consentBrowser(`http://127.0.0.1:${server.port}`);
  await browser.signIn(token);
  const seen = async (path: string): Promise<number> => {
    const answer = await browser.visit(path);
    const bytes = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return bytes.byteLength;
  };
  return [
    { name: "my records", call: get(server, (n) => `/api/user/records?page=${1 + (n % 20)}`, { token }) },
    { name: "my records, two words", call: get(server, (n) => `/api/user/records?q=${encoded(two(n))}`, { token }) },
    { name: "page of my records", call: () => seen("/me?tab=records") },
    { name: "page of my tasks", call: () => seen("/me?tab=tasks") },
    { name: "page of my requests", call: () => seen("/me?tab=requests") },
    { name: "my requests", call: get(server, (n) => `/api/user/requests?page=${1 + (n % 20)}`, { token }) },
    { name: "all requests I may see", call: get(server, () => "/api/requests", { token: keeper }) },
    {
      name: "requests of a community",
      call: get(server, () => `/api/communities/${community}/requests`, { token: keeper }),
    },
    { name: "my tasks", call: get(server, () => "/api/user/tasks", { token: keeper }) },
    {
      name: "suggestions of people",
      call: get(server, (n) => `/api/suggestions/people?q=${encoded(begun(n))}`, { token }),
    },
    { name: "page of authors by name", call: (n) => seen(`/authors?name=${encoded(begun(n))}`) },
    { name: "home page", call: get(server, () => "/") },
    { name: "page of an index", call: get(server, () => `/index/${index}`) },
    { name: "page of a community", call: get(server, () => `/communities/${community}`) },
    { name: "statistics", call: get(server, () => "/statistics") },
    { name: "statistics of an author", call: get(server, (n) => `/authors/${2 + (n % 20)}/statistics`) },
  ];
}

/** A list in pages of a hundred records, from its beginning again when it ends. */
function harvest(server: Server, from: string): Call {
  let next: string | undefined;
  return async () => {
    const path = next === undefined ? `metadataPrefix=jpcoar_2.0${from}` : `resumptionToken=${encoded(next)}`;
    const page = await send(server, `/oai?verb=ListRecords&${path}`);
    next = TOKEN.exec(page.toString())?.[1];
    return page.length;
  };
}

export function machines(filled: Filled, server: Server): readonly Operation[] {
  const { two, wide } = wordings(filled);
  const last = async (): Promise<string> => {
    const all = (await send(server, "/sitemap.xml")).toString();
    return /<loc>[^<]*(\/sitemap\/\d+)<\/loc><\/sitemap>\n<\/sitemapindex>/.exec(all)?.[1] ?? "";
  };
  const list = { method: "POST", body: COLUMNS };
  return [
    { name: "a page of a harvest", call: harvest(server, "") },
    { name: "a page of a harvest of an index", call: harvest(server, `&set=${filled.base.indexes[0]}`) },
    { name: "list of site maps", call: get(server, () => "/sitemap.xml") },
    { name: "first site map", call: get(server, () => "/sitemap/0") },
    { name: "metrics", call: get(server, () => "/metrics") },
    { name: "last site map", call: async () => (await send(server, await last())).length },
    {
      name: "list export of two words, TSV",
      call: get(server, (n) => `/api/v1/records/list?search_type=1&q=${encoded(two(n))}`, list),
    },
    ...["ris", "csv"].map((format) => ({
      name: `export of hits of a wide word, ${format.toUpperCase()}`,
      call: get(server, (n) => `/api/v1/records/export?format=${format}&q=${encoded(wide(n))}`),
    })),
  ];
}
