// What people do with their own items in a browser, without script: correct, new version, withdraw, share (R2c, R15,
// R37).
import { beforeAll, describe, expect, test } from "bun:test";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { METADATA, recordCalls } from "../support/record-calls.ts";
import { csrfIn, type Visitor, visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });
const calls = recordCalls(world);
const CLOSED = {
  metadata: { ...METADATA, title: "Tides <of> the bay" },
  access: { record: "restricted", files: "restricted" },
  files: { enabled: false },
};
const browsers = new Map<string, Visitor>();
const as = (who: string): Visitor => browsers.get(who) ?? visitor(world.handler);

beforeAll(async () => {
  for (const who of ["registered", "other", "general", "system"] as const) {
    const browser = visitor(world.handler);
    await browser.signIn(world.people[who].token);
    browsers.set(who, browser);
  }
});

const csrfOf = async (who: string): Promise<string> => csrfIn((await as(who).get("/me")).text);
async function send(who: string, path: string, fields: Readonly<Record<string, string>> = {}) {
  const { status, headers, text } = await as(who).post(path, { csrf: await csrfOf(who), ...fields });
  return { status, text, to: headers.get("location") };
}
const audited = async (id: string) => (await world.store.events(`item:${id}`, 20)).map(({ action }) => action);

describe("an item's page", () => {
  test("P.185 its buttons are those that the reader may use, and each of them works", async () => {
    const id = await calls.published("registered");
    const own = await as("registered").get(`/records/${id}`);
    for (const path of ["edit", "new-version", "share", "withdraw"])
      expect(own.text).toContain(`/records/${id}/${path}"`);
    for (const who of ["other", "general", "nobody"]) {
      const { status, text } = await as(who).get(`/records/${id}`);
      expect([who, status, /\/records\/\d+\/(?:edit|new-version|share|withdraw)"/.test(text)]).toEqual([
        who,
        200,
        false,
      ]);
    }
    expect(await send("registered", `/records/${id}/edit`)).toMatchObject({ status: 303, to: `/deposit/${id}` });
    const access = await send("registered", `/records/${id}/edit`, { part: "access" });
    const form = await as("registered").get(`/deposit/${id}`);
    const [path = "", field = ""] = (access.to ?? "").split("#");
    expect([form.status, path, form.text.includes(`id="${field}"`)]).toEqual([200, `/deposit/${id}`, true]);
    expect(own.text).toContain('id="use"');
    expect((await as("registered").get("/me?tab=records")).text).toContain(`/records/${id}#use"`);
    const version = await send("registered", `/records/${id}/new-version`, { files: "true" });
    const next = /^\/deposit\/(\d+)$/.exec(version.to ?? "")?.[1];
    expect([version.status, next === id, next !== undefined]).toEqual([303, false, true]);
    // The version in preparation is the one that there is.
    expect((await send("registered", `/records/${id}/new-version`)).to).toBe(`/deposit/${next}`);
    const draft = await as("registered").get(`/records/${next}`);
    expect([draft.text.includes(`href="/deposit/${next}"`), draft.text.includes(`/records/${next}/edit"`)]).toEqual([
      true,
      false,
    ]);
    for (const path of ["edit", "new-version", "withdraw", "restore"]) {
      expect([path, (await send("other", `/records/${id}/${path}`)).status]).toEqual([path, 403]);
    }
  });
});

