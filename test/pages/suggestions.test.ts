// Suggestions in the form of a draft over HTTP (R42): each source and who sees what of it, "Look up" without script, and
// the question before values are replaced, with and without script.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AuthorContent } from "../../src/model/agents/author.ts";
import { PLAIN_COMMUNITY } from "../../src/repository/store/communities.ts";
import { IndexNames } from "../../src/repository/suggestions/index-names.ts";
import { onEachDatabase } from "../support/databases.ts";
import { NOW } from "../support/seed.ts";
import { anIndex, titled } from "../support/world/items.ts";
import { csrfIn, type PagesWorld, pagesWorld, type Visitor } from "../support/world/pages.ts";

const name = (language: string, familyName: string, firstName: string, nameShowFlg = true) => ({
  ...{ language, familyName, firstName, nameFormat: "familyNmAndNm", nameShowFlg },
});
const id = (idType: string, authorId: string, authorIdShowFlg = true) => ({ idType, authorId, authorIdShowFlg });
const place = (affiliationName: string, affiliationNameLang: string, ror: string, periodEnd = "") => ({
  identifierInfo: [{ affiliationIdType: "ROR", affiliationId: ror, identifierShowFlg: true }],
  affiliationNameInfo: [{ affiliationName, affiliationNameLang, affiliationNameShowFlg: true }],
  affiliationPeriodInfo: [{ periodStart: "2001-04-01", periodEnd }],
});

const YAMADA: AuthorContent = {
  emailInfo: [{ email: "secret@example.org" }],
  authorIdInfo: [id("LOCAL", "1"), id("ORCID", "0000-0002-1825-0097"), id("ISNI", "0000000121032683", false)],
  authorNameInfo: [
    name("ja", "山田", "太郎"),
    name("ja-Kana", "ヤマダ", "タロウ"),
    name("en", "Yamada", "Taro"),
    name("en", "Yamahidden", "Taro", false),
  ],
  affiliationInfo: [place("Old College", "en", "02kpeqv85", "2010-03-31"), place("東京大学", "ja", "057zh3y96")],
};
const YAMANAKA: AuthorContent = {
  ...{ emailInfo: [], authorIdInfo: [], affiliationInfo: [] },
  authorNameInfo: [name("en", "Yamanaka", "Jiro")],
};
const entry = (type: string, entryId: string, en: string, props: Readonly<Record<string, string>> = {}, ja = en) => ({
  ...{ type, id: entryId, title: { en, ja }, props },
});
const ENTRIES = [
  entry("affiliations", "057zh3y96", "The University of Tokyo", { scheme: "ROR", country: "JP" }, "東京大学"),
  entry("affiliations", "02kpeqv85", "Kyoto University", { scheme: "ROR" }, "京都大学"),
  entry("funders", "501100001691", "JSPS", { url: "https://doi.org/10.13039/501100001691" }, "日本学術振興会"),
  entry("awards", "kaken-12345", "Tides of the inland sea", {
    ...{ number: "JP12345", funder: "501100001691", funder_name: "JSPS", url: "https://kaken.example/12345" },
  }),
  entry("awards", "kaken-99999", "Waves", { number: "JP99999", funder_name: "A foundation" }),
  entry("subjects", "ndlsh-1", "Rivers", { scheme: "NDLSH" }, "川"),
  entry("subjects", "ndlsh-2", "Roads", { scheme: "NDLSH" }, "道路"),
];

type Suggestion = { readonly kind: string; readonly id: string; readonly text: string; readonly hint: string };

/** What a control of a page holds. */
function valueIn(html: string, field: string): string | undefined {
  const named = field.replaceAll(".", "\\.");
  const typed = new RegExp(`<input type="text"[^>]* name="${named}"[^>]*? value="([^"]*)"`).exec(html)?.[1];
  const list = new RegExp(`<select[^>]* name="${named}"[^>]*>(.*?)</select>`, "s").exec(html)?.[1];
  return typed ?? /<option value="([^"]*)" selected>/.exec(list ?? "")?.[1];
}
const hidden = (html: string, field: string): string =>
  new RegExp(`name="${field}" value="([^"]*)"`).exec(html)?.[1] ?? "";

