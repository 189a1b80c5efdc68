// The form of an item type over HTTP (specification 3, "Item-type form definition"; R4, R9).
import { Type } from "@sinclair/typebox";
import { FormElement, toSchemaform } from "../../../src/model/item-types/schemaform.ts";
import type { ItemTypeReading } from "../../../src/repository/items/item-type-reading.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { answerWith, JSON_TYPE } from "../../http/answer.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { plainGroup } from "../error-groups.ts";

type Services = { readonly types: Pick<ItemTypeReading, "newest"> };

const GROUP = plainGroup({
  prefix: "",
  name: "schemaform",
  tag: "Forms",
  rateGroup: "forms",
  access: "guests",
  scopes: [],
  always: [404],
  pathParameters: { item_type_id: "Number of the item type" },
});

const TYPE_ID = /^[1-9]\d{0,8}$/;
const headers = { ETag: { description: "Changes with the version of the item type", schema: { type: "string" } } };

const { get } = endpointsOf<Services>();

const FORM_ENDPOINTS = [
  get("/items/schemaform/:item_type_id", {
    id: "readSchemaform",
    summary: "The input form of an item type",
    description: "Its form elements in order, with labels in English and Japanese. Guests may read it.",
    answer: { status: 200, description: "The form elements", schema: Type.Array(FormElement), headers },
    also: { 304: { description: "The form matches the ETag sent", schema: null, headers } },
    async run({ types }, { request, params: { item_type_id: written } }) {
      const type = TYPE_ID.test(written) ? await types.newest(Number(written)) : null;
      if (type === null || type.deleted) {
        throw new Refusal("not_found", `There is no item type "${written.slice(0, 100)}"`);
      }
      const { id, version } = type.definition;
      const etag = `"${id}-${version}"`;
      const sent = new Headers({ etag, "cache-control": "no-cache" });
      if (namesTag(request.headers.get("if-none-match"), etag))
        return new Response(null, { status: 304, headers: sent });
      sent.set("content-type", JSON_TYPE);
      return answerWith(request, JSON.stringify(toSchemaform(type.definition)), { status: 200, headers: sent });
    },
  }),
];

export const schemaform = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, FORM_ENDPOINTS, services, guard);
