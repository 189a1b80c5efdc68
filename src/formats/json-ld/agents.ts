// People and organisations as schema.org has them (Person, Organization), and as SWORD metadata writes them: one line
// of text.

import type { Agent, AgentName, Funding, Ident, Org, Text } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { maybe, withoutUndefined } from "../../shared/objects.ts";
import type { Graph } from "./graph.ts";
import {
  firstValues,
  identFromText,
  isLocalId,
  oneOrMany,
  plainText,
  readIdent,
  readText,
  readTexts,
  writeIdent,
  writeText,
} from "./values.ts";

/** Identifiers that make a good @id, best first. */
const ID_SCHEMES = ["ORCID", "ROR", "ISNI"];

/** What schema.org and JPCOAR call the parts of people and organisations. */
const NAME_TERMS = ["name", "jpcoar:creatorName", "jpcoar:contributorName", "jpcoar:rightsHolderName"];
const ALTERNATIVE_TERMS = ["alternateName", "jpcoar:creatorAlternative", "jpcoar:contributorAlternative"];
const ROLE_TERMS = ["svc:role", "jpcoar:contributorType", "contributorType", "creatorType"];
const ORG_NAME_TERMS = ["name", "jpcoar:affiliationName", "jpcoar:publisherName", "jpcoar:degreeGrantorName"];
const ID_TERMS = ["identifier", "jpcoar:nameIdentifier", "nameIdentifier"];

export function readAgent(value: Json, graph: Graph): Agent | null {
  if (!isJsonObject(value) || value["@value"] !== undefined) {
    const text = readText(value, graph);
    if (text === null) return null;
    const name = { full: text.value, ...maybe("lang", text.lang) };
    return { kind: null, names: [name], alternatives: [], ids: [], emails: [], affiliations: [] };
  }
  const names = readNames(value, graph);
  const ids = readIds(value, graph);
  // JPCOAR's terms repeat the types of names and contributors; one of them is enough.
  for (const name of NAME_TERMS.flatMap((term) => graph.peek(value, term)))
    if (isJsonObject(name)) graph.markRead(name, "nameType");
  if (graph.peek(value, "jpcoar:contributorType").length > 0) graph.markRead(value, "additionalType");
  if (names.length === 0 && ids.length === 0) return null;
  return {
    kind: kindOf(graph.typesOf(value)),
    names,
    alternatives: readTexts(value, ALTERNATIVE_TERMS, graph),
    ids,
    emails: graph.values(value, "email").flatMap((each) => withoutMailto(plainText(each, graph))),
    affiliations: firstValues(value, ["affiliation", "jpcoar:affiliation"], graph).flatMap(
      (each) => readOrg(each, graph) ?? [],
    ),
    ...maybe("role", plainText(firstValues(value, ROLE_TERMS, graph)[0], graph)),
  };
}

function kindOf(types: readonly string[]): Agent["kind"] {
  if (types.includes("Person")) return "personal";
  return types.some((type) => type.endsWith("Organization")) ? "organizational" : null;
}

function withoutMailto(mail: string | null): readonly string[] {
  return mail === null ? [] : [mail.replace(/^mailto:/i, "")];
}

/** Names by language: the k-th full, family and given name of one language belong together. */
function readNames(person: JsonObject, graph: Graph): readonly AgentName[] {
  const parts = [
    ["full", readTexts(person, NAME_TERMS, graph)],
    ["family", readTexts(person, ["familyName", "jpcoar:familyName"], graph)],
    ["given", readTexts(person, ["givenName", "jpcoar:givenName"], graph)],
  ] as const;
  const names = new Map<string, { full?: string; family?: string; given?: string; lang?: string }>();
  for (const [part, texts] of parts) {
    const counts = new Map<string, number>();
    for (const text of texts) {
      const lang = text.lang ?? "";
      const nth = counts.get(lang) ?? 0;
      counts.set(lang, nth + 1);
      const key = `${lang} ${nth}`;
      const name = names.get(key) ?? {};
      name[part] = text.value;
      if (text.lang !== undefined) name.lang = text.lang;
      names.set(key, name);
    }
  }
  return [...names.values()];
}

/** Identifiers of an entity: the values of `identifier`, and an @id of a known scheme. */
function readIds(entity: JsonObject, graph: Graph): readonly Ident[] {
  const ids = firstValues(entity, ID_TERMS, graph).flatMap((each) => readIdent(each, graph) ?? []);
  const id = entity["@id"];
  if (typeof id !== "string" || isLocalId(id)) return ids;
  const own = identFromText(id);
  const isKnown = ids.some((each) => each.value === own.value || each.uri === id);
  return isKnown || own.scheme === "Local" ? ids : [...ids, own];
}

