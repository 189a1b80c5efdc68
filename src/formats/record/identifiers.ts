// Identifiers of the tools' model, read and shown (R37): of the record, of people, of places, of awards.
import type { Ident } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, type JsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/own-entry.ts";
import { essence, type ListFormat, readList } from "./keep.ts";
import { FAULT_MESSAGES, objectAt, type Reading, textAt } from "./reading.ts";
import { detectScheme, readIdentifier, type SchemeSet, schemeLabel, shownIdentifier } from "./schemes.ts";

/**
 * The identifier of an object that has one among other members; null where it is absent or invalid.
 */
export function identOf(set: SchemeSet, sent: JsonObject, path: string, to: Reading, isNeeded = true): Ident | null {
  const text = textAt(own(sent, "identifier"), `${path}.identifier`, to) ?? "";
  const named = textAt(own(sent, "scheme"), `${path}.scheme`, to) ?? "";
  if (text === "" && named === "" && !isNeeded) return null;
  const scheme = named === "" && text !== "" ? (detectScheme(set, text) ?? "") : named;
  if (scheme === "")
    to.fault(`${path}.scheme`, text === "" ? FAULT_MESSAGES.missing : "No valid scheme recognized for identifier.");
  if (text === "") {
    to.fault(`${path}.identifier`, FAULT_MESSAGES.missing);
    return null;
  }
  if (scheme === "") return null;
  const ident = readIdentifier(set, scheme, text);
  if (typeof ident !== "string") return ident;
  if (ident === "scheme") to.fault(`${path}.scheme`, "Invalid scheme.");
  else to.fault(`${path}.identifier`, `Invalid ${schemeLabel(set, scheme)} identifier.`);
  return null;
}

/** The identifiers that are shown, by their places. People have one for each scheme: the first. */
function shownByPlace(set: SchemeSet, idents: readonly Ident[]) {
  const schemes = new Set<string>();
  const found = new Map<number, NonNullable<ReturnType<typeof shownIdentifier>>>();
  for (const [place, ident] of idents.entries()) {
    const shown = shownIdentifier(set, ident);
    if (shown === null || (set === "people" && schemes.has(shown.scheme))) continue;
    schemes.add(shown.scheme);
    found.set(place, shown);
  }
  return found;
}

/** Identifiers alone. */
const identFormat = (set: SchemeSet, places: ReadonlyMap<number, unknown>): ListFormat<Ident> => ({
  show: (ident, index) => (index >= 0 && !places.has(index) ? null : shownIdentifier(set, ident)),
  read(sent, path, to) {
    const members = objectAt(sent, path, ["identifier", "scheme"], to);
    return members === null ? null : identOf(set, members, path, to);
  },
});

export function showIdents(set: SchemeSet, idents: readonly Ident[]) {
  return [...shownByPlace(set, idents).values()];
}

/** The scheme must be unique (people), or the whole identifier (works). */
type UniqueRule = {
  readonly of: (shown: { readonly scheme: string; readonly identifier: string }) => string;
  readonly else: string;
};
const ONCE: Readonly<Record<SchemeSet, UniqueRule | null>> = {
  works: {
    of: ({ scheme, identifier }) => `${scheme} ${identifier}`,
    else: "Duplicated identifier entry is not allowed.",
  },
  people: { of: ({ scheme }) => scheme, else: "Only one identifier per scheme is allowed." },
  awards: { of: ({ scheme }) => scheme, else: "Only one identifier per scheme is allowed." },
  places: null,
};

export function readIdents(
  set: SchemeSet,
  sent: Json | undefined,
  before: readonly Ident[],
  path: string,
  to: Reading,
): readonly Ident[] {
  const places = shownByPlace(set, before);
  const read = readList(identFormat(set, places), sent, before, path, to);
  const once = ONCE[set];
  // A duplicate that another interface accepted is not a fault of this request.
  if (once === null || (isJsonArray(sent) && essence(sent) === essence(showIdents(set, before)))) return read;
  const seen = new Set<string>();
  const hidden = new Set(before.filter((_, place) => !places.has(place)));
  return read.filter((ident) => {
    const shown = hidden.has(ident) ? null : shownIdentifier(set, ident);
    if (shown === null) return true;
    const key = once.of(shown);
    if (!seen.has(key)) return seen.add(key);
    to.fault(path, once.else);
    return false;
  });
}
