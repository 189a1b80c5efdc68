// People and organisations as schema.org has them (Person, Organization), and as SWORD metadata writes them: one line of text.
import type { Agent, AgentName, Funding, Ident, Json, Org, Text } from "../../domain/items/metadata.ts";
import { isJsonObject, type JsonObject } from "../json/read.ts";
import type { Graph } from "./graph.ts";
import {
  identFromText,
  isLocalId,
  oneOrMany,
  plainText,
  present,
  readIdent,
  readText,
  readTexts,
  withoutAbsent,
  writeIdent,
  writeText,
} from "./values.ts";

/** Identifiers that make a good @id, best first. */
const ID_SCHEMES = ["ORCID", "ROR", "ISNI"];

export function readAgent(value: Json, graph: Graph): Agent | null {
  if (!isJsonObject(value) || value["@value"] !== undefined) {
    const text = readText(value, graph);
    if (text === null) return null;
    const name = { full: text.value, ...present("lang", text.lang) };
    return { kind: null, names: [name], alternatives: [], ids: [], emails: [], affiliations: [] };
  }
  const names = readNames(value, graph);
  const ids = readIds(value, graph);
  if (names.length === 0 && ids.length === 0) return null;
  return {
    kind: kindOf(graph.typesOf(value)),
    names,
    alternatives: readTexts(value, "alternateName", graph),
    ids,
    emails: graph.values(value, "email").flatMap((each) => withoutMailto(plainText(each, graph))),
    affiliations: graph.values(value, "affiliation").flatMap((each) => readOrg(each, graph) ?? []),
    ...present("role", plainText(graph.values(value, "svc:role")[0], graph)),
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
    ["full", readTexts(person, "name", graph)],
    ["family", readTexts(person, "familyName", graph)],
    ["given", readTexts(person, "givenName", graph)],
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

/** Identifiers of an entity: what `identifier` says, and an @id that is known to identify. */
function readIds(entity: JsonObject, graph: Graph): readonly Ident[] {
  const ids = graph.values(entity, "identifier").flatMap((each) => readIdent(each, graph) ?? []);
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
        return value === undefined ? [] : [writeText({ value, ...present("lang", name.lang) })];
      }),
    );
  return withoutAbsent({
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
  const names: readonly Text[] = readTexts(value, "name", graph);
  const ids = readIds(value, graph);
  return names.length === 0 && ids.length === 0 ? null : { names, ids };
}

export function writeOrg(org: Org): JsonObject {
  return withoutAbsent({
    "@id": idOf(org.ids),
    "@type": "Organization",
    name: oneOrMany(org.names.map(writeText)),
    identifier: oneOrMany(org.ids.map(writeIdent)),
  });
}

/** A Grant with its funder, or the funder alone. */
export function readFunding(value: Json, graph: Graph): Funding | null {
  const isGrant = graph.typesOf(value).includes("Grant") || graph.peek(value, "funder").length > 0;
  if (!isGrant) {
    const funder = readOrg(value, graph);
    return funder === null ? null : { funder };
  }
  const [funder] = graph.values(value, "funder").flatMap((each) => readOrg(each, graph) ?? []);
  const award = {
    ...present("number", plainText(graph.values(value, "identifier")[0], graph)),
    ...present("numberType", plainText(graph.values(value, "svc:awardNumberType")[0], graph)),
    ...present("uri", plainText(graph.values(value, "url")[0], graph)),
    titles: readTexts(value, "name", graph),
  };
  const isEmpty = Object.keys(award).length === 1 && award.titles.length === 0;
  return { funder: funder ?? { names: [], ids: [] }, ...(isEmpty ? {} : { award }) };
}

export function writeFunding(funding: Funding): Json {
  return withoutAbsent({
    "@type": "Grant",
    name: oneOrMany((funding.award?.titles ?? []).map(writeText)),
    identifier: funding.award?.number,
    "svc:awardNumberType": funding.award?.numberType,
    url: funding.award?.uri,
    funder: writeOrg(funding.funder),
  });
}
