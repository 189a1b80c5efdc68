// The form definition of an item type as `GET /items/schemaform/{id}` prints it (specification 3, "Item-type form
// definition"; R4).
import type { Json } from "../../shared/json/json.ts";
import type { Choice, Field, FieldKind, ItemTypeDefinition, Label } from "./definition.ts";

type Element = { [name: string]: Json };

const TYPES: Readonly<Record<FieldKind, string>> = {
  text: "text",
  textarea: "textarea",
  select: "select",
  radios: "radios",
  day: "template",
  date: "template",
  "file-name": "template",
  button: "button",
  markup: "template",
};

/** Input templates as existing forms address them. */
const TEMPLATES: Partial<Readonly<Record<FieldKind, string>>> = {
  day: "/static/templates/weko_deposit/datepicker.html",
  date: "/static/templates/weko_deposit/datepicker_multi_format.html",
  "file-name": "/static/templates/weko_deposit/datalist.html",
};

const DATE_FORMAT = "yyyy-MM-dd";
const WITH_CHOICES: readonly (FieldKind | null)[] = ["select", "radios", "file-name"];
/** Replaces the key of a system group in the keys of its fields. */
const SYSTEM_PREFIX = "parentkey";

/** The JSON array of form elements; a pure function of the definition. */
export function toSchemaform(definition: ItemTypeDefinition): readonly Json[] {
  return definition.groups.map((group) => element(group, null, group.system));
}

function element(field: Field, parent: string | null, system: boolean): Element {
  const key = field.key === null ? null : parent === null ? field.key : `${parent}.${field.key}`;
  const below = parent === null && system ? SYSTEM_PREFIX : `${key ?? ""}${field.repeatable ? "[]" : ""}`;
  return {
    ...(key === null ? {} : { key }),
    ...titles(field, parent !== null),
    ...kindMembers(field),
    ...(field.required && parent === null && field.kind !== null ? { required: true } : {}),
    ...(field.readonly ? { readonly: true } : {}),
    ...(parent === null && system ? { condition: 1 } : {}),
    ...field.widget,
    ...(WITH_CHOICES.includes(field.kind) ? { titleMap: field.choices.map(choice) } : {}),
    ...(field.kind === null ? { items: field.fields.map((each) => element(each, below, system)) } : {}),
  };
}

function titles(field: Field, nested: boolean): Element {
  const { en, ja } = field.label;
  if (ja === undefined) return { title: en };
  const both = { en, ja };
  return { title: en, title_i18n: both, ...(nested && !field.fixedLabel ? { title_i18n_temp: both } : {}) };
}

function kindMembers(field: Field): Element {
  if (field.kind === null)
    return field.repeatable ? { add: "New", style: { add: "btn-success" } } : { type: "fieldset" };
  const template = TEMPLATES[field.kind];
  return {
    type: TYPES[field.kind],
    ...(template === undefined ? {} : { templateUrl: template }),
    ...(field.kind === "day" || field.kind === "date" ? { format: DATE_FORMAT } : {}),
  };
}

function choice(each: Choice): Element {
  if (each.label === undefined) return { name: each.value, value: each.value };
  return { name: each.label.en, name_i18n: bothOf(each.label), value: each.value };
}

function bothOf(label: Label): Element {
  return { en: label.en, ja: label.ja ?? label.en };
}
