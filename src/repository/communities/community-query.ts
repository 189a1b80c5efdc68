// What is asked of a list of communities in words (R37): `q` of search_communities, in Lucene's manner, as conditions on their fields.
import type { FieldCondition } from "../../model/input/sought.ts";
import { requireKnownNames } from "../search/lucene/field-names.ts";
import { type AskedFields, soughtOf } from "../search/lucene/sought.ts";

const WORDS = { words: "words" } as const;

const FIELDS: AskedFields = {
  everywhere: WORDS,
  named: {
    id: { exact: "id" },
    slug: { exact: "slug" },
    title: WORDS,
    "metadata.title": WORDS,
    description: WORDS,
    "metadata.description": WORDS,
    type: { exact: "type" },
    "metadata.type.id": { exact: "type" },
    visibility: { exact: "visibility" },
    "access.visibility": { exact: "visibility" },
    created: { time: "created" },
    updated: { time: "updated" },
  },
};

export const communitiesSought = (q: string): FieldCondition => soughtOf(q, FIELDS);

/** @throws Refusal `invalid` for a query that names another field. */
export const requireCommunityNames = (query: string): void =>
  requireKnownNames("query", query, (name) => Object.hasOwn(FIELDS.named, name), Object.keys(FIELDS.named));
