// The signed-in account as programs see it (R37; specification 3, tool whoami): the account, its roles, its
// communities, whether mail reaches it.
import { type Account, ROLE_NAMES, type RoleId, type Viewer } from "../../auth/account.ts";
import type { AccountReader } from "../../auth/accounts.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { CommunityReader } from "../store/communities.ts";
import type { GrantReader } from "../store/grants.ts";

export type WhoamiAnswer = {
  readonly account: Account;
  readonly roles: readonly { readonly id: string; readonly name: string; readonly description: string }[];
  readonly communities: readonly {
    readonly id: string;
    readonly slug: string;
    readonly title: string;
    readonly role: string;
  }[];
  /** The account has no address, or only a placeholder: mail cannot arrive. */
  readonly isEmailPending: boolean;
};

type WhoamiNeeds = {
  readonly communities: Pick<CommunityReader, "communitiesOf">;
  /** The domain of placeholder addresses. */
  readonly placeholderDomain: string;
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "system-administrator": "Sets everything of the repository",
  "repository-administrator": "Looks after all items of the repository",
  registered: "Deposits items",
  "community-administrator": "Looks after the items of the communities they own or manage",
};

/** @throws Refusal `unauthenticated` for nobody */
export async function whoami({ communities, placeholderDomain }: WhoamiNeeds, viewer: Viewer): Promise<WhoamiAnswer> {
  const { account } = viewer;
  if (account === null) {
    throw new Refusal("unauthenticated", "A Bearer access token is needed", {
      headers: { "www-authenticate": 'Bearer realm="repository"' },
      detail: { cause: "missing" },
    });
  }
  const roleIn = new Map(viewer.memberships.map(({ communityId, role }) => [communityId, role]));
  const found = await communities.communitiesOf([...roleIn.keys()]);
  return {
    account,
    roles: viewer.roles.flatMap(roleNamed),
    communities: found.map(({ id, slug, title }) => ({
      id,
      slug,
      title: title.en === "" ? title.ja : title.en,
      role: roleIn.get(id) ?? "",
    })),
    isEmailPending: isPlaceholder(account.mail, placeholderDomain),
  };
}

/** What is shown of the token in use. */
export type ShownToken = {
  readonly clientId: string;
  /** When it ends by itself; null: it does not, or with the session. */
  readonly endsAt: Instant | null;
  /** The only resource it is for (RFC 8707); null: it does not belong to a grant. */
  readonly audience: string | null;
};

type ShownNeeds = {
  readonly accounts: Pick<AccountReader, "ownedSecret">;
  readonly grants: Pick<GrantReader, "grantedSecret">;
};

export async function shownToken({ accounts, grants }: ShownNeeds, viewer: Viewer): Promise<ShownToken> {
  const { proof, clientId } = viewer;
  const plain = { clientId, endsAt: null, audience: null };
  if (proof?.kind === "token") return { ...plain, endsAt: proof.endsAt };
  if (proof?.kind === "grant") {
    const found = await grants.grantedSecret(proof.tokenId);
    if (found === null) return plain;
    const { secret, grant } = found;
    return { clientId: grant.clientId, endsAt: secret.expiresAt, audience: grant.resource };
  }
  const found = proof?.kind === "secret" ? await accounts.ownedSecret(proof.secretId) : null;
  const ends = [found?.secret.expiresAt, found?.client.expiresAt].filter((end) => typeof end === "string");
  return { ...plain, endsAt: ends.sort()[0] ?? null };
}

function isPlaceholder(mail: string | null, placeholderDomain: string): boolean {
  return mail === null || mail.toLowerCase().endsWith(`@${placeholderDomain.toLowerCase()}`);
}

/** An account without a role has none to name. */
function roleNamed(id: RoleId): WhoamiAnswer["roles"] {
  const name = Object.keys(ROLE_NAMES).find((each) => ROLE_NAMES[each] === id);
  return name === undefined ? [] : [{ id: name, name, description: DESCRIPTIONS[name] ?? "" }];
}
