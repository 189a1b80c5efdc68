// Links between the agents of an item and the author database (R6a, R23; specification 2, "Author database endpoints",
// Update): whom an agent may mean, and how the record of an author changes the agents that are linked to them.

import type { AuthorId } from "../../shared/ids.ts";
import type { Agent, AgentName, Ident, Metadata, Org } from "../metadata/metadata.ts";
import { type Affiliation, type AuthorContent, identifierKey, LOCAL, localNumber, schemeKey } from "./author.ts";

/** Creators and contributors are persons of the author database. */
const LISTS = ["creators", "contributors"] as const;

const agentsOf = (metadata: Metadata): readonly Agent[] => LISTS.flatMap((list) => metadata[list]);

/** The metadata with other agents; the same where none is another. */
export function mapAgents(metadata: Metadata, change: (agent: Agent) => Agent): Metadata {
  const changed = LISTS.map((list) => [list, metadata[list], metadata[list].map(change)] as const).filter(
    ([, before, after]) => after.some((agent, at) => agent !== before[at]),
  );
  if (changed.length === 0) return metadata;
  return { ...metadata, ...Object.fromEntries(changed.map(([list, , after]) => [list, after])) };
}

/** The authors that are linked, each once, by number. */
export function linkedAuthors(metadata: Metadata): readonly AuthorId[] {
  const ids = agentsOf(metadata).flatMap(({ authorId }) => authorId ?? []);
  return [...new Set(ids)].sort((a, b) => a - b);
}

/**
 * What an agent may be linked by: an existing link, a number of the repository's own scheme, keys of other identifiers.
 */
export type AgentLinks = {
  readonly author: AuthorId | null;
  readonly number: number | null;
  readonly keys: readonly string[];
};

const OWN = schemeKey(LOCAL);
const identText = ({ value, uri }: Ident): string => (value.trim() === "" ? (uri ?? "") : value);

function linksOf({ authorId, ids }: Agent): AgentLinks {
  const own = ids.find(({ scheme }) => schemeKey(scheme) === OWN);
  const keys = ids.filter((each) => each !== own && identText(each) !== "").map(keyOf);
  return { author: authorId ?? null, number: own === undefined ? null : localNumber(identText(own).trim()), keys };
}

const keyOf = (ident: Ident): string => identifierKey(ident.scheme, identText(ident));

/** The links of every agent, and all of them together, each once. */
export function allLinks(metadata: Metadata) {
  const ofAgents = new Map(agentsOf(metadata).map((agent) => [agent, linksOf(agent)]));
  const links = [...ofAgents.values()];
  return {
    ofAgents,
    authors: [...new Set(links.flatMap(({ author }) => author ?? []))],
    numbers: [...new Set(links.flatMap(({ number }) => number ?? []))],
    keys: [...new Set(links.flatMap(({ keys }) => keys))],
  };
}

/** An agent with this link, or without any. */
export function withLink(agent: Agent, authorId: AuthorId | null): Agent {
  if ((agent.authorId ?? null) === authorId) return agent;
  const { authorId: _, ...unlinked } = agent;
  return authorId === null ? unlinked : { ...unlinked, authorId };
}

/** The author data that items take over. */
export type AuthorUpdate = {
  readonly authorId: AuthorId;
  readonly content: AuthorContent;
  /** The address of an identifier; undefined where its scheme has none. */
  readonly addressOf: (scheme: string, identifier: string) => string | undefined;
  readonly withNames: boolean;
  /** What the author's record no longer contains. */
  readonly dropped: {
    readonly identifiers: readonly string[];
    readonly emails: readonly string[];
    readonly affiliations: boolean;
  };
};

/**
 * An agent as the record of its author has it (R23): identifiers, addresses and affiliations always, names with
 * `withNames`. Where the record is empty, the item keeps its own words, except for what the record no longer contains.
 */
export function applyAuthorRecord(agent: Agent, update: AuthorUpdate): Agent {
  const { content, dropped } = update;
  const names = update.withNames ? shownNames(content) : [];
  const emails = content.emailInfo.map(({ email }) => email);
  const affiliations = content.affiliationInfo.flatMap((each) => shownAffiliation(each, update));
  const after: Agent = {
    ...agent,
    names: names.length === 0 ? agent.names : names,
    ids: identifiersOf(agent, update),
    emails: emails.length > 0 ? emails : agent.emails.filter((email) => !dropped.emails.includes(email)),
    affiliations: affiliations.length > 0 || dropped.affiliations ? affiliations : agent.affiliations,
    authorId: update.authorId,
  };
  return JSON.stringify(after) === JSON.stringify(agent) ? agent : after;
}

function identifiersOf({ ids }: Agent, { content, addressOf, dropped }: AuthorUpdate): readonly Ident[] {
  const shown = content.authorIdInfo
    .filter(({ authorIdShowFlg }) => authorIdShowFlg)
    .map(({ idType, authorId }): Ident => {
      const key = identifierKey(idType, authorId);
      const uri = addressOf(idType, authorId);
      // What the item already has stays as it is written there.
      return (
        ids.find((ident) => keyOf(ident) === key) ?? {
          scheme: idType,
          value: authorId,
          ...(uri === undefined ? {} : { uri }),
        }
      );
    });
  const schemes = new Set(shown.map(({ scheme }) => schemeKey(scheme)));
  const others = ids.filter(
    (ident) => !schemes.has(schemeKey(ident.scheme)) && !dropped.identifiers.includes(keyOf(ident)),
  );
  return [...shown, ...others];
}

function shownNames({ authorNameInfo }: AuthorContent): readonly AgentName[] {
  return authorNameInfo
    .filter(({ nameShowFlg, familyName, firstName }) => nameShowFlg && (familyName ?? firstName) !== undefined)
    .map(({ language, familyName, firstName }) => ({
      full: [familyName, firstName].filter((part) => part !== undefined).join(", "),
      ...(familyName === undefined ? {} : { family: familyName }),
      ...(firstName === undefined ? {} : { given: firstName }),
      ...(language === undefined ? {} : { lang: language }),
    }));
}

function shownAffiliation(
  { affiliationNameInfo, identifierInfo }: Affiliation,
  { addressOf }: AuthorUpdate,
): readonly Org[] {
  const names = affiliationNameInfo
    .filter(({ affiliationNameShowFlg }) => affiliationNameShowFlg)
    .map(({ affiliationName, affiliationNameLang }) => ({ value: affiliationName, lang: affiliationNameLang }));
  const ids = identifierInfo
    .filter(({ identifierShowFlg }) => identifierShowFlg)
    .map(({ affiliationIdType: scheme, affiliationId: value }): Ident => {
      const uri = addressOf(scheme, value);
      return uri === undefined ? { scheme, value } : { scheme, value, uri };
    });
  return names.length === 0 && ids.length === 0 ? [] : [{ names, ids }];
}
