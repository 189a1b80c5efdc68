// Keys by which values are found exactly (R28): digests, so that an engine's own ideas of equality, of case and of what
// is a word never matter.

import { curatedCommunities, isAdministrator, ROLES, type RoleId, type Viewer } from "../../../auth/account.ts";
import { mayBrowse, type Ownership, ownRoots, type RecordFacts } from "../../../model/access/visibility.ts";
import type { IndexOutline } from "../../../model/indexes/index-node.ts";
import { type Access, PERMISSIONS, type Permission } from "../../../model/items/item.ts";
import { sha256Hex } from "../../../shared/hash/digests.ts";
import type { AccountId, IndexId } from "../../../shared/ids.ts";
import { type Day, laterDay } from "../../../shared/time/day.ts";
import type { InParts } from "../../../shared/time/event-loop.ts";
import type { Condition } from "../index/index-port.ts";
import { FIELDS, type Key } from "./document.ts";

/** 128 bits: no two values are ever taken for one. */
const DIGITS = 32;
/** Values that come again and again, such as languages and subjects, are digested once in a while. */
const KEPT = 20_000;
const KEPT_CHARACTERS = 100;
const kept = new Map<string, Key>();
/** Most are one value, which is known without being written out. */
const keptAlone = new Map<string, Key>();

/** The key of a value, or of values that belong together; equal texts, byte by byte, have equal keys. */
export function keyOf(...values: readonly string[]): Key {
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return keyIn(keptAlone, only, () => written(values));
  const text = written(values);
  return keyIn(kept, text, () => text);
}

const written = (values: readonly string[]): string => JSON.stringify(values.map((value) => value.toWellFormed()));

function keyIn(known: Map<string, Key>, name: string, text: () => string): Key {
  const found = known.get(name);
  if (found !== undefined) return found;
  const key = sha256Hex(text()).slice(0, DIGITS);
  if (name.length <= KEPT_CHARACTERS) {
    if (known.size >= KEPT) known.clear();
    known.set(name, key);
  }
  return key;
}

/** Characters of a facet's value: what is longer is shown, counted and chosen by its beginning. */
const LABEL_CHARACTERS = 500;

/** The words under which a facet shows a value. */
export const labelOf = (value: string): string => value.slice(0, LABEL_CHARACTERS).toWellFormed();

/**
 * The key of a facet's value, by which it is counted, and chosen where a parameter gives the value (rule 8: exact
 * equality).
 */
export const facetKey = (value: string): Key => keyOf(labelOf(value));

/** A number is a key as it is. */
export const numberKey = (id: number): Key => String(id);

/**
 * Tells documents apart that differ in anything; made for speed, not against forgery: both documents would belong to
 * the same depositor.
 */
export function* documentDigest(text: string): InParts<string> {
  yield;
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x5f356495);
    low ^= low >>> 15;
    high ^= high >>> 13;
  }
  return [low ^ (high >>> 16), high ^ (low >>> 16)].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

// Who may see an item, as keys (R2d, R34): those of a document name the ways of being admitted, and viewers hold keys;
// they may read a document with a key that they hold. It is the rule of src/model/access/visibility.ts. Ways that
// depend on a day, on roles, groups and the tree are written out in the key, so that few keys cover all items and what
// a viewer holds of them is determined for each question: an embargo that ends at midnight does not rebuild the index.
// Ways of persons are keys of accounts and communities.

// Keys of a document:
//   a<account>            its owner, and those it is shared with
//   g<group>              groups it is shared with
//   c<digest>             curators of a community it is in
//   so<day>               open from this day, for administrators of a community in whose subtree it lies (with the field `under`)
//   sr<day>[i<roles>g<group>g<group>…]…   open from this day for who has, of each clause, one of the roles or one of the groups
//   si<day>x<index>       the same for an index whose rule is too long to be written: it is asked of the tree
// A day that was reached when the document was made is 0.

/** Keys that more than one person may hold begin so: an index knows few of them. */
export const SHARED_PREFIX = "s";
const RECORD = "so";
const RULE = "sr";
const INDEX = "si";
const KEY_CHARACTERS = 64;
const REACHED = "0";

