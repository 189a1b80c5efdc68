// What may be sent about an index (specification 2, "Index tree endpoints" and "Legacy index creation"; R24 to R26).
import { Type } from "@sinclair/typebox";
import {
  boolean,
  type Field,
  FieldFault,
  type Fields,
  isObject,
  memberOf,
  presentOf,
  unfit,
  whole,
  words,
} from "../../shared/fields.ts";
import { isDay } from "../../shared/day.ts";
import { ROLE_IDS } from "../../auth/account.ts";
import type { IndexNode } from "../model/index-node.ts";
import { Refusal } from "../../shared/refusal.ts";

/** Characters of each of the four names (R24). */
export const INDEX_NAME_MAX = 1_000;
export const INDEX_COMMENT_MAX = 10_000;
export const ONLINE_ISSN_MAX = 100;
/** Ids in one list of roles or groups, and characters of the text that holds them. */
export const ID_LIST_MAX = 1_000;
const ID_LIST_CHARACTERS_MAX = 20_000;
export const DISPLAY_NO_MAX = 1_000;
/** Levels of indexes below the root. */
export const TREE_DEPTH_MAX = 1_000;
/** What a request sets of an index: only what was sent. */
export type IndexChange = Partial<Omit<IndexNode, "id" | "owner" | "createdAt" | "updatedAt" | "deletedAt">>;

/** What exists, as far as an index may name it. */
export type Known = { readonly groups: ReadonlySet<number> };

type Numbers = readonly number[];

/** Ids separated by commas, each of them known; a repeated one counts once. */
function idList(what: string, isKnown: (id: number) => boolean, description: string): Field<Numbers> {
  const rule = `must be ${what} ids separated by commas`;
  const tooMany = `may have ${ID_LIST_MAX} ids at most`;
  return {
    schema: Type.String({ description, example: "1,2,3,4,-98" }),
    read(value, path) {
      if (typeof value !== "string") throw unfit(path, value, rule);
      if (value.trim() === "") return [];
      if (value.length > ID_LIST_CHARACTERS_MAX) throw unfit(path, value, tooMany);
      const parts = value.split(",").map((part) => part.trim());
      if (parts.length > ID_LIST_MAX) throw unfit(path, value, tooMany);
      const ids = parts.map((part) => {
        if (!/^-?[1-9]\d{0,15}$/.test(part)) throw unfit(path, value, rule);
        const id = Number(part);
        if (!isKnown(id)) throw unfit(path, part, `names a ${what} that does not exist`);
        return id;
      });
      return [...new Set(ids)];
    },
  };
}

const roles = (description: string): Field<Numbers> =>
  idList("role", (id) => ROLE_IDS.some((role) => role === id), description);

/** null, "" or a day of the calendar as YYYYMMDD; kept as `YYYY-MM-DD`. */
const day: Field<string | null> = {
  schema: Type.Union([Type.String({ pattern: "^(?:\\d{8})?$" }), Type.Null()], {
    description: "YYYYMMDD: from this day on the index is public; null or empty: no day",
    default: null,
  }),
  read(value, path) {
    if (value === null || value === "") return null;
    const [, year = "", month = "", date = ""] =
      (typeof value === "string" && /^(\d{4})(\d\d)(\d\d)$/.exec(value)) || [];
    const iso = `${year}-${month}-${date}`;
    if (year === "" || !isDay(iso)) throw unfit(path, value, "must be null, empty or a day as YYYYMMDD");
    return iso;
  },
};

const displayFormat: Field<"1" | "2"> = {
  schema: Type.Unsafe<string>({
    type: "string",
    enum: ["1", "2"],
    default: "1",
    description: "1: list, 2: table of contents; a child takes the parent's",
  }),
  read(value, path) {
    if (value === "1" || value === "2") return value;
    throw unfit(path, value, 'must be "1" (list) or "2" (table of contents)');
  },
};

const off = (description: string): Field<boolean> => boolean({ description, default: false });
const name = (description: string, fallback: string): Field<string> =>
  words(INDEX_NAME_MAX, { description, default: fallback });
const filled = (description: string): Field<string> =>
  words(INDEX_NAME_MAX, { description, default: "New Index" }, true);

/** Fields of a request that an answer repeats, by the name they are sent under. */
export const indexFields = (known: Known) => {
  const groups = (description: string): Field<Numbers> => idList("group", (id) => known.groups.has(id), description);
  return {
    index_name: name("Japanese name", "New Index"),
    index_name_english: filled("English name, not empty"),
    index_link_name: name("Name as a link, Japanese", ""),
    index_link_name_english: filled("Name as a link, English, not empty"),
    index_link_enabled: off("Shown among the index links"),
    comment: words(INDEX_COMMENT_MAX, { default: "" }),
    more_check: off("Show only the first children at first"),
    display_no: whole(1, DISPLAY_NO_MAX, { description: "How many children are shown first", default: 5 }),
    harvest_public_state: boolean({
      description: "Its items are harvested; a child takes the parent's",
      default: true,
    }),
    display_format: displayFormat,
    public_state: off("Public"),
    public_date: day,
    rss_status: off("The page of the index links to its feed"),
    coverpage_state: off("Kept and returned, without effect"),
    browsing_role: roles("Ids of roles that browse it; left out on creation: all"),
    contribute_role: roles("Ids of roles that deposit into it; left out on creation: all but guests"),
    browsing_group: groups("Ids of groups that browse it"),
    contribute_group: groups("Ids of groups that deposit into it"),
    online_issn: words(ONLINE_ISSN_MAX, { default: "" }),
    recursive_public_state: off("A new child takes public_state and public_date"),
    recursive_coverpage_check: off("A new child takes coverpage_state"),
    recursive_browsing_role: off("A new child takes browsing_role"),
    recursive_contribute_role: off("A new child takes contribute_role"),
    recursive_browsing_group: off("A new child takes browsing_group"),
    recursive_contribute_group: off("A new child takes contribute_group"),
  };
};
type IndexFields = ReturnType<typeof indexFields>;

