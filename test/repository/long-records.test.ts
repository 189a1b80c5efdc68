// Long records that many ask for at once (R9a): a few are read and written at a time, and short ones do not wait for
// them.

import { expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { platformRandom } from "../../src/adapters/random.ts";
import { shippedVocabulary } from "../../src/assets/vocabularies/index.ts";
import { GUEST } from "../../src/auth/account.ts";
import { type EntriesOf, recordEntries } from "../../src/repository/records/record-reading.ts";
import { records } from "../../src/repository/records/records.ts";
import { draftCommunities } from "../../src/repository/requests/draft-communities.ts";
import { METADATA, RECORD } from "../support/record-calls.ts";
import { NOW } from "../support/seed.ts";
import { itemsOn, itemsWorld } from "../support/world/items.ts";

const LONG = { ...RECORD, metadata: { ...METADATA, description: "long ".repeat(60_000) } };

test("R9a R37 long records are read four at a time, short ones in between, and one that is removed is shown to none who wait", async () => {
  const { store, person, close } = await itemsWorld();
  await store.transact((tx) =>
    tx.communities.saveVocabulary([...shippedVocabulary("resourcetypes"), ...shippedVocabulary("removalreasons")], NOW),
  );
  const clock = { now: () => NOW };
  const entriesOf = recordEntries({ clock });
  let [running, most, isSlow] = [0, 0, false];
  const slowEntriesOf: EntriesOf = async (...asked) => {
    if (!isSlow) return await entriesOf(...asked);
    most = Math.max(most, ++running);
    await sleep(20);
    running -= 1;
    return await entriesOf(...asked);
  };
  const service = records({
    store,
    clock,
    random: platformRandom(),
    items: itemsOn(store, { now: NOW }).core,
    itemType: 1,
    keptBytes: 0,
    entriesOf: slowEntriesOf,
    written: { baseUrl: "https://repo.example.org", arkUrl: (ark: string) => ark, oaiIdentifier: String },
    communities: draftCommunities({ clock, random: platformRandom() }),
    review: () => Promise.reject(new Error("Nobody asks for a review here")),
  });
  const owner = await person([2]);
  const publish = async (sent: object): Promise<number> => {
    const { item } = await service.create(owner, () => sent);
    return (await service.publish(owner, item.id)).item.id;
  };
  const long = await publish(LONG);
  const short = await publish(RECORD);
  const { item: draft } = await service.create(owner, () => LONG);

  isSlow = true;
  const done: number[] = [];
  const read = async (id: number, viewer = owner): Promise<string> => {
    const { text } = await service.readText(viewer, id);
    done.push(id);
    return text;
  };
  const readers = Array.from({ length: 12 }, (_, at) => read(long, at % 2 === 0 ? owner : GUEST));
  await read(short);
  expect(done.filter((id) => id === long).length).toBeLessThanOrEqual(4);
  for (const text of await Promise.all(readers)) expect(text).toContain("long long");
  // The short one is the fifth.
  expect(most).toBe(5);

  most = 0;
  const drafts = await Promise.all(Array.from({ length: 12 }, () => service.readDraftText(owner, draft.id)));
  expect([most, new Set(drafts.map(({ text }) => text)).size]).toEqual([4, 1]);
  expect(drafts[0]?.text).toContain("long long");

  const waiting = Promise.allSettled(Array.from({ length: 12 }, () => read(long, GUEST)));
  await service.remove(owner, long, () => ({ removal_reason: { id: "spam" }, note: "" }));
  const outcomes = (await waiting).map(({ status }) => status);
  await close();
  expect(outcomes.slice(4)).toEqual(Array(8).fill("rejected"));
});
