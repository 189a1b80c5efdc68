// Fills an empty repository for the demonstration: everything goes through the interfaces of the product, within this
// process, under a clock that goes through the last year day by day; figures come from the counter of visits itself.
import type { Handler } from "../../../plugins/http/frame.ts";
import type { Usage } from "../../repository/statistics/counting.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import { chanceFrom } from "./chance.ts";
import { type DemoFile, logo, makeFiles } from "./files.ts";
import { makePending } from "./pending.ts";
import {
  ACCOUNTS,
  type Ask,
  type DemoAccount,
  type DemoRole,
  type Json,
  mailOf,
  type People,
  type Published,
} from "./types.ts";
import { FIELDS, INSTITUTIONS, PEOPLE } from "./words.ts";
import { identifierOf, makeWorks, type Work, YEAR_DAYS } from "./works.ts";

const DAY_MS = 86_400_000;
/** When what waits was sent, in days before today. */
const PENDING_DAYS = 3;

/** A clock that its owner sets. */
export type SetClock = { now(): Instant; set(at: Instant): void };

export type FillNeeds = {
  readonly handler: Handler;
  readonly base: string;
  /** Of the first administrator. */
  readonly token: string;
  readonly clock: SetClock;
  readonly today: Instant;
  readonly usage: Usage;
  readonly items: number;
  /** A personal token with all scopes for an account. */
  readonly tokenOf: (account: number) => Promise<string>;
  readonly progress: (text: string) => void;
};

export async function fillRepository(needs: FillNeeds): Promise<{ readonly accounts: readonly DemoAccount[] }> {
  const { clock, today, items, progress } = needs;
  const dayAgo = (days: number): Instant => new Date(Date.parse(today) - days * DAY_MS).toISOString();
  const works = makeWorks(items, (days) => dayAgo(days).slice(0, 10));
  const ask = asking(needs);
  clock.set(dayAgo(YEAR_DAYS));
  const people = await makePeople(needs, ask);
  const indexes = await makeIndexes(needs, ask);
  await makeCommunities(people, ask);
  const published: Published[] = [];
  let next = 0;
  for (let ago = YEAR_DAYS; ago >= 0; ago -= 1) {
    clock.set(dayAgo(ago));
    for (; works[next] !== undefined && (works[next]?.daysAgo ?? 0) >= ago; next += 1) {
      const work = works[next];
      if (work !== undefined) published.push(...(await publish(work, { ask, people, indexes, today, ago })));
      if (next % 50 === 49) progress(`${next + 1} items`);
    }
    visit(needs.usage, clock, published, ago);
    if (ago % 7 === 0) await needs.usage.flush();
    if (ago === PENDING_DAYS) await makePending({ ask, people, published, later: hourly(clock) });
  }
  await needs.usage.flush();
  return { accounts: people.accounts };
}

function hourly(clock: SetClock): () => void {
  return () => clock.set(addMilliseconds(clock.now(), 3_600_000));
}

