// What may be sent about an index (specification 2, "Index tree endpoints" and "Legacy index creation"; R24 to R26).
import { isDay } from "../items/day.ts";
import { ROLE_IDS } from "../repository/account.ts";
import type { IndexNode } from "../repository/index-node.ts";
import { RepositoryRefusal } from "../repository/refusal.ts";

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
/** Characters of a value that a refusal gives back. */
const QUOTED_MAX = 100;

/** What a request sets of an index: only what was sent. */
export type IndexChange = Partial<Omit<IndexNode, "id" | "owner" | "createdAt" | "updatedAt" | "deletedAt">>;

/** What exists, as far as an index may name it. */
export type Known = { readonly groups: ReadonlySet<number> };

export type Json = { readonly [name: string]: unknown };

/** A value as a refusal gives it back; never the inside of an object or list, which may be of any depth. */
function quoted(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  const text = typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\uFFFD") : String(value);
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}

/** The refusal of one field, naming it and the value. */
function wrong(field: string, rule: string, value: unknown): RepositoryRefusal {
  return new RepositoryRefusal("invalid", `Invalid payload: index.${field} ${rule}, not ${quoted(value)}`);
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function boolean(field: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw wrong(field, "must be true or false", value);
  return value;
}

function text(field: string, value: unknown, max: number): string {
  if (typeof value !== "string") throw wrong(field, "must be a string", value);
  if (value.length > max && [...value].length > max) throw wrong(field, `may have ${max} characters at most`, value);
  // Neither can be stored as text by every database.
  if (value.includes("\0") || !value.isWellFormed()) throw wrong(field, "must be text without NUL", value);
  return value;
}

function filled(field: string, value: unknown): string {
  const name = text(field, value, INDEX_NAME_MAX);
  if (name === "") throw wrong(field, "must not be empty", value);
  return name;
}

function integer(field: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least || value > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `between ${least} and ${most}`;
    throw wrong(field, `must be a whole number ${range}`, value);
  }
  // -0 is 0.
  return value + 0;
}

/** null, "" or a day of the calendar as YYYYMMDD; kept as `YYYY-MM-DD`. */
function day(field: string, value: unknown): string | null {
  if (value === null || value === "") return null;
  const [, year = "", month = "", date = ""] = (typeof value === "string" && /^(\d{4})(\d\d)(\d\d)$/.exec(value)) || [];
  const iso = `${year}-${month}-${date}`;
  if (year === "" || !isDay(iso)) throw wrong(field, "must be null, empty or a day as YYYYMMDD", value);
  return iso;
}

/** Ids separated by commas, each of them known; a repeated one counts once. */
function idList(field: string, value: unknown, what: string, isKnown: (id: number) => boolean): readonly number[] {
  if (typeof value !== "string") throw wrong(field, `must be ${what} ids separated by commas`, value);
  if (value.trim() === "") return [];
  if (value.length > ID_LIST_CHARACTERS_MAX) throw wrong(field, `may have ${ID_LIST_MAX} ids at most`, value);
  const parts = value.split(",").map((part) => part.trim());
  if (parts.length > ID_LIST_MAX) throw wrong(field, `may have ${ID_LIST_MAX} ids at most`, value);
  const ids = parts.map((part) => {
    if (!/^-?[1-9]\d{0,15}$/.test(part)) throw wrong(field, `must be ${what} ids separated by commas`, value);
    const id = Number(part);
    if (!isKnown(id)) throw wrong(field, `names a ${what} that does not exist`, part);
    return id;
  });
  return [...new Set(ids)];
}

const roles = (field: string, value: unknown): readonly number[] =>
  idList(field, value, "role", (id) => ROLE_IDS.some((role) => role === id));
const groups = (field: string, value: unknown, known: Known): readonly number[] =>
  idList(field, value, "group", (id) => known.groups.has(id));

function displayFormat(field: string, value: unknown): "1" | "2" {
  if (value !== "1" && value !== "2") throw wrong(field, 'must be "1" (list) or "2" (table of contents)', value);
  return value;
}

const NEVER = Number.MAX_SAFE_INTEGER;

type Reader = (value: unknown, known: Known) => IndexChange;

