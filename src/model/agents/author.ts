// An author of the author database (specification 2, "Author resource"; R6a, R20, R21): one record for one person, in
// the interface's own words, and the normal form of its names and identifiers, by which it is found and linked.

import type { AuthorId } from "../../shared/ids.ts";
import { boundedCompatible, normalForm } from "../../shared/text/text.ts";
import type { Instant } from "../../shared/time/instant.ts";

type AuthorIdentifier = {
  readonly idType: string;
  readonly authorId: string;
  readonly authorIdShowFlg: boolean;
};

export type AuthorName = {
  readonly language?: string;
  readonly firstName?: string;
  readonly familyName?: string;
  readonly nameFormat?: string;
  readonly nameShowFlg: boolean;
};

export type Affiliation = {
  readonly identifierInfo: readonly {
    readonly affiliationIdType: string;
    readonly affiliationId: string;
    readonly identifierShowFlg: boolean;
  }[];
  readonly affiliationNameInfo: readonly {
    readonly affiliationName: string;
    readonly affiliationNameLang: string;
    readonly affiliationNameShowFlg: boolean;
  }[];
  readonly affiliationPeriodInfo: readonly { readonly periodStart?: string; readonly periodEnd?: string }[];
};

/** The description of a person, in the order the interface shows it. */
export type AuthorContent = {
  readonly emailInfo: readonly { readonly email: string }[];
  readonly authorIdInfo: readonly AuthorIdentifier[];
  readonly authorNameInfo: readonly AuthorName[];
  readonly affiliationInfo: readonly Affiliation[];
};

export type Author = {
  readonly id: AuthorId;
  readonly uuid: string;
  readonly content: AuthorContent;
  /** Slugs of the communities that manage the author, in their order. */
  readonly communities: readonly string[];
  /** The author that this one was merged into; requests for this one are answered with that one. */
  readonly mergedInto: AuthorId | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deletedAt: Instant | null;
};

/** The scheme of the repository's own numbering of authors. */
export const LOCAL = "LOCAL";
/** A client may bring at most 15 digits, so that the number after it is still exact. */
const LOCAL_NUMBER = /^[1-9]\d{0,14}$/;

/** The number of an identifier of the scheme LOCAL; null for other texts. */
export function localNumber(text: string): number | null {
  return LOCAL_NUMBER.test(text) ? Number(text) : null;
}

/** The author's numbers in the repository's own scheme. */
export function localNumbers({ authorIdInfo }: AuthorContent): readonly number[] {
  return authorIdInfo.flatMap(({ idType, authorId }) => (idType === LOCAL ? (localNumber(authorId) ?? []) : []));
}

export const isAlive = ({ deletedAt, mergedInto }: Author): boolean => deletedAt === null && mergedInto === null;

/** The characters of a name that keys compare; keys have to fit into an index. */
const KEY_MAX = 250;
/** At most this many characters of an identifier. */
const IDENTIFIER_MAX = 500;
const IDENTIFIER_READ = 1_000;
const ACCENTS = /[\u0300-\u036f]/g;
const HIRAGANA = /[\u3041-\u3096\u309d\u309e]/g;
const HIRAGANA_TO_KATAKANA = 0x60;

/**
 * A name as it is compared (R20): whatever its width, case, accents, kana, spaces and punctuation. Hiragana and
 * katakana are one, as people write one for the other; ガ and カ are not.
 */
export function nameKey(name: string): string {
  let letters = "";
  // In pieces, until there are enough letters: one character may expand to many.
  for (let from = 0; from < name.length && letters.length < LETTERS_ENOUGH; ) {
    const to = pieceEnd(name, from);
    letters += lettersOf(name.slice(from, to));
    from = to;
  }
  // Composed last: characters without meaning may have separated letters from their marks.
  const plain = normalForm(letters, "NFKC")
    .replaceAll("ς", "σ")
    .replace(HIRAGANA, (kana) => String.fromCharCode(kana.charCodeAt(0) + HIRAGANA_TO_KATAKANA));
  return cut(plain, KEY_MAX);
}

/** Letters of the key before they are composed: a syllable has three at most. */
const LETTERS_ENOUGH = 3 * KEY_MAX;
const PIECE = 64;

/** Where a piece of a name ends: a letter is not parted from its marks. */
function pieceEnd(name: string, from: number): number {
  let end = from + PIECE;
  while (end < name.length && /[\p{M}\udc00-\udfff]/u.test(name.charAt(end))) end += 1;
  return end;
}

function lettersOf(piece: string): string {
  const folded = normalForm(normalForm(piece, "NFKD").replace(ACCENTS, "").toUpperCase().toLowerCase(), "NFKD");
  return folded.replace(ACCENTS, "").replace(/[\p{P}\p{S}\p{Z}\p{C}]/gu, "");
}

/** At most `most` characters, without cutting one in half. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text
    .slice(0, most)
    .toWellFormed()
    .replace(/\ufffd$/, "");
}

/**
 * The form in which identifiers are compared: without the address before them, in one case, without blanks and without
 * the hyphens of ORCID and ISNI.
 */
export function identifierKey(scheme: string, identifier: string): string {
  const [name, bare] = [schemeKey(scheme), bareIdentifier(identifier)];
  const plain = name === "orcid" || name === "isni" ? bare.replaceAll("-", "") : bare;
  return `${name}:${cut(inOneCase(plain), IDENTIFIER_MAX)}`;
}

/** Items write the name of a scheme in any case. */
export const schemeKey = (scheme: string): string => cut(inOneCase(scheme), KEY_MAX);

/** Items have them by the ten thousand, and nearly all are ASCII. */
function inOneCase(text: string): string {
  if (/^[!-~]*$/.test(text)) return text.toLowerCase();
  return boundedCompatible(text, IDENTIFIER_READ)
    .toLowerCase()
    .replace(/[\s\p{C}]/gu, "");
}

/** The part after the last slash of an address; other texts unchanged. */
export function bareIdentifier(identifier: string): string {
  const trimmed = identifier.trim();
  if (!/^https?:\/\//i.test(trimmed)) return trimmed;
  const path = trimmed.endsWith("/") ? trimmed.slice(0, -1) : trimmed;
  return path.slice(path.lastIndexOf("/") + 1);
}

export type AuthorKeyKind = "full" | "family" | "given" | "identifier" | "affiliation";
export type AuthorKey = { readonly kind: AuthorKeyKind; readonly key: string };

/** The keys an author is found by, in addition to number, UUID, own number and community. Each once. */
export function authorKeys(content: AuthorContent): readonly AuthorKey[] {
  const keys = new Map<string, AuthorKey>();
  const add = (kind: AuthorKeyKind, key: string): void => {
    if (key !== "") keys.set(`${kind} ${key}`, { kind, key });
  };
  for (const { familyName = "", firstName = "" } of content.authorNameInfo) {
    add("family", nameKey(familyName));
    add("given", nameKey(firstName));
    add("full", nameKey(`${familyName} ${firstName}`));
    add("full", nameKey(`${firstName} ${familyName}`));
  }
  for (const { idType, authorId } of content.authorIdInfo) {
    if (idType !== LOCAL) add("identifier", identifierKey(idType, authorId));
  }
  for (const { identifierInfo, affiliationNameInfo } of content.affiliationInfo) {
    for (const { affiliationName } of affiliationNameInfo) add("affiliation", nameKey(affiliationName));
    for (const each of identifierInfo) add("affiliation", identifierKey(each.affiliationIdType, each.affiliationId));
  }
  return [...keys.values()];
}
