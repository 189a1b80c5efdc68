// The types of the client (client/) and the table of its operations, written from an interface description: shapes with
// a name become types, each operation a member with its input and its answer.
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";

const METHODS = ["get", "put", "post", "patch", "delete", "head", "options"];
/** Where parameters are, and the member of the input that holds them. */
const PLACES = [
  ["path", "path"],
  ["query", "query"],
  ["header", "headers"],
] as const;
const JSON_TYPE = "application/json";
const JSON_MEDIA = /^application\/(?:[\w.-]+\+)?json$/;
const FORM_MEDIA = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)$/;
const NAME = /^[A-Za-z_$][\w$]*$/;

/** The module of a description: types of the shapes, type and table of the operations. */
export function clientTypes(document: JsonObject): string {
  const { schemas } = objectIn(document.components);
  const operations = operationsOf(document);
  const types = operations.map(([id, { operation }]) => [
    ...comment(`${textIn(operation.summary)}. ${textIn(operation.description)}`),
    `readonly ${id}: {`,
    ...inputOf(operation, document),
    `readonly answer: ${answerOf(operation, document).type};`,
    "};",
  ]);
  const table = operations.map(([id, { method, path, operation }]) => {
    const media = contentOf(resolved(operation.requestBody, document)).map(([name]) => name);
    const body = media.length === 0 ? "" : `, body: ${JSON.stringify(media)}`;
    const { kind } = answerOf(operation, document);
    return `${id}: { method: "${method.toUpperCase()}", path: ${JSON.stringify(path)}${body}, answer: "${kind}"${pagesOf(operation, document)} },`;
  });
  const body = [
    ...Object.entries(objectIn(schemas)).flatMap(([name, schema]) => [
      ...comment(textIn(objectIn(schema).description)),
      `export type ${typeName(name)} = ${typeOf(schema)};`,
    ]),
    "",
    "export type Operations = {",
    ...types.flat(),
    "};",
    "",
    "export const OPERATIONS: OperationTable<Operations> = {",
    ...table,
    "};",
    "",
  ].join("\n");
  const imports = ["OperationTable", ...(body.includes("RequestBytes") ? ["RequestBytes"] : [])].join(", ");
  return [
    "// Generated from the interface description by src/main/openapi/client-types.ts; not in git.",
    `import type { ${imports} } from "../operations.ts";`,
    "",
    body,
  ].join("\n");
}

type Described = { readonly method: string; readonly path: string; readonly operation: JsonObject };

/** By id, which is unique. @throws TypeError where it is not */
function operationsOf(document: JsonObject): readonly (readonly [string, Described])[] {
  const found = new Map<string, Described>();
  for (const [path, item] of Object.entries(objectIn(document.paths))) {
    for (const [method, operation] of Object.entries(objectIn(item))) {
      if (!METHODS.includes(method) || !isJsonObject(operation)) continue;
      const shared = listIn(objectIn(item).parameters);
      const parameters = [...shared, ...listIn(operation.parameters)];
      const id = textIn(operation.operationId);
      if (found.has(id)) throw new TypeError(`Two operations are named ${id}`);
      found.set(id, { method, path, operation: { ...operation, parameters } });
    }
  }
  return [...found];
}

/** The members of an input: parts of the address, query, headers, body. */
function inputOf(operation: JsonObject, document: JsonObject): readonly string[] {
  const parameters = listIn(operation.parameters).flatMap((each) => membersOf(resolved(each, document), document));
  const places = PLACES.flatMap(([place, member]) => {
    const here = parameters.filter((each) => each.in === place);
    if (here.length === 0) return [];
    const isNeeded = place === "path" || here.some((each) => each.required === true);
    const members = here.flatMap((each) => [
      ...comment(textIn(each.description)),
      `readonly ${memberName(textIn(each.name))}${place === "path" || each.required === true ? "" : "?"}: ${
        place === "path" ? "string | number" : parameterType(each.schema)
      };`,
    ]);
    return [`readonly ${member}${isNeeded ? "" : "?"}: {`, ...members, "};"];
  });
  const request = resolved(operation.requestBody, document);
  const content = contentOf(request);
  const hasJson = content.some(([media]) => media === JSON_TYPE);
  const types = content.flatMap(([media, { schema }]) => bodyTypes(media, schema, hasJson));
  if (types.length === 0) return places;
  return [...places, `readonly body${request.required === true ? "" : "?"}: ${union(types)};`];
}

/** An object in a query is a parameter for each of its members. */
function membersOf(parameter: JsonObject, document: JsonObject): readonly JsonObject[] {
  const { properties } = resolved(parameter.schema, document);
  if (parameter.in !== "query" || !isJsonObject(properties)) return [parameter];
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", schema }));
}

/** The parameter that turns pages, if there is one. */
function pagesOf(operation: JsonObject, document: JsonObject): string {
  const names = listIn(operation.parameters).map((each) => resolved(each, document).name);
  const found = ["after", "cursor", "page"].find((name) => names.includes(name));
  return found === undefined ? "" : `, pages: "${found}"`;
}

