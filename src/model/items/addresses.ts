// Every public address of the repository, in one place (R5, R9, R12, R33): pages, interfaces, ARKs.

import { SIGN_IN_PATH } from "../../shared/http/return-path.ts";
import type { AuthorId, IndexId, ItemId, RecordId } from "../../shared/ids.ts";
import { withoutEnd } from "../../shared/text/text.ts";

export const SERVICE_DOCUMENT_PATH = "/sword/service-document";
export const OAI_PATH = "/oai";
export const landingPath = (id: RecordId): string => `/records/${id}`;
/** The name is encoded once, whatever it is. */
export const filePath = (id: ItemId, name: string): string => `${landingPath(id)}/files/${encodeURIComponent(name)}`;

type Bases = {
  /** The public address of the repository. */
  readonly base: string;
  /** Where ARKs resolve. */
  readonly resolver: string;
  /** Part of the identifiers of records for harvesters; absent or null: the host of `base`. */
  readonly oaiHost?: string | null;
};

export function addressesUnder({ base, resolver, oaiHost = null }: Bases) {
  const [baseUrl, resolverUrl] = [withoutEnd(base, "/"), withoutEnd(resolver, "/")];
  const { hostname } = new URL(baseUrl);
  // Identifiers may not contain the brackets of an IPv6 address; a repository without a name serves its own machine
  // only.
  const namedHost = oaiHost ?? (hostname.startsWith("[") ? "localhost" : hostname);
  const oai = baseUrl + OAI_PATH;
  return {
    /** Without slash at the end. */
    baseUrl,
    /** Browsers accept `__Host-` cookies over https only. */
    isSecure: baseUrl.startsWith("https:"),
    landingPage: (id: RecordId): string => baseUrl + landingPath(id),
    filePage: (id: ItemId, name: string): string => baseUrl + filePath(id, name),
    indexPage: (id: IndexId): string => `${baseUrl}/index/${id}`,
    personPage: (id: AuthorId): string => `${baseUrl}/authors/${id}`,
    activityPage: (id: string): string => `${baseUrl}/workflow/activity/detail/${id}`,
    signInLink: (token: string): string => `${baseUrl}${SIGN_IN_PATH}/${token}`,
    /** Where an identity provider sends people back to. */
    signInCallback: `${baseUrl}/account/oidc/callback`,
    siteMap: `${baseUrl}/sitemap.xml`,
    siteMapPart: (part: number): string => `${baseUrl}/sitemap/${part}`,
    serviceDocument: baseUrl + SERVICE_DOCUMENT_PATH,
    /** The Object-URL of an item. */
    deposit: (id: ItemId): string => `${baseUrl}/sword/deposit/${id}`,
    /** Where harvesters ask (R31), and the host that the identifiers of records there name (R36). */
    oai,
    oaiHost: namedHost,
    /** The record of an item, by the id of its first version, as harvesters and feeds name it. */
    oaiRecord: (firstVersion: ItemId, format = "jpcoar_2.0"): string =>
      `${oai}?verb=GetRecord&metadataPrefix=${format}&identifier=${oaiIdentifier(namedHost, firstVersion)}`,
    oaiIdentifier: (firstVersion: ItemId): string => oaiIdentifier(namedHost, firstVersion),
    /** Where an ARK (`naan/name`) resolves. */
    arkUrl: (ark: string): string => `${resolverUrl}/ark:${ark}`,
  };
}

export type Addresses = ReturnType<typeof addressesUnder>;

// What a record is called towards harvesters and in feeds (R36): `oai:<host>:<id of the first version of the item, 8
// digits at least>`, so that a new version is a change of the same record.

const DIGITS = 8;
const SCHEME = "oai:";

/** `firstVersion`: the id of the first version of the item, whichever version is shown. */
export function oaiIdentifier(host: string, firstVersion: ItemId): string {
  return `${SCHEME}${host}:${String(firstVersion).padStart(DIGITS, "0")}`;
}

/** Numbers of up to fifteen digits are exact, and far above every assigned one. */
const NUMBER = /^\d{8,15}$/;

/**
 * The id of the first version that an identifier of this repository names; null for every other text. One record has
 * one identifier, written in one way.
 */
export function readOaiIdentifier(host: string, text: string): ItemId | null {
  const start = `${SCHEME}${host}:`;
  const written = text.slice(start.length);
  if (!text.startsWith(start) || !NUMBER.test(written)) return null;
  const firstVersion = Number(written);
  return oaiIdentifier(host, firstVersion) === text ? firstVersion : null;
}
