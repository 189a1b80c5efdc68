// Published records are deleted and restored by administrators (R2c, R2e; specification 3, "States and transitions"): a
// tombstone states what was deleted and why.
import type { Viewer } from "../../auth/account.ts";
import {
  invalidRecord,
  permissionDenied,
  RECORD_SENTENCES,
  requireRevision,
  sentRecord,
  unknownRecord,
} from "../../model/input/record-refusals.ts";
import { may } from "../../model/rights/policy.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import {
  boolean,
  type Field,
  object,
  optional,
  orNull,
  refined,
  type Sent,
  unread,
  words,
} from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isObject, maybe, memberOf } from "../../shared/objects.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { recordDois } from "./record-dois.ts";
import type { RecordView } from "./record-json.ts";
import type { RecordReading, RecordsNeeds } from "./record-reading.ts";
import { ANYTHING, type ReadRevisions, type RecordWriting } from "./record-writing.ts";

const TEXT_MAX = 10_000;
const REASON_MAX = 200;

export interface RecordRemoval {
  remove(viewer: Viewer, id: ItemId, body: Sent<unknown>, seen?: ReadRevisions): Promise<void>;
  /** `seen`: the revision that the deletion made. */
  restore(viewer: Viewer, id: ItemId, seen?: ReadRevisions): Promise<RecordView>;
}

export const recordRemoval = (
  { items }: RecordsNeeds,
  reading: RecordReading,
  { change }: Pick<RecordWriting, "change">,
): RecordRemoval => {
  async function remove(
    viewer: Viewer,
    id: ItemId,
    body: Sent<unknown>,
    seen: ReadRevisions = ANYTHING,
  ): Promise<void> {
    await change(viewer, async (tx, now) => {
      const { item } = await known(tx, now, id);
      if (item.state === "deleted") throw new Refusal("invalid", RECORD_SENTENCES.deletionStatus);
      if (item.content === null) throw unknownRecord();
      requireRevision(seen.revisions, item.revision);
      await items.remove(tx, now, id, await readRemoval(tx, body()));
    });
  }

  async function restore(viewer: Viewer, id: ItemId, seen: ReadRevisions = ANYTHING): Promise<RecordView> {
    await change(viewer, async (tx, now) => {
      const { item } = await known(tx, now, id);
      if (item.state === "published") throw new Refusal("invalid", RECORD_SENTENCES.deletionStatus);
      if (item.content === null) throw unknownRecord();
      requireRevision(seen.revisions, item.revision);
      const { metadata } = item.content;
      const errors = await recordDois({ items }).heldDoiFaults(tx, now, { parentId: item.parentId, metadata });
      if (errors.length > 0) throw invalidRecord(errors);
      await items.restore(tx, now, id);
    });
    return await reading.read(viewer, id);
  }

  /** Checks the role before anything about the record is returned. */
  async function known(tx: RepositoryWriter, viewer: Viewer, id: ItemId) {
    if (!may(viewer, "item.restore", null)) throw permissionDenied();
    const found = await tx.items.lockItem(id);
    if (found === null) throw unknownRecord();
    return found;
  }

  return { remove, restore };
};

const reasonOf = (isReason: (id: string) => boolean): Field<string> =>
  refined(words(TEXT_MAX, { description: "Entry of the vocabulary removalreasons" }), (id, path) => {
    if (isReason(id)) return id;
    throw faultSentence(path, `Invalid value ${id.slice(0, 100)}.`);
  });

/** Why a record is deleted. */
const removalOf = (isReason: (id: string) => boolean) =>
  object(
    {
      note: optional(orNull(words(TEXT_MAX))),
      citation_text: optional(orNull(words(TEXT_MAX))),
      is_visible: optional(orNull(boolean({ default: true }))),
      removal_reason: optional(orNull(object({ id: reasonOf(isReason) }, { others: "ignored" }))),
    },
    { others: "ignored", $id: "Removal" },
  );

/** A deletion need not have a body. */
export const REMOVAL = optional(unread(removalOf(() => true)));

/** @throws Refusal naming every field that is wrong */
export async function readRemoval(tx: RepositoryWriter, sent: unknown) {
  const reason = isObject(sent) ? memberOf(sent, "removal_reason") : undefined;
  const id = isObject(reason) ? memberOf(reason, "id") : undefined;
  const entry =
    typeof id === "string" && id.length <= REASON_MAX
      ? await tx.communities.vocabularyEntry("removalreasons", id)
      : null;
  const removal = sentRecord(
    removalOf(() => entry !== null),
    sent === undefined ? {} : sent,
  )();
  return {
    reason: removal.removal_reason?.id ?? null,
    note: removal.note ?? "",
    isVisible: removal.is_visible ?? true,
    ...maybe("citation", removal.citation_text),
  };
}
