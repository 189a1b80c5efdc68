// The author database over HTTP (specification 2, "Author resource", "Author database endpoints", "Authentication" 3
// and 5; R9, R20 to R22).
import { beforeAll, describe, expect, test } from "bun:test";
import { onEachDatabase } from "../support/databases.ts";
import { idsIn, localOf, type ShownAuthor } from "../support/world/authors.ts";
import type { Answer, PersonName, Who } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

const PATH = "/api/v1/authors";
const ORCID = { idType: "ORCID", authorId: "0000-0002-1825-0097" };
const name = (familyName: string, firstName = "Taro", language = "en") => ({ language, firstName, familyName });
const shownName = (familyName: string, firstName = "Taro", language = "en") => ({
  ...name(familyName, firstName, language),
  nameFormat: "familyNmAndNm",
  nameShowFlg: true,
});
const local = (author: ShownAuthor) => ({ idType: "LOCAL", authorId: localOf(author) });

/** A refusal in the authors' own shape: `{code, status, message, errors?}` (R9). */
function refused(answer: Answer, status: number, message: string | RegExp): void {
  const { json } = answer;
  expect([answer.status, json.code, json.status]).toEqual([status, status, status]);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  if (typeof message === "string") expect(json.message).toBe(message);
  else expect(String(json.message)).toMatch(message);
  const { errors } = json;
  if (errors === undefined) return;
  expect(status).toBe(400);
  expect(errors).toEqual([{ field: expect.any(String), message: json.message }]);
}

