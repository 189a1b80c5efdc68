// What was read from a document next to what a draft has, field by field (issue 25): only fields that differ are
// offered, and chosen beforehand where the draft has nothing.
import { takenMembers } from "../../formats/import/taking.ts";
import { type Metadata, mainTitle } from "../../model/metadata/metadata.ts";
import type { MetadataMember } from "../../model/metadata/metadata-schema.ts";
import { fieldTexts } from "./differences.ts";
import { SHOWN_FIELDS, type ShownField } from "./metadata-rows.ts";

export type ImportRow = {
  readonly member: MetadataMember;
  readonly now: readonly string[];
  readonly next: readonly string[];
};

export type ImportRows = {
  readonly offered: readonly ImportRow[];
  /** Members that are the same already. */
  readonly same: readonly MetadataMember[];
};

const SHOWN: ReadonlySet<string> = new Set(SHOWN_FIELDS);
/** Titles of all kinds are one field here: a page shows the first of them above the others. */
const fieldOf = (member: MetadataMember): ShownField => (member === "titles" ? "otherTitles" : member);

export function importRows(stored: Metadata, found: Metadata, tag: string): ImportRows {
  const rows = takenMembers(found)
    .filter((member) => SHOWN.has(fieldOf(member)))
    .map((member) => ({
      member,
      now: fieldTexts(stored, fieldOf(member), tag).texts,
      next: fieldTexts(found, fieldOf(member), tag).texts,
    }))
    .filter(({ next }) => next.length > 0);
  const isSame = ({ now, next }: ImportRow): boolean => JSON.stringify(now) === JSON.stringify(next);
  return {
    offered: rows.filter((row) => !isSame(row)),
    same: rows.filter(isSame).map(({ member }) => member),
  };
}

/** A work in a list of works: its title, and who made it when. */
export type WorkLine = { readonly title: string; readonly by: string; readonly line: number };

const NAMED = 3;

export function workLine(
  { metadata, line }: { readonly metadata: Metadata; readonly line: number },
  tag: string,
): WorkLine {
  const names = fieldTexts({ ...metadata, creators: metadata.creators.slice(0, NAMED) }, "creators", tag).texts;
  const dates = fieldTexts(metadata, "publicationDate", tag).texts;
  return { title: mainTitle(metadata), by: [...names, ...dates].join(", "), line };
}
