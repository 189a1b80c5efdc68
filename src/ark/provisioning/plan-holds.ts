// Wanted holds (A42): on a NAAN, a shoulder or one name, until a moment, for a reason.

import { ServiceError } from "../../shared/errors.ts";
import { quoted } from "../../shared/field-faults.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { admit, held, requireHoldEnd } from "../lifecycle-table.ts";
import { parseArk } from "../syntax.ts";
import { type HoldEntry, plainShoulder } from "./document.ts";
import { unknownNaan } from "./plan-naans.ts";
import { type Draft, withoutTwins } from "./state.ts";

type HoldTarget =
  | { readonly scope: "ark"; readonly key: string }
  | { readonly scope: "shoulder"; readonly naan: string; readonly shoulder: string }
  | { readonly scope: "naan"; readonly naan: string };

/** What a row of `holds` is about: the ARK when it names one, else the shoulder of the NAAN, else the NAAN. */
export function holdTarget(entry: HoldEntry): HoldTarget | { readonly wrong: string } {
  const naan = entry.naan ?? null;
  const shoulder = entry.shoulder ?? null;
  if (entry.ark !== undefined && entry.ark !== null) {
    if (shoulder !== null && shoulder !== "") return { wrong: "names an ark and a shoulder: a hold has one target" };
    return arkTarget(entry.ark, naan);
  }
  if (shoulder !== null && (shoulder !== "" || naan === null)) {
    if (naan === null) return { wrong: "of a shoulder must name its NAAN in naan" };
    const plain = plainShoulder(shoulder, naan);
    return typeof plain === "string" ? { scope: "shoulder", naan, shoulder: plain } : plain;
  }
  return naan === null ? { wrong: "must name a naan, a shoulder or an ark" } : { scope: "naan", naan };
}

function arkTarget(text: string, naan: string | null): HoldTarget | { readonly wrong: string } {
  try {
    const ark = parseArk(text);
    if (naan !== null && naan !== ark.naan)
      return { wrong: `names ${quoted(text)}, which is not under the NAAN ${naan}` };
    return { scope: "ark", key: ark.key };
  } catch (error) {
    if (error instanceof ServiceError) return { wrong: `${error.message}: ${quoted(text)}` };
    throw error;
  }
}

export function draftHolds(draft: Draft, entries: readonly HoldEntry[]): void {
  const targets: { path: string; entry: HoldEntry; target: HoldTarget }[] = [];
  for (const entry of entries) {
    const target = holdTarget(entry);
    if ("wrong" in target) draft.problems.push({ path: entry.path, message: target.wrong });
    else targets.push({ path: entry.path, entry, target });
  }
  for (const { entry, target } of withoutTwins(targets, (row) => nameOf(row.target), draft.problems)) {
    const problem = draftHold(draft, entry, target);
    if (problem !== null) draft.problems.push({ path: entry.path, message: problem });
  }
}

function nameOf(target: HoldTarget): string {
  if (target.scope === "ark") return `ark:${target.key}`;
  return target.scope === "naan" ? `NAAN ${target.naan}` : `shoulder ${target.naan}/${target.shoulder}`;
}

function draftHold(draft: Draft, { until, reason }: HoldEntry, target: HoldTarget): string | null {
  const hold = { holdUntil: until, holdReason: reason };
  const stored = storedThing(draft, target);
  if (typeof stored === "string") return stored;
  const naanOf = target.scope === "ark" ? target.key.slice(0, target.key.indexOf("/")) : target.naan;
  const isForeign = draft.naans.get(naanOf)?.authoritative !== true;
  if (isForeign && target.scope !== "naan")
    return `NAAN ${naanOf} is not ours: of another's only the whole NAAN is held`;
  // The same hold as before stays as it is, even when it is over: applying a file twice changes nothing.
  if (stored.holdUntil === until && stored.holdReason === reason) return null;
  try {
    requireHoldEnd(until, draft.limits.now, draft.limits.holdMaxDays);
    if (target.scope === "ark") {
      const record = draft.arks.get(target.key);
      if (record === undefined) return `no such ARK: ark:${target.key}`;
      admit("hold", record);
      draft.arks.set(target.key, held(record, until, reason, draft.limits.now));
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.message} (SVC-${error.code}): ${error.code === 1020 ? until : nameOf(target)}`;
  }
  const naan = target.scope === "naan" ? draft.naans.get(target.naan) : undefined;
  if (naan !== undefined) draft.naans.set(naan.naan, { ...naan, ...hold });
  const key = target.scope === "shoulder" ? `${target.naan}/${target.shoulder}` : "";
  const shoulder = draft.shoulders.get(key);
  if (shoulder !== undefined) draft.shoulders.set(key, { ...shoulder, ...hold });
  return null;
}

function storedThing(
  draft: Draft,
  target: HoldTarget,
): { readonly holdUntil: Instant | null; readonly holdReason: string | null } | string {
  if (target.scope === "naan") return draft.naans.get(target.naan) ?? unknownNaan(draft, target.naan);
  if (target.scope === "ark") return draft.arks.get(target.key) ?? `no such ARK: ark:${target.key}`;
  const found = draft.shoulders.get(`${target.naan}/${target.shoulder}`);
  return found ?? `no shoulder ${quoted(target.shoulder)} in NAAN ${target.naan}`;
}
