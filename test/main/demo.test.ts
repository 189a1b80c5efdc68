// The demonstration (issue 26): what its folder gets, through the interfaces of the product, and which folders it takes.
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shippedVocabulary } from "../../src/assets/vocabularies/index.ts";
import { readConfig } from "../../src/config.ts";
import { fillStore } from "../../src/main/demo/demo.ts";
import { FILE_MAKERS } from "../../src/main/demo/files.ts";
import { PEOPLE } from "../../src/main/demo/words.ts";
import { identifierOf, makeWorks } from "../../src/main/demo/works.ts";
import { openRepositoryWriter } from "../../src/main/repository/runtime.ts";
import { IDENTIFIER_FORMS } from "../../src/model/metadata/identifier-forms.ts";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";

const TODAY = "2026-11-24T10:00:00.000Z";
const folder = temporaryFolder("demo");
const other = temporaryFolder("demo-other");
afterAll(() => {
  folder.remove();
  other.remove();
});

const dayAgo = (days: number): string => new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10);
const distinct = (values: readonly unknown[]): readonly string[] => [...new Set(values.map(String))].sort();

describe("makeWorks()", () => {
  const works = makeWorks(300, dayAgo);

  test("Q.220 makes the same works at every call, counted from another day with other dates alone", () => {
    expect(makeWorks(300, dayAgo)).toEqual([...works]);
    const later = makeWorks(300, (days) => dayAgo(days - 1));
    expect(later[7]).not.toEqual(works[7]);
    expect(later.map(({ metadata }) => metadata.title)).toEqual(works.map(({ metadata }) => metadata.title));
  });

  test("Q.220 has every resource type of works, every kind of file and of access, both languages, versions, relations", () => {
    const types = shippedVocabulary("resourcetypes").filter(({ props }) => /depositable/.test(props.tags ?? ""));
    const used = works.map(({ metadata }) => Reflect.get(Object(metadata.resource_type), "id"));
    expect(distinct(used)).toEqual(distinct(types.map(({ id }) => id)));
    expect(distinct(works.flatMap(({ files }) => [...files]))).toEqual(distinct(Object.keys(FILE_MAKERS)));
    const accesses = works.map(({ access }) => (typeof access === "object" ? "embargo" : access));
    expect(distinct(accesses)).toEqual(["closed", "embargo", "login", "open", "restricted"]);
    expect(distinct(works.map(({ language }) => language))).toEqual(["en", "ja"]);
    expect(works.some(({ versions }) => versions > 1) && works.some(({ versions }) => versions === 0)).toBe(true);
    expect(distinct(works.map(({ doi }) => doi))).toHaveLength(300);
  });

  test("Q.220 names people by numbers that are nobody's", () => {
    const values = PEOPLE.map((_, at) => identifierOf(at));
    expect(distinct(values.map(({ value }) => value))).toHaveLength(PEOPLE.length);
    expect(values.filter(({ scheme }) => scheme === "ORCID")).toEqual([
      { scheme: "ORCID", value: "0000-0002-1825-0097" },
    ]);
    for (const { scheme, value } of values) {
      expect([value, IDENTIFIER_FORMS.isni.holds(value)]).toEqual([value, true]);
      expect([value, IDENTIFIER_FORMS.orcid.holds(value)]).toEqual([value, scheme === "ORCID"]);
    }
  });
});

describe("fillStore()", () => {
  test("Q.221 makes items, files and a year of figures in which everything holds", async () => {
    const env = { SVC_DATA_DIR: folder.path, SVC_BASE_URL: "http://127.0.0.1:8002" };
    await fillStore(readConfig(env), TODAY, 10, () => {});
    const verified = await arkstone(env, ["verify", "--files"]);
    expect([verified.code, verified.err.match(/everything holds/g)?.length]).toEqual([0, 1]);
    const store = await openRepositoryWriter(readConfig(env), { checked: () => {} });
    const months = await store.usage.usageByMonth("2025-11", "2026-11", null, 1000);
    const { views, downloads } = await store.usage.usageTotals();
    await store.close();
    expect(distinct(months.map(({ month }) => month)).length).toBeGreaterThan(9);
    expect(views).toBeGreaterThan(100);
    expect(downloads).toBeGreaterThan(10);
    expect(downloads).toBeLessThan(views);
  });
});

describe("arkstone demo", () => {
  test("Q.222 refuses a folder with something else in it, and a wrong number of items, and leaves both alone", async () => {
    writeFileSync(join(other.path, "thesis.txt"), "mine");
    const refused = await arkstone({}, ["demo", other.path]);
    expect([refused.code, refused.err]).toEqual([
      1,
      `arkstone: ${other.path} is not empty, and not the folder of a demonstration\nName another folder: "arkstone demo FOLDER"\n`,
    ]);
    expect(readdirSync(other.path)).toEqual(["thesis.txt"]);
    const wrong = await arkstone({}, ["demo", other.path, "--items", "many"]);
    expect([wrong.code, wrong.err.split("\n")[0]]).toEqual([
      2,
      "arkstone: Cannot use --items many: it is not a number from 1 to 2000",
    ]);
  });
});
