// Rules of R2e and R6c that were asked too late, too loosely or by the wrong sign: limits by account, On-Behalf-Of of
// accounts without a role, the order of refusals, roots of communities, deletion by the format's settings (R16a), races
// for a revision.
import { describe, expect, test } from "bun:test";
import { cratePackage, tablePackage, uploadOf, xmlPackage } from "../support/deposit-requests.ts";
import { type Answer, INDEXES, recidOf } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });

const APPROVAL = ["start", "approval", "end"] as const;
const JSON_TYPE = { "content-type": "application/json" };
const FULL = ["deposit:write", "deposit:actions", "item:create", "item:update", "item:delete"] as const;

describe("limits count accounts (R6c)", () => {
  test("R6c many tokens of one account share one rate, another account has its own", async () => {
    const limited = world.under({ SVC_RATE_PER_MINUTE: "5" });
    const tokens = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => world.token("registered")));
    const statuses: number[] = [];
    for (const { token } of tokens)
      statuses.push((await limited.ask({ token }, "GET", "/sword/service-document")).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await limited.ask("other", "GET", "/sword/service-document")).status).toBe(200);
  });
});

describe("On-Behalf-Of of accounts that deposit nothing", () => {
  test("R2e R15 they receive the same answer whether the address exists or not, and nobody is looked up", async () => {
    const looked: string[] = [];
    const own = world.under({}, (parts) => {
      const { accounts } = parts.store;
      const response = {
        ...accounts,
        accountByMail: (mail: string) => {
          looked.push(mail);
          return accounts.accountByMail(mail);
        },
      };
      return { ...parts, store: { ...parts.store, accounts: response } };
    });
    for (const path of ["/sword/service-document", "/sword/deposit/1"]) {
      const [there, nowhere] = await Promise.all(
        ["registered@example.org", "nobody@example.org"].map((value) =>
          own.ask("general", "GET", path, { headers: { "on-behalf-of": value } }),
        ),
      );
      expect([there?.status, there?.json.error]).toEqual([nowhere?.status ?? 0, nowhere?.json.error]);
      expect(there?.status).not.toBe(200);
    }
    expect(looked).toEqual([]);
    const headers = { "on-behalf-of": "other@example.org" };
    expect((await own.ask("registered", "GET", "/sword/service-document", { headers })).status).toBe(200);
    expect(looked).toEqual(["other@example.org"]);
  });
});

