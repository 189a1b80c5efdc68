// What a mapping definition may call the fields of an item type: their labels, group by group, in either language
// (`Title.Language`, `Title.タイトル`), or their property paths (R4, R4a; the definitions of existing repositories are
// written so).
import { type Field, type ItemTypeDefinition, shownGroups } from "../../model/item-types/definition.ts";
import type { MetadataPath } from "../../model/item-types/metadata-path.ts";
import { type MappingNeeds, PUBDATE } from "./compile.ts";

/** For compileMapping(): resolves label paths of this item type, and requires what it requires. */
export function mappingNeedsOf(definition: ItemTypeDefinition): MappingNeeds {
  const groups = shownGroups(definition);
  return {
    resolve: (written) => {
      const way = byLabels(written, groups) ?? byPath(written, groups);
      return way === null ? null : targetOf(way, definition.id);
    },
    required: groups
      .filter((group) => group.required || group.fields.some((field) => field.required))
      .flatMap((group) => {
        const metadataPath = targetOf([group], definition.id);
        return metadataPath === null || metadataPath.startsWith("custom:")
          ? []
          : [{ metadataPath, label: group.label.en }];
      }),
  };
}

/** The fields from a group down to the one that the labels name. */
function byLabels(written: string, fields: readonly Field[]): readonly Field[] | null {
  for (const field of fields) {
    for (const label of [field.label.en, field.label.ja]) {
      if (label === undefined || label === "") continue;
      if (written === label) return [field];
      if (!written.startsWith(`${label}.`)) continue;
      const below = byLabels(written.slice(label.length + 1), field.fields);
      if (below !== null) return [field, ...below];
    }
  }
  return null;
}

function byPath(written: string, fields: readonly Field[]): readonly Field[] | null {
  const plain = written.replaceAll(/\[\d*\]/g, "");
  for (const field of fields) {
    if (field.path === plain) return [field];
    const below = byPath(plain, field.fields);
    if (below !== null) return [field, ...below];
  }
  return null;
}

/**
 * Where the last of these fields has its value: a path in the metadata, or its own key in `custom`. Null for what holds
 * no value.
 */
function targetOf(way: readonly Field[], itemType: number): string | null {
  const last = way.at(-1);
  if (last === undefined) return null;
  const texts = way.map((field) => (field.metadataPath === null ? null : pathText(field.metadataPath)));
  if (texts.at(-1) === null) {
    return last.kind === null || last.path === "" || last.metadataPath !== null
      ? null
      : `custom:${itemType}:${last.path}`;
  }
  const text = texts.filter((each) => each !== null && each !== "").join(".");
  return text === "openDate" ? PUBDATE : text;
}

/** A path as mapping definitions write it; null for constants, which have no field. */
function pathText(path: MetadataPath): string | null {
  if (path.kind === "self") return "";
  if (path.kind === "shown") return "full";
  if (path.kind === "constant") return null;
  return path.steps
    .map(({ name, filter }) => (filter === null ? name : `${name}[${filter.member}=${filter.values[0] ?? ""}]`))
    .join(".");
}
