// Hostile searches (issue of the read side; R9, R10, R27, R28): whatever a parameter holds, the answer is the hits
// there are or a refusal in the interface's shape, soon, and never an item that does not match.
import { beforeAll, describe, expect, test } from "bun:test";
import process from "node:process";
import fc from "fast-check";
import { PARAMETER_NAMES } from "../../src/repository/search/query/parameter-names.ts";
import { onReferenceMachine } from "../support/calibration.ts";
import { aContent, titled } from "../support/world/items.ts";
import { INDEXES } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });
beforeAll(async () => {
  const viewer = await world.viewer("registered");
  for (const title of ["Fossil plants", "化石の研究"]) {
    const metadata = { ...titled(title), languages: ["eng"], subjects: [{ text: { value: "paleontology" } }] };
    await world.items.createAndPublish(viewer, { content: aContent({ metadata, indexes: [INDEXES.open] }) });
  }
});

const PATHS = ["/api/v1/records", "/api/opensearch/search"];
/** What one request may cost the processor. */
const CPU_MS = 1_000;

type Answered = { readonly status: number; readonly total: number };
async function asked(path: string, query: string): Promise<Answered> {
  const before = process.cpuUsage();
  const { status, json, text } = await world.ask(null, "GET", `${path}?${query}`);
  const { user, system } = process.cpuUsage(before);
  const what = `${path}?${query.slice(0, 300)}`;
  expect([what, onReferenceMachine((user + system) / 1000) < CPU_MS]).toEqual([what, true]);
  if (status === 200) {
    const hits = json.hits as { readonly total: number } | undefined;
    return { status, total: Number(json.total_results ?? hits?.total) };
  }
  expect([what, status, json]).toEqual([what, 400, { code: 400, status: 400, message: expect.any(String) }]);
  expect([what, /\bat \w+ \(|SQLITE|syntax error|fts5|Typesense/i.exec(text)]).toEqual([what, null]);
  return { status, total: 0 };
}

const ODD: readonly string[] = [
  "x".repeat(5_000),
  "語".repeat(1_000),
  Array.from({ length: 400 }, (_, at) => `w${at}`).join(" OR "),
  " OR ".repeat(300),
  "( ".repeat(300),
  '"',
  "'",
  "\\",
  "*",
  "zz*",
  "^zz",
  "-zz",
  "zz AND",
  "NOT zz",
  "NEAR(zz yy, 3)",
  "title : zz",
  "{title creator} : zz",
  "zz' OR '1'='1",
  "'; drop table item; --",
  "1) or (1=1",
  "zz && title:=`zz` || id:>0",
  "title:=[zz]",
  "id:[1..99999]",
  "\u0000zz",
  "zz\u0001\u001f\u007f",
  "\u202ezz\u200b",
  "%zz%",
  "_zz_",
  "zz\r\nX-Injected: 1",
  "<script>zz</script>",
  "../../../zz",
  "${zz}",
  "{{zz}}",
  "[object Object]",
  "NaN",
  "Infinity",
  "-0",
  "1e400",
  "9".repeat(400),
  "0x10",
  "٣",
  "2020-02-30",
  "00000000",
  "99999999",
  "__proto__",
  "constructor",
  "toString",
  "true",
  "null",
  "undefined",
];

/** Percent-encoded bytes that are not text: half a surrogate pair, an end without a beginning, half an escape. */
const BROKEN: readonly string[] = ["%ED%A0%80", "%C3%28", "%FF%FE", "%E0%80%AF", "%", "%4", "%zz", "%u0041"];

/**
 * What is left out where it cannot be used, and the size of the answer: everything is found, or the window is refused.
 */
const LEFT_OUT = new Set([
  ...["search_type", "pretty", "page", "cursor", "size", "sort", "exact_title_match", "format", "prettyprint", "facet"],
  ...[
    "page_no",
    "list_view_num",
    "subject",
    "sbjscheme",
    "fd_attr",
    "id",
    "id_attr",
    "type",
    "lang",
    "version",
    "license",
  ],
]);
const isLeftOut = (name: string): boolean =>
  LEFT_OUT.has(name) || /_(?:from|to)$|^(?:text|integer_range|float_range|date_range)\d+$/.test(name);
/** Of the free fields the first of each kind is taken for the others. */
const NAMES = [...PARAMETER_NAMES, "Subject", "Language"].filter((name) => !/(?:text|range)(?:[2-9]|10)/.test(name));
/** Names of one interface that the other does not know. */
const OPENSEARCH_ONLY = new Set(["keyword", "Iid", "index_id"]);

describe("every parameter with odd values", () => {
  test("R27 never a fault, never a wrong hit: what matches nothing finds nothing, what cannot be used is left out", async () => {
    for (const path of PATHS) {
      for (const name of NAMES) {
        for (const value of [...ODD.map(encodeURIComponent), ...BROKEN]) {
          const { status, total } = await asked(path, `${encodeURIComponent(name)}=${value}`);
          const isIgnored = isLeftOut(name) || (path === PATHS[0] && OPENSEARCH_ONLY.has(name));
          // In the search box `-zz` leaves a word out: everything else is found.
          const isWithout = path !== PATHS[0] && ["q", "keyword"].includes(name) && /^-\w+$/.test(value);
          const expected = status === 400 ? 0 : isIgnored || isWithout ? 2 : 0;
          expect([path, name, value.slice(0, 100), total]).toEqual([path, name, value.slice(0, 100), expected]);
        }
      }
    }
  }, 600_000);

  test("R27 ten thousand parameters, a very long address and empty ones", async () => {
    for (const path of PATHS) {
      const many = (name: (at: number) => string) =>
        Array.from({ length: 10_000 }, (_, at) => `${name(at)}=zz`).join("&");
      expect(
        (
          await asked(
            path,
            many((at) => `p${at}`),
          )
        ).status,
      ).toBe(400);
      expect(
        (
          await asked(
            path,
            many(() => "q"),
          )
        ).status,
      ).toBe(400);
      expect(
        (
          await asked(
            path,
            many(() => "Subject"),
          )
        ).status,
      ).toBe(400);
      expect((await asked(path, "&".repeat(50_000))).status).toBe(400);
      expect((await asked(path, `q=${"%20".repeat(20_000)}`)).total).toBe(2);
      expect((await asked(path, `q=${"a".repeat(500_000)}`)).status).toBe(400);
      expect((await asked(path, `sort=${"wtl,".repeat(100_000)}`)).total).toBe(2);
      expect((await asked(path, `type=${"zz,".repeat(100_000)}`)).total).toBe(2);
      for (const nothing of ["", "=", "=zz", "q", "q=", "&&&", "?", "q=+", "q=%E3%80%80"]) {
        expect([nothing, (await asked(path, nothing)).total]).toEqual([nothing, 2]);
      }
    }
  });

  test("R27 property: whatever several parameters hold together", async () => {
    const name = fc.constantFrom(...PARAMETER_NAMES, "Subject", "zz");
    const value = fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.constantFrom(...ODD),
      fc.constantFrom("fossil", "化石", "1"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PATHS),
        fc.array(fc.tuple(name, value), { maxLength: 8 }),
        async (path, pairs) => {
          const { total } = await asked(path, new URLSearchParams(pairs).toString());
          expect(total).toBeLessThanOrEqual(2);
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);
});