describe("the order of refusals", () => {
  test("R13b R26 a role that manages no index receives 403 before anything it sent is checked, at every interface of the tree", async () => {
    const ask = (method: string, path: string, body: string | null) =>
      world.ask("registered", method, path, { headers: JSON_TYPE, ...(body === null ? {} : { body }) });
    const answers = [
      await ask("POST", "/api/indextree/create", "{}"),
      await ask("POST", "/api/indextree/create", "no json"),
      await ask("POST", "/api/v1/tree/index", "{}"),
      await ask("POST", "/api/v1/tree/index", "no json"),
      await ask("PUT", "/api/v1/tree/index/1", "{}"),
      await ask("PUT", "/api/v1/tree/index/none", "{}"),
      await ask("DELETE", "/api/v1/tree/index/none?items=some", null),
      await ask("DELETE", "/api/v1/tree/index/0", null),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  });

  test("R13b message 19 DELETE tells a missing scope before it checks On-Behalf-Of", async () => {
    const workflow = await world.workflow({ delete: { actions: [...APPROVAL] } });
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const narrow = await world.token("registered", FULL, { registrationType: 2, workflow });
    const off = world.under({ SVC_SWORD_ON_BEHALF_OF: "0" });
    const headers = { "on-behalf-of": "other@example.org" };
    const path = `/sword/deposit/${id}`;
    const refused = await off.ask(narrow, "DELETE", path, { headers });
    expect([refused.status, refused.json["@type"]]).toEqual([403, "Forbidden"]);
    const whole = await world.token("registered", undefined, { registrationType: 2, workflow });
    expect((await off.ask(whole, "DELETE", path, { headers })).json["@type"]).toBe("OnBehalfOfNotAllowed");
    expect((await world.item(id)).state).toBe("published");
  });
});

describe("roots of communities (R2e: inside own subtrees)", () => {
  const remove = (who: "manager" | "admin", id: number): Promise<Answer> =>
    world.ask(who, "DELETE", `/api/v1/tree/index/${id}`);

  test("R2e a community administrator deletes below the root of the own community, never the root; administrators do", async () => {
    const own = await openWorld({ repository: true });
    const gone = (who: "manager" | "admin", id: number) => own.ask(who, "DELETE", `/api/v1/tree/index/${id}`);
    const refused = await gone("manager", INDEXES.community);
    expect([refused.status, (await own.store.indexes.lineage(INDEXES.community)).length]).toEqual([403, 1]);
    expect((await gone("manager", INDEXES.below)).status).toBe(204);
    expect((await gone("admin", INDEXES.community)).status).toBe(204);
  });

  test("R2e nor an index with the root of another community below it", async () => {
    await world.store.transact(async (tx) => {
      const community = await tx.communities.community(COMMUNITY);
      if (community === null) throw new Error("The community is gone");
      const id = "00000000-0000-4000-8000-0000000000c2";
      await tx.communities.saveCommunity({ ...community, id, slug: "c2", rootIndex: INDEXES.below });
    });
    expect((await remove("manager", INDEXES.below)).status).toBe(403);
    expect((await world.store.indexes.lineage(INDEXES.below)).length).toBe(2);
  });

  test("R2e nor is the root of a community moved by its administrator, not even into another own subtree", async () => {
    const body = JSON.stringify({ index: { parent: INDEXES.below } });
    for (const id of [INDEXES.community]) {
      const answer = await world.ask("manager", "PUT", `/api/v1/tree/index/${id}`, { headers: JSON_TYPE, body });
      expect([400, 403]).toContain(answer.status);
    }
    await world.store.transact(async (tx) => {
      const community = await tx.communities.community(COMMUNITY);
      if (community === null) throw new Error("The community is gone");
      const id = "00000000-0000-4000-8000-0000000000c3";
      await tx.communities.saveCommunity({ ...community, id, slug: "c3", rootIndex: INDEXES.hidden });
      await tx.communities.setMember(id, world.people.manager.account.id, "owner");
    });
    const into = JSON.stringify({ index: { parent: INDEXES.community } });
    const moved = await world.ask("manager", "PUT", `/api/v1/tree/index/${INDEXES.hidden}`, {
      headers: JSON_TYPE,
      body: into,
    });
    expect([moved.status, (await world.store.indexes.index(INDEXES.hidden))?.parent]).toEqual([403, 0]);
  });
});

describe("deletion without a client record (R16a)", () => {
  const bare = () => world.token("registered", undefined, null);

  test("R16a an item that came as a table is deleted as set for TSV/CSV: directly, or with approval", async () => {
    const [one, two] = [
      recidOf(await world.deposit(await bare(), tablePackage())),
      recidOf(await world.deposit(await bare(), tablePackage())),
    ];
    expect((await world.remove(await bare(), one)).status).toBe(204);
    const workflow = await world.workflow({ delete: { actions: [...APPROVAL] } });
    await world.format("TSV/CSV", { registrationType: 2, workflow });
    const answer = await world.remove(await bare(), two);
    expect([answer.status, (await world.item(two)).state]).toEqual([202, "published"]);
    await world.format("TSV/CSV", { registrationType: 1, workflow: null });
  });

  test("R16a an item that came as XML waits for approval, as XML does out of the box; an inactive record counts as none", async () => {
    const workflow = await world.workflow({
      actions: ["start", "item_registration", "end"],
      delete: { actions: [...APPROVAL] },
    });
    await world.format("XML", { registrationType: 2, workflow });
    for (const token of [
      await bare(),
      await world.token("registered", undefined, { active: false, registrationType: 1 }),
    ]) {
      const id = recidOf(await world.deposit(await bare(), xmlPackage()));
      const answer = await world.remove(token, id);
      expect([answer.status, (await world.item(id)).state]).toEqual([202, "published"]);
    }
  });

  test("R16a of an item without a format the strictest setting of TSV/CSV and JSON counts; without `user:activity` that is 403", async () => {
    const workflow = await world.workflow({ delete: { actions: [...APPROVAL] } });
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const { content } = await world.item(id);
    if (content === null) throw new Error("It has content");
    const { packageFormat: _, ...settings } = content.settings;
    await world.items.revise(await world.viewer("admin"), id, { content: { ...content, settings } });
    await world.format("JSON", { registrationType: 2, workflow });
    const narrow = await world.token("registered", FULL, null);
    expect((await world.remove(narrow, id)).status).toBe(403);
    expect((await world.remove(await bare(), id)).status).toBe(202);
    await world.format("JSON", { registrationType: 1, workflow: null });
  });

  test("R17 R16a where a client record is active it decides: directly, whatever is set for the format", async () => {
    const workflow = await world.workflow({ delete: { actions: [...APPROVAL] } });
    await world.format("JSON", { registrationType: 2, workflow });
    const id = recidOf(await world.deposit("registered", cratePackage()));
    expect((await world.remove("registered", id)).status).toBe(204);
    await world.format("JSON", { registrationType: 1, workflow: null });
  });
});

describe("races for a revision (R11)", () => {
  test("R11 R19 of ten who replace one revision by If-Match one wins, and every other receives 412, never message 25", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const seen = { headers: { "if-match": '"1"' } };
    const tenOfOne = world.under({ SVC_DEPOSITS_PER_ACCOUNT: "20" });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tenOfOne.replace("registered", id, cratePackage(), seen)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
    expect((await world.item(id)).revision).toBe(2);
  });

  test("R11 DELETE of a revision that is gone is 412 although somebody edits the item; of the one that is there message 25", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const word = await world.items.takeLock(id, "edit", 60_000);
    const ask = (tag: string) =>
      world.ask("registered", "DELETE", `/sword/deposit/${id}`, { headers: { "if-match": tag } });
    expect((await ask('"7"')).json["@type"]).toBe("ETagNotMatched");
    expect((await ask('"1"')).status).toBe(400);
    await world.items.releaseLock(id, word);
    expect((await ask('"1"')).status).toBe(204);
  });

  test("R11 R19 who names a revision that somebody holds without changing it receives message 25 in the end", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const word = await world.items.takeLock(id, "edit", 60_000);
    const { headers, body } = uploadOf(cratePackage(), { headers: { "if-match": '"1"' } });
    const answer = await world.ask("registered", "PUT", `/sword/deposit/${id}`, { headers, body });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("edited")]);
    await world.items.releaseLock(id, word);
  });
});
