// Deposits through workflows (specification 2, "States and transitions", steps 10 to 13, "DELETE"; R2f, R11, R16, R17):
// 202, approval, throw-out, cancel, deletion, what is incomplete.
import { beforeAll, describe, expect, test } from "bun:test";
import type { ClientSetting } from "../../src/model/items/deposit-settings.ts";
import type { Workflow } from "../../src/repository/store/settings.ts";
import {
  cratePackage,
  freshTitle,
  type Package,
  plainPackage,
  splitPackage,
  swordPackage,
  tablePackage,
  xmlPackage,
} from "../support/deposit-requests.ts";
import { bagPieces, crateOf, jpcoarOf } from "../support/package-builder.ts";
import { anIndex } from "../support/world/items.ts";
import { type Answer, BASE_URL, INDEXES, type PersonName, recidOf } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { openWorld, setUpWorld } from "../support/world.ts";
import { utf8Bytes } from "../support/zip-writer.ts";

/** Tokens of `registered` whose client deposits through a workflow. */
let approved: { readonly token: string; readonly workflow: number };
let straight: { readonly token: string; readonly workflow: number };
const world = setUpWorld({ repository: true });
beforeAll(async () => {
  const deleting = { delete: { actions: ["start", "approval", "end"] } } as const;
  approved = await through(deleting);
  straight = await through({
    actions: ["start", "item_registration", "item_link", "identifier_grant", "end"],
    delete: { actions: ["start", "end"] },
  });
});

async function through(
  changes: Partial<Workflow>,
  record: Partial<ClientSetting> = {},
  who: PersonName = "registered",
) {
  const workflow = await world.workflow(changes);
  const { token } = await world.token(who, undefined, { registrationType: 2, workflow, ...record });
  return { token, workflow };
}

type Link = { readonly "@id": string; readonly rel: readonly string[]; readonly contentType: string };
const linksOf = ({ json }: Answer): readonly Link[] => json.links as readonly Link[];
const noteOf = ({ json }: Answer): string =>
  (json.state as readonly { readonly description: string }[])[0]?.description ?? "";
const PAGE = `${BASE_URL}/workflow/activity/detail/`;
const activityOf = (answer: Answer): string => {
  if (answer.status >= 400) throw new Error(answer.text);
  const page = linksOf(answer)[0]?.["@id"] ?? "";
  if (!page.startsWith(PAGE)) throw new Error(`No activity page: ${answer.text}`);
  return page.slice(PAGE.length);
};
const approve = async (id: string, who: PersonName = "approver", index: number | null = null) =>
  world.activities.approve(await world.viewer(who), id, { comment: "", index });

const FORMATS: readonly (readonly [string, () => Package])[] = [
  ["RO-Crate+BagIt", () => cratePackage()],
  ["SWORD BagIt", () => swordPackage()],
  ["TSV", () => tablePackage()],
  ["CSV", () => tablePackage({}, { name: "data/items.csv" })],
  ["JPCOAR XML", () => xmlPackage()],
];

describe("a workflow without approval", () => {
  test.each(FORMATS)("R16 %s runs to its end: 201, published, its bytes as they were sent", async (_, build) => {
    const answer = await world.deposit(straight, build());
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
    const id = recidOf(answer);
    expect([answer.json.eTag, linksOf(answer)[0]?.["@id"]]).toEqual(["1", `${BASE_URL}/records/${id}`]);
    const item = await world.item(id);
    expect([item.state, item.content?.indexes, item.ark === null]).toEqual(["published", [INDEXES.open], false]);
    expect(await world.filesOf(id)).toEqual(new Map([["a.txt", utf8Bytes("The quick brown fox\n")]]));
    const changed = await world.replace(straight, id, build());
    expect([changed.status, changed.json.eTag]).toEqual([200, "2"]);
    const removed = await world.remove(straight, id);
    expect([removed.status, removed.text]).toEqual([204, ""]);
    const page = removed.headers.get("location") ?? "";
    expect(page).toMatch(/\/workflow\/activity\/detail\/D-20261120-\d{5}$/);
    expect(removed.headers.get("link")).toBe(`<${page}>; rel="related"`);
    expect((await world.item(id)).state).toBe("deleted");
  });
});

