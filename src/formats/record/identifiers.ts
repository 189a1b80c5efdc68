// Identifiers of the tools' model. Their schemes: which one an identifier is of, whether it may be, and its one form
// (R37). Names in the canonical metadata are those of the vocabulary identifierschemes; schemes it has no name for keep
// theirs.
import { Type } from "@sinclair/typebox";
import { bareIdentifier } from "../../model/agents/author.ts";
import { RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import { IDENTIFIER_FORMS } from "../../model/metadata/identifier-forms.ts";
import type { Ident } from "../../model/metadata/metadata.ts";
import { type Field, optional } from "../../shared/fields.ts";
import { namesWebHost } from "../../shared/http/web-url.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray } from "../../shared/json/read.ts";
import { own } from "../../shared/objects.ts";
import { wordOf } from "../../shared/shapes.ts";
import { essence, type ListFormat, readList } from "./keep.ts";
import { line, listed, opened, type RecordInput, type SentMembers, shape } from "./record-input.ts";

type Scheme = {
  readonly label: string;
  /** The identifier in its normal form; null where it does not match this scheme. */
  readonly read: (text: string) => string | null;
  /** Its name in the canonical metadata where that is another. */
  readonly canonical?: string;
};

/** Matches an identifier with one expression and takes its captured part. */
const by =
  (form: RegExp, write: (found: string) => string = (found) => found) =>
  (text: string): string | null => {
    const found = form.exec(text)?.[1];
    return found === undefined ? null : write(found);
  };
const any = (text: string): string => text;

function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (const [at, digit] of [...digits].entries()) {
    const value = digit === "X" ? 10 : Number.parseInt(digit, 16);
    sum += value * (weights[at % weights.length] ?? 0);
  }
  return sum;
}

const compact = (text: string): string => text.replace(/[\s-]/g, "").toUpperCase();

function isEan13(digits: string): boolean {
  return /^\d{13}$/.test(digits) && weightedSum(digits, [1, 3]) % 10 === 0;
}

/** With 13 digits, hyphens as written; ten digits are the form until 2006. */
function isbn(text: string): string | null {
  const bare = text.replace(/^(?:urn:)?isbn:?\s?/i, "");
  const digits = compact(bare);
  if (/^97[89]\d{10}$/.test(digits)) return isEan13(digits) ? bare.trim() : null;
  if (!/^\d{9}[\dX]$/.test(digits) || weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 !== 0) return null;
  const body = `978${digits.slice(0, 9)}`;
  return `${body}${(10 - (weightedSum(body, [1, 3]) % 10)) % 10}`;
}

function issn(text: string): string | null {
  const digits = compact(text);
  if (!/^\d{7}[\dX]$/.test(digits) || weightedSum(digits, [8, 7, 6, 5, 4, 3, 2, 1]) % 11 !== 0) return null;
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}

function istc(text: string): string | null {
  const digits = compact(text);
  const ok = /^[\dA-F]{16}$/.test(digits);
  return ok && weightedSum(digits.slice(0, 15), [11, 9, 3, 1]) % 16 === Number.parseInt(digits.slice(15), 16)
    ? text
    : null;
}

/** ISNI and ORCID share sixteen digits and the check character. */
function sixteen(text: string): string | null {
  const digits = compact(bareIdentifier(text));
  return digits.length === 16 && IDENTIFIER_FORMS.isni.holds(digits) ? digits : null;
}

/** As written, but for an address before it. */
const isni = (text: string): string | null => (sixteen(text) === null ? null : bareIdentifier(text));

function orcid(text: string): string | null {
  const found = sixteen(text)?.replace(/(.{4})(?=.)/g, "$1-");
  if (found === undefined) return null;
  const { address } = IDENTIFIER_FORMS.orcid;
  if (text.includes(":") && !address.test(text)) return null;
  return IDENTIFIER_FORMS.orcid.holds(found) ? found : null;
}

function ror(text: string): string | null {
  const found = by(/^(?:(?:https?:\/\/)?ror\.org\/)?(0[a-z0-9]{8})\/?$/i, (id) => id.toLowerCase())(text);
  return found !== null && IDENTIFIER_FORMS.ror.holds(found) ? found : null;
}

function arxiv(text: string): string | null {
  const recent =
    /^(?:arxiv:|https?:\/\/arxiv\.org\/abs\/)?(?:[a-z-]{1,20}(?:\.[a-z]{2})?\/)?(\d{4}\.\d{4,5}(?:v\d{1,4})?)$/i.exec(
      text,
    );
  if (recent?.[1] !== undefined) return `arXiv:${recent[1]}`;
  const older = /^(?:arxiv:|https?:\/\/arxiv\.org\/abs\/)?([a-z-]{1,20})(?:\.[a-z]{2})?(\/\d{7}(?:v\d{1,4})?)$/i.exec(
    text,
  );
  return older === null ? null : `arXiv:${older[1]}${older[2]}`;
}

function gnd(text: string): string | null {
  const form =
    /^(?:gnd:|(?:https?:\/\/)?d-nb\.info\/gnd\/)?(1[012]?\d{7}[\dX]|[47]\d{6}-\d|[1-9]\d{0,7}-[\dX]|3\d{7}[\dX])$/i;
  return by(form, (id) => `gnd:${id}`)(text);
}