describe("withdrawing", () => {
  test("P.186 the owner withdraws with reason, note and citation; the page says before what stays, the tombstone after", async () => {
    const id = await calls.published("registered", { ...CLOSED, access: { record: "public", files: "public" } });
    const asked = await as("registered").get(`/records/${id}/withdraw`);
    expect(asked.status).toBe(200);
    for (const text of [
      "What stays",
      "Tides &lt;of&gt; the bay",
      "Retracted by its authors",
      "Only administrators can restore",
    ])
      expect(asked.text).toContain(text);
    const ja = await as("registered").get(`/records/${id}/withdraw?lang=ja`);
    expect(ja.text).toContain("残るもの");
    const wrong = await send("registered", `/records/${id}/withdraw`, { reason: "boredom", note: "My note" });
    expect([wrong.status, wrong.text.includes('href="#reason"'), wrong.text.includes("My note")]).toEqual([
      400,
      true,
      true,
    ]);
    expect((await as("nobody").get(`/records/${id}`)).status).toBe(200);
    const fields = { reason: "retracted", note: "See the <b>erratum</b>", citation: "Doe: On tides" };
    expect(await send("registered", `/records/${id}/withdraw`, fields)).toMatchObject({
      status: 303,
      to: `/records/${id}`,
    });
    const gone = await as("nobody").get(`/records/${id}`);
    expect(gone.status).toBe(410);
    for (const text of ["Retracted by its authors", "See the &lt;b&gt;erratum&lt;/b&gt;", "Doe: On tides"])
      expect(gone.text).toContain(text);
    expect((await as("registered").get(`/records/${id}/withdraw`)).status).toBe(410);

    const mine = await as("registered").get("/me?tab=withdrawn");
    expect([mine.text.includes("Tides &lt;of&gt; the bay"), mine.text.includes("/restore")]).toEqual([true, false]);
    expect((await as("other").get("/me?tab=withdrawn")).text).not.toContain("Tides");
    expect((await send("registered", `/records/${id}/restore`)).status).toBe(403);
    expect(await send("system", `/records/${id}/restore`)).toMatchObject({ status: 303, to: `/records/${id}` });
    expect((await as("nobody").get(`/records/${id}`)).status).toBe(200);
    expect((await audited(id)).slice(0, 2)).toEqual(["item.restore", "item.delete"]);
  });

  test("P.186 only who may delete it is asked; a draft of others is unknown", async () => {
    const [published, draft] = [await calls.published("registered", CLOSED), await calls.create("registered", CLOSED)];
    for (const who of ["other", "general"]) {
      expect((await as(who).get(`/records/${published}/withdraw`)).status).toBe(403);
      expect((await as(who).get(`/records/${draft}/withdraw`)).status).toBe(404);
    }
    expect((await as("registered").get(`/records/${draft}/withdraw`)).status).toBe(404);
    expect((await as("nobody").get(`/records/${published}/withdraw`)).status).toBe(303);
    expect((await as("other").get(`/records/${draft}/share`)).status).toBe(404);
  });
});

describe("sharing", () => {
  test("P.187 people are named by mail address, name or number, groups by name or number; rights are changed and removed", async () => {
    const id = await calls.published("registered", CLOSED);
    const share = (fields: Readonly<Record<string, string>>) => send("registered", `/records/${id}/share`, fields);
    const { account } = world.people.other;
    const named = { ...account, name: "Ōta Hana", mail: "hana@example.org" };
    await world.store.transact((tx) => tx.accounts.saveAccount(named));
    const group = await world.store.transact((tx) => tx.accounts.insertGroup("Field team", world.time.now));
    const page = async () => (await as("registered").get(`/records/${id}/share`)).text;
    expect(await page()).toContain("It is shared with nobody.");
    for (const who of ["HANA@example.org", "Ōta Hana", String(account.id)]) {
      const added = await share({ do: "add", kind: "user", who, permission: "view" });
      expect([who, added.status, added.to]).toEqual([who, 303, `/records/${id}/share?done=added`]);
      expect((await as("other").get(`/records/${id}`)).status).toBe(200);
      const removed = await share({ do: "remove", kind: "user", number: String(account.id) });
      expect(removed.to).toBe(`/records/${id}/share?done=removed`);
      expect((await as("other").get(`/records/${id}`)).status).toBe(403);
    }
    await share({ do: "add", kind: "role", who: "Field team", permission: "preview" });
    await share({ do: "add", kind: "user", who: "hana@example.org", permission: "view" });
    expect((await as("other").get(`/records/${id}/share`)).status).toBe(403);
    const changed = await share({ do: "change", kind: "user", number: String(account.id), permission: "manage" });
    expect(changed.to).toBe(`/records/${id}/share?done=changed`);
    expect((await as("other").get(`/records/${id}/share`)).status).toBe(200);
    for (const text of ["Ōta Hana", "Field team", `value="${group}"`]) expect(await page()).toContain(text);
    for (const [fields, field] of [
      [{ do: "add", kind: "user", who: "nobody@example.org", permission: "view" }, "who"],
      [{ do: "add", kind: "role", who: "Ōta Hana", permission: "view" }, "who"],
      [{ do: "add", kind: "user", who: "Ōta Hana", permission: "own" }, "permission"],
      [{ do: "make-link", link_permission: "own" }, "link_permission"],
      [{ do: "make-link", link_permission: "view", link_last_day: "2001-01-01" }, "link_last_day"],
    ] as const) {
      const refused = await share(fields);
      expect([refused.status, refused.text.includes(`href="#${field}"`)]).toEqual([400, true]);
      expect(refused.text).toContain("<title>Error: ");
    }
    expect((await share({ do: "anything" })).status).toBe(400);
    const actions = await audited(id);
    expect(actions.filter((action) => action === "item.share")).toHaveLength(9);
    // Who has a right since receives a notice.
    const about = (await world.store.outgoing.listOutgoing({ channel: "notice" }, null, 50)).map(
      ({ subject }) => subject,
    );
    expect(about).toContain(`shared item:${id} ${account.id}`);
  });

  test("P.188 a link is made, its address shown once, and revoked", async () => {
    const id = await calls.published("registered", CLOSED);
    const fields = {
      do: "make-link",
      link_permission: "view",
      link_description: "Referee <1>",
      link_last_day: "2099-12-31",
    };
    const made = await send("registered", `/records/${id}/share`, fields);
    const address = /\/records\/\d+\?token=[\w-]{43}/.exec(made.text)?.[0] ?? "";
    expect([made.status, address === ""]).toEqual([200, false]);
    const guest = visitor(world.handler);
    expect((await guest.get(address)).headers.get("location")).toBe(`/records/${id}`);
    expect((await guest.get(`/records/${id}`)).status).toBe(200);
    const page = await as("registered").get(`/records/${id}/share`);
    expect([page.text.includes("Referee &lt;1&gt;"), page.text.includes("token=")]).toEqual([true, false]);
    const link = /name="link" value="([\w-]{36})"/.exec(page.text)?.[1] ?? "";
    const revoked = await send("registered", `/records/${id}/share`, { do: "revoke-link", link });
    expect(revoked.to).toBe(`/records/${id}/share?done=revoked`);
    expect((await guest.get(`/records/${id}`)).status).toBe(403);
    expect((await send("registered", `/records/${id}/share`, { do: "revoke-link", link })).status).toBe(404);
    expect((await send("other", `/records/${id}/share`, fields)).status).toBe(403);
  });
});