describe("S2.9 202 and approval", () => {
  test.each(FORMATS)(
    "R16 R11 %s waits for approval: 202, activity page, landing page, ETag, Location",
    async (_, build) => {
      const answer = await world.deposit(approved, build());
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 202 });
      const id = recidOf(answer);
      expect(answer.json).toMatchObject({
        "@id": `${BASE_URL}/sword/deposit/${id}`,
        "@type": "Status",
        eTag: "0",
        state: [{ "@id": "http://purl.org/net/sword/3.0/state/ingested", description: "" }],
      });
      expect([answer.headers.get("etag"), answer.headers.get("location")]).toEqual([
        '"0"',
        `${BASE_URL}/sword/deposit/${id}`,
      ]);
      expect(activityOf(answer)).toMatch(/^A-20261120-\d{5}$/);
      expect(linksOf(answer).map((link) => link["@id"])[1]).toBe(`${BASE_URL}/records/${id}`);
      expect([(await world.item(id)).state, (await world.item(id)).ark]).toEqual(["draft", null]);
      expect(await world.filesOf(id)).toEqual(new Map([["a.txt", utf8Bytes("The quick brown fox\n")]]));
      const { done, item } = await approve(activityOf(answer));
      expect([done, item?.state, item?.revision]).toEqual([true, "published", 1]);
      const read = await world.status("other", id);
      expect([read.status, read.json.eTag, linksOf(read)[0]?.["@id"]]).toEqual([200, "1", `${BASE_URL}/records/${id}`]);
      expect(linksOf(read).length).toBe(2);
      expect(await world.filesOf(id)).toEqual(new Map([["a.txt", utf8Bytes("The quick brown fox\n")]]));
      const first = await world.store.items.revision(id, 1);
      expect(first?.packageSha256).toMatch(/^[0-9a-f]{64}$/);
    },
  );

  test("R16 GET of a pending item: 200 for its depositor and those who may approve, 404 for others", async () => {
    const answer = await world.deposit(approved, cratePackage());
    const id = recidOf(answer);
    for (const who of [approved, "registered", "approver", "admin", "system"] as const) {
      const read = await world.status(who, id);
      expect({ who, status: read.status, page: linksOf(read)[0]?.["@id"] }).toEqual({
        who,
        status: 200,
        page: `${PAGE}${activityOf(answer)}`,
      });
    }
    for (const who of ["other", "general", "manager", "curator"] as const) {
      const read = await world.status(who, id);
      expect([who, read.status, read.json["@type"]]).toEqual([who, 404, "NotFound"]);
    }
    expect((await world.replace("other", id, cratePackage())).status).toBe(404);
    expect((await world.remove("other", id)).status).toBe(404);
  });

  test("R2e nobody approves their own deposit unless they are an administrator", async () => {
    const own = await through({}, {}, "approver");
    const id = activityOf(await world.deposit(own, cratePackage()));
    await expect(approve(id, "approver")).rejects.toThrow("not yours to decide");
    await expect(approve(id, "other")).rejects.toThrow(/^Activity "[^"]+" does not exist$/);
    expect((await approve(id, "admin")).done).toBe(true);
    const admins = await through({}, {}, "admin");
    expect((await approve(activityOf(await world.deposit(admins, cratePackage())), "admin")).done).toBe(true);
  });

  test("R2e R16 an administrator of the community an item is for sees and approves it, though no workflow names them", async () => {
    const token = await through({ index: INDEXES.below }, {}, "admin");
    const answer = await world.deposit(token, cratePackage());
    expect((await world.status("manager", recidOf(answer))).status).toBe(200);
    for (const who of ["stranger", "curator"] as const) {
      expect((await world.status(who, recidOf(answer))).status).toBe(404);
      await expect(approve(activityOf(answer), who)).rejects.toThrow(/^Activity "[^"]+" does not exist$/);
    }
    expect((await approve(activityOf(answer), "manager")).done).toBe(true);
    expect((await world.item(recidOf(answer))).content?.indexes).toEqual([INDEXES.below]);
  });

  test("R16 two approvals one after the other: the item is published by the second", async () => {
    const twice = await through({ actions: ["start", "item_registration", "approval", "approval", "end"] });
    const answer = await world.deposit(twice, cratePackage());
    expect((await approve(activityOf(answer))).done).toBe(false);
    expect((await world.item(recidOf(answer))).state).toBe("draft");
    expect((await approve(activityOf(answer))).done).toBe(true);
    expect((await world.item(recidOf(answer))).state).toBe("published");
  });

  test("R16 R15 depositor and the one it was deposited for are in the item that approval publishes, also when it was sent back and sent again without the latter", async () => {
    const answer = await world.deposit(approved, cratePackage(), { headers: { "on-behalf-of": "other@example.org" } });
    const id = recidOf(answer);
    expect((await world.status("other", id)).status).toBe(200);
    await world.activities.throwOut(await world.viewer("approver"), activityOf(answer), "");
    expect((await world.replace(approved, id, cratePackage())).status).toBe(202);
    expect((await world.status("other", id)).status).toBe(200);
    await approve(activityOf(answer));
    const { registered, other } = world.people;
    const expected = { depositedBy: registered.account.id, depositedOnBehalfOf: other.account.id };
    expect(await world.item(id)).toMatchObject(expected);
  });
});

