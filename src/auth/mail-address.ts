// Mail addresses in one normal form, so that an address is one account however it is written (R33): compatible forms of
// characters are one, letters are in lower case, names of domains are in ASCII. Pure.
import { normalForm } from "../shared/text/text.ts";

/** RFC 5321: of a path without its brackets, and of the part before the @. */
const ADDRESS_MAX = 254;
const LOCAL_MAX = 64;
const LOCAL = /^[^\s"(),:;<>@[\\\]]+$/u;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}]/u;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
/** Scripts with letters that look alike: an address with letters of two of them is a trick, or a mistake. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** The normal form; null for what is not an address, and for one that mixes scripts whose letters look alike. */
export function normalMail(written: string): string | null {
  if (written.length > 2 * ADDRESS_MAX || !written.isWellFormed()) return null;
  const text = normalForm(written, "NFKC").trim();
  const at = text.lastIndexOf("@");
  if (at < 1) return null;
  const local = normalForm(text.slice(0, at).toLowerCase(), "NFKC");
  const domain = normalDomain(text.slice(at + 1));
  if (domain === null || !LOCAL.test(local) || HIDDEN.test(local)) return null;
  if (/^\.|\.\.|\.$/.test(local) || ALIKE.filter((script) => script.test(local)).length > 1) return null;
  const isLong = new TextEncoder().encode(local).length > LOCAL_MAX;
  return isLong || local.length + 1 + domain.length > ADDRESS_MAX ? null : `${local}@${domain}`;
}

/** A domain in ASCII and lower case (`xn--…`); null for what is none. */
function normalDomain(written: string): string | null {
  const text = normalForm(written, "NFKC").toLowerCase();
  if (HIDDEN.test(text) || /[/?#@:\\%[\]]/.test(text) || !URL.canParse(`http://${text}/`)) return null;
  const { hostname } = new URL(`http://${text}/`);
  // A number in the last part would be an address of a machine.
  return DOMAIN.test(hostname) && !/\.\d+$/.test(hostname) ? hostname : null;
}

/** The form by which accounts are stored and found. Addresses of before that are none stay as they are. */
export const mailKey = (written: string): string => normalMail(written) ?? written.toLowerCase();

/** Who may register: the address is in a domain of the list; below it only where the list states that (`*.`). */
export function isInDomains(mail: string, domains: readonly string[]): boolean {
  const domain = mail.slice(mail.lastIndexOf("@") + 1);
  return domains.some((each) => (each.startsWith("*.") ? domain.endsWith(each.slice(1)) : domain === each));
}
