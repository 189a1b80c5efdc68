// The canonical metadata as forms see it (R4), derived from its schema: which members a field may write, which values a
// new element gets by default, and which members it must have.
import { Kind, type TSchema, Type } from "@sinclair/typebox";
import { annotationsOf, Metadata } from "../metadata/metadata.ts";
import { fallback, valueSchema } from "../metadata/metadata-schema.ts";

/**
 * The canonical model at a path. `fill` has the defaults of a new element; `needs` the members an element must have.
 */
export type Shape =
  | "value"
  /** One of a few words of the model; a filter chooses by it, no field writes it. */
  | "marker"
  | { readonly list: Shape }
  | {
      readonly members: Readonly<Record<string, Shape>>;
      readonly fill: Readonly<Record<string, unknown>>;
      /** Of each list of names one member must be there, else the element is left out. */
      readonly needs: readonly (readonly string[])[];
    };

/** The shape that forms see of a value of the canonical model, by its annotations. */
function shapeOf(schema: TSchema): Shape {
  switch (schema[Kind]) {
    case "Array":
      return { list: shapeOf(schema.items) };
    case "Object":
      return objectShape(schema);
    case "Union":
      return annotationsOf(schema).form === "marker" ? "marker" : shapeOf(valueSchema(schema));
    default:
      return "value";
  }
}

function objectShape(schema: TSchema): Shape {
  const members: Record<string, Shape> = {};
  const fill: Record<string, unknown> = {};
  for (const [name, member] of Object.entries<TSchema>(schema.properties)) {
    const { form = "written", blank } = annotationsOf(member);
    if (form === "absent") continue;
    if (form !== "filled") members[name] = shapeOf(member);
    const isRequired: boolean = schema.required?.includes(name) === true;
    const filled = blank ?? (isRequired ? fallback(member) : undefined);
    if (filled !== undefined) fill[name] = filled;
  }
  return { members, fill, needs: annotationsOf(schema).needs ?? [] };
}

/** A file in forms (FileClaim of described-package.ts). */
const FormFile = Type.Object(
  {
    mediaType: Type.Optional(Type.String()),
    access: Type.Optional(Type.String()),
    accessDate: Type.Optional(Type.String()),
    label: Type.Optional(Type.String()),
    objectType: Type.Optional(Type.String()),
    version: Type.Optional(Type.String()),
    license: Type.Optional(Type.String()),
    licenseText: Type.Optional(Type.String()),
    displayType: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    path: Type.String({ blank: "" }),
    groups: Type.Optional(Type.Array(Type.String())),
    extents: Type.Optional(Type.Array(Type.String())),
    dates: Type.Optional(
      Type.Array(Type.Object({ date: Type.String(), type: Type.String({ blank: "" }) }, { needs: [["date"]] })),
    ),
  },
  { needs: [["path", "url"]] },
);
export const FileClaims = Type.Array(FormFile);

/** The whole of an item as item types see it: the members of the canonical metadata, with `files` and `openDate`. */
export const ITEM_SHAPE = itemShape();

function itemShape(): Extract<Shape, { readonly members: unknown }> {
  const metadata = objectShape(Metadata);
  if (typeof metadata === "string" || "list" in metadata) throw new TypeError("The metadata is not an object");
  const members = { ...metadata.members, files: shapeOf(FileClaims), openDate: "value" as const };
  return { members, fill: {}, needs: [] };
}
