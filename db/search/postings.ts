// Which documents have a term, or match a question about terms alone (R27): read from the full text table part by part,
// so that no word holds the event loop long, however common it is. Terms that many documents have are kept, and so
// are right at once after each change.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { InParts } from "../../src/shared/time/event-loop.ts";
import { addSlot } from "./bitmap.ts";
import type { Columns } from "./columns.ts";
import { numberIn, textIn } from "./index-database.ts";
import { followOne, KeptPostings, type Posting, type SlotChange } from "./kept-postings.ts";
import { bitsOf, countIn, isList, longestList, NO_SLOTS, type SlotList, type SlotRange, united } from "./slot-set.ts";
import { quoted } from "./terms.ts";

/**
 * Entries a part may walk over, were its terms in every document: some milliseconds for the first, a tenth of a second
 * for any.
 */
const WALKED_AT_FIRST = 200_000;
const EVERYWHERE: readonly SlotRange[] = [[1, Number.POSITIVE_INFINITY]];
const WALKED_AT_MOST = 2_500_000;
/** A part that took less than this is followed by a larger one. */
const SHORT_MS = 2;
/** A question that took longer than this has words worth keeping. */
const SLOW_MS = 0.5;
/** A term is worth keeping when at least this number of documents have it, or one document in this number. */
const WORTH_KEEPING = { documents: 256, oneIn: 64 } as const;
const TERMS_REMEMBERED = 4_096;
/** Terms that one question of the full text table may have. */
export const TERMS_ASKED_AT_ONCE = 64;
/** From this number of terms on they are counted before they are read. */
const TERMS_COUNTED = 8;
/** Terms that are read at once of those that begin alike. SQLite walks over all their documents on the way. */
const EXPANDED = { first: 16, least: 4, most: 256 } as const;
const EXPANSION_MS = 5;
/** Behind the beginning of a term, where no term goes on: none has a space, which comes before whatever they have. */
const ANY = " ";
/** What is read at once and takes more is returned to the system when it is read: the collector would wait for more. */
const FREED_BYTES = 65_536;
/** Documents of terms that are read together: most terms have few. */
const PLACES = 64;
/** Behind every term that begins so. */
export const HIGHEST = "\u{10ffff}".repeat(8);

/** A question about terms alone, as the full text table asks it and as it is asked of one document. */
export type TermQuestion = {
  readonly expression: string;
  readonly terms: readonly string[];
  readonly matches: Posting["matches"];
};

/** What one question holds while it is answered, and what it has read of single terms. */
export type PostingSet = { readonly all: Set<Posting>; readonly byTerm: Map<string, Posting> };

export class Postings {
  readonly #columns: Columns;
  readonly #read: StatementSync;
  readonly #newest: StatementSync;
  readonly #terms: StatementSync;
  readonly #count: StatementSync;
  readonly #next: StatementSync;
  readonly #kept: KeptPostings;
  readonly #asked = new Set<PostingSet>();
  readonly #wanted = new Set<string>();
  readonly #rare = new Set<string>();
  #rareAmong = 0;

