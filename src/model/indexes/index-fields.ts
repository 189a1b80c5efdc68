// Every setting of an index, declared once (specification 2, "Index tree endpoints", table of the POST body; R24):
// bodies, answers, their description, the defaults, what a child takes over, the row and the options of `arkstone
// index` are put together from this table.
import { type TSchema, Type } from "@sinclair/typebox";
import { ROLE_IDS, ROLES } from "../../auth/account.ts";
import type { CommandOption, DeclaredField, ValuesOf } from "../../shared/declared.ts";
import { unfit } from "../../shared/field-faults.ts";
import { boolean, type Field, whole, words } from "../../shared/fields.ts";
import { isDay } from "../../shared/time/day.ts";

/** Characters of each of the four names (R24). */
const INDEX_NAME_MAX = 1_000;
const INDEX_COMMENT_MAX = 10_000;
const ONLINE_ISSN_MAX = 100;
/** Ids in one list of roles or groups, and characters of the text that holds them. */
const ID_LIST_MAX = 1_000;
const ID_LIST_CHARACTERS_MAX = 20_000;
const DISPLAY_NO_MAX = 1_000;

/** What exists, as far as an index may name it. */
export type ExistingGroups = { readonly groups: ReadonlySet<number> };

export type IndexField<T> = DeclaredField<T> & {
  /** The field where only what exists may be named. */
  readonly among?: (known: ExistingGroups) => Field<T>;
  /** A child takes it over: always, or where this flag of the parent is on. */
  readonly handedDown?: "always" | `recursive${string}`;
};

type Numbers = readonly number[];
const EXAMPLE = "1,2,3,4,-98";

