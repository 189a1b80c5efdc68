// `kill -9` of a process that submits and decides requests: what it reported as committed is there, and each is there
// whole: the record, its community and index, its ARK, the request, its comments and the log (R5, R6a; specification 3,
// "States and transitions").
import { expect, test } from "bun:test";
import process from "node:process";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { findingsIn } from "../support/backups.ts";
import { openWorld } from "../support/world.ts";
import { killedPlaces, linesUntilKilled } from "./kill-harness.ts";

const ROUNDS = process.env.ARKSTONE_SLOW === "1" ? 20 : 3;
/** Lines to wait for before the kill, more in each round so that it comes at another moment. */
const LINES = 12;

async function survives(url: string): Promise<void> {
  const world = await openWorld({ items: { url } });
  const person = (await world.person([3])).account?.id ?? 0;
  await world.store.transact(async (tx) => {
    const c1 = await tx.communities.community("c1");
    if (c1 !== null) await tx.communities.saveCommunity({ ...c1, reviewPolicy: "closed" });
    await tx.communities.setMember(world.community, person, "curator");
  });
  await world.close();
  for (let round = 0; round < ROUNDS; round += 1) {
    const committed = await linesUntilKilled("request-writer.ts", [url, String(person), "c1"], LINES + round * 3);
    const store = await openRepositoryStore({ url });
    for (const line of committed) {
      const [id = "", status = ""] = line.split(" ");
      const request = await store.requests.request(id);
      if (status !== "submitted") expect([id, request?.status]).toEqual([id, status]);
      else expect(request?.submittedAt).toBeString();
    }
    const all = await store.requests.findRequests({}, "oldest", 0, 10_000);
    for (const { number, status, item, linked } of all) {
      const events = await store.requests.timeline(number, "oldest", 0, 10);
      const spoken = status === "submitted" ? ["Please"] : ["Please", `[${status}]`, "Done"];
      expect(events.map(({ kind, event, content }) => (kind === "log" ? `[${event}]` : content))).toEqual(spoken);
      const found = await store.items.withParent(item ?? 0);
      const isAccepted = status === "accepted";
      expect(found?.item).toMatchObject({ state: isAccepted ? "published" : "draft", revision: isAccepted ? 1 : 0 });
      expect([found?.item.ark !== null, found?.parent.communities.length]).toEqual([isAccepted, isAccepted ? 1 : 0]);
      expect(linked).toBe(status === "submitted" || status === "declined");
      expect((await store.items.draft(item ?? 0)) === null).toBe(isAccepted);
    }
    await store.close();
    expect(await findingsIn(url)).toEqual([]);
  }
}

test.each(await killedPlaces("kill-requests"))(
  "S3.6.143 S3.6.130: on %s what was acknowledged is there, and nothing is half there",
  async (_, open) => survives((await open()).url),
  300_000,
);
