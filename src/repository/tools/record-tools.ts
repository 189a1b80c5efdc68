// The tools of records (R30; specification 3, "Tool servers"; reference 1.2): thin functions over the use cases of the
// records interface.
import type { Viewer } from "../../auth/account.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { type ExportOptions, NO_OPTIONS } from "../exports/formats.ts";
import type { RecordExport } from "../exports/record-exports.ts";
import type { Items } from "../items/items.ts";
import type { RecordFiles } from "../record-files/record-files.ts";
import type { RecordLists } from "../record-lists/record-lists.ts";
import { MadeBefore } from "../records/creation-receipt.ts";
import type { RecordView } from "../records/record-json.ts";
import type { Records } from "../records/records.ts";
import type { RepositoryReader } from "../store/store.ts";
import { givenAccess } from "./access-input.ts";
import { ToolRefusal, withHiddenRestored } from "./outcome.ts";
import { merged, type RecordAnswers, recordAnswers, type WrittenRecord } from "./record-answers.ts";
import { removalTools } from "./removal-tools.ts";
import { callReceipt } from "./repeated-calls.ts";
import { EXPORT_BYTES } from "./shapes.ts";
import type { HttpCall, HttpHandlers, StdioCall, StdioHandlers } from "./tool-table.ts";
import { versionTools } from "./version-tools.ts";
import { requireWhole, wholeMetadata } from "./whole-values.ts";

export type RecordToolNeeds = {
  readonly clock: Clock;
  readonly random: Random;
  readonly records: Records;
  readonly lists: RecordLists;
  readonly items: Pick<Items, "today">;
  readonly store: Pick<RepositoryReader, "items" | "communities">;
  readonly files: Pick<RecordFiles, "importPrevious">;
  readonly exports: (viewer: Viewer, id: ItemId, format: string, options: ExportOptions) => Promise<RecordExport>;
  /** The number of the record a text names. */
  readonly idOf: (viewer: Viewer, given: string) => Promise<number>;
  /**
   * The id of the community a text names. @throws Refusal not_found, also for one that is not this viewer's to see;
   * gone.
   */
  readonly communityOf: (viewer: Viewer, named: string) => Promise<string>;
};

type Result = Readonly<Record<string, unknown>>;
/** What update_record saves: metadata, access, custom fields. */
type RecordChange = Result & { readonly metadata: Result };

/** What create_record and update_record have in common. */
type RecordArguments = {
  readonly metadata: Result;
  readonly access: Result | null;
  readonly custom_fields: Result | null;
  readonly publish: boolean;
};

type RecordToolContext = RecordToolNeeds & { readonly answers: RecordAnswers };

export function recordTools(own: RecordToolNeeds) {
  const needs: RecordToolContext = { ...own, answers: recordAnswers(own) };
  const shared = {
    ...removalTools(needs),
    search_records: ({ viewer, args }) => needs.answers.searched(viewer, {}, args),
    get_record: (call) => getRecord(needs, call),
    publish_record: (call) => publishRecord(needs, call),
    delete_draft: (call) => deleteDraft(needs, call),
  } satisfies Partial<StdioHandlers>;
  const versions = versionTools(needs);
  const http = {
    ...shared,
    ...versions.http,
    my_records: ({ viewer, args }) =>
      needs.answers.searched(viewer, { mine: true, sort: args.sort || "updated-desc" }, args),
    export_record: (call) => exportRecord(needs, call),
    similar_records: ({ viewer, args }) => needs.answers.similar(viewer, args),
    async record_statistics({ viewer, args }) {
      const view = await needs.records.read(viewer, await needs.idOf(viewer, args.recid));
      return {
        id: String(view.item.id),
        recid: String(view.item.id),
        stats: (await needs.records.jsonOf(view)).stats ?? {},
      };
    },
    list_community_records: async ({ viewer, args }) =>
      needs.answers.searched(viewer, { community: await needs.communityOf(viewer, args.community) }, args),
    create_record: ({ viewer, args }) => createRecord(needs, viewer, args, args.files),
    update_record: (call) => updateHttpRecord(needs, call),
  } satisfies Partial<HttpHandlers>;
  const stdio = {
    ...shared,
    ...versions.stdio,
    create_record: ({ viewer, args }) => createRecord(needs, viewer, args, args.files_enabled),
    update_record: (call) => updateStdioRecord(needs, call),
  } satisfies Partial<StdioHandlers>;
  return { http, stdio };
}

/** `filesEnabled`: the name of its argument differs between the two servers. */
async function createRecord(
  needs: RecordToolContext,
  viewer: Viewer,
  args: RecordArguments & { readonly request_id?: string },
  filesEnabled: boolean,
): Promise<Result> {
  const { metadata, access, custom_fields: custom, publish: isPublishing, request_id: requestId } = args;
  const body = {
    metadata,
    files: { enabled: filesEnabled },
    ...(access === null ? {} : { access: givenAccess(access, needs.items.today()) }),
    ...(custom === null ? {} : { custom_fields: custom }),
  };
  try {
    const receipt = requestId === undefined ? undefined : callReceipt(needs, viewer, requestId, body);
    const made = await needs.records.create(viewer, () => body, undefined, receipt);
    return isPublishing
      ? await needs.answers.published(viewer, made, "The record was made")
      : await needs.answers.draftOf(made);
  } catch (error) {
    if (!(error instanceof MadeBefore)) throw error;
    return { ...(await resultOfRepeat(needs, viewer, error.id, isPublishing)), repeated: true };
  }
}

