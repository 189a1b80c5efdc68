// The form definition of an item type as `GET /items/schemaform/{id}` prints it (specification 3, "Item-type form
// definition"; R4).
import { type Static, Type } from "@sinclair/typebox";
import { BilingualShape, manyOf } from "../../shared/shapes.ts";
import type { Choice, Field, FieldKind, ItemTypeDefinition, Label } from "./definition.ts";

const text = Type.Optional(Type.String());
const labels = Type.Optional(BilingualShape);

/** An element of a form. */
export const FormElement = Type.Object(
  {
    key: Type.Optional(
      Type.String({ description: "Property path: nested with dots, parts that repeat end in `[]`; none on markup" }),
    ),
    type: Type.Optional(
      Type.String({
        enum: ["text", "textarea", "select", "radios", "template", "fieldset", "button"],
        description: "None on groups that repeat",
      }),
    ),
    title: Type.String(),
    title_i18n: labels,
    title_i18n_temp: labels,
    titleMap: Type.Optional(manyOf(Type.Object({ name: Type.String(), value: Type.String(), name_i18n: labels }))),
    items: Type.Optional(manyOf(Type.Unsafe<object>({ $ref: "#/components/schemas/FormElement" }))),
    add: Type.Optional(Type.String({ description: "Label of the button that adds another of a group that repeats" })),
    style: Type.Optional(Type.Union([Type.String(), Type.Object({ add: Type.String() })])),
    required: Type.Optional(Type.Boolean()),
    readonly: Type.Optional(Type.Boolean()),
    format: Type.Optional(Type.String({ description: "Of dates: `yyyy-MM-dd`" })),
    templateUrl: text,
    template: text,
    onChange: text,
    onClick: text,
    icon: text,
    fieldHtmlClass: text,
    condition: Type.Optional(
      Type.Union([Type.Integer(), Type.String()], { description: "When it is shown; 1: filled by the repository" }),
    ),
    notitle: Type.Optional(Type.Boolean()),
    feedback: Type.Optional(Type.Boolean()),
    disableSuccessState: Type.Optional(Type.Boolean()),
  },
  { $id: "FormElement", additionalProperties: false },
);
type Element = Static<typeof FormElement>;
type ElementPart = Partial<Element>;

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
export function toSchemaform(definition: ItemTypeDefinition): readonly Element[] {
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

function titles(field: Field, nested: boolean): Pick<Element, "title" | "title_i18n" | "title_i18n_temp"> {
  const { en, ja } = field.label;
  if (ja === undefined) return { title: en };
  const both = { en, ja };
  return { title: en, title_i18n: both, ...(nested && !field.fixedLabel ? { title_i18n_temp: both } : {}) };
}

function kindMembers(field: Field): ElementPart {
  if (field.kind === null)
    return field.repeatable ? { add: "New", style: { add: "btn-success" } } : { type: "fieldset" };
  const template = TEMPLATES[field.kind];
  return {
    type: TYPES[field.kind],
    ...(template === undefined ? {} : { templateUrl: template }),
    ...(field.kind === "day" || field.kind === "date" ? { format: DATE_FORMAT } : {}),
  };
}

function choice(each: Choice): NonNullable<Element["titleMap"]>[number] {
  if (each.label === undefined) return { name: each.value, value: each.value };
  return { name: each.label.en, name_i18n: bothOf(each.label), value: each.value };
}

function bothOf(label: Label): Static<typeof BilingualShape> {
  return { en: label.en, ja: label.ja ?? label.en };
}
