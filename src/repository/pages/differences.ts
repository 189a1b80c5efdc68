// What differs between two states of an item, field by field as its landing page shows them, within texts, and file by
// file (R44). Pure.
import type { ItemContent } from "../../model/items/item.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { alignLists } from "../../shared/json/list-alignment.ts";
import { type TextPart, textDifference } from "../../shared/text/text-difference.ts";
import type { InParts } from "../../shared/time/event-loop.ts";
import { SHOWN_FIELDS, type ShownField, shownRow } from "./metadata-rows.ts";
import type { ShownValue } from "./row-values.ts";

/** Values of a field, and files, that are compared; of more it is stated that there are more. */
const VALUES_MOST = 200;
const FILES_MOST = 10_000;
/** Characters of values that are compared word by word, in all; of later values the whole went and came. */
const CHARACTERS_MOST = 200_000;

export type FieldDifference = {
  readonly field: ShownField | "title" | "access" | "files_access" | "embargo";
  /** Values that changed, each in parts; a value that went, or came, is one part. */
  readonly values: readonly (readonly TextPart[])[];
  /** Values that are the same. */
  readonly same: number;
  /** There are more values than were compared. */
  readonly isCut: boolean;
  /** Values after those that were compared differ. */
  readonly differsLater: boolean;
};

export type FileDifference = {
  readonly name: string;
  readonly kind: "new" | "gone" | "changed";
  readonly before: Pick<ItemContent["files"][number], "sizeBytes" | "sha256"> | null;
  readonly after: Pick<ItemContent["files"][number], "sizeBytes" | "sha256"> | null;
};

export type ContentDifference = {
  readonly fields: readonly FieldDifference[];
  readonly files: readonly FileDifference[];
  readonly sameFiles: number;
};

/** How many fields and files differ. */
export type DifferenceCounts = {
  readonly fields: number;
  /** Null: the reader may not know. */
  readonly files: Readonly<Record<FileDifference["kind"], number>> | null;
};

/** The same without comparing words. */
export function* countDifferencesInParts(
  before: ItemContent,
  after: ItemContent,
  tag: string,
): InParts<DifferenceCounts> {
  const { fields, files } = yield* contentDifferenceInParts(before, after, tag, replaced);
  const count = (kind: FileDifference["kind"]): number => files.filter((file) => file.kind === kind).length;
  return { fields: fields.length, files: { new: count("new"), gone: count("gone"), changed: count("changed") } };
}

/** `tag`: the reader's language, in whose order values are. */
export function* contentDifferenceInParts(
  before: ItemContent,
  after: ItemContent,
  tag: string,
  compare: Compare = limitedDifference(),
): InParts<ContentDifference> {
  const fields: FieldDifference[] = [];
  function* add(field: FieldDifference["field"], one: readonly string[], other: readonly string[], isCut = false) {
    const difference = yield* valuesDifference(one, other, compare);
    const differsLater = isCut && isDifferent(before.metadata, after.metadata, field) && isEqual(one, other);
    if (difference.values.length > 0 || differsLater) fields.push({ field, ...difference, isCut, differsLater });
  }
  yield* add("title", mainTitles(before), mainTitles(after));
  const [was, is] = [otherThanMain(before), otherThanMain(after)];
  for (const field of SHOWN_FIELDS) {
    const [one, other] = [fieldTexts(was, field, tag), fieldTexts(is, field, tag)];
    yield;
    yield* add(field, one.texts, other.texts, one.isCut || other.isCut);
  }
  yield* add("access", [before.access.record], [after.access.record]);
  yield* add("files_access", [before.access.files], [after.access.files]);
  yield* add("embargo", dayOf(before), dayOf(after));
  const files = fileDifferences(before.files.slice(0, FILES_MOST), after.files.slice(0, FILES_MOST));
  const gone = files.filter(({ kind }) => kind === "gone").length;
  const changed = files.filter(({ kind }) => kind === "changed").length;
  return { fields, files, sameFiles: Math.min(before.files.length, FILES_MOST) - gone - changed };
}

const mainTitles = ({ metadata }: ItemContent): readonly string[] =>
  metadata.titles.filter(({ kind }) => kind === "main").map(({ value }) => value);

/** The metadata without the titles that are compared by themselves. */
const otherThanMain = ({ metadata }: ItemContent): Metadata => ({
  ...metadata,
  titles: metadata.titles.filter(({ kind }) => kind !== "main"),
});

const dayOf = ({ access }: ItemContent): readonly string[] =>
  access.embargoUntil === null ? [] : [access.embargoUntil];

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

/** Whether the stored values of a field differ, however many there are. */
function isDifferent(one: Metadata, other: Metadata, field: string): boolean {
  const [before, after]: readonly Readonly<Record<string, unknown>>[] = [one, other];
  return JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]);
}

/** The values of a field, each in one line. */
export function fieldTexts(metadata: Metadata, field: ShownField, tag: string) {
  const above = { title: "", abstract: null };
  const { values, count } = shownRow(metadata, field, { tag, above, part: { from: 0, most: VALUES_MOST } });
  return { texts: values.map(textOf), isCut: count > VALUES_MOST };
}

/** A value in one line, with what kind it is and its details. */
function textOf({ text, kind, term, details = [] }: ShownValue): string {
  const named = kind === undefined ? text : `${kind.id}: ${text}`;
  const whole = term === undefined || term.id === text ? named : `${named} (${term.id})`;
  return details.length === 0 ? whole : `${whole} (${details.map((each) => each.text).join("; ")})`;
}

type Compare = typeof textDifference;

/** Compares word by word until it has compared as many characters as it may. */
function limitedDifference(): Compare {
  let left = CHARACTERS_MOST;
  return (before, after) => {
    left -= before.length + after.length;
    return left >= 0 ? textDifference(before, after) : replaced(before, after);
  };
}

const replaced: Compare = (before, after) => [
  { kind: "gone", text: before },
  { kind: "new", text: after },
];

function* valuesDifference(
  before: readonly string[],
  after: readonly string[],
  compare: Compare,
): InParts<Pick<FieldDifference, "values" | "same">> {
  const matches = alignLists(before, after, (value) => JSON.stringify(value) ?? "");
  const taken = new Set(matches);
  const values: (readonly TextPart[])[] = [];
  let same = 0;
  for (const [at, text] of before.entries()) {
    yield;
    const other = after[matches[at] ?? -1];
    if (other === text) same += 1;
    else values.push(other === undefined ? [{ kind: "gone", text }] : compare(text, other));
  }
  for (const [at, text] of after.entries()) if (!taken.has(at)) values.push([{ kind: "new", text }]);
  return { values, same };
}

/** Hashes of files that came in parts are computed later: until then the place where they are stored tells. */
const isSameBytes = (one: ItemContent["files"][number], other: ItemContent["files"][number]): boolean =>
  one.storageKey === other.storageKey || (one.sha256 !== "" && one.sha256 === other.sha256);

function fileDifferences(before: ItemContent["files"], after: ItemContent["files"]): readonly FileDifference[] {
  const left = new Map(before.map((file) => [file.name, file]));
  const all: FileDifference[] = [];
  for (const file of after) {
    const old = left.get(file.name);
    left.delete(file.name);
    if (old === undefined) all.push({ name: file.name, kind: "new", before: null, after: file });
    else if (!isSameBytes(old, file)) {
      all.push({ name: file.name, kind: "changed", before: old, after: file });
    }
  }
  return [
    ...all,
    ...[...left.values()].map((file) => ({ name: file.name, kind: "gone" as const, before: file, after: null })),
  ];
}
