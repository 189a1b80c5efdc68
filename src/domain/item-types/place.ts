// The small path language that says where the value of a field lies in the canonical metadata (R4), and the shape it is checked against.
//
//   place    = "." | "=" text | "shown" | step *("." step)
//   step     = name [ "[" name "=" text *("|" text) "]" ] [ "[0]" ]
//
// "." is the element of a list of plain values itself; "=Issued" a constant that is written beside other values; "shown" the full name of an
// agent, put together where only its parts are known. `titles[kind=main|translated]` takes the elements of a list whose member has one of the
// values; the first one is what new elements get. `[each=text]` repeats an element for every element of that member. `[0]` takes the first.

export type Step = {
  readonly name: string;
  /** Elements of the list that belong here; `values[0]` is given to new ones. */
  readonly filter: { readonly member: string; readonly values: readonly string[] } | null;
  /** The element is repeated for each element of this member. */
  readonly each: string | null;
  readonly first: boolean;
};
export type Place =
  | { readonly kind: "self" }
  | { readonly kind: "constant"; readonly value: string }
  | { readonly kind: "shown" }
  | { readonly kind: "path"; readonly text: string; readonly steps: readonly Step[] };

/** What the canonical model has at a place. `fill` is what a new element must have beside what was written; `needs` without which it says nothing. */
export type Shape =
  | "value"
  /** One of a few words of the model; a filter chooses by it, no field writes it. */
  | "marker"
  | { readonly list: Shape }
  | {
      readonly members: Readonly<Record<string, Shape>>;
      readonly fill: Readonly<Record<string, unknown>>;
      /** Of each list of names one member must be there, else the element is left out. */
      readonly needs: readonly (readonly string[])[];
    };

type Members = Readonly<Record<string, Shape>>;
const list = (shape: Shape): Shape => ({ list: shape });
const values = (...names: readonly string[]): Members =>
  Object.fromEntries(names.map((name): [string, Shape] => [name, "value"]));
const object = (
  members: Members,
  fill: Readonly<Record<string, unknown>> = {},
  needs: readonly (readonly string[])[] = [],
): Shape => ({ members, fill, needs });

const TEXT = object(values("value", "lang"), {}, [["value"]]);
const IDENT = object(values("scheme", "value", "uri"), { scheme: "", value: "" }, [["value", "uri"]]);
const ORG = object({ names: list(TEXT), ids: list(IDENT) }, { names: [], ids: [] }, [["names", "ids"]]);
const AGENT = object(
  {
    names: list(object(values("full", "family", "given", "lang"), {}, [["full", "family", "given"]])),
    alternatives: list(TEXT),
    ids: list(IDENT),
    emails: list("value"),
    affiliations: list(ORG),
    role: "value",
  },
  { kind: null, names: [], alternatives: [], ids: [], emails: [], affiliations: [] },
  [["names", "alternatives", "ids", "emails", "affiliations"]],
);
const CONTAINER = object(
  {
    titles: list(TEXT),
    ids: list(IDENT),
    ...values("volume", "issue", "pageStart", "pageEnd", "numPages", "issued"),
    place: "marker",
  },
  { titles: [], ids: [], place: "flat" },
  [["titles", "ids", "volume", "issue", "pageStart", "pageEnd", "numPages", "issued"]],
);
const LABELLED = object(values("label", "uri"), { label: "" }, [["label", "uri"]]);
const POINT = ["longitude", "latitude"];
const BOX = ["west", "east", "south", "north"];
const LOCATION = object(
  {
    point: object(values(...POINT), { longitude: "", latitude: "" }, [POINT]),
    box: object(values(...BOX), { west: "", east: "", south: "", north: "" }, [BOX]),
    places: list(TEXT),
    ids: list(IDENT),
    description: TEXT,
  },
  { places: [], ids: [] },
  [["point", "box", "places", "ids", "description"]],
);
const FUNDING = object(
  {
    funder: ORG,
    stream: object({ ids: list(IDENT), names: list(TEXT) }, { ids: [], names: [] }, [["ids", "names"]]),
    award: object({ ...values("number", "numberType", "uri"), titles: list(TEXT) }, { titles: [] }, [
      ["number", "uri", "titles"],
    ]),
  },
  { funder: { names: [], ids: [] } },
  [["funder", "stream", "award"]],
);
const DEGREE = object(
  { ...values("number", "granted"), names: list(TEXT), grantors: list(ORG) },
  { names: [], grantors: [] },
  [["number", "granted", "names", "grantors"]],
);
const CONFERENCE = object(
  {
    names: list(TEXT),
    sponsors: list(TEXT),
    venues: list(TEXT),
    places: list(TEXT),
    ...values("sequence", "country"),
    date: object(values("text", "lang", "startYear", "startMonth", "startDay", "endYear", "endMonth", "endDay"), {}, [
      ["text", "startYear", "startMonth", "startDay", "endYear", "endMonth", "endDay"],
    ]),
  },
  { names: [], sponsors: [], venues: [], places: [] },
  [["names", "sponsors", "venues", "places", "sequence", "country", "date"]],
);
const FILE = object(
  {
    ...values("path", "mediaType", "access", "accessDate", "label", "objectType", "version", "license", "licenseText"),
    ...values("displayType", "url"),
    groups: list("value"),
    extents: list("value"),
    dates: list(object(values("date", "type"), { type: "" }, [["date"]])),
  },
  { path: "" },
  [["path", "url"]],
);

