// Creators, contributors and funders in the tools' model (R3): the first name of an agent is the one that is shown,
// names in further languages, alternatives, addresses and the link to the author database stay with who is still the
// same.
import { IDENTIFIER_FORMS } from "../../model/metadata/identifier-forms.ts";
import type { Agent, AgentName, Funding, Org } from "../../model/metadata/metadata.ts";
import { maybe, own } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { readIdents, showIdents, shownIdentifier } from "./identifiers.ts";
import { hasSameContent, type ListFormat, type PreviousEntry, readList } from "./keep.ts";
import {
  type Entries,
  entryAt,
  FAULT_MESSAGES,
  neededEntry,
  objectAt,
  type RecordInput,
  shownEntry,
  textAt,
} from "./record-input.ts";
import { type Words, worded, wordingAt } from "./words.ts";

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

function showOrg(org: Org, vocabulary: string): JsonObject | null {
  const [id, name] = [orgId(org, vocabulary), orgName(org)];
  return id === "" && name === "" ? null : { ...memberUnlessEmpty("id", id), ...memberUnlessEmpty("name", name) };
}

/** An organisation by its entry, or by its name; null, and reported, where it is neither. */
function readOrg(
  sent: JsonObject,
  { path, vocabulary, member }: { readonly path: string; readonly vocabulary: string; readonly member: string },
  to: RecordInput,
  before: Org | null,
): Org | null {
  const id = textAt(own(sent, "id"), `${path}.id`, to) ?? "";
  const name = textAt(own(sent, "name"), `${path}.name`, to) ?? "";
  if (id === "" && name === "") {
    to.fault(`${path}.${member}`, "An existing id or a free text name must be present.");
    return null;
  }
  const entry = id === "" ? undefined : to.entries.get(vocabulary, id);
  // An organisation with a ROR id and a name needs no entry in the vocabulary.
  if (id !== "" && entry === undefined && !(name !== "" && isRor(id))) {
    to.fault(`${path}.id`, `Invalid value ${id.slice(0, 100)}.`);
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

const AFFILIATION: ListFormat<Org> = {
  show: (org) => showOrg(org, AFFILIATIONS),
  read(sent, path, to, before) {
    const members = objectAt(sent, path, ["id", "name", "identifiers"], to);
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
function readName(sent: JsonObject, kind: Agent["kind"], path: string, to: RecordInput): AgentName | null {
  const part = (name: string): string => textAt(own(sent, name), `${path}.${name}`, to) ?? "";
  const [full, family, given] = [part("name"), part("family_name"), part("given_name")];
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

function readPerson(sent: JsonObject, path: string, to: RecordInput, before: PreviousEntry<Agent> | null): Person {
  const old = before?.value;
  const shown = old === undefined ? {} : showPerson(old);
  const type = own(sent, "type");
  const isType = type === "personal" || type === "organizational";
  if (!isType) to.fault(`${path}.type`, PERSON_TYPES);
  const kind = isType ? (shown.type === type && old !== undefined ? old.kind : type) : (old?.kind ?? null);
  const name = readName(sent, isType ? type : null, path, to);
  const oldName = old === undefined ? undefined : shownName(old.names);
  const members = ["given_name", "family_name", ...(type === "organizational" ? ["name"] : [])];
  const isNameKept =
    old !== undefined && shown.type === type && members.every((member) => own(sent, member) === shown[member]);
  const isAlike = name !== null && oldName !== undefined && isNamedAlike(name, oldName);
  const isSame = old !== undefined && (before?.kind === "same" || isNameKept || isAlike);
  const ids = readIdents("people", own(sent, "identifiers"), isSame ? old.ids : [], `${path}.identifiers`, to);
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

/** Creators, or contributors, whose role is required. */
export function agentFormat(roles: Words, entries: Entries, needsRole: boolean): ListFormat<Agent> {
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
    longest: most("authors"),
    names: namesOf,
    read(sent, path, to, before) {
      const members = objectAt(sent, path, ["person_or_org", "role", "affiliations"], to);
      if (members === null) return null;
      const at = `${path}.person_or_org`;
      const known = ["type", "name", "given_name", "family_name", "identifiers"];
      const person = objectAt(own(members, "person_or_org"), at, known, to);
      if (person === null) {
        if (own(members, "person_or_org") === undefined) to.fault(at, FAULT_MESSAGES.missing);
        return null;
      }
      const { kind, names, ids, isSame } = readPerson(person, at, to, before);
      const old = before?.value;
      const role = readRole(own(members, "role"), `${path}.role`, to, { roles, needsRole, old });
      const affiliations = readAffiliations(
        own(members, "affiliations"),
        old?.affiliations ?? [],
        `${path}.affiliations`,
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

type RoleOf = { readonly roles: Words; readonly needsRole: boolean; readonly old: Agent | undefined };

function readRole(sent: Json | undefined, path: string, to: RecordInput, { roles, needsRole, old }: RoleOf) {
  const before = old?.role;
  const id = isJsonObject(sent) ? own(sent, "id") : undefined;
  if (before !== undefined && before !== "" && id === roles.idOf(before)) return before;
  const entry = (needsRole ? neededEntry : entryAt)(sent, path, roles.vocabulary, to);
  return entry === null ? undefined : roles.wordOf(entry);
}

// Funding: a funder and an award, each by its entry or in words (R3).

function showAward(award: Funding["award"], entries: Entries): JsonObject {
  if (award === undefined) return {};
  const [title] = award.titles.filter(({ value }) => value !== "");
  const { id = "", number = "", uri = "", ids = [] } = award;
  const idents = [...(uri === "" ? [] : [{ scheme: "URI", value: uri }]), ...ids];
  const shown = showIdents("awards", idents);
  const entry = id === "" ? undefined : entries.get("awards", id);
  const members = {
    ...(id === "" ? {} : { id }),
    ...(number === "" ? {} : { number }),
    ...(entry === undefined ? (title === undefined ? {} : { title: worded(title) }) : { title: entry.title }),
    ...(shown.length === 0 ? {} : { identifiers: shown }),
  };
  return Object.keys(members).length === 0 ? {} : { award: members };
}

function readAward(
  sent: Json | undefined,
  path: string,
  to: RecordInput,
  old: Funding["award"],
): Funding["award"] | null {
  const members = objectAt(sent, path, ["id", "number", "title", "identifiers", "acronym", "program"], to);
  if (members === null) return null;
  const id = textAt(own(members, "id"), `${path}.id`, to) ?? "";
  const entry = id === "" ? undefined : to.entries.get("awards", id);
  if (id !== "" && entry === undefined && id !== old?.id) to.fault(`${path}.id`, `Invalid value ${id.slice(0, 100)}.`);
  const number = textAt(own(members, "number"), `${path}.number`, to) || entry?.props.number || undefined;
  const [oldTitle, ...otherTitles] = old?.titles ?? [];
  const title = entry === undefined ? wordingAt(own(members, "title"), `${path}.title`, to, oldTitle) : null;
  if (id === "" && number === undefined && title === null) {
    to.fault(`${path}.award`, "An existing id or either number or title must be present.");
    return null;
  }
  const titles = entry === undefined ? (title === null ? [] : [title]) : entryNames(entry.title);
  const before = [...(old?.uri ? [{ scheme: "URI", value: old.uri }] : []), ...(old?.ids ?? [])];
  const idents = readIdents("awards", own(members, "identifiers"), before, `${path}.identifiers`, to);
  const uri = idents.find(({ scheme }) => scheme === "URI")?.value ?? entry?.props.uri;
  const ids = idents.filter(({ scheme }) => scheme !== "URI");
  const isKnown = entry !== undefined || (id !== "" && id === old?.id);
  return {
    ...maybe("id", isKnown ? id : undefined),
    ...maybe("number", number),
    ...maybe("numberType", number !== undefined && number === old?.number ? old.numberType : undefined),
    ...maybe("uri", uri),
    ...(ids.length === 0 ? {} : { ids }),
    titles: title !== null && title === oldTitle ? [title, ...otherTitles] : titles,
  };
}

export const FUNDING = (entries: Entries): ListFormat<Funding> => ({
  show({ funder, award }) {
    const shown = showOrg(funder, "funders");
    const awarded = showAward(award, entries);
    return shown === null && Object.keys(awarded).length === 0
      ? null
      : { ...(shown === null ? {} : { funder: shown }), ...awarded };
  },
  read(sent, path, to, before) {
    const members = objectAt(sent, path, ["funder", "award"], to);
    if (members === null) return null;
    const old = before?.value;
    const given = own(members, "funder");
    if (given === undefined) to.fault(`${path}.funder`, FAULT_MESSAGES.missing);
    const known = ["id", "name", "title", "country", "country_name", "identifiers", "props"];
    const org = objectAt(given, `${path}.funder`, known, to);
    const isFunder = old !== undefined && hasSameContent(given, showOrg(old.funder, "funders"));
    const at = { path: `${path}.funder`, vocabulary: "funders", member: "funder" };
    const funder = isFunder ? old.funder : org === null ? null : readOrg(org, at, to, old?.funder ?? null);
    const shownAward = old === undefined ? undefined : showAward(old.award, to.entries).award;
    const isAward = old !== undefined && hasSameContent(own(members, "award"), shownAward);
    const award = isAward
      ? old.award
      : (readAward(own(members, "award"), `${path}.award`, to, old?.award) ?? undefined);
    if (funder === null) return null;
    const stream = isFunder ? old.stream : undefined;
    return { funder, ...maybe("stream", stream), ...maybe("award", award) };
  },
});
