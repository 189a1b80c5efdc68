// Rows as publishing writes them, with holes: a work is published once through the interface with marks in place of its
// texts, in a copy of the database whose numbers lie where nothing else has any. What that added to all tables, whatever
// it is, becomes a template; the rows of a work are the template's with its own texts and numbers.
import { Database } from "bun:sqlite";
import { cut } from "../../src/model/items/summary.ts";
import { normalised, storedKeys } from "../../src/model/metadata/duplicate-keys.ts";
import { EMPTY_METADATA } from "../../src/model/metadata/metadata.ts";
import { searchedText } from "../../src/shared/text/text.ts";
import { runWithoutYielding } from "../../src/shared/time/event-loop.ts";
import type { Shape, Texts } from "./content.ts";
import { personOf } from "./content.ts";
import type { Person } from "./publishing.ts";

export type Cell = string | number | null;
type Row = readonly Cell[];
/** The tables that publishing never changes, and the largest of a new repository. */
const STILL = new Set(["vocabulary", "vocabulary_word", "schema_migration", "sqlite_sequence"]);
/** Columns that count on, each with the first number that its copy gives. */
const COUNTERS = [
  ["resource", "id"],
  ["file_set", "id"],
  ["request", "id"],
  ["item_change", "id"],
  ["repository_event", "id"],
  ["outgoing", "id"],
  ["job", "id"],
  ["author", "id"],
  ["author_number", "number"],
  ["ark_change", "id"],
  ["audit_event", "id"],
] as const;
export type Counter = (typeof COUNTERS)[number][0];
export const COUNTER_TABLES: readonly Counter[] = COUNTERS.map(([table]) => table);
const firstOf = (counter: Counter): number => 700_000_000 + 10_000_000 * (1 + COUNTER_TABLES.indexOf(counter));
const MARKED_NUMBER = /(?<![\w-])7\d{8}(?![\w-])/g;
/** On this day everything in the copy happens. */
const MARK_DAY = "2031-05-05";
const MARKED_MOMENT = new RegExp(`${MARK_DAY}T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z`, "g");
/** When a template is published: each at another time, so that what is written again looks different. */
export const markedMoment = (template: number): string =>
  new Date(Date.parse(`${MARK_DAY}T05:05:05.005Z`) + template * 120_000).toISOString();
const MARK_PUBLISHED = "1777-07-17";
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Columns that hold a text in another form. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  "author_key.key": normalised,
  "request.searched": (text) => searchedText(text),
  // The abstract is the one long text.
  "item_summary.content": (text) => cut(text, 2_000),
};

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const KANJI = "一二三四五六七八九十百千万上下左右大中小山川田日月火";

function mark(kind: number, at: number, language: "en" | "ja", template = 0): string {
  const signs = language === "en" ? LETTERS : KANJI;
  const digits = [kind, Math.floor(at / 20), at % 20, Math.floor(template / 20), template % 20];
  const text = digits.map((digit) => [...signs][digit]).join("");
  return language === "en" ? `Qz${text}zq` : `龘${text}鸞`;
}

/** Texts to publish in the place of a work's; no two templates have the same DOI or the same files. */
export function marksOf(shape: Shape, template: number): Texts {
  const { language } = shape;
  const other = language === "en" ? "ja" : "en";
  const each = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
  return {
    title: mark(1, 0, language),
    translated: mark(2, 0, other),
    abstract: mark(3, 0, language),
    published: MARK_PUBLISHED,
    doi: `10.5555/${mark(12, 0, "en", template).toLowerCase()}`,
    publisher: mark(4, 0, "en"),
    creators: each(shape.creators, (at) => ({ family: mark(5, at, language), given: mark(6, at, language) })),
    identifiers: each(shape.linked, (at) => markedPerson(at).identifier),
    subjects: each(shape.subjects, (at) => mark(7, at, language)),
    files: each(shape.files.length, (at) => mark(8, at, language, template)),
  };
}

export function markedPerson(at: number): Person {
  const [en, ja] = (["en", "ja"] as const).map((language) => ({
    language,
    family: mark(9, at, language),
    given: mark(10, at, language),
  }));
  const plain = personOf(880_000_000 + at);
  return { ...plain, en: en ?? plain.en, ja: ja ?? plain.ja, affiliation: mark(11, at, "en") };
}

