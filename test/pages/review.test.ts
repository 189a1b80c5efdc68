// The pages of reviewers and of one's own work, as a browser meets them (R44).
import { beforeAll, describe, expect, test } from "bun:test";
import { most } from "../../src/shared/limits.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { csrfIn, type Visitor, visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: {}, requests: true });
const browsers = new Map<string, Visitor>();
const as = (who: string): Visitor => {
  const found = browsers.get(who);
  if (found === undefined) throw new RangeError(`Nobody signed in as ${who}`);
  return found;
};
let community = { id: "", slug: "" };

beforeAll(async () => {
  community = await world.community();
  await signInAll();
});

async function signInAll(): Promise<void> {
  for (const who of ["registered", "curator", "other"] as const) {
    const browser = visitor(world.handler);
    await browser.signIn(world.people[who].token);
    browsers.set(who, browser);
  }
}

const later = (): void => {
  world.time.now = addMilliseconds(world.time.now, 1_000);
};
async function submitted(title = "On tides") {
  later();
  const metadata = { ...METADATA, title };
  const record = await world.draft("registered", { metadata });
  await world.ok(world.review("registered", record, community.id), 200);
  const { id } = await world.ok<{ id: string }>(world.submit("registered", record), 202);
  return { record, id };
}
const METADATA = {
  publication_date: "2026-01-01",
  resource_type: { id: "publication-article" },
  creators: [{ person_or_org: { type: "personal", family_name: "Sato", given_name: "Hana" } }],
};

describe("the page of a request", () => {
  test("R44 it shows the whole item, and who decides accepts with one press, without a comment", async () => {
    const { record, id } = await submitted("Tides <of> the bay");
    const page = await as("curator").get(`/requests/${id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("<h1>Tides &lt;of&gt; the bay</h1>");
    expect(page.text).toContain("Sato");
    expect(page.text).toContain(`href="/deposit/${record}/preview"`);
    const preview = await as("curator").get(`/deposit/${record}/preview?as=guest`);
    expect([preview.status, preview.text.includes("Tides &lt;of&gt; the bay")]).toEqual([200, true]);
    const answer = await as("curator").post(`/requests/${id}/accept`, { csrf: csrfIn(page.text) });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/requests/${id}?done=decided`]);
    expect(await world.ok(world.ask("registered", "GET", `/api/records/${record}`), 200)).toMatchObject({
      is_published: true,
    });
    const after = await as("curator").get(`/requests/${id}`);
    expect(after.text).toContain(">Accepted</span>");
    expect(after.text).not.toContain("/accept");
  });

  test("P.215 a task is taken and released with a button each, which the timeline states", async () => {
    const { id } = await submitted("To be taken");
    const at = `/requests/${id}`;
    const page = await as("curator").get(at);
    expect([page.text.includes("Take this task"), page.text.includes("Release this task")]).toEqual([true, false]);
    const csrf = csrfIn(page.text);
    const taken = await as("curator").post(`${at}/holder`, { csrf, to: "me" });
    expect([taken.status, taken.headers.get("location")]).toEqual([303, at]);
    const held = await as("curator").get(at);
    for (const words of ["<dt>Taken by</dt><dd>You</dd>", "<p>Taken: You</p>", "Release this task"]) {
      expect(held.text).toContain(words);
    }
    expect((await as("curator").post(`${at}/holder`, { csrf, to: "" })).status).toBe(303);
    expect((await as("curator").get(at)).text).toContain("<p>Released</p>");
    expect((await as("curator").post(`${at}/decline`, { csrf })).status).toBe(303);
  });

  test("R44 after a decision the next task, the oldest one, is one press away", async () => {
    const [first, second, third] = [await submitted("First"), await submitted("Second"), await submitted("Third")];
    const csrf = csrfIn((await as("curator").get(`/requests/${first.id}`)).text);
    await as("curator").post(`/requests/${second.id}/decline`, { csrf, comment: "Not ours" });
    const after = await as("curator").get(`/requests/${second.id}?done=decided`);
    expect(after.text).toContain("Your decision is recorded.");
    expect(after.text).toContain(`href="/requests/${first.id}">Next: First</a>`);
    expect(after.text).toContain("Not ours");
    await as("curator").post(`/requests/${first.id}/accept`, { csrf });
    await as("curator").post(`/requests/${third.id}/accept`, { csrf });
    const last = await as("curator").get(`/requests/${third.id}?done=decided`);
    expect(last.text).toContain("Nothing else waits for you.");
  });

  test("R44 what somebody may not do has no button, and is refused when it is sent; others see nothing", async () => {
    const { id } = await submitted();
    const own = await as("registered").get(`/requests/${id}`);
    expect(own.text).toContain(`/requests/${id}/cancel`);
    expect(own.text).not.toContain(`/requests/${id}/accept`);
    const csrf = csrfIn(own.text);
    expect((await as("registered").post(`/requests/${id}/accept`, { csrf })).status).toBe(403);
    expect((await as("other").get(`/requests/${id}`)).status).toBe(404);
    const theirs = csrfIn((await as("other").get("/me")).text);
    expect((await as("other").post(`/requests/${id}/comment`, { csrf: theirs, comment: "Hello" })).status).toBe(404);
    expect((await as("curator").post(`/requests/${id}/accept`, { csrf: "wrong" })).status).toBe(403);
    const guest = await visitor(world.handler).get(`/requests/${id}`);
    expect([guest.status, guest.headers.get("location")]).toEqual([
      303,
      `/account/login?return_to=${encodeURIComponent(`/requests/${id}`)}`,
    ]);
  });

  test("R44 a comment is shown as it was typed and never as markup; an empty or too long one is refused at its field", async () => {
    const { id } = await submitted();
    const csrf = csrfIn((await as("curator").get(`/requests/${id}`)).text);
    const comment = "Please add <b>a licence</b> & more";
    await as("curator").post(`/requests/${id}/comment`, { csrf, comment });
    const page = await as("registered").get(`/requests/${id}`);
    expect(page.text).toContain("Please add &lt;b&gt;a licence&lt;/b&gt; &amp; more");
    const empty = await as("curator").post(`/requests/${id}/comment`, { csrf, comment: "  " });
    expect([empty.status, empty.text.includes('href="#comment"'), empty.text.includes("<title>Error: ")]).toEqual([
      400,
      true,
      true,
    ]);
    const long = "x".repeat(most("commentCharacters") + 1);
    expect((await as("curator").post(`/requests/${id}/decline`, { csrf, comment: long })).status).toBe(400);
    const again = await as("curator").get(`/requests/${id}`);
    expect(again.text).toContain(">Waiting</span>");
  });
});

