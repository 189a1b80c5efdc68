// Published records are deleted and restored by administrators (R2c, R2e; specification 3, "States and transitions"): a
// tombstone states what was deleted and why.
import type { Viewer } from "../../auth/account.ts";
import { bodyObject } from "../../model/input/body-reading.ts";
import {
  type FieldError,
  invalidRecord,
  permissionDenied,
  RECORD_SENTENCES,
  requireRevision,
  unknownRecord,
} from "../../model/input/record-refusals.ts";
import { may } from "../../model/rights/policy.ts";
import { isObject, memberOf } from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { recordDois } from "./record-dois.ts";
import type { RecordView } from "./record-json.ts";
import type { RecordReading, RecordsNeeds } from "./record-reading.ts";
import { ANYTHING, type ReadRevisions, type RecordWriting } from "./record-writing.ts";

const TEXT_MAX = 10_000;

export interface RecordRemoval {
  remove(viewer: Viewer, id: ItemId, body: unknown, seen?: ReadRevisions): Promise<void>;
  /** `seen`: the revision that the deletion made. */
  restore(viewer: Viewer, id: ItemId, seen?: ReadRevisions): Promise<RecordView>;
}

export const recordRemoval = (
  { items }: RecordsNeeds,
  reading: RecordReading,
  { change }: Pick<RecordWriting, "change">,
): RecordRemoval => {
  async function remove(viewer: Viewer, id: ItemId, body: unknown, seen: ReadRevisions = ANYTHING): Promise<void> {
    await change(viewer, async (tx, now) => {
      const { item } = await known(tx, now, id);
      if (item.state === "deleted") throw new Refusal("invalid", RECORD_SENTENCES.deletionStatus);
      if (item.content === null) throw unknownRecord();
      requireRevision(seen.revisions, item.revision);
      await items.remove(tx, now, id, await readRemoval(tx, body));
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

/** `{removal_reason?: {id}, note?, is_visible?, citation_text?}`. @throws Refusal naming every field that is wrong. */
async function readRemoval(tx: RepositoryWriter, body: unknown) {
  const errors: FieldError[] = [];
  const sent = body === undefined ? {} : bodyObject(body);
  const text = (name: string): string | undefined => {
    const value = memberOf(sent, name) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === "string" && value.length <= TEXT_MAX) return value;
    const message = typeof value === "string" ? `Longer than maximum length ${TEXT_MAX}.` : "Not a valid string.";
    errors.push({ field: name, messages: [message] });
    return undefined;
  };
  const note = text("note") ?? "";
  const citation = text("citation_text");
  const shown = memberOf(sent, "is_visible") ?? true;
  if (typeof shown !== "boolean") errors.push({ field: "is_visible", messages: ["Not a valid boolean."] });
  const reason = await reasonIn(tx, memberOf(sent, "removal_reason"), errors);
  if (errors.length > 0) throw invalidRecord(errors);
  return { reason, note, isVisible: shown === true, ...(citation === undefined ? {} : { citation }) };
}

const REASON = "removal_reason";

async function reasonIn(tx: RepositoryWriter, sent: unknown, errors: FieldError[]): Promise<string | null> {
  const wrong = (field: string, message: string): null => {
    errors.push({ field, messages: [message] });
    return null;
  };
  if (sent === undefined || sent === null) return null;
  const id = isObject(sent) ? memberOf(sent, "id") : undefined;
  if (!isObject(sent)) return wrong(REASON, "Invalid input type.");
  if (id === undefined) return wrong(`${REASON}.id`, RECORD_SENTENCES.missing);
  if (typeof id !== "string") return wrong(`${REASON}.id`, "Not a valid string.");
  const entry = id.length > 200 ? null : await tx.communities.vocabularyEntry("removalreasons", id);
  return entry === null ? wrong(`${REASON}.id`, `Invalid value ${id.slice(0, 100)}.`) : id;
}
