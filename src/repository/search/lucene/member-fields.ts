// The names of members that people write before a colon, and where in the index they are searched for (R27, R37;
// reference 2.6). Any other name finds nothing, and is not an error.

import { NEWEST, RECORD_FACETS, RECORD_NUMBERS, RECORD_TEXTS } from "../detail/record-schema.ts";
import { FIELDS, type Key } from "../document/document.ts";
import { facetKey } from "../document/keys.ts";
import { CODE_SEPARATOR, customCode, MEMBER_CODE } from "../document/record-fields.ts";
import type { Condition } from "../index/index-port.ts";
import { NUMBERS, TEXTS } from "../settings/search-schema.ts";

export type Place =
  /**
   * Words of a separate field, or after the code of a member. `hasPairs`: the pairs of neighbouring words are known.
   */
  | { readonly kind: "words"; readonly field: string; readonly code: string; readonly hasPairs: boolean }
  /** Whole values after the code of a member. */
  | { readonly kind: "whole"; readonly code: string }
  | { readonly kind: "number" | "instant" | "day"; readonly field: string }
  | { readonly kind: "key"; readonly field: string; readonly keyOf: (text: string) => Key }
  /** A community, named by its slug. */
  | { readonly kind: "slug" }
  /** The few words that the member knows. */
  | { readonly kind: "states"; readonly states: Readonly<Record<string, Condition>> };

const field = (name: string): Place => ({ kind: "words", field: name, code: "", hasPairs: true });
const words = (code: string): Place => ({
  kind: "words",
  field: RECORD_TEXTS.members,
  code,
  hasPairs: false,
});
const whole = (code: string): Place => ({ kind: "whole", code });
const states = (all: Readonly<Record<string, Condition>>): Place => ({ kind: "states", states: all });

const hasStanding = (...anyOf: readonly Key[]): Condition => ({ kind: "key", field: FIELDS.standing, anyOf });
const range = (name: string, from: number | null, to: number | null): Condition => ({
  kind: "range",
  field: name,
  from,
  to,
});
const both = (...of: readonly Condition[]): Condition => ({ kind: "and", of });
const yesOrNo = (yes: Condition): Place => states({ true: yes, false: { kind: "not", of: yes } });

const published = hasStanding("latest", "old");
const draft = hasStanding("draft");
const firstVersion = range(RECORD_NUMBERS.version, null, 1);
const laterVersion = range(RECORD_NUMBERS.version, 2, null);

/** Words without a name before them. */
export const EVERYWHERE: Place = field(FIELDS.all);

const agents = (path: string, code: string, names: string): readonly (readonly [string, Place])[] => [
  [`${path}.person_or_org.name`, field(names)],
  [`${path}.person_or_org.family_name`, field(names)],
  [`${path}.person_or_org.given_name`, field(names)],
  [`${path}.person_or_org.type`, whole(`${code}k`)],
  [`${path}.person_or_org.identifiers.identifier`, whole(`${code}i`)],
  [`${path}.person_or_org.identifiers.scheme`, whole(`${code}s`)],
  [`${path}.affiliations.name`, words(`${code}aw`)],
  [`${path}.affiliations.id`, whole(`${code}f`)],
  [`${path}.role.id`, whole(`${code}r`)],
];

