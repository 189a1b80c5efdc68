// Whole stories of depositors and reviewers in a real Chromium (R40, R42 to R44): each with and without script, narrow
// and wide, in both languages, one by keyboard alone. Presses are counted and held; axe finds nothing on the way.
// What is lost and found again (connection, session, browser, windows) is in autosave.long.ts, uploads that are cut in
// uploads.long.ts.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { OUTGOING_JOB } from "../../src/model/notices/notice-rules.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { temporaryFolder } from "../support/processes.ts";
import { METADATA } from "../support/record-calls.ts";
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
import type { PersonName } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const TITLE = "title.0.title";
/** What a person fills in of the simple item type. */
const FILLED = {
  [TITLE]: "潮汐について",
  "title.0.lang": "ja",
  "creator.0.names.0.name": "山田, 太郎",
  "creator.0.names.0.lang": "ja",
  "resource_type.label": "journal article",
  "date.0.type": "Issued",
  "date.0.date": "2024-05-01",
};
const QUEUE = 50;

describe.skipIf(!hasBrowser)("stories in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let mails: MailServer = { url: "", received: [], next: [], refuseSender: null, close: async () => {} };
  const folder = temporaryFolder("stories");
  const paper = join(folder.path, "paper.txt");
  const open: Visitor[] = [];
  const world = setUpWorld(async () => {
    mails = await startMailServer();
    const env = {
      ...{ SVC_BASE_URL: "http://127.0.0.1", SVC_TOOL_ITEM_TYPE: "2", SVC_REGISTRATION: "univ.example" },
      ...{ SVC_SMTP_URL: mails.url, SVC_MAIL_FROM: "repository@library.example.org" },
    };
    return { repository: { env }, requests: true, jobs: true } as const;
  });
  beforeAll(async () => {
    writeFileSync(paper, "words of the paper");
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([server.stop(1000), mails.close()]);
    folder.remove();
  });

  async function visitor(setting: Setting, who: PersonName | null): Promise<Visitor> {
    const made = await Visitor.start(browser, server.url, setting);
    open.push(made);
    if (who !== null) await made.signIn(world.people[who].token);
    return made;
  }
  const recordOf = ({ page }: Visitor): string => /\/(?:deposit|records)\/(\d+)/.exec(page.url())?.[1] ?? "";
  const shown = async (path: string): Promise<string> => (await world.ask(null, "GET", path)).text;

  /** The front page, later: what waits is counted again. */
  async function homeOf(person: Visitor): Promise<void> {
    world.time.now = addMilliseconds(world.time.now, 60_000);
    await person.open("/");
  }

  /** From the blank form to the question before publication, with one file: 2 presses, or 3 where it asks the type. */
  async function deposit(person: Visitor, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { deposit: words, place } = person.words;
    if ((await person.page.locator(`[name="${TITLE}"]`).count()) === 0) await person.press(place.proceed);
    await person.fill({ ...FILLED, ...more });
    await person.press(words.saveAndFiles);
    await person.page.setInputFiles("#file", paper);
    // With script its upload has begun.
    const uploaded = person.page.locator("table a", { hasText: "paper.txt" });
    if (person.setting.hasScript) await uploaded.waitFor();
    await person.press(person.setting.hasScript ? words.publish : words.uploadAndPublish);
  }

  /** An account by mail, then from "Deposit here" on the page of an index to a published item. */
  async function firstDeposit(setting: Setting): Promise<Clicks> {
    const stranger = await visitor(setting, null);
    const { registration, place, deposit: words } = stranger.words;
    await stranger.open("/account/login");
    await stranger.press(registration.link);
    await stranger.fill({ mail: `${setting.lang}@univ.example`, name: "山田 太郎" });
    await stranger.press(registration.ask);
    await world.runJob(OUTGOING_JOB);
    const mail = (mails.received.at(-1)?.source ?? "").replace(/=\r\n/g, "").replace(/=3D/g, "=");
    await stranger.open(/(\/account\/register\/[\w-]{43})/.exec(mail)?.[1] ?? "");
    await stranger.press(registration.confirm);
    await stranger.open("/index/1");
    const account = stranger.clicks;
    await stranger.press(place.depositHere);
    await deposit(stranger);
    await stranger.press(words.publish);
    const page = await shown(`/records/${recordOf(stranger)}`);
    expect([page.includes("潮汐について"), page.includes("paper.txt")]).toEqual([true, true]);
    expect((await world.item(Number(recordOf(stranger)))).content?.indexes).toEqual([1]);
    return { account, depositor: stranger.clicks - account };
  }

  /** Submitted to a workflow, returned, sent again, approved. */
  async function approval(setting: Setting): Promise<Clicks> {
    await world.format("JSON", { registrationType: 2 });
    const id = await world.workflow({ itemType: 2, name: { en: "Museum", ja: "博物館" } });
    try {
      const depositor = await visitor(setting, "registered");
      const approver = await visitor(setting, "approver");
      const { place, deposit: words, work, activity } = depositor.words;
      await depositor.open("/");
      await depositor.press(words.link);
      await deposit(depositor);
      const record = recordOf(depositor);
      await depositor.press(place.submitApproval);
      await homeOf(approver);
      await approver.press(work.count(work.heading, 1));
      await approver.press("潮汐について");
      await approver.unfold(approver.words.review.commentHere);
      await approver.fill({ "field:title": "Please add the year" });
      await approver.press(activity.throwOut);
      await depositor.open(`/deposit/${record}`);
      await depositor.fill({ [TITLE]: "潮汐について 2024" });
      await depositor.press(words.saveAndPublish);
      await depositor.press(place.submitApproval);
      await homeOf(approver);
      await approver.press(work.count(work.heading, 1));
      await approver.press("潮汐について 2024");
      await approver.press(activity.approve);
      expect(await approver.page.textContent("main")).toContain(approver.words.review.lastTask);
      return { depositor: depositor.clicks, approver: approver.clicks };
    } finally {
      await world.format("JSON", { registrationType: 1 });
      await world.workflow({ id, deleted: true });
    }
  }

  /** Another version of a published item, with its files. */
  async function newVersion(setting: Setting): Promise<Clicks> {
    const id = await world.published("registered", { metadata: { ...METADATA, title: "Tides" } });
    const owner = await visitor(setting, "registered");
    const { manage, deposit: words } = owner.words;
    await owner.open(`/records/${id}`);
    await owner.press(manage.newVersion);
    // The day is that of this version.
    await owner.fill({ [TITLE]: "Tides, second edition", "date.0.type": "Issued", "date.0.date": "2025-05-01" });
    await owner.press(words.saveAndPublish);
    await owner.press(words.publish);
    const next = recordOf(owner);
    expect([next === `${id}`, (await shown(`/records/${next}`)).includes("second edition")]).toEqual([false, true]);
    expect(await shown(`/records/${id}`)).toContain(`/records/${next}`);
    return { owner: owner.clicks };
  }

  /** A deposit whose files open on a day, which comes. */
  async function embargo(setting: Setting): Promise<Clicks> {
    const owner = await visitor(setting, "registered");
    const { deposit: words } = owner.words;
    await owner.open("/");
    await owner.press(words.link);
    await deposit(owner, { "place-until": "令和82年3月1日", "place-reason": "特許" });
    await owner.press(words.publish);
    const at = `/records/${recordOf(owner)}`;
    const guest = await visitor(setting, null);
    await guest.open(at);
    const file = async () => (await world.ask(null, "GET", `${at}/files/paper.txt`)).status;
    expect([(await guest.page.textContent("main"))?.includes("2100"), await file()]).toEqual([true, 403]);
    const { now } = world.time;
    world.time.now = "2100-03-02T00:00:00.000Z";
    expect(await file()).toBe(200);
    world.time.now = now;
    return { depositor: owner.clicks };
  }

  /** A published item, withdrawn with a reason; its page states that it was there. */
  async function withdrawal(setting: Setting): Promise<Clicks> {
    const id = await world.published("registered", { metadata: { ...METADATA, title: "Wrong tides" } });
    const owner = await visitor(setting, "registered");
    const { manage } = owner.words;
    await owner.open(`/records/${id}`);
    await owner.press(manage.withdraw);
    await owner.fill({ reason: "retracted", note: "See the erratum" });
    await owner.press(manage.withdraw);
    const guest = await visitor(setting, null);
    await guest.open(`/records/${id}`);
    expect(await guest.page.textContent("main")).toContain("See the erratum");
    return { owner: owner.clicks };
  }

  /** Submitted to a community, declined with a comment on a field, changed, submitted again, accepted. */
  async function submission(setting: Setting): Promise<Clicks> {
    const { slug } = await world.community({ review_policy: "closed" });
    const depositor = await visitor(setting, "registered");
    const curator = await visitor(setting, "curator");
    const { place, deposit: words, work, review } = depositor.words;
    await depositor.open(`/deposit?community=${slug}`);
    await deposit(depositor);
    await depositor.press(place.submit);
    const decide = async (title: string, action: "accept" | "decline") => {
      await homeOf(curator);
      await curator.press(work.count(work.heading, 1));
      await curator.press(title);
      if (action === "decline") {
        await curator.unfold(review.commentHere);
        await curator.fill({ "field:title": "Please add the year" });
      }
      await curator.press(review.actions[action]);
      expect(await curator.page.textContent("main")).toContain(review.lastTask);
    };
    await decide("潮汐について", "decline");
    await depositor.open("/");
    await depositor.press(work.heading);
    await depositor.press(work.tabs.records);
    await depositor.press(depositor.words.manage.continueDraft);
    expect(await depositor.page.textContent("main")).toContain("Please add the year");
    await depositor.fill({ [TITLE]: "潮汐について 2024" });
    await depositor.press(words.saveAndPublish);
    await depositor.press(place.submit);
    await decide("潮汐について 2024", "accept");
    return { depositor: depositor.clicks, curator: curator.clicks };
  }

  /** Fifty submissions, decided one after the other: the list is seen once. */
  async function queue(setting: Setting): Promise<Clicks> {
    const { id } = await world.community({ review_policy: "closed" });
    for (let made = 1; made <= QUEUE; made += 1) {
      const record = await world.draft("registered", { metadata: { ...METADATA, title: `Queue ${made}` } });
      await world.ok(world.review("registered", record, id), 200);
      await world.ok(world.submit("registered", record), 202);
    }
    const curator = await visitor(setting, "curator");
    const { work, review } = curator.words;
    await homeOf(curator);
    await curator.press(work.count(work.heading, QUEUE));
    await curator.page.locator("main table a").first().waitFor();
    await curator.press(/^Queue \d+$/);
    for (let left = QUEUE; left > 0; left -= 1) {
      // What follows is the same page again.
      const isExamined = left === QUEUE || left === 1;
      await curator.press(review.actions[left % 2 === 0 ? "accept" : "decline"], { isExamined });
      if (left > 1) await curator.press(new RegExp(review.next("Queue \\d+")), { isExamined });
    }
    expect(await curator.page.textContent("main")).toContain(review.lastTask);
    return { curator: curator.clicks };
  }

  const STORIES: readonly Story[] = [
    {
      name: "First deposit by a stranger",
      clicks: { account: 3, depositor: 5 },
      run: firstDeposit,
      settings: [NARROW_SCRIPT, { ...WIDE_PLAIN, byKeyboard: true }],
    },
    {
      name: "Approval with one return",
      clicks: { depositor: 7, approver: 7 },
      run: approval,
      settings: [WIDE_SCRIPT, NARROW_PLAIN],
    },
    { name: "New version", clicks: { owner: 3 }, run: newVersion, settings: [NARROW_SCRIPT, WIDE_PLAIN] },
    { name: "Embargo", clicks: { depositor: 5 }, run: embargo, settings: [WIDE_SCRIPT, NARROW_PLAIN] },
    { name: "Withdrawal", clicks: { owner: 2 }, run: withdrawal, settings: [NARROW_SCRIPT, WIDE_PLAIN] },
    {
      name: "Submission declined, changed, accepted",
      clicks: { depositor: 9, curator: 7 },
      run: submission,
      settings: [WIDE_SCRIPT, NARROW_PLAIN],
    },
    { name: "A queue of fifty", clicks: { curator: 101 }, run: queue, settings: [NARROW_SCRIPT, WIDE_PLAIN] },
  ];
  const table = storyTable(STORIES, async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });
  describe.each(STORIES)("P.240 P.241 $name", (story) => {
    test.each(story.settings)("%j", (setting) => table.check(story, setting), 120_000);
  });
  afterAll(() => table.print());
});
