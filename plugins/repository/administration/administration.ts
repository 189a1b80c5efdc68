// Administration over HTTP (R17): settings of the deposit interface, item types, mappings, workflows, people,
// communities, vocabularies; jobs and the audit. For system administrators, by a token that allows everything.
import { type DocumentDecoration, Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import type { Administration } from "../../../src/repository/administration/administration.ts";
import {
  type Collection,
  type RecordOutput,
  requireSystemAdministrator,
} from "../../../src/repository/administration/collection.ts";
import { errors } from "../../http/errors.ts";
import { recordsDialect, requireVersion } from "../errors.ts";
import { AUDIT_DETAIL, detailsOf, JOB_DETAILS, KINDS, VOCABULARY_DETAILS } from "./document.ts";

type RepositoryAdminNeeds = {
  readonly administration: Administration;
  readonly guard: {
    readonly viewer: (request: Request, group: string, scopes: readonly string[]) => Promise<Viewer>;
    /** Null without a body. @throws invalid for a body that is not JSON. */
    readonly json: (request: Request) => Promise<unknown>;
  };
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "admin";
const HEADERS = { "content-type": "application/json; charset=utf-8", "cache-control": "private, no-store" };

type Params = Readonly<Record<string, string | undefined>>;
type RouteContext = { readonly request: Request; readonly params: Params };
type Route = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly detail: DocumentDecoration;
  readonly answer: (viewer: Viewer, params: Params, request: Request) => Promise<Response>;
};

export const repositoryAdmin = (needs: RepositoryAdminNeeds) => {
  const app = new Elysia({ name: "repository-admin", prefix: "/api/:version/admin" }).use(errors(recordsDialect));
  for (const { method, path, detail, answer } of routesOf(needs)) {
    const handle = async ({ request, params }: RouteContext): Promise<Response> => {
      requireVersion(params.version);
      const viewer = await needs.guard.viewer(request, GROUP, []);
      requireSystemAdministrator(viewer);
      return await answer(viewer, params, request);
    };
    app.route(method, path, handle, { parse: "none", detail });
  }
  return app;
};

const json = (body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(body, { status, headers: { ...HEADERS, ...headers } });
const listed = (items: readonly unknown[]): Response => json({ total: items.length, items });
const gone = (): Response => new Response(null, { status: 204 });

function routesOf(needs: RepositoryAdminNeeds): readonly Route[] {
  const { administration } = needs;
  const kinds = Object.entries(KINDS).flatMap(([name, kind]) => {
    const collection: Collection = administration[name as keyof typeof KINDS]; // Object.entries forgets the names it gives
    return collectionRoutes(kind, collection, needs);
  });
  return [...kinds, ...vocabularyRoutes(needs), ...operatingRoutes(needs)];
}

function collectionRoutes(
  kind: (typeof KINDS)[keyof typeof KINDS],
  collection: Collection,
  { guard }: RepositoryAdminNeeds,
): readonly Route[] {
  const details = detailsOf(kind);
  const [all, one] = [`/${kind.path}`, `/${kind.path}/:id`];
  const { create, remove } = collection;
  const routes: Route[] = [
    { method: "GET", path: all, detail: details.list, answer: async () => listed(await collection.list()) },
    {
      method: "GET",
      path: one,
      detail: details.read,
      answer: async (_viewer, params) => json(await collection.read(named(params))),
    },
    {
      method: "PUT",
      path: one,
      detail: details.update,
      answer: async (viewer, params, request) =>
        json(await collection.update(viewer, named(params), await guard.json(request))),
    },
  ];
  if (create !== undefined) {
    routes.push({
      method: "POST",
      path: all,
      detail: details.create,
      async answer(viewer, params, request) {
        const made: RecordOutput = await create(viewer, await guard.json(request));
        const location = `/api/${params.version}/admin/${kind.path}/${encodeURIComponent(String(made.id))}`;
        return json(made, 201, { location });
      },
    });
  }
  if (remove !== undefined) {
    routes.push({
      method: "DELETE",
      path: one,
      detail: details.remove,
      async answer(viewer, params) {
        await remove(viewer, named(params));
        return gone();
      },
    });
  }
  return routes;
}

function vocabularyRoutes({ administration: { vocabularies }, guard }: RepositoryAdminNeeds): readonly Route[] {
  const [list, entry] = ["/vocabularies/:type", "/vocabularies/:type/:id"];
  const { types, list: entries, read, save, remove } = VOCABULARY_DETAILS;
  return [
    { method: "GET", path: "/vocabularies", detail: types, answer: async () => listed(await vocabularies.types()) },
    {
      method: "GET",
      path: list,
      detail: entries,
      answer: async (_viewer, params) => listed(await vocabularies.list(named(params, "type"))),
    },
    {
      method: "GET",
      path: entry,
      detail: read,
      answer: async (_viewer, params) => json(await vocabularies.read(named(params, "type"), named(params))),
    },
    {
      method: "PUT",
      path: entry,
      detail: save,
      answer: async (viewer, params, request) =>
        json(await vocabularies.save(viewer, named(params, "type"), named(params), await guard.json(request))),
    },
    {
      method: "DELETE",
      path: entry,
      detail: remove,
      async answer(viewer, params) {
        await vocabularies.remove(viewer, named(params, "type"), named(params));
        return gone();
      },
    },
  ];
}

/** What the repository does in the background, and what was done in it. */
function operatingRoutes({ administration: { jobs, audit } }: RepositoryAdminNeeds): readonly Route[] {
  const { list, read, retry } = JOB_DETAILS;
  const queryOf = (request: Request): URLSearchParams => new URL(request.url).searchParams;
  return [
    {
      method: "GET",
      path: "/jobs",
      detail: list,
      answer: async (_viewer, _params, request) => json(await jobs.list(queryOf(request))),
    },
    {
      method: "GET",
      path: "/jobs/:id",
      detail: read,
      answer: async (_viewer, params) => json(await jobs.read(named(params))),
    },
    {
      method: "POST",
      path: "/jobs/:id/retry",
      detail: retry,
      answer: async (viewer, params) => json(await jobs.retry(viewer, named(params))),
    },
    {
      method: "GET",
      path: "/audit",
      detail: AUDIT_DETAIL,
      answer: async (_viewer, _params, request) => json(await audit.list(queryOf(request))),
    },
  ];
}

function named(params: Params, name = "id"): string {
  return params[name] ?? "";
}
