// What the tools of versions and revisions do (R30, R2b; specification 3, "Versioning" and "Tool servers"; reference
// 1.2): versions are records of one thing, revisions the history of one of them.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import type { VersionLine } from "../../model/items/item.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isObject } from "../../shared/objects.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { isDay } from "../../shared/time/day.ts";
import type { Items } from "../items/items.ts";
import type { RecordFiles } from "../record-files/record-files.ts";
import { FILE_SENTENCES } from "../record-files/sentences.ts";
import { revisionJson } from "../records/record-revisions.ts";
import type { Records } from "../records/records.ts";
import type { RepositoryReader } from "../store/store.ts";
import { ToolRefusal, withHiddenRestored } from "./outcome.ts";
import { merged, type RecordAnswers } from "./record-answers.ts";
import { type PageArguments, paged, pageOf } from "./tool-input.ts";
import type { HttpCall, HttpHandlers, StdioCall, StdioHandlers } from "./tool-table.ts";
import { wholeMetadata } from "./whole-values.ts";

type VersionToolNeeds = {
  readonly records: Records;
  readonly items: Pick<Items, "today">;
  readonly store: Pick<RepositoryReader, "items">;
  readonly files: Pick<RecordFiles, "importPrevious">;
  readonly answers: RecordAnswers;
};

type Result = Readonly<Record<string, unknown>>;

/** Why no files were imported; the new version succeeds without them. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  [FILE_SENTENCES.noFiles]: "The version before has no files to carry over",
  [FILE_SENTENCES.notEnabled]: "The version before has no files to carry over",
  [FILE_SENTENCES.removeFirst]: "The draft has files already: nothing was carried over",
};

export function versionTools(needs: VersionToolNeeds) {
  const http = {
    list_versions: (call) => listVersions(needs, call),
    list_revisions: (call) => listRevisions(needs, call),
    new_version: (call) => newHttpVersion(needs, call),
  } satisfies Partial<HttpHandlers>;
  const stdio = {
    new_version: (call) => newStdioVersion(needs, call),
  } satisfies Partial<StdioHandlers>;
  return { http, stdio };
}

/** Deleted versions too: administrators look after them. */
async function listAllVersions(
  needs: VersionToolNeeds,
  viewer: Viewer,
  id: ItemId,
  args: PageArguments,
): Promise<Result> {
  const paging = pageOf(args);
  const parent = (await needs.store.items.outline(id))?.parent ?? (await needs.records.read(viewer, id)).parent;
  const lines = (await needs.store.items.versionLines(parent.id)).filter(({ state }) => state !== "draft").toReversed();
  if (lines.length === 0) await needs.records.read(viewer, id);
  const shown: Result[] = [];
  for (const line of lines.slice((paging.page - 1) * paging.size, paging.page * paging.size)) {
    shown.push(
      line.state === "deleted"
        ? await removedVersion(needs, line)
        : await needs.answers.briefOf(await needs.records.read(viewer, line.id)),
    );
  }
  return { ...paged(lines.length, paging), versions: shown };
}

async function removedVersion(needs: VersionToolNeeds, { id, versionIndex, isLatest }: VersionLine): Promise<Result> {
  const titles = (await needs.store.items.item(id))?.content?.metadata.titles ?? [];
  const main = titles.find(({ kind }) => kind === "main") ?? titles[0];
  return {
    id: String(id),
    recid: String(id),
    status: "deleted",
    ...(main === undefined ? {} : { title: main.value }),
    version: { index: versionIndex, is_latest: isLatest },
  };
}

/** Revisions; the number of a parent means its latest version (R2a). */
async function pageOfRevisions(needs: VersionToolNeeds, viewer: Viewer, id: ItemId, page: number, size: number) {
  try {
    return { of: id, ...(await needs.records.revisions(viewer, id, page, size)) };
  } catch (error) {
    if (!isRefusal(error, "not_found")) throw error;
    const { item, byParent } = await needs.records.read(viewer, id);
    if (!byParent) throw error;
    return { of: item.id, ...(await needs.records.revisions(viewer, item.id, page, size)) };
  }
}