/** What a row of a work is filled with. */
export type Values = {
  readonly texts: Texts | null;
  readonly person: Person | null;
  readonly at: string;
  /** Numbers of the authors of its first creators. */
  readonly authors: readonly number[];
  /** The last number of each counter before this work. */
  readonly last: Readonly<Record<Counter, number>>;
  readonly uuid: (at: number) => string;
  readonly ark: (at: number) => string;
};
type Slot = (values: Values) => Cell;
type CellPlan = { readonly fixed: Cell } | { readonly slot: number } | { readonly parts: readonly (string | number)[] };
type RowPlan = { readonly table: string; readonly cells: readonly CellPlan[] };
export type Template = {
  readonly slots: readonly Slot[];
  readonly rows: readonly RowPlan[];
  /** Rows that were there before and look different now. */
  readonly changed: readonly RowPlan[];
  /** How far each counter went on. */
  readonly spans: Readonly<Record<Counter, number>>;
};

/** The rows that a template writes for these values. */
export function* rowsOf(
  { slots }: Template,
  plans: readonly RowPlan[],
  values: Values,
): Generator<readonly [string, Cell[]]> {
  const filled = slots.map((slot) => slot(values));
  for (const { table, cells } of plans) {
    yield [table, cells.map((cell) => cellOf(cell, filled))];
  }
}

function cellOf(cell: CellPlan, filled: readonly Cell[]): Cell {
  if ("fixed" in cell) return cell.fixed;
  if ("slot" in cell) return filled[cell.slot] ?? null;
  let text = "";
  for (const part of cell.parts) text += typeof part === "string" ? part : filled[part];
  return text;
}

export const columnsOf = (database: Database, table: string): readonly string[] =>
  database
    .query<{ name: string }, [string]>("select name from pragma_table_info(?) order by cid")
    .all(table)
    .map(({ name }) => name);

export const tablesOf = (database: Database): readonly string[] =>
  database
    .query<{ name: string }, []>("select name from sqlite_master where type = 'table' order by name")
    .all()
    .map(({ name }) => name);

/** Lets the counters of a copy begin where nothing else has numbers. */
export function liftCounters(file: string): void {
  const database = new Database(file);
  database.run("pragma foreign_keys = off");
  for (const [table, column] of COUNTERS) {
    const isCounted = database.query("update sqlite_sequence set seq = ? where name = ?");
    if (isCounted.run(firstOf(table), table).changes > 0) continue;
    const columns = columnsOf(database, table);
    const list = columns.map((name) => `"${name}"`).join(", ");
    const values = columns.map((name) => (name === column ? firstOf(table) : `"${name}"`)).join(", ");
    const made = database.run(`insert into "${table}" (${list}) select ${values} from "${table}" limit 1`);
    if (made.changes === 0) throw new RangeError(`Nothing is in ${table} yet`);
  }
  database.close();
}

export type Marks = { readonly at: string; readonly texts?: Texts; readonly person?: Person };
type Snapshot = ReadonlyMap<string, ReadonlyMap<string, Row>>;

/** What was published once, with the rows that it added to all tables. */
export type Recorded = {
  readonly marks: Marks;
  /** The last number of each counter before it. */
  readonly last: Readonly<Record<Counter, number>>;
  readonly spans: Readonly<Record<Counter, number>>;
  readonly rows: readonly (readonly [table: string, row: Row])[];
  /** Rows that were there before and look different now. */
  readonly changed: readonly (readonly [table: string, row: Row])[];
};
/** What templates of one database have in common. */
export type Common = {
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly communities: readonly string[];
};

/** Reads a database again and again, and tells what was added. */
export class Recorder {
  readonly #database: Database;
  readonly common: Common;
  #before: Snapshot;
  #last: Readonly<Record<Counter, number>>;

