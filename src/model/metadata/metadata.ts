// The canonical metadata of an item (R3): the one model every interface reads from and writes to, as a schema. The
// types come from it; what other models call a member, which vocabulary its words are of and how item types see it are
// annotations of it.

import { Kind, type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Json } from "../../shared/json/json.ts";

/**
 * How item types see a value. `written`: a field may write it. `marker`: one of a few words of the model, by which a
 * place chooses and which no field writes. `filled`: a new element has it and no field writes it. `absent`: forms know
 * nothing of it.
 */
type FormRole = "written" | "marker" | "filled" | "absent";

/** What the schema adds to the types. A model that is not named has no place for the member. */
export type Annotations = {
  /** The name of a member on pages; a landing page has no row for a member without a label. */
  readonly label?: { readonly en: string; readonly ja: string };
  /** JPCOAR 2.0 elements. */
  readonly jpcoar?: readonly string[];
  /** Fields of the records backend and of the tools. */
  readonly tools?: readonly string[];
  /** DataCite 4 properties. */
  readonly datacite?: readonly string[];
  /** The vocabulary of the ids or words in this member (R6a). */
  readonly vocabulary?: string;
  /** Left out: `written`. */
  readonly form?: FormRole;
  /** The default of a new element of a form; absent: the default of the schema. */
  readonly blank?: string;
  /** Of each list of names one member must be present, else an element of a form is empty. */
  readonly needs?: readonly (readonly string[])[];
};

/** The annotations of a schema, in addition to the type. */
export function annotationsOf(schema: TSchema): Annotations {
  // Every option of these schemas that TypeBox does not know is an annotation.
  return schema as Annotations;
}

/** Nothing of the model is changed in place. */
type DeepReadonly<T> = [Json] extends [T]
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
      : T;

type Value = Annotations & { readonly default?: string };

const text = (value: Value = {}) => Type.String(value);
const optionalText = (value: Value = {}) => Type.Optional(Type.String(value));
const anyJson = (value: Annotations = {}) => Type.Unsafe<Json>(Type.Any(value));
const object = <P extends TProperties>(properties: P, annotations: Annotations = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...annotations });
const list = <T extends TSchema>(item: T, annotations: Annotations = {}) => Type.Array(item, { ...annotations });
const optional = <T extends TSchema>(schema: T, annotations: Annotations = {}) =>
  Type.Optional({ ...schema, ...annotations });

const ABSENT = { form: "absent" } as const;

/** Words in a language (BCP 47; `ja-Kana` and `ja-Latn` are kept as written). */
const Text = object({ value: text(), lang: optionalText() }, { needs: [["value"]] });
export type Text = DeepReadonly<Static<typeof Text>>;
const texts = (annotations: Annotations = {}) => list(Text, annotations);

/**
 * An identifier under a scheme of the vocabulary; unknown schemes are kept as written. `uri` where the source gave one,
 * `schemeUri` where the scheme itself is described (JPCOAR funderIdentifierTypeURI, DataCite schemeURI).
 */
const Ident = object(
  {
    scheme: text({ blank: "", vocabulary: "identifierschemes" }),
    value: text({ blank: "" }),
    uri: optionalText(),
    schemeUri: optionalText(ABSENT),
  },
  { needs: [["value", "uri"]] },
);
export type Ident = DeepReadonly<Static<typeof Ident>>;
const idents = (annotations: Annotations = {}) => list(Ident, annotations);

const Org = object({ names: texts(), ids: idents() }, { needs: [["names", "ids"]] });
export type Org = DeepReadonly<Static<typeof Org>>;

/** One name of an agent in one language. */
const AgentName = object(
  { full: optionalText(), family: optionalText(), given: optionalText(), lang: optionalText() },
  { needs: [["full", "family", "given"]] },
);
export type AgentName = DeepReadonly<Static<typeof AgentName>>;

/**
 * A person or an organisation. `role`: contributor type (JPCOAR contributorType, DataCite contributorType), or the
 * creator type. `authorId`: the person of the author database this agent is linked to (R6a).
 */
const Agent = object(
  {
    kind: Type.Union([Type.Literal("personal"), Type.Literal("organizational"), Type.Null()], {
      default: null,
      form: "filled",
    }),
    names: list(AgentName),
    alternatives: texts(),
    ids: idents(),
    emails: list(text()),
    affiliations: list(Org),
    role: optionalText(),
    authorId: Type.Optional(Type.Number(ABSENT)),
  },
  { needs: [["names", "alternatives", "ids", "emails", "affiliations"]] },
);
export type Agent = DeepReadonly<Static<typeof Agent>>;

