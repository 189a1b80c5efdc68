// Records over HTTP (R37; specification 3, "Tool-server records and requests"), in the dialect clients of existing
// record repositories speak.
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import { RECORD_SENTENCES } from "../../../src/model/input/record-refusals.ts";
import type { RecordView } from "../../../src/repository/records/record-json.ts";
import type { RecordText } from "../../../src/repository/records/record-reading.ts";
import { REVISIONS_MAX, type RevisionView, revisionJson } from "../../../src/repository/records/record-revisions.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import { answerInPieces, answerWith, JSON_TYPE } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { recordAnswer, recordBody, recordDialect, recordIdOf, seenBy } from "../record-dialect.ts";
import * as detail from "./document.ts";
import { importedByType, importedLinkedData } from "./import.ts";
import { GROUP, type RecordPluginNeeds } from "./needs.ts";
import { recordSharingPlugin } from "./sharing.ts";

export const recordPlugin = (needs: RecordPluginNeeds) =>
  new Elysia({ name: "records", prefix: "/api" })
    .use(errors(recordDialect))
    .use(recordReadingRoutes(needs))
    .use(recordDraftRoutes(needs))
    .use(recordRemovalRoutes(needs))
    .use(recordSharingPlugin(needs));

const recordReadingRoutes = ({ guard, records, baseUrl, exported }: RecordPluginNeeds) => {
  const anyone = (request: Request): Promise<Viewer> => guard.anyone(request, GROUP, ["item:read"]);
  const person = (request: Request): Promise<Viewer> => guard.viewer(request, GROUP, ["item:read"]);
  return new Elysia({ name: "records-reading" })
    .use(errors(recordDialect))
    .get(
      "/records/:id",
      async ({ request, params }) => {
        const viewer = await anyone(request);
        const id = recordIdOf(params.id);
        const deleted = isFlagSet(request, "include_deleted") ? await records.readDeleted(viewer, id) : null;
        if (deleted !== null)
          return recordAnswer({ ...(await records.jsonOf(deleted.view)), tombstone: deleted.tombstone });
        return (await exported?.(request, viewer, id)) ?? shown(request, await records.readText(viewer, id));
      },
      { detail: detail.READ },
    )
    .get(
      "/records/:id/versions/latest",
      async ({ request, params }) => {
        const latest = await records.latest(await anyone(request), recordIdOf(params.id));
        const location = `${baseUrl}/api/records/${latest}`;
        // The latest version of tomorrow is another one: nobody keeps this.
        return recordAnswer({ status: 301, message: "Moved Permanently.", location }, 301, { location });
      },
      { detail: detail.LATEST },
    )
    .get(
      "/records/:id/draft",
      async ({ request, params }) => {
        const viewer = await person(request);
        const found = await records.readDraftText(viewer, recordIdOf(params.id));
        return new Response(found.text, { headers: { ...OWN_JSON, etag: etagOf(found) } });
      },
      { detail: detail.READ_DRAFT },
    )
    .get(
      "/records/:id/revisions",
      async ({ request, params }) => {
        const viewer = await person(request);
        const { page, size } = pageOf(request);
        const found = await records.revisions(viewer, recordIdOf(params.id), page, size);
        const headers = { ...OWN_JSON, "x-total-count": String(found.total) };
        return await answerInPieces(request, revisionTexts(found.revisions), headers);
      },
      { detail: detail.REVISIONS },
    )
    .get(
      "/records/:id/revisions/:revision",
      async ({ request, params }) => {
        const viewer = await person(request);
        const revision = await records.revision(viewer, recordIdOf(params.id), recordIdOf(params.revision));
        return recordAnswer(await revisionJson(revision));
      },
      { detail: detail.REVISION },
    );
};

