// The deposit interfaces over HTTP (specification 2, "Deposit endpoints"; R11, R13b).
import { Elysia } from "elysia";
import type { Deposit } from "../../../src/repository/deposit/deposit.ts";
import { type ServiceDocumentNeeds, serviceDocument } from "../../../src/repository/deposit/documents.ts";
import { SwordError } from "../../../src/repository/deposit/messages.ts";
import type { DepositAnswer, DepositCall, DepositHeaders } from "../../../src/repository/deposit/request.ts";
import { JSON_TYPE } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { bodyPieces, type SlowLimits } from "../../http/request-body.ts";
import { contextOf } from "../../http/request-context.ts";
import type { RepositoryGuard } from "../guard.ts";
import { DELETE_DETAIL, POST_DETAIL, PUT_DETAIL, SERVICE_DETAIL, STATUS_DETAIL } from "./document.ts";
import { swordDialect } from "./errors.ts";

type SwordNeeds = SlowLimits & {
  readonly deposit: Deposit;
  readonly guard: Pick<RepositoryGuard, "anyone">;
  readonly serviceDocument: ServiceDocumentNeeds;
};

const GROUP = "sword";

export const sword = (needs: SwordNeeds) => {
  const { deposit } = needs;
  const call = async (request: Request): Promise<DepositCall> => ({
    requestId: contextOf(request).id,
    // Which scopes a deposit needs depends on how it is registered; service and status documents need a token, no scope
    // (R2e).
    viewer: await needs.guard.anyone(request, GROUP, []),
    headers: headersOf(request),
  });
  const upload = async (request: Request) => ({ ...(await call(request)), body: bodyOf(request, needs) });
  return new Elysia({ name: "sword", prefix: "/sword" })
    .use(errors(swordDialect(needs.now)))
    .get(
      "/service-document",
      async ({ request }) => {
        await deposit.admitReader(await call(request));
        return Response.json(serviceDocument(needs.serviceDocument), { headers: { "content-type": JSON_TYPE } });
      },
      { detail: SERVICE_DETAIL },
    )
    .post("/service-document", async ({ request }) => answer(await deposit.create(await upload(request))), {
      parse: "none",
      detail: POST_DETAIL,
    })
    .get(
      "/deposit/:recid",
      async ({ request, params }) => answer(await deposit.status(await call(request), params.recid)),
      { detail: STATUS_DETAIL },
    )
    .put(
      "/deposit/:recid",
      async ({ request, params }) => answer(await deposit.replace(await upload(request), params.recid)),
      { parse: "none", detail: PUT_DETAIL },
    )
    .delete(
      "/deposit/:recid",
      async ({ request, params }) => answer(await deposit.remove(await call(request), params.recid)),
      { parse: "none", detail: DELETE_DETAIL },
    );
};

function answer({ status, headers, body }: DepositAnswer): Response {
  if (body === null) return new Response(null, { status, headers });
  return Response.json(body, {
    status,
    headers: { "content-type": JSON_TYPE, "cache-control": "no-store", ...headers },
  });
}

function headersOf({ headers }: Request): DepositHeaders {
  return {
    onBehalfOf: headers.get("on-behalf-of"),
    contentLength: headers.get("content-length"),
    contentType: headers.get("content-type"),
    contentDisposition: headers.get("content-disposition"),
    packaging: headers.get("packaging"),
    digest: headers.get("digest"),
    ifMatch: headers.get("if-match"),
    idempotencyKey: headers.get("idempotency-key"),
  };
}

function bodyOf(request: Request, limits: SlowLimits): AsyncGenerator<Uint8Array> {
  const rule = `at least ${limits.leastBytesPerSecond} bytes a second are asked for`;
  return bodyPieces(request, limits, {
    tooSlow() {
      throw new SwordError("ContentMalformed", `The request body came too slowly: ${rule}.`);
    },
    brokenOff(cause) {
      throw new SwordError("ContentMalformed", "The request body broke off.", null, { cause });
    },
  });
}
