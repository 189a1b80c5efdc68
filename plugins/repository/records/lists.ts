// Lists of records over HTTP (R10, R37; specification 3, search_records, my_records, list_versions,
// list_community_records).
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import { uiLanguage, withLabels } from "../../../src/formats/record/ui.ts";
import { unknownRecord } from "../../../src/model/input/record-refusals.ts";
import { listFrame } from "../../../src/repository/record-lists/list-json.ts";
import { listRequest } from "../../../src/repository/record-lists/list-parameters.ts";
import {
  type Hit,
  LIST_SHAPES,
  type ListedRecords,
  type ListScope,
  type RecordLists,
} from "../../../src/repository/record-lists/record-lists.ts";
import {
  type RecordJsonNeeds,
  type RecordView,
  recordJsonInParts,
} from "../../../src/repository/records/record-json.ts";
import { chooseMediaType, wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { keptTexts } from "../../../src/shared/text/text-cache.ts";
import { inTurns } from "../../../src/shared/time/event-loop.ts";
import { answerInPieces, JSON_TYPE, queryOf, withMembers } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordDialect, recordIdOf } from "../record-dialect.ts";
import * as detail from "./lists-document.ts";
import { GROUP } from "./needs.ts";

export type RecordListPluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyone" | "viewer">;
  readonly lists: RecordLists;
  readonly written: RecordJsonNeeds;
  /**
   * Changes whenever a cached record must be rendered again without a change of the record: its day, and its counts
   * (R39).
   */
  readonly period: () => string;
};

const SCOPES = ["item:read"];
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

export const recordListPlugin = ({ guard, lists, written, period }: RecordListPluginNeeds) => {
  const kept = keptTexts(CACHED_HITS_BYTES);

  async function answer(request: Request, viewer: Viewer, scope: ListScope): Promise<Response> {
    const { pathname } = new URL(request.url);
    const sent = new URLSearchParams(queryOf(request));
    const listed = await lists.search(viewer, scope, listRequest(sent, LIST_SHAPES[scope.kind].defaults));
    const frame = listFrame(listed, written.baseUrl + pathname, sent);
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
    const isGuest = viewer.account === null;
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

  const anyone = (request: Request): Promise<Viewer> => guard.anyone(request, GROUP, SCOPES);
  return new Elysia({ name: "records-lists" })
    .use(errors(recordDialect))
    .get(
      "/records",
      async ({ request }) => answer(request, await anyone(request), { kind: "published", withDrafts: false }),
      { detail: detail.SEARCH },
    )
    .get(
      "/user/records",
      async ({ request }) => answer(request, await guard.viewer(request, GROUP, SCOPES), { kind: "own" }),
      { detail: detail.OWN },
    )
    .get(
      "/records/:id/versions",
      async ({ request, params }) => {
        const viewer = await anyone(request);
        return await answer(request, viewer, { kind: "versions", of: recordIdOf(params.id) });
      },
      { detail: detail.VERSIONS },
    )
    .get(
      "/communities/:id/records",
      async ({ request, params }) =>
        answer(request, await anyone(request), { kind: "community", community: decoded(params.id) }),
      { detail: detail.COMMUNITY },
    );
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unknownRecord();
  }
}