/** Fields by the name they are sent under. */
const FIELDS = {
  parent: (v) => ({ parent: integer("parent", v, 0, NEVER) }),
  index_name: (v) => ({ indexName: text("index_name", v, INDEX_NAME_MAX) }),
  index_name_english: (v) => ({ indexNameEnglish: filled("index_name_english", v) }),
  index_link_name: (v) => ({ indexLinkName: text("index_link_name", v, INDEX_NAME_MAX) }),
  index_link_name_english: (v) => ({ indexLinkNameEnglish: filled("index_link_name_english", v) }),
  index_link_enabled: (v) => ({ indexLinkEnabled: boolean("index_link_enabled", v) }),
  comment: (v) => ({ comment: text("comment", v, INDEX_COMMENT_MAX) }),
  more_check: (v) => ({ moreCheck: boolean("more_check", v) }),
  display_no: (v) => ({ displayNo: integer("display_no", v, 1, DISPLAY_NO_MAX) }),
  harvest_public_state: (v) => ({ harvestPublicState: boolean("harvest_public_state", v) }),
  display_format: (v) => ({ displayFormat: displayFormat("display_format", v) }),
  public_state: (v) => ({ publicState: boolean("public_state", v) }),
  public_date: (v) => ({ publicDate: day("public_date", v) }),
  rss_status: (v) => ({ rssStatus: boolean("rss_status", v) }),
  coverpage_state: (v) => ({ coverpageState: boolean("coverpage_state", v) }),
  browsing_role: (v) => ({ browsingRole: roles("browsing_role", v) }),
  contribute_role: (v) => ({ contributeRole: roles("contribute_role", v) }),
  browsing_group: (v, known) => ({ browsingGroup: groups("browsing_group", v, known) }),
  contribute_group: (v, known) => ({ contributeGroup: groups("contribute_group", v, known) }),
  online_issn: (v) => ({ onlineIssn: text("online_issn", v, ONLINE_ISSN_MAX) }),
  recursive_public_state: (v) => ({ recursivePublicState: boolean("recursive_public_state", v) }),
  recursive_coverpage_check: (v) => ({ recursiveCoverpageCheck: boolean("recursive_coverpage_check", v) }),
  recursive_browsing_role: (v) => ({ recursiveBrowsingRole: boolean("recursive_browsing_role", v) }),
  recursive_contribute_role: (v) => ({ recursiveContributeRole: boolean("recursive_contribute_role", v) }),
  recursive_browsing_group: (v) => ({ recursiveBrowsingGroup: boolean("recursive_browsing_group", v) }),
  recursive_contribute_group: (v) => ({ recursiveContributeGroup: boolean("recursive_contribute_group", v) }),
} as const satisfies Readonly<Record<string, Reader>>;

/** The parent as a number, or as GET shows it: the path of all ancestors, which ends with it. Clients send back what they read (R25). */
function parentOrPath(value: unknown): number {
  if (typeof value !== "string" || value.length > PATH_MAX || !ID_PATH.test(value)) {
    return integer("parent", value, 0, NEVER);
  }
  return integer("parent", Number(value.slice(value.lastIndexOf("/") + 1)), 0, NEVER);
}

const ID_PATH = /^\d{1,16}(?:\/\d{1,16})*$/;
const PATH_MAX = TREE_DEPTH_MAX * 17;

const UPDATE_FIELDS: Readonly<Record<string, Reader>> = {
  ...FIELDS,
  parent: (v) => ({ parent: parentOrPath(v) }),
  position: (v) => ({ position: integer("position", v, 0, NEVER) }),
};

function readFields(fields: Readonly<Record<string, Reader>>, sent: Json, known: Known): IndexChange {
  let change: IndexChange = {};
  for (const [name, read] of Object.entries(fields)) {
    if (Object.hasOwn(sent, name)) change = { ...change, ...read(sent[name], known) };
  }
  return change;
}

/** The `index` of a body; throws when there is none. Fields nobody knows are left aside, as existing clients send back what they read. */
function indexOf(body: unknown): Json {
  if (!isObject(body)) throw new RepositoryRefusal("invalid", "Invalid payload: the body must be a JSON object");
  if (!Object.hasOwn(body, "index")) {
    throw new RepositoryRefusal("invalid", "Invalid payload: index: Missing data for required field.");
  }
  if (!isObject(body.index)) throw new RepositoryRefusal("invalid", "Invalid payload: index must be an object");
  return body.index;
}

export type NewIndex = IndexChange & { readonly parent: number };

/** The body of POST. Throws `invalid`, naming the field and the value. */
export function readNewIndex(body: unknown, known: Known): NewIndex {
  const sent = indexOf(body);
  if (!Object.hasOwn(sent, "parent")) {
    throw new RepositoryRefusal("invalid", "Invalid payload: index.parent: Missing data for required field.");
  }
  const change = readFields(FIELDS, sent, known);
  return { ...change, parent: integer("parent", sent.parent, 0, NEVER) };
}

/** The body of PUT: what is sent is changed (R25). Throws `invalid`. */
export function readIndexChange(body: unknown, known: Known): IndexChange {
  return readFields(UPDATE_FIELDS, indexOf(body), known);
}

const LEGACY_FIELDS = {
  index_name: FIELDS.index_name,
  index_name_english: FIELDS.index_name_english,
  comment: FIELDS.comment,
  public_state: FIELDS.public_state,
  harvest_public_state: FIELDS.harvest_public_state,
} as const satisfies Readonly<Record<string, Reader>>;

/** The body of the legacy creation: `body` undefined where it is no JSON (R26). Throws `invalid` with the law's texts. */
export function readLegacyIndex(body: unknown): NewIndex {
  if (!isObject(body) || Object.keys(body).length === 0) {
    throw new RepositoryRefusal("invalid", "No data to create.");
  }
  const info = Object.hasOwn(body, "index_info") ? body.index_info : undefined;
  if (!isObject(info) || !Object.keys(LEGACY_FIELDS).some((name) => Object.hasOwn(info, name))) {
    throw new RepositoryRefusal("invalid", "index_info can not be null.");
  }
  const parent = Object.hasOwn(body, "parent_id") && body.parent_id !== null ? body.parent_id : 0;
  return {
    ...readFields(LEGACY_FIELDS, info, { groups: new Set() }),
    parent: integer("parent_id", parent, 0, NEVER),
  };
}