describe("R2e R2h the index an approver names", () => {
  const FOREIGN = 60;
  const FOREIGN_COMMUNITY = "00000000-0000-4000-8000-0000000000f1";
  const SECRET = 61;
  beforeAll(async () => {
    await world.store.transact(async (tx) => {
      await tx.indexes.insertIndex(anIndex({ id: FOREIGN, contributeRole: [1, 2] }));
      await tx.indexes.insertIndex(anIndex({ id: SECRET, publicState: false, contributeRole: [1, 2] }));
      await tx.indexes.raiseTreeRevision();
      const community = await tx.communities.community(COMMUNITY);
      if (community === null) throw new Error("The community is gone");
      await tx.communities.saveCommunity({ ...community, id: FOREIGN_COMMUNITY, slug: "foreign", rootIndex: FOREIGN });
    });
  });

  /** A deposit that waits for approval and names no index. */
  async function waiting(): Promise<{ readonly id: number; readonly activity: string }> {
    const own = await through({ index: null }, { defaultIndex: null });
    const answer = await world.deposit(own, cratePackage());
    const activity = activityOf(answer);
    return { id: recidOf(answer), activity };
  }

  test.each([
    ["one that admits administrators only", INDEXES.closed, 403, `You may not put items into index ${INDEXES.closed}`],
    ["the root of another community", FOREIGN, 403, `You may not put items into index ${FOREIGN}`],
    ["below the root of another community", INDEXES.below, 403, `You may not put items into index ${INDEXES.below}`],
    ["one that the approver may not see", SECRET, 400, `Index ${SECRET} does not exist`],
    ["one that is not there", 999_999, 400, "Index 999999 does not exist"],
  ])("%s is refused over the interface, and nothing changes", async (_, index, status, message) => {
    const { id, activity } = await waiting();
    const path = `/api/v1/workflow/activities/${activity}/approve`;
    const body = { headers: { "content-type": "application/json" }, body: JSON.stringify({ index }) };
    const refused = await world.ask("approver", "POST", path, body);
    expect([refused.status, refused.json.message]).toEqual([status, message]);
    expect(await world.item(id)).toMatchObject({ state: "draft", content: null });
    expect((await world.store.activities.activity(activity))?.state).toBe("M");
    const parent = await world.store.items.parent((await world.item(id)).parentId);
    expect(parent?.communities).toEqual([]);
    expect((await world.ask("approver", "POST", path, { ...body, body: `{"index": ${INDEXES.open}}` })).status).toBe(
      200,
    );
    expect((await world.item(id)).content?.indexes).toEqual([INDEXES.open]);
  });

  test("administrators file anywhere, and who administers a community into its own indexes only", async () => {
    const community = { approvers: { roles: [4], accounts: [], communities: [] }, index: null } as const;
    const own = await through(community, { defaultIndex: null });
    const path = async () =>
      `/api/v1/workflow/activities/${activityOf(await world.deposit(own, cratePackage()))}/approve`;
    const headers = { "content-type": "application/json" };
    const approving = async (who: PersonName, index: number) =>
      (await world.ask(who, "POST", await path(), { headers, body: JSON.stringify({ index }) })).status;
    expect(await approving("manager", FOREIGN)).toBe(403);
    expect(await approving("manager", INDEXES.below)).toBe(200);
    expect(await approving("stranger", INDEXES.below)).toBe(403);
    for (const index of [INDEXES.closed, FOREIGN, SECRET]) expect(await approving("admin", index)).toBe(200);
  });
});

