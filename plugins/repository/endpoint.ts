// One row per operation of the repository: address, scopes, input, answers, refusals, words, and the use case it runs.
// From the row follow the route and its place in the interface description; src/main/openapi lists the rows, and the
// client is made from that (R32).
import type { Static, TSchema } from "@sinclair/typebox";
import { type DocumentDecoration, Elysia } from "elysia";
import type { Viewer } from "../../src/auth/account.ts";
import type { ParameterDescription, QueryReader } from "../../src/model/input/list-parameters.ts";
import type { Field, Sent } from "../../src/shared/fields.ts";
import { matchedWords } from "../../src/shared/http/entity-tags.ts";
import { most } from "../../src/shared/limits.ts";
import { Refusal } from "../../src/shared/refusal.ts";
import { queryOf } from "../http/answer.ts";
import {
  contentIn,
  type Headers,
  headerParameter,
  operation,
  pathParameter,
  queryParameter,
  refusals,
  response,
} from "../http/document-parts.ts";
import { type Dialect, errors } from "../http/errors.ts";
import type { PathNames } from "../http/routes.ts";
import { requireVersion } from "./errors.ts";
import type { RepositoryGuard } from "./guard.ts";

/** Who may ask. `guests`: a token without the scope sees what guests see; `anyone`: such a token is refused. */
type Access = "guests" | "anyone" | "signed-in";

/** What a use case is given. Body and query are read when it calls them. */
export type EndpointInput<Path extends string, Query, Body> = {
  readonly viewer: Viewer;
  readonly request: Request;
  readonly params: Readonly<Record<PathNames<Path>, string>>;
  readonly query: Sent<Query>;
  readonly body: Sent<Body>;
  /** The revisions that `If-Match` names; null: any. */
  readonly expected: readonly string[] | null;
};

/** What a use case returns for an answer of this shape; a response is sent as it is. */
type ResultOf<Shape extends TSchema | null> = Shape extends TSchema ? Response | Static<Shape> : unknown;

/** An answer that is not a refusal. */
type EndpointAnswer<Shape extends TSchema | null> = {
  readonly status: number;
  readonly description: string;
  /** Null: without a body. */
  readonly schema: Shape;
  readonly mediaType?: string;
  /** Other media types of the same answer. */
  readonly otherMedia?: readonly string[];
  readonly headers?: Headers;
  readonly headersOf?: (result: Shape extends TSchema ? Static<Shape> : never) => Readonly<Record<string, string>>;
};

/** Another answer than the usual one, by its status; the use case returns it as a response. */
type OtherAnswer = Pick<EndpointAnswer<TSchema | null>, "description" | "schema" | "mediaType" | "headers">;

type EndpointRow<Services, Path extends string, Query, Body, Shape extends TSchema | null> = {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Kept for older clients only: what others do instead. */
  readonly deprecated?: string;
  /** Absent: that of the interface. A function: it depends on the request, such as on a signed address. */
  readonly access?: Access | ((request: Request) => Access);
  readonly scopes?: readonly string[];
  /** What the parts of the address mean, where they mean something else than elsewhere in the interface. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: QueryReader<Query>;
  /** Headers that the use case reads, and what each means. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An `optional` field: the request need not have a body. */
  readonly body?: Field<Body>;
  /** A body that the use case reads and limits itself, as a file: its shapes by media type. */
  readonly content?: Readonly<Record<string, TSchema>>;
  /** The change can be made conditional with `If-Match`: 412 for another revision. */
  readonly conditional?: true;
  readonly answer: EndpointAnswer<Shape>;
  readonly also?: Readonly<Record<number, OtherAnswer>>;
  /** Statuses of refusals besides those that follow from the rest of the row, and those of the whole interface. */
  readonly refuses?: readonly number[];
  readonly run: (services: Services, input: EndpointInput<Path, Query, Body>) => Promise<ResultOf<Shape>>;
};

/** A row without its types: what mounting and describing need. */
export type Endpoint<Services> = Omit<EndpointRow<Services, string, unknown, unknown, TSchema>, "run" | "answer"> & {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly answer: EndpointAnswer<TSchema | null>;
  readonly run: (services: Services, input: EndpointInput<string, never, never>) => Promise<unknown>;
};

