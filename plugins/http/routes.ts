// One row per route of a protocol or of a page: its place in the interface description, and what it runs (R32, L70).
// Such a route reads the request itself and answers as its specification has it; operations whose input and answers are
// our shapes are rows of plugins/repository/endpoint.ts.
import type { TSchema } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { operation, type response } from "./document-parts.ts";

/** The names of the parts of a path: `id` of `/records/:id`. */
export type PathNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type RouteAnswers = Readonly<Record<number, ReturnType<typeof response>>>;

type Run<Services, Path extends string> = (
  services: Services,
  request: Request,
  params: Readonly<Record<PathNames<Path>, string>>,
) => Response | Promise<Response>;

/** The words of a route; one that only has `run` is left out of the interface description. */
type RouteRow<Services, Path extends string> =
  | { readonly run: Run<Services, Path> }
  | {
      readonly run: Run<Services, Path>;
      readonly id: string;
      readonly summary: string;
      readonly description?: string;
      /** Absent: those of the group. */
      readonly scopes?: readonly string[] | "session";
      readonly parameters?: readonly object[];
      /** The body by its media types. */
      readonly content?: Readonly<Record<string, TSchema>>;
      readonly answers: RouteAnswers;
    };

export type Route<Services> = RouteRow<Services, string> & {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  readonly path: string;
};

/** What the routes of one protocol share. */
export type RouteGroup = {
  readonly name: string;
  readonly tag: string;
  readonly prefix?: string;
  /** The plugin that renders its refusals. */
  readonly errors: AnyElysia;
  /** Scopes of a token that is needed; null: none is; `session`: people who signed in only. */
  readonly scopes: readonly string[] | null | "session";
  /** Without a token they can be called too. */
  readonly guests?: true;
  /** Headers of every answer to a request, refusals included. */
  readonly headers?: (request: Request) => Readonly<Record<string, string>>;
  /** Answers that every route may have. */
  readonly always: RouteAnswers;
};

/** Makes rows, typed by path. */
export function routesOf<Services>() {
  const row =
    (method: Route<Services>["method"]) =>
    <Path extends string>(path: Path, route: RouteRow<Services, Path>): Route<Services> =>
      // The names of the path held where the row was written; here rows of all paths are one list.
      ({ ...route, method, path }) as unknown as Route<Services>;
  return { get: row("GET"), post: row("POST"), put: row("PUT"), remove: row("DELETE"), options: row("OPTIONS") };
}

/** The plugin that serves the rows of one protocol. */
export function mountRoutes<Services>(group: RouteGroup, routes: readonly Route<Services>[], services: Services) {
  const app = new Elysia({ name: group.name, prefix: group.prefix ?? "" }).use(group.errors);
  for (const route of routes) {
    app.route(
      route.method,
      route.path,
      ({ request, params, set }) => {
        Object.assign(set.headers, group.headers?.(request));
        return route.run(services, request, params);
      },
      { parse: "none", detail: detailOf(group, route) },
    );
  }
  return app;
}

function detailOf<Services>(group: RouteGroup, route: Route<Services>) {
  if (!("id" in route)) return { hide: true };
  const { id, summary, description = "", parameters = [], content = {}, answers, scopes = group.scopes } = route;
  const responses = { ...group.always, ...withOtherMedia(answers, group.always) };
  const types = Object.entries(content).map(([type, schema]) => [type, { schema }]);
  const body = types.length === 0 ? {} : { requestBody: { required: true, content: Object.fromEntries(types) } };
  const described = operation({ id, tag: group.tag, summary, description, parameters, responses });
  return { ...described, ...body, security: securityOf(scopes, group.guests === true) };
}

/** Answers with the media types that the group has for their statuses too. */
const withOtherMedia = (answers: RouteAnswers, always: RouteAnswers): RouteAnswers =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const { content } = always[Number(status)] ?? {};
      return [status, content === undefined ? answer : { ...answer, content: { ...content, ...answer.content } }];
    }),
  );

function securityOf(scopes: RouteGroup["scopes"], guests: boolean) {
  if (scopes === null) return [];
  if (scopes === "session") return [{ session: [] }];
  return [...(guests ? [{}] : []), { bearer: [...scopes] }];
}