function asking({ handler, base }: FillNeeds): Ask {
  return async (token, method, path, body, more = {}) => {
    const [type, sent] = contentOf(body);
    const headers = {
      ...(type === null ? {} : { "content-type": type }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...more,
    };
    const request = new Request(`${base}${path}`, { method, headers, body: sent });
    const answer = await handler(request, { addressOf: () => "127.0.0.1" });
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return text === "" ? {} : JSON.parse(text);
  };
}

/** The media type of a form is set with its boundary. */
function contentOf(body: Json | Uint8Array | FormData | undefined): readonly [string | null, BodyInit | null] {
  if (body === undefined) return [null, null];
  if (body instanceof FormData) return [null, body];
  if (body instanceof Uint8Array) return ["application/octet-stream", new Uint8Array(body)];
  return ["application/json", JSON.stringify(body)];
}

async function makePeople({ token: admin, tokenOf }: FillNeeds, ask: Ask): Promise<People> {
  const accounts: DemoAccount[] = [];
  const tokens: Partial<Record<DemoRole, string>> = {};
  for (const { role, name, roles } of ACCOUNTS) {
    const mail = mailOf(role);
    const { id } = await ask(admin, "POST", "/api/v1/admin/users", { mail, name, roles });
    accounts.push({ role, id: Number(id), mail, name });
    tokens[role] = await tokenOf(Number(id));
  }
  for (const [at, person] of PEOPLE.entries()) {
    const institution = INSTITUTIONS[at % INSTITUTIONS.length];
    const names = (["en", "ja"] as const).map((language) => ({
      language,
      familyName: person[language].family,
      firstName: person[language].given,
    }));
    const affiliationNameInfo = (["en", "ja"] as const).map((language) => ({
      affiliationName: institution?.[language] ?? "",
      affiliationNameLang: language,
    }));
    const author = {
      authorIdInfo: [{ idType: identifierOf(at).scheme, authorId: identifierOf(at).value }],
      authorNameInfo: names,
      affiliationInfo: [{ affiliationNameInfo }],
    };
    await ask(admin, "POST", "/api/v1/authors", { author });
  }
  const { curator = "", owner = "", reviewer = "", depositor = "" } = tokens;
  return { admin, accounts, tokens: { curator, owner, reviewer, depositor } };
}

/** An index for each field, with two below it; the number of the second below is that of its items. */
async function makeIndexes({ token }: FillNeeds, ask: Ask): Promise<readonly (readonly number[])[]> {
  const made: number[][] = [];
  const make = async (parent: number, ja: string, en: string): Promise<number> => {
    const names = { index_name: ja, index_name_english: en, index_link_name: ja, index_link_name_english: en };
    const answer = await ask(token, "POST", "/api/v1/tree/index", { index: { parent, ...names, public_state: true } });
    return numberIn(answer.index, "cid") ?? numberIn(answer.index, "id") ?? Number(answer.id);
  };
  for (const { name } of FIELDS) {
    const top = await make(0, name.ja, name.en);
    made.push([
      await make(top, "論文・報告", "Papers and reports"),
      await make(top, "データ・資料", "Data and materials"),
    ]);
  }
  return made;
}

function numberIn(value: unknown, name: string): number | null {
  if (typeof value !== "object" || value === null || !(name in value)) return null;
  const number = Number(Reflect.get(value, name));
  return Number.isFinite(number) ? number : null;
}

async function makeCommunities({ tokens, accounts }: People, ask: Ask): Promise<void> {
  const chance = chanceFrom(7);
  const reviewer = accounts.find(({ role }) => role === "reviewer")?.id ?? 0;
  for (const { slug, name } of FIELDS) {
    const metadata = {
      title: name.en,
      title_ja: name.ja,
      type: { id: chance.pick(["topic", "project", "organization"]) },
      description: `People who study ${name.en.toLowerCase()} and keep their data together`,
      page: `<p>We collect works about <b>${name.en.toLowerCase()}</b> from all who measure, write and remember.</p><ul><li>Data with their methods</li><li>Papers and reports</li></ul><p>${name.ja}に関するデータと論文を集めています。</p>`,
      curation_policy:
        "<p>A work has a description in one language at least, open formats and a licence. Two weeks after you send it you have an answer.</p>",
    };
    const access = {
      visibility: "public",
      members_visibility: "public",
      record_policy: "open",
      review_policy: slug === "coast" ? "closed" : "members",
    };
    await ask(tokens.owner, "POST", "/api/communities", { slug, metadata, access });
    await ask(tokens.owner, "PUT", `/api/communities/${slug}/logo`, logo(chance));
    const members = [{ type: "user", id: String(reviewer) }];
    await ask(tokens.owner, "POST", `/api/communities/${slug}/members`, { members, role: "curator" });
  }
}

type PublishNeeds = {
  readonly ask: Ask;
  readonly people: People;
  readonly indexes: readonly (readonly number[])[];
  readonly today: Instant;
  readonly ago: number;
};

async function publish(work: Work, needs: PublishNeeds): Promise<readonly Published[]> {
  const { ask, people, indexes } = needs;
  const who = work.isInCommunity ? people.tokens.owner : people.tokens.depositor;
  const files = await makeFiles(work.files, work.subject, chanceFrom(work.seed));
  const draft = await ask(who, "POST", "/api/records", {
    metadata: work.metadata,
    custom_fields: work.customFields,
    pids: { doi: { identifier: work.doi, provider: "external" } },
    access: accessOf(work, needs.today),
    files: { enabled: files.length > 0 },
  });
  await upload(ask, who, String(draft.id), files, work);
  const record = await finish(ask, who, String(draft.id));
  const isPaper = String(record.type).startsWith("publication");
  const index = indexes[work.field]?.[isPaper ? 0 : 1] ?? 0;
  await ask(people.admin, "PUT", `/api/v1/items/${record.id}/indexes`, { indexes: [index] });
  if (work.isInCommunity) {
    const communities = [{ id: FIELDS[work.field]?.slug ?? "" }];
    await ask(who, "POST", `/api/records/${record.id}/communities`, { communities });
  }
  const made: Published[] = [{ ...record, work, files }];
  let latest = record.id;
  for (let version = 2; version <= work.versions + 1; version += 1) {
    const next = await ask(who, "POST", `/api/records/${latest}/versions`);
    const id = String(next.id);
    const changed = {
      ...work.metadata,
      version: String(version),
      title: `${String(work.metadata.title)} (${version})`,
    };
    await ask(who, "PUT", `/api/records/${id}/draft`, { metadata: changed, files: { enabled: files.length > 0 } });
    await upload(ask, who, id, files.slice(0, 2), work);
    const follower = await finish(ask, who, id);
    latest = follower.id;
    made.push({ ...follower, work, files: files.slice(0, 2) });
  }
  return made;
}

async function finish(ask: Ask, who: string, draft: string) {
  const record = await ask(who, "POST", `/api/records/${draft}/draft/actions/publish`);
  const metadata = record.metadata;
  const type = typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, "resource_type") : null;
  const typeId = typeof type === "object" && type !== null ? Reflect.get(type, "id") : "";
  return { id: Number(record.id), parentId: numberIn(record.parent, "id") ?? 0, type: String(typeId) };
}