describe("my work", () => {
  test("R44 tasks are listed oldest first, with their age, for those who decide alone", async () => {
    const one = await submitted("Waits long");
    world.time.now = addMilliseconds(world.time.now, 3 * 86_400_000);
    const other = await submitted("Waits briefly");
    // The sessions of before have ended meanwhile.
    await signInAll();
    const { text } = await as("curator").get("/me");
    const [first, second] = [text.indexOf(`/requests/${one.id}`), text.indexOf(`/requests/${other.id}`)];
    expect([first > 0, second > first]).toEqual([true, true]);
    expect(text.slice(first, second)).toContain("3 days");
    expect((await as("registered").get("/me?tab=tasks")).text).toContain("Nothing waits for your decision.");
  });

  test("R44 own records with their states: searched, filtered, in order; nobody else's", async () => {
    const draft = await world.draft("other", { metadata: { ...METADATA, title: "Coral draft" } });
    const published = await world.published("other", { metadata: { ...METADATA, title: "Kelp published" } });
    const all = (await as("other").get("/me?tab=records")).text;
    expect([all.includes(`/records/${draft}"`), all.includes(`/records/${published}"`)]).toEqual([true, true]);
    expect(all).not.toContain("Waits long");
    const filtered = (await as("other").get("/me?tab=records&state=true")).text;
    expect([filtered.includes("Coral"), filtered.includes("Kelp published")]).toEqual([false, true]);
    const sought = (await as("other").get("/me?tab=records&q=coral")).text;
    expect([sought.includes("Coral draft"), sought.includes("Kelp published")]).toEqual([true, false]);
    const nothing = (await as("other").get("/me?tab=records&q=zzzz")).text;
    expect(nothing).toContain("Show all my records");
    expect((await as("other").get("/me?tab=unknown&state=x&sort=y&page=999999")).status).toBe(200);
  });

  test("R44 own requests with their status", async () => {
    const { id } = await submitted("Mine to follow");
    const { text } = await as("registered").get("/me?tab=requests&lang=ja");
    expect(text).toContain(`/requests/${id}`);
    expect(text).toContain("判断待ち");
  });

  test("R44 a task is listed however many older requests the person may see and not decide", async () => {
    const { id } = await submitted("Seen by all");
    const request = await world.store.requests.request(id);
    if (request === null) throw new Error("The request is not there");
    const own = { ...request, creator: world.people.curator.account.id, linked: false };
    await world.store.transact(async (tx) => {
      for (let made = 0; made < 250; made += 1) await tx.requests.insertRequest({ ...own, id: crypto.randomUUID() });
    });
    const latest = await submitted("Behind many others");
    expect((await as("curator").get("/me")).text).toContain(`/requests/${latest.id}`);
  });

  test("P.217 a queue is listed whole, page by page, oldest first, each task once", async () => {
    const manager = visitor(world.handler);
    await manager.signIn(world.people.manager.token);
    const all = await tasksOf(manager);
    expect([all.length > 250, new Set(all).size]).toEqual([true, all.length]);
    const { text } = await manager.get("/me");
    expect([text.includes(`${all.length} tasks wait for you`), text.includes("The oldest tasks")]).toEqual([
      true,
      false,
    ]);
  });
});

