// Applies a mapping to canonical metadata: the entity in the terms of the definition (R14). read.ts is the reverse.
import type { TSchema } from "@sinclair/typebox";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { childSchema, isTextSchema, itemSchema, valueSchema } from "../../model/metadata/metadata-schema.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { isObject } from "../../shared/objects.ts";
import { writeText } from "../json-ld/values.ts";
import {
  type Branch,
  byNextStep,
  descended,
  elementSteps,
  type Head,
  type Mapping,
  PUBDATE,
  withinElements,
} from "./compile.ts";
import type { Step } from "./definition.ts";

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * What a mapping writes of the metadata: one nested entity, terms in the order of the definition. Constants are not
 * written.
 */
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
  return filter === null || (isObject(value) && value[filter.member] === filter.value);
}

function emitMembers(schema: TSchema, entries: readonly Branch[], value: unknown, into: Terms): void {
  if (!isObject(value)) return;
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
  if (isTextSchema(valueSchema(schema)) && isObject(value)) {
    return writeText({ value: String(value.value), ...(typeof value.lang === "string" ? { lang: value.lang } : {}) });
  }
  return value as Json; // scalars and free JSON
}

function append(leaf: Branch, value: Json, into: Terms): void {
  if (leaf.source.kind !== "path" || leaf.source.readOnly) return;
  if (leaf.source.steps.length === 0) into.set(SELF, [value]);
  else put(leaf.source.steps, value, into);
}

/** The member where an element that is not an object keeps its value until it is added to its list. */
const SELF = "";

/** Adds a value at the end of a path; missing entities are created, the last one of a list is continued. */
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
  return Object.fromEntries([...terms].map(([key, values]) => [key, single(values.map(finishValue))]));
}

/** A single value without brackets. */
function single(values: readonly Json[]): Json {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : values;
}

function finishValue(value: Json | Terms): Json {
  if (!(value instanceof Map)) return value;
  const [self] = value.get(SELF) ?? [];
  if (self !== undefined) return finishValue(self);
  const object = toObject(value);
  const keys = Object.keys(object);
  return keys.length === 1 && keys[0] === "@value" && object["@value"] !== undefined ? object["@value"] : object;
}
