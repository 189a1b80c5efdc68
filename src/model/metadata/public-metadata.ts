// The metadata of an item that may appear in public output (R2g): no e-mail address of anybody, wherever the depositor
// wrote one.

import type { Json } from "../../shared/json/json.ts";
import type { Agent, Metadata } from "./metadata.ts";

const withoutMail = (agent: Agent): Agent => (agent.emails.length === 0 ? agent : { ...agent, emails: [] });

/**
 * The metadata without addresses of people; what was kept as it came (`custom`, `extra`) goes whole where it holds one.
 */
export function publicMetadata(metadata: Metadata): Metadata {
  const { creators, contributors, rightsHolders, catalog, custom, extra } = metadata;
  return {
    ...metadata,
    creators: creators.map(withoutMail),
    contributors: contributors.map(withoutMail),
    rightsHolders: rightsHolders.map(withoutMail),
    ...(catalog === undefined ? {} : { catalog: { ...catalog, contributors: catalog.contributors.map(withoutMail) } }),
    custom: Object.fromEntries(Object.entries(custom).filter(([, value]) => !holdsMail(value))),
    extra: extra.filter(({ value }) => !holdsMail(value)),
  };
}

function holdsMail(value: Json): boolean {
  if (typeof value === "string") return hasMailAddress(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsMail);
}

const LOCAL_END = /[\p{L}\p{N}_%+-]/u;
/** A domain, after the sign; at most as long as domains may be. */
const DOMAIN = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*\.)+[\p{L}\p{N}-]*[\p{L}\p{N}]/u;
const DOMAIN_MAX = 255;

/**
 * Whether a text contains an e-mail address. Each `@` is checked once, with as many characters after it as a domain may
 * have.
 */
export function hasMailAddress(text: string): boolean {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (at > 0 && LOCAL_END.test(text.charAt(at - 1)) && DOMAIN.test(text.slice(at + 1, at + 1 + DOMAIN_MAX)))
      return true;
  }
  return false;
}
