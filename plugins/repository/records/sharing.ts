// With whom a record is shared, over HTTP (R15, R37): grants in the manner of existing record repositories, each of
// which names one account or group.
import { RECORD_SENTENCES } from "../../../src/model/input/record-refusals.ts";
import type { Grant } from "../../../src/model/items/item.ts";
import {
  CHANGED_GRANT,
  GrantListShape,
  GrantShape,
  type GrantSubject,
  grantJson,
  grantListJson,
  grantNamed,
  NEW_GRANTS,
  subjectId,
} from "../../../src/repository/records/record-sharing.ts";
import type { ValueOf } from "../../../src/shared/fields.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { type EndpointInput, endpointsOf, noContent } from "../endpoint.ts";
import { recordIdOf } from "../record-dialect.ts";
import type { RecordServices } from "./group.ts";

type Services = Pick<RecordServices, "records" | "baseUrl">;

const { get, post, put, patch, remove } = endpointsOf<Services>();

/** The names that list grants: which of them each lists, and whom a segment of its addresses names. */
const LISTS = {
  Grants: { has: (_: Grant) => true, subject: grantNamed },
  Users: { has: ({ subject }: Grant) => subject === "user", subject: (text: string) => numbered("user", text) },
  Groups: { has: ({ subject }: Grant) => subject === "role", subject: (text: string) => numbered("role", text) },
} as const;

const WHO = "For its owner, those who manage it and administrators.";
const grant = { status: 200, description: "The grant", schema: GrantShape };

function sharedUnder(name: keyof typeof LISTS) {
  const { has, subject: subjectOf } = LISTS[name];
  const path = `/records/:id/access/${name.toLowerCase()}` as "/records/:id/access/grants";
  /** What names no subject is the name of none. */
  const named = (text: string): GrantSubject => {
    const found = subjectOf(text);
    if (found === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
    return found;
  };
  const change = (verb: "change" | "replace") => ({
    id: `${verb}Record${name}`,
    summary: "Share a record for something else",
    description: WHO,
    scopes: ["item:update"],
    body: CHANGED_GRANT,
    answer: grant,
    refuses: [404],
    async run({ records, baseUrl }: Services, { viewer, params, body }: ChangeInput) {
      const id = recordIdOf(params.id);
      return grantJson(id, await records.changeGrant(viewer, id, named(params.subject), body), baseUrl);
    },
  });
  return [
    get(path, {
      id: `listRecord${name}`,
      summary: "With whom a record is shared",
      description: WHO,
      answer: { status: 200, description: "The grants", schema: GrantListShape },
      async run({ records, baseUrl }, { viewer, params }) {
        const id = recordIdOf(params.id);
        return grantListJson(id, (await records.grants(viewer, id)).filter(has), baseUrl);
      },
    }),
    get(`${path}/:subject`, {
      id: `readRecord${name}`,
      summary: "One grant of a record",
      description: WHO,
      answer: grant,
      async run({ records, baseUrl }, { viewer, params }) {
        const id = recordIdOf(params.id);
        return grantJson(id, await records.grant(viewer, id, named(params.subject)), baseUrl);
      },
    }),
    patch(`${path}/:subject`, change("change")),
    ...(name === "Grants" ? [put(`${path}/:subject`, change("replace"))] : []),
    remove(`${path}/:subject`, {
      id: `removeRecord${name}`,
      summary: "Share a record no longer",
      description: WHO,
      scopes: ["item:update"],
      answer: noContent("It is shared no longer"),
      run: ({ records }, { viewer, params }) => records.unshare(viewer, recordIdOf(params.id), named(params.subject)),
    }),
  ];
}

type ChangeInput = EndpointInput<"/records/:id/access/grants/:subject", never, ValueOf<typeof CHANGED_GRANT>>;

export const SHARING_ENDPOINTS = [
  ...sharedUnder("Grants"),
  ...sharedUnder("Users"),
  ...sharedUnder("Groups"),
  post("/records/:id/access/grants", {
    id: "shareRecord",
    summary: "Share a record",
    description: `Users and groups (\`role\`) get a right to the record and its other versions; one that has a right already gets this one instead. ${WHO}`,
    scopes: ["item:update"],
    body: NEW_GRANTS,
    answer: { status: 201, description: "What was added", schema: GrantListShape },
    async run({ records, baseUrl }, { viewer, params, body }) {
      const id = recordIdOf(params.id);
      return grantListJson(id, await records.share(viewer, id, body), baseUrl);
    },
  }),
];

function numbered(subject: Grant["subject"], text: string): GrantSubject | null {
  const id = subjectId(text);
  return id === null ? null : { subject, id };
}