/** The number of imported files, or why there are none. */
async function importFiles(needs: VersionToolNeeds, viewer: Viewer, id: ItemId): Promise<Result> {
  try {
    return { imported_files: (await needs.files.importPrevious(viewer, id)).entries.length };
  } catch (error) {
    const note = isRefusal(error, "invalid") ? NOT_IMPORTED[error.message] : undefined;
    if (note === undefined) throw error;
    return { imported_files: 0, note };
  }
}

async function listVersions(needs: VersionToolNeeds, { viewer, args }: HttpCall<"list_versions">) {
  const id = await needs.answers.idOf(viewer, args.recid);
  if (isAdministrator(viewer)) return await listAllVersions(needs, viewer, id, args);
  const { shown, found: _, ...frame } = await needs.answers.list(viewer, { versionsOf: id }, args);
  return { ...frame, versions: shown };
}

async function listRevisions(needs: VersionToolNeeds, { viewer, args }: HttpCall<"list_revisions">) {
  const { page, size } = pageOf(args);
  const found = await pageOfRevisions(needs, viewer, await needs.answers.idOf(viewer, args.recid), page, size);
  const shown: Readonly<Record<string, unknown>>[] = [];
  for (const revision of found.revisions) {
    const { json, ...line } = await revisionJson(revision);
    shown.push(args.full ? { ...line, json } : line);
  }
  return { recid: String(found.of), ...paged(found.total, { page, size }), revisions: shown };
}

async function newHttpVersion(needs: VersionToolNeeds, { viewer, args, progress }: HttpCall<"new_version">) {
  const asked = args.publication_date ?? "";
  if (asked !== "" && !isDay(asked)) {
    throw new ToolRefusal("invalid", "publication_date is not a day.", "leave it out: it is today then", [
      { field: "publication_date", messages: ["Must be a day written as YYYY-MM-DD."] },
    ]);
  }
  const made = await needs.records.newVersion(viewer, await needs.answers.idOf(viewer, args.recid));
  const { id } = made.item;
  const before = (await needs.records.jsonOf(made)).metadata;
  const version = args.version ?? "";
  // An existing draft with a date keeps it: the call may be a second one.
  const date = asked || (before.publication_date ?? needs.items.today());
  const more = { publication_date: date, ...(version === "" ? {} : { version }) };
  const saved = await needs.records.save(viewer, id, () => ({ metadata: merged(before, more) }));
  progress(1, 2, "The draft is made");
  const files = args.import_files ? await importFiles(needs, viewer, id) : { imported_files: 0 };
  progress(2, 2, "Its files are there");
  return {
    ...(await needs.answers.draftOf(files.imported_files === 0 ? saved : await needs.records.readDraft(viewer, id))),
    ...files,
  };
}

async function newStdioVersion(needs: VersionToolNeeds, { viewer, args }: StdioCall<"new_version">) {
  const { metadata } = args;
  const from = await needs.answers.idOf(viewer, args.recid);
  // What is refused leaves no draft behind.
  if (isObject(metadata)) {
    const before = await needs.records.jsonOf(await needs.records.read(viewer, from));
    wholeMetadata(from, before.metadata, metadata);
  }
  const made = await needs.records.newVersion(viewer, from);
  const { id } = made.item;
  const before = (await needs.records.jsonOf(made)).metadata;
  const sent = isObject(metadata) ? wholeMetadata(id, before, withHiddenRestored(metadata, before)) : null;
  const view = sent === null ? made : await needs.records.save(viewer, id, () => ({ metadata: sent }));
  return args.publish
    ? await needs.answers.published(viewer, view, "The new version was begun")
    : await needs.answers.draftOf(view);
}
