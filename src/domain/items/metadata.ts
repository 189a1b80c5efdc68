// The canonical metadata of an item (R3): the one model every door reads from and writes to. Each field names, in this order, its JPCOAR 2.0
// element, its field in the tools' model and its DataCite 4 property; "-" where a door has no place for it.

/** Anything JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Words in a language (BCP 47; `ja-Kana` and `ja-Latn` are kept as written). */
export type Text = { readonly value: string; readonly lang?: string };

/** An identifier under a scheme of the vocabulary; unknown schemes are kept as written. `uri` where the source gave one. */
export type Ident = {
  readonly scheme: string;
  readonly value: string;
  readonly uri?: string;
  /** Where the scheme itself is described (JPCOAR funderIdentifierTypeURI, DataCite schemeURI). */
  readonly schemeUri?: string;
};

export type Org = { readonly names: readonly Text[]; readonly ids: readonly Ident[] };

/** One name of an agent in one language. */
export type AgentName = {
  readonly full?: string;
  readonly family?: string;
  readonly given?: string;
  readonly lang?: string;
};

export type Agent = {
  readonly kind: "personal" | "organizational" | null;
  readonly names: readonly AgentName[];
  readonly alternatives: readonly Text[];
  readonly ids: readonly Ident[];
  readonly emails: readonly string[];
  readonly affiliations: readonly Org[];
  /** Contributor type (JPCOAR contributorType, DataCite contributorType), or the creator type. */
  readonly role?: string;
  /** The person of the author database this agent is linked to (R6a). */
  readonly authorId?: number;
};

export type TitleKind = "main" | "alternative" | "subtitle" | "translated" | "other";
export type Title = Text & { readonly kind: TitleKind };

/** `kind`: Abstract, Methods, TableOfContents, TechnicalInfo, Other, or as written. `html`: the value is markup that was not written by us. */
export type Description = Text & { readonly kind: string; readonly html: boolean };

