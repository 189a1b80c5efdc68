// The tools of records (R30; specification 3, "Tool servers"; reference 1.2): thin functions over the use cases of the
// records interface.
import type { Viewer } from "../../auth/account.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isObject } from "../../shared/objects.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { type ExportOptions, NO_OPTIONS } from "../exports/formats.ts";
import type { RecordExport } from "../exports/record-exports.ts";
import type { Items } from "../items/items.ts";
import type { RecordFiles } from "../record-files/record-files.ts";
import type { RecordLists } from "../record-lists/record-lists.ts";
import type { RecordView } from "../records/record-json.ts";
import type { Records } from "../records/records.ts";
import type { RepositoryReader } from "../store/store.ts";
import { givenAccess } from "./access-input.ts";
import { ToolRefusal, withHiddenRestored } from "./outcome.ts";
import { merged, type RecordAnswers, recordAnswers, type WrittenRecord } from "./record-answers.ts";
import { removalTools } from "./removal-tools.ts";
import { callReceipt, MadeBefore } from "./repeated-calls.ts";
import { EXPORT_BYTES } from "./shapes.ts";
import { type Arguments, isSet, text } from "./tool-input.ts";
import type { ToolCall, ToolHandlers } from "./tool-server.ts";
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

/** Metadata of create_record and update_record. */
const metadataOf = (args: Arguments): Result => (isObject(args.metadata) ? (args.metadata as Result) : {});

type RecordToolContext = RecordToolNeeds & { readonly answers: RecordAnswers };

export function recordTools(own: RecordToolNeeds) {
  const needs: RecordToolContext = { ...own, answers: recordAnswers(own) };
  const shared: ToolHandlers = {
    ...removalTools(needs),
    async search_records({ viewer, args }) {
      return await needs.answers.searched(viewer, {}, args);
    },
    get_record: (call) => getRecord(needs, call),
    publish_record: (call) => publishRecord(needs, call),
    delete_draft: (call) => deleteDraft(needs, call),
  };
  const versions = versionTools(needs);
  const http: ToolHandlers = {
    ...shared,
    ...versions.http,
    async my_records({ viewer, args }) {
      return await needs.answers.searched(viewer, { mine: true, sort: text(args, "sort") || "updated-desc" }, args);
    },
    export_record: (call) => exportRecord(needs, call),
    async record_statistics({ viewer, args }) {
      const view = await needs.records.read(viewer, await needs.idOf(viewer, text(args, "recid")));
      return {
        id: String(view.item.id),
        recid: String(view.item.id),
        stats: (await needs.records.jsonOf(view)).stats ?? {},
      };
    },
    async list_community_records({ viewer, args }) {
      return await needs.answers.searched(
        viewer,
        { community: await needs.communityOf(viewer, text(args, "community")) },
        args,
      );
    },
    async create_record({ viewer, args }) {
      return await createRecord(needs, viewer, args, isSet(args, "files"));
    },
    update_record: (call) => updateHttpRecord(needs, call),
  };
  const stdio: ToolHandlers = {
    ...shared,
    ...versions.stdio,
    async create_record({ viewer, args }) {
      return await createRecord(needs, viewer, args, isSet(args, "files_enabled"));
    },
    update_record: (call) => updateStdioRecord(needs, call),
  };
  return {
    http,
    stdio,
  };
}

