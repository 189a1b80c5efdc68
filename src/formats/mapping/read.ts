// Applies a mapping to an entity of a graph: what the definition finds there, as canonical metadata (R14). write.ts is
// the other direction.
import type { TSchema } from "@sinclair/typebox";
import { EMPTY_METADATA, type Metadata, type ResourceType } from "../../model/metadata/metadata.ts";
import {
  childSchema,
  completed,
  isFreeSchema,
  isMetadata,
  isObjectSchema,
  itemSchema,
  schemaProblem,
  valueSchema,
} from "../../model/metadata/metadata-schema.ts";
import { RESOURCE_TYPE_IDS, resourceTypeOf } from "../../model/metadata/resource-types.ts";
import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { isObject } from "../../shared/objects.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Graph } from "../json-ld/graph.ts";
import { plainText, readText } from "../json-ld/values.ts";
import {
  type Branch,
  byNextStep,
  descended,
  elementSteps,
  filterMembers,
  type Head,
  type Mapping,
  PUBDATE,
  scalarOf,
  withinElements,
} from "./compile.ts";
import type { Step } from "./definition.ts";

export type MappedRecord = {
  readonly metadata: Metadata;
  /** The definition's value for the day the record is shown from; null when it has none. */
  readonly pubdate: string | null;
};

type World = { readonly graph: Graph; readonly today: Day };

/**
 * What a mapping finds in an entity. Terms it reads are marked in the graph; what cannot be a value of its place is
 * left unsaid.
 */
export function readMapped(mapping: Mapping, entity: Json, graph: Graph, today: Day): MappedRecord {
  const world = { graph, today };
  const members: Record<string, unknown> = { ...EMPTY_METADATA };
  const custom: [string, Json][] = [];
  const filled = new Set<string>();
  let pubdate: string | null = null;
  for (const head of mapping.heads) {
    if (filled.has(head.key) || filled.has(head.member)) {
      markRepeated(head, entity, members[head.member], graph);
      continue;
    }
    const value = build(head.schema, head.filter, head.entries, entity, world);
    if (value === undefined) continue;
    filled.add(head.key);
    if (head.member === PUBDATE) pubdate = typeof value === "string" ? value : null;
    else if (head.customKey !== null)
      custom.push([head.customKey, value as Json]); // free JSON is built of Json
    else if (Array.isArray(value)) members[head.member] = [...asArray(members[head.member]), ...value];
    else members[head.member] = value;
  }
  const metadata = { ...members, custom: Object.fromEntries(custom) };
  if (!isMetadata(metadata)) throw new TypeError("A mapping produced something that is not metadata");
  return { metadata: { ...metadata, type: metadata.type === null ? null : knownType(metadata.type) }, pubdate };
}

/** Documents repeat a title, once plain and once with its language: the second is marked as read, not left over. */
function markRepeated(head: Head, entity: Json, known: unknown, graph: Graph): void {
  if (!isJsonObject(entity)) return;
  const texts = new Set(asArray(known).map((each) => (isObject(each) ? each.value : each)));
  for (const { source } of head.entries) {
    const [step, ...more] = source.kind === "path" ? source.steps : [];
    if (step === undefined || more.length > 0) continue;
    const repeated = graph.peek(entity, step.name);
    if (repeated.length > 0 && repeated.every((value) => texts.has(value))) graph.markRead(entity, step.name);
  }
}

/**
 * A resource type under the id of the vocabulary that its own id, its label or its address leads to; `other` when none
 * does.
 */
function knownType(type: ResourceType): ResourceType {
  const isKnown = RESOURCE_TYPE_IDS.includes(type.id);
  if (isKnown && (type.id !== OTHER || type.label === undefined)) return type;
  const label = type.label ?? (type.id === type.uri || isKnown ? "" : type.id);
  if (type.label !== undefined && RESOURCE_TYPE_IDS.includes(type.label)) return { ...type, id: type.label };
  return resourceTypeOf(label, type.uri);
}

const OTHER = "other";

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value at a place, from the entries that find one; undefined when none does. */
function build(schema: TSchema, filter: Step["filter"], entries: readonly Branch[], at: Json, world: World): unknown {
  const items = itemSchema(schema);
  if (items !== null) {
    const list = buildList(items, filter, entries, at, world);
    return list.length === 0 ? undefined : list;
  }
  const [leaf] = entries;
  if (leaf === undefined) return undefined;
  if (leaf.rest.length > 0) return buildObject(schema, filter, entries, at, world);
  const values = sourceValues(leaf, at, world);
  if (isFreeSchema(schema)) {
    const written = values.map((value) => value.json);
    return written.length > 1 ? written : written[0];
  }
  return values.map((value) => convert(schema, filter, leaf, value.json, world)).find((each) => each !== undefined);
}

