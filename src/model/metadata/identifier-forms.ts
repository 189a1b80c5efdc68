// The forms identifiers of a scheme may have (R21, R22): with a check character, or of whatever kind.
import { bareIdentifier } from "../agents/author.ts";

type Form = {
  readonly holds: (bare: string) => boolean;
  readonly rule: string;
  /** What an identifier that is written as an address begins with. */
  readonly address?: RegExp;
};

/** ISO 7064 MOD 11-2, of 15 digits and the check character after them. */
function endsWithCheck(text: string): boolean {
  if (!/^\d{15}[\dX]$/.test(text)) return false;
  let total = 0;
  for (const digit of text.slice(0, 15)) total = (total + Number(digit)) * 2;
  const check = (12 - (total % 11)) % 11;
  return text.endsWith(check === 10 ? "X" : String(check));
}

/** The blocks of ISNI that are ORCID's, without the check character. */
const ORCID_BLOCKS = [
  [15_000_000, 35_000_000],
  [900_000_000_000, 900_100_000_000],
] as const;

function isOrcid(bare: string): boolean {
  const digits = bare.replaceAll("-", "").toUpperCase();
  if (!/^\d{4}-\d{4}-\d{4}-\d{3}[\dXx]$/.test(bare) || !endsWithCheck(digits)) return false;
  const number = Number(digits.slice(0, 15));
  return ORCID_BLOCKS.some(([from, to]) => number >= from && number <= to);
}

/** Crockford's Base 32, without i, l, o and u. */
const BASE_32 = "0123456789abcdefghjkmnpqrstvwxyz";
const ROR = /^0([0-9a-hjkmnp-tv-z]{6})(\d{2})$/;

/** ISO 7064 MOD 97-10 over the value of the six characters after the 0. */
function isRor(text: string): boolean {
  const [, body = "", check] = ROR.exec(text.toLowerCase()) ?? [];
  if (check === undefined) return false;
  let value = 0;
  for (const character of body) value = value * 32 + BASE_32.indexOf(character);
  return Number(check) === 98 - ((value * 100) % 97);
}

export const IDENTIFIER_FORMS = {
  any: { holds: () => true, rule: "" },
  orcid: {
    holds: isOrcid,
    rule: "must be four groups of four digits with hyphens, the last of them the check character, from the numbers of ORCID",
    address: /^https?:\/\/(?:www\.)?orcid\.org\//i,
  },
  isni: {
    holds: (bare) => endsWithCheck(bare.replace(/[\s-]/g, "").toUpperCase()),
    rule: "must be 16 digits, the last of them the check character",
  },
  ror: {
    holds: isRor,
    rule: "must be 0, six letters or digits, and two check digits",
    address: /^https?:\/\/ror\.org\//i,
  },
  digits: { holds: (bare) => /^\d+$/.test(bare), rule: "must be digits" },
} as const satisfies Readonly<Record<string, Form>>;
export type IdentifierForm = keyof typeof IDENTIFIER_FORMS;
export const FORM_NAMES = Object.keys(IDENTIFIER_FORMS) as readonly IdentifierForm[]; // the keys are the names

/** The fault of an identifier in a scheme with this form; null where it is valid. */
export function formProblem(form: IdentifierForm, identifier: string): string | null {
  const { holds, rule, address }: Form = IDENTIFIER_FORMS[form];
  const isElsewhere = address !== undefined && identifier.includes(":") && !address.test(identifier.trim());
  return !isElsewhere && holds(bareIdentifier(identifier)) ? null : rule;
}
