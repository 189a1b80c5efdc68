// Checks a mapping definition against the canonical model and compiles it (R14). Everything that can be wrong is found
// here, when an administrator stores the definition, not during a deposit.
import { Kind, type TSchema, Type } from "@sinclair/typebox";
import {
  childSchema,
  completed,
  isFreeSchema,
  isObjectSchema,
  isTextSchema,
  itemSchema,
  memberSchema,
  schemaProblem,
  valueSchema,
} from "../../model/metadata/metadata-schema.ts";
import type { Json } from "../../shared/json/json.ts";
import { isObject as isRecord } from "../../shared/objects.ts";
import {
  type Entry,
  mappingRefusal,
  parseRules,
  type Source,
  type Step,
  stepText,
  type TargetResolver,
} from "./definition.ts";

/** Entries of one rule for one part: `titles[kind=main]`, `type`, `pubdate`. */
export type Head = {
  /** Rules with one key exclude each other: the first that finds something counts. */
  readonly key: string;
  readonly member: string;
  /** Of `custom`: the key within. */
  readonly customKey: string | null;
  readonly filter: Step["filter"];
  readonly schema: TSchema;
  readonly entries: readonly Branch[];
};

/** An entry seen from somewhere in the target: what is left of its way there. */
export type Branch = { readonly rest: readonly Step[]; readonly source: Source; readonly written: string };

export type Mapping = { readonly heads: readonly Head[] };

/** The day from which the record is shown is not part of the metadata; a definition may still map it. */
export const PUBDATE = "pubdate";

/** Files are read from the document's file entities, never by a definition. */
const FILES = "files";

export type MappingNeeds = {
  /** Knows the label paths of the item type. */
  readonly resolve?: TargetResolver;
  /** Paths that the item type requires, with the label errors call them. */
  readonly required?: readonly { readonly metadataPath: string; readonly label: string }[];
};

