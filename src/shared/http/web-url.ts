// What counts as a web address wherever one is taken: targets, templates, minters, settings (A20, A31b, A35).
import { hasLongMarkRun } from "../text/text.ts";

/**
 * True for http or https with a host behind `//`. A parser makes a host of whatever follows (`https:ex.org`,
 * `http:///x`): people who wrote that meant something else, and other programs read it differently.
 */
export function namesWebHost(text: string): boolean {
  return /^https?:\/\/[^\s/\\?#]/i.test(text);
}

/** No host has more: names of the DNS end at 253, written with percent signs at some times as many. */
const HOST_CHARACTERS = 1_000;
const HOST = /^[\0-\x20]*[a-z][a-z0-9+.-]*:[\\/]*(?:[^\\/?#]*@)?([^\\/?#]*)/i;

/**
 * The result of `URL.canParse`, in linear time: the parser normalizes a host, and encodes it by the square of its
 * length.
 */
export function canParseUrl(text: string): boolean {
  const host = HOST.exec(text.replace(/[\t\n\r]/g, ""))?.[1] ?? "";
  return host.length <= HOST_CHARACTERS && !hasLongMarkRun(host) && URL.canParse(text);
}

/** An absolute http or https URL with a host and without white space. */
export function isWebUrl(text: string): boolean {
  return namesWebHost(text) && !/\s/.test(text) && canParseUrl(text);
}

/**
 * True for a text that pages show as a link as a whole: http or https without white space, quotes and angle brackets. A
 * host is not checked: browsers do that.
 */
export function isLinkable(text: string): boolean {
  return /^https?:\/\/[^\s"<>]+$/i.test(text);
}

/** A web address of visible ASCII without a user, as strangers send it; null for any other text. */
export function readPlainWebUrl(text: string, charactersMax: number): URL | null {
  if (text.length > charactersMax || !/^[\x21-\x7E]*$/.test(text) || !isWebUrl(text)) return null;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : null;
}
