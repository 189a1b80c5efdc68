// New rows of the table of names: how a minted name is built and what a new record contains (A5, A8, A13).

import { type FieldProblem, ServiceError, ValidationRefusal } from "../shared/errors.ts";
import type { Instant } from "../shared/time/instant.ts";
import { targetProblem, URL_MAX } from "./inputs.ts";
import {
  type ArkOrigin,
  type ArkRecord,
  DESCRIPTIVE_FIELDS,
  type Description,
  type DescriptiveField,
} from "./record.ts";
import { type Ark, checkCharacter, formatArk } from "./syntax.ts";

/** Collisions in a row after which the blade of a shoulder grows by one character (A5). */
export const COLLISIONS_UNTIL_GROWTH = 10;

/** The name of a blade: shoulder, blade, check character over `naan/shoulder blade` (A4, A5). */
export function mintedArk(naan: string, shoulder: string, blade: string): Ark {
  const name = shoulder + blade;
  const zone = `${naan}/${name}`;
  const check = checkCharacter(zone);
  return { naan, name: name + check, key: zone + check };
}

/** A random name under a shoulder. `random` gives betanumerics. */
export function drawArk(
  random: { betanumerics(length: number): string },
  shoulder: { readonly naan: string; readonly shoulder: string },
  bladeLength: number,
): Ark {
  return mintedArk(shoulder.naan, shoulder.shoulder, random.betanumerics(bladeLength));
}

/** The eleven strings of an input. A half of a surrogate pair, which no database keeps, becomes U+FFFD. */
export function describe(input: { readonly [field in DescriptiveField]?: string | undefined }): Description {
  return {
    url: wellFormed(input.url),
    title: wellFormed(input.title),
    type: wellFormed(input.type),
    identifier: wellFormed(input.identifier),
    format: wellFormed(input.format),
    relation: wellFormed(input.relation),
    source: wellFormed(input.source),
    commitment: wellFormed(input.commitment),
    metadata: wellFormed(input.metadata),
    who: wellFormed(input.who),
    when: wellFormed(input.when),
  };
}

function wellFormed(text: string | undefined): string {
  return text === undefined || text === "" ? "" : text.toWellFormed();
}

type NewName = {
  readonly ark: Ark;
  readonly shoulder: string;
  readonly origin: ArkOrigin;
  /** Null where the caller belongs to no organisation. */
  readonly organisationId: number | null;
  readonly published: boolean;
  readonly description: Description;
};

/** The first record of a name: public at once, or reserved with both dates of publication empty (A8). */
export function newRecord(name: NewName, now: Instant): ArkRecord {
  const { ark, description } = name;
  return {
    ...description,
    url: fillTarget(description.url, ark),
    key: ark.key,
    naan: ark.naan,
    shoulder: name.shoulder,
    origin: name.origin,
    organisationId: name.organisationId,
    state: name.published ? "published" : "reserved",
    createdAt: now,
    updatedAt: now,
    publishedAt: name.published ? now : null,
    firstPublishedAt: name.published ? now : null,
    tombstonedAt: null,
    withdrawnAt: null,
    withdrawnReason: null,
    holdUntil: null,
    holdReason: null,
  };
}

/** Names of the descriptive fields that are not empty. */
export function filledFields(description: Description): DescriptiveField[] {
  return DESCRIPTIVE_FIELDS.filter((field) => description[field] !== "");
}

/** True for names that answer as if they were not there: their rows only hold the name (A11). */
export function isWithdrawn(record: Pick<ArkRecord, "state">): boolean {
  return record.state === "deleted" || record.state === "purged";
}

/** Why a name that has a row already cannot be made: it exists, or it was withdrawn and stays so (A11). */
export function takenRefusal(record: ArkRecord): ServiceError {
  return new ServiceError(isWithdrawn(record) ? 1014 : 1005, { ark: formatArk(record.key) });
}

// Targets that name the new ARK: `${ark}`, `${naan}` and `${name}` are filled in when the name is made (A20).

const PLACEHOLDER = /\$\{(ark|naan|name)\}/g;

/** The target with its placeholders filled; others are refused before (`targetProblem`). */
export function fillTarget(url: string, ark: Ark): string {
  if (!url.includes("${")) return url;
  return url.replace(PLACEHOLDER, (_, field: "ark" | "naan" | "name") =>
    field === "ark" ? formatArk(ark) : ark[field],
  );
}

/**
 * Checks a target once more when it is filled: a name can make it too long, or turn a host into none.
 *
 * @throws ValidationRefusal naming the field `url` of the row.
 */
export function checkFilledTarget(url: string, ark: Ark, row: number | null): void {
  if (!url.includes("${")) return;
  const filled = fillTarget(url, ark);
  const problem = filledProblem(filled);
  if (problem === null) return;
  const loc = row === null ? ["body", "url"] : ["body", "data", row, "url"];
  throw new ValidationRefusal([{ loc, ...problem, input: url }]);
}

function filledProblem(filled: string): Pick<FieldProblem, "msg" | "type" | "ctx"> | null {
  if (filled.length > URL_MAX) {
    return {
      msg: `String should have at most ${URL_MAX} characters once its placeholders are filled`,
      type: "string_too_long",
      ctx: { max_length: URL_MAX },
    };
  }
  const problem = targetProblem(filled);
  return problem === null ? null : { msg: `Value error, ${problem}`, type: "value_error" };
}
