// The first page (R32, Q.1 to Q.4): what is here in figures, what is new and used most, what to do next.
import { expect, test } from "bun:test";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { RESTRICTED, titled } from "../support/world/items.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const statements: string[] = [];
const world = setUpWorld({ pages: { onStatement: (text: string) => void statements.push(text) } });

const front = async (lang = "") => (await world.visitor(lang).get("/", { accept: "text/html" })).text;
const later = (minutes: number): void => {
  world.time.now = addMilliseconds(world.time.now, minutes * 60_000);
};
/** Names and numbers of the figures. */
const figuresIn = (text: string) =>
  Object.fromEntries(
    [...(/<dl class="figures">(.*?)<\/dl>/s.exec(text)?.[1] ?? "").matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
      ([, name = "", count = ""]) => [name, count],
    ),
  );

test("Q.3 an empty repository states what to do next, by what the reader may do", async () => {
  const empty = await openWorld({ pages: true });
  const guest = (await empty.visitor().get("/", { accept: "text/html" })).text;
  expect([guest.includes("What to do next"), guest.includes('href="/account/login"'), guest.includes("SVC_")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(guest).not.toContain('class="figures"');
  for (const [viewer, has, not] of [
    [empty.admin, ["SVC_REPOSITORY_NAME", 'href="/community/new"', 'href="/deposit"'], []],
    [empty.owner, ['href="/deposit"'], ["SVC_REPOSITORY_NAME"]],
  ] as const) {
    const browser = empty.visitor("ja");
    await browser.signIn(await empty.token(viewer));
    const { text } = await browser.get("/", { accept: "text/html" });
    const next = text.slice(text.indexOf("次にすること"));
    for (const part of has) expect([part, next.includes(part)]).toEqual([part, true]);
    for (const part of not) expect([part, next.includes(part)]).toEqual([part, false]);
  }
});

test("Q.1 Q.2 Q.4 figures and counts are of what guests may see, and the time of counting is stated", async () => {
  await world.index({ id: 7, indexNameEnglish: "Theses" });
  await world.index({ id: 8, parent: 7, indexNameEnglish: "Old theses" });
  await world.index({ id: 9, indexNameEnglish: "Hidden shelf", publicState: false });
  const file = await world.file("a.csv", "1,2");
  const [first, second] = [
    await world.publish({ metadata: titled("In an index"), files: [file], indexes: [8] }),
    await world.publish({ metadata: titled("Without files"), indexes: [7] }),
  ];
  await world.publish({ metadata: titled("Restricted"), access: RESTRICTED, indexes: [7] });
  await world.publish({ metadata: titled("On the hidden shelf"), indexes: [9] });
  const text = await front();
  expect(figuresIn(text)).toEqual({ Items: "2", "Items with open files": "1" });
  expect(text).toMatch(/counted at <time datetime="\d{4}-/);
  expect(text).toMatch(/>Theses<\/a> <span class="kind">\(2 items\)<\/span>/);
  expect([text.includes("Hidden shelf"), text.includes("Restricted"), text.includes("What to do next")]).toEqual([
    false,
    false,
    false,
  ]);
  expect(text.match(/name="q"/g)).toHaveLength(1);
  for (const path of ["/persons", "/subjects", "/funders", "/licences", "/statistics", "/search?sort=-controlnumber"]) {
    expect([path, text.includes(`href="${path}"`)]).toEqual([path, true]);
  }
  // Counted again after five minutes, not before; what is named is named at once.
  await world.publish({ metadata: titled("Brand new") });
  expect([figuresIn(await front()).Items, (await front()).includes("Brand new")]).toEqual(["2", true]);
  later(6);
  expect(figuresIn(await front("ja"))).toMatchObject({ アイテム: "3" });
  const tree = (await world.visitor().get("/index", { accept: "text/html" })).text;
  expect(tree).toMatch(/>Theses<\/a> <span class="kind">\(2 items\)<\/span>/);
  // Used most, of what the reader may see now.
  const month = world.time.now.slice(0, 7);
  const uses = (id: number, views: number) =>
    ({
      day: `${month}-03`,
      subject: "public",
      id,
      file: "",
      views,
      downloads: 0,
      dataVolume: 0,
      uniqueViews: 0,
      uniqueDownloads: 0,
    }) as const;
  await world.store.transact((tx) => tx.usage.addUsage([uses(first.parentId, 3), uses(second.parentId, 5)]));
  later(6);
  const used = await front();
  const most = used.slice(used.indexOf("Most used this month"));
  expect(most.indexOf("Without files")).toBeGreaterThan(0);
  expect(most.indexOf("Without files")).toBeLessThan(most.indexOf("In an index"));
  await world.items.remove(world.admin, second.id, { reason: "duplicate" });
  const after = await front();
  expect(after.slice(after.indexOf("Most used this month"))).not.toContain("Without files");
});

test("Q.2 R9b a view between two counts runs few statements, and none more for more items", async () => {
  const count = async (): Promise<number> => {
    const counts: number[] = [];
    for (let time = 0; time < 12; time++) {
      const before = statements.length;
      await front();
      counts.push(statements.length - before);
    }
    return Math.min(...counts);
  };
  const few = await count();
  for (let at = 0; at < 20; at++) await world.publish({ metadata: titled(`More ${at}`), indexes: [7] });
  expect(await count()).toBe(few);
  expect(few).toBeLessThanOrEqual(16);
});
