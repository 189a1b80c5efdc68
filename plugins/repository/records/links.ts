// Links that give a right to a record, over HTTP (R37), in the manner of existing record repositories.
import {
  AccessLinkListShape,
  AccessLinkShape,
  CHANGED_LINK,
  linkJson,
  linkListJson,
  MadeLinkShape,
  NEW_LINK,
} from "../../../src/repository/records/record-links.ts";
import { endpointsOf, noContent } from "../endpoint.ts";
import { recordIdOf } from "../record-dialect.ts";
import type { RecordServices } from "./group.ts";

const { get, post, patch, remove } = endpointsOf<Pick<RecordServices, "records">>();

const ALL = "/records/:id/access/links";
const ONE = "/records/:id/access/links/:link";
const WHO = "For its owner, those who manage it and administrators.";
const link = { status: 200, description: "The link", schema: AccessLinkShape };

export const LINK_ENDPOINTS = [
  get(ALL, {
    id: "listAccessLinks",
    summary: "Links that give a right to a record",
    description: WHO,
    answer: { status: 200, description: "The links, without their secrets", schema: AccessLinkListShape },
    run: async ({ records }, { viewer, params }) => linkListJson(await records.links(viewer, recordIdOf(params.id))),
  }),
  post(ALL, {
    id: "createAccessLink",
    summary: "Make a link that gives a right to a record",
    description: `\`token\` is shown once. Sent as the parameter \`token\` of an address of the record or of its versions, it gives this right and never more than its maker has; without an account it gives reading alone. ${WHO}`,
    scopes: ["item:update"],
    body: NEW_LINK,
    answer: { status: 201, description: "The link with its secret", schema: MadeLinkShape },
    async run({ records }, { viewer, params, body }) {
      const made = await records.makeLink(viewer, recordIdOf(params.id), body);
      return { ...linkJson(made.link), token: made.token };
    },
  }),
  get(ONE, {
    id: "readAccessLink",
    summary: "One link of a record",
    description: WHO,
    answer: link,
    run: async ({ records }, { viewer, params }) =>
      linkJson(await records.link(viewer, recordIdOf(params.id), params.link)),
  }),
  patch(ONE, {
    id: "changeAccessLink",
    summary: "Change what a link gives, or when it ends",
    description: WHO,
    scopes: ["item:update"],
    body: CHANGED_LINK,
    answer: link,
    run: async ({ records }, { viewer, params, body }) =>
      linkJson(await records.changeLink(viewer, recordIdOf(params.id), params.link, body)),
  }),
  remove(ONE, {
    id: "revokeAccessLink",
    summary: "Revoke a link",
    description: `It gives nothing any more, at once. ${WHO}`,
    scopes: ["item:update"],
    answer: noContent("It is revoked"),
    run: ({ records }, { viewer, params }) => records.revokeLink(viewer, recordIdOf(params.id), params.link),
  }),
];
