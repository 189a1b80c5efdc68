// Changes of what is being changed elsewhere (R2f, R19, R32): every operation that states 409 for a draft that an
// activity holds, or for a record that is locked, answers it.
import { beforeAll, expect, test } from "bun:test";
import { cratePackage } from "../support/deposit-requests.ts";
import { askAt, JSON_HEADERS, provoke, type Row, withOwn, withSomeBody } from "../support/described-operations.ts";
import { NOW } from "../support/seed.ts";
import { INDEXES, recidOf } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true, requests: true });
const HOUR_MS = 3_600_000;

/** Records that are locked, drafts that an activity holds, and a request about a locked draft. */
const busy = { published: 0, included: 0, submitted: 0, deposit: 0, files: 0, request: "" };

beforeAll(async () => {
  const { community, deposit, draft, items, ok, published, review, send, store, token, workflow } = world;
  busy.published = await published();
  busy.included = await published();
  await ok(send("system", "POST", `/api/records/${busy.included}/communities`, COMMUNITIES), 200);
  const { record, request } = await world.submitted((await community({ review_policy: "closed" })).id);
  busy.request = request.id;
  busy.submitted = await draft();
  await ok(review("registered", busy.submitted, "c1"), 200);
  for (const id of [busy.published, busy.included, busy.submitted, record]) await items.takeLock(id, "edit", HOUR_MS);

  const approved = await token("registered", undefined, { registrationType: 2, workflow: await workflow() });
  busy.deposit = recidOf(await deposit(approved, cratePackage()));
  busy.files = await draft("registered", { files: { enabled: true } });
  const parts = { key: "parts", size: 2, transfer: { type: "M", parts: 1, part_size: 2 } };
  await ok(send("registered", "POST", `/api/records/${busy.files}/draft/files`, [{ key: "whole" }, parts]), 201);
  const { activityId } = await store.items.claims(busy.deposit, NOW);
  await store.transact(async (tx) => {
    const found = await tx.items.draft(busy.files);
    if (found !== null) await tx.items.saveDraft({ ...found, activityId });
  });
});

/** What is about one record, a draft or a request. */
const ROWS = withOwn(409).filter(({ path }) => /^\/api\/(?:v1\/items|records|requests)\//.test(path));
const COMMUNITIES = { communities: [{ id: COMMUNITY }] };
/** Bodies that would be accepted, by operation. */
const BODIES: Readonly<Record<string, unknown>> = {
  addRecordCommunities: COMMUNITIES,
  removeRecordCommunities: COMMUNITIES,
  registerDraftFiles: [{ key: "more" }],
  replaceItemIndexes: { indexes: [INDEXES.below] },
  // Two bytes.
  uploadDraftFilePart: 12,
};

function sent(row: Row) {
  const body = BODIES[row.operationId];
  return body === undefined ? withSomeBody(row) : { body: JSON.stringify(body), headers: JSON_HEADERS };
}

function recordOf({ operationId, path }: Row): number {
  if (operationId === "removeRecordCommunities") return busy.included;
  if (operationId === "submitDraftForReview") return busy.submitted;
  if (operationId === "publishRecordDraft") return busy.deposit;
  return path.includes("/draft") && operationId !== "editRecord" ? busy.files : busy.published;
}

const addressOf = (row: Row): string =>
  row.path
    .replace("/requests/{id}/actions/{action}", `/requests/${busy.request}/actions/accept`)
    .replace(/\{(?:id|recid)\}/, String(recordOf(row)))
    .replace("{key}", row.path.includes("{part}") ? "parts" : "whole")
    .replace(/\{\w+\}/g, "1");

test("R2f R32 a record that is locked, or that an activity holds, is changed by no operation", async () => {
  const ask = askAt(world.handler, world.people.system.token, addressOf);
  expect(await provoke(ROWS, ask, 409, sent)).toEqual({ faults: [], unmet: [] });
  expect(ROWS.length).toBeGreaterThan(20);
});
