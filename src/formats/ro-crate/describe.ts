// From an opened JSON-LD graph to what a package describes (specification, processing step 9; R13a, R14): one item, or
// the two parts of a split one. RO-Crate and SWORD BagIt differ only in how the graph is found; everything else is
// here.
import type { DescribedItem, Instructions } from "../../model/files/described-package.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Graph } from "../json-ld/graph.ts";
import { plainText } from "../json-ld/values.ts";
import type { Mapping } from "../mapping/compile.ts";
import { readPublicTerms, withLiterals } from "./exact.ts";
import { type CrateFiles, claimsOf, filesOf, isFile, isOnDisk, type PayloadPaths } from "./files.ts";
import { readFlags } from "./flags.ts";
import { ARK_TERM, LANDING_PAGE_TERM } from "./terms.ts";
import { unreached, unreadTerms } from "./unread-terms.ts";

/** A split deposit is one item in two parts: the paper and its evidence. */
const SPLIT_PARTS = 2;

export type DescribeNeeds = {
  readonly mapping: Mapping;
  readonly payload: PayloadPaths;
  /** The day of the deposit, for mappings with `$(today)`. */
  readonly today: Day;
  /** What `extra` calls the format. */
  readonly format: "ro-crate" | "sword-json";
};

/** Items of the document, evidence before paper. `descriptors`: entities that describe the document itself. */
export function describeItems(
  root: JsonObject,
  graph: Graph,
  needs: DescribeNeeds,
  descriptors: readonly JsonObject[],
  notes: readonly string[],
): readonly DescribedItem[] {
  const flags = readFlags(root, graph);
  const items =
    flags.instructions.split === true
      ? withStrays(describeParts(root, graph, needs, flags.instructions), strayFiles(root, graph), graph, needs)
      : [describeItem(root, graph, needs, new Set(), strayFiles(root, graph))];
  const left = unreached(graph, needs.format, new Set<Json>(descriptors), root);
  return items.map((item, index) => {
    const own = { ...item, notes: [...notes, ...item.notes] };
    if (index < items.length - 1) return own;
    const metadata = { ...item.metadata, extra: [...item.metadata.extra, ...left.extra] };
    return { ...own, metadata, notes: [...own.notes, ...left.notes] };
  });
}

/** Files of a split package that are in neither part belong to the paper. */
function withStrays(
  items: readonly DescribedItem[],
  strays: readonly JsonObject[],
  graph: Graph,
  needs: DescribeNeeds,
): readonly DescribedItem[] {
  const paper = items.at(-1);
  if (paper === undefined) return items;
  const found = claimsOf(
    strays.filter((stray) => !graph.wasVisited(stray)),
    graph,
    needs.payload,
  );
  const files = [...paper.files, ...found.files];
  return [...items.slice(0, -1), { ...paper, files, notes: [...paper.notes, ...found.notes] }];
}

/**
 * Files of the graph that no hasPart leads to: they belong to the one item. A file on somebody's own disk is only
 * mentioned, as tools do for what they ran on, unless the crate lists it as a part (R13c).
 */
function strayFiles(root: JsonObject, graph: Graph): readonly JsonObject[] {
  return [...graph.entities.values()].filter(
    (entity) =>
      entity !== root && isFile(entity, graph) && (!isOnDisk(entity) || graph.peek(entity, "isPartOf").includes(root)),
  );
}

function describeItem(
  entity: JsonObject,
  graph: Graph,
  needs: DescribeNeeds,
  siblings: ReadonlySet<Json>,
  strays: readonly JsonObject[],
): DescribedItem {
  const { instructions, settings } = readFlags(entity, graph);
  const existing = existingOf(entity, graph);
  const own = ownIdentifiers(entity, graph, existing.id);
  const shown = readPublicTerms(needs.mapping, entity, graph, needs.today, own);
  const { metadata, outdated } = withLiterals(needs.mapping, entity, graph, shown, own);
  const files = allFiles(entity, graph, needs, siblings, strays);
  markKnown(entity, graph);
  const left = unreadTerms(entity, graph, needs.format);
  const id = entity["@id"];
  return {
    localId: typeof id === "string" ? id : "./",
    existing,
    itemType: null,
    metadata: whole(metadata, files, left.extra),
    instructions: { ...instructions, ...(shown.pubdate === null ? {} : { openDate: shown.pubdate }) },
    settings:
      Object.keys(files.textExtraction).length === 0 ? settings : { ...settings, textExtraction: files.textExtraction },
    files: files.files,
    notes: [
      ...outdated.map((member) => `svc:${member} no longer fits the terms next to it: those were taken`),
      ...files.notes,
      ...left.notes,
    ],
  };
}

function whole(metadata: Metadata, files: CrateFiles, extra: Metadata["extra"]): Metadata {
  return {
    ...metadata,
    relations: [...metadata.relations, ...files.links],
    extra: [...metadata.extra, ...extra],
  };
}

function allFiles(
  entity: JsonObject,
  graph: Graph,
  needs: DescribeNeeds,
  siblings: ReadonlySet<Json>,
  strays: readonly JsonObject[],
): CrateFiles {
  const linked = filesOf(entity, graph, needs.payload, siblings);
  const known = new Set(linked.files.map((file) => file.path));
  const further = claimsOf(
    strays.filter((stray) => !graph.wasVisited(stray)),
    graph,
    needs.payload,
  );
  return {
    files: [...linked.files, ...further.files.filter((file) => !known.has(file.path))],
    links: [...linked.links, ...further.links],
    textExtraction: { ...linked.textExtraction, ...further.textExtraction },
    notes: [...linked.notes, ...further.notes],
  };
}

