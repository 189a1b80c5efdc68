// Lists of records over HTTP (R10, R37; specification 3, search_records, my_records, list_versions,
// list_community_records).
import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import { uiLanguage, withLabels } from "../../../src/formats/record/ui.ts";
import { unknownRecord } from "../../../src/model/input/record-refusals.ts";
import {
  DUPLICATES_QUERY,
  type DuplicateQuestion,
  DuplicatesShape,
  duplicatesJson,
  type LikelyDuplicates,
} from "../../../src/repository/record-lists/likely-duplicates.ts";
import { listFrame } from "../../../src/repository/record-lists/list-json.ts";
import { type ListRequest, SIMILAR_QUERY } from "../../../src/repository/record-lists/list-parameters.ts";
import {
  type Hit,
  LIST_QUERIES,
  type ListedRecords,
  type ListScope,
  type RecordLists,
} from "../../../src/repository/record-lists/record-lists.ts";
import {
  type RecordJsonNeeds,
  type RecordView,
  recordJsonInParts,
} from "../../../src/repository/records/record-json.ts";
import { RecordListShape } from "../../../src/repository/records/record-shape.ts";
import type { Sent } from "../../../src/shared/fields.ts";
import { chooseMediaType, wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import type { RecordId } from "../../../src/shared/ids.ts";
import { keptTexts } from "../../../src/shared/text/text-cache.ts";
import { inTurns } from "../../../src/shared/time/event-loop.ts";
import { answerInPieces, JSON_TYPE, queryOf, withMembers } from "../../http/answer.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { recordIdOf } from "../record-dialect.ts";
import { recordsGroup } from "./group.ts";

export type RecordListPluginNeeds = {
  readonly guard: EndpointGuard;
  readonly lists: RecordLists;
  readonly duplicates: LikelyDuplicates;
  readonly written: RecordJsonNeeds;
  /**
   * Changes whenever a cached record must be rendered again without a change of the record: its day, and its counts
   * (R39).
   */
  readonly period: () => string;
};

/** Bytes of rendered hits in the cache. */
const CACHED_HITS_BYTES = 32 * 1024 * 1024;
const HEADERS = { "cache-control": "private, no-store", vary: "Authorization, Accept, Accept-Language" };
/** Clients that display records request this type, and get labels in their language with each record. */
const RENDERED = "application/vnd.inveniordm.v1+json";

type Language = ReturnType<typeof uiLanguage>;

/** The language of the labels; null: none are asked for. */
function labelsAsked({ headers }: Request): Language | null {
  const wanted = chooseMediaType(headers.get("accept"), ["application/json", RENDERED], "named");
  return wanted === RENDERED ? uiLanguage(wantedLanguage(headers.get("accept-language"), "en")) : null;
}

type Services = {
  readonly answer: (request: Request, viewer: Viewer, scope: ListScope, asked: Sent<ListRequest>) => Promise<Response>;
  readonly similar: (request: Request, viewer: Viewer, id: RecordId, size: number) => Promise<Response>;
  readonly likely: (viewer: Viewer, question: DuplicateQuestion) => Promise<Static<typeof DuplicatesShape>>;
};

const { get } = endpointsOf<Services>();

const list = { status: 200, description: "What was found", schema: RecordListShape, otherMedia: [RENDERED] };

const RECORD_LIST_ENDPOINTS = [
  get("/records", {
    id: "searchPublishedRecords",
    summary: "Find records",
    description: "Published records that the caller may read, the latest version of each.",
    access: "anyone",
    query: LIST_QUERIES.published,
    answer: list,
    run: ({ answer }, { request, viewer, query }) =>
      answer(request, viewer, { kind: "published", withDrafts: false }, query),
  }),
  get("/user/records", {
    id: "searchOwnRecords",
    summary: "The caller's records and drafts",
    description: "One entry for each: its newest version, and of what is being changed the draft.",
    query: LIST_QUERIES.own,
    answer: list,
    run: ({ answer }, { request, viewer, query }) => answer(request, viewer, { kind: "own" }, query),
  }),
  get("/records/:id/versions", {
    id: "listRecordVersions",
    summary: "All versions of a record",
    description: "Published versions that the caller may read, the newest first. Any version may be named.",
    access: "anyone",
    query: LIST_QUERIES.versions,
    answer: list,
    refuses: [410],
    run: ({ answer }, { request, viewer, params, query }) =>
      answer(request, viewer, { kind: "versions", of: recordIdOf(params.id) }, query),
  }),
  get("/records/duplicates", {
    id: "listLikelyDuplicates",
    summary: "Records that may describe the same work",
    description: "Records and drafts with this identifier, or with a very similar title of about the same year.",
    query: DUPLICATES_QUERY,
    answer: { status: 200, description: "At most five", schema: DuplicatesShape },
    run: ({ likely }, { viewer, query }) => likely(viewer, query()),
  }),
  get("/records/:id/similar", {
    id: "listSimilarRecords",
    summary: "Records that are about the same",
    description:
      "Published records that the caller may read and that have the most telling words of this one, in its title, subjects and description, the most similar first. No version of the record itself. The total is the number of records in the answer.",
    access: "anyone",
    query: SIMILAR_QUERY,
    answer: list,
    refuses: [400, 410],
    run: ({ similar }, { request, viewer, params, query }) =>
      similar(request, viewer, recordIdOf(params.id), query().size),
  }),
];

const COMMUNITY_RECORD_ENDPOINTS = [
  get("/communities/:id/records", {
    id: "searchCommunityRecords",
    summary: "Published records of a community",
    description: "As the list of all records. Of a restricted community for its members only.",
    access: "anyone",
    query: LIST_QUERIES.community,
    answer: list,
    run: ({ answer }, { request, viewer, params, query }) =>
      answer(request, viewer, { kind: "community", community: decoded(params.id) }, query),
  }),
];

export const recordListPlugin = ({ guard, lists, duplicates, written, period }: RecordListPluginNeeds) => {
  const kept = keptTexts(CACHED_HITS_BYTES);

  async function answer(request: Request, viewer: Viewer, scope: ListScope, asked: Sent<ListRequest>) {
    return await answerWith(request, viewer, await lists.search(viewer, scope, asked()));
  }

  async function similar(request: Request, viewer: Viewer, id: RecordId, size: number) {
    return await answerWith(request, viewer, await lists.similar(viewer, id, size));
  }

  const likely = async (viewer: Viewer, question: DuplicateQuestion) =>
    duplicatesJson(await duplicates.likely(viewer, question));

  async function answerWith(request: Request, viewer: Viewer, listed: ListedRecords) {
    const { pathname } = new URL(request.url);
    const meant = (await listed.corrected())?.text ?? null;
    const frame = listFrame(listed, written.baseUrl + pathname, new URLSearchParams(queryOf(request)), meant);
    const labels = labelsAsked(request);
    const pieces = withMembers(frame, texts(viewer, listed, labels), { depth: 2, pretty: false });
    return await answerInPieces(request, pieces, {
      ...HEADERS,
      "content-type": labels === null ? JSON_TYPE : RENDERED,
    });
  }

  /** What guests see of a record hangs on nothing but these: it is written once. */
  const nameOf = ({ item, parent }: Hit, labels: Language | null): string =>
    JSON.stringify([labels, item.id, item.revision, item.updatedAt, item.ark, item.isLatest, parent, period()]);

  async function textOf(view: RecordView, labels: Language | null): Promise<string> {
    const text = JSON.stringify(await inTurns(recordJsonInParts(view, written)));
    return labels === null ? text : JSON.stringify(withLabels(JSON.parse(text), labels));
  }

  async function* texts(viewer: Viewer, listed: ListedRecords, labels: Language | null): AsyncGenerator<string> {
    // By a link a guest may see more: that is kept for nobody.
    const isGuest = viewer.account === null && viewer.links === undefined;
    const names: string[] = [];
    const known = (hit: Hit): string | null => {
      const name = isGuest ? nameOf(hit, labels) : "";
      names.push(name);
      return isGuest ? (kept.get(name) ?? null) : null;
    };
    let at = 0;
    for await (const view of listed.views(known)) {
      const name = names[at++] ?? "";
      const text = typeof view === "string" ? view : await textOf(view, labels);
      if (isGuest && typeof view !== "string") kept.set(name, text);
      yield text;
    }
  }

  const ofCommunities = recordsGroup("community-records", "UUID or slug of the community");
  return new Elysia({ name: "record-lists" })
    .use(mountEndpoints(recordsGroup("records-lists"), RECORD_LIST_ENDPOINTS, { answer, similar, likely }, guard))
    .use(mountEndpoints(ofCommunities, COMMUNITY_RECORD_ENDPOINTS, { answer, similar, likely }, guard));
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unknownRecord();
  }
}
