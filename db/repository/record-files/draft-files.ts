// The queries of pending files of drafts (src/repository/store/draft-files.ts; R37).
import type { ItemFile } from "../../../src/model/items/item.ts";
import type {
  DraftFile,
  DraftFileReader,
  DraftFileWriter,
  FileTransfer,
  RemovedFile,
} from "../../../src/repository/store/draft-files.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import { maybe } from "../../../src/shared/objects.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, oneRow } from "../../engine/record.ts";
import type { DraftFileTable, RemovedFileTable } from "../../engine/repository-schema.ts";
import { storable } from "../items/item-rows.ts";

const COLUMNS = `item_id, key, id, transfer, state, metadata, size_bytes, storage_key, sha256, md5, details, account_id, created_at, updated_at`;
const OF_ITEM = statement(() => `select ${COLUMNS} from draft_file where item_id = $1 order by key`);
const BY_KEY = statement(() => `select ${COLUMNS} from draft_file where item_id = $1 and key = $2`);
const BY_ID = statement(() => `select ${COLUMNS} from draft_file where id = $1`);
const REMOVED_COLUMNS = "id, item_id, removed_at, entry";
const REMOVED_OF = statement(
  () =>
    `select ${REMOVED_COLUMNS} from removed_file where item_id = $1 and removed_at >= $2 order by removed_at desc, id limit $3`,
);
const REMOVED_ONE = statement(() => `select ${REMOVED_COLUMNS} from removed_file where item_id = $1 and id = $2`);
const STALE = statement(
  () =>
    `select ${COLUMNS} from draft_file where updated_at < $1 and state = 'pending' and transfer <> 'L' order by updated_at, id limit $2`,
);

/** Details of an upload without a separate column. */
type Details = {
  readonly url?: string | null;
  readonly parts?: number;
  readonly partBytes?: number;
  readonly uploadId?: string;
  readonly fingerprint?: string;
  readonly announcedBytes?: number;
  readonly error?: string;
  readonly rule?: DraftFile["rule"];
};

function transferOf(type: string, details: Details): FileTransfer {
  const { url = null, parts = 0, partBytes = 0, uploadId = "", announcedBytes, fingerprint } = details;
  if (type === "F") return { type, url };
  return type === "M"
    ? { type, parts, partBytes, uploadId, ...maybe("fingerprint", fingerprint) }
    : { type: "L", ...maybe("announcedBytes", announcedBytes) };
}

function read(row: DraftFileTable): DraftFile {
  // Written by `cellsOf` only.
  const details = JSON.parse(row.details) as Details;
  return {
    itemId: Number(row.item_id),
    key: row.key,
    id: row.id,
    transfer: transferOf(row.transfer, details),
    error: row.state === "failed" ? (details.error ?? "") : null,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as NonNullable<DraftFile["metadata"]>),
    sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
    received: row.storage_key === null ? null : { storageKey: row.storage_key, sha256: row.sha256, md5: row.md5 },
    accountId: Number(row.account_id),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...maybe("rule", details.rule),
  };
}

const readRemoved = (row: RemovedFileTable): RemovedFile => ({
  id: row.id,
  itemId: Number(row.item_id) as ItemId,
  // Written by `insertRemovedFiles` only.
  file: JSON.parse(row.entry) as ItemFile,
  removedAt: row.removed_at,
});

export function draftFileReader(session: Session): DraftFileReader {
  return {
    draftFiles: (itemId) => allRows(session, OF_ITEM, [itemId], read),
    draftFile: (itemId, key) => oneRow(session, BY_KEY, [itemId, key], read),
    draftFileById: (id) => oneRow(session, BY_ID, [id], read),
    staleDraftFiles: (before, limit) => allRows(session, STALE, [before, limit], read),
    removedFiles: (itemId, since, limit) => allRows(session, REMOVED_OF, [itemId, since, limit], readRemoved),
    removedFile: (itemId, id) => oneRow(session, REMOVED_ONE, [itemId, id], readRemoved),
  };
}

const INSERT = bulkStatement(
  [
    ...["id", "transfer", "state", "metadata"].map(text),
    number("size_bytes"),
    ...["storage_key", "sha256", "md5", "details", "updated_at"].map(text),
    ...[number("item_id"), text("key"), number("account_id"), text("created_at")],
  ],
  ({ names, from }) => `insert into draft_file (${names}) select ${names} from ${from} where true`,
);
const SAVE = statement(
  () => `update draft_file set transfer = $2, state = $3, metadata = $4, size_bytes = $5, storage_key = $6, sha256 = $7, md5 = $8,
      details = $9, updated_at = $10
    where id = $1 returning id`,
);
const INSERT_REMOVED = bulkStatement(
  [...["id", "storage_key", "removed_at", "entry"].map(text), number("item_id")],
  ({ names, from }) =>
    `insert into removed_file (${names}) select ${names} from ${from} where true on conflict do nothing`,
);
const FORGET_REMOVED = statement(() => "delete from removed_file where id = $1");
const FORGET_OLDER = statement(
  () => `delete from removed_file where item_id = $1
    and id not in (select id from removed_file where item_id = $1 order by removed_at desc, id limit $2)`,
);
const FORGET_REMOVED_BEFORE = statement(() => "delete from removed_file where removed_at < $1");
const REMOVE = statement(() => "delete from draft_file where id = $1 returning id");
const REMOVE_ALL = statement(() => "delete from draft_file where item_id = $1");

function cellsOf({ id, transfer, error, metadata, rule, sizeBytes, received, updatedAt }: DraftFile) {
  const { type, ...more } = transfer;
  const details: Details = { ...more, ...maybe("rule", rule), ...(error === null ? {} : { error: storable(error) }) };
  return [
    id,
    type,
    error === null ? "pending" : "failed",
    metadata === null ? null : JSON.stringify(metadata),
    sizeBytes,
    received?.storageKey ?? null,
    received?.sha256 ?? "",
    received?.md5 ?? null,
    JSON.stringify(details),
    updatedAt,
  ] as const;
}

export function draftFileWriter(session: Session): DraftFileWriter {
  return {
    ...draftFileReader(session),
    insertDraftFiles: async (files) => {
      await INSERT(
        session,
        files.map((file) => [...cellsOf(file), file.itemId, file.key, file.accountId, file.createdAt]),
      );
    },
    saveDraftFile: async (file) => (await rowsOf(session, SAVE, cellsOf(file))).length > 0,
    removeDraftFile: async (id) => (await rowsOf(session, REMOVE, [id])).length > 0,
    removeDraftFiles: async (itemId) => {
      await run(session, REMOVE_ALL, [itemId]);
    },
    insertRemovedFiles: async (files) => {
      await INSERT_REMOVED(
        session,
        files.map(({ id, itemId, file, removedAt }) => [
          ...[id, file.storageKey, removedAt, JSON.stringify(file)],
          itemId,
        ]),
      );
    },
    forgetRemovedFile: async (id) => {
      await run(session, FORGET_REMOVED, [id]);
    },
    keepNewestRemoved: async (itemId, most) => {
      await run(session, FORGET_OLDER, [itemId, most]);
    },
    forgetRemovedFiles: async (before) => {
      await run(session, FORGET_REMOVED_BEFORE, [before]);
    },
  };
}
