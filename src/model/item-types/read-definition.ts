// Reads the definition of an item type from JSON (R4: shipped ones and those administrators add by file) and refuses
// what is wrong in it, naming the path and the value. Every metadata path is checked against the canonical model, so
// that filling a form can never write elsewhere.
import { FieldFault, quoted, unfit } from "../../shared/field-faults.ts";
import { anyListOf, boolean, objectOf, whole, words } from "../../shared/fields.ts";
import { maybe, memberOf } from "../../shared/objects.ts";
import { Refusal } from "../../shared/refusal.ts";
import { readCrateMapping } from "./crate-mapping.ts";
import {
  type Choice,
  FIELD_KINDS,
  type Field,
  type FieldKind,
  type Group,
  type ItemTypeDefinition,
  type Label,
  valueFields,
  type Widget,
} from "./definition.ts";
import { ITEM_SHAPE, type Shape } from "./form-shape.ts";
import { type MetadataPath, parseMetadataPath, shapeAt } from "./metadata-path.ts";
import { TEXT_SOURCES } from "./suggestion-sources.ts";

/** The first member of a definition, which distinguishes it from other files. */
const DEFINITION_FORMAT = "arkstone-item-type-1";

/** Limits of one item type. */
const DEFINITION_LIMITS = { groups: 200, fields: 5_000, depth: 8, choices: 5_000, text: 2_000 } as const;

const FIELD_MEMBERS = new Set(
  "key label kind repeatable place required readonly system fixedLabel choices aliases absent widget jpcoar search suggest fields".split(
    " ",
  ),
);
const KEY = /^[A-Za-z][A-Za-z0-9_-]*(?:\[0\]\.[A-Za-z][A-Za-z0-9_-]*)?$/;
/** Names every object has in JavaScript; as keys of a form they would only confuse. */
const NO_KEYS = new Set(["constructor", "prototype", "toString", "valueOf", "hasOwnProperty"]);

type Members = Readonly<Record<string, unknown>>;
type Reading = { readonly lists: ReadonlyMap<string, readonly Choice[]>; count: number };
type Within = { readonly at: string; readonly path: string; readonly depth: number; readonly shape: Shape };

/**
 * Reads a definition. `stored` gives the id and version the repository keeps it under; without it those of the file
 * hold.
 * @throws Refusal `invalid`. The language of the labels is not checked.
 */
export function readItemType(
  json: unknown,
  stored?: { readonly id: number; readonly version: number },
): ItemTypeDefinition {
  try {
    return definitionOf(json, stored);
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    const { path, shown, rule } = error;
    throw new Refusal("invalid", `Cannot read the item type: ${path}${shown === null ? "" : ` ${shown}`} ${rule}`);
  }
}

function definitionOf(json: unknown, stored?: { readonly id: number; readonly version: number }): ItemTypeDefinition {
  const root = objectOf(json, "the definition");
  if (root.format !== DEFINITION_FORMAT) throw unfit("format", root.format, `must be "${DEFINITION_FORMAT}"`);
  const name = labelOf(root.name, "name");
  const reading: Reading = { lists: choiceLists(root.choices), count: 0 };
  const listed = anyListOf(root.groups, "groups");
  if (listed.length === 0 || listed.length > DEFINITION_LIMITS.groups) {
    throw unfit("groups", listed.length, `must be 1 to ${DEFINITION_LIMITS.groups} groups`);
  }
  const groups = listed.map((each, index): Group => {
    const within = { at: `groups[${index}]`, path: "", depth: 1, shape: ITEM_SHAPE };
    return { ...fieldOf(each, within, reading), system: flagOf(objectOf(each, within.at), "system", within.at) };
  });
  mustDiffer(groups, "groups");
  if (groups.filter((group) => group.metadataPath?.kind === "path" && group.metadataPath.text === "files").length > 1) {
    throw wrong("groups", "files", "may name the place files once only");
  }
  const definition = {
    id: stored?.id ?? number.read(root.id, "id"),
    version: stored?.version ?? number.read(root.version, "version"),
    name: { en: name.en, ja: name.ja ?? name.en },
    groups,
    ignored: (root.ignored === undefined ? [] : anyListOf(root.ignored, "ignored")).map((each, index) =>
      textOf(each, `ignored[${index}]`),
    ),
  };
  const paths = groups.flatMap(valueFields).map((field) => field.path);
  return { ...definition, roCrate: root.roCrate === undefined ? null : readCrateMapping(root.roCrate, paths) };
}