const DOI = /^(?:doi:\s{0,3}|(?:https?:\/\/)?(?:dx\.)?doi\.org\/)?(10\.\d+(?:\.\d+)*\/\S.*)$/i;
const HANDLE = /^(?:hdl:\s{0,3}|(?:https?:\/\/)?hdl\.handle\.net\/)?([^/.\s]+(?:\.[^/.\s]+)*\/.+)$/i;
const ARK = /^(?:https?:\/\/[^/\s]+\/)?(ark:\/?[0-9bcdfghjkmnpqrstvwxz]+\/.+)$/i;
const PURL = /^(https?:\/\/(?:purl\.(?:org|oclc\.org|net|com|fdlp\.gov))\/.+)$/i;

/** In the order they are tried: identifiers with a form first, any number or any address last. */
const WORKS: Readonly<Record<string, Scheme>> = {
  doi: { label: "DOI", canonical: "DOI", read: by(DOI) },
  ark: { label: "ARK", canonical: "ARK", read: by(ARK) },
  purl: { label: "PURL", canonical: "PURL", read: by(PURL) },
  lsid: { label: "LSID", read: by(/^(urn:lsid:[^:]+(?::[^:]+){2,3})$/i) },
  urn: { label: "URN", read: by(/^(?:https:\/\/nbn-resolving\.org\/)?(urn:.+)$/i, (urn) => `urn:${urn.slice(4)}`) },
  ads: { label: "Bibcode", read: by(/^(?:ads:)?(\d{4}[A-Za-z]\S{13}[A-Za-z.:])$/i) },
  arxiv: { label: "arXiv", canonical: "arXiv", read: arxiv },
  isbn: { label: "ISBN", canonical: "ISBN", read: isbn },
  issn: { label: "ISSN", canonical: "ISSN", read: issn },
  isni: { label: "ISNI", canonical: "ISNI", read: isni },
  ean13: { label: "EAN13", read: (text) => (isEan13(text) ? text : null) },
  istc: { label: "ISTC", read: istc },
  pmid: {
    label: "PMID",
    canonical: "PMID",
    read: by(/^(?:pmid:\s{0,3}|https?:\/\/pubmed\.ncbi\.nlm\.nih\.gov\/)?(\d+)\/?$/i),
  },
  wikidata: {
    label: "Wikidata",
    read: by(/^(?:wikidata:|https?:\/\/(?:www\.)?wikidata\.org\/(?:wiki|entity)\/)?(Q\d+)$/i, (id) => id.toUpperCase()),
  },
  cstr: { label: "CSTR", read: by(/^(?:cstr:|https?:\/\/(?:www\.)?cstr\.cn\/)(\d{5}\.\d{2}\..+)$/i) },
  rrid: { label: "RRID", read: by(/^(RRID:[a-zA-Z].+)$/) },
  handle: { label: "Handle", canonical: "HDL", read: by(HANDLE) },
  url: {
    label: "URL",
    canonical: "URI",
    read: (text) => (/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+/i.test(text) ? text : null),
  },
  crossreffunderid: { label: "Crossref Funder ID", canonical: "Crossref Funder", read: any },
  eissn: { label: "EISSN", canonical: "EISSN", read: issn },
  grid: { label: "GRID", canonical: "GRID", read: any },
  igsn: { label: "IGSN", read: any },
  lissn: { label: "LISSN", read: issn },
  upc: { label: "UPC", read: any },
  w3id: { label: "W3ID", read: any },
  other: { label: "Other", canonical: "Other", read: any },
};
const PEOPLE: Readonly<Record<string, Scheme>> = {
  orcid: { label: "ORCID", canonical: "ORCID", read: orcid },
  isni: { label: "ISNI", canonical: "ISNI", read: isni },
  gnd: { label: "GND", read: gnd },
  ror: { label: "ROR", canonical: "ROR", read: ror },
};
const PLACES: Readonly<Record<string, Scheme>> = {
  wikidata: { label: "Wikidata", read: WORKS.wikidata?.read ?? any },
  geonames: { label: "GeoNames", read: any },
};
const AWARDS: Readonly<Record<string, Scheme>> = {
  url: { label: "URL", canonical: "URI", read: WORKS.url?.read ?? any },
  doi: { label: "DOI", canonical: "DOI", read: by(DOI) },
};
export const SCHEMES = { works: WORKS, people: PEOPLE, places: PLACES, awards: AWARDS } as const;
type SchemeSet = keyof typeof SCHEMES;

/** Schemes that accept any text: they are never detected. */
const isKnownByForm = (scheme: Scheme): boolean => scheme.read !== any;
/** An address stays an address, whatever it contains; a handle is recognised by its host. */
const NOT_ADDRESSES: ReadonlySet<string> = new Set(["arxiv", "urn", "wikidata", "cstr"]);

