// Who signs in to the repository and what that makes them (R2e, R6a; specification 2, "Authentication" 4 to 6).
import type { AccountId, IndexId, ParentId } from "../shared/ids.ts";
import type { Day } from "../shared/time/day.ts";
import type { Instant } from "../shared/time/instant.ts";

/** Role ids as `browsing_role` and `contribute_role` write them (R2e). */
export const ROLES = {
  systemAdministrator: 1,
  repositoryAdministrator: 2,
  /** Registered user, a contributor. */
  registered: 3,
  communityAdministrator: 4,
  /** Signed in, without a role. */
  general: -98,
  guest: -99,
} as const;
export type RoleId = (typeof ROLES)[keyof typeof ROLES];

export const ROLE_IDS: readonly RoleId[] = [1, 2, 3, 4, -98, -99];
/** Roles an account can be given; the other two are what an account without any, and nobody, are. */
export const ASSIGNABLE_ROLES: readonly RoleId[] = [1, 2, 3, 4];

/** The names roles have on the command line. */
export const ROLE_NAMES: Readonly<Record<string, RoleId>> = {
  "system-administrator": 1,
  "repository-administrator": 2,
  registered: 3,
  "community-administrator": 4,
};

export type Account = {
  readonly id: AccountId;
  /** Lower case; null where the account signs in by ePPN only. */
  readonly mail: string | null;
  readonly eppn: string | null;
  readonly name: string;
  readonly roles: readonly RoleId[];
  readonly active: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export const MEMBER_ROLES = ["owner", "manager", "curator", "reader"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** A community as far as rights go; `rootIndex` null: it has no subtree. */
export type Membership = {
  readonly communityId: string;
  readonly role: MemberRole;
  readonly rootIndex: IndexId | null;
};

/**
 * Scopes of the repository (specification 2, "Authentication" 2, 3; specification 3, tool servers). Not hierarchical.
 */
export const REPOSITORY_SCOPES = [
  "deposit:write",
  "deposit:actions",
  "item:read",
  "item:create",
  "item:update",
  "item:delete",
  "index:read",
  "index:create",
  "index:update",
  "index:delete",
  "author:search",
  "author:create",
  "author:update",
  "author:delete",
  "user:activity",
  "file:read",
  "mcp:read",
  "mcp:write",
  "mcp:curate",
] as const;
export type RepositoryScope = (typeof REPOSITORY_SCOPES)[number];

/** The proof of a viewer's identity; it is checked again before each write (R2g). */
export type Proof =
  /** A personal token. */
  | { readonly kind: "secret"; readonly secretId: string }
  /** A token of the token endpoint: what it carries, and when it ends by itself. */
  | { readonly kind: "token"; readonly carried: readonly string[]; readonly endsAt: Instant }
  /** An access token of a grant (R30), by its id. */
  | { readonly kind: "grant"; readonly tokenId: string }
  | { readonly kind: "session"; readonly hash: string };

/**
 * A right to one record that a link gives (R2d): never more than its maker has at the moment, and to guests reading
 * alone.
 */
export type HeldLink = {
  /** SHA-256 (hex) of its secret, by which it is read again before each write. */
  readonly hash: string;
  readonly parent: ParentId;
  readonly permission: "view" | "preview" | "edit" | "manage";
  readonly maker: Viewer;
  /** It opens closed files alone, for one person, up to this day. */
  readonly filesUntil?: Day;
};

/**
 * A person or program that reads or changes the repository. Rights are those of the account behind the token, never of
 * an On-Behalf-Of account (R2e). `scopes` null: a person signed in with a session, who is not narrowed by scopes.
 */
export type Viewer = {
  readonly account: Account | null;
  /** Never empty: an account without role is `general`, nobody is `guest`. */
  readonly roles: readonly RoleId[];
  readonly groups: readonly number[];
  readonly memberships: readonly Membership[];
  readonly scopes: ReadonlySet<string> | null;
  /** The client of the token, by which its settings are found (R17); "" for sessions and guests. */
  readonly clientId: string;
  /** The caller's address, for the audit; "" on the command line. */
  readonly address: string;
  /** Absent for guests and for the program itself, which is trusted. */
  readonly proof?: Proof;
  /** Scopes that the interface requires: checked again before each write. */
  readonly asked?: readonly string[];
  /** Links to records that the request was sent with. */
  readonly links?: readonly HeldLink[];
};

export const GUEST: Viewer = {
  account: null,
  roles: [ROLES.guest],
  groups: [],
  memberships: [],
  scopes: new Set(),
  clientId: "",
  address: "",
};

/** The person at the command line of the server: a system administrator without an account. */
export const REPOSITORY_OPERATOR: Viewer = {
  ...GUEST,
  roles: [ROLES.systemAdministrator],
  scopes: null,
  clientId: "(operator)",
};

/** Whether what the viewer signed in with carries one of these scopes. A session and the program itself carry all. */
export function carriesOne({ scopes }: Viewer, wanted: readonly string[]): boolean {
  return scopes === null || wanted.some((scope) => scopes.has(scope));
}

/** The viewer as far as these scopes reach (R6d): a token without these scopes has the rights of a guest. */
export function guestWithout(viewer: Viewer, wanted: readonly string[]): Viewer {
  if (carriesOne(viewer, wanted)) return viewer;
  const { address, links } = viewer;
  return links === undefined ? { ...GUEST, address } : { ...GUEST, address, links };
}

/** Roles 1 and 2: they reach everything. */
export function isAdministrator(viewer: Viewer): boolean {
  return viewer.roles.includes(ROLES.systemAdministrator) || viewer.roles.includes(ROLES.repositoryAdministrator);
}

/** Communities the viewer administers: role 4 and owner or manager of them (R6a). */
export function administeredCommunities(viewer: Viewer): readonly Membership[] {
  if (!viewer.roles.includes(ROLES.communityAdministrator)) return [];
  return viewer.memberships.filter(({ role }) => role === "owner" || role === "manager");
}

/** Communities whose items the viewer curates: owner, manager or curator (R2d). */
export function curatedCommunities(viewer: Viewer): readonly string[] {
  return viewer.memberships.filter(({ role }) => role !== "reader").map(({ communityId }) => communityId);
}

/** The roles an account counts as: its own, or `general`. */
export function effectiveRoles(account: Account): readonly RoleId[] {
  return account.roles.length === 0 ? [ROLES.general] : account.roles;
}
