// What the tools of records do (R30; specification 3, "Tool servers"; reference 1.2): thin verbs over the use cases that the records interface has too.
import type { Viewer } from "../../auth/account.ts";
import type { Day } from "../../shared/day.ts";
import { isObject } from "../../shared/fields.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { type ExportOptions, NO_OPTIONS } from "../exports/formats.ts";
import type { RecordExport } from "../exports/record-exports.ts";
import type { Items } from "../items/items.ts";
import { EMPTY_METADATA } from "../model/metadata.ts";
import { type FieldError, unknownRecord } from "../model/record-refusals.ts";
import type { RecordLists, ToolSearch } from "../record-lists/record-lists.ts";
import { revisionJson } from "../records/record-revisions.ts";
import type { RecordView } from "../records/record-view.ts";
import type { Records } from "../records/records.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { Arguments } from "./arguments.ts";
import { namedRecord } from "./identifiers.ts";
import { ToolRefusal } from "./outcome.ts";
import { isSet, paged, pageOf, text } from "./paging.ts";
import { EXPORT_BYTES } from "./shapes.ts";
import { communityIds, detailOf, selected, summaryOf, type WrittenRecord } from "./summary.ts";
import type { ToolHandlers } from "./tool-server.ts";

export type RecordToolNeeds = {
  readonly records: Records;
  readonly lists: RecordLists;
  readonly items: Pick<Items, "readable" | "duplicates" | "today">;
  readonly store: Pick<RepositoryReader, "items" | "communities">;
  readonly exports: (viewer: Viewer, id: number, format: string, options: ExportOptions) => Promise<RecordExport>;
  /** Carries the files of the version before over; how many. */
  readonly importFiles: (viewer: Viewer, id: number) => Promise<number>;
  readonly baseUrl: string;
};

type Result = Readonly<Record<string, unknown>>;

export function recordLookup({ store, items, baseUrl }: Pick<RecordToolNeeds, "store" | "items" | "baseUrl">) {
  /** The number of the record a text names, as far as this viewer may read it. @throws Refusal not_found. */
  return async function idOf(viewer: Viewer, given: string): Promise<number> {
    const named = namedRecord(given, baseUrl);
    if (named === null) {
      throw new ToolRefusal(
        "not_found",
        "The persistent identifier does not exist.",
        "recid is a number such as 42, an ARK, a DOI or the address of a record; search_records finds records by words",
      );
    }
    if (named.kind === "id") return named.id;
    if (named.kind === "ark") {
      const id = (await store.items.itemsByArk([named.ark])).get(named.ark);
      if (id !== undefined) return id;
    } else {
      const identifiers = [{ scheme: "DOI", value: named.doi }];
      const found = await items.duplicates(store, { ...EMPTY_METADATA, identifiers }, null);
      for (const id of found) if (await isReadable(viewer, id)) return id;
    }
    throw unknownRecord();
  };

  async function isReadable(viewer: Viewer, id: number): Promise<boolean> {
    try {
      await items.readable(viewer, id);
      return true;
    } catch (error) {
      if (isRefusal(error, "not_found", "forbidden", "gone", "unauthenticated")) return false;
      throw error;
    }
  }
}

/** Metadata of create_record and update_record. */
const metadataOf = (args: Arguments): Result => (isObject(args.metadata) ? (args.metadata as Result) : {});