describe("suggestions in the form of a draft", () => {
  onEachDatabase((database) => {
    let world: PagesWorld;
    let owner: Visitor;
    let japanese: Visitor;
    let member: Visitor;

    beforeAll(async () => {
      const env = { SVC_TOOL_ITEM_TYPE: "2" };
      world = await pagesWorld({ env, ...(database.name === "SQLite" ? {} : { url: await database.url() }) });
      await world.store.transact(async (tx) => {
        for (const [at, content] of [YAMADA, YAMANAKA].entries()) {
          await tx.authors.insertAuthor(`00000000-0000-4000-8000-00000000000${at}`, {
            content,
            communities: [],
            at: NOW,
          });
        }
        await tx.communities.putVocabulary(ENTRIES, NOW);
      });
      await world.index({ id: 501, indexName: "河川の資料", indexNameEnglish: "Papers on rivers" });
      await world.index({
        id: 502,
        indexName: "河川の秘密",
        indexNameEnglish: "Rivers in secret",
        publicState: false,
        contributeRole: [],
      });
      await world.store.transact(async (tx) => {
        for (const [slug, visibility] of [
          ["riverside", "public"],
          ["river-secrets", "restricted"],
        ] as const) {
          const times = { createdAt: NOW, updatedAt: NOW };
          const title = { en: `Community ${slug}`, ja: "" };
          const made = { ...PLAIN_COMMUNITY, ...times, id: `id-${slug}`, slug, title, type: "topic", visibility };
          expect(await tx.communities.saveCommunity(made)).toBe(true);
        }
      });
      const journal = (title: string, issn: string) => ({
        containers: [
          { titles: [{ value: title, lang: "en" }], ids: [{ scheme: "ISSN", value: issn }], place: "flat" as const },
        ],
      });
      await world.publish({ metadata: titled("One", journal("Journal of Tides", "1234-5679")) });
      await world.publish({ metadata: titled("Two", journal("Journal of Tides", "1234-5679")) });
      const open = { openDate: "2024-01-01", files: "public", embargoUntil: null, embargoReason: "" } as const;
      await world.publish({
        metadata: titled("Three", journal("Journal of Secrets", "2345-6780")),
        access: { ...open, record: "restricted" },
      } as Parameters<typeof world.publish>[0]);
      owner = world.visitor();
      await owner.signIn(await world.token(world.owner));
      japanese = world.visitor("ja");
      await japanese.signIn(await world.token(world.owner));
      const insider = await world.person("insider", [3]);
      await world.store.transact((tx) =>
        tx.communities.setMember("id-river-secrets", insider.account?.id ?? 0, "reader"),
      );
      member = world.visitor();
      await member.signIn(await world.token(insider));
    });
    afterAll(() => world.close());

    async function suggested(
      source: string,
      q: string,
      visitor = owner,
      more: Readonly<Record<string, string>> = {},
    ): Promise<readonly Suggestion[]> {
      const csrf = visitor.cookies.size === 0 ? "" : csrfIn((await visitor.get("/deposit")).text);
      const headers = { accept: "application/json", ...(csrf === "" ? {} : { "x-csrftoken": csrf }) };
      const { status, text } = await visitor.get(
        `/api/suggestions/${source}?${new URLSearchParams({ q, ...more })}`,
        headers,
      );
      expect(status).toBe(200);
      return JSON.parse(text).suggestions;
    }
    const texts = async (source: string, q: string, visitor = owner): Promise<readonly string[]> =>
      (await suggested(source, q, visitor)).map(({ text }) => text);

    async function draft(fields: Readonly<Record<string, string>>, visitor = owner): Promise<string> {
      const page = await visitor.get("/deposit");
      const made = await visitor.post("/deposit", { csrf: csrfIn(page.text), save: "yes", ...fields });
      return /\d+/.exec(made.headers.get("location") ?? "")?.[0] ?? "";
    }
    async function press(draftId: string, fields: Readonly<Record<string, string>>, visitor = owner) {
      const page = await visitor.get(`/deposit/${draftId}`);
      const sent = { csrf: csrfIn(page.text), base: hidden(page.text, "base"), ...fields };
      return await visitor.post(`/deposit/${draftId}`, sent);
    }
    const creators = async (draftId: string) =>
      (await world.store.items.draft(Number(draftId)))?.content.metadata.creators;

    test("P.141: people are found by each of their names and readings, either part first, and by ORCID iD", async () => {
      for (const text of ["山田", "やまだ", "ﾔﾏﾀﾞ", "yamada", "TARO Y", "太郎", "0000-0002-1825-0097"]) {
        expect([text, await texts("people", text)]).toEqual([text, ["Yamada, Taro"]]);
      }
      expect(await texts("people", "yama")).toEqual(["Yamada, Taro", "Yamanaka, Jiro"]);
      expect(await texts("people", "山田", japanese)).toEqual(["山田 太郎"]);
      const [person] = await suggested("people", "yamada");
      expect(person?.hint).toContain("東京大学 · 0000-0002-1825-0097");
      for (const text of ["yamahidden", "0000000121032683", "secret", "x", "", " ", "y".repeat(201)]) {
        expect([text, await texts("people", text)]).toEqual([text, []]);
      }
      expect(JSON.stringify(await suggested("people", "yama"))).not.toContain("secret@example.org");
    });

    test("P.141: entries of vocabularies are found by the beginnings of words in either language", async () => {
      expect(await texts("affiliations", "univ tok")).toEqual(["The University of Tokyo"]);
      expect(await texts("affiliations", "東京")).toEqual(["The University of Tokyo"]);
      expect(await texts("affiliations", "kyoto", japanese)).toEqual(["京都大学"]);
      expect(await texts("funders", "jsp")).toEqual(["JSPS"]);
      expect(await suggested("awards", "jp12")).toEqual([
        { kind: "awards", id: "kaken-12345", text: "JP12345", hint: "Tides of the inland sea · JSPS" },
      ]);
      expect(await texts("awards", "wav")).toEqual(["JP99999"]);
      expect(await texts("subjects", "riv")).toEqual(["Rivers"]);
      expect((await suggested("licenses", "attribution 4")).map(({ id: license }) => license)).toContain("cc-by-4.0");
      expect((await suggested("languages", "japanese")).map(({ id: code }) => code)).toContain("jpn");
    });

    test("P.141: journals, indexes and communities are those that the caller may see", async () => {
      const guest = world.visitor();
      const stranger = member;
      expect(await suggested("journals", "journal of", guest)).toEqual([
        { kind: "journals", id: "Journal of Tides", text: "Journal of Tides", hint: "ISSN 1234-5679" },
      ]);
      expect((await texts("journals", "jour")).toSorted()).toEqual(["Journal of Secrets", "Journal of Tides"]);
      expect(await texts("journals", "secr", stranger)).toEqual([]);
      expect(await texts("indexes", "river", guest)).toEqual(["Papers on rivers"]);
      expect(await texts("indexes", "河川")).toEqual(["Papers on rivers"]);
      const admin = world.visitor();
      await admin.signIn(await world.token(world.admin));
      expect((await texts("indexes", "river", admin)).toSorted()).toEqual(["Papers on rivers", "Rivers in secret"]);
      for (const visitor of [guest, owner]) {
        expect(await texts("communities", "river", visitor)).toEqual(["Community riverside"]);
      }
      expect((await texts("communities", "river", member)).toSorted()).toEqual([
        "Community river-secrets",
        "Community riverside",
      ]);
      const toDeposit = async (source: string, visitor: Visitor) =>
        (await suggested(source, "river", visitor, { deposit: "yes" })).map(({ text, id: found }) => [found, text]);
      expect(await toDeposit("indexes", owner)).toEqual([["501", "Papers on rivers"]]);
      expect(await toDeposit("indexes", guest)).toEqual([]);
      expect(await toDeposit("communities", owner)).toEqual([["id-riverside", "Community riverside"]]);
      expect(await toDeposit("communities", guest)).toEqual([]);
      const unknown = await owner.get("/api/suggestions/nothing?q=a", { accept: "application/json" });
      expect([unknown.status, JSON.parse(unknown.text).message]).toEqual([
        404,
        "There are no suggestions of this name",
      ]);
      const wrong = await owner.get("/api/suggestions/people?q=a&size=51", { accept: "application/json" });
      expect([wrong.status, JSON.parse(wrong.text).message]).toContain("size must be a whole number from 1 to 50");
    });

    test("P.141: of indexes above one that the caller administers, hidden ones are not named; merged people lead on", async () => {
      await world.index({ id: 510, indexName: "秘密", indexNameEnglish: "Hidden plans", publicState: false });
      await world.index({ id: 511, parent: 510, indexName: "湖", indexNameEnglish: "Lakes" });
      await world.index({ id: 512, parent: 511, indexName: "浅い湖", indexNameEnglish: "Shallow lakes" });
      const manager = await world.person("lakes", [4]);
      await world.store.transact(async (tx) => {
        const times = { createdAt: NOW, updatedAt: NOW };
        const lakes = { ...PLAIN_COMMUNITY, ...times, id: "id-lakes", slug: "lakes", title: { en: "Lakes", ja: "" } };
        await tx.communities.saveCommunity({ ...lakes, type: "topic", rootIndex: 511 });
        await tx.communities.setMember("id-lakes", manager.account?.id ?? 0, "manager");
      });
      const visitor = world.visitor();
      await visitor.signIn(await world.token(manager));
      expect((await suggested("indexes", "lakes", visitor)).map(({ text, hint }) => [text, hint]).toSorted()).toEqual([
        ["Lakes", ""],
        ["Shallow lakes", "Lakes"],
      ]);
      expect(await texts("indexes", "hidden", visitor)).toEqual([]);
      expect(await texts("indexes", "lakes")).toEqual([]);
      const [yamanaka] = await suggested("people", "yamanaka");
      const content: AuthorContent = { ...YAMANAKA, authorNameInfo: [name("en", "Yamanobe", "Jiro")] };
      const taken = await world.store.transact(async (tx) => {
        const author = { content, communities: [], at: NOW };
        const number = await tx.authors.insertAuthor("00000000-0000-4000-8000-000000000009", author);
        const made = await tx.authors.author(number);
        if (made !== null) await tx.authors.mergeAuthor(made, Number(yamanaka?.id), NOW);
        return number;
      });
      expect(await texts("people", "yamanobe")).toEqual([]);
      const field = "creator.0.names.0.name";
      const csrf = csrfIn((await owner.get("/deposit")).text);
      const answer = await owner.post("/deposit/fill", { csrf, field, id: `${taken}`, [field]: "yama" });
      expect(JSON.parse(answer.text).all).toContainEqual({ name: field, value: "Yamanaka, Jiro" });
    });

    test("P.143: without script the button of a field saves, and shows what was found as choices with none of these", async () => {
      const draftId = await draft({ "title.0.title": "A" });
      const typed = { "title.0.title": "B", "creator.0.names.0.name": "yama" };
      const { status, text } = await press(draftId, { ...typed, "look-up": "creator.0.names.0.name" });
      expect(status).toBe(200);
      expect(text).toContain('<a href="#creator.0.names.0.name-chosen">2 suggestions</a>');
      expect(text).toContain("2 suggestions for Full name");
      expect(
        [...text.matchAll(/type="radio"[^>]* name="chosen" value="([^"]*)"( checked)?/g)].map((all) => all[2]),
      ).toEqual([undefined, undefined, " checked"]);
      expect(text).toContain("None of these: keep what I typed");
      const draftOf = await world.store.items.draft(Number(draftId));
      expect(draftOf?.content.metadata.titles[0]?.value).toBe("B");
      const none = { ...typed, choosing: "creator.0.names.0.name", chosen: "", choose: "creator.0.names.0.name" };
      expect((await press(draftId, none)).status).toBe(303);
      expect((await creators(draftId))?.[0]?.names).toEqual([{ full: "yama" }]);
      const nothing = { "creator.0.names.0.name": "zzz", "look-up": "creator.0.names.0.name" };
      expect((await press(draftId, nothing)).text).toContain("No suggestion. What you typed is kept.");
      const elsewhere = await press(draftId, { ...typed, "look-up": "title.0.title" });
      expect([elsewhere.status, (await creators(draftId))?.length]).toEqual([303, 1]);
    });

    test("P.142: choosing a person fills in names with readings, ORCID iD and affiliation of that row alone", async () => {
      const draftId = await draft({ "title.0.title": "A", "creator.0.names.0.name": "Doe, Ada" });
      const [yamada] = await suggested("people", "yamada");
      const field = "creator.1.names.0.name";
      const sent = { "creator.0.names.0.name": "Doe, Ada", [field]: "yama", choosing: field, chosen: yamada?.id ?? "" };
      const { status, text } = await press(draftId, { ...sent, choose: field });
      expect([status, text.includes("The fields were filled in. Check them.")]).toEqual([200, true]);
      expect([valueIn(text, field), valueIn(text, "creator.1.names.0.lang")]).toEqual(["山田, 太郎", "ja"]);
      expect(valueIn(text, "creator.1.names.2.name")).toBe("Yamada, Taro");
      const [doe, person] = (await creators(draftId)) ?? [];
      expect(doe?.names).toEqual([{ full: "Doe, Ada", family: "Doe", given: "Ada" }]);
      expect(person?.names).toEqual([
        { full: "山田, 太郎", lang: "ja", family: "山田", given: "太郎" },
        { full: "ヤマダ, タロウ", lang: "ja-Kana", family: "ヤマダ", given: "タロウ" },
        { full: "Yamada, Taro", lang: "en", family: "Yamada", given: "Taro" },
      ]);
      expect(person?.ids).toEqual([
        { scheme: "ORCID", value: "0000-0002-1825-0097", uri: "https://orcid.org/0000-0002-1825-0097" },
      ]);
      expect(person?.affiliations.map(({ names: called }) => called)).toEqual([[{ value: "東京大学", lang: "ja" }]]);
      expect(person?.emails).toEqual([]);
    });

    test("P.142: where another value is there, old and new are shown, and nothing changes before the answer", async () => {
      const field = "creator.0.names.0.name";
      const orcid = "creator.0.identifiers.0.identifier";
      const row = {
        [field]: "yama",
        "creator.0.identifiers.0.scheme": "ORCID",
        [orcid]: "0000-0001-5109-3700",
        "creator.0.affiliations.0.names.0.name": "Kyoto University",
      };
      const draftId = await draft({ "title.0.title": "A", ...row });
      const [yamada] = await suggested("people", "yamada");
      const chosen = { "title.0.title": "A", ...row, choosing: field, chosen: yamada?.id ?? "", choose: field };
      const asked = await press(draftId, chosen);
      expect([asked.status, valueIn(asked.text, orcid), valueIn(asked.text, field)]).toEqual([
        ...[200, "0000-0001-5109-3700", "yama"],
      ]);
      expect(asked.text.replaceAll(/\s*<\/?(?:th|td)\b[^>]*>\s*/g, "|")).toContain(
        "Creator 1: Identifier 1: Identifier||0000-0001-5109-3700||0000-0002-1825-0097",
      );
      expect(asked.text).toContain("Kyoto University");
      expect((await creators(draftId))?.[0]?.ids[0]?.value).toBe("0000-0001-5109-3700");
      const offered = { "title.0.title": "A", ...row, offered: yamada?.id ?? "" };
      const empty = await press(draftId, { ...offered, "fill-empty": field });
      expect([valueIn(empty.text, orcid), valueIn(empty.text, field)]).toEqual(["0000-0001-5109-3700", "山田, 太郎"]);
      expect((await creators(draftId))?.[0]?.affiliations[0]?.names).toEqual([{ value: "Kyoto University" }]);
      const all = await press(draftId, { ...offered, fill: field });
      expect(valueIn(all.text, orcid)).toBe("0000-0002-1825-0097");
      expect((await creators(draftId))?.[0]?.affiliations.map(({ names: called }) => called)).toEqual([
        [{ value: "東京大学", lang: "ja" }],
      ]);
      const kept = await press(draftId, { ...offered, save: "yes" });
      expect([kept.status, (await creators(draftId))?.[0]?.names]).toEqual([303, [{ full: "yama" }]]);
      const gone = await press(draftId, { ...chosen, chosen: "999999" });
      expect(gone.text).toContain("This suggestion is no longer available. What you typed is kept.");
    });

    test("P.142: an affiliation, a funder, an award, a subject, a licence and a journal keep their identifiers", async () => {
      const draftId = await draft({ "title.0.title": "A" });
      const taken = async (fields: Readonly<Record<string, string>>, field: string, chosen: string) => {
        await press(draftId, { "title.0.title": "A", ...fields, choosing: field, chosen, choose: field });
        return (await world.store.items.draft(Number(draftId)))?.content.metadata;
      };
      const affiliation = "creator.0.affiliations.0.names.0.name";
      const person = { "creator.0.names.0.name": "Doe, Ada" };
      const named = await taken({ ...person, [affiliation]: "tok" }, affiliation, "057zh3y96");
      expect(named?.creators[0]?.affiliations[0]?.names).toEqual([
        { value: "The University of Tokyo", lang: "en" },
        { value: "東京大学", lang: "ja" },
      ]);
      const award = await taken({ "funding.0.award": "jp12" }, "funding.0.award", "kaken-12345");
      expect([award?.funding[0]?.award?.number, award?.funding[0]?.funder.names[0]?.value]).toEqual([
        "JP12345",
        "JSPS",
      ]);
      const funder = await taken({ "funding.0.names.0.name": "jsp" }, "funding.0.names.0.name", "501100001691");
      expect(funder?.funding[0]?.funder.names.map(({ value }) => value)).toEqual(["JSPS", "日本学術振興会"]);
      const subject = await taken({ "subject.0.text": "riv" }, "subject.0.text", "ndlsh-1");
      expect(subject?.subjects[0]?.text).toEqual({ value: "Rivers", lang: "en" });
      const right = await taken({ "rights.0.text": "attr" }, "rights.0.text", "cc-by-4.0");
      expect(right?.rights[0]?.uri).toBe("https://creativecommons.org/licenses/by/4.0/");
    });

    test("P.142: the script receives what becomes of which field, with the question as the page has it", async () => {
      const field = "creator.0.names.0.name";
      const [yamada] = await suggested("people", "yamada");
      const csrf = csrfIn((await owner.get("/deposit")).text);
      const base = { csrf, field, id: yamada?.id ?? "", [field]: "yama" };
      const plain = await owner.post("/deposit/fill", base);
      expect(plain.status).toBe(200);
      const filled = JSON.parse(plain.text);
      expect(filled.question).toBeNull();
      expect(filled.all).toContainEqual({ name: field, value: "山田, 太郎" });
      expect(filled.all).toContainEqual({ name: "creator.0.names.1.lang", value: "ja-Kana" });
      expect(filled.empty).toEqual(filled.all);
      const inFull = "item_1617186419668.0.creatorNames.0.creatorName";
      const full = await owner.post("/deposit/fill", {
        csrf,
        "item-type": "1",
        field: inFull,
        id: base.id,
        [inFull]: "y",
      });
      expect(JSON.parse(full.text).all).toContainEqual({ name: inFull, value: "山田, 太郎" });
      const other = { ...base, "creator.0.identifiers.0.scheme": "ORCID", "creator.0.identifiers.0.identifier": "0" };
      const draftId = await draft({ "title.0.title": "A" });
      const asked = JSON.parse((await owner.post(`/deposit/${draftId}/fill`, other)).text);
      expect(asked.question).toContain("Replace these values");
      expect(asked.all).toContainEqual({ name: "creator.0.identifiers.0.identifier", value: "0000-0002-1825-0097" });
      expect(asked.empty.map(({ name: each }: { readonly name: string }) => each)).not.toContain(
        "creator.0.identifiers.0.identifier",
      );
      expect(await creators(draftId)).toEqual([]);
      expect((await owner.post("/deposit/fill", { ...base, id: "999999" })).status).toBe(404);
      expect((await owner.post("/deposit/fill", { ...base, field: "title.0.title" })).status).toBe(404);
      expect((await owner.post("/deposit/fill", { ...base, csrf: "old" })).status).toBe(403);
      expect((await world.visitor().post("/deposit/fill", base)).status).toBe(401);
      const theirs = { ...base, csrf: csrfIn((await member.get("/deposit")).text) };
      expect((await member.post(`/deposit/${draftId}/fill`, theirs)).status).toBe(404);
    });
  });
});

test("P.140 of many who ask at once after a change of the tree one reads it; after a failure it is read again", async () => {
  let [revision, reads, fails] = [1, 0, false];
  const names = new IndexNames({
    treeRevision: async () => revision,
    async indexesAfter() {
      reads += 1;
      await Bun.sleep(1);
      if (fails) throw new Error("The database is away");
      return [1, 2].map((each) => anIndex({ id: each, indexName: `地図${each}`, indexNameEnglish: `Map ${each}` }));
    },
  });
  const ask = () => Promise.all(Array.from({ length: 20 }, () => names.beginning("map", 10)));
  expect([(await ask()).flat().length, reads]).toEqual([40, 1]);
  revision = 2;
  expect([(await ask()).flat().length, reads]).toEqual([40, 2]);
  [revision, fails] = [3, true];
  expect(
    (await Promise.allSettled(Array.from({ length: 5 }, () => names.beginning("map", 10)))).map(({ status }) => status),
  ).toEqual(Array.from({ length: 5 }, () => "rejected"));
  fails = false;
  expect([(await ask()).flat().length, reads]).toEqual([40, 4]);
});
