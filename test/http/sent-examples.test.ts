// The examples of the interface description, sent: the repository takes every body and every parameter of a query that
// is composed of them (R32). That each fits its shape is held by test/http/described-examples.test.ts.
import { beforeAll, expect, test } from "bun:test";
import { composed } from "../support/composed-examples.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { askAt, DOCUMENT, ROWS, type Row } from "../support/described-operations.ts";
import { NOW } from "../support/seed.ts";
import { recidOf } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";
import { zip } from "../support/zip-writer.ts";

const world = setUpWorld({ repository: true, requests: true });
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const RIVERS = {
  slug: "rivers",
  metadata: { title: "Rivers" },
  access: { visibility: "public", review_policy: "open" },
};
/** The account that bodies name. */
const USER = 4;

type Media = { readonly schema?: unknown; readonly example?: unknown };
const exampleOf = ({ schema, example }: Media): unknown => example ?? composed(schema, DOCUMENT);

/** Asks as the administrator of the system. */
const asSystem = (method: string, path: string, body: unknown, status: number) =>
  world.ok<{ readonly id: string }>(world.send("system", method, path, body), status);

/** A group, and an activity that waits. */
let group = 0;
let activity = async (): Promise<string> => "";

beforeAll(async () => {
  const approved = await world.token("registered", undefined, {
    registrationType: 2,
    workflow: await world.workflow(),
  });
  activity = async () => {
    const waiting = recidOf(await world.deposit(approved, cratePackage()));
    return (await world.store.items.claims(waiting, NOW)).activityId ?? "";
  };
  group = Number((await asSystem("POST", "/api/v1/admin/groups", { name: "Gaugers", members: [] }, 201)).id);
  await asSystem("POST", "/api/communities", { ...RIVERS, slug: "closed", access: { review_policy: "closed" } }, 201);
  await world.ok(world.send("other", "POST", "/api/communities", { ...RIVERS, slug: "gauges" }), 201);
  const author = { authorNameInfo: [{ familyName: "Doe", firstName: "Jane", language: "en" }] };
  for (let made = 0; made < 2; made += 1) await asSystem("POST", "/api/v1/authors", { author }, 200);
});

/** The community of the examples, which some operations remove or rename. */
async function rivers({ operationId }: Row): Promise<void> {
  const { status } = await world.send("system", "GET", "/api/communities/rivers");
  if (status !== 200) await asSystem("POST", "/api/communities", RIVERS, 201);
  const method = operationId === "addCommunityMembers" ? "DELETE" : "POST";
  const members = { members: [{ type: "user", id: String(USER) }], role: "reader" };
  if (/CommunityMembers$/.test(operationId))
    await world.send("system", method, "/api/communities/rivers/members", members);
}

async function record({ operationId, path }: Row): Promise<number> {
  const id = await world.published();
  const subject = path.includes("/groups/") ? { type: "role", id: String(group) } : { type: "user", id: String(USER) };
  const grants = { grants: [{ subject, permission: "view" }] };
  if (path.includes("{subject}")) await asSystem("POST", `/api/records/${id}/access/grants`, grants, 201);
  if (/^(?:setDefault|remove)RecordCommunit/.test(operationId)) {
    await asSystem("POST", `/api/records/${id}/communities`, { communities: [{ id: "rivers" }] }, 200);
  }
  return id;
}

/** A record with a closed file. */
async function closedRecord(row: Row): Promise<number> {
  const id = await draft({ ...row, operationId: "describeDraftFile" });
  await asSystem("PUT", `/api/records/${id}/draft/files/data.csv`, { access: { status: "closed" } }, 200);
  await asSystem("POST", `/api/records/${id}/draft/actions/publish`, undefined, 202);
  return id;
}

async function accessLink(): Promise<string> {
  const id = await world.published();
  const { id: link } = await asSystem("POST", `/api/records/${id}/access/links`, { permission: "view" }, 201);
  return `${id}/access/links/${link}`;
}

async function draft({ operationId }: Row): Promise<number> {
  const hasFiles = operationId !== "submitDraftForReview";
  const id = await world.draft("registered", { files: { enabled: hasFiles } });
  const file = `/api/records/${id}/draft/files/data.csv`;
  if (/^(?:choose|describe|unpack)DraftFile/.test(operationId)) {
    await asSystem("POST", `/api/records/${id}/draft/files`, [{ key: "data.csv" }], 201);
    const archive = new Uint8Array(zip([{ name: "rivers.csv", bytes: "abc" }]));
    const bytes = { body: archive, headers: { "content-type": "application/octet-stream" } };
    await world.ok(world.ask("system", "PUT", `${file}/content`, bytes), 200);
    await asSystem("POST", `${file}/commit`, undefined, 200);
  }
  if (operationId === "submitDraftForReview") await world.ok(world.review("system", id, "rivers"), 200);
  return id;
}

/** A comment on a request that waits, for what is done with them. */
async function comment(): Promise<string> {
  const { request } = await world.submitted("closed");
  const body = { payload: { content: "Fine", format: "html" } };
  const { id } = await asSystem("POST", `/api/requests/${request.id}/comments`, body, 201);
  return `${request.id}/comments/${id}`;
}

