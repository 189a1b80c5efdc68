// Every interface that lists items shows each kind of caller what the rules of visibility admit and nothing else (R2d,
// R34; how issue 11 is judged): a served repository, changed over and over, and after each change what HTTP answers is
// held against the rules over the database.
import { beforeAll, expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR, type RoleId, type Viewer } from "../../src/auth/account.ts";
import { isPrivileged, mayReadRecord } from "../../src/model/access/visibility.ts";
import type { Item, ItemContent } from "../../src/model/items/item.ts";
import { factsOf } from "../../src/repository/items/access-facts.ts";
import { eventually } from "../support/eventually.ts";
import { readOai } from "../support/oai-answers.ts";
import { type Random, randomFrom } from "../support/random-from.ts";
import { aContent, titled } from "../support/world/items.ts";
import { type Answer, INDEXES, type PersonName } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

const WHO = REPOSITORY_OPERATOR;
const DAY_MS = 86_400_000;
const ROLES: readonly RoleId[] = [1, 2, 3, 4, -98, -99];
/** `general` begins as a member of a group, `curator` as one of the community; chance gives and takes later. */
const CALLERS = [null, "registered", "general", "curator", "admin"] as const satisfies readonly (PersonName | null)[];
const PEOPLE = ["registered", "general", "curator"] as const satisfies readonly PersonName[];
const OWNERS = ["registered", "other", "curator", "general"] as const satisfies readonly PersonName[];
const LANGUAGES = ["jpn", "eng", "fra"];
/** How a title is known wherever it is, also between marks. */
const TITLE = /secret\d+x/g;
const CHANGES_MADE = 60;

const world = setUpWorld({ repository: { env: { SVC_OAI_PAGE_SIZE: "20", SVC_OAI_RATE_PER_MINUTE: "0" } } });
beforeAll(async () => {
  await eventually("items are found", async () => (await get(null, "/api/v1/records")).status === 200);
});

