// What is registered as the file `arkstone apply` takes (A51): NAANs, organisations, shoulders, credentials, and the
// holds on the first and the third. Secrets are not in it: only their hashes are known.

import type { Credential } from "../../auth/caller.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { holdAt } from "../lifecycle-table.ts";
import type { Naan, Organisation, Shoulder } from "../record.ts";
import type { RegisteredState } from "./state.ts";

// Rows of the file. Organisations are named, not numbered.

export function naanRow({ naan, authoritative, name, policy, policyUrl, redirect, minter }: Naan) {
  return { naan, authoritative, name, policy, policy_url: policyUrl, redirect, minter };
}

export function organisationRow(organisation: Organisation) {
  const { naan, name, defaultShoulder, commitmentLevel, quotaPerDay, active } = organisation;
  const kept = { default_shoulder: defaultShoulder, commitment_level: commitmentLevel, quota_per_day: quotaPerDay };
  return { naan, name, ...kept, active };
}

export function shoulderRow<Name>(row: Shoulder, organisation: Name) {
  const { naan, shoulder, status, minter, about, redirect, checked, importOnly } = row;
  return { naan, shoulder, organisation, status, minter, about, redirect, checked, import_only: importOnly };
}

export function credentialRow(row: Credential, organisation: string | null) {
  const { clientId, tier, naan, shoulder, scopes, expiresAt, active } = row;
  return { client_id: clientId, tier, naan, organisation, shoulder, scopes, expires_at: expiresAt, active };
}

/** The document, and what is stored but would be refused in a file because a shoulder moved. */
export function describedState(state: RegisteredState, now: Instant) {
  const organisations = new Map(state.organisations.map((organisation) => [organisation.id, organisation]));
  const nameOf = (id: number | null): string | null => (id === null ? null : (organisations.get(id)?.name ?? null));
  const owners = new Map(state.shoulders.map((row) => [`${row.naan}/${row.shoulder}`, row.organisationId]));
  const leftOut: string[] = [];
  const isOwnDefault = ({ id, naan, name, defaultShoulder }: Organisation): boolean => {
    const isOwn = defaultShoulder === "" || owners.get(`${naan}/${defaultShoulder}`) === id;
    if (!isOwn) leftOut.push(`the default shoulder ${defaultShoulder} of organisation ${name}, which is another's`);
    return isOwn;
  };
  const isOwnPin = ({ clientId, naan, organisationId, shoulder }: Credential): boolean => {
    const isOwn = shoulder === null || owners.get(`${naan}/${shoulder}`) === organisationId;
    if (!isOwn) leftOut.push(`the credential ${clientId}, pinned to the shoulder ${shoulder} of another organisation`);
    return isOwn;
  };
  const document = {
    naans: state.naans.map(naanRow),
    organisations: state.organisations.map((row) => ({
      ...organisationRow(row),
      default_shoulder: isOwnDefault(row) ? row.defaultShoulder : "",
    })),
    shoulders: state.shoulders.map((row) => shoulderRow(row, nameOf(row.organisationId))),
    credentials: state.credentials.filter(isOwnPin).map((row) => credentialRow(row, nameOf(row.organisationId))),
    holds: [
      ...state.naans.flatMap((row) => holdOf(row, { naan: row.naan }, now)),
      ...state.shoulders.flatMap((row) => holdOf(row, { naan: row.naan, shoulder: row.shoulder }, now)),
    ],
  };
  return { document, leftOut };
}

function holdOf(
  row: Pick<Naan, "holdUntil" | "holdReason">,
  target: { readonly naan: string; readonly shoulder?: string },
  now: Instant,
) {
  const hold = holdAt(row, now);
  return hold === null ? [] : [{ ...target, ...hold }];
}
