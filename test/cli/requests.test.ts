// Requests on the command line, and the job that ends those nobody decided about (R37; specification 3, "States and
// transitions").
import { beforeAll, expect, test } from "bun:test";
import { coreOf } from "../../src/main/repository/core.ts";
import { accessRequestsOf, requestsOf } from "../../src/main/repository/request-core.ts";
import { EXPIRY_JOB, requestJobs } from "../../src/repository/requests/request-jobs.ts";
import { arkstone } from "../support/command-line.ts";
import { quietLog } from "../support/quiet-log.ts";
import { type RequestJson, timelineOf } from "../support/world/requests.ts";
import { setUpWorld } from "../support/world.ts";

let community: { readonly id: string; readonly slug: string };
const world = setUpWorld({ repository: true, requests: true });
beforeAll(async () => {
  community = await world.community();
});

const ark = (...args: string[]) =>
  arkstone(
    {
      SVC_DATABASE_URL: world.config.databaseUrl,
      SVC_DATA_DIR: world.folder,
      SVC_BASE_URL: "https://repo.example.org",
      SVC_ITEM_ARK_CREDENTIAL: "items",
    },
    args,
  );
async function json(...args: string[]) {
  const result = await ark(...args, "--json");
  expect([args.join(" "), result.code, result.err]).toEqual([args.join(" "), 0, ""]);
  return JSON.parse(result.out);
}

test("S3.6.144: what waits is listed and shown, accepted, declined and expired", async () => {
  const [one, two, three] = [
    await world.submitted(community.id, "registered", "Please <b>look</b>"),
    await world.submitted(community.id),
    await world.submitted(community.id),
  ];
  const listed = await json("request", "list");
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([three, two, one].map(({ request }) => request.id));
  expect(listed[2]).toMatchObject({ type: "community-submission", item: one.record, community: community.slug });
  expect((await ark("request", "show", one.request.id)).out).toContain("comment by ");
  expect((await json("request", "show", one.request.id)).timeline).toMatchObject([{ text: "Please look" }]);
  expect((await ark("request", "accept", one.request.id, "--comment", "Fine")).out).toBe(
    `${one.request.id} (item ${one.record}) is accepted.\n`,
  );
  expect((await world.item(one.record)).state).toBe("published");
  expect(timelineOf(await world.timeline("registered", one.request.id))).toEqual([
    "Please <b>look</b>",
    "[accepted]",
    "Fine",
  ]);
  expect((await json("request", "decline", two.request.id)).status).toBe("declined");
  expect((await json("request", "expire", three.request.id)).status).toBe("expired");
  expect(await json("request", "list")).toEqual([]);
  expect(await json("request", "list", "--status", "all", "--query", "status:declined")).toHaveLength(1);
  const again = await ark("request", "accept", two.request.id);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("Could not execute the action")]);
  expect((await ark("request", "show", "none")).code).toBe(1);
  expect((await ark("request", "list", "--status", "open")).code).toBe(1);
});

test("S3.6.144 R6a: an operator accepts into a community with an index", async () => {
  await world.store.transact(async (tx) => {
    const c1 = await tx.communities.community("c1");
    if (c1 !== null) await tx.communities.saveCommunity({ ...c1, reviewPolicy: "closed" });
  });
  const { record, request } = await world.submitted("c1");
  expect((await json("request", "accept", request.id)).status).toBe("accepted");
  expect((await world.item(record)).content?.indexes).toHaveLength(1);
});

test("S3.6.142: what waited longer than the setting allows expires, by the repository itself; without a setting nothing does", async () => {
  const olds = [await world.submitted(community.id), await world.submitted(community.id)];
  const core = coreOf(world.parts);
  const run = async (expiryDays: number) => {
    const kinds = requestJobs({
      requests: requestsOf(core),
      access: accessRequestsOf(core),
      clock: world.clock,
      expiryDays,
      log: quietLog,
    });
    const job = { id: 1, kind: EXPIRY_JOB, subject: "", payload: null } as never;
    await kinds[EXPIRY_JOB]?.run(job, { signal: new AbortController().signal, progress: async () => {} });
  };
  world.time.now = new Date(Date.parse(world.time.now) + 11 * 86_400_000).toISOString();
  const fresh = await world.submitted(community.id);
  await run(0);
  const status = async (id: string) => (await world.ok<RequestJson>(world.request("admin", id), 200)).status;
  for (const { request } of olds) expect(await status(request.id)).toBe("submitted");
  // Of two processes that do it at the same time each request is expired by one.
  await Promise.all([run(10), run(10)]);
  expect(await status(fresh.request.id)).toBe("submitted");
  for (const { request } of olds) {
    expect(await status(request.id)).toBe("expired");
    const { hits } = await world.timeline("registered", request.id);
    expect(hits.hits).toMatchObject([{ type: "L", created_by: { user: "system" }, payload: { event: "expired" } }]);
  }
});