/** @throws Refusal `invalid` naming the target and what is wrong with it. */
export function compileMapping(definition: Json, needs: MappingNeeds = {}): Mapping {
  const rules = parseRules(definition, needs.resolve ?? (() => null));
  const heads = rules.flatMap(headsOf);
  for (const head of heads) checkHead(head);
  for (const { metadataPath, label } of needs.required ?? []) {
    const member = /^[^.[]+/.exec(metadataPath)?.[0];
    if (!heads.some((head) => head.member === member)) throw mappingRefusal(`"${label}" is required.`);
  }
  return { heads };
}

function headsOf(rule: readonly Entry[]): readonly Head[] {
  const heads = new Map<string, Head>();
  for (const entry of rule) {
    const [first, second] = entry.target;
    if (first === undefined || first.name === FILES) continue;
    const customKey = first.name === "custom" ? (second?.name ?? null) : null;
    const key = customKey === null ? stepText({ ...first, isList: false }) : `custom:${customKey}`;
    const known = heads.get(key);
    const rest = entry.target.slice(customKey === null ? 1 : 2);
    const branch = { rest, source: entry.source, written: entry.written };
    const schema = known?.schema ?? headSchema(first, customKey, entry.written);
    heads.set(key, {
      key,
      member: first.name,
      customKey,
      filter: first.filter,
      schema,
      entries: [...(known?.entries ?? []), branch],
    });
  }
  return [...heads.values()];
}

function headSchema(step: Step, customKey: string | null, written: string): TSchema {
  if (step.name === PUBDATE) return Type.String();
  const schema = memberSchema(step.name);
  if (schema === null) throw mappingRefusal(`"${written}": neither the metadata nor the item type has "${step.name}"`);
  if (step.name !== "custom") return valueSchema(schema);
  if (customKey === null)
    throw mappingRefusal(`"${written}": a custom target is custom:<item type id>:<property path>`);
  return Type.Any();
}

function checkHead(head: Head): void {
  const [first] = head.entries;
  if (first === undefined) return;
  if (head.filter !== null && itemSchema(head.schema) === null) {
    throw mappingRefusal(`"${first.written}": ${head.member} is not a list`);
  }
  checkNode(head.schema, head.filter, head.entries);
}

function checkNode(schema: TSchema, filter: Step["filter"], entries: readonly Branch[]): void {
  const [first] = entries;
  if (first === undefined) return;
  const leaf = entries.find((entry) => entry.rest.length === 0);
  if (leaf !== undefined && entries.length > 1) {
    throw mappingRefusal(`"${leaf.written}": it is mapped as a whole and in parts`);
  }
  const items = itemSchema(schema);
  const value = items ?? schema;
  if (filter !== null) checkFilter(value, filter, first.written);
  if (leaf !== undefined) {
    checkLeaf(value, filter, leaf);
    return;
  }
  if (!isObjectSchema(value))
    throw mappingRefusal(`"${first.written}": there is nothing below ${first.written.split(".")[0]}`);
  const inner = items === null ? entries : withinElements(entries);
  for (const [name, branches] of byNextStep(inner)) {
    const child = childSchema(value, name);
    if (child === null) throw mappingRefusal(`"${branches[0]?.written ?? name}": the metadata has no "${name}" there`);
    const steps = new Set(branches.map((branch) => branch.rest[0]?.filter ?? null));
    checkNode(child, [...steps].find((each) => each !== null) ?? null, branches.map(descended));
  }
}

function checkFilter(value: TSchema, filter: NonNullable<Step["filter"]>, written: string): void {
  const member = childSchema(value, filter.member);
  if (member === null) throw mappingRefusal(`"${written}": the metadata has no "${filter.member}" there`);
  const problem = schemaProblem(member, filter.value, filter.member);
  if (problem !== null) throw mappingRefusal(`"${written}": "${filter.value}" cannot be ${filter.member}: ${problem}`);
}

function checkLeaf(schema: TSchema, filter: Step["filter"], leaf: Branch): void {
  const { source } = leaf;
  const value = valueSchema(schema);
  const isObject = isObjectSchema(value);
  if (source.kind !== "path") {
    if (isObject) throw mappingRefusal(`"${leaf.written}": a constant cannot be a whole object`);
    const problem =
      source.kind === "constant" ? schemaProblem(value, scalarOf(value, source.value), leaf.written) : null;
    if (problem !== null)
      throw mappingRefusal(`"${leaf.written}": "${source.kind === "constant" ? source.value : ""}": ${problem}`);
    return;
  }
  if (source.converter === null) {
    if (isObject && !isTextSchema(value))
      throw mappingRefusal(`"${leaf.written}": name the conversion that makes the whole object`);
    return;
  }
  const example = source.converter.example;
  const members = isRecord(example) ? { ...example, ...filterMembers(filter) } : null;
  const made = isObject && members !== null ? { ...completed(value, members), ...members } : example;
  const problem = schemaProblem(value, made, leaf.written);
  if (problem !== null && !isFreeSchema(value))
    throw mappingRefusal(`"${leaf.written}": the conversion does not fit: ${problem}`);
}

export function filterMembers(filter: Step["filter"]): Readonly<Record<string, string>> {
  return filter === null ? {} : { [filter.member]: filter.value };
}

/** A written value as the schema needs it: true for "true", numbers for numbers. */
export function scalarOf(schema: TSchema, text: string): unknown {
  if (schema[Kind] === "Boolean") return text === "true" ? true : text === "false" ? false : text;
  if (schema[Kind] === "Number") return text.trim() === "" ? text : Number(text);
  return text;
}

/** Entries by the member they go to next. */
export function byNextStep(entries: readonly Branch[]): ReadonlyMap<string, readonly Branch[]> {
  const groups = new Map<string, Branch[]>();
  for (const entry of entries) {
    const name = entry.rest[0]?.name;
    if (name === undefined) continue;
    const group = groups.get(name) ?? [];
    group.push(entry);
    groups.set(name, group);
  }
  return groups;
}

export function descended(branch: Branch): Branch {
  return { ...branch, rest: branch.rest.slice(1) };
}

/** The steps that lead to the elements of a list which these entries fill together. */
export function elementSteps(entries: readonly Branch[]): readonly Step[] {
  const paths = entries.flatMap((entry) => (entry.source.kind === "path" ? [entry.source.steps] : []));
  const [first] = paths;
  if (first === undefined) return [];
  const marked = paths.map((steps) => steps.findIndex((step) => step.isList) + 1);
  if (marked.every((length) => length > 0)) {
    const prefix = first.slice(0, marked[0]);
    const text = prefix.map(stepText).join(".");
    const isShared = paths.every((steps, index) => steps.slice(0, marked[index]).map(stepText).join(".") === text);
    if (!isShared) throw mappingRefusal(`"${entries[0]?.written}": its parts come from different lists`);
    return prefix;
  }
  const shortest = Math.min(...paths.map((steps) => steps.length));
  const most = paths.length === 1 && shortest === 1 ? 1 : shortest - 1;
  let length = 0;
  while (
    length < most &&
    paths.every((steps) => stepText(steps[length] ?? NO_STEP) === stepText(first[length] ?? NO_STEP))
  ) {
    length++;
  }
  return first.slice(0, length);
}

const NO_STEP: Step = { name: "", isList: false, filter: null };

/** The entries of a list, relative to one of its elements. */
export function withinElements(entries: readonly Branch[]): readonly Branch[] {
  const { length } = elementSteps(entries);
  return entries.map((entry) =>
    entry.source.kind === "path"
      ? { ...entry, source: { ...entry.source, steps: entry.source.steps.slice(length) } }
      : entry,
  );
}
