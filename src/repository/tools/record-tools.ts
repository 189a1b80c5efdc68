// What the tools of records do (R30; specification 3, "Tool servers"; reference 1.2): thin verbs over the use cases that the records interface has too.
import type { Viewer } from "../../auth/account.ts";
import type { Clock, Random } from "../../shared/clock.ts";
import { isObject } from "../../shared/fields.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { type ExportOptions, NO_OPTIONS } from "../exports/formats.ts";
import type { RecordExport } from "../exports/record-exports.ts";
import type { Items } from "../items/items.ts";
import type { RecordFiles } from "../record-files/record-files.ts";
import type { RecordLists } from "../record-lists/record-lists.ts";
import type { RecordView } from "../records/record-view.ts";
import type { Records } from "../records/records.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { Arguments } from "./arguments.ts";
import { givenAccess } from "./given-access.ts";
import { withHiddenRestored } from "./hidden-characters.ts";
import { ToolRefusal } from "./outcome.ts";
import { isSet, text } from "./paging.ts";
import { merged, recordAnswers } from "./record-answers.ts";
import { callReceipt, MadeBefore } from "./repeated-calls.ts";
import { removalTools } from "./removal-tools.ts";
import { EXPORT_BYTES } from "./shapes.ts";
import type { WrittenRecord } from "./summary.ts";
import type { ToolHandlers } from "./tool-server.ts";
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
  readonly exports: (viewer: Viewer, id: number, format: string, options: ExportOptions) => Promise<RecordExport>;
  /** The number of the record a text names. */
  readonly idOf: (viewer: Viewer, given: string) => Promise<number>;
  /** The id of the community a text names. @throws Refusal not_found, also for one that is not this viewer's to see; gone. */
  readonly communityOf: (viewer: Viewer, named: string) => Promise<string>;
};

type Result = Readonly<Record<string, unknown>>;
/** What update_record saves: metadata, access, custom fields. */
type Changed = Result & { readonly metadata: Result };

/** Metadata of create_record and update_record. */
const metadataOf = (args: Arguments): Result => (isObject(args.metadata) ? (args.metadata as Result) : {});

