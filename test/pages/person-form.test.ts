// The form of a person keeps what was sent and shows at each field what is wrong, in the language of the page (R20 to
// R22, R40).
import { beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { PLAIN_COMMUNITY } from "../../src/repository/store/communities.ts";
import { csrfIn, type Visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

let english: Visitor;
let japanese: Visitor;
let csrf = "";
let csrfJa = "";
const world = setUpWorld({ pages: true });
beforeAll(async () => {
  [english, japanese] = [world.visitor(), world.visitor("ja")];
  for (const browser of [english, japanese]) await browser.signIn(await world.token(world.admin));
  csrf = csrfIn((await english.get("/authors/new")).text);
  csrfJa = csrfIn((await japanese.get("/authors/new")).text);
});

const WRONG = {
  "n.0.language": "",
  "n.0.familyName": "Lovelace <b>",
  "n.0.firstName": "Ada",
  "n.1.language": "ja",
  "n.1.familyName": "ラブレス",
  "n.1.firstName": "",
  "n.1.show": "true",
  // An empty row between two: the row after it keeps its place.
  "i.0.type": "",
  "i.0.value": "",
  "i.1.type": "ORCID",
  "i.1.value": "0000-0002-1825-0098",
  "i.2.type": "",
  "i.2.value": "dangling",
  "m.0": "",
  "m.1": "ada@example.org",
  "a.0.n.0.language": "en",
  "a.0.n.0.value": "Analytical Engine",
  "a.0.p.0.from": "1850-01-01",
  "a.0.p.0.to": "1840-12-31",
  "a.0.p.1.from": "yesterday",
  "a.0.p.1.to": "",
  "community:one": "1",
  "community:two": "1",
  force_change: "true",
};
const PLAIN = { "n.0.language": "en", "n.0.familyName": "Hopper", "n.0.firstName": "Grace", "n.0.show": "true" };

/** Problems by field, as the page shows them; null for those that are about no field. */
function problemsIn(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/<p class="wrong" id="([^"]+)-error">([^<]+)<\/p>/g)];
  return new Map(found.map(([, field = "", words = ""]) => [field, words]));
}
const valueIn = (text: string, name: string): string | undefined =>
  new RegExp(`<input[^>]* name="${name.replaceAll(".", "\\.")}"[^>]* value="([^"]*)"`).exec(text)?.[1];

describe("a form with faults", () => {
  test.each([
    ["en", "Choose the language of the name", "This is not an identifier of the scheme ORCID", "There is a problem"],
    ["ja", "名前の言語を選んでください", "ORCID の識別子として正しくありません", "入力内容に問題があります"],
  ])(
    "R40 %s: every field has its message, the summary leads there, everything sent is kept",
    async (tag, language, orcid, heading) => {
      const [browser, token] = tag === "en" ? [english, csrf] : [japanese, csrfJa];
      const { status, text } = await browser.post("/authors/new/edit", { csrf: token, ...WRONG });
      expect([status, text.includes(`<html lang="${tag}">`)]).toEqual([400, true]);
      const problems = problemsIn(text);
      expect([...problems.keys()].sort()).toEqual([
        "a.0.p.0.to",
        "a.0.p.1.from",
        "i.1.value",
        "i.2.type",
        "n.0.language",
      ]);
      expect([problems.get("n.0.language"), problems.get("i.1.value")]).toEqual([language, orcid]);
      const alert = /role="alert"[^>]*>([\s\S]*?)<\/div>/.exec(text)?.[1] ?? "";
      expect(alert).toContain(heading);
      const links = [...alert.matchAll(/href="#([^"]+)"/g)].map((found) => found[1]);
      expect(links.sort()).toEqual([...problems.keys()].sort());
      for (const field of links) expect([field, text.includes(`id="${field}"`)]).toEqual([field, true]);
      // The same words at the top and at the field, and in the title that there are errors.
      for (const words of problems.values()) expect(alert).toContain(`>${words}</a>`);
      expect(text).toMatch(/<title>(?:Error: |エラー：)/);
      expect(text.split('aria-invalid="true"').length - 1).toBe(5);
      expect(text).not.toMatch(/author\.|authorNameInfo|authorIdInfo|periodStart|affiliationInfo/);
      expect(valueIn(text, "n.0.familyName")).toBe("Lovelace &lt;b&gt;");
      for (const name of [
        "n.1.familyName",
        "i.1.value",
        "i.2.value",
        "m.1",
        "a.0.n.0.value",
        "a.0.p.0.from",
        "a.0.p.1.from",
      ] as const)
        expect([name, valueIn(text, name)]).toEqual([name, WRONG[name]]);
      expect(text).toContain('id="i.0.value" name="i.0.value">');
      for (const slug of ["one", "two"]) expect(text).toContain(`name="community:${slug}" value="1" checked`);
      expect(text).toMatch(/name="n.1.show" value="true" checked/);
      expect(text).not.toMatch(/name="n.0.show" value="true" checked/);
      expect((await english.get("/authors?name=ラブレス")).text).toContain("Nobody was found.");
    },
  );

  test("R40 what only the database knows is shown at its field too: communities, numbers of the own scheme", async () => {
    const strange = await english.post("/authors/new/edit", { csrf, ...PLAIN, "community:no-such": "1" });
    expect([strange.status, strange.text.includes('name="community:no-such" value="1" checked')]).toEqual([400, true]);
    expect(problemsIn(strange.text)).toEqual(
      new Map([["communities", "There is no community with one of these short names"]]),
    );
    const saved = await english.post("/authors/new/edit", { csrf, ...PLAIN });
    const at = saved.headers.get("location") ?? "";
    const bare = await english.post(`${at}/edit`, { csrf, ...PLAIN, "n.0.firstName": "G.", force_change: "true" });
    expect(bare.text).toMatch(/name="force_change" value="true" checked/);
    expect(bare.status).toBe(400);
    expect(bare.text).toContain("<li>Keep the number of the scheme LOCAL: it stays with the person</li>");
    expect(valueIn(bare.text, "n.0.firstName")).toBe("G.");
    const odd = await english.post(`${at}/edit`, { csrf, ...PLAIN, "i.0.type": "LOCAL", "i.0.value": "007" });
    expect(problemsIn(odd.text).get("i.0.value")).toBe("Enter a number of 1 to 15 digits without leading zeros");
    const other = await english.post("/authors/new/edit", { csrf, ...PLAIN, "n.0.familyName": "Other" });
    const merged = await english.post(`${other.headers.get("location")}/merge`, { csrf, into: "987654" });
    const expected = [true, true, "987654"];
    expect([merged.status >= 400, problemsIn(merged.text).has("into"), valueIn(merged.text, "into")]).toEqual(expected);
    expect(valueIn(merged.text, "n.0.familyName")).toBe("Other");
    const unsure = await english.post(`${at}/delete`, { csrf });
    expect([unsure.status, problemsIn(unsure.text).get("sure")]).toEqual([400, "Tick the box to delete the person"]);
  });

  test("R33 an expired form, and one of a session that has ended, come back with everything, and are saved at the next time", async () => {
    const expired = await english.post("/authors/new/edit", {
      csrf: "x".repeat(43),
      ...PLAIN,
      "m.0": "grace@example.org",
    });
    const expected = [403, "Hopper", "grace@example.org"];
    expect([expired.status, valueIn(expired.text, "n.0.familyName"), valueIn(expired.text, "m.0")]).toEqual(expected);
    expect(csrfIn(expired.text)).toBe(csrf);
    const away = await world.visitor().post("/authors/new/edit", { csrf, ...PLAIN });
    expect([away.status, valueIn(away.text, "n.0.familyName")]).toEqual([401, "Hopper"]);
    expect(away.text).toContain("You were signed out.");
    expect((await english.post("/authors/new/edit", { csrf, ...PLAIN })).status).toBe(303);
  });
});

