// Requests for closed files over HTTP (Q.60), in the names of existing record repositories. One request is read and
// decided with the other requests (requests.ts).
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { QueryReader } from "../../../src/model/input/list-parameters.ts";
import { ACCESS_REQUEST, ACCESS_SETTINGS } from "../../../src/repository/requests/access-body.ts";
import {
  AccessRequestListShape,
  AccessRequestShape,
  AccessSettingsShape,
  accessRequestJson,
  accessRequestListJson,
  accessSettingsJson,
  GuestAnswerShape,
} from "../../../src/repository/requests/access-json.ts";
import type { AccessRequests } from "../../../src/repository/requests/access-requests.ts";
import { addressKey } from "../../../src/shared/http/address.ts";
import type { RateLimit } from "../../../src/shared/http/rate-limit.ts";
import { charge, contextOf } from "../../http/request-context.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { recordGroup, recordIdOf } from "../record-dialect.ts";

type Services = {
  readonly access: AccessRequests;
  readonly baseUrl: string;
  /** Requests that one client may send without signing in; null: unlimited. */
  readonly guestRate: RateLimit | null;
};

const GROUP = recordGroup({
  name: "access-requests",
  tag: "Requests and reviews",
  rateGroup: "requests",
  scopes: ["user:activity"],
  ofOne: [404],
  pathParameters: { id: "Number of the record", request: "UUID of the request" },
});

const { get, post, put, remove } = endpointsOf<Services>();

const LIST_QUERY: QueryReader<{ readonly isWaiting: boolean }> = {
  parameters: [
    {
      ...{ name: "shared_with_me", schema: Type.Boolean() },
      description: "Those that wait for the caller's decision, in place of the caller's own",
    },
  ],
  read: (sent) => ({ isWaiting: sent.get("shared_with_me") === "true" }),
};

const WHO = "For its owner, those who manage it and administrators.";
const ASKED = "A link was sent to the address: the request is passed on when it is confirmed.";
const Asked = Type.Union([AccessRequestShape, GuestAnswerShape]);
const list = { status: 200, description: "The requests", schema: AccessRequestListShape };
const settings = { status: 200, description: "The settings", schema: AccessSettingsShape };

/** Guests are counted by address: each request is a mail. */
export async function chargeGuest(request: Request, rate: RateLimit | null): Promise<void> {
  if (rate !== null) await charge(request, rate, `access request ${addressKey(contextOf(request).address)}`);
}

const ROWS = [
  post("/records/:id/access/request", {
    id: "requestAccess",
    summary: "Ask for the closed files of a record",
    description:
      "By a caller who reads the record and not all its files. A guest sends `email`, gets a message only, and confirms the address by mail.",
    access: "guests",
    body: ACCESS_REQUEST,
    answer: { status: 200, description: "The request of an account; a message for a guest", schema: Asked },
    refuses: [403, 410],
    async run({ access, baseUrl, guestRate }, { viewer, request, params, body }) {
      if (viewer.account === null) await chargeGuest(request, guestRate);
      const made = await access.ask(viewer, recordIdOf(params.id), body);
      return made === null ? { message: ASKED } : accessRequestJson(made, baseUrl);
    },
  }),
  get("/records/:id/access/requests", {
    id: "listAccessRequests",
    summary: "Requests for the closed files of a record",
    description: `${WHO} Newest first.`,
    answer: list,
    run: async ({ access, baseUrl }, { viewer, params }) =>
      accessRequestListJson(await access.ofRecord(viewer, recordIdOf(params.id)), baseUrl),
  }),
  remove("/records/:id/access/requests/:request", {
    id: "revokeAccess",
    summary: "End the right that a request for closed files gave",
    description: `At once, wherever it is used. ${WHO}`,
    answer: noContent("It is revoked"),
    run: ({ access }, { viewer, params }) => access.revoke(viewer, recordIdOf(params.id), params.request),
  }),
  get("/records/:id/access", {
    id: "readAccessSettings",
    summary: "Who may ask for the closed files of a record",
    description: WHO,
    answer: settings,
    async run({ access }, { viewer, params }) {
      const id = recordIdOf(params.id);
      return accessSettingsJson(id, await access.settings(viewer, id));
    },
  }),
  put("/records/:id/access", {
    id: "changeAccessSettings",
    summary: "Set who may ask for the closed files of a record",
    description: `Members that are absent stay as they are. ${WHO}`,
    body: ACCESS_SETTINGS,
    answer: settings,
    async run({ access }, { viewer, params, body }) {
      const id = recordIdOf(params.id);
      return accessSettingsJson(id, await access.changeSettings(viewer, id, body));
    },
  }),
  get("/user/access-requests", {
    id: "listOwnAccessRequests",
    summary: "Requests of the caller for closed files",
    description: "The newest 200.",
    query: LIST_QUERY,
    answer: list,
    run: async ({ access, baseUrl }, { viewer, query }) =>
      accessRequestListJson(await (query().isWaiting ? access.waiting(viewer) : access.own(viewer)), baseUrl),
  }),
];

export const accessRequestPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  new Elysia({ name: "access-request-interface" }).use(mountEndpoints(GROUP, ROWS, services, guard));