describe("R1 one repository, many interfaces", () => {
  const API = "/api/v1/workflow/activities";
  const decide = (who: PersonName, id: string, what: string, body: object = {}) =>
    world.ask(who, "POST", `${API}/${id}/${what}`, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  test("R16 R19 while somebody edits the item, nothing is decided about it: 409", async () => {
    const answer = await world.deposit(approved, cratePackage());
    const [id, activity] = [recidOf(answer), activityOf(answer)];
    const word = await world.items.takeLock(id, "edit", 60_000);
    for (const what of ["approve", "cancel"]) {
      const { status, json } = await decide("approver", activity, what);
      expect([what, status, json.message]).toEqual([what, 409, expect.stringContaining(`Item ${id}`)]);
    }
    await world.items.releaseLock(id, word);
    expect((await decide("approver", activity, "cancel")).status).toBe(200);
  });

  test("R9 R16 everything that is wrong with a decision or a list is reported: the first as the message", async () => {
    const { status, json } = await decide("approver", "A-20260101-00001", "approve", { index: "x", comment: 7, by: 1 });
    const unknown = 'Unknown member "by": there are comment, index and fields';
    expect([status, json]).toEqual([
      400,
      {
        code: 400,
        status: 400,
        message: unknown,
        errors: [
          { field: "by", message: unknown },
          { field: "comment", message: "comment must be a text" },
          { field: "index", message: 'index "x" is not the number of an index' },
        ],
      },
    ]);
    const listed = await world.ask("approver", "GET", `${API}?status=done&limit=101&page=1`);
    expect([listed.status, listed.json.message, listed.json.errors]).toEqual([
      400,
      'status "done" is none of todo, wait, all',
      [
        { field: "status", message: 'status "done" is none of todo, wait, all' },
        { field: "limit", message: 'limit "101" is not a number from 1 to 100' },
      ],
    ]);
    // Without a body nothing is set.
    expect((await world.ask("approver", "POST", `${API}/A-20260101-00001/cancel`)).status).toBe(404);
  });

  test("R1 R16 what a deposit began is listed for those who decide, approved over the interface, and then read by everybody", async () => {
    const answer = await world.deposit(approved, cratePackage());
    const [id, activity] = [recidOf(answer), activityOf(answer)];
    const listed = async (who: PersonName, status: string) => {
      const { json } = await world.ask(who, "GET", `${API}?status=${status}&limit=100`);
      return (json.activities as readonly object[]).flatMap((each) => Object.values(each));
    };
    expect(await listed("approver", "todo")).toContain(activity);
    expect(await listed("registered", "wait")).toContain(activity);
    expect(await listed("other", "all")).not.toContain(activity);
    expect((await decide("other", activity, "approve")).status).toBe(404);
    expect((await decide("registered", activity, "approve")).status).toBe(403);
    const back = await decide("approver", activity, "throw-out", { comment: "A better title, please" });
    expect(back.status).toBe(200);
    expect(await listed("registered", "todo")).toContain(activity);
    expect((await world.replace(approved, id, cratePackage({ name: "Better" }))).status).toBe(202);
    expect((await decide("approver", activity, "approve")).status).toBe(200);
    const page = await world.ask(null, "GET", `/records/${id}`);
    expect([page.status, page.text.includes("Better")]).toEqual([200, true]);
    const file = await world.ask(null, "GET", `/records/${id}/files/a.txt`);
    expect([file.status, file.text]).toEqual([200, "The quick brown fox\n"]);
    expect((await world.remove("registered", id)).status).toBe(204);
    expect((await world.ask(null, "GET", `/records/${id}`)).status).toBe(410);
    expect((await world.ask(null, "GET", `/records/${id}/files/a.txt`)).status).toBe(410);
  });
});

describe("throw-out and cancel", () => {
  test("R16 thrown out, the depositor sends it again to the same URL: same activity, 202; others cannot", async () => {
    const answer = await world.deposit(approved, cratePackage({ name: "First try" }));
    const [id, activity] = [recidOf(answer), activityOf(answer)];
    const early = await world.replace(approved, id, cratePackage());
    expect([early.status, early.json.error]).toEqual([400, `Item ${id} is being edited.`]);
    await world.activities.throwOut(await world.viewer("approver"), activity, "Please mend the title");
    expect(noteOf(await world.status(approved, id))).toContain("Thrown out");
    const foreign = await world.replace("admin", id, cratePackage());
    expect([foreign.status, foreign.json.error]).toEqual([400, `Item ${id} is being edited.`]);
    const again = await world.replace(
      approved,
      id,
      cratePackage({ name: "Second try" }, [{ path: "b.txt", bytes: "b" }]),
    );
    expect([again.status, recidOf(again), activityOf(again)]).toEqual([202, id, activity]);
    expect((await approve(activity)).done).toBe(true);
    const { content } = await world.item(id);
    expect(content?.metadata.titles[0]?.value).toBe("Second try");
    expect(await world.filesOf(id)).toEqual(new Map([["b.txt", utf8Bytes("b")]]));
  });

  test("R16 cancelled, a new item is gone: 404 to everybody, and its number is not used again", async () => {
    const answer = await world.deposit(approved, cratePackage());
    const id = recidOf(answer);
    await world.activities.cancel(await world.viewer("registered"), activityOf(answer), "");
    for (const who of ["registered", "admin", "approver"] as const)
      expect((await world.status(who, id)).status).toBe(404);
    expect(await world.store.items.draft(id)).toBeNull();
    expect((await world.replace(approved, id, cratePackage())).status).toBe(404);
    expect(recidOf(await world.deposit("registered", cratePackage()))).toBeGreaterThan(id);
  });

  test("R16 R2f an update waits for approval: 202, the published side is as it was; cancelled it stays so, approved it changes", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage({ name: "As it was" })));
    const title = async () => (await world.item(id)).content?.metadata.titles[0]?.value;
    const first = await world.replace(approved, id, cratePackage({ name: "Changed" }));
    expect([first.status, first.json.eTag, recidOf(first)]).toEqual([202, "1", id]);
    expect([await title(), (await world.status("other", id)).json.eTag]).toEqual(["As it was", "1"]);
    expect(linksOf(await world.status("other", id))[0]?.["@id"]).toBe(`${BASE_URL}/records/${id}`);
    for (const refused of [
      await world.replace("registered", id, cratePackage()),
      await world.replace("registered", id, cratePackage({ "svc:editMode": "Upgrade" })),
      await world.remove("registered", id),
      await world.remove(approved, id),
    ]) {
      expect([refused.status, refused.json.error]).toEqual([400, `Item ${id} is being edited.`]);
    }
    await world.activities.cancel(await world.viewer("approver"), activityOf(first), "");
    expect(await title()).toBe("As it was");
    const second = await world.replace(approved, id, cratePackage({ name: "Changed" }));
    await approve(activityOf(second));
    expect([await title(), (await world.item(id)).revision]).toEqual(["Changed", 2]);
  });

  test("R16 R2b Upgrade through a workflow waits too: a new version only once it is approved", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const answer = await world.replace(approved, id, cratePackage({ "svc:editMode": "Upgrade", name: "Second" }));
    expect(answer.status).toBe(202);
    const next = recidOf(answer);
    expect(next).not.toBe(id);
    expect([(await world.item(next)).state, (await world.item(id)).isLatest]).toEqual(["draft", true]);
    expect(linksOf(answer)[0]).toMatchObject({ "dcterms:replaces": `${BASE_URL}/records/${id}` });
    expect(linksOf(await world.status(approved, next))[0]).toMatchObject({
      "dcterms:replaces": `${BASE_URL}/records/${id}`,
    });
    expect((await world.replace(approved, id, cratePackage({ "svc:editMode": "Upgrade" }))).status).toBe(400);
    await approve(activityOf(answer));
    expect([(await world.item(next)).isLatest, (await world.item(next)).versionIndex]).toEqual([true, 2]);
    const dropped = await world.replace(approved, next, cratePackage({ "svc:editMode": "Upgrade" }));
    await world.activities.cancel(await world.viewer("registered"), activityOf(dropped), "");
    expect((await world.status("registered", recidOf(dropped))).status).toBe(404);
    expect((await world.item(next)).isLatest).toBe(true);
    const straightaway = await world.replace(straight, next, cratePackage({ "svc:editMode": "Upgrade" }));
    const third = await world.item(recidOf(straightaway));
    expect([straightaway.status, third.isLatest, third.versionIndex > 2]).toEqual([200, true, true]);
  });
});

