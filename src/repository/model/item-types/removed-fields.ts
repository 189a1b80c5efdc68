// What a new version of an item type takes away (R4a: removing a field that holds data is refused with the count).
import { type Field, holdsValue, type ItemTypeDefinition, shownGroups } from "./definition.ts";

/** A field that is gone, or that now shows another place of the metadata. `path` is without indices. */
export type LostField = { readonly path: string; readonly label: string };

type Placed = LostField & { readonly place: string };

export function lostFields(before: ItemTypeDefinition, after: ItemTypeDefinition): readonly LostField[] {
  const is = new Map(placedFields(after).map((field) => [field.path, field.place]));
  return placedFields(before).filter(({ path, place }) => is.get(path) !== place);
}

/** Every field with a value, and where it lies. A constant is nobody's data. */
function placedFields(definition: ItemTypeDefinition): readonly Placed[] {
  return shownGroups(definition).flatMap((group) => below(group, { label: "", place: "" }));
}

function below(field: Field, above: { readonly label: string; readonly place: string }): readonly Placed[] {
  if (field.place?.kind === "constant") return [];
  const label = above.label === "" ? field.label.en : `${above.label}.${field.label.en}`;
  if (!holdsValue(field)) {
    const place = field.place?.kind === "path" ? `${above.place}.${field.place.text}` : above.place;
    return field.fields.flatMap((each) => below(each, { label, place }));
  }
  // Without a place of its own a field keeps its value under its own path, wherever its group lies.
  const own = field.place === null ? "custom" : `${above.place}.${field.place.kind}`;
  return [
    {
      path: pathWithoutIndices(field.path),
      label,
      place: field.place?.kind === "path" ? `${own}.${field.place.text}` : own,
    },
  ];
}

/** A property path without any index, `a.b` for `a[0].b`: those of rows, and the one a few keys (`date[0].dateValue`) carry themselves. */
export function pathWithoutIndices(path: string): string {
  return path.replace(/\[\d+\]/g, "");
}