function accessOf({ access }: Work, today: Instant): Json {
  if (access === "restricted") return { record: "public", files: "restricted" };
  if (typeof access !== "object") return { record: "public", files: "public" };
  const until = new Date(Date.parse(today) + access.embargoDays * DAY_MS).toISOString().slice(0, 10);
  return {
    record: "public",
    files: "restricted",
    embargo: { active: true, until, reason: "The partners publish first" },
  };
}

async function upload(ask: Ask, who: string, id: string, files: readonly DemoFile[], { access }: Work): Promise<void> {
  if (files.length === 0) return;
  const status = access === "login" || access === "closed" ? access : "open";
  const entries = files.map(({ key }) => ({ key, access: { status } }));
  await ask(who, "POST", `/api/records/${id}/draft/files`, entries as unknown as Json);
  for (const { key, bytes } of files) {
    await ask(who, "PUT", `/api/records/${id}/draft/files/${encodeURIComponent(key)}/content`, bytes);
    await ask(who, "POST", `/api/records/${id}/draft/files/${encodeURIComponent(key)}/commit`);
  }
}

const BROWSERS = ["Firefox/140.0", "Safari/605.1.15", "Edg/141.0", "Chrome/141.0"];

/** The visits of a day: less on Sundays and in summer, more for new works, downloads after some of the views. */
function visit(usage: Usage, clock: SetClock, published: readonly Published[], ago: number): void {
  const chance = chanceFrom(ago + 1);
  const day = new Date(clock.now());
  const season = 1 + 0.4 * Math.cos(((day.getUTCMonth() - 10) / 12) * 2 * Math.PI);
  const week = day.getUTCDay() === 0 || day.getUTCDay() === 6 ? 0.5 : 1.1;
  for (const { id, parentId, work, files } of published) {
    const isNew = work.daysAgo - ago < 14;
    const expected = work.visits * season * week * (isNew ? 3 : 1);
    const count = Math.floor(expected + chance.next());
    for (let each = 0; each < count; each += 1) {
      const address = `192.0.2.${chance.below(250)}`;
      const userAgent = `Mozilla/5.0 ${chance.pick(BROWSERS)}`;
      const one = { method: "GET", status: 200, address, userAgent, purpose: "", firstByte: 0 };
      usage.view(one, { id, parentId, isOwn: false, isPublic: true });
      const file = files[chance.below(files.length + 1)];
      const isOpen = work.access === "open" || work.access === "login";
      if (file === undefined || !isOpen) continue;
      usage.download(
        one,
        { id, parentId, isOwn: false, isPublic: true },
        { name: file.key, sizeBytes: file.bytes.length },
      );
    }
  }
}