describe("a form of groups", () => {
  const names = (text: string) =>
    [...text.matchAll(/name="n\.\d\.familyName"(?: value="([^"]*)")?/g)].map(([, value = ""]) => value);
  const press = async (fields: Record<string, string>) => {
    const { status, text } = await english.post("/authors/new/edit", { csrf, ...PLAIN, ...fields });
    expect([status, text.includes('role="alert"')]).toEqual([200, false]);
    return text;
  };
  const TWO = { "n.1.language": "ja", "n.1.familyName": "ホッパー", "n.1.firstName": "" };

  test("P.7 P.12 entries are added, moved and removed by buttons without script; nothing is saved and nothing is lost", async () => {
    expect(names((await english.get("/authors/new")).text)).toEqual([""]);
    expect(names(await press({ add: "n" }))).toEqual(["Hopper", ""]);
    expect(names(await press({ ...TWO, "move-up": "n.1" }))).toEqual(["ホッパー", "Hopper"]);
    expect(names(await press({ ...TWO, remove: "n.0" }))).toEqual(["ホッパー"]);
    expect(await press({ add: "m" })).toContain('name="m.0"');
    const affiliation = { "a.0.n.0.language": "en", "a.0.n.0.value": "Navy", "a.0.n.0.show": "true" };
    const periods = await press({ ...affiliation, add: "a.0.p" });
    expect([periods.includes('value="Navy"'), periods.includes('name="a.0.p.0.from"')]).toEqual([true, true]);
    expect(await press({ ...affiliation, remove: "a.0" })).not.toContain("Navy");
    for (const strange of ["x", "a.9.p", "a.0.x", "n.0.n"])
      expect(names(await press({ add: strange }))).toEqual(["Hopper"]);
    expect((await english.get("/authors?name=ホッパー")).text).toContain("Nobody was found.");
  });

  test("P.12 a group whose entries are one field has its label once to see", async () => {
    const text = await press({ add: "m" });
    expect(text).toContain("<legend>E-mail addresses</legend>");
    expect(text).toContain('<label for="m.0" class="off">E-mail address</label>');
  });

  test("P.12 communities of a person are boxes with their titles, and are kept", async () => {
    for (const [slug, en, ja] of [
      ["navy", "Navy", "海軍"],
      ["bletchley", "Bletchley", "ブレッチリー"],
    ] as const) {
      const times = { createdAt: world.time.now, updatedAt: world.time.now };
      const community = { ...PLAIN_COMMUNITY, ...times, id: randomUUID(), slug, title: { en, ja }, type: "" };
      await world.store.transact((tx) => tx.communities.saveCommunity(community));
    }
    const labels = (text: string) =>
      [...text.matchAll(/<label for="communities(?:-\d+)?">([^<]*)</g)].map(([, label]) => label);
    expect(labels((await english.get("/authors/new")).text)).toEqual(["Bletchley", "Navy"]);
    expect(labels((await japanese.get("/authors/new")).text)).toEqual(["ブレッチリー", "海軍"]);
    const saved = await english.post("/authors/new/edit", { csrf, ...PLAIN, "community:navy": "1" });
    expect(saved.status).toBe(303);
    const { text } = await english.get(`${saved.headers.get("location")}/edit`);
    expect([
      text.includes('name="community:navy" value="1" checked'),
      text.includes('name="community:bletchley" value="1" checked'),
    ]).toEqual([true, false]);
    expect(text).not.toContain('name="further"');
  });
});
