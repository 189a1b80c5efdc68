// Members of communities (R6a, R37): listed, added, changed, removed. At least one owner stays. No mail address is
// shown (R2g).
import { type Static, Type } from "@sinclair/typebox";
import { MEMBER_ROLES, type MemberRole, type Viewer } from "../../auth/account.ts";
import { buckets, hitsShape, type PageRequest, pageLinks, pageQuery } from "../../model/input/list-parameters.ts";
import { oneError, permissionDenied } from "../../model/input/record-refusals.ts";
import { personName } from "../../model/metadata/reader-language.ts";
import { isSignedIn, roleIn } from "../../model/rights/community-rights.ts";
import { may } from "../../model/rights/policy.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import {
  boolean,
  type Field,
  object,
  oneOf,
  optional,
  refined,
  type Sent,
  sequenceOf,
  trimmed,
} from "../../shared/fields.ts";
import type { AccountId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { MomentShape, membersOf, wordOf } from "../../shared/shapes.ts";
import { searchedText } from "../../shared/text/text.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { Community, CommunityMember } from "../store/communities.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { seenCommunity } from "./communities.ts";
import { communityPath } from "./community-json.ts";

type MembersNeeds = { readonly store: RepositoryStore; readonly clock: Clock; readonly baseUrl: string };

export interface Members {
  /** For members, and administrators. @throws Refusal as `seenCommunity`, `forbidden`, `invalid`. */
  list(viewer: Viewer, community: string, query: MemberQuery): Promise<Static<typeof MemberList>>;
  /** Those who are visible. */
  listVisible(viewer: Viewer, community: string, query: MemberQuery): Promise<Static<typeof PublicMemberList>>;
  add(asking: Viewer, community: string, body: Sent<NewMembers>): Promise<void>;
  update(asking: Viewer, community: string, body: Sent<Change>): Promise<void>;
  /** Also oneself. */
  remove(asking: Viewer, community: string, body: Sent<Change>): Promise<void>;
}

/** Members of one transaction. */
const CHANGED_MOST = most("changedMembers");
/** Members of one community. */
const MEMBERS_MOST = most("communityMembers");
const SORTS = ["bestmatch", "name", "newest", "oldest"] as const;
export const MEMBER_QUERY = pageQuery({ sorts: SORTS, found: "bestmatch", all: "name" });
type MemberQuery = Sent<ReturnType<typeof MEMBER_QUERY.read>>;
const NO_OWNER = "A community must have at least one owner.";
export const INVALID_MEMBER = "Invalid member specified.";
const OWN_ROLE = "You cannot change your own role.";
const OTHERS_VISIBLE = "You can only set public visibility on your own membership.";
const NOTHING_TO_CHANGE = "Missing fields 'role' and/or 'visible'.";
export const ALREADY_MEMBER =
  "One of the submitted entity is already a member or pending a decision. The entire action was cancelled.";

/** @throws Refusal `invalid` where a community would have more members than it may. */
export function requireRoom(members: number): void {
  if (members > MEMBERS_MOST) throw oneError("members", `A community has ${MEMBERS_MOST} members at most.`);
}

/** @throws Refusal `invalid` where one of them has not answered an invitation, or waits for an answer to a request. */
async function requireUninvited(
  tx: RepositoryWriter,
  { id }: Community,
  accounts: readonly AccountId[],
): Promise<void> {
  for (const receiver of accounts) {
    const open = { types: ["community-invitation"], statuses: ["submitted"], community: id, receiver } as const;
    const asked = { types: ["community-membership-request"], statuses: ["submitted"], community: id } as const;
    const invitations = await tx.requests.countRequests(open);
    const requests = await tx.requests.countRequests({ ...asked, creator: receiver });
    if (invitations.total + requests.total > 0) throw new Refusal("invalid", ALREADY_MEMBER);
  }
}

type NamedMember = CommunityMember & { readonly name: string };

export const members = (needs: MembersNeeds): Members => ({
  list: (viewer, idOrSlug, query) => listMembers(needs, viewer, idOrSlug, query),
  listVisible: (viewer, idOrSlug, query) => listVisibleMembers(needs, viewer, idOrSlug, query),
  add: (asking, idOrSlug, body) => addMembers(needs, asking, idOrSlug, body),
  update: (asking, idOrSlug, body) => updateMembers(needs, asking, idOrSlug, body),
  remove: (asking, idOrSlug, body) => removeMembers(needs, asking, idOrSlug, body),
});

async function namedMembers(needs: MembersNeeds, community: Community): Promise<readonly NamedMember[]> {
  const found = await needs.store.communities.members(community.id);
  const accounts = await needs.store.accounts.accounts(found.map(({ accountId }) => accountId));
  const names = new Map(accounts.map((account) => [account.id, personName(account)]));
  return found.map((member) => ({ ...member, name: names.get(member.accountId) ?? "" }));
}

/** The members whose names have the words of `q`, in the order asked for: one page of them, and how many there are. */
function memberPage(all: readonly NamedMember[], asked: PageRequest<string>) {
  const words = searchedText(asked.q)
    .split(/\s+/u)
    .filter((word) => word !== "");
  const found = all.filter(({ name }) => {
    const text = words.length === 0 ? "" : searchedText(name);
    return words.every((word) => text.includes(word));
  });
  const from = (asked.page - 1) * asked.size;
  const sorted = [...found].sort(ORDER[asked.sort] ?? byName);
  return { found, page: sorted.slice(from, from + asked.size) };
}

const linksOf = (needs: MembersNeeds, { id }: Community, path: string, asked: PageRequest<string>, total: number) =>
  pageLinks(`${needs.baseUrl}${communityPath(id)}/${path}`, asked, total);

/** The community, locked, and its members by account. */
async function lockMembers(tx: RepositoryWriter, viewer: Viewer, idOrSlug: string) {
  const community = await seenCommunity(tx.communities, viewer, idOrSlug, tx.communities.lockCommunity);
  const all = await tx.communities.members(community.id);
  return { community, byAccount: new Map(all.map((member) => [member.accountId, member])) };
}

function requireManager(viewer: Viewer, { id }: Community, roles: readonly MemberRole[]): void {
  if (!may(viewer, "community.manage-members", { id, roles })) throw permissionDenied();
}

async function requireOwner(tx: RepositoryWriter, { id }: Community): Promise<void> {
  const left = await tx.communities.members(id);
  if (!left.some(({ role }) => role === "owner")) throw oneError("_schema", NO_OWNER);
}

async function audit(
  needs: MembersNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  { id }: Community,
  detail: Readonly<Record<string, unknown>>,
) {
  await tx.audit(viewer, needs.clock.now(), [{ action: "community-members", subject: `community:${id}`, detail }]);
}

/** Members change themselves, managers others. */
function requireMember(viewer: Viewer, community: Community): void {
  if (isSignedIn(viewer) && roleIn(viewer, community.id) !== null) return;
  requireManager(viewer, community, []);
}

async function requireActive(tx: RepositoryWriter, ids: readonly AccountId[]): Promise<void> {
  const active = (await tx.accounts.accounts(ids)).filter((account) => account.active);
  if (active.length !== ids.length) throw new Refusal("invalid", INVALID_MEMBER);
}

async function listMembers(needs: MembersNeeds, viewer: Viewer, idOrSlug: string, query: MemberQuery) {
  const community = await seenCommunity(needs.store.communities, viewer, idOrSlug);
  const own = roleIn(viewer, community.id);
  if (own === null && !may(viewer, "community.change", community)) throw permissionDenied();
  const asked = query();
  const { found, page } = memberPage(await namedMembers(needs, community), asked);
  const roles = new Map<string, number>(
    MEMBER_ROLES.map((role) => [role, found.filter((each) => each.role === role).length]),
  );
  return {
    hits: { hits: page.map((each) => memberJson(viewer, community, each)), total: found.length },
    aggregations: { role: { ...buckets(roles, (role) => role), label: "Role" } },
    sortBy: asked.sort,
    links: linksOf(needs, community, "members", asked, found.length),
  };
}

async function listVisibleMembers(needs: MembersNeeds, viewer: Viewer, idOrSlug: string, query: MemberQuery) {
  const community = await seenCommunity(needs.store.communities, viewer, idOrSlug);
  const isMember = roleIn(viewer, community.id) !== null || may(viewer, "community.change", community);
  if (community.membersVisibility !== "public" && !isMember) throw permissionDenied();
  const visible = (await namedMembers(needs, community)).filter((member) => member.visible);
  const asked = query();
  const { found, page } = memberPage(visible, asked);
  return {
    hits: { hits: page.map(shortJson), total: found.length },
    sortBy: asked.sort,
    links: linksOf(needs, community, "members/public", asked, found.length),
  };
}

function addMembers(needs: MembersNeeds, asking: Viewer, idOrSlug: string, body: Sent<NewMembers>) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const { community, byAccount } = await lockMembers(tx, viewer, idOrSlug);
    requireManager(viewer, community, []);
    const { accounts, role, visible } = body();
    requireManager(viewer, community, [role]);
    if (visible === true) throw oneError("visible", "Must be false");
    await requireActive(tx, accounts);
    if (accounts.some((id) => byAccount.has(id))) throw new Refusal("invalid", ALREADY_MEMBER);
    requireRoom(byAccount.size + accounts.length);
    await requireUninvited(tx, community, accounts);
    const at = needs.clock.now();
    for (const id of accounts) await tx.communities.setMember(community.id, id, role, at);
    await audit(needs, tx, viewer, community, { added: accounts, role });
  });
}