/** The address of a row, with ids of what is made for this one request. */
async function addressOf(row: Row): Promise<string> {
  await rivers(row);
  let address = row.path;
  const fill = async (part: RegExp, make: () => unknown): Promise<void> => {
    if (part.test(address)) address = address.replace(part, String(await make()));
  };
  // Who made a community is a member of it, and does not ask to join.
  const community = row.operationId === "askToJoinCommunity" ? "gauges" : "rivers";
  await fill(/(?<=\/api\/communities\/)\{id\}/, () => community);
  await fill(/(?<=\/saved-searches\/)\{id\}/, async () => {
    const search = { name: "Rivers", query: "q=rivers" };
    return (await asSystem("POST", "/api/user/saved-searches", search, 201)).id;
  });
  await fill(/\{id\}\/comments\/\{comment\}/, comment);
  await fill(/(?<=\/requests\/)\{id\}/, async () => (await world.submitted("closed")).request.id);
  await fill(/(?<=\/actions\/)\{action\}/, () => "accept");
  await fill(/\{activity_id\}/, activity);
  await fill(/(?<=\/authors\/)\{\w+\}/, async () => 2);
  await fill(/\{\w*id\}(?=\/draft)/, () => draft(row));
  await fill(/\{id\}\/access\/links\/\{link\}/, accessLink);
  const isAsking = row.operationId === "requestAccess";
  await fill(/(?<=\/api\/records\/)\{id\}/, () => (isAsking ? closedRecord(row) : record(row)));
  await fill(/\{recid\}/, async () => recidOf(await world.deposit("registered", cratePackage())));
  await fill(/(?<=\/groups\/)\{subject\}/, () => group);
  await fill(/\{subject\}/, () => USER);
  await fill(/\{key\}/, () => "data.csv");
  await fill(/(?<=\/sword-formats\/)\{id\}/, () => "json");
  await fill(/(?<=\/sword-clients\/)\{id\}/, () => world.people.registered.clientId);
  await fill(/(?<=\/search-fields\/)\{id\}/, () => "text1");
  await fill(/(?<=\/admin\/users\/)\{id\}/, () => world.people.other.account.id);
  await fill(/(?<=\/admin\/communities\/)\{id\}/, () => COMMUNITY);
  await fill(/(?<=\/admin\/item-types\/)\{id\}/, () => 2);
  await fill(/\{type\}\/\{id\}/, () => "languages/eng");
  return address.replace(/\{\w+\}/g, "1");
}

/** What the world of this test cannot have, whatever the body. */
const REFUSED: Readonly<Record<string, number>> = {
  // It issues no tokens.
  issueToken: 404,
  // It names the address of another account.
  closeMe: 400,
  // Nobody can register.
  inviteUser: 409,
  // There is no item 1.
  startBulkChange: 409,
  // What the example of making one has made has the name by then.
  updateUser: 409,
  updateGroup: 409,
  updateCommunityRecord: 409,
  updateFacet: 409,
  updateMapping: 409,
};
const isBytes = (type: string): boolean => /^(?:multipart\/|application\/(?:zip|octet-stream)$)/.test(type);
const BODIES = ROWS.flatMap((row) =>
  Object.entries(row.requestBody?.content ?? {})
    // Forms of pages are sent by people who are signed in: test/http/described-pages.test.ts.
    .filter(([type]) => !isBytes(type) && (type !== FORM_TYPE || /^\/o(?:ai|auth\/(?:token|revoke))$/.test(row.path)))
    .map(([type, media]) => ({ row, type, media: media as Media })),
);

test("R32 the repository takes the example of every body", async () => {
  const faults: string[] = [];
  for (const { row, type, media } of BODIES) {
    const address = await addressOf(row);
    const example = exampleOf(media);
    const fields = typeof example === "object" && example !== null ? Object.entries(example) : [];
    const text = typeof example === "string" ? example : JSON.stringify(example);
    const body =
      type === FORM_TYPE ? String(new URLSearchParams(fields.map(([name, each]) => [name, String(each)]))) : text;
    const headers = { "content-type": type, accept: `${JSON_TYPE}, text/event-stream` };
    // Nothing is closed to an administrator.
    const { token } = row.operationId === "requestAccess" ? world.people.other : world.people.system;
    const response = await askAt(world.handler, token, () => address)(row, { body, headers });
    const answer = await response.text();
    const isTaken = response.status < 400 || response.status === REFUSED[row.operationId];
    if (!isTaken)
      faults.push(`${row.operationId} ${type} ${address} ${body}: ${response.status} ${answer.slice(0, 300)}`);
  }
  expect(faults).toEqual([]);
  expect(BODIES.length).toBeGreaterThan(60);
});

/** Parameters that other ones must come with, as the query that is sent with them. */
const WITH: Readonly<Record<string, string>> = {
  idtype: "&authorid=0000-0002-1825-0097",
  authorid: "&idtype=ORCID",
};

test("R32 the repository takes the example of every parameter of a query", async () => {
  const faults: string[] = [];
  let count = 0;
  for (const row of ROWS.filter(({ method, path }) => method === "GET" && path.startsWith("/api/"))) {
    const address = await addressOf(row);
    for (const parameter of row.parameters ?? []) {
      const { in: place, name = "", ...media } = parameter as Media & { readonly in?: string; readonly name?: string };
      if (place !== "query") continue;
      const example = exampleOf(media);
      const isObject = typeof example === "object" && example !== null;
      const members: readonly (readonly [string, unknown])[] = isObject ? Object.entries(example) : [[name, example]];
      const query = `?${new URLSearchParams(members.map(([each, value]) => [each, String(value)]))}${WITH[name] ?? ""}`;
      const response = await askAt(world.handler, world.people.system.token, () => address)(row, { query });
      const answer = await response.text();
      count += 1;
      // A cursor is that of an answer to the same search.
      if (response.status === 400 && name !== "cursor")
        faults.push(`${row.operationId} ${query}: ${answer.slice(0, 200)}`);
    }
  }
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(150);
});