/** The scheme of an identifier, recognised by its form; null where none matches. */
export function detectScheme(set: SchemeSet, text: string): string | null {
  const of = SCHEMES[set];
  const isAddress = namesWebHost(text);
  const isAtHandles = /^https?:\/\/hdl\.handle\.net\//i.test(text);
  const isFound = ([id, scheme]: [string, Scheme]): boolean => {
    if (!isKnownByForm(scheme)) return false;
    if (isAddress && (NOT_ADDRESSES.has(id) || (id === "handle" && !isAtHandles))) return false;
    return scheme.read(text) !== null;
  };
  return Object.entries(of).find(isFound)?.[0] ?? null;
}

/** The identifier under a scheme of the set, normalized; "scheme" or "identifier" names the one that is invalid. */
export function readIdentifier(set: SchemeSet, scheme: string, text: string): Ident | "scheme" | "identifier" {
  const known = own(SCHEMES[set], scheme);
  if (known === undefined) return "scheme";
  const value = known.read(text);
  return value === null ? "identifier" : { scheme: known.canonical ?? scheme, value };
}

const schemeLabel = (set: SchemeSet, scheme: string): string => own(SCHEMES[set], scheme)?.label ?? scheme;

const byCanonical = new Map<string, string>(
  [WORKS, PEOPLE, PLACES].flatMap((set) =>
    Object.entries(set).map(([id, { canonical = id }]): [string, string] => [canonical.toLowerCase(), id]),
  ),
);
byCanonical.set("pissn", "issn");
byCanonical.set("url", "url");
byCanonical.set("handle", "handle");

/** An identifier as the tools' model shows it; null for a scheme outside the set. */
export function shownIdentifier(
  set: SchemeSet,
  ident: Ident,
): { readonly identifier: string; readonly scheme: string } | null {
  const id = byCanonical.get(ident.scheme.toLowerCase());
  const known = id === undefined ? undefined : own(SCHEMES[set], id);
  const written = ident.value === "" ? (ident.uri ?? "") : ident.value;
  if (written === "") return null;
  if (id === undefined || known === undefined) {
    return own(SCHEMES[set], "other") === undefined ? null : { identifier: written, scheme: "other" };
  }
  return { identifier: known.read(written) ?? written, scheme: id };
}

// Identifiers read and shown: of the record, of people, of places, of awards.

const schemeOf = (set: SchemeSet): Field<string> => ({
  ...line(),
  schema: Type.Unsafe<string>({
    ...wordOf(Object.keys(SCHEMES[set])),
    $id: `SchemeOf${set.charAt(0).toUpperCase()}${set.slice(1)}`,
    description: "Absent: the scheme whose form the identifier has",
  }),
});

/**
 * Members of an object that has an identifier of one of these schemes. `identOf` notes where one that is needed is
 * missing.
 */
export const identMembers = (set: SchemeSet, isNeeded = true) => ({
  identifier: isNeeded ? { ...line(), optional: true as const } : optional(line()),
  scheme: optional(schemeOf(set)),
});
type IdentMembers = ReturnType<typeof identMembers>;

const IDENTIFIERS = {
  works: shape(identMembers("works"), { $id: "IdentifierInput" }),
  people: shape(identMembers("people"), { $id: "PersonIdentifierInput" }),
  places: shape(identMembers("places"), { $id: "PlaceIdentifierInput" }),
  awards: shape(identMembers("awards"), { $id: "AwardIdentifierInput" }),
} as const;

/** Lists of identifiers. */
export const IDENTIFIER_LISTS = {
  works: optional(listed(IDENTIFIERS.works)),
  people: optional(listed(IDENTIFIERS.people)),
  places: optional(listed(IDENTIFIERS.places)),
  awards: optional(listed(IDENTIFIERS.awards)),
} as const;

/**
 * The identifier of an object that has one among other members; null where it is absent or invalid.
 */
export function identOf(
  set: SchemeSet,
  { read, at }: Pick<SentMembers<IdentMembers>, "read" | "at">,
  to: RecordInput,
  isNeeded = true,
): Ident | null {
  const text = read("identifier") ?? "";
  const named = read("scheme") ?? "";
  if (text === "" && named === "" && !isNeeded) return null;
  const scheme = named === "" && text !== "" ? (detectScheme(set, text) ?? "") : named;
  if (scheme === "")
    to.fault(at("scheme"), text === "" ? RECORD_SENTENCES.missing : "No valid scheme recognized for identifier.");
  if (text === "") {
    to.fault(at("identifier"), RECORD_SENTENCES.missing);
    return null;
  }
  if (scheme === "") return null;
  const ident = readIdentifier(set, scheme, text);
  if (typeof ident !== "string") return ident;
  if (ident === "scheme") to.fault(at("scheme"), "Invalid scheme.");
  else to.fault(at("identifier"), `Invalid ${schemeLabel(set, scheme)} identifier.`);
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
  list: IDENTIFIER_LISTS[set],
  show: (ident, index) => (index >= 0 && !places.has(index) ? null : shownIdentifier(set, ident)),
  read(sent, path, to) {
    const members = opened(IDENTIFIERS[set], sent, path, to);
    return members === null ? null : identOf(set, members, to);
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
  to: RecordInput,
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
