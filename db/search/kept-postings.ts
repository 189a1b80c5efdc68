// Documents of terms that are kept between questions (R27). They follow a change when they are next asked for: what a
// document costs to change does not grow with what is kept. Changes wait until a number of them is followed together.
import { addSlot, removeSlot, widened } from "./bitmap.ts";
import { isIn, isList, type SlotSet, withoutSlot, withSlot } from "./slot-set.ts";

/** Documents that match, kept right while it is held. */
export type Posting = { slots: SlotSet; readonly matches: (terms: ReadonlySet<string>) => boolean };

/** What a slot holds from now on; null: nothing. */
export type SlotChange = { readonly slot: number; readonly terms: ReadonlySet<string> | null };

type Kept = {
  readonly posting: Posting;
  /** Every document is asked for it by all of its terms. */
  readonly isBeginning: boolean;
  /** The number of the first change that it has not followed. */
  next: number;
  bytes: number;
};

const POSTINGS_KEPT = 4_096;
/** Changes that wait at most, and terms of their documents. */
const WAITING = { changes: 256, terms: 65_536 } as const;
const SLOTS_ADDED = 4_096;

export class KeptPostings {
  readonly #roomBytes: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  readonly #waiting: SlotChange[] = [];
  #waitingTerms = 0;
  /** The number of the first change that waits. */
  #first = 0;

  constructor(roomBytes: number) {
    this.#roomBytes = roomBytes;
  }

  get size(): number {
    return this.#kept.size;
  }

  has(name: string): boolean {
    return this.#kept.has(name);
  }

  /** As it is after all changes. */
  get(name: string): Posting | null {
    const kept = this.#kept.get(name);
    if (kept === undefined) return null;
    // The one that was not asked for the longest goes first.
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    this.#catchUp(kept);
    return kept.posting;
  }

  /** A posting that is right now. */
  keep(name: string, posting: Posting, isBeginning: boolean): void {
    this.#drop(name);
    const bytes = posting.slots.byteLength;
    this.#kept.set(name, { posting, isBeginning, next: this.#first + this.#waiting.length, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#roomBytes && this.#kept.size <= POSTINGS_KEPT) break;
      this.#drop(oldest);
    }
  }

  /** After the commit. */
  follow(change: SlotChange): void {
    if (this.#kept.size === 0) return;
    this.#waiting.push(change);
    this.#waitingTerms += change.terms?.size ?? 0;
    if (this.#waiting.length >= WAITING.changes || this.#waitingTerms >= WAITING.terms) this.#followAll();
  }

  #followAll(): void {
    for (const [name, kept] of this.#kept) {
      if (kept.isBeginning && kept.next === this.#first) this.#drop(name);
      else this.#catchUp(kept);
    }
    this.#first += this.#waiting.length;
    this.#waiting.length = 0;
    this.#waitingTerms = 0;
  }

  #catchUp(kept: Kept): void {
    for (let at = kept.next - this.#first; at < this.#waiting.length; at += 1) {
      const change = this.#waiting[at];
      if (change !== undefined) followOne(kept.posting, change);
    }
    kept.next = this.#first + this.#waiting.length;
    const { byteLength } = kept.posting.slots;
    this.#bytes += byteLength - kept.bytes;
    kept.bytes = byteLength;
  }

  #drop(name: string): void {
    this.#bytes -= this.#kept.get(name)?.bytes ?? 0;
    this.#kept.delete(name);
  }
}

/** The same change a second time changes nothing. */
export function followOne(posting: Posting, { slot, terms }: SlotChange): void {
  const { slots } = posting;
  const isThere = terms !== null && posting.matches(terms);
  if (isIn(slots, slot) === isThere) return;
  if (isList(slots)) posting.slots = isThere ? withSlot(slots, slot) : withoutSlot(slots, slot);
  else if (!isThere) removeSlot(slots, slot);
  else {
    const bits = slot >>> 5 >= slots.length ? widened(slots, slot + SLOTS_ADDED) : slots;
    addSlot(bits, slot);
    posting.slots = bits;
  }
}