export type Right = { readonly id?: string; readonly text: readonly Text[]; readonly uri?: string };
export type Subject = { readonly id?: string; readonly text?: Text; readonly scheme?: string; readonly uri?: string };
export type Publisher = {
  readonly names: readonly Text[];
  /** The first dcndl:location and the first jpcoar:publisherDescription; further ones below. */
  readonly place?: Text;
  readonly description?: Text;
  readonly morePlaces?: readonly Text[];
  readonly moreDescriptions?: readonly Text[];
  /** dcndl:publicationPlace, a country code (ISO 3166-1). */
  readonly countries?: readonly string[];
  /** `dc` when it came as plain dc:publisher, `jpcoar` when as jpcoar:publisher. */
  readonly publisherType?: "dc" | "jpcoar";
};
/** `type`: a JPCOAR dateType, or `dcterms` for a free dcterms:date. `date` is kept as written (W3CDTF, EDTF, or words). */
export type ItemDate = {
  readonly date: string;
  readonly type: string;
  readonly description?: Text;
  /** Language of a free date, which may be words. */
  readonly lang?: string;
};
export type Relation = {
  readonly type: string;
  readonly ident?: Ident;
  readonly titles: readonly Text[];
  readonly resourceType?: string;
};
export type GeoPoint = { readonly longitude: string; readonly latitude: string };
export type GeoBox = { readonly west: string; readonly east: string; readonly south: string; readonly north: string };
export type Location = {
  readonly point?: GeoPoint;
  readonly box?: GeoBox;
  readonly geometry?: Json;
  readonly places: readonly Text[];
  readonly ids: readonly Ident[];
  readonly description?: Text;
};
export type Funding = {
  readonly funder: Org;
  /** JPCOAR fundingStreamIdentifier and fundingStream. */
  readonly stream?: { readonly ids: readonly Ident[]; readonly names: readonly Text[] };
  readonly award?: {
    readonly number?: string;
    readonly numberType?: string;
    readonly uri?: string;
    readonly titles: readonly Text[];
  };
};
/** What the item appeared in. `place` remembers which of an item type's two groups it came from (R4a): `flat` (24 to 29) or `grouped` (30). */
export type Container = {
  readonly titles: readonly Text[];
  readonly ids: readonly Ident[];
  readonly volume?: string;
  readonly issue?: string;
  readonly pageStart?: string;
  readonly pageEnd?: string;
  readonly numPages?: string;
  readonly issued?: string;
  readonly place: "flat" | "grouped";
};
export type Degree = {
  readonly number?: string;
  readonly names: readonly Text[];
  readonly granted?: string;
  readonly grantors: readonly Org[];
};
export type Conference = {
  readonly names: readonly Text[];
  readonly sequence?: string;
  readonly sponsors: readonly Text[];
  readonly date?: {
    readonly text?: string;
    readonly lang?: string;
    readonly startYear?: string;
    readonly startMonth?: string;
    readonly startDay?: string;
    readonly endYear?: string;
    readonly endMonth?: string;
    readonly endDay?: string;
  };
  readonly venues: readonly Text[];
  readonly places: readonly Text[];
  readonly country?: string;
};
export type Holding = { readonly ids: readonly Ident[]; readonly names: readonly Text[] };
/** JPCOAR catalog, one for an item that is a data catalogue's entry. Members as the XSD names them. */
export type Catalog = {
  readonly contributors: readonly Agent[];
  readonly ids: readonly Ident[];
  readonly titles: readonly Text[];
  readonly descriptions: readonly Description[];
  readonly subjects: readonly Subject[];
  readonly licenses: readonly { readonly type?: string; readonly uri?: string; readonly text: Text }[];
  readonly rights: readonly Right[];
  readonly accessRights?: AccessRights;
  readonly files: readonly {
    readonly uri: string;
    readonly objectType?: string;
    readonly label?: string;
    readonly mimeType?: string;
    readonly extents?: readonly string[];
    readonly dates?: readonly { readonly date: string; readonly type: string }[];
    readonly version?: string;
  }[];
};
/** What the depositor states; printed as stated, never used to decide (R2d). `label` as in the COAR vocabulary: "open access", … */
export type AccessRights = { readonly label: string; readonly uri?: string };
/** `id` of the vocabulary `resourcetypes`; label and COAR URI as written by the source. */
export type ResourceType = { readonly id: string; readonly label?: string; readonly uri?: string };
/** What a format carried and the model has no place for. */
export type Extra = { readonly format: string; readonly path: string; readonly value: Json };

