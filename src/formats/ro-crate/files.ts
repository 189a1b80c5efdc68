// The files of a JSON-LD document (specification "Package content rules"; RO-Crate 1.1 "Data entities"). A file must be
// in the package; one on the web is kept as a link and never fetched.

import type { FileClaim } from "../../model/files/described-package.ts";
import { shownPath } from "../../model/files/file-names.ts";
import type { FileAccess } from "../../model/items/item.ts";
import type { Relation } from "../../model/metadata/metadata.ts";
import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { maybe } from "../../shared/objects.ts";
import type { Graph } from "../json-ld/graph.ts";
import { firstValues, plainText } from "../json-ld/values.ts";
import { readSwitch } from "./flags.ts";

export type CrateFiles = {
  readonly files: readonly FileClaim[];
  /** Files on the web, as relations of the item. */
  readonly links: readonly Relation[];
  /** By path, for files that set it (R14). */
  readonly textExtraction: Readonly<Record<string, boolean>>;
  readonly notes: readonly string[];
};

/** Paths of the package's payload, relative to the payload folder. */
export type PayloadPaths = ReadonlySet<string>;

const FILE_TYPES = ["File", "MediaObject"];
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:\s*;.*)?$/;

export function isFile(entity: Json, graph: Graph): boolean {
  return graph.typesOf(entity).some((type) => FILE_TYPES.includes(type));
}

/**
 * Every file that hasPart of an entity leads to, folders within folders, in order and each once. Chains of any length
 * and circles end. `skip`: entities that are separate items.
 *
 * @throws DocumentError for a file that is not in the package.
 */
export function filesOf(entity: JsonObject, graph: Graph, payload: PayloadPaths, skip: ReadonlySet<Json>): CrateFiles {
  const reached = new Set<Json>([entity]);
  const waiting: Json[] = [entity];
  const found: JsonObject[] = [];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (!isJsonObject(at)) continue;
    if (isFile(at, graph)) found.push(at);
    const parts = graph.values(at, "hasPart").filter((part) => !reached.has(part) && !skip.has(part));
    for (const part of parts) reached.add(part);
    if (at !== entity && graph.typesOf(at).includes("Dataset")) graph.markRead(at, "name");
    for (const part of parts.toReversed()) waiting.push(part);
  }
  return claimsOf(found, graph, payload);
}

/** True for a file with the path of its creator's disk. */
export function isOnDisk(entity: JsonObject): boolean {
  const id = entity["@id"];
  return typeof id === "string" && /^file:/i.test(id);
}

/** Claims of file entities, in their order. */
export function claimsOf(entities: readonly JsonObject[], graph: Graph, payload: PayloadPaths): CrateFiles {
  const files: FileClaim[] = [];
  const links: Relation[] = [];
  const extraction: [string, boolean][] = [];
  const notes: string[] = [];
  for (const entity of entities) {
    const id = String(entity["@id"] ?? "");
    if (/^(?:https?|ftp):\/\//i.test(id)) {
      links.push(linkOf(id, entity, graph));
      notes.push(`The file ${id} is on the web: it is kept as a link and was not fetched`);
      continue;
    }
    const path = pathOf(id, payload);
    files.push(claimOf(path, entity, graph));
    const isExtracted = readSwitch(entity, "svc:textExtraction", graph);
    if (isExtracted !== null) extraction.push([path, isExtracted]);
  }
  return { files, links, textExtraction: Object.fromEntries(extraction), notes };
}

function linkOf(id: string, entity: JsonObject, graph: Graph): Relation {
  const name = plainText(graph.values(entity, "name")[0], graph);
  return {
    type: "hasPart",
    ident: { scheme: "URI", value: id },
    titles: name === null || name === id ? [] : [{ value: name }],
  };
}

/**
 * The payload path an @id means: an address with its percent signs decoded, else as written; `./` and `data/` before it
 * are left out.
 */
