// Handing a record over to another account, over HTTP (R15): offers in the manner of requests.
import { Elysia } from "elysia";
import {
  NEW_TRANSFER,
  TransferListShape,
  type Transferring,
  TransferShape,
  transferJson,
} from "../../../src/repository/records/transferring.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { recordGroup, recordIdOf } from "../record-dialect.ts";
import { recordsGroup } from "./group.ts";

type Services = { readonly transferring: Transferring; readonly baseUrl: string };

const { get, post } = endpointsOf<Services>();

const OFFERS = "/records/:id/access/transfers";
const transfer = (status: number) => ({ status, description: "The offer", schema: TransferShape });

const OF_RECORD = [
  get(OFFERS, {
    id: "listRecordTransfers",
    summary: "Offers to hand a record over",
    description: "For its owner and administrators, newest first.",
    answer: { status: 200, description: "The offers", schema: TransferListShape },
    refuses: [410],
    async run({ transferring, baseUrl }, { viewer, params }) {
      const hits = (await transferring.transfers(viewer, recordIdOf(params.id))).map((each) =>
        transferJson(each, baseUrl),
      );
      return { hits: { total: hits.length, hits } };
    },
  }),
  post(OFFERS, {
    id: "offerRecord",
    summary: "Offer to hand a record over to another account",
    description:
      "For its owner and administrators. Nothing changes before the receiver accepts; then the record with all versions and drafts is theirs. A record has one open offer at most.",
    scopes: ["item:update"],
    body: NEW_TRANSFER,
    answer: transfer(201),
    refuses: [410],
    run: async ({ transferring, baseUrl }, { viewer, params, body }) =>
      transferJson(await transferring.offer(viewer, recordIdOf(params.id), body), baseUrl),
  }),
];

const TRANSFERS = [
  get("/transfers/:id", {
    id: "readTransfer",
    summary: "One offer to hand a record over",
    description: "For who offers and who receives it, and administrators.",
    answer: transfer(200),
    run: async ({ transferring, baseUrl }, { viewer, params }) =>
      transferJson(await transferring.readTransfer(viewer, params.id), baseUrl),
  }),
  post("/transfers/:id/actions/:action", {
    id: "actOnTransfer",
    summary: "Accept, decline or cancel an offer",
    description: "The receiver accepts and declines, the owner and administrators cancel. It is decided once.",
    scopes: ["item:update"],
    answer: transfer(200),
    refuses: [400],
    run: async ({ transferring, baseUrl }, { viewer, params }) =>
      transferJson(await transferring.decideTransfer(viewer, params.id, params.action), baseUrl),
  }),
];

const GROUP = recordGroup({
  name: "transfers",
  tag: "Records (drafts and versions)",
  rateGroup: "records",
  scopes: ["item:read"],
  ofOne: [404],
  pathParameters: { id: "UUID of the offer", action: "accept, decline, cancel" },
});

export const transferPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  new Elysia({ name: "transfer-interface" })
    .use(mountEndpoints(recordsGroup("record-transfers"), OF_RECORD, services, guard))
    .use(mountEndpoints(GROUP, TRANSFERS, services, guard));
