// The page of notices, the link that ends a kind of them, and the feed of tasks, as a browser meets them (R45).
import { beforeAll, describe, expect, test } from "bun:test";
import { NOTICE_KINDS } from "../../src/model/notices/notice-rules.ts";
import { STOP_PATH, stopSignature } from "../../src/repository/notices/sending.ts";
import { freshSetting } from "../../src/repository/store/outgoing.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { aContent } from "../support/world/items.ts";
import { csrfIn, type Visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
const PAGE = "/account/notices";
let browser: Visitor;
const titled = (value: string) => ({ ...aContent().metadata, titles: [{ value, lang: "en", kind: "main" as const }] });
const accountOf = () => world.owner.account?.id ?? 0;
const saved = () => world.store.outgoing.noticeSetting(accountOf());

beforeAll(async () => {
  browser = world.visitor();
  await browser.signIn(await world.token(world.owner));
});

describe("choosing notices", () => {
  test("R45 a guest is led to sign-in and back", async () => {
    const answer = await world.visitor().get(PAGE);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      "/account/login?return_to=%2Faccount%2Fnotices",
    ]);
  });

  test("R45 every kind has a choice, in the reader's language; what was chosen is kept and shown", async () => {
    const page = await browser.get(PAGE);
    for (const kind of NOTICE_KINDS) expect(page.text).toContain(`name="${kind}"`);
    expect((await browser.get(`${PAGE}?lang=ja`)).text).toContain("自分の判断を待つものがある");
    const csrf = csrfIn(page.text);
    const answer = await browser.post(PAGE, { csrf, submitted: "digest", accepted: "never", language: "ja" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${PAGE}?saved=1`]);
    expect(await saved()).toMatchObject({ language: "ja", choices: { submitted: "digest", accepted: "never" } });
    expect((await browser.get(`${PAGE}?saved=1`)).text).toContain('<html lang="ja">');
    const again = await browser.get(`${PAGE}?saved=1&lang=en`);
    expect(again.text).toContain("Your choices are saved.");
    expect(again.text).toMatch(/<select id="submitted"[\s\S]*?<option value="digest" selected>/);
    // A kind that is not sent stays as it was.
    await browser.post(PAGE, { csrf, shared: "never", language: "" });
    expect(await saved()).toMatchObject({ language: null, choices: { submitted: "digest", shared: "never" } });
  });

  test("R45 a wrong value is refused at its field, with what was sent, and nothing is kept", async () => {
    const csrf = csrfIn((await browser.get(PAGE)).text);
    const before = await saved();
    const answer = await browser.post(PAGE, { csrf, withdrawn: "hourly", declined: "never" });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("<title>Error: Notices");
    expect(answer.text).toContain('href="#withdrawn"');
    expect(answer.text).toContain("withdrawn &quot;hourly&quot; is not allowed: at-once, digest, never");
    expect(await saved()).toEqual(before);
    expect((await browser.post(PAGE, { csrf, language: "xx" })).text).toContain('href="#language"');
    expect((await browser.post(PAGE, { csrf: "wrong", withdrawn: "never" })).status).toBe(403);
    expect(await saved()).toEqual(before);
  });
});

describe("the link that ends a kind of messages", () => {
  async function link(kind: string): Promise<string> {
    const setting = (await saved()) ?? freshSetting(accountOf(), { bytes: (length) => new Uint8Array(length) });
    const signature = stopSignature(setting, kind as (typeof NOTICE_KINDS)[number]);
    return `${STOP_PATH}?${new URLSearchParams({ account: `${accountOf()}`, kind, signature })}`;
  }

  test("R45 opening it changes nothing, its button ends the kind without signing in", async () => {
    const guest = world.visitor();
    const address = await link("invited");
    const page = await guest.get(address);
    expect([page.status, page.text.includes("I am invited to a community")]).toEqual([200, true]);
    expect((await saved())?.choices.invited).toBeUndefined();
    const sent = Object.fromEntries(new URL(address, "http://x").searchParams);
    const answer = await guest.post(STOP_PATH, sent);
    expect([answer.status, (await saved())?.choices.invited]).toEqual([200, "never"]);
  });

  test("R45 mail programs end it in one request (RFC 8058)", async () => {
    const answer = await world.visitor().post(await link("returned"), { "List-Unsubscribe": "One-Click" });
    expect([answer.status, (await saved())?.choices.returned]).toEqual([200, "never"]);
  });

  test("R45 a mail program may send it as multipart/form-data, or as anything else: its body is not read", async () => {
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    const guest = world.visitor();
    const answer = await guest.send(await link("embargo-ends"), { method: "POST", body });
    expect([answer.status, (await saved())?.choices["embargo-ends"]]).toEqual([200, "never"]);
    const others = { method: "POST", body: new ReadableStream(), duplex: "half" };
    expect((await guest.send(await link("withdrawn"), others)).status).toBe(200);
    expect((await saved())?.choices.withdrawn).toBe("never");
    expect((await guest.send(STOP_PATH, { method: "POST", body })).status).toBe(404);
  });

  test("R45 a signature is good for its account and kind alone", async () => {
    const signed = new URL(await link("shared"), "http://x").searchParams;
    const before = await saved();
    for (const change of [
      { kind: "job-finished" },
      { account: `${world.admin.account?.id}` },
      { account: "0" },
      { signature: "" },
      { kind: "x" },
    ]) {
      const sent = { ...Object.fromEntries(signed), ...change };
      const address = `${STOP_PATH}?${new URLSearchParams(sent)}`;
      expect([(await world.visitor().get(address)).status, change]).toEqual([404, change]);
      expect((await world.visitor().post(STOP_PATH, sent)).status).toBe(404);
    }
    expect(await saved()).toEqual(before);
  });
});

describe("the feed of tasks", () => {
  const addressIn = (text: string): string =>
    /http:\/\/repository\.test(\/feeds\/tasks\/[\w-]{43})/.exec(text)?.[1] ?? "";

  test("R45 its secret address is shown once, opens without signing in, and ends with the next one", async () => {
    const csrf = csrfIn((await browser.get(PAGE)).text);
    const first = addressIn((await browser.post(`${PAGE}/feed`, { csrf, action: "make" })).text);
    expect((await browser.get(PAGE)).text).not.toContain(first);
    const feed = await world.visitor().get(first);
    expect([feed.status, feed.headers.get("content-type"), feed.headers.get("cache-control")]).toEqual([
      200,
      "application/atom+xml; charset=utf-8",
      "no-store",
    ]);
    expect(feed.text).toContain("<title>Test Repository: Waits for my decision</title>");
    expect(feed.text).not.toContain(first);
    const second = addressIn((await browser.post(`${PAGE}/feed`, { csrf, action: "make" })).text);
    expect(second).not.toBe(first);
    expect((await world.visitor().get(first)).status).toBe(404);
    expect((await world.visitor().get(second)).status).toBe(200);
    await browser.post(`${PAGE}/feed`, { csrf, action: "end" });
    expect((await world.visitor().get(second)).status).toBe(404);
    expect((await world.visitor().get("/feeds/tasks/short")).status).toBe(404);
  });

  test("R45 it lists what the account may decide about now, oldest first, and nothing else", async () => {
    const approver = world.visitor();
    await approver.signIn(await world.token(world.admin));
    const csrf = csrfIn((await approver.get(PAGE)).text);
    const address = addressIn((await approver.post(`${PAGE}/feed`, { csrf, action: "make" })).text);
    const one = await world.pending({ metadata: titled("First <tide>") });
    world.time.now = addMilliseconds(world.time.now, 1_000);
    const other = await world.pending({ metadata: titled("Second") });
    const { text } = await world.visitor().get(address);
    const titles = [...text.matchAll(/<entry>[\s\S]*?<title>(.*?)<\/title>/g)].map(([, title]) => title);
    expect(titles.slice(-2)).toEqual(["First &lt;tide&gt;", "Second"]);
    expect(text).toContain(`/workflow/activity/detail/${one.id}`);
    expect(text).toContain(`/workflow/activity/detail/${other.id}`);
    // The depositor decides about neither.
    const own = csrfIn((await browser.get(PAGE)).text);
    const theirs = addressIn((await browser.post(`${PAGE}/feed`, { csrf: own, action: "make" })).text);
    expect((await world.visitor().get(theirs)).text).not.toContain("<entry>");
  });
});
