// What is registered as the file `arkstone apply` takes (A51): NAANs, organisations, shoulders, credentials, and the holds on the first and the
// third. Secrets are not in it: only their hashes are known.
import type { RegisteredState } from "./state.ts";
import { holdAt } from "../lifecycle-table.ts";
import type { Naan, Organisation } from "../registered-things.ts";
import type { Instant } from "../../shared/instant.ts";
import type { Credential } from "../../auth/caller.ts";

/** The document, and what stands in the database but would be refused of a file: it lost its meaning when a shoulder moved. */
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
    naans: state.naans.map(({ naan, authoritative, name, policy, policyUrl, redirect, minter }) => ({
      ...{ naan, authoritative, name, policy, policy_url: policyUrl, redirect, minter },
    })),
    organisations: state.organisations.map((row) => ({
      naan: row.naan,
      name: row.name,
      default_shoulder: isOwnDefault(row) ? row.defaultShoulder : "",
      commitment_level: row.commitmentLevel,
      quota_per_day: row.quotaPerDay,
      active: row.active,
    })),
    shoulders: state.shoulders.map((row) => ({
      ...{ naan: row.naan, shoulder: row.shoulder, organisation: nameOf(row.organisationId), status: row.status },
      ...{ minter: row.minter, about: row.about, redirect: row.redirect },
      ...{ checked: row.checked, import_only: row.importOnly },
    })),
    credentials: state.credentials.filter(isOwnPin).map((row) => ({
      ...{ client_id: row.clientId, tier: row.tier, naan: row.naan, organisation: nameOf(row.organisationId) },
      ...{ shoulder: row.shoulder, scopes: row.scopes, expires_at: row.expiresAt, active: row.active },
    })),
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
