// What people paste for a record (reference 1.2; R30): its number, the number of its parent, an ARK, a DOI, or an address of one of these. Pure: says
// what the text names; looking it up is the tools' business.

import { withoutEnd } from "../../shared/text-ends.ts";

/** What a text names; null: nothing a record could be known by. */
export type Named =
  | { readonly kind: "id"; readonly id: number }
  /** `naan/name`, without `ark:`. */
  | { readonly kind: "ark"; readonly ark: string }
  | { readonly kind: "doi"; readonly doi: string };

const ID = /^[1-9]\d{0,15}$/;
const DOI = /^(?:doi:\s*)?(10\.\d{4,9}(?:\.\d+)*\/\S+)$/i;
const DOI_HOST = /^https?:\/\/(?:dx\.)?doi\.org\//i;
const ARK = /(?:^|\/)ark:\/?([0-9b-df-hj-np-tv-z]{5,16}\/[^\s?#]+)/i;
const RECORD_PATH = /^\/(?:api\/)?records\/([1-9]\d{0,15})(?:[/?#]|$)/;

/** The id or slug of a community, or the id of a request, by itself or in an address of this repository. */
export function namedThing(text: string, kind: "communities" | "requests", baseUrl: string): string {
  const given = text.trim();
  const before = [`${baseUrl}/api/${kind}/`, `${baseUrl}/${kind}/`].find((each) => given.startsWith(each));
  return before === undefined ? given : (/^[^/?#]*/.exec(given.slice(before.length))?.[0] ?? "");
}

/** `baseUrl`: of this repository, whose own addresses name its records. */
export function namedRecord(text: string, baseUrl: string): Named | null {
  const given = text.trim();
  if (ID.test(given)) return { kind: "id", id: Number(given) };
  if (given.startsWith(`${baseUrl}/`)) {
    const id = RECORD_PATH.exec(given.slice(baseUrl.length))?.[1];
    if (id !== undefined) return { kind: "id", id: Number(id) };
  }
  const ark = ARK.exec(given)?.[1];
  if (ark !== undefined) return { kind: "ark", ark: withoutEnd(ark, "/.") };
  const doi = DOI.exec(given.replace(DOI_HOST, ""))?.[1];
  return doi === undefined ? null : { kind: "doi", doi };
}
