// What is set of searching, over HTTP and from the command line (R17, R27; specification 3, rules 4, 5 and 8).
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { searchSettingsFrom } from "../../src/repository/search/settings/settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../src/repository/search/settings/shipped-settings.ts";
import { arkstone } from "../support/command-line.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });

const admin = (method: string, path: string, body?: unknown, who: Who = "system") =>
  world.ask(who, method, `/api/v1/admin/${path}`, { body: body === undefined ? null : JSON.stringify(body) });
const settings = async () => searchSettingsFrom(await world.store.settings.searchSettings(), SHIPPED_SEARCH_SETTINGS);

async function refused(method: string, path: string, body: unknown, status: number, words: string): Promise<void> {
  const answer = await admin(method, path, body);
  expect([path, answer.status, answer.json.message]).toEqual([path, status, expect.stringContaining(words)]);
}

const changedSince = async (from: Awaited<ReturnType<typeof world.store.changes.position>>) =>
  (await world.store.changes.changes(from, 100)).changes.filter(({ subject }) => subject === "settings");

describe("facet items", () => {
  test("R17 S3.1.8 the eight shipped ones are in their order; only system administrators change them", async () => {
    const names = ["Resource Type", "Year", "Language", "Access", "Community", "Index", "Creator", "Subject"];
    expect((await admin("GET", "facets")).json).toMatchObject({
      total: 8,
      items: names.map((en, at) => ({ position: at + 1, name: { en } })),
    });
    expect((await admin("PUT", "facets/1", { active: false }, "admin")).status).toBe(403);
  });

  test("R17 S3.1.8 one is made, moved, switched off and removed, and each change is in the feed", async () => {
    const from = await world.store.changes.position();
    const made = await admin("POST", "facets", {
      name: { en: "Funder", ja: "助成機関" },
      sources: ["funding.funder.names.value"],
      position: 2,
    });
    const expected = [201, expect.objectContaining({ id: 9, position: 2, active: true, shown: 5 })];
    expect([made.status, made.json]).toEqual(expected);
    expect((await settings()).facets.map(({ id }) => id)).toEqual([1, 9, 2, 3, 4, 5, 6, 7, 8]);
    const moved = await admin("PUT", "facets/9", { ...made.json, position: 50, active: false });
    expect(moved.json).toMatchObject({ id: 9, position: 9, active: false });
    expect((await admin("DELETE", "facets/9")).status).toBe(204);
    expect((await settings()).facets).toEqual(SHIPPED_SEARCH_SETTINGS.facets);
    expect((await changedSince(from)).map(({ target }) => target)).toEqual(["facets", "facets", "facets"]);
  });

  test("R17 S3.1.8 a name that is a parameter, a name twice and a source that leads nowhere are refused", async () => {
    const name = { en: "Series", ja: "シリーズ" };
    const bad: readonly [Record<string, unknown>, number, string][] = [
      [
        { name: { en: "title", ja: "題" }, sources: ["languages"] },
        400,
        '"title" is a parameter of the search already',
      ],
      [{ name: { en: "Subject", ja: "件名" }, sources: ["languages"] }, 409, 'Facet 8 has the name "Subject" already'],
      [{ name, sources: [] }, 400, "a facet needs one at least"],
      [{ name, sources: ["subjects.words"] }, 400, '"subjects.words" does not name a place in the metadata'],
      [{ name, sources: ["subjects"] }, 400, '"subjects" does not name a place'],
      [{ name, sources: ["custom.x"] }, 400, "does not name a place"],
      [{ name, sources: ["99:item_1.subitem_2"] }, 400, "item type 99 does not exist"],
      [{ name, sources: ["1:item_1.subitem_2"] }, 400, 'item type 1 has no field "item_1.subitem_2"'],
      [{ name, sources: ["languages"], display: "slider" }, 400, "display must be one of select, checkboxes"],
      [{ name, sources: ["access.status", "languages"] }, 400, '"access.status" must be the only source of a facet'],
      [
        { name: { en: "Year_from", ja: "年" }, sources: ["languages"] },
        409,
        'Facet 2 has the name "Year_from" already',
      ],
      [{ name }, 400, "sources is missing"],
    ];
    for (const [body, status, words] of bad) await refused("POST", "facets", body, status, words);
    await refused("PUT", "facets/99", { active: true }, 404, 'facet "99"');
  });
});

