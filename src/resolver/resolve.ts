// The decision about one request for a name: redirect, describe, or refuse, in the order of A31. Pure and synchronous.

import { HAS_ENCODED_DASH, type ReceivedName, readName, tailAfter } from "../ark/received-name.ts";
import type { Shoulder } from "../ark/record.ts";
import { type ArkRequest, type Inflection, inflectionOf, languageOf, readRequestTarget } from "../ark/request-path.ts";
import {
  arkOf,
  baseKey,
  formatArk,
  hasCheckCharacter,
  NAME_MAX_BYTES,
  parseNaan,
  TAIL_MAX_BYTES,
  whyNoArk,
} from "../ark/syntax.ts";
import {
  encodePath,
  encodeTarget,
  fillRedirect,
  joinQuery,
  joinTail,
  leadsToOurselves,
  mayLeadToArk,
  type OwnAddress,
  type Redirect,
  readRedirect,
} from "../ark/target.ts";
import { namesWebHost } from "../shared/http/web-url.ts";
import { withoutEnd } from "../shared/text/text.ts";
import type { Instant } from "../shared/time/instant.ts";
import { activeHold, type Hold } from "./hold.ts";
import { registryShoulderOf, SHARED_NAANS } from "./registry.ts";
import type { NameClass, ResolutionTable } from "./table.ts";

export type ResolutionSettings = OwnAddress & {
  /** Null: names of unknown NAANs are refused with 1404. */
  readonly globalResolver: string | null;
  readonly resolveUnpublished: boolean;
};

/** What is described, and under which name. */
type Subject =
  | {
      readonly kind: "name";
      /** The name whose record is read. */
      readonly key: string;
      readonly nameClass: NameClass;
      /** What follows that name in the request, as received; empty when the record is the requested name's own. */
      readonly suffix: string;
    }
  | { readonly kind: "naan"; readonly naan: string };

export type Refusal = {
  readonly kind: "refusal";
  readonly code: 1001 | 1004 | 1402 | 1403 | 1404;
  /** Canonical `naan/name` of the request; null where there is none to speak of (400). */
  readonly requested: string | null;
  readonly detail: { readonly [name: string]: unknown };
  /** Keys to read once more before this is returned (A31d); empty: the refusal is final. */
  readonly lookAgain: readonly string[];
};

export type Decision =
  | { readonly kind: "redirect"; readonly status: number; readonly location: string }
  | {
      readonly kind: "describe";
      readonly subject: Subject;
      /** Canonical `naan/name`, or the NAAN alone. */
      readonly requested: string;
      /** Null where the description replaces a redirect; it is then negotiated like `?info`. */
      readonly inflection: Inflection | null;
      readonly language: string | null;
      readonly hold: Hold | null;
    }
  | Refusal
  /** The path asks for no name. */
  | { readonly kind: "other" };

type ResolveRequest = ArkRequest & {
  readonly naan: string;
  readonly name: ReceivedName;
  /** `naan/name` in normal form, fit for a header. */
  readonly requested: string;
  readonly inflection: Inflection | null;
};

/** Decides what a raw request target gets. `now` ends holds. */
export function resolveRequest(
  table: ResolutionTable,
  settings: ResolutionSettings,
  pathAndQuery: string,
  now: Instant,
): Decision {
  const reading = readRequestTarget(pathAndQuery, settings.rootPath);
  if (reading.kind === "other") return reading;
  if (reading.kind === "refused") {
    return reading.code === 1004
      ? refuse(1004, null, { length: reading.rest.length, limit: TAIL_MAX_BYTES })
      : noArk(reading.rest, reading.reason);
  }
  const { request } = reading;
  const naan = parseNaan(request.naanText);
  if (naan === null) return noArk(request.rest, whyNoArk(request.naanText, request.nameText ?? ""));
  const name = readName(request.nameText ?? "");
  const requested = canonicalName(naan, name);
  const asked: ResolveRequest = { ...request, naan, name, requested, inflection: inflectionOf(request.query) };
  if (name.name === "") return answerNaan(table, settings, asked, now);
  return (
    answerFromNames(table, settings, asked, name, now) ??
    answerWithoutDashes(table, settings, asked, now) ??
    (table.naan(naan)?.authoritative === true
      ? answerOwnMiss(table, settings, asked, now)
      : answerForeign(table, settings, asked, now))
  );
}

/** `naan/name` or the NAAN alone, in normal form and fit for a header. */
function canonicalName(naan: string, name: ReceivedName): string {
  return encodePath(name.name === "" ? naan : `${naan}/${name.name}`);
}

/** The name a request target speaks of, whatever is answered; null where there is none to speak of (400). */
export function requestedName(pathAndQuery: string, rootPath: string): string | null {
  const reading = readRequestTarget(pathAndQuery, rootPath);
  const naan = reading.kind === "ark" ? parseNaan(reading.request.naanText) : null;
  if (reading.kind !== "ark" || naan === null || reading.request.rest.length > TAIL_MAX_BYTES) return null;
  return canonicalName(naan, readName(reading.request.nameText ?? ""));
}