describe("S2.9 S2.13 deletion through a workflow", () => {
  test("R16 R11 it waits: 202 with the status document, activity page in Link and Location; approved, the item is deleted", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const answer = await world.remove(approved, id);
    expect([answer.status, answer.json["@type"], answer.json["@id"]]).toEqual([
      202,
      "Status",
      `${BASE_URL}/sword/deposit/${id}`,
    ]);
    const page = answer.headers.get("location") ?? "";
    expect(page).toMatch(/\/workflow\/activity\/detail\/D-20261120-\d{5}$/);
    expect(answer.headers.get("link")).toBe(`<${page}>; rel="related"`);
    expect([(await world.status("other", id)).status, (await world.item(id)).state]).toEqual([200, "published"]);
    const busy = await world.remove("registered", id);
    expect([busy.status, busy.json.error]).toEqual([400, `Item ${id} is being edited.`]);
    await approve(page.slice(PAGE.length));
    expect([(await world.item(id)).state, (await world.status("registered", id)).status]).toEqual(["deleted", 404]);
  });

  test("R16 thrown out or cancelled, the activity ends, nobody decides about it any more, and the item stays", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const viewer = await world.viewer("approver");
    for (const end of ["throwOut", "cancel"] as const) {
      const page = (await world.remove(approved, id)).headers.get("location") ?? "";
      const activity = page.slice(PAGE.length);
      await world.activities[end](viewer, activity, "");
      await expect(approve(activity)).rejects.toThrow("Activity status is not Approval.");
      await expect(world.activities.throwOut(viewer, activity, "")).rejects.toThrow("Activity status is not Approval.");
      await expect(world.activities.cancel(viewer, activity, "")).rejects.toThrow("has ended already");
      expect([(await world.item(id)).state, (await world.status("other", id)).status]).toEqual(["published", 200]);
    }
    expect((await world.remove("registered", id)).status).toBe(204);
  });

  test("R16 a workflow without a delete flow deletes directly: 204 without Link", async () => {
    const without = await through({ delete: null });
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const answer = await world.remove(without, id);
    expect([answer.status, answer.headers.get("link")]).toEqual([204, null]);
  });

  test("R16 R17 a client that names no workflow deletes by the one it would deposit through", async () => {
    const { token } = await world.token("registered", undefined, { registrationType: 2, workflow: null });
    const id = recidOf(await world.deposit("registered", cratePackage()));
    expect((await world.remove({ token }, id)).status).toBe(202);
  });
});

