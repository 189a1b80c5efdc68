// The keys that find a duplicate (R18): any one equal identifier, or the normalised title with the type and all
// creators.

import { boundedCompatible, withoutEnd } from "../../shared/text/text.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import { type Agent, type Ident, type Metadata, mainTitle } from "./metadata.ts";

/** Texts whose digests are stored; equal texts are equal keys. */
type KeyText = { readonly kind: "identifier" | "work"; readonly text: string };

/** Characters that are compared of a title, of the name of a creator, and of an identifier. */
const TITLE_READ = 10_000;
const NAME_READ = 1_000;
const IDENTIFIER_READ = 10_000;

/** NFKC, lower case, no spaces, punctuation or symbols. */
export function normalised(text: string, characters: number = TITLE_READ): string {
  return boundedCompatible(text, characters)
    .toLowerCase()
    .replace(/[\p{P}\p{S}\p{Z}\p{C}]/gu, "");
}

const DOI = /^(?:doi:\s*|(?:https?:\/\/)?(?:dx\.)?doi\.org\/)?(10\.\d{4,9}\/\S+)$/i;
const HANDLE = /^(?:hdl:\s*|info:hdl\/|(?:https?:\/\/)?hdl\.handle\.net\/)(\S+)$/i;
/** Of a text that ends without white space: what follows the label goes on to its end. */
const ARK = /(?:^|\/)ark:\/?([0-9a-z]+\/.+)$/is;

/**
 * One spelling for an identifier, whatever the name of its scheme: a DOI written as a URL is the same DOI. Null: empty.
 */
export function identifierText({ scheme, value, uri }: Ident): string | null {
  const written = boundedCompatible(value, IDENTIFIER_READ).trim() || (uri ?? "").trim();
  if (written === "") return null;
  const plain = percentDecode(written);
  const doi = DOI.exec(plain)?.[1];
  if (doi !== undefined) return `doi:${doi.toLowerCase()}`;
  const handle = HANDLE.exec(plain)?.[1];
  if (handle !== undefined) return `hdl:${handle.toLowerCase()}`;
  const ark = arkIn(plain);
  if (ark !== undefined) return `ark:${withoutEnd(ark.replaceAll("-", ""), "/.")}`;
  if (/^https?:\/\//i.test(plain)) return `uri:${withoutNoise(plain)}`;
  const name = boundedCompatible(scheme, NAME_READ).trim().toLowerCase();
  if (name === "hdl" || name === "handle") return `hdl:${plain.toLowerCase()}`;
  return `${name}:${plain.toLowerCase().replace(/[\s-]/g, "")}`;
}

/** An ARK at the end of a text, after its beginning or a slash. */
function arkIn(text: string): string | undefined {
  const words = text.split(/\s/);
  const last = words.at(-1) ?? "";
  return ARK.exec(words.length === 1 ? last : ` ${last}`)?.[1];
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Scheme, a leading `www.`, a trailing slash and the case of the host do not distinguish pages. */
function withoutNoise(url: string): string {
  const rest = withoutEnd(url.replace(/^https?:\/\//i, ""), "/");
  const slash = rest.indexOf("/");
  const host = slash < 0 ? rest : rest.slice(0, slash);
  return host.toLowerCase().replace(/^www\./, "") + (slash < 0 ? "" : rest.slice(slash));
}

function creatorName({ names }: Agent): string {
  const [name] = names;
  if (name === undefined) return "";
  const parts = [name.family, name.given].filter((part) => part !== undefined && part !== "");
  return normalised(parts.length > 0 ? parts.join(" ") : (name.full ?? ""), NAME_READ);
}

function* identifierKeys(metadata: Metadata): InParts<KeyText[]> {
  const idents =
    metadata.registration === undefined ? metadata.identifiers : [...metadata.identifiers, metadata.registration];
  const texts = new Set<string>();
  for (const ident of idents) {
    const text = identifierText(ident);
    if (text !== null) texts.add(text);
    yield;
  }
  return [...texts].map((text) => ({ kind: "identifier", text }));
}

/** The DOIs among them. */
export const doiKeys = (metadata: Metadata): readonly KeyText[] =>
  runWithoutYielding(identifierKeys(metadata)).filter(({ text }) => text.startsWith("doi:"));

/** Title, type and the creators in any order; none for what has no title. */
function* workKeys(metadata: Metadata): InParts<KeyText[]> {
  const title = normalised(mainTitle(metadata));
  if (title === "") return [];
  const creators: string[] = [];
  for (const creator of metadata.creators) {
    const name = creatorName(creator);
    if (name !== "") creators.push(name);
    yield;
  }
  creators.sort();
  yield;
  return [{ kind: "work", text: JSON.stringify([title, metadata.type?.id ?? "", creators]) }];
}

/** Everything that an item can be found by. */
export function* storedKeys(metadata: Metadata): InParts<readonly KeyText[]> {
  return [...(yield* identifierKeys(metadata)), ...(yield* workKeys(metadata))];
}

/** The keys to search for: identifiers, or the work itself where it has none. */
export function* searchedKeys(metadata: Metadata): InParts<readonly KeyText[]> {
  const identifiers = yield* identifierKeys(metadata);
  return identifiers.length > 0 ? identifiers : yield* workKeys(metadata);
}
