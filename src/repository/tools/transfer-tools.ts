// The tools for files whose bytes are not sent in a call (R30; specification 3, "States and transitions" and "Tool
// servers"; reference 1.2): files that the repository fetches, and files that are sent in parts directly to the
// storage.
import type { Viewer } from "../../auth/account.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { PART_MAX_BYTES } from "../../storage/limits.ts";
import type { FileEntry } from "../record-files/entries.ts";
import type { RecordFiles } from "../record-files/record-files.ts";
import { mayFetchFiles } from "../record-files/remote-files.ts";
import { briefFile, keyMeant, type OnDraft } from "./draft-files.ts";
import { ToolRefusal } from "./outcome.ts";
import { PART_BYTES, PARTS_SHOWN, SMALLEST_PART_BYTES } from "./shapes.ts";
import type { ToolCall } from "./tool.ts";
import type { HttpCall, HttpHandlers } from "./tool-table.ts";

/** Parts of one upload at most; larger files have larger parts. */
const PARTS_MAX = 10_000;

type Result = Readonly<Record<string, unknown>>;

/** A call of a tool that takes a file of a draft. */
type FileCall = ToolCall<{ readonly recid: string; readonly filename: string }>;

type TransferNeeds = {
  readonly files: RecordFiles;
  readonly onDraft: OnDraft;
  readonly recordOf: (call: FileCall) => Promise<number>;
};

export function transferTools(needs: TransferNeeds) {
  return {
    upload_file_from_url: (call) => uploadFileFromUrl(needs, call),
    start_multipart_upload: (call) => startMultipartUpload(needs, call),
    complete_multipart_upload: (call) => completeMultipartUpload(needs, call),
    abort_multipart_upload: (call) => abortMultipartUpload(needs, call),
  } satisfies Partial<HttpHandlers>;
}

/** The file with the key; null: none. */
async function entryWithKey(needs: TransferNeeds, viewer: Viewer, id: ItemId, key: string): Promise<FileEntry | null> {
  const { entries } = await needs.files.draftList(viewer, id);
  return entries.find((each) => each.key === key) ?? null;
}

/** Addresses of the parts of an upload from `first` on, with the parts that were received. */
async function partAddresses(
  needs: TransferNeeds,
  viewer: Viewer,
  id: ItemId,
  key: string,
  first: number,
): Promise<Result> {
  const { partLinks = [], uploaded = [], transfer, sizeBytes } = await needs.files.partAddresses(viewer, id, key);
  const partBytes = transfer.type === "M" ? transfer.partBytes : 0;
  const there = new Set(uploaded);
  const shown = partLinks.slice(first - 1, first - 1 + PARTS_SHOWN);
  const next = first + shown.length;
  const parts = shown.map(({ part, url, expiration }) => ({
    part,
    url,
    expires_at: expiration,
    ...(there.has(part) ? { uploaded: true } : {}),
  }));
  return {
    recid: String(id),
    key,
    size: sizeBytes,
    part_size: partBytes,
    part_count: partLinks.length,
    parts,
    ...(parts.length < partLinks.length ? { truncated: ["parts"] } : {}),
    ...(next <= partLinks.length ? { next_part: next } : {}),
    hint: hintOf(id, key, partBytes, next <= partLinks.length ? next : null),
  };
}

/** Runs the work for the file that the call names. */
const withFile = <T>(needs: TransferNeeds, call: FileCall, work: (id: ItemId, key: string) => Promise<T>): Promise<T> =>
  needs.recordOf(call).then(async (id) => {
    const { viewer, args } = call;
    const key = await keyMeant(args.filename, () => needs.files.draftList(viewer, id));
    return await needs.onDraft(viewer, id, "filename", () => work(id, key));
  });

function uploadFileFromUrl(needs: TransferNeeds, call: HttpCall<"upload_file_from_url">) {
  return withFile(needs, call, async (id, key) => {
    const { viewer, args } = call;
    const there = await entryWithKey(needs, viewer, id, key);
    requireFetching(viewer);
    const replacing = args.overwrite;
    if (there !== null && !replacing) return { recid: String(id), ...briefFile(there), exists: true };
    const transfer = { type: "F", url: args.url };
    const listed = await needs.files.register(viewer, id, () => [{ key, transfer }], { enabling: true, replacing });
    const entry = listed.entries.find((each) => each.key === key);
    return {
      recid: String(id),
      key,
      status: entry?.status ?? "pending",
      transfer: { type: "F" },
      replaced: there !== null,
      note: "The repository fetches it now: done once list_files (draft=true) reports completed",
    };
  });
}

