// Identifiers of an item and of what it is related to, as DataCite 4.6 describes them: alternate and related
// identifiers, related items.
import type { Container, Ident, Relation } from "../../model/metadata/metadata.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import { workKind } from "../citation/cited-item.ts";
import { absoluteUri, doiOfIdent, periodOf, trimmedText, trimmedWording, unique, yearOf } from "../export-values.ts";
import type { ExportedRecord } from "../exported-record.ts";
import type { Notes } from "../jpcoar/elements.ts";
import { shown } from "../jpcoar/nodes.ts";
import { resourceTypeWord } from "../vocabulary-words.ts";
import { UNKNOWN } from "./agents.ts";
import {
  type IdentifierType,
  identifierTypeOf,
  type RelationType,
  type ResourceTypeGeneral,
  relationTypeOf,
  resourceTypeGeneralOf,
  type TitleType,
} from "./lists.ts";

export type AlternateIdentifier = { readonly alternateIdentifier: string; readonly alternateIdentifierType: string };
export type RelatedIdentifier = {
  readonly relatedIdentifier: string;
  readonly relatedIdentifierType: IdentifierType;
  readonly relationType: RelationType;
  readonly resourceTypeGeneral?: ResourceTypeGeneral;
};
export type DataciteTitle = { readonly title: string; readonly titleType?: TitleType; readonly lang?: string };
export type RelatedItem = {
  readonly relatedItemType: ResourceTypeGeneral;
  readonly relationType: RelationType;
  readonly relatedItemIdentifier?: {
    readonly relatedItemIdentifier: string;
    readonly relatedItemIdentifierType: IdentifierType;
  };
  readonly titles: readonly DataciteTitle[];
  readonly publicationYear?: string;
  readonly volume?: string;
  readonly issue?: string;
  readonly firstPage?: string;
  readonly lastPage?: string;
};

type TypedIdentifier = { readonly value: string; readonly type: IdentifierType };

/** DataCite does not have all schemes of the model: an identifier of another scheme is written as its address. */
function typedIdent(ident: Ident): TypedIdentifier | null {
  const doi = doiOfIdent(ident);
  if (doi !== null) return { value: doi, type: "DOI" };
  const stated = trimmedText(ident.value);
  const type = identifierTypeOf(ident.scheme);
  if (type !== null && type !== "URL" && stated !== "") return { value: stated, type };
  const address = absoluteUri(stated) ?? absoluteUri(ident.uri);
  return address === null ? null : { value: address, type: "URL" };
}

/** The item's DOI in the form DataCite registers; null where it has none. */
export function registeredDoi({ identifiers, registration }: ExportedRecord["metadata"]): string | null {
  for (const ident of registration === undefined ? identifiers : [...identifiers, registration]) {
    const doi = doiOfIdent(ident);
    if (doi !== null && /^10\.\d{4,9}\/\S+$/.test(doi)) return doi;
  }
  return null;
}

/**
 * Everything it is known by but its DOI: the landing page, the ARK, the identifier of harvesters, then what the
 * metadata states.
 */
export function alternateIdentifiersOf(record: ExportedRecord, doi: string | null): readonly AlternateIdentifier[] {
  const { metadata, landingPage, ark, arkUrl, oai } = record;
  const list: (readonly [value: string | null, type: string])[] = [
    [landingPage, "URL"],
    [ark, "ARK"],
    [arkUrl, "URL"],
    [oai, "oai"],
    ...metadata.identifiers.map((ident): readonly [string | null, string] => {
      const own = doiOfIdent(ident);
      if (own !== null) return [own === doi ? null : own, "DOI"];
      const scheme = trimmedText(ident.scheme);
      const type = identifierTypeOf(ident.scheme) ?? (scheme === "" ? "Other" : scheme);
      return [trimmedText(ident.value) === "" ? trimmedText(ident.uri) : trimmedText(ident.value), type];
    }),
  ];
  const related = list.flatMap(([value, alternateIdentifierType]) =>
    value === null || value === "" ? [] : [{ alternateIdentifier: value, alternateIdentifierType }],
  );
  return unique(related);
}

function generalType(written: string | undefined): ResourceTypeGeneral | undefined {
  if (trimmedText(written) === "") return undefined;
  const word = resourceTypeWord({ id: written ?? "", label: written ?? "" });
  return resourceTypeGeneralOf(word?.props.datacite_general) ?? resourceTypeGeneralOf(written) ?? "Other";
}

/** Versions before and after, the item in all its versions, communities. */
function ownRelations({ landingPage, parentPage, replaces, isReplacedBy, baseUrl, communities }: ExportedRecord) {
  const to = (address: string | null, relationType: RelationType): readonly RelatedIdentifier[] => {
    const uri = address === landingPage ? null : absoluteUri(address ?? undefined);
    return uri === null ? [] : [{ relatedIdentifier: uri, relatedIdentifierType: "URL", relationType }];
  };
  return [
    ...to(parentPage, "IsVersionOf"),
    ...to(replaces, "IsNewVersionOf"),
    ...to(isReplacedBy, "IsPreviousVersionOf"),
    ...communities.flatMap(({ slug }) => to(`${baseUrl}/api/communities/${encodeURIComponent(slug)}`, "IsPartOf")),
  ];
}