export const PARENT = whole(0, undefined, { description: "Id of the parent, 0: directly under the root" });
const ID_PATH = /^\d{1,16}(?:\/\d{1,16})*$/;
const PATH_MAX = TREE_DEPTH_MAX * 17;

/** The parent as a number, or as GET shows it: the path of all ancestors, which ends with it. Clients send back what they read (R25). */
export const PARENT_OR_PATH: Field<number> = {
  schema: Type.Union([
    PARENT.schema,
    Type.String({
      description: "The path of all ancestors, as GET gives it; its last id is the parent",
      pattern: "^\\d{1,16}(/\\d{1,16})*$",
    }),
  ]),
  read(value, path) {
    const isPath = typeof value === "string" && value.length <= PATH_MAX && ID_PATH.test(value);
    return PARENT.read(isPath ? Number(value.slice(value.lastIndexOf("/") + 1)) : value, path);
  },
};

export const POSITION = whole(0, undefined, { description: "Place among the siblings, from 0" });

const LEGACY_NAMES = [
  "index_name",
  "index_name_english",
  "comment",
  "public_state",
  "harvest_public_state",
] as const satisfies readonly (keyof IndexFields)[];

/** What the legacy creation takes of them (R26). */
export function legacyFields(known: Known): Pick<IndexFields, (typeof LEGACY_NAMES)[number]> {
  const { index_name, index_name_english, comment, public_state, harvest_public_state } = indexFields(known);
  return { index_name, index_name_english, comment, public_state, harvest_public_state };
}

/** `index_name` as the model calls it: `indexName`. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type ChangeBy<F extends Fields> = {
  readonly [Name in keyof F & string as Camel<Name>]?: F[Name] extends Field<infer T> ? T : never;
};

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Fields nobody knows are left aside, as existing clients send back what they read. */
function changeBy<F extends Fields>(fields: F, sent: object): ChangeBy<F> {
  const read = worded(() => presentOf(fields, sent, "index"));
  // Each member has the value its own field read, under the name the model has for it.
  return Object.fromEntries(Object.entries(read).map(([name, value]) => [camel(name), value])) as ChangeBy<F>;
}

/** What is wrong with a field, as these interfaces say it. */
function worded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof FieldFault ? wrong(error.message) : error;
  }
}

const wrong = (what: string): Refusal => new Refusal("invalid", `Invalid payload: ${what}`);

/** The `index` of a body; throws when there is none. */
function indexOf(body: unknown): object {
  if (!isObject(body)) throw wrong("the body must be a JSON object");
  if (!Object.hasOwn(body, "index")) throw wrong("index: Missing data for required field.");
  if (!isObject(body.index)) throw wrong("index must be an object");
  return body.index;
}

export type NewIndex = IndexChange & { readonly parent: number };

/** The body of POST. Throws `invalid`, naming the field and the value. */
export function readNewIndex(body: unknown, known: Known): NewIndex {
  const sent = indexOf(body);
  if (!Object.hasOwn(sent, "parent")) throw wrong("index.parent: Missing data for required field.");
  const parent = worded(() => PARENT.read(memberOf(sent, "parent"), "index.parent"));
  return { ...changeBy(indexFields(known), sent), parent };
}

/** The body of PUT: what is sent is changed (R25). Throws `invalid`. */
export function readIndexChange(body: unknown, known: Known): IndexChange {
  return changeBy({ parent: PARENT_OR_PATH, position: POSITION, ...indexFields(known) }, indexOf(body));
}

/** The body of the legacy creation: `body` undefined where it is no JSON (R26). Throws `invalid` with the law's texts. */
export function readLegacyIndex(body: unknown): NewIndex {
  if (!isObject(body) || Object.keys(body).length === 0) throw new Refusal("invalid", "No data to create.");
  const fields = legacyFields({ groups: new Set() });
  const info = memberOf(body, "index_info");
  if (!isObject(info) || !Object.keys(fields).some((name) => Object.hasOwn(info, name))) {
    throw new Refusal("invalid", "index_info can not be null.");
  }
  const parent = memberOf(body, "parent_id") ?? 0;
  return { ...changeBy(fields, info), parent: worded(() => PARENT.read(parent, "index.parent_id")) };
}
