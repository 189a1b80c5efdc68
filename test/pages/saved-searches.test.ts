// The pages of saved searches and their feeds, as a browser and a feed reader meet them (issue 26).
import { beforeAll, describe, expect, test } from "bun:test";
import { searchSignature } from "../../src/repository/notices/alerts.ts";
import { freshSetting } from "../../src/repository/store/outgoing.ts";
import { aContent, titled } from "../support/world/items.ts";
import { csrfIn, type Visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
const PAGE = "/account/searches";
let browser: Visitor;
const accountId = () => world.owner.account?.id ?? 0;
const saved = () => world.store.savedSearches.savedSearchesOf(accountId());

const english = (title: string) => ({ ...titled(title), languages: ["eng"] });

beforeAll(async () => {
  browser = world.visitor();
  await browser.signIn(await world.token(world.owner));
  await world.publish({ metadata: english("Rivers of the north") });
  await world.publish({
    metadata: english("Rivers in secret"),
    access: { ...aContent().access, record: "restricted" },
  });
  await world.publish({ metadata: english("Mountains") });
});

describe("saving from the search page", () => {
  test("Q.26 a search is saved with its words, filters and order, also one without hits", async () => {
    const page = (await browser.get("/search?q=rivers&sort=wtl&page=1&size=50&Language=eng")).text;
    const query = /name="query" value="([^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(query).toBe("q=rivers&sort=wtl&Language=eng");
    const answer = await browser.post(PAGE, { csrf: csrfIn(page), name: "Rivers", query });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${PAGE}?done=saved`]);
    expect((await browser.get("/search?q=nonesuch")).text).toContain('name="query" value="q=nonesuch"');
    const list = (await browser.get(`${PAGE}?done=saved`)).text;
    expect(list).toContain("The search is saved.");
    expect(list).toContain('<a href="/search?q=rivers&amp;sort=wtl&amp;Language=eng">');
    expect((await browser.get(`${PAGE}?lang=ja`)).text).toContain("新着アイテムのメール");
  });

  test("Q.26 a guest is led to sign-in and back to the search", async () => {
    const { text } = await world.visitor().get("/search?q=rivers");
    expect(text).toContain('href="/account/login?return_to=%2Fsearch%3Fq%3Drivers"');
    expect(text).not.toContain('name="query"');
  });

  test("Q.26 what is wrong is shown at its field, with what was typed, in the page's language", async () => {
    const csrf = csrfIn((await browser.get(PAGE)).text);
    const before = await saved();
    const wrong = await browser.post(PAGE, { csrf, name: " ", query: "q=rivers" });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('href="#new-name"');
    expect(wrong.text).toContain('name="query" value="q=rivers"');
    const long = await browser.post(`${PAGE}?lang=ja`, { csrf, name: "x", query: "q=".padEnd(2_100, "a") });
    expect([long.status, long.text.includes("検索条件が2100文字で長すぎます。2000文字までです")]).toEqual([400, true]);
    const [first] = before;
    const other = await browser.post(`${PAGE}/${first?.id}`, { csrf, name: "Kept", frequency: "hourly" });
    expect([other.status, other.text.includes(`href="#frequency-1"`), other.text.includes('value="Kept"')]).toEqual([
      400,
      true,
      true,
    ]);
    expect(await saved()).toEqual(before);
    expect((await browser.post(PAGE, { csrf: "wrong", name: "x", query: "" })).status).toBe(403);
  });
});

describe("changing", () => {
  test("Q.26 name and mails are changed, a search is deleted, those of others are not there", async () => {
    const csrf = csrfIn((await browser.get(PAGE)).text);
    await browser.post(PAGE, { csrf, name: "To go", query: "" });
    const [one, two] = await saved();
    const changed = await browser.post(`${PAGE}/${one?.id}`, { csrf, name: "Waters", frequency: "weekly" });
    expect([changed.status, changed.headers.get("location")]).toEqual([303, `${PAGE}?done=changed`]);
    const admin = world.visitor();
    await admin.signIn(await world.token(world.admin));
    const own = csrfIn((await admin.get(PAGE)).text) || csrfIn((await admin.get("/account")).text);
    for (const path of ["", "/delete", "/feed"]) {
      expect([path, (await admin.post(`${PAGE}/${two?.id}${path}`, { csrf: own, name: "x" })).status]).toEqual([
        path,
        404,
      ]);
    }
    expect((await browser.post(`${PAGE}/${two?.id}/delete`, { csrf })).headers.get("location")).toBe(
      `${PAGE}?done=removed`,
    );
    expect((await saved()).map(({ name, frequency }) => [name, frequency])).toEqual([["Waters", "weekly"]]);
  });

  test("Q.25 the feed shows what its account may read, the newest first; a new address ends the earlier one", async () => {
    const [search] = await saved();
    const csrf = csrfIn((await browser.get(PAGE)).text);
    const make = async () =>
      /class="secret">http:\/\/repository\.test(\/feeds\/searches\/[^<]+)</.exec(
        (await browser.post(`${PAGE}/${search?.id}/feed`, { csrf, action: "make" })).text,
      )?.[1] ?? "";
    const first = await make();
    const reader = world.visitor();
    const { status, headers, text } = await reader.get(first);
    expect([status, headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
    expect([headers.get("cache-control"), headers.get("referrer-policy")]).toEqual(["no-store", "no-referrer"]);
    expect(text).toContain("Saved search: Waters");
    const titles = [...text.matchAll(/<(?:atom:)?title>([^<]*)</g)].slice(1).map(([, title]) => title);
    expect(titles).toEqual(["Rivers in secret", "Rivers of the north"]);
    const second = await make();
    expect([(await reader.get(first)).status, (await reader.get(second)).status]).toEqual([404, 200]);
    expect((await browser.get(PAGE)).text).not.toContain(second);
    await browser.post(`${PAGE}/${search?.id}/feed`, { csrf, action: "end" });
    expect((await reader.get(second)).status).toBe(404);
    expect((await reader.get("/feeds/searches/none")).status).toBe(404);
  });

  test("Q.27 the link of a mail ends its mails without signing in, by its button or one click, and no other", async () => {
    const [search] = await saved();
    const setting = freshSetting(accountId(), { bytes: (length) => new Uint8Array(length).fill(7) });
    await world.store.transact((tx) => tx.outgoing.saveNoticeSetting(setting));
    const id = search?.id ?? "";
    const signature = searchSignature(setting, id);
    const address = `${PAGE}/stop?${new URLSearchParams({ search: id, signature })}`;
    const guest = world.visitor();
    const page = await guest.get(address);
    expect([page.status, page.text.includes("Waters")]).toEqual([200, true]);
    expect((await saved())[0]?.frequency).toBe("weekly");
    for (const wrong of [
      { search: id, signature: "0".repeat(64) },
      { search: "none", signature },
    ]) {
      expect((await guest.get(`${PAGE}/stop?${new URLSearchParams(wrong)}`)).status).toBe(404);
      expect((await guest.post(`${PAGE}/stop`, wrong)).status).toBe(404);
    }
    const clicked = await guest.post(address, { "List-Unsubscribe": "One-Click" });
    expect([clicked.status, (await saved())[0]?.frequency, (await saved())[0]?.nextRunAt]).toEqual([
      200,
      "never",
      null,
    ]);
  });
});
