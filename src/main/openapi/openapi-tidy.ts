// What @elysiajs/swagger leaves wrong or unsaid, put right: pure functions over a JSON document (L70, A50). Responses
// and bodies are the plugins' own words; here only form changes: media types nobody serves, repeated schemas, scopes.
import { WRONG_HOST } from "../../../plugins/http/document-parts.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";

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

/** The paths as they are published; `scopes` go into the security of each operation. */
export function tidyPaths(paths: JsonObject): JsonObject {
  return mapOperations(paths, (operation) => {
    const { "x-scopes": scopes, parameters, description, ...rest } = operation;
    return {
      ...rest,
      ...(description === "" ? {} : { description }),
      ...(isJsonObject(rest.requestBody) ? { requestBody: tidyBody(rest.requestBody) } : {}),
      ...(Array.isArray(parameters) && parameters.length > 0 ? { parameters: parameters.map(tidyParameter) } : {}),
      ...(Array.isArray(scopes) ? { security: securityOf(scopes) } : {}),
    };
  });
}

/**
 * Refusals that every operation of an interface may have: they depend on the service, on the token and its account, or on
 * the length of a body, not on what is asked.
 */
const COMMON: ReadonlySet<string> = new Set(["401", "403", "408", "413", "429", "500", "503"]);

/** The operation with its common refusals as one answer, `default`, whose words list their statuses. */
function withDefault(operation: JsonObject): JsonObject {
  const responses = Object.entries(objectIn(operation.responses)).map(
    ([status, each]) => [status, objectIn(each)] as const,
  );
  const mayBeCommon = ([status, { description }]: readonly [string, JsonObject]): boolean =>
    COMMON.has(status) || (status === "400" && description === WRONG_HOST);
  const refused = responses.filter(([status]) => status.startsWith("4"));
  // Readers expect a 4XX next to `default`: where all are common, one is left.
  const left = refused.every(mayBeCommon) ? (refused.find(([status]) => status === "401") ?? refused[0]) : undefined;
  const isCommon = (each: (typeof responses)[number]): boolean => each !== left && mayBeCommon(each);
  const common = responses.filter(isCommon);
  if (common.length < 2) return operation;
  const merged = (name: string): JsonObject => Object.assign({}, ...common.map(([, each]) => each[name]));
  // Where 400 has another meaning too, the host is part of the common ones all the same.
  const hosts = common.some(([status]) => status === "400") || left?.[0] === "400" ? [] : [`400: ${WRONG_HOST}`];
  const words = common.map(([status, each]) => `${status}: ${each.description}`);
  const description = [...hosts, ...words].join("; ");
  const answer = { description, headers: merged("headers"), content: merged("content") };
  const rest = responses.filter((each) => !isCommon(each));
  return { ...operation, responses: { ...Object.fromEntries(rest), default: answer } };
}

/** What was found under a name while a description is made. */
type Found = Map<string, Json>;

/**
 * A description whose shapes with `$id` are written once under `components`, and parameters, answers and headers that
 * occur several times too.
 *
 * @throws TypeError where two different shapes have one name
 */
export function withComponents(paths: JsonObject): { readonly paths: JsonObject; readonly components: JsonObject } {
  const schemas: Found = new Map();
  const folded = mapOperations(objectIn(namedOut(paths, schemas)), withDefault);
  const headers = hoist("headers", partsOf(folded, "headers"));
  const withHeaders = mapOperations(folded, (operation) =>
    mapParts(operation, "responses", (response) => withOwnHeaders(response, headers.refer)),
  );
  const responses = hoist("responses", partsOf(withHeaders, "responses"));
  const parameters = hoist("parameters", partsOf(withHeaders, "parameters"));
  const tidied = mapOperations(withHeaders, (operation) =>
    mapParts(mapParts(operation, "responses", responses.refer), "parameters", parameters.refer),
  );
  const sections = { schemas, responses: responses.found, parameters: parameters.found, headers: headers.found };
  const filled = Object.entries(sections).filter(([, found]) => found.size > 0);
  const components = filled.map(([name, found]) => [name, Object.fromEntries([...found].sort())]);
  return { paths: mapValues(tidied, withSharedParameters), components: Object.fromEntries(components) };
}

/** The path with the parameters that all its methods have, of which there are several. */
function withSharedParameters(item: Json): Json {
  const operations = Object.entries(objectIn(item)).map(([method, each]) => [method, objectIn(each)] as const);
  const [first = [], ...others] = operations.map(([, { parameters }]) => listIn(parameters).map(canonical));
  const isShared = (parameter: Json): boolean => others.every((list) => list.includes(canonical(parameter)));
  const shared = others.length === 0 ? [] : first.map((each): Json => JSON.parse(each)).filter(isShared);
  if (shared.length === 0) return item;
  const changed = operations.map(([method, { parameters, ...rest }]) => {
    const left = listIn(parameters).filter((each) => !isShared(each) || !first.includes(canonical(each)));
    return [method, left.length === 0 ? rest : { ...rest, parameters: left }];
  });
  return { parameters: shared, ...Object.fromEntries(changed) };
}

/** The answer without the header that all answers have, which the text in front of the description names. */
function withOwnHeaders(response: Json, refer: (part: Json, name: string) => Json): Json {
  if (!isJsonObject(response) || !isJsonObject(response.headers)) return response;
  const { "X-Request-Id": _common, ...own } = response.headers;
  const { headers: _all, ...rest } = response;
  return Object.keys(own).length === 0 ? rest : { ...rest, headers: mapValues(own, refer) };
}

