// The RO-Crate form of an item in search and detail (specification 3, "RO-Crate object"; R29): what its item type maps, as a tree of tabs,
// sections and subsections. It is made for display; the crate that can be imported again is write.ts.
import type { FormValues } from "../../repository/model/item-types/definition.ts";
import type { Day } from "../../shared/day.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import type { DetailMap, DetailMapping, DetailNode, DetailSource } from "./detail-mapping.ts";
import { CRATE_CONTEXT, CRATE_FILE_NAME, CRATE_PROFILE, ROOT_ID } from "./terms.ts";

type DetailFile = {
  /** Address of the file; its @id. */
  readonly url: string;
  /** `open_access`, `open_date`, `open_login` or `open_no`. */
  readonly accessMode: string;
  readonly dateCreated: Day | null;
  /** The form values of this file alone. */
  readonly values: FormValues;
};

export type DetailSubject = {
  readonly values: FormValues;
  readonly files: readonly DetailFile[];
  readonly datePublished: Day;
  readonly landingPage: string;
  /** The language asked for. */
  readonly language: string;
};

/** `{@context, @graph}`. Mapped keys are always lists; entities without any value are left out. */
export function writeDetailCrate(subject: DetailSubject, mapping: DetailMapping): JsonObject {
  const values = indexed(subject.values);
  const tabs = mapping.root.children.flatMap((child) => entitiesOf(child, "", 1, { subject, mapping, values }));
  const isTab = (entity: JsonObject): boolean => entity.additionalType === mapping.entityTypes[1];
  const root = {
    "@id": ROOT_ID,
    "@type": "Dataset",
    ...mapped(mapping.root.map, values, subject.language),
    datePublished: subject.datePublished,
    mainEntity: subject.files.map(({ url }) => ({ "@id": url })),
    subjectOf: [{ "@id": subject.landingPage }],
    hasPart: tabs.filter(isTab).map(link),
  };
  const descriptor = {
    "@id": CRATE_FILE_NAME,
    "@type": "CreativeWork",
    conformsTo: { "@id": CRATE_PROFILE },
    about: { "@id": ROOT_ID },
  };
  const page = { "@id": subject.landingPage, "@type": "WebPage" };
  const files = subject.files.map((file) => fileEntity(file, mapping.file, subject.language));
  return { "@context": CRATE_CONTEXT, "@graph": [root, descriptor, ...tabs, ...files, page] };
}

type World = { readonly subject: DetailSubject; readonly mapping: DetailMapping; readonly values: Indexed };

/** A node and everything below it, itself first; nothing when none of it has a value. */
function entitiesOf(node: DetailNode, parent: string, depth: number, world: World): readonly JsonObject[] {
  const id = `${parent}${node.name}/`;
  const { language } = world.subject;
  const below = node.children.map((child) => entitiesOf(child, id, depth + 1, world));
  const own = mapped(node.map, world.values, language);
  const parts = below.flatMap((entities) => entities.slice(0, 1).map(link));
  if (Object.keys(own).length === 0 && parts.length === 0) return [];
  const names = node.nameByLanguage;
  const entity = {
    "@id": id,
    "@type": "Dataset",
    additionalType: world.mapping.entityTypes[depth] ?? "",
    name: (Object.hasOwn(names, language) ? names[language] : names.en) ?? node.name,
    ...own,
    ...(parts.length === 0 ? {} : { hasPart: parts }),
  };
  return [entity, ...below.flat()];
}

function link(entity: JsonObject): JsonObject {
  return { "@id": entity["@id"] ?? "" };
}

function fileEntity(file: DetailFile, map: DetailMap, language: string): JsonObject {
  return {
    "@id": file.url,
    "@type": "File",
    ...mapped(map, indexed(file.values), language),
    accessMode: file.accessMode,
    ...(file.dateCreated === null ? {} : { dateCreated: file.dateCreated }),
  };
}

/** Values of one property path with the group they stand in: the path of what encloses them, with indices. */
type Indexed = ReadonlyMap<string, readonly { readonly group: string; readonly value: string }[]>;

function indexed(values: FormValues): Indexed {
  const byPath = new Map<string, { readonly group: string; readonly value: string }[]>();
  for (const [written, value] of Object.entries(values)) {
    if (value === "") continue;
    const path = written.replaceAll(/\[\d+\]/g, "");
    const group = written.slice(0, Math.max(0, written.lastIndexOf(".")));
    const known = byPath.get(path) ?? [];
    known.push({ group, value });
    byPath.set(path, known);
  }
  return byPath;
}

function mapped(map: DetailMap, values: Indexed, language: string): { readonly [key: string]: Json } {
  return Object.fromEntries(
    [...map].flatMap(([key, source]) => {
      const found = valuesOf(source, values, language);
      return found.length === 0 ? [] : [[key, found]];
    }),
  );
}

function valuesOf(source: DetailSource, values: Indexed, language: string): readonly string[] {
  if (source.kind === "static") return source.values;
  if (source.kind === "paths")
    return source.paths.flatMap((path) => (values.get(path) ?? []).map(({ value }) => value));
  const written = values.get(source.value) ?? [];
  const languages = values.get(source.lang) ?? [];
  const inLanguage = (wanted: string) =>
    written.find(({ group }) => languages.some((each) => each.group === group && each.value === wanted));
  const chosen = inLanguage(language) ?? inLanguage("en") ?? written[0];
  return chosen === undefined ? [] : [chosen.value];
}