function updateMembers(needs: MembersNeeds, asking: Viewer, idOrSlug: string, body: Sent<Change>) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const { community, byAccount } = await lockMembers(tx, viewer, idOrSlug);
    requireMember(viewer, community);
    const { accounts, role, visible } = body();
    if (role === null && visible === null) throw oneError("_schema", NOTHING_TO_CHANGE);
    const at = needs.clock.now();
    for (const id of accounts) {
      const member = byAccount.get(id);
      if (member === undefined) throw new Refusal("invalid", INVALID_MEMBER);
      const isSelf = viewer.account?.id === id;
      if (!isSelf) requireManager(viewer, community, [member.role, ...(role === null ? [] : [role])]);
      if (isSelf && role !== null) throw oneError("_schema", OWN_ROLE);
      if (visible === true && !isSelf) throw oneError("_schema", OTHERS_VISIBLE);
      if (role !== null) await tx.communities.setMember(community.id, id, role, at);
      if (visible !== null) await tx.communities.showMember(community.id, id, visible, at);
    }
    if (role !== null) await requireOwner(tx, community);
    await audit(needs, tx, viewer, community, { changed: accounts, role, visible });
  });
}

function removeMembers(needs: MembersNeeds, asking: Viewer, idOrSlug: string, body: Sent<Change>) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const { community, byAccount } = await lockMembers(tx, viewer, idOrSlug);
    requireMember(viewer, community);
    const { accounts } = body();
    for (const id of accounts) {
      const member = byAccount.get(id);
      if (member === undefined) throw new Refusal("invalid", INVALID_MEMBER);
      if (viewer.account?.id !== id) requireManager(viewer, community, [member.role]);
      await tx.communities.setMember(community.id, id, null);
    }
    await requireOwner(tx, community);
    await audit(needs, tx, viewer, community, { removed: accounts });
  });
}

