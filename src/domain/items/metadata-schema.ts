// The canonical metadata (R3) as a schema that can be asked at run time: whether a value read from elsewhere is metadata, and what lies at a path.
// The type in metadata.ts stays the one definition; the assignment at the end fails to compile when the two differ.
import { Kind, type Static, type TSchema, Type } from "@sinclair/typebox";
import type { Json, Metadata } from "./metadata.ts";

const closed = { additionalProperties: false } as const;
const text = (): ReturnType<typeof Type.String> => Type.String();
const optionalText = () => Type.Optional(Type.String());
const anyJson = (): ReturnType<typeof Type.Unsafe<Json>> => Type.Unsafe<Json>(Type.Any());

const TextSchema = Type.Object({ value: text(), lang: optionalText() }, closed);
const texts = () => Type.Array(TextSchema);
const IdentSchema = Type.Object(
  { scheme: text(), value: text(), uri: optionalText(), schemeUri: optionalText() },
  closed,
);
const idents = () => Type.Array(IdentSchema);
const OrgSchema = Type.Object({ names: texts(), ids: idents() }, closed);
const AgentSchema = Type.Object(
  {
    kind: Type.Union([Type.Literal("personal"), Type.Literal("organizational"), Type.Null()], { default: null }),
    names: Type.Array(
      Type.Object(
        { full: optionalText(), family: optionalText(), given: optionalText(), lang: optionalText() },
        closed,
      ),
    ),
    alternatives: texts(),
    ids: idents(),
    emails: Type.Array(text()),
    affiliations: Type.Array(OrgSchema),
    role: optionalText(),
    authorId: Type.Optional(Type.Number()),
  },
  closed,
);
const DescriptionSchema = Type.Object(
  { value: text(), lang: optionalText(), kind: Type.String({ default: "Abstract" }), html: Type.Boolean() },
  closed,
);
const RightSchema = Type.Object({ id: optionalText(), text: texts(), uri: optionalText() }, closed);
const SubjectSchema = Type.Object(
  { id: optionalText(), text: Type.Optional(TextSchema), scheme: optionalText(), uri: optionalText() },
  closed,
);
const AccessRightsSchema = Type.Object({ label: text(), uri: optionalText() }, closed);
const LocationSchema = Type.Object(
  {
    point: Type.Optional(Type.Object({ longitude: text(), latitude: text() }, closed)),
    box: Type.Optional(Type.Object({ west: text(), east: text(), south: text(), north: text() }, closed)),
    geometry: Type.Optional(anyJson()),
    places: texts(),
    ids: idents(),
    description: Type.Optional(TextSchema),
  },
  closed,
);
const FundingSchema = Type.Object(
  {
    funder: OrgSchema,
    stream: Type.Optional(Type.Object({ ids: idents(), names: texts() }, closed)),
    award: Type.Optional(
      Type.Object({ number: optionalText(), numberType: optionalText(), uri: optionalText(), titles: texts() }, closed),
    ),
  },
  closed,
);
const ContainerSchema = Type.Object(
  {
    titles: texts(),
    ids: idents(),
    volume: optionalText(),
    issue: optionalText(),
    pageStart: optionalText(),
    pageEnd: optionalText(),
    numPages: optionalText(),
    issued: optionalText(),
    place: Type.Union([Type.Literal("flat"), Type.Literal("grouped")], { default: "flat" }),
  },
  closed,
);
const ConferenceSchema = Type.Object(
  {
    names: texts(),
    sequence: optionalText(),
    sponsors: texts(),
    date: Type.Optional(
      Type.Object(
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
        closed,
      ),
    ),
    venues: texts(),
    places: texts(),
    country: optionalText(),
  },
  closed,
);
const CatalogSchema = Type.Object(
  {
    contributors: Type.Array(AgentSchema),
    ids: idents(),
    titles: texts(),
    descriptions: Type.Array(DescriptionSchema),
    subjects: Type.Array(SubjectSchema),
    licenses: Type.Array(Type.Object({ type: optionalText(), uri: optionalText(), text: TextSchema }, closed)),
    rights: Type.Array(RightSchema),
    accessRights: Type.Optional(AccessRightsSchema),
    files: Type.Array(
      Type.Object(
        {
          uri: text(),
          objectType: optionalText(),
          label: optionalText(),
          mimeType: optionalText(),
          extents: Type.Optional(Type.Array(text())),
          dates: Type.Optional(Type.Array(Type.Object({ date: text(), type: text() }, closed))),
          version: optionalText(),
        },
        closed,
      ),
    ),
  },
  closed,
);
const TITLE_KINDS = ["main", "alternative", "subtitle", "translated", "other"] as const;

