// Drafts as forms (R42): opened, saved as they were sent, merged where somebody else has saved meanwhile. What a form
// cannot show stays; what is wrong in it is left out and reported at its field.
import type { Viewer } from "../../auth/account.ts";
import { permissionDenied, RECORD_SENTENCES, unknownRecord } from "../../model/input/record-refusals.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { withPeopleInParts } from "../../model/item-types/form-people.ts";
import {
  enteredGroups,
  type FormTree,
  jsonTree,
  type RowsChange,
  treeJson,
  treeOf,
  valuesOf,
  withRows,
} from "../../model/item-types/form-tree.ts";
import { fromFormInParts } from "../../model/item-types/from-form.ts";
import {
  type Bilingual,
  type FormFault,
  readPostedFormInParts,
  storedTexts,
} from "../../model/item-types/posted-form.ts";
import { toFormInParts } from "../../model/item-types/to-form.ts";
import { draftMark } from "../../model/items/draft-history.ts";
import type { Draft, ItemFile, WithParent } from "../../model/items/item.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import type { ItemId } from "../../shared/ids.ts";
import { sortedText } from "../../shared/json/sorted-text.ts";
import { type Conflict, type Difference, differencesInParts, mergeInParts } from "../../shared/json/three-way-merge.ts";
import { own } from "../../shared/objects.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import { inTurns, LONG_LIST, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { itemTypeReading } from "../items/item-type-reading.ts";
import type { DraftState } from "../store/draft-revisions.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import { returnedActivity } from "../workflow/returned-activity.ts";
import { checkedDraft, checksOfDraft, type DraftChecks, faultsOfDraft, labelAt } from "./draft-checks.ts";
import { type BlankForm, type DraftOfForm, makeDraft } from "./draft-of-form.ts";
import { PLACE_FIELDS, type PlaceValues, placeIn, placeOf, type SentPlace } from "./draft-place.ts";
import { recordDois } from "./record-dois.ts";
import { areFilesEnabled } from "./record-json.ts";
import { goneIn, mayEditRecord, type RecordsNeeds } from "./record-reading.ts";
import { ANYTHING, type RecordWriting } from "./record-writing.ts";

/** The form of a draft. */
export type DraftForm = {
  readonly id: ItemId;
  /** The state of the draft that it shows. */
  readonly base: string;
  readonly savedAt: Instant;
  readonly definition: ItemTypeDefinition;
  readonly tree: FormTree;
  readonly metadata: Metadata;
  readonly files: readonly Pick<ItemFile, "name" | "sizeBytes">[];
  readonly filesEnabled: boolean;
  /** A published version has its files for good. */
  readonly isPublished: boolean;
  readonly place: PlaceValues;
  /** It may be submitted to communities: its first version, before it is published and while no review is open. */
  readonly isForCommunities: boolean;
};

export type SentForm = {
  readonly entries: readonly (readonly [name: string, value: string])[];
  /** The state of the draft that the form showed; null: the draft was made for this form. */
  readonly base: string | null;
  /** The button of a group that it was sent with. */
  readonly rows: { readonly group: string; readonly change: RowsChange } | null;
  readonly filesEnabled: boolean;
  /** Fills in fields from a suggestion. */
  readonly fill?: ((tree: FormTree, definition: ItemTypeDefinition) => FormTree) | undefined;
  /** Null: the form had no such part. */
  readonly place?: SentPlace | null;
};

/** A field that was changed on both sides. `theirs`: the stored text; null where it is not a single text. */
type FormConflict = { readonly name: string; readonly theirs: string | null };

/** A form after it was sent; `isSaved` false: fields were changed on both sides, and nothing was saved. */
export type SavedForm = DraftForm & {
  readonly isSaved: boolean;
  readonly faults: readonly FormFault[];
  readonly conflicts: readonly FormConflict[];
  /** Groups that are not as they were sent, since the other side changed them. */
  readonly changed: ReadonlySet<string>;
  /** The same of where it goes and who may read it. */
  readonly isPlaceChanged: boolean;
  readonly understood: ReadonlyMap<string, Bilingual>;
};

type FormDifferences = {
  readonly base: string;
  readonly savedAt: Instant;
  readonly differences: readonly {
    readonly label: Bilingual;
    readonly before: string;
    readonly after: string;
    readonly isMoved: boolean;
  }[];
};