/** The whole of an item as item types see it: the members of the canonical metadata, and beside them `files` and `openDate`. */
export const ITEM_SHAPE = {
  members: {
    type: object(values("label", "uri"), {}, [["label", "uri"]]),
    titles: list(object({ ...values("value", "lang"), kind: "marker" }, { kind: "main" }, [["value"]])),
    creators: list(AGENT),
    contributors: list(AGENT),
    rightsHolders: list(AGENT),
    accessRights: LABELLED,
    rights: list(object({ text: list(TEXT), ...values("uri", "id") }, { text: [] }, [["text", "uri", "id"]])),
    subjects: list(object({ text: TEXT, ...values("scheme", "uri", "id") }, {}, [["text", "uri", "id"]])),
    descriptions: list(object(values("value", "lang", "kind"), { kind: "Other", html: false }, [["value"]])),
    publishers: list(
      object({ names: list(TEXT), place: TEXT, description: TEXT }, { names: [], publisherType: "dc" }, [
        ["names", "place", "description"],
      ]),
    ),
    dates: list(object({ ...values("date", "type"), description: TEXT }, { type: "dcterms" }, [["date"]])),
    languages: list("value"),
    versionType: LABELLED,
    identifiers: list(IDENT),
    registration: IDENT,
    relations: list(
      object({ ...values("type", "resourceType"), ident: IDENT, titles: list(TEXT) }, { type: "", titles: [] }, [
        ["ident", "titles"],
      ]),
    ),
    temporals: list(TEXT),
    locations: list(LOCATION),
    funding: list(FUNDING),
    containers: list(CONTAINER),
    degree: DEGREE,
    conferences: list(CONFERENCE),
    editions: list(TEXT),
    volumeTitles: list(TEXT),
    originalLanguages: list("value"),
    formats: list(TEXT),
    sizes: list(TEXT),
    holdingAgent: object({ ids: list(IDENT), names: list(TEXT) }, { ids: [], names: [] }, [["ids", "names"]]),
    files: list(FILE),
    ...values("apc", "copyright", "publicationDate", "versionLabel", "openDate"),
  },
  fill: {},
  needs: [],
} as const satisfies Shape;

const STEP = /^([A-Za-z]+)(?:\[([a-z]+)=([^\]]+)\])?(\[0\])?$/;

/** Reads a place; null when the text is none. What it leads to is `shapeAt`'s question. */
export function parsePlace(text: string): Place | null {
  if (text === ".") return { kind: "self" };
  if (text === "shown") return { kind: "shown" };
  if (text.startsWith("=")) return text.length > 1 ? { kind: "constant", value: text.slice(1) } : null;
  const steps: Step[] = [];
  for (const part of text.split(".")) {
    const [, name, member, value, first] = STEP.exec(part) ?? [];
    if (name === undefined) return null;
    const each = member === "each" ? (value ?? null) : null;
    const filter = member === undefined || each !== null ? null : { member, values: (value ?? "").split("|") };
    steps.push({ name, filter, each, first: first !== undefined });
  }
  return { kind: "path", text, steps };
}

/** What lies at a place below a shape; null when the canonical model has nothing there. */
export function shapeAt(shape: Shape, place: Place): Shape | null {
  if (place.kind === "self") return shape === "value" ? "value" : null;
  if (place.kind === "constant") return "value";
  if (place.kind === "shown") return memberOf(shape, "full") === undefined ? null : "value";
  let at: Shape = shape;
  for (const step of place.steps) {
    const next = memberOf(at, step.name);
    if (next === undefined) return null;
    const isList = typeof next !== "string" && "list" in next;
    if ((step.first || step.filter !== null || step.each !== null) && !isList) return null;
    if (isList && step.filter !== null && !isText(memberOf(next.list, step.filter.member))) return null;
    if (isList && step.each !== null && memberOf(next.list, step.each) === undefined) return null;
    at = step.first && isList ? next.list : next;
  }
  return at;
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  if (typeof shape === "string" || "list" in shape) return undefined;
  return Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
}

function isText(shape: Shape | undefined): boolean {
  return shape === "value" || shape === "marker";
}