export function relatedIdentifiersOf(record: ExportedRecord, notes: Notes): readonly RelatedIdentifier[] {
  const { relations, references, containers } = record.metadata;
  const related = (ident: Ident, relationType: RelationType, general?: ResourceTypeGeneral) => {
    const typed = typedIdent(ident);
    if (typed === null) {
      notes.add(`The related identifier "${shown(ident.value)}" (${shown(ident.scheme)}) has no type in DataCite`);
      return [];
    }
    const related = { relatedIdentifier: typed.value, relatedIdentifierType: typed.type, relationType };
    return [{ ...related, ...withoutUndefined({ resourceTypeGeneral: general }) }];
  };
  const stated = relations.flatMap(({ type, ident, resourceType }) => {
    if (ident === undefined) return [];
    const relation = relationTypeOf(type);
    if (relation === null) notes.add(`The relation "${shown(type)}" is not in DataCite's list and is left out`);
    return relation === null ? [] : related(ident, relation, generalType(resourceType));
  });
  const cited = references.flatMap(({ ident }) => {
    if (ident === undefined) notes.add("References without an identifier left out: DataCite has no place for them");
    return ident === undefined ? [] : related(ident, "References");
  });
  // Readers that know no related items learn of the journal here.
  const journals = containers
    .flatMap(({ ids }) => ids)
    .filter(({ scheme }) => identifierTypeOf(scheme) === "ISSN" || identifierTypeOf(scheme) === "EISSN")
    .flatMap((ident) => related(ident, "IsPartOf", "Collection"));
  return unique([...stated, ...cited, ...ownRelations(record), ...journals]);
}

const titlesOf = (titles: Relation["titles"]): readonly DataciteTitle[] =>
  unique(
    titles
      .map(trimmedWording)
      .filter(({ value }) => value !== "")
      .map(({ value, lang }) => withoutUndefined({ title: value, lang })),
  );

const CONTAINERS: Readonly<Record<string, ResourceTypeGeneral>> = {
  article: "Journal",
  part: "Book",
  conference: "ConferenceProceeding",
};

function itemOfContainer(
  container: Container,
  relatedItemType: ResourceTypeGeneral,
  notes: Notes,
): readonly RelatedItem[] {
  const { ids, volume, issue, pageStart, pageEnd, numPages, issued } = container;
  const titles = titlesOf(container.titles);
  const typed = ids.flatMap((ident) => typedIdent(ident) ?? []);
  const related: RelatedItem = withoutUndefined({
    relatedItemType,
    relationType: "IsPublishedIn" as const,
    relatedItemIdentifier: identifierOf(typed[0]),
    titles: titles.length === 0 ? [{ title: UNKNOWN }] : titles,
    publicationYear: yearOf(issued) ?? undefined,
    volume: trimmedText(volume) || undefined,
    issue: trimmedText(issue) || undefined,
    firstPage: trimmedText(pageStart) || undefined,
    lastPage: trimmedText(pageEnd) || undefined,
  });
  if (trimmedText(numPages) !== "" || typed.length < ids.length || typed.length > 1)
    notes.add(
      "Numbers of pages and further identifiers of what it appeared in left out: DataCite has no place for them",
    );
  const isEmpty = titles.length === 0 && Object.keys(related).length === 3;
  return isEmpty ? [] : [related];
}

const identifierOf = (typed: TypedIdentifier | undefined): RelatedItem["relatedItemIdentifier"] =>
  typed === undefined ? undefined : { relatedItemIdentifier: typed.value, relatedItemIdentifierType: typed.type };

/** What it appeared in, and related works that have a title. */
export function relatedItemsOf({ metadata }: ExportedRecord, notes: Notes): readonly RelatedItem[] {
  const within = CONTAINERS[workKind(metadata)] ?? "Other";
  const containers = metadata.containers.flatMap((container) => itemOfContainer(container, within, notes));
  const related = metadata.relations.flatMap(({ type, ident, titles, resourceType }): readonly RelatedItem[] => {
    const relationType = relationTypeOf(type);
    const named = titlesOf(titles);
    if (relationType === null && named.length > 0)
      notes.add(`The relation "${shown(type)}" is not in DataCite's list and is left out`);
    if (relationType === null || named.length === 0) return [];
    const typed = ident === undefined ? null : typedIdent(ident);
    return [
      withoutUndefined({
        relatedItemType: generalType(resourceType) ?? "Other",
        relationType,
        relatedItemIdentifier: identifierOf(typed ?? undefined),
        titles: named,
      }),
    ];
  });
  return unique([...containers, ...related]);
}

/** A date as DataCite writes it (W3CDTF, intervals of RKMS-ISO8601); null for words. */
export const dataciteDate = (text: string): string | null => (periodOf(text) === null ? null : trimmedText(text));
