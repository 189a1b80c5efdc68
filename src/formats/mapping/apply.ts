// Applies a mapping in both directions: an entity of a graph to canonical metadata, and canonical metadata to an entity (R14).
import type { TSchema } from "@sinclair/typebox";
import type { Day } from "../../domain/items/item.ts";
import { EMPTY_METADATA, type Json, type Metadata, type ResourceType } from "../../domain/items/metadata.ts";
import { isMetadata, schemaProblem } from "../../domain/items/metadata-schema.ts";
import { RESOURCE_TYPE_IDS, resourceTypeOf } from "../../domain/items/resource-types.ts";
import { isJsonObject, type JsonObject } from "../json/read.ts";
import type { Graph } from "../json-ld/graph.ts";
import { plainText, readText, writeText } from "../json-ld/values.ts";
import {
  type Branch,
  byNextStep,
  descended,
  elementSteps,
  filterMembers,
  type Head,
  isRecord,
  type Mapping,
  PUBDATE,
  scalarOf,
  withinElements,
} from "./compile.ts";
import type { Step } from "./definition.ts";
import {
  childSchema,
  completed,
  isFreeSchema,
  isObjectSchema,
  isTextSchema,
  itemSchema,
  valueSchema,
} from "./shape.ts";

export type Mapped = {
  readonly metadata: Metadata;
  /** What the definition says of the day the record is shown from; null when it says nothing. */
  readonly pubdate: string | null;
};

type World = { readonly graph: Graph; readonly today: Day };

/** What a mapping finds in an entity. Terms it reads are marked in the graph; what cannot be a value of its place is left unsaid. */
export function readMapped(mapping: Mapping, entity: Json, graph: Graph, today: Day): Mapped {
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
  if (!isMetadata(metadata)) throw new TypeError("A mapping made something that is no metadata");
  return { metadata: { ...metadata, type: metadata.type === null ? null : knownType(metadata.type) }, pubdate };
}

/** Documents say a title twice, plainly for everybody and with its language for those who know: the second is understood, not left over. */
function markRepeated(head: Head, entity: Json, known: unknown, graph: Graph): void {
  if (!isJsonObject(entity)) return;
  const texts = new Set(asArray(known).map((each) => (isRecord(each) ? each.value : each)));
  for (const { source } of head.entries) {
    const [step, ...more] = source.kind === "path" ? source.steps : [];
    if (step === undefined || more.length > 0) continue;
    const repeated = graph.peek(entity, step.name);
    if (repeated.length > 0 && repeated.every((value) => texts.has(value))) graph.markRead(entity, step.name);
  }
}

/** A resource type under the id of the vocabulary that its own id, its label or its address leads to; `other` when none does. */
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

/** The value at a place, as far as the entries find something; undefined when they find nothing. */
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
  const said: Record<string, unknown> = {};
  const hasPaths = entries.some((entry) => entry.source.kind === "path");
  let isSaid = false;
  for (const [name, branches] of byNextStep(entries)) {
    const child = childSchema(schema, name);
    if (child === null) continue;
    const step = branches.find((branch) => branch.rest[0]?.filter)?.rest[0]?.filter ?? null;
    const value = build(valueSchema(child), step, branches.map(descended), at, world);
    if (value === undefined) continue;
    said[name] = value;
    isSaid ||= !hasPaths || branches.some((branch) => branch.source.kind === "path");
  }
  if (!isSaid) return undefined;
  return completed(schema, { ...said, ...filterMembers(filter) }) ?? undefined;
}

/** What the source of an entry gives, seen from an entity. */
function sourceValues(entry: Branch, at: Json, world: World): readonly { readonly json: Json }[] {
  const { source } = entry;
  if (source.kind === "constant") return [{ json: source.value }];
  if (source.kind === "today") return [{ json: world.today }];
  if (source.ifUnread && isJsonObject(at) && world.graph.isRead(at, source.steps[0]?.name ?? "")) return [];
  const values = follow(source.steps, at, world.graph);
  const [only] = values;
  const isSplit = source.splitCommas && values.length === 1 && typeof only === "string";
  return (isSplit ? only.split(",").map((part) => part.trim()) : values).map((json) => ({ json }));
}

/** Terms that mean the value itself where something else than an object stands. */
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
    if (!isRecord(made)) return undefined;
    return completed(target, filter === null ? made : { ...made, ...filterMembers(filter) }) ?? undefined;
  }
  const text = converter === null ? plainText(value, world.graph) : converter.read(value, world.graph);
  if (text === null || text === undefined) return undefined;
  const scalar = typeof text === "string" ? scalarOf(target, text) : text;
  return schemaProblem(target, scalar, "") === null ? scalar : undefined;
}

