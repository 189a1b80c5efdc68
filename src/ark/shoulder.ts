// Shoulders: how they are written, and which one a name belongs to (decision A6).

import { type Caller, reachesNaan, reachesShoulder } from "../auth/caller.ts";
import { ServiceError } from "../shared/errors.ts";
import type { Naan, Organisation, Shoulder } from "./record.ts";
import { type Ark, parseNaan } from "./syntax.ts";

const SHOULDER = /^[bcdfghjkmnpqrstvwxz]+[0-9]$/;
const IMPORT_ONLY_SHOULDER = /^(?:[A-Za-z0-9=~*+@_$./]|%[0-9A-F]{2})*$/;

/** True for one or more betanumeric consonants that end in the first digit (`x5`, `fk4`). */
export function isShoulder(text: string): boolean {
  return SHOULDER.test(text) && text.length <= 32;
}

/** Import-only shoulders may be any string of name characters, also empty: all other names of the NAAN. */
export function isImportOnlyShoulder(text: string): boolean {
  return IMPORT_ONLY_SHOULDER.test(text) && text.length <= 64;
}

/**
 * A shoulder as a request names it: `b1`, `/b1`, `99999/b1`, `ark:99999/b1`, `ark:/99999/b1`. `naan` is null where none
 * was given.
 */
