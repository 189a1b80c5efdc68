// What the tools that change files of a draft have in common (R30; reference 1.1, 1.2): how an entry is shown, and the
// refusal if no draft exists that could be changed.
import type { Viewer } from "../../auth/account.ts";
import { withUnseenShown } from "../../model/files/file-names.ts";
import { type FieldError, permissionDenied } from "../../model/input/record-refusals.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isRefusal, type Refusal } from "../../shared/refusal.ts";
import type { FileEntry } from "../record-files/entries.ts";
import { FILE_SENTENCES } from "../record-files/sentences.ts";
import type { Records } from "../records/records.ts";
import { isMarked, ToolRefusal } from "./outcome.ts";

type Result = Readonly<Record<string, unknown>>;

/** What a model needs of a file; links and numbers inside the store are left out. */
export function briefFile({
  key,
  sizeBytes,
  checksum,
  mediaType,
  status,
  transfer,
  uploaded,
  error,
}: FileEntry): Result {
  return {
    key,
    ...(sizeBytes === null ? {} : { size: sizeBytes }),
    ...(checksum === null ? {} : { checksum }),
    mimetype: mediaType,
    status,
    transfer: {
      type: transfer.type,
      ...(transfer.type === "M" ? { parts: transfer.parts, part_size: transfer.partBytes } : {}),
      ...(uploaded === undefined ? {} : { uploaded_parts: uploaded }),
    },
    ...(error === null ? {} : { error }),
  };
}

/**
 * Runs the work on a draft; a refusal names the call that helps. `argument`: the caller's name of the key of a file.
 */
export type OnDraft = <T>(viewer: Viewer, id: ItemId, argument: string, work: () => Promise<T>) => Promise<T>;

export function onDrafts({ records }: { readonly records: Pick<Records, "read" | "readDraft"> }): OnDraft {
  /** Why the files of this draft do not change, with the call that helps. */
  async function explained(viewer: Viewer, id: ItemId, refused: Refusal): Promise<Refusal> {
    const locked = new ToolRefusal(
      "forbidden",
      FILE_SENTENCES.locked,
      `files change in a draft that was never published: new_version (recid ${id}) begins one of a published record`,
    );
    const draft = await orRefusal(records.readDraft(viewer, id));
    if ("item" in draft) return draft.item.state === "draft" || refused.kind !== "forbidden" ? refused : locked;
    // With its tombstone.
    if (draft.kind === "gone") return draft;
    const published = await orRefusal(records.read(viewer, id));
    // What the caller may not read does not exist; what they may read they may not change.
    if (!("item" in published)) return refused;
    return published.editable ? locked : permissionDenied();
  }

  /** `argument`: the name by which the caller sent the key of a file. */
  return async function onDraft<T>(viewer: Viewer, id: ItemId, argument: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error, "forbidden", "not_found", "gone")) throw await explained(viewer, id, error);
      if (isRefusal(error, "invalid")) throw inArguments(error, argument);
      throw error;
    }
  };
}

/** The key of a file that a caller names, who may have read it as results show it. `list`: the files that are there. */
export async function keyMeant(name: string, list: () => Promise<FileList>): Promise<string> {
  if (!isMarked(name)) return name;
  const there = await orRefusal(list());
  if (!("entries" in there)) return name;
  const keys = there.entries.map(({ key }) => key);
  return keys.includes(name) ? name : (keys.find((key) => withUnseenShown(key) === name) ?? name);
}

type FileList = { readonly entries: readonly Pick<FileEntry, "key">[] };

async function orRefusal<T>(work: Promise<T>): Promise<T | Refusal> {
  try {
    return await work;
  } catch (error) {
    if (isRefusal(error, "forbidden", "not_found", "gone", "unauthenticated")) return error;
    throw error;
  }
}

/** Fields of the interface of files, as the arguments that they came from. */
function inArguments(refused: Refusal, argument: string): Refusal {
  const { errors } = refused.detail;
  if (refused instanceof ToolRefusal || !Array.isArray(errors)) return refused;
  const names: Readonly<Record<string, string>> = {
    key: argument,
    "0.key": argument,
    "0.transfer.url": "url",
    "0.transfer.uri": "url",
    "0.size": "size",
  };
  // Written by invalidRecord only.
  const renamed = (errors as readonly FieldError[]).map(({ field, messages }) => ({
    field: Object.hasOwn(names, field) ? (names[field] ?? field) : field,
    messages,
  }));
  const isDomain = renamed.some(({ messages }) => messages.includes(FILE_SENTENCES.domain));
  const hint = isDomain
    ? "files come from the hosts that the operator allows; upload_file and start_multipart_upload take them from you"
    : "a key is a name or a path with slashes, without control characters, empty parts, . and ..";
  return new ToolRefusal("invalid", isDomain ? FILE_SENTENCES.domain : refused.message, hint, renamed);
}
