// What @elysiajs/swagger leaves wrong or unsaid, put right: pure functions over a JSON document (L70, A50). Responses
// and bodies are the plugins' own words; here only form changes: media types nobody serves, repeated schemas, scopes.
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";

/** A schema that is written once under `components` and referred to everywhere else. */
export type NamedSchema = { readonly name: string; readonly schema: unknown };

const METHODS = ["get", "put", "post", "patch", "delete", "head", "options"];
const JSON_MEDIA = "application/json";

/** Every operation of the paths, changed by `change`. */
function mapOperations(paths: JsonObject, change: (operation: JsonObject) => JsonObject): JsonObject {
  return mapValues(paths, (item) =>
    isJsonObject(item)
      ? mapValues(item, (operation, method) =>
          METHODS.includes(method) && isJsonObject(operation) ? change(operation) : operation,
        )
      : item,
  );
}

/**
 * The paths as they are published. `schemas` are replaced by references; `scopes` go into the security of each
 * operation.
 */
export function tidyPaths(paths: JsonObject, schemas: readonly NamedSchema[]): JsonObject {
  const names = new Map(schemas.map(({ name, schema }) => [canonical(plain(schema)), name]));
  const tidied = mapOperations(paths, (operation) => {
    const { "x-scopes": scopes, ...rest } = operation;
    return {
      ...rest,
      ...(isJsonObject(rest.requestBody) ? { requestBody: tidyBody(rest.requestBody) } : {}),
      ...(Array.isArray(rest.parameters) ? { parameters: rest.parameters.map(tidyParameter) } : {}),
      ...(Array.isArray(scopes) ? { security: securityOf(scopes) } : {}),
    };
  });
  const referred = withReferences(tidied, names);
  return isJsonObject(referred) ? referred : {};
}

/** The named schemas, each referring to the others but never to itself. */
export function components(schemas: readonly NamedSchema[]): JsonObject {
  const names = new Map(schemas.map(({ name, schema }) => [canonical(plain(schema)), name]));
  return Object.fromEntries(
    schemas.map(({ name, schema }) => {
      const whole = plain(schema);
      const others = new Map([...names].filter(([, other]) => other !== name));
      return [name, withReferences(whole, others)];
    }),
  );
}

/** Bodies are JSON wherever JSON is among the media types: the plugin lists every type Elysia could have parsed. */
function tidyBody(body: JsonObject): JsonObject {
  if (!isJsonObject(body.content)) return body;
  const json = body.content[JSON_MEDIA];
  return { required: true, content: json === undefined ? body.content : { [JSON_MEDIA]: json } };
}

/**
 * Query schemas that also take text are described by the value that the text means; a choice has no default unless one
 * is written.
 */
function tidyParameter(parameter: Json): Json {
  if (!isJsonObject(parameter) || !isJsonObject(parameter.schema)) return parameter;
  const { schema } = parameter;
  const { description: _said, ...own } = schema;
  if (Array.isArray(schema.anyOf)) {
    const meant = schema.anyOf.filter(isJsonObject).find((each) => each.type !== "string");
    if (meant !== undefined) {
      const { description: _again, ...rest } = meant;
      return { ...parameter, schema: rest };
    }
  }
  if (Array.isArray(own.enum) && own.default === own.enum[0]) {
    const { default: _first, ...rest } = own;
    return { ...parameter, schema: rest };
  }
  return { ...parameter, schema: own };
}

/** One of the scopes is enough; each may come with an API key, a token of this server or one of the external server. */
function securityOf(scopes: readonly Json[]): Json {
  return scopes.flatMap((scope) => [{ bearer: [scope] }, { oauth2: [scope] }]);
}

function withReferences(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((each: Json) => withReferences(each, names));
  if (!isJsonObject(value)) return value;
  const name = names.get(canonical(value));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return mapValues(value, (each) => withReferences(each, names));
}

/** A schema as it looks in JSON: TypeBox keeps its own marks under symbols. */
function plain(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema));
}

/** The same text for equal values, whatever the order of their members. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_key, each: Json) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

function mapValues(object: JsonObject, change: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
