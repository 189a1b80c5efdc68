// Fills a database: a repository with its accounts, indexes and communities through the interface, then persons and
// works by templates, then what visitors did in the last month.
import { Database } from "bun:sqlite";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { mintedArk } from "../../src/ark/new-name.ts";
import { BETANUMERICS } from "../../src/ark/syntax.ts";
import { NO_USAGE, type UsageOfDay } from "../../src/repository/store/usage.ts";
import { ageOf, momentOf, PERSONS_LINKED_MAX, personOf, type Shape, textsOf, visitsOf } from "./content.ts";
import { type Base, type BaseSize, makeBase, publishPerson, publishWork, shapesIn } from "./publishing.ts";
import { openFilling } from "./repository.ts";
import { PostgresSink, type Sink, SqliteSink } from "./sinks.ts";
import {
  type Cell,
  COUNTER_TABLES,
  type Common,
  type Counter,
  lastNumbers,
  liftCounters,
  markedMoment,
  markedPerson,
  marksOf,
  type Recorded,
  Recorder,
  rowsOf,
  type Template,
  templateOf,
} from "./templates.ts";

export type Plan = {
  /** Of the fill alone: removed and made. */
  readonly folder: string;
  readonly works: number;
  readonly persons: number;
  readonly templates: number;
  /** Over which works are spread. */
  readonly days: number;
  readonly size: BaseSize;
  readonly progress?: (text: string) => void;
};

/** The last day of the month of visits. */
const VISITED_UNTIL = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;
const USAGE_ROWS = 20_000;
/** Multiplies numbers of works without two that meet: 29 has no part in it. */
const SPREAD = 137_438_691_329n;

/** Days after which the product's own jobs delete rows of what is done. */
const KEPT_DAYS: ReadonlyMap<string, number> = new Map([
  ["outgoing", 30],
  ["item_change", 7],
  ["job", 7],
]);

const databaseIn = (folder: string): string => join(folder, "arkstone.db");

/** The repository as it is before persons and works: with one of each. */
export async function makeStart({ folder, size, days }: Plan): Promise<Base> {
  rmSync(folder, { recursive: true, force: true });
  const start = join(folder, "start");
  mkdirSync(start, { recursive: true });
  const filling = await openFilling(start);
  filling.set(momentOf(0, 1, days));
  const base = await makeBase(filling, size);
  await publishPerson(filling.ask, base, personOf(990_000_000));
  const [shape] = shapesIn(1, base);
  if (shape !== undefined) {
    const first: Shape = { ...shape, kind: "published", linked: 0, community: 1, index: 0 };
    await publishWork(filling.ask, base, first, textsOf(990_000_000, first, 1));
  }
  await filling.runJobs();
  await filling.close();
  writeFileSync(join(folder, "base.json"), JSON.stringify(base));
  return base;
}

export const baseIn = (folder: string): Base => JSON.parse(readFileSync(join(folder, "base.json"), "utf8"));

/** What was published through the interface to be written again and again; it can be sent to a thread. */
export type Recordings = {
  readonly person: Recorded;
  readonly works: readonly { readonly shape: Shape; readonly recorded: Recorded }[];
  readonly common: Common;
};

export async function makeRecordings({ folder, templates }: Plan, base: Base): Promise<Recordings> {
  const marked = join(folder, "marked");
  cpSync(join(folder, "start"), marked, { recursive: true });
  liftCounters(databaseIn(marked));
  const filling = await openFilling(marked);
  filling.set(markedMoment(0));
  const recorder = new Recorder(databaseIn(marked));
  await publishPerson(filling.ask, base, markedPerson(0));
  const person = recorder.take({ at: markedMoment(0), person: markedPerson(0) });
  for (let at = 1; at < PERSONS_LINKED_MAX; at += 1) {
    await publishPerson(filling.ask, base, markedPerson(at));
    recorder.take({ at: markedMoment(0), person: markedPerson(at) });
  }
  const works: Recordings["works"][number][] = [];
  for (const [at, shape] of shapesIn(templates, base).entries()) {
    const texts = marksOf(shape, at);
    filling.set(markedMoment(at + 1));
    await publishWork(filling.ask, base, shape, texts);
    await filling.runJobs();
    works.push({ shape, recorded: recorder.take({ at: markedMoment(at + 1), texts }) });
  }
  recorder.close();
  await filling.close();
  return { person, works, common: recorder.common };
}

