// What the tools of versions and revisions do (R30, R2b; specification 3, "Versioning" and "Tool servers"; reference 1.2): versions are records of one
// thing, revisions the history of one of them.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { isDay } from "../../shared/day.ts";
import { isObject } from "../../shared/fields.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Items } from "../items/items.ts";
import type { VersionLine } from "../model/item.ts";
import type { RecordFiles } from "../record-files/record-files.ts";
import { FILE_SENTENCES } from "../record-files/sentences.ts";
import { revisionJson } from "../records/record-revisions.ts";
import type { Records } from "../records/records.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { Arguments } from "./arguments.ts";
import { withHiddenRestored } from "./hidden-characters.ts";
import { ToolRefusal } from "./outcome.ts";
import { isSet, paged, pageOf, text } from "./paging.ts";
import { merged, type RecordAnswers } from "./record-answers.ts";
import type { ToolHandlers } from "./tool-server.ts";
import { wholeMetadata } from "./whole-values.ts";

type VersionToolNeeds = {
  readonly records: Records;
  readonly items: Pick<Items, "today">;
  readonly store: Pick<RepositoryReader, "items">;
  readonly files: Pick<RecordFiles, "importPrevious">;
  readonly answers: RecordAnswers;
};

type Result = Readonly<Record<string, unknown>>;

/** Why nothing was carried over, which is no failure of the new version. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  [FILE_SENTENCES.noFiles]: "The version before has no files to carry over",
  [FILE_SENTENCES.notEnabled]: "The version before has no files to carry over",
  [FILE_SENTENCES.removeFirst]: "The draft has files already: nothing was carried over",
};

export function versionTools(needs: VersionToolNeeds) {
  const { records, items, store, answers } = needs;
  const { idOf, list, briefOf, draftOf, published } = answers;

  /** Those that were removed too: administrators look after them. */
  async function everyVersion(viewer: Viewer, id: number, args: Arguments): Promise<Result> {
    const paging = pageOf(args);
    const parent = (await store.items.outline(id))?.parent ?? (await records.read(viewer, id)).parent;
    const lines = (await store.items.versionLines(parent.id)).filter(({ state }) => state !== "draft").toReversed();
    if (lines.length === 0) await records.read(viewer, id);
    const shown: Result[] = [];
    for (const line of lines.slice((paging.page - 1) * paging.size, paging.page * paging.size)) {
      shown.push(line.state === "deleted" ? await removed(line) : await briefOf(await records.read(viewer, line.id)));
    }
    return { ...paged(lines.length, paging), versions: shown };
  }

  async function removed({ id, versionIndex, isLatest }: VersionLine): Promise<Result> {
    const titles = (await store.items.item(id))?.content?.metadata.titles ?? [];
    const main = titles.find(({ kind }) => kind === "main") ?? titles[0];
    return {
      ...{ id: String(id), recid: String(id), status: "deleted" },
      ...(main === undefined ? {} : { title: main.value }),
      version: { index: versionIndex, is_latest: isLatest },
    };
  }

  /** Of the version that a parent's number stands for (R2a), where it is one. */
  async function revisions(viewer: Viewer, id: number, page: number, size: number) {
    try {
      return { of: id, ...(await records.revisions(viewer, id, page, size)) };
    } catch (error) {
      if (!isRefusal(error, "not_found")) throw error;
      const { item, byParent } = await records.read(viewer, id);
      if (!byParent) throw error;
      return { of: item.id, ...(await records.revisions(viewer, item.id, page, size)) };
    }
  }

  /** How many files were carried over, and why none were. */
  async function imported(viewer: Viewer, id: number): Promise<Result> {
    try {
      return { imported_files: (await needs.files.importPrevious(viewer, id)).entries.length };
    } catch (error) {
      const note = isRefusal(error, "invalid") ? NOT_IMPORTED[error.message] : undefined;
      if (note === undefined) throw error;
      return { imported_files: 0, note };
    }
  }

  const http: ToolHandlers = {
    async list_versions({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      if (isAdministrator(viewer)) return await everyVersion(viewer, id, args);
      const { shown, found: _, ...frame } = await list(viewer, { versionsOf: id }, args);
      return { ...frame, versions: shown };
    },

    async list_revisions({ viewer, args }) {
      const { page, size } = pageOf(args);
      const found = await revisions(viewer, await idOf(viewer, text(args, "recid")), page, size);
      const shown: Readonly<Record<string, unknown>>[] = [];
      for (const revision of found.revisions) {
        const { json, ...line } = await revisionJson(revision);
        shown.push(isSet(args, "full") ? { ...line, json } : line);
      }
      return { recid: String(found.of), ...paged(found.total, { page, size }), revisions: shown };
    },

    async new_version({ viewer, args, progress }) {
      const asked = text(args, "publication_date");
      if (asked !== "" && !isDay(asked)) {
        throw new ToolRefusal("invalid", "publication_date is no day.", "leave it out: it is today then", [
          { field: "publication_date", messages: ["Must be a day written as YYYY-MM-DD."] },
        ]);
      }
      const made = await records.newVersion(viewer, await idOf(viewer, text(args, "recid")));
      const { id } = made.item;
      const before = (await records.jsonOf(made)).metadata;
      const version = text(args, "version");
      // A draft that is there already, and says a date, keeps it: the call may be a second one.
      const date = asked || (before.publication_date ?? items.today());
      const more = { publication_date: date, ...(version === "" ? {} : { version }) };
      const saved = await records.save(viewer, id, { metadata: merged(before, more) });
      progress(1, 2, "The draft is made");
      const files = isSet(args, "import_files") ? await imported(viewer, id) : { imported_files: 0 };
      progress(2, 2, "Its files are there");
      return {
        ...(await draftOf(files.imported_files === 0 ? saved : await records.readDraft(viewer, id))),
        ...files,
      };
    },
  };

  const stdio: ToolHandlers = {
    async new_version({ viewer, args }) {
      const { metadata } = args;
      const from = await idOf(viewer, text(args, "recid"));
      // What is refused leaves no draft behind.
      if (isObject(metadata)) {
        const before = await records.jsonOf(await records.read(viewer, from));
        wholeMetadata(from, before.metadata, metadata);
      }
      const made = await records.newVersion(viewer, from);
      const { id } = made.item;
      const before = (await records.jsonOf(made)).metadata;
      const sent = isObject(metadata) ? wholeMetadata(id, before, withHiddenRestored(metadata, before)) : null;
      const view = sent === null ? made : await records.save(viewer, id, { metadata: sent });
      return isSet(args, "publish") ? await published(viewer, view, "The new version was begun") : await draftOf(view);
    },
  };
  return { http, stdio };
}
