// Puts the examples into an interface description (examples.ts): at the shapes, and at the texts that an example of a
// request or an answer is composed of. Shapes that are only reached through one with a whole example need none.
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { MEDIA_EXAMPLES, PARAMETER_EXAMPLES, SHAPE_EXAMPLES, TEXT_EXAMPLES } from "./examples.ts";

/** Formats for which readers compose a value themselves. */
const KNOWN_FORMATS: ReadonlySet<Json | undefined> = new Set(["date-time", "date", "uuid", "uri", "binary"]);
const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** The description with its examples. */
export function withExamples(description: JsonObject): JsonObject {
  const { schemas, ...parts } = objectIn(description.components);
  const shapes = objectIn(schemas);
  const paths = mapValues(description.paths, (item) =>
    mapValues(item, (part) => (Array.isArray(part) ? part.map(parameterWithExample) : withOperationExamples(part))),
  );
  const others = {
    ...parts,
    parameters: mapValues(parts.parameters, parameterWithExample),
    responses: mapValues(parts.responses, withContentExamples),
  };
  const composed = composedShapes(JSON.stringify([paths, others]), shapes);
  const named = mapValues(shapes, (shape, name) => {
    const whole = SHAPE_EXAMPLES[name];
    if (whole !== undefined) return { ...objectIn(shape), examples: [whole] };
    return composed.has(name) ? withTexts(shape, name, name) : shape;
  });
  return { ...description, paths, components: { ...others, schemas: named } };
}

function withOperationExamples(operation: Json): Json {
  if (!isJsonObject(operation)) return operation;
  const owner = String(operation.operationId);
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(parameterWithExample) } : {}),
    ...(isJsonObject(requestBody) ? { requestBody: withContentExamples(requestBody, owner) } : {}),
    responses: mapValues(responses, (answer) => withContentExamples(answer, owner)),
  };
}

function withContentExamples(body: Json, owner: string): Json {
  if (!isJsonObject(body) || !isJsonObject(body.content)) return body;
  const content = mapValues(body.content, (media, type) => {
    const example = MEDIA_EXAMPLES[type];
    const { schema } = objectIn(media);
    const isOpen = isJsonObject(schema) && !("$ref" in schema) && Object.keys(objectIn(schema.properties)).length === 0;
    if (example !== undefined && isOpen) return { ...objectIn(media), example };
    return schema === undefined ? media : { ...objectIn(media), schema: withTexts(schema, owner, owner) };
  });
  return { ...body, content };
}

function parameterWithExample(parameter: Json): Json {
  if (!isJsonObject(parameter) || "$ref" in parameter || "example" in parameter) return parameter;
  const { in: place, name, description, schema = {} } = parameter;
  const [, example] = PARAMETER_EXAMPLES.find(([meant]) => meant.test(`${place} ${name}: ${description}`)) ?? [];
  const isPlain = isJsonObject(schema) && schema.type === "string" && !("enum" in schema);
  if (example !== undefined && isPlain) return { ...parameter, schema: { ...schema, examples: [example] } };
  return { ...parameter, schema: withTexts(schema, String(name), "") };
}

/** The shapes of which examples are composed, from those that a text refers to. */
function composedShapes(text: string, shapes: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (part: string): void => {
    for (const [, name = ""] of part.matchAll(REFERENCE)) {
      if (found.has(name) || name in SHAPE_EXAMPLES) continue;
      found.add(name);
      look(JSON.stringify(shapes[name]));
    }
  };
  look(text);
  return found;
}

/** The schema with an example at each text; `owner`: its shape or operation. */
function withTexts(schema: Json, name: string, owner: string): Json {
  if (!isJsonObject(schema) || ["$ref", "enum", "const", "example", "examples"].some((each) => each in schema)) {
    return schema;
  }
  const { properties, items, anyOf, allOf } = schema;
  if (Object.keys(objectIn(properties)).length > 0) {
    return { ...schema, properties: mapValues(properties, (each, member) => withTexts(each, member, owner)) };
  }
  if (isJsonObject(items)) return { ...schema, items: withTexts(items, name, owner) };
  if (Array.isArray(anyOf)) {
    const [first = {}, ...others] = anyOf;
    return { ...schema, anyOf: [withTexts(first, name, owner), ...others] };
  }
  if (Array.isArray(allOf)) return { ...schema, allOf: allOf.map((each: Json) => withTexts(each, name, owner)) };
  const example = exampleOf(schema, name, owner);
  return example === undefined ? schema : { ...schema, examples: [example] };
}

function exampleOf(
  { type, format, default: preset = "", additionalProperties: others }: JsonObject,
  name: string,
  owner: string,
): Json | undefined {
  if (KNOWN_FORMATS.has(format) || (preset !== "" && preset !== null)) return undefined;
  const example = TEXT_EXAMPLES[`${owner}.${name}`] ?? TEXT_EXAMPLES[name];
  if (isJsonObject(example)) return type === "object" && others !== undefined ? example : undefined;
  if (typeof example === "boolean") return type === "boolean" ? example : undefined;
  return type === "string" || (Array.isArray(type) && type.includes("string")) ? example : undefined;
}

const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const mapValues = (object: Json | undefined, change: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(objectIn(object)).map(([name, value]) => [name, change(value, name)]));