/** Every member of the canonical metadata. `default` is what a reader takes for a required value that a source does not give. */
export const MetadataSchema = Type.Object(
  {
    type: Type.Union([
      Type.Object({ id: Type.String({ default: "other" }), label: optionalText(), uri: optionalText() }, closed),
      Type.Null(),
    ]),
    titles: Type.Array(
      Type.Object(
        {
          value: text(),
          lang: optionalText(),
          kind: Type.Union(
            TITLE_KINDS.map((kind) => Type.Literal(kind)),
            { default: "main" },
          ),
        },
        closed,
      ),
    ),
    creators: Type.Array(AgentSchema),
    contributors: Type.Array(AgentSchema),
    rightsHolders: Type.Array(AgentSchema),
    accessRights: Type.Optional(AccessRightsSchema),
    apc: optionalText(),
    rights: Type.Array(RightSchema),
    copyright: optionalText(),
    subjects: Type.Array(SubjectSchema),
    descriptions: Type.Array(DescriptionSchema),
    publishers: Type.Array(
      Type.Object(
        {
          names: texts(),
          place: Type.Optional(TextSchema),
          description: Type.Optional(TextSchema),
          morePlaces: Type.Optional(texts()),
          moreDescriptions: Type.Optional(texts()),
          countries: Type.Optional(Type.Array(text())),
          publisherType: Type.Optional(Type.Union([Type.Literal("dc"), Type.Literal("jpcoar")])),
        },
        closed,
      ),
    ),
    publicationDate: optionalText(),
    dates: Type.Array(
      Type.Object(
        {
          date: text(),
          type: Type.String({ default: "dcterms" }),
          description: Type.Optional(TextSchema),
          lang: optionalText(),
        },
        closed,
      ),
    ),
    languages: Type.Array(text()),
    versionLabel: optionalText(),
    versionType: Type.Optional(Type.Object({ label: text(), uri: optionalText() }, closed)),
    identifiers: idents(),
    registration: Type.Optional(IdentSchema),
    relations: Type.Array(
      Type.Object(
        {
          type: Type.String({ default: "" }),
          ident: Type.Optional(IdentSchema),
          titles: texts(),
          resourceType: optionalText(),
        },
        closed,
      ),
    ),
    temporals: texts(),
    locations: Type.Array(LocationSchema),
    funding: Type.Array(FundingSchema),
    containers: Type.Array(ContainerSchema),
    degree: Type.Optional(
      Type.Object(
        { number: optionalText(), names: texts(), granted: optionalText(), grantors: Type.Array(OrgSchema) },
        closed,
      ),
    ),
    conferences: Type.Array(ConferenceSchema),
    editions: texts(),
    volumeTitles: texts(),
    originalLanguages: Type.Array(text()),
    formats: texts(),
    sizes: texts(),
    holdingAgent: Type.Optional(Type.Object({ ids: idents(), names: texts() }, closed)),
    datasetSeries: Type.Optional(Type.Boolean()),
    catalog: Type.Optional(CatalogSchema),
    references: Type.Array(Type.Object({ text: text(), ident: Type.Optional(IdentSchema) }, closed)),
    custom: Type.Record(Type.String(), anyJson()),
    extra: Type.Array(Type.Object({ format: text(), path: text(), value: anyJson() }, closed)),
  },
  closed,
);

export type MetadataMember = keyof Metadata;

/** Names of all members, in the order of the model. */
export const METADATA_MEMBERS = Object.keys(MetadataSchema.properties) as readonly MetadataMember[]; // the properties are the members

/** The schema of one member; null when the model has no such member. Optional members answer the schema of their value. */
export function memberSchema(name: string): TSchema | null {
  return Object.hasOwn(MetadataSchema.properties, name)
    ? MetadataSchema.properties[name as keyof typeof MetadataSchema.properties] // checked above
    : null;
}

/** Why a value is not this member of the metadata: place and reason of the first fault; null when it is. */
export function memberProblem(name: MetadataMember, value: unknown): string | null {
  const schema = memberSchema(name);
  return schema === null ? `${name} is no member of the metadata` : schemaProblem(schema, value, name);
}

/** Whether a value of unknown origin is canonical metadata. */
export function isMetadata(value: unknown): value is Metadata {
  return schemaProblem(MetadataSchema, value, "metadata") === null;
}

