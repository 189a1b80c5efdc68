// Resumption tokens (R36; OAI-PMH 2.0 section 3.5): where a list goes on, signed, so that nothing has to be remembered
// and nobody can make one up. A token means a place in the order of the list, not a number of records to skip: what did
// not change is neither skipped nor repeated.
import { sameHash, textSignature } from "../../shared/hash/digests.ts";
import type { Second } from "../store/harvest.ts";
import type { ListArguments, ListVerb } from "./arguments.ts";

/** Where a list of records goes on. */
export type ListPlace = ListArguments & {
  readonly verb: ListVerb;
  /** The last second that the list covers. */
  readonly bound: Second;
  readonly datestamp: Second;
  readonly number: number;
  /** Records returned so far, and in all. */
  readonly cursor: number;
  readonly size: number;
};
/** Where the list of sets goes on: behind this one. */
type SetsPlace = { readonly verb: "ListSets"; readonly after: string; readonly cursor: number };
export type Place = ListPlace | SetsPlace;

/** How long a token holds, in seconds. */
export const TOKEN_SECONDS = 86_400;
const SIGNATURE_LENGTH = 32;

const encode = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replaceAll("=", "");

function decode(text: string): string {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

const signature = (payload: string, secret: string): string =>
  textSignature(payload, secret).slice(0, SIGNATURE_LENGTH);

/** `at`: the moment it is made, in seconds since 1970. */
export function writeToken(place: Place, at: number, secret: string): string {
  const payload = encode(JSON.stringify([at, place]));
  return `${payload}.${signature(payload, secret)}`;
}

const TOKEN = /^([A-Za-z0-9_-]+)\.([0-9a-f]+)$/;

/** Null for a token of another repository, and for one that has expired. */
export function readToken(text: string, now: number, secret: string): Place | null {
  const [, payload = "", signed = ""] = TOKEN.exec(text) ?? [];
  if (payload === "" || !sameHash(signed, signature(payload, secret))) return null;
  // Only what `writeToken` wrote is signed.
  const [at, place] = JSON.parse(decode(payload)) as [number, Place];
  return now - at > TOKEN_SECONDS ? null : place;
}
