// Wanted shoulders (A6): which prefixes there may be, which status may follow which, whose they are.

import { quoted } from "../../shared/field-faults.ts";
import type { ShoulderStatus } from "../record.ts";
import { isImportOnlyShoulder, isShoulder } from "../shoulder.ts";
import type { ShoulderEntry } from "./document.ts";
import { unknownNaan } from "./plan-naans.ts";
import { type Draft, pathOf, type WantedShoulder, withoutTwins } from "./state.ts";

/** Random characters of a first name: 29^8, about 5 * 10^11 names (A5). */
const FIRST_BLADE_LENGTH = 8;

/** What may follow a status (A6). A shoulder is reserved only at creation, and retired for ever. */
const MAY_BECOME: Readonly<Record<ShoulderStatus, readonly ShoulderStatus[]>> = {
  reserved: ["reserved", "active", "delegated", "retired"],
  active: ["active", "delegated", "retired"],
  delegated: ["delegated", "active", "retired"],
  retired: ["retired"],
};

export function draftShoulders(draft: Draft, entries: readonly ShoulderEntry[]): void {
  for (const entry of withoutTwins(entries, keyOf, draft.problems)) {
    const stored = draft.shoulders.get(keyOf(entry));
    const shoulder = wantedShoulder(entry, stored);
    for (const problem of [
      ...ownerProblems(draft, entry, shoulder),
      ...formProblems(shoulder),
      ...changeProblems(draft, stored, shoulder),
    ]) {
      draft.problems.push({ path: `${entry.path}${problem.member}`, message: problem.message });
    }
    if (shoulder.status === "delegated" && shoulder.minter === "" && stored?.status !== "delegated") {
      draft.warnings.push(`${keyOf(shoulder)} is delegated without a minter: mint requests are refused (1309)`);
    }
    draft.shoulders.set(keyOf(shoulder), shoulder);
  }
}

function keyOf(shoulder: { readonly naan: string; readonly shoulder: string }): string {
  return `${shoulder.naan}/${shoulder.shoulder}`;
}

function wantedShoulder(entry: ShoulderEntry, stored: WantedShoulder | undefined): WantedShoulder {
  const importOnly = entry.import_only ?? stored?.importOnly ?? false;
  return {
    naan: entry.naan,
    shoulder: entry.shoulder,
    organisation: entry.organisation ?? stored?.organisation ?? "",
    status: entry.status ?? stored?.status ?? "active",
    minter: entry.minter ?? stored?.minter ?? "",
    about: entry.about ?? stored?.about ?? "",
    redirect: entry.redirect ?? stored?.redirect ?? "",
    checked: entry.checked ?? stored?.checked ?? !importOnly,
    importOnly,
    bladeLength: stored?.bladeLength ?? FIRST_BLADE_LENGTH,
    holdUntil: stored?.holdUntil ?? null,
    holdReason: stored?.holdReason ?? null,
  };
}

type MemberProblem = { readonly member: string; readonly message: string };

function ownerProblems(draft: Draft, entry: ShoulderEntry, shoulder: WantedShoulder): MemberProblem[] {
  const naan = draft.naans.get(shoulder.naan);
  if (naan === undefined) return [{ member: ".naan", message: unknownNaan(draft, shoulder.naan) }];
  if (!naan.authoritative) {
    return [{ member: ".naan", message: `NAAN ${naan.naan} is not ours: only authoritative NAANs have shoulders` }];
  }
  if (shoulder.organisation === "") return [{ member: "", message: 'lacks the member "organisation"' }];
  if (draft.organisations.has(pathOf({ naan: shoulder.naan, name: shoulder.organisation }))) return [];
  const elsewhere = [...draft.organisations.values()].find(({ name }) => name === entry.organisation);
  const hint = elsewhere === undefined ? "" : ` (there is one in NAAN ${elsewhere.naan})`;
  const message = `no organisation ${quoted(shoulder.organisation)} in NAAN ${shoulder.naan}${hint}`;
  return [{ member: ".organisation", message }];
}

function formProblems(shoulder: WantedShoulder): MemberProblem[] {
  const named = quoted(shoulder.shoulder);
  if (shoulder.importOnly) {
    if (isImportOnlyShoulder(shoulder.shoulder)) return [];
    return [{ member: ".shoulder", message: `must be up to 64 characters that names are made of, not ${named}` }];
  }
  if (isShoulder(shoulder.shoulder)) return [];
  const message = `must be consonants of bcdfghjkmnpqrstvwxz that end in one digit, like "x5", not ${named}`;
  const hint = isImportOnlyShoulder(shoulder.shoulder) ? " (only an import_only shoulder may be anything else)" : "";
  return [{ member: ".shoulder", message: message + hint }];
}

function changeProblems(draft: Draft, stored: WantedShoulder | undefined, shoulder: WantedShoulder): MemberProblem[] {
  if (stored === undefined) {
    const below = draft.state.nameBelow.get(keyOf(shoulder));
    if (below === undefined) return [];
    const message = `would take over names of another shoulder, such as ark:${below}: choose another prefix`;
    return [{ member: ".shoulder", message }];
  }
  const problems: MemberProblem[] = [];
  if (!MAY_BECOME[stored.status].includes(shoulder.status)) {
    const reason = stored.status === "retired" ? "retired is final" : "reserved is possible only at creation";
    problems.push({ member: ".status", message: `cannot go from ${stored.status} to ${shoulder.status}: ${reason}` });
  }
  const unchecked = draft.state.uncheckedName.get(keyOf(shoulder));
  if (!stored.checked && shoulder.checked && unchecked !== undefined) {
    const message = `cannot be turned on: ark:${unchecked} has no fitting check character`;
    problems.push({ member: ".checked", message });
  }
  return problems;
}
