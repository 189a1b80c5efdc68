// Workflow activities, for programs and on pages with buttons (R16, R2e): list, one, approve, send back, cancel.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Viewer } from "../../src/auth/account.ts";
import { NOW } from "../support/seed.ts";
import { anIndex, titled } from "../support/world/items.ts";
import { csrfIn } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

let approver: Viewer;
const world = setUpWorld({ pages: true });
beforeAll(async () => {
  approver = await world.person("approver", [3]);
});

const API = "/api/v1/workflow/activities";
type Json = { readonly [name: string]: unknown };

async function call(viewer: Viewer, method: string, path: string, body?: unknown, scopes = ["user:activity"]) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${await world.token(viewer, scopes)}`,
    accept: "application/json",
  };
  const answer = await world
    .visitor()
    .send(`${API}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const json: Json = JSON.parse(answer.text);
  return { status: answer.status, json };
}

describe("for programs", () => {
  test("R16 the list shows what waits for whom, with condition, total and names", async () => {
    const { id } = await world.pending({ indexes: [1], metadata: titled("Waiting thing") }, [approver]);
    const todo = await call(approver, "GET", "?status=todo&limit=5&page=1");
    expect(todo.status).toBe(200);
    expect(todo.json.condition).toEqual({ status: "todo", limit: 5, page: 1 });
    const names = { activity_id: id, item_name: "Waiting thing", workflow_type: "With approval" };
    const step = { action: "Approval", status: "M", user: "owner@example.org" };
    expect(todo.json.activities).toContainEqual(expect.objectContaining({ ...names, ...step }));
    const wait = await call(world.owner, "GET", "?status=wait");
    expect(JSON.stringify(wait.json.activities)).toContain(id);
    const stranger = await world.person("stranger", [3]);
    expect((await call(stranger, "GET", "?status=all")).json).toMatchObject({ total: 0, activities: [] });
    expect((await call(stranger, "GET", `/${id}`)).status).toBe(404);
  });

  test("R16 approving publishes the item; the answer states what was decided and what comes next", async () => {
    const { id, itemId } = await world.pending({ indexes: [1] }, [approver]);
    expect((await world.visitor().get(`/records/${itemId}`)).status).toBe(404);
    const { status, json } = await call(approver, "POST", `/${id}/approve`, { comment: "Good" });
    expect(status).toBe(200);
    const done = { action_id: "approval", action_user: "approver@example.org", action_status: "F" };
    const next_action = { id: "end", endpoint: "end_action" };
    expect(json).toMatchObject({ next_action, status: "F", action_info: { ...done, action_comment: "Good" } });
    expect((await world.visitor().get(`/records/${itemId}`)).status).toBe(200);
    const again = await call(approver, "POST", `/${id}/approve`);
    expect(again.json).toEqual({ code: 400, status: 400, message: "Activity status is not Approval." });
  });

  test("R16 sending back leads to the depositor; cancelling makes a new item disappear", async () => {
    const { id, itemId } = await world.pending({ indexes: [1] }, [approver]);
    const back = await call(approver, "POST", `/${id}/throw-out`, { comment: "The title is wrong" });
    const expected = { status: "M", next_action: { endpoint: "item_login" }, action_info: { action_status: "T" } };
    expect(back.json).toMatchObject(expected);
    const one = await call(world.owner, "GET", `/${id}`);
    expect(JSON.stringify(one.json.steps)).toContain("The title is wrong");
    expect(one.json.may).toEqual({ approve: false, throw_out: false, cancel: true, hold: false });
    expect((await call(world.owner, "POST", `/${id}/cancel`, {})).json).toMatchObject({ status: "C" });
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    expect((await owner.get(`/records/${itemId}`)).status).toBe(404);
  });

  test("P.221 who decides sees the checks and the preview of what waits; a stranger sees neither", async () => {
    const { id, itemId } = await world.pending({ indexes: [1], metadata: titled("To be previewed") }, [approver]);
    const [browser, stranger] = [world.visitor(), world.visitor()];
    await browser.signIn(await world.token(approver));
    await stranger.signIn(await world.token(await world.person("nobody", [3])));
    const page = await browser.get(`/workflow/activity/detail/${id}`);
    expect(page.text).toContain("<h2>Checks</h2>");
    expect(page.text).toContain(`href="/deposit/${itemId}/preview"`);
    const preview = await browser.get(`/deposit/${itemId}/preview`);
    expect([preview.status, preview.text.includes("To be previewed")]).toEqual([200, true]);
    expect((await stranger.get(`/deposit/${itemId}/preview`)).status).toBe(404);
  });

  test("P.219 comments on fields come with what is sent back, and are in its history", async () => {
    const { id, itemId } = await world.pending({ indexes: [1] }, [approver]);
    const fields = [{ field: "creators.0", content: "Who is <this>?" }];
    for (const wrong of [[{ field: "nothing", content: "x" }], [{ field: "title" }], "x"]) {
      expect((await call(approver, "POST", `/${id}/throw-out`, { fields: wrong })).status).toBe(400);
    }
    const back = await call(approver, "POST", `/${id}/throw-out`, { comment: "Not yet", fields });
    expect(back.json).toMatchObject({ status: "M", action_info: { action_status: "T", action_comment: "Not yet" } });
    const said = { event: "comment", field: "creators.0", action_comment: "Who is <this>?" };
    expect((await call(world.owner, "GET", `/${id}`)).json.steps).toContainEqual(expect.objectContaining(said));
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    const form = await owner.get(`/deposit/${itemId}`);
    expect(form.text).toContain("Who is &lt;this&gt;?");
    const page = await owner.get(`/workflow/activity/detail/${id}`);
    expect(page.text).toContain("Who is &lt;this&gt;?");
    expect(page.text).not.toContain('name="field:');
  });

  test("P.215 what waits is taken, released and reassigned, and waits as long as before; its history states it", async () => {
    const second = await world.person("second", [3]);
    const { id } = await world.pending({ indexes: [1], metadata: titled("To be taken") }, [approver, second]);
    const own = (viewer: Viewer) => String(viewer.account?.id);
    const give = (viewer: Viewer, user: unknown) => call(viewer, "PUT", `/${id}/holder`, { user });
    const before = await call(approver, "GET", `/${id}`);
    expect(before.json).toMatchObject({ holder: "", may: { approve: true, hold: true } });
    expect((await give(world.owner, own(world.owner))).status).toBe(403);
    expect((await give(approver, "x")).status).toBe(400);
    const both = await Promise.all([give(approver, own(approver)), give(second, own(second))]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    const [holder, other] = both[0]?.status === 200 ? [approver, second] : [second, approver];
    expect((await call(other, "GET", `/${id}`)).json).toMatchObject({
      ...{ holder: holder.account?.mail, updated: before.json.updated, may: { approve: false, throw_out: false } },
    });
    expect((await call(other, "POST", `/${id}/approve`)).status).toBe(403);
    expect((await give(other, null)).status).toBe(403);
    expect((await give(holder, null)).json).toMatchObject({ holder: "" });
    expect((await give(world.admin, own(world.owner))).json).toMatchObject({ status: 400 });
    expect((await give(world.admin, own(other))).json).toMatchObject({ holder: other.account?.mail });
    const browser = world.visitor();
    await browser.signIn(await world.token(other));
    const at = `/workflow/activity/detail/${id}`;
    const page = await browser.get(at);
    for (const words of ["Taken</span>", "Released</span>", "Given to another account</span>", "Release this task"]) {
      expect(page.text).toContain(words);
    }
    const csrf = csrfIn(page.text);
    expect((await browser.post(`${at}/holder`, { csrf, to: "" })).status).toBe(303);
    expect((await browser.post(`${at}/holder`, { csrf, to: "seven" })).status).toBe(400);
    expect((await browser.post(`${at}/holder`, { csrf, to: "me" })).status).toBe(303);
    expect((await call(other, "POST", `/${id}/approve`, {})).json).toMatchObject({
      ...{ status: "F", action_info: { action_user: other.account?.mail, action_status: "F" } },
    });
    expect((await give(world.admin, own(other))).status).toBe(400);
  });

  test("R16 an item without an index is approved with one", async () => {
    const { id, itemId } = await world.pending({ indexes: [] }, [approver]);
    expect((await call(approver, "GET", `/${id}`)).json).toMatchObject({ needs_index: true });
    expect((await call(approver, "POST", `/${id}/approve`, { index: 424242 })).json).toMatchObject({
      status: 400,
      message: "Index 424242 does not exist",
    });
    expect((await call(approver, "POST", `/${id}/approve`, { index: 1 })).json).toMatchObject({ status: "F" });
    expect((await world.store.items.item(itemId))?.content?.indexes).toEqual([1]);
  });

  test("R2e nobody approves their own deposit, and a token needs the scope user:activity", async () => {
    const { id } = await world.pending({ indexes: [1] }, [world.owner]);
    expect((await call(world.owner, "POST", `/${id}/approve`)).status).toBe(403);
    expect((await call(world.owner, "GET", `/${id}`, undefined, ["item:read"])).status).toBe(403);
    const guest = await world.visitor().get(`${API}/${id}`, { accept: "application/json" });
    expect([guest.status, JSON.parse(guest.text).code]).toEqual([401, 401]);
  });

  test.each([
    ["?status=mine", "status"],
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?page=-1", "page"],
    ["?page=x", "page"],
  ])("R16 %s is refused naming %s", async (query, name) => {
    const { status, json } = await call(approver, "GET", query);
    expect([status, String(json.message).startsWith(name)]).toEqual([400, true]);
  });

  test.each([
    ["a list", [1], "The body must be"],
    ["an unknown member", { note: "x" }, 'Unknown member "note"'],
    ["a comment that is not a text", { comment: 1 }, "comment must be"],
    ["an index in words", { index: "one" }, "index"],
    ["half an index", { index: 1.5 }, "index"],
    ["too long a comment", { comment: "x".repeat(2001) }, "A comment has at most"],
  ])("R16 a decision with %s is refused", async (_what, body, message) => {
    const { id } = await world.pending({ indexes: [1] }, [approver]);
    const { status, json } = await call(approver, "POST", `/${id}/approve`, body);
    expect([status, String(json.message).startsWith(message)]).toEqual([400, true]);
    expect((await call(approver, "GET", `/${id}`)).json).toMatchObject({ status: "M" });
  });
});

describe("for people", () => {
  async function signedIn(viewer: Viewer) {
    const browser = world.visitor();
    await browser.signIn(await world.token(viewer));
    return browser;
  }

  test("R16 the page has the history and the buttons of those who may decide; approving publishes", async () => {
    const { id, itemId } = await world.pending({ indexes: [1], metadata: titled("On <paper>") }, [approver]);
    const page = `/workflow/activity/detail/${id}`;
    const guest = await world.visitor().get(page);
    expect([guest.status, guest.headers.get("location")]).toEqual([
      303,
      `/account/login?return_to=${encodeURIComponent(page)}`,
    ]);
    const browser = await signedIn(approver);
    expect((await browser.get("/workflow/activities")).text).toContain("On &lt;paper&gt;");
    const shown = await browser.get(page);
    expect(shown.text).toContain("Item Registration");
    for (const action of ["approve", "throw-out", "cancel"])
      expect(shown.text).toContain(`formaction="${page}/${action}"`);
    const answer = await browser.post(`${page}/approve`, { csrf: csrfIn(shown.text), comment: "Fine" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${page}?done=decided`]);
    const after = await browser.get(`${page}?done=decided`);
    expect(after.text).toContain("Your decision is recorded.");
    expect(after.text).toContain("Fine");
    expect(after.text).not.toContain("formaction");
    expect((await world.visitor().get(`/records/${itemId}`)).status).toBe(200);
  });

  test("R44 a decider sees what differs from the published version, within texts, and file by file", async () => {
    const [kept, old] = [await world.file("kept.txt", "the same"), await world.file("data.csv", "1,2")];
    const item = await world.publish({ indexes: [1], files: [kept, old], metadata: titled("The old tide tables") });
    const changed = await world.file("data.csv", "1,2,3");
    const added = await world.file("notes.txt", "new");
    const { id } = await world.pendingUpdate(
      item,
      { files: [kept, changed, added], metadata: titled("The new tide tables") },
      [approver],
    );
    const { text } = await (await signedIn(approver)).get(`/workflow/activity/detail/${id}`);
    const changes = text.slice(text.indexOf("<h2>What changes</h2>"), text.indexOf("<h2>What was sent in</h2>"));
    expect(changes.replace(/<span class="off">.*?<\/span>/g, "")).toContain(
      "The <del>old</del><ins>new</ins> tide tables",
    );
    expect(changes).toContain('<span class="off">Removed: </span>');
    for (const name of ["data.csv", "notes.txt"]) expect(changes).toContain(name);
    expect(changes).not.toContain("kept.txt");
    expect(changes).toContain("1 file stays as it is");
    expect(changes).toContain(changed.sha256.slice(0, 16));
    const same = await world.pendingUpdate(await world.publish({ indexes: [1] }), {}, [approver]);
    const unchanged = await (await signedIn(approver)).get(`/workflow/activity/detail/${same.id}`);
    expect(unchanged.text).toContain("No field and no file differs");
  });

  test("R16 a decider reads the item that waits, and its files; others do not", async () => {
    const file = await world.file("draft.txt", "words to come");
    const { itemId } = await world.pending({ indexes: [1], files: [file], metadata: titled("Pending") }, [approver]);
    const browser = await signedIn(approver);
    const page = await browser.get(`/records/${itemId}`);
    expect(page.text).toContain("Not published");
    expect((await browser.get(`/records/${itemId}/files/draft.txt`)).text).toBe("words to come");
    const other = await signedIn(await world.person("bystander", [3]));
    expect((await other.get(`/records/${itemId}`)).status).toBe(404);
    expect((await other.get(`/records/${itemId}/files/draft.txt`)).status).toBe(404);
  });

  test("R16 the page shows what is to be decided about, a change of a published item too, with its files", async () => {
    const item = await world.publish({ indexes: [1], metadata: titled("As it was") });
    const file = await world.file("new.txt", "new words");
    const { id } = await world.pendingUpdate(item, { metadata: titled("As it will be"), files: [file] }, [approver]);
    const browser = await signedIn(approver);
    const page = await browser.get(`/workflow/activity/detail/${id}`);
    expect(page.text).toContain("As it will be");
    const path = `/workflow/activity/detail/${id}/files/new.txt`;
    expect(page.text).toContain(`href="${path}"`);
    const got = await browser.get(path);
    expect([got.text, got.headers.get("cache-control")]).toEqual(["new words", "private, no-cache"]);
    expect((await world.visitor().get(path)).status).toBe(303);
    expect((await world.visitor().get(`/records/${item.id}`)).text).toContain("As it was");
    expect((await world.visitor().get(`/records/${item.id}/files/new.txt`)).status).toBe(404);
    const other = await signedIn(await world.person("onlooker", [3]));
    expect((await other.get(path)).status).toBe(404);
    await browser.post(`/workflow/activity/detail/${id}/approve`, { csrf: csrfIn(page.text) });
    expect((await world.visitor().get(`/records/${item.id}/files/new.txt`)).text).toBe("new words");
    expect((await browser.get(path)).status).toBe(404);
  });

  test("R16 the page asks for an index where one is missing, and shows what is wrong", async () => {
    const { id } = await world.pending({ indexes: [] }, [approver]);
    const page = `/workflow/activity/detail/${id}`;
    const browser = await signedIn(approver);
    const shown = await browser.get(page);
    expect(shown.text).toContain('name="index"');
    const csrf = csrfIn(shown.text);
    const wrong = await browser.post(`${page}/approve`, { csrf, index: "first", comment: "Kept words" });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("is not the number of an index");
    expect(wrong.text).toContain("Kept words");
    expect((await browser.post(`${page}/approve`, { csrf, index: "1" })).status).toBe(303);
  });

  test("R16 R16a the page asks for an index too where the one that was named is gone", async () => {
    await world.store.transact((tx) => tx.indexes.insertIndex(anIndex({ id: 909 })));
    const { id, itemId } = await world.pending({ indexes: [909] }, [approver]);
    const page = `/workflow/activity/detail/${id}`;
    const browser = await signedIn(approver);
    expect((await browser.get(page)).text).not.toContain('name="index"');
    await world.store.transact((tx) => tx.indexes.deleteIndexes([909], NOW));
    const shown = await browser.get(page);
    expect(shown.text).toContain('name="index"');
    expect((await browser.post(`${page}/approve`, { csrf: csrfIn(shown.text), index: "1" })).status).toBe(303);
    expect((await world.store.items.item(itemId))?.content?.indexes).toEqual([1]);
  });

  test("R16 no button works without the form's token", async () => {
    const { id } = await world.pending({ indexes: [1] }, [approver]);
    const browser = await signedIn(approver);
    for (const action of ["approve", "throw-out", "cancel"]) {
      expect((await browser.post(`/workflow/activity/detail/${id}/${action}`, {})).status).toBe(403);
      expect((await world.visitor().post(`/workflow/activity/detail/${id}/${action}`, {})).status).toBe(401);
    }
    expect((await call(approver, "GET", `/${id}`)).json).toMatchObject({ status: "M" });
  });
});
