// How the records interface renders refusals (R37): `{status, message, errors?, tombstone?}`, as clients of existing
// record repositories read them.
import { RECORD_SENTENCES } from "../../src/model/input/record-refusals.ts";
import { isRefusal, Refusal } from "../../src/shared/refusal.ts";
import { JSON_TYPE } from "../http/answer.ts";
import type { Dialect } from "../http/errors.ts";
import { renderRefusal } from "./errors.ts";
import type { RepositoryGuard } from "./guard.ts";

/** Members in addition to status and message, if a refusal has them. */
const EXTRA_MEMBERS = ["errors", "tombstone"] as const;

/** `{status, message, errors?, tombstone?}`: records, files, communities, requests, vocabularies. */
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

/** A response of this interface that no shared cache stores. */
export function recordAnswer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, {
    status,
    headers: { "content-type": JSON_TYPE, "cache-control": "private, no-store", ...headers },
  });
}
