// Vocabularies and the signed-in account over HTTP (R6a, R37; specification 3, tools list_vocabulary_types,
// list_vocabulary, whoami): shapes, words and errors as clients of existing record repositories know them, alike on
// both databases.

import { beforeAll, expect, test } from "bun:test";
import { onEachDatabase } from "../support/databases.ts";
import { NOW } from "../support/seed.ts";
import type { Json } from "../support/world/names.ts";
import { type Answer, BASE_URL } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

type Hits = { readonly hits: readonly Json[]; readonly total: number };
const hitsOf = ({ json }: Answer): Hits => json.hits as Hits;
const idsOf = (answer: Answer): readonly string[] => hitsOf(answer).hits.map(({ id }) => String(id));

const LATER = new Date(Date.parse(NOW) + 60_000).toISOString();
const entry = (type: string, id: string, en: string, props: Readonly<Record<string, string>> = {}, ja = en) => ({
  ...{ type, id, title: { en, ja }, props },
});

onEachDatabase("vocabularies", (database) => {
  const world = setUpWorld({ repository: true, database });
  beforeAll(async () => {
    await world.store.transact(async (tx) => {
      const tokyo = ror("057zh3y96", "Tokyo Daigaku; UTokyo");
      await tx.communities.putVocabulary(
        [
          entry("affiliations", "057zh3y96", "The University of Tokyo", tokyo, "東京大学"),
          entry("affiliations", "02kpeqv85", "Kyoto University", ror("02kpeqv85"), "京都大学"),
          entry("affiliations", "03zvg4t45", "École Normale Supérieure", ror("03zvg4t45")),
          entry("affiliations", "0abcdef12", "ＡＢＣ Ｌａｂ", ror("0abcdef12")),
        ],
        NOW,
      );
      const crossref = { scheme: "Crossref Funder", url: "https://doi.org/10.13039/501100001691" };
      await tx.communities.putVocabulary([entry("funders", "501100001691", "JSPS", crossref)], NOW);
      const mesh = "https://id.nlm.nih.gov/mesh/D000818";
      await tx.communities.putVocabulary([entry("subjects", mesh, "Animals", { scheme: "MeSH" }, "動物")], NOW);
      const award = { number: "JP12345", acronym: "KAKEN", funder: "501100001691", funder_name: "JSPS" };
      await tx.communities.putVocabulary([entry("awards", "kaken-12345", "Tides of the inland sea", award)], NOW);
      const dated = { start: "2020-04-01", end: "2023-03-31", url: "https://example.org/awards/99999" };
      const program = { program: "Challenging research", funder_name: "A foundation" };
      const waves = entry("awards", "kaken-99999", "Waves of the open sea", { ...dated, ...program });
      await tx.communities.putVocabulary([waves], LATER);
      const named = entry("subjects", "ndlsh-1", "Rivers", { scheme: "NDLSH", names: "Streams; Brooks" }, "川");
      await tx.communities.putVocabulary([named], NOW);
    });
  });

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    world.ask(null, "GET", path, { headers });
  const suggested = async (path: string, text: string): Promise<readonly string[]> =>
    idsOf(await get(`${path}?suggest=${encodeURIComponent(text)}`));

  test("S3.6.166 types are listed with how many entries they have, those of the specification and those with separate addresses", async () => {
    for (const path of ["/api/vocabularies/", "/api/vocabularies"]) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      const { hits, total } = hitsOf(answer);
      expect(total).toBe(hits.length);
      const named =
        "affiliations awards communitytypes contributorsroles creatorsroles datetypes descriptiontypes funders languages licenses names " +
        "relationtypes removalreasons resourcetypes subjects titletypes";
      expect(idsOf(answer).filter((id) => id !== "identifierschemes")).toEqual(named.split(" "));
      expect(hits.find(({ id }) => id === "removalreasons")).toEqual({
        ...{ id: "removalreasons", pid_type: "rem", count: 12, is_custom_vocabulary: false },
        links: { self: `${BASE_URL}/api/vocabularies/removalreasons` },
      });
      expect(hits.find(({ id }) => id === "affiliations")).toMatchObject({ count: 4, is_custom_vocabulary: true });
    }
  });

  test("S3.6.167 a list has hits, total, order and links, 25 a page and ordered by title unless asked otherwise", async () => {
    const first = await get("/api/vocabularies/resourcetypes");
    expect(first.status).toBe(200);
    expect(first.json.sortBy).toBe("title");
    expect([hitsOf(first).total, hitsOf(first).hits.length]).toEqual([45, 25]);
    expect(first.json.links).toEqual({
      self: `${BASE_URL}/api/vocabularies/resourcetypes?page=1&size=25&sort=title`,
      next: `${BASE_URL}/api/vocabularies/resourcetypes?page=2&size=25&sort=title`,
    });
    const titles = hitsOf(first).hits.map(({ title }) => String((title as Json).en).toLowerCase());
    expect(titles).toEqual([...titles].sort());
    const last = await get("/api/vocabularies/resourcetypes?page=2&unknown=1");
    expect([hitsOf(last).hits.length, (last.json.links as Json).prev]).toEqual([
      20,
      `${BASE_URL}/api/vocabularies/resourcetypes?page=1&size=25&sort=title`,
    ]);
    expect((last.json.links as Json).next).toBeUndefined();
    // A last page that is full.
    const full = await get("/api/vocabularies/resourcetypes?page=3&size=15");
    expect([hitsOf(full).hits.length, (full.json.links as Json).next]).toEqual([15, undefined]);
    expect(String((last.json.links as Json).self)).not.toContain("unknown");
  });

  test("S3.6.167 the newest come first or last where that is asked for", async () => {
    const ordered = async (query: string) => idsOf(await get(`/api/awards${query}`));
    expect(await ordered("")).toEqual(["kaken-12345", "kaken-99999"]);
    expect(await ordered("?sort=newest")).toEqual(["kaken-99999", "kaken-12345"]);
    expect(await ordered("?sort=oldest")).toEqual(["kaken-12345", "kaken-99999"]);
    expect(await ordered("?q=sea&sort=newest&size=1&page=2")).toEqual(["kaken-12345"]);
    for (const [type, sort] of [
      ...[["subjects", "subject"] as const, ["funders", "name"] as const, ["names", "name"] as const],
      ["awards", "title"] as const,
    ]) {
      expect((await get(`/api/${type}?q=*`)).json.sortBy).toBe(sort);
    }
  });

  test("S3.6.168 an entry has titles by language, properties, tags, dates and a link; unknown ones and types are 404 in stock words", async () => {
    const { status, json } = await get("/api/vocabularies/resourcetypes/publication-article");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      ...{ id: "publication-article", type: "resourcetypes", revision_id: 1 },
      title: { en: "Journal article", ja: "学術雑誌論文" },
      props: { datacite_general: "JournalArticle", csl: "article-journal", subtype: "publication-article" },
      tags: ["depositable", "linkable"],
      links: { self: `${BASE_URL}/api/vocabularies/resourcetypes/publication-article` },
    });
    expect(Number.isNaN(Date.parse(String(json.created)))).toBe(false);
    expect((json.props as Json).tags).toBeUndefined();
    const missing = { status: 404, message: "The persistent identifier does not exist." };
    expect((await get("/api/vocabularies/licenses/no-such")).json).toEqual(missing);
    expect((await get("/api/vocabularies/invalid/mit")).json).toEqual(missing);
    for (const path of [
      "/api/vocabularies/invalid",
      "/api/vocabularies/invalid?q=x",
      "/api/vocabularies/invalid?suggest=-",
    ]) {
      expect((await get(path)).json).toEqual({ status: 404, message: "Not found." });
    }
  });

  test.each([
    ["size=1.5", "size", "Not a valid integer."],
    ["size=x", "size", "Not a valid integer."],
    ["size=0", "size", "Must be greater than or equal to 1."],
    ["page=-1", "page", "Must be greater than or equal to 1."],
  ])("S3.6.169 %s is an error that names the field", async (query, field, message) => {
    const { status, json } = await get(`/api/vocabularies/licenses?${query}`);
    const errors = [{ field, messages: [message] }];
    expect([status, json]).toEqual([400, { status: 400, message: "A validation error occurred.", errors }] as never);
  });

  test("S3.6.169 the last page of the window is answered, the one after it is not", async () => {
    expect((await get("/api/vocabularies/licenses?page=10&size=1000")).status).toBe(200);
    expect((await get("/api/vocabularies/licenses?page=11&size=910")).status).toBe(400);
  });

  test("S3.6.169 a page above 1,000 entries is cut to 1,000, and its links lead to the rest", async () => {
    const [long, cut] = [await get("/api/affiliations?size=10000"), await get("/api/affiliations?size=1000")];
    expect([long.status, long.json]).toEqual([200, cut.json]);
    expect(long.json.links).toMatchObject({ self: expect.stringContaining("size=1000&") });
    expect(idsOf(long).length).toBeGreaterThan(1);
  });

  test("S3.6.169 a page behind the window, an unknown order, or q and suggest together are wrong queries", async () => {
    for (const query of ["page=11&size=1000", "sort=colour", "q=mit&suggest=mi"]) {
      const { status, json } = await get(`/api/vocabularies/licenses?${query}`);
      expect([status, json]).toEqual([400, { status: 400, message: "Invalid querystring parameters." }] as never);
    }
  });

  test("S3.6.170 what somebody begins to write is found at the beginning of words of id and titles in any language, whatever its width, case and accents", async () => {
    const at = "/api/affiliations";
    expect(await suggested(at, "tok")).toEqual(["057zh3y96"]);
    expect(await suggested(at, "UNIV TOK")).toEqual(["057zh3y96"]);
    expect(await suggested(at, "ｔｏｋｙｏ")).toEqual(["057zh3y96"]);
    expect(await suggested(at, "utok")).toEqual(["057zh3y96"]);
    expect(await suggested(at, "東京")).toEqual(["057zh3y96"]);
    expect(await suggested(at, "京大学部")).toEqual([]);
    expect(await suggested(at, "東京\u0000")).toEqual(["057zh3y96"]);
    expect((await get(`${at}/%00`)).status).toBe(404);
    expect((await get("/api/vocabularies/%00")).status).toBe(404);
    expect(await suggested(at, "大学")).toEqual(["02kpeqv85", "057zh3y96"]);
    expect(await suggested(at, "ecole normale sup")).toEqual(["03zvg4t45"]);
    expect(await suggested(at, "ÉCOLE")).toEqual(["03zvg4t45"]);
    expect(await suggested(at, "abc lab")).toEqual(["0abcdef12"]);
    expect(await suggested(at, "057zh3")).toEqual(["057zh3y96"]);
    expect(await suggested(at, "okyo")).toEqual([]);
    expect(await suggested(at, "%_'\"")).toEqual([]);
    expect((await suggested("/api/vocabularies/languages", "jpn"))[0]).toBe("jpn");
    expect((await suggested("/api/vocabularies/languages", "日本語"))[0]).toBe("jpn");
    expect((await suggested("/api/vocabularies/languages", "Japanese"))[0]).toBe("jpn");
    expect((await suggested("/api/vocabularies/licenses", "cc-by-4"))[0]).toBe("cc-by-4.0");
    expect((await suggested("/api/vocabularies/licenses", "MIT Lic"))[0]).toBe("mit");
  });

  test("S3.6.171 q finds whole words, all of them, of a member or of any; an asterisk is the rest of a word, alone it is everything", async () => {
    const found = async (query: string) => idsOf(await get(`/api/affiliations?q=${encodeURIComponent(query)}`));
    expect(await found("university")).toEqual(["02kpeqv85", "057zh3y96"]);
    expect(await found("title.en:Kyoto")).toEqual(["02kpeqv85"]);
    expect(await found('"Kyoto University"')).toEqual(["02kpeqv85"]);
    expect(await found("univers")).toEqual([]);
    expect(await found("univers*")).toEqual(["02kpeqv85", "057zh3y96"]);
    expect((await found("*")).length).toBe(4);
    const tagged = await get("/api/vocabularies/licenses?tags=recommended&size=100");
    expect(idsOf(tagged)).toContain("cc-by-4.0");
    expect(idsOf(tagged)).not.toContain("gpl-1.0-only");
    const expected = ["cc-by-4.0", "cc-by-sa-4.0"];
    expect(idsOf(await get("/api/vocabularies/licenses?tags=recommended,data&q=attribution"))).toEqual(expected);
    const ofData = async (tags: string) => idsOf(await get(`/api/vocabularies/licenses?tags=${tags}&size=100`));
    const [data, recommended] = [await ofData("data"), await ofData("recommended")];
    const both = data.filter((id) => recommended.includes(id));
    expect([await ofData("recommended,data"), await ofData("data,recommended")]).toEqual([both, both]);
    expect([both.length < data.length, both.length < recommended.length]).toEqual([true, true]);
  });

  test("S3.6.172 affiliations, funders, awards and subjects have separate shapes and addresses", async () => {
    expect((await get("/api/affiliations/057zh3y96")).json).toMatchObject({
      ...{ id: "057zh3y96", name: "The University of Tokyo", title: { en: "The University of Tokyo", ja: "東京大学" } },
      identifiers: [{ scheme: "ror", identifier: "057zh3y96" }],
      aliases: ["Tokyo Daigaku", "UTokyo"],
      country: "JP",
      links: { self: `${BASE_URL}/api/affiliations/057zh3y96` },
    });
    const expected = { name: "JSPS", identifiers: [{ scheme: "doi", identifier: "10.13039/501100001691" }] };
    expect((await get("/api/funders/501100001691")).json).toMatchObject(expected);
    expect((await get("/api/awards/kaken-12345")).json).toMatchObject({
      ...{ number: "JP12345", acronym: "KAKEN", title: { en: "Tides of the inland sea" } },
      funder: { id: "501100001691", name: "JSPS" },
    });
    expect(await suggested("/api/awards", "JP123")).toEqual(["kaken-12345"]);
    expect((await get("/api/awards/kaken-99999")).json).toMatchObject({
      ...{ number: "kaken-99999", program: "Challenging research", start_date: "2020-04-01", end_date: "2023-03-31" },
      ...{ funder: { name: "A foundation" }, title: { en: "Waves of the open sea" } },
      identifiers: [{ scheme: "url", identifier: "https://example.org/awards/99999" }],
    });
    expect((await get("/api/subjects/ndlsh-1")).json).toMatchObject({
      ...{ scheme: "NDLSH", subject: "Rivers", synonyms: ["Streams", "Brooks"], identifiers: [] },
    });
    const id = "https://id.nlm.nih.gov/mesh/D000818";
    expect((await get(`/api/subjects/${encodeURIComponent(id)}`)).json).toMatchObject({
      ...{ id, scheme: "MeSH", subject: "Animals", title: { en: "Animals", ja: "動物" } },
      links: { self: `${BASE_URL}/api/subjects/${encodeURIComponent(id)}` },
    });
    expect((await get("/api/affiliations")).json.sortBy).toBe("name");
    expect((await get("/api/affiliations/none")).status).toBe(404);
  });

  test("S3.6.173 answers may be kept a minute, and a client that has one gets 304; labels are in the reader's language on request", async () => {
    const path = "/api/vocabularies/removalreasons/spam";
    const { headers, json } = await get(path);
    expect(json).not.toHaveProperty("title_l10n");
    const expected = ["public, max-age=60", "Accept, Accept-Language"];
    expect([headers.get("cache-control"), headers.get("vary")]).toEqual(expected);
    const etag = headers.get("etag") ?? "";
    const again = await get(path, { "if-none-match": etag });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await get(path, { "if-none-match": `"other", ${etag}` })).status).toBe(304);
    expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
    for (const other of ["/api/vocabularies/removalreasons", "/api/vocabularies/removalreasons/retracted"]) {
      const kept = await get(other);
      const found = ["cache-control", "vary"].map((name) => kept.headers.get(name));
      expect([other, kept.status, ...found]).toEqual([other, 200, "public, max-age=60", "Accept, Accept-Language"]);
      const ownTag = kept.headers.get("etag") ?? "";
      expect([ownTag === etag, (await get(other, { "if-none-match": ownTag })).status]).toEqual([false, 304]);
      expect((await get(other, { "if-none-match": etag })).status).toBe(200);
    }
    const accept = "application/vnd.inveniordm.v1+json";
    const japanese = await get(path, { accept, "accept-language": "ja-JP,en;q=0.5" });
    expect(japanese.json.title_l10n).toBe((japanese.json.title as Json).ja as string);
    expect((await get(path, { accept })).json.title_l10n).toBe("Spam");
    expect(japanese.headers.get("etag")).not.toBe(etag);
  });

  test("S3.6.174 names are persons of the author database without what is marked not to be shown", async () => {
    const nameOf = (language: string, familyName: string, firstName: string, nameShowFlg = true) => ({
      language,
      familyName,
      firstName,
      nameFormat: "familyNmAndNm",
      nameShowFlg,
    });
    const ror = { affiliationIdType: "ROR", affiliationId: "https://ror.org/057zh3y96", identifierShowFlg: true };
    const tokyo = {
      affiliationName: "The University of Tokyo",
      affiliationNameLang: "en",
      affiliationNameShowFlg: true,
    };
    const author = {
      emailInfo: [{ email: "secret@example.org" }],
      authorIdInfo: [
        { idType: "ORCID", authorId: "0000-0002-1825-0097", authorIdShowFlg: true },
        { idType: "researchmap", authorId: "hidden-number", authorIdShowFlg: false },
      ],
      authorNameInfo: [
        nameOf("en", "Yamada", "Hanako"),
        nameOf("ja", "山田", "花子"),
        nameOf("en", "Hidden", "Name", false),
      ],
      affiliationInfo: [{ identifierInfo: [ror], affiliationNameInfo: [tokyo] }],
    };
    const made = await world.ask("system", "POST", "/api/v1/authors", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ author }),
    });
    expect(made.status).toBe(200);
    const id = String((made.json.author as Json).id);
    const person = await get(`/api/names/${id}`);
    expect(person.json).toMatchObject({
      ...{ id, name: "Yamada, Hanako", family_name: "Yamada", given_name: "Hanako" },
      identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
      affiliations: [{ id: "057zh3y96", name: "The University of Tokyo" }],
      props: { other_names: "山田, 花子" },
      links: { self: `${BASE_URL}/api/names/${id}` },
    });
    expect(person.text).not.toMatch(/secret|hidden/i);
    expect((await get("/api/names/0000-0002-1825-0097")).json.id).toBe(id);
    for (const text of ["yama", "hanako y", "ＹＡＭＡＤＡ", "山田", "https://orcid.org/0000-0002-1825-0097"]) {
      expect(await suggested("/api/names", text)).toEqual([id]);
    }
    for (const text of ["hidden", "name", "secret", "hidden-number"])
      expect(await suggested("/api/names", text)).toEqual([]);
    expect(idsOf(await get("/api/names"))).toEqual([id]);
    expect((await get("/api/names/99999")).status).toBe(404);
  });

  test("S3.6.174 all persons are counted again after a minute", async () => {
    const totalAfter = async (minutes: number) => {
      world.time.now = new Date(Date.parse(NOW) + minutes * 60_000).toISOString();
      return hitsOf(await get("/api/names?size=1")).total;
    };
    const before = await totalAfter(1);
    const authorNameInfo = [{ language: "en", familyName: "Counted", firstName: "Later" }];
    const made = await world.ask("system", "POST", "/api/v1/authors", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ author: { authorNameInfo } }),
    });
    expect(made.status).toBe(200);
    expect(await totalAfter(2)).toBe(before + 1);
    world.time.now = NOW;
  });

  test("S3.6.174 of several names, identifiers and affiliations each may be hidden; a merged person is the other, a deleted one gone", async () => {
    const post = async (path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const answer = await world.ask("system", "POST", path, { headers, body: JSON.stringify(body) });
      expect([path, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([path, 200, ""]);
      return String((answer.json.author as Json).id);
    };
    const name = (language: string, familyName: string, firstName: string) => ({ language, familyName, firstName });
    const affiliated = (affiliationName: string, affiliationNameShowFlg: boolean) => ({
      ...{ affiliationName, affiliationNameShowFlg, affiliationNameLang: "en" },
    });
    const identified = (affiliationIdType: string, affiliationId: string, identifierShowFlg: boolean) => ({
      ...{ affiliationIdType, affiliationId, identifierShowFlg },
    });
    const id = await post("/api/v1/authors", {
      author: {
        authorIdInfo: [
          { idType: "ORCID", authorId: "0000-0002-1694-233X", authorIdShowFlg: false },
          { idType: "ORCID", authorId: "0000-0001-5109-3700" },
        ],
        authorNameInfo: [name("en", "Sato", "Ichiro"), name("ja", "佐藤", "一郎"), name("en", "Satoh", "Ichiroh")],
        affiliationInfo: [
          {
            affiliationNameInfo: [affiliated("Secret Institute", false), affiliated("Open Institute", true)],
            identifierInfo: [identified("ISNI", "000000012151536X", true), identified("ROR", "02kpeqv85", false)],
          },
          {
            affiliationNameInfo: [affiliated("The University of Tokyo", true), affiliated("Todai", true)],
            identifierInfo: [identified("ROR", "https://ror.org/057zh3y96", true)],
          },
        ],
      },
    });
    const person = await get(`/api/names/${id}`);
    expect(person.json).toMatchObject({
      ...{ id, name: "Sato, Ichiro", props: { other_names: "佐藤, 一郎; Satoh, Ichiroh" } },
      identifiers: [{ scheme: "orcid", identifier: "0000-0001-5109-3700" }],
      affiliations: [{ name: "Open Institute" }, { id: "057zh3y96", name: "The University of Tokyo" }],
    });
    expect(person.json.affiliations).toHaveLength(2);
    expect((person.json.affiliations as readonly Json[])[0]).toEqual({ name: "Open Institute" });
    expect((await get("/api/names/0000-0002-1694-233X")).status).toBe(404);
    expect((await get("/api/names/0000-0001-5109-3700")).json.id).toBe(id);
    expect(await suggested("/api/names", "0000-0002-1694-233X")).toEqual([]);
    expect(await suggested("/api/names", "satoh")).toEqual([id]);
    const merged = await post("/api/v1/authors", { author: { authorNameInfo: [name("en", "Sato", "I.")] } });
    expect((await get(`/api/names/${merged}`)).json.id).toBe(merged);
    await post(`/api/v1/authors/${merged}/merge`, { into: Number(id) });
    expect((await get(`/api/names/${merged}`)).json.id).toBe(id);
    const removed = await post("/api/v1/authors", { author: { authorNameInfo: [name("en", "Sato", "Saburo")] } });
    expect((await suggested("/api/names", "sato")).toSorted()).toEqual([id, removed].toSorted());
    const pages = ["1", "2"].map((page) => get(`/api/names?suggest=sato&size=1&page=${page}`));
    expect((await Promise.all(pages)).flatMap(idsOf).toSorted()).toEqual([id, removed].toSorted());
    expect((await world.ask("system", "DELETE", `/api/v1/authors/${removed}`)).status).toBe(200);
    expect((await get(`/api/names/${removed}`)).status).toBe(410);
    expect((await get(`/api/vocabularies/names/${removed}`)).status).toBe(410);
    expect(await suggested("/api/names", "sato")).toEqual([id]);
  });

  test("S3.6.173 R9 each type with an address of its own answers 304 to who has it, and 400 to a page below one", async () => {
    const subject = encodeURIComponent("https://id.nlm.nih.gov/mesh/D000818");
    const items = [`affiliations/057zh3y96`, "awards/kaken-12345", "funders/501100001691", `subjects/${subject}`];
    const lists = items.map((path) => path.split("/", 1)[0]);
    for (const path of [...items, ...lists, "names", "vocabularies", "vocabularies/subjects"]) {
      const { status, headers } = await get(`/api/${path}`);
      const again = await get(`/api/${path}`, { "if-none-match": headers.get("etag") ?? "" });
      expect([path, status, again.status, again.text]).toEqual([path, 200, 304, ""]);
    }
    for (const list of [...lists, "names"]) {
      const { status, json } = await get(`/api/${list}?page=0&size=x`);
      const page = { field: "page", messages: ["Must be greater than or equal to 1."] };
      expect([list, status, json.errors]).toEqual([
        list,
        400,
        [page, { field: "size", messages: ["Not a valid integer."] }],
      ]);
    }
  });

  test("S3.6.175 GET /api/me is who is signed in, with roles and communities; guests are refused", async () => {
    const { status, json, headers } = await world.ask("curator", "GET", "/api/me");
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("private, no-store");
    const { account } = world.people.curator;
    expect(json).toMatchObject({
      ...{ id: account.id, email: account.mail, name: account.name, email_pending_setup: false },
      roles: [{ id: "registered", name: "registered" }],
      communities: [{ id: COMMUNITY, slug: "c1", role: "curator" }],
      links: { self: `${BASE_URL}/api/me` },
    });
    const c1 = await world.store.communities.community(COMMUNITY);
    if (c1 === null) throw new Error("There is no community");
    const second = { ...c1, id: "00000000-0000-4000-8000-0000000000d2", slug: "d2", rootIndex: null };
    await world.store.transact(async (tx) => {
      await tx.communities.saveCommunity(second);
      await tx.communities.setMember(second.id, account.id, "owner");
    });
    const communitiesOf = async (who: "curator" | "manager" | "registered") => {
      const { communities } = (await world.ask(who, "GET", "/api/me")).json as {
        readonly communities: readonly { readonly slug: string; readonly role: string }[];
      };
      return communities.map(({ slug, role }) => `${slug} ${role}`).toSorted();
    };
    expect(await communitiesOf("curator")).toEqual(["c1 curator", "d2 owner"]);
    expect([await communitiesOf("manager"), await communitiesOf("registered")]).toEqual([["c1 owner"], []]);
    const guest = await get("/api/me");
    expect([guest.status, guest.json.status]).toEqual([401, 401]);
    expect(guest.headers.get("www-authenticate")).toContain("Bearer");
    expect((await world.ask({ token: "wrong" }, "GET", "/api/me")).status).toBe(401);
    const placeholder = world.people.general.account;
    await world.store.transact((tx) => tx.accounts.saveAccount({ ...placeholder, mail: "general@users.invalid" }));
    expect((await world.ask("general", "GET", "/api/me")).json).toMatchObject({ roles: [], email_pending_setup: true });
  });
});

function ror(id: string, names?: string): Readonly<Record<string, string>> {
  return { scheme: "ROR", url: `https://ror.org/${id}`, country: "JP", ...(names === undefined ? {} : { names }) };
}
