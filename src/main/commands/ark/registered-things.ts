// NAANs, organisations, shoulders and credentials as the command line shows them: the members of the apply file, and as tables.
import { holdAt } from "../../../ark/lifecycle-table.ts";
import type { Naan, Organisation, Shoulder } from "../../../ark/registered-things.ts";
import type { Credential } from "../../../auth/caller.ts";
import type { Instant } from "../../../shared/instant.ts";
import { jsonText, shown, table } from "../../terminal.ts";
import type { Context } from "../context.ts";

type Held = Pick<Naan, "holdUntil" | "holdReason">;

function holdOf(thing: Held, now: Instant) {
  const hold = holdAt(thing, now);
  return { hold_until: hold?.until ?? null, hold_reason: hold?.reason ?? null };
}

export function naanOut(naan: Naan, now: Instant) {
  const { authoritative, name, policy, policyUrl, redirect, minter } = naan;
  return {
    naan: naan.naan,
    authoritative,
    name,
    policy,
    policy_url: policyUrl,
    redirect,
    minter,
    ...holdOf(naan, now),
  };
}

export function organisationOut(organisation: Organisation) {
  return {
    naan: organisation.naan,
    name: organisation.name,
    default_shoulder: organisation.defaultShoulder,
    commitment_level: organisation.commitmentLevel,
    quota_per_day: organisation.quotaPerDay,
    active: organisation.active,
  };
}

export function shoulderOut(shoulder: Shoulder, organisations: readonly Organisation[], now: Instant) {
  const { naan, status, minter, about, redirect, checked } = shoulder;
  return {
    naan,
    shoulder: shoulder.shoulder,
    organisation: organisations.find(({ id }) => id === shoulder.organisationId)?.name ?? "",
    status,
    minter,
    about,
    redirect,
    checked,
    import_only: shoulder.importOnly,
    blade_length: shoulder.bladeLength,
    ...holdOf(shoulder, now),
  };
}

export function credentialOut(credential: Credential, organisations: readonly Organisation[]) {
  return {
    client_id: credential.clientId,
    tier: credential.tier,
    naan: credential.naan,
    organisation: organisations.find(({ id }) => id === credential.organisationId)?.name ?? null,
    shoulder: credential.shoulder,
    scopes: credential.scopes,
    expires_at: credential.expiresAt,
    active: credential.active,
  };
}

/** Rows as JSON, or as a table of some of their members. */
export function showRows<Row extends object>(
  context: Context,
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  empty: string,
): void {
  if (context.json) context.out(jsonText(rows));
  else if (rows.length === 0) context.err(`${empty}\n`);
  else {
    const head = columns.map((column) => column.replaceAll("_", " "));
    context.out(
      table(
        head,
        rows.map((row) => columns.map((column) => cell(row[column]))),
      ),
    );
  }
}

function cell(value: unknown): string {
  return Array.isArray(value) ? shown(value.join(" ")) : shown(value);
}
