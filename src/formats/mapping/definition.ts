// Mapping definitions: which key of a linked-data document holds which part of the canonical metadata (R14; the client
// record's `mapping_id`). A definition is data an administrator stores:
//
//   {"rules": [{TARGET: SOURCE, …}, …]}   or one object {TARGET: SOURCE, …}
//
//   TARGET = path in the canonical metadata  `titles[kind=main].value`, `creators[].names[].family`
//          | `custom:<item type id>:<property path>`  a field without a path in the metadata (R4a)
//          | `pubdate`                                the day from which the record is shown (R2d)
//          | label path of the item type              `Title.Language` (resolved by the caller, who knows the type)
//   SOURCE = key path, `name[].@value`, `identifier[propertyID=DOI].value`, with a conversion: `author[] | agent`;
//            then perhaps
//            `| read-only` (never written) and `| if-unread` (nothing, when an earlier rule has read that key)
//            and `| split-commas` (one text is several, as in keywords)
//          | `$text`                                  a constant
//          | `$(today)`                               the day of the deposit
//
// `[]` marks where the elements of a list come from; without it the longest common beginning of the sources of that
// list is taken. `[member=value]` takes the elements whose member has that value, and gives it to new ones. Of several
// rules for one target the first one that finds something counts, so constants for absent values come last. A rule for
// a whole list (`descriptions`) that found something also replaces the later ones of its parts
// (`descriptions[kind=Abstract]`); an earlier part does not stop a later whole.
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject } from "../../shared/json/read.ts";
import { Refusal } from "../../shared/refusal.ts";
import { CONVERTERS, type Converter } from "./converters.ts";

/** A definition beyond these was not written by hand. */
const MAX_MAPPING_RULES = 1_000;
const MAX_MAPPING_ENTRIES = 10_000;
const MAX_MAPPING_STEPS = 12;

export type Step = {
  readonly name: string;
  /** `[]` or a filter follows the name. */
  readonly isList: boolean;
  readonly filter: { readonly member: string; readonly value: string } | null;
};

export type Source =
  | { readonly kind: "constant"; readonly value: string }
  | { readonly kind: "today" }
  | {
      readonly kind: "path";
      readonly steps: readonly Step[];
      readonly converter: Converter | null;
      readonly readOnly: boolean;
      readonly ifUnread: boolean;
      readonly splitCommas: boolean;
    };

export type Entry = {
  /** As the definition writes it, for errors. */
  readonly written: string;
  readonly target: readonly Step[];
  readonly source: Source;
};

/** The path that a target means when it is a label path of an item type. Null when the item type has no such field. */
export type TargetResolver = (written: string) => string | null;

/** A definition cannot be used: what is wrong, with the target and the value. */
export function mappingRefusal(message: string): Refusal {
  return new Refusal("invalid", `Cannot use this mapping definition: ${message}`);
}

/** The rules of a definition, each a list of entries; nothing is checked against the canonical model yet. */
export function parseRules(definition: Json, resolve: TargetResolver): readonly (readonly Entry[])[] {
  if (!isJsonObject(definition)) throw mappingRefusal("it is not an object");
  const written = Object.hasOwn(definition, "rules") ? definition.rules : [definition];
  if (!isJsonArray(written)) throw mappingRefusal("rules is not an array");
  if (written.length > MAX_MAPPING_RULES) {
    throw mappingRefusal(`it has ${written.length} rules, the maximum is ${MAX_MAPPING_RULES}`);
  }
  const rules = written.map((rule, index) => parseRule(rule, index, resolve));
  const count = rules.reduce((sum, rule) => sum + rule.length, 0);
  if (count > MAX_MAPPING_ENTRIES)
    throw mappingRefusal(`it has ${count} entries, the maximum is ${MAX_MAPPING_ENTRIES}`);
  return rules;
}

function parseRule(rule: Json, index: number, resolve: TargetResolver): readonly Entry[] {
  if (!isJsonObject(rule)) throw mappingRefusal(`rules[${index}] is not an object`);
  return Object.entries(rule).map(([target, source]) => {
    if (typeof source !== "string") throw mappingRefusal(`"${target}": ${JSON.stringify(source)} is not text`);
    return { written: target, target: parseTarget(target, resolve), source: parseSource(source, target) };
  });
}

const CUSTOM = "custom:";

function parseTarget(written: string, resolve: TargetResolver): readonly Step[] {
  const path = resolve(written) ?? written;
  if (path.startsWith(CUSTOM)) {
    const key = path.slice(CUSTOM.length);
    if (!/^[^:]+:.+$/.test(key))
      throw mappingRefusal(`"${written}": a custom target is custom:<item type id>:<property path>`);
    return [
      { name: "custom", isList: false, filter: null },
      { name: key, isList: false, filter: null },
    ];
  }
  return parseSteps(path, written);
}

function parseSource(written: string, target: string): Source {
  if (written === "$(today)") return { kind: "today" };
  if (written.startsWith("$")) return { kind: "constant", value: written.slice(1) };
  const [path = "", ...words] = written.split("|").map((part) => part.trim());
  const names = words.filter((word) => !MODIFIERS.includes(word));
  if (names.length > 1) throw mappingRefusal(`"${target}": "${written}" names more than one conversion`);
  return {
    kind: "path",
    steps: parseSteps(path, target),
    converter: names[0] === undefined ? null : converterOf(names[0], target),
    readOnly: words.includes(READ_ONLY),
    ifUnread: words.includes(IF_UNREAD),
    splitCommas: words.includes(SPLIT_COMMAS),
  };
}

const READ_ONLY = "read-only";
const IF_UNREAD = "if-unread";
const SPLIT_COMMAS = "split-commas";
const MODIFIERS = [READ_ONLY, IF_UNREAD, SPLIT_COMMAS];

function converterOf(name: string, target: string): Converter {
  const converter = Object.hasOwn(CONVERTERS, name) ? CONVERTERS[name] : undefined;
  if (converter !== undefined) return converter;
  throw mappingRefusal(
    `"${target}": unknown conversion "${name}"; the conversions are ${Object.keys(CONVERTERS).join(", ")}`,
  );
}

const STEP = /^([^[\]]+)(?:\[(?:([^=\]]+)=([^\]]*))?\])?$/;
/** Keys that mean something to the language this is written in. */
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

function parseSteps(path: string, target: string): readonly Step[] {
  const parts = path.split(".");
  if (parts.length > MAX_MAPPING_STEPS)
    throw mappingRefusal(`"${target}": "${path}" has more than ${MAX_MAPPING_STEPS} steps`);
  return parts.map((part) => {
    const [, name, member, value] = STEP.exec(part.trim()) ?? [];
    if (name === undefined || FORBIDDEN.has(name)) throw mappingRefusal(`"${target}": "${path}" is not a path`);
    if (member !== undefined && FORBIDDEN.has(member)) throw mappingRefusal(`"${target}": "${path}" is not a path`);
    const filter = member === undefined ? null : { member, value: value ?? "" };
    return { name, isList: part.includes("["), filter };
  });
}

/** A step as definitions write it. */
export function stepText(step: Step): string {
  const filter = step.filter === null ? (step.isList ? "[]" : "") : `[${step.filter.member}=${step.filter.value}]`;
  return step.name + filter;
}
