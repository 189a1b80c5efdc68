// What is asked of a list of communities in words (R37): `q` of search_communities, in Lucene's manner, as conditions
// on their fields.
import type { FieldCondition } from "../../model/input/field-conditions.ts";
import { requireKnownNames } from "../search/lucene/field-names.ts";
import { fieldConditionOf, type QueryFields } from "../search/lucene/field-query.ts";

const WORDS = { words: "words" } as const;

const FIELDS: QueryFields = {
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

export const communitiesSought = (q: string): FieldCondition => fieldConditionOf(q, FIELDS);

/** @throws Refusal `invalid` for a query that names another field. */
export const requireCommunityNames = (query: string): void =>
  requireKnownNames("query", query, (name) => Object.hasOwn(FIELDS.named, name), Object.keys(FIELDS.named));
