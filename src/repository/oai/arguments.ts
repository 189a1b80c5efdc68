// What a request of a harvester asks for (OAI-PMH 2.0 sections 3.1, 3.6, 4): the verb, its arguments, and everything
// that is wrong with them.
import { own } from "../../shared/objects.ts";
import { xmlText } from "../../shared/xml/print.ts";
import type { Second } from "../store/harvest.ts";
import { firstSecondOf, lastSecondOf, readUtcMoment, type UtcMoment } from "./seconds.ts";

export type OaiErrorCode =
  | "badArgument"
  | "badResumptionToken"
  | "badVerb"
  | "cannotDisseminateFormat"
  | "idDoesNotExist"
  | "noMetadataFormats"
  | "noRecordsMatch";
export type OaiError = { readonly code: OaiErrorCode; readonly message: string };

/** A list from its beginning. */
export type ListArguments = {
  readonly metadataPrefix: string;
  readonly set: string | null;
  readonly from: Second | null;
  readonly until: Second | null;
};
export type ListVerb = "ListIdentifiers" | "ListRecords";

export type OaiRequest =
  | { readonly verb: "Identify" }
  | { readonly verb: "ListMetadataFormats"; readonly identifier: string | null }
  | { readonly verb: "ListSets"; readonly token: string | null }
  | { readonly verb: "GetRecord"; readonly identifier: string; readonly metadataPrefix: string }
  | { readonly verb: ListVerb; readonly token: string }
  | { readonly verb: ListVerb; readonly list: ListArguments };
type Verb = OaiRequest["verb"];

/** Arguments as they were sent, in order, names repeated. */
export type SentArguments = Iterable<readonly [name: string, value: string]>;

export type ReadRequest =
  | { readonly request: OaiRequest; readonly echo: readonly (readonly [string, string])[] }
  | { readonly errors: readonly OaiError[] };

type Rule = { readonly required: readonly string[]; readonly optional: readonly string[]; readonly resumed: boolean };
const LIST: Rule = { required: ["metadataPrefix"], optional: ["from", "until", "set"], resumed: true };
const RULES: Readonly<Record<Verb, Rule>> = {
  Identify: { required: [], optional: [], resumed: false },
  ListMetadataFormats: { required: [], optional: ["identifier"], resumed: false },
  ListSets: { required: [], optional: [], resumed: true },
  GetRecord: { required: ["identifier", "metadataPrefix"], optional: [], resumed: false },
  ListIdentifiers: LIST,
  ListRecords: LIST,
};
const VERBS = Object.keys(RULES).join(", ");

/** Longest value of an argument; tokens are the longest of them. */
const VALUE_MAX = 2_000;
const PREFIX = /^[A-Za-z0-9\-_.!~*'()]+$/;
const SET = /^[A-Za-z0-9\-_.!~*'()]+(?::[A-Za-z0-9\-_.!~*'()]+)*$/;
/** Identifiers that the `request` element may repeat. */
const NAMEABLE = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?@!$&'()*+,;=%]+$/;

const shown = (text: string): string => `"${xmlText(text.slice(0, 100))}"`;
const bad = (message: string): OaiError => ({ code: "badArgument", message });

/** The verb, or what is wrong with it. */
function verbOf(values: readonly string[]): Verb | OaiError {
  const [first] = values;
  if (first === undefined) return { code: "badVerb", message: `The verb is missing: one of ${VERBS}` };
  if (values.length > 1) return { code: "badVerb", message: "The verb is repeated" };
  const known = own(RULES, first);
  // The names of the rules are the verbs.
  return known === undefined
    ? { code: "badVerb", message: `${shown(first)} is not a verb: one of ${VERBS}` }
    : (first as Verb);
}