describe("the authors' interface", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: true, authors: true, database });
    beforeAll(async () => {
      const { store } = world;
      await store.transact(async (tx) => {
        const own = await tx.communities.community("c1");
        if (own === null) throw new Error("There is no community");
        const foreign = { ...own, id: "00000000-0000-4000-8000-0000000000c2", slug: "c2", rootIndex: null };
        await tx.communities.saveCommunity(foreign);
      });
    });

    describe("S2.A1 POST /api/{version}/authors", () => {
      test("S2.A2 S2.A3 S2.A4 S2.A5 S2.A6 S2.A15 R20 what is sent is echoed as it is stored, with id and uuid, and found so", async () => {
        const ror = { affiliationIdType: "ROR", affiliationId: "04ksd4g47", identifierShowFlg: false };
        const english = { affiliationName: "NII", affiliationNameLang: "en", affiliationNameShowFlg: true };
        const japanese = { affiliationName: "国立情報学研究所", affiliationNameLang: "ja" };
        const periods = [{ periodStart: "2020-04-01", periodEnd: "2025-03-31" }, { periodStart: "2026-01-01" }];
        const affiliation = { identifierInfo: [ror], affiliationPeriodInfo: periods };
        const hidden = { ...name("情報", "太郎", "ja"), nameFormat: "familyNmAndNm", nameShowFlg: false };
        const kana = { language: "ja-Kana", familyName: "ジョウホウ" };
        const sent = {
          emailInfo: [{ email: "taro@example.org" }, { email: "joho@example.org" }],
          authorIdInfo: [{ ...ORCID, authorIdShowFlg: false }],
          authorNameInfo: [hidden, kana, name("Joho")],
          affiliationInfo: [{ ...affiliation, affiliationNameInfo: [english, japanese] }, {}],
          communityIds: ["c1"],
        };
        const answer = await world.create(sent);
        expect([answer.status, answer.json.message]).toEqual([200, "Author successfully registered."]);
        const author = answer.json.author as ShownAuthor;
        const shown = { ...affiliation, affiliationNameInfo: [english, { ...japanese, affiliationNameShowFlg: true }] };
        expect(author).toEqual({
          id: expect.any(Number),
          uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          emailInfo: sent.emailInfo,
          authorIdInfo: [
            { idType: "LOCAL", authorId: expect.stringMatching(/^\d+$/), authorIdShowFlg: true },
            { ...ORCID, authorIdShowFlg: false },
          ],
          authorNameInfo: [hidden, { ...kana, nameShowFlg: true }, shownName("Joho")],
          affiliationInfo: [shown, { identifierInfo: [], affiliationNameInfo: [], affiliationPeriodInfo: [] }],
          communityIds: ["c1"],
        });
        const found = await world.search({ idtype: "ORCID", authorid: ORCID.authorId });
        expect([found.status, found.json]).toEqual([200, { authors: [author] }]);
      });

      test("S2.A3 firstname and familyname are read too, and nameFormat is added only where language and both names are sent", async () => {
        const small = { language: "en", firstname: "Small", familyname: "Letters" };
        const names = [small, { language: "en", firstName: "Alone" }, { language: "fr" }];
        const { authorNameInfo } = await world.author({ authorNameInfo: names });
        expect(authorNameInfo).toEqual([
          shownName("Letters", "Small"),
          { language: "en", firstName: "Alone", nameShowFlg: true },
          { language: "fr", nameShowFlg: true },
        ]);
      });

      test.each([
        [true, true],
        ["true", true],
        [false, false],
        ["false", false],
      ])("S2.A7 R21 a flag that is sent as %p is returned as the boolean", async (sent, shown) => {
        const identifier = { affiliationIdType: "kakenhi", affiliationId: "1", identifierShowFlg: sent };
        const affiliation = { affiliationName: "A", affiliationNameLang: "en", affiliationNameShowFlg: sent };
        const author = await world.author({
          authorIdInfo: [{ idType: "AID", authorId: "1", authorIdShowFlg: sent }],
          authorNameInfo: [{ language: "en", nameShowFlg: sent }],
          affiliationInfo: [{ identifierInfo: [identifier], affiliationNameInfo: [affiliation] }],
        });
        const identifiers = [{ identifierShowFlg: shown }];
        expect(author).toMatchObject({
          authorIdInfo: [{ idType: "LOCAL", authorIdShowFlg: true }, { authorIdShowFlg: shown }],
          authorNameInfo: [{ nameShowFlg: shown }],
          affiliationInfo: [{ identifierInfo: identifiers, affiliationNameInfo: [{ affiliationNameShowFlg: shown }] }],
        });
      });

      test("S2.A16 R21 a LOCAL number that is sent is replaced by the maximum plus one in its place; where none is, one is added", async () => {
        const first = await world.author({ authorNameInfo: [name("First")] });
        const sent = [
          { idType: "AID", authorId: "7" },
          { idType: "LOCAL", authorId: "77777", authorIdShowFlg: false },
          { idType: "LOCAL", authorId: "no number" },
        ];
        const second = await world.author({ authorIdInfo: sent });
        expect(second.authorIdInfo).toEqual([
          { idType: "AID", authorId: "7", authorIdShowFlg: true },
          { idType: "LOCAL", authorId: String(Number(localOf(first)) + 1), authorIdShowFlg: false },
        ]);
        expect(first.authorIdInfo).toEqual([{ ...local(first), authorIdShowFlg: true }]);
      });

      test("R21 id, uuid, is_deleted, created and updated may be sent and are ignored", async () => {
        const more = { id: 4711, uuid: "x", is_deleted: true, created: 7, updated: null };
        const author = await world.author({ ...more, authorNameInfo: [name("Ignored")] });
        expect(author.id).not.toBe(4711);
        expect(idsIn(await world.search({ familyname: "ignored" }))).toEqual([author.id]);
      });

      test("R9a names have up to 10,000 characters, and the author is found by them", async () => {
        const [family, given, affiliation] = ["f", "g", "h"].map((letter) => letter.repeat(10_000));
        const author = await world.author({
          authorNameInfo: [name("Short"), { language: "en", familyName: family, firstName: given }],
          affiliationInfo: [
            { affiliationNameInfo: [{ affiliationName: affiliation, affiliationNameLang: "en" }] },
            { affiliationNameInfo: [{ affiliationName: "Harbour Office", affiliationNameLang: "en" }] },
          ],
        });
        expect(author.authorNameInfo[1]).toMatchObject({ familyName: family, firstName: given });
        expect(author.affiliationInfo[0]).toMatchObject({ affiliationNameInfo: [{ affiliationName: affiliation }] });
        expect(idsIn(await world.search({ familyname: "f".repeat(500) }))).toEqual([author.id]);
        expect(idsIn(await world.search({ familyname: "f".repeat(249) }))).toEqual([]);
      });

      test("S2.A8 R22 ORCID, ISNI and ROR are taken with and without their addresses, hyphens and blanks, and found by each", async () => {
        const author = await world.author({
          authorIdInfo: [
            { idType: "ORCID", authorId: "https://orcid.org/0000-0001-5109-3700" },
            { idType: "ISNI", authorId: "0000 0001 2103 2683" },
            { idType: "ROR", authorId: "https://ror.org/057zh3y96" },
          ],
        });
        expect(author.authorIdInfo[1]).toMatchObject({ authorId: "https://orcid.org/0000-0001-5109-3700" });
        const asked = [
          ["ORCID", "0000-0001-5109-3700"],
          ["ORCID", "https://orcid.org/0000-0001-5109-3700"],
          ["ISNI", "0000000121032683"],
          ["ROR", "057ZH3Y96"],
          ["LOCAL", localOf(author)],
        ];
        for (const [idtype = "", authorid = ""] of asked) {
          const expected = [idtype, authorid, [author.id]];
          expect([idtype, authorid, idsIn(await world.search({ idtype, authorid }))]).toEqual(expected);
        }
      });
    });

    describe("what is refused in a body", () => {
      const ofName = (entry: unknown) => ({ authorNameInfo: [entry] });
      const ofId = (entry: unknown) => ({ authorIdInfo: [entry] });
      const ofAffiliation = (member: string, entry: unknown) => ({ affiliationInfo: [{ [member]: [entry] }] });
      const period = (entry: unknown) => ofAffiliation("affiliationPeriodInfo", entry);
      const institution = (entry: unknown) => ofAffiliation("identifierInfo", entry);
      const affiliation = (entry: unknown) => ofAffiliation("affiliationNameInfo", entry);
      const IDS = "Both 'idType' and 'authorId' must be provided together.";
      const INSTITUTIONS = "Both 'affiliationIdType' and 'affiliationId' must be provided together.";
      const AFFILIATIONS = "Both 'affiliationName' and 'affiliationNameLang' must be provided together.";
      const LANGUAGE = "If 'firstName' or 'familyName' is provided, 'language' must also be specified.";
      const DAY = "Not a valid date format. Use YYYY-MM-DD.";
      const CHECKED = /the last of them the check character/;
      const SCHEMES =
        "'LOCAL', 'ORCID', 'CiNii', 'KAKEN2', 'ROR', 'e-Rad_Researcher', 'NRID', 'ISNI', 'VIAF', 'AID', 'kakenhi', 'Ringgold', 'GRID', 'researchmap'";

      type Case = readonly [what: string, author: unknown, message: string | RegExp, field: string];
      /** Refused on create and on update, naming the field; what was stored stays. */
      const refusedBoth = async (...[, author, message, field]: Case): Promise<void> => {
        const before = await world.author({ authorNameInfo: [name("Unchanged")] });
        const creation = await world.create(author);
        refused(creation, 400, message);
        expect(creation.json.errors).toMatchObject([{ field }]);
        refused(await world.update(before.id, { authorIdInfo: [local(before)], ...Object(author) }), 400, message);
        const found = await world.search({ idtype: "LOCAL", authorid: localOf(before) });
        expect(found.json).toEqual({ authors: [before] });
      };
      /** A case whose message begins with the field. */
      const wrong = (what: string, author: unknown, field: string, rest: string): Case => [
        what,
        author,
        `${field} ${rest}`,
        field,
      ];
      const english = (more: object) => ofName({ language: "en", ...more });
      const emails = (...each: readonly unknown[]) => ({ emailInfo: each.map((email) => ({ email })) });
      const NAME = "author.authorNameInfo[0]";
      const ID = "author.authorIdInfo[0]";
      const PLACE = "author.affiliationInfo[0]";
      const PERIOD = `${PLACE}.affiliationPeriodInfo[0]`;
      const PLACE_ID = `${PLACE}.identifierInfo[0]`;
      const PLACE_NAME = `${PLACE}.affiliationNameInfo[0]`;
      const tooLong = english({ familyName: "x".repeat(10_001) });
      const tooMany = emails(...Array(201).fill("a@b"));
      const prototype = JSON.parse('{"__proto__": {"a": 1}, "emailInfo": []}');

      test.each<Case>([
        [
          "an unknown member",
          { nickname: "T" },
          /^Unknown member "nickname" in author; there are emailInfo, /,
          "author",
        ],
        [
          "an unknown member of a name",
          ofName({ title: "Dr" }),
          /^Unknown member "title" in author\.authorNameInfo\[0\]/,
          NAME,
        ],
        ["a member of the prototype", prototype, /^Unknown member "__proto__"/, "author"],
        wrong("a list that is none", { emailInfo: {} }, "author.emailInfo", "must be a list, not an object"),
        wrong("null for a list", { authorIdInfo: null }, "author.authorIdInfo", "must be a list, not null"),
        wrong(
          "an entry that is not an object",
          { emailInfo: ["a@b"] },
          "author.emailInfo[0]",
          'must be an object, not "a@b"',
        ),
        wrong("a number for a text", emails(7), "author.emailInfo[0].email", "must be a string, not 7"),
        wrong(
          "a number for a flag",
          english({ nameShowFlg: 1 }),
          `${NAME}.nameShowFlg`,
          "must be true or false, not 1",
        ),
        [
          "a text that is not a flag",
          english({ nameShowFlg: "yes" }),
          /must be true or false, not "yes"$/,
          `${NAME}.nameShowFlg`,
        ],
        ["a text of several lines", emails("a\nb"), /must be text of one line/, "author.emailInfo[0].email"],
        ["a text with NUL", english({ familyName: "a\0b" }), /without control characters/, `${NAME}.familyName`],
        ["half a character", english({ familyName: "a\ud800" }), /must be text of one line/, `${NAME}.familyName`],
        wrong("a text that is too long", tooLong, `${NAME}.familyName`, "may have 10000 characters at most"),
        wrong("too many entries", tooMany, "author.emailInfo", "must have at most 200 entries, not 201"),
        [
          "another nameFormat",
          english({ nameFormat: "free" }),
          /must be familyNmAndNm, not "free"$/,
          `${NAME}.nameFormat`,
        ],
        wrong(
          "a community that is a number",
          { communityIds: [1] },
          "author.communityIds[0]",
          "must be a string, not 1",
        ),
      ])("R9a R21 S2.A3 S2.A7 S2.A25 %s is 400 on create and on update", refusedBoth);

      const unknownScheme = `Invalid authorIdInfo.idType: ['GND']. Allowed values are [${SCHEMES}].`;
      const languages =
        "'ja', 'ja-Kana', 'en', 'fr', 'it', 'de', 'es', 'zh-cn', 'zh-tw', 'ru', 'la', 'ms', 'eo', 'ar', 'el', 'ko'";
      const unknownLanguage = `Invalid authorNameInfo.language: ['ja-Latn']. Allowed values are [${languages}].`;
      const ofPersons =
        "Invalid affiliationInfo.affiliationIdType: ['ORCID']. Allowed values are ['ISNI', 'GRID', 'Ringgold', 'kakenhi', 'ROR'].";
      const foreign = affiliation({ affiliationName: "A", affiliationNameLang: "xx" });
      const orcid = institution({ affiliationIdType: "ORCID", affiliationId: "1" });
      test.each<Case>([
        ["an unknown scheme", ofId({ idType: "GND", authorId: "1" }), unknownScheme, `${ID}.idType`],
        [
          "a scheme as a number",
          ofId({ idType: "2", authorId: "1" }),
          /^Invalid authorIdInfo\.idType: \['2'\]\./,
          `${ID}.idType`,
        ],
        ["an unknown language", ofName({ language: "ja-Latn" }), unknownLanguage, `${NAME}.language`],
        ["a scheme of persons for an institution", orcid, ofPersons, `${PLACE_ID}.affiliationIdType`],
        [
          "a language of an affiliation",
          foreign,
          /^Invalid affiliationInfo\.affiliationNameLang: \['xx'\]\./,
          `${PLACE_NAME}.affiliationNameLang`,
        ],
      ])("R21 S2.A2 S2.A8 S2.A26 %s is 400 on create and on update", refusedBoth);

      test.each<Case>([
        ["idType alone", ofId({ idType: "ORCID" }), IDS, ID],
        ["authorId alone", ofId({ authorId: "1" }), IDS, ID],
        ["idType with nothing", ofId({ idType: "ORCID", authorId: " " }), IDS, ID],
        ["affiliationIdType alone", institution({ affiliationIdType: "ROR" }), INSTITUTIONS, PLACE_ID],
        ["affiliationId alone", institution({ affiliationId: "057zh3y96" }), INSTITUTIONS, PLACE_ID],
        ["affiliationName alone", affiliation({ affiliationName: "A" }), AFFILIATIONS, PLACE_NAME],
        ["affiliationNameLang alone", affiliation({ affiliationNameLang: "en" }), AFFILIATIONS, PLACE_NAME],
      ])("S2.A27 %s is 400 on create and on update", refusedBoth);

      test.each<Case>([
        ["a given name without language", ofName({ firstName: "T" }), LANGUAGE, NAME],
        ["a family name without language", ofName({ familyname: "J" }), LANGUAGE, NAME],
      ])("S2.A28 %s is 400 on create and on update", refusedBoth);

      const backwards = period({ periodStart: "2020-01-02", periodEnd: "2020-01-01" });
      test.each<Case>([
        ["a start that is not a day", period({ periodStart: "2020-4-1" }), DAY, `${PERIOD}.periodStart`],
        ["an end the calendar has not", period({ periodEnd: "2023-02-29" }), DAY, `${PERIOD}.periodEnd`],
        ["a time for a day", period({ periodEnd: "2023-02-28T00:00:00Z" }), DAY, `${PERIOD}.periodEnd`],
        ["a start after the end", backwards, "periodStart must be before periodEnd.", PERIOD],
      ])("S2.A29 %s is 400 on create and on update", refusedBoth);

      const communities = (...communityIds: readonly string[]) => ({ communityIds });
      const UNKNOWN = "Community ID(s) c3, c4 does not exist.";
      test.each<Case>([
        ["another symbol", communities("c1", "c 1"), "Invalid community ID format: c 1", "author.communityIds[1]"],
        ["a control character", communities("c\u0007"), /^Invalid community ID format: c/, "author.communityIds[0]"],
        ["no name", communities(""), "Invalid community ID format: ", "author.communityIds[0]"],
        ["a name nobody knows", communities("c1", "c3", "c4"), UNKNOWN, "author.communityIds"],
      ])("S2.A30 a community with %s is 400 on create and on update", refusedBoth);

      const ror = institution({ affiliationIdType: "ROR", affiliationId: "057zh3y95" });
      const rorMessage = /an identifier of the scheme ROR must be 0, six letters or digits, and two check digits/;
      const isni = institution({ affiliationIdType: "ISNI", affiliationId: "1" });
      const idOf = (idType: string, authorId: string) => ofId({ idType, authorId });
      test.each<Case>([
        ["an ORCID with a wrong check character", idOf("ORCID", "0000-0002-1825-0098"), CHECKED, `${ID}.authorId`],
        ["an ORCID without hyphens", idOf("ORCID", "0000000218250097"), CHECKED, `${ID}.authorId`],
        ["an ISNI with a wrong check character", idOf("ISNI", "0000 0001 2103 2684"), CHECKED, `${ID}.authorId`],
        ["a ROR with wrong check digits", ror, rorMessage, `${PLACE_ID}.affiliationId`],
        ["an ISNI of an institution", isni, CHECKED, `${PLACE_ID}.affiliationId`],
      ])("R22 %s is 400 on create and on update", refusedBoth);

      test.each<[string, string, string | RegExp]>([
        ["no body", "", "author can not be null."],
        ["an empty object", "{}", "author can not be null."],
        ["author null", '{"author":null}', "author can not be null."],
        ["an empty author", '{"author":{}}', "author can not be null."],
        ["an author that is a list", '{"author":[]}', "author must be an object, not a list"],
        ["a body that is a list", "[]", "The body must be an object, not a list"],
        ["a body that is a text", '"author"', 'The body must be an object, not "author"'],
        ["what is not JSON", "{author}", "The body is not JSON"],
        ["what is not UTF-8", "\u00ff", "The body is not JSON"],
        ["another member next to author", '{"author":{"emailInfo":[]},"x":1}', /^Unknown member "x"; there are author/],
        ["what is too deep", `{"author":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, /^The body cannot be read: /],
      ])("S2.A14 S2.A25 S2.A34 R9a %s is 400 on create and on update", async (_what, body, message) => {
        const { id } = await world.author({ authorNameInfo: [name("Whole")] });
        refused(await world.send("admin", "POST", PATH, body), 400, message);
        refused(await world.send("admin", "PUT", `${PATH}/${id}`, body), 400, message);
      });

      test("R9 everything that is wrong is reported: the first as the message, all with their fields", async () => {
        const wrong = {
          emailInfo: [{ email: 7 }],
          authorIdInfo: [{ idType: "ORCID", authorId: "1" }, { idType: "AID" }, { idType: "AID", authorId: "fits" }],
          affiliationInfo: [{ affiliationPeriodInfo: [{ periodStart: "today" }] }],
          nickname: "T",
        };
        const { status, json } = await world.create(wrong);
        const errors = json.errors as readonly { readonly field: string; readonly message: string }[];
        expect([status, json.message]).toEqual([400, errors[0]?.message]);
        expect(errors.map(({ field, message }) => [field, message.slice(0, 45)])).toEqual([
          ["author", 'Unknown member "nickname" in author; there ar'],
          ["author.emailInfo[0].email", "author.emailInfo[0].email must be a string, n"],
          ["author.authorIdInfo[0].authorId", "author.authorIdInfo[0].authorId: an identifie"],
          ["author.authorIdInfo[1]", "Both 'idType' and 'authorId' must be provided"],
          [
            "author.affiliationInfo[0].affiliationPeriodInfo[0].periodStart",
            "Not a valid date format. Use YYYY-MM-DD.",
          ],
        ]);
        const asked = await world.search({ page: "0", size: "many", fullname: "fits" });
        expect([asked.status, asked.json.errors]).toMatchObject([400, [{ field: "size" }, { field: "page" }]]);
      });

      test("S2.A27 S2.A19 empty entries, as forms send them, are left out; of an update's identifiers none may be empty", async () => {
        const nothing = {
          identifierInfo: [{}, { affiliationIdType: "", affiliationId: "" }],
          affiliationNameInfo: [{ affiliationName: " " }],
        };
        const sent = {
          emailInfo: [{}, { email: "" }],
          authorIdInfo: [{}, { idType: "", authorId: "" }],
          affiliationInfo: [nothing],
        };
        const author = await world.author(sent);
        expect(author).toMatchObject({
          emailInfo: [],
          authorIdInfo: [{ idType: "LOCAL" }],
          affiliationInfo: [{ identifierInfo: [], affiliationNameInfo: [] }],
        });
        expect(author.authorIdInfo.length).toBe(1);
        refused(await world.update(author.id, { authorIdInfo: [local(author), {}] }), 400, IDS);
        expect((await world.update(author.id, { ...sent, authorIdInfo: [local(author)] })).status).toBe(200);
      });

      test("S2.A19 force_change belongs to update alone, and is a truth", async () => {
        const author = await world.author({ authorNameInfo: [name("Forced")] });
        const creating = { author: { emailInfo: [] }, force_change: true };
        refused(await world.send("admin", "POST", PATH, creating), 400, /"force_change"/);
        refused(await world.update(author.id, author, "yes"), 400, 'force_change must be true or false, not "yes"');
        expect((await world.update(author.id, author, "true")).status).toBe(200);
        expect((await world.update(author.id, author, false)).status).toBe(200);
      });

      test("S2.A29 an end that is left open may be null or empty", async () => {
        const affiliationPeriodInfo = [
          { periodStart: "2020-01-01", periodEnd: null },
          { periodStart: "", periodEnd: "2020-01-01" },
        ];
        const { affiliationInfo } = await world.author({ affiliationInfo: [{ affiliationPeriodInfo }] });
        expect(affiliationInfo).toMatchObject([
          { affiliationPeriodInfo: [{ periodStart: "2020-01-01" }, { periodEnd: "2020-01-01" }] },
        ]);
      });

      test("R9a a body that is too large is 413 in the authors' own shape", async () => {
        const authorNameInfo = [{ ...name("Large"), familyName: "x".repeat(2_100_000) }];
        refused(await world.create({ authorNameInfo }), 413, /./);
      });
    });

    describe("S2.A11 GET /api/{version}/authors", () => {
      let taro: ShownAuthor;
      let hanako: ShownAuthor;
      let rene: ShownAuthor;
      beforeAll(async () => {
        const english = name("Sato", "Ken Taro");
        taro = await world.author({
          authorIdInfo: [{ idType: "CiNii", authorId: "9000001" }],
          authorNameInfo: [english, name("佐藤", "健太郎", "ja"), name("サトウ", "ケンタロウ", "ja-Kana")],
          communityIds: ["c1"],
        });
        hanako = await world.author({
          authorNameInfo: [name("Sato", "Hanako"), name("佐藤", "花子", "ja")],
          communityIds: ["c1", "c2"],
        });
        rene = await world.author({ authorNameInfo: [name("O'Brien", "René")] });
      });

      test.each<[string, Readonly<Record<string, string>>, readonly ("taro" | "hanako" | "rene")[]]>([
        ["given and family name", { fullname: "Ken Taro Sato" }, ["taro"]],
        ["family and given name", { fullname: "Sato Ken Taro" }, ["taro"]],
        ["without blanks, in lower case", { fullname: "kentarosato" }, ["taro"]],
        ["with a comma, in capitals", { fullname: "SATO, KEN TARO" }, ["taro"]],
        ["wide letters", { fullname: "Ｓａｔｏ　Ｋｅｎ　Ｔａｒｏ" }, ["taro"]],
        ["Japanese without blank", { fullname: "佐藤健太郎" }, ["taro"]],
        ["Japanese with a wide blank, given name first", { fullname: "健太郎　佐藤" }, ["taro"]],
        ["half-width katakana", { fullname: "ｻﾄｳ ｹﾝﾀﾛｳ" }, ["taro"]],
        ["hiragana", { fullname: "さとう けんたろう" }, ["taro"]],
        ["without accent and apostrophe", { fullname: "rene obrien" }, ["rene"]],
        ["with another apostrophe, accent decomposed", { fullname: "Rene\u0301 O’Brien" }, ["rene"]],
        ["one part of it", { fullname: "sato" }, ["taro", "hanako"]],
        ["what begins so", { fullname: "Sato K*" }, ["taro"]],
        ["half a name", { fullname: "Sat" }, []],
        ["a given name", { firstname: "hanako" }, ["hanako"]],
        ["a family name that is a given name", { familyname: "Hanako" }, []],
        ["a family name", { familyname: "佐藤" }, ["taro", "hanako"]],
        ["family and given name", { familyname: "Sato", firstname: "花子" }, ["hanako"]],
        ["names of two", { familyname: "O'Brien", firstname: "Hanako" }, []],
        ["a community", { communityid: "c2" }, ["hanako"]],
        ["a community by its UUID, and a name", { communityid: COMMUNITY, fullname: "Sato*" }, ["taro", "hanako"]],
        ["a community nobody knows", { communityid: "c9" }, []],
        ["an identifier", { idtype: "CiNii", authorid: "9000001" }, ["taro"]],
        ["an identifier under another scheme", { idtype: "AID", authorid: "9000001" }, []],
        [
          "an identifier of one and the name of another",
          { idtype: "CiNii", authorid: "9000001", firstname: "Hanako" },
          [],
        ],
        ["a LOCAL number that is none", { idtype: "LOCAL", authorid: "x" }, []],
        ["both left empty, as forms do", { idtype: "", authorid: "", firstname: "René" }, ["rene"]],
        ["nothing but signs", { fullname: "---" }, []],
        ["quotes and wildcards", { fullname: "' or 1=1 --%_" }, []],
      ])("S2.A11 S2.A12 S2.A13 R20 %s", async (_what, asked, who) => {
        const { status, json } = await world.search(asked);
        const found = { taro, hanako, rene };
        expect([status, json]).toEqual([200, { authors: who.map((each) => found[each]) }]);
      });

      test("R20 pages by number: size from 1 to 1000, 100 where it is left out", async () => {
        for (let at = 0; at < 5; at += 1) await world.author({ authorNameInfo: [name("Paged", `Number ${at}`)] });
        const all = idsIn(await world.search({ familyname: "paged" }));
        expect(all).toEqual([...all].sort((a, b) => a - b));
        expect(all.length).toBe(5);
        const pages = ["1", "2", "3", "4"].map(async (page) =>
          idsIn(await world.search({ familyname: "paged", page, size: "2" })),
        );
        expect(await Promise.all(pages)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4), []]);
        for (let at = 0; at < 100; at += 1) await world.author({ authorNameInfo: [name("Many", `Number ${at}`)] });
        expect(idsIn(await world.search({ size: "1000" })).length).toBeGreaterThan(104);
        expect(idsIn(await world.search({})).length).toBe(100);
        expect(idsIn(await world.search({ communityid: "c1", size: "1", page: "2" }))).toHaveLength(1);
      });

      test.each<[string, Readonly<Record<string, string>>, string]>([
        ["idtype alone", { idtype: "ORCID" }, "Both 'idtype' and 'authorid' must be specified together or omitted."],
        ["authorid alone", { authorid: "1" }, "Both 'idtype' and 'authorid' must be specified together or omitted."],
        ["a scheme nobody knows", { idtype: "X'Y", authorid: "1" }, "Invalid idtype 'X'Y'."],
        ["a scheme as a number", { idtype: "2", authorid: "1" }, "Invalid idtype '2'."],
        ["a size of 0", { size: "0" }, 'size must be a whole number from 1 to 1000, not "0"'],
        ["a size above 1000", { size: "1001" }, 'size must be a whole number from 1 to 1000, not "1001"'],
        ["a page that is not a number", { page: "two" }, 'page must be a whole number from 1 to 1000000, not "two"'],
        ["a name that is too long", { fullname: "x".repeat(501) }, "fullname may have 500 characters at most"],
        ["NUL", { communityid: "c\0" }, "communityid must be text without control characters"],
      ])("S2.A12 S2.A34 R9 R9a R20 %s is 400", async (_what, asked, message) => {
        refused(await world.search(asked), 400, message);
      });

      test("S2.A11 a parameter that is repeated is 400", async () => {
        refused(await world.send("admin", "GET", `${PATH}?fullname=a&fullname=b`), 400, "fullname may be given once");
      });
    });

    describe("S2.A18 PUT and DELETE /api/{version}/authors/{identifier}", () => {
      test("S2.A20 S2.A22 the stored author is replaced: what is not sent is gone, and it is found by what it is now", async () => {
        const ids = { emailInfo: [{ email: "a@example.org" }], authorIdInfo: [{ idType: "VIAF", authorId: "11" }] };
        const rest = { authorNameInfo: [name("Earlier")], affiliationInfo: [{}], communityIds: ["c1"] };
        const before = await world.author({ ...ids, ...rest });
        const answer = await world.update(before.uuid.toUpperCase(), {
          authorIdInfo: [local(before)],
          authorNameInfo: [name("Later")],
        });
        expect([answer.status, answer.json.message]).toEqual([200, "Author successfully updated."]);
        const after = answer.json.author as ShownAuthor;
        expect(after).toEqual({
          ...{ id: before.id, uuid: before.uuid, emailInfo: [], affiliationInfo: [], communityIds: [] },
          authorIdInfo: [{ ...local(before), authorIdShowFlg: true }],
          authorNameInfo: [shownName("Later")],
        });
        expect(idsIn(await world.search({ familyname: "earlier" }))).toEqual([]);
        expect(idsIn(await world.search({ idtype: "VIAF", authorid: "11" }))).toEqual([]);
        expect((await world.search({ fullname: "taro later" })).json).toEqual({ authors: [after] });
        // What GET shows may be sent back as it is.
        expect((await world.update(before.id, after)).json.author).toEqual(after);
      });

      test("S2.A19 an update without a number of the scheme LOCAL, with one of another author, or with none that is a number, is 400", async () => {
        const [one, two] = [
          await world.author({ authorNameInfo: [name("One")] }),
          await world.author({ authorNameInfo: [name("Two")] }),
        ];
        const none = "author.authorIdInfo must have at least one entry of the scheme LOCAL";
        refused(await world.update(one.id, { authorNameInfo: [name("X")] }), 400, none);
        refused(await world.update(one.id, { authorIdInfo: [ORCID] }), 400, none);
        refused(await world.update(one.id, { authorIdInfo: [local(two)] }), 400, /is another author's$/);
        refused(await world.update(one.id, { authorIdInfo: [local(one), local(two)] }), 400, /is another author's$/);
        const stray = { idType: "LOCAL", authorId: "x" };
        refused(await world.update(one.id, { authorIdInfo: [local(one), stray] }), 400, /1 to 15 digits/);
        for (const authorId of ["0", "01", "1.5", "-1", "x", "9".repeat(16)]) {
          refused(
            await world.update(one.id, { authorIdInfo: [{ idType: "LOCAL", authorId }] }),
            400,
            /must be a number of 1 to 15 digits/,
          );
        }
        expect((await world.search({ idtype: "LOCAL", authorid: localOf(one) })).json).toEqual({ authors: [one] });
        expect((await world.search({ idtype: "LOCAL", authorid: localOf(two) })).json).toEqual({ authors: [two] });
      });

      test("S2.A16 R21 a free LOCAL number becomes the author's next to the one they had, and the next one is one more", async () => {
        const author = await world.author({ authorNameInfo: [name("Chosen")] });
        const chosen = String(Number(localOf(author)) + 1000);
        expect((await world.update(author.id, { authorIdInfo: [{ idType: "LOCAL", authorId: chosen }] })).status).toBe(
          200,
        );
        for (const authorid of [chosen, localOf(author)]) {
          expect(idsIn(await world.search({ idtype: "LOCAL", authorid }))).toEqual([author.id]);
        }
        expect(localOf(await world.author({ authorNameInfo: [name("Next")] }))).toBe(String(Number(chosen) + 1));
      });

      test.each(["x", "1x", "-1", "1.5", "%20", "00000000-0000-4000-8000-00000000000", "null"])(
        "S2.A18 S2.A34 the identifier %s is 400",
        async (identifier) => {
          const message = "Invalid identifier format. Must be an integer ID or UUID.";
          refused(await world.update(identifier, { authorIdInfo: [{ idType: "LOCAL", authorId: "1" }] }), 400, message);
          refused(await world.removeAuthor(identifier), 400, message);
        },
      );

      test.each(["0", "999999999", "9".repeat(40), "00000000-0000-4000-8000-000000000000"])(
        "S2.A22 S2.A23 S2.A34 an author %s who is not there is 404",
        async (identifier) => {
          const message = "Specified author does not exist.";
          refused(await world.update(identifier, { authorIdInfo: [{ idType: "LOCAL", authorId: "1" }] }), 404, message);
          refused(await world.removeAuthor(identifier), 404, message);
        },
      );

      test("S2.A9 S2.A23 R22 deleting answers 200 with a message; then nobody finds the author, and changing or deleting them is 404", async () => {
        const author = await world.author({
          authorIdInfo: [{ idType: "VIAF", authorId: "33" }],
          authorNameInfo: [name("Deleted")],
          communityIds: ["c2"],
        });
        const { status, json } = await world.removeAuthor(author.id);
        expect([status, json]).toEqual([200, { message: "Author successfully deleted." }]);
        for (const identifier of [author.id, author.uuid]) {
          refused(await world.removeAuthor(identifier), 404, "Specified author does not exist.");
          refused(await world.update(identifier, author), 404, "Specified author does not exist.");
        }
        const asked = [
          { familyname: "deleted" },
          { idtype: "VIAF", authorid: "33" },
          { idtype: "LOCAL", authorid: localOf(author) },
          { communityid: "c2", familyname: "deleted" },
        ];
        for (const each of asked) expect(idsIn(await world.search(each))).toEqual([]);
        expect(idsIn(await world.search({ communityid: "c2" }))).not.toContain(author.id);
        expect(await world.store.authors.author(author.id)).toMatchObject({ deletedAt: expect.any(String) });
      });
    });

    describe("who may", () => {
      const CALLS: readonly [string, string, string, unknown][] = [
        ["GET", PATH, "author:search", undefined],
        ["POST", PATH, "author:create", { author: { authorNameInfo: [name("Scope")] } }],
        ["PUT", `${PATH}/999999`, "author:update", { author: { authorIdInfo: [{ idType: "LOCAL", authorId: "1" }] } }],
        ["DELETE", `${PATH}/999999`, "author:delete", undefined],
      ];
      const ALLOWED: Readonly<Record<string, number>> = { GET: 200, POST: 200, PUT: 404, DELETE: 404 };

      test.each(CALLS)("S2.A10 S2.A34 %s %s without a valid token is 401", async (method, path, _scope, body) => {
        const bare = await world.send(null, method, path, body);
        refused(bare, 401, "A Bearer access token is needed");
        expect(bare.headers.get("www-authenticate")).toBe('Bearer realm="repository"');
        refused(await world.send({ token: "nobody's" }, method, path, body), 401, "The access token is not valid");
      });

      test.each(CALLS)("S2.A32 S2.A1 S2.A34 %s %s needs the scope %s alone", async (method, path, scope, body) => {
        const others = ["author:search", "author:create", "author:update", "author:delete", "index:read"].filter(
          (each) => each !== scope,
        );
        const lacking = await world.token("admin", others, null);
        refused(await world.send(lacking, method, path, body), 403, `The access token lacks the scope ${scope}`);
        const enough = await world.token("admin", [scope], null);
        expect((await world.send(enough, method, path, body)).status).toBe(ALLOWED[method] ?? 0);
      });

      test.each<[PersonName, boolean]>([
        ["system", true],
        ["admin", true],
        ["manager", true],
        ["stranger", true],
        ["registered", false],
        ["curator", false],
        ["general", false],
      ])("S2.A33 S2.A34 the role of %s", async (who, isAllowed) => {
        for (const [method, path, , sent] of CALLS) {
          const answer = await world.send(who, method, path, sent);
          if (isAllowed)
            expect([
              method,
              answer.status === 403 && String(answer.json.message).startsWith("Permission denied"),
            ]).toEqual([method, false]);
          else
            refused(
              answer,
              403,
              "Permission denied: only administrators of the repository or of a community may do this",
            );
        }
      });

      test.each(["v2", "1", "V1", "v1.0"])("S2.A10 R9 the version %s is 400 for every caller", async (version) => {
        for (const who of ["admin", null] as const) {
          refused(await world.send(who, "GET", `/api/${version}/authors`), 400, "This API version does not found.");
          refused(
            await world.send(who, "POST", `/api/${version}/authors`, {}),
            400,
            "This API version does not found.",
          );
          refused(
            await world.send(who, "PUT", `/api/${version}/authors/1`, {}),
            400,
            "This API version does not found.",
          );
          refused(
            await world.send(who, "DELETE", `/api/${version}/authors/1`),
            400,
            "This API version does not found.",
          );
        }
      });

      test("R9 a path below that is none answers in the authors' own shape", async () => {
        refused(await world.send("admin", "GET", `${PATH}/1/items/2`), 404, /./);
      });

      test("R9 S2.A34 too many requests are 429 in the authors' own shape, with Retry-After", async () => {
        const few = world.under({ SVC_RATE_PER_MINUTE: "2" });
        const answers = [];
        for (let at = 0; at < 3; at += 1) answers.push(await few.ask("system", "GET", PATH));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
        const [last] = answers.slice(-1);
        if (last === undefined) throw new Error("Nobody answered");
        refused(last, 429, /./);
        expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
      });
    });

    describe("administrators of a community", () => {
      const FORBIDDEN = (slugs: string) => `You do not have permission for this Author ID's communities: ${slugs}.`;
      const ONE = "You must include at least one managed community.";
      const as = (communityIds: readonly string[]) => ({ authorNameInfo: [name("Community")], communityIds });

      test.each<[string, readonly string[], number, string]>([
        ["nobody's", [], 400, ONE],
        ["another one's", ["c2"], 403, FORBIDDEN("c2")],
        ["their own and another one's", ["c1", "c2"], 403, FORBIDDEN("c2")],
        ["one nobody knows", ["c1", "c9"], 400, "Community ID(s) c9 does not exist."],
      ])("S2.A30 S2.A31 R21a %s author is not theirs to create", async (_what, communityIds, status, message) => {
        refused(await world.create(as(communityIds), "manager"), status, message);
      });

      test("S2.A6 S2.A31 their own author they create, by slug or UUID, and change and delete", async () => {
        const author = (await world.create(as([COMMUNITY, "c1"]), "manager")).json.author as ShownAuthor;
        expect(author.communityIds).toEqual(["c1"]);
        const renamed = { ...author, authorNameInfo: [name("Changed")] };
        const changed = await world.update(author.id, renamed, true, "manager");
        expect([changed.status, changed.json.message]).toEqual([200, "Author successfully updated."]);
        refused(await world.update(author.id, { ...author, communityIds: [] }, false, "manager"), 400, ONE);
        refused(
          await world.update(author.id, { ...author, communityIds: ["c1", "c2"] }, false, "manager"),
          403,
          FORBIDDEN("c2"),
        );
        expect((await world.removeAuthor(author.id, "manager")).status).toBe(200);
      });

      test("S2.A31 what others manage too stays theirs: naming it is needed, leaving it out is 403", async () => {
        const author = await world.author(as(["c1", "c2"]));
        refused(
          await world.update(author.id, { ...author, communityIds: ["c1"] }, false, "manager"),
          403,
          FORBIDDEN("c2"),
        );
        refused(await world.update(author.id, { ...author, communityIds: ["c2"] }, false, "manager"), 400, ONE);
        expect(
          (await world.update(author.id, { ...author, communityIds: ["c2", "c1"] }, false, "manager")).status,
        ).toBe(200);
        expect((await world.update(author.id, { ...author, communityIds: [] })).status).toBe(200);
      });

      test("S2.A24 S2.A31 an author of another community, or of none, they neither change nor delete", async () => {
        for (const communityIds of [["c2"], []]) {
          const author = await world.author(as(communityIds));
          refused(
            await world.update(author.id, { ...author, communityIds: ["c1"] }, false, "manager"),
            403,
            "You cannot manage this record.",
          );
          refused(await world.removeAuthor(author.uuid, "manager"), 403, "You cannot manage this record.");
          refused(await world.removeAuthor(author.uuid, "stranger"), 403, "You cannot manage this record.");
          expect(idsIn(await world.search({ idtype: "LOCAL", authorid: localOf(author) }, "manager"))).toEqual([
            author.id,
          ]);
        }
        const shared = await world.author(as(["c2", "c1"]));
        expect((await world.removeAuthor(shared.id, "manager")).status).toBe(200);
      });

      test("S2.A24 S2.A30 S2.A31 who manages two communities has the authors of each, as owner or as manager of it", async () => {
        const { store, people } = world;
        const set = (role: "manager" | "curator" | null) =>
          store.transact(async (tx) => {
            const other = await tx.communities.community("c2");
            await tx.communities.setMember(other?.id ?? "", people.manager.account.id, role);
          });
        try {
          await set("manager");
          for (const communityIds of [["c2"], ["c1"], ["c1", "c2"]]) {
            const { status, json } = await world.create(as(communityIds), "manager");
            const author = json.author as ShownAuthor;
            expect([status, author.communityIds]).toEqual([200, communityIds]);
            const moved = await world.update(author.id, { ...author, communityIds: ["c2"] }, false, "manager");
            expect([moved.status, (moved.json.author as ShownAuthor).communityIds]).toEqual([200, ["c2"]]);
            expect((await world.removeAuthor(author.id, "manager")).status).toBe(200);
          }
          await set("curator");
          await store.transact(async (tx) => {
            const other = await tx.communities.community("c2");
            if (other === null) throw new Error("There is no community");
            await tx.communities.saveCommunity({ ...other, id: "00000000-0000-4000-8000-0000000000c3", slug: "c3" });
          });
          refused(await world.create(as(["c2", "c1"]), "manager"), 403, FORBIDDEN("c2"));
          refused(await world.create(as(["c3", "c1", "c2"]), "manager"), 403, FORBIDDEN("c3, c2"));
        } finally {
          await set(null);
        }
      });

      test("S2.A31 R2g rights are read again where something is written: a former manager of a community is refused", async () => {
        const { store, people } = world;
        const set = (role: "owner" | null) =>
          store.transact((tx) => tx.communities.setMember(COMMUNITY, people.manager.account.id, role));
        const author = await world.author(as(["c1"]));
        await set(null);
        try {
          refused(await world.create(as(["c1"]), "manager"), 403, FORBIDDEN("c1"));
          refused(await world.removeAuthor(author.id, "manager"), 403, "You cannot manage this record.");
        } finally {
          await set("owner");
        }
      });
    });

    describe("what fails", () => {
      const broken = (work: () => void) => {
        const { parts } = world;
        const { store } = parts;
        const transact: typeof store.transact = (inside) =>
          store.transact(async (tx) => {
            const result = await inside(tx);
            work();
            return result;
          });
        return world.under({}, (all) => ({ ...all, store: { ...store, transact } }));
      };
      test("S2.A17 S2.A23 S2.A34 on an error everything is rolled back, and 500 reveals nothing internal", async () => {
        const author = await world.author({ authorNameInfo: [name("Kept")] });
        let begun = 0;
        const failing = broken(() => {
          begun += 1;
          throw new Error("secret inside");
        });
        const body = {
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ author: { ...author, authorNameInfo: [name("Lost")] } }),
        };
        const calls: readonly [string, string][] = [
          ["POST", PATH],
          ["PUT", `${PATH}/${author.id}`],
          ["DELETE", `${PATH}/${author.id}`],
        ];
        for (const [method, path] of calls) {
          const answer = await failing.ask("admin", method, path, method === "DELETE" ? {} : body);
          refused(answer, 500, "Internal Server Error");
          expect(answer.text).not.toContain("secret");
        }
        expect(begun).toBe(3);
        expect(idsIn(await world.search({ familyname: "lost" }))).toEqual([]);
        expect((await world.search({ familyname: "kept" })).json).toEqual({ authors: [author] });
      });
    });

    describe("schemes and languages", () => {
      const admin = (method: string, path: string, body?: unknown, who: Who = "system") =>
        world.send(who, method, `/api/v1/admin/${path}`, body);

      test("R21 S2.A8 an administrator adds a scheme with its address and form; then authors may have it, and be searched", async () => {
        const scheme = { url: "https://d-nb.info/gnd/##", form: "digits" };
        expect((await admin("PUT", "author-schemes/GND", scheme)).json).toEqual({ id: "GND", ...scheme });
        refused(
          await world.create({ authorIdInfo: [{ idType: "GND", authorId: "x" }] }),
          400,
          /GND must be digits, not "x"$/,
        );
        const author = await world.author({ authorIdInfo: [{ idType: "GND", authorId: "118" }] });
        expect(idsIn(await world.search({ idtype: "GND", authorid: "118" }))).toEqual([author.id]);
        expect((await admin("GET", "author-schemes")).json).toMatchObject({ total: 15 });
        const used = await admin("DELETE", "author-schemes/GND");
        expect([used.status, used.json.message]).toEqual([
          409,
          `Cannot remove "GND": author ${author.id} has an identifier of this scheme`,
        ]);
        await world.removeAuthor(author.id);
        expect((await admin("DELETE", "author-schemes/GND")).status).toBe(204);
        refused(await world.search({ idtype: "GND", authorid: "118" }), 400, "Invalid idtype 'GND'.");
      });

      test("R21 institution schemes and languages are separate lists", async () => {
        const expected = { id: "Wikidata", url: "", form: "any" };
        expect((await admin("PUT", "institution-schemes/Wikidata", {})).json).toEqual(expected);
        expect((await admin("PUT", "author-languages/ja-Latn", {})).json).toEqual({ id: "ja-Latn" });
        const author = await world.author({
          authorNameInfo: [name("Satou", "Jirou", "ja-Latn")],
          affiliationInfo: [{ identifierInfo: [{ affiliationIdType: "Wikidata", affiliationId: "Q7842" }] }],
        });
        expect((await admin("DELETE", "institution-schemes/Wikidata")).status).toBe(409);
        expect((await admin("DELETE", "author-languages/ja-Latn")).status).toBe(204);
        expect(idsIn(await world.search({ fullname: "Jirou Satou" }))).toEqual([author.id]);
      });

      test("R21 what cannot be set is refused: by whom, twice, in what form, and LOCAL stays", async () => {
        expect((await admin("PUT", "author-schemes/X", {}, "admin")).status).toBe(403);
        expect((await admin("PUT", "author-schemes/orcid", {})).status).toBe(409);
        expect((await admin("PUT", "author-schemes/a:b", {})).status).toBe(400);
        expect((await admin("PUT", "author-schemes/X", { url: "javascript:##" })).status).toBe(400);
        expect((await admin("PUT", "author-schemes/X", { form: "^(a+)+$" })).status).toBe(400);
        expect((await admin("PUT", "author-languages/x", { url: "" })).status).toBe(400);
        expect((await admin("GET", "author-schemes/X")).status).toBe(404);
        expect((await admin("DELETE", "author-schemes/X")).status).toBe(404);
        expect((await admin("DELETE", "author-schemes/LOCAL")).status).toBe(409);
        expect((await admin("PUT", "author-schemes/ORCID", {})).json).toMatchObject({ form: "orcid" });
      });
    });
  });
});
