// People and organisations as DataCite 4.6 describes them: creators, contributors, their identifiers and affiliations,
// and who paid.
import type { Agent, Funding, Ident, Org } from "../../model/metadata/metadata.ts";
import { own, withoutUndefined } from "../../shared/objects.ts";
import { identAddress } from "../citation/cited-item.ts";
import { absoluteUri, firstName, firstText, trimmedText, trimmedWording, unique } from "../export-values.ts";
import type { Notes } from "../jpcoar/elements.ts";
import { shown } from "../jpcoar/nodes.ts";
import { flatWord } from "../vocabulary-words.ts";
import { type ContributorType, contributorTypeOf, type FunderType, funderTypeOf } from "./lists.ts";

type NameIdentifier = {
  readonly nameIdentifier: string;
  readonly nameIdentifierScheme: string;
  readonly schemeUri?: string;
};
type Affiliation = {
  readonly name: string;
  readonly affiliationIdentifier?: string;
  readonly affiliationIdentifierScheme?: string;
  readonly schemeUri?: string;
};
export type Person = {
  readonly name: string;
  readonly nameType?: "Organizational" | "Personal";
  readonly givenName?: string;
  readonly familyName?: string;
  readonly nameIdentifiers?: readonly NameIdentifier[];
  readonly affiliation?: readonly Affiliation[];
  readonly lang?: string;
};
export type Contributor = Person & { readonly contributorType: ContributorType };
export type FundingReference = {
  readonly funderName: string;
  readonly funderIdentifier?: string;
  readonly funderIdentifierType?: FunderType;
  readonly awardNumber?: string;
  readonly awardUri?: string;
  readonly awardTitle?: string;
};

/** The word DataCite has for a value that is not known. */
export const UNKNOWN = "(:unav)";

/** Schemes with one spelling, and the addresses that describe them. */
const SCHEMES: Readonly<Record<string, readonly [name: string, uri: string]>> = {
  orcid: ["ORCID", "https://orcid.org/"],
  isni: ["ISNI", "https://isni.org/"],
  ror: ["ROR", "https://ror.org/"],
  gnd: ["GND", "https://d-nb.info/gnd/"],
  grid: ["GRID", "https://www.grid.ac/"],
  viaf: ["VIAF", "https://viaf.org/"],
};

type NamedIdentifier = { readonly value: string; readonly scheme: string; readonly schemeUri: string | undefined };

/** ROR identifiers are written as addresses, as ROR recommends; others as they are. */
function namedIdentifier(ident: Ident): NamedIdentifier | null {
  const [scheme, uri] = own(SCHEMES, flatWord(ident.scheme)) ?? [trimmedText(ident.scheme), undefined];
  const stated = trimmedText(ident.value) === "" ? trimmedText(ident.uri) : trimmedText(ident.value);
  const value = scheme === "ROR" ? (identAddress(ident) ?? stated) : stated;
  if (value === "") return null;
  return {
    value,
    scheme: scheme === "" ? "Other" : scheme,
    schemeUri: absoluteUri(ident.schemeUri) ?? uri,
  };
}

const namedAll = (ids: readonly Ident[]): readonly NamedIdentifier[] =>
  ids.flatMap((ident) => namedIdentifier(ident) ?? []);

function affiliationOf(org: Org, notes: Notes): Affiliation | null {
  const id = namedAll(org.ids)[0];
  const name = firstText(org.names)?.value ?? id?.value;
  if (name === undefined) return null;
  if (org.names.length > 1) notes.add("DataCite has a place for one name of an affiliation: others are left out");
  if (org.ids.length > 1) notes.add("DataCite has a place for one identifier of an affiliation: others are left out");
  return withoutUndefined({
    name,
    affiliationIdentifier: id?.value,
    affiliationIdentifierScheme: id?.scheme,
    schemeUri: id?.schemeUri,
  });
}