describe("S2.9 what is incomplete", () => {
  const untitled = () => {
    const crate = crateOf(["a.txt"], { name: undefined });
    return plainPackage(bagPieces({ crate, payload: [{ path: "a.txt", bytes: "kept for people" }] }));
  };

  test("message 11 R16 without keep_incomplete nothing is registered and nothing kept", async () => {
    const client = await through({});
    const [items, files] = [await world.countItems(), world.leftovers()];
    const answer = await world.deposit(client, untitled());
    expect([answer.status, answer.json["@type"]]).toEqual([400, "ContentMalformed"]);
    expect(String(answer.json.error)).toMatch(/^Item check error: .*Title.* is required\.$/);
    expect([await world.countItems(), world.leftovers()]).toEqual([items, files]);
  });

  test("message 11 R16 with keep_incomplete the client receives the same, the activity is kept as stopped with metadata and files; PUT or cancel goes on", async () => {
    const client = await through({}, { keepIncomplete: true });
    const answer = await world.deposit(client, untitled());
    expect([answer.status, answer.json["@type"]]).toEqual([400, "ContentMalformed"]);
    const viewer = await world.viewer("registered");
    const listed = async () =>
      (await world.activities.list(viewer, { condition: "all", page: 1, limit: 1000 })).activities;
    const stopped = (await listed()).find(({ state }) => state === "P");
    if (stopped === undefined || stopped.itemId === null) throw new Error("No activity was kept");
    expect([stopped.state, stopped.note]).toEqual(["P", String(answer.json.error)]);
    expect(await world.filesOf(stopped.itemId)).toEqual(new Map([["a.txt", utf8Bytes("kept for people")]]));
    expect((await world.status(client, stopped.itemId)).status).toBe(200);
    const again = await world.replace(client, stopped.itemId, cratePackage());
    expect([again.status, activityOf(again)]).toEqual([202, stopped.id]);
    expect((await approve(stopped.id)).done).toBe(true);

    await world.deposit(client, untitled());
    const next = (await listed()).find(({ state }) => state === "P");
    if (next === undefined || next.itemId === null) throw new Error("No activity was kept");
    await world.activities.cancel(viewer, next.id, "");
    expect((await world.status("registered", next.itemId)).status).toBe(404);
  });

  test("R16 without an index it is stored and waits: 202, the description states it, approval asks for an index", async () => {
    for (const actions of [
      ["start", "item_registration", "approval", "end"],
      ["start", "item_registration", "end"],
    ] as const) {
      const client = await through({ index: null, actions }, { defaultIndex: null });
      const answer = await world.deposit(client, cratePackage());
      const expected = [202, "No index is given: approve it with an index, and it is registered there."];
      expect([answer.status, noteOf(answer)]).toEqual(expected);
      let { done } = { done: false };
      if (actions.length === 4) {
        ({ done } = await approve(activityOf(answer)));
        expect(done).toBe(false);
      }
      await expect(approve(activityOf(answer))).rejects.toThrow("An index is needed");
      await expect(approve(activityOf(answer), "approver", 777)).rejects.toThrow("Index 777 does not exist");
      ({ done } = await approve(activityOf(answer), "approver", INDEXES.hidden));
      expect(done).toBe(true);
      expect((await world.item(recidOf(answer))).content?.indexes).toEqual([INDEXES.hidden]);
    }
  });
});

