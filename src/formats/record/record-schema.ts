// The shapes of metadata in the tools' model (R3).
import { Type } from "@sinclair/typebox";
import type { JsonObject } from "../../shared/json/read.ts";

export const MetadataShape = Type.Unsafe<JsonObject>(Type.Object({}, { $id: "Metadata", additionalProperties: true }));
export const CustomFieldsShape = Type.Unsafe<JsonObject>(
  Type.Object({}, { $id: "CustomFields", additionalProperties: true }),
);
