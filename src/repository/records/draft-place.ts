// Where a draft goes and who may read it, as a form sends both (R2d, R2e, R16a, R40): indexes, access, embargo. They are
// merged with what was saved meanwhile like the metadata; what is wrong is left out and reported at its field.
import type { Viewer } from "../../auth/account.ts";
import { line } from "../../formats/record/record-input.ts";
import { mayBrowseIndex } from "../../model/access/visibility.ts";
import type { FieldError } from "../../model/input/record-refusals.ts";
import type { Bilingual, FormFault } from "../../model/item-types/posted-form.ts";
import type { Access, Draft, ItemContent, WithParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import { FieldFault } from "../../shared/field-faults.ts";
import type { IndexId } from "../../shared/ids.ts";
import { mergeInParts } from "../../shared/json/three-way-merge.ts";
import { type Day, isDay } from "../../shared/time/day.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import { readWrittenDate } from "../../shared/time/written-date.ts";
import { placementIn } from "../items/index-membership.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";

/** As people typed and chose it. */
export type PlaceValues = {
  readonly indexes: readonly IndexId[];
  /** UUIDs. */
  readonly communities: readonly string[];
  readonly record: string;
  readonly files: string;
  readonly until: string;
  readonly reason: string;
  /** Those that the draft had when the form was shown; nothing: the communities. */
  readonly seenCommunities?: readonly string[];
};

export type SentPlace = PlaceValues & { readonly seenCommunities: readonly string[] };

/** The names of its fields in the form. */
export const PLACE_FIELDS = {
  indexes: "place-index",
  communities: "place-community",
  record: "place-record",
  files: "place-files",
  until: "place-until",
  reason: "place-reason",
} as const;

type Placed = Pick<ItemContent, "access" | "indexes"> & {
  readonly faults: readonly FormFault[];
  /** Fields that were changed on both sides. */
  readonly conflicts: readonly FormFault[];
  readonly understood: ReadonlyMap<string, Bilingual>;
};

export const placeOf = ({ access, indexes }: ItemContent, communities: readonly string[]): PlaceValues => ({
  ...{ indexes, communities, record: access.record, files: access.files },
  ...{ until: access.embargoUntil ?? "", reason: access.embargoReason },
});

type PlaceState = {
  readonly found: WithParent;
  readonly draft: Draft;
  /** What the form showed; null: it is kept no longer. */
  readonly base: Pick<ItemContent, "access" | "indexes"> | null;
  readonly today: Day;
};

/** What the draft becomes by this part of its form. */
export async function placeIn(
  tx: RepositoryWriter,
  viewer: Viewer,
  { found, draft, base, today }: PlaceState,
  sent: SentPlace,
): Promise<Placed> {
  const { access: stored, indexes: before } = draft.content;
  const read = accessIn(sent, stored, today);
  const access = await mergedAccess(base?.access ?? null, read.access, stored);
  const filing = await filedIn(tx, viewer, { base: base?.indexes ?? before, sent: sent.indexes, before, today });
  const faults = [...read.faults, ...filing.faults];
  const leavesAll = found.item.content !== null && before.length > 0 && filing.indexes.length === 0;
  const placed = leavesAll
    ? await placementIn(tx, found.item, { access: access.value, indexes: before }, { indexes: [], today })
    : { access: access.value, indexes: filing.indexes };
  return { ...placed, faults, conflicts: access.conflicts, understood: read.understood };
}

const fault = (name: keyof typeof PLACE_FIELDS, en: string, ja: string): FormFault => ({
  name: PLACE_FIELDS[name],
  words: { en, ja },
});

const PROTECTIONS = ["public", "restricted"] as const;

/** The access that was typed, over the stored one. */
function accessIn({ record, files, until, reason }: SentPlace, stored: Access, today: Day) {
  const faults: FormFault[] = [];
  const understood = new Map<string, Bilingual>();
  const protection = (name: "record" | "files", sent: string): Access["record"] => {
    const known = PROTECTIONS.find((each) => each === sent);
    if (known === undefined) faults.push(fault(name, "Choose one of these", "いずれかを選択してください"));
    return known ?? stored[name];
  };
  const open = { ...stored, record: protection("record", record), files: protection("files", files) };
  const because = reasonIn(reason, stored, faults);
  const embargo = (): Pick<Access, "embargoUntil" | "embargoReason"> => {
    const { embargoUntil, embargoReason } = stored;
    const isAsStored = until.trim() === (embargoUntil ?? "") && because === embargoReason;
    if (isAsStored) return { embargoUntil, embargoReason };
    if (until.trim() === "") {
      if (because !== "") faults.push(fault("until", ...WITHOUT_DAY));
      return because === "" ? { embargoUntil: null, embargoReason: "" } : { embargoUntil, embargoReason };
    }
    const { date, words } = readWrittenDate(until);
    if (date !== null && isDay(date) && date > today) {
      if (date !== until.trim()) understood.set(PLACE_FIELDS.until, words);
      return { embargoUntil: date, embargoReason: because };
    }
    faults.push(
      date === null
        ? { name: PLACE_FIELDS.until, words }
        : isDay(date)
          ? fault("until", ...NOT_FUTURE)
          : fault("until", ...NOT_A_DAY),
    );
    return { embargoUntil, embargoReason };
  };
  return { access: { ...open, ...embargo() }, faults, understood };
}

/** Read like any line of text of a record. */
function reasonIn(reason: string, { embargoReason }: Access, faults: FormFault[]): string {
  try {
    return line().read(reason, PLACE_FIELDS.reason);
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    faults.push(fault("reason", ...TOO_LONG));
    return embargoReason;
  }
}

const TOO_LONG = ["This is too long", "長すぎます"] as const;
const WITHOUT_DAY = [
  "Write the day on which the embargo ends, or remove the reason",
  "公開猶予の最終日を入力するか、理由を削除してください",
] as const;
const NOT_FUTURE = ["The embargo must end after today", "公開猶予の終了日は明日以降の日付にしてください"] as const;
const NOT_A_DAY = ["Write the whole day, such as 2030-03-31", "年月日を入力してください（例：2030-03-31）"] as const;

/** Access is merged by field; day and reason of an embargo are one field. */
const accessTree = ({ record, files, embargoUntil: until, embargoReason: reason }: Access) => ({
  ...{ record, files, until: JSON.stringify([until, reason]) },
});

async function mergedAccess(base: Access | null, mine: Access, stored: Access) {
  const there = accessTree(stored);
  const sides = { base: base === null ? undefined : accessTree(base), mine: accessTree(mine), there };
  const { value, conflicts } = await inTurns(mergeInParts(sides.base, sides.mine, there, "mine"));
  const decided = value as ReturnType<typeof accessTree>;
  const embargo = decided.until === there.until ? stored : mine;
  const { embargoUntil, embargoReason } = embargo;
  const { record } = decided.record === stored.record ? stored : mine;
  const { files } = decided.files === stored.files ? stored : mine;
  return {
    value: { ...stored, record, files, embargoUntil, embargoReason },
    conflicts: conflicts.map(({ path: [name] }) => fault(isPart(name) ? name : "until", ...CHANGED)),
  };
}

const isPart = (name: unknown): name is "record" | "files" => name === "record" || name === "files";
const CHANGED = [
  "Somebody else changed this meanwhile. Your value is shown; save again to keep it",
  "この項目は別の人または別の画面で変更されました。あなたの値を表示しています。このまま保存すると、あなたの値になります",
] as const;

type Filing = {
  readonly base: readonly IndexId[];
  readonly sent: readonly IndexId[];
  readonly before: readonly IndexId[];
  readonly today: Day;
};

/** What the person chose or left out since the form was shown; only where they may file (R2e). */
async function filedIn(tx: RepositoryWriter, viewer: Viewer, { base, sent, before, today }: Filing) {
  const lineages = await tx.indexes.lineages([...new Set([...base, ...sent, ...before])]);
  const mayFile = (id: IndexId): boolean => may(viewer, "item.file", lineages.get(id) ?? []);
  const isLeft = (id: IndexId): boolean =>
    !lineages.has(id) || (base.includes(id) && !sent.includes(id) && mayFile(id));
  const faults: FormFault[] = [];
  const added: IndexId[] = [];
  for (const id of new Set(sent)) {
    const lineage = lineages.get(id) ?? [];
    if (base.includes(id) || before.includes(id)) continue;
    if (lineage.length > 0 && mayFile(id)) added.push(id);
    else if (!mayBrowseIndex(viewer, lineage, today))
      faults.push(fault("indexes", `Index ${id} does not exist`, `インデックス${id}は存在しません`));
    else
      faults.push(
        fault("indexes", `You may not put items into index ${id}`, `インデックス${id}に登録する権限がありません`),
      );
  }
  return { indexes: [...before.filter((id) => !isLeft(id)), ...added], faults };
}

/** Indexes of the draft that the viewer may not file into, but for those of what was published before (R2e, R2g). */
export async function filingFaults(
  reader: Pick<RepositoryReader, "indexes" | "items">,
  viewer: Viewer,
  { item, parent }: WithParent,
  { indexes }: Pick<ItemContent, "indexes">,
): Promise<readonly FieldError[]> {
  if (indexes.length === 0) return [];
  const latest = item.content === null && parent.latest !== null ? await reader.items.outline(parent.latest) : null;
  const known = item.content?.indexes ?? latest?.item.content?.indexes ?? [];
  const added = indexes.filter((id) => !known.includes(id));
  if (added.length === 0) return [];
  const lineages = await reader.indexes.lineages(added);
  const closed = added.filter((id) => !may(viewer, "item.file", lineages.get(id) ?? []));
  return closed.map((id) => ({ field: "indexes", messages: [`You may not put items into index ${id}.`] }));
}
