// The registered things names live under: NAANs, organisations, shoulders (A6, A31b).

import type { Instant } from "../shared/time/instant.ts";
import type { CommitmentLevel } from "./record.ts";

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
