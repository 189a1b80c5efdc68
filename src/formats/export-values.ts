// Values that several export formats write alike (R38): addresses, words, dates, numbers of the map, names.
import type { Agent, AgentName, Ident, Text } from "../model/metadata/metadata.ts";
import { htmlToText } from "../shared/html/html-text.ts";
import { canParseUrl, namesWebHost } from "../shared/http/web-url.ts";
import { xmlText } from "../shared/xml/print.ts";
import { identAddress } from "./citation/cited-item.ts";
import { uriText } from "./jpcoar/elements.ts";
import { isCalendarDate, isLanguage } from "./jpcoar/text-rules.ts";
import { fullName } from "./jpcoar/write-parts.ts";

/** A text without white space around it and without characters that XML cannot hold; "" for an absent one. */
export const trimmedText = (text: string | undefined): string => (text === undefined ? "" : xmlText(text).trim());

/** Words and their language, where both are there. */
export function trimmedWording({ value, lang }: Text): { readonly value: string; readonly lang: string | undefined } {
  return { value: trimmedText(value), lang: lang === undefined || lang === "" || !isLanguage(lang) ? undefined : lang };
}

/** A description without markup: markup becomes text here, once. */
export const plainDescription = ({ value, html }: { readonly value: string; readonly html: boolean }): string =>
  trimmedText(html ? htmlToText(value) : value);

/** Each once, in the order of their first place; equal is what looks equal as JSON. */
export function unique<T>(values: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = JSON.stringify(value);
    return seen.size !== seen.add(key).size;
  });
}

/** An absolute address of RFC 3986, characters beyond ASCII encoded; null for other texts. */
export function absoluteUri(text: string | undefined): string | null {
  if (text === undefined || !/^\s*[A-Za-z][A-Za-z0-9+.-]*:\S/.test(text)) return null;
  const uri = uriText(text)?.replace(/[^\x21-\x7E]+/g, encodeURIComponent) ?? null;
  if (uri === null) return null;
  if (/^https?:/i.test(uri)) return namesWebHost(uri) && canParseUrl(uri) ? uri : null;
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^/?#]/.test(uri) ? uri : null;
}

/** The address of an identifier: a web address, or another absolute one such as `urn:`; null for those without. */
export const uriOfIdent = (ident: Ident): string | null =>
  absoluteUri(identAddress(ident) ?? undefined) ?? absoluteUri(ident.uri) ?? absoluteUri(ident.value);

export type Precision = "year" | "month" | "day" | "moment";

const MOMENT = /^(\d{4}(?:-\d{2}(?:-\d{2})?)?)(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The precision of a date of W3CDTF or EDTF level 0; null for anything but a date of the calendar. */
export function precisionOf(date: string): Precision | null {
  const [, day, time] = MOMENT.exec(date) ?? [];
  if (day === undefined || !isCalendarDate(day)) return null;
  if (time === undefined) return day.length === 4 ? "year" : day.length === 7 ? "month" : "day";
  const [hours = 99, minutes = 99, seconds = 0] = (time.match(/\d+/g) ?? []).map(Number);
  const offset = /[+-](\d{2}):(\d{2})$/.exec(time);
  const isOffset = offset === null || (Number(offset[1]) <= 13 && Number(offset[2]) <= 59);
  const hasSeconds = /^T\d{2}:\d{2}:/.test(time);
  const isTime = hours <= 23 && minutes <= 59 && (!hasSeconds || seconds <= 59) && isOffset;
  return day.length === 10 && isTime ? "moment" : null;
}

export type Period = { readonly start: string; readonly end: string; readonly isInterval: boolean };

/** A date, or an interval of two; a bound that is open is "". Null for other texts. */
export function periodOf(text: string): Period | null {
  const [start = "", end, ...more] = trimmedText(text).split("/");
  if (more.length > 0) return null;
  const bounds = end === undefined ? [start] : [start, end];
  if (bounds.some((bound) => bound !== "" && precisionOf(bound) === null) || bounds.join("") === "") return null;
  return { start, end: end ?? start, isInterval: end !== undefined };
}

/** The year of the earlier bound that is stated, four digits; null where no year is stated. */
export function yearOf(date: string | null | undefined): string | null {
  for (const bound of (date ?? "").split("/")) {
    const year = /^\s*(\d{4})(?!\d)/.exec(bound)?.[1];
    if (year !== undefined && year !== "0000") return year;
  }
  return null;
}

/** The name of an agent in formats that hold one: the first that is not empty, else an alternative. */
export function firstName({ names, alternatives }: Agent): (AgentName & { readonly full: string }) | null {
  for (const name of names) {
    const full = trimmedText(fullName(name));
    if (full !== "") return { ...name, full };
  }
  for (const { value, lang } of alternatives) {
    if (trimmedText(value) !== "") return { full: trimmedText(value), ...(lang === undefined ? {} : { lang }) };
  }
  return null;
}

/** The first text that is not empty. */
export function firstText(texts: readonly Text[]): ReturnType<typeof trimmedWording> | null {
  for (const text of texts) if (trimmedText(text.value) !== "") return trimmedWording(text);
  return null;
}

const DOI = /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*|info:doi\/)?(10\.\d{4,9}(?:\.\d+)*\/\S+)$/i;

/** The DOI an identifier is, without its resolver; null for other identifiers. */
export function doiOfIdent({ scheme, value, uri }: Ident): string | null {
  const stated = DOI.exec(trimmedText(value))?.[1];
  if (stated !== undefined && (/^doi$/i.test(scheme.trim()) || !trimmedText(value).startsWith("10."))) return stated;
  return value.trim() === "" && uri !== undefined && /doi\.org/i.test(uri)
    ? (DOI.exec(trimmedText(uri))?.[1] ?? null)
    : null;
}