function fieldOf(json: unknown, within: Within, reading: Reading): Field {
  const { at } = within;
  const member = objectOf(json, at);
  for (const name of Object.keys(member))
    if (!FIELD_MEMBERS.has(name)) throw wrong(`${at}.${name}`, member[name], "is unknown");
  if (within.depth > DEFINITION_LIMITS.depth)
    throw wrong(at, within.depth, `is nested deeper than ${DEFINITION_LIMITS.depth}`);
  reading.count++;
  if (reading.count > DEFINITION_LIMITS.fields)
    throw wrong(at, reading.count, `is one field more than ${DEFINITION_LIMITS.fields}`);
  const kind = member.kind === undefined ? null : kindOf(member.kind, at);
  const key = keyOf(member.key, kind, at);
  const path = [within.path, key ?? ""].filter((part) => part !== "").join(".");
  const repeatable = flagOf(member, "repeatable", at);
  if (kind !== null && repeatable) throw wrong(`${at}.repeatable`, true, "is for groups: put the field into one");
  const metadataPath = metadataPathOf(member.place, at);
  const shape = shapeHere(metadataPath, { repeatable, kind }, within);
  const fields = member.fields === undefined ? [] : anyListOf(member.fields, `${at}.fields`);
  if ((kind === null) !== fields.length > 0)
    throw unfit(`${at}.fields`, fields.length, "must be there unless the field has a kind");
  const below = { path, depth: within.depth + 1, shape };
  const read = fields.map((each, index) => fieldOf(each, { ...below, at: `${at}.fields[${index}]` }, reading));
  mustDiffer(read, `${at}.fields`);
  if (kind === null && repeatable && metadataPath === null) requireNoPaths(read, at);
  const choices = choicesOf(member.choices, reading.lists, at);
  const suggest = suggestOf(member.suggest, at);
  if (suggest !== undefined && (kind !== "text" || metadataPath !== null || choices.length > 0)) {
    throw wrong(`${at}.suggest`, suggest, "is for fields of kind text without place and choices");
  }
  return {
    key,
    path,
    label: labelOf(member.label, `${at}.label`),
    fixedLabel: flagOf(member, "fixedLabel", at),
    kind,
    repeatable,
    required: flagOf(member, "required", at),
    readonly: flagOf(member, "readonly", at),
    fields: read,
    choices,
    aliases: aliasesOf(member.aliases, choices, at),
    metadataPath,
    absent: optionalText(member.absent, `${at}.absent`),
    widget: widgetOf(member.widget, at),
    jpcoar: optionalText(member.jpcoar, `${at}.jpcoar`),
    search: optionalText(member.search, `${at}.search`),
    ...maybe("suggest", suggest),
  };
}

/**
 * The shape at the path of the field; refuses a path where the canonical model has nothing, or another kind of value.
 */
function shapeHere(
  metadataPath: MetadataPath | null,
  field: { readonly repeatable: boolean; readonly kind: FieldKind | null },
  within: Within,
): Shape {
  if (metadataPath === null) return within.shape;
  const shown = metadataPath.kind === "path" ? metadataPath.text : metadataPath.kind;
  const shape = shapeAt(within.shape, metadataPath);
  if (shape === null) throw wrong(`${within.at}.place`, shown, "names nothing in the canonical metadata");
  const isList = typeof shape !== "string" && "list" in shape;
  if (shape === "marker") throw wrong(`${within.at}.place`, shown, "is not written by a field");
  if (field.kind !== null) {
    if (shape === "value" || (isList && shape.list === "value" && !field.repeatable)) return shape;
    throw wrong(`${within.at}.place`, shown, "holds more than one value");
  }
  if (field.repeatable !== isList) {
    throw wrong(
      `${within.at}.place`,
      shown,
      field.repeatable ? "is not a list, the group repeats" : "is a list, the group does not repeat",
    );
  }
  if (shape === "value") throw wrong(`${within.at}.place`, shown, "is one value, the group has fields");
  return isList ? shape.list : shape;
}

/** Fields of a repeating group without a metadata path have none either: they have no element to belong to. */
function requireNoPaths(fields: readonly Field[], at: string): void {
  for (const field of fields.flatMap(allFields)) {
    if (field.metadataPath !== null)
      throw wrong(`${at}.place`, undefined, `is needed, since ${field.path} has a place`);
  }
}

function allFields(field: Field): readonly Field[] {
  return [field, ...field.fields.flatMap(allFields)];
}

function mustDiffer(fields: readonly Field[], at: string): void {
  const seen = new Set<string>();
  for (const field of fields) {
    if (field.key !== null && seen.has(field.key)) throw wrong(at, field.key, "appears twice");
    if (field.key !== null) seen.add(field.key);
  }
}

function keyOf(json: unknown, kind: FieldKind | null, at: string): string | null {
  if (json === undefined && kind === "markup") return null;
  if (typeof json !== "string" || !KEY.test(json) || json.length > 200 || NO_KEYS.has(json)) {
    throw unfit(`${at}.key`, json, "must be letters, digits, _ and -, beginning with a letter");
  }
  return json;
}

