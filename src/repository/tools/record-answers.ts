// What the tools of records share (R30; reference 1.1): results of records, alone and in lists, and the publishing of a
// draft.
import type { Viewer } from "../../auth/account.ts";
import { type FieldError, RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Aggregations } from "../record-lists/facets.ts";
import type { RecordLists, ToolFound, ToolSearch } from "../record-lists/record-lists.ts";
import type { RecordView } from "../records/record-json.ts";
import type { Records } from "../records/records.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { Arguments } from "./arguments.ts";
import { ERRORS_SHOWN, errorsOf, ToolRefusal } from "./outcome.ts";
import { isSet, number, paged, pageOf, text } from "./paging.ts";
import { communityIds, detailOf, requireKnownFields, selected, summaryOf, type WrittenRecord } from "./summary.ts";
import { partOf } from "./whole-values.ts";

type RecordAnswerNeeds = {
  readonly records: Pick<Records, "publish" | "jsonOf">;
  readonly lists: Pick<RecordLists, "searchRecords">;
  readonly store: Pick<RepositoryReader, "communities">;
  /** The number of the record a text names. */
  readonly idOf: (viewer: Viewer, given: string) => Promise<number>;
};

type Result = Readonly<Record<string, unknown>>;
type SavedDraft = Pick<RecordView, "errors"> & { readonly item: Pick<RecordView["item"], "id"> };

/** A page of records: `found` by the search, `shown` as the tool shows them, with the frame of the page. */
type RecordListResult = ReturnType<typeof paged> & { readonly found: ToolFound; readonly shown: readonly Result[] };

export interface RecordAnswers {
  readonly idOf: (viewer: Viewer, given: string) => Promise<number>;
  briefOf(view: RecordView): Promise<Result>;
  draftOf(view: RecordView): Promise<Result>;
  detailed(view: RecordView, more: Result, args: Arguments): Promise<Result>;
  list(viewer: Viewer, asked: Omit<ToolSearch, "page" | "size">, args: Arguments): Promise<RecordListResult>;
  searched(viewer: Viewer, asked: Omit<ToolSearch, "page" | "size">, args: Arguments): Promise<Result>;
  published(viewer: Viewer, savedDraft: SavedDraft, doing: string): Promise<Result>;
}

export function recordAnswers(needs: RecordAnswerNeeds): RecordAnswers {
  return {
    idOf: needs.idOf,
    briefOf: (view) => briefResult(needs, view),
    draftOf: (view) => draftResult(needs, view),
    detailed: (view, more, args) => detailResult(needs, view, more, args),
    list: (viewer, asked, args) => listResult(needs, viewer, asked, args),
    searched: (viewer, asked, args) => searchResult(needs, viewer, asked, args),
    published: (viewer, savedDraft, doing) => publishDraft(needs, viewer, savedDraft, doing),
  };
}