function pathOf(id: string, payload: PayloadPaths): string {
  const plain = id.replace(/^(?:\.\/)+/, "");
  for (const spelling of [decodePath(plain), plain]) {
    if (payload.has(spelling)) return spelling;
    const inside = spelling.replace(/^data\//, "");
    if (payload.has(inside)) return inside;
  }
  throw new DocumentError(`Cannot take the file ${JSON.stringify(id)}: the package does not contain it`);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const ACCESS: Readonly<Record<string, FileAccess>> = {
  open: "open",
  date: "date",
  login: "login",
  closed: "closed",
  open_access: "open",
  open_date: "date",
  open_login: "login",
  open_no: "closed",
  open_restricted: "closed",
};

function claimOf(path: string, entity: JsonObject, graph: Graph): FileClaim {
  const text = (term: string): string | null => plainText(graph.values(entity, term)[0], graph);
  const mediaType = firstValues(entity, ["encodingFormat", "jpcoar:mimeType"], graph).find(
    (each) => typeof each === "string" && MEDIA_TYPE.test(each.trim()),
  );
  // Size and checksum come from the bytes, never from a document.
  for (const term of ["contentSize", "sha256", "sha1", "md5", "hasPart", "partOf"]) graph.markRead(entity, term);
  return {
    path,
    ...maybe("mediaType", typeof mediaType === "string" ? mediaType.trim() : null),
    ...accessOf(entity, path, graph),
    ...maybe("accessDate", text("svc:accessDate")),
    ...listOf("groups", graph.values(entity, "svc:groups"), graph),
    ...maybe("label", labelOf(path, text("name"))),
    ...maybe("objectType", text("svc:objectType")),
    ...maybe("version", text("version")),
    ...licenseOf(entity, graph),
    ...maybe("displayType", text("svc:displayType") ?? text("jpcoar:format")),
    ...maybe("url", text("url") ?? text("contentUrl")),
    ...datesOf(entity, graph),
    ...listOf("extents", graph.values(entity, "svc:extents"), graph),
  };
}

function listOf(key: "groups" | "extents", values: readonly Json[], graph: Graph): Partial<FileClaim> {
  const texts = values.flatMap((value) => plainText(value, graph) ?? []);
  if (texts.length === 0) return {};
  return key === "groups" ? { groups: texts } : { extents: texts };
}

function accessOf(entity: JsonObject, path: string, graph: Graph): { readonly access?: FileAccess } {
  const stated = plainText(graph.peek(entity, "dcterms:accessRights")[0], graph);
  if (stated !== null && Object.hasOwn(ACCESS, stated)) graph.markRead(entity, "dcterms:accessRights");
  const role = stated !== null && Object.hasOwn(ACCESS, stated) ? stated : null;
  const written = plainText(firstValues(entity, ["svc:access", "accessMode"], graph)[0], graph) ?? role;
  if (written === null) return {};
  const access = Object.hasOwn(ACCESS, written) ? ACCESS[written] : undefined;
  if (access !== undefined) return { access };
  throw new DocumentError(
    `Cannot take the file ${JSON.stringify(path)}: its access ${JSON.stringify(written)} is none of ${Object.keys(ACCESS).join(", ")}`,
  );
}

/** The last part of the path is a name, not a label. */
function labelOf(path: string, name: string | null): string | null {
  return name === null || name === path || name === path.split("/").at(-1) || name === shownPath(path).at(-1)
    ? null
    : name;
}

function licenseOf(entity: JsonObject, graph: Graph): Pick<FileClaim, "license" | "licenseText"> {
  const [written] = graph.values(entity, "license");
  const text = plainText(graph.values(entity, "svc:licenseText")[0], graph);
  const id = isJsonObject(written) ? written["@id"] : undefined;
  if (isJsonObject(written)) graph.markRead(written, "name");
  const license = typeof id === "string" ? id : plainText(written, graph);
  return { ...maybe("license", license), ...maybe("licenseText", text) };
}

const DATE_TERMS = { dateCreated: "Created", dateModified: "Updated", datePublished: "Issued" } as const;

function datesOf(entity: JsonObject, graph: Graph): Pick<FileClaim, "dates"> {
  const dates: { readonly date: string; readonly type: string }[] = graph
    .values(entity, "svc:dates")
    .flatMap((each) => (isJsonObject(each) ? dateOf(each, graph) : []));
  if (dates.length > 0) {
    for (const term of Object.keys(DATE_TERMS)) graph.markRead(entity, term);
    return { dates };
  }
  const plain = Object.entries(DATE_TERMS).flatMap(([term, type]) =>
    graph.values(entity, term).flatMap((value) => {
      const date = plainText(value, graph);
      return date === null ? [] : [{ date, type }];
    }),
  );
  return plain.length === 0 ? {} : { dates: plain };
}

function dateOf(entity: JsonObject, graph: Graph): readonly { readonly date: string; readonly type: string }[] {
  const date = plainText(graph.values(entity, "svc:date")[0], graph);
  const type = plainText(graph.values(entity, "svc:dateType")[0], graph);
  return date === null ? [] : [{ date, type: type ?? "" }];
}
