// Bodies of the records interface that are read part by part (R37).
import { isObject } from "../../shared/fields.ts";
import { oneError } from "./record-refusals.ts";

/** The body as an object. @throws Refusal `invalid` for an absent body, and for any other value. */
export function bodyObject(body: unknown): object {
  if (isObject(body)) return body;
  throw oneError("_schema", "Invalid input type.");
}
