// Holds on a name, a shoulder or a NAAN: for a while the resolver describes instead of redirecting (A17, A42).

import { actorOf, type Call, type Caller, reachesNaan } from "../auth/caller.ts";
import { ServiceError, ValidationRefusal } from "../shared/errors.ts";
import type { Clock } from "../shared/time/clock.ts";
import { type Instant, readInstant } from "../shared/time/instant.ts";
import type { NameChange } from "./change-name.ts";
import { callers, requireActive } from "./current-caller.ts";
import type { HoldIn, HoldReleaseIn } from "./inputs.ts";
import * as rules from "./lifecycle-table.ts";
import type { ArkRecord, Naan, Shoulder } from "./record.ts";
import { readShoulder } from "./shoulder.ts";
import type { ArkWriter, Store } from "./store.ts";
import { parseNaan } from "./syntax.ts";

/** The result of a hold or its release: the record of a name, or the hold of a shoulder or NAAN. */
export type HoldResult =
  | { readonly scope: "ark"; readonly record: ArkRecord }
  | {
      readonly scope: "shoulder" | "naan";
      readonly naan: string;
      /** Null for a hold on the whole NAAN. */
      readonly shoulder: string | null;
      readonly until: Instant | null;
      readonly reason: string | null;
    };

/** The hold to set; both null to release. */
type Span = { readonly holdUntil: Instant | null; readonly holdReason: string | null };
type HeldPart = { readonly naan: string; readonly shoulder: string | null };
type Policy = { readonly kind: "shoulder" | "naan"; readonly text: string };

const RELEASED: Span = { holdUntil: null, holdReason: null };

export interface Holds {
  /** A42: until a moment in the future and within the limit; a second hold replaces the first. */
  hold(call: Call, input: HoldIn): Promise<HoldResult>;
  /** Ends a hold before its time. Where there is none, nothing happens. */
  release(call: Call, input: HoldReleaseIn): Promise<HoldResult>;
}

export const holds = (needs: {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: { readonly holdMaxDays: number };
  readonly change: NameChange;
}): Holds => {
  /** A hold on everything under a shoulder or a NAAN; both need the reach of the NAAN. */
  function ofPolicy(asking: Call, policy: Policy, spanAt: (now: Instant) => Span): Promise<HoldResult> {
    return needs.store.transact(async (tx) => {
      const now = needs.clock.now();
      const call = await callers(tx, now)(asking);
      requireActive(call.caller);
      const span = spanAt(now);
      const target =
        policy.kind === "naan"
          ? await onNaan(tx, call, policy.text, span, now)
          : await onShoulder(tx, call, policy.text, span, now);
      return { scope: policy.kind, ...target, until: span.holdUntil, reason: span.holdReason };
    });
  }

  return {
    async hold(call, input) {
      const target = targetOf(input);
      const until = endOf(input);
      const reason = input.reason.toWellFormed();
      const spanAt = (now: Instant): Span => {
        rules.requireHoldEnd(until, now, needs.limits.holdMaxDays);
        return { holdUntil: until, holdReason: reason };
      };
      if (target.kind !== "ark") return await ofPolicy(call, target, spanAt);
      const record = await needs.change.one(call, target.text, (before, now) => {
        rules.admit("hold", before);
        const span = spanAt(now);
        return [{ action: "hold", before, after: rules.held(before, span.holdUntil, span.holdReason, now), reason }];
      });
      return { scope: "ark", record };
    },

    async release(call, input) {
      const target = targetOf(input);
      if (target.kind !== "ark") return await ofPolicy(call, target, () => RELEASED);
      const record = await needs.change.one(call, target.text, (before, now) => {
        rules.admit("release", before);
        return [{ action: "release", before, after: rules.held(before, null, null, now), reason: "" }];
      });
      return { scope: "ark", record };
    },
  };
};

/** @throws ValidationRefusal unless exactly one of ark, shoulder and naan is named. */
function targetOf(input: HoldReleaseIn): { readonly kind: "ark"; readonly text: string } | Policy {
  const named: ({ readonly kind: "ark"; readonly text: string } | Policy)[] = [];
  if (input.ark !== undefined) named.push({ kind: "ark", text: input.ark });
  if (input.shoulder !== undefined) named.push({ kind: "shoulder", text: input.shoulder });
  if (input.naan !== undefined) named.push({ kind: "naan", text: input.naan });
  const [only, second] = named;
  if (only !== undefined && second === undefined) return only;
  const msg = "Value error, exactly one of ark, shoulder and naan must be given";
  throw new ValidationRefusal([{ loc: ["body"], msg, type: "value_error" }]);
}