/** Addresses of all tasks, page by page. */
async function tasksOf(browser: Visitor): Promise<readonly string[]> {
  const all: string[] = [];
  for (let next: string | undefined = "/me?tab=tasks"; next !== undefined; ) {
    const { text } = await browser.get(next);
    all.push(...[...text.matchAll(/href="(\/requests\/[\da-f-]{36})"/g)].map(([, path = ""]) => path));
    next = /href="([^"]+)">More tasks/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  }
  return all;
}

describe("comments on single fields", () => {
  test("P.219 a depositor submits, is declined with comments on fields, changes them, submits again and is accepted", async () => {
    const own = await world.community();
    const [depositor, curator] = [as("registered"), as("curator")];
    const csrfOf = async (browser: Visitor) => csrfIn((await browser.get("/me")).text);
    const record = await world.draft("registered", { metadata: { ...METADATA, title: "Tiddes" } });
    await world.ok(world.review("registered", record, own.id), 200);
    const first = await world.ok<{ id: string }>(world.submit("registered", record), 202);
    const at = `/requests/${first.id}`;
    const page = await curator.get(at);
    expect(page.text).toMatch(/<textarea[^>]* name="field:creators"/);
    expect(page.text).toContain('form="decision"');
    const csrf = csrfIn(page.text);
    const comments = { "field:title": "A <typo>", "field:creators.0": "Add the ORCID", "field:files": " " };
    const wrong = await curator.post(`${at}/decline`, { csrf, ...comments, "field:nothing": "x" });
    expect([wrong.status, wrong.text.includes("A &lt;typo&gt;")]).toEqual([400, true]);
    expect((await curator.post(`${at}/decline`, { csrf, ...comments, comment: "Nearly" })).status).toBe(303);
    const { hits } = await world.ok<{ hits: { hits: { payload: { field?: string; content?: string } }[] } }>(
      world.ask("registered", "GET", `/api/requests/${first.id}/timeline`),
      200,
    );
    expect(hits.hits.map(({ payload }) => payload)).toEqual([
      { event: "declined" },
      { content: "A &lt;typo&gt;", format: "html", field: "title" },
      { content: "Add the ORCID", format: "html", field: "creators.0" },
      { content: "Nearly", format: "html" },
    ] as object[]);
    const form = (await depositor.get(`/deposit/${record}`)).text;
    expect(form).toContain("Comments of those who reviewed it");
    expect(
      [...form.matchAll(/<strong>A reviewer commented:<\/strong> ([^<]*)/g)].map(([, text]) => text?.trim()),
    ).toEqual([...["A &lt;typo&gt;", "Add the ORCID"]]);
    const control = /<a href="#([^"]+)">Title<\/a>/.exec(form)?.[1] ?? "";
    expect(form).toContain(`id="${control}"`);
    // Nobody else is shown what reviewers wrote.
    expect((await as("other").get(`/deposit/${record}`)).status).toBe(404);
    const value = new RegExp(`name="${control.replaceAll(".", "\\.")}"[^>]*value="Tiddes"`);
    expect(form).toMatch(value);
    const body = { metadata: { ...METADATA, title: "Tides" } };
    await world.ok(world.send("registered", "PUT", `/api/records/${record}/draft`, body), 200);
    later();
    const second = await world.ok<{ id: string }>(world.submit("registered", record), 202);
    expect(second.id).not.toBe(first.id);
    expect((await depositor.get(`/deposit/${record}`)).text).not.toContain("A reviewer commented:");
    const answer = await curator.post(`/requests/${second.id}/accept`, { csrf: await csrfOf(curator) });
    expect(answer.status).toBe(303);
    expect((await depositor.get(`/records/${record}`)).text).toContain("Tides");
    expect((await depositor.get(`/requests/${second.id}`)).text).toContain(">Accepted</span>");
  });

  test("P.221 checks are shown before the decision, and before the submission, in the same words", async () => {
    const { record, id } = await submitted("Checked");
    const passed = (await as("curator").get(`/requests/${id}`)).text;
    expect(passed).toContain("Nothing prevents its publication.");
    expect(passed).toContain("There is no description");
    // Its creators are removed meanwhile: the interface refuses that, and a program may do it still.
    await world.store.transact(async (tx) => {
      const draft = await tx.items.draft(record);
      if (draft === null) throw new RangeError("There is no draft");
      const metadata = { ...draft.content.metadata, creators: [] };
      await tx.items.saveDraft({ ...draft, content: { ...draft.content, metadata } });
    });
    const failed = (await as("curator").get(`/requests/${id}`)).text;
    expect(failed).toContain("Publication would refuse it:");
    const [, words = ""] = /<p>Publication would refuse it:<\/p><ul><li>[^<]*: ([^<]+)<\/li>/.exec(failed) ?? [];
    expect(words).not.toBe("");
    expect((await as("registered").get(`/deposit/${record}/publish`)).text).toContain(words);
    const japanese = (await as("curator").get(`/requests/${id}?lang=ja`)).text;
    expect([japanese.includes("このままでは公開できません"), japanese.includes(words)]).toEqual([true, false]);
    expect((await as("registered").get(`/requests/${id}`)).text).toContain("Publication would refuse it:");
  });

  test("P.220 a comment has a link, is quoted in an answer, and states that it was changed or deleted", async () => {
    const { id } = await submitted();
    const curator = as("curator");
    const page = (await curator.get(`/requests/${id}`)).text;
    const csrf = csrfIn(page);
    await curator.post(`/requests/${id}/comment`, { csrf, comment: "First line\nsecond & last" });
    await curator.post(`/requests/${id}/comment`, { csrf, "field:title": "Only this" });
    const { text } = await as("registered").get(`/requests/${id}`);
    const [first = "", second = ""] = [...text.matchAll(/<li id="entry-([\da-f-]{36})">/g)].map(([, entry]) => entry);
    expect(text).toContain(`href="#entry-${first}"`);
    expect(text).toContain("About: Title");
    const quoting = await as("registered").get(`/requests/${id}?quote=${first}`);
    expect(quoting.text).toContain("&gt; First line\n&gt; second &amp; last\n</textarea>");
    const reply = "> First line\r\n> second & last\r\nThank <you>";
    await as("registered").post(`/requests/${id}/comment`, { csrf: csrfIn(quoting.text), comment: reply });
    const answered = (await curator.get(`/requests/${id}`)).text;
    expect(answered).toContain("<blockquote>First line\nsecond &amp; last</blockquote>Thank &lt;you&gt;</blockquote>");
    const at = `/api/requests/${id}/comments`;
    const changed = { payload: { content: "Other words" } };
    await world.ok(world.send("curator", "PUT", `${at}/${first}`, changed), 200);
    await world.ok(world.send("curator", "DELETE", `${at}/${second}`), 204);
    const after = (await curator.get(`/requests/${id}`)).text;
    expect(after).toContain("Changed since it was written.");
    expect([after.includes("A comment was deleted"), after.includes("Only this")]).toEqual([true, false]);
    for (const payload of [
      { content: "x", field: "nothing" },
      { content: "x", field: 7 },
      { content: "x", field: "a.b" },
    ]) {
      expect((await world.send("curator", "POST", at, { payload })).status).toBe(400);
    }
  });
});