function buildList(
  items: TSchema,
  filter: Step["filter"],
  entries: readonly Branch[],
  at: Json,
  world: World,
): readonly unknown[] {
  const [leaf] = entries;
  if (leaf === undefined) return [];
  if (leaf.rest.length === 0) {
    return sourceValues(leaf, at, world).flatMap((value) => convert(items, filter, leaf, value.json, world) ?? []);
  }
  const inner = withinElements(entries);
  const elements = entries.some((entry) => entry.source.kind === "path")
    ? follow(elementSteps(entries), at, world.graph)
    : [at];
  return elements.flatMap((element) => {
    const value = buildObject(items, filter, inner, element, world);
    return value === undefined ? [] : [value];
  });
}

function buildObject(
  schema: TSchema,
  filter: Step["filter"],
  entries: readonly Branch[],
  at: Json,
  world: World,
): Readonly<Record<string, unknown>> | undefined {
  const members: Record<string, unknown> = {};
  const hasPaths = entries.some((entry) => entry.source.kind === "path");
  let hasContent = false;
  for (const [name, branches] of byNextStep(entries)) {
    const child = childSchema(schema, name);
    if (child === null) continue;
    const step = branches.find((branch) => branch.rest[0]?.filter)?.rest[0]?.filter ?? null;
    const value = build(valueSchema(child), step, branches.map(descended), at, world);
    if (value === undefined) continue;
    members[name] = value;
    hasContent ||= !hasPaths || branches.some((branch) => branch.source.kind === "path");
  }
  if (!hasContent) return undefined;
  return completed(schema, { ...members, ...filterMembers(filter) }) ?? undefined;
}

/** The values of an entry's source, relative to an entity. */
function sourceValues(entry: Branch, at: Json, world: World): readonly { readonly json: Json }[] {
  const { source } = entry;
  if (source.kind === "constant") return [{ json: source.value }];
  if (source.kind === "today") return [{ json: world.today }];
  if (source.ifUnread && isJsonObject(at) && world.graph.isRead(at, source.steps[0]?.name ?? "")) return [];
  const values = follow(source.steps, at, world.graph);
  const [only] = values;
  const isSplit = source.splitCommas && values.length === 1 && typeof only === "string";
  return (isSplit ? splitAtCommas(only, source.steps[0]?.name ?? "") : values).map((json) => ({ json }));
}

/**
 * The parts of one text that holds several values.
 *
 * @throws DocumentError when they are more than a field may have, before it is split.
 */
function splitAtCommas(text: string, term: string): readonly string[] {
  let parts = 1;
  for (let at = text.indexOf(","); at !== -1; at = text.indexOf(",", at + 1)) {
    if (++parts > most("values")) {
      throw new DocumentError(`Cannot take ${term}: its text holds more than ${most("values")} values`);
    }
  }
  return text.split(",").map((part) => part.trim());
}

/** Terms that name the value itself where it is not an object. */
const OWN_TERMS = new Set(["@value", "value", "name", "@id"]);

function follow(steps: readonly Step[], at: Json, graph: Graph): readonly Json[] {
  let values: readonly Json[] = [at];
  for (const { name, filter } of steps) {
    values = values.flatMap((value) => {
      if (!isJsonObject(value)) return OWN_TERMS.has(name) ? [value] : [];
      return graph.values(value, name);
    });
    if (filter !== null) {
      values = values.filter((value) => valuesOf(value, filter.member, graph).includes(filter.value));
    }
  }
  return values;
}

function valuesOf(value: Json, member: string, graph: Graph): readonly Json[] {
  return member === "@type" ? graph.typesOf(value) : graph.peek(value, member);
}

function convert(schema: TSchema, filter: Step["filter"], leaf: Branch, value: Json, world: World): unknown {
  const target = valueSchema(schema);
  const converter = leaf.source.kind === "path" ? leaf.source.converter : null;
  if (isObjectSchema(target)) {
    const made = converter === null ? readText(value, world.graph) : converter.read(value, world.graph);
    if (!isObject(made)) return undefined;
    return completed(target, filter === null ? made : { ...made, ...filterMembers(filter) }) ?? undefined;
  }
  const text = converter === null ? plainText(value, world.graph) : converter.read(value, world.graph);
  if (text === null || text === undefined) return undefined;
  const scalar = typeof text === "string" ? scalarOf(target, text) : text;
  return schemaProblem(target, scalar, "") === null ? scalar : undefined;
}
