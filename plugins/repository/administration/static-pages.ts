// Static pages over HTTP (Q.13; the addresses of InvenioRDM's pages): everybody reads them, administrators write them.
import { REPOSITORY_SCOPES } from "../../../src/auth/account.ts";
import {
  PAGE_BODY,
  PageList,
  PageShape,
  pageJson,
  pageListJson,
  RevisionList,
  revisionListJson,
} from "../../../src/repository/administration/static-page-json.ts";
import type { StaticPages } from "../../../src/repository/administration/static-pages.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { recordGroup } from "../record-dialect.ts";

type Services = {
  readonly pages: StaticPages;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

const GROUP = recordGroup({
  name: "static-pages",
  tag: "Static pages",
  scopes: ["item:read"],
  ofOne: [404],
  pathParameters: { slug: "Short name of the page" },
});

const WRITING: readonly string[] = REPOSITORY_SCOPES;

const page = {
  status: 200,
  description: "The page",
  schema: PageShape,
  headers: { ETag: { description: "The revision", schema: { type: "string" } } },
  headersOf: ({ revision_id: revision }: { readonly revision_id: number }) => ({ etag: `"${revision}"` }),
};

const { get, put, remove } = endpointsOf<Services>();

const ENDPOINTS = [
  get("/pages", {
    id: "listStaticPages",
    summary: "Static pages",
    description: "Without their texts.",
    access: "guests",
    answer: { status: 200, description: "All of them", schema: PageList },
    run: async ({ pages, baseUrl }) => pageListJson(await pages.list(), baseUrl),
  }),
  get("/pages/:slug", {
    id: "readStaticPage",
    summary: "One static page",
    description: "In both languages; empty: it is not written in this one.",
    access: "guests",
    answer: page,
    run: async ({ pages, baseUrl }, { params }) => pageJson(await pages.read(params.slug), baseUrl),
  }),
  put("/pages/:slug", {
    id: "saveStaticPage",
    summary: "Write a static page",
    description: "Administrators, by a token that allows everything. It is replaced; the revision before is kept.",
    scopes: WRITING,
    body: PAGE_BODY,
    conditional: true,
    answer: page,
    refuses: [409],
    run: async ({ pages, baseUrl }, { viewer, params, body, expected }) =>
      pageJson(await pages.save(viewer, params.slug, body, expected), baseUrl),
  }),
  remove("/pages/:slug", {
    id: "deleteStaticPage",
    summary: "Delete a static page",
    description: "Administrators, by a token that allows everything. Its revisions are kept.",
    scopes: WRITING,
    conditional: true,
    answer: noContent("The page is deleted"),
    run: ({ pages }, { viewer, params, expected }) => pages.remove(viewer, params.slug, expected),
  }),
  get("/pages/:slug/revisions", {
    id: "listStaticPageRevisions",
    summary: "Revisions of a static page",
    description: "Administrators, by a token that allows everything. The newest first.",
    scopes: WRITING,
    answer: { status: 200, description: "All that are kept", schema: RevisionList },
    run: async ({ pages }, { viewer, params }) => revisionListJson(await pages.revisions(viewer, params.slug)),
  }),
];

export const staticPageRoutes = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, ENDPOINTS, services, guard);
