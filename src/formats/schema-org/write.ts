// A record as JSON-LD in the words of schema.org (application/ld+json): the description its landing page carries, in
// the language of its title.

import { exchangedJson } from "../../shared/text/text.ts";
import { citedOf } from "../citation/cited-item.ts";
import { schemaOrg } from "../citation/schema-org.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";
import { leftOutBut, leftOutRest, type Member } from "../left-out.ts";

const CARRIED: ReadonlySet<Member> = new Set<Member>([
  "type",
  "titles",
  "creators",
  "contributors",
  "rights",
  "rightsHolders",
  "copyright",
  "subjects",
  "descriptions",
  "publishers",
  "publicationDate",
  "dates",
  "languages",
  "versionLabel",
  "identifiers",
  "relations",
  "temporals",
  "locations",
  "funding",
  "containers",
  "references",
]);

export function writeSchemaOrg(record: ExportedRecord): WrittenExport {
  const { metadata, publishedAt } = record;
  const dated = metadata.dates.filter(({ type }) => ["Created", "Issued"].includes(type)).length;
  const leftOut = [
    ...leftOutRest("Publishers", metadata.publishers.length, 1),
    ...leftOutRest("Published in", metadata.containers.length, 1),
    ...leftOutRest("Dates", metadata.dates.length, dated),
    ...leftOutBut(metadata, CARRIED),
  ];
  const data = schemaOrg({ ...citedOf(record), ...(publishedAt === null ? {} : { publishedAt }) });
  // Harvesters of data sets read one of the two.
  const { author } = data;
  const named = author === undefined ? data : { ...data, creator: author };
  return { text: exchangedJson(named), leftOut };
}