/** Ids separated by commas, each of them known; a repeated one counts once. */
function idList(what: string, isKnown: (id: number) => boolean, description: string): Field<Numbers> {
  const rule = `must be ${what} ids separated by commas`;
  const tooMany = `may have ${ID_LIST_MAX} ids at most`;
  return {
    schema: Type.String({ description, example: EXAMPLE }),
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

type More = Pick<IndexField<unknown>, "handedDown" | "typed">;

function flag(description: string, more: More = {}, start = false) {
  return {
    field: boolean({ description, default: start }),
    kept: "flag",
    start,
    ...more,
  } satisfies IndexField<boolean>;
}
function text(
  most: number,
  start: string,
  more: More & { readonly description?: string; readonly filled?: true } = {},
) {
  const { description, filled = false, ...rest } = more;
  const field = words(most, { ...(description === undefined ? {} : { description }), default: start }, filled);
  return { field, kept: "text", start, ...rest } satisfies IndexField<string>;
}
const joined = (ids: Numbers): string => ids.join();

function roles(description: string, start: Numbers, more: More) {
  const field = idList("role", (id) => ROLE_IDS.some((role) => role === id), description);
  return { field, kept: "numbers", start, show: joined, ...more } satisfies IndexField<Numbers>;
}
function groups(description: string, more: More) {
  const among = ({ groups }: ExistingGroups): Field<Numbers> => idList("group", (id) => groups.has(id), description);
  const start: Numbers = [];
  const field = among({ groups: new Set() });
  return { field, among, kept: "numbers", start, show: joined, ...more } satisfies IndexField<Numbers>;
}
const typed = (option: string, value: string, help: string): { readonly typed: CommandOption } => ({
  typed: { option, value, help },
});

const NEW_NAME = "New Index";

/** In the order of the description. */
export const INDEX_FIELDS = {
  indexName: text(INDEX_NAME_MAX, NEW_NAME, {
    description: "Japanese name",
    ...typed("name-ja", "TEXT", "Its Japanese name"),
  }),
  indexNameEnglish: text(INDEX_NAME_MAX, NEW_NAME, {
    description: "English name, not empty",
    filled: true,
    ...typed("name-en", "TEXT", "Its English name"),
  }),
  indexLinkName: text(INDEX_NAME_MAX, "", { description: "Name as a link, Japanese" }),
  indexLinkNameEnglish: text(INDEX_NAME_MAX, NEW_NAME, {
    description: "Name as a link, English, not empty",
    filled: true,
  }),
  indexLinkEnabled: flag("Shown among the index links"),
  comment: text(INDEX_COMMENT_MAX, "", typed("comment", "TEXT", "What it is for")),
  moreCheck: flag("Show only the first children at first"),
  displayNo: {
    field: whole(1, DISPLAY_NO_MAX, { description: "How many children are shown first", default: 5 }),
    kept: "number",
    start: 5,
  },
  harvestPublicState: flag(
    "Its items are harvested; a child takes the parent's",
    { handedDown: "always", ...typed("harvest", "YES", "yes or no: its items are harvested") },
    true,
  ),
  displayFormat: { field: displayFormat, kept: "text", start: "1", handedDown: "always" },
  publicState: flag("Public", {
    handedDown: "recursivePublicState",
    ...typed("public", "YES", "yes or no: everybody may browse it, as far as its roles and groups allow"),
  }),
  /** `YYYY-MM-DD`; null: no date gates it. */
  publicDate: {
    field: day,
    kept: "text",
    start: null,
    show: (date) => date?.replaceAll("-", "") ?? null,
    handedDown: "recursivePublicState",
    typed: {
      option: "public-date",
      value: "YYYYMMDD",
      help: "Public from this day on, none for no day",
      none: true,
    },
  },
  rssStatus: flag("The page of the index links to its feed"),
  coverpageState: flag("Kept and returned, without effect", { handedDown: "recursiveCoverpageCheck" }),
  browsingRole: roles("Ids of roles that browse it; left out on creation: all", ROLE_IDS, {
    handedDown: "recursiveBrowsingRole",
    ...typed("browsing-role", "ID,ID", "Roles that browse it: 1 to 4, -98 (signed in), -99 (guests)"),
  }),
  /** Contributing needs an account. */
  contributeRole: roles(
    "Ids of roles that deposit into it; left out on creation: all but guests",
    ROLE_IDS.filter((role) => role !== ROLES.guest),
    { handedDown: "recursiveContributeRole", ...typed("contribute-role", "ID,ID", "Roles that deposit into it") },
  ),
  browsingGroup: groups("Ids of groups that browse it", {
    handedDown: "recursiveBrowsingGroup",
    ...typed("browsing-group", "ID,ID", "Groups that browse it"),
  }),
  contributeGroup: groups("Ids of groups that deposit into it", {
    handedDown: "recursiveContributeGroup",
    ...typed("contribute-group", "ID,ID", "Groups that deposit into it"),
  }),
  onlineIssn: text(ONLINE_ISSN_MAX, ""),
  recursivePublicState: flag("A new child takes public_state and public_date"),
  recursiveCoverpageCheck: flag("A new child takes coverpage_state"),
  recursiveBrowsingRole: flag("A new child takes browsing_role"),
  recursiveContributeRole: flag("A new child takes contribute_role"),
  recursiveBrowsingGroup: flag("A new child takes browsing_group"),
  recursiveContributeGroup: flag("A new child takes contribute_group"),
} as const satisfies {
  readonly displayFormat: IndexField<"1" | "2">;
  readonly publicDate: IndexField<string | null>;
  readonly [name: string]: IndexField<unknown>;
};

/** What is set of an index, by the names of the program. */
export type IndexSettings = ValuesOf<typeof INDEX_FIELDS>;
type IndexSetting = keyof IndexSettings;

const shownIds = (description: string): TSchema => Type.String({ description, example: EXAMPLE });

/** The members of an index in the tree next to its names, in this order (specification 2, "Index resource"). */
export const IN_TREE = {
  indexLinkEnabled: Type.Boolean(),
  publicState: Type.Boolean(),
  publicDate: Type.String({ description: "YYYYMMDD or empty" }),
  browsingRole: shownIds("Role ids"),
  contributeRole: shownIds("Role ids"),
  browsingGroup: shownIds("Group ids"),
  contributeGroup: shownIds("Group ids"),
  moreCheck: Type.Boolean(),
  displayNo: Type.Integer(),
  coverpageState: Type.Boolean(),
  recursiveCoverpageCheck: Type.Boolean(),
} as const satisfies { readonly [name in IndexSetting]?: TSchema };
// The names of the table above.
export const IN_TREE_NAMES = Object.keys(IN_TREE) as readonly (keyof typeof IN_TREE)[];
