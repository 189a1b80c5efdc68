// The forms that texts of a JPCOAR 2.0 record may have: dates, numbers, degrees, addresses, languages.

/** Whether a text is valid where the rule applies. */
export type TextRule = (text: string) => boolean;

const MOMENT = String.raw`\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?)?)?`;
const DATE = new RegExp(`^(?:${MOMENT}(?:/(?:${MOMENT})?)?|/${MOMENT})$`);
const GRANTED = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/** A date or interval of datacite:date: W3CDTF to the second, RKMS-ISO8601. Only the form is checked. */
export function isDate(text: string): boolean {
  return DATE.test(text);
}

/** A year, month or day of the calendar: dcndl:dateGranted. */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = GRANTED.exec(text) ?? [];
  if (year === undefined || year === "0000") return false;
  if (month === undefined) return true;
  const days = new Date(Date.UTC(2000, Number(month), 0)).getUTCDate();
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const last = month === "02" && !isLeap ? 28 : days;
  return Number(month) >= 1 && Number(month) <= 12 && (day === undefined || (Number(day) >= 1 && Number(day) <= last));
}

/** xs:positiveInteger, of a length that everybody reads. */
export function isPositiveInteger(text: string): boolean {
  return /^\+?\d{1,18}$/.test(text) && /[1-9]/.test(text);
}

const isDegrees = (limit: number): TextRule => {
  return (text) =>
    text.length <= 24 &&
    /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?$/.test(text) &&
    Math.abs(Number(text)) <= limit;
};
export const isLongitude = isDegrees(180);
export const isLatitude = isDegrees(90);

const PCHAR = String.raw`(?:[\w.~!$&'()*+,;=:@-]|[^\x00-\x7F]|%[0-9A-Fa-f]{2})`;
const HOST = String.raw`(?:\[[0-9A-Fa-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|[^\x00-\x7F]|%[0-9A-Fa-f]{2})*)`;
const AUTHORITY = String.raw`//(?:(?:[\w.~!$&'()*+,;=:-]|[^\x00-\x7F]|%[0-9A-Fa-f]{2})*@)?${HOST}(?::\d{0,5})?(?=[/?#]|$)`;
const TAIL = String.raw`(?:\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?`;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const AFTER_SCHEME = new RegExp(`^(?:${AUTHORITY}(?:/${PCHAR}*)*|/?(?:${PCHAR}+(?:/${PCHAR}*)*)?)${TAIL}$`);

/** xs:anyURI: a URI reference (RFC 3986) in which characters beyond ASCII may appear unencoded. */
export function isUri(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[0] ?? "";
  // A relative reference may not begin with a segment that holds a colon.
  return AFTER_SCHEME.test(text.slice(scheme.length)) && (scheme !== "" || !/^[^/?#]*:/.test(text));
}

/** xs:language: a well-formed BCP 47 tag; "" removes a language. */
export function isLanguage(text: string): boolean {
  return /^(?:[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)?$/.test(text);
}
