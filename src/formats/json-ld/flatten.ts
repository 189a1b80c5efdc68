// From nested entities to the flat graph that RO-Crate 1.1 requires: every entity is in `@graph` once and is linked to
// by its @id.
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";

/** Takes nested entities apart. Ids are those given, where free; else `#<type>-<number>`. Equal entities become one. */
type GraphBuilder = {
  /** Adds an entity with everything nested in it; returns the link to it. */
  add(entity: JsonObject): JsonObject;
  /** All entities, each after those that link to it. */
  entities(): readonly JsonObject[];
};

export function graphBuilder(): GraphBuilder {
  const byId = new Map<string, JsonObject>();
  const texts = new Map<string, string>();
  const counts = new Map<string, number>();

  const newId = (entity: JsonObject): string => {
    const types = entity["@type"];
    const type = isJsonArray(types) ? types[0] : types;
    const word = typeof type === "string" ? type.toLowerCase().replace(/[^a-z]+/g, "-") : "entity";
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return `#${word}-${count}`;
  };
  const link = (entity: JsonObject): JsonObject => {
    const text = JSON.stringify(entity);
    const known = texts.get(text);
    if (known !== undefined) return { "@id": known };
    const given = entity["@id"];
    const id = typeof given === "string" && !byId.has(given) ? given : newId(entity);
    texts.set(text, id);
    byId.set(id, entity); // keeps its place; what it nests comes behind it
    const terms = Object.entries(entity).filter(([key]) => key !== "@id");
    byId.set(id, { "@id": id, ...Object.fromEntries(terms.map(([key, value]) => [key, linked(key, value)])) });
    return { "@id": id };
  };
  const linked = (key: string, value: Json): Json => {
    if (key.startsWith("@")) return value;
    if (isJsonArray(value)) return value.map((each) => linked(key, each));
    return isJsonObject(value) && !isValue(value) ? link(value) : value;
  };
  return { add: link, entities: () => [...byId.values()] };
}

/** A value object or a link only, which stay where they are. */
function isValue(object: JsonObject): boolean {
  const keys = Object.keys(object);
  return Object.hasOwn(object, "@value") || (keys.length === 1 && keys[0] === "@id");
}
