// The form of a person keeps what was sent and shows at each field what is wrong, in the language of the page (R20 to
// R22, R40).
import { beforeAll, describe, expect, test } from "bun:test";
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
  "n0.language": "",
  "n0.familyName": "Lovelace <b>",
  "n0.firstName": "Ada",
  "n1.language": "ja",
  "n1.familyName": "ラブレス",
  "n1.firstName": "",
  "n1.show": "true",
  // An empty row between two: the row after it keeps its place.
  "i0.type": "",
  "i0.value": "",
  "i1.type": "ORCID",
  "i1.value": "0000-0002-1825-0098",
  "i2.type": "",
  "i2.value": "dangling",
  m0: "",
  m1: "ada@example.org",
  "a0.n0.language": "en",
  "a0.n0.value": "Analytical Engine",
  "a0.p0.from": "1850-01-01",
  "a0.p0.to": "1840-12-31",
  "a0.p1.from": "yesterday",
  "a0.p1.to": "",
  communities: "one, two",
  force_change: "true",
};
const PLAIN = { "n0.language": "en", "n0.familyName": "Hopper", "n0.firstName": "Grace", "n0.show": "true" };

/** Problems by field, as the page shows them; null for those that are about no field. */
function problemsIn(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/<p class="wrong" id="([^"]+)-problem">([^<]+)<\/p>/g)];
  return new Map(found.map(([, field = "", words = ""]) => [field, words]));
}
const valueIn = (text: string, name: string): string | undefined =>
  new RegExp(`<input[^>]* name="${name.replaceAll(".", "\\.")}"[^>]* value="([^"]*)"`).exec(text)?.[1];

describe("a form with faults", () => {
  test.each([
    ["en", "Choose the language of the name", "This is not an identifier of the scheme ORCID", "This was not saved."],
    ["ja", "名前の言語を選んでください", "ORCID の識別子として正しくありません", "保存できませんでした。"],
  ])(
    "R40 %s: every field has its message, the summary leads there, everything sent is kept",
    async (tag, language, orcid, heading) => {
      const [browser, token] = tag === "en" ? [english, csrf] : [japanese, csrfJa];
      const { status, text } = await browser.post("/authors/new/edit", { csrf: token, ...WRONG });
      expect([status, text.includes(`<html lang="${tag}">`)]).toEqual([400, true]);
      const problems = problemsIn(text);
      expect([...problems.keys()].sort()).toEqual(["a0.p0.to", "a0.p1.from", "i1.value", "i2.type", "n0.language"]);
      expect([problems.get("n0.language"), problems.get("i1.value")]).toEqual([language, orcid]);
      const alert = /role="alert">([\s\S]*?)<\/div>/.exec(text)?.[1] ?? "";
      expect(alert).toContain(heading);
      const links = [...alert.matchAll(/href="#([^"]+)"/g)].map((found) => found[1]);
      expect(links.sort()).toEqual([...problems.keys()].sort());
      for (const field of links) expect([field, text.includes(`id="${field}"`)]).toEqual([field, true]);
      expect(text.split('aria-invalid="true"').length - 1).toBe(5);
      expect(text).not.toMatch(/author\.|authorNameInfo|authorIdInfo|periodStart|affiliationInfo/);
      expect(valueIn(text, "n0.familyName")).toBe("Lovelace &lt;b&gt;");
      for (const name of [
        "n1.familyName",
        "i1.value",
        "i2.value",
        "m1",
        "a0.n0.value",
        "a0.p0.from",
        "a0.p1.from",
        "communities",
      ] as const)
        expect([name, valueIn(text, name)]).toEqual([name, WRONG[name]]);
      expect(valueIn(text, "i0.value")).toBe("");
      expect(text).toMatch(/name="n1.show" value="true" checked/);
      expect(text).not.toMatch(/name="n0.show" value="true" checked/);
      expect((await english.get("/authors?name=ラブレス")).text).toContain("Nobody was found.");
    },
  );

  test("R40 what only the database knows is shown at its field too: communities, numbers of the own scheme", async () => {
    const strange = await english.post("/authors/new/edit", { csrf, ...PLAIN, communities: "no-such-community" });
    expect([strange.status, valueIn(strange.text, "communities")]).toEqual([400, "no-such-community"]);
    expect(problemsIn(strange.text)).toEqual(
      new Map([["communities", "There is no community with one of these short names"]]),
    );
    const saved = await english.post("/authors/new/edit", { csrf, ...PLAIN });
    const at = saved.headers.get("location") ?? "";
    const bare = await english.post(`${at}/edit`, { csrf, ...PLAIN, "n0.firstName": "G.", force_change: "true" });
    expect(bare.text).toMatch(/name="force_change" value="true" checked/);
    expect([bare.status, problemsIn(bare.text).get("i0.type")]).toEqual([
      400,
      "Keep the number of the scheme LOCAL: it stays with the person",
    ]);
    expect(valueIn(bare.text, "n0.firstName")).toBe("G.");
    const odd = await english.post(`${at}/edit`, { csrf, ...PLAIN, "i0.type": "LOCAL", "i0.value": "007" });
    expect(problemsIn(odd.text).get("i0.value")).toBe("Enter a number of 1 to 15 digits without leading zeros");
    const other = await english.post("/authors/new/edit", { csrf, ...PLAIN, "n0.familyName": "Other" });
    const merged = await english.post(`${other.headers.get("location")}/merge`, { csrf, into: "987654" });
    const expected = [true, true, "987654"];
    expect([merged.status >= 400, problemsIn(merged.text).has("into"), valueIn(merged.text, "into")]).toEqual(expected);
    expect(valueIn(merged.text, "n0.familyName")).toBe("Other");
    const unsure = await english.post(`${at}/delete`, { csrf });
    expect([unsure.status, problemsIn(unsure.text).get("sure")]).toEqual([400, "Tick the box to delete the person"]);
  });

  test("R33 an expired form, and one of a session that has ended, come back with everything, and are saved at the next time", async () => {
    const expired = await english.post("/authors/new/edit", {
      csrf: "x".repeat(43),
      ...PLAIN,
      m0: "grace@example.org",
    });
    const expected = [403, "Hopper", "grace@example.org"];
    expect([expired.status, valueIn(expired.text, "n0.familyName"), valueIn(expired.text, "m0")]).toEqual(expected);
    expect(csrfIn(expired.text)).toBe(csrf);
    const away = await world.visitor().post("/authors/new/edit", { csrf, ...PLAIN });
    expect([away.status, valueIn(away.text, "n0.familyName")]).toEqual([401, "Hopper"]);
    expect(away.text).toContain("You were signed out.");
    expect((await english.post("/authors/new/edit", { csrf, ...PLAIN })).status).toBe(303);
  });
});
