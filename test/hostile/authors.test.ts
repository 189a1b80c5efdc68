// What strangers send to the author database (R9, R20 to R22): every answer in its own shape, never 5xx, and
// what is taken is found again.
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { onEachDatabase } from "../support/databases.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { idsIn, localOf, type ShownAuthor } from "../support/world/authors.ts";
import type { Answer } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const RUNS = inSlowRing ? 3_000 : 150;
const PATH = "/api/v1/authors";

/** Texts that break what was not made with care. */
const EVIL = [
  ...[
    "",
    " ",
    "\0",
    "\u0007",
    "\ud800",
    "\u202e",
    "\ufdfa".repeat(400),
    "x".repeat(501),
    "ﷺ",
    "👩‍👩‍👧‍👦",
    "%00",
    "*",
    "%",
    "_",
  ],
  ...[
    "'; drop table author; --",
    "$1",
    "{}",
    "[]",
    "null",
    "ORCID\0",
    "__proto__",
    "constructor",
    "true",
    "1e999",
    "-0",
  ],
  ...["javascript:alert(1)", "<script>", "../../etc/passwd", "ORCID' or '1'='1", "doc['x'].value", "9".repeat(400)],
];
const evil = fc.oneof(
  fc.constantFrom(...EVIL),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);
const orElse = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: good }, { weight: 1, arbitrary: evil });
const scheme = orElse(fc.constantFrom("LOCAL", "VIAF", "AID"));
const language = orElse(fc.constantFrom("ja", "en", "ja-Kana"));
const text = orElse(fc.stringMatching(/^[\w山-田]{1,12}$/));
const flag = orElse(fc.constantFrom(true, false, "true"));
const some = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.record(members) },
    { weight: 1, arbitrary: fc.record(members, { requiredKeys: [] }) },
  );
const listOf = (entry: fc.Arbitrary<unknown>) => orElse(fc.array(orElse(entry), { maxLength: 3 }));
const affiliation = some({
  identifierInfo: listOf(some({ affiliationIdType: scheme, affiliationId: text, identifierShowFlg: flag })),
  affiliationNameInfo: listOf(
    some({ affiliationName: text, affiliationNameLang: language, affiliationNameShowFlg: flag }),
  ),
  affiliationPeriodInfo: listOf(
    some({ periodStart: orElse(fc.constant("2020-01-01")), periodEnd: orElse(fc.constant(null)) }),
  ),
});
const author = some({
  emailInfo: listOf(some({ email: text })),
  authorIdInfo: listOf(some({ idType: scheme, authorId: text, authorIdShowFlg: flag })),
  authorNameInfo: listOf(
    some({
      language,
      firstName: text,
      familyName: text,
      nameFormat: orElse(fc.constant("familyNmAndNm")),
      nameShowFlg: flag,
    }),
  ),
  affiliationInfo: listOf(affiliation),
  communityIds: listOf(fc.constant("c1")),
});
const body = orElse(some({ author: orElse(author) }));

function inShape({ status, json, text: content }: Answer): void {
  if (status === 200) return;
  expect([content.slice(0, 300), status >= 400 && status < 500]).toEqual([content.slice(0, 300), true]);
  expect([json.code, json.status, typeof json.message]).toEqual([status, status, "string"]);
  expect(Object.keys(json).filter((name) => !["code", "status", "message", "errors"].includes(name))).toEqual([]);
}

describe("hostile authors", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: true, authors: true, database });
    let known: ShownAuthor;
    beforeAll(async () => {
      known = await world.author({ authorNameInfo: [{ language: "en", familyName: "Known" }] });
    });

    test("R9 R21 S2.A34 bodies of every kind are taken or refused in shape, and what is taken is found as it was echoed", async () => {
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(body, async (sent) => {
          const text = JSON.stringify(sent);
          const made = await world.send("admin", "POST", PATH, text);
          inShape(made);
          if (made.status === 200) {
            taken += 1;
            const echo = made.json.author as ShownAuthor;
            const again = await world.search({ idtype: "LOCAL", authorid: localOf(echo) });
            expect(again.json).toEqual({ authors: [echo] });
            inShape(await world.send("admin", "PUT", `${PATH}/${echo.id}`, { author: echo, force_change: true }));
            inShape(await world.removeAuthor(echo.id));
          }
          const update = JSON.stringify({ ...Object(sent), force_change: text.length % 2 === 0 });
          inShape(await world.send("admin", "PUT", `${PATH}/${known.id}`, update));
          inShape(await world.send("manager", "POST", PATH, text));
        }),
        { numRuns: RUNS },
      );
      expect(taken).toBeGreaterThan(0);
    }, 120_000);

    test("R9 R20 S2.A34 searches, identifiers and bytes of every kind are answered in shape", async () => {
      const names = ["fullname", "firstname", "familyname", "idtype", "authorid", "communityid", "page", "size", "x"];
      const query = fc.dictionary(
        fc.constantFrom(...names),
        fc.oneof(fc.constantFrom(...EVIL, "ORCID", "1"), fc.string({ unit: "binary" })),
      );
      await fc.assert(
        fc.asyncProperty(query, fc.constantFrom(...EVIL), async (asked, id) => {
          const sent = Object.fromEntries(Object.entries(asked).map(([each, value]) => [each, value.toWellFormed()]));
          inShape(await world.search(sent));
          const segment = encodeURIComponent(id.toWellFormed());
          if (segment === "" || segment.length > 2_000) return;
          inShape(await world.send("admin", "PUT", `${PATH}/${segment}`, { author: known }));
          inShape(await world.removeAuthor(segment));
        }),
        { numRuns: RUNS },
      );
      for (const raw of ["%", "fullname=%", "fullname=%ff", "fullname=%00", "idtype=%ed%a0%80&authorid=1", "&&==&"]) {
        inShape(await world.send("admin", "GET", `${PATH}?${raw}`));
      }
      expect(idsIn(await world.search({ idtype: "LOCAL", authorid: localOf(known) }))).toEqual([known.id]);
    }, 120_000);

    test("R9a deep and wide bodies are refused before they cost anything", async () => {
      const deep = (open: string, close: string) => `${open.repeat(50_000)}1${close.repeat(50_000)}`;
      const bodies = [
        deep("[", "]"),
        `{"author":${deep('{"emailInfo":', "}")}}`,
        `{"author":{"emailInfo":[${"{},".repeat(400_000)}{}]}}`,
        `{"author":{${Array.from({ length: 50_000 }, (_, at) => `"m${at}":1`).join(",")}}}`,
        `{"author":{"affiliationInfo":[${Array.from({ length: 200 }, () => `{"affiliationPeriodInfo":[${"{},".repeat(500)}{}]}`).join(",")}]}}`,
      ];
      for (const each of bodies) {
        const answer = await world.send("admin", "POST", PATH, each);
        inShape(answer);
        expect([400, 413]).toContain(answer.status);
      }
    }, 60_000);
  });
});
