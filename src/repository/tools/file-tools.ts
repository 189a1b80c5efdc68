// The tools of files (R30; specification 3, "Tool servers", "Limits"; reference 1.2), over the use cases of files of
// records. Files that are fetched or sent in parts: transfer-tools.ts.
import type { Viewer } from "../../auth/account.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Storage } from "../../storage/storage.ts";
import { entryPath } from "../record-files/entries.ts";
import type { RecordFiles } from "../record-files/record-files.ts";
import { FILE_SENTENCES } from "../record-files/sentences.ts";
import type { Records } from "../records/records.ts";
import { briefFile, keyMeant, type OnDraft, onDrafts } from "./draft-files.ts";
import { bytesOf, type GivenBytes, oneSource, partOf, readPart } from "./file-bytes.ts";
import { ToolRefusal } from "./outcome.ts";
import { GIVEN_BYTES, INLINE_BYTES } from "./shapes.ts";
import type { ToolCall } from "./tool.ts";
import { paged, pageOf } from "./tool-input.ts";
import type { HttpCall, HttpHandlers, StdioCall, StdioHandlers } from "./tool-table.ts";
import { transferTools } from "./transfer-tools.ts";

export type FileToolNeeds = {
  readonly files: RecordFiles;
  readonly records: Records;
  readonly storage: Pick<Storage, "read">;
  readonly idOf: (viewer: Viewer, given: string) => Promise<number>;
  readonly baseUrl: string;
  /** A file of this machine that may be imported; null where none may be (stdio alone). */
  readonly localFile: OpenLocalFile | null;
};

/** @throws Refusal for a path outside the configured folder, and for what is not a file. */
export type OpenLocalFile = (path: string) => Promise<GivenBytes>;

type Result = Readonly<Record<string, unknown>>;

/** A call of a tool that takes a record. */
type RecordCall = ToolCall<{ readonly recid: string }>;

type FileToolContext = FileToolNeeds & {
  readonly onDraft: OnDraft;
  readonly recordOf: (call: RecordCall) => Promise<number>;
};

export function fileTools(own: FileToolNeeds) {
  const needs: FileToolContext = {
    ...own,
    onDraft: onDrafts(own),
    recordOf: ({ viewer, args }) => own.idOf(viewer, args.recid),
  };
  const http = {
    ...transferTools(needs),
    list_files: (call) => listFiles(needs, call),
    delete_file: (call) => deleteFile(needs, call, "filename", call.args.filename),
    download_file: (call) => downloadFile(needs, call),
    upload_file: (call) => uploadFile(needs, call),
  } satisfies Partial<HttpHandlers>;
  const stdio = {
    list_files: (call) => listFiles(needs, call),
    delete_file: (call) => deleteFile(needs, call, "key", call.args.key),
    add_file: (call) => addFile(needs, call),
  } satisfies Partial<StdioHandlers>;
  return { http, stdio };
}

async function listFiles(needs: FileToolContext, call: HttpCall<"list_files">): Promise<Result> {
  const { viewer, args } = call;
  const paging = pageOf(args);
  const id = await needs.recordOf(call);
  const isDraft = args.draft;
  const found = isDraft
    ? await readDraftOrTombstone(needs, viewer, id, () => needs.files.draftList(viewer, id))
    : await needs.files.list(viewer, id);
  const { record, enabled, restricted, entries } = found;
  const first = (paging.page - 1) * paging.size;
  return {
    recid: String(record),
    enabled,
    ...(restricted ? { access: "restricted" } : {}),
    ...paged(entries.length, paging),
    files: entries.slice(first, first + paging.size).map(briefFile),
  };
}

/** A deleted record is refused with its tombstone. */
async function readDraftOrTombstone<T>(
  needs: FileToolContext,
  viewer: Viewer,
  id: ItemId,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error, "gone")) await needs.records.readDraft(viewer, id);
    throw error;
  }
}

async function deleteFile(needs: FileToolContext, call: RecordCall, argument: string, name: string): Promise<Result> {
  const id = await needs.recordOf(call);
  const key = await keyMeant(name, () => needs.files.draftList(call.viewer, id));
  await needs.onDraft(call.viewer, id, argument, () => needs.files.remove(call.viewer, id, key));
  return { recid: String(id), deleted: key };
}

