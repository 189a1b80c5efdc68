// Whole stories of readers in a real Chromium (issue 26): what is found, opened, cited, compared and followed, a
// closed file that is asked for, figures, and those who look after a community. Each with and without script, narrow and
// wide, in both languages, two by keyboard alone. Presses are counted and held; axe finds nothing on the way.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { usageOf } from "../../src/main/process/usage.ts";
import type { Item, ItemContent, ItemFile } from "../../src/model/items/item.ts";
import { OUTGOING_JOB } from "../../src/model/notices/notice-rules.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { png } from "../support/pictures.ts";
import { temporaryFolder } from "../support/processes.ts";
import { quietLog } from "../support/quiet-log.ts";
import { type Setting, Visitor } from "../support/story.ts";
import {
  type Clicks,
  NARROW_PLAIN,
  NARROW_SCRIPT,
  type Story,
  storyTable,
  WIDE_PLAIN,
  WIDE_SCRIPT,
} from "../support/story-table.ts";
import { viewedFiles } from "../support/world/all-pages.ts";
import { anAgent } from "../support/world/authors.ts";
import { aContent, aFile, titled } from "../support/world/items.ts";
import type { PersonName } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const DAY_MS = 86_400_000;
/** One file for each viewer, with words that its page shows. */
const VIEWED = {
  "README.md": "About the names",
  "levels.csv": "2024-01-02",
  "names.json": "名前",
  "names.xml": "river",
  "names.ipynb": "Counting",
  "names.py": "a long comment",
  "all.zip": "ro-crate-metadata.json",
  "paper.pdf": "paper.pdf",
  "river.png": "900",
  "talk.wav": "Good morning",
  "route.geojson": "東京",
} as const;

