// What mapping definitions call the fields of an item type: by label path (`Title.タイトル`) or property path (specification 2, reference to the
// mapping definition; R4, R14). Gives the place in the canonical model, or the key of a field that has none (R4a).
import { type Field, type ItemTypeDefinition, type Label, shownGroups, valueFields } from "./definition.ts";

/** Every name of every field with a value, and where it lies: `titles[kind=main].value` or `custom:<type id>:<property path>`. */
export function labelPaths(definition: ItemTypeDefinition): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const group of shownGroups(definition)) {
    for (const field of valueFields(group)) {
      const place = placeOf(group, field, definition.id);
      if (place === null) continue;
      for (const name of namesOf(group, field)) if (!places.has(name)) places.set(name, place);
    }
  }
  return places;
}

function placeOf(group: Field, field: Field, typeId: number): string | null {
  const parts: string[] = [];
  for (const each of chain(group, field)) {
    if (each.place === null) continue;
    if (each.place.kind === "constant" || each.place.kind === "shown") return null;
    if (each.place.kind === "path") parts.push(each.place.text);
  }
  if (field.place === null) return `custom:${typeId}:${field.path}`;
  const place = parts.join(".");
  // The day is no metadata: mapping definitions call it pubdate whatever the item type does.
  return place === "" ? null : place === "openDate" ? "pubdate" : place;
}

/** From the group down to the field. */
function chain(from: Field, to: Field): readonly Field[] {
  if (from === to) return [from];
  const next = from.fields.find((each) => each === to || to.path.startsWith(`${each.path}.`));
  return next === undefined ? [from] : [from, ...chain(next, to)];
}

function namesOf(group: Field, field: Field): readonly string[] {
  const fields = chain(group, field);
  const path = (say: (label: Label) => string): string => fields.map(({ label }) => say(label)).join(".");
  const english = path(({ en }) => en);
  const japanese = path(({ en, ja }) => ja ?? en);
  // Existing definitions mix the two: the group in English, the field in Japanese.
  const mixed = fields.map(({ label }, at) => (at === 0 ? label.en : (label.ja ?? label.en))).join(".");
  return [field.path, english, japanese, mixed];
}