type Change = {
  readonly accounts: readonly AccountId[];
  readonly role: MemberRole | null;
  readonly visible: boolean | null;
};

type NewMembers = Change & { readonly role: MemberRole };

/** An id is sent as text or as a number. */
const ACCOUNT: Field<number> = {
  schema: Type.Union([Type.String({ maxLength: 15, description: "Id of an account" }), Type.Integer({ minimum: 1 })]),
  read(value, path) {
    const id = trimmed({ min: 1, max: 15 }).read(typeof value === "number" ? String(value) : value, path);
    // Whether there is such an account is asked later, and refused with the same sentence.
    return /^[1-9]\d*$/.test(id) ? Number(id) : 0;
  },
};
const MEMBER = object({ type: oneOf(["user"]), id: ACCOUNT }, { others: "ignored" });
const MEMBERS = refined(sequenceOf(MEMBER, CHANGED_MOST), (list, path) => {
  if (list.length === 0) throw faultSentence(path, `Length must be between 1 and ${CHANGED_MOST}.`);
  return list;
});

const ROLE = oneOf(MEMBER_ROLES);
const VISIBLE = optional(boolean());
export const NEW_MEMBERS = refined(
  object({ members: MEMBERS, role: ROLE, visible: VISIBLE }, { others: "ignored", $id: "NewMembers" }),
  (sent) => ({ ...changeOf(sent), role: sent.role }),
);
export const CHANGED_MEMBERS = refined(
  object({ members: MEMBERS, role: optional(ROLE), visible: VISIBLE }, { others: "ignored", $id: "ChangedMembers" }),
  changeOf,
);