/** The answer of an operation that has nothing to return. */
export const noContent = (description: string) => ({ status: 204, description, schema: null });

/** What the operations of one interface share. */
export type EndpointGroup = {
  readonly name: string;
  readonly tag: string;
  /** In front of every path. A part `:version` is `v1`; any other is refused before the caller is known. */
  readonly prefix: string;
  /** Refuses an unknown version; absent: in the usual sentence. */
  readonly requireVersion?: (version: string | undefined) => void;
  /** Called before a body is read. @throws Refusal `forbidden` for roles that may use none of the operations */
  readonly admit?: (viewer: Viewer) => void;
  /** What is counted together against the limit of requests per minute (R9). */
  readonly rateGroup: string;
  readonly access: Access;
  readonly scopes: readonly string[];
  readonly dialect: Dialect;
  /** The body of its refusals. */
  readonly error: TSchema;
  /** What its refusals mean, by status; a row lists those that it can have. */
  readonly meanings: Readonly<Record<number, string>>;
  /** Statuses that every operation may have, besides 401, 429, 500 and 503. */
  readonly always?: readonly number[];
  /** Statuses that every operation on one of them may have: its path has a parameter. */
  readonly ofOne?: readonly number[];
  /** What the parts of addresses mean, by name. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** A body as JSON; undefined where there is none. */
  readonly readBody: (guard: Pick<RepositoryGuard, "json">, request: Request) => Promise<unknown>;
  /** The reader of a body, whose faults are refusals in the sentences of the interface. */
  readonly sent: <T>(field: Field<T>, value: unknown) => Sent<T>;
  readonly answerWith: (
    body: unknown,
    status: number,
    headers: Readonly<Record<string, string>>,
    request: Request,
  ) => Response;
};

/** Makes rows, typed by path, query and body. */
export function endpointsOf<Services>() {
  const row =
    (method: Endpoint<Services>["method"]) =>
    <Path extends string, Shape extends TSchema | null, Query = never, Body = never>(
      path: Path,
      endpoint: EndpointRow<Services, Path, Query, Body, Shape>,
    ): Endpoint<Services> =>
      // The row's types held where it was written; here rows of all types are one list.
      ({ ...endpoint, method, path }) as unknown as Endpoint<Services>;
  return { get: row("GET"), post: row("POST"), put: row("PUT"), patch: row("PATCH"), remove: row("DELETE") };
}

/** The plugin that serves the rows of one interface. */
export function mountEndpoints<Services>(
  group: EndpointGroup,
  endpoints: readonly Endpoint<Services>[],
  services: Services,
  guard: EndpointGuard,
) {
  const app = new Elysia({ name: group.name, prefix: group.prefix }).use(errors(group.dialect));
  for (const endpoint of endpoints) {
    // Elysia reads the source of the handler to know what it needs: it stays one call with both of its parameters.
    app.route(
      endpoint.method,
      endpoint.path,
      ({ request, params }) => serve(group, endpoint, services, guard, request, params),
      { parse: "none", detail: detailOf(group, endpoint) },
    );
  }
  return app;
}

export type EndpointGuard = Pick<RepositoryGuard, "viewer" | "anyone" | "anyoneOrGuest" | "json">;

const isVersioned = <Services>({ prefix }: EndpointGroup, { path }: Endpoint<Services>): boolean =>
  prefix.includes("/:version") || path.startsWith("/:version");

async function serve<Services>(
  group: EndpointGroup,
  endpoint: Endpoint<Services>,
  services: Services,
  guard: EndpointGuard,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  if (isVersioned(group, endpoint)) (group.requireVersion ?? requireVersion)(params.version);
  const viewer = await viewerOf(group, endpoint, guard, request);
  group.admit?.(viewer);
  const { body, query, answer } = endpoint;
  const sent = body === undefined ? undefined : await group.readBody(guard, request);
  const result = await endpoint.run(services, {
    viewer,
    request,
    params,
    // Only a row with a reader calls these: `endpointsOf` gives the others the type never.
    query: () => query?.read(parametersOf(request)) as never,
    body: (body === undefined ? undefined : group.sent(body, sent)) as never,
    expected: endpoint.conditional === true ? matchedWords(request.headers.get("if-match")) : null,
  });
  if (result instanceof Response) return result;
  if (answer.schema === null) return new Response(null, { status: answer.status });
  return group.answerWith(result, answer.status, answer.headersOf?.(result as never) ?? {}, request);
}

