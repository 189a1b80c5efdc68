// A record as CSL-JSON (application/vnd.citationstyles.csl+json; csl-data.json of CSL 1.0.2): one item, as processors
// of citations take it.

import { exchangedJson } from "../../shared/text/text.ts";
import { citedOf } from "../citation/cited-item.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";
import { leftOutBut, leftOutRest, type Member } from "../left-out.ts";
import { cslItem, issuedOf } from "./item.ts";

/** Members that CSL holds completely, or that this file handles itself. */
const CARRIED: ReadonlySet<Member> = new Set<Member>([
  "type",
  "titles",
  "creators",
  "contributors",
  "subjects",
  "descriptions",
  "publishers",
  "publicationDate",
  "languages",
  "versionLabel",
  "identifiers",
  "containers",
  "editions",
  "degree",
  "conferences",
]);
const CITED_ROLES: readonly string[] = ["editor", "translator"];

/** What a citation has no place for. */
export function leftOutOfCitation(record: ExportedRecord): readonly string[] {
  const { metadata } = record;
  const { titles, contributors, descriptions, publishers, containers, conferences, languages } = metadata;
  const cited = contributors.filter(({ role }) => CITED_ROLES.includes(role?.toLowerCase() ?? "")).length;
  const abstracts = descriptions.some(({ kind }) => kind.toLowerCase() === "abstract") ? 1 : 0;
  return [
    ...leftOutRest("Titles", titles.length, 1),
    ...leftOutRest("Contributors", contributors.length, cited),
    ...leftOutRest("Descriptions", descriptions.length, abstracts),
    ...leftOutRest("Publishers", publishers.length, 1),
    ...leftOutRest("Published in", containers.length, 1),
    ...leftOutRest("Conferences", conferences.length, 1),
    ...leftOutRest("Languages", languages.length, 1),
    ...(issuedOf(metadata).isCut
      ? ["Date of publication: one end of the interval is more exact than the date written"]
      : []),
    ...leftOutBut(metadata, CARRIED),
  ];
}

export function writeCsl(record: ExportedRecord): WrittenExport {
  const leftOut = leftOutOfCitation(record);
  const item = cslItem(String(record.id), citedOf(record));
  const written = leftOut.length === 0 ? item : { ...item, custom: { left_out: leftOut } };
  return { text: exchangedJson(written), leftOut };
}
