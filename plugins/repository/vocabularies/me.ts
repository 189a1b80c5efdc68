// GET /api/me (R37): who is signed in, which clients of existing record repositories ask before anything else.
import { Elysia } from "elysia";
import { carriesOne, type Viewer } from "../../../src/auth/account.ts";
import type { WhoamiAnswer } from "../../../src/repository/people/whoami.ts";
import { errors } from "../../http/errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordAnswer, recordDialect } from "../record-dialect.ts";
import { ME } from "./document.ts";

export type MePluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "reader">;
  /** Throws unauthenticated. */
  readonly whoami: (viewer: Viewer) => Promise<WhoamiAnswer>;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

export const mePlugin = ({ guard, whoami, baseUrl }: MePluginNeeds) =>
  new Elysia({ name: "me", prefix: "/api" }).use(errors(recordDialect)).get(
    "/me",
    async ({ request }) => {
      const { viewer } = await guard.reader(request, "me", "any");
      // Whose token it is needs no scope; communities do, as everywhere (R6d, R37).
      const memberships = carriesOne(viewer, ["user:activity"]) ? viewer.memberships : [];
      return recordAnswer(bodyOf(await whoami({ ...viewer, memberships }), baseUrl));
    },
    { detail: ME },
  );

function bodyOf({ account, roles, communities, isEmailPending }: WhoamiAnswer, baseUrl: string): object {
  return {
    id: account.id,
    email: account.mail,
    name: account.name,
    profile: { full_name: account.name },
    // Addresses are set by administrators and identity providers, who know them.
    confirmed_at: isEmailPending ? null : account.createdAt,
    last_login_at: null,
    active: account.active,
    roles,
    communities,
    email_pending_setup: isEmailPending,
    profile_settings_url: `${baseUrl}/account/tokens`,
    links: {
      self: `${baseUrl}/api/me`,
      self_html: `${baseUrl}/account/tokens`,
      records: `${baseUrl}/api/user/records`,
      communities: `${baseUrl}/api/user/communities`,
      requests: `${baseUrl}/api/user/requests`,
    },
  };
}
