// The shapes of metadata in answers (R3): those of what is sent, without limits on new values, which older records and
// other interfaces may exceed.
import { type TSchema, Type } from "@sinclair/typebox";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { withoutLimits } from "../../shared/shapes.ts";
import { CUSTOM_FIELDS } from "./custom-fields.ts";
import { METADATA } from "./record.ts";

/** Members that a draft, or a record of another interface, may lack. */
const NOT_ALWAYS: readonly Json[] = ["role", "funder", "relation_type"];

/** A shape as it is shown: `CreatorInput` becomes `Creator`. */
function shown(schema: Json): Json {
  if (isJsonArray(schema)) return schema.map(shown);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]): [string, Json] => {
      if (name === "$id" && typeof value === "string") return [name, value.replace(/Input$/, "")];
      if (name === "required" && isJsonArray(value)) return [name, value.filter((each) => !NOT_ALWAYS.includes(each))];
      return [name, shown(value)];
    }),
  );
}

const shownShape = (schema: TSchema) => {
  const plain = shown(withoutLimits(schema));
  return Type.Unsafe<JsonObject>(isJsonObject(plain) ? plain : {});
};

export const MetadataShape = shownShape(METADATA.schema);
export const CustomFieldsShape = shownShape(CUSTOM_FIELDS.schema);
