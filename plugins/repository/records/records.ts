// Records over HTTP (R37; specification 3, "Tool-server records and requests"), in the dialect clients of existing record repositories speak.
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import { unknownRecord } from "../../../src/repository/model/record-refusals.ts";
import { type RecordJsonNeeds, recordJson } from "../../../src/repository/records/record-json.ts";
import type { RecordView } from "../../../src/repository/records/record-view.ts";
import type { Seen } from "../../../src/repository/records/record-writing.ts";
import type { Records } from "../../../src/repository/records/records.ts";
import { isMatchAsked } from "../../../src/shared/entity-tags.ts";
import { errors } from "../../http/errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordAnswer, recordBody, recordDialect } from "../record-dialect.ts";
import * as detail from "./document.ts";

export type RecordPluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyone" | "viewer" | "json">;
  readonly records: Records;
  readonly written: RecordJsonNeeds;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "records";
const ID = /^[1-9]\d{0,14}$/;

export const recordPlugin = ({ guard, records, written }: RecordPluginNeeds) => {
  const read = (request: Request): Promise<Viewer> => guard.anyone(request, GROUP, ["item:read"]);
  const person = (request: Request, scope: string): Promise<Viewer> => guard.viewer(request, GROUP, [scope]);
  const answer = (view: RecordView, status: number): Response =>
    recordAnswer(recordJson(view, written), status, { etag: etagOf(view) });
  return new Elysia({ name: "records", prefix: "/api" })
    .use(errors(recordDialect))
    .post(
      "/records",
      async ({ request }) => {
        const viewer = await person(request, "item:create");
        const view = await records.create(viewer, await recordBody(guard, request));
        return answer(view, 201);
      },
      { parse: "none", detail: detail.CREATE },
    )
    .get(
      "/records/:id",
      async ({ request, params }) => answer(await records.read(await read(request), idOf(params.id)), 200),
      {
        detail: detail.READ,
      },
    )
    .get(
      "/records/:id/draft",
      async ({ request, params }) => {
        const viewer = await person(request, "item:read");
        return answer(await records.readDraft(viewer, idOf(params.id)), 200);
      },
      { detail: detail.READ_DRAFT },
    )
    .post(
      "/records/:id/draft",
      async ({ request, params }) => {
        const viewer = await person(request, "item:update");
        return answer(await records.edit(viewer, idOf(params.id)), 201);
      },
      { parse: "none", detail: detail.EDIT },
    )
    .put(
      "/records/:id/draft",
      async ({ request, params }) => {
        const viewer = await person(request, "item:update");
        const body = await recordBody(guard, request);
        return answer(await records.save(viewer, idOf(params.id), body, seenBy(request)), 200);
      },
      { parse: "none", detail: detail.SAVE },
    )
    .delete(
      "/records/:id/draft",
      async ({ request, params }) => {
        const viewer = await person(request, "item:delete");
        await records.discard(viewer, idOf(params.id), seenBy(request));
        return new Response(null, { status: 204 });
      },
      { parse: "none", detail: detail.DISCARD },
    )
    .post(
      "/records/:id/draft/actions/publish",
      async ({ request, params }) => {
        const viewer = await person(request, "item:update");
        return answer(await records.publish(viewer, idOf(params.id), seenBy(request)), 202);
      },
      { parse: "none", detail: detail.PUBLISH },
    )
    .post(
      "/records/:id/versions",
      async ({ request, params }) => {
        const viewer = await person(request, "item:create");
        return answer(await records.newVersion(viewer, idOf(params.id)), 201);
      },
      { parse: "none", detail: detail.NEW_VERSION },
    )
    .delete(
      "/records/:id/delete",
      async ({ request, params }) => {
        const viewer = await person(request, "item:delete");
        await records.remove(viewer, idOf(params.id), await recordBody(guard, request));
        return new Response(null, { status: 204 });
      },
      { parse: "none", detail: detail.REMOVE },
    )
    .post(
      "/records/:id/restore",
      async ({ request, params }) => {
        const viewer = await person(request, "item:delete");
        return answer(await records.restore(viewer, idOf(params.id)), 200);
      },
      { parse: "none", detail: detail.RESTORE },
    );
};

/** What is no id is the id of nothing. */
export function idOf(text: string): number {
  if (ID.test(text)) return Number(text);
  throw unknownRecord();
}

/** The revision. A version that is not the latest says so: that may change without a revision of its own. */
function etagOf({ item, draft, isLatest }: RecordView): string {
  return draft === null ? `"${item.revision}${isLatest ? "" : ".older"}"` : `"${draft.counter}"`;
}

/** The revisions that `If-Match` names, with quotes and without. */
function seenBy({ headers }: Request): Seen {
  const header = headers.get("if-match");
  if (!isMatchAsked(header)) return { revisions: null };
  return { revisions: header.split(",").map((tag) => tag.trim().replace(/^(?:W\/)?"?(\d+)[^"]*"?$/, "$1")) };
}