export interface DraftForms {
  /** The empty form of a new record; null: of the item type of the setting. */
  blankForm(viewer: Viewer, type?: number | null): Promise<ItemTypeDefinition>;
  makeDraft(viewer: Viewer, form: BlankForm): Promise<DraftOfForm>;
  openForm(viewer: Viewer, id: ItemId): Promise<DraftForm>;
  saveForm(viewer: Viewer, id: ItemId, sent: SentForm): Promise<SavedForm>;
  /** How an earlier state differs from the draft as it is now, by the labels of the form. */
  formDifferences(viewer: Viewer, id: ItemId, revision: number): Promise<FormDifferences>;
  /** What publication would refuse, and what else may be wrong; for those who review it too. */
  checks(viewer: Viewer, id: ItemId): Promise<DraftChecks>;
  /** What the draft lacks to be published. */
  publishingFaults(viewer: Viewer, id: ItemId): Promise<readonly FormFault[]>;
}

/** A draft with its form. */
type ReadForm = { readonly found: WithParent; readonly draft: Draft; readonly form: DraftForm };
type Writing = Pick<RecordWriting, "change" | "create" | "editable" | "requireDraftSeen">;

export const draftForms = (
  { store, items, itemType, communities, clock }: RecordsNeeds,
  { change, create, editable, requireDraftSeen }: Writing,
): DraftForms => {
  const types = itemTypeReading(store);
  const checking = { store, dois: recordDois({ items }), communities };

  async function definitionOf({ content }: Draft): Promise<ItemTypeDefinition> {
    const found = await types.at(content.itemType, content.itemTypeVersion);
    if (found !== null) return found;
    throw new Refusal("unavailable", `Item type ${content.itemType} cannot be read`);
  }

  async function readForm(viewer: Viewer, id: ItemId): Promise<ReadForm> {
    const found = await store.items.withParent(id);
    if (found === null || !mayEditRecord(viewer, found.parent)) throw unknownRecord();
    return await formOfItem(viewer, id, found);
  }

  async function formOfItem(viewer: Viewer, id: ItemId, found: WithParent): Promise<ReadForm> {
    if (found.item.state === "deleted") throw await goneIn(store, viewer, id);
    const draft = await store.items.draft(id);
    if (draft === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
    const definition = await definitionOf(draft);
    const tree = treeOf(await inTurns(toFormInParts(draft.content.metadata, definition)), definition);
    const place = placeOf(draft.content, await communities.chosen(store, found.parent));
    return { found, draft, form: { ...formOf(found, draft, definition), tree, place } };
  }

  async function saveIn(tx: RepositoryWriter, now: Viewer, id: ItemId, sent: SentForm): Promise<SavedForm> {
    const found = await editable(tx, now, id);
    const draft = await requireDraftSeen(tx, id, ANYTHING);
    const definition = await definitionOf(draft);
    const stored = draft.content.metadata;
    const baseContent = await baseOf(tx, draft, sent.base);
    const base = baseContent?.metadata ?? null;
    const known = storedTexts(await inTurns(toFormInParts(base ?? stored, definition)), definition);
    const isLong = sent.entries.length > LONG_LIST;
    if (isLong) await yieldToEventLoop();
    const posted = await inTurns(readPostedFormInParts(sent.entries, definition, known));
    if (isLong) await yieldToEventLoop();
    const moved = (posted: FormTree) => movedRows(posted, definition, sent);
    const mine = moved(posted.storable);
    const state = { found, draft, base: baseContent, today: items.today() };
    const placed = sent.place == null ? null : await placeIn(tx, now, state, sent.place);
    const understood = new Map([...posted.understood, ...(placed?.understood ?? [])]);
    const place = sent.place ?? placeOf(draft.content, await communities.chosen(tx, found.parent));
    const form = { ...formOf(found, draft, definition), understood, place };
    const { tree, conflicts } = await merged(definition, { base, mine, stored });
    const asked = [...conflicts.map(conflictFault), ...(placed?.conflicts ?? [])];
    const changes = {
      conflicts: [...conflicts.map(formConflict), ...(placed?.conflicts ?? []).map(placeConflict)],
      changed: base === stored ? NOTHING_CHANGED : changedGroups(mine, tree),
      isPlaceChanged: false,
    };
    const refused = { ...form, ...changes, isSaved: false };
    if (asked.length > 0) return { ...refused, tree, faults: [...posted.faults, ...asked] };
    if (isLong) await yieldToEventLoop();
    const shown = base === stored ? moved(posted.tree) : tree;
    const read = await inTurns(fromFormInParts(valuesOf(tree), definition, stored));
    const metadata = await inTurns(withPeopleInParts(read.metadata, stored, definition));
    const filesEnabled = withFiles(found, draft, baseContent, sent);
    const { access, indexes } = placed ?? draft.content;
    const options = filesEnabled === undefined ? {} : { filesEnabled };
    const content = { ...draft.content, metadata, access, indexes, ...options };
    try {
      const returned = await returnedActivity(tx, now, draft);
      const notes = returned === null ? {} : { activityId: returned.id, pending: true };
      const { draft: saved } = await items.saveDraft(tx, now, id, { ...notes, content, held: { ...found, draft } });
      const ofCommunities = sent.place == null ? [] : await communities.choose(tx, now, found, sent.place);
      const parent = (await tx.items.parent(found.parent.id)) ?? found.parent;
      const faults = [...posted.faults, ...(placed?.faults ?? []), ...ofCommunities];
      const after = { ...formOf({ ...found, parent }, saved, definition), ...changes, understood };
      const there = placeOf(saved.content, await communities.chosen(tx, parent));
      const isPlaceChanged = base !== stored && sent.place != null && !isSamePlace(sent.place, there);
      const place = typedPlace(there, sent.place ?? null, faults);
      return { ...after, place, isPlaceChanged, tree: shown, faults, isSaved: true };
    } catch (error) {
      // Limits of metadata, which are checked before anything is written.
      if (!isRefusal(error, "invalid")) throw error;
      const fault = { name: null, words: { en: error.message, ja: error.message } };
      return { ...refused, tree: shown, faults: [...posted.faults, fault] };
    }
  }

  return {
    async blankForm(viewer, type = null) {
      if (!may(viewer, "item.draft", null)) throw permissionDenied();
      const newest = await types.newest(type ?? itemType);
      if (type !== null && newest?.deleted !== false) throw new Refusal("invalid", `Item type ${type} does not exist`);
      if (newest === null) throw new Refusal("unavailable", `Item type ${itemType} for records does not exist`);
      return newest.definition;
    },
    makeDraft: (viewer, form) => makeDraft({ store, clock }, create, viewer, form),
    openForm: async (viewer, id) => (await readForm(viewer, id)).form,
    saveForm: (viewer, id, sent) => change(viewer, (tx, now) => saveIn(tx, now, id, sent)),
    async formDifferences(viewer, id, revision) {
      const { draft, form } = await readForm(viewer, id);
      const kept = revision < draft.counter ? await store.draftRevisions.draftRevision(id, revision) : null;
      if (kept === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
      const { definition } = form;
      const before = treeJson(treeOf(await inTurns(toFormInParts(kept.content.metadata, definition)), definition));
      const differences = await inTurns(differencesInParts(before, treeJson(form.tree)));
      return {
        base: draftMark(draft),
        savedAt: kept.savedAt,
        differences: differences.map((difference) => shownDifference(definition, difference)),
      };
    },
    async checks(viewer, id) {
      const found = await checkedDraft(store, viewer, id);
      return await checksOfDraft(checking, viewer, await formOfItem(viewer, id, found));
    },
    publishingFaults: async (viewer, id) => await faultsOfDraft(checking, viewer, await readForm(viewer, id)),
  };
};

/** What is stored; fields with faults as they were typed. */
function typedPlace(stored: PlaceValues, sent: SentPlace | null, faults: readonly FormFault[]): PlaceValues {
  const isTyped = faults.some(({ name }) => name === PLACE_FIELDS.until || name === PLACE_FIELDS.reason);
  if (sent === null || !isTyped) return stored;
  return { ...stored, until: sent.until, reason: sent.reason };
}

const formOf = ({ item, parent }: WithParent, draft: Draft, definition: ItemTypeDefinition) => ({
  id: item.id,
  base: draftMark(draft),
  savedAt: draft.savedAt,
  definition,
  metadata: draft.content.metadata,
  files: draft.content.files.map(({ name, sizeBytes }) => ({ name, sizeBytes })),
  filesEnabled: areFilesEnabled(draft.content),
  isPublished: item.content !== null,
  isForCommunities: item.content === null && item.versionIndex === 1 && parent.review?.state !== "submitted",
});

/** What a form showed; null: it is kept no longer. */
export async function baseOf(reader: RepositoryReader, draft: Draft, base: string | null): Promise<DraftState | null> {
  if (base === null || base === draftMark(draft)) return draft.content;
  const counter = Number(/^[1-9]\d{0,8}(?=\.)/.exec(base)?.[0] ?? 0);
  // A form of an earlier draft of the record has not seen what this one began with.
  if (counter === 0 || counter > draft.counter || base !== draftMark({ ...draft, counter })) return null;
  return (await reader.draftRevisions.draftRevision(draft.itemId, counter))?.content ?? null;
}

/** The tree after the button that the form was sent with. */
function movedRows(posted: FormTree, definition: ItemTypeDefinition, { fill, rows }: SentForm): FormTree {
  const tree = fill?.(posted, definition) ?? posted;
  return rows === null ? tree : (withRows(tree, definition, rows.group, rows.change) ?? tree);
}

/** Whether it has files. A form that does not change what it showed takes what the other side has chosen. */
function withFiles({ item }: WithParent, { content }: Draft, base: DraftState | null, sent: SentForm) {
  if (item.content !== null) return undefined;
  const { files } = content;
  const isAsShown = base !== null && areFilesEnabled({ ...base, files }) === sent.filesEnabled;
  return (isAsShown ? areFilesEnabled(content) : sent.filesEnabled) || files.length > 0;
}

const isSamePlace = (one: PlaceValues, other: PlaceValues): boolean =>
  (["record", "files", "until", "reason"] as const).every((name) => one[name] === other[name]) &&
  one.indexes.toSorted().join() === other.indexes.toSorted().join() &&
  one.communities.toSorted().join() === other.communities.toSorted().join();

const NOTHING_CHANGED: ReadonlySet<string> = new Set();

/** The groups whose values differ. */
function changedGroups(sent: FormTree, tree: FormTree): ReadonlySet<string> {
  const [before, after] = [treeJson(sent), treeJson(tree)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return new Set([...names].filter((name) => sortedText(own(before, name)) !== sortedText(own(after, name))));
}

type Sides = { readonly base: Metadata | null; readonly mine: FormTree; readonly stored: Metadata };

/** The tree that is saved. With conflicts: the one that is shown, with the values of this window. */
async function merged(
  definition: ItemTypeDefinition,
  { base, mine, stored }: Sides,
): Promise<{ readonly tree: FormTree; readonly conflicts: readonly Conflict[] }> {
  if (base === stored) return { tree: mine, conflicts: [] };
  const jsonOf = async (metadata: Metadata) =>
    treeJson(treeOf(await inTurns(toFormInParts(metadata, definition)), definition));
  const [there, sent] = [await jsonOf(stored), treeJson(mine)];
  if (base === null) {
    const differences = await inTurns(differencesInParts(there, sent));
    const conflicts = differences.map(({ path, before, after }) => ({
      ...{ path, base: undefined, mine: after, theirs: before },
    }));
    return { tree: mine, conflicts };
  }
  const { value = {}, conflicts } = await inTurns(mergeInParts(await jsonOf(base), sent, there, "mine"));
  return { tree: jsonTree(value, enteredGroups(definition)), conflicts };
}

/** Characters of a stored value that are quoted. */
const SHOWN = 300;

const shownDifference = (definition: ItemTypeDefinition, { path, kind, before, after }: Difference) => ({
  label: labelAt(definition, path),
  before: shownText(before),
  after: shownText(after),
  isMoved: kind === "moved",
});

function shownText(value: Conflict["theirs"]): string {
  const words = textIn(value).join(", ");
  return words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words;
}

function conflictFault({ path, theirs }: Conflict): FormFault {
  const text = shownText(theirs);
  return {
    name: path.join("."),
    words: {
      en: `Somebody else changed this meanwhile${text === "" ? ": it was removed" : ` to “${text}”`}. Your value is shown; save again to keep it`,
      ja: `この項目は別の人または別の画面で${text === "" ? "削除されました" : `「${text}」に変更されました`}。あなたの値を表示しています。このまま保存すると、あなたの値になります`,
    },
  };
}

const formConflict = ({ path, base, mine, theirs }: Conflict): FormConflict => {
  const isText = [base, mine, theirs].every((value) => value === undefined || typeof value === "string");
  return { name: path.join("."), theirs: !isText ? null : typeof theirs === "string" ? theirs : "" };
};

const placeConflict = ({ name }: FormFault): FormConflict => ({ name: name ?? "", theirs: null });

/** The texts of a value, in order. */
function textIn(value: Conflict["theirs"]): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textIn) : [];
}
