// How the routes of vocabularies and of the signed-in account describe themselves in the interface description (R32,
// R37): kept apart from the routes.
import { Type } from "@sinclair/typebox";
import {
  CHALLENGE,
  open,
  operation,
  pathParameter,
  queryParameter,
  RETRY_AFTER,
  response,
} from "../../http/document-parts.ts";

const TAG = "Vocabularies";
const OPEN = { security: [{}, { bearer: [] }] };

const ErrorOut = open({ status: Type.Integer(), message: Type.String() });
const LinksOut = open({ self: Type.String() });
const EntryOut = open({
  id: Type.String(),
  title: Type.Optional(open({ en: Type.Optional(Type.String()), ja: Type.Optional(Type.String()) })),
  links: LinksOut,
});
const EntriesOut = Type.Object({
  hits: Type.Object({ hits: Type.Array(EntryOut), total: Type.Integer() }),
  aggregations: open({}),
  sortBy: Type.String(),
  links: LinksOut,
});
const TypesOut = Type.Object({
  hits: Type.Object({
    hits: Type.Array(
      Type.Object({
        id: Type.String(),
        pid_type: Type.String(),
        count: Type.Integer({ description: "Entries; of names as of a minute ago at the most" }),
        is_custom_vocabulary: Type.Boolean({ description: "It has a separate address and shape" }),
        links: LinksOut,
      }),
    ),
    total: Type.Integer(),
  }),
  sortBy: Type.String(),
  links: LinksOut,
});

const KEPT = {
  ETag: { description: "Of the answer", schema: { type: "string" } },
  "Cache-Control": { description: "public, max-age=60", schema: { type: "string" } },
};
const REFUSALS = {
  304: response("The client has it", null),
  400: response("The query is wrong", ErrorOut),
  404: response("There is no such vocabulary, or no such entry", ErrorOut),
  429: response("Too many requests", ErrorOut, RETRY_AFTER),
  500: response("Internal error", ErrorOut),
};
const TYPE = pathParameter("type", "Id of the vocabulary", { example: "resourcetypes" });
const ID = pathParameter("id", "Id of the entry", { example: "publication-article" });
const QUERY = [
  queryParameter("suggest", "The beginning of an entry: each word begins a word of the id or of a title", {
    type: "string",
  }),
  queryParameter("q", "Words that are all in it; one that ends with * begins one. Not together with suggest", {
    type: "string",
  }),
  queryParameter("tags", "Entries with all of these tags, between commas", { type: "string" }),
  queryParameter("sort", "bestmatch, title (name, subject), newest, oldest", { type: "string" }),
  queryParameter("page", "From 1", { type: "integer" }),
  queryParameter("size", "Entries a page, 25 where it is left out, 1,000 at the most", { type: "integer" }),
];
const COMPARED = "Width, case and accents tell nothing apart. Guests may ask.";

export const TYPES = {
  ...operation({
    id: "listVocabularyTypes",
    tag: TAG,
    summary: "List the vocabularies",
    description: "Each with how many entries it has. Guests may ask.",
    parameters: [queryParameter("q", "A part of the id", { type: "string" })],
    responses: { ...REFUSALS, 200: response("The vocabularies", TypesOut, KEPT) },
  }),
  ...OPEN,
};

export const LIST = {
  ...operation({
    id: "findVocabularyEntries",
    tag: TAG,
    summary: "Find entries of a vocabulary",
    description: `By words, or by what somebody has begun to write; without either all of them by title. ${COMPARED}`,
    parameters: [TYPE, ...QUERY],
    responses: { ...REFUSALS, 200: response("What was found", EntriesOut, KEPT) },
  }),
  ...OPEN,
};

export const ITEM = {
  ...operation({
    id: "readVocabularyItem",
    tag: TAG,
    summary: "Read an entry of a vocabulary",
    description: "Its titles, and what else is known of it. Guests may ask.",
    parameters: [TYPE, ID],
    responses: { ...REFUSALS, 200: response("The entry", EntryOut, KEPT) },
  }),
  ...OPEN,
};

const WHAT: Readonly<Record<string, string>> = {
  affiliations: "organisations (ROR)",
  awards: "awards",
  funders: "funders",
  names: "persons of the author database, without what is marked not to be shown",
  subjects: "subjects",
};
const operationOf = (verb: string, type: string): string => verb + type[0]?.toUpperCase() + type.slice(1);

export const ownList = (type: string) => ({
  ...operation({
    id: operationOf("find", type),
    tag: TAG,
    summary: `Find ${type}`,
    description: `Entries of the vocabulary ${type}: ${WHAT[type]}. ${COMPARED}`,
    parameters: QUERY,
    responses: { ...REFUSALS, 200: response("What was found", EntriesOut, KEPT) },
  }),
  ...OPEN,
});

export const ownItem = (type: string) => ({
  ...operation({
    id: operationOf("readOneOf", type),
    tag: TAG,
    summary: `Read one of the ${type}`,
    description: `One of the ${WHAT[type]}. Guests may ask.`,
    parameters: [pathParameter("id", "Its id")],
    responses: { ...REFUSALS, 200: response("The entry", EntryOut, KEPT) },
  }),
  ...OPEN,
});

const MeOut = open({
  id: Type.Integer(),
  email: Type.Union([Type.String(), Type.Null()]),
  name: Type.String(),
  email_pending_setup: Type.Boolean({ description: "The account has no address that receives mail" }),
  profile_settings_url: Type.String(),
  roles: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), description: Type.String() })),
  communities: Type.Array(open({ id: Type.String(), slug: Type.String(), role: Type.String() })),
  links: LinksOut,
});

export const ME = operation({
  id: "readMe",
  tag: "Accounts",
  summary: "Read who is signed in",
  description:
    "The account of the token or the session, its roles and its communities. A token needs no scope for it; the communities are shown to one " +
    "with `user:activity`.",
  parameters: [],
  responses: {
    200: response("The account", MeOut),
    401: response("Nobody is signed in", ErrorOut, CHALLENGE),
    429: response("Too many requests", ErrorOut, RETRY_AFTER),
    500: response("Internal error", ErrorOut),
  },
});