function kindOf(json: unknown, at: string): FieldKind {
  const kind = FIELD_KINDS.find((each) => each === json);
  if (kind === undefined) throw unfit(`${at}.kind`, json, `must be one of ${FIELD_KINDS.join(", ")}`);
  return kind;
}

function suggestOf(json: unknown, at: string): Field["suggest"] {
  if (json === undefined) return undefined;
  const source = TEXT_SOURCES.find((each) => each === json);
  if (source === undefined) throw unfit(`${at}.suggest`, json, `must be one of ${TEXT_SOURCES.join(", ")}`);
  return source;
}

function metadataPathOf(json: unknown, at: string): MetadataPath | null {
  if (json === undefined) return null;
  const path = parseMetadataPath(textOf(json, `${at}.place`));
  if (path === null) throw wrong(`${at}.place`, json, "is not a place");
  return path;
}

function choiceLists(json: unknown): ReadonlyMap<string, readonly Choice[]> {
  if (json === undefined) return new Map();
  return new Map(
    Object.entries(objectOf(json, "choices")).map(([name, list]) => [name, choiceList(list, `choices.${name}`)]),
  );
}

function choicesOf(json: unknown, lists: ReadonlyMap<string, readonly Choice[]>, at: string): readonly Choice[] {
  if (json === undefined) return [];
  if (typeof json !== "string") return choiceList(json, `${at}.choices`);
  const named = lists.get(json);
  if (named === undefined) throw wrong(`${at}.choices`, json, "names no list of choices");
  return named;
}

function choiceList(json: unknown, at: string): readonly Choice[] {
  const list = anyListOf(json, at);
  if (list.length > DEFINITION_LIMITS.choices)
    throw wrong(at, list.length, `holds more than ${DEFINITION_LIMITS.choices} choices`);
  return list.map((each, index): Choice => {
    const here = `${at}[${index}]`;
    if (typeof each === "string") return { value: textOf(each, here), means: each };
    const choice = objectOf(each, here);
    const value = textOf(choice.value, `${here}.value`);
    return {
      value,
      means: optionalText(choice.means, `${here}.means`) ?? value,
      ...(choice.label === undefined ? {} : { label: labelOf(choice.label, `${here}.label`) }),
    };
  });
}

function aliasesOf(json: unknown, choices: readonly Choice[], at: string): Readonly<Record<string, string>> {
  if (json === undefined) return {};
  const entries = Object.entries(objectOf(json, `${at}.aliases`)).map(([written, value]): [string, string] => {
    const target = textOf(value, `${at}.aliases`);
    if (choices.length > 0 && !choices.some((choice) => choice.value === target))
      throw wrong(`${at}.aliases`, target, "is not one of the choices");
    return [written, target];
  });
  return Object.fromEntries(entries);
}

const WIDGET_TEXTS = ["onChange", "onClick", "icon", "fieldHtmlClass", "template", "condition", "style"] as const;
const WIDGET_FLAGS = ["notitle", "feedback", "disableSuccessState"] as const;

function widgetOf(json: unknown, at: string): Widget {
  if (json === undefined) return {};
  const member = objectOf(json, `${at}.widget`);
  const known: readonly string[] = [...WIDGET_TEXTS, ...WIDGET_FLAGS];
  for (const name of Object.keys(member))
    if (!known.includes(name)) throw wrong(`${at}.widget.${name}`, member[name], "is unknown");
  const widget: Record<string, string | boolean> = {};
  for (const name of WIDGET_TEXTS) {
    const text = optionalText(member[name], `${at}.widget.${name}`);
    if (text !== null) widget[name] = text;
  }
  for (const name of WIDGET_FLAGS) {
    if (member[name] === undefined) continue;
    widget[name] = yesOrNo.read(member[name], `${at}.widget.${name}`);
  }
  return widget;
}

function labelOf(json: unknown, at: string): Label {
  const member = objectOf(json, at);
  const en = textOf(member.en, `${at}.en`);
  return member.ja === undefined ? { en } : { en, ja: textOf(member.ja, `${at}.ja`) };
}

const yesOrNo = boolean();
const number = whole(1);
const filledText = words(DEFINITION_LIMITS.text, {}, true);

function flagOf(member: Members, name: string, at: string): boolean {
  const value = memberOf(member, name);
  return value !== undefined && yesOrNo.read(value, `${at}.${name}`);
}

function optionalText(json: unknown, at: string): string | null {
  return json === undefined ? null : textOf(json, at);
}

const textOf = (json: unknown, at: string): string => filledText.read(json, at);

/** A value of the right form that has no meaning here. */
function wrong(at: string, value: unknown, what: string): FieldFault {
  return new FieldFault(at, what, value === undefined ? null : quoted(value));
}
