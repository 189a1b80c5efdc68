// What happens once an index that something names is deleted (R16a, R25): defaults that are gone count as not set, what
// waits for approval asks for another index, what lost its last index is as it was once a deposit files it.
import { beforeEach, describe, expect, test } from "bun:test";
import { systemClock } from "../../src/adapters/clock.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { REPOSITORY_OPERATOR, REPOSITORY_SCOPES } from "../../src/auth/account.ts";
import { repositoryWarnings } from "../../src/main/repository/repository-warnings.ts";
import { administration } from "../../src/repository/administration/administration.ts";
import { cratePackage, tablePackage } from "../support/deposit-requests.ts";
import { type Answer, INDEXES, type RepositoryWorld, recidOf } from "../support/world/repository.ts";
import { openWorld } from "../support/world.ts";

let world: RepositoryWorld;
beforeEach(async () => {
  world = await openWorld({ repository: true });
});

const remove = (id: number) => world.ask("system", "DELETE", `/api/v1/tree/index/${id}`);
const noteOf = ({ json }: Answer): string =>
  (json.state as readonly { readonly description: string }[])[0]?.description ?? "";
/** A package that names no index. */
const nowhere = (root = {}) => cratePackage({ "svc:index": undefined, ...root });
async function added(): Promise<number> {
  const roles = { browsing_role: "1,2,3,4,-98,-99", contribute_role: "1,2,3,4" };
  const index = { parent: 0, index_name: "x", public_state: true, ...roles };
  const answer = await world.ask("system", "POST", "/api/v1/tree/index", { body: JSON.stringify({ index }) });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const { id } = answer.json.index as { readonly id: number };
  return id;
}
/** Deposits wait for an approval; where they name no index they go where the workflow sets. */
async function waiting(index: number | null, pkg = nowhere()) {
  const workflow = await world.workflow({ index });
  const who = await world.token("registered", undefined, { registrationType: 2, workflow, defaultIndex: null });
  const answer = await world.deposit(who, pkg);
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  const id = recidOf(answer);
  const open = await world.store.activities.openActivity(id);
  if (open === null) throw new Error("Nothing waits");
  return { id, who, activity: open.id };
}
const approve = (activity: string, body: object = {}) =>
  world.ask("admin", "POST", `/api/v1/workflow/activities/${activity}/approve`, { body: JSON.stringify(body) });