async function downloadFile(needs: FileToolContext, call: HttpCall<"download_file">): Promise<Result> {
  const { viewer, args, progress, signal } = call;
  const asked = await needs.recordOf(call);
  const isDraft = args.draft;
  const key = await keyMeant(args.filename, () =>
    isDraft ? needs.files.draftList(viewer, asked) : needs.files.list(viewer, asked),
  );
  const given = isDraft
    ? await readDraftOrTombstone(needs, viewer, asked, () => needs.files.draftContent(viewer, asked, key))
    : await needs.files.content(viewer, asked, key);
  const id = given.visited?.id ?? asked;
  const { sizeBytes } = given;
  const url = `${needs.baseUrl}${entryPath(id, isDraft, key)}/content`;
  const isInParts = args.offset !== undefined || args.max_bytes !== undefined;
  if (sizeBytes > INLINE_BYTES && !isInParts) {
    throw new ToolRefusal(
      "too_large",
      `The file has ${sizeBytes} bytes: more than ${INLINE_BYTES} do not go through a tool.`,
      `it is downloaded at ${url}; offset and max_bytes read a part of it`,
    );
  }
  const start = Math.min(args.offset ?? 0, sizeBytes);
  const end = Math.min(sizeBytes, start + (args.max_bytes ?? GIVEN_BYTES));
  const tell = (done: number): void => {
    if (signal?.aborted === true) throw new ToolRefusal("unavailable", "The call was called off.", "call again");
    progress(done, end - start, key);
  };
  const read = await readPart(needs.storage, given, { start, end }, tell);
  const part = partOf(read, end === sizeBytes);
  const reached = start + part.bytes.length;
  const isCut = reached < sizeBytes;
  return {
    recid: String(id),
    key,
    size: sizeBytes,
    content_type: given.mediaType,
    content_base64: part.bytes.toBase64(),
    ...(part.text === null ? {} : { text: part.text }),
    offset: start,
    truncated: isCut,
    ...(isCut ? { next_offset: reached, url } : {}),
  };
}

async function openLocal(needs: FileToolContext, path: string): Promise<GivenBytes> {
  if (needs.localFile !== null) return await needs.localFile(path);
  throw new ToolRefusal("forbidden", "No file of this machine may be imported.", "send text or content_base64");
}

async function uploadFile(needs: FileToolContext, call: HttpCall<"upload_file">) {
  const { viewer, args } = call;
  const { content_text, content_base64 } = args;
  const bytes = bytesOf(...oneSource({ content_text, content_base64 }));
  const id = await needs.recordOf(call);
  const put = { key: args.filename, enabling: true, replacing: args.overwrite };
  const { entry, outcome } = await needs.onDraft(viewer, id, "filename", () =>
    needs.files.putFile(viewer, id, put, bytes),
  );
  const isKept = outcome === "kept";
  return {
    recid: String(id),
    ...briefFile(entry),
    ...(isKept ? { exists: true, uploaded: false } : { uploaded: true, replaced: outcome === "replaced" }),
  };
}

async function addFile(needs: FileToolContext, call: StdioCall<"add_file">) {
  const { viewer, args } = call;
  const { text, content_base64, source_path } = args;
  const [source, value] = oneSource({ text, content_base64, source_path });
  const bytes = source === "source_path" ? await openLocal(needs, value) : bytesOf(source, value);
  const id = await needs.recordOf(call);
  const put = { key: args.key, replacing: true };
  const { entry, outcome } = await needs.onDraft(viewer, id, "key", () =>
    orNotEnabled(() => needs.files.putFile(viewer, id, put, bytes)),
  );
  return { recid: String(id), ...briefFile(entry), replaced: outcome === "replaced" };
}

/** Names the argument by which a draft gets files. */
async function orNotEnabled<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error, "invalid") || error.message !== FILE_SENTENCES.notEnabled) throw error;
    throw needsFiles();
  }
}

export const needsFiles = (): ToolRefusal =>
  new ToolRefusal(
    "invalid",
    FILE_SENTENCES.notEnabled,
    "create_record with files_enabled=true makes a draft that carries files",
  );