/** What a mapping writes of the metadata: one nested entity, terms in the order of the definition. Constants are not written. */
export function writeMapped(mapping: Mapping, metadata: Metadata, pubdate: string | null): JsonObject {
  const entity: Terms = new Map();
  const written = new Set<string>();
  for (const head of mapping.heads) {
    if (written.has(head.key) || !head.entries.some(isWritten)) continue;
    written.add(head.key);
    const value = valueAt(head, metadata, pubdate);
    if (value !== undefined && value !== null) emit(head.schema, head.filter, head.entries, value, entity);
  }
  return toObject(entity);
}

function isWritten(entry: Branch): boolean {
  return entry.source.kind === "path" && !entry.source.readOnly;
}

function valueAt(head: Head, metadata: Metadata, pubdate: string | null): unknown {
  if (head.member === PUBDATE) return pubdate;
  if (head.customKey !== null)
    return Object.hasOwn(metadata.custom, head.customKey) ? metadata.custom[head.customKey] : null;
  return Object.entries(metadata).find(([key]) => key === head.member)?.[1];
}

function emit(schema: TSchema, filter: Step["filter"], entries: readonly Branch[], value: unknown, into: Terms): void {
  const [leaf] = entries;
  if (leaf === undefined) return;
  const items = itemSchema(schema);
  if (items !== null) {
    const elements = asArray(value).filter((each) => belongs(each, filter));
    if (leaf.rest.length === 0) {
      for (const each of elements) append(leaf, written(items, leaf, each), into);
      return;
    }
    const steps = elementSteps(entries);
    const inner = withinElements(entries);
    for (const each of steps.length === 0 ? elements.slice(0, 1) : elements) {
      const element: Terms = steps.length === 0 ? into : new Map();
      emitMembers(items, inner, each, element);
      if (steps.length > 0) put(steps, element, into);
    }
    return;
  }
  if (leaf.rest.length === 0) append(leaf, written(schema, leaf, value), into);
  else emitMembers(schema, entries, value, into);
}

/** An entity that is being written: the values of its terms, themselves entities or finished. */
type Terms = Map<string, (Json | Terms)[]>;

function belongs(value: unknown, filter: Step["filter"]): boolean {
  return filter === null || (isRecord(value) && value[filter.member] === filter.value);
}

function emitMembers(schema: TSchema, entries: readonly Branch[], value: unknown, into: Terms): void {
  if (!isRecord(value)) return;
  for (const [name, branches] of byNextStep(entries)) {
    const child = childSchema(schema, name);
    const member = value[name];
    if (child === null || member === undefined || member === null) continue;
    const step = branches.find((branch) => branch.rest[0]?.filter)?.rest[0]?.filter ?? null;
    emit(valueSchema(child), step, branches.map(descended), member, into);
  }
}

function written(schema: TSchema, leaf: Branch, value: unknown): Json {
  const converter = leaf.source.kind === "path" ? leaf.source.converter : null;
  if (converter !== null) return converter.write(value);
  if (isTextSchema(valueSchema(schema)) && isRecord(value)) {
    return writeText({ value: String(value.value), ...(typeof value.lang === "string" ? { lang: value.lang } : {}) });
  }
  return value as Json; // scalars and free JSON
}

function append(leaf: Branch, value: Json, into: Terms): void {
  if (leaf.source.kind !== "path" || leaf.source.readOnly) return;
  if (leaf.source.steps.length === 0) into.set(SELF, [value]);
  else put(leaf.source.steps, value, into);
}

/** Where an element that is no object keeps its value until it is put into its list. */
const SELF = "";

/** Adds a value at the end of a path; entities on the way are made, the last one of a list is continued. */
function put(steps: readonly Step[], value: Json | Terms, into: Terms): void {
  const [step, ...rest] = steps;
  if (step === undefined) return;
  const values = into.get(step.name) ?? [];
  into.set(step.name, values);
  if (rest.length === 0) {
    values.push(step.filter === null ? value : withMember(value, step.filter.member, step.filter.value));
    return;
  }
  const last = values.at(-1);
  const inner: Terms = last instanceof Map ? last : new Map();
  if (inner !== last) values.push(inner);
  put(rest, value, inner);
}

function withMember(value: Json | Terms, member: string, given: string): Json | Terms {
  if (value instanceof Map) return value.has(member) ? value : new Map([[member, [given]], ...value]);
  return isJsonObject(value) ? { [member]: given, ...value } : value;
}

function toObject(terms: Terms): JsonObject {
  return Object.fromEntries([...terms].map(([key, values]) => [key, single(values.map(finished))]));
}

/** A value without brackets where it is the only one. */
function single(values: readonly Json[]): Json {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : values;
}

function finished(value: Json | Terms): Json {
  if (!(value instanceof Map)) return value;
  const [self] = value.get(SELF) ?? [];
  if (self !== undefined) return finished(self);
  const object = toObject(value);
  const keys = Object.keys(object);
  return keys.length === 1 && keys[0] === "@value" && object["@value"] !== undefined ? object["@value"] : object;
}

/** Whether two values of the metadata say the same; an absent member and undefined are one thing. */
export function saysTheSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((each, index) => saysTheSame(each, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => saysTheSame(memberOf(left, key), memberOf(right, key)));
}

function memberOf(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
