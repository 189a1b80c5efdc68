// FAIR Signposting (levels 1 and 2): the typed links by which machines find their way from a landing page (R19a; RFC
// 8288, RFC 9264).
import { licenseAddress } from "../../model/metadata/licenses.ts";
import { agentAddress, type CitedItem, citeAs, webAddress } from "./cited-item.ts";
import { schemaOrgType } from "./schema-org.ts";

type TypedLink = {
  readonly target: string;
  readonly rel: string;
  readonly type?: string;
  readonly profile?: string;
};

/** A metadata document about the item: its address, its media type, and its profile where it has one. */
export type DescribedBy = { readonly url: string; readonly type: string; readonly profile?: string };

/**
 * Servers and proxies take header lines of 8 KiB; the rest is for the other headers. Links beyond this are left out,
 * files first.
 */
export const MAX_LINK_HEADER = 6_000;

/** At most this many author links; documents about the item list all authors. */
const MAX_AUTHOR_LINKS = 500;
const MAX_LICENSE_LINKS = 100;

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/**
 * All links of an item, by weight: cite-as, type, license, describedby, linkset, author, item. Values that are not web
 * addresses are left out. `linkset`: the address of the document that lists all of them (level 2).
 */
export function signpostingLinks(
  item: CitedItem,
  describedBy: readonly DescribedBy[],
  linkset?: string,
): readonly TypedLink[] {
  const { metadata } = item;
  const links: TypedLink[] = [];
  const known = new Set<string>();
  const add = (address: string | null | undefined, rel: string, type?: string, profile?: string): void => {
    const target = address === null || address === undefined ? null : webAddress(address);
    if (target === null || known.size === known.add(`${rel} ${target}`).size) return;
    links.push({
      target,
      rel,
      ...(type !== undefined && MEDIA_TYPE.test(type) ? { type } : {}),
      ...(profile === undefined ? {} : { profile }),
    });
  };
  add(citeAs(item), "cite-as");
  add("https://schema.org/AboutPage", "type");
  add(`https://schema.org/${schemaOrgType(metadata)}`, "type");
  for (const { id, uri } of metadata.rights.slice(0, MAX_LICENSE_LINKS))
    add(uri ?? (id === undefined ? null : licenseAddress(id)), "license");
  for (const { url, type, profile } of describedBy) add(url, "describedby", type, profile);
  add(linkset, "linkset", "application/linkset+json");
  for (const agent of metadata.creators.slice(0, MAX_AUTHOR_LINKS)) add(agentAddress(agent.ids), "author");
  for (const file of item.files) add(file.url, "item", file.mediaType.split(";")[0]?.trim());
  return links;
}

function linkText({ target, rel, type, profile }: TypedLink): string {
  const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7E]/g, "").replace(/["\\]/g, "\\$&")}"`;
  const attributes = [
    `rel=${quoted(rel)}`,
    ...(type === undefined ? [] : [`type=${quoted(type)}`]),
    ...(profile === undefined ? [] : [`profile=${quoted(profile)}`]),
  ];
  return `<${target}>; ${attributes.join("; ")}`;
}

/** The value of one Link header: as many links as fit into MAX_LINK_HEADER characters, in their order. */
export function linkHeader(links: readonly TypedLink[]): string {
  const taken: string[] = [];
  let length = 0;
  for (const link of links) {
    const text = linkText(link);
    const longer = length === 0 ? text.length : length + 2 + text.length;
    if (longer > MAX_LINK_HEADER) continue;
    taken.push(text);
    length = longer;
  }
  return taken.join(", ");
}