function startMultipartUpload(needs: TransferNeeds, call: HttpCall<"start_multipart_upload">) {
  return withFile(needs, call, async (id, key) => {
    const { viewer, args } = call;
    const { size } = args;
    const plan = partsOf(size, args.part_size);
    const replacing = args.overwrite;
    const there = await entryWithKey(needs, viewer, id, key);
    if (there !== null && !replacing) {
      const isUnderWay = there.transfer.type === "M" && there.status === "pending";
      const more = isUnderWay ? await partAddresses(needs, viewer, id, key, args.first_part) : { parts: [] };
      // Each part shows whether it has arrived.
      const { uploaded: _, ...file } = there;
      return { recid: String(id), ...briefFile(file), ...more, exists: true, replaced: false };
    }
    const transfer = { type: "M", parts: plan.count, part_size: plan.bytes };
    await needs.files.register(viewer, id, () => [{ key, size, transfer }], { enabling: true, replacing });
    return { ...(await partAddresses(needs, viewer, id, key, args.first_part)), replaced: there !== null };
  });
}

function completeMultipartUpload(needs: TransferNeeds, call: HttpCall<"complete_multipart_upload">) {
  return withFile(needs, call, async (id, key) => {
    call.progress(0, 1, key);
    const { entry } = await orMissing(id, key, () => needs.files.commit(call.viewer, id, key));
    call.progress(1, 1, key);
    return { recid: String(id), ...briefFile(entry) };
  });
}

function abortMultipartUpload(needs: TransferNeeds, call: HttpCall<"abort_multipart_upload">) {
  return withFile(needs, call, async (id, key) => {
    const { entry } = await needs.files.draftEntry(call.viewer, id, key);
    if (entry.transfer.type !== "M") {
      throw new ToolRefusal(
        "invalid",
        `"${key}" is not an upload in parts.`,
        `delete_file (recid ${id}) takes a finished file out of a draft`,
      );
    }
    await needs.files.remove(call.viewer, id, key);
    return { recid: String(id), aborted: key };
  });
}

/** Who may not have files fetched learns how else they come. */
function requireFetching(viewer: Viewer): void {
  try {
    mayFetchFiles(viewer);
  } catch (error) {
    if (!isRefusal(error, "forbidden")) throw error;
    throw new ToolRefusal(
      "forbidden",
      error.message,
      "administrators only: start_multipart_upload takes files of any size from you",
    );
  }
}

/** @throws ToolRefusal for parts that are too small or too large. */
function partsOf(size: number, asked: number | null): { readonly bytes: number; readonly count: number } {
  let bytes = asked ?? PART_BYTES;
  const isTooSmall = bytes < 1 || (bytes < SMALLEST_PART_BYTES && size > bytes);
  if (isTooSmall || bytes > PART_MAX_BYTES) {
    const wanted = isTooSmall
      ? `every part but the last has at least ${SMALLEST_PART_BYTES} bytes`
      : `a part has at most ${PART_MAX_BYTES} bytes`;
    const message = `part_size is ${bytes}: ${wanted}.`;
    throw new ToolRefusal("invalid", message, `leave part_size out: it is ${PART_BYTES} then`, [
      { field: "part_size", messages: [message] },
    ]);
  }
  while (Math.ceil(size / bytes) > PARTS_MAX) bytes *= 2;
  return { bytes, count: Math.ceil(size / bytes) };
}

const hintOf = (id: ItemId, key: string, bytes: number, next: number | null): string =>
  [
    ...(next === null
      ? []
      : [
          `start_multipart_upload (recid ${id}, filename ${key}, size, overwrite=false, first_part=${next}) has the next addresses`,
        ]),
    `split -b ${bytes} FILE part_`,
    "curl --fail -X PUT --data-binary @part_aa 'URL OF PART 1'   # each part to its url, in the order of their names, without a token",
    `then complete_multipart_upload (recid ${id}, filename ${key})`,
  ].join("\n");

/** What is missing is sent to addresses that can be asked for again. */
async function orMissing<T>(id: ItemId, key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    throw new ToolRefusal(
      "invalid",
      error.message,
      `start_multipart_upload (recid ${id}, filename ${key}, overwrite=false) gives the addresses again, and which parts are there`,
    );
  }
}