/** @throws Refusal `invalid` for more parameters than any interface has, before they are read */
function parametersOf(request: Request): URLSearchParams {
  const text = queryOf(request);
  let count = 1;
  for (const character of text) if (character === "&") count += 1;
  if (count <= most("queryParameters")) return new URLSearchParams(text);
  throw new Refusal("invalid", `An address may have ${most("queryParameters")} parameters at most`);
}

function viewerOf<Services>(
  group: EndpointGroup,
  { access: either = group.access, scopes = group.scopes }: Endpoint<Services>,
  guard: EndpointGuard,
  request: Request,
): Promise<Viewer> {
  const access = typeof either === "function" ? either(request) : either;
  if (access === "signed-in") return guard.viewer(request, group.rateGroup, scopes);
  if (access === "anyone") return guard.anyone(request, group.rateGroup, scopes);
  return guard.anyoneOrGuest(request, group.rateGroup, scopes);
}

/** The operation as the interface description has it. */
function detailOf<Services>(group: EndpointGroup, endpoint: Endpoint<Services>): DocumentDecoration {
  const {
    access = group.access,
    scopes = group.scopes,
    answer,
    body,
    query,
    headers = {},
    also = {},
    deprecated,
  } = endpoint;
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const statuses = [
    ...(group.always ?? []),
    ...(names.length === 0 ? [] : (group.ofOne ?? [])),
    ...(endpoint.refuses ?? []),
    ...(endpoint.conditional === true ? [412] : []),
    ...(access === "guests" || scopes.length === 0 ? [] : [403]),
    ...(body === undefined && query === undefined ? [] : [400]),
    ...(body === undefined ? [] : [408, 413]),
  ];
  const meanings = Object.fromEntries(statuses.map((status) => [status, group.meanings[status] ?? ""]));
  const inPath = names.map((name) =>
    pathParameter(name, (endpoint.pathParameters ?? group.pathParameters)[name] ?? ""),
  );
  const inQuery = (query?.parameters ?? []).map(describedParameter);
  const inHeaders = Object.entries(headers).map(([name, description]) => headerParameter(name, description));
  const condition =
    endpoint.conditional === true ? [headerParameter("If-Match", "The revision the caller has seen")] : [];
  const described = operation({
    id: endpoint.id,
    tag: group.tag,
    summary: endpoint.summary,
    description: [endpoint.description, ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated}.`])].join(" "),
    parameters: [...inPath, ...inQuery, ...inHeaders, ...condition],
    ...(body === undefined ? {} : { body: body.schema, isBodyOptional: body.optional === true }),
    responses: {
      ...refusals(group.error, meanings),
      ...Object.fromEntries(Object.entries(also).map(([status, each]) => [status, answerOf(each)])),
      [answer.status]: answerOf(answer),
    },
  });
  const types = Object.entries(endpoint.content ?? {}).map(([type, schema]) => [type, { schema }]);
  const content = types.length === 0 ? {} : { requestBody: { required: true, content: Object.fromEntries(types) } };
  const marked = deprecated === undefined ? {} : { deprecated: true };
  return {
    ...described,
    ...marked,
    ...content,
    security: [...(access === "signed-in" ? [] : [{}]), { bearer: [...scopes] }],
  };
}

function answerOf({
  description,
  schema,
  headers,
  mediaType,
  otherMedia = [],
}: OtherAnswer & { otherMedia?: readonly string[] }) {
  const answer = response(description, schema, headers, mediaType);
  return otherMedia.length === 0 ? answer : { ...answer, content: { ...answer.content, ...contentIn(otherMedia) } };
}

const describedParameter = ({ name, description, schema }: ParameterDescription) =>
  queryParameter(name, description, schema);