describe("R16a a default index that was deleted counts as not set", () => {
  test("R16a deposits without svc:index are taken: the next default that is there, else no index", async () => {
    await world.client("registered", { defaultIndex: INDEXES.open });
    await remove(INDEXES.open);
    const bare = await world.deposit("registered", nowhere());
    expect([bare.status, (await world.item(recidOf(bare))).content?.indexes]).toEqual([201, []]);
    expect((await world.ask(null, "GET", `/records/${recidOf(bare)}`)).status).toBe(200);
    const other = await added();
    const next = await world.under({ SVC_DEFAULT_INDEX: String(other) }).deposit("registered", nowhere());
    expect((await world.item(recidOf(next))).content?.indexes).toEqual([other]);
    const dead = await world.under({ SVC_DEFAULT_INDEX: String(INDEXES.open) }).deposit("registered", nowhere());
    expect((await world.item(recidOf(dead))).content?.indexes).toEqual([]);
    const named = await world.deposit("registered", cratePackage({ "svc:index": [String(INDEXES.open)] }));
    expect(named.json.error).toBe(`Item check error: index ${INDEXES.open} does not exist`);
  });

  test("R16a R17 tokens are made without index 1, and their records have none; a record that names it can be changed", async () => {
    await remove(INDEXES.open);
    const { clientId } = await world.token("registered");
    expect(await world.store.settings.clientSetting(clientId)).toMatchObject({ defaultIndex: null });
    const before = world.people.other.clientId;
    await world.client("other", { defaultIndex: INDEXES.open });
    const change = (body: object) =>
      world.ask("system", "PUT", `/api/v1/admin/sword-clients/${before}`, { body: JSON.stringify(body) });
    expect((await change({ duplicate_check: true })).status).toBe(200);
    expect((await change({ default_index: 999 })).status).toBe(400);
    expect((await change({ default_index: null })).status).toBe(200);
    expect((await change({ default_index: INDEXES.open })).status).toBe(400);
  });

  test("R16a `user add --token` and `token add` work without index 1", async () => {
    await remove(INDEXES.open);
    const { store, parts } = world;
    const { clock = systemClock, random = platformRandom() } = parts;
    const admin = administration({ store, clock, random, isShipped: () => false });
    const input = { kind: "personal", name: "x", scopes: REPOSITORY_SCOPES, expiresAt: null, record: {} } as const;
    const own = await admin.tokens.make(REPOSITORY_OPERATOR, { ...input, accountId: world.people.other.account.id });
    const { token } = await admin.tokens.makeWithAccount(
      REPOSITORY_OPERATOR,
      { mail: "new@example.org", name: "New", roles: [3] },
      input,
    );
    for (const { client, text } of [own, token]) {
      expect(await store.settings.clientSetting(client.clientId)).toMatchObject({ defaultIndex: null });
      expect((await world.deposit({ token: text }, nowhere())).status).toBe(201);
    }
  });

  test("R16a workflows and communities that name it can be changed without naming another", async () => {
    const workflow = await world.workflow({ index: INDEXES.open });
    await remove(INDEXES.open);
    await remove(INDEXES.community);
    const put = (path: string, body: object) =>
      world.ask("system", "PUT", `/api/v1/admin/${path}`, { body: JSON.stringify(body) });
    expect((await put(`workflows/${workflow}`, { name: { en: "New", ja: "新" } })).status).toBe(200);
    expect((await put(`workflows/${workflow}`, { index: 999 })).status).toBe(400);
    expect((await put("communities/c1", { title: { en: "New", ja: "新" } })).status).toBe(200);
  });

  test("R16a the answer to deleting an index lists what names it, a start with a dead default does too", async () => {
    await world.client("registered", { defaultIndex: INDEXES.open });
    const workflow = await world.workflow({ index: INDEXES.open });
    const response = await remove(INDEXES.open);
    expect([response.status, response.text]).toEqual([204, ""]);
    const warning = response.headers.get("warning") ?? "";
    expect(warning).toContain(`workflow ${workflow}`);
    expect(warning).toContain(`${world.people.registered.clientId}`);
    expect((await remove(INDEXES.hidden)).headers.get("warning")).toBeNull();
    expect((await remove(INDEXES.community)).headers.get("warning")).toContain("community c1");
    const { store } = world;
    const answerOf = (defaultIndex: number | null) =>
      repositoryWarnings({
        config: { mintItemArks: false, itemArkCredential: "", defaultIndex },
        credentials: store.arks,
        indexes: store.indexes,
        files: { incoming: { freeBytes: async () => 1 } },
        clock: { now: () => world.time.now },
      });
    expect(await answerOf(INDEXES.open)).toEqual([expect.stringContaining(`SVC_DEFAULT_INDEX=${INDEXES.open}`)]);
    expect([await answerOf(INDEXES.closed), await answerOf(null)]).toEqual([[], []]);
  });
});

