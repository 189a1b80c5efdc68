// What the service keeps of a name: its eleven descriptive strings, its state, its dates (specification 1, "Resources
// and their fields"; A8, A16).

import type { Instant } from "../shared/time/instant.ts";

/** What the fields of a description hold, next to `url`. */
const FIELD_WORDS = {
  title: "Title",
  type: "Type of the thing",
  identifier: "Other identifier of the thing",
  format: "Format",
  relation: "Related thing",
  source: "Source",
  commitment: "Statement of commitment",
  metadata: "Free metadata; never published by the resolver",
  who: "Who made it",
  when: "When it was made",
};
type FieldOfText = keyof typeof FIELD_WORDS;
export type DescriptiveField = "url" | FieldOfText;
export type Description = { readonly [field in DescriptiveField]: string };

/** One value for each of these fields. */
export const forEachField = <Value>(make: (words: string) => Value) =>
  // The same members as in the table.
  Object.fromEntries(Object.entries(FIELD_WORDS).map(([field, words]) => [field, make(words)])) as {
    readonly [Field in FieldOfText]: Value;
  };

export const EMPTY_DESCRIPTION: Description = { url: "", ...forEachField(() => "") };
export const DESCRIPTIVE_FIELDS = Object.keys(EMPTY_DESCRIPTION) as readonly DescriptiveField[]; // it has them all

/** States of A8. `deleted` and `purged` rows stay in the table for ever: they hold the name. */
export const ARK_STATES = ["reserved", "published", "unpublished", "tombstoned", "deleted", "purged"] as const;
export type ArkState = (typeof ARK_STATES)[number];

/** How a name came to be; imports do not count against the quota (A27). */
export const ARK_ORIGINS = ["minted", "registered", "imported"] as const;
export type ArkOrigin = (typeof ARK_ORIGINS)[number];

/** Which kind of call a receipt is of (A13). */
export const RECEIPT_KINDS = ["mint", "register", "import"] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/** One row of the table that holds every name ever assigned. */
export type ArkRecord = Description & {
  /** Canonical `naan/name`, the primary key. `ark:` is added in front when it is returned. */
  readonly key: string;
  readonly naan: string;
  /** Its shoulder; the empty string is the NAAN's catch-all import-only shoulder. */
  readonly shoulder: string;
  readonly origin: ArkOrigin;
  /** The organisation that made it, for the quota; not who may change it (that is the shoulder's organisation). */
  readonly organisationId: number | null;
  readonly state: ArkState;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Set while the name is public; a tombstone keeps it, unpublish clears it. */
  readonly publishedAt: Instant | null;
  /** Set at the first publication and never cleared (A8). */
  readonly firstPublishedAt: Instant | null;
  readonly tombstonedAt: Instant | null;
  readonly withdrawnAt: Instant | null;
  readonly withdrawnReason: string | null;
  readonly holdUntil: Instant | null;
  readonly holdReason: string | null;
};

/** Names of the members in which two rows differ. */
export function differingMembers(one: ArkRecord, other: ArkRecord): readonly string[] {
  // Object.keys forgets the literal keys.
  const members = Object.keys(one) as (keyof ArkRecord)[];
  return members.filter((member) => one[member] !== other[member]);
}

export type HoldScope = "ark" | "shoulder" | "naan";

/** How long and how faithfully an organisation keeps what its names denote (NLM permanence levels, draft 5.1.1). */
export const COMMITMENT_LEVELS = [
  "not-guaranteed",
  "permanent-dynamic",
  "permanent-stable",
  "permanent-unchanging",
  "descriptive-only",
] as const;
export type CommitmentLevel = (typeof COMMITMENT_LEVELS)[number];

// The registered things names live under: NAANs, organisations, shoulders (A6, A31b).

export type Naan = {
  readonly naan: string;
  /** True: we assign and resolve the names under it. False: `redirect` states where requests go. */
  readonly authoritative: boolean;
  readonly name: string;
  readonly policy: string;
  readonly policyUrl: string;
  /** Base URL or template (A31b); empty for one of our NAANs. */
  readonly redirect: string;
  readonly minter: string;
  readonly holdUntil: Instant | null;
  readonly holdReason: string | null;
};

export type Organisation = {
  readonly id: number;
  readonly naan: string;
  readonly name: string;
  /** A shoulder of the same NAAN, or empty: then a mint must name one (1010). */
  readonly defaultShoulder: string;
  readonly commitmentLevel: CommitmentLevel;
  /** Names newly minted or registered in any 24 hours; null: no limit (A27). */
  readonly quotaPerDay: number | null;
  readonly active: boolean;
};

export const SHOULDER_STATUSES = ["reserved", "active", "delegated", "retired"] as const;
export type ShoulderStatus = (typeof SHOULDER_STATUSES)[number];

export type Shoulder = {
  readonly naan: string;
  /** Without slash. Empty only for an import-only shoulder: all other names of the NAAN. */
  readonly shoulder: string;
  readonly organisationId: number;
  readonly status: ShoulderStatus;
  readonly minter: string;
  readonly about: string;
  readonly redirect: string;
  /** Its names end in a check character (A4). */
  readonly checked: boolean;
  readonly importOnly: boolean;
  /** Random characters of the next minted name, without the check character (A5). */
  readonly bladeLength: number;
  readonly holdUntil: Instant | null;
  readonly holdReason: string | null;
};

/** What names live under, read together. */
export type RegisteredThings = {
  readonly naans: readonly Naan[];
  readonly organisations: readonly Organisation[];
  readonly shoulders: readonly Shoulder[];
};
