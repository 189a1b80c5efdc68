// One item over HTTP for programs (specification 3, "GET /api/{version}/records/{record_id}"; R2a, R2c, R2d, R9, R29).
import { Elysia } from "elysia";
import type { ItemDetail, ItemDetails } from "../../../src/repository/search/detail/item-detail.ts";
import { sha256Hex } from "../../../src/shared/hash/digests.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { answerWith, JSON_TYPE } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { recordsDialect, requireVersion } from "../errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { isUnchanged, validatorHeaders } from "../record-dialect.ts";
import { DETAIL_DETAIL } from "./detail-document.ts";

export type RecordDetailNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyone">;
  readonly details: ItemDetails;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "records";
const SCOPES = ["item:read"];
const ITEM_ID = /^[1-9]\d{0,14}$/;
const INDENT = 4;

export const recordDetail = ({ guard, details }: RecordDetailNeeds) =>
  new Elysia({ name: "record-detail", prefix: "/api" }).use(errors(recordsDialect)).get(
    "/:version/records/:record_id",
    async ({ request, params }) => {
      requireVersion(params.version);
      const viewer = await guard.anyone(request, GROUP, SCOPES);
      const language = wantedLanguage(request.headers.get("accept-language"), "en");
      const style = { language, indent: isPretty(request) ? INDENT : 0 };
      const found = await inWordsOfTheInterface(() => details.read(viewer, itemId(params.record_id), style));
      return await answer(request, found);
    },
    { detail: DETAIL_DETAIL },
  );

async function answer(request: Request, found: ItemDetail): Promise<Response> {
  // The same version reads otherwise in another language, and for whose item it is.
  const etag = `"${found.id}.${found.version}.${sha256Hex(found.text).slice(0, 16)}"`;
  const validators = { etag, changedAt: found.updatedAt };
  const headers = validatorHeaders(validators);
  if (found.byParent) headers.set("content-location", `/api/v1/records/${found.id}`);
  if (isUnchanged(request, validators)) return new Response(null, { status: 304, headers });
  headers.set("content-type", JSON_TYPE);
  return answerWith(request, found.text, { status: 200, headers });
}

/** Whether an answer is to be indented, as programs for existing repositories ask. */
function isPretty(request: Request): boolean {
  return /^(?:true|1)$/i.test(new URL(request.url).searchParams.get("pretty") ?? "");
}

/** Text that is not an id: nothing has it. */
function itemId(text: string): number {
  if (ITEM_ID.test(text)) return Number(text);
  throw new Refusal("not_found", `There is no item "${text.slice(0, 100)}"`);
}

/** Sentences that clients of this interface know. */
const SENTENCES = { not_found: "This Item does not found", forbidden: "Permission denied" } as const;

async function inWordsOfTheInterface<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isRefusal(error, "not_found")) throw new Refusal("not_found", SENTENCES.not_found);
    if (isRefusal(error, "forbidden")) throw new Refusal("forbidden", SENTENCES.forbidden);
    throw error;
  }
}