describe("search fields", () => {
  test("R17 S3.1.5 a free field looks into metadata and into fields of an item type, and is empty again after DELETE", async () => {
    const path = "1:item_1617186476635.subitem_1522299639480";
    const set = await admin("PUT", "search-fields/text1", { sources: ["conferences.names.value", path] });
    const expected = [200, { id: "text1", kind: "text", sources: ["conferences.names.value", path] }];
    expect([set.status, set.json]).toEqual(expected);
    expect((await settings()).fields.text1).toEqual(["conferences.names.value", path]);
    expect((await admin("DELETE", "search-fields/text1")).status).toBe(204);
    expect((await admin("GET", "search-fields/text1")).json.sources).toEqual([]);
    await refused("PUT", "search-fields/text11", { sources: [] }, 404, 'search field "text11"');
    await refused("PUT", "search-fields/text1", { choices: [] }, 400, 'Unknown member "choices"');
    await refused("PUT", "search-fields/date_range1", { sources: ["dates"] }, 400, '"dates" does not name a place');
    expect((await admin("GET", "search-fields")).json.total).toBe(7 + 10 + 15);
  });

  test("R17 S3.1.4 a list of choices is another one, and the shipped one again", async () => {
    const label = { en: "Ours", ja: "館内" };
    const choices = [{ value: "ours", label, means: ["house-1"] }];
    const expected = { id: "license", kind: "choice", choices };
    expect((await admin("PUT", "search-fields/license", { choices })).json).toEqual(expected);
    expect((await settings()).choices.license).toEqual(choices);
    await refused("PUT", "search-fields/license", { choices: [...choices, ...choices] }, 400, '"ours" is listed twice');
    await refused("PUT", "search-fields/license", { choices: [{ value: "a,b", label, means: null }] }, 400, "a comma");
    await refused("PUT", "search-fields/id_attr", { choices: [{ value: "x", label, means: null }] }, 400, "its places");
    const unplaced = { choices: [{ value: "x", label, means: ["y"] }] };
    await refused("PUT", "search-fields/id_attr", unplaced, 400, "does not name a place");
    await admin("DELETE", "search-fields/license");
    expect((await settings()).choices).toEqual(SHIPPED_SEARCH_SETTINGS.choices);
  });
});

describe("the command line", () => {
  const env = () => ({ SVC_DATABASE_URL: world.config.databaseUrl, SVC_DATA_DIR: world.folder });
  const json = async (...args: string[]) => {
    const output = await arkstone(env(), [...args, "--json"]);
    expect([args, output.code, output.err]).toEqual([args, 0, expect.any(String)]);
    return JSON.parse(output.out);
  };

  test("R17 R27 arkstone facet and arkstone search-field set what searches count and look into", async () => {
    const from = ["--from", "funding.funder.names.value", "--folded"];
    const made = await json("facet", "add", "Funder", "--ja", "助成機関", ...from);
    expect(made).toMatchObject({ name: { en: "Funder", ja: "助成機関" }, open: false, position: 9 });
    const set = await json("facet", "set", String(made.id), "--off", "--position", "1", "--shown", "9");
    expect(set).toMatchObject({ active: false, position: 1, shown: 9, open: false });
    expect((await arkstone(env(), ["facet", "list"])).out).toContain("Funder / 助成機関");
    await json("facet", "remove", String(made.id));
    const wrong = await arkstone(env(), ["facet", "add", "q", "--from", "languages"]);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('"q" is a parameter')]);

    expect(await json("search-field", "set", "text2", "--from", "formats.value,sizes.value")).toMatchObject({
      sources: ["formats.value", "sizes.value"],
    });
    const file = join(world.folder, "versions.json");
    writeFileSync(file, JSON.stringify([{ value: "final", label: { en: "Final", ja: "最終" }, means: ["VoR"] }]));
    expect((await json("search-field", "set", "version", "--choices", file)).choices).toHaveLength(1);
    expect((await json("search-field", "reset", "version")).choices).toHaveLength(5);
    expect((await json("search-field", "reset", "text2")).sources).toEqual([]);
  });
});