describe("R17 S2.7 settings of formats and clients", () => {
  test("R17 out of the box XML goes through a workflow and everything else is registered directly", async () => {
    const fresh = await openWorld({ repository: true });
    expect((await fresh.deposit("registered", tablePackage())).status).toBe(201);
    const { token } = await fresh.token("registered", undefined, null);
    expect((await fresh.deposit({ token }, tablePackage())).status).toBe(201);
    const xml = await fresh.deposit({ token }, xmlPackage(jpcoarOf(undefined, freshTitle())));
    expect([xml.status, xml.text.includes("A-20261120-00001")]).toEqual([202, true]);
  });

  test("R17 XML for direct registration is refused: 415 MetadataFormatNotAcceptable, whether set for format or client", async () => {
    const client = await world.deposit("registered", xmlPackage());
    const expected = [415, "MetadataFormatNotAcceptable", "Direct registration is not allowed for XML metadata yet."];
    expect([client.status, client.json["@type"], client.json.error]).toEqual(expected);
    const bare = await world.token("registered", undefined, null);
    await world.format("XML", { registrationType: 1 });
    const format = await world.deposit(bare, xmlPackage());
    await world.format("XML", { registrationType: 2 });
    expect(format.status).toBe(415);
  });

  test("R17 where client and format both speak, the client wins: registration type, workflow and duplicate check", async () => {
    await world.format("TSV/CSV", { registrationType: 2, workflow: approved.workflow, duplicateCheck: true });
    try {
      expect((await world.deposit("registered", tablePackage())).status).toBe(201);
      expect((await world.deposit(straight, tablePackage())).status).toBe(201);
      const bare = await world.token("registered", undefined, null);
      const pkg = tablePackage();
      expect((await world.deposit(bare, pkg)).status).toBe(202);
      expect((await world.deposit("registered", pkg)).status).toBe(201);
      const second = await world.deposit(bare, pkg);
      expect(second.status).toBe(400);
      expect(String(second.json.error)).toMatch(/^New item appears to be a duplicate: /);
    } finally {
      await world.format("TSV/CSV", { registrationType: 1, workflow: null, duplicateCheck: false });
    }
  });
});

describe("a split deposit through a workflow", () => {
  test("R13a R16 both parts wait, each in its activity, linked to each other; approved, both are published", async () => {
    const answer = await world.deposit(approved, splitPackage());
    expect(answer.status).toBe(202);
    const paper = recidOf(answer);
    const pages = linksOf(answer).map((link) => link["@id"]);
    const evidence = Number(/\/records\/(\d+)$/.exec(pages.at(-1) ?? "")?.[1]);
    expect([pages[1], evidence < paper]).toEqual([`${BASE_URL}/records/${paper}`, true]);
    const other = await world.store.activities.openActivity(evidence);
    await approve(other?.id ?? "");
    await approve(activityOf(answer));
    const relations = async (id: number) =>
      (await world.item(id)).content?.metadata.relations.map(({ type, ident }) => [type, ident?.value]);
    expect(await relations(paper)).toEqual([["isSupplementedBy", `${BASE_URL}/records/${evidence}`]]);
    expect(await relations(evidence)).toEqual([["isSupplementTo", `${BASE_URL}/records/${paper}`]]);
  });
});