const Title = object(
  {
    value: text(),
    lang: optionalText(),
    kind: Type.Union(
      [
        Type.Literal("main"),
        Type.Literal("alternative"),
        Type.Literal("subtitle"),
        Type.Literal("translated"),
        Type.Literal("other"),
      ],
      { default: "main", form: "marker" },
    ),
  },
  { needs: [["value"]] },
);
export type Title = DeepReadonly<Static<typeof Title>>;

/**
 * `kind`: Abstract, Methods, TableOfContents, TechnicalInfo, Other, or as written. `html`: the value is markup that was
 * not written by us.
 */
const Description = object(
  {
    value: text(),
    lang: optionalText(),
    kind: text({ default: "Abstract", blank: "Other", vocabulary: "descriptiontypes" }),
    html: Type.Boolean({ form: "filled" }),
  },
  { needs: [["value"]] },
);
export type Description = DeepReadonly<Static<typeof Description>>;

/** `description`: the description of a licence in the tools' model, in addition to its title. */
const Right = object(
  {
    id: optionalText({ vocabulary: "licenses" }),
    text: texts(),
    uri: optionalText(),
    description: optional(Text, ABSENT),
  },
  { needs: [["text", "uri", "id"]] },
);
export type Right = DeepReadonly<Static<typeof Right>>;

const Subject = object(
  { id: optionalText(), text: optional(Text), scheme: optionalText(), uri: optionalText() },
  { needs: [["text", "uri", "id"]] },
);
export type Subject = DeepReadonly<Static<typeof Subject>>;

/**
 * `place` and `description` are the first dcndl:location and jpcoar:publisherDescription, further ones are in
 * `morePlaces` and `moreDescriptions`. `countries`: dcndl:publicationPlace, codes of ISO 3166-1. `publisherType`: `dc`
 * when it came as plain dc:publisher, `jpcoar` when as jpcoar:publisher.
 */
const Publisher = object(
  {
    names: texts(),
    place: optional(Text),
    description: optional(Text),
    morePlaces: optional(texts(), ABSENT),
    moreDescriptions: optional(texts(), ABSENT),
    countries: optional(list(text()), ABSENT),
    publisherType: Type.Optional(
      Type.Union([Type.Literal("dc"), Type.Literal("jpcoar")], { form: "filled", blank: "dc" }),
    ),
  },
  { needs: [["names", "place", "description"]] },
);
export type Publisher = DeepReadonly<Static<typeof Publisher>>;

/**
 * `type`: a JPCOAR dateType, or `dcterms` for a free dcterms:date. `date` is kept as written (W3CDTF, EDTF, or words),
 * `lang` is the language of a free date, which may be words.
 */
const ItemDate = object(
  {
    date: text(),
    type: text({ default: "dcterms", vocabulary: "datetypes" }),
    description: optional(Text),
    lang: optionalText(ABSENT),
  },
  { needs: [["date"]] },
);
export type ItemDate = DeepReadonly<Static<typeof ItemDate>>;

const Relation = object(
  {
    type: text({ default: "", vocabulary: "relationtypes" }),
    ident: optional(Ident),
    titles: texts(),
    resourceType: optionalText(),
  },
  { needs: [["ident", "titles"]] },
);
export type Relation = DeepReadonly<Static<typeof Relation>>;

const GeoPoint = object(
  { longitude: text({ blank: "" }), latitude: text({ blank: "" }) },
  { needs: [["longitude", "latitude"]] },
);

const GeoBox = object(
  { west: text({ blank: "" }), east: text({ blank: "" }), south: text({ blank: "" }), north: text({ blank: "" }) },
  { needs: [["west", "east", "south", "north"]] },
);

const Location = object(
  {
    point: optional(GeoPoint),
    box: optional(GeoBox),
    geometry: Type.Optional(anyJson(ABSENT)),
    places: texts(),
    ids: idents(),
    description: optional(Text),
  },
  { needs: [["point", "box", "places", "ids", "description"]] },
);
export type Location = DeepReadonly<Static<typeof Location>>;

/**
 * `stream`: JPCOAR fundingStreamIdentifier and fundingStream. Of an award: `id` of the vocabulary awards, `ids` in
 * addition to number and address.
 */