export function readArguments(sent: SentArguments): ReadRequest {
  const all = [...sent];
  const verb = verbOf(all.filter(([name]) => name === "verb").map(([, value]) => value));
  if (typeof verb !== "string") return { errors: [verb] };
  const rule = RULES[verb];
  const given = new Map<string, string>();
  const errors: OaiError[] = [];
  for (const [name, value] of all) {
    const isKnown = [...rule.required, ...rule.optional, ...(rule.resumed ? ["resumptionToken"] : [])].includes(name);
    if (name === "verb") continue;
    if (!isKnown) errors.push(bad(`${verb} has no argument ${shown(name)}`));
    else if (given.has(name)) errors.push(bad(`The argument ${name} is repeated`));
    else if (value === "") errors.push(bad(`The argument ${name} is empty`));
    else if (value.length > VALUE_MAX) errors.push(bad(`The argument ${name} is longer than ${VALUE_MAX} characters`));
    given.set(name, value);
  }
  const token = given.get("resumptionToken");
  if (token !== undefined && given.size > 1)
    errors.push(bad("resumptionToken is the only argument allowed with the verb"));
  if (token === undefined) {
    for (const name of rule.required) if (!given.has(name)) errors.push(bad(`${verb} needs the argument ${name}`));
  }
  errors.push(...formsOf(given));
  const request = errors.length === 0 ? requestOf(verb, given) : null;
  if (request === null) return { errors: onceEach(errors) };
  const echo = [
    ["verb", verb] as const,
    ...[...given].filter(([name, value]) => name !== "identifier" || NAMEABLE.test(value)),
  ];
  return { request, echo };
}

/** Each complaint once, and no more than a reader takes in, however often something was sent. */
const ERRORS_MAX = 20;
function onceEach(errors: readonly OaiError[]): readonly OaiError[] {
  return [...new Map(errors.map((error) => [error.message, error])).values()].slice(0, ERRORS_MAX);
}

/** What is wrong with the form of values. */
function formsOf(given: ReadonlyMap<string, string>): OaiError[] {
  const errors: OaiError[] = [];
  const [prefix = "", set = ""] = [given.get("metadataPrefix"), given.get("set")];
  if (prefix !== "" && !PREFIX.test(prefix))
    errors.push(bad(`metadataPrefix ${shown(prefix)} holds characters that no prefix has`));
  if (set !== "" && !SET.test(set)) errors.push(bad(`set ${shown(set)} does not have the form of a set`));
  const moments = (["from", "until"] as const).flatMap((name) => {
    const text = given.get(name) ?? "";
    const moment = readUtcMoment(text);
    if (text !== "" && moment === null) {
      errors.push(bad(`${name} ${shown(text)} is not a time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ`));
    }
    return moment === null ? [] : [moment];
  });
  const [from, until] = moments;
  if (from === undefined || until === undefined) return errors;
  if (from.granularity !== until.granularity) errors.push(bad("from and until have different granularities"));
  else if (from.text > until.text) errors.push(bad("from is later than until"));
  return errors;
}

function requestOf(verb: Verb, given: ReadonlyMap<string, string>): OaiRequest {
  const token = given.get("resumptionToken") ?? null;
  switch (verb) {
    case "Identify":
      return { verb };
    case "ListMetadataFormats":
      return { verb, identifier: given.get("identifier") ?? null };
    case "ListSets":
      return { verb, token };
    case "GetRecord":
      return { verb, identifier: given.get("identifier") ?? "", metadataPrefix: given.get("metadataPrefix") ?? "" };
    case "ListIdentifiers":
    case "ListRecords":
      return token === null ? { verb, list: listOf(given) } : { verb, token };
  }
}

function listOf(given: ReadonlyMap<string, string>): ListArguments {
  const moment = (name: string, read: (moment: UtcMoment) => Second): Second | null => {
    const found = readUtcMoment(given.get(name) ?? "");
    return found === null ? null : read(found);
  };
  return {
    metadataPrefix: given.get("metadataPrefix") ?? "",
    set: given.get("set") ?? null,
    from: moment("from", firstSecondOf),
    until: moment("until", lastSecondOf),
  };
}
