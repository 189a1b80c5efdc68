// Identifiers in any form in which they are pasted (R27e): one spelling for the form that metadata have and the one that
// somebody asks for. A text may be several: `0028-0836` is an ISSN, and the number of some report.
import { identifierText } from "../../../model/metadata/duplicate-keys.ts";
import type { Ident } from "../../../model/metadata/metadata.ts";
import { RecentValues } from "../../../shared/recent-values.ts";
import { normalForm } from "../../../shared/text/text.ts";

/** No identifier that people paste is longer. */
const CHARACTERS = 300;
const NUMBER_CHARACTERS = 60;

/** What a text ends with that is copied together with an identifier. */
const ENDS = /[\s.,;:)\]>"'”]{1,20}$/;
const STARTS = /^[\s(<["'“]{1,20}/;

/** What a resolver takes for itself is not a part of the identifier: where a link was followed from, a slash at its end. */
const RESOLVER = /^(?:https?:\/\/)?(?:dx\.|www\.)?(?:doi|orcid|ror|hdl\.handle)\.(?:org|net)\/|(?:^|\/)ark:\/?\d/i;
const FOR_RESOLVER = /\/?(?:[?#].*)?$/s;

const DOI =
  /^(?:doi\s{0,3}[:：]?\s{0,3}|(?:info|urn):doi[:/]|(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/)?(10\.\d{4,9}\/\S{1,250})$/i;
const HANDLE =
  /^(?:hdl\s{0,3}:?\s{0,3}|handle\s{0,3}:?\s{0,3}|info:hdl\/|(?:https?:\/\/)?hdl\.handle\.net\/)(\d[\d.]{0,30}\/\S{1,200})$/i;
const BARE_HANDLE = /^\d{2,6}(?:\.\d{1,12}){0,4}\/[\w.-]{1,60}$/;
const BARE_ARK = /^\d{5}\/[0-9a-z][\w./-]{0,120}$/i;
const ISBN = /^(?:isbn(?:-1[03])?\s{0,3}:?\s{0,3}|urn:isbn:)?((?:97[89][\s-]?)?\d[\d\s-]{7,14}[\dx])$/i;
const ISSN = /^(?:[ep]?-?issn(?:-l)?\s{0,3}:?\s{0,3}|urn:issn:)?(\d{4}[\s-]?\d{3}[\dx])$/i;
const ORCID =
  /^(?:orcid\s{0,3}:?\s{0,3}|(?:https?:\/\/)?(?:www\.)?orcid\.org\/)?(\d{4}[\s-]?\d{4}[\s-]?\d{4}[\s-]?\d{3}[\dx])$/i;
const ROR = /^(?:ror\s{0,3}:?\s{0,3}|(?:https?:\/\/)?(?:www\.)?ror\.org\/)?(0[a-hj-km-np-tv-z0-9]{6}\d{2})$/i;
const LABEL = /^(?:arxiv|pmid|pmcid|ncid|crid|naid|jp-?number|report no\.?|no\.?)\s{0,3}[:：]?\s{0,3}(?=\S)/i;

/** The spellings of a text that is an identifier and nothing else; none: it is not one. */
export function identifierNames(text: string): readonly string[] {
  if (text.length > CHARACTERS) return [];
  const pasted = normalForm(text, "NFKC")
    .replace(/[‐‑‒–]/g, "-")
    .replace(STARTS, "")
    .replace(ENDS, "");
  const plain = RESOLVER.test(pasted) ? pasted.replace(FOR_RESOLVER, "") : pasted;
  if (!/\d/.test(plain)) return /^https?:\/\/\S+$/i.test(plain) ? spelled("", plain) : [];
  const names: string[] = [];
  const first = (form: RegExp): string | undefined => form.exec(plain)?.[1];
  const doi = first(DOI);
  if (doi !== undefined) return [`doi:${doi.toLowerCase()}`];
  const orcid = first(ORCID);
  if (orcid !== undefined) names.push(`orcid:${digits(orcid)}`);
  const ror = first(ROR);
  if (ror !== undefined) names.push(`ror:${ror.toLowerCase()}`);
  if (names.length > 0) return names;
  const handle = first(HANDLE);
  if (handle !== undefined) return [`hdl:${handle.toLowerCase()}`];
  if (/^https?:\/\/\S+$/i.test(plain) || /^ark:/i.test(plain)) return spelled("", plain);
  if (BARE_HANDLE.test(plain)) names.push(`hdl:${plain.toLowerCase()}`);
  if (BARE_ARK.test(plain)) names.push(...spelled("ARK", `ark:/${plain}`));
  const isbn = isbnIn(digits(first(ISBN) ?? ""));
  if (isbn !== null) names.push(`isbn:${isbn}`);
  const issn = digits(first(ISSN) ?? "");
  if (isIssn(issn)) names.push(`issn:${issn}`);
  const number = numberName(plain);
  return number === null ? names : [...names, number];
}

/** Whether a text is an identifier of a known kind, not only like a number of some report. */
export const isKnownIdentifier = (text: string): boolean =>
  identifierNames(text).some((name) => !name.startsWith(NUMBER_NAME));

function spelled(scheme: string, value: string): readonly string[] {
  const text = identifierText({ scheme, value });
  return text === null ? [] : [text];
}

const digits = (text: string): string => text.replace(/[\s-]/g, "").toLowerCase();

/** With 13 digits, where the last one is right (ISO 2108). */
function isbnIn(written: string): string | null {
  if (/^\d{13}$/.test(written)) return isbnCheck(written.slice(0, 12)) === written.at(-1) ? written : null;
  if (!/^\d{9}[\dx]$/.test(written)) return null;
  const sum = [...written].reduce((all, digit, at) => all + (10 - at) * (digit === "x" ? 10 : Number(digit)), 0);
  const body = `978${written.slice(0, 9)}`;
  return sum % 11 === 0 ? body + isbnCheck(body) : null;
}

function isbnCheck(body: string): string {
  const sum = [...body].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

/** ISO 3297: the last digit is right. */
function isIssn(written: string): boolean {
  if (!/^\d{7}[\dx]$/.test(written)) return false;
  const sum = [...written].reduce((all, digit, at) => all + (8 - at) * (digit === "x" ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

/** Numbers of reports, awards and catalogues, without the signs between their parts; null: it is not like one. */
function numberName(text: string): string | null {
  if (text.length > NUMBER_CHARACTERS) return null;
  const number = text
    .replace(LABEL, "")
    .toLowerCase()
    .replace(/[\s\-_/.:#]/g, "");
  const digitCount = number.replace(/\D/g, "").length;
  return NUMBER.test(number) && 3 * digitCount >= number.length ? NUMBER_NAME + number : null;
}
const NUMBER_NAME = "no:";
/** Letters and digits, a third of them digits, and several: not a year, not words. */
const NUMBER = /^(?=.*\d{2})(?!\d{1,4}$)[a-z0-9]{4,40}$/;

/** People and institutions have the same identifiers in many items. */
const kept = new RecentValues<readonly string[]>(5_000);

/** Every spelling of an identifier of an item. */
export function identNames(ident: Ident): readonly string[] {
  const { scheme, value, uri = "" } = ident;
  const name = `${scheme.length} ${value.length} ${scheme}${value}${uri}`;
  if (name.length > CHARACTERS) return namesOf(ident);
  return kept.get(name) ?? kept.set(name, namesOf(ident));
}

function namesOf(ident: Ident): readonly string[] {
  const text = identifierText(ident);
  const written = [ident.value, ...(ident.uri === undefined ? [] : [ident.uri])].flatMap(identifierNames);
  const number = numberName(normalForm(ident.value.slice(0, CHARACTERS), "NFKC").trim());
  return [...new Set([...(text === null ? [] : [text]), ...written, ...(number === null ? [] : [number])])];
}