describe("many tasks", () => {
  test("P.218 tasks are chosen in the list and decided with one press; the page states what became of each", async () => {
    const own = await world.community();
    const made: string[] = [];
    for (const title of ["One", "Two", "Three"]) {
      const record = await world.draft("registered", { metadata: { ...METADATA, title } });
      await world.ok(world.review("registered", record, own.id), 200);
      later();
      made.push((await world.ok<{ id: string }>(world.submit("registered", record), 202)).id);
    }
    const [one = "", two = "", three = ""] = made;
    const { text } = await as("curator").get("/me?all=yes");
    const csrf = csrfIn(text);
    expect(text).toContain('type="checkbox" id="task-1"');
    expect([...text.matchAll(/ checked/g)].length).toBe([...text.matchAll(/id="task-\d+"/g)].length);
    const press = (tasks: readonly string[], action: string) =>
      as("curator").post("/me/tasks", {
        ...{ csrf, action, comment: "As <agreed>" },
        ...Object.fromEntries(tasks.map((id) => [`request:${id}`, "yes"])),
      });
    await world.ok(world.act("manager", two, "decline"), 200);
    const done = await press([one, two, three], "accept");
    expect([done.status, done.text.includes("2 of 3 decided")]).toEqual([200, true]);
    expect(done.text).toContain("Could not execute the action");
    expect((await as("registered").get(`/requests/${one}`)).text).toContain("As &lt;agreed&gt;");
    const none = await press([], "accept");
    expect([none.status, none.text.includes("Choose between 1 and 100 tasks.")]).toEqual([400, true]);
    expect((await press([one], "keep")).status).toBe(400);
  });

  test("R44 fifty tasks are decided without going back to the list: two requests for each", async () => {
    const own = await world.community();
    for (let made = 0; made < 50; made += 1) {
      const record = await world.draft("registered", { metadata: { ...METADATA, title: `Queue ${made}` } });
      await world.ok(world.review("registered", record, own.id), 200);
      await world.ok(world.submit("registered", record), 202);
    }
    const owner = world.people.other.account.id;
    await world.store.transact((tx) => tx.communities.setMember(own.id, owner, "curator"));
    const browser = as("other");
    const all = (await tasksOf(browser)).length;
    let [next, requests, decided] = [(await tasksOf(browser))[0], 0, 0];
    const csrf = csrfIn((await browser.get("/me")).text);
    for (; next !== undefined; decided += 1) {
      const answer = await browser.post(`${next}/decline`, { csrf });
      const { text } = await browser.get(answer.headers.get("location") ?? "");
      requests += 2;
      next = /href="(\/requests\/[\da-f-]{36})">Next: /.exec(text)?.[1];
    }
    expect([all, decided, requests]).toEqual([50, 50, 100]);
  });
});