  constructor(file: string) {
    this.#database = new Database(file, { readonly: true });
    const tables = tablesOf(this.#database).filter((table) => !STILL.has(table));
    const communities = this.#database.query<{ id: string }, []>("select id from community").all();
    this.common = {
      columns: Object.fromEntries(tables.map((table) => [table, columnsOf(this.#database, table)])),
      communities: communities.map(({ id }) => id),
    };
    this.#before = this.#read();
    this.#last = lastNumbers(this.#database);
  }

  #read(): Snapshot {
    return new Map(
      Object.keys(this.common.columns).map((table) => {
        const rows = this.#database.query<Row, []>(`select * from "${table}"`).values() as Row[];
        return [table, new Map(rows.map((row) => [JSON.stringify(row), row]))];
      }),
    );
  }

  /** What was added since the last time; `marks`: what was published. */
  take(marks: Marks): Recorded {
    const now = this.#read();
    const last = lastNumbers(this.#database);
    const rows: [string, Row][] = [];
    const changed: [string, Row][] = [];
    for (const [table, found] of now) {
      const before = this.#before.get(table) ?? new Map<string, Row>();
      const gone = [...before].flatMap(([key, row]) => (found.has(key) ? [] : [row]));
      const key = this.#database
        .query<{ pk: number }, [string]>("select pk from pragma_table_info(?) order by cid")
        .all(table)
        .flatMap(({ pk }, at) => (pk > 0 ? [at] : []));
      const same = (one: Row, other: Row): boolean => key.every((at) => one[at] === other[at]);
      for (const [text, row] of found) {
        if (before.has(text)) continue;
        (gone.some((each) => same(each, row)) ? changed : rows).push([table, row]);
      }
    }
    const spans = Object.fromEntries(
      COUNTER_TABLES.map((counter) => [counter, last[counter] - this.#last[counter]]),
    ) as Record<Counter, number>;
    const recorded = { marks, last: this.#last, spans, rows, changed };
    this.#before = now;
    this.#last = last;
    return recorded;
  }

  close(): void {
    this.#database.close();
  }
}

export function templateOf(recorded: Recorded, common: Common): Template {
  const compiler = new Compiler(recorded, common);
  compiler.know(recorded.rows);
  const plan = ([table, row]: readonly [string, Row]): RowPlan => compiler.row(table, row);
  const [rows, changed] = [recorded.rows.map(plan), recorded.changed.map(plan)];
  return { rows, changed, slots: compiler.slots, spans: recorded.spans };
}

export function lastNumbers(database: Database): Record<Counter, number> {
  const found = COUNTERS.map(([table, column]) => {
    const counted = database
      .query<{ seq: number }, [string]>("select seq from sqlite_sequence where name = ?")
      .get(table);
    const most = database.query<{ most: number | null }, []>(`select max("${column}") as most from "${table}"`).get();
    return [table, counted?.seq ?? most?.most ?? 0];
  });
  return Object.fromEntries(found);
}

/** Finds what in the rows of one work belongs to this work alone. */
class Compiler {
  readonly slots: Slot[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #texts: readonly (readonly [string, (values: Values) => string])[];
  readonly #others = new Map<string, readonly [string, Slot]>();
  readonly #files = new Map<string, number>();
  readonly #last: Readonly<Record<Counter, number>>;
  readonly #common: Common;
  readonly #marks: Marks;
  readonly #patterns = new Map<string, { readonly pattern: RegExp; readonly slots: ReadonlyMap<string, number> }>();

  constructor({ marks, last }: Recorded, common: Common) {
    this.#marks = marks;
    this.#last = last;
    this.#common = common;
    this.#texts = [...textMarks(marks.texts), ...personMarks(marks.person)];
  }

  #slot(key: string, slot: Slot): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.slots.push(slot);
    this.#indexes.set(key, this.slots.length - 1);
    return this.slots.length - 1;
  }

  /** Secrets and digests among the rows. */
  know(rows: readonly (readonly [string, Row])[]): void {
    const other = (text: string, key: string, slot: Slot): void => void this.#others.set(text, [key, slot]);
    for (const [at, content] of (this.#marks.texts?.files ?? []).entries()) {
      const text = ({ texts }: Values): string => texts?.files[at] ?? "";
      const keys = [digestOf("sha256", content), digestOf("md5", content)] as const;
      this.#files.set(keys[0], at);
      other(keys[0], `sha256 ${at}`, (values) => digestOf("sha256", text(values)));
      other(keys[1], `md5 ${at}`, (values) => digestOf("md5", text(values)));
    }
    let [arks, uuids] = [0, 0];
    for (const [table, row] of rows) {
      const of = (name: string): Cell => row[this.#columns(table).indexOf(name)] ?? null;
      if (table === "ark") {
        const at = arks++;
        other(String(of("ark")), `ark ${at}`, ({ ark }) => ark(at));
      }
      for (const uuid of [of("uuid")]) {
        if (typeof uuid !== "string") continue;
        const at = uuids++;
        other(uuid, `uuid ${at}`, (values) => values.uuid(at));
      }
      if (table === "item") this.#knowDigests(String(of("metadata") ?? ""), other);
      if (table === "item_draft") this.#knowDigests(JSON.stringify(JSON.parse(String(of("content"))).metadata), other);
    }
  }

  #knowDigests(metadata: string, other: (text: string, key: string, slot: Slot) => void): void {
    if (metadata === "") return;
    const texts = this.#marks.texts;
    if (texts === undefined) return;
    for (const { kind, text } of runWithoutYielding(storedKeys({ ...EMPTY_METADATA, ...JSON.parse(metadata) }))) {
      const digest = digestOf("sha256", text);
      if (kind === "identifier") {
        other(digest, digest, (values) => digestOf("sha256", text.replace(texts.doi, values.texts?.doi ?? "")));
        continue;
      }
      const [title = "", type = ""] = JSON.parse(text) as [string, string];
      const isVersion = title.replace(normalised(texts.title), "");
      other(digest, digest, (values) => {
        const creators = values.texts?.creators.map(({ family, given }) => normalised(`${family} ${given}`)) ?? [];
        const own = normalised(values.texts?.title ?? "") + isVersion;
        return digestOf("sha256", JSON.stringify([own, type, creators.sort()]));
      });
    }
  }

  #columns(table: string): readonly string[] {
    return this.#common.columns[table] ?? [];
  }

  row(table: string, row: Row): RowPlan {
    const columns = this.#columns(table);
    const cells = row.map((cell, at): CellPlan => {
      const name = `${table}.${columns[at]}`;
      // Triggers write the time of the machine.
      if (name === "item_change.at") return { slot: this.#slot("at", (values) => values.at) };
      const file = this.#files.get(String(row[columns.indexOf("sha256")]));
      if (file !== undefined && name === "file_set_entry.size_bytes")
        return { slot: this.#slot(`size ${file}`, ({ texts }) => Buffer.byteLength(texts?.files[file] ?? "")) };
      if (file !== undefined && name === "file_text.characters")
        return { slot: this.#slot(`characters ${file}`, ({ texts }) => [...(texts?.files[file] ?? "")].length) };
      if (typeof cell === "number") return this.#number(cell);
      return typeof cell === "string" ? this.#text(name, cell) : { fixed: cell };
    });
    return { table, cells };
  }

  #number(cell: number): CellPlan {
    const slot = this.#counted(cell);
    return slot === null ? { fixed: cell } : { slot };
  }

  #counted(number: number): number | null {
    const counter = COUNTER_TABLES.find((each) => number > firstOf(each) && number < firstOf(each) + 10_000_000);
    if (counter === undefined) return null;
    const offset = number - this.#last[counter];
    // Of the persons that were there before.
    if (offset <= 0 && counter === "author") {
      const person = number - firstOf(counter) - 1;
      return this.#slot(`author ${person}`, ({ authors }) => authors[person] ?? null);
    }
    if (offset <= 0) throw new RangeError(`Number ${number} of ${counter} is not of this work`);
    return this.#slot(`${counter} ${offset}`, ({ last }) => last[counter] + offset);
  }

  #pattern(name: string) {
    const form = FORMS[name];
    const key = form === undefined ? "" : name;
    const known = this.#patterns.get(key);
    if (known !== undefined) return known;
    const slots = new Map<string, number>();
    for (const [text, [slotKey, slot]] of this.#others) slots.set(text, this.#slot(slotKey, slot));
    for (const [at, [text, value]] of this.#texts.entries()) {
      if (form === undefined) slots.set(text, this.#slot(`text ${at}`, value));
      else
        slots.set(
          form(text),
          this.#slot(`${key} ${at}`, (values) => form(value(values))),
        );
    }
    const sorted = [...slots.keys()].sort((a, b) => b.length - a.length);
    const escaped = sorted.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const made = {
      pattern: new RegExp(`${escaped.join("|")}|${MARKED_MOMENT.source}|${MARK_DAY}|${MARKED_NUMBER.source}`, "g"),
      slots,
    };
    this.#patterns.set(key, made);
    return made;
  }

  #text(name: string, cell: string): CellPlan {
    const { pattern, slots } = this.#pattern(name);
    const parts: (string | number)[] = [];
    let from = 0;
    for (const { 0: found, index } of cell.matchAll(pattern)) {
      const slot = slots.get(found) ?? this.#moment(found) ?? this.#counted(Number(found));
      if (slot === null) continue;
      if (index > from) parts.push(cell.slice(from, index));
      parts.push(slot);
      from = index + found.length;
    }
    if (from < cell.length) parts.push(cell.slice(from));
    this.#requireNothingLeft(name, parts);
    const [only] = parts;
    if (parts.length === 1 && typeof only === "number" && !this.#isNumber(only)) return { slot: only };
    return parts.every((part) => typeof part === "string") ? { fixed: cell } : { parts };
  }

  /** A moment of the marked day, by its distance from that of the template; or the day alone. */
  #moment(found: string): number | null {
    if (found === MARK_DAY) return this.#slot("day", ({ at }) => at.slice(0, 10));
    if (!found.startsWith(MARK_DAY)) return null;
    const later = Date.parse(found) - Date.parse(this.#marks.at);
    return later === 0
      ? this.#slot("at", ({ at }) => at)
      : this.#slot(`at ${later}`, ({ at }) => new Date(Date.parse(at) + later).toISOString());
  }

  /** Slots of numbers become texts in a column of texts. */
  #isNumber(slot: number): boolean {
    return [...this.#indexes].some(([key, at]) => at === slot && COUNTER_TABLES.some((each) => key.startsWith(each)));
  }

  /** @throws RangeError for what belongs to this work and was not recognized. */
  #requireNothingLeft(name: string, parts: readonly (string | number)[]): void {
    for (const part of parts) {
      if (typeof part === "number") continue;
      const plain = normalised(part);
      const left = this.#texts.find(([text]) => plain.includes(normalised(text)));
      const uuid = part.match(UUID)?.find((each) => !this.#isKnown(each));
      const isLeft = left !== undefined || part.includes(MARK_DAY) || /龘|qz[a-z]+zq/i.test(part) || uuid !== undefined;
      if (isLeft) throw new RangeError(`${name} has something of a work that no slot has: ${part.slice(0, 300)}`);
    }
  }

  #isKnown(uuid: string): boolean {
    return this.#common.communities.includes(uuid);
  }
}

function* textMarks(texts: Texts | undefined): Generator<readonly [string, (values: Values) => string]> {
  if (texts === undefined) return;
  for (const name of ["title", "translated", "abstract", "published", "doi", "publisher"] as const) {
    yield [texts[name], (values) => values.texts?.[name] ?? ""];
  }
  for (const [at, { family, given }] of texts.creators.entries()) {
    yield [family, (values) => values.texts?.creators[at]?.family ?? ""];
    yield [given, (values) => values.texts?.creators[at]?.given ?? ""];
  }
  for (const name of ["identifiers", "subjects", "files"] as const) {
    for (const [at, text] of texts[name].entries()) yield [text, (values) => values.texts?.[name][at] ?? ""];
  }
}

function* personMarks(person: Person | undefined): Generator<readonly [string, (values: Values) => string]> {
  if (person === undefined) return;
  for (const language of ["en", "ja"] as const) {
    for (const name of ["family", "given"] as const) {
      yield [person[language][name], (values) => values.person?.[language][name] ?? ""];
    }
  }
  yield [person.identifier, (values) => values.person?.identifier ?? ""];
  yield [person.affiliation, (values) => values.person?.affiliation ?? ""];
}

function digestOf(name: "sha256" | "md5", text: string): string {
  return new Bun.CryptoHasher(name).update(text).digest("hex");
}
