// The form of an item type over HTTP (specification 3, "Item-type form definition"; R4, R9).
import { Elysia } from "elysia";
import { toSchemaform } from "../../../src/model/item-types/schemaform.ts";
import type { ItemTypeReading } from "../../../src/repository/items/item-type-reading.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { answerWith, JSON_TYPE } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { recordsDialect } from "../errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { SCHEMAFORM_DETAIL } from "./document.ts";

type SchemaformNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyoneOrGuest">;
  readonly types: Pick<ItemTypeReading, "newest">;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "forms";
const TYPE_ID = /^[1-9]\d{0,8}$/;

export const schemaform = ({ guard, types }: SchemaformNeeds) =>
  new Elysia({ name: "schemaform" }).use(errors(recordsDialect)).get(
    "/items/schemaform/:item_type_id",
    async ({ request, params: { item_type_id: written } }) => {
      await guard.anyoneOrGuest(request, GROUP, []);
      const type = TYPE_ID.test(written) ? await types.newest(Number(written)) : null;
      if (type === null || type.deleted) {
        throw new Refusal("not_found", `There is no item type "${written.slice(0, 100)}"`);
      }
      const { id, version } = type.definition;
      const etag = `"${id}-${version}"`;
      const headers = new Headers({ etag, "cache-control": "no-cache" });
      if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
      headers.set("content-type", JSON_TYPE);
      return answerWith(request, JSON.stringify(toSchemaform(type.definition)), { status: 200, headers });
    },
    { detail: SCHEMAFORM_DETAIL },
  );