export function readShoulder(text: string): { readonly naan: string | null; readonly shoulder: string } | null {
  const inner = text.trim().replace(/^ark:\/*/i, "");
  const slash = inner.indexOf("/");
  if (slash <= 0) return { naan: null, shoulder: inner.replace(/^\//, "") };
  const naan = parseNaan(inner.slice(0, slash));
  return naan === null ? null : { naan, shoulder: inner.slice(slash + 1) };
}

/** The shoulder of a name of its NAAN: the longest one that the name begins with; null when there is none. */
export function shoulderOfName<S extends { readonly shoulder: string }>(
  name: string,
  shoulders: Iterable<S>,
): S | null {
  let best: S | null = null;
  for (const candidate of shoulders) {
    if (!name.startsWith(candidate.shoulder)) continue;
    if (best === null || candidate.shoulder.length > best.shoulder.length) best = candidate;
  }
  return best;
}

// Which shoulder a new name goes under, and whether that shoulder takes it (specification 1, "What the service does" 4
// and 7; A6, A15, A21, A22, A30).

/** The registered data that a decision needs, as read in one transaction. */
export type RegisteredData = {
  readonly naans: ReadonlyMap<string, Naan>;
  readonly organisations: ReadonlyMap<number, Organisation>;
  /** By NAAN, then by shoulder. */
  readonly shoulders: ReadonlyMap<string, ReadonlyMap<string, Shoulder>>;
};

export function registered(
  naans: readonly Naan[],
  organisations: readonly Organisation[],
  shoulders: readonly Shoulder[],
): RegisteredData {
  const byNaan = new Map<string, Map<string, Shoulder>>();
  for (const shoulder of shoulders) {
    const siblings = byNaan.get(shoulder.naan) ?? new Map<string, Shoulder>();
    byNaan.set(shoulder.naan, siblings.set(shoulder.shoulder, shoulder));
  }
  return {
    naans: new Map(naans.map((naan) => [naan.naan, naan])),
    organisations: new Map(organisations.map((organisation) => [organisation.id, organisation])),
    shoulders: byNaan,
  };
}

/**
 * The shoulder a mint goes under. `named` comes from the request; empty means the default.
 *
 * @throws ServiceError 1303, 1007, 1010 (nothing named and nothing to fall back on), 1302 (out of reach, or not there:
 *   only callers whose reach covers the NAAN see the difference, as 1008), 1009, 1308.
 *   Whether the shoulder takes names is not checked: see `requireMintable`.
 */
export function chooseShoulder(caller: Caller, named: string, known: RegisteredData): Shoulder {
  const organisation = organisationOf(caller, known);
  if (named.trim() === "") return defaultShoulder(caller, organisation, known);
  const read = readShoulder(named);
  const naan = read === null ? null : (read.naan ?? caller.naan);
  if (read === null || (caller.naan !== null && naan !== caller.naan)) {
    throw new ServiceError(caller.tier === "system" ? 1308 : 1302, { shoulder: named });
  }
  const shoulder = naan === null ? onlyOneCalled(read.shoulder, known) : find(naan, read.shoulder, known);
  if (shoulder === undefined) {
    const tellsApart = naan === null || reachesNaan(caller, naan);
    throw new ServiceError(tellsApart ? 1008 : 1302, { shoulder: named });
  }
  requireOurs(shoulder.naan, known);
  if (!reachesShoulder(caller, shoulder)) throw new ServiceError(1302, { shoulder: named });
  return shoulder;
}

/** A credential of an organisation writes only while the organisation is active (1303). Null for the wider tiers. */
function organisationOf(caller: Caller, known: RegisteredData): Organisation | null {
  if (caller.tier !== "organisation") return null;
  const organisation = caller.organisationId === null ? undefined : known.organisations.get(caller.organisationId);
  if (organisation === undefined || !organisation.active || !caller.organisationActive) throw new ServiceError(1303);
  return organisation;
}

function defaultShoulder(caller: Caller, organisation: Organisation | null, known: RegisteredData): Shoulder {
  if (organisation === null) throw new ServiceError(1007);
  const name = caller.shoulder ?? organisation.defaultShoulder;
  const shoulder = name === "" ? undefined : known.shoulders.get(organisation.naan)?.get(name);
  if (shoulder === undefined) throw new ServiceError(1010, { organisation: organisation.name });
  requireOurs(shoulder.naan, known);
  if (!reachesShoulder(caller, shoulder)) throw new ServiceError(1302, { shoulder: shoulder.shoulder });
  return shoulder;
}

/** Only the system tier can come here with a NAAN that is not its own, so only it learns which ones are ours. */
function find(naan: string, shoulder: string, known: RegisteredData): Shoulder | undefined {
  requireOurs(naan, known);
  return known.shoulders.get(naan)?.get(shoulder);
}

/** The system tier may leave the NAAN out where only one has such a shoulder (1009 otherwise). */
function onlyOneCalled(shoulder: string, known: RegisteredData): Shoulder | undefined {
  const found: Shoulder[] = [];
  for (const siblings of known.shoulders.values()) {
    const one = siblings.get(shoulder);
    if (one !== undefined) found.push(one);
  }
  if (found.length > 1) throw new ServiceError(1009, { shoulder, naans: found.map((one) => one.naan).sort() });
  return found[0];
}

function requireOurs(naan: string, known: RegisteredData): void {
  if (known.naans.get(naan)?.authoritative !== true) throw new ServiceError(1308, { naan });
}

/**
 * Refuses a shoulder that makes no new names here (A6, A30). A part of an import-only name may be registered: it gets
 * no new number.
 *
 * @throws ServiceError 1304 retired, reserved or (mint only) import-only; 1306 delegated, with the minter's address as
 *   `Location`; 1309 delegated without an address, or in a bulk call, which must not be sent elsewhere whole.
 */
export function requireMintable(shoulder: Shoulder, way: "mint" | "register", bulk: boolean): void {
  const { naan, minter, about } = shoulder;
  if (shoulder.status === "delegated") {
    const detail = { shoulder: shoulder.shoulder, naan, about };
    if (bulk || minter === "") throw new ServiceError(1309, detail);
    throw new ServiceError(1306, { ...detail, minter }, { Location: minter });
  }
  if (shoulder.status !== "active" || (way === "mint" && shoulder.importOnly)) {
    throw new ServiceError(1304, { shoulder: shoulder.shoulder, naan, status: shoulder.status });
  }
}

/**
 * The shoulder of an imported name.
 *
 * @throws ServiceError 1303, 1308, 1302 (out of reach), 1013 (outside every shoulder, for callers who reach the NAAN),
 *   1307 (the shoulder is retired or reserved).
 */
export function shoulderOfImport(caller: Caller, ark: Ark, known: RegisteredData): Shoulder {
  organisationOf(caller, known);
  if (caller.naan !== null && caller.naan !== ark.naan) throw new ServiceError(1302, { naan: ark.naan });
  requireOurs(ark.naan, known);
  const shoulder = shoulderOfName(ark.name, known.shoulders.get(ark.naan)?.values() ?? []);
  if (shoulder === null) {
    throw new ServiceError(reachesNaan(caller, ark.naan) ? 1013 : 1302, { ark: `ark:${ark.key}` });
  }
  if (!reachesShoulder(caller, shoulder)) throw new ServiceError(1302, { ark: `ark:${ark.key}` });
  if (shoulder.status !== "active" && shoulder.status !== "delegated") {
    throw new ServiceError(1307, { ark: `ark:${ark.key}`, shoulder: shoulder.shoulder, status: shoulder.status });
  }
  return shoulder;
}
