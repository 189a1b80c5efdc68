// What is asked of a list of requests in words (R37): `q` of list_requests, in Lucene's manner, as conditions on their
// fields.
import type { FieldCondition } from "../../model/input/field-conditions.ts";
import { requireKnownNames } from "../search/lucene/field-names.ts";
import { fieldConditionOf, type QueryFields } from "../search/lucene/field-query.ts";

const WORDS = { words: "words" } as const;
const OPEN: FieldCondition = { kind: "is", field: "status", value: "submitted" };

const FIELDS: QueryFields = {
  everywhere: WORDS,
  named: {
    id: { exact: "id" },
    number: { exact: "number" },
    title: WORDS,
    type: { exact: "type" },
    status: { exact: "status" },
    is_open: { each: (value) => (value === "true" ? OPEN : { kind: "not", of: OPEN }) },
    "receiver.community": { exact: "community" },
    "receiver.user": { exact: "receiver" },
    "topic.record": { exact: "record" },
    "created_by.user": { exact: "creator" },
    created: { time: "created" },
    updated: { time: "updated" },
  },
};

export const requestsSought = (q: string): FieldCondition => fieldConditionOf(q, FIELDS);

/** @throws Refusal `invalid` for a query that names another field. */
export const requireRequestNames = (query: string): void =>
  requireKnownNames("query", query, (name) => Object.hasOwn(FIELDS.named, name), Object.keys(FIELDS.named));