/** A parameter is text in an address: a list is the parameter several times. */
function parameterType(schema: Json | undefined): string {
  const type = typeOf(schema);
  return type === "unknown" ? "string" : type;
}

/** Where JSON is one of the media, other kinds of it are sent as text. */
function bodyTypes(media: string, schema: Json | undefined, hasJson: boolean): readonly string[] {
  if (hasJson ? media === JSON_TYPE : JSON_MEDIA.test(media)) return [typeOf(schema)];
  return FORM_MEDIA.test(media) ? [typeOf(schema), "RequestBytes"] : ["RequestBytes"];
}

/** JSON where there is any; nothing where no answer has a body; else the response itself. */
function answerOf(operation: JsonObject, document: JsonObject) {
  const good = Object.entries(objectIn(operation.responses))
    .filter(([status]) => status.startsWith("2"))
    .map(([, each]) => contentOf(resolved(each, document)));
  const every = good.flat().filter(([media]) => JSON_MEDIA.test(media));
  // The client accepts plain JSON where there is any.
  const plain = every.filter(([media]) => media === JSON_TYPE);
  const json = plain.length > 0 ? plain : every;
  if (json.length > 0) {
    const empty = good.some((media) => media.length === 0) ? ["undefined"] : [];
    return { kind: "json", type: union([...json.map(([, { schema }]) => typeOf(schema)), ...empty]) };
  }
  if (good.length > 0 && good.every((media) => media.length === 0)) return { kind: "nothing", type: "undefined" };
  return { kind: "response", type: "Response" };
}

/** The media types of a body, JSON first, with their schemas. */
function contentOf(body: JsonObject): readonly (readonly [string, JsonObject])[] {
  const content = Object.entries(objectIn(body.content)).map(([media, each]) => [media, objectIn(each)] as const);
  return content.toSorted(([one], [other]) => Number(other === JSON_TYPE) - Number(one === JSON_TYPE));
}

/** What a reference to another part of the description means. */
function resolved(part: Json | undefined, document: JsonObject): JsonObject {
  const { $ref: reference } = objectIn(part);
  if (typeof reference !== "string") return objectIn(part);
  const steps = reference.split("/").slice(1);
  return objectIn(steps.reduce<Json | undefined>((value, step) => objectIn(value)[step], document));
}

/** A JSON schema as a type. */
export function typeOf(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return "unknown";
  if (typeof schema.$ref === "string") return typeName(schema.$ref.replace(/^.*\//, ""));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  for (const alternatives of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(alternatives)) return union(alternatives.map(typeOf));
  }
  if (Array.isArray(schema.allOf)) {
    const [first, ...more] = schema.allOf;
    return more.length === 0 ? typeOf(first) : schema.allOf.map((each) => `(${typeOf(each)})`).join(" & ");
  }
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  return namedType(schema);
}

function namedType(schema: JsonObject): string {
  switch (schema.type) {
    case "string":
      return schema.format === "binary" ? "RequestBytes" : "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return schema.type;
    case "array": {
      const items = typeOf(schema.items);
      return `readonly ${NAME.test(items) ? items : `(${items})`}[]`;
    }
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

function objectType(schema: JsonObject): string {
  const required = listIn(schema.required);
  const members = Object.entries(objectIn(schema.properties)).flatMap(([name, each]) => [
    ...comment(textIn(objectIn(each).description)),
    `readonly ${memberName(name)}${required.includes(name) ? "" : "?"}: ${typeOf(each)};`,
  ]);
  const [pattern] = Object.values(objectIn(schema.patternProperties));
  const others = pattern ?? schema.additionalProperties;
  const isOpen = others === true || (others === undefined && members.length === 0);
  // Next to members of other types an index signature must allow these.
  const rest = isOpen || members.length > 0 ? "unknown" : typeOf(others);
  if (isOpen || isJsonObject(others)) members.push(`readonly [member: string]: ${rest};`);
  return members.length === 0 ? "{ readonly [member: string]: never }" : ["{", ...members, "}"].join("\n");
}

const union = (types: readonly string[]): string => {
  const different = [...new Set(types)];
  return different.includes("unknown") ? "unknown" : different.join(" | ") || "never";
};

/** @throws TypeError for a name that would hide one that the module uses */
function typeName(name: string): string {
  if (name === "Response" || name === "RequestBytes") throw new TypeError(`A shape cannot be named ${name}`);
  return name.replace(/[^\w$]/g, "_");
}
const memberName = (name: string): string => (NAME.test(name) ? name : JSON.stringify(name));

function comment(text: string): readonly string[] {
  const line = text.replaceAll("*/", "*\\/").replace(/\s+/g, " ").trim();
  return line === "" || line === "." ? [] : [`/** ${line} */`];
}

const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const textIn = (value: Json | undefined): string => (typeof value === "string" ? value : "");
