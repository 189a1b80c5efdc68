// How a deposit is sent by `arkstone deposit`: where to, and what its answer means (R6b, R13; specification 2,
// "Deposit endpoints").
import { isObject } from "../../shared/objects.ts";
import { withoutEnd } from "../../shared/text/text.ts";

/** Times one deposit is sent at most, all with one Idempotency-Key. */
export const SEND_ATTEMPTS = 8;
/** How long it is tried while nobody answers at the address. */
export const PATIENCE_SECONDS = 20;

const SERVICE = "/sword/service-document";

/**
 * The address of a deposit: `base` is the address of a repository or of its service document; `id` names the item to
 * replace. Null when the base is not an http or https address.
 */
export function depositUrl(base: string, id: string | null): string | null {
  const url = URL.canParse(base) ? new URL(base) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  url.search = "";
  url.hash = "";
  const path = withoutEnd(url.pathname, "/");
  const root = path.endsWith(SERVICE) ? path.slice(0, -SERVICE.length) : path.replace(/\/sword$/, "");
  url.pathname = id === null ? `${root}${SERVICE}` : `${root}/sword/deposit/${encodeURIComponent(id)}`;
  return url.href;
}

/** True where a token would cross a network in clear. */
export function isInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** A name every server reads alike: other characters than `A-Za-z0-9._-` become `_`. */
export function plainFileName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, "_").slice(-200);
  return plain === "" || plain === "_" ? "package.zip" : plain;
}

export type Outcome = {
  readonly status: number;
  /** `@id` of the status document. */
  readonly statusUrl: string | null;
  /** Addresses of `links`, by kind: landing pages and, while it waits, the activity. */
  readonly pages: readonly string[];
  readonly eTag: string | null;
  /** The repository's description: `state[].description`, or the error. */
  readonly words: string;
};

/** The result from a status or error document. Anything else is a text. */
export function outcomeOf(status: number, document: unknown): Outcome {
  if (!isObject(document)) {
    return { status, statusUrl: null, pages: [], eTag: null, words: String(document).trim().slice(0, 1_000) };
  }
  const json: Readonly<Record<string, unknown>> = document;
  const links = listOf(json.links)
    .map((link) => textOf(objectOf(link)["@id"]))
    .filter((url) => url !== null);
  const descriptions = listOf(json.state)
    .map((state) => textOf(objectOf(state).description))
    .filter((line) => line !== null);
  return {
    status,
    statusUrl: textOf(json["@id"]),
    pages: links,
    eTag: textOf(json.eTag),
    words: textOf(json.error) ?? textOf(json.message) ?? descriptions.filter((line) => line !== "").join(" "),
  };
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