describe.skipIf(!hasBrowser)("stories of readers in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let mails: MailServer = { url: "", received: [], next: [], refuseSender: null, close: async () => {} };
  const folder = temporaryFolder("reading-stories");
  const picture = join(folder.path, "logo.png");
  const open: Visitor[] = [];
  let made = 0;
  const world = setUpWorld(async () => {
    mails = await startMailServer();
    const env = {
      ...{ SVC_BASE_URL: "http://127.0.0.1", SVC_SMTP_URL: mails.url },
      SVC_MAIL_FROM: "repository@library.example.org",
    };
    return { repository: { env }, requests: true, jobs: true } as const;
  });
  beforeAll(async () => {
    writeFileSync(picture, png(60, 60));
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([server.stop(1000), mails.close()]);
    folder.remove();
  });

  async function visitor(setting: Setting, who: PersonName | null): Promise<Visitor> {
    const person = await Visitor.start(browser, server.url, setting);
    open.push(person);
    if (who !== null) await person.signIn(world.people[who].token);
    return person;
  }
  const later = (days: number): void => {
    world.time.now = addMilliseconds(world.time.now, days * DAY_MS);
  };
  async function file(name: string, bytes: string | Uint8Array, fields: Partial<ItemFile> = {}): Promise<ItemFile> {
    async function* chunks() {
      yield typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    }
    const { key, ...facts } = await world.files.storage.put(chunks());
    return aFile(name, { ...facts, storageKey: key, ...fields });
  }
  async function publish(fields: Partial<ItemContent> = {}): Promise<Item> {
    return (await world.items.createAndPublish(await world.viewer("registered"), { content: aContent(fields) })).item;
  }
  /** Another word each time: the world is that of all stories. */
  function word(): string {
    made += 1;
    return `Tideword${made}`;
  }
  /** What a program receives that keeps the address of a link. */
  async function fetched(person: Visitor, href: string | null): Promise<string> {
    const { pathname, search } = new URL(href ?? "", person.page.url());
    return await (await person.page.request.get(pathname + search)).text();
  }
  const shownBy = async (person: Visitor): Promise<string> => (await person.page.textContent("main")) ?? "";

  /** Found by search and two filters, its files opened in their viewers, cited. */
  async function finding(setting: Setting): Promise<Clicks> {
    const about = word();
    const subjects = [{ text: { value: "identifiers", lang: "en" } }];
    const files = [
      ...(await viewedFiles({ file })),
      await file("names.xml", "<names><name>river</name></names>", { mediaType: "application/xml" }),
    ];
    await publish({ metadata: titled(`${about} found`, { subjects, languages: ["jpn"] }), files });
    await publish({ metadata: titled(`${about} of another language`, { subjects, languages: ["eng"] }) });
    await publish({ metadata: titled(`${about} without subject`, { languages: ["jpn"] }) });
    const reader = await visitor(setting, null);
    const { search, viewers, item } = reader.words;
    await reader.open("/");
    await reader.fill({ q: about });
    await reader.press(search.go);
    expect(await shownBy(reader)).toContain(search.hits(3));
    // Both filters by one press.
    await reader.tick("Language", "jpn");
    await reader.tick("Subject", "identifiers");
    await reader.press(search.apply);
    await reader.press(`${about} found`);
    const at = reader.page.url();
    for (const [name, words] of Object.entries(VIEWED)) {
      await reader.press(viewers.view, { within: name });
      expect([name, (await reader.page.content()).includes(words)]).toEqual([name, true]);
      await reader.page.goto(at);
    }
    await reader.unfold(item.citeMore);
    const cited = reader.page.locator(".cites pre.cite").first();
    expect([await cited.isVisible(), await cited.textContent()]).toEqual([true, expect.stringContaining(about)]);
    return { reader: reader.clicks };
  }

  /** Asked for by a guest, whose address is confirmed, given by the owner, downloaded by the link until it ends. */
  async function closedFile(setting: Setting): Promise<Clicks> {
    const files = [await file("closed.txt", "closed words", { access: "closed" })];
    const { id } = await publish({ metadata: titled(word()), files });
    const reader = await visitor(setting, null);
    const owner = await visitor(setting, "registered");
    const { accessRequest: words } = reader.words;
    const mailed = async (to: string, pattern: RegExp): Promise<string> => {
      await world.runJob(OUTGOING_JOB);
      const { source = "" } = mails.received.findLast((mail) => mail.to.includes(to)) ?? {};
      return pattern.exec(source.replace(/=\r\n/g, "").replace(/=3D/g, "="))?.[1] ?? "";
    };
    const mail = `ada${made}@example.org`;
    await reader.open(`/records/${id}`);
    await reader.press(words.ask);
    await reader.fill({ message: "To compare tides", mail, name: "Ada Guest" });
    await reader.check(words.consent);
    await reader.press(words.send);
    await reader.open(await mailed(mail, /(\/access-requests\/confirm\/[\w-]{43})/));
    await reader.press(words.confirm);
    await owner.open(await mailed("registered@example.org", /(\/access-requests\/[\w-]{36})/));
    await owner.fill({ answer: "Welcome" });
    await owner.press(words.actions.accept);
    const link = await mailed(mail, /(\/records\/\d+\?token=[\w-]{43})/);
    await reader.open(link);
    expect(await reader.save(reader.words.file.download)).toBe("closed words");
    const { now } = world.time;
    later(31);
    await reader.open(`/records/${id}`);
    expect(await reader.page.getByRole("link", { name: reader.words.file.download }).count()).toBe(0);
    expect((await reader.page.request.get(`/records/${id}/files/closed.txt`)).status()).toBe(403);
    world.time.now = now;
    return { reader: reader.clicks, owner: owner.clicks };
  }

  /** A person, a community that is joined, and a search that is saved, each with its feed. */
  async function following(setting: Setting): Promise<Clicks> {
    const about = word();
    const author = { authorNameInfo: [{ language: "en", familyName: about, firstName: "Ada", nameShowFlg: true }] };
    const { author: shown } = await world.ok<{ author: { id: number } }>(
      world.send("admin", "POST", "/api/v1/authors", { author }),
      200,
    );
    const creators = [anAgent({ authorId: shown.id, names: [{ family: about, given: "Ada" }] })];
    const { id } = await publish({ metadata: titled(`${about} first`, { creators }) });
    const { slug } = await world.community({ member_policy: "open" });
    const reader = await visitor(setting, "other");
    const manager = await visitor(setting, "manager");
    const { person, community, review, savedSearches } = reader.words;
    const text = async (name: string) =>
      await fetched(reader, await reader.page.getByRole("link", { name, exact: true }).first().getAttribute("href"));
    await reader.open(`/records/${id}`);
    await reader.press(new RegExp(about));
    expect(await text(person.feed)).toContain(`${about} first`);
    await reader.open("/communities");
    await reader.press(new RegExp(`^Reviewers ${slug.slice("review-".length)}$`));
    await reader.press(community.join);
    await reader.fill({ message: "I measure rivers" });
    await reader.press(review.join.send);
    await manager.open(`/communities/${slug}`);
    await manager.press(community.requests);
    await manager.page.locator("main table a").first().waitFor();
    await manager.press(/Reviewers/, { within: review.types["community-membership-request"] });
    await manager.press(review.actions.accept);
    await reader.open("/communities?mine=1");
    expect(await shownBy(reader)).toContain(`Reviewers ${slug.slice("review-".length)}`);
    await reader.open(`/search?q=${about}`);
    await reader.unfold(savedSearches.save.heading);
    await reader.fill({ name: `About ${about}` });
    await reader.press(savedSearches.save.button);
    await reader.press(new RegExp(`^${savedSearches.make}.*${about}`));
    const feed = (await reader.page.textContent(".secret")) ?? "";
    await publish({ metadata: titled(`${about} second`) });
    expect(await fetched(reader, feed)).toContain(`${about} second`);
    return { reader: reader.clicks, manager: manager.clicks };
  }

  /** From an item to all its versions, and two of them next to each other. */
  async function comparing(setting: Setting): Promise<Clicks> {
    const about = word();
    const owner = await world.viewer("registered");
    const { id, content } = await publish({ metadata: titled(`${about} of winds`), files: [await file("a.txt", "a")] });
    const next = async (from: number, title: string, files: readonly ItemFile[]) => {
      const changed = aContent({ ...content, metadata: titled(title), files });
      return (await world.items.newVersion(owner, from, { content: changed })).item.id;
    };
    const second = await next(id, `${about} of seas`, [await file("a.txt", "a")]);
    const last = await next(second, `${about} of rivers`, [await file("b.txt", "b")]);
    const reader = await visitor(setting, null);
    const { item } = reader.words;
    await reader.open(`/records/${last}`);
    await reader.press(item.versions);
    await reader.fill({ from: `${id}`, to: `${last}` });
    await reader.press(item.compareButton);
    expect(await reader.page.locator("main del", { hasText: "winds" }).first().isVisible()).toBe(true);
    expect(await reader.page.locator("main ins", { hasText: "rivers" }).first().isVisible()).toBe(true);
    expect(await shownBy(reader)).toContain("b.txt");
    return { reader: reader.clicks };
  }

  /** Figures of an item by month, as a table and as CSV, and those of all items. */
  async function figures(setting: Setting): Promise<Clicks> {
    const { id, parentId } = await publish({ metadata: titled(word()), files: [await file("a.txt", "abc")] });
    const usage = usageOf({ store: world.store, clock: world.clock, dayOf: (at) => at.slice(0, 10) }, quietLog);
    const visit = { method: "GET", status: 200, userAgent: "Mozilla/5.0 Firefox/128.0", purpose: "", firstByte: 0 };
    for (let at = 1; at <= 7; at += 1) {
      const from = { ...visit, address: `198.51.100.${at}` };
      usage.view(from, { id, parentId, isOwn: false, isPublic: true });
      if (at > 4) usage.download(from, { id, parentId, isOwn: false, isPublic: true }, { name: "a.txt", sizeBytes: 3 });
    }
    await usage.close();
    const reader = await visitor(setting, null);
    const { figures: words } = reader.words;
    const month = world.time.now.slice(0, 7);
    await reader.open(`/records/${id}`);
    await reader.press(words.link);
    const row = reader.page.locator("tr", { hasText: month }).first();
    expect(await row.locator("td").allTextContents()).toEqual(["7", "3", "9 B"]);
    const csv = await reader.save(words.csv);
    expect(csv).toMatch(new RegExp(`${month},7,3,9`));
    await reader.press(words.parts.version);
    await reader.press("a.txt");
    expect(await shownBy(reader)).toContain("a.txt");
    return { reader: reader.clicks };
  }

  /** The owner of a community gives it a picture and another policy; readers see them. */
  async function owning(setting: Setting): Promise<Clicks> {
    const { slug } = await world.community();
    const owner = await visitor(setting, "manager");
    const { community } = owner.words;
    await owner.open(`/communities/${slug}`);
    await owner.press(community.settings);
    await owner.fill({ curation_policy: "<p>Send us <b>levels</b>.</p><script>alert(1)</script>" });
    await owner.press(community.form.save);
    await owner.press(community.settings);
    await owner.page.setInputFiles("#file", picture);
    await owner.press(community.logo.save);
    const guest = await visitor(setting, null);
    await guest.open(`/communities/${slug}`);
    expect(await shownBy(guest)).toContain("Send us levels.");
    const logo = guest.page.locator("main img.logo").first();
    expect((await guest.page.request.get((await logo.getAttribute("src")) ?? "")).headers()["content-type"]).toBe(
      "image/png",
    );
    return { owner: owner.clicks };
  }

  /** An administrator writes a page, changes it, and restores what it was. */
  async function writing(setting: Setting): Promise<Clicks> {
    const slug = setting.lang === "ja" ? "policy" : "about";
    const admin = await visitor(setting, "system");
    const guest = await visitor(setting, null);
    const { staticPages: words } = admin.words;
    const seen = async () => {
      await guest.open(`/${slug}`);
      return await shownBy(guest);
    };
    await admin.open("/");
    await admin.press(words.heading);
    await admin.fill({ slug });
    await admin.press(words.open);
    await admin.fill({
      title: "Rules",
      content: "Keep *levels*. <b>raw</b>",
      title_ja: "規則",
      content_ja: "水位を守る <b>raw</b>",
    });
    await admin.press(words.preview);
    expect(await shownBy(admin)).toContain(words.previewOf);
    await admin.press(words.save);
    expect(await seen()).toContain("<b>raw</b>");
    await admin.press(words.edit);
    await admin.fill({ content: "A mistake", content_ja: "間違い", message: "Shorter" });
    await admin.press(words.save);
    expect(await seen()).toMatch(/A mistake|間違い/);
    await admin.press(words.revisions);
    await admin.press(new RegExp(`^${words.restore}`), { within: words.revision(1) });
    const text = await seen();
    expect([/levels|水位/.test(text), /mistake|間違/.test(text)]).toEqual([true, false]);
    return { administrator: admin.clicks };
  }

  const STORIES: readonly Story[] = [
    {
      name: "Found, opened, cited",
      clicks: { reader: 17 },
      run: finding,
      settings: [NARROW_SCRIPT, { ...WIDE_PLAIN, byKeyboard: true }],
    },
    {
      name: "A closed file",
      clicks: { reader: 5, owner: 1 },
      run: closedFile,
      settings: [WIDE_SCRIPT, NARROW_PLAIN],
    },
    {
      name: "Followed: a person, a community, a search",
      clicks: { reader: 7, manager: 3 },
      run: following,
      settings: [NARROW_SCRIPT, WIDE_PLAIN],
    },
    { name: "Two versions compared", clicks: { reader: 2 }, run: comparing, settings: [WIDE_SCRIPT, NARROW_PLAIN] },
    {
      name: "Figures of an item",
      clicks: { reader: 4 },
      run: figures,
      settings: [{ ...NARROW_SCRIPT, byKeyboard: true }, WIDE_PLAIN],
    },
    {
      name: "A page written and restored",
      clicks: { administrator: 8 },
      run: writing,
      settings: [NARROW_SCRIPT, WIDE_PLAIN],
    },
    {
      name: "Logo and policy of a community",
      clicks: { owner: 4 },
      run: owning,
      settings: [WIDE_SCRIPT, NARROW_PLAIN],
    },
  ];
  const table = storyTable(STORIES, async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });
  describe.each(STORIES)("Q.240 $name", (story) => {
    test.each(story.settings)("%j", (setting) => table.check(story, setting), 120_000);
  });
  afterAll(() => table.print());
});