function shown(rest: string): string {
  const text = encodePath(rest);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function refuse(
  code: Refusal["code"],
  requested: string | null,
  detail: Refusal["detail"],
  lookAgain: readonly string[] = [],
): Refusal {
  return { kind: "refusal", code, requested, detail, lookAgain };
}

function noArk(rest: string, reason: string): Refusal {
  return refuse(1001, null, { ark: shown(rest), reason });
}

function describe(asked: ResolveRequest, subject: Subject, hold: Hold | null): Decision {
  return {
    kind: "describe",
    subject,
    requested: asked.requested,
    inflection: asked.inflection,
    language: languageOf(asked.query),
    hold,
  };
}

/** A NAAN alone (A40). */
function answerNaan(
  table: ResolutionTable,
  settings: ResolutionSettings,
  asked: ResolveRequest,
  now: Instant,
): Decision {
  const known = table.naan(asked.naan);
  if (known === null && !table.registry.naans.has(asked.naan)) return forwardToGlobal(settings, asked);
  return describe(asked, { kind: "naan", naan: asked.naan }, activeHold(null, null, known, now));
}

// --- names in the table ---

/** Lengths of the names to search for: the whole, then the text before each `/` and `.`, nearest first. */
function candidateLengths(name: string): number[] {
  const lengths = name.length <= NAME_MAX_BYTES ? [name.length] : [];
  for (let index = Math.min(name.length - 1, NAME_MAX_BYTES); index > 0; index--) {
    const code = name.charCodeAt(index);
    if (code === 47 || code === 46) lengths.push(index);
  }
  return lengths;
}

/** The key to search with: no name is longer than the limit, so what lies beyond can only be a tail. */
function searchKey(naan: string, name: string): string {
  return `${naan}/${name.length > NAME_MAX_BYTES ? name.slice(0, NAME_MAX_BYTES + 1) : name}`;
}

function answerFromNames(
  table: ResolutionTable,
  settings: ResolutionSettings,
  asked: ResolveRequest,
  name: ReceivedName,
  now: Instant,
): Decision | null {
  const whole = searchKey(asked.naan, name.name);
  const found = table.nearest(whole, settings.resolveUnpublished);
  if (found === null) return null;
  const { entry } = found;
  const key = whole.slice(0, found.length);
  const isBlocked = entry.class === "blocked";
  const suffix = tailAfter(name, found.length - asked.naan.length - 1);
  const shoulder = table.shoulderOf(asked.naan, key.slice(asked.naan.length + 1));
  if (isBlocked) {
    const lookAgain = isCheckedName(asked.naan, name.name, shoulder) ? keysToLookAgain(asked.naan, name.name) : [];
    return refuse(1402, asked.requested, { ark: formatArk(asked.requested) }, lookAgain);
  }
  if (suffix.length > TAIL_MAX_BYTES) {
    return refuse(1004, null, { length: suffix.length, limit: TAIL_MAX_BYTES });
  }
  const hold = activeHold(entry, shoulder, table.naan(asked.naan), now);
  const isRedirect = hold === null && asked.inflection === null && namesWebHost(entry.url);
  if (!isRedirect) return describe(asked, { kind: "name", key, nameClass: entry.class, suffix }, hold);
  const location = joinQuery(targetOf(entry, suffix), asked.query);
  if (mayLeadToArk(location) && leadsToOurselves(location, settings)) {
    return refuse(1402, asked.requested, {
      ark: formatArk(asked.requested),
      hint: "The target of this name leads back to this resolver",
    });
  }
  return { kind: "redirect", status: 302, location };
}

/** Where a name that answers leads, with what follows it. A tail below a tombstone is dropped (A10). */
export function targetOf(entry: { readonly class: NameClass; readonly url: string }, suffix: string): string {
  return joinTail(encodeTarget(entry.url), entry.class === "tombstone" ? "" : suffix);
}

/** The name of a request: unchanged where the table knows it, else without the dashes that browsers encode (A1a). */
export function nameMeant(
  table: ResolutionTable,
  settings: Pick<ResolutionSettings, "resolveUnpublished">,
  naan: string,
  nameText: string,
): ReceivedName {
  const name = readName(nameText);
  if (!HAS_ENCODED_DASH.test(nameText)) return name;
  const known = table.nearest(searchKey(naan, name.name), settings.resolveUnpublished);
  return known === null ? readName(nameText, true) : name;
}

/** Browsers encode pasted dashes: a name that was not found is looked up once more without them (A1a). */
function answerWithoutDashes(
  table: ResolutionTable,
  settings: ResolutionSettings,
  asked: ResolveRequest,
  now: Instant,
): Decision | null {
  if (!HAS_ENCODED_DASH.test(asked.name.received)) return null;
  const name = readName(asked.name.received, true);
  if (name.name === "") return null;
  return answerFromNames(table, settings, { ...asked, requested: encodePath(`${asked.naan}/${name.name}`) }, name, now);
}

// --- one of our NAANs, without such a name ---

function isCheckedName(naan: string, name: string, shoulder: Shoulder | null): boolean {
  return shoulder?.checked === true && hasCheckCharacter(baseKey(`${naan}/${name}`));
}

const LOOK_AGAIN_MAX = 16;

function keysToLookAgain(naan: string, name: string): string[] {
  const lengths = candidateLengths(name);
  const nearest =
    lengths.length > LOOK_AGAIN_MAX ? [...lengths.slice(0, LOOK_AGAIN_MAX - 1), lengths.at(-1) ?? 0] : lengths;
  return nearest.map((length) => `${naan}/${name.slice(0, length)}`);
}

function answerOwnMiss(
  table: ResolutionTable,
  settings: ResolutionSettings,
  asked: ResolveRequest,
  now: Instant,
): Decision {
  const { naan } = asked;
  const plain = HAS_ENCODED_DASH.test(asked.name.received) ? readName(asked.name.received, true) : asked.name;
  const name = plain.name;
  const shoulder = table.shoulderOf(naan, name);
  const registered = SHARED_NAANS.has(naan) ? registryShoulderOf(table.registry, naan, name) : null;
  if (registered !== null && registered.shoulder.length > (shoulder?.shoulder.length ?? -1)) {
    const hold = activeHold(null, null, table.naan(naan), now);
    if (hold !== null) return describe(asked, { kind: "naan", naan }, hold);
    return forward(settings, asked, registered.redirect, registered.shoulder.length);
  }
  const base = baseKey(`${naan}/${name}`).slice(naan.length + 1);
  if (!isWithinGrammar(naan, base)) return noArk(asked.rest, whyNoArk(naan, base));
  const isName = shoulder !== null && base.length > shoulder.shoulder.length;
  if (shoulder?.checked === true && isName && !hasCheckCharacter(`${naan}/${base}`)) {
    return refuse(1403, asked.requested, { ark: formatArk(asked.requested) });
  }
  if (shoulder !== null && shoulder.redirect !== "") {
    const hold = activeHold(null, shoulder, table.naan(naan), now);
    if (hold !== null) return describe(asked, { kind: "naan", naan }, hold);
    const reading = readRedirect(shoulder.redirect);
    if ("redirect" in reading) return forward(settings, asked, reading.redirect, shoulder.shoulder.length);
  }
  if (name.length > NAME_MAX_BYTES) return refuse(1004, null, { length: name.length, limit: NAME_MAX_BYTES });
  if (!isWithinGrammar(naan, name)) return noArk(asked.rest, whyNoArk(naan, name));
  const lookAgain = isName && shoulder.checked ? keysToLookAgain(naan, name) : [];
  return refuse(1402, asked.requested, { ark: formatArk(asked.requested) }, lookAgain);
}

function isWithinGrammar(naan: string, name: string): boolean {
  return name.length > NAME_MAX_BYTES || arkOf(naan, name) !== null;
}

// --- names that others answer for ---

function answerForeign(
  table: ResolutionTable,
  settings: ResolutionSettings,
  asked: ResolveRequest,
  now: Instant,
): Decision {
  const known = table.naan(asked.naan);
  const hold = activeHold(null, null, known, now);
  if (hold !== null) return describe(asked, { kind: "naan", naan: asked.naan }, hold);
  if (known !== null && known.redirect !== "") {
    const reading = readRedirect(known.redirect);
    if ("redirect" in reading) return forward(settings, asked, reading.redirect, 0);
  }
  const shoulder = registryShoulderOf(table.registry, asked.naan, asked.name.name);
  if (shoulder !== null) return forward(settings, asked, shoulder.redirect, shoulder.shoulder.length);
  const registered = table.registry.naans.get(asked.naan);
  if (registered !== undefined) return forward(settings, asked, registered.redirect, 0);
  return forwardToGlobal(settings, asked);
}

function forwardToGlobal(settings: ResolutionSettings, asked: ResolveRequest): Decision {
  if (settings.globalResolver === null) {
    return refuse(1404, asked.requested, {
      ark: formatArk(asked.requested),
      naan: asked.naan,
      authoritative: false,
    });
  }
  const template = `${withoutEnd(settings.globalResolver, "/")}/ark:\${content}`;
  return forward(settings, asked, { status: 302, template }, 0);
}

/** Sends a name on as received, with its inflection or query, unless that would lead back to us (A31b, A31c). */
function forward(
  settings: ResolutionSettings,
  asked: ResolveRequest,
  redirect: Redirect,
  shoulderLength: number,
): Decision {
  if (asked.rest.length > TAIL_MAX_BYTES) {
    return refuse(1004, null, { length: asked.rest.length, limit: TAIL_MAX_BYTES });
  }
  const filled = fillRedirect(redirect, { content: asked.rest, name: asked.name, shoulderLength });
  const location = joinQuery(encodeTarget(filled), asked.query);
  if (leadsToOurselves(location, settings)) {
    return refuse(1402, asked.requested, {
      ark: formatArk(asked.requested),
      hint: `NAAN ${asked.naan} is missing from the list of this resolver`,
    });
  }
  return { kind: "redirect", status: redirect.status, location };
}