async function slugsFor(
  needs: RecordAnswerNeeds,
  written: readonly WrittenRecord[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(written.flatMap(communityIds));
  const found = ids.size === 0 ? [] : await needs.store.communities.communitiesOf([...ids]);
  return new Map(found.map(({ id, slug }) => [id, slug]));
}

async function briefResult(needs: RecordAnswerNeeds, view: RecordView): Promise<Result> {
  const written = await needs.records.jsonOf(view);
  return summaryOf(written, await slugsFor(needs, [written]));
}

/** With the errors of the draft. */
async function draftResult(needs: RecordAnswerNeeds, view: RecordView): Promise<Result> {
  const errors = view.errors ?? [];
  const shown = errors.slice(0, ERRORS_SHOWN);
  return {
    ...(await briefResult(needs, view)),
    ...(errors.length === 0 ? {} : { errors: shown }),
    ...(shown.length < errors.length ? { errors_total: errors.length } : {}),
  };
}

async function listResult(
  needs: RecordAnswerNeeds,
  viewer: Viewer,
  asked: Omit<ToolSearch, "page" | "size">,
  args: Arguments,
) {
  const paging = pageOf(args);
  const fields = fieldsOf(args);
  // Summaries show ids of vocabularies, no titles.
  const found = await needs.lists.searchRecords(viewer, { ...asked, ...paging, titles: fields !== undefined });
  const written = await Promise.all(found.views.map(needs.records.jsonOf));
  const slugs = await slugsFor(needs, written);
  const shown = written.map((each) => {
    const whole = fields === undefined ? summaryOf(each, slugs) : { ...summaryOf(each, slugs), ...detailOf(each) };
    return selected(whole, fields);
  });
  return { found, shown, ...paged(found.total, paging) };
}

async function searchResult(
  needs: RecordAnswerNeeds,
  viewer: Viewer,
  asked: Omit<ToolSearch, "page" | "size">,
  args: Arguments,
): Promise<Result> {
  const sorted = text(args, "sort") === "" ? asked : { ...asked, sort: text(args, "sort") };
  const isCounting = isSet(args, "facets");
  const sought = { ...sorted, q: text(args, "query"), facets: isCounting };
  const { found, shown, ...frame } = await listResult(needs, viewer, sought, args);
  const { effective, mode, sort, aggregations } = found;
  return {
    ...{ ...frame, records: shown, effective_query: effective, query_mode: mode, sort },
    ...(isCounting && aggregations !== null ? { facets: shownFacets(aggregations) } : {}),
  };
}

/**
 * Publishes the draft, or refuses with the reason. `wrong`: values that were sent and not saved; a draft without them
 * is not published.
 */
async function publishDraft(
  needs: RecordAnswerNeeds,
  viewer: Viewer,
  { item, errors: wrong = [] }: SavedDraft,
  doing: string,
): Promise<Result> {
  const id = String(item.id);
  const kept = `${doing} and stays the draft ${id}`;
  if (wrong.length > 0) {
    throw new ToolRefusal("invalid", RECORD_SENTENCES.validation, `${kept}: ${mending(id, wrong)}`, wrong, id);
  }
  try {
    return await briefResult(needs, await needs.records.publish(viewer, item.id));
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const fieldErrors = errorsOf(error);
    throw new ToolRefusal("invalid", error.message, `${kept}: ${mending(id, fieldErrors)}`, fieldErrors, id);
  }
}

async function detailResult(
  needs: RecordAnswerNeeds,
  view: RecordView,
  more: Result,
  args: Arguments,
): Promise<Result> {
  const written = await needs.records.jsonOf(view);
  const result = { ...summaryOf(written, await slugsFor(needs, [written])), ...detailOf(written), ...more };
  const fields = fieldsOf(args);
  if (args.offset !== undefined) {
    const [path = "", ...others] = fields ?? [];
    if (others.length > 0) throw oneField();
    const { id, status, revision_id } = result;
    return { id, status, revision_id, part: partOf(result, path, number(args, "offset")) };
  }
  const chosen = selected(result, fields);
  if (!isSet(args, "full")) return chosen;
  const characters = JSON.stringify(chosen).length;
  if (characters <= WHOLE_CHARACTERS) return { ...chosen, whole: true };
  throw new ToolRefusal(
    "too_large",
    `The record has ${characters} characters: more than ${WHOLE_CHARACTERS} are not returned at once.`,
    `fields chooses members; fields with one path and offset reads a list or text part by part; ${written.links.self} has everything`,
  );
}

/** The field of a query that narrows it to a value of a facet. */
const FACET_FIELDS: Readonly<Record<string, string>> = {
  publication_date: "metadata.publication_date",
  access_status: "access.status",
  file_type: "files.types",
  resource_type: "metadata.resource_type.props.type",
  language: "metadata.languages.id",
  subject: "metadata.subjects.subject",
};
/** Years that a histogram shows, the last ones. */
const YEARS_SHOWN = 50;

function shownFacets(aggregations: Aggregations): Result {
  return Object.fromEntries(
    Object.entries(aggregations).map(([name, { buckets }]) => [
      name,
      {
        field: FACET_FIELDS[name] ?? name,
        values: buckets
          .filter(({ doc_count: count }) => count > 0)
          .slice(-YEARS_SHOWN)
          .map(({ key, label, doc_count: count }) => ({ value: key, label, count })),
      },
    ]),
  );
}

/** Of one record that is returned whole. */
const WHOLE_CHARACTERS = 1024 * 1024;

const oneField = (): ToolRefusal =>
  new ToolRefusal("invalid", "The arguments are not valid.", "offset reads one list or text: name its path alone", [
    { field: "fields", messages: ["Must have one path where offset is set."] },
  ]);

/** @throws Refusal `invalid` for a path that names no member of a record. */
function fieldsOf({ fields }: Arguments): readonly string[] | undefined {
  if (!Array.isArray(fields)) return undefined;
  const paths = fields.map(String);
  requireKnownFields(paths);
  return paths;
}

/** Which call mends what is wrong in a draft. */
function mending(id: string, errors: readonly FieldError[]): string {
  if (errors.length === 0) return "list_requests (status=submitted) finds the request that is open about it";
  const isOfFiles = errors.every(({ field }) => field === "files" || field.startsWith("files."));
  return isOfFiles
    ? `list_files (recid ${id}, draft=true) shows its files, then publish_record`
    : `mend it with update_record (recid ${id}), then publish_record`;
}

/** Member by member; null takes one away. */
export function merged(before: object, given: Result): Result {
  const both = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) both.delete(name);
    else both.set(name, value);
  }
  return Object.fromEntries(both);
}
