// Who calls and how far they reach (specification 1, "Authentication"; A21).

import type { Instant } from "../shared/time/instant.ts";

export const SCOPES = [
  "ark:mint",
  "ark:read",
  "ark:update",
  "ark:publish",
  "ark:unpublish",
  "ark:tombstone",
  "ark:hold",
  "ark:import",
  "ark:delete",
  "ark:purge",
] as const;
export type Scope = (typeof SCOPES)[number];

/** What routine writers get: never tombstone, delete or purge (A21). */
export const DEFAULT_SCOPES: readonly Scope[] = ["ark:mint", "ark:read", "ark:update", "ark:publish"];

export const TIERS = ["system", "naan", "organisation"] as const;
type Tier = (typeof TIERS)[number];

/** The registered attributes of a credential. */
export type Credential = {
  readonly id: number;
  readonly clientId: string;
  readonly tier: Tier;
  /** Null for tier system only. */
  readonly naan: string | null;
  /** Set for tier organisation only. */
  readonly organisationId: number | null;
  /** Pins an organisation's credential to one shoulder. */
  readonly shoulder: string | null;
  readonly scopes: readonly Scope[];
  readonly active: boolean;
  readonly expiresAt: Instant | null;
};

/** An authenticated caller. `scopes` is what the credential has registered, cut down to what its token carries. */
export type Caller = {
  readonly clientId: string;
  readonly tier: Tier;
  readonly naan: string | null;
  readonly organisationId: number | null;
  /** False when the organisation was disabled: nothing may be written (1303). */
  readonly organisationActive: boolean;
  readonly shoulder: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** Absent where the program itself calls. */
  readonly proof?: CallerProof;
};

/** The proof of a caller's identity; it is checked again before each write (R2g). */
export type CallerProof = {
  /** Of an API key; null for a token. */
  readonly secretId: string | null;
  /** Scopes that a token carries; null: all that are registered. */
  readonly carried: readonly string[] | null;
  /** When a token ends by itself. */
  readonly endsAt: Instant | null;
};

/** What a change is signed with, in history and audit (A27). `address` is the client's, empty on the command line. */
export type Actor = { readonly clientId: string; readonly tier: Tier; readonly address: string };

/** One call of a service: who calls, from where, and whether a read may be served by the replica (A19). */
export type Call = {
  readonly caller: Caller;
  readonly address: string;
  readonly readOnly: boolean;
  /** Scopes of which the route asked for one: asked again where something is written. */
  readonly asked?: readonly Scope[];
};

export function actorOf(call: Call): Actor {
  return { clientId: call.caller.clientId, tier: call.caller.tier, address: call.address };
}

/**
 * The operator at the command line, who reaches everything and is audited under this name. No credential can be called
 * so.
 */
export const ownCall = (clientId: `(${string})`): Call => ({
  caller: {
    clientId,
    tier: "system",
    naan: null,
    organisationId: null,
    organisationActive: true,
    shoulder: null,
    scopes: new Set(SCOPES),
  },
  address: "",
  readOnly: false,
});

/** The person at the command line of the server. */
export const OPERATOR: Call = ownCall("(operator)");

/**
 * True when the caller's reach covers the whole NAAN: only then do "out of reach" and "does not exist" have different
 * answers (A22).
 */
export function reachesNaan(caller: Caller, naan: string): boolean {
  return caller.tier === "system" || (caller.tier === "naan" && caller.naan === naan);
}

/**
 * True when names under this shoulder are within the caller's reach (A21). The shoulder's organisation counts, not who
 * minted a name.
 */
export function reachesShoulder(
  caller: Caller,
  shoulder: { readonly naan: string; readonly shoulder: string; readonly organisationId: number },
): boolean {
  if (reachesNaan(caller, shoulder.naan)) return true;
  if (caller.tier !== "organisation" || caller.naan !== shoulder.naan) return false;
  if (caller.organisationId !== shoulder.organisationId) return false;
  return caller.shoulder === null || caller.shoulder === shoulder.shoulder;
}

// Scopes (A21): not hierarchical, and a token only ever narrows what its credential has registered.

/** The parts of a scope text (RFC 6749 3.3), each once, in the order sent. */
export function scopeParts(text: string): readonly string[] {
  return [...new Set(text.split(" ").filter((part) => part !== ""))];
}

/**
 * What is left of the registered scopes when a token carries `carried`; null: the token has no such claim, all of them.
 */
export function narrowed(registered: readonly Scope[], carried: readonly string[] | null): ReadonlySet<Scope> {
  return new Set(carried === null ? registered : registered.filter((scope) => carried.includes(scope)));
}

/** Of the scopes asked for, those the client has not registered. */
export function unregistered(registered: readonly string[], asked: readonly string[]): readonly string[] {
  return asked.filter((scope) => !registered.includes(scope));
}