/** Administrators see everything; a clause that lists all others admits everybody. */
const ROLE_LETTERS: Readonly<Partial<Record<RoleId, string>>> = {
  [ROLES.registered]: "e",
  [ROLES.communityAdministrator]: "c",
  [ROLES.general]: "m",
  [ROLES.guest]: "t",
};
const LETTERED = Object.entries(ROLE_LETTERS).map(([role, letter]) => ({ role: Number(role), letter }));

/** Who passes an index: viewers with one of these letters or groups. */
type Clause = { readonly letters: string; readonly groups: readonly number[] };

const accountKey = (id: AccountId): Key => `a${id}`;
const groupKey = (id: number): Key => `g${id}`;
const communityKey = (id: string): Key => `c${keyOf(id)}`;

/**
 * The first day on which the record is open to others; null: never. An embargo that has ended makes it public (R2d).
 */
function recordDay({ record, openDate, embargoUntil }: Access): Day | null {
  if (record === "public") return openDate;
  return embargoUntil === null ? null : laterDay(openDate, embargoUntil);
}

/** How a day is written in a key. */
export const keyDay = (day: Day, today: Day): string => (day <= today ? REACHED : day.replaceAll("-", ""));
/** Whether a day of a key is reached. */
export const isReached = (written: string, today: Day): boolean =>
  written === REACHED || written <= today.replaceAll("-", "");

/** Keys of a published item. */
export function visibilityKeys(facts: RecordFacts, today: Day): readonly Key[] {
  return [...personalKeys(facts, "view"), ...sharedKeys(facts, today)];
}

/**
 * Who reads whatever there is of it: the privileged, and those it is shared with for this or more. Drafts are seen by
 * no others.
 */
export function personalKeys(
  { owner, shared, grants = [], communities }: Ownership,
  permission: Permission,
): readonly Key[] {
  const granted = grants
    .filter((grant) => PERMISSIONS.indexOf(grant.permission) >= PERMISSIONS.indexOf(permission))
    .map(({ subject, id }) => (subject === "user" ? accountKey(id) : groupKey(id)));
  return [...new Set([accountKey(owner), ...shared.map(accountKey), ...granted, ...communities.map(communityKey)])];
}

function sharedKeys({ access, lineages }: RecordFacts, today: Day): readonly Key[] {
  const open = recordDay(access);
  if (open === null) return [];
  if (lineages.length === 0) return [`${RULE}${keyDay(open, today)}`];
  const keys = new Set(lineages.flatMap((lineage) => ruleKey(lineage, open, today) ?? []));
  // Viewers admitted on that day by everybody's rule need no other.
  const everybody = `${RULE}${keyDay(open, today)}`;
  return [`${RECORD}${keyDay(open, today)}`, ...(keys.has(everybody) ? [everybody] : keys)];
}

function ruleKey(lineage: readonly IndexOutline[], open: Day, today: Day): Key | null {
  const [index] = lineage;
  if (index === undefined || lineage.some(({ publicState }) => !publicState)) return null;
  const clauses = lineage.map(clauseOf);
  if (clauses.some(({ letters, groups }) => letters === "" && groups.length === 0)) return null;
  const day = keyDay(
    lineage.reduce((latest, { publicDate }) => laterDay(latest, publicDate ?? latest), open),
    today,
  );
  const key = `${RULE}${day}${needed(clauses).map(writtenClause).sort().join("")}`;
  return key.length <= KEY_CHARACTERS ? key : `${INDEX}${day}x${index.id}`;
}

function clauseOf({ browsingRole, browsingGroup }: IndexOutline): Clause {
  const letters = LETTERED.filter(({ role }) => browsingRole.includes(role)).map(({ letter }) => letter);
  return { letters: letters.join(""), groups: [...new Set(browsingGroup)].sort((a, b) => a - b) };
}

/** Without those that everybody passes, and those that are implied by another one. */
function needed(clauses: readonly Clause[]): readonly Clause[] {
  const narrow = clauses.filter(({ letters }) => letters.length < LETTERED.length);
  const different = [...new Map(narrow.map((clause) => [writtenClause(clause), clause])).values()];
  return different.filter((wide) => !different.some((each) => each !== wide && isWithin(each, wide)));
}