type Part = readonly [name: string | null, part: Json];
type Section = "parameters" | "responses" | "headers";

/** The parts of a section in all operations, each with the name that it would have as a component; null: none. */
function partsOf(paths: JsonObject, section: Section): readonly Part[] {
  const parts: Part[] = [];
  mapOperations(paths, (operation) => {
    if (section === "headers") {
      for (const response of Object.values(isJsonObject(operation.responses) ? operation.responses : {})) {
        const headers = isJsonObject(response) ? response.headers : undefined;
        if (isJsonObject(headers)) parts.push(...Object.entries(headers));
      }
    } else mapParts(operation, section, (part, name) => parts.push([name, part]));
    return operation;
  });
  return parts;
}

/** The operation with each parameter or answer changed. */
function mapParts(
  operation: JsonObject,
  section: "parameters" | "responses",
  change: (part: Json, name: string | null) => Json,
): JsonObject {
  const parts = operation[section];
  if (Array.isArray(parts)) {
    return { ...operation, [section]: parts.map((each: Json) => change(each, parameterName(each))) };
  }
  if (!isJsonObject(parts)) return operation;
  return { ...operation, [section]: mapValues(parts, (each, status) => change(each, answerName(each, status))) };
}

/** References to the parts that occur several times; different ones of one name are numbered. */
function hoist(section: Section, parts: readonly Part[]) {
  const counts = new Map<string, number>();
  for (const [name, part] of parts) {
    const key = `${name} ${canonical(part)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const found: Found = new Map();
  const names = new Map<string, string>();
  const nameOf = (base: string, part: Json): string => {
    const key = `${base} ${canonical(part)}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    let name = base;
    for (let more = 2; found.has(name); more += 1) name = `${base}-${more}`;
    names.set(key, name);
    found.set(name, part);
    return name;
  };
  return {
    found,
    refer(part: Json, base: string | null): Json {
      if (base === null || (counts.get(`${base} ${canonical(part)}`) ?? 0) < 2) return part;
      return { $ref: `#/components/${section}/${nameOf(base, part)}` };
    },
  };
}

/** The value with a reference for each shape that has a name. */
function namedOut(value: Json, schemas: Found): Json {
  if (Array.isArray(value)) return value.map((each: Json) => namedOut(each, schemas));
  if (!isJsonObject(value)) return value;
  const { $id: name, ...rest } = value;
  const inner = shortened(mapValues(rest, (each) => namedOut(each, schemas)));
  if (typeof name !== "string") return inner;
  const before = schemas.get(name);
  if (before !== undefined && canonical(before) !== canonical(inner)) {
    throw new TypeError(`Two different shapes are named ${name}`);
  }
  schemas.set(name, inner);
  return { $ref: `#/components/schemas/${name}` };
}

function parameterName(parameter: Json): string | null {
  if (!isJsonObject(parameter)) return null;
  return String(parameter.name).replace(/[^A-Za-z0-9._-]/g, "-");
}

/** `RecordError404`: by the shape of its body and its status; `Page404`: a page; `Empty204`; `PageErrors`: `default`. */
function answerName(response: Json, key: string): string | null {
  const status = key === "default" ? "Errors" : key;
  if (!isJsonObject(response)) return null;
  if (!isJsonObject(response.content)) return `Empty${status}`;
  const [[type, media] = ["", undefined]] = Object.entries(response.content);
  if (type === "text/html") return `Page${status}`;
  const schema = isJsonObject(media) ? media.schema : undefined;
  const reference = isJsonObject(schema) && typeof schema.$ref === "string" ? schema.$ref : "";
  const name = reference.replace(/^.*\//, "");
  if (name === "") return null;
  // `Record404` is what `RecordError` means there.
  const base = name.replace(key === "default" ? /Error$/ : /(?<=.)Error$/, "");
  return `${base}${status}`;
}

/** How TypeBox describes members of any name. */
const ANY_NAME = "^(.*)$";

/** A choice between words as `enum`, a type or null as two types, members of any name: the same, in fewer words. */
function shortened(schema: JsonObject): JsonObject {
  const { anyOf, patternProperties, ...rest } = schema;
  const others = objectIn(patternProperties)[ANY_NAME];
  if (others !== undefined) return { ...rest, additionalProperties: others };
  if (!Array.isArray(anyOf) || !anyOf.every(isJsonObject)) return schema;
  const choices: readonly JsonObject[] = anyOf;
  if (choices.every((each) => typeof each.const === "string" && each.type === "string" && isBare(each))) {
    return { ...rest, type: "string", enum: choices.map((each) => each.const ?? null) };
  }
  const [one, none, more] = choices;
  const isNullable = one !== undefined && none?.type === "null" && isBare(none) && more === undefined;
  if (!isNullable || typeof one.type !== "string" || "const" in one) return schema;
  const values = Array.isArray(one.enum) ? { enum: [...one.enum, null] } : {};
  return { ...one, ...rest, type: [one.type, "null"], ...values };
}

/** Nothing but a type and a value. */
const isBare = (schema: JsonObject): boolean =>
  Object.keys(schema).every((name) => name === "type" || name === "const");

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
  if (!isJsonObject(parameter) || !isJsonObject(parameter.schema) || "$id" in parameter.schema) return parameter;
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

/** The same text for equal values, whatever the order of their members. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_key, each: Json) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function mapValues(object: JsonObject, change: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