export type Metadata = {
  /** dc:type · resource_type · resourceType */
  readonly type: ResourceType | null;
  /** dc:title, dcterms:alternative · title, additional_titles · titles */
  readonly titles: readonly Title[];
  /** jpcoar:creator · creators · creators */
  readonly creators: readonly Agent[];
  /** jpcoar:contributor · contributors · contributors */
  readonly contributors: readonly Agent[];
  /** jpcoar:rightsHolder · - · contributors (RightsHolder) */
  readonly rightsHolders: readonly Agent[];
  /** dcterms:accessRights · - · rightsList */
  readonly accessRights?: AccessRights;
  /** rioxxterms:apc (1.0 only) · - · - */
  readonly apc?: string;
  /** dc:rights · rights · rightsList */
  readonly rights: readonly Right[];
  /** - · copyright · - */
  readonly copyright?: string;
  /** jpcoar:subject · subjects · subjects */
  readonly subjects: readonly Subject[];
  /** datacite:description · description, additional_descriptions · descriptions */
  readonly descriptions: readonly Description[];
  /** dc:publisher, jpcoar:publisher · publisher · publisher */
  readonly publishers: readonly Publisher[];
  /** - (derived from date Issued) · publication_date · publicationYear. EDTF level 0 as written. */
  readonly publicationDate?: string;
  /** datacite:date, dcterms:date · dates · dates */
  readonly dates: readonly ItemDate[];
  /** dc:language · languages · language. ISO 639-3. */
  readonly languages: readonly string[];
  /** datacite:version · version · version */
  readonly versionLabel?: string;
  /** oaire:version (AO, SMUR, AM, P, VoR, CVoR, EVoR, NA) · - · - */
  readonly versionType?: { readonly label: string; readonly uri?: string };
  /** jpcoar:identifier · identifiers · identifier, alternateIdentifiers */
  readonly identifiers: readonly Ident[];
  /** jpcoar:identifierRegistration · - · - */
  readonly registration?: Ident;
  /** jpcoar:relation · related_identifiers · relatedIdentifiers, relatedItems */
  readonly relations: readonly Relation[];
  /** dcterms:temporal · - · - */
  readonly temporals: readonly Text[];
  /** datacite:geoLocation · locations · geoLocations */
  readonly locations: readonly Location[];
  /** jpcoar:fundingReference · funding · fundingReferences */
  readonly funding: readonly Funding[];
  /** jpcoar:sourceIdentifier, sourceTitle, volume, issue, numPages, pageStart, pageEnd · custom_fields journal · relatedItem (IsPublishedIn) */
  readonly containers: readonly Container[];
  /** dcndl:dissertationNumber, degreeName, dateGranted, jpcoar:degreeGrantor · - · - */
  readonly degree?: Degree;
  /** jpcoar:conference · custom_fields meeting · - */
  readonly conferences: readonly Conference[];
  /** dcndl:edition · - · - */
  readonly editions: readonly Text[];
  /** dcndl:volumeTitle · - · - */
  readonly volumeTitles: readonly Text[];
  /** dcndl:originalLanguage · - · - */
  readonly originalLanguages: readonly string[];
  /** jpcoar:format · formats · formats */
  readonly formats: readonly Text[];
  /** dcterms:extent · sizes · sizes */
  readonly sizes: readonly Text[];
  /** jpcoar:holdingAgent · - · - */
  readonly holdingAgent?: Holding;
  /** jpcoar:datasetSeries · - · - */
  readonly datasetSeries?: boolean;
  /** jpcoar:catalog · - · - */
  readonly catalog?: Catalog;
  /** - · references · relatedIdentifiers (References) */
  readonly references: readonly { readonly text: string; readonly ident?: Ident }[];
  /** Fields of item types without a canonical place, key `<item type id>:<property path>` (R4a), and `svc:…` of the tools. */
  readonly custom: Readonly<Record<string, Json>>;
  /** What a format carried and the model has no place for; kept, never shown as if understood. */
  readonly extra: readonly Extra[];
};

/** Metadata that says nothing; readers begin with it. */
export const EMPTY_METADATA: Metadata = {
  type: null,
  titles: [],
  creators: [],
  contributors: [],
  rightsHolders: [],
  rights: [],
  subjects: [],
  descriptions: [],
  publishers: [],
  dates: [],
  languages: [],
  identifiers: [],
  relations: [],
  temporals: [],
  locations: [],
  funding: [],
  containers: [],
  conferences: [],
  editions: [],
  volumeTitles: [],
  originalLanguages: [],
  formats: [],
  sizes: [],
  references: [],
  custom: {},
  extra: [],
};

/** The title an item is listed under (R3): the first main one, else the first of any kind, else "". */
export function mainTitle(metadata: Metadata): string {
  const main = metadata.titles.find((title) => title.kind === "main") ?? metadata.titles[0];
  return main?.value ?? "";
}

/** When the thing itself was published (R3): as stated, else the date Issued, else the day the degree was granted. Never gates access (R2d). */
export function publicationDate(metadata: Metadata): string | null {
  const issued = metadata.dates.find((date) => date.type === "Issued")?.date;
  return metadata.publicationDate ?? issued ?? metadata.degree?.granted ?? null;
}