const Funding = object(
  {
    funder: Org,
    stream: optional(object({ ids: idents(), names: texts() }, { needs: [["ids", "names"]] })),
    award: optional(
      object(
        {
          number: optionalText(),
          numberType: optionalText(),
          uri: optionalText(),
          titles: texts(),
          id: optionalText({ vocabulary: "awards", ...ABSENT }),
          ids: optional(idents(), ABSENT),
        },
        { needs: [["number", "uri", "titles"]] },
      ),
    ),
  },
  { needs: [["funder", "stream", "award"]] },
);
export type Funding = DeepReadonly<Static<typeof Funding>>;

/**
 * What the item appeared in. `place` remembers which of an item type's two groups it came from (R4a): `flat` (24 to 29)
 * or `grouped` (30).
 */
const Container = object(
  {
    titles: texts(),
    ids: idents(),
    volume: optionalText(),
    issue: optionalText(),
    pageStart: optionalText(),
    pageEnd: optionalText(),
    numPages: optionalText(),
    issued: optionalText(),
    place: Type.Union([Type.Literal("flat"), Type.Literal("grouped")], { default: "flat", form: "marker" }),
  },
  { needs: [["titles", "ids", "volume", "issue", "pageStart", "pageEnd", "numPages", "issued"]] },
);
export type Container = DeepReadonly<Static<typeof Container>>;

const Degree = object(
  { number: optionalText(), names: texts(), granted: optionalText(), grantors: list(Org) },
  { needs: [["number", "granted", "names", "grantors"]] },
);
export type Degree = DeepReadonly<Static<typeof Degree>>;

const ConferenceDate = object(
  {
    text: optionalText(),
    lang: optionalText(),
    startYear: optionalText(),
    startMonth: optionalText(),
    startDay: optionalText(),
    endYear: optionalText(),
    endMonth: optionalText(),
    endDay: optionalText(),
  },
  { needs: [["text", "startYear", "startMonth", "startDay", "endYear", "endMonth", "endDay"]] },
);
const Conference = object(
  {
    names: texts(),
    sequence: optionalText(),
    sponsors: texts(),
    date: optional(ConferenceDate),
    venues: texts(),
    places: texts(),
    country: optionalText(),
  },
  { needs: [["names", "sponsors", "venues", "places", "sequence", "country", "date"]] },
);
export type Conference = DeepReadonly<Static<typeof Conference>>;

const Holding = object({ ids: idents(), names: texts() }, { needs: [["ids", "names"]] });
export type Holding = DeepReadonly<Static<typeof Holding>>;

/**
 * What the depositor states; printed as stated, never used to decide (R2d). `label` as in the COAR vocabulary: "open
 * access", …
 */
const AccessRights = object({ label: text({ blank: "" }), uri: optionalText() }, { needs: [["label", "uri"]] });
export type AccessRights = DeepReadonly<Static<typeof AccessRights>>;

/** JPCOAR catalog, one for an item that is a data catalogue's entry. Members as the XSD names them. */
const Catalog = object({
  contributors: list(Agent),
  ids: idents(),
  titles: texts(),
  descriptions: list(Description),
  subjects: list(Subject),
  licenses: list(object({ type: optionalText(), uri: optionalText(), text: Text })),
  rights: list(Right),
  accessRights: optional(AccessRights),
  files: list(
    object({
      uri: text(),
      objectType: optionalText(),
      label: optionalText(),
      mimeType: optionalText(),
      extents: Type.Optional(list(text())),
      dates: Type.Optional(list(object({ date: text(), type: text() }))),
      version: optionalText(),
    }),
  ),
});
export type Catalog = DeepReadonly<Static<typeof Catalog>>;

/** `id` of the vocabulary `resourcetypes`; label and COAR URI as written by the source. */
const ResourceType = object(
  {
    id: text({ default: "other", vocabulary: "resourcetypes", form: "absent" }),
    label: optionalText(),
    uri: optionalText(),
  },
  { needs: [["label", "uri"]] },
);
export type ResourceType = DeepReadonly<Static<typeof ResourceType>>;

/** oaire:version: AO, SMUR, AM, P, VoR, CVoR, EVoR, NA. */
const VersionType = object({ label: text({ blank: "" }), uri: optionalText() }, { needs: [["label", "uri"]] });

/** What a format carried and the model has no place for. */
const Extra = object({ format: text(), path: text(), value: anyJson() });
export type Extra = DeepReadonly<Static<typeof Extra>>;

/**
 * Every member of the canonical metadata. `default` is what a reader takes for a required value that a source does not
 * give.
 */
