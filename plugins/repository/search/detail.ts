// One item over HTTP for programs (specification 3, "GET /api/{version}/records/{record_id}"; R2a, R2c, R2d, R9, R29).
import { DetailShape } from "../../../src/repository/search/detail/detail-writing.ts";
import type { ItemDetail, ItemDetails } from "../../../src/repository/search/detail/item-detail.ts";
import { sha256Hex } from "../../../src/shared/hash/digests.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { answerWith, JSON_TYPE } from "../../http/answer.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { isUnchanged, validatorHeaders } from "../record-dialect.ts";
import { CONDITIONS, itemGroup, PRETTY, VALIDATORS } from "./search-parameters.ts";

const ITEM_ID = /^[1-9]\d{0,14}$/;
const INDENT = 4;

const { get } = endpointsOf<ItemDetails>();

const ENDPOINTS = [
  get("/records/:record_id", {
    id: "readItem",
    summary: "One item",
    description:
      "The item in its RO-Crate form, and its metadata under the labels of its form. The number of a parent means the latest version that the caller may read; Content-Location then names it.",
    query: {
      parameters: [PRETTY],
      /** Whether an answer is to be indented, as programs for existing repositories ask. */
      read: (parameters) => /^(?:true|1)$/i.test(parameters.get("pretty") ?? ""),
    },
    headers: CONDITIONS,
    answer: { status: 200, description: "The item", schema: DetailShape, headers: VALIDATORS },
    also: { 304: { description: "The item is as the caller has it", schema: null, headers: VALIDATORS } },
    refuses: [404, 410],
    async run(details, { viewer, request, params, query }) {
      const language = wantedLanguage(request.headers.get("accept-language"), "en");
      const style = { language, indent: query() ? INDENT : 0 };
      const found = await inWordsOfTheInterface(() => details.read(viewer, itemId(params.record_id), style));
      return await answer(request, found);
    },
  }),
];

export type RecordDetailNeeds = { readonly guard: EndpointGuard; readonly details: ItemDetails };

export const recordDetail = ({ guard, details }: RecordDetailNeeds) =>
  mountEndpoints(itemGroup("record-detail"), ENDPOINTS, details, guard);

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