describe("handing over", () => {
  test("P.189 it is offered by name, listed for both, and accepted on a page", async () => {
    const id = await calls.published("registered", CLOSED);
    const form = await as("registered").get(`/records/${id}/transfer`);
    expect([form.status, form.text.includes("Nothing changes before")]).toEqual([200, true]);
    for (const who of ["other", "nobody"]) {
      expect((await as(who).get(`/records/${id}/transfer`)).status).toBe(who === "other" ? 403 : 303);
    }
    for (const who of ["nobody@example.org", String(world.people.registered.account.id)]) {
      const wrong = await send("registered", `/records/${id}/transfer`, { who, message: "My <words>" });
      expect([wrong.status, wrong.text.includes('href="#who"'), wrong.text.includes("My &lt;words&gt;")]).toEqual([
        400,
        true,
        true,
      ]);
    }
    const draft = await calls.create("registered", CLOSED);
    expect((await as("other").get(`/records/${draft}/transfer`)).status).toBe(404);
    const gone = await calls.published("registered", CLOSED);
    await send("registered", `/records/${gone}/withdraw`);
    expect((await as("registered").get(`/records/${gone}/transfer`)).status).toBe(410);
    const who = String(world.people.other.account.id);
    const made = await send("registered", `/records/${id}/transfer`, { who, message: "Take <care>" });
    expect([made.status, made.to?.startsWith("/transfers/")]).toEqual([303, true]);
    const path = made.to ?? "";
    expect((await as("registered").get(`/records/${id}/transfer`)).text).toContain(path);
    expect((await send("registered", `/records/${id}/transfer`, { who })).status).toBe(400);
    // What waits is counted in the head of every page.
    world.time.now = addMilliseconds(world.time.now, 60_000);
    const head = async (who: string) => /\/me">([^<]*)</.exec((await as(who).get("/index")).text)?.[1];
    expect([await head("other"), await head("registered")]).toEqual(["My work (1)", "My work"]);
    for (const browser of ["registered", "other"]) {
      const list = await as(browser).get("/me?tab=tasks");
      expect([list.text.includes(path), list.text.includes("Tides &lt;of&gt; the bay")]).toEqual([true, true]);
    }
    expect((await as("general").get(path)).status).toBe(404);
    const offer = await as("other").get(path);
    expect([offer.text.includes("Take &lt;care&gt;"), offer.text.includes('value="accept"')]).toEqual([true, true]);
    expect((await as("registered").get(path)).text).not.toContain('value="accept"');
    expect((await send("other", path, { do: "keep" })).status).toBe(400);
    expect((await send("registered", path, { do: "accept" })).status).toBe(403);
    expect(await send("other", path, { do: "accept" })).toMatchObject({ status: 303, to: path });
    expect((await as("other").get(path)).text).toContain(">Accepted</span>");
    expect(await head("other")).toBe("My work");
    expect((await as("other").get(`/records/${id}`)).text).toContain(`/records/${id}/transfer"`);
    expect((await as("registered").get(`/records/${id}`)).status).toBe(403);
  });
});