  constructor(reader: DatabaseSync, columns: Columns, roomBytes: number) {
    this.#columns = columns;
    this.#kept = new KeptPostings(roomBytes);
    // The full text table does not see a limit that is given as a broken number, and the runtimes give every number so.
    this.#read = reader.prepare(
      `select cast(group_concat(rowid) as blob) as slots from word
        where word match ? and rowid between cast(? as integer) and cast(? as integer)`,
    );
    this.#newest = reader.prepare(
      `select group_concat(rowid) as slots from (select rowid from word
        where word match ? and rowid between cast(? as integer) and cast(? as integer) order by rowid desc limit ?)`,
    );
    this.#count = reader.prepare("select doc from vocabulary where term = ?");
    // Of this kind a row is a term and one document: the next term is found without counting the documents of any.
    reader.exec("create virtual table temp.term_place using fts5vocab (main, word, instance)");
    this.#next = reader.prepare(
      "select distinct term from (select term from temp.term_place where term >= ? and term < ? limit ?)",
    );
    this.#terms = reader.prepare(
      "select term, doc from vocabulary where term >= ? and term < ? and term <> ? order by term limit ?",
    );
  }

  /** A question begins: what it reads is kept right until it ends. */
  begin(): PostingSet {
    const held: PostingSet = { all: new Set(), byTerm: new Map() };
    this.#asked.add(held);
    return held;
  }

  end(held: PostingSet): void {
    this.#asked.delete(held);
  }

  /** True where it is better to ask for the term by itself. `isOftenCommon`: terms of its field mostly are. */
  isForItself(held: PostingSet, term: string, isOftenCommon: boolean): boolean {
    return (
      held.byTerm.has(term) || this.#kept.has(term) || this.#wanted.has(term) || (isOftenCommon && !this.#isRare(term))
    );
  }

  /** Documents with a term. `within`: where given, only slots in these ranges are read of one that is not known. */
  *ofTerm(held: PostingSet, term: string, within?: readonly SlotRange[]): InParts<Posting> {
    const known = held.byTerm.get(term) ?? this.#known(held, term);
    if (known !== null) return known;
    const posting = hold(held, (present) => present.has(term));
    if (within !== undefined) {
      yield* this.#readParts(posting, quoted(term), 1, within);
      return posting;
    }
    yield* this.#readInto(posting, [term]);
    held.byTerm.set(term, posting);
    if (this.#isCommon(posting)) this.#kept.keep(term, posting, false);
    else remember(this.#rare, term);
    this.#wanted.delete(term);
    return posting;
  }

  /** Terms that begin so, in their order, behind one of them; "": from the first. */
  termsFrom(prefix: string, after: string, limit: number): string[] {
    const rows = this.#terms.all(after === "" ? prefix : after, prefix + HIGHEST, after, limit);
    return rows.map((row) => textIn(row, "term"));
  }

  /** The first terms that begin so, in their order, at a cost that does not grow with their documents. */
  firstTerms(prefix: string, limit: number): readonly string[] {
    const terms: string[] = [];
    const end = prefix + HIGHEST;
    for (let from = prefix; terms.length < limit; ) {
      const rows = this.#next.all(from, end, PLACES);
      for (const row of rows) terms.push(textIn(row, "term"));
      // The last one may have further documents: they are passed over.
      from = (terms.at(-1) ?? "") + ANY;
      if (rows.length === 0) break;
    }
    return terms.slice(0, limit);
  }

  /** Of these slots the highest that match a question about terms alone, in the language of the full text table. */
  newestAmong(expression: string, from: number, to: number, limit: number): readonly number[] {
    const { slots } = this.#newest.get(expression, from, to, limit) ?? {};
    return typeof slots === "string" ? slots.split(",").map(Number) : [];
  }

  /** Documents that have one of these terms. `within`: as above. */
  *ofAnyTerm(held: PostingSet, terms: readonly string[], within?: readonly SlotRange[]): InParts<Posting> {
    const posting = hold(held, (present) => terms.some((term) => present.has(term)));
    if (within === undefined || terms.length > TERMS_ASKED_AT_ONCE) yield* this.#readInto(posting, terms);
    else yield* this.#readParts(posting, terms.map(quoted).join(" OR "), terms.length, within);
    return posting;
  }

  /** Documents that answer a question about terms alone, in the language of the full text table. `within`: as above. */
  *ofExpression(
    held: PostingSet,
    { expression, terms, matches }: TermQuestion,
    within?: readonly SlotRange[],
  ): InParts<Posting> {
    const posting = hold(held, matches);
    if (within !== undefined) {
      yield* this.#readParts(posting, expression, terms.length, within);
      return posting;
    }
    const before = performance.now();
    yield* this.#readParts(posting, expression, terms.length);
    const [only, ...others] = terms;
    if (only !== undefined && others.length === 0) held.byTerm.set(only, posting);
    if (only !== undefined && others.length === 0 && this.#isCommon(posting)) this.#kept.keep(only, posting, false);
    else if (performance.now() - before > SLOW_MS) {
      for (const term of terms) if (!this.#isRare(term)) remember(this.#wanted, term);
    }
    return posting;
  }

  /** Documents with a term that begins so. */
  *ofPrefix(held: PostingSet, prefix: string): InParts<Posting> {
    const name = `${prefix}${ANY}`;
    const known = this.#known(held, name);
    if (known !== null) return known;
    const posting = hold(held, (present) => {
      for (const term of present) if (term.startsWith(prefix)) return true;
      return false;
    });
    const end = prefix + HIGHEST;
    let most: number = EXPANDED.first;
    for (let last = ""; ; ) {
      const before = performance.now();
      const rows = this.#terms.all(last === "" ? prefix : last, end, last, most);
      const terms = rows.map((row) => textIn(row, "term"));
      const took = performance.now() - before;
      yield;
      yield* this.#readInto(posting, terms, (at) => numberIn(rows[at], "doc"));
      if (terms.length < most) break;
      last = terms.at(-1) ?? "";
      most = took < EXPANSION_MS ? Math.min(most * 2, EXPANDED.most) : Math.max(Math.floor(most / 4), EXPANDED.least);
    }
    if (this.#isCommon(posting)) this.#kept.keep(name, posting, true);
    return posting;
  }

  /** After the commit: what a slot holds now, or that it holds nothing. */
  follow(slot: number, terms: ReadonlySet<string> | null): void {
    const change: SlotChange = { slot, terms };
    for (const held of this.#asked) for (const posting of held.all) followOne(posting, change);
    this.#kept.follow(change);
  }

  get isAsked(): boolean {
    return this.#asked.size > 0;
  }

  get followsNothing(): boolean {
    return this.#kept.size === 0 && this.#asked.size === 0;
  }

  /** `documentsOf`: how many documents have the term at this place of the list, where that is known. */
  *#readInto(posting: Posting, terms: readonly string[], documentsOf?: (at: number) => number): InParts<void> {
    for (let at = 0; at < terms.length; at += TERMS_ASKED_AT_ONCE) {
      const some = terms.slice(at, at + TERMS_ASKED_AT_ONCE);
      const documents = some.map((term, index) => documentsOf?.(at + index) ?? this.#mostDocuments(term, some.length));
      yield;
      const perSlot = documents.reduce((sum, each) => sum + each, 0) / this.#columns.end;
      yield* this.#readParts(posting, some.map(quoted).join(" OR "), perSlot);
    }
  }

  /** How many documents may have a term: worth a look where many terms are asked for together. */
  #mostDocuments(term: string, askedTogether: number): number {
    if (askedTogether < TERMS_COUNTED) return this.#columns.end;
    const row = this.#count.get(term);
    return row === undefined ? 0 : numberIn(row, "doc");
  }

  /** `perSlot`: entries that are walked over for each slot, at most. */
  *#readParts(posting: Posting, expression: string, perSlot: number, within = EVERYWHERE): InParts<void> {
    let part = Math.min(Math.ceil(WALKED_AT_FIRST / perSlot), this.#columns.end);
    let isFirst = true;
    for (const [start, to] of within) {
      // Slots that are taken meanwhile are followed.
      for (let from = start; from < Math.min(this.#columns.end, to); ) {
        if (!isFirst) yield;
        isFirst = false;
        const before = performance.now();
        const { slots } = this.#read.get(expression, from, Math.min(from + part, to) - 1) ?? {};
        if (slots instanceof Uint8Array) this.#add(posting, slots);
        from += part;
        if (performance.now() - before < SHORT_MS) part = Math.min(part * 4, Math.ceil(WALKED_AT_MOST / perSlot));
      }
    }
  }

  #add(posting: Posting, written: Uint8Array): void {
    const { end, capacity } = this.#columns;
    // A number of the highest slot and a comma.
    if (written.length <= longestList(end) * (`${end}`.length + 1)) {
      posting.slots = united([posting.slots, slotsIn(written)], end, (set) => bitsOf(set, capacity));
      return;
    }
    const { slots } = posting;
    const isWide = !isList(slots) && slots.length >= this.#columns.live.length;
    const bits = isWide ? slots : bitsOf(slots, capacity);
    readSlots(written, (slot) => addSlot(bits, slot));
    posting.slots = bits;
    if (written.length > FREED_BYTES && written.buffer instanceof ArrayBuffer) written.buffer.transfer(0);
  }

  /** It follows every change at once while it is held. */
  #known(held: PostingSet, name: string): Posting | null {
    const known = this.#kept.get(name);
    if (known !== null) held.all.add(known);
    return known;
  }

  /** What was rare in an index half as large may not be so now. */
  #isRare(term: string): boolean {
    if (this.#columns.documents > 2 * this.#rareAmong) {
      this.#rare.clear();
      this.#rareAmong = this.#columns.documents;
    }
    return this.#rare.has(term);
  }

  #isCommon(posting: Posting): boolean {
    const documents = countIn(posting.slots);
    return documents >= WORTH_KEEPING.documents || documents * WORTH_KEEPING.oneIn >= this.#columns.documents;
  }
}

function hold(held: PostingSet, matches: Posting["matches"]): Posting {
  const posting: Posting = { slots: NO_SLOTS, matches };
  held.all.add(posting);
  return posting;
}

function remember(terms: Set<string>, term: string): void {
  if (terms.size >= TERMS_REMEMBERED) terms.clear();
  terms.add(term);
}

const [COMMA, ZERO] = [44, 48];

/** Numbers with commas between them: read digit by digit, which is several times as fast as cutting them out. */
function readSlots(written: Uint8Array, add: (slot: number) => void): void {
  let slot = 0;
  for (let index = 0; index < written.length; index += 1) {
    const code = written[index] ?? COMMA;
    if (code !== COMMA) {
      slot = slot * 10 + code - ZERO;
      continue;
    }
    add(slot);
    slot = 0;
  }
  add(slot);
}

function slotsIn(written: Uint8Array): SlotList {
  let commas = 0;
  for (let index = 0; index < written.length; index += 1) if (written[index] === COMMA) commas += 1;
  const slots = new Int32Array(commas + 1);
  let count = 0;
  readSlots(written, (slot) => {
    slots[count++] = slot;
  });
  return slots.sort();
}
