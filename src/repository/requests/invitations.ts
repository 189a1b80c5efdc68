// People are invited to a community (R6a, R37): they become members when they accept. Managers invite by the id of an
// account; who has which mail address is an administrator's to know (R2g).
import { isAdministrator, MEMBER_ROLES, type MemberRole, type Viewer } from "../../auth/account.ts";
import { bodyObject, bodyReading, idText, partOf } from "../../model/input/body-reading.ts";
import { pageLinks, readPageRequest } from "../../model/input/list-parameters.ts";
import { permissionDenied } from "../../model/input/record-refusals.ts";
import { personName } from "../../model/metadata/reader-language.ts";
import { may } from "../../model/rights/policy.ts";
import { isOpen } from "../../model/rights/request-rules.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { seenCommunity } from "../communities/communities.ts";
import { ALREADY_MEMBER, INVALID_MEMBER, requireRoom } from "../communities/members.ts";
import { REQUEST_SORTS } from "../store/requests.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { commentFromText } from "./comment-body.ts";
import { changing } from "./request-facts.ts";
import type { RequestsNeeds } from "./request-needs.ts";

const TYPE = "community-invitation";
/** As many as one transaction makes. */
const INVITED_MOST = most("changedMembers");
const MESSAGE_MAX = most("commentCharacters");

type Invitee = { readonly kind: "user" | "email"; readonly id: string };
type Invitation = { readonly invited: readonly Invitee[]; readonly role: MemberRole; readonly message: string };

/** One page of the invitations of a community. */
type InvitationList = {
  readonly hits: { readonly hits: readonly object[]; readonly total: number };
  readonly sortBy: string;
  readonly links: Readonly<Record<string, string>>;
};

export interface Invitations {
  /** All or none. @throws Refusal not_found, forbidden, invalid. */
  invite(asking: Viewer, idOrSlug: string, body: unknown): Promise<void>;
  /** For those who invite, newest first. @throws Refusal not_found, forbidden, invalid. */
  list(viewer: Viewer, idOrSlug: string, parameters: URLSearchParams): Promise<InvitationList>;
}

export const invitations = (needs: RequestsNeeds): Invitations => {
  const { store, clock, random, baseUrl } = needs;

  /** The account that is meant. @throws Refusal `invalid` for one that is not there, or was disabled. */
  async function accountOf(tx: RepositoryWriter, viewer: Viewer, { kind, id }: Invitee): Promise<number> {
    if (kind === "email" && !isAdministrator(viewer)) throw permissionDenied();
    const isNumber = /^[1-9]\d{0,14}$/.test(id);
    const found =
      kind === "email"
        ? await tx.accounts.accountByMail(id.toLowerCase())
        : isNumber
          ? await tx.accounts.account(Number(id))
          : null;
    if (found === null || !found.active) throw new Refusal("invalid", INVALID_MEMBER);
    return found.id;
  }

  return {
    invite: (asking, idOrSlug, body) =>
      changing(needs, asking, async (tx, viewer) => {
        const { communities } = tx;
        const community = await seenCommunity(communities, viewer, idOrSlug, communities.lockCommunity);
        const mayInvite = (roles: readonly MemberRole[]) =>
          may(viewer, "community.manage-members", { id: community.id, roles });
        if (!mayInvite([])) throw permissionDenied();
        const { invited, role, message } = invitationIn(body);
        const creator = viewer.account?.id;
        if (!mayInvite([role]) || creator === undefined) throw permissionDenied();
        const members = new Set((await communities.members(community.id)).map(({ accountId }) => accountId));
        requireRoom(members.size + invited.length);
        const at = clock.now();
        const comment = commentFromText(message);
        for (const each of invited) {
          const receiver = await accountOf(tx, viewer, each);
          const made = members.has(receiver)
            ? null
            : await tx.requests.insertRequest({
                id: uuidOf(random.bytes(16)),
                type: TYPE,
                status: "submitted",
                community: community.id,
                title: `Invitation to join "${community.title.en}"`,
                item: null,
                parent: null,
                creator,
                receiver,
                role,
                linked: false,
                revision: 1,
                events: 0,
                createdAt: at,
                updatedAt: at,
                submittedAt: at,
              });
          if (made === null) throw new Refusal("invalid", ALREADY_MEMBER);
          if (comment !== null) {
            await tx.requests.addEvent({
              request: made.number,
              id: uuidOf(random.bytes(16)),
              kind: "comment",
              account: creator,
              event: "",
              content: comment,
              createdAt: at,
            });
          }
        }
        const detail = { invited: invited.length, role };
        await tx.audit(viewer, at, [{ action: "community-invite", subject: `community:${community.id}`, detail }]);
      }),

    async list(viewer, idOrSlug, parameters) {
      const community = await seenCommunity(store.communities, viewer, idOrSlug);
      if (!may(viewer, "community.manage-members", { id: community.id, roles: [] })) throw permissionDenied();
      const asked = readPageRequest(parameters, { sorts: REQUEST_SORTS, found: "newest", all: "newest" });
      const filter = { types: [TYPE], community: community.id } as const;
      const { total } = await store.requests.countRequests(filter);
      const found = await store.requests.findRequests(filter, asked.sort, (asked.page - 1) * asked.size, asked.size);
      const accounts = await store.accounts.accounts([...new Set(found.flatMap(({ receiver }) => receiver ?? []))]);
      const names = new Map(accounts.map((account) => [account.id, personName(account)]));
      const hits = found.map(({ id, receiver, role, status, createdAt, updatedAt }) => ({
        id: String(receiver),
        member: { type: "user", id: String(receiver), name: names.get(receiver ?? 0) ?? "" },
        role,
        request: { id, type: TYPE, status, is_open: isOpen(status) },
        permissions: { can_cancel: isOpen(status), can_update_role: false },
        created: createdAt,
        updated: updatedAt,
      }));
      const links = pageLinks(`${baseUrl}/api/communities/${community.id}/invitations`, { ...asked, q: "" }, total);
      return { hits: { hits, total }, sortBy: asked.sort, links };
    },
  };
};

/** `{members: [{type, id}], role, message?}`. @throws Refusal `invalid` naming what is wrong. */
function invitationIn(body: unknown): Invitation {
  const sent = bodyObject(body);
  const reading = bodyReading();
  const list = reading.list(partOf(sent, "members"), "members", INVITED_MOST, true) ?? [];
  if (list.length === 0) reading.fail("members", `Length must be between 1 and ${INVITED_MOST}.`);
  const invited = list.map((each, at): Invitee => {
    const field = `members.${at}`;
    const one = reading.object(each, field, { required: true });
    const kind = reading.choice(partOf(one, "type"), `${field}.type`, ["user", "email"], one !== null);
    const id = reading.text(idText(partOf(one, "id")), `${field}.id`, { min: 1, max: 320 });
    return { kind: kind ?? "user", id: id ?? "" };
  });
  const role = reading.choice(partOf(sent, "role"), "role", MEMBER_ROLES, true);
  const message = reading.text(partOf(sent, "message"), "message", { max: MESSAGE_MAX });
  reading.end();
  return { invited, role: role ?? "reader", message: message ?? "" };
}