export function recordTools(needs: RecordToolNeeds) {
  const { records, items, idOf } = needs;
  const answers = recordAnswers(needs);
  const { briefOf, draftOf, detailed, searched, published } = answers;

  /** `filesEnabled`: the argument by that name differs between the two servers. */
  async function create(viewer: Viewer, args: Arguments, filesEnabled: boolean): Promise<Result> {
    const { access, custom_fields: custom } = args;
    const body = {
      metadata: metadataOf(args),
      files: { enabled: filesEnabled },
      ...(isObject(access) ? { access: givenAccess(access, items.today()) } : {}),
      ...(isObject(custom) ? { custom_fields: custom } : {}),
    };
    const isPublishing = isSet(args, "publish");
    const requestId = text(args, "request_id");
    try {
      const receipt = requestId === "" ? undefined : callReceipt(needs, viewer, requestId, body);
      const made = await records.create(viewer, body, undefined, receipt);
      return isPublishing ? await published(viewer, made, "The record was made") : await draftOf(made);
    } catch (error) {
      if (!(error instanceof MadeBefore)) throw error;
      return { ...(await madeBefore(viewer, error.id, isPublishing)), repeated: true };
    }
  }

  /** What a lost answer would have said, of the record as it is now. */
  async function madeBefore(viewer: Viewer, id: number, isPublishing: boolean): Promise<Result> {
    const draft = await orNone(records.readDraft(viewer, id));
    if (draft === null || draft.item.publishedAt !== null) return await briefOf(await records.read(viewer, id));
    return isPublishing ? await published(viewer, draft, "The record was made") : await draftOf(draft);
  }

  const accessIn = ({ access }: Arguments, before: WrittenRecord): Result =>
    isObject(access) ? { access: givenAccess(access, items.today(), before.access) } : {};

  /** The draft, else what is published; null where neither can be read. */
  async function current(viewer: Viewer, id: number): Promise<RecordView | null> {
    return (await orNone(records.readDraft(viewer, id))) ?? (await orNone(records.read(viewer, id)));
  }

  /** What is published, or what is drafted where nothing is: its draft is opened, saved and, where that is asked for, published. */
  async function update(viewer: Viewer, args: Arguments, changed: (before: WrittenRecord) => Changed): Promise<Result> {
    const id = await idOf(viewer, text(args, "recid"));
    // What is refused leaves no draft behind.
    const seenBefore = await current(viewer, id);
    if (seenBefore !== null) changed(await records.jsonOf(seenBefore));
    const before = await records.jsonOf(await records.edit(viewer, id));
    // What somebody else changes meanwhile is not written over.
    const seen = { revision_id: before.revision_id };
    try {
      const saved = await records.save(viewer, id, { ...seen, ...changed(before) });
      const result = isSet(args, "publish")
        ? await published(viewer, saved, "The change was saved")
        : await draftOf(saved);
      return { ...result, was: before.status, now: result.status };
    } catch (error) {
      if (!isRefusal(error, "not_found")) throw error;
      const message = "Somebody else published or discarded the draft meanwhile.";
      throw new ToolRefusal("conflict", message, `get_record (recid ${id}) shows what it is, then update_record again`);
    }
  }

  const shared: ToolHandlers = {
    ...removalTools({ ...needs, answers }),

    async search_records({ viewer, args }) {
      return await searched(viewer, {}, args);
    },

    async get_record({ viewer, args }) {
      const given = text(args, "recid");
      const id = await idOf(viewer, given);
      const view = await (isSet(args, "draft") ? records.readDraft(viewer, id) : records.read(viewer, id));
      const isOther = view.byParent || given !== String(view.item.id);
      return await detailed(view, isOther ? { resolved_from: given } : {}, args);
    },

    async publish_record({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      try {
        return await published(viewer, { item: { id } }, "Nothing was published: what was there is kept");
      } catch (error) {
        // Publishing twice is one publishing: what is public already and has no draft is what was asked for.
        if (!isRefusal(error, "not_found")) throw error;
        const view = await records.read(viewer, id);
        if (!view.editable) throw error;
        return { ...(await briefOf(view)), note: "It was published already, and has no draft" };
      }
    },

    async delete_draft({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      // Told only to whom the draft was his to discard. Of a version to come, the versions before it stay.
      const before = await needs.store.items.outline(id);
      await records.discard(viewer, id);
      return { deleted_draft: String(id), record_still_published: (before?.parent.latest ?? null) !== null };
    },
  };

  const versions = versionTools({ ...needs, answers });

  const http: ToolHandlers = {
    ...shared,
    ...versions.http,

    async my_records({ viewer, args }) {
      return await searched(viewer, { mine: true, sort: text(args, "sort") || "updated-desc" }, args);
    },

    async export_record({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      const format = text(args, "fmt");
      const written = await needs.exports(viewer, id, format, NO_OPTIONS);
      const { text: content, contentType, leftOut, landingPage } = written;
      const octets = new TextEncoder().encode(content).length;
      const link = `${landingPage}/export/${format}`;
      if (octets > EXPORT_BYTES) {
        throw new ToolRefusal("too_large", `The export has ${octets} octets.`, `it can be read at ${link}`);
      }
      return {
        ...{ recid: String(written.id), format, content_type: contentType, content, size: octets, truncated: false },
        links: { self: link },
        ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
      };
    },

    async record_statistics({ viewer, args }) {
      const view = await records.read(viewer, await idOf(viewer, text(args, "recid")));
      return { id: String(view.item.id), recid: String(view.item.id), stats: (await records.jsonOf(view)).stats ?? {} };
    },

    async list_community_records({ viewer, args }) {
      return await searched(viewer, { community: await needs.communityOf(viewer, text(args, "community")) }, args);
    },

    async create_record({ viewer, args }) {
      return await create(viewer, args, isSet(args, "files"));
    },

    async update_record({ viewer, args }) {
      return await update(viewer, args, (before) => {
        const given = withHiddenRestored(metadataOf(args), before.metadata);
        requireWhole(Number(before.id), before.metadata, given, false);
        const { custom_fields: custom } = args;
        return {
          metadata: merged(before.metadata, given),
          ...accessIn(args, before),
          ...(isObject(custom)
            ? { custom_fields: merged(before.custom_fields, withHiddenRestored(custom, before.custom_fields)) }
            : {}),
        };
      });
    },
  };

  const stdio: ToolHandlers = {
    ...shared,
    ...versions.stdio,

    async create_record({ viewer, args }) {
      return await create(viewer, args, isSet(args, "files_enabled"));
    },

    async update_record({ viewer, args }) {
      return await update(viewer, args, (before) => {
        const given = withHiddenRestored(metadataOf(args), before.metadata);
        const { custom_fields: custom } = args;
        return {
          metadata: wholeMetadata(Number(before.id), before.metadata, given),
          ...accessIn(args, before),
          ...(isObject(custom) ? { custom_fields: withHiddenRestored(custom, before.custom_fields) } : {}),
        };
      });
    },
  };
  return { http, stdio };
}

async function orNone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isRefusal(error, "not_found", "forbidden", "gone", "unauthenticated")) return null;
    throw error;
  }
}
