// `arkstone vocabulary load` (R6a): organisations and funders out of public dumps, streamed.
import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { arrayItemReader } from "../../src/shared/text/text-lines.ts";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("vocabulary-load");
afterAll(() => folder.remove());
const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "warn" };
const run = (...args: string[]) => arkstone(env, ["vocabulary", ...args]);
const file = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};

const ror = (id: string, name: string, more: object[] = []) => ({
  id: `https://ror.org/${id}`,
  status: "active",
  names: [{ value: name, lang: "en", types: ["ror_display", "label"] }, ...more],
  locations: [{ geonames_details: { country_code: "JP" } }],
});

test("R6a organisations of ROR are entries with names, country and address; a second load changes them", async () => {
  const nii = ror("04ksd4g47", "National Institute of Informatics", [
    { value: "国立情報学研究所", lang: "ja", types: ["label"] },
  ]);
  const dump = file(
    "ror.json",
    `[\n${JSON.stringify(nii)},\n${JSON.stringify({ id: "https://ror.org/x", names: [] })},\n${JSON.stringify(ror("057zh3y96", 'U "[{ Tokyo'))}]`,
  );
  const result = await run("load", "affiliations", dump);
  expect(result).toMatchObject({ code: 0, out: "2 entries of affiliations loaded, 1 left out.\n" });
  expect(result.err).toContain("2: x has no name");
  const entries = JSON.parse((await run("list", "affiliations", "--json")).out);
  expect(entries[0]).toEqual({
    type: "affiliations",
    id: "04ksd4g47",
    title: { en: "National Institute of Informatics", ja: "国立情報学研究所" },
    props: {
      scheme: "ROR",
      url: "https://ror.org/04ksd4g47",
      country: "JP",
      names: "国立情報学研究所",
      status: "active",
    },
  });
  const changed = file("ror2.ndjson", `${JSON.stringify(ror("04ksd4g47", "NII"))}\n`);
  expect((await run("load", "affiliations", changed)).code).toBe(0);
  const [again, ...others] = JSON.parse((await run("list", "affiliations", "--json")).out);
  expect([again.title.en, others.length]).toEqual(["NII", 1]);
});

test("R6a funders of the registry are entries by their numbers", async () => {
  const dump = file(
    "funders.csv",
    'uri,primary_name_display,replaced\nhttp://dx.doi.org/10.13039/501100001691,"Japan Society, for Science",\n,no id,\n',
  );
  expect((await run("load", "funders", dump)).out).toBe("1 entry of funders loaded, 1 left out.\n");
  expect(JSON.parse((await run("list", "funders", "--json")).out)).toEqual([
    {
      type: "funders",
      id: "501100001691",
      title: { en: "Japan Society, for Science", ja: "Japan Society, for Science" },
      props: { scheme: "Crossref Funder", url: "https://doi.org/10.13039/501100001691" },
    },
  ]);
});