/**
 * The first place where a value differs from a schema, and what was needed there; null when it fits. Knows the kinds used above and throws
 * for others. Free JSON (`custom`, `extra`) is taken as it is; everything else ends after a few levels, so a deep value costs nothing.
 */
export function schemaProblem(schema: TSchema, value: unknown, place: string): string | null {
  const fault = faultOf(schema, value);
  return fault === null ? null : `${place}${fault.place} ${fault.reason}`;
}

/** `place` is put together on the way back only, for most values have no fault. */
type Fault = { readonly place: string; readonly reason: string };

const fault = (isFault: boolean, reason: string): Fault | null => (isFault ? { place: "", reason } : null);

function faultOf(schema: TSchema, value: unknown): Fault | null {
  switch (schema[Kind]) {
    case "Any":
      return fault(value === undefined, "is missing");
    case "String":
      return fault(typeof value !== "string", "is no text");
    case "Boolean":
      return fault(typeof value !== "boolean", "is neither true nor false");
    case "Number":
      return fault(typeof value !== "number" || !Number.isFinite(value), "is no number");
    case "Null":
      return fault(value !== null, "is not null");
    case "Literal":
      return value === schema.const ? null : { place: "", reason: `is not ${JSON.stringify(schema.const)}` };
    case "Union":
      return unionFault(schema.anyOf, value);
    case "Array":
      return listFault(schema.items, value);
    case "Record":
    case "Object":
      return objectFault(schema, value);
    default:
      throw new TypeError(`No value can be held against a schema of kind ${schema[Kind]}`);
  }
}

function unionFault(schemas: readonly TSchema[], value: unknown): Fault | null {
  const reasons: string[] = [];
  for (const schema of schemas) {
    const found = faultOf(schema, value);
    if (found === null) return null;
    reasons.push(found.place === "" ? found.reason : `${found.place.slice(1)} ${found.reason}`);
  }
  return { place: "", reason: reasons.join(", and ") };
}

function listFault(items: TSchema, value: unknown): Fault | null {
  if (!Array.isArray(value)) return { place: "", reason: "is no list" };
  for (let index = 0; index < value.length; index++) {
    const found = faultOf(items, value[index]);
    if (found !== null) return { ...found, place: `[${index}]${found.place}` };
  }
  return null;
}

/** Properties and required names of the object schemas met so far. */
type Members = {
  readonly properties: ReadonlyMap<string, TSchema>;
  readonly required: readonly string[];
};
const knownMembers = new WeakMap<TSchema, Members>();

function membersOf(schema: TSchema): Members {
  const known = knownMembers.get(schema) ?? {
    properties: new Map(Object.entries<TSchema>(schema.properties)),
    required: schema.required ?? [],
  };
  knownMembers.set(schema, known);
  return known;
}

function objectFault(schema: TSchema, value: unknown): Fault | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { place: "", reason: "is no object" };
  if (schema[Kind] === "Record") return null;
  const { properties, required } = membersOf(schema);
  let found = 0;
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const member = properties.get(key);
    if (member === undefined) return { place: "", reason: `has no member ${JSON.stringify(key)}` };
    const inner = faultOf(member, each);
    if (inner !== null) return { ...inner, place: `.${key}${inner.place}` };
    if (required.includes(key)) found++;
  }
  if (found === required.length) return null;
  const missing = required.find((key) => !Object.hasOwn(value, key) || Reflect.get(value, key) === undefined);
  return { place: `.${missing}`, reason: "is missing" };
}

/** Whether two types have the same members, all the way down; free JSON is one type. */
type Alike<Left, Right> = [Json] extends [Left]
  ? [Json] extends [Right]
    ? true
    : false
  : [Left] extends [readonly (infer Item)[]]
    ? [Right] extends [readonly (infer Other)[]]
      ? Alike<Item, Other>
      : false
    : [Left] extends [object]
      ? [keyof Left] extends [keyof Right]
        ? [keyof Right] extends [keyof Left]
          ? false extends {
              [Key in keyof Left]-?: Alike<NonNullable<Left[Key]>, NonNullable<Right[Key & keyof Right]>>;
            }[keyof Left]
            ? false
            : true
          : false
        : false
      : true;
type Schemed = Static<typeof MetadataSchema>;
/** Compiles only while the schema describes the type of metadata.ts, every member of it. */
export const SCHEMA_IS_THE_TYPE: [Schemed] extends [Metadata] ? Alike<Metadata, Schemed> : false = true;