/** @throws ValidationRefusal when `until` is not an RFC 3339 timestamp, or the reason is blank. */
function endOf(input: HoldIn): Instant {
  if (input.reason.trim() === "") {
    throw new ValidationRefusal([
      { loc: ["body", "reason"], msg: "Value error, must not be blank", type: "value_error", input: input.reason },
    ]);
  }
  const until = readInstant(input.until);
  if (until !== null) return until;
  const msg = "Value error, must be a date-time of RFC 3339";
  throw new ValidationRefusal([{ loc: ["body", "until"], msg, type: "value_error", input: input.until }]);
}

const UNREGISTERED = "Only registered NAANs can be held: register it first, as one of others (authoritative: false)";

/** One of our NAANs, or with the system tier one that we only forward for (A42). */
async function onNaan(tx: ArkWriter, call: Call, text: string, span: Span, now: Instant): Promise<HeldPart> {
  const naan = parseNaan(text.replace(/^\s*ark:\/*/i, ""));
  if (naan === null || !reachesNaan(call.caller, naan)) throw new ServiceError(1302, { naan: text });
  const before = (await tx.naans()).find((row) => row.naan === naan);
  if (before === undefined) throw new ServiceError(1308, { naan, hint: UNREGISTERED });
  // What we only forward for is many organisations' business: one of them does not stop the others.
  if (!before.authoritative && call.caller.tier !== "system") throw new ServiceError(1302, { naan: text });
  await tx.saveNaan({ ...before, ...span });
  await sign(tx, call, now, { subject: "naan", target: naan, before, span });
  return { naan, shoulder: null };
}

async function onShoulder(tx: ArkWriter, call: Call, text: string, span: Span, now: Instant): Promise<HeldPart> {
  const found = await shoulderWithin(tx, call.caller, text);
  // The lock comes before the row is read for good: a change of the shoulder that is under way must not be overwritten.
  await tx.lockOrganisations([found.organisationId]);
  const before = (await tx.shoulders([found.naan])).find((row) => row.shoulder === found.shoulder) ?? found;
  await tx.saveShoulder({ ...before, ...span });
  const target = `${before.naan}/${before.shoulder}`;
  await sign(tx, call, now, { subject: "shoulder", target, before, span });
  return { naan: before.naan, shoulder: before.shoulder };
}

/**
 * The shoulder a caller of NAAN reach named (A6).
 *
 * @throws ServiceError 1302 outside that reach, 1008 when there is none, 1009 when several NAANs have it.
 */
async function shoulderWithin(tx: ArkWriter, caller: Caller, text: string): Promise<Shoulder> {
  const named = readShoulder(text);
  if (named === null || caller.tier === "organisation") throw new ServiceError(named ? 1302 : 1008, { shoulder: text });
  const naan = named.naan ?? caller.naan;
  if (naan !== null && !reachesNaan(caller, naan)) throw new ServiceError(1302, { shoulder: text });
  const shoulders = await tx.shoulders(naan === null ? undefined : [naan]);
  const found = shoulders.filter((row) => row.shoulder === named.shoulder);
  const [only, second] = found;
  if (only === undefined) throw new ServiceError(1008, { shoulder: text });
  if (second !== undefined) throw new ServiceError(1009, { shoulder: text, naans: found.map((row) => row.naan) });
  return only;
}

async function sign(
  tx: ArkWriter,
  call: Call,
  now: Instant,
  hold: {
    readonly subject: "shoulder" | "naan";
    readonly target: string;
    readonly before: Naan | Shoulder;
    readonly span: Span;
  },
): Promise<void> {
  const fields: string[] = [];
  if (hold.before.holdUntil !== hold.span.holdUntil) fields.push("hold_until");
  if (hold.before.holdReason !== hold.span.holdReason) fields.push("hold_reason");
  if (fields.length === 0) return;
  const action = hold.span.holdUntil === null ? "release" : "hold";
  const reason = hold.span.holdReason ?? "";
  const { subject, target } = hold;
  await tx.record(actorOf(call), now, [{ subject, target, action, beforeUrl: "", afterUrl: "", fields, reason }]);
}
