// Brands exist in types alone: the compiler is the test, and fails on a line below `@ts-expect-error` that has no
// error.
import { expect, test } from "bun:test";
import type { AccountId, AuthorId, IndexId, ItemId, ParentId } from "../../src/shared/ids.ts";
import { type Day, dayIn } from "../../src/shared/time/day.ts";
import { addMilliseconds, type Instant } from "../../src/shared/time/instant.ts";

const readItem = (id: ItemId): number => id;
const readParent = (id: ParentId): number => id;
const readDay = (day: Day): string => day;
const readInstants = (at: Instant | null, among: readonly Instant[]): number =>
  among.filter((each) => each === at).length;

test("an id, a day and an instant are refused by the compiler where another brand is expected", () => {
  const [item, parent, index, account, author]: [ItemId, ParentId, IndexId, AccountId, AuthorId] = [1, 2, 3, 4, 5];
  const now: Instant = "2026-01-02T03:04:05.000Z";
  const today: Day = dayIn("Asia/Tokyo", now);

  expect([readItem(item), readParent(parent), readDay(today)]).toEqual([1, 2, "2026-01-02"]);
  // @ts-expect-error an account is not an item
  expect(readItem(account)).toBe(4);
  // @ts-expect-error the versions of a record have their own ids
  expect(readItem(parent)).toBe(2);
  // @ts-expect-error a version is not its record
  expect(readParent(item)).toBe(1);
  // @ts-expect-error an index is not an item
  expect(readItem(index)).toBe(3);
  // @ts-expect-error an author is not an account
  const person: AccountId = author;
  // @ts-expect-error a set of accounts has no items
  const items: ReadonlySet<ItemId> = new Set<AccountId>([account]);
  // @ts-expect-error a moment is not a day
  expect(readDay(now)).toBe(now);
  // @ts-expect-error a day is not a moment
  expect(readInstants(today, [addMilliseconds(now, 1)])).toBe(0);
  expect([person, [...items]]).toEqual([5, [4]]);
});

test("a plain value, as input and rows have it, needs no cast to become a branded one", () => {
  const row: { readonly id: number } = { id: 7 };
  expect(readItem(row.id)).toBe(7);
  const id: number = readItem(8);
  expect(id + 1).toBe(9);
});
