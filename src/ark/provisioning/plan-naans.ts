// Wanted NAANs and organisations (A6, A27, A31b): the rows of the file laid over what is stored.

import { quoted } from "../../shared/field-faults.ts";
import type { Naan, Organisation } from "../record.ts";
import { parseNaan } from "../syntax.ts";
import type { NaanEntry, OrganisationEntry } from "./document.ts";
import { type Draft, pathOf, withoutTwins } from "./state.ts";

export function draftNaans(draft: Draft, entries: readonly NaanEntry[]): void {
  for (const entry of withoutTwins(entries, (row) => row.naan, draft.problems)) {
    const stored = draft.naans.get(entry.naan);
    const naan: Naan = {
      naan: entry.naan,
      authoritative: entry.authoritative ?? stored?.authoritative ?? true,
      name: entry.name ?? stored?.name ?? "",
      policy: entry.policy ?? stored?.policy ?? "",
      policyUrl: entry.policy_url ?? stored?.policyUrl ?? "",
      redirect: entry.redirect ?? stored?.redirect ?? "",
      minter: entry.minter ?? stored?.minter ?? "",
      holdUntil: stored?.holdUntil ?? null,
      holdReason: stored?.holdReason ?? null,
    };
    const problem = naanProblem(draft, stored, naan);
    if (problem !== null) draft.problems.push({ path: entry.path, message: problem });
    draft.naans.set(naan.naan, naan);
  }
}

function naanProblem(draft: Draft, stored: Naan | undefined, naan: Naan): string | null {
  if (naan.authoritative && naan.redirect !== "") {
    return "is authoritative, so its names are answered here: leave redirect empty, or set authoritative: false";
  }
  if (stored?.authoritative !== true || naan.authoritative) return null;
  const name = draft.state.anyName.get(naan.naan);
  if (name !== undefined) return `cannot be made foreign: names were assigned under it, such as ark:${name}`;
  if (draft.state.shoulders.some((shoulder) => shoulder.naan === naan.naan)) {
    return "cannot be made foreign: it has shoulders here";
  }
  return null;
}

export function draftOrganisations(draft: Draft, entries: readonly OrganisationEntry[]): void {
  for (const entry of withoutTwins(entries, pathOf, draft.problems)) {
    const stored = draft.organisations.get(pathOf(entry));
    if (!draft.naans.has(entry.naan)) {
      draft.problems.push({ path: `${entry.path}.naan`, message: unknownNaan(draft, entry.naan) });
    }
    const organisation: Organisation = {
      id: stored?.id ?? 0,
      naan: entry.naan,
      name: entry.name,
      defaultShoulder:
        entry.default_shoulder === undefined ? (stored?.defaultShoulder ?? "") : (entry.default_shoulder ?? ""),
      commitmentLevel: entry.commitment_level ?? stored?.commitmentLevel ?? "permanent-dynamic",
      quotaPerDay: entry.quota_per_day === undefined ? (stored?.quotaPerDay ?? null) : entry.quota_per_day,
      active: entry.active ?? stored?.active ?? true,
    };
    draft.organisations.set(pathOf(organisation), organisation);
  }
}

/** Default shoulders, judged when all shoulders are known: a row may name one that the same file makes. */
export function judgeDefaultShoulders(draft: Draft, entries: readonly OrganisationEntry[]): void {
  const storedBefore = new Map(draft.state.organisations.map((organisation) => [pathOf(organisation), organisation]));
  const pathInFile = new Map(entries.map((entry) => [pathOf(entry), entry.path]));
  for (const [path, organisation] of draft.organisations) {
    if (organisation.defaultShoulder === "") continue;
    const shoulder = draft.shoulders.get(`${organisation.naan}/${organisation.defaultShoulder}`);
    const isNew = storedBefore.get(path)?.defaultShoulder !== organisation.defaultShoulder;
    const refuse = (message: string) =>
      draft.problems.push({ path: `${pathInFile.get(path) ?? path}.default_shoulder`, message });
    const named = quoted(organisation.defaultShoulder);
    if (shoulder === undefined) {
      if (isNew) refuse(`no shoulder ${named} in NAAN ${organisation.naan}`);
    } else if (shoulder.importOnly) {
      refuse(`${named} is import-only: nothing is ever minted from it`);
    } else if (shoulder.organisation !== organisation.name) {
      const message = `shoulder ${named} belongs to organisation ${quoted(shoulder.organisation)}`;
      if (isNew) refuse(message);
      else if (pathInFile.has(path) || changedOwner(draft, organisation)) {
        draft.warnings.push(`The default ${message}, so mints of ${path} that name no shoulder will be refused`);
      }
    }
  }
}

function changedOwner(draft: Draft, organisation: Organisation): boolean {
  const key = `${organisation.naan}/${organisation.defaultShoulder}`;
  return draft.state.shoulders.some(
    (shoulder) => `${shoulder.naan}/${shoulder.shoulder}` === key && shoulder.organisationId === organisation.id,
  );
}

export function unknownNaan(draft: Draft, naan: string): string {
  const known = [...draft.naans.keys()];
  const list = known.length === 0 ? "none is registered" : `registered: ${known.slice(0, 10).join(", ")}`;
  return `NAAN ${parseNaan(naan) ?? quoted(naan)} is not registered (${list})`;
}