export function writeAgent(agent: Agent): Json {
  const byPart = (part: "full" | "family" | "given"): Json | undefined =>
    oneOrMany(
      agent.names.flatMap((name) => {
        const value = name[part];
        return value === undefined ? [] : [writeText({ value, ...maybe("lang", name.lang) })];
      }),
    );
  return withoutUndefined({
    "@id": idOf(agent.ids),
    "@type": agent.kind === "organizational" ? "Organization" : agent.kind === "personal" ? "Person" : undefined,
    name: byPart("full"),
    familyName: byPart("family"),
    givenName: byPart("given"),
    alternateName: oneOrMany(agent.alternatives.map(writeText)),
    identifier: oneOrMany(agent.ids.map(writeIdent)),
    email: oneOrMany(agent.emails),
    affiliation: oneOrMany(agent.affiliations.map(writeOrg)),
    "svc:role": agent.role,
  });
}

function idOf(ids: readonly Ident[]): string | undefined {
  for (const scheme of ID_SCHEMES) {
    const ident = ids.find((each) => each.scheme === scheme);
    if (ident === undefined) continue;
    if (ident.uri !== undefined && /^https?:\/\/\S+$/.test(ident.uri)) return ident.uri;
    if (scheme === "ORCID" && /^[\dX-]{19}$/.test(ident.value)) return `https://orcid.org/${ident.value}`;
    if (scheme === "ROR" && /^[a-z\d]{9}$/.test(ident.value)) return `https://ror.org/${ident.value}`;
  }
  return undefined;
}

export function readOrg(value: Json, graph: Graph): Org | null {
  if (!isJsonObject(value) || value["@value"] !== undefined) {
    const text = readText(value, graph);
    if (text === null) return null;
    const ident = identFromText(text.value);
    return ident.scheme === "ROR" || ident.scheme === "ISNI" ? { names: [], ids: [ident] } : { names: [text], ids: [] };
  }
  const given: readonly Text[] = readTexts(value, ORG_NAME_TERMS, graph);
  const plain = given.length === 0 ? readText(value, graph) : null;
  const names = plain === null || plain.value === value["@id"] ? given : [plain];
  const ids = readIds(value, graph);
  return names.length === 0 && ids.length === 0 ? null : { names, ids };
}

export function writeOrg(org: Org): JsonObject {
  return withoutUndefined({
    "@id": idOf(org.ids),
    "@type": "Organization",
    name: oneOrMany(org.names.map(writeText)),
    identifier: oneOrMany(org.ids.map(writeIdent)),
  });
}

/** A Grant with its funder, a funding reference in JPCOAR's terms, or the funder alone. */
export function readFunding(value: Json, graph: Graph): Funding | null {
  if (FUNDING_TERMS.some((term) => graph.peek(value, term).length > 0)) return readFundingReference(value, graph);
  const isGrant = graph.typesOf(value).includes("Grant") || graph.peek(value, "funder").length > 0;
  if (!isGrant) {
    const funder = readOrg(value, graph);
    return funder === null ? null : { funder };
  }
  const [funder] = graph.values(value, "funder").flatMap((each) => readOrg(each, graph) ?? []);
  const award = {
    ...maybe("number", plainText(graph.values(value, "identifier")[0], graph)),
    ...maybe("numberType", plainText(graph.values(value, "svc:awardNumberType")[0], graph)),
    ...maybe("uri", plainText(graph.values(value, "url")[0], graph)),
    titles: readTexts(value, "name", graph),
  };
  return { funder: funder ?? { names: [], ids: [] }, ...awardOf(award) };
}

const FUNDING_TERMS = ["jpcoar:funderName", "jpcoar:funderIdentifier", "jpcoar:awardNumber", "jpcoar:awardTitle"];

function readFundingReference(value: Json, graph: Graph): Funding {
  const idents = (term: string): readonly Ident[] =>
    graph.values(value, term).flatMap((each) => readIdent(each, graph) ?? []);
  const [number] = graph.values(value, "jpcoar:awardNumber");
  const ofNumber = (...terms: readonly string[]): string | null =>
    number === undefined ? null : plainText(firstValues(number, terms, graph)[0], graph);
  const stream = {
    ids: idents("jpcoar:fundingStreamIdentifier"),
    names: readTexts(value, "jpcoar:fundingStream", graph),
  };
  const award = {
    ...maybe("number", plainText(number, graph)),
    ...maybe("numberType", ofNumber("jpcoar:awardNumberType", "awardNumberType")),
    ...maybe("uri", ofNumber("jpcoar:awardURI", "awardURI")),
    titles: readTexts(value, "jpcoar:awardTitle", graph),
  };
  return {
    funder: { names: readTexts(value, "jpcoar:funderName", graph), ids: idents("jpcoar:funderIdentifier") },
    ...(stream.ids.length + stream.names.length === 0 ? {} : { stream }),
    ...awardOf(award),
  };
}

function awardOf(award: NonNullable<Funding["award"]>): Pick<Funding, "award"> {
  return Object.keys(award).length === 1 && award.titles.length === 0 ? {} : { award };
}

export function writeFunding(funding: Funding): Json {
  return withoutUndefined({
    "@type": "Grant",
    name: oneOrMany((funding.award?.titles ?? []).map(writeText)),
    identifier: funding.award?.number,
    "svc:awardNumberType": funding.award?.numberType,
    url: funding.award?.uri,
    funder: writeOrg(funding.funder),
  });
}
