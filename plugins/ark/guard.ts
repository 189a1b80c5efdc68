// The order of checks before a management call reaches its service (A22): size, authentication, rate, scope, and only
// then the body. All of it runs in Elysia's `transform` hook, the last one before validation; `parse: "none"` keeps the
// body unread until then.

import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { t } from "elysia";
import { textProblems } from "../../src/ark/inputs.ts";
import type { Call, Caller, Scope } from "../../src/auth/caller.ts";
import { type FieldProblem, ServiceError, ValidationRefusal } from "../../src/shared/errors.ts";
import type { RateLimit } from "../../src/shared/http/rate-limit.ts";
import { parseJson } from "../../src/shared/json/read.ts";
import { type BodyLimits, readBytes, refuseDeclaredSize } from "../http/request-body.ts";
import { charge, contextOf } from "../http/request-context.ts";
import { PROBLEMS_MAX, problemsOf } from "../http/validation-problems.ts";
import { type OperationIn, operation } from "./documentation.ts";

type GuardNeeds = BodyLimits & {
  readonly authenticate: (authorization: string | null) => Promise<Caller>;
  /** Throws 1301 unless the caller holds one of the scopes. */
  readonly requireScope: (caller: Caller, anyOf: readonly Scope[]) => void;
  /** Of each credential. */
  readonly rate: RateLimit | null;
};

/** What a schema cannot express about a valid body; see `textProblems` of the domain. */
type ExtraCheck<T> = (body: T) => readonly FieldProblem[];

type TransformContext = { readonly request: Request; body: unknown };

export interface Guard {
  /** Hooks of a route without a body. */
  read(anyOf: readonly Scope[]): { transform: ({ request }: { readonly request: Request }) => Promise<void> };
  /** Hooks of a route with a JSON body of this schema. `extra` is asked only about bodies that fit it. */
  write<S extends TSchema>(
    anyOf: readonly Scope[],
    schema: S,
    extra?: ExtraCheck<Static<S>>,
  ): { parse: "none"; transform: (context: TransformContext) => Promise<void> };
  /** The call a handler hands to its service. Only for requests that passed `read` or `write`. */
  call(request: Request, readOnly?: boolean): Call;
}

export const guard = (needs: GuardNeeds): Guard => {
  const callers = new WeakMap<Request, { readonly caller: Caller; readonly asked: readonly Scope[] }>();

  async function admit(request: Request, anyOf: readonly Scope[]): Promise<void> {
    const caller = await needs.authenticate(request.headers.get("authorization"));
    const context = contextOf(request);
    context.clientId = caller.clientId;
    if (needs.rate !== null) await charge(request, needs.rate, caller.clientId);
    needs.requireScope(caller, anyOf);
    callers.set(request, { caller, asked: anyOf });
  }

  return {
    read(anyOf) {
      return { transform: ({ request }: { readonly request: Request }) => admit(request, anyOf) };
    },

    write<S extends TSchema>(anyOf: readonly Scope[], schema: S, extra?: ExtraCheck<Static<S>>) {
      const check = TypeCompiler.Compile(schema);
      return {
        parse: "none" as const,
        transform: async (context: TransformContext) => {
          refuseDeclaredSize(context.request, needs.bodyLimit);
          await admit(context.request, anyOf);
          const body = await readJson(context.request, needs);
          if (!check.Check(body)) throw new ValidationRefusal(problemsOf(check.Errors(body), "body"));
          const problems = extra?.(body) ?? [];
          if (problems.length > 0) throw new ValidationRefusal(problems.slice(0, PROBLEMS_MAX));
          context.body = body;
        },
      };
    },

    call(request, readOnly = false) {
      const admitted = callers.get(request);
      if (admitted === undefined) throw new TypeError("This route was reached without its guard");
      return { ...admitted, address: contextOf(request).address, readOnly };
    },
  };
};

const INVALID_JSON: FieldProblem = { loc: ["body"], msg: "JSON decode error", type: "json_invalid" };
const MISSING_BODY: FieldProblem = { loc: ["body"], msg: "Field required", type: "missing" };

/**
 * A JSON body (A46): empty 422 missing, broken 422 json_invalid, another media type, or a compressed body, 415 (1104).
 */
async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBytes(request, limits);
  if (bytes.length === 0) throw new ValidationRefusal([MISSING_BODY]);
  const mediaType = request.headers.get("content-type");
  if (mediaType !== null && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(mediaType.trim())) {
    throw new ServiceError(1104, { content_type: mediaType.slice(0, 200) });
  }
  const coding = request.headers.get("content-encoding") ?? "";
  if (!/^(?:identity)?$/i.test(coding.trim())) throw new ServiceError(1104, { content_encoding: coding.slice(0, 200) });
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ValidationRefusal([INVALID_JSON]);
  }
}

// What the management routes share in reading a request and choosing a status (A13, A19, A20, A29).

/** A mistyped parameter is refused (A46): an ignored filter would answer a different question. */
export const closed = { additionalProperties: false } as const;

const READ_ONLY = {
  description: "true: a read may be answered by the replica; a write takes no notice",
  default: false,
};

/**
 * Accepted on every endpoint; it sends a read to the replica and changes nothing on a write (A19). Written as clients
 * write a boolean: also `True` and `False`, which is how some of them print one, and 1 and 0.
 */
export const readOnlyField = {
  read_only: t.Optional(
    t
      .Transform(
        t.Union([t.String({ pattern: "^(?:[Tt]rue|TRUE|[Ff]alse|FALSE|1|0)$" }), t.Boolean(READ_ONLY)], READ_ONLY),
      )
      .Decode((value) => (typeof value === "boolean" ? value : /^(?:true|1)$/i.test(value)))
      .Encode((value) => value),
  ),
};
export const ReadOnly = t.Object(readOnlyField, closed);

/** Problems of the texts in a body that is one row. */
export function inFields(body: Readonly<Record<string, unknown>>): FieldProblem[] {
  return textProblems(body, ["body"]);
}

/** Problems of the texts in the rows of a bulk body. */
export function inRows(rows: readonly Readonly<Record<string, unknown>>[]): FieldProblem[] {
  return rows.flatMap((row, index) => textProblems(row, ["body", "data", index]));
}

/** 201 for something new, 200 for a repeat, which a header also reports (A13). */
export function statusOf(
  set: { readonly headers: Record<string, string | number | undefined> },
  nothingNew: boolean,
  replayed = nothingNew,
): 200 | 201 {
  if (nothingNew && replayed) set.headers["idempotency-replayed"] = "true";
  return nothingNew ? 200 : 201;
}

/** All of a route that writes but its handler: permission, body, further checks and description. */
export function writing<S extends TSchema>(
  guard: Guard,
  body: S,
  { problems, ...about }: Omit<OperationIn, "body"> & { readonly problems?: ExtraCheck<Static<S>> },
) {
  const detail = operation({ ...about, body: true });
  return { ...guard.write(about.scopes, body, problems), body, query: ReadOnly, detail };
}