/** The result of a repeated call, of the record as it is now. */
async function resultOfRepeat(
  needs: RecordToolContext,
  viewer: Viewer,
  id: ItemId,
  isPublishing: boolean,
): Promise<Result> {
  const draft = await orNone(needs.records.readDraft(viewer, id));
  if (draft === null || draft.item.publishedAt !== null)
    return await needs.answers.briefOf(await needs.records.read(viewer, id));
  return isPublishing
    ? await needs.answers.published(viewer, draft, "The record was made")
    : await needs.answers.draftOf(draft);
}

const accessChange = (needs: RecordToolContext, { access }: RecordArguments, before: WrittenRecord): Result =>
  access === null ? {} : { access: givenAccess(access, needs.items.today(), before.access) };

/** The draft, else the published side; null where the viewer may read neither. */
async function draftOrPublished(needs: RecordToolContext, viewer: Viewer, id: ItemId): Promise<RecordView | null> {
  return (await orNone(needs.records.readDraft(viewer, id))) ?? (await orNone(needs.records.read(viewer, id)));
}

/** Opens the draft of the record, saves the change and, where `publish` is set, publishes it. */
async function changeRecord(
  needs: RecordToolContext,
  viewer: Viewer,
  args: RecordArguments & { readonly recid: string },
  changeOf: (before: WrittenRecord) => RecordChange,
): Promise<Result> {
  const id = await needs.idOf(viewer, args.recid);
  // A refused change leaves no draft.
  const known = await draftOrPublished(needs, viewer, id);
  if (known !== null) changeOf(await needs.records.jsonOf(known));
  const before = await needs.records.jsonOf(await needs.records.edit(viewer, id));
  // A concurrent change is not overwritten.
  const seen = { revision_id: before.revision_id };
  try {
    const saved = await needs.records.save(viewer, id, () => ({ ...seen, ...changeOf(before) }));
    const result = args.publish
      ? await needs.answers.published(viewer, saved, "The change was saved")
      : await needs.answers.draftOf(saved);
    return { ...result, was: before.status, now: result.status };
  } catch (error) {
    if (!isRefusal(error, "not_found")) throw error;
    const message = "Somebody else published or discarded the draft meanwhile.";
    throw new ToolRefusal("conflict", message, `get_record (recid ${id}) shows what it is, then update_record again`);
  }
}

async function getRecord(needs: RecordToolContext, { viewer, args }: HttpCall<"get_record">) {
  const { recid: given } = args;
  const id = await needs.idOf(viewer, given);
  const view = await (args.draft ? needs.records.readDraft(viewer, id) : needs.records.read(viewer, id, false));
  const isOther = view.byParent || given !== String(view.item.id);
  return await needs.answers.detailed(view, isOther ? { resolved_from: given } : {}, args);
}

async function publishRecord(needs: RecordToolContext, { viewer, args }: HttpCall<"publish_record">) {
  const id = await needs.idOf(viewer, args.recid);
  try {
    return await needs.answers.published(viewer, { item: { id } }, "Nothing was published: what was there is kept");
  } catch (error) {
    // A published record without a draft is what the call asks for: a second call succeeds too.
    if (!isRefusal(error, "not_found")) throw error;
    const view = await needs.records.read(viewer, id);
    if (!view.editable) throw error;
    return { ...(await needs.answers.briefOf(view)), note: "It was published already, and has no draft" };
  }
}

async function deleteDraft(needs: RecordToolContext, { viewer, args }: HttpCall<"delete_draft">) {
  const id = await needs.idOf(viewer, args.recid);
  // Only in the answer to those who may discard the draft. The versions before a new version stay.
  const before = await needs.store.items.outline(id);
  await needs.records.discard(viewer, id);
  return { deleted_draft: String(id), record_still_published: (before?.parent.latest ?? null) !== null };
}

async function exportRecord(needs: RecordToolContext, { viewer, args }: HttpCall<"export_record">) {
  const id = await needs.idOf(viewer, args.recid);
  const { fmt: format } = args;
  const written = await needs.exports(viewer, id, format, NO_OPTIONS);
  const { text: content, contentType, leftOut, landingPage } = written;
  const bytes = new TextEncoder().encode(content).length;
  const link = `${landingPage}/export/${format}`;
  if (bytes > EXPORT_BYTES) {
    throw new ToolRefusal("too_large", `The export has ${bytes} bytes.`, `it can be read at ${link}`);
  }
  return {
    recid: String(written.id),
    format,
    content_type: contentType,
    content,
    size: bytes,
    truncated: false,
    links: { self: link },
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
  };
}

async function updateHttpRecord(needs: RecordToolContext, { viewer, args }: HttpCall<"update_record">) {
  return await changeRecord(needs, viewer, args, (before) => {
    const given = withHiddenRestored(args.metadata, before.metadata);
    requireWhole(Number(before.id), before.metadata, given, false);
    const { custom_fields: custom } = args;
    return {
      metadata: merged(before.metadata, given),
      ...accessChange(needs, args, before),
      ...(custom !== null
        ? { custom_fields: merged(before.custom_fields, withHiddenRestored(custom, before.custom_fields)) }
        : {}),
    };
  });
}

async function updateStdioRecord(needs: RecordToolContext, { viewer, args }: StdioCall<"update_record">) {
  return await changeRecord(needs, viewer, args, (before) => {
    const given = withHiddenRestored(args.metadata, before.metadata);
    const { custom_fields: custom } = args;
    return {
      metadata: wholeMetadata(Number(before.id), before.metadata, given),
      ...accessChange(needs, args, before),
      ...(custom !== null ? { custom_fields: withHiddenRestored(custom, before.custom_fields) } : {}),
    };
  });
}

async function orNone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isRefusal(error, "not_found", "forbidden", "gone", "unauthenticated")) return null;
    throw error;
  }
}