/** Bytes of a UUID of version 4, from two numbers. */
function uuidOf(n: number, at: number): string {
  const text = (number: number, length: number): string => number.toString(16).padStart(length, "0").slice(-length);
  const mixed = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  return `${text(mixed, 8)}-${text(at, 4)}-4${text(mixed >>> 20, 3)}-8${text(at, 3)}-${text(n, 12)}`;
}

/** The name of a work, far from those of its neighbours. */
function arkOf(naan: string, shoulder: string, length: number, n: number, at: number): string {
  const signs = BigInt(BETANUMERICS.length);
  let left = (BigInt(n * 8 + at + 1) * SPREAD) % signs ** BigInt(length);
  let blade = "";
  for (let sign = 0; sign < length; sign += 1) {
    blade += BETANUMERICS.charAt(Number(left % signs));
    left /= signs;
  }
  return mintedArk(naan, shoulder, blade).key;
}

const advanced = (from: Numbers, spans: Numbers, times: number): Numbers =>
  Object.fromEntries(COUNTER_TABLES.map((each) => [each, from[each] + spans[each] * times])) as Numbers;

type Shoulder = { readonly naan: string; readonly shoulder: string; readonly blade_length: number };

type Numbers = Readonly<Record<Counter, number>>;
type Write = (table: string, cells: readonly Cell[]) => void;

/** The rows of persons and works, each by its number alone: several threads can make them. */
export class Filler {
  readonly #plan: Plan;
  readonly #person: Template;
  readonly #works: readonly { readonly shape: Shape; readonly template: Template }[];
  readonly #start: Numbers;
  /** How far counters are behind the persons, behind each of the templates after them, and behind all of those. */
  readonly #behindPersons: Numbers;
  readonly #behind: readonly Numbers[];
  readonly #shoulder: Shoulder;

