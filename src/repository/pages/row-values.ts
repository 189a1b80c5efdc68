// What a row of a landing page is made of (R19a).
import { agentAddress, identAddress, webAddress } from "../../formats/citation/cited-item.ts";
import type { ItemContent } from "../../model/items/item.ts";
import { formProblem } from "../../model/metadata/identifier-forms.ts";
import { licenseAddress, licenseIdOf } from "../../model/metadata/licenses.ts";
import type { Agent, Ident, Org, Text } from "../../model/metadata/metadata.ts";
import { agentNames, inLanguage } from "../../model/metadata/reader-language.ts";
import type { AuthorId } from "../../shared/ids.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { VocabularyEntry } from "../store/vocabularies.ts";
import type { FiledKind } from "./filed.ts";

/** A word of one of the vocabularies, by its type and id. */
type Term = { readonly vocabulary: string; readonly id: string };

export type ShownDetail = {
  readonly text: string;
  readonly lang?: string;
  readonly href?: string;
  /** An ORCID iD whose check character is right. */
  readonly orcid?: string;
};

/** One value. `kind`: what sort of value it is (a type of date, of relation, a role), `href` where it leads. */
export type ShownValue = ShownDetail & {
  readonly kind?: Term;
  readonly term?: Term;
  /** The person of the author database that it names. */
  readonly person?: AuthorId;
  readonly details?: readonly ShownDetail[];
  /** Items are filed by it: the page that lists them. */
  readonly filed?: { readonly kind: FiledKind; readonly value: string };
};

/** An address as a value may lead to; absent for what is none. */
export const leading = (address: string | null | undefined): { readonly href?: string } => {
  const href = address === null || address === undefined ? null : webAddress(address);
  return href === null ? {} : { href };
};

export const worded = ({ value, lang }: Text): ShownValue => ({
  text: value.trim(),
  ...(lang === undefined ? {} : { lang }),
});

// People and organisations as a landing page shows them (R19a): names in every language, who they are elsewhere, where
// they work. No mail address.

/** Values of one agent beyond this number are not shown. */
const DETAILS_MAX = 50;

/** `tag`: the reader's language, whose name comes first. */
export function agentValue(agent: Agent, vocabulary: string, tag: string): ShownValue {
  const [first, ...others] = agentNames(agent, tag, DETAILS_MAX);
  const ids = agent.ids.slice(0, DETAILS_MAX);
  const address = agentAddress(ids);
  const orcids = ids.flatMap((ident) => orcidOf(ident) ?? []);
  const details: ShownDetail[] = [
    ...others,
    ...ids.map((ident) => {
      const href = identAddress(ident);
      const orcid = orcidOf(ident);
      return {
        text: `${ident.scheme}: ${ident.value}`,
        ...(href === null ? {} : { href }),
        ...(orcid === null ? {} : { orcid }),
      };
    }),
    ...agent.affiliations
      .slice(0, DETAILS_MAX)
      .map((org) => orgText(org, tag))
      .filter((each) => each.text !== ""),
  ];
  return {
    ...(first ?? { text: ids[0]?.value ?? "" }),
    // An ORCID iD is one link: its own.
    ...(address === null || orcids.length > 0 ? {} : { href: address }),
    ...(agent.authorId === undefined ? {} : { person: agent.authorId }),
    ...(agent.role === undefined || agent.role === "" ? {} : { kind: { vocabulary, id: agent.role } }),
    details: details.slice(0, DETAILS_MAX),
  };
}

/** The bare iD of an ORCID; null for any other identifier, and for one whose check character is wrong. */
function orcidOf({ scheme, value }: Ident): string | null {
  if (scheme.toLowerCase() !== "orcid") return null;
  const digits = value
    .trim()
    .replace(/^https?:\/\/orcid\.org\//i, "")
    .replaceAll("-", "")
    .toUpperCase();
  const bare = digits.replace(/(.{4})(?=.)/g, "$1-");
  return formProblem("orcid", bare) === null ? bare : null;
}

/** An organisation in one line: its names, the reader's language first, and where it is described. */
export function orgText(org: Pick<Org, "names" | "ids">, tag: string): ShownDetail {
  const names = inLanguage(org.names, tag).slice(0, DETAILS_MAX);
  const [first] = names;
  const address = agentAddress(org.ids);
  return {
    text: names.map(({ value }) => value).join(" / "),
    ...(names.length === 1 && first?.lang !== undefined ? { lang: first.lang } : {}),
    ...(address === null ? {} : { href: address }),
  };
}

// Licences by the names this repository's vocabulary gives them (R6a, R19a): shipped, reworded and local ones.

type NamedLicense = {
  readonly names: { readonly en: string; readonly ja: string };
  /** The address of the licence's text; null if unknown. */
  readonly href: string | null;
};

/** The licence with this id or address; null for any other text. */
export type Licenses = (written: string | undefined) => NamedLicense | null;

const plain = (address: string): string => address.trim().toLowerCase().replace(/\/$/, "");

/** The licences of an item, as the vocabulary has them; only those that it names are read. */
export async function licensesOf(
  { communities }: RepositoryStore,
  { metadata, files }: ItemContent,
): Promise<Licenses> {
  const written = [
    ...metadata.rights.flatMap(({ id, uri }) => [id ?? [], uri ?? []].flat()),
    ...files.flatMap(({ license }) => license ?? []),
  ];
  const ids = new Set(written.map((each) => licenseIdOf(each) ?? each));
  const addresses = [...new Set(written)].filter((each) => /^https?:/i.test(each) && licenseIdOf(each) === null);
  if (ids.size === 0) return () => null;
  const [named, found] = await Promise.all([
    communities.vocabularyEntries([...ids].map((id) => ({ type: "licenses", id }))),
    communities.licensesAt(addresses),
  ]);
  return licensesIn([...named, ...found]);
}

function licensesIn(entries: readonly VocabularyEntry[]): Licenses {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const byAddress = new Map(
    entries.flatMap((entry) => (entry.props.url === undefined ? [] : [[plain(entry.props.url), entry]])),
  );
  return (written) => {
    if (written === undefined) return null;
    const found = byId.get(written) ?? byId.get(licenseIdOf(written) ?? "") ?? byAddress.get(plain(written));
    if (found === undefined) return null;
    return { names: found.title, href: found.props.url ?? licenseAddress(found.id) };
  };
}
