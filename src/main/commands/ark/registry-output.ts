// NAANs, organisations, shoulders and credentials as the command line shows them: the members of the apply file, and as
// tables.

import { holdAt } from "../../../ark/lifecycle-table.ts";
import { credentialRow, naanRow, shoulderRow } from "../../../ark/provisioning/described-state.ts";
import type { Naan, Organisation, Shoulder } from "../../../ark/record.ts";
import type { Credential } from "../../../auth/caller.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import { jsonText, shown, table } from "../../process/terminal.ts";
import type { Context } from "../context.ts";

type HoldFields = Pick<Naan, "holdUntil" | "holdReason">;

function holdOf(thing: HoldFields, now: Instant) {
  const hold = holdAt(thing, now);
  return { hold_until: hold?.until ?? null, hold_reason: hold?.reason ?? null };
}

export function naanOut(naan: Naan, now: Instant) {
  return { ...naanRow(naan), ...holdOf(naan, now) };
}

export function shoulderOut(shoulder: Shoulder, organisations: readonly Organisation[], now: Instant) {
  const name = organisations.find(({ id }) => id === shoulder.organisationId)?.name ?? "";
  return { ...shoulderRow(shoulder, name), blade_length: shoulder.bladeLength, ...holdOf(shoulder, now) };
}

export function credentialOut(credential: Credential, organisations: readonly Organisation[]) {
  return credentialRow(credential, organisations.find(({ id }) => id === credential.organisationId)?.name ?? null);
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
