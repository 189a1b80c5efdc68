// The index tree over HTTP (specification 2, "Index tree endpoints (management)" and "Legacy index creation"; R9, R24
// to R26).

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import { ROOT_INDEX } from "../../../src/model/indexes/index-node.ts";
import type { ParameterDescription, QueryReader } from "../../../src/model/input/list-parameters.ts";
import { echoOf, IndexAnswer, IndexNodeShape, TreeShape } from "../../../src/repository/index-tree/index-answers.ts";
import { CHANGED_INDEX, LEGACY_INDEX, NEW_INDEX } from "../../../src/repository/index-tree/index-input.ts";
import { stillNamed } from "../../../src/repository/index-tree/index-mentions.ts";
import type { IndexTree, LeftItems } from "../../../src/repository/index-tree/index-tree.ts";
import { textStream } from "../../../src/shared/bytes/byte-streams.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { most } from "../../../src/shared/limits.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { JSON_TYPE, TEXT_TYPE } from "../../http/answer.ts";
import { locationOf } from "../../http/document-parts.ts";
import { type EndpointGroup, type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { indexGroup } from "../error-groups.ts";

type Services = {
  readonly indexTree: IndexTree;
  /** `json`: the legacy creation answers 201 with the index (SVC_LEGACY_INDEX_CREATE). */
  readonly legacyIndexCreate: "text" | "json";
};

/** What is private to a viewer is asked for again each time, by its ETag. */
const PRIVATE = { "cache-control": "private, no-cache", vary: "Authorization" };
const NO_STORE = { "cache-control": "no-store" };
/**
 * The legacy call answers with the text of an error that its first implementation ran into after the work was done
 * (R26).
 */
const LEGACY_ANSWER = "'NoneType' object is not iterable";
const DEEPEST = most("indexDepth");
/** The value of `action` that requests the indexes below the root, without the root. */
const BROWSING = "browsing";
const INDEX_ID = /^(?:0|[1-9]\d{0,15})$/;

const READING = indexGroup({
  prefix: "/api",
  name: "index-tree",
  tag: "Index tree",
  rateGroup: "index",
  scopes: ["index:read"],
  pathParameters: { index_id: "Id of the index" },
});
/** Token, scope and role come before the request is read. */
const changing = (indexTree: IndexTree): EndpointGroup => ({
  ...READING,
  name: "index-tree-changes",
  always: [400, 404],
  admit: indexTree.admit,
  readBody: (guard, request) => guard.json(request, DEEPEST),
});
const legacy = (indexTree: IndexTree): EndpointGroup => ({
  ...changing(indexTree),
  name: "index-tree-legacy",
  readBody: legacyBody,
});

const parameter = (name: string, description: string, schema: ParameterDescription["schema"]) => ({
  name,
  description,
  schema,
});
const INDENTED = parameter("pretty", "Indented by four blanks", Type.Boolean({ default: false }));
const isPretty = (sent: URLSearchParams): boolean => /^(?:true|1)$/i.test(sent.get("pretty") ?? "");
const PRETTY: QueryReader<TreeForm> = {
  parameters: [INDENTED],
  read: (sent) => ({ pretty: isPretty(sent), bare: false }),
};
const BROWSED: QueryReader<TreeForm> = {
  parameters: [
    parameter("action", "browsing: the indexes below the root as a list", Type.String({ enum: [BROWSING] })),
    INDENTED,
  ],
  read: (sent) => ({ pretty: isPretty(sent), bare: sent.get("action") === BROWSING }),
};
const LEFT_ITEMS: QueryReader<LeftItems> = {
  parameters: [
    parameter(
      "items",
      "Delete the items that would be in no index any more, instead of making them private; administrators only",
      Type.String({ enum: ["delete"] }),
    ),
  ],
  read: leftItems,
};

const ETAG = {
  ETag: { description: "Changes with the tree and with what the caller may see of it", schema: { type: "string" } },
};
const WARNING = {
  Warning: {
    description: "Only where settings still name the index: which ones, each of which counts as not set now",
    schema: { type: "string" },
  },
};
const treeAnswer = { status: 200, description: "The tree", schema: TreeShape, headers: ETAG };
const unchanged = { 304: { description: "The tree matches the ETag sent", schema: null, headers: ETAG } };
const madeIndex = { description: "The index as it was made", schema: IndexAnswer, headers: locationOf("index") };
const locationHeaders = (id: number) => ({ ...NO_STORE, location: `/api/v1/tree/${id}` });

const { get, post, put, remove } = endpointsOf<Services>();

const TREE_READING = [
  // Clients that were made for existing repositories ask without a version before they deposit, and want the list alone.
  get("/tree", {
    id: "browseIndexTree",
    summary: "Read the whole tree, without a version",
    description:
      "As readIndexTree. With `action=browsing` the indexes below the root come as a list, without the root, as clients of existing repositories ask for them.",
    query: BROWSED,
    answer: { ...treeAnswer, schema: Type.Union([TreeShape, Type.Array(IndexNodeShape)]) },
    also: unchanged,
    run: ({ indexTree }, { viewer, request, query }) => tree(indexTree, viewer, request, ROOT_INDEX, query()),
  }),
  get("/:version/tree", {
    id: "readIndexTree",
    summary: "Read the whole tree",
    description:
      "The root with all indexes the caller may browse below it, streamed. Own subtrees of a community's administrator are all shown.",
    query: PRETTY,
    answer: treeAnswer,
    also: unchanged,
    run: ({ indexTree }, { viewer, request, query }) => tree(indexTree, viewer, request, ROOT_INDEX, query()),
  }),
  get("/:version/tree/:index_id", {
    id: "readIndex",
    summary: "Read one index",
    description: "The index with all indexes below it that the caller may browse. 0 is the root.",
    query: PRETTY,
    answer: { ...treeAnswer, description: "The index" },
    also: unchanged,
    refuses: [404],
    run: ({ indexTree }, { viewer, request, params, query }) =>
      tree(indexTree, viewer, request, indexId(params.index_id), query()),
  }),
];

const TREE_CHANGES = [
  post("/:version/tree/index", {
    id: "createIndex",
    summary: "Create an index",
    description:
      "It comes after its siblings. What is not sent is taken from the parent (display format, harvesting, and each setting whose " +
      "`recursive_` flag is on there), else the default. For administrators of the repository, and of a community below its own indexes.",
    scopes: ["index:create"],
    body: NEW_INDEX,
    answer: { status: 201, ...madeIndex, headersOf: ({ index: { id } }) => locationHeaders(id) },
    async run({ indexTree }, { viewer, body }) {
      const sent = body()({ groups: await indexTree.groups() });
      return { index: echoOf(await indexTree.create(viewer, sent)) };
    },
  }),
  put("/:version/tree/index/:index_id", {
    id: "updateIndex",
    summary: "Change or move an index",
    description: "Changes what is sent. Another `parent` or `position` moves it; below itself it cannot be moved.",
    scopes: ["index:update"],
    body: CHANGED_INDEX,
    answer: { status: 200, description: "The index as it is now", schema: IndexAnswer, headersOf: () => NO_STORE },
    async run({ indexTree }, { viewer, params, body }) {
      const sent = body()({ groups: await indexTree.groups() });
      return { index: echoOf(await indexTree.update(viewer, indexId(params.index_id), sent)) };
    },
  }),
  remove("/:version/tree/index/:index_id", {
    id: "deleteIndex",
    summary: "Delete an index and all below it",
    description:
      "Items are removed from these indexes. Those left without an index become private until they are filed again or made public.",
    scopes: ["index:delete"],
    query: LEFT_ITEMS,
    answer: { status: 204, description: "It is deleted", schema: null, headers: WARNING },
    async run({ indexTree }, { viewer, params, query }) {
      const { named } = await indexTree.remove(viewer, indexId(params.index_id), query());
      const still = stillNamed(named);
      // The body is empty: the rest is in headers (R16a).
      return new Response(null, { status: 204, headers: still === null ? {} : { warning: `299 - "${still}"` } });
    },
  }),
];

const LEGACY_TREE = [
  post("/indextree/create", {
    id: "createIndexLegacy",
    summary: "Create an index (legacy)",
    description:
      "For clients that were written for it. The body counts as JSON whatever its media type. Unless " +
      "SVC_LEGACY_INDEX_CREATE is `json` (201 with the index) the answer is a fixed text that sounds like an error: the index was made.",
    deprecated: "use `POST /api/v1/tree/index`",
    scopes: ["index:create"],
    body: LEGACY_INDEX,
    answer: { status: 200, description: "The index was made", schema: Type.String(), mediaType: "text/plain" },
    also: { 201: { ...madeIndex, description: "The index was made (SVC_LEGACY_INDEX_CREATE=json)" } },
    async run({ indexTree, legacyIndexCreate }, { viewer, body }) {
      const node = await indexTree.create(viewer, body());
      if (legacyIndexCreate === "text") return new Response(LEGACY_ANSWER, { headers: { "content-type": TEXT_TYPE } });
      const headers = { "content-type": JSON_TYPE, ...locationHeaders(node.id) };
      return Response.json({ index: echoOf(node) }, { status: 201, headers });
    },
  }),
];

export const indexTreePlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  new Elysia({ name: "index-tree-operations" })
    .use(mountEndpoints(READING, TREE_READING, services, guard))
    .use(mountEndpoints(changing(services.indexTree), TREE_CHANGES, services, guard))
    .use(mountEndpoints(legacy(services.indexTree), LEGACY_TREE, services, guard));

/** Text that is not an id: no index has it. */
function indexId(text: string): number {
  const id = Number(text);
  if (!INDEX_ID.test(text) || !Number.isSafeInteger(id)) {
    throw new Refusal("not_found", `Index not found: ${text.slice(0, 100)}.`);
  }
  return id;
}

function leftItems(sent: URLSearchParams): LeftItems {
  const items = sent.get("items");
  if (items === null) return "keep";
  if (items !== "delete") {
    throw new Refusal("invalid", `items must be "delete" or left out, not ${JSON.stringify(items.slice(0, 100))}`);
  }
  return items;
}

/** A body that is not JSON counts as empty (R26). */
async function legacyBody(guard: Pick<EndpointGuard, "json">, request: Request): Promise<unknown> {
  try {
    return await guard.json(request, DEEPEST);
  } catch (error) {
    if (isRefusal(error, "invalid")) return null;
    throw error;
  }
}

type TreeForm = { readonly pretty: boolean; readonly bare: boolean };

async function tree(
  indexTree: IndexTree,
  viewer: Viewer,
  request: Request,
  id: number,
  { pretty, bare }: TreeForm,
): Promise<Response> {
  const { etag, text } = await indexTree.open(viewer, id);
  const headers = { ...PRIVATE, etag };
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const full = { ...headers, "content-type": JSON_TYPE };
  if (request.method === "HEAD") return new Response(null, { headers: full });
  return new Response(await textStream(text(pretty, bare)), { headers: full });
}
