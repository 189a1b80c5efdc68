// What the tools of records do (R30; specification 3, "Tool servers"; reference 1.2): thin verbs over the use cases that the records interface has too.
import type { Viewer } from "../../auth/account.ts";
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
import { ToolRefusal } from "./outcome.ts";
import { isSet, text } from "./paging.ts";
import { merged, recordAnswers } from "./record-answers.ts";
import { removalTools } from "./removal-tools.ts";
import { EXPORT_BYTES } from "./shapes.ts";
import type { WrittenRecord } from "./summary.ts";
import type { ToolHandlers } from "./tool-server.ts";
import { versionTools } from "./version-tools.ts";
import { requireWhole, wholeMetadata } from "./whole-values.ts";

export type RecordToolNeeds = {
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

/** Metadata of create_record and update_record. */
const metadataOf = (args: Arguments): Result => (isObject(args.metadata) ? (args.metadata as Result) : {});

export function recordTools(needs: RecordToolNeeds) {
  const { records, idOf } = needs;
  const answers = recordAnswers(needs);
  const { briefOf, draftOf, detailed, searched, published } = answers;

  async function create(viewer: Viewer, body: Result, publish: boolean): Promise<Result> {
    const made = await records.create(viewer, body);
    return publish ? await published(viewer, made, "The record was made") : await draftOf(made);
  }

  /** The draft, else what is published; null where neither can be read. */
  async function current(viewer: Viewer, id: number): Promise<RecordView | null> {
    return (await orNone(records.readDraft(viewer, id))) ?? (await orNone(records.read(viewer, id)));
  }

  /** What is published, or what is drafted where nothing is: its draft is opened, saved and, where that is asked for, published. */
  async function update(viewer: Viewer, args: Arguments, changed: (before: WrittenRecord) => Result): Promise<Result> {
    const id = await idOf(viewer, text(args, "recid"));
    // What is refused leaves no draft behind.
    const seenBefore = await current(viewer, id);
    if (seenBefore !== null) changed(records.jsonOf(seenBefore));
    const before = records.jsonOf(await records.edit(viewer, id));
    // What somebody else changes meanwhile is not written over.
    const seen = { revision_id: before.revision_id };
    try {
      const saved = await records.save(viewer, id, { ...seen, metadata: changed(before) });
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
      return await searched(viewer, { mine: true, sort: "updated-desc" }, args);
    },

    async export_record({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      const format = text(args, "fmt");
      const written = await needs.exports(viewer, id, format, NO_OPTIONS);
      const { text: content, contentType, leftOut, landingPage } = written;
      const octets = new TextEncoder().encode(content).length;
      if (octets > EXPORT_BYTES) {
        const link = `${landingPage}/export/${format}`;
        throw new ToolRefusal("too_large", `The export has ${octets} octets.`, `it can be read at ${link}`);
      }
      return {
        ...{ recid: String(written.id), format, content_type: contentType, content, size: octets, truncated: false },
        ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
      };
    },

    async list_community_records({ viewer, args }) {
      return await searched(viewer, { community: await needs.communityOf(viewer, text(args, "community")) }, args);
    },

    async create_record({ viewer, args }) {
      const body = { metadata: metadataOf(args), files: { enabled: isSet(args, "files") } };
      return await create(viewer, body, isSet(args, "publish"));
    },

    async update_record({ viewer, args }) {
      const given = metadataOf(args);
      return await update(viewer, args, ({ id, metadata }) => {
        requireWhole(Number(id), metadata, given, false);
        return merged(metadata, given);
      });
    },
  };

  const stdio: ToolHandlers = {
    ...shared,
    ...versions.stdio,

    async create_record({ viewer, args }) {
      const { access } = args;
      const body = {
        metadata: metadataOf(args),
        files: { enabled: isSet(args, "files_enabled") },
        ...(isObject(access) ? { access } : {}),
      };
      return await create(viewer, body, isSet(args, "publish"));
    },

    async update_record({ viewer, args }) {
      return await update(viewer, args, ({ id, metadata }) => wholeMetadata(Number(id), metadata, metadataOf(args)));
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
