// Figures (R51): views and downloads by month of a record, of one of its versions or files, of a person, a community, an
// index and the repository. What somebody may not see has no figures for them. The sum of the months is the total.
import { guestWithout, type Viewer } from "../../auth/account.ts";
import { mayBrowse } from "../../model/access/visibility.ts";
import { isAlive } from "../../model/agents/author.ts";
import { isMonth, monthAfter, monthCount, monthsBetween } from "../../model/months.ts";
import type { RecordId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { seenCommunity } from "../communities/communities.ts";
import { unknownIndex } from "../index-tree/index-tree.ts";
import { listedFiles } from "../items/item-views.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { MonthlyUsage, NamedUsage } from "../store/usage.ts";

export const FIGURE_KINDS = ["repository", "record", "version", "file", "person", "community", "index"] as const;
export type FigureKind = (typeof FIGURE_KINDS)[number];

/** `id`: a number; of a community its UUID or slug, of the repository "". `file`: a name, of a file alone. */
export type FiguresOf = { readonly kind: FigureKind; readonly id: string; readonly file: string };

/** From the first to the last month; "": the last twelve. */
export type Period = { readonly from: string; readonly to: string };

export type Figures = {
  /** The number of the version, person or index, or the UUID of the community; "" for the repository. */
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** Every month, also one in which nothing was counted. */
  readonly months: readonly MonthlyUsage[];
  readonly total: Omit<MonthlyUsage, "month">;
  /** Everything before it is in the figures. */
  readonly countedUntil: Instant;
  /** Files of a version, the most downloaded first; none of anything else. */
  readonly files: readonly NamedUsage[];
  /** Countries of the repository's visitors where they are known; those with few visits are one, named "". */
  readonly countries: readonly NamedUsage[];
};

export interface FigureReading {
  /** @throws Refusal `invalid` for a period, `not_found`, `forbidden`, `gone` as for what the figures are of */
  read(viewer: Viewer, of: FiguresOf, period: Period): Promise<Figures>;
}

export type FiguresNeeds = {
  readonly store: Pick<RepositoryReader, "usage" | "authors" | "communities" | "indexes">;
  readonly items: Pick<Items, "readable">;
  readonly today: () => Day;
  readonly countedUntil: () => Instant;
};

/** Months of one answer: 50 years. */
const MONTHS = 600;
const USUAL_MONTHS = 12;
const FILES = 100;
/** Visits from a country with fewer are counted together, so that nobody is recognised. */
const FEW = 5;

const NUMBER = /^[1-9]\d{0,14}$/;

export const figures = ({ store, items, today, countedUntil }: FiguresNeeds): FigureReading => {
  const numbered = (id: string, kind: string): number => {
    if (NUMBER.test(id)) return Number(id);
    throw new Refusal("not_found", `There is no ${kind} ${id.slice(0, 100)}`);
  };

  async function record(viewer: Viewer, { kind, id, file }: FiguresOf, { from, to }: Period): Promise<Read> {
    const number: RecordId = numbered(id, "record");
    const readable = await items.readable(viewer, number);
    const { item } = readable;
    if (item.publishedAt === null) throw new Refusal("not_found", "What was not published has no figures");
    const at = { ref: String(item.id) };
    if (kind === "record") return { ...at, months: await store.usage.monthsOf("parent", item.parentId, "", from, to) };
    const listed = new Set(listedFiles(readable).map((each) => each.file.name));
    if (kind === "file") {
      if (!listed.has(file)) throw new Refusal("not_found", `Record ${item.id} has no file "${file.slice(0, 200)}"`);
      return { ...at, months: await store.usage.monthsOf("item", item.id, file, from, to) };
    }
    const files = await store.usage.filesOf(item.id, from, to, FILES);
    return {
      ...at,
      months: await store.usage.monthsOf("item", item.id, "", from, to),
      files: files.filter(({ name }) => listed.has(name)),
    };
  }

  async function ref(viewer: Viewer, kind: "person" | "community" | "index", id: string): Promise<string> {
    if (kind === "community") {
      return (await seenCommunity(store.communities, guestWithout(viewer, ["user:activity"]), id)).id;
    }
    const number = numbered(id, kind);
    if (kind === "index") {
      const lineage = await store.indexes.lineage(number);
      if (lineage.length === 0 || !mayBrowse(lineage, viewer, today())) throw unknownIndex(number);
      return String(number);
    }
    const author = await store.authors.author(number);
    if (author === null) throw new Refusal("not_found", `There is no person ${number}`);
    if (author.mergedInto !== null) return String(author.mergedInto);
    if (!isAlive(author)) throw new Refusal("gone", "The entry of this person was deleted");
    return String(number);
  }

  async function months(viewer: Viewer, of: FiguresOf, period: Period): Promise<Read> {
    const { from, to } = period;
    switch (of.kind) {
      case "repository":
        return {
          ref: "",
          months: await store.usage.monthsOfGroup("repository", "", from, to),
          countries: withoutFew(await store.usage.countries(from, to)),
        };
      case "person":
      case "community":
      case "index": {
        const found = await ref(viewer, of.kind, of.id);
        return { ref: found, months: await store.usage.monthsOfGroup(of.kind, found, from, to) };
      }
      default:
        return await record(viewer, of, period);
    }
  }

  return {
    async read(viewer, of, asked) {
      const period = periodOf(asked, today());
      // Before the counts are read, so that it is never later than they are.
      const until = countedUntil();
      const { ref: found, months: counted, files = [], countries = [] } = await months(viewer, of, period);
      const byMonth = new Map(counted.map((each) => [each.month, each]));
      const all = monthsBetween(period.from, period.to).map((month) => byMonth.get(month) ?? { month, ...NOTHING });
      return { ...period, ref: found, months: all, total: sumOf(all), countedUntil: until, files, countries };
    },
  };
};

type Read = {
  readonly ref: string;
  readonly months: readonly MonthlyUsage[];
  readonly files?: readonly NamedUsage[];
  readonly countries?: readonly NamedUsage[];
};

const NOTHING = { views: 0, downloads: 0, dataVolume: 0 };

const sumOf = (all: readonly Omit<MonthlyUsage, "month">[]): Figures["total"] =>
  all.reduce(
    (sum: Figures["total"], { views, downloads, dataVolume }) => ({
      views: sum.views + views,
      downloads: sum.downloads + downloads,
      dataVolume: sum.dataVolume + dataVolume,
    }),
    NOTHING,
  );

/** Countries with few visits together, under no name; not even they where they are few together. */
function withoutFew(countries: readonly NamedUsage[]): readonly NamedUsage[] {
  const isFew = ({ views, downloads }: Omit<NamedUsage, "name">): boolean => views + downloads < FEW;
  const rest = sumOf(countries.filter(isFew));
  const many = countries.filter((each) => !isFew(each));
  return isFew(rest) ? many : [...many, { name: "", ...rest }];
}

/** @throws Refusal `invalid` */
function periodOf({ from, to }: Period, today: Day): Period {
  for (const [name, value] of [
    ["from", from],
    ["to", to],
  ]) {
    if (value !== "" && !isMonth(value ?? "")) {
      const message = `${name} must be a month as YYYY-MM, not "${value?.slice(0, 20)}"`;
      throw new Refusal("invalid", message, { detail: { errors: [{ field: name, messages: [message] }] } });
    }
  }
  const last = to === "" ? today.slice(0, 7) : to;
  const first = from === "" ? monthAfter(last, 1 - USUAL_MONTHS) : from;
  const count = monthCount(first, last);
  if (count >= 1 && count <= MONTHS) return { from: first, to: last };
  const message = count < 1 ? "from must not be later than to" : `At most ${MONTHS} months are shown at once`;
  throw new Refusal("invalid", message, { detail: { errors: [{ field: "from", messages: [message] }] } });
}
