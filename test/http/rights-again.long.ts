// Rights are asked again where something is written (R2g): account, roles, groups, token and session as they are then,
// not as they were when the call began. A caller who lost them meanwhile is refused, and not one row changes.

import { describe, expect, test } from "bun:test";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { allRows } from "../support/backups.ts";
import { onEachDatabase } from "../support/databases.ts";
import { cratePackage, type Package, uploadOf, xmlPackage } from "../support/deposit-requests.ts";
import { type Answer, INDEXES, type PersonName, recidOf, SERVICE } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

const BEFORE_NOW = "2026-01-01T00:00:00.000Z";
const JSON_TYPE = { "content-type": "application/json" };

/** What happens to somebody while the request is under way. */
const LOSSES = ["demoted", "disabled", "token revoked", "token ended", "token narrowed", "secret revoked"] as const;
type Loss = (typeof LOSSES)[number];

const activityOf = ({ json }: Answer): string =>
  String((json.links as { readonly "@id": string }[])[0]?.["@id"])
    .split("/")
    .at(-1) ?? "";

describe("rights at the moment of writing", () => {
  onEachDatabase((database) => {
    // One loss is enough on PostgreSQL: the rest is the same program.
    const losses = database.name === "SQLite" ? LOSSES : (["token revoked"] as const);
    /** Happens before the next transaction of the program begins. */
    let meanwhile: (() => Promise<void>) | null = null;
    const interrupted = (store: RepositoryStore): RepositoryStore => ({
      ...store,
      transact: async (work) => {
        const now = meanwhile;
        meanwhile = null;
        await now?.();
        return await store.transact(work);
      },
    });
    const world = setUpWorld({
      repository: { parts: (parts) => ({ ...parts, store: interrupted(parts.store) }) },
      database,
    });

    const save = (who: PersonName, changes: { readonly active?: boolean; readonly roles?: readonly [] }) =>
      world.store.transact((tx) => tx.accounts.saveAccount({ ...world.people[who].account, ...changes }));

    async function lose(who: PersonName, clientId: string, loss: Loss): Promise<void> {
      if (loss === "demoted") await save(who, { roles: [] });
      if (loss === "disabled") await save(who, { active: false });
      if (loss === "token revoked") await world.revoke(clientId);
      await world.store.transact(async (tx) => {
        const client = await tx.accounts.client(clientId);
        if (client === null) throw new Error("There is no such client");
        if (loss === "token ended") await tx.accounts.saveClient({ ...client, expiresAt: BEFORE_NOW });
        if (loss === "token narrowed") await tx.accounts.saveClient({ ...client, scopes: ["item:read"] });
        if (loss !== "secret revoked") return;
        for (const { id } of await tx.accounts.secretsOf(clientId)) await tx.accounts.revokeSecret(id, BEFORE_NOW);
      });
    }

    /** What a refused request must leave as it was: everything. */
    async function unchanged(request: (lost: () => Promise<void>) => Promise<Answer>, lost: () => Promise<void>) {
      let before: Awaited<ReturnType<typeof allRows>> | null = null;
      const answer = await request(async () => {
        await lost();
        before = await allRows(world.config.databaseUrl);
      });
      const now = await allRows(world.config.databaseUrl);
      if (before === null) throw new Error("Nothing was lost on the way");
      for (const [table, rows] of before as typeof now) expect([table, now.get(table)]).toEqual([table, rows]);
      return answer;
    }

    /** The loss comes before the first transaction. */
    const atTransaction = (request: () => Promise<Answer>) => (lost: () => Promise<void>) => {
      meanwhile = lost;
      return request();
    };

    /** The loss comes when half of the body has arrived. */
    const atHalf =
      (token: string, method: string, path: string, headers: Readonly<Record<string, string>>, bytes: Uint8Array) =>
      (lost: () => Promise<void>): Promise<Answer> => {
        const middle = bytes.length >> 1;
        let sent = 0;
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            if (sent === 0) controller.enqueue(bytes.slice(0, middle));
            else {
              await lost();
              controller.enqueue(bytes.slice(middle));
              controller.close();
            }
            sent += 1;
          },
        });
        return world.ask({ token }, method, path, { headers, body });
      };

    const slowDeposit = (token: string, method: string, path: string, pkg: Package) => {
      const { headers, body } = uploadOf(pkg, { raw: true });
      const { "content-length": _, ...rest } = headers as Record<string, string>;
      return atHalf(token, method, path, rest, body as Uint8Array);
    };

    type Endpoint = {
      readonly who: PersonName;
      /** What the token's client record has in addition to the usual. */
      readonly through?: "workflow";
      /** A request that would be granted; made ready before anything is lost. */
      readonly ready: (token: string) => Promise<(lost: () => Promise<void>) => Promise<Answer>>;
      readonly granted: number;
    };

    const publish = async (who: PersonName) => recidOf(await world.deposit(who, cratePackage()));
    const json = (token: string, method: string, path: string, body: unknown) => () =>
      world.ask({ token }, method, path, { headers: JSON_TYPE, body: JSON.stringify(body) });
    let made = 0;
    const fresh = (): string => {
      made += 1;
      return `new${made}`;
    };
    async function anIndexOfOurs(): Promise<number> {
      const answer = await world.ask("system", "POST", "/api/v1/tree/index", {
        ...{ headers: JSON_TYPE, body: JSON.stringify({ index: { parent: 0, index_name: fresh() } }) },
      });
      return Number((answer.json.index as { readonly id: number }).id);
    }
    async function waiting(): Promise<string> {
      const workflow = await world.workflow();
      const slow = await world.token("registered", undefined, { registrationType: 2, workflow });
      return activityOf(await world.deposit(slow, cratePackage()));
    }
    const decision = (verb: string) => async (token: string) => {
      const path = `/api/v1/workflow/activities/${await waiting()}/${verb}`;
      return atTransaction(json(token, "POST", path, { comment: "" }));
    };

    const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
      "POST of a deposit, with a slow body": {
        ...{ who: "registered", granted: 201 },
        ready: async (token) => slowDeposit(token, "POST", SERVICE, cratePackage()),
      },
      "POST of a deposit through a workflow": {
        ...{ who: "registered", granted: 202, through: "workflow" },
        ready: async (token) => slowDeposit(token, "POST", SERVICE, xmlPackage()),
      },
      "PUT, with a slow body": {
        ...{ who: "registered", granted: 200 },
        ready: async (token) =>
          slowDeposit(token, "PUT", `/sword/deposit/${await publish("registered")}`, cratePackage()),
      },
      "PUT of a new version": {
        ...{ who: "registered", granted: 200 },
        ready: async (token) => {
          const pkg = cratePackage({ "svc:editMode": "Upgrade" });
          return slowDeposit(token, "PUT", `/sword/deposit/${await publish("registered")}`, pkg);
        },
      },
      "DELETE of an item": {
        ...{ who: "registered", granted: 204 },
        async ready(token) {
          const path = `/sword/deposit/${await publish("registered")}`;
          return atTransaction(() => world.ask({ token }, "DELETE", path));
        },
      },
      "POST of an index, with a slow body": {
        ...{ who: "admin", granted: 201 },
        ready: async (token) => {
          const body = new TextEncoder().encode(JSON.stringify({ index: { parent: 0, index_name: "New" } }));
          return atHalf(token, "POST", "/api/v1/tree/index", JSON_TYPE, body);
        },
      },
      "POST of an index, the legacy call": {
        ...{ who: "admin", granted: 200 },
        ready: async (token) =>
          atTransaction(json(token, "POST", "/api/indextree/create", { index_info: { index_name: "Old" } })),
      },
      "PUT of an index": {
        ...{ who: "admin", granted: 200 },
        async ready(token) {
          const path = `/api/v1/tree/index/${await anIndexOfOurs()}`;
          return atTransaction(json(token, "PUT", path, { index: { comment: "changed" } }));
        },
      },
      "DELETE of an index": {
        ...{ who: "admin", granted: 204 },
        async ready(token) {
          const path = `/api/v1/tree/index/${await anIndexOfOurs()}`;
          return atTransaction(() => world.ask({ token }, "DELETE", path));
        },
      },
      "a setting of an administrator": {
        ...{ who: "system", granted: 200 },
        ready: async (token) =>
          atTransaction(json(token, "PUT", "/api/v1/admin/sword-formats/TSV%2FCSV", { duplicate_check: true })),
      },
      "a new account": {
        ...{ who: "system", granted: 201 },
        ready: async (token) =>
          atTransaction(
            json(token, "POST", "/api/v1/admin/users", { mail: `${fresh()}@example.org`, name: "N", roles: [1] }),
          ),
      },
      approval: { who: "approver", granted: 200, ready: decision("approve") },
      "throwing out": { who: "approver", granted: 200, ready: decision("throw-out") },
      cancelling: { who: "approver", granted: 200, ready: decision("cancel") },
    };

    for (const [what, { who, ready, granted, through }] of Object.entries(ENDPOINTS)) {
      const tokenOf = async () => {
        if (through === undefined) return await world.token(who);
        return await world.token(who, undefined, { registrationType: 2, workflow: await world.workflow() });
      };

      test(`R2g ${what} is granted while nothing is lost`, async () => {
        const { token } = await tokenOf();
        expect((await (await ready(token))(async () => {})).status).toBe(granted);
        meanwhile = null;
      });

      test.each(losses)(`R2g ${what} is refused, and nothing changes: %s meanwhile`, async (loss) => {
        const { token, clientId } = await tokenOf();
        const answer = await unchanged(await ready(token), () => lose(who, clientId, loss));
        await save(who, {});
        expect([401, 403, 404]).toContain(answer.status);
        if (loss !== "demoted") expect([401, 403]).toContain(answer.status);
      });
    }

    test("R2g R2e who administers a community no more when the body has come changes none of its items", async () => {
      const id = recidOf(await world.deposit("manager", cratePackage({ "svc:index": [String(INDEXES.community)] })));
      await world.store.transact(async (tx) => {
        const item = await tx.items.item(id);
        if (item !== null) await tx.items.share(item.parentId, []);
      });
      const own = recidOf(await world.deposit("system", cratePackage({ "svc:index": [String(INDEXES.community)] })));
      const { token } = await world.token("manager");
      const leave = (role: "owner" | null) =>
        world.store.transact((tx) => tx.communities.setMember(COMMUNITY, world.people.manager.account.id, role));
      const put = slowDeposit(token, "PUT", `/sword/deposit/${own}`, cratePackage());
      const answer = await unchanged(put, () => leave(null));
      await leave("owner");
      expect([answer.status, (await world.item(own)).revision]).toEqual([403, 1]);
    });

    test("R2e R16 a deposit to an index below the root of a community is in the list of its administrator, and of no other community administrator", async () => {
      const workflow = await world.workflow({ index: null, approvers: { roles: [1], accounts: [], communities: [] } });
      const slow = await world.token("admin", undefined, { registrationType: 2, workflow });
      const inside = activityOf(await world.deposit(slow, cratePackage({ "svc:index": [String(INDEXES.below)] })));
      const outside = activityOf(await world.deposit(slow, cratePackage({ "svc:index": [String(INDEXES.open)] })));
      const idsOf = async (who: PersonName, condition: string): Promise<readonly string[]> => {
        const { json: page } = await world.ask(who, "GET", `/api/v1/workflow/activities?status=${condition}&limit=100`);
        return (page.activities as { readonly activity_id: string }[]).map(({ activity_id }) => activity_id);
      };
      for (const condition of ["todo", "all"]) {
        const listed = await idsOf("manager", condition);
        expect([listed.includes(inside), listed.includes(outside)]).toEqual([true, false]);
        for (const who of ["stranger", "curator", "general"] as const)
          expect(await idsOf(who, condition)).not.toContain(inside);
      }
      const path = `/api/v1/workflow/activities/${inside}`;
      expect((await world.ask("manager", "GET", path)).status).toBe(200);
      const body = JSON.stringify({ comment: "" });
      expect((await world.ask("manager", "POST", `${path}/approve`, { headers: JSON_TYPE, body })).status).toBe(200);
      expect(await idsOf("manager", "todo")).not.toContain(inside);
    });

    test("R2g R2e an index that admits the depositor no more when the body has come gets no item: message 11", async () => {
      const gate = async (contributeRole: readonly number[]): Promise<void> => {
        await world.store.transact(async (tx) => {
          const index = await tx.indexes.index(INDEXES.open);
          if (index !== null) await tx.indexes.updateIndex({ ...index, contributeRole: [...contributeRole] });
        });
      };
      const { token } = await world.token("registered");
      const answer = await unchanged(slowDeposit(token, "POST", SERVICE, cratePackage()), () => gate([1, 2]));
      await gate([1, 2, 3, 4, -98, -99]);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("may not put items into index")]);
    });
  });
});
