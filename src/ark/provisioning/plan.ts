// The plan of `arkstone apply`: the steps from what is stored to what the file describes, or every reason why not
// (A6, A21, A23, A42). Pure: the same file, state and time give the same plan.

import type { Instant } from "../../shared/time/instant.ts";
import type { ArkRecord, Naan, Organisation } from "../record.ts";
import type { ProvisioningDocument } from "./document.ts";
import { draftCredentials, judgePins } from "./plan-credentials.ts";
import { draftHolds, holdTarget } from "./plan-holds.ts";
import { draftNaans, draftOrganisations, judgeDefaultShoulders } from "./plan-naans.ts";
import { draftShoulders } from "./plan-shoulders.ts";
import {
  type Draft,
  draftOf,
  type FieldChange,
  type PlanStep,
  type ProvisioningLimits,
  type ProvisioningPlan,
  type ProvisioningState,
  type WantedCredential,
  type WantedShoulder,
} from "./state.ts";

/** Lays the file over the state. A plan with problems must not be carried out. */
export function planProvisioning(
  document: ProvisioningDocument,
  state: ProvisioningState,
  limits: ProvisioningLimits,
): ProvisioningPlan {
  const draft = draftOf(state, limits);
  draftNaans(draft, document.naans);
  draftOrganisations(draft, document.organisations);
  draftShoulders(draft, document.shoulders);
  judgeDefaultShoulders(draft, document.organisations);
  draftCredentials(draft, document.credentials);
  judgePins(draft);
  draftHolds(draft, document.holds);
  return { steps: stepsOf(draft), problems: draft.problems, warnings: draft.warnings };
}

/** What the rules need to know of the stored names, in addition to the registered data. */
export type FactsNeeded = {
  readonly arkKeys: readonly string[];
  /** NAANs that would become foreign. */
  readonly naansLeaving: readonly string[];
  /** Shoulders that would become checked. */
  readonly becomingChecked: readonly { readonly naan: string; readonly shoulder: string }[];
  /** Shoulders that do not exist yet. */
  readonly newShoulders: readonly { readonly naan: string; readonly shoulder: string }[];
};

export function factsNeeded(
  document: ProvisioningDocument,
  stored: Pick<ProvisioningState, "naans" | "shoulders">,
): FactsNeeded {
  const shoulders = new Map(stored.shoulders.map((shoulder) => [`${shoulder.naan}/${shoulder.shoulder}`, shoulder]));
  const ours = new Set(stored.naans.filter((naan) => naan.authoritative).map((naan) => naan.naan));
  const arkKeys = document.holds.flatMap((entry) => {
    const target = holdTarget(entry);
    return "scope" in target && target.scope === "ark" ? [target.key] : [];
  });
  return {
    arkKeys: [...new Set(arkKeys)],
    naansLeaving: document.naans.filter((row) => row.authoritative === false && ours.has(row.naan)).map((r) => r.naan),
    becomingChecked: document.shoulders.filter(
      (row) => row.checked === true && shoulders.get(`${row.naan}/${row.shoulder}`)?.checked === false,
    ),
    newShoulders: document.shoulders.filter((row) => !shoulders.has(`${row.naan}/${row.shoulder}`)),
  };
}

type Columns<T> = readonly (readonly [field: string, read: (thing: T) => unknown])[];

const HOLD: Columns<{ readonly holdUntil: Instant | null; readonly holdReason: string | null }> = [
  ["hold_until", (thing) => thing.holdUntil],
  ["hold_reason", (thing) => thing.holdReason],
];
const NAAN: Columns<Naan> = [
  ["authoritative", (naan) => naan.authoritative],
  ["name", (naan) => naan.name],
  ["policy", (naan) => naan.policy],
  ["policy_url", (naan) => naan.policyUrl],
  ["redirect", (naan) => naan.redirect],
  ["minter", (naan) => naan.minter],
  ...HOLD,
];
const ORGANISATION: Columns<Organisation> = [
  ["default_shoulder", (organisation) => organisation.defaultShoulder],
  ["commitment_level", (organisation) => organisation.commitmentLevel],
  ["quota_per_day", (organisation) => organisation.quotaPerDay],
  ["active", (organisation) => organisation.active],
];
const SHOULDER: Columns<WantedShoulder> = [
  ["organisation", (shoulder) => shoulder.organisation],
  ["status", (shoulder) => shoulder.status],
  ["minter", (shoulder) => shoulder.minter],
  ["about", (shoulder) => shoulder.about],
  ["redirect", (shoulder) => shoulder.redirect],
  ["checked", (shoulder) => shoulder.checked],
  ["import_only", (shoulder) => shoulder.importOnly],
  ...HOLD,
];
const CREDENTIAL: Columns<WantedCredential> = [
  ["tier", (credential) => credential.tier],
  ["naan", (credential) => credential.naan],
  ["organisation", (credential) => credential.organisation],
  ["shoulder", (credential) => credential.shoulder],
  ["scopes", (credential) => [...credential.scopes].sort().join(" ")],
  ["expires_at", (credential) => credential.expiresAt],
  ["active", (credential) => credential.active],
];
const ARK: Columns<ArkRecord> = [...HOLD];

function stepsOf(draft: Draft): PlanStep[] {
  const before = draftOf(draft.state, draft.limits);
  return [
    ...differences("naan", NAAN, before.naans, draft.naans),
    ...differences("organisation", ORGANISATION, before.organisations, draft.organisations),
    ...differences("shoulder", SHOULDER, before.shoulders, draft.shoulders),
    ...differences("credential", CREDENTIAL, before.credentials, draft.credentials),
    ...differences("ark", ARK, before.arks, draft.arks),
    ...draft.secrets,
  ];
}

function differences<S extends string, T>(
  subject: S,
  columns: Columns<T>,
  before: ReadonlyMap<string, T>,
  wanted: ReadonlyMap<string, T>,
): { subject: S; action: "add" | "change"; target: string; fields: FieldChange[]; after: T }[] {
  const steps = [];
  for (const [target, after] of wanted) {
    const stored = before.get(target);
    const fields = columns
      .map(([field, read]) => ({ field, before: stored === undefined ? null : read(stored), after: read(after) }))
      .filter((change) => change.before !== change.after && (stored !== undefined || change.after !== ""));
    if (stored !== undefined && fields.length === 0) continue;
    steps.push({
      subject,
      action: stored === undefined ? ("add" as const) : ("change" as const),
      target,
      fields,
      after,
    });
  }
  return steps;
}