/** Null for an agent with neither a name nor an identifier. */
function personOf(agent: Agent, notes: Notes): Person | null {
  const first = firstName(agent);
  const ids = unique(
    namedAll(agent.ids).map(({ value, scheme, schemeUri }) =>
      withoutUndefined({ nameIdentifier: value, nameIdentifierScheme: scheme, schemeUri }),
    ),
  );
  const name = first?.full ?? ids[0]?.nameIdentifier;
  if (name === undefined) return null;
  if (agent.names.length + agent.alternatives.length > 1)
    notes.add("DataCite has a place for one name of a person or organisation: others are left out");
  const affiliation = unique(agent.affiliations.flatMap((org) => affiliationOf(org, notes) ?? []));
  const isOrganisation = agent.kind === "organizational";
  const part = (text: string | undefined): string | undefined =>
    isOrganisation ? undefined : trimmedText(text) || undefined;
  return withoutUndefined({
    name,
    nameType: agent.kind === null ? undefined : isOrganisation ? ("Organizational" as const) : ("Personal" as const),
    givenName: part(first?.given),
    familyName: part(first?.family),
    nameIdentifiers: ids.length === 0 ? undefined : ids,
    affiliation: affiliation.length === 0 ? undefined : affiliation,
    lang: first === null ? undefined : trimmedWording({ value: "", ...withoutUndefined({ lang: first.lang }) }).lang,
  });
}

/** At least one: DataCite requires a creator. */
export function creatorsOf(agents: readonly Agent[], notes: Notes): readonly Person[] {
  const people = agents.flatMap((agent) => personOf(agent, notes) ?? []);
  if (agents.some(({ role }) => trimmedText(role) !== ""))
    notes.add("Roles of creators left out: DataCite has no place for them");
  if (people.length > 0) return people;
  notes.add(`No creator is stated: DataCite requires one, written as ${UNKNOWN}`);
  return [{ name: UNKNOWN }];
}

export function contributorsOf(
  agents: readonly Agent[],
  rightsHolders: readonly Agent[],
  notes: Notes,
): readonly Contributor[] {
  const typeOf = (role: string | undefined): ContributorType => {
    const type = contributorTypeOf(role);
    if (type === null && trimmedText(role) !== "")
      notes.add(`The role "${shown(role ?? "")}" is not in DataCite's list: written as Other`);
    return type ?? "Other";
  };
  const typed = (agent: Agent, contributorType: ContributorType): readonly Contributor[] => {
    const person = personOf(agent, notes);
    return person === null ? [] : [{ contributorType, ...person }];
  };
  return [
    ...agents.flatMap((agent) => typed(agent, typeOf(agent.role))),
    ...rightsHolders.flatMap((agent) => typed(agent, "RightsHolder")),
  ];
}

const FUNDER_ORDER: readonly FunderType[] = ["ROR", "Crossref Funder ID", "GRID", "ISNI", "Other"];

function funderId(ids: readonly Ident[]): { readonly value: string; readonly type: FunderType } | undefined {
  const known = ids.flatMap((ident) => {
    const id = namedIdentifier(ident);
    if (id === null) return [];
    const type = funderTypeOf(ident.scheme) ?? "Other";
    return [{ value: type === "Crossref Funder ID" ? (funderDoi(id.value) ?? id.value) : id.value, type }];
  });
  return FUNDER_ORDER.flatMap((type) => known.find((each) => each.type === type) ?? [])[0];
}

/** Funder identifiers of Crossref are DOIs below 10.13039, written as addresses. */
function funderDoi(value: string): string | null {
  const number = /^(?:(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:)?10\.13039\/)?(\d{6,20})$/i.exec(value)?.[1];
  return number === undefined ? null : `https://doi.org/10.13039/${number}`;
}

export function fundingOf(funding: readonly Funding[], notes: Notes): readonly FundingReference[] {
  return funding.flatMap(({ funder, stream, award }) => {
    const id = funderId([...funder.ids, ...(stream?.ids ?? [])]);
    const awardNumber = trimmedText(award?.number) || undefined;
    const awardUri = absoluteUri(award?.uri) ?? undefined;
    const awardTitle = firstText(award?.titles ?? [])?.value;
    const stated = firstText(funder.names)?.value ?? firstText(stream?.names ?? [])?.value ?? id?.value;
    if (stated === undefined && awardNumber === undefined && awardUri === undefined && awardTitle === undefined)
      return [];
    if (funder.names.length > 1 || funder.ids.length > 1 || (award?.titles.length ?? 0) > 1 || stream !== undefined)
      notes.add(
        "DataCite has a place for one name and identifier of a funder and one title of an award: others are left out",
      );
    return [
      withoutUndefined({
        funderName: stated ?? UNKNOWN,
        funderIdentifier: id?.value,
        funderIdentifierType: id?.type,
        awardNumber,
        awardUri,
        awardTitle,
      }),
    ];
  });
}
