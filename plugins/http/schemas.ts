// The JSON Schema of each shape that the interface description names: /schemas/{name}.json (R32). They are the
// description's own, with references between them as files.
import { Elysia } from "elysia";
import { ServiceError } from "../../src/shared/errors.ts";
import type { Json } from "../../src/shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../src/shared/json/read.ts";
import { arkDialect, errors } from "./errors.ts";
import { SCHEMA_DETAIL } from "./operations-document.ts";

const REFERENCE = "#/components/schemas/";
const SUFFIX = ".json";
const MEDIA_TYPE = "application/schema+json";

/** `document`: the interface description as JSON text, which is read when the first schema is asked for. */
export const schemas = ({ document }: { readonly document: () => Promise<string> }) => {
  let shapes: Promise<JsonObject> | null = null;
  const read = async (): Promise<JsonObject> => shapesIn(JSON.parse(await document()));
  return new Elysia({ name: "schemas" }).use(errors(arkDialect)).get(
    "/schemas/:file",
    async ({ params: { file } }) => {
      shapes ??= read();
      const name = file.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : "";
      const all = await shapes;
      const shape = Object.hasOwn(all, name) ? all[name] : undefined;
      if (!isJsonObject(shape)) throw new ServiceError(1101, { path: `/schemas/${file.slice(0, 200)}` });
      const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", title: name, ...shape };
      return new Response(JSON.stringify(schema), {
        headers: { "content-type": MEDIA_TYPE, "cache-control": "no-cache" },
      });
    },
    { detail: SCHEMA_DETAIL },
  );
};

function shapesIn(description: Json): JsonObject {
  const components = isJsonObject(description) ? description.components : undefined;
  const found = isJsonObject(components) ? components.schemas : undefined;
  const asFiles = withFileReferences(found ?? {});
  return isJsonObject(asFiles) ? asFiles : {};
}

/** `Community.json` for `#/components/schemas/Community`. */
function withFileReferences(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => withFileReferences(each));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    name === "$ref" && typeof each === "string" && each.startsWith(REFERENCE)
      ? `${each.slice(REFERENCE.length)}${SUFFIX}`
      : withFileReferences(each),
  ]);
  return Object.fromEntries(entries);
}