/**
 * Terms that may hold the ARK or an address of an item in this repository, whatever the mapping makes of them (R13c).
 */
const NAME_TERMS = [ARK_TERM, LANDING_PAGE_TERM, "url", "identifier", "dc:identifier", "dcterms:identifier"];
/** The members of an object that may hold the name: a value with its scheme, an entity with its address. */
const WITHIN_NAME = ["@id", "@value", "value", "url"];
/** The form of an address or an ARK; other texts cannot name an item of this repository. */
const NAME_LIKE = /ark:|:\/\//i;

/** `identifier` that is an item id, `uri` that is an item's address: the item the document means (R13a, R13c). */
function existingOf(entity: JsonObject, graph: Graph): DescribedItem["existing"] {
  const ids = graph.peek(entity, "identifier").map((each) => (isJsonObject(each) ? null : String(each).trim()));
  const id = ids.find((each) => each !== null && /^\d{1,15}$/.test(each)) ?? null;
  const names = new Set<string>();
  const own = entity["@id"];
  for (const each of [own, ...NAME_TERMS.flatMap((term) => [...graph.peek(entity, term)])]) {
    const within = isJsonObject(each) ? WITHIN_NAME.flatMap((term) => [...graph.peek(each, term)]) : [each];
    for (const text of within) if (typeof text === "string" && NAME_LIKE.test(text)) names.add(text);
  }
  const uri = plainText(graph.values(entity, "uri")[0], graph);
  return { id, uri, ...(names.size === 0 ? {} : { names: [...names] }) };
}

function ownIdentifiers(entity: JsonObject, graph: Graph, id: string | null): ReadonlySet<string> {
  const ark = plainText(graph.values(entity, ARK_TERM)[0], graph);
  return new Set([...(id === null ? [] : [id]), ...(ark === null ? [] : [ark, arkName(ark)])]);
}

/** The name within an ARK's address: `https://host/ark:99999/x` is `ark:99999/x`. */
export function arkName(ark: string): string {
  const start = ark.indexOf("ark:");
  return start < 0 ? ark : ark.slice(start);
}

/** Terms that describe the document, not the item. */
function markKnown(entity: JsonObject, graph: Graph): void {
  for (const term of ["conformsTo", "mainEntity", "subjectOf", LANDING_PAGE_TERM]) graph.markRead(entity, term);
  const landing = plainText(graph.peek(entity, LANDING_PAGE_TERM)[0], graph);
  const url = plainText(graph.peek(entity, "url")[0], graph);
  if (landing !== null && landing === url) graph.markRead(entity, "url");
}

const SUPPLEMENTED = "isSupplementedBy";
const SUPPLEMENT = "isSupplementTo";

function describeParts(
  root: JsonObject,
  graph: Graph,
  needs: DescribeNeeds,
  shared: Instructions,
): readonly DescribedItem[] {
  // Existing clients give the parts no type: every part with content that is not a file is an item.
  const parts = [...new Set(graph.values(root, "hasPart"))].filter(
    (part): part is JsonObject =>
      isJsonObject(part) && part !== root && !isFile(part, graph) && Object.keys(part).length > 1,
  );
  if (parts.length !== SPLIT_PARTS) {
    throw new DocumentError(
      `Cannot split this package: svc:isSplited is on and hasPart of the root names ${parts.length} items, ${SPLIT_PARTS} are needed`,
    );
  }
  const siblings = new Set<Json>([root, ...parts]);
  const items = parts.map((part) => {
    const item = describeItem(part, graph, needs, siblings, []);
    const { saveAsIs, ...kept } = { ...shared, ...item.instructions };
    const notes = saveAsIs === true ? [...item.notes, "svc:saveAsIs is not followed for a split package"] : item.notes;
    return { ...item, instructions: { ...kept, split: true }, notes };
  });
  return linked(items);
}

/** Evidence first, and both parts knowing each other: the paper by isSupplementedBy, the evidence by isSupplementTo. */
function linked(items: readonly DescribedItem[]): readonly DescribedItem[] {
  const ids = new Set(items.map((item) => item.localId));
  const paper = items.find((item) => isPaper(item, items, ids)) ?? items[0];
  const evidence = items.find((item) => item !== paper);
  if (paper === undefined || evidence === undefined) return items;
  return [withLink(evidence, paper.localId, SUPPLEMENT), withLink(paper, evidence.localId, SUPPLEMENTED)];
}

function isPaper(item: DescribedItem, items: readonly DescribedItem[], ids: ReadonlySet<string>): boolean {
  const links = item.instructions.itemLinks ?? [];
  const namesOther = links.some((link) => link.value === SUPPLEMENTED && ids.has(link.identifier));
  const isNamed = items.some((other) =>
    (other.instructions.itemLinks ?? []).some((link) => link.value === SUPPLEMENT && link.identifier === item.localId),
  );
  return namesOther || isNamed;
}

function withLink(item: DescribedItem, identifier: string, value: string): DescribedItem {
  const links = item.instructions.itemLinks ?? [];
  const others = links.filter((link) => link.identifier !== identifier);
  return { ...item, instructions: { ...item.instructions, itemLinks: [...others, { identifier, value }] } };
}