describe("R16 R16a an activity whose index was deleted", () => {
  test.each([
    ["by its workflow", async (index: number) => await waiting(index)],
    ["by the package", async (index: number) => await waiting(null, cratePackage({ "svc:index": [String(index)] }))],
  ])("R16 R16a an item that was to be filed there %s is approved with another index", async (_, begin) => {
    const index = await added();
    const { id, activity } = await begin(index);
    expect((await world.ask("admin", "GET", `/api/v1/workflow/activities/${activity}`)).json.needs_index).toBe(false);
    await remove(index);
    expect((await world.ask("admin", "GET", `/api/v1/workflow/activities/${activity}`)).json.needs_index).toBe(true);
    const gone = await approve(activity, { index });
    expect([gone.status, gone.json.message]).toEqual([400, `Index ${index} does not exist`]);
    const without = await approve(activity);
    expect([without.status, (await world.item(id)).state]).toEqual([200, "draft"]);
    expect((await approve(activity)).json.message).toContain("An index is needed");
    expect((await approve(activity, { index: INDEXES.open })).status).toBe(200);
    expect(await world.item(id)).toMatchObject({ state: "published", content: { indexes: [INDEXES.open] } });
  });

  test("R16a one of two indexes is gone: the item is filed in the other, and nobody is asked", async () => {
    const index = await added();
    const { id, activity } = await waiting(null, cratePackage({ "svc:index": [String(index), String(INDEXES.open)] }));
    await remove(index);
    expect((await approve(activity)).status).toBe(200);
    expect((await world.item(id)).content?.indexes).toEqual([INDEXES.open]);
  });

  test("R16a a replacement that waits is filed again, and the item is what it was", async () => {
    const index = await added();
    const id = recidOf(await world.deposit("registered", cratePackage({ "svc:index": [String(index)] })));
    const workflow = await world.workflow({ index: null });
    const who = await world.token("registered", undefined, { registrationType: 2, workflow, defaultIndex: null });
    await remove(index);
    const answer = await world.replace(who, id, nowhere({ name: "Again" }));
    expect(answer.status).toBe(202);
    const open = await world.store.activities.openActivity(id);
    expect((await approve(open?.id ?? "", { index: INDEXES.open })).status).toBe(200);
    expect((await approve(open?.id ?? "", { index: INDEXES.open })).status).toBe(400);
    expect((await world.item(id)).content).toMatchObject({ indexes: [INDEXES.open], access: { record: "public" } });
  });
});

describe("R16a R25 PUT of an item that became private with its last index", () => {
  async function left(): Promise<number> {
    const index = await added();
    const id = recidOf(await world.deposit("registered", cratePackage({ "svc:index": [String(index)] })));
    await remove(index);
    expect((await world.item(id)).content).toMatchObject({ indexes: [], access: { record: "restricted" } });
    return id;
  }
  const placeOf = async (id: number) => {
    const { content } = await world.item(id);
    return [content?.indexes, content?.access.record];
  };

  test("R16a with svc:index it is public again, as a revision and as a new version", async () => {
    const id = await left();
    const answer = await world.replace("registered", id, cratePackage({ "svc:index": [String(INDEXES.open)] }));
    expect([answer.status, noteOf(answer)]).toEqual([200, ""]);
    expect(await placeOf(id)).toEqual([[INDEXES.open], "public"]);
    const root = { "svc:index": [String(INDEXES.open)], "svc:editMode": "Upgrade" };
    const next = recidOf(await world.replace("registered", await left(), cratePackage(root)));
    expect(await placeOf(next)).toEqual([[INDEXES.open], "public"]);
  });

  test("R16a without an index it stays private and the answer gives the reason; filed by a later PUT it is public", async () => {
    const id = await left();
    const answer = await world.replace("registered", id, nowhere());
    const expected = [200, "The item is in no index and is private until one is named (svc:index, .metadata.path)."];
    expect([answer.status, noteOf(answer)]).toEqual(expected);
    expect(await placeOf(id)).toEqual([[], "restricted"]);
    await world.replace("registered", id, cratePackage({ "svc:index": [String(INDEXES.open)] }));
    expect(await placeOf(id)).toEqual([[INDEXES.open], "public"]);
  });

  test("R16a a package that is marked private is private, filed or not, then and later", async () => {
    const id = await left();
    const answerOf = { "svc:publishStatus": "private" };
    const answer = await world.replace("registered", id, nowhere(answerOf));
    expect([noteOf(answer), await placeOf(id)]).toEqual(["", [[], "restricted"]]);
    await world.replace("registered", id, cratePackage({ "svc:index": [String(INDEXES.open)] }));
    expect(await placeOf(id)).toEqual([[INDEXES.open], "restricted"]);
    const other = await left();
    await world.replace("registered", other, cratePackage({ "svc:index": [String(INDEXES.open)], ...answerOf }));
    expect(await placeOf(other)).toEqual([[INDEXES.open], "restricted"]);
    const table = await left();
    await world.replace("registered", table, tablePackage());
    expect(await placeOf(table)).toEqual([[INDEXES.open], "public"]);
  });
});