const recordDraftRoutes = (needs: RecordPluginNeeds) => {
  const { guard, records } = needs;
  const person = (request: Request, scope: string): Promise<Viewer> => guard.viewer(request, GROUP, [scope]);
  const answer = (view: RecordView, status: number): Promise<Response> => viewed(records.jsonOf, view, status);
  return new Elysia({ name: "records-drafts" })
    .use(errors(recordDialect))
    .post(
      "/records",
      async ({ request }) => {
        const viewer = await person(request, "item:create");
        const document = await importedByType(needs, request, viewer);
        if (document !== null) return document;
        const body = await recordBody(guard, request);
        return (await importedLinkedData(needs, viewer, body)) ?? answer(await records.create(viewer, body), 201);
      },
      { parse: "none", detail: detail.CREATE },
    )
    .post(
      "/records/:id/draft",
      async ({ request, params }) => {
        const viewer = await person(request, "item:update");
        return await answer(await records.edit(viewer, recordIdOf(params.id)), 201);
      },
      { parse: "none", detail: detail.EDIT },
    )
    .put(
      "/records/:id/draft",
      async ({ request, params }) => {
        const viewer = await person(request, "item:update");
        const body = await recordBody(guard, request);
        return await answer(await records.save(viewer, recordIdOf(params.id), body, seenBy(request)), 200);
      },
      { parse: "none", detail: detail.SAVE },
    )
    .delete(
      "/records/:id/draft",
      async ({ request, params }) => {
        const viewer = await person(request, "item:delete");
        await records.discard(viewer, recordIdOf(params.id), seenBy(request));
        return done();
      },
      { parse: "none", detail: detail.DISCARD },
    )
    .post(
      "/records/:id/draft/actions/publish",
      async ({ request, params }) => {
        const viewer = await person(request, "item:update");
        return await answer(await records.publish(viewer, recordIdOf(params.id), seenBy(request)), 202);
      },
      { parse: "none", detail: detail.PUBLISH },
    )
    .post(
      "/records/:id/versions",
      async ({ request, params }) => {
        const viewer = await person(request, "item:create");
        return await answer(await records.newVersion(viewer, recordIdOf(params.id)), 201);
      },
      { parse: "none", detail: detail.NEW_VERSION },
    );
};

const recordRemovalRoutes = ({ guard, records }: RecordPluginNeeds) => {
  const remover = (request: Request): Promise<Viewer> => guard.viewer(request, GROUP, ["item:delete"]);
  return new Elysia({ name: "records-removal" })
    .use(errors(recordDialect))
    .delete(
      "/records/:id/delete",
      async ({ request, params }) => {
        const viewer = await remover(request);
        await records.remove(viewer, recordIdOf(params.id), await recordBody(guard, request), seenBy(request));
        return done();
      },
      { parse: "none", detail: detail.REMOVE },
    )
    .post(
      "/records/:id/restore",
      async ({ request, params }) => {
        const viewer = await remover(request);
        return await viewed(records.jsonOf, await records.restore(viewer, recordIdOf(params.id), seenBy(request)), 200);
      },
      { parse: "none", detail: detail.RESTORE },
    );
};

const OWN_JSON = { "content-type": JSON_TYPE, "cache-control": "private, no-store" };

async function* revisionTexts(revisions: readonly RevisionView[]): AsyncGenerator<string> {
  yield "[";
  for (const [index, revision] of revisions.entries()) {
    yield (index === 0 ? "" : ",") + JSON.stringify(await revisionJson(revision));
    await yieldToEventLoop();
  }
  yield "]";
}

const done = (): Response => new Response(null, { status: 204 });

async function viewed(
  jsonOf: (view: RecordView) => Promise<object>,
  view: RecordView,
  status: number,
): Promise<Response> {
  return recordAnswer(await jsonOf(view), status, { etag: etagOf(view) });
}

/** A record that the caller may have already. */
function shown(request: Request, found: RecordText): Response {
  const etag = etagOf(found);
  const headers = new Headers({ etag, "cache-control": "private, no-cache", vary: "Authorization, Accept" });
  headers.set("last-modified", new Date(found.item.updatedAt).toUTCString());
  if (found.byParent) headers.set("content-location", `/api/records/${found.item.id}`);
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  headers.set("content-type", JSON_TYPE);
  return answerWith(request, found.text, { status: 200, headers });
}

/** The revision. For a version that is not the latest the tag states it: this may change without a new revision. */
function etagOf({ item, draft, isLatest }: Pick<RecordView, "item" | "draft" | "isLatest">): string {
  return draft === null ? `"${item.revision}${isLatest ? "" : ".older"}"` : `"${draft.counter}"`;
}

/** Whether a parameter of the query is true, in the words that clients of existing record repositories use. */
function isFlagSet(request: Request, name: string): boolean {
  const sent = new URL(request.url).searchParams.get(name)?.toLowerCase() ?? "";
  return ["1", "true", "t", "yes", "y", "on"].includes(sent);
}

/** `page` and `size`, counted from 1. */
function pageOf(request: Request): { readonly page: number; readonly size: number } {
  const query = new URL(request.url).searchParams;
  const number = (name: string, most: number, absent: number): number => {
    const text = query.get(name);
    if (text === null) return absent;
    if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= most) return Number(text);
    throw new Refusal("invalid", RECORD_SENTENCES.query, {
      detail: { errors: [{ field: name, messages: [`Must be a whole number from 1 to ${most}.`] }] },
    });
  };
  return { page: number("page", 10_000, 1), size: number("size", REVISIONS_MAX, 25) };
}
