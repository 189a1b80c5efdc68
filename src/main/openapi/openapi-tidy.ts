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

/** What was found under a name while a description is made. */
type Found = Map<string, Json>;

/**
 * A description whose shapes with `$id` are written once under `components`; where `isHoisted`, repeated parameters,
 * refusals and headers too.
 *
 * @throws TypeError where two different shapes have one name
 */
export function withComponents(
  paths: JsonObject,
  isHoisted: boolean,
): { readonly paths: JsonObject; readonly components: JsonObject } {
  const [schemas, responses, parameters, headers]: [Found, Found, Found, Found] = [
    new Map(),
    new Map(),
    new Map(),
    new Map(),
  ];
  const named = namedOut(paths, schemas);
  if (!isHoisted)
    return { paths: isJsonObject(named) ? named : {}, components: { schemas: Object.fromEntries(schemas) } };
  const tidied = mapOperations(isJsonObject(named) ? named : {}, (operation) => ({
    ...operation,
    ...(Array.isArray(operation.parameters)
      ? { parameters: operation.parameters.map((each) => hoisted(each, parameters, "parameters", parameterName(each))) }
      : {}),
    ...(isJsonObject(operation.responses)
      ? {
          responses: mapValues(operation.responses, (each, status) => {
            const response = withHeaders(each, headers);
            return hoisted(response, responses, "responses", answerName(response, status));
          }),
        }
      : {}),
  }));
  const sections = { schemas, responses, parameters, headers };
  const filled = Object.entries(sections).filter(([, found]) => found.size > 0);
  const components = filled.map(([name, found]) => [name, Object.fromEntries([...found].sort())]);
  return { paths: tidied, components: Object.fromEntries(components) };
}

/** The value with a reference for each shape that has a name. */
function namedOut(value: Json, schemas: Found): Json {
  if (Array.isArray(value)) return value.map((each: Json) => namedOut(each, schemas));
  if (!isJsonObject(value)) return value;
  const { $id: name, ...rest } = value;
  const inner = mapValues(rest, (each) => namedOut(each, schemas));
  if (typeof name !== "string") return inner;
  const before = schemas.get(name);
  if (before !== undefined && canonical(before) !== canonical(inner)) {
    throw new TypeError(`Two different shapes are named ${name}`);
  }
  schemas.set(name, inner);
  return { $ref: `#/components/schemas/${name}` };
}

/** A reference to the first part of that name; the part itself where it is another one, or has no name. */
function hoisted(part: Json, found: Found, section: string, name: string | null): Json {
  if (name === null) return part;
  const first = found.get(name);
  if (first === undefined) found.set(name, part);
  else if (canonical(first) !== canonical(part)) return part;
  return { $ref: `#/components/${section}/${name}` };
}

/** `query-page`; parameters of a path are short and mean another thing on each path, headers are few. */
function parameterName(parameter: Json): string | null {
  if (!isJsonObject(parameter) || parameter.in !== "query") return null;
  return `query-${parameter.name}`.replace(/[^A-Za-z0-9._-]/g, "-");
}

/** `RecordError404`: an answer by the shape of its body and its status. */
function answerName(response: Json, status: string): string | null {
  if (!isJsonObject(response) || !isJsonObject(response.content)) return null;
  const [media] = Object.values(response.content);
  const schema = isJsonObject(media) ? media.schema : undefined;
  const reference = isJsonObject(schema) && typeof schema.$ref === "string" ? schema.$ref : "";
  const name = reference.replace(/^.*\//, "");
  return name === "" ? null : `${name}${status}`;
}

function withHeaders(response: Json, headers: Found): Json {
  if (!isJsonObject(response) || !isJsonObject(response.headers)) return response;
  return { ...response, headers: mapValues(response.headers, (each, name) => hoisted(each, headers, "headers", name)) };
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

/** Other types that Elysia could have parsed, which the plugin lists where JSON is among the media types. */
const PARSED_MEDIA: readonly string[] = ["multipart/form-data", "text/plain"];

function tidyBody(body: JsonObject): JsonObject {
  if (!isJsonObject(body.content)) return body;
  const isJson = Object.hasOwn(body.content, JSON_MEDIA);
  const types = Object.entries(body.content).filter(([type]) => !isJson || !PARSED_MEDIA.includes(type));
  return { required: body.required !== false, content: Object.fromEntries(types) };
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
