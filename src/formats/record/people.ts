// Creators and contributors in the tools' model (R3): the first name of an agent is the one that is shown, names in
// further languages, alternatives, addresses and the link to the author database stay with who is still the same.
import { RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import { IDENTIFIER_FORMS } from "../../model/metadata/identifier-forms.ts";
import type { Agent, AgentName, Org } from "../../model/metadata/metadata.ts";
import { oneOf, optional, withSentence } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { maybe, own } from "../../shared/objects.ts";
import { IDENTIFIER_LISTS, readIdents, showIdents, shownIdentifier } from "./identifiers.ts";
import { type ListFormat, type PreviousEntry, readList } from "./keep.ts";
import {
  ANSWERED,
  type Entries,
  type EntryField,
  entryAt,
  line,
  listed,
  named,
  noEntry,
  opened,
  type RecordInput,
  type SentMembers,
  shape,
  shownEntry,
} from "./record-input.ts";
import { CONTRIBUTOR_ROLES, CREATOR_ROLES, type Words } from "./words.ts";

export const PERSON_TYPES = "Invalid value. Choose one of ['organizational', 'personal'].";

/** The name that is shown: the first that is not empty. */
const shownName = (names: readonly AgentName[]): AgentName | undefined =>
  names.find(({ full, family, given }) => [full, family, given].some((part) => part !== undefined && part !== ""));

/** Family and given name; of a name written whole, the parts before and after its comma. */
function partsOf({ full = "", family, given }: AgentName): { readonly family: string; readonly given: string } {
  if ((family ?? "") !== "" || (given ?? "") !== "") return { family: family ?? "", given: given ?? "" };
  const [before = "", ...after] = full.split(/[,，]/);
  return { family: before.trim() === "" ? full : before.trim(), given: after.join(",").trim() };
}

export const memberUnlessEmpty = (name: string, value: string | null | undefined): JsonObject =>
  value === undefined || value === null || value === "" ? {} : { [name]: value };

export function showPerson({ kind, names, ids }: Agent): JsonObject {
  const name = shownName(names);
  const idents = showIdents("people", ids);
  const identifiers = idents.length === 0 ? {} : { identifiers: idents };
  const { family, given } = name === undefined ? { family: "", given: "" } : partsOf(name);
  const parts = [family, given].filter((part) => part !== "");
  if (kind === "organizational") {
    return { type: kind, ...memberUnlessEmpty("name", name?.full || parts.toReversed().join(" ")), ...identifiers };
  }
  return {
    type: "personal",
    ...memberUnlessEmpty("name", parts.join(", ")),
    ...memberUnlessEmpty("given_name", given),
    ...memberUnlessEmpty("family_name", family),
    ...identifiers,
  };
}

/** An id of the vocabulary affiliations is a ROR id; others keep the vocabulary's name as their scheme. */
const AFFILIATIONS = "affiliations";
const isRor = (id: string): boolean => IDENTIFIER_FORMS.ror.holds(id);

/** The id under which a vocabulary of organisations has one. */
function orgId({ ids }: Org, vocabulary: string): string {
  const own = ids.find(({ scheme }) => scheme === vocabulary)?.value;
  if (own !== undefined) return own;
  const rors = ids.filter(({ scheme }) => scheme.toUpperCase() === "ROR").map((id) => shownIdentifier("people", id));
  return rors.find((ror) => ror !== null && isRor(ror.identifier))?.identifier ?? "";
}

const orgName = ({ names }: Org): string => names.find(({ value }) => value !== "")?.value ?? "";

export function showOrg(org: Org, vocabulary: string): JsonObject | null {
  const [id, name] = [orgId(org, vocabulary), orgName(org)];
  return id === "" && name === "" ? null : { ...memberUnlessEmpty("id", id), ...memberUnlessEmpty("name", name) };
}

/** An organisation by its entry, or by its name; null, and reported, where it is neither. */
export function readOrg(
  members: SentMembers<typeof ORG>,
  { path, vocabulary, member }: { readonly path: string; readonly vocabulary: string; readonly member: string },
  to: RecordInput,
  before: Org | null,
): Org | null {
  const id = members.read("id") ?? "";
  const name = members.read("name") ?? "";
  if (id === "" && name === "") {
    to.fault(`${path}.${member}`, "An existing id or a free text name must be present.");
    return null;
  }
  const entry = id === "" ? undefined : to.entries.get(vocabulary, id);
  // An organisation with a ROR id and a name needs no entry in the vocabulary.
  if (id !== "" && entry === undefined && !(name !== "" && isRor(id))) {
    to.fault(`${path}.id`, noEntry(id));
    return null;
  }
  const isNameKept = before !== null && (name === "" ? orgId(before, vocabulary) === id : orgName(before) === name);
  const names = isNameKept ? before.names : entry === undefined ? [{ value: name }] : entryNames(entry.title);
  if (before !== null && orgId(before, vocabulary) === id && id !== "") return { names, ids: before.ids };
  const others = before !== null && isNameKept && orgId(before, vocabulary) === "" ? before.ids : [];
  return { names, ids: id === "" ? others : [{ scheme: isRor(id) ? "ROR" : vocabulary, value: id }, ...others] };
}

/** The titles of an entry as names, English first, each wording once. */
export function entryNames(title: Readonly<Record<string, string>>): Org["names"] {
  const wordings = new Map<string, string>();
  const languages = Object.keys(title).sort((a, b) => Number(b === "en") - Number(a === "en"));
  for (const lang of languages) {
    const value = title[lang] ?? "";
    if (value !== "" && !wordings.has(value)) wordings.set(value, lang);
  }
  return [...wordings].map(([value, lang]) => ({ value, lang }));
}

/** Members that name an organisation. */
export const ORG = { id: optional(line()), name: optional(line()) };
const AFFILIATION_SHAPE = named(
  AFFILIATIONS,
  shape({ ...ORG, identifiers: ANSWERED }, { $id: "CreatorAffiliationInput" }),
);

const AFFILIATION_LIST = optional(listed(AFFILIATION_SHAPE));

const AFFILIATION: ListFormat<Org> = {
  list: AFFILIATION_LIST,
  show: (org) => showOrg(org, AFFILIATIONS),
  read(sent, path, to, before) {
    const members = opened(AFFILIATION_SHAPE, sent, path, to);
    const at = { path, vocabulary: AFFILIATIONS, member: "affiliations" };
    return members === null ? null : readOrg(members, at, to, before?.value ?? null);
  },
};

function readAffiliations(
  sent: Json | undefined,
  before: readonly Org[],
  path: string,
  to: RecordInput,
): readonly Org[] {
  const list = isJsonArray(sent) ? sent : [];
  const seen = new Set<string>();
  const double = new Set<string>();
  for (const each of list) {
    const name = isJsonObject(each) ? (own(each, "name") ?? own(each, "id")) : undefined;
    if (typeof name !== "string") continue;
    if (seen.has(name)) double.add(name);
    seen.add(name);
  }
  const read = readList(AFFILIATION, sent, before, path, to);
  if (double.size === 0 || read.every((org) => before.includes(org))) return read;
  to.fault(path, `Duplicated affiliations: ${[...double].join(", ").slice(0, 500)}`);
  const kept = new Set<string>();
  return read.filter((org) => {
    const key = orgName(org) || orgId(org, AFFILIATIONS);
    return key === "" || !double.has(key) || (!kept.has(key) && kept.add(key));
  });
}

/** The name of a person or an organisation as it was sent; null where nothing was. */
function readName(
  { read }: SentMembers<typeof NAME_PARTS>,
  kind: Agent["kind"],
  path: string,
  to: RecordInput,
): AgentName | null {
  const full = read("name") ?? "";
  const family = read("family_name") ?? "";
  const given = read("given_name") ?? "";
  if (kind === "organizational" && full === "") to.fault(`${path}.name`, "Name cannot be blank.");
  if (kind === "personal" && family === "") to.fault(`${path}.family_name`, "Family name cannot be blank.");
  const whole = full === "" ? null : { full };
  if (kind === "organizational" || (kind === null && family === "" && given === "")) return whole;
  return family === "" && given === "" ? null : { ...maybeText("family", family), ...maybeText("given", given) };
}

const maybeText = <K extends string>(key: K, text: string) => maybe(key, text === "" ? undefined : text);

/** An agent with this given name is the same under another family name; an initial is the beginning of a name. */
function isNamedAlike(name: AgentName, before: AgentName): boolean {
  const [one, other] = [partsOf(name), partsOf(before)];
  if (one.given === "" || other.given === "") return false;
  const bare = (given: string): string => given.replaceAll(".", "");
  const isInitial = bare(one.given).startsWith(bare(other.given)) || bare(other.given).startsWith(bare(one.given));
  return one.given === other.given || (one.family === other.family && isInitial);
}

type Person = Pick<Agent, "kind" | "names" | "ids"> & { readonly isSame: boolean };

const NAME_PARTS = { name: optional(line()), given_name: optional(line()), family_name: optional(line()) };
const PERSON_TYPE = withSentence(oneOf(["personal", "organizational"]), PERSON_TYPES);
const PERSON = shape(
  { type: PERSON_TYPE, ...NAME_PARTS, identifiers: IDENTIFIER_LISTS.people },
  { $id: "PersonOrOrgInput" },
);

function readPerson(
  person: SentMembers<(typeof PERSON)["fields"]>,
  path: string,
  to: RecordInput,
  before: PreviousEntry<Agent> | null,
): Person {
  const old = before?.value;
  const shown = old === undefined ? {} : showPerson(old);
  // A type that is missing is of no kind.
  const type = to.read(PERSON_TYPE, person.sent("type") ?? "", person.at("type"));
  const kind = type === null ? (old?.kind ?? null) : shown.type === type && old !== undefined ? old.kind : type;
  const name = readName(person, type, path, to);
  const oldName = old === undefined ? undefined : shownName(old.names);
  const members = ["given_name", "family_name", ...(type === "organizational" ? ["name" as const] : [])] as const;
  const isNameKept =
    old !== undefined && shown.type === type && members.every((member) => person.sent(member) === shown[member]);
  const isAlike = name !== null && oldName !== undefined && isNamedAlike(name, oldName);
  const isSame = old !== undefined && (before?.kind === "same" || isNameKept || isAlike);
  const ids = readIdents("people", person.sent("identifiers"), isSame ? old.ids : [], `${path}.identifiers`, to);
  if (isNameKept) return { kind, names: old.names, ids, isSame };
  const rest = isSame ? old.names.filter((each) => each !== oldName) : [];
  const lang = isSame ? oldName?.lang : undefined;
  return { kind, names: name === null ? rest : [{ ...name, ...maybe("lang", lang) }, ...rest], ids, isSame };
}

function namesOf(sent: Json): readonly string[] {
  const person = isJsonObject(sent) ? own(sent, "person_or_org") : undefined;
  if (!isJsonObject(person)) return [];
  const identifiers = own(person, "identifiers");
  const ids = (isJsonArray(identifiers) ? identifiers : []).flatMap((each) => {
    const value = isJsonObject(each) ? own(each, "identifier") : undefined;
    return typeof value === "string" && value !== "" ? [`id ${value}`] : [];
  });
  const parts = [own(person, "family_name"), own(person, "given_name")];
  const name = parts.some((part) => typeof part === "string") ? parts : [own(person, "name")];
  const words = name.filter((part) => typeof part === "string" && part !== "");
  return words.length === 0 ? ids : [...ids, `name ${words.join("\n")}`];
}

const agentShape = (role: EntryField, $id: string) =>
  shape({ person_or_org: PERSON, role, affiliations: AFFILIATION_LIST }, { $id });
type AgentShape = ReturnType<typeof agentShape>;

const CREATOR = agentShape(optional(CREATOR_ROLES.entry), "CreatorInput");
const CONTRIBUTOR = agentShape(CONTRIBUTOR_ROLES.entry, "ContributorInput");

export const CREATORS = optional(listed(CREATOR, most("authors")));
export const CONTRIBUTORS = optional(listed(CONTRIBUTOR, most("authors")));

export const creatorFormat = (entries: Entries): ListFormat<Agent> =>
  agentFormat(CREATOR_ROLES, entries, CREATORS, CREATOR);

/** Their role is required. */
export const contributorFormat = (entries: Entries): ListFormat<Agent> =>
  agentFormat(CONTRIBUTOR_ROLES, entries, CONTRIBUTORS, CONTRIBUTOR);

function agentFormat(
  roles: Words,
  entries: Entries,
  list: ListFormat<Agent>["list"],
  agent: AgentShape,
): ListFormat<Agent> {
  const show = (agent: Agent): JsonObject => {
    const affiliations = agent.affiliations.flatMap((org) => showOrg(org, AFFILIATIONS) ?? []);
    return {
      person_or_org: showPerson(agent),
      ...(agent.role === undefined || agent.role === ""
        ? {}
        : { role: shownEntry(entries, roles.vocabulary, roles.idOf(agent.role)) }),
      ...(affiliations.length === 0 ? {} : { affiliations }),
    };
  };
  return {
    show,
    list,
    names: namesOf,
    read(sent, path, to, before) {
      const members = opened(agent, sent, path, to);
      if (members === null) return null;
      const at = members.at("person_or_org");
      const person = opened(PERSON, members.sent("person_or_org"), at, to);
      if (person === null) {
        if (members.sent("person_or_org") === undefined) to.fault(at, RECORD_SENTENCES.missing);
        return null;
      }
      const { kind, names, ids, isSame } = readPerson(person, at, to, before);
      const old = before?.value;
      const role = readRole(agent.fields.role, members, to, { roles, old });
      const affiliations = readAffiliations(
        members.sent("affiliations"),
        old?.affiliations ?? [],
        members.at("affiliations"),
        to,
      );
      const hidden = isSame && old !== undefined ? old : { alternatives: [], emails: [] };
      return {
        kind,
        names,
        alternatives: hidden.alternatives,
        ids,
        emails: hidden.emails,
        affiliations,
        ...maybe("role", role),
        ...maybe("authorId", "authorId" in hidden ? hidden.authorId : undefined),
      };
    },
  };
}

function readRole(
  field: EntryField,
  members: SentMembers<AgentShape["fields"]>,
  to: RecordInput,
  { roles, old }: { readonly roles: Words; readonly old: Agent | undefined },
) {
  const sent = members.sent("role");
  const before = old?.role;
  const id = isJsonObject(sent) ? own(sent, "id") : undefined;
  if (before !== undefined && before !== "" && id === roles.idOf(before)) return before;
  const entry = entryAt(field, sent, members.at("role"), to);
  return entry === null ? undefined : roles.wordOf(entry);
}