const isWithin = (narrow: Clause, wide: Clause): boolean =>
  [...narrow.letters].every((letter) => wide.letters.includes(letter)) &&
  narrow.groups.every((group) => wide.groups.includes(group));

const writtenClause = ({ letters, groups }: Clause): string => `i${letters}${groups.map((id) => `g${id}`).join("")}`;

/** No letter of a role is i or g: each character has one place, and the key is read once. */
const RULE_KEY = /^sr(\d+)((?:i[a-fhj-z]*(?:g\d+)*)*)$/;
const RECORD_KEY = /^so(\d+)$/;
const INDEX_KEY = /^si(\d+)x(-?\d+)$/;

/** Keys and classes of files that name a day which is reached: documents that have one can be made with fewer. */
export function withReachedDay(keys: readonly Key[], today: Day): readonly Key[] {
  return keys.filter((key) => {
    const day = WITH_DAY.exec(key)?.[1];
    return day !== undefined && isReached(day, today);
  });
}
const WITH_DAY = /^(?:s[ori]|f)(\d{8})/;

/** The indexes that a viewer's keys cannot be decided without. */
export function indexesAsked(known: readonly Key[]): readonly number[] {
  return [...new Set(known.flatMap((key) => INDEX_KEY.exec(key)?.[2] ?? []))].map(Number);
}

/**
 * What a document must have for this viewer to be admitted on this day; null: they see everything. `known`: the keys
 * that the index has and that begin with `SHARED_PREFIX`; `lineageOf`: of the indexes that `indexesAsked` names;
 * `field`: the field of the ways of being admitted.
 */
export function admitting(
  viewer: Viewer,
  today: Day,
  known: readonly Key[],
  lineageOf: (index: IndexId) => readonly IndexOutline[],
  field: typeof FIELDS.visibility | typeof FIELDS.newer = FIELDS.visibility,
): Condition | null {
  if (isAdministrator(viewer)) return null;
  const held = known.filter((key) => holds(key, viewer, today, lineageOf));
  const own = [...ownRoots(viewer)].map(String);
  const open = known.filter((key) => {
    const day = RECORD_KEY.exec(key)?.[1];
    return day !== undefined && isReached(day, today);
  });
  const keys: Condition = {
    kind: "key",
    field,
    anyOf: [...viewerKeys(viewer), ...held],
  };
  if (own.length === 0 || open.length === 0) return keys;
  const inOwn: Condition = {
    kind: "and",
    of: [
      { kind: "key", field, anyOf: open },
      { kind: "key", field: FIELDS.under, anyOf: own },
    ],
  };
  return { kind: "or", of: [keys, inOwn] };
}

function holds(key: Key, viewer: Viewer, today: Day, lineageOf: (index: IndexId) => readonly IndexOutline[]): boolean {
  const [, day, clauses] = RULE_KEY.exec(key) ?? [];
  if (day !== undefined) return isReached(day, today) && (clauses ?? "").split("i").slice(1).every(passes(viewer));
  const [, opened, index] = INDEX_KEY.exec(key) ?? [];
  return opened !== undefined && isReached(opened, today) && mayBrowse(lineageOf(Number(index)), viewer, today);
}

const passes =
  (viewer: Viewer) =>
  (clause: string): boolean => {
    const [letters = "", ...groups] = clause.split("g");
    return (
      viewer.roles.some((role) => letters.includes(ROLE_LETTERS[role] ?? "none")) ||
      viewer.groups.some((group) => groups.includes(String(group)))
    );
  };

/** What a document must have for the viewer to be privileged for it; null: they are for all. */
export function privileging(viewer: Viewer): Condition | null {
  if (isAdministrator(viewer)) return null;
  return { kind: "key", field: FIELDS.visibility, anyOf: viewerKeys(viewer) };
}

/** The keys of what is shared with a viewer, by account and by group; those of the items they own are among them. */
export const sharingKeys = ({ account, groups }: Viewer): readonly Key[] =>
  account === null ? [] : [accountKey(account.id), ...groups.map(groupKey)];

/** The keys that a viewer has without asking what documents there are. */
export function viewerKeys(viewer: Viewer): readonly Key[] {
  if (viewer.account === null) return [];
  return [...sharingKeys(viewer), ...curatedCommunities(viewer).map(communityKey)];
}
