// A process that drafts, publishes, edits, versions, deletes and restores records of the database it is given until it
// is killed. It writes to standard output what was committed: one line for each, `<record> <revision>`.

import process from "node:process";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { recordEntries } from "../../src/repository/records/record-reading.ts";
import { records } from "../../src/repository/records/records.ts";
import { draftCommunities } from "../../src/repository/requests/draft-communities.ts";
import { METADATA, RECORD, titled } from "./record-calls.ts";
import { NOW } from "./seed.ts";
import { itemsOn } from "./world/items.ts";
import { viewerOf } from "./world/seeded.ts";

const [url = "", owner = "1"] = process.argv.slice(2);
const store = await openRepositoryStore({ url, poolSize: 4 });
const clock = { now: () => NOW };
const written = { baseUrl: "https://repo.example.org", arkUrl: (ark: string) => ark, oaiIdentifier: String };
const service = records({
  store,
  clock,
  random: platformRandom(),
  items: itemsOn(store, { now: NOW }).core,
  itemType: 1,
  keptBytes: 0,
  entriesOf: recordEntries({ clock }),
  written,
  communities: draftCommunities({ clock, random: platformRandom() }),
  review: () => Promise.reject(new Error("Nobody asks for a review here")),
});
const account = await store.accounts.account(Number(owner));
if (account === null) throw new Error("There is nobody to write");
const who = viewerOf(account);

type CommittedRecord = { readonly item: { readonly id: number; readonly revision: number } };
function tell({ item }: CommittedRecord): number {
  process.stdout.write(`${item.id} ${item.revision}\n`);
  return item.id;
}

async function write(): Promise<void> {
  for (;;) {
    const first = tell(await service.create(who, () => RECORD));
    tell(await service.publish(who, first));
    await service.edit(who, first);
    await service.save(who, first, () => titled("Worded better"));
    const based = { ...RECORD, metadata: { ...METADATA, version: "2" }, revision_id: 1 };
    await service.save(who, first, () => based, undefined, "ask");
    tell(await service.publish(who, first));
    const next = tell(await service.newVersion(who, first));
    await service.save(who, next, () => ({ ...RECORD, metadata: { ...METADATA, title: "Next" } }));
    tell(await service.publish(who, next));
    await service.remove(who, next, () => ({ removal_reason: { id: "spam" }, note: "" }));
    tell(await service.restore(who, next));
    await service.discard(who, tell(await service.create(who, () => RECORD)));
    await service.remove(who, first, () => ({ removal_reason: { id: "spam" }, note: "" }));
  }
}
await Promise.all([write(), write(), write()]);
