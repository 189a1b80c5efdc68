// The queries of texts of files (src/repository/store/full-text.ts; R35).
import type { PrivateSettings } from "../../../src/model/items/item.ts";
import {
  type FileText,
  type FullTextReader,
  type FullTextWriter,
  readFiles,
  type TextMark,
  type TextState,
} from "../../../src/repository/store/full-text.ts";
import { yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import { patiently, rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";
import { allRows, rowsAs } from "../../engine/record.ts";
import type { FileSetEntryTable, FileTextTable } from "../../engine/repository-schema.ts";
import { isLive, toFile } from "../items/item-rows.ts";

const MARK = rowsAs<Omit<FileTextTable, "text">, TextMark>({
  sha256: "sha256",
  // The table's check allows no other states.
  state: { column: "state", read: (cell: TextState) => cell, write: (state) => state },
  reason: "reason",
  characters: { column: "characters", read: (cell: number | string) => Number(cell), write: (count) => count },
  reader: { column: "reader", read: (cell: number | string) => Number(cell), write: (reader) => reader },
  at: "at",
});

const TEXTS = statement(
  (words) =>
    `select sha256, substr(text, 1, $2) as text from file_text where sha256 ${words.inList("$1")} and state = 'done'`,
);
const MARKS = statement((words) => `select ${MARK.list} from file_text where sha256 ${words.inList("$1")}`);

/** Texts in one statement: each may be a million characters long. */
const TEXTS_AT_ONCE = 20;

async function fileTexts(
  session: Session,
  sha256s: readonly string[],
  characters: number,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(sha256s)];
  const texts = new Map<string, string>();
  for (let start = 0; start < wanted.length; start += TEXTS_AT_ONCE) {
    if (start > 0) await yieldToEventLoop();
    const some = textList(session, wanted.slice(start, start + TEXTS_AT_ONCE));
    const rows = await rowsOf<Pick<FileText, "sha256" | "text">>(session, TEXTS, [some, characters]);
    for (const { sha256, text } of rows) texts.set(sha256, text);
  }
  return texts;
}

async function textMarks(session: Session, sha256s: readonly string[]): Promise<ReadonlyMap<string, TextMark>> {
  if (sha256s.length === 0) return new Map();
  const marks = await allRows(session, MARKS, [textList(session, sha256s)], MARK.read);
  return new Map(marks.map((mark) => [mark.sha256, mark]));
}

const LIST = statement(
  (words) => `select ${MARK.list},
      (select min(e.name) from file_set_entry e where e.sha256 = t.sha256 and e.storage_key is not null) as file,
      (select min(i.id) from file_set_entry e join item i on i.file_set_id = e.file_set_id
        where e.sha256 = t.sha256 and e.storage_key is not null) as item_id
    from file_text t where state ${words.inList("$1")} and sha256 > $2 order by sha256 limit $3`,
);
const COUNT = statement(() => "select state, count(*) as count from file_text group by state order by state");
const CONTENTS = statement(
  () => `select p.sha256, t.reader from (
      select distinct sha256 from file_set_entry where storage_key is not null and sha256 > $1 order by sha256 limit $2
    ) p left join file_text t on t.sha256 = p.sha256 order by p.sha256`,
);

async function lackingTexts(session: Session, after: string, reader: number, limit: number) {
  const rows = await rowsOf<{ sha256: string; reader: number | string | null }>(session, CONTENTS, [after, limit]);
  const lacking = rows.filter((row) => row.reader === null || Number(row.reader) < reader);
  return {
    sha256s: lacking.map(({ sha256 }) => sha256),
    last: rows.length < limit ? null : (rows.at(-1)?.sha256 ?? null),
  };
}

const FILES = statement(
  (words) => `select e.*, i.id as item_id, i.settings from file_set_entry e cross join item i
    where e.sha256 ${words.inList("$1")} and e.storage_key is not null
      and i.file_set_id = e.file_set_id and i.state = 'published' order by e.sha256, i.id`,
);

async function textFiles(session: Session, sha256s: readonly string[]) {
  if (sha256s.length === 0) return [];
  type Row = FileSetEntryTable & { item_id: number | string; settings: string | null };
  const rows = await rowsOf<Row>(session, FILES, [textList(session, sha256s)]);
  return rows.flatMap((row) => {
    if (!isLive(row)) return [];
    // Only what was written here is read.
    const settings = JSON.parse(row.settings ?? "{}") as PrivateSettings;
    const itemId = Number(row.item_id);
    return readFiles({ files: [toFile(row)], settings }).map((file) => ({ ...file, itemId }));
  });
}

export function fullTextReader(session: Session): FullTextReader {
  return {
    fileTexts: (sha256s, characters) => fileTexts(session, sha256s, characters),
    textMarks: (sha256s) => textMarks(session, sha256s),
    async listTexts(states, after, limit) {
      type Row = { file: string | null; item_id: number | string | null };
      const rows = await rowsOf<Row>(session, LIST, [textList(session, states), after, limit]);
      return rows.map((row) => ({
        ...MARK.read(row),
        file: row.file,
        itemId: row.item_id === null ? null : Number(row.item_id),
      }));
    },
    async countTexts() {
      const rows = await rowsOf<{ state: TextState; count: number | string }>(patiently(session), COUNT);
      return rows.map(({ state, count }) => ({ state, count: Number(count) }));
    },
    lackingTexts: (after, reader, limit) => lackingTexts(session, after, reader, limit),
    textFiles: (sha256s) => textFiles(session, sha256s),
  };
}

/**
 * Locked to the end of the transaction: a change that removes the last such file is done before, or finds the text and
 * deletes it.
 */
const HOLD = statement(
  ({ dialect }) => `select 1 as found from file_set_entry where sha256 = $1 and storage_key is not null limit 1
    ${dialect === "postgres" ? "for share" : ""}`,
);
const SAVE = statement(
  () => `insert into file_text (sha256, state, reason, reader, at, text, characters) values ($1, $2, $3, $4, $5, $6, length($6))
    on conflict (sha256) do update set state = excluded.state, reason = excluded.reason, reader = excluded.reader,
      at = excluded.at, text = excluded.text, characters = excluded.characters`,
);
const RETRY = statement(
  (words) => `update file_text set reader = 0
    where reader > 0 and state ${words.inList("$1")} and ($2 = '' or sha256 = $2) returning sha256`,
);
const PAGE_END = statement(
  () =>
    `select max(sha256) as last, count(*) as count from (select sha256 from file_text where sha256 > $1 order by sha256 limit $2) p`,
);
const DROP_STRAY = statement(
  () => `delete from file_text where sha256 > $1 and sha256 <= $2 and not exists (
      select 1 from file_set_entry e where e.sha256 = file_text.sha256 and e.storage_key is not null)`,
);

export function fullTextWriter(session: Session): FullTextWriter {
  return {
    ...fullTextReader(session),
    async saveText({ sha256, state, reason, reader, at, text }) {
      if ((await rowsOf(session, HOLD, [sha256])).length === 0) return false;
      await run(session, SAVE, [sha256, state, reason, reader, at, text]);
      return true;
    },
    retryTexts: async (states, sha256) =>
      (await rowsOf(session, RETRY, [textList(session, states), sha256 ?? ""])).length,
    async dropStrayTexts(after, limit) {
      const [page] = await rowsOf<{ last: string | null; count: number | string }>(session, PAGE_END, [after, limit]);
      if (page === undefined || page.last === null) return null;
      await run(session, DROP_STRAY, [after, page.last]);
      return Number(page.count) < limit ? null : page.last;
    },
  };
}
