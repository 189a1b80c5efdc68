// The metadata of a client (RFC 7591 2; OAuth Client ID Metadata Document 4), read alike whether the client registers
// or publishes it, and the redirect URIs allowed to it (RFC 8252, RFC 9700 2.1): compared as text, except for the port
// of programs on the person's own machine. Pure.

import { readPlainWebUrl } from "../../shared/http/web-url.ts";
import { most } from "../../shared/limits.ts";
import { isObject, memberOf } from "../../shared/objects.ts";

export type ClientMetadata = {
  readonly name: string;
  readonly uri: string | null;
  readonly redirectUris: readonly string[];
};

/** Why metadata is not taken, in the words of RFC 7591 3.2.2. */
export class ClientMetadataFault extends Error {
  override readonly name = "ClientMetadataFault";
  readonly error: "invalid_redirect_uri" | "invalid_client_metadata";

  constructor(error: ClientMetadataFault["error"], message: string) {
    super(message);
    this.error = error;
  }
}

const URI_CHARACTERS_MAX = 2_000;
const NAME_CHARACTERS_MAX = 100;
const LOOPBACK: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

/**
 * An address people may be sent back to: https, or http on their own machine; nothing in it that programs read
 * differently. Null: it is none.
 */
function readRedirectUri(text: string): URL | null {
  const url = /[\\#]/.test(text) ? null : readPlainWebUrl(text, URI_CHARACTERS_MAX);
  if (url === null || text.slice(0, text.indexOf("/", 8) + 1).includes("@")) return null;
  return url.protocol === "https:" || isLoopback(url) ? url : null;
}

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === "http:" && LOOPBACK.includes(hostname);

const LOOPBACK_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/;

/** The text without the port of a program on the person's own machine. */
const withoutPort = (text: string): string => text.replace(LOOPBACK_PORT, "$1");

/** Whether the redirect URI is registered, compared character by character; a native program may use any port. */
export function admitsRedirect(registered: readonly string[], sent: string): boolean {
  const url = readRedirectUri(sent);
  if (url === null) return false;
  if (registered.includes(sent)) return true;
  return isLoopback(url) && registered.some((each) => withoutPort(each) === withoutPort(sent));
}

/** A program on the person's own machine (RFC 8252), recognized by its redirect URIs. */
export const isNative = (redirectUris: readonly string[]): boolean =>
  redirectUris.some((each) => each.startsWith("http:"));

/** @throws ClientMetadataFault */
export function readClientMetadata(sent: unknown, nameless: (firstHost: string) => string): ClientMetadata {
  if (!isObject(sent)) throw faulty("The metadata of a client is a JSON object");
  const redirectUris = redirectUrisOf(memberOf(sent, "redirect_uris"));
  requireWord(sent, "grant_types", "authorization_code", ["authorization_code", "refresh_token"]);
  requireWord(sent, "response_types", "code", ["code"]);
  const kind = memberOf(sent, "application_type") ?? "web";
  if (kind !== "web" && kind !== "native") throw faulty("application_type must be native or web");
  const [first = ""] = redirectUris;
  const name = cleanName(memberOf(sent, "client_name"));
  return {
    name: name === "" ? nameless(new URL(first).host) : name,
    uri: uriOf(memberOf(sent, "client_uri")),
    redirectUris,
  };
}

function redirectUrisOf(sent: unknown): readonly string[] {
  const faultyUri = (message: string) => new ClientMetadataFault("invalid_redirect_uri", message);
  if (!Array.isArray(sent) || sent.length === 0) throw faultyUri("redirect_uris must be a list of addresses");
  if (sent.length > most("redirectUris"))
    throw faultyUri(`redirect_uris may have ${most("redirectUris")} addresses at most`);
  const uris: string[] = [];
  for (const [at, each] of sent.entries()) {
    if (typeof each !== "string" || readRedirectUri(each) === null) {
      throw faultyUri(
        `redirect_uris[${at}] must be an https address, or http on 127.0.0.1, [::1] or localhost, without fragment and user name`,
      );
    }
    if (!uris.includes(each)) uris.push(each);
  }
  return uris;
}

/**
 * A list that is sent must hold what is done here. What else it asks for is left out (RFC 7591 2: the server may
 * replace it).
 */
function requireWord(sent: object, name: string, needed: string, byDefault: readonly string[]): void {
  const value = memberOf(sent, name) ?? byDefault;
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
  if (!isList) throw faulty(`${name} must be a list of texts`);
  if (!value.includes(needed)) throw faulty(`${name} must hold ${needed}`);
}

const faulty = (message: string) => new ClientMetadataFault("invalid_client_metadata", message);

/** One line, without signs that nobody sees or that turn the direction of what follows. @throws ClientMetadataFault */
function cleanName(sent: unknown): string {
  if (sent === undefined || sent === null) return "";
  if (typeof sent !== "string") throw faulty("client_name must be a text");
  const short = sent.slice(0, 4 * NAME_CHARACTERS_MAX).toWellFormed();
  const visible = short
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...visible].slice(0, NAME_CHARACTERS_MAX).join("");
}

/** The client's page for people; null where the metadata holds no usable address. */
function uriOf(sent: unknown): string | null {
  const url = typeof sent === "string" ? readPlainWebUrl(sent, URI_CHARACTERS_MAX) : null;
  return url?.protocol === "https:" ? url.href : null;
}