function changeOf(sent: {
  readonly members: readonly { readonly id: number }[];
  readonly role?: MemberRole;
  readonly visible?: boolean;
}): Change {
  const accounts = [...new Set(sent.members.map(({ id }) => id))];
  if (accounts.includes(0)) throw new Refusal("invalid", INVALID_MEMBER);
  return { accounts, role: sent.role ?? null, visible: sent.visible ?? null };
}

/** A member as everybody sees one. */
const PUBLIC_MEMBER = {
  id: Type.String({ description: "Id of the account" }),
  member: Type.Object({ type: wordOf(["user"]), id: Type.String(), name: Type.String() }),
};
const MemberShape = Type.Object(
  {
    ...PUBLIC_MEMBER,
    role: wordOf(MEMBER_ROLES),
    visible: Type.Boolean(),
    is_current_user: Type.Boolean(),
    permissions: membersOf(Type.Boolean()),
    created: Type.Optional(MomentShape),
    updated: Type.Optional(MomentShape),
    links: Type.Object({}),
  },
  { $id: "Member" },
);
export const MemberList = hitsShape(MemberShape, "MemberList");
export const PublicMemberList = hitsShape(Type.Object(PUBLIC_MEMBER, { $id: "PublicMember" }), "PublicMemberList");

type Sorting = (a: NamedMember, b: NamedMember) => number;
const byName: Sorting = (a, b) => a.name.localeCompare(b.name, "en") || a.accountId - b.accountId;
const ORDER: Readonly<Record<string, Sorting>> = {
  newest: (a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.accountId - a.accountId),
  oldest: (a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.accountId - b.accountId),
};

const shortJson = ({ accountId, name }: NamedMember) => ({
  id: String(accountId),
  member: { type: "user" as const, id: String(accountId), name },
});

function memberJson(viewer: Viewer, { id }: Community, member: NamedMember) {
  const isSelf = viewer.account?.id === member.accountId;
  const manages = may(viewer, "community.manage-members", { id, roles: [member.role] });
  return {
    ...shortJson(member),
    role: member.role,
    visible: member.visible,
    is_current_user: isSelf,
    permissions: {
      can_leave: isSelf,
      can_delete: manages && !isSelf,
      can_update_role: manages && !isSelf,
      can_update_visible: (member.visible && manages) || isSelf,
    },
    ...(member.createdAt === "" ? {} : { created: member.createdAt }),
    ...(member.updatedAt === "" ? {} : { updated: member.updatedAt }),
    links: {},
  };
}