const PLACES: ReadonlyMap<string, Place> = new Map([
  ["id", whole("id")],
  ["parent.id", whole("pa")],
  ["parent.access.owned_by.user", whole("ow")],
  ["parent.communities.ids", whole("co")],
  ["parent.communities.default", whole("co")],
  ["parent.communities.entries.id", whole("co")],
  ["parent.communities.slug", { kind: "slug" }],
  ["parent.communities.entries.slug", { kind: "slug" }],
  ["pids.doi.identifier", whole("do")],
  ["pids.ark.identifier", whole("ar")],
  ["metadata.title", field(TEXTS.title)],
  ["metadata.additional_titles.title", field(TEXTS.title)],
  ["metadata.description", field(TEXTS.description)],
  ["metadata.additional_descriptions.description", field(TEXTS.description)],
  ...agents("metadata.creators", "c", TEXTS.creator),
  ...agents("metadata.contributors", "n", TEXTS.contributor),
  ["metadata.publisher", field(TEXTS.publisher)],
  ["metadata.publication_date", { kind: "day", field: NUMBERS.published }],
  ["metadata.publication_date_range", { kind: "day", field: NUMBERS.published }],
  ["metadata.dates.date", whole("dd")],
  ["metadata.dates.type.id", whole("dt")],
  ["metadata.resource_type.id", whole("rt")],
  ["metadata.resource_type.props.type", whole("ry")],
  ["metadata.resource_type.props.subtype", whole("rt")],
  ["metadata.subjects.subject", field(TEXTS.subject)],
  ["metadata.subjects.id", whole("si")],
  ["metadata.subjects.scheme", whole("ss")],
  ["metadata.languages.id", whole("la")],
  ["metadata.rights.id", whole("ri")],
  ["metadata.rights.title", words("rww")],
  ["metadata.rights.description", words("rww")],
  ["metadata.copyright", words("cpw")],
  ["metadata.version", whole("ve")],
  ["metadata.identifiers.identifier", whole("ii")],
  ["metadata.identifiers.scheme", whole("is")],
  ["metadata.related_identifiers.identifier", whole("li")],
  ["metadata.related_identifiers.scheme", whole("ls")],
  ["metadata.related_identifiers.relation_type.id", whole("lr")],
  ["metadata.funding.funder.name", words("fnw")],
  ["metadata.funding.funder.id", whole("fi")],
  ["metadata.funding.award.number", whole("an")],
  ["metadata.funding.award.title", words("aww")],
  ["metadata.references.reference", words("rew")],
  ["metadata.locations.features.place", words("lpw")],
  ["metadata.sizes", words("szw")],
  ["metadata.formats", words("szw")],
  ["access.status", { kind: "key", field: RECORD_FACETS.access, keyOf: facetKey }],
  ["access.record", whole("xr")],
  ["access.files", whole("xf")],
  ["files.enabled", whole("fe")],
  ["files.count", { kind: "number", field: RECORD_NUMBERS.files }],
  ["files.totalbytes", { kind: "number", field: RECORD_NUMBERS.bytes }],
  ["files.total_bytes", { kind: "number", field: RECORD_NUMBERS.bytes }],
  ["files.types", whole("ft")],
  ["files.entries.key", whole("fk")],
  ["files.entries.ext", whole("ft")],
  ["custom_fields.journal:journal.title", field(TEXTS.sourceTitle)],
  ["created", { kind: "instant", field: RECORD_NUMBERS.createdAt }],
  ["updated", { kind: "instant", field: RECORD_NUMBERS.updatedAt }],
  ["is_published", yesOrNo(published)],
  ["is_draft", yesOrNo(draft)],
  ["versions.index", { kind: "number", field: RECORD_NUMBERS.version }],
  ["versions.is_latest", yesOrNo(hasStanding("latest"))],
  ["versions.is_latest_draft", yesOrNo(hasStanding(NEWEST))],
  ["status", states({ published, draft: both(draft, firstVersion), new_version_draft: both(draft, laterVersion) })],
] as const satisfies readonly (readonly [string, Place])[]);

/** All names that are known, without custom fields. */
export const PLACE_NAMES: readonly string[] = [...PLACES.keys()];

/** Members whose words are among those of another member. */
const SHARING = /^metadata\.(additional_titles|additional_descriptions)(?:\.(?:\*|title|description))?$/;

/** The token of a record that has such a member; null where the words of the member show it. */
export function memberMark(path: string): string | null {
  const member = SHARING.exec(path)?.[1];
  return member === undefined ? null : `${MEMBER_CODE}${CODE_SEPARATOR}${member}`;
}

const CUSTOM = "custom_fields.";

/** The places that a name means: its own, or for the name of a group those below it. */
export function placesOf(path: string): readonly Place[] {
  const plain = path.endsWith(".*") ? path.slice(0, -2) : path;
  const own = PLACES.get(plain);
  if (own !== undefined) return [own];
  if (plain.startsWith(CUSTOM)) {
    // A member of a value of such a field is found by the field: `custom_fields.meeting:meeting.title`.
    const name = plain.slice(CUSTOM.length);
    const [member = name] = name.split(".", 1);
    return [words(customCode(member))];
  }
  if (plain === "metadata") return [EVERYWHERE];
  const below = new Map<string, Place>();
  for (const [name, place] of PLACES) if (name.startsWith(`${plain}.`)) below.set(JSON.stringify(place), place);
  if (plain === "custom_fields") below.set("custom", whole("cu"));
  return [...below.values()];
}
