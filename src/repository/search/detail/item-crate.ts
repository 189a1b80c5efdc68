// The RO-Crate form of an item of the repository, in search, detail and lists (specification 3, "RO-Crate object"; R2g,
// R29): what its item type maps, in the language asked for. Pure; the caller has checked that the reader may read the
// item.
import { type DetailFile, writeCrateRoot, writeDetailCrate } from "../../../formats/ro-crate/detail.ts";
import { claimOf, type FileClaim } from "../../../model/files/described-package.ts";
import type { CrateMap, CrateMapping, CrateNode } from "../../../model/item-types/crate-mapping.ts";
import type { Field, FormValues, ItemTypeDefinition } from "../../../model/item-types/definition.ts";
import { pathWithoutIndices } from "../../../model/item-types/metadata-path.ts";
import { toFormWithAll } from "../../../model/item-types/to-form.ts";
import { filePath, landingPath } from "../../../model/items/addresses.ts";
import type { FileAccess, ItemContent, ItemFile } from "../../../model/items/item.ts";
import { isLong } from "../../../model/items/long-item.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../../model/metadata/metadata.ts";
import { boundedMetadata } from "../../../model/metadata/metadata-limits.ts";
import { publicMetadata } from "../../../model/metadata/public-metadata.ts";
import { nameText } from "../../../model/metadata/reader-language.ts";
import type { JsonObject } from "../../../shared/json/read.ts";
import type { DetailOrder } from "../../store/exporting.ts";

/** An item as a reader may see it, and how it is shown. */
export type ShownItem = Pick<DetailOrder, "id" | "content" | "ark" | "privileged">;
export type CrateNeeds = Pick<DetailOrder, "definition" | "mapping" | "language" | "baseUrl">;

const ACCESS_MODES: Readonly<Record<FileAccess, string>> = {
  open: "open_access",
  date: "open_date",
  login: "open_login",
  closed: "open_no",
};

/** Files of which the reader may know, by the item: restricted ones after an embargo once that is stored (R2h). */
const listedFiles = ({ content, privileged }: Pick<ShownItem, "content" | "privileged">): ItemContent["files"] =>
  privileged || content.access.files === "public" ? content.files : [];

/** The values of an item's form that its reader may see. Values outside a field's choices are among them. */
export function formOf(item: ShownItem, definition: ItemTypeDefinition): FormValues {
  const { content, privileged } = item;
  const metadata = privileged ? content.metadata : publicMetadata(content.metadata);
  return toFormWithAll(metadata, definition, listedFiles(item).map(statedFile), content.access.openDate);
}

/** The same for crates: with every name whole, since one key shows it in one text. */
function crateForm(item: ShownItem, definition: ItemTypeDefinition): FormValues {
  const { content, privileged } = item;
  const metadata = withWholeNames(privileged ? content.metadata : publicMetadata(content.metadata));
  return toFormWithAll(metadata, definition, listedFiles(item).map(statedFile), content.access.openDate);
}

function withWholeNames(metadata: Metadata): Metadata {
  const whole = (agent: Agent): Agent => ({
    ...agent,
    names: agent.names.map((name) => ((name.full ?? "") === "" ? { ...name, full: nameText(name, agent.kind) } : name)),
  });
  const { creators, contributors, rightsHolders } = metadata;
  return {
    ...metadata,
    creators: creators.map(whole),
    contributors: contributors.map(whole),
    rightsHolders: rightsHolders.map(whole),
  };
}

/** The whole crate. */
export function itemCrate({ definition, mapping, ...needs }: CrateNeeds, item: ShownItem): JsonObject {
  const forms = formsOf(definition, mapping);
  const values = crateForm(item, forms.crate);
  const files = listedFiles(item).map(
    (file): DetailFile => ({
      url: `${needs.baseUrl}${filePath(item.id, file.name)}`,
      accessMode: ACCESS_MODES[file.access],
      dateCreated: (file.dates?.find(({ type }) => type === "Created") ?? file.dates?.[0])?.date ?? null,
      values: toFormWithAll(EMPTY_METADATA, forms.file, [statedFile(file)], null),
    }),
  );
  return writeDetailCrate({ ...subjectOf(needs, item), values, files }, mapping);
}

/** Files that hits show of an item with very many. */
const HIT_FILES = 200;

/** The item itself, or of a very long one as much as is written in some milliseconds (R9a): what hits show. */
function boundedItem(item: ShownItem): ShownItem {
  const { metadata, files } = item.content;
  if (!isLong({ metadata, files })) return item;
  const content = { ...item.content, metadata: boundedMetadata(metadata), files: files.slice(0, HIT_FILES) };
  return { ...item, content };
}

/** The crate as a hit of a search shows it. */
export const hitCrate = (needs: CrateNeeds, item: ShownItem): JsonObject => itemCrate(needs, boundedItem(item));

/**
 * Of each hit the root entity of its crate, with these keys alone: what is the same for all of them is reckoned once.
 */
export function crateRoots(
  { definition, mapping, ...needs }: CrateNeeds,
  keys: ReadonlySet<string>,
): (item: ShownItem) => JsonObject {
  const asked = new Map([...mapping.root].filter(([key]) => keys.has(key)));
  const form = narrowed(definition, [asked]);
  return (hit) => {
    const item = boundedItem(hit);
    const files = keys.has("mainEntity")
      ? listedFiles(item).map(({ name }) => `${needs.baseUrl}${filePath(item.id, name)}`)
      : [];
    return writeCrateRoot({ ...subjectOf(needs, item), values: crateForm(item, form) }, asked, files);
  };
}

function subjectOf({ baseUrl, language }: Pick<CrateNeeds, "baseUrl" | "language">, item: ShownItem) {
  const { id, ark, content } = item;
  return { datePublished: content.access.openDate, landingPage: `${baseUrl}${landingPath(id)}`, ark, language };
}

/** A file without a size in the depositor's words gets the number of its bytes. */
function statedFile(file: ItemFile): FileClaim {
  return { ...claimOf(file), extents: file.extents ?? [`${file.sizeBytes} B`] };
}

type Forms = { readonly crate: ItemTypeDefinition; readonly file: ItemTypeDefinition };
const known = new WeakMap<CrateMapping, Forms>();

/** The item type with those fields alone that a mapping looks into: of all others no value has to be found. */
function formsOf(definition: ItemTypeDefinition, mapping: CrateMapping): Forms {
  const found = known.get(mapping) ?? {
    crate: narrowed(definition, [mapping.root, ...mapping.tabs.flatMap(mapsOf)]),
    file: narrowed(definition, [mapping.file]),
  };
  known.set(mapping, found);
  return found;
}

function mapsOf(node: CrateNode): readonly CrateMap[] {
  return [node.map, ...node.children.flatMap(mapsOf)];
}

function narrowed(definition: ItemTypeDefinition, maps: readonly CrateMap[]): ItemTypeDefinition {
  const sources = maps.flatMap((map) => [...map.values()].flat());
  const paths = new Set(
    sources.flatMap((source) => (source.kind === "field" ? [source.path, source.lang, source.where?.path] : [])),
  );
  const fieldsIn = <One extends Field>(fields: readonly One[]): readonly One[] =>
    fields.flatMap((field) => {
      if (field.kind !== null) return paths.has(pathWithoutIndices(field.path)) ? [field] : [];
      const below = fieldsIn(field.fields);
      return below.length === 0 ? [] : [{ ...field, fields: below }];
    });
  return { ...definition, groups: fieldsIn(definition.groups) };
}