const get = (who: PersonName | null, path: string): Promise<Answer> => world.ask(who, "GET", path);
const ascending = (ids: readonly number[]): readonly number[] => [...ids].sort((a, b) => a - b);
const titlesIn = (text: string): readonly string[] => [...new Set(text.match(TITLE))].sort();
const titleOf = (content: ItemContent | null): string => titlesIn(content?.metadata.titles[0]?.value ?? "")[0] ?? "";
const tally = (values: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(LANGUAGES.flatMap((each) => counted(each, values.filter((value) => value === each).length)));
const counted = (name: string, count: number): [string, number][] => (count === 0 ? [] : [[name, count]]);

/** Changes by chance; each returns the item it was about, 0 for all others. */
async function changing(random: Random) {
  const { store, items, time, people } = world;
  const day = (offset: number): string => new Date(Date.parse(time.now) + offset * DAY_MS).toISOString().slice(0, 10);
  const published: number[] = [];
  const drafts: { readonly id: number; readonly owner: Viewer }[] = [];
  const indexes: number[] = Object.values(INDEXES);
  const groups = await store.transact(async (tx) => {
    const made: number[] = [];
    for (const name of ["readers", "writers"]) made.push((await tx.accounts.insertGroup(name, time.now)) ?? 0);
    await tx.accounts.setGroupMembers(made[0] ?? 0, [people.general.account.id]);
    return made;
  });
  const account = (name: PersonName): number => people[name].account.id;
  let titles = 0;
  const content = (): ItemContent => {
    titles += 1;
    const metadata = titled(`Thing secret${titles}x`, { languages: [random.pick(LANGUAGES)] });
    const access = {
      record: random.isOne(4) ? ("restricted" as const) : ("public" as const),
      openDate: day(random.below(5) - 3),
      files: "public" as const,
      embargoUntil: random.isOne(3) ? day(random.below(5) - 2) : null,
      embargoReason: "",
    };
    return aContent({ metadata, access, indexes: random.some(indexes, 0.3) });
  };
  const publish = async (): Promise<number> => {
    const { item } = await items.createAndPublish(WHO, { content: content(), owner: account(random.pick(OWNERS)) });
    published.push(item.id);
    return item.id;
  };
  const onPublished = async (work: (item: Item) => Promise<unknown>): Promise<number> => {
    const item = await store.items.item(random.pick(published));
    if (item?.state === "published") await work(item);
    return item?.id ?? 0;
  };
  const onIndex = async (id: number, change: () => object): Promise<number> => {
    await store.transact(async (tx) => {
      const index = await tx.indexes.index(id);
      if (index !== null) await tx.indexes.updateIndex({ ...index, ...change() });
      await tx.indexes.raiseTreeRevision();
    });
    return 0;
  };
  const withAccess = (change: () => Partial<ItemContent["access"]>) =>
    onPublished(async ({ id, content: before }) => {
      if (before !== null) {
        await items.revise(WHO, id, { content: { ...before, access: { ...before.access, ...change() } } });
      }
    });

  const changes: Readonly<Record<string, () => Promise<number>>> = {
    publish,
    async draft() {
      const owner = await world.viewer("other");
      const { item } = await items.createDraft(owner, { content: content() });
      drafts.push({ id: item.id, owner });
      return item.id;
    },
    async publishDraft() {
      const draft = drafts.pop();
      if (draft === undefined) return await publish();
      await items.publishDraft(draft.owner, draft.id);
      published.push(draft.id);
      return draft.id;
    },
    revise: () => onPublished(({ id }) => items.revise(WHO, id, { content: content() })),
    newVersion: () =>
      onPublished(async ({ id, isLatest }) => {
        if (isLatest) published.push((await items.newVersion(WHO, id, { content: content() })).item.id);
      }),
    restrict: () => withAccess(() => ({ record: random.pick(["restricted", "public"]) })),
    embargo: () => withAccess(() => ({ record: "restricted", embargoUntil: day(1 + random.below(3)) })),
    async removeOrRestore() {
      const id = random.pick(published);
      if ((await store.items.item(id))?.state === "published") await items.remove(WHO, id);
      else await items.restore(WHO, id);
      return id;
    },
    community: () =>
      onPublished(({ parentId }) =>
        store.transact((tx) => tx.items.setCommunities(parentId, random.isOne(3) ? [] : [COMMUNITY])),
      ),
    share: () => onPublished(({ id }) => items.share(id, random.some(OWNERS, 0.4).map(account))),
    hideIndex: () => onIndex(random.pick(indexes), () => ({ publicState: !random.isOne(3) })),
    dateIndex: () =>
      onIndex(random.pick(indexes), () => ({ publicDate: random.isOne(2) ? null : day(random.below(4) - 1) })),
    browseIndex: () =>
      onIndex(random.pick(indexes), () => ({
        browsingRole: random.isOne(2) ? ROLES : random.some(ROLES, 0.4),
        browsingGroup: random.some(groups, 0.4),
      })),
    moveIndex: () =>
      onIndex(random.pick([INDEXES.closed, INDEXES.hidden, INDEXES.below]), () => ({
        parent: random.pick([0, INDEXES.open, INDEXES.community]),
      })),
    async roles() {
      const before = await store.accounts.account(account(random.pick(PEOPLE)));
      const roles = random.some<RoleId>([3, 4], 0.5);
      if (before !== null) await store.transact((tx) => tx.accounts.saveAccount({ ...before, roles }));
      return 0;
    },
    async groups() {
      const members = random.some(PEOPLE, 0.4).map(account);
      await store.transact((tx) => tx.accounts.setGroupMembers(random.pick(groups), members));
      return 0;
    },
    async members() {
      const role = random.pick([null, "manager", "curator", "reader"] as const);
      await store.transact((tx) => tx.communities.setMember(COMMUNITY, account(random.pick(PEOPLE)), role));
      return 0;
    },
    async nextDay() {
      time.now = new Date(Date.parse(time.now) + DAY_MS).toISOString();
      return 0;
    },
  };
  for (let at = 0; at < 25; at += 1) await publish();
  return { changes, numbers: () => ascending([...published, ...drafts.map(({ id }) => id)]) };
}

/** Everything there is, with what decides about it, asked of the database alone. */
async function known(numbers: readonly number[]) {
  const { store } = world;
  const whole = [];
  for (const id of numbers) {
    const found = await store.items.withParent(id);
    if (found === null) continue;
    const { item, parent } = found;
    const content = item.content ?? (await store.items.draft(id))?.content ?? null;
    whole.push({ item, parent, content, facts: await factsOf(store, item, item.content, parent) });
  }
  return whole;
}
type Known = Awaited<ReturnType<typeof known>>;

/** What the rules admit: `latest` is what lists show, `readable` the record of which number. */
function admitted(viewer: Viewer, all: Known) {
  const today = world.time.now.slice(0, 10);
  const read = all.filter(({ facts }) => mayReadRecord(viewer, facts, today));
  const drafts = all.filter(({ item, facts }) => item.state === "draft" && isPrivileged(viewer, facts));
  // A newer version that the viewer may not read is not there: the latest is the newest of those that the viewer may
  // (R2h).
  const latest = read.filter(
    ({ item }, at) => !read.slice(at + 1).some((other) => other.item.parentId === item.parentId),
  );
  return {
    read,
    ids: latest.map(({ item }) => item.id),
    titles: latest.map(({ content }) => titleOf(content)).sort(),
    languages: tally(latest.flatMap(({ content }) => content?.metadata.languages ?? [])),
    readable: new Set([...read, ...drafts].map(({ item }) => item.id)),
    tellable: new Set([...read, ...drafts].map(({ content }) => titleOf(content))),
  };
}

type Endpoints = {
  readonly ids: readonly number[];
  readonly total: number;
  readonly languages?: Readonly<Record<string, number>>;
  readonly titles: readonly string[];
};
type Bucket = { readonly key: string; readonly doc_count: number };
type Aggregations = Readonly<Record<string, { readonly buckets: readonly Bucket[] }>>;
const languagesOf = (aggregations: Aggregations): Readonly<Record<string, number>> => {
  const buckets = aggregations["Language"]?.buckets ?? [];
  return Object.fromEntries(
    LANGUAGES.flatMap((each) => counted(each, buckets.find(({ key }) => key === each)?.doc_count ?? 0)),
  );
};
const numbersIn = (text: string, pattern: RegExp): readonly number[] =>
  ascending([...new Set([...text.matchAll(pattern)].map(([, id]) => Number(id)))]);

async function ok(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return answer;
}

/** What each interface that lists returns to a caller. */
const ENDPOINTS: Readonly<Record<string, (who: PersonName | null) => Promise<Endpoints>>> = {
  async "item search, by cursor"(who) {
    type Body = {
      readonly total_results: number;
      readonly cursor: string | null;
      readonly search_results: readonly { readonly id: string }[];
      readonly aggregations: Aggregations;
    };
    const ids: number[] = [];
    let text = "";
    for (let cursor = ""; ; ) {
      const answer = await ok(get(who, `/api/v1/records?size=15${cursor}`));
      const body: Body = JSON.parse(answer.text);
      text += answer.text;
      ids.push(...body.search_results.map(({ id }) => Number(id)));
      if (body.cursor === null || ids.length > 1_000) {
        const { total_results: total, aggregations } = body;
        return { ids: ascending(ids), total, languages: languagesOf(aggregations), titles: titlesIn(text) };
      }
      cursor = `&cursor=${encodeURIComponent(body.cursor)}`;
    }
  },
  async "OpenSearch, JSON"(who) {
    const { text } = await ok(get(who, "/api/opensearch/search?q=thing&size=200"));
    const { hits, aggregations } = JSON.parse(text);
    const found: readonly { readonly id: number }[] = hits.hits;
    return {
      ids: ascending(found.map(({ id }) => id)),
      total: hits.total,
      languages: languagesOf(aggregations),
      titles: titlesIn(text),
    };
  },
  async "OpenSearch, Atom"(who) {
    const { text } = await ok(get(who, "/api/opensearch/search?q=thing&size=200&format=atom"));
    const [total = -1] = numbersIn(text, /<opensearch:totalResults>(\d+)</g);
    return { ids: numbersIn(text, /<dc:identifier>(\d+)</g), total, titles: titlesIn(text) };
  },
  async "the page of hits"(who) {
    const { text } = await ok(get(who, "/search?q=thing&size=100&lang=en"));
    const total = /role="status">(\d+) items?/.exec(text)?.[1] ?? (/role="status">No items/.test(text) ? "0" : "-1");
    const boxes = [...text.matchAll(/name="Language" value="(\w+)"[^(]*\((\d+)\)/g)];
    const languages = Object.fromEntries(boxes.map(([, name = "", count]) => [name, Number(count)]));
    return { ids: numbersIn(text, /\/records\/(\d+)"/g), total: Number(total), languages, titles: titlesIn(text) };
  },
};

async function rowsOfList(who: PersonName | null): Promise<readonly string[]> {
  const body = JSON.stringify([{ name: { en: "Title", ja: "タイトル" }, roCrateKey: "name" }]);
  const headers = { "content-type": "application/json" };
  const { text } = await ok(world.ask(who, "POST", "/api/v1/records/list?q=thing", { headers, body }));
  return text
    .split("\n")
    .slice(1, -1)
    .map((row) => row.replace("Thing ", ""))
    .sort();
}

/** Identifier to title of every record that is not deleted. */
async function harvested(): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (let token: string | null = null; token !== ""; ) {
    const more: string = token === null ? "&metadataPrefix=oai_dc" : `&resumptionToken=${encodeURIComponent(token)}`;
    const { text } = await ok(get(null, `/oai?verb=ListRecords${more}`));
    const read = readOai(text);
    const messages = text.split("<record>").slice(1);
    for (const [at, { identifier, isDeleted }] of read.records.entries()) {
      if (!isDeleted) found[identifier] = titlesIn(messages[at] ?? "").join(" ");
      else expect(titlesIn(messages[at] ?? "")).toEqual([]);
    }
    token = read.token ?? "";
  }
  return found;
}

/** The newest version of each item that guests may read, under the number of its first. */
function harvestable(all: Known): Readonly<Record<string, string>> {
  const today = world.time.now.slice(0, 10);
  const found: Record<string, string> = {};
  const firsts = new Map<number, number>();
  for (const { item, content, facts, parent } of all) {
    const first = firsts.get(parent.id) ?? item.id;
    firsts.set(parent.id, first);
    if (!mayReadRecord(GUEST, facts, today)) continue;
    found[`oai:repo.example.org:${String(first).padStart(8, "0")}`] = titleOf(content);
  }
  return found;
}

test(`R34 R2d every interface shows each kind of caller what the rules admit, and no title else, after each of ${CHANGES_MADE} changes`, async () => {
  const random = randomFrom(20_261_122);
  const { changes, numbers } = await changing(random);

  async function check(what: string, about: number): Promise<void> {
    const all = await known(numbers());
    const some = new Set([about, ...Array.from({ length: 4 }, () => random.pick(all).item.id)]);
    for (const who of CALLERS) {
      const rules = admitted(who === null ? GUEST : await world.viewer(who), all);
      const { ids, titles, languages } = rules;
      for (const [endpoint, ask] of Object.entries(ENDPOINTS)) {
        const where = `${endpoint}, ${who ?? "guest"}, after ${what}`;
        const response = await ask(who);
        const counts = response.languages === undefined ? {} : { languages };
        expect({ where, ...response }).toEqual({ where, ids, total: ids.length, titles, ...counts });
      }
      expect([what, who, await rowsOfList(who)]).toEqual([what, who, titles]);
      for (const { item } of all.filter(({ item: { id } }) => some.has(id))) {
        for (const path of [`/api/v1/records/${item.id}`, `/records/${item.id}`]) {
          const { status, text } = await get(who, path);
          expect([what, who, path, status === 200]).toEqual([what, who, path, rules.readable.has(item.id)]);
          expect([path, who, titlesIn(text).filter((title) => !rules.tellable.has(title))]).toEqual([path, who, []]);
        }
      }
      for (const path of ["/", `/index/${random.pick(Object.values(INDEXES))}`]) {
        const { text } = await get(who, path);
        const expected = [what, path, who, []];
        expect([what, path, who, titlesIn(text).filter((title) => !rules.tellable.has(title))]).toEqual(expected);
      }
    }
    expect([what, await harvested()]).toEqual([what, harvestable(all)]);
  }

  await check("nothing", 0);
  for (let at = 0; at < CHANGES_MADE; at += 1) {
    world.time.now = new Date(Date.parse(world.time.now) + 1_000).toISOString();
    const name = random.pick(Object.keys(changes));
    const about = (await changes[name]?.()) ?? 0;
    await check(`change ${at}: ${name} ${about}`, about);
  }
}, 120_000);
