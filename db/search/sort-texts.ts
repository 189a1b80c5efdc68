// Texts that are sorted by, each known by a number and a rank (R28): comparing two documents compares two ranks. Ranks
// are broken numbers with room between them, so that a new text gets one between those of its neighbours and nothing
// else moves; where the room is gone, the texts around move apart.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { numberIn, textIn } from "./index-database.ts";

const GAP = 2 ** 20;
/** With a million ranks below 2^40, a rank still fits between two that are so near. */
const LEAST_GAP = 2 ** -8;
const NEIGHBOURS = 64;
const TEXTS_READ_AT_ONCE = 20_000;
const LEAST_TEXTS = 1024;
const GROWTH = 1.25;

export type NewText = { readonly number: number; readonly field: number; readonly text: string };

export class SortTexts {
  /** By the number of the text; NaN: it has none yet. */
  ranks = new Float64Array(LEAST_TEXTS).fill(Number.NaN);
  readonly #numberOf: StatementSync;
  readonly #part: StatementSync;
  readonly #before: StatementSync;
  readonly #behind: StatementSync;
  readonly #text: StatementSync;
  readonly #between: StatementSync;

  constructor(reader: DatabaseSync) {
    this.#numberOf = reader.prepare("select number from sort_text where field = ? and text = ?");
    this.#part = reader.prepare(
      `select group_concat(number) as numbers, max(text) as last, count(*) as count
        from (select number, text from sort_text where field = ? and text > ? order by text limit ?)`,
    );
    this.#before = reader.prepare(
      "select number from sort_text where field = ? and text < ? order by text desc limit ?",
    );
    this.#behind = reader.prepare("select number from sort_text where field = ? and text > ? order by text limit ?");
    this.#text = reader.prepare("select text from sort_text where number = ?");
    this.#between = reader.prepare(
      "select number from sort_text where field = ? and text >= ? and text < ? order by text limit ?",
    );
  }

  /** Reads all texts of a field in their order; pauses between two parts. */
  *load(field: number): Generator<void, void> {
    let rank = 0;
    const give = (number: number): void => {
      rank += GAP;
      this.#setRank(number, rank);
    };
    const nothing = this.#number(field, "");
    if (nothing !== null) give(nothing);
    for (let last = ""; ; ) {
      const part = this.#part.get(field, last, TEXTS_READ_AT_ONCE);
      if (numberIn(part, "count") === 0) break;
      for (const number of textIn(part, "numbers").split(",")) give(Number(number));
      last = textIn(part, "last");
      yield;
    }
  }

  /** Gives ranks to texts that came in. */
  place(texts: readonly NewText[]): void {
    // In order, so that every earlier text has its rank already.
    const ordered = [...texts].sort((left, right) => (left.text < right.text ? -1 : 1));
    for (const { number, field, text } of ordered) {
      if (!Number.isNaN(this.#rank(number))) continue;
      const before = this.#neighbours(this.#before, field, text, 1)[0];
      const behind = this.#nextWithRank(field, text);
      if (before === undefined && behind === null) this.#setRank(number, 0);
      else if (before === undefined) this.#setRank(number, (behind ?? 0) - GAP);
      else if (behind === null) this.#setRank(number, this.#rank(before) + GAP);
      else if (behind - this.#rank(before) > 2 * LEAST_GAP) this.#setRank(number, (this.#rank(before) + behind) / 2);
      else this.#moveApart(field, text, number);
    }
  }

  textOf(number: number): string {
    return textIn(this.#text.get(number), "text");
  }

  /** Numbers of the first texts from one on and before another one, in their order. */
  numbersFrom(field: number, from: string, before: string, most: number): readonly number[] {
    return this.#between.all(field, from, before, most).map((row) => numberIn(row, "number"));
  }

  /** The rank a text has or would have, which is that of no other text. */
  rankOf(field: number, text: string): number {
    const number = this.#number(field, text);
    if (number !== null) return this.#rank(number);
    const before = this.#neighbours(this.#before, field, text, 1)[0];
    const behind = this.#neighbours(this.#behind, field, text, 1)[0];
    if (before === undefined) return Number.NEGATIVE_INFINITY;
    return behind === undefined ? Number.POSITIVE_INFINITY : (this.#rank(before) + this.#rank(behind)) / 2;
  }

  #number(field: number, text: string): number | null {
    const row = this.#numberOf.get(field, text);
    return row === undefined ? null : numberIn(row, "number");
  }

  #rank(number: number): number {
    return this.ranks[number] ?? Number.NaN;
  }

  #setRank(number: number, rank: number): void {
    if (number >= this.ranks.length) {
      const wider = new Float64Array(Math.ceil(number * GROWTH) + LEAST_TEXTS).fill(Number.NaN, this.ranks.length);
      wider.set(this.ranks);
      this.ranks = wider;
    }
    this.ranks[number] = rank;
  }

  #neighbours(statement: StatementSync, field: number, text: string, most: number): number[] {
    return statement.all(field, text, most).map((row) => numberIn(row, "number"));
  }

  #nextWithRank(field: number, text: string): number | null {
    for (let most = 1; ; most *= 8) {
      const behind = this.#neighbours(this.#behind, field, text, most);
      const found = behind.find((number) => !Number.isNaN(this.#rank(number)));
      if (found !== undefined) return this.#rank(found);
      if (behind.length < most) return null;
    }
  }

  /**
   * Spreads the texts around this one evenly over the room they have together, or over more of them until there is
   * enough.
   */
  #moveApart(field: number, text: string, number: number): void {
    for (let most = NEIGHBOURS; ; most *= 4) {
      const before = this.#neighbours(this.#before, field, text, most).reverse();
      const behind = this.#neighbours(this.#behind, field, text, most);
      while (behind.length > 0 && Number.isNaN(this.#rank(behind.at(-1) ?? 0))) behind.pop();
      const around = [...before, number, ...behind];
      const low = before.length < most ? this.#rank(before[0] ?? 0) - GAP * around.length : this.#rank(before[0] ?? 0);
      const high = this.#rank(behind.at(-1) ?? 0);
      const step = (high - low) / (around.length - 1);
      if (step < GAP / 2 ** 12 && before.length === most) continue;
      for (const [index, each] of around.entries()) this.#setRank(each, low + index * step);
      return;
    }
  }
}