/** `filesEnabled`: the name of its argument differs between the two servers. */
async function createRecord(
  needs: RecordToolContext,
  viewer: Viewer,
  args: Arguments,
  filesEnabled: boolean,
): Promise<Result> {
  const { access, custom_fields: custom } = args;
  const body = {
    metadata: metadataOf(args),
    files: { enabled: filesEnabled },
    ...(isObject(access) ? { access: givenAccess(access, needs.items.today()) } : {}),
    ...(isObject(custom) ? { custom_fields: custom } : {}),
  };
  const isPublishing = isSet(args, "publish");
  const requestId = text(args, "request_id");
  try {
    const receipt = requestId === "" ? undefined : callReceipt(needs, viewer, requestId, body);
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

const accessChange = (needs: RecordToolContext, { access }: Arguments, before: WrittenRecord): Result =>
  isObject(access) ? { access: givenAccess(access, needs.items.today(), before.access) } : {};

/** The draft, else the published side; null where the viewer may read neither. */
async function draftOrPublished(needs: RecordToolContext, viewer: Viewer, id: ItemId): Promise<RecordView | null> {
  return (await orNone(needs.records.readDraft(viewer, id))) ?? (await orNone(needs.records.read(viewer, id)));
}

/** Opens the draft of the record, saves the change and, where `publish` is set, publishes it. */
async function changeRecord(
  needs: RecordToolContext,
  viewer: Viewer,
  args: Arguments,
  changeOf: (before: WrittenRecord) => RecordChange,
): Promise<Result> {
  const id = await needs.idOf(viewer, text(args, "recid"));
  // A refused change leaves no draft.
  const known = await draftOrPublished(needs, viewer, id);
  if (known !== null) changeOf(await needs.records.jsonOf(known));
  const before = await needs.records.jsonOf(await needs.records.edit(viewer, id));
  // A concurrent change is not overwritten.
  const seen = { revision_id: before.revision_id };
  try {
    const saved = await needs.records.save(viewer, id, () => ({ ...seen, ...changeOf(before) }));
    const result = isSet(args, "publish")
      ? await needs.answers.published(viewer, saved, "The change was saved")
      : await needs.answers.draftOf(saved);
    return { ...result, was: before.status, now: result.status };
  } catch (error) {
    if (!isRefusal(error, "not_found")) throw error;
    const message = "Somebody else published or discarded the draft meanwhile.";
    throw new ToolRefusal("conflict", message, `get_record (recid ${id}) shows what it is, then update_record again`);
  }
}

async function getRecord(needs: RecordToolContext, { viewer, args }: ToolCall) {
  const given = text(args, "recid");
  const id = await needs.idOf(viewer, given);
  const view = await (isSet(args, "draft")
    ? needs.records.readDraft(viewer, id)
    : needs.records.read(viewer, id, false));
  const isOther = view.byParent || given !== String(view.item.id);
  return await needs.answers.detailed(view, isOther ? { resolved_from: given } : {}, args);
}

async function publishRecord(needs: RecordToolContext, { viewer, args }: ToolCall) {
  const id = await needs.idOf(viewer, text(args, "recid"));
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

async function deleteDraft(needs: RecordToolContext, { viewer, args }: ToolCall) {
  const id = await needs.idOf(viewer, text(args, "recid"));
  // Only in the answer to those who may discard the draft. The versions before a new version stay.
  const before = await needs.store.items.outline(id);
  await needs.records.discard(viewer, id);
  return { deleted_draft: String(id), record_still_published: (before?.parent.latest ?? null) !== null };
}

async function exportRecord(needs: RecordToolContext, { viewer, args }: ToolCall) {
  const id = await needs.idOf(viewer, text(args, "recid"));
  const format = text(args, "fmt");
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

async function updateHttpRecord(needs: RecordToolContext, { viewer, args }: ToolCall) {
  return await changeRecord(needs, viewer, args, (before) => {
    const given = withHiddenRestored(metadataOf(args), before.metadata);
    requireWhole(Number(before.id), before.metadata, given, false);
    const { custom_fields: custom } = args;
    return {
      metadata: merged(before.metadata, given),
      ...accessChange(needs, args, before),
      ...(isObject(custom)
        ? { custom_fields: merged(before.custom_fields, withHiddenRestored(custom, before.custom_fields)) }
        : {}),
    };
  });
}

async function updateStdioRecord(needs: RecordToolContext, { viewer, args }: ToolCall) {
  return await changeRecord(needs, viewer, args, (before) => {
    const given = withHiddenRestored(metadataOf(args), before.metadata);
    const { custom_fields: custom } = args;
    return {
      metadata: wholeMetadata(Number(before.id), before.metadata, given),
      ...accessChange(needs, args, before),
      ...(isObject(custom) ? { custom_fields: withHiddenRestored(custom, before.custom_fields) } : {}),
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
