// Who is signed in, as programs are told (R37; specification 3, tool whoami): the account, its roles, its communities, whether mail reaches it.
import { type Account, ROLE_NAMES, type RoleId, type Viewer } from "../../auth/account.ts";
import type { AccountReader } from "../../auth/accounts.ts";
import type { Instant } from "../../shared/instant.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { CommunityReader } from "../store/communities.ts";

export type Who = {
  readonly account: Account;
  readonly roles: readonly { readonly id: string; readonly name: string; readonly description: string }[];
  readonly communities: readonly {
    readonly id: string;
    readonly slug: string;
    readonly title: string;
    readonly role: string;
  }[];
  /** There is no address, or only one that stands in for it: mail cannot arrive. */
  readonly isEmailPending: boolean;
};

type WhoamiNeeds = {
  readonly communities: Pick<CommunityReader, "communitiesOf">;
  /** The domain of addresses that stand in where nobody knows the real one. */
  readonly placeholderDomain: string;
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "system-administrator": "Sets everything of the repository",
  "repository-administrator": "Looks after all items of the repository",
  registered: "Deposits items",
  "community-administrator": "Looks after the items of the communities they own or manage",
};

/** Throws unauthenticated for nobody. */
export async function whoami({ communities, placeholderDomain }: WhoamiNeeds, viewer: Viewer): Promise<Who> {
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
      ...{ id, slug, title: title.en === "" ? title.ja : title.en },
      role: roleIn.get(id) ?? "",
    })),
    isEmailPending: isPlaceholder(account.mail, placeholderDomain),
  };
}

/** When what was shown ends by itself; null: never, or with the session. */
export async function endOfProof(
  accounts: Pick<AccountReader, "ownedSecret">,
  { proof }: Viewer,
): Promise<Instant | null> {
  if (proof?.kind === "token") return proof.endsAt;
  const found = proof?.kind === "secret" ? await accounts.ownedSecret(proof.secretId) : null;
  const ends = [found?.secret.expiresAt, found?.client.expiresAt].filter((end) => typeof end === "string");
  return ends.sort()[0] ?? null;
}

export function isPlaceholder(mail: string | null, placeholderDomain: string): boolean {
  return mail === null || mail.toLowerCase().endsWith(`@${placeholderDomain.toLowerCase()}`);
}

/** An account without a role has none to name. */
function roleNamed(id: RoleId): Who["roles"] {
  const name = Object.keys(ROLE_NAMES).find((each) => ROLE_NAMES[each] === id);
  return name === undefined ? [] : [{ id: name, name, description: DESCRIPTIONS[name] ?? "" }];
}
