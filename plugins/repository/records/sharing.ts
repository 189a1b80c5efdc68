// With whom a record is shared, over HTTP (R15, R37): grants in the manner of existing record repositories, each of
// which names one account or group.
import { type AnyElysia, Elysia } from "elysia";
import { RECORD_SENTENCES } from "../../../src/model/input/record-refusals.ts";
import type { Grant } from "../../../src/model/items/item.ts";
import { type GrantSubject, grantJson, grantNamed, subjectId } from "../../../src/repository/records/record-sharing.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { errors } from "../../http/errors.ts";
import { recordAnswer, recordBody, recordDialect, recordIdOf } from "../record-dialect.ts";
import * as detail from "./document.ts";
import { GROUP, type RecordPluginNeeds } from "./needs.ts";

export const recordSharingPlugin = (needs: RecordPluginNeeds) => {
  const { guard, records } = needs;
  return new Elysia({ name: "record-sharing" })
    .use(errors(recordDialect))
    .use(sharedUnder(needs, "grants"))
    .use(sharedUnder(needs, "users"))
    .use(sharedUnder(needs, "groups"))
    .post(
      "/records/:id/access/grants",
      async ({ request, params }) => {
        const viewer = await guard.viewer(request, GROUP, ["item:update"]);
        const id = recordIdOf(params.id);
        return listed(needs, id, await records.share(viewer, id, await recordBody(guard, request)), 201);
      },
      { parse: "none", detail: detail.SHARE },
    );
};

/** The names that list grants: which of them each lists, and whom a segment of its addresses names. */
const LISTS = {
  grants: { has: (_: Grant) => true, subject: grantNamed },
  users: { has: ({ subject }: Grant) => subject === "user", subject: (text: string) => numbered("user", text) },
  groups: { has: ({ subject }: Grant) => subject === "role", subject: (text: string) => numbered("role", text) },
} as const;

/** Widened: the combined type of all routes is too large to be compared. */
const sharedUnder = (needs: RecordPluginNeeds, name: keyof typeof LISTS): AnyElysia => {
  const { guard, records, baseUrl } = needs;
  const { has, subject: subjectOf } = LISTS[name];
  /** What names no subject is the name of none. */
  const named = (text: string): GrantSubject => {
    const found = subjectOf(text);
    if (found === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
    return found;
  };
  const change = async (request: Request, params: { readonly id: string; readonly subject: string }) => {
    const viewer = await guard.viewer(request, GROUP, ["item:update"]);
    const id = recordIdOf(params.id);
    const grant = await records.changeGrant(viewer, id, named(params.subject), await recordBody(guard, request));
    return recordAnswer(grantJson(id, grant, baseUrl));
  };
  const app = new Elysia({ name: `record-sharing-${name}` })
    .use(errors(recordDialect))
    .get(
      `/records/:id/access/${name}`,
      async ({ request, params }) => {
        const viewer = await guard.viewer(request, GROUP, ["item:read"]);
        const id = recordIdOf(params.id);
        return listed(needs, id, (await records.grants(viewer, id)).filter(has), 200);
      },
      { detail: detail.grantsOperation(name) },
    )
    .get(
      `/records/:id/access/${name}/:subject`,
      async ({ request, params }) => {
        const viewer = await guard.viewer(request, GROUP, ["item:read"]);
        const id = recordIdOf(params.id);
        return recordAnswer(grantJson(id, await records.grant(viewer, id, named(params.subject)), baseUrl));
      },
      { detail: detail.grantOperation(name) },
    )
    .patch(`/records/:id/access/${name}/:subject`, ({ request, params }) => change(request, params), {
      parse: "none",
      detail: detail.changeGrantOperation(name, "change"),
    })
    .delete(
      `/records/:id/access/${name}/:subject`,
      async ({ request, params }) => {
        const viewer = await guard.viewer(request, GROUP, ["item:update"]);
        await records.unshare(viewer, recordIdOf(params.id), named(params.subject));
        return new Response(null, { status: 204 });
      },
      { parse: "none", detail: detail.unshareOperation(name) },
    );
  if (name !== "grants") return app;
  return app.put(`/records/:id/access/${name}/:subject`, ({ request, params }) => change(request, params), {
    parse: "none",
    detail: detail.changeGrantOperation(name, "replace"),
  });
};

function listed({ baseUrl }: RecordPluginNeeds, id: ItemId, grants: readonly Grant[], status: number): Response {
  const hits = grants.map((grant) => grantJson(id, grant, baseUrl));
  return recordAnswer({ hits: { total: hits.length, hits } }, status);
}

function numbered(subject: Grant["subject"], text: string): GrantSubject | null {
  const id = subjectId(text);
  return id === null ? null : { subject, id };
}
