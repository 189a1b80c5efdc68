// A save of a draft that is based on an earlier state of it (R42): what the caller changed since then and what was saved
// meanwhile are brought together by field. A field that both changed is refused with all values, and nothing is saved.
import { type Static, Type } from "@sinclair/typebox";
import { invalidQuery, type QueryReader } from "../../model/input/list-parameters.ts";
import { type FieldError, oneError, RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import type { Access, Draft, FileOptions, Item, ItemContent } from "../../model/items/item.ts";
import type { Json } from "../../shared/json/json.ts";
import { type Conflict, differencesInParts, mergeInParts } from "../../shared/json/three-way-merge.ts";
import { most } from "../../shared/limits.ts";
import { memberOf, withoutUndefined } from "../../shared/objects.ts";
import { Refusal } from "../../shared/refusal.ts";
import { wordOf } from "../../shared/shapes.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import type { RepositoryReader } from "../store/store.ts";
import { describedJson } from "./record-revisions.ts";

/** `ask`: a field in conflict is refused. `yours`: it becomes as it was sent. */
const MERGING = ["ask", "yours"] as const;
export type Merging = (typeof MERGING)[number];

export const MERGE_QUERY: QueryReader<Merging | null> = {
  parameters: [
    {
      name: "merge",
      description:
        "Where the draft is newer than `revision_id` of the body, both changes are merged by field. `ask`: a field that was changed on both sides is refused, 409 with all values. `yours`: it becomes as it was sent. Absent: a newer draft is 412",
      schema: wordOf(MERGING),
    },
  ],
  read(parameters) {
    const sent = parameters.get("merge");
    if (sent === null) return null;
    const known = MERGING.find((each) => each === sent);
    if (known !== undefined) return known;
    throw invalidQuery([{ field: "merge", messages: [`Must be one of: ${MERGING.join(", ")}.`] }]);
  },
};

const AnyValue = Type.Optional(Type.Unsafe<Json>(Type.Unknown()));

/** A field that was changed on both sides; a value is absent where the field is. */
export const ConflictShape = Type.Object(
  { field: Type.String({ description: "Its path" }), base: AnyValue, yours: AnyValue, stored: AnyValue },
  { $id: "DraftConflict", description: "The value before both changes, the one that was sent, and the stored one" },
);
type FieldConflict = Static<typeof ConflictShape>;

/** The parts of a draft that a save over the records interface writes. */
export type DraftParts = Pick<ItemContent, "metadata" | "access"> & FileOptions;

/**
 * What the caller has read: the content of the revision that the body names. Null: it is kept no longer, or was of an
 * earlier draft of this record.
 */
export async function baseOf(
  reader: RepositoryReader,
  item: Item,
  draft: Draft,
  sent: object,
): Promise<DraftParts | null> {
  const revision = memberOf(sent, "revision_id");
  if (typeof revision !== "number") throw oneError("revision_id", RECORD_SENTENCES.missing);
  const isOfDraft = memberOf(sent, "is_draft") !== false;
  if (isOfEarlierDraft(sent, draft)) return null;
  if (isOfDraft && revision === draft.counter) return draft.content;
  if (!Number.isInteger(revision) || revision < 1 || revision > (isOfDraft ? draft.counter : item.revision))
    return null;
  if (!isOfDraft) return (await reader.items.revision(item.id, revision))?.content ?? null;
  return (await reader.draftRevisions.draftRevision(item.id, revision))?.content ?? null;
}

/** Revisions begin again with each draft of a record: a body that was read before this one began is of an earlier one. */
export function isOfEarlierDraft(sent: object, { beganAt }: Pick<Draft, "beganAt">): boolean {
  const updated = memberOf(sent, "updated");
  if (memberOf(sent, "is_draft") === false || typeof updated !== "string" || beganAt === null) return false;
  // Clients write moments in their own way.
  return Date.parse(updated) < Date.parse(beganAt);
}

/** A draft as it was read from a body, and what was wrong there. */
export type ReadParts = DraftParts & { readonly errors: readonly FieldError[] };

/** What is merged, in the model of this interface: what it cannot show is never changed by it. */
const treeOf = async ({ metadata, access, filesEnabled, defaultPreview, fileOrder }: DraftParts) => {
  const { metadata: described, custom_fields } = await describedJson({ metadata, access });
  return {
    metadata: described,
    custom_fields,
    access: accessTree(access),
    files: withoutUndefined({ enabled: filesEnabled, default_preview: defaultPreview, order: fileOrder }),
  };
};

const accessTree = ({ record, files, embargoUntil: until, embargoReason: reason }: Access) => ({
  ...{ record, files, embargo: { until, reason } },
});
type Tree = Awaited<ReturnType<typeof treeOf>>;

/**
 * @param reread reads metadata over the stored draft
 * @throws Refusal `conflict` that names every field with two new values
 */
export async function mergeParts(
  base: DraftParts | null,
  mine: ReadParts,
  stored: Draft,
  merging: Merging,
  reread: (body: object) => Promise<ReadParts>,
): Promise<ReadParts> {
  const [sent, there] = [await treeOf(mine), await treeOf(stored.content)];
  if (base === null) {
    const differences = await inTurns(differencesInParts(there, sent));
    if (merging === "yours" || differences.length === 0) return mine;
    // Nobody knows what the caller has changed.
    throw conflictOf(
      differences.map(({ path, before, after }) => ({ path, base: undefined, mine: after, theirs: before })),
      stored,
    );
  }
  const decided = merging === "yours" ? "mine" : "theirs";
  const { value, conflicts } = await inTurns(mergeInParts(await treeOf(base), sent, there, decided));
  if (merging === "ask" && conflicts.length > 0) throw conflictOf(conflicts, stored);
  // Merged from three values of this type, field by field.
  const { metadata, custom_fields, access, files } = value as Tree;
  const { errors, ...read } = await reread({ metadata, custom_fields });
  const { until: embargoUntil, reason: embargoReason } = access.embargo;
  return {
    metadata: read.metadata,
    access: { ...stored.content.access, record: access.record, files: access.files, embargoUntil, embargoReason },
    ...withoutUndefined({
      ...{ filesEnabled: files.enabled, defaultPreview: files.default_preview, fileOrder: files.order },
    }),
    // What is missing may have come from the other side.
    errors: [...mine.errors.filter(({ messages }) => !messages.includes(RECORD_SENTENCES.missing)), ...errors],
  };
}

const CONFLICTING = "Changed to another value since it was read.";

function conflictOf(found: readonly Conflict[], { counter }: Draft): Refusal {
  const conflicts: readonly FieldConflict[] = found
    .slice(0, most("recordFaults"))
    .map(({ path, base, mine: yours, theirs: stored }) =>
      withoutUndefined({ field: path.join("."), base, yours, stored }),
    );
  const errors = conflicts.map(({ field }) => ({ field, messages: [CONFLICTING] }));
  const message = `The draft was changed meanwhile: ${found.length} ${found.length === 1 ? "field has" : "fields have"} two new values`;
  return new Refusal("conflict", message, { detail: { errors, conflicts, revision_id: counter } });
}