test("S3.6.176 subjects and awards are loaded as plain entries, with scheme, funder and both languages", async () => {
  const subjects = file(
    "ndc.csv",
    "id,subject,ja,scheme,url\nhttps://id.example.org/ndc/452?v=10,Oceanography,海洋学,NDC,https://id.example.org/ndc/452\n,no id,,,\n" +
      'sh1,,気象学,,\nsh2,"Winds, local",,LCSH,\n',
  );
  expect((await run("load", "subjects", subjects)).out).toBe("3 entries of subjects loaded, 1 left out.\n");
  expect(JSON.parse((await run("list", "subjects", "--json")).out)).toEqual([
    {
      ...{ type: "subjects", id: "https://id.example.org/ndc/452?v=10", title: { en: "Oceanography", ja: "海洋学" } },
      props: { scheme: "NDC", url: "https://id.example.org/ndc/452" },
    },
    { type: "subjects", id: "sh1", title: { en: "気象学", ja: "気象学" }, props: {} },
    { type: "subjects", id: "sh2", title: { en: "Winds, local", ja: "" }, props: { scheme: "LCSH" } },
  ]);
  const award = {
    id: "kaken-1",
    number: "JP1",
    title: { en: "Tides" },
    funder: { id: "5011", name: "JSPS" },
    tags: ["a", "b"],
  };
  const second = {
    id: "kaken-2",
    title: "Winds",
    title_ja: "風",
    funder: "plain",
    number: "JP2",
    year: 2020,
    empty: "",
  };
  const lines = [award, { id: "x/y", title: "Bad" }, second, { id: "kaken-3", number: "JP3" }];
  const awards = file("awards.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const loaded = await run("load", "awards", awards);
  expect(loaded.out).toBe("2 entries of awards loaded, 2 left out.\n");
  expect(loaded.err).toContain("4: kaken-3 has no name");
  expect(JSON.parse((await run("list", "awards", "--json")).out)).toEqual([
    {
      ...{ type: "awards", id: "kaken-1", title: { en: "Tides", ja: "" } },
      props: { number: "JP1", funder: "5011", funder_name: "JSPS", tags: "a b" },
    },
    {
      ...{ type: "awards", id: "kaken-2", title: { en: "Winds", ja: "風" } },
      props: { number: "JP2", funder: "plain" },
    },
  ]);
  const red = { id: "red", en: "Red", ja: "赤", props: { hex: "#f00" } };
  const own = file("own.json", JSON.stringify([red, { id: "blue", name: "Blue", hex: "#00f" }]));
  expect((await run("load", "colours", own)).out).toBe("2 entries of colours loaded.\n");
  const colours = () => run("list", "colours", "--json").then(({ out }) => JSON.parse(out));
  const blue = { type: "colours", id: "blue", title: { en: "Blue", ja: "" }, props: { hex: "#00f" } };
  expect(await colours()).toEqual([
    blue,
    { type: "colours", id: "red", title: { en: "Red", ja: "赤" }, props: { hex: "#f00" } },
  ]);
  // A second load changes what it names, and nothing else, of this vocabulary alone.
  const changed = file("own2.json", JSON.stringify([{ ...red, en: "Dark red", props: {} }]));
  expect((await run("load", "colours", changed)).out).toBe("1 entry of colours loaded.\n");
  expect(await colours()).toEqual([
    blue,
    { type: "colours", id: "red", title: { en: "Dark red", ja: "赤" }, props: {} },
  ]);
  expect(JSON.parse((await run("list", "subjects", "--json")).out)).toHaveLength(3);
});

test("S3.6.247 arkstone item stats shows totals, one item and a table for each month", async () => {
  const stats = (...args: string[]) => arkstone(env, ["item", "stats", ...args]);
  const store = await openRepositoryStore({ url: `sqlite:${join(folder.path, "arkstone.db")}` });
  try {
    const counts = { views: 3, uniqueViews: 2, downloads: 1, uniqueDownloads: 1, dataVolume: 10 };
    const day = (on: string, subject: "item" | "parent", file = "") => ({ day: on, subject, id: 7, file, ...counts });
    await store.transact((tx) =>
      tx.usage.addUsage([
        day("2026-10-31", "item"),
        day("2026-11-01", "item"),
        day("2026-11-02", "item", "a,b.csv"),
        day("2026-11-01", "parent"),
      ]),
    );
  } finally {
    await store.close();
  }
  expect(JSON.parse((await stats("--json")).out)).toEqual({
    ...{ views: 3, unique_views: 2, downloads: 1, unique_downloads: 1, data_volume: 10 },
  });
  const head = "month,item,file,views,unique_views,downloads,unique_downloads,data_volume";
  expect((await stats("--csv", "--from", "2026-11")).out.split("\r\n")).toEqual([
    head,
    "2026-11,7,,3,2,1,1,10",
    '2026-11,7,"a,b.csv",3,2,1,1,10',
    "",
  ]);
  expect((await stats("--csv", "--to", "2026-10")).out.split("\r\n")[1]).toBe("2026-10,7,,3,2,1,1,10");
  expect((await stats("7")).err).toContain('There is no item "7"');
  expect((await stats("--csv", "--from", "2026")).code).toBe(2);
});

test("R6a R9 what is not a dump is reported", async () => {
  expect((await run("load", "funders", file("x.csv", "a,b\n1,2\n"))).err).toContain("no columns for an id and a name");
  expect((await run("load", "funders", file("x.txt", ""))).code).toBe(2);
  expect((await run("load", "funders", "/nowhere/x.json")).code).not.toBe(0);
  expect((await run("load", "Bad type", file("y.ndjson", JSON.stringify(ror("04ksd4g47", "N"))))).code).not.toBe(0);
  expect((await run("load", "affiliations", file("cut.json", '[{"id":"https://ror.org/04k'))).err).toContain(
    "1: is not whole",
  );
});

test("R6a an array is read object by object, wherever the text is cut", () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.array(fc.nat()), (objects, cuts) => {
      const text = JSON.stringify(objects, null, 1);
      const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
      const reader = arrayItemReader();
      const rows = [0, ...places].flatMap((from, at) => reader.push(text.slice(from, places[at] ?? text.length)));
      expect([...rows, ...reader.end()].map((row) => ("wrong" in row ? row : row.value))).toEqual(JSON.parse(text));
    }),
  );
});
