// Writes an item as RO-Crate 1.1 that can be imported again (R19b): the metadata in the terms of a mapping, literals
// for everything else (exact.ts), the files, the landing page and the ARK. Reading it with the same mapping gives the
// same metadata.

import type { FileClaim } from "../../model/files/described-package.ts";
import { shownPath } from "../../model/files/file-names.ts";
import type { ItemFile, PrivateSettings } from "../../model/items/item.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import type { Day } from "../../shared/time/day.ts";
import { graphBuilder } from "../json-ld/flatten.ts";
import { asList } from "../json-ld/graph.ts";
import { oneOrMany } from "../json-ld/values.ts";
import type { Mapping } from "../mapping/compile.ts";
import { arkName } from "./describe.ts";
import { exactTerms, publicTerms } from "./exact.ts";
import {
  ARK_TERM,
  CRATE_CONTEXT,
  CRATE_FILE_NAME,
  CRATE_PREFIXES,
  CRATE_PROFILE,
  LANDING_PAGE_TERM,
  ROOT_ID,
} from "./terms.ts";

/** A file as the crate lists it; `path` is relative to the folder of the crate. */
export type CrateFile = FileClaim & { readonly sizeBytes?: number; readonly sha256?: string };

export type CrateSubject = {
  readonly metadata: Metadata;
  readonly files: readonly CrateFile[];
  /** The day from which the record is shown. */
  readonly pubdate: Day | null;
  /** Absent: not set. */
  readonly publishStatus?: "public" | "private";
  /** Ids of the indexes it belongs to; absent: not set. */
  readonly indexes?: readonly string[];
  readonly landingPage?: string;
  /** Address under which the ARK resolves. */
  readonly ark?: string;
  /** Only for packages that their owner gets: these are never public (R14). */
  readonly settings?: PrivateSettings;
};

/**
 * The crate as a JSON document: `{@context, @graph}`. `mapping` decides the public terms; `ro-crate-default` is what
 * others understand.
 */
export function writeRoCrate(subject: CrateSubject, mapping: Mapping): JsonObject {
  const { metadata, pubdate, ark, landingPage } = subject;
  const own = new Set(ark === undefined ? [] : [ark, arkName(ark)]);
  const terms = publicTerms(mapping, metadata, pubdate);
  const { "@type": _type, identifier, ...others } = terms;
  const graph = graphBuilder();
  graph.add({
    "@id": ROOT_ID,
    "@type": "Dataset",
    ...others,
    ...withoutUndefined({ identifier: oneOrMany([...(ark === undefined ? [] : [ark]), ...asList(identifier)]) }),
    ...withoutUndefined({ url: landingPage, [LANDING_PAGE_TERM]: landingPage, [ARK_TERM]: ark }),
    ...withoutUndefined({ "svc:publishStatus": subject.publishStatus, "svc:index": oneOrMany(subject.indexes ?? []) }),
    ...settingTerms(subject.settings),
    ...exactTerms(mapping, metadata, pubdate, own),
    ...withoutUndefined({ hasPart: oneOrMany(subject.files.map((file) => ({ "@id": fileId(file.path) }))) }),
  });
  for (const file of subject.files) graph.add(fileEntity(file, subject.settings));
  return {
    "@context": [CRATE_CONTEXT, CRATE_PREFIXES],
    "@graph": [descriptor(), ...graph.entities()],
  };
}

function descriptor(): JsonObject {
  return {
    "@id": CRATE_FILE_NAME,
    "@type": "CreativeWork",
    conformsTo: { "@id": CRATE_PROFILE },
    about: { "@id": ROOT_ID },
  };
}

function settingTerms(settings: PrivateSettings | undefined): JsonObject {
  return withoutUndefined({
    "svc:feedbackMail": settings?.feedbackMail,
    "svc:requestMail": settings?.requestMail,
    "svc:grant": settings?.grant === undefined ? undefined : { "@type": "@json", "@value": settings.grant },
  });
}

function fileEntity(file: CrateFile, settings: PrivateSettings | undefined): JsonObject {
  const extraction = settings?.textExtraction ?? {};
  return withoutUndefined({
    "@id": fileId(file.path),
    "@type": "File",
    name: file.label ?? shownPath(file.path).at(-1),
    encodingFormat: file.mediaType,
    contentSize: file.sizeBytes === undefined ? undefined : String(file.sizeBytes),
    sha256: file.sha256,
    version: file.version,
    license: licenseOf(file.license),
    url: file.url,
    "svc:access": file.access,
    "svc:accessDate": file.accessDate,
    "svc:groups": file.groups === undefined || file.groups.length === 0 ? undefined : file.groups,
    "svc:objectType": file.objectType,
    "svc:displayType": file.displayType,
    "svc:licenseText": file.licenseText,
    "svc:dates": oneOrMany((file.dates ?? []).map(({ date, type }) => ({ "svc:date": date, "svc:dateType": type }))),
    "svc:extents": file.extents === undefined || file.extents.length === 0 ? undefined : file.extents,
    "svc:textExtraction": Object.hasOwn(extraction, file.path) ? extraction[file.path] : undefined,
  });
}

function licenseOf(license: string | undefined): Json | undefined {
  return license !== undefined && /^https?:\/\/\S+$/.test(license) ? { "@id": license } : license;
}

/**
 * A path as the address that RO-Crate requires, without a part that could be read as a scheme, a fragment or a query.
 */
function fileId(path: string): string {
  const id = path.split("/").map(encodeURIComponent).join("/");
  return id.includes(":") || id.startsWith("/") ? `./${id}` : id;
}

/**
 * A stored file as the crate lists it. Its name is unique in the item and already flat (R13a). The hash is for those
 * who may read the file.
 */
export function crateFileOf(file: ItemFile, hashed: boolean): CrateFile {
  const { storageKey: _key, md5: _md5, name, sha256, sizeBytes, accessDate, groups, ...statements } = file;
  return {
    ...statements,
    path: name,
    ...(hashed && sha256 !== "" ? { sha256 } : {}),
    sizeBytes,
    ...(accessDate === null ? {} : { accessDate }),
    ...(groups.length === 0 ? {} : { groups: groups.map(String) }),
  };
}
