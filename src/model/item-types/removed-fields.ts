// What a new version of an item type removes (R4a: removing a field that holds data is refused with the count).
import { type Field, holdsValue, type ItemTypeDefinition, shownGroups } from "./definition.ts";
import { pathWithoutIndices } from "./property-path.ts";

/** A field that is gone, or that now shows another path in the metadata. `path` is without indices. */
type LostField = { readonly path: string; readonly label: string };

type FieldPath = LostField & { readonly metadataPath: string };

export function lostFields(before: ItemTypeDefinition, after: ItemTypeDefinition): readonly LostField[] {
  const is = new Map(fieldPaths(after).map((field) => [field.path, field.metadataPath]));
  return fieldPaths(before).filter(({ path, metadataPath }) => is.get(path) !== metadataPath);
}

/** Every field with a value, and its place. Constants are not data. */
function fieldPaths(definition: ItemTypeDefinition): readonly FieldPath[] {
  return shownGroups(definition).flatMap((group) => below(group, { label: "", metadataPath: "" }));
}

function below(field: Field, above: { readonly label: string; readonly metadataPath: string }): readonly FieldPath[] {
  if (field.metadataPath?.kind === "constant") return [];
  const label = above.label === "" ? field.label.en : `${above.label}.${field.label.en}`;
  if (!holdsValue(field)) {
    const metadataPath =
      field.metadataPath?.kind === "path" ? `${above.metadataPath}.${field.metadataPath.text}` : above.metadataPath;
    return field.fields.flatMap((each) => below(each, { label, metadataPath }));
  }
  // A field without a metadata path keeps its value under its property path, wherever its group is.
  const own = field.metadataPath === null ? "custom" : `${above.metadataPath}.${field.metadataPath.kind}`;
  return [
    {
      path: pathWithoutIndices(field.path),
      label,
      metadataPath: field.metadataPath?.kind === "path" ? `${own}.${field.metadataPath.text}` : own,
    },
  ];
}
