// Two records of one person become one (R6a): items, numbers and ids lead to the survivor for ever.
import { describe, expect, test } from "bun:test";
import { anAgent, idsIn, localOf, type ShownAuthor } from "../support/world/authors.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true, authors: true });

const PATH = "/api/v1/authors";
const named = (familyName: string, more: object = {}) => ({
  authorNameInfo: [{ language: "en", familyName, firstName: "Ada", nameShowFlg: true }],
  ...more,
});
const merge = (id: number | string, into: unknown, who: Who = "admin") =>
  world.send(who, "POST", `${PATH}/${id}/merge`, { into });
const linkedTo = (author: ShownAuthor) => anAgent({ authorId: author.id, names: [{ family: "Doe", given: "Ada" }] });

async function work(): Promise<void> {
  const runner = world.runner();
  await runner.runDue();
}

describe("R6a merging authors", () => {
  test("R6a the survivor is found by both numbers, and gets identifiers they did not have", async () => {
    const ofSchemes = (...pairs: readonly (readonly [string, string])[]) => ({
      authorIdInfo: pairs.map(([idType, authorId]) => ({ idType, authorId, authorIdShowFlg: true })),
    });
    const [one, other] = [
      await world.author(
        named("Mergeone", ofSchemes(["ORCID", "0000-0002-1825-0097"], ["NRID", "1"], ["VIAF", "2"], ["VIAF", "3"])),
      ),
      await world.author(named("Mergetwo", ofSchemes(["AID", "8"], ["NRID", "9"]))),
    ];
    const answer = await merge(one.id, other.id);
    expect(answer.status).toBe(200);
    const survivor = answer.json.author as ShownAuthor;
    expect(survivor.id).toBe(other.id);
    expect(survivor.authorNameInfo).toEqual(other.authorNameInfo);
    // Of schemes that the survivor has, the survivor's identifiers stay alone.
    expect(survivor.authorIdInfo.map(({ idType, authorId }) => `${idType} ${authorId}`)).toEqual([
      ...[`LOCAL ${localOf(other)}`, "AID 8", "NRID 9", "ORCID 0000-0002-1825-0097", "VIAF 2", "VIAF 3"],
    ]);
    expect(idsIn(await world.search({ idtype: "NRID", authorid: "1" }))).toEqual([]);
    expect(idsIn(await world.search({ idtype: "LOCAL", authorid: localOf(one) }))).toEqual([other.id]);
    expect(idsIn(await world.search({ idtype: "ORCID", authorid: "0000-0002-1825-0097" }))).toEqual([other.id]);
    expect(idsIn(await world.search({ fullname: "Mergeone Ada" }))).toEqual([]);
    expect((await world.update(one.id, one)).status).toBe(404);
    expect((await merge(one.id, other.id)).status).toBe(404);
  });

  test("R6a R23 items follow, also those that are written later by the old number", async () => {
    const [one, other] = [await world.author(named("Itemsone")), await world.author(named("Itemstwo"))];
    const item = await world.publish(linkedTo(one));
    await merge(one.uuid, other.uuid);
    await work();
    expect((await world.creatorsOf(item.id)).map(({ authorId }) => authorId)).toEqual([other.id]);
    const late = await world.publish(anAgent({ ids: [{ scheme: "LOCAL", value: localOf(one) }] }));
    expect((await world.creatorsOf(late.id)).map(({ authorId }) => authorId)).toEqual([other.id]);
  });

  test("R6a an author who was merged into after merging others leads them all to the last", async () => {
    const [one, two, three] = [
      await world.author(named("A")),
      await world.author(named("B")),
      await world.author(named("C")),
    ];
    await merge(one.id, two.id);
    await merge(two.id, three.id);
    expect(idsIn(await world.search({ idtype: "LOCAL", authorid: localOf(one) }))).toEqual([three.id]);
    expect(await world.store.authors.author(one.id)).toMatchObject({ mergedInto: three.id });
  });

  test("S2.A24 S2.A31 R6a administrators of a community merge two authors of theirs, and neither of the two may be another's", async () => {
    await world.store.transact(async (tx) => {
      const own = await tx.communities.community("c1");
      if (own === null) throw new Error("There is no community c1");
      const id = "00000000-0000-4000-8000-0000000000c2";
      await tx.communities.saveCommunity({ ...own, id, slug: "c2", rootIndex: null });
    });
    const of = (...communityIds: readonly string[]) => world.author(named("Managed", { communityIds }));
    const [mine, second, theirs, nobodys] = [await of("c1"), await of("c2", "c1"), await of("c2"), await of()];
    for (const [taken, into, who] of [
      [mine, theirs, "manager"],
      [theirs, mine, "manager"],
      [nobodys, mine, "manager"],
      [mine, nobodys, "manager"],
      [mine, second, "stranger"],
      [mine, second, "registered"],
    ] as const) {
      expect([taken.communityIds, into.communityIds, (await merge(taken.id, into.id, who)).status]).toEqual([
        ...[taken.communityIds, into.communityIds, 403],
      ]);
    }
    const merged = await merge(second.id, mine.id, "manager");
    expect([merged.status, (merged.json.author as ShownAuthor).id]).toEqual([200, mine.id]);
    expect((await merge(theirs.id, nobodys.id)).status).toBe(200);
  });

  test("R6a R9 errors name what is wrong: oneself, nobody, no number, another body, no right", async () => {
    const one = await world.author(named("Wrong"));
    const statuses: (readonly [number, unknown])[] = [];
    for (const [id, into] of [
      [one.id, one.id],
      [one.id, 99_999_999],
      [one.id, "x'; --"],
      [one.id, null],
      [99_999_999, one.id],
    ] as const) {
      const { status, json } = await merge(id, into);
      statuses.push([status, json.code]);
    }
    expect(statuses).toEqual([400, 404, 400, 400, 404].map((status) => [status, status]));
    expect((await world.send("admin", "POST", `${PATH}/${one.id}/merge`, { into: 1, more: 2 })).status).toBe(400);
    expect((await world.send("admin", "POST", `${PATH}/${one.id}/merge`, "[")).status).toBe(400);
    expect((await merge(one.id, 1, null)).status).toBe(401);
  });

  test("R6a of two merges of a pair in both directions at once one holds", async () => {
    const [one, other] = [await world.author(named("Ring")), await world.author(named("Ringtoo"))];
    const answers = await Promise.all([merge(one.id, other.id), merge(other.id, one.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const records = await world.store.authors.authors([one.id, other.id]);
    expect(records.filter(({ mergedInto }) => mergedInto === null)).toHaveLength(1);
  });
});