export const Metadata = object({
  type: Type.Union([ResourceType, Type.Null()], {
    label: { en: "Type", ja: "資源タイプ" },
    jpcoar: ["dc:type"],
    tools: ["resource_type"],
    datacite: ["resourceType"],
  }),
  titles: list(Title, {
    jpcoar: ["dc:title", "dcterms:alternative"],
    tools: ["title", "additional_titles"],
    datacite: ["titles"],
    vocabulary: "titletypes",
  }),
  creators: list(Agent, {
    label: { en: "Creators", ja: "作成者" },
    jpcoar: ["jpcoar:creator"],
    tools: ["creators"],
    datacite: ["creators"],
    vocabulary: "creatorsroles",
  }),
  contributors: list(Agent, {
    label: { en: "Contributors", ja: "寄与者" },
    jpcoar: ["jpcoar:contributor"],
    tools: ["contributors"],
    datacite: ["contributors"],
    vocabulary: "contributorsroles",
  }),
  rightsHolders: list(Agent, {
    label: { en: "Rights holders", ja: "権利者" },
    jpcoar: ["jpcoar:rightsHolder"],
    datacite: ["contributors"],
  }),
  accessRights: optional(AccessRights, {
    label: { en: "Stated access rights", ja: "記載されたアクセス権" },
    jpcoar: ["dcterms:accessRights"],
    datacite: ["rightsList"],
  }),
  /** JPCOAR 1.0 only. */
  apc: optionalText({
    label: { en: "Article processing charge", ja: "論文掲載料（APC）" },
    jpcoar: ["rioxxterms:apc"],
  }),
  rights: list(Right, {
    label: { en: "Rights", ja: "権利情報" },
    jpcoar: ["dc:rights"],
    tools: ["rights"],
    datacite: ["rightsList"],
  }),
  copyright: optionalText({ label: { en: "Copyright", ja: "著作権" }, tools: ["copyright"] }),
  subjects: list(Subject, {
    label: { en: "Subjects", ja: "主題" },
    jpcoar: ["jpcoar:subject"],
    tools: ["subjects"],
    datacite: ["subjects"],
  }),
  descriptions: list(Description, {
    label: { en: "Description", ja: "内容記述" },
    jpcoar: ["datacite:description"],
    tools: ["description", "additional_descriptions"],
    datacite: ["descriptions"],
  }),
  publishers: list(Publisher, {
    label: { en: "Publisher", ja: "出版者" },
    jpcoar: ["dc:publisher", "jpcoar:publisher"],
    tools: ["publisher"],
    datacite: ["publisher"],
  }),
  /** In JPCOAR derived from the date Issued. EDTF level 0 as written. */
  publicationDate: optionalText({
    label: { en: "Date of publication", ja: "出版日" },
    tools: ["publication_date"],
    datacite: ["publicationYear"],
  }),
  dates: list(ItemDate, {
    label: { en: "Dates", ja: "日付" },
    jpcoar: ["datacite:date", "dcterms:date"],
    tools: ["dates"],
    datacite: ["dates"],
  }),
  /** ISO 639-3. */
  languages: list(text(), {
    label: { en: "Language", ja: "言語" },
    jpcoar: ["dc:language"],
    tools: ["languages"],
    datacite: ["language"],
    vocabulary: "languages",
  }),
  versionLabel: optionalText({
    label: { en: "Version", ja: "バージョン情報" },
    jpcoar: ["datacite:version"],
    tools: ["version"],
    datacite: ["version"],
  }),
  versionType: optional(VersionType, {
    label: { en: "Stage of publication", ja: "出版タイプ" },
    jpcoar: ["oaire:version"],
  }),
  identifiers: idents({
    label: { en: "Identifiers", ja: "識別子" },
    jpcoar: ["jpcoar:identifier"],
    tools: ["identifiers"],
    datacite: ["identifier", "alternateIdentifiers"],
  }),
  registration: optional(Ident, { jpcoar: ["jpcoar:identifierRegistration"] }),
  relations: list(Relation, {
    label: { en: "Related items", ja: "関連情報" },
    jpcoar: ["jpcoar:relation"],
    tools: ["related_identifiers"],
    datacite: ["relatedIdentifiers", "relatedItems"],
  }),
  temporals: texts({ label: { en: "Period covered", ja: "対象時期" }, jpcoar: ["dcterms:temporal"] }),
  locations: list(Location, {
    label: { en: "Places", ja: "位置情報" },
    jpcoar: ["datacite:geoLocation"],
    tools: ["locations"],
    datacite: ["geoLocations"],
  }),
  funding: list(Funding, {
    label: { en: "Funding", ja: "助成情報" },
    jpcoar: ["jpcoar:fundingReference"],
    tools: ["funding"],
    datacite: ["fundingReferences"],
  }),
  containers: list(Container, {
    label: { en: "Published in", ja: "掲載誌" },
    jpcoar: [
      "jpcoar:sourceIdentifier",
      "jpcoar:sourceTitle",
      "jpcoar:volume",
      "jpcoar:issue",
      "jpcoar:numPages",
      "jpcoar:pageStart",
      "jpcoar:pageEnd",
    ],
    tools: ["custom_fields.journal:journal"],
    datacite: ["relatedItem"],
  }),
  degree: optional(Degree, {
    label: { en: "Degree", ja: "学位" },
    jpcoar: ["dcndl:dissertationNumber", "dcndl:degreeName", "dcndl:dateGranted", "jpcoar:degreeGrantor"],
  }),
  conferences: list(Conference, {
    label: { en: "Conference", ja: "会議" },
    jpcoar: ["jpcoar:conference"],
    tools: ["custom_fields.meeting:meeting"],
  }),
  editions: texts({ label: { en: "Edition", ja: "版表示" }, jpcoar: ["dcndl:edition"] }),
  volumeTitles: texts({ label: { en: "Title of the volume", ja: "部編名" }, jpcoar: ["dcndl:volumeTitle"] }),
  originalLanguages: list(text(), {
    label: { en: "Original language", ja: "原文の言語" },
    jpcoar: ["dcndl:originalLanguage"],
    vocabulary: "languages",
  }),
  formats: texts({
    label: { en: "Format", ja: "物理的形態" },
    jpcoar: ["jpcoar:format"],
    tools: ["formats"],
    datacite: ["formats"],
  }),
  sizes: texts({
    label: { en: "Extent", ja: "大きさ" },
    jpcoar: ["dcterms:extent"],
    tools: ["sizes"],
    datacite: ["sizes"],
  }),
  holdingAgent: optional(Holding, { label: { en: "Held by", ja: "所蔵機関" }, jpcoar: ["jpcoar:holdingAgent"] }),
  datasetSeries: Type.Optional(
    Type.Boolean({
      label: { en: "Series of data sets", ja: "データセットシリーズ" },
      jpcoar: ["jpcoar:datasetSeries"],
      form: "absent",
    }),
  ),
  catalog: optional(Catalog, {
    label: { en: "Catalogue", ja: "カタログ" },
    jpcoar: ["jpcoar:catalog"],
    form: "absent",
  }),
  references: list(object({ text: text(), ident: optional(Ident) }), {
    label: { en: "References", ja: "参考文献" },
    tools: ["references"],
    datacite: ["relatedIdentifiers"],
    form: "absent",
  }),
  /**
   * Fields of item types without a canonical place, key `<item type id>:<property path>` (R4a), and `svc:…` of the
   * tools.
   */
  custom: Type.Record(Type.String(), anyJson(), ABSENT),
  /** Parts of a format that the model has no place for; stored, never shown as if understood. */
  extra: list(Extra, ABSENT),
});
export type Metadata = DeepReadonly<Static<typeof Metadata>>;

/** Empty metadata; readers begin with it. */
// Every required member of the schema is a list, a record, or null when it is empty.
export const EMPTY_METADATA = Object.fromEntries(
  (Metadata.required ?? []).map((name) => {
    const { [Kind]: kind }: TSchema = Metadata.properties[name as keyof typeof Metadata.properties];
    return [name, kind === "Array" ? [] : kind === "Record" ? {} : null];
  }),
) as unknown as Metadata;

/** The title an item is listed under (R3): the first main one, else the first of any kind, else "". */
export function mainTitle(metadata: Metadata): string {
  const main = metadata.titles.find((title) => title.kind === "main") ?? metadata.titles[0];
  return main?.value ?? "";
}

/**
 * When the work itself was published (R3): as stated, else the date Issued, else the day the degree was granted. Never
 * gates access (R2d).
 */
export function publicationDate(metadata: Metadata): string | null {
  const issued = metadata.dates.find((date) => date.type === "Issued")?.date;
  return metadata.publicationDate ?? issued ?? metadata.degree?.granted ?? null;
}
