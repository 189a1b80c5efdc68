// GET /api/me (R37): who is signed in, which clients of existing record repositories ask before anything else.
import { type Static, Type } from "@sinclair/typebox";
import { carriesOne, type Viewer } from "../../../src/auth/account.ts";
import type { OwnAccount, OwnAccountView } from "../../../src/repository/people/own-account.ts";
import type { WhoamiAnswer } from "../../../src/repository/people/whoami.ts";
import { MomentShape, manyOf } from "../../../src/shared/shapes.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordGroup } from "../record-dialect.ts";

type Services = {
  /** Throws unauthenticated. */
  readonly whoami: (viewer: Viewer) => Promise<WhoamiAnswer>;
  readonly profileOf: OwnAccount["read"];
  /** Without slash at the end. */
  readonly baseUrl: string;
};

const GROUP = recordGroup({ name: "me", tag: "Accounts", scopes: [], pathParameters: {} });

const MeShape = Type.Object(
  {
    id: Type.Integer(),
    email: Type.Union([Type.String(), Type.Null()]),
    name: Type.String(),
    profile: Type.Object({ full_name: Type.String() }),
    preferences: Type.Object({
      locale: Type.Union([Type.String(), Type.Null()]),
    }),
    identities: Type.Object({
      orcid: Type.Union([Type.String(), Type.Null()]),
      orcid_authenticated: Type.Boolean(),
    }),
    confirmed_at: Type.Union([MomentShape, Type.Null()], { description: "Null while no mail reaches the account" }),
    last_login_at: Type.Null(),
    active: Type.Boolean(),
    roles: manyOf(Type.Object({ id: Type.String(), name: Type.String(), description: Type.String() })),
    communities: manyOf(
      Type.Object({ id: Type.String(), slug: Type.String(), title: Type.String(), role: Type.String() }),
    ),
    email_pending_setup: Type.Boolean({ description: "The account has no address that receives mail" }),
    profile_settings_url: Type.String(),
    links: Type.Object({
      self: Type.String(),
      self_html: Type.String(),
      records: Type.String(),
      communities: Type.String(),
      requests: Type.String(),
    }),
  },
  { $id: "Me" },
);

const { get } = endpointsOf<Services>();

const ME_ENDPOINTS = [
  get("/me", {
    id: "readMe",
    summary: "Read who is signed in",
    description:
      "The account of the token or the session, its roles and its communities. A token needs no scope for it; the communities are shown to one " +
      "with `user:activity`.",
    answer: { status: 200, description: "The account", schema: MeShape },
    async run({ whoami, profileOf, baseUrl }, { viewer }) {
      // Whose token it is needs no scope; communities do, as everywhere (R6d, R37).
      const memberships = carriesOne(viewer, ["user:activity"]) ? viewer.memberships : [];
      return meJson(await whoami({ ...viewer, memberships }), await profileOf(viewer), baseUrl);
    },
  }),
];

type Guard = EndpointGuard & Pick<RepositoryGuard, "reader">;

/** The session of the pages counts here, too. */
export const mePlugin = ({ guard, ...services }: Services & { readonly guard: Guard }) =>
  mountEndpoints(GROUP, ME_ENDPOINTS, services, {
    ...guard,
    viewer: async (request, group) => (await guard.reader(request, group, "any")).viewer,
  });

function meJson(
  { account, roles, communities, isEmailPending }: WhoamiAnswer,
  { profile, language }: OwnAccountView,
  baseUrl: string,
): Static<typeof MeShape> {
  return {
    id: account.id,
    email: account.mail,
    name: account.name,
    profile: { full_name: account.name },
    preferences: { locale: language },
    identities: { orcid: profile.orcid, orcid_authenticated: profile.orcidSource === "provider" },
    // Addresses are set by administrators and identity providers, who know them.
    confirmed_at: isEmailPending ? null : account.createdAt,
    last_login_at: null,
    active: account.active,
    roles,
    communities,
    email_pending_setup: isEmailPending,
    profile_settings_url: `${baseUrl}/account`,
    links: {
      self: `${baseUrl}/api/me`,
      self_html: `${baseUrl}/account`,
      records: `${baseUrl}/api/user/records`,
      communities: `${baseUrl}/api/user/communities`,
      requests: `${baseUrl}/api/user/requests`,
    },
  };
}