  constructor(plan: Plan, { person, works, common }: Recordings) {
    this.#plan = plan;
    this.#person = templateOf(person, common);
    this.#works = works.map(({ shape, recorded }) => ({ shape, template: templateOf(recorded, common) }));
    const start = new Database(databaseIn(join(plan.folder, "start")), { readonly: true });
    this.#start = lastNumbers(start);
    const shoulder = start.query<Shoulder, []>("select naan, shoulder, blade_length from shoulder limit 1").get();
    start.close();
    if (shoulder === null) throw new RangeError("The repository has no shoulder");
    this.#shoulder = shoulder;
    this.#behindPersons = advanced(this.#start, this.#person.spans, plan.persons);
    const zero = advanced(this.#start, this.#start, -1);
    const behind = [zero];
    for (const { template } of this.#works) behind.push(advanced(behind.at(-1) ?? zero, template.spans, 1));
    this.#behind = behind;
  }

  persons(write: Write): void {
    for (let n = 0; n < this.#plan.persons; n += 1) {
      const values = {
        texts: null,
        person: personOf(n),
        at: momentOf(0, 1, this.#plan.days),
        authors: [],
        last: advanced(this.#start, this.#person.spans, n),
        uuid: (at: number) => uuidOf(n, 0x800 + at),
        ark: () => "",
      };
      for (const [table, cells] of rowsOf(this.#person, this.#person.rows, values)) write(table, cells);
    }
  }

  /** The last numbers before work n. */
  lastBefore(n: number): Numbers {
    const [whole, zero] = [this.#behind.at(-1), this.#behind[n % this.#works.length]];
    if (whole === undefined || zero === undefined) throw new RangeError("There are no templates");
    const cycles = Math.floor(n / this.#works.length);
    return advanced(advanced(this.#behindPersons, whole, cycles), zero, 1);
  }

  #values(n: number, last: Numbers) {
    const { works, persons, days } = this.#plan;
    const { naan, shoulder, blade_length: length } = this.#shoulder;
    const texts = textsOf(n, this.at(n).shape, persons);
    return {
      texts,
      person: null,
      at: momentOf(n, works, days),
      authors: texts.persons.map((person) => this.#start.author + 1 + person),
      last,
      uuid: (each: number) => uuidOf(n, each),
      ark: (each: number) => arkOf(naan, shoulder, length, n, each),
    };
  }

  /** First version and parent of each work from `from` up to, but not including, `to`. */
  works(from: number, to: number, write: Write): Int32Array {
    const ids = new Int32Array((to - from) * 2);
    let last = this.lastBefore(from);
    for (let n = from; n < to; n += 1) {
      const { template } = this.at(n);
      const age = ageOf(n, this.#plan.works, this.#plan.days);
      let isFirst = true;
      for (const [table, cells] of rowsOf(template, template.rows, this.#values(n, last))) {
        if (age > (KEPT_DAYS.get(table) ?? age)) continue;
        write(table, cells);
        if (table !== "item" || !isFirst) continue;
        isFirst = false;
        ids.set([Number(cells[0]), Number(cells[1])], (n - from) * 2);
      }
      last = advanced(last, template.spans, 1);
    }
    return ids;
  }

  /** Rows that were there before the works, as the last work that changes them leaves them. */
  changed(): readonly (readonly [string, readonly Cell[]])[] {
    for (let n = this.#plan.works - 1; n >= 0 && n >= this.#plan.works - this.#works.length; n -= 1) {
      const { template } = this.at(n);
      if (template.changed.length > 0)
        return [...rowsOf(template, template.changed, this.#values(n, this.lastBefore(n)))];
    }
    return [];
  }

  at(n: number): { readonly shape: Shape; readonly template: Template } {
    const found = this.#works[n % this.#works.length];
    if (found === undefined) throw new RangeError("There are no templates");
    return found;
  }

  /** The visits of a month, through the port of the product. `ids`: of all works, as `works` returns them. */
  async visits(url: string, ids: Int32Array): Promise<number> {
    const store = await openRepositoryStore({ url });
    let rows: UsageOfDay[] = [];
    let count = 0;
    const flush = async (): Promise<void> => {
      const written = rows;
      rows = [];
      count += written.length;
      await store.transact((tx) => tx.usage.addUsage(written));
    };
    for (let n = 0; n < this.#plan.works; n += 1) {
      rows.push(...this.#visits(n, ids));
      if (rows.length > USAGE_ROWS) await flush();
    }
    await flush();
    await store.close();
    return count;
  }

  *#visits(n: number, ids: Int32Array): Generator<UsageOfDay> {
    const { shape } = this.at(n);
    const [id = 0, parentId = 0] = ids.subarray(n * 2, n * 2 + 2);
    for (const { day: ago, views, downloads } of visitsOf(n, shape)) {
      const day = new Date(VISITED_UNTIL - ago * DAY_MS).toISOString().slice(0, 10);
      const dataVolume = downloads * 100;
      const counts = { views, uniqueViews: views, downloads, uniqueDownloads: downloads, dataVolume };
      yield { day, subject: "item", id, file: "", ...counts };
      yield { day, subject: "parent", id: parentId, file: "", ...counts };
      yield { day, subject: "public", id: parentId, file: "", ...counts };
      const [file] = shape.files;
      if (file === undefined || downloads === 0) continue;
      yield { day, subject: "item", id, file, ...NO_USAGE, downloads, uniqueDownloads: downloads, dataVolume };
    }
  }
}

/** The target with everything that the start has; SQLite: the file `arkstone.db` of the folder. */
export async function openSink({ folder }: Plan, url: string | null): Promise<Sink> {
  const start = databaseIn(join(folder, "start"));
  if (url === null) {
    if (existsSync(databaseIn(folder))) throw new RangeError(`${databaseIn(folder)} is there already`);
    cpSync(start, databaseIn(folder));
    return new SqliteSink(databaseIn(folder));
  }
  await (await openRepositoryStore({ url })).close();
  const source = new Database(start, { readonly: true });
  const sink = new PostgresSink(url, source);
  await sink.takeOver(source);
  source.close();
  return sink;
}