export function recordTools(needs: RecordToolNeeds) {
  const { records, lists, store, items } = needs;
  const idOf = recordLookup(needs);

  async function slugsOf(written: readonly WrittenRecord[]): Promise<ReadonlyMap<string, string>> {
    const ids = new Set(written.flatMap(communityIds));
    const found = ids.size === 0 ? [] : await store.communities.communitiesOf([...ids]);
    return new Map(found.map(({ id, slug }) => [id, slug]));
  }

  async function briefOf(view: RecordView): Promise<Result> {
    const written = records.jsonOf(view);
    return summaryOf(written, await slugsOf([written]));
  }

  /** With what is wrong in it, where it is a draft. */
  async function draftOf(view: RecordView): Promise<Result> {
    const errors = view.errors ?? [];
    return { ...(await briefOf(view)), ...(errors.length === 0 ? {} : { errors }) };
  }

  async function list(viewer: Viewer, asked: Omit<ToolSearch, "page" | "size">, args: Arguments) {
    const paging = pageOf(args);
    const found = await lists.searchRecords(viewer, { ...asked, ...paging });
    const written = found.views.map(records.jsonOf);
    const slugs = await slugsOf(written);
    const fields = fieldsOf(args);
    const shown = written.map((each) => {
      const whole = fields === undefined ? summaryOf(each, slugs) : { ...summaryOf(each, slugs), ...detailOf(each) };
      return selected(whole, fields);
    });
    return { found, shown, ...paged(found.total, paging) };
  }

  async function searched(viewer: Viewer, asked: Omit<ToolSearch, "page" | "size">, args: Arguments): Promise<Result> {
    const { found, shown, ...frame } = await list(viewer, { ...asked, q: text(args, "query") }, args);
    const { effective, mode, sort } = found;
    return { ...frame, records: shown, effective_query: effective, query_mode: mode, sort };
  }

  async function published(viewer: Viewer, id: number, doing: string): Promise<RecordView> {
    try {
      return await records.publish(viewer, id);
    } catch (error) {
      if (!isRefusal(error, "invalid")) throw error;
      const { errors } = error.detail;
      throw new ToolRefusal(
        "invalid",
        error.message,
        `${doing} and stays the draft ${id}: mend it with update_record (recid ${id}), then publish_record`,
        Array.isArray(errors) ? (errors as readonly FieldError[]) : undefined,
      );
    }
  }

  async function create(viewer: Viewer, body: Result, publish: boolean): Promise<Result> {
    const made = await records.create(viewer, body);
    return publish ? await briefOf(await published(viewer, made.item.id, "The record was made")) : await draftOf(made);
  }

  /** What is published, or what is drafted where nothing is: its draft is opened, saved and, where that is asked for, published. */
  async function update(viewer: Viewer, args: Arguments, changed: (before: WrittenRecord) => Result): Promise<Result> {
    const id = await idOf(viewer, text(args, "recid"));
    const opened = await records.edit(viewer, id);
    const before = records.jsonOf(opened);
    const was = opened.item.state;
    const saved = await records.save(viewer, id, { metadata: changed(before) });
    const view = isSet(args, "publish") ? await published(viewer, id, "The change was saved") : saved;
    const result = await draftOf(view);
    return { ...result, was, now: result.status };
  }

  async function newVersion(viewer: Viewer, recid: string): Promise<RecordView> {
    return await records.newVersion(viewer, await idOf(viewer, recid));
  }

  const shared: ToolHandlers = {
    async search_records({ viewer, args }) {
      return await searched(viewer, {}, args);
    },

    async get_record({ viewer, args }) {
      const given = text(args, "recid");
      const id = await idOf(viewer, given);
      const view = await (isSet(args, "draft") ? records.readDraft(viewer, id) : records.read(viewer, id));
      const written = records.jsonOf(view);
      const whole = {
        ...summaryOf(written, await slugsOf([written])),
        ...detailOf(written),
        ...(view.byParent || given !== String(view.item.id) ? { resolved_from: given } : {}),
      };
      return selected(whole, fieldsOf(args));
    },

    async publish_record({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      try {
        return await briefOf(await published(viewer, id, "Nothing was published: what was there is kept"));
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
      const before = await records.readDraft(viewer, id);
      await records.discard(viewer, id);
      return { deleted_draft: String(id), record_still_published: before.item.state === "published" };
    },

    async delete_record({ viewer, args }) {
      if (!isSet(args, "confirm")) {
        return {
          done: false,
          effect: `Record ${text(args, "recid")} would be removed: its page and tools answer 410 with the reason, its identifier stays`,
          how: "Ask the person, then call again with confirm=true",
        };
      }
      const id = await idOf(viewer, text(args, "recid"));
      const body = { removal_reason: { id: text(args, "reason_id") }, note: text(args, "note") };
      await records.remove(viewer, id, body);
      return { done: true, id: String(id), status: "deleted", how_to_undo: `restore_record (recid ${id})` };
    },

    async restore_record({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      return await briefOf(await records.restore(viewer, id));
    },
  };

  const http: ToolHandlers = {
    ...shared,

    async my_records({ viewer, args }) {
      return await searched(viewer, { mine: true, sort: "updated-desc" }, args);
    },

    async list_versions({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      const { shown, found: _, ...frame } = await list(viewer, { versionsOf: id }, args);
      return { ...frame, versions: shown };
    },

    async list_revisions({ viewer, args }) {
      const paging = pageOf(args);
      const id = await idOf(viewer, text(args, "recid"));
      const found = await records.revisions(viewer, id, paging.page, paging.size);
      const revisions = found.revisions.map((revision) => {
        const { json, ...line } = revisionJson(revision);
        return isSet(args, "full") ? { ...line, json } : line;
      });
      return { ...paged(found.total, paging), revisions };
    },

    async export_record({ viewer, args }) {
      const id = await idOf(viewer, text(args, "recid"));
      const {
        text: content,
        contentType,
        leftOut,
        landingPage,
      } = await needs.exports(viewer, id, text(args, "fmt"), NO_OPTIONS);
      const octets = new TextEncoder().encode(content).length;
      if (octets > EXPORT_BYTES) {
        const link = `${landingPage}/export/${text(args, "fmt")}`;
        throw new ToolRefusal("too_large", `The export has ${octets} octets.`, `it can be read at ${link}`);
      }
      return {
        recid: String(id),
        format: text(args, "fmt"),
        content_type: contentType,
        content,
        size: octets,
        ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
      };
    },

    async list_community_records({ viewer, args }) {
      try {
        return await searched(viewer, { community: text(args, "community") }, args);
      } catch (error) {
        // What is closed to strangers is told apart from what is not there by nothing.
        throw isRefusal(error, "forbidden") ? unknownRecord() : error;
      }
    },

    async create_record({ viewer, args }) {
      const body = { metadata: metadataOf(args), files: { enabled: isSet(args, "files") } };
      return await create(viewer, body, isSet(args, "publish"));
    },

    async update_record({ viewer, args }) {
      const given = metadataOf(args);
      return await update(viewer, args, ({ metadata }) => merged(metadata, given));
    },

    async new_version({ viewer, args }) {
      const made = await newVersion(viewer, text(args, "recid"));
      const { id } = made.item;
      const date = text(args, "publication_date") || (items.today() satisfies Day);
      const version = text(args, "version");
      const more = { publication_date: date, ...(version === "" ? {} : { version }) };
      const view = await records.save(viewer, id, { metadata: merged(records.jsonOf(made).metadata, more) });
      const imported = isSet(args, "import_files") ? await needs.importFiles(viewer, id) : 0;
      return {
        ...(await draftOf(imported > 0 ? await records.readDraft(viewer, id) : view)),
        imported_files: imported,
        ...(imported === 0 && isSet(args, "import_files")
          ? { note: "The version before has no files to carry over" }
          : {}),
      };
    },
  };

  const stdio: ToolHandlers = {
    ...shared,

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
      return await update(viewer, args, () => metadataOf(args));
    },

    async new_version({ viewer, args }) {
      const made = await newVersion(viewer, text(args, "recid"));
      const { id } = made.item;
      const view = isObject(args.metadata) ? await records.save(viewer, id, { metadata: metadataOf(args) }) : made;
      return isSet(args, "publish")
        ? await briefOf(await published(viewer, id, "The new version was begun"))
        : await draftOf(view);
    },
  };
  return { http, stdio };
}

function fieldsOf({ fields }: Arguments): readonly string[] | undefined {
  return Array.isArray(fields) ? fields.map(String) : undefined;
}

/** Member by member; null takes one away. */
function merged(before: object, given: Result): Result {
  const both = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) both.delete(name);
    else both.set(name, value);
  }
  return Object.fromEntries(both);
}
