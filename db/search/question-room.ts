// Room for the sets that a question makes before its answer: the next question uses it again, so that nothing is
// left to the collector. With a million documents each set of bits takes 122 KiB, and a list of all hits 4 MiB.
import { type Bitmap, bitmapFor, slotsInto } from "./bitmap.ts";
import { countIn, isList, type SlotList, type SlotSet, setBits } from "./slot-set.ts";

/** What is kept for the questions to come. */
const KEPT = { bits: 64, lists: 2 } as const;
/** Slots of a list that is kept: a shorter one costs little. */
const LONG_LIST = 4_096;

export type QuestionRoom = {
  /** A copy as bits. */
  readonly copyOf: (set: SlotSet) => Bitmap;
  /** A copy as a list, ascending. */
  readonly listOf: (set: SlotSet) => SlotList;
  /** This list is not used again. */
  readonly release: (list: SlotList) => void;
  /** Nothing of the question is used again. */
  readonly end: () => void;
};

/** Rooms of questions that may be answered at the same time. */
export function questionRooms(columns: { readonly capacity: number }): () => QuestionRoom {
  const freeBits: Bitmap[] = [];
  const freeLists: SlotList[] = [];

  function takeBits(): Bitmap {
    const length = (columns.capacity >>> 5) + 1;
    for (let bits = freeBits.pop(); bits !== undefined; bits = freeBits.pop()) {
      if (bits.length === length) return bits.fill(0);
    }
    return bitmapFor(columns.capacity);
  }

  function takeList(): SlotList {
    for (let list = freeLists.pop(); list !== undefined; list = freeLists.pop()) {
      if (list.length === columns.capacity) return list;
    }
    return new Int32Array(columns.capacity);
  }

  return () => {
    const bits: Bitmap[] = [];
    const lists = new Map<SlotList, SlotList>();
    const release = (list: SlotList): void => {
      const whole = lists.get(list);
      lists.delete(list);
      if (whole !== undefined && freeLists.length < KEPT.lists) freeLists.push(whole);
    };
    return {
      copyOf(set) {
        const copy = takeBits();
        bits.push(copy);
        setBits(copy, set);
        return copy;
      },
      listOf(set) {
        if (isList(set)) return set.slice();
        const count = countIn(set);
        if (count < LONG_LIST) return slotsInto(new Int32Array(count), set);
        const whole = takeList();
        const list = whole.subarray(0, count);
        lists.set(list, whole);
        return slotsInto(list, set);
      },
      release,
      end() {
        for (const copy of bits) if (freeBits.length < KEPT.bits) freeBits.push(copy);
        bits.length = 0;
        for (const list of lists.keys()) release(list);
      },
    };
  };
}
