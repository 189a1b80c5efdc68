// The own account over HTTP (R33, R37): name, language, ORCID iD, sessions, export, closing. For the person who is signed
// in, or a token that allows everything.
import { type Static, Type } from "@sinclair/typebox";
import { REPOSITORY_SCOPES } from "../../../src/auth/account.ts";
import type { AccountClosing } from "../../../src/repository/people/account-closing.ts";
import { type AccountExport, EXPORT_FILE, EXPORT_FORMAT } from "../../../src/repository/people/account-export.ts";
import {
  ACCOUNT_LANGUAGES,
  type OwnAccount,
  type OwnAccountView,
  type OwnSession,
  PERSON_NAME_MAX,
} from "../../../src/repository/people/own-account.ts";
import { textStream } from "../../../src/shared/bytes/byte-streams.ts";
import { object, oneOf, optional, words } from "../../../src/shared/fields.ts";
import { MomentShape, manyOf, wordOf } from "../../../src/shared/shapes.ts";
import { JSON_TYPE } from "../../http/answer.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { recordGroup } from "../record-dialect.ts";

type Services = {
  readonly ownAccount: OwnAccount;
  readonly accountExport: AccountExport;
  readonly closing: AccountClosing;
};

const GROUP = recordGroup({
  name: "account",
  tag: "Accounts",
  scopes: REPOSITORY_SCOPES,
  pathParameters: { id: "Id of the session" },
});

/** Longest ORCID iD as an address, in characters. */
const ORCID_MAX = 100;
const CONFIRM_MAX = 400;

const OWN_ACCOUNT = object(
  {
    name: optional(words(PERSON_NAME_MAX)),
    language: optional(oneOf(["", ...ACCOUNT_LANGUAGES], { description: "Of pages and mails; empty: none" })),
    orcid: optional(words(ORCID_MAX, { description: "ORCID iD; empty: removed" })),
  },
  { $id: "OwnAccountInput" },
);
const WHICH = ["others", "all"] as const;
const END_SESSIONS = object({ which: oneOf(WHICH) }, { $id: "EndSessions" });

const CLOSE = object(
  { confirm: words(CONFIRM_MAX, { description: "The mail address of the account" }) },
  { $id: "CloseAccount" },
);
const AccountExportShape = Type.Object(
  { format: Type.Literal(EXPORT_FORMAT), exported_at: MomentShape },
  {
    $id: "AccountExport",
    additionalProperties: manyOf(Type.Object({}, { additionalProperties: true })),
    description: "Rows by kind, without secrets",
  },
);

const OwnAccountShape = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    language: Type.Union([wordOf(ACCOUNT_LANGUAGES), Type.Null()]),
    orcid: Type.Union([Type.String(), Type.Null()]),
    orcid_source: Type.Union([wordOf(["provider", "typed"]), Type.Null()], {
      description: "provider: by sign-in at ORCID",
    }),
    orcid_since: Type.Union([MomentShape, Type.Null()]),
  },
  { $id: "OwnAccount" },
);

const SessionShape = Type.Object(
  {
    id: Type.String(),
    way: Type.Union([wordOf(["token", "link", "oidc"]), Type.Null()]),
    agent: Type.Union([Type.String(), Type.Null()]),
    created_at: MomentShape,
    last_used_at: MomentShape,
    expires_at: MomentShape,
    current: Type.Boolean(),
  },
  { $id: "Session" },
);
const SessionListShape = Type.Object({ hits: manyOf(SessionShape) }, { $id: "SessionList" });

const { get, put, post, remove } = endpointsOf<Services>();

const ACCOUNT_ENDPOINTS = [
  put("/me", {
    id: "changeMe",
    summary: "Change the own account",
    description: "A typed ORCID iD is not authenticated.",
    body: OWN_ACCOUNT,
    answer: { status: 200, description: "The account as it is now", schema: OwnAccountShape },
    run: async ({ ownAccount }, { viewer, body }) => ownAccountJson(await ownAccount.save(viewer, body())),
  }),
  get("/me/sessions", {
    id: "listMySessions",
    summary: "List the own sessions",
    description: "Newest first, at most 200.",
    answer: { status: 200, description: "The sessions", schema: SessionListShape },
    run: async ({ ownAccount }, { viewer }) => ({ hits: (await ownAccount.sessions(viewer)).map(sessionJson) }),
  }),
  remove("/me/sessions/:id", {
    id: "endMySession",
    summary: "End an own session",
    description: "Its open forms end, too.",
    answer: noContent("Ended"),
    refuses: [404],
    run: ({ ownAccount }, { viewer, params }) => ownAccount.endSession(viewer, params.id),
  }),
  post("/me/sessions/actions/end", {
    id: "endMySessions",
    summary: "Sign out everywhere",
    description: "`others` keeps this session.",
    body: END_SESSIONS,
    answer: noContent("Ended"),
    run: ({ ownAccount }, { viewer, body }) => ownAccount.endSessions(viewer, { current: body().which === "all" }),
  }),
  get("/me/export", {
    id: "exportMe",
    summary: "Export everything stored about the own account",
    description: "Written as it is read.",
    answer: { status: 200, description: "The document", schema: AccountExportShape },
    run: async ({ accountExport: exported }, { viewer }) => exportAnswer(await exported(viewer)),
  }),
  post("/me/actions/close", {
    id: "closeMe",
    summary: "Close the own account",
    description:
      "Items stay, with their names. Refused while it has drafts, is the only owner of a community or the last system administrator.",
    body: CLOSE,
    answer: noContent("Closed"),
    refuses: [409],
    run: ({ closing }, { viewer, body }) => closing.close(viewer, body().confirm),
  }),
];

export const accountPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, ACCOUNT_ENDPOINTS, services, guard);

/** The document as a download. */
export async function exportAnswer(pieces: AsyncIterable<string>): Promise<Response> {
  const headers = {
    "content-type": JSON_TYPE,
    "content-disposition": `attachment; filename="${EXPORT_FILE}"`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return new Response(await textStream(pieces), { headers });
}

function ownAccountJson({ account, profile, language }: OwnAccountView): Static<typeof OwnAccountShape> {
  return {
    id: account.id,
    name: account.name,
    language: ACCOUNT_LANGUAGES.find((known) => known === language) ?? null,
    orcid: profile.orcid,
    orcid_source: profile.orcidSource,
    orcid_since: profile.orcidAt,
  };
}

const sessionJson = (session: OwnSession): Static<typeof SessionShape> => ({
  id: session.id,
  way: session.way,
  agent: session.agent,
  created_at: session.createdAt,
  last_used_at: session.lastUsedAt,
  expires_at: session.expiresAt,
  current: session.isCurrent,
});
