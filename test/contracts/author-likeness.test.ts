// Pairs of authors who are likely one person (R6a, R21a), on both databases.

import { describe, expect, test } from "bun:test";
import { likelyPairs } from "../../src/repository/authors/likeness.ts";
import { onEachDatabase } from "../support/databases.ts";
import { anAgent } from "../support/world/authors.ts";
import { openWorld } from "../support/world.ts";

const person = (familyName: string, firstName: string, more: object = {}, language = "en") => ({
  authorNameInfo: [{ language, familyName, firstName, nameShowFlg: true }],
  ...more,
});
/** At several places, each by several names, or by the identifiers that follow "ror". */
const works = (...places: readonly (readonly string[])[]) => ({
  affiliationInfo: places.map(([first = "", ...others]) => {
    if (first === "ror")
      return { identifierInfo: others.map((affiliationId) => ({ affiliationIdType: "ROR", affiliationId })) };
    const named = (affiliationName: string) => ({ affiliationName, affiliationNameLang: "en" });
    return { affiliationNameInfo: [first, ...others].map(named) };
  }),
});
const orcid = { authorIdInfo: [{ idType: "ORCID", authorId: "0000-0002-1825-0097", authorIdShowFlg: true }] };

describe("likely pairs", () => {
  onEachDatabase((database) => {
    test("R21a R6a one identifier, or one name with an affiliation or a co-author in common, makes a pair, and nothing else does", async () => {
      const world = await openWorld({ repository: true, authors: true, database });
      const make = async (author: unknown) => (await world.author(author)).id;
      const same = [await make(person("Id", "One", orcid)), await make(person("Other", "Two", orcid))];
      const org = [
        await make(person("Sato", "Ken", works(["Tokyo"], ["Institute", "NII"]))),
        await make(person("ＫＥＮ", "ＳＡＴＯ", works(["Kyoto"], ["ror", "057zh3y96", "04ksd4g47"], ["x", "n i i"]))),
        await make(person("Sato", "Ken", works(["Elsewhere"], ["ror", "01an7q238", "https://ror.org/04KSD4G47"]))),
        await make(person("Sato", "Ken", works(["Nowhere"], ["ror", "02mhbdp94"]))),
      ];
      const wrote = [
        await make(person("Abe", "Yui")),
        await make(person("Abe", "Yui")),
        await make(person("Abe", "Yui")),
      ];
      const friend = await make(person("Friend", "Of"));
      for (const id of wrote.slice(0, 2)) {
        await world.publish(anAgent({ authorId: id }), anAgent({ authorId: friend }));
      }
      const gone = await make(person("Sato", "Ken", works(["NII"])));
      await world.removeAuthor(gone);
      const pairs = [];
      for await (const pair of likelyPairs(world.store.authors, 100)) pairs.push(pair);
      const messages = pairs.map(({ one, other, reasons }) => [
        ...[one.id, other.id],
        ...reasons.map(({ kind, value }) => `${kind}: ${value}`),
      ]);
      const byNumber = (one: (number | string)[], other: (number | string)[]) => Number(one[0]) - Number(other[0]);
      expect(messages.sort(byNumber)).toEqual([
        [same[0], same[1], "identifier: orcid:0000000218250097"],
        [org[0], org[1], "name and affiliation: nii"],
        [org[1], org[2], "name and affiliation: ror:04ksd4g47"],
        [wrote[0], wrote[1], `name and co-author: ${friend}`],
      ] as (number | string)[][]);
      const first = [];
      for await (const pair of likelyPairs(world.store.authors, 1)) first.push(pair);
      expect(first).toHaveLength(1);
    });
  });
});