describe("asking to join", () => {
  test("P.216 a person asks on a page, once; managers decide on the page of the request", async () => {
    const at = `/communities/${community.slug}/join`;
    const guest = await visitor(world.handler).get(at);
    expect(guest.headers.get("location")).toBe(`/account/login?return_to=${encodeURIComponent(at)}`);
    // A person finds it among their requests; its curator is a member already.
    const linked = async (who: string) => (await as(who).get("/me?tab=requests")).text.includes(`href="${at}"`);
    expect([await linked("other"), await linked("curator")]).toEqual([true, false]);
    const page = await as("other").get(at);
    expect(page.text).toContain("<h1>Ask to join Reviewers");
    const csrf = csrfIn(page.text);
    const wrong = await as("other").post(at, { csrf, role: "king", message: "I <map> rivers" });
    expect([wrong.status, wrong.text.includes('href="#role"'), wrong.text.includes("I &lt;map&gt; rivers")]).toEqual([
      ...[400, true, true],
    ]);
    const sent = await as("other").post(at, { csrf, role: "curator", message: "I <map> rivers" });
    const address = sent.headers.get("location") ?? "";
    expect([sent.status, address]).toEqual([303, expect.stringMatching(/^\/requests\/[\da-f-]{36}\?done=asked$/)]);
    const own = await as("other").get(address);
    expect(own.text).toContain("Your request is sent.");
    expect(own.text).toContain("I &lt;map&gt; rivers");
    expect([own.text.includes("/cancel"), own.text.includes("/accept")]).toEqual([true, false]);
    const again = await as("other").post(at, { csrf, role: "reader" });
    expect([again.status, again.text.includes("already a member or pending")]).toEqual([400, true]);
    // Curators decide about records only.
    expect((await as("curator").get(address)).status).toBe(404);
    const manager = visitor(world.handler);
    await manager.signIn(world.people.manager.token);
    const path = address.replace(/\?.*/, "");
    expect((await tasksOf(manager)).at(-1)).toBe(path);
    const decided = await manager.post(`${path}/accept`, { csrf: csrfIn((await manager.get(path)).text) });
    expect(decided.status).toBe(303);
    const members = await world.ok<{ hits: { hits: { id: string; role: string }[] } }>(
      world.ask("manager", "GET", `/api/communities/${community.id}/members`),
      200,
    );
    const id = String(world.people.other.account.id);
    expect(members.hits.hits.find((each) => each.id === id)?.role).toBe("curator");
    const closed = await world.community({ member_policy: "closed" });
    const refused = await as("registered").get(`/communities/${closed.slug}/join`);
    expect(refused.text).toContain("This community does not take requests to join it.");
    expect((await as("other").get("/communities/none/join")).status).toBe(404);
    await world.ok(world.send("manager", "DELETE", `/api/communities/${closed.id}`), 204);
    expect((await as("other").get(`/communities/${closed.slug}/join`)).status).toBe(410);
  });
});
