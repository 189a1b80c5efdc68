// What all routes of the records interface share (R37): how refusals are rendered, as clients of existing record
// repositories read them, answers, their validators, and the forms of its paths.

import { Type } from "@sinclair/typebox";
import { FieldErrorShape, RECORD_SENTENCES, sentRecord, unknownRecord } from "../../src/model/input/record-refusals.ts";
import { ConflictShape } from "../../src/repository/records/draft-merging.ts";
import { matchedWords, namesTag } from "../../src/shared/http/entity-tags.ts";
import { isRefusal, Refusal } from "../../src/shared/refusal.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { JSON_TYPE } from "../http/answer.ts";
import type { Dialect } from "../http/errors.ts";
import type { EndpointGroup } from "./endpoint.ts";
import { renderRefusal } from "./errors.ts";
import type { RepositoryGuard } from "./guard.ts";

/** Members in addition to status and message, if a refusal has them. */
const EXTRA_MEMBERS = ["errors", "tombstone", "conflicts", "revision_id"] as const;

/** `{status, message, errors?, tombstone?, conflicts?, revision_id?}`: records, files, communities, requests, vocabularies. */
export const recordDialect: Dialect = (refusal, request) => {
  const error = renderRefusal(refusal, request);
  const extra: Record<string, unknown> = {};
  if (refusal.kind !== "internal") {
    for (const name of EXTRA_MEMBERS) {
      const value = refusal.detail[name];
      if (value !== undefined && value !== null) extra[name] = value;
    }
  }
  return Response.json(
    { status: error.status, message: error.message, ...extra },
    {
      status: error.status,
      headers: { "content-type": JSON_TYPE, "cache-control": "no-store", ...error.headers },
    },
  );
};

/**
 * The body of a request as JSON; undefined without a body. @throws invalid, in the words of this interface, if it is
 * not JSON.
 */
export async function recordBody(guard: Pick<RepositoryGuard, "json">, request: Request): Promise<unknown> {
  try {
    return await guard.json(request);
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    throw new Refusal("invalid", RECORD_SENTENCES.json, { cause: error });
  }
}

/** A refusal of this interface. */
export const RecordError = Type.Object(
  {
    status: Type.Integer(),
    message: Type.String(),
    errors: Type.Optional(Type.Array(FieldErrorShape, { description: "Every member that is wrong, by its path" })),
    tombstone: Type.Optional(Type.Object({}, { additionalProperties: true, description: "Of a record removed" })),
    conflicts: Type.Optional(Type.Array(ConflictShape, { description: "Fields of a draft with two new values" })),
    revision_id: Type.Optional(Type.Integer({ description: "Of the draft that is stored" })),
  },
  { $id: "RecordError" },
);

const MEANINGS: Readonly<Record<number, string>> = {
  400: "Something sent is wrong: `errors` names every member",
  403: "The token lacks the scope, or the caller may not do this",
  404: "There is none, or none the caller may know of",
  408: "The body came too slowly",
  409: "Something else prevents it: `message` names it",
  410: "It was deleted",
  412: "Another revision is there than `If-Match` names",
  413: "What was sent is too large",
  415: "What was sent is of another media type",
};

/** What the operations of this interface share; `always`: statuses of refusals that each of the group has. */
export const recordGroup = (
  group: Pick<EndpointGroup, "name" | "tag" | "scopes" | "pathParameters"> &
    Partial<Pick<EndpointGroup, "always" | "ofOne" | "access" | "rateGroup">>,
): EndpointGroup => ({
  prefix: "/api",
  rateGroup: group.name,
  access: "signed-in",
  dialect: recordDialect,
  error: RecordError,
  meanings: MEANINGS,
  readBody: recordBody,
  sent: sentRecord,
  answerWith: recordAnswer,
  ...group,
});

/** A response of this interface that no shared cache stores. */
export function recordAnswer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, {
    status,
    headers: { "content-type": JSON_TYPE, "cache-control": "private, no-store", ...headers },
  });
}

/**
 * The number of a record in an address (R2a). @throws not_found for text that is not a number: nothing has it as id.
 */
export function recordIdOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw unknownRecord();
}

/**
 * Validators of a response (specification 3, "Response headers"; R29; RFC 9110 section 13). `changedAt`: null if
 * nothing has ever changed.
 */
type Validators = { readonly etag: string; readonly changedAt: Instant | null };

/** Responses that depend on the caller and the language: no shared cache stores them, and each use is validated. */
export function validatorHeaders({ etag, changedAt }: Validators): Headers {
  const headers = new Headers({ etag, "cache-control": "private, no-cache", vary: "Authorization, Accept-Language" });
  if (changedAt !== null) headers.set("last-modified", new Date(changedAt).toUTCString());
  return headers;
}

/**
 * By `If-None-Match`; without it by `If-Modified-Since`, which has whole seconds and is ignored if it is not a date.
 */
export function isUnchanged({ headers }: Request, { etag, changedAt }: Validators): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) return namesTag(tags, etag);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  if (Number.isNaN(since) || changedAt === null) return false;
  return Math.floor(Date.parse(changedAt) / 1000) <= Math.floor(since / 1000);
}

/**
 * The revisions among the tags that `If-Match` names; null: any. `.older` marks the tag of a version that is not the
 * latest.
 */
export const revisionsIn = (tags: readonly string[] | null): { readonly revisions: readonly string[] | null } => ({
  revisions: tags?.map((tag) => tag.replace(/\.older$/, "")) ?? null,
});

export const seenBy = ({ headers }: Request) => revisionsIn(matchedWords(headers.get("if-match")));

const API = "/api/";
const FILES = /^\/api\/records\/[^/]+\/(?:draft\/)?files\//;
/** What may follow a key. */
const PART = /^[^/]+\/content\/(?!content$|commit$)[^/]+$/;
const AFTER_KEY = /^(.+?)(\/content(?:\/\d{1,9})?|\/commit)?$/;

/**
 * Clients write paths in several ways: with a slash at the end, and with the slashes of a file's key as they are. Each
 * is mapped to the one path that has a route.
 */
export function canonicalPath(path: string): string {
  if (!path.startsWith(API)) return path;
  const bare = path.endsWith("/") && !path.endsWith("//") && path.length > API.length ? path.slice(0, -1) : path;
  const [start] = FILES.exec(bare) ?? [];
  const rest = bare.slice(start?.length);
  if (start === undefined || PART.test(rest)) return bare;
  const [, key = "", end = ""] = AFTER_KEY.exec(rest) ?? [];
  if (!key.includes("/")) return bare;
  return start + key.replaceAll("/", "%2F") + end;
}
