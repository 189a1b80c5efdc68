// With whom a record is shared, over HTTP (R15, R37): grants in the manner of existing record repositories, each of which names one account.
import { Elysia } from "elysia";
import { RECORD_SENTENCES } from "../../../src/repository/model/record-refusals.ts";
import { accountId, grantJson } from "../../../src/repository/records/record-sharing.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { errors } from "../../http/errors.ts";
import { recordAnswer, recordBody, recordDialect } from "../record-dialect.ts";
import * as detail from "./document.ts";
import { GROUP, idOf, type RecordPluginNeeds } from "./needs.ts";

export const recordSharingPlugin = (needs: RecordPluginNeeds) => {
  const { guard, records } = needs;
  return new Elysia({ name: "record-sharing" })
    .use(errors(recordDialect))
    .use(sharedUnder(needs, "grants"))
    .use(sharedUnder(needs, "users"))
    .post(
      "/records/:id/access/grants",
      async ({ request, params }) => {
        const viewer = await guard.viewer(request, GROUP, ["item:update"]);
        const id = idOf(params.id);
        return listed(needs, id, await records.share(viewer, id, await recordBody(guard, request)), 201);
      },
      { parse: "none", detail: detail.SHARE },
    );
};

/** Both names are in use; each lists the same. */
const sharedUnder = (needs: RecordPluginNeeds, name: "grants" | "users") => {
  const { guard, records, baseUrl } = needs;
  return new Elysia({ name: `record-sharing-${name}` })
    .use(errors(recordDialect))
    .get(
      `/records/:id/access/${name}`,
      async ({ request, params }) => {
        const viewer = await guard.viewer(request, GROUP, ["item:read"]);
        const id = idOf(params.id);
        return listed(needs, id, await records.shared(viewer, id), 200);
      },
      { detail: detail.grantsOperation(name) },
    )
    .get(
      `/records/:id/access/${name}/:account`,
      async ({ request, params }) => {
        const viewer = await guard.viewer(request, GROUP, ["item:read"]);
        const [id, account] = [idOf(params.id), named(params.account)];
        if ((await records.shared(viewer, id)).includes(account)) return recordAnswer(grantJson(id, account, baseUrl));
        throw new Refusal("not_found", RECORD_SENTENCES.notFound);
      },
      { detail: detail.grantOperation(name) },
    )
    .delete(
      `/records/:id/access/${name}/:account`,
      async ({ request, params }) => {
        const viewer = await guard.viewer(request, GROUP, ["item:update"]);
        await records.unshare(viewer, idOf(params.id), named(params.account));
        return new Response(null, { status: 204 });
      },
      { parse: "none", detail: detail.unshareOperation(name) },
    );
};

function listed({ baseUrl }: RecordPluginNeeds, id: number, accounts: readonly number[], status: number): Response {
  const hits = accounts.map((account) => grantJson(id, account, baseUrl));
  return recordAnswer({ hits: { total: hits.length, hits } }, status);
}

/** What is no number of an account is the number of none. */
function named(text: string): number {
  const account = accountId(text);
  if (account === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
  return account;
}
