// What `arkstone pack` writes about a folder without metadata: a RO-Crate or SWORD metadata from the options (R13a,
// R14).

import { SHIPPED_MAPPINGS } from "../../../assets/mappings/index.ts";
import { compileMapping } from "../../../formats/mapping/compile.ts";
import { writeRoCrate } from "../../../formats/ro-crate/write.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../../model/metadata/metadata.ts";
import { RESOURCE_TYPES, type ResourceTypeRow, resourceTypeRow } from "../../../model/metadata/resource-types.ts";
import { RO_CRATE_MAPPING } from "../../../repository/deposit/client-settings.ts";
import type { Json } from "../../../shared/json/json.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { nearest } from "../../../shared/text/nearest-word.ts";
import type { OptionValues } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { wordsOf } from "./records.ts";

/** Files in which a folder may describe itself. */
export const CRATE = "ro-crate-metadata.json";
export const SWORD = "sword.json";

export const DESCRIPTION = {
  title: { type: "string", value: "TEXT", help: "Title of the item" },
  creator: {
    type: "string",
    value: "NAMES",
    help: 'Who made it, several between semicolons: "Hopper, Grace; Lovelace, Ada"',
  },
  description: { type: "string", value: "TEXT", help: "What it is" },
  date: { type: "string", value: "DATE", help: "When it was published: 2026, 2026-05 or 2026-05-31" },
  license: { type: "string", value: "URL", help: "Address of its licence" },
  subject: { type: "string", value: "A,B", help: "Keywords" },
  type: {
    type: "string",
    value: "TYPE",
    help: 'What kind of thing it is, such as dataset, "journal article" (default other)',
  },
  index: { type: "string", value: "ID,ID", help: "Indexes to file it in" },
} as const;

export type DescriptionOptions = OptionValues<typeof DESCRIPTION>;
/** A file of the payload; `path` is relative to it. */
type PayloadFile = { readonly path: string; readonly sizeBytes: number; readonly sha256: string };

function titleOf({ title }: DescriptionOptions): string {
  if (title !== undefined && title.trim() !== "") return title;
  throw new UsageError("--title is missing", `Name it, or put ${CRATE} or ${SWORD} into the folder`);
}

function creatorsOf({ creator }: DescriptionOptions): readonly string[] {
  return (creator ?? "")
    .split(";")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function agentOf(name: string): Agent {
  const [family, given] = name.split(",").map((part) => part.trim());
  const parts = given === undefined ? { full: name } : { family: family ?? "", given };
  return { kind: "personal", names: [parts], alternatives: [], ids: [], emails: [], affiliations: [] };
}

/** The type as the specification of JPCOAR names it. @throws UsageError for one it does not know. */
function typeOf({ type = "other" }: DescriptionOptions): ResourceTypeRow {
  const row = resourceTypeRow(type, undefined);
  if (row !== null) return row;
  const near = nearest(
    type,
    RESOURCE_TYPES.map(({ label }) => label),
  );
  throw new UsageError(
    `There is no type "${type}"${near === null ? "" : `: did you mean "${near}"?`}`,
    "It is a resource type of JPCOAR 2.0",
  );
}

function metadataOf(described: DescriptionOptions): Metadata {
  const { description, license, date } = described;
  return {
    ...EMPTY_METADATA,
    type: { id: typeOf(described).id, label: typeOf(described).label, uri: typeOf(described).uri },
    titles: [{ value: titleOf(described), kind: "main" }],
    creators: creatorsOf(described).map(agentOf),
    descriptions: description === undefined ? [] : [{ value: description, kind: "Abstract", html: false }],
    rights: license === undefined ? [] : [{ text: [], uri: license }],
    subjects: (wordsOf(described.subject) ?? []).map((value) => ({ text: { value } })),
    ...(date === undefined ? {} : { publicationDate: date }),
  };
}

/** The crate of these files. @throws UsageError without a title, or for a type nobody knows. */
export function crateOf(described: DescriptionOptions, files: readonly PayloadFile[]): Json {
  const shipped = SHIPPED_MAPPINGS.find(({ name }) => name === RO_CRATE_MAPPING);
  // Our own file, which is JSON.
  const mapping = compileMapping((shipped?.definition ?? {}) as Json);
  const listed = files.map(({ path, sizeBytes, sha256 }) => ({ path, sizeBytes, sha256 }));
  const indexes = wordsOf(described.index) ?? [];
  return writeRoCrate({ metadata: metadataOf(described), files: listed, pubdate: null, indexes }, mapping);
}

/** A metadata document of SWORD. @throws UsageError as `crateOf`. */
export function swordOf(described: DescriptionOptions): Json {
  const { description, license, date } = described;
  const creators = creatorsOf(described);
  return {
    "@context": [
      "https://swordapp.github.io/swordv3/swordv3.jsonld",
      { dc: "http://purl.org/dc/elements/1.1/", dcterms: "http://purl.org/dc/terms/" },
    ],
    "@id": "http://localhost/metadata",
    "@type": "Metadata",
    "dc:title": titleOf(described),
    "dc:type": typeOf(described).label,
    ...(withoutUndefined({
      "dc:creator": creators.length === 0 ? undefined : creators,
      "dcterms:abstract": description,
      "dcterms:license": license,
      "dcterms:issued": date,
      "dc:subject": wordsOf(described.subject),
      "svc:index": wordsOf(described.index),
    }) as { readonly [name: string]: Json }), // texts and lists of texts
  };
}
