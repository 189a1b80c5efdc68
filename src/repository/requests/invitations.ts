// People are invited to a community (R6a, R37): they become members when they accept. Managers invite by the id of an
// account; who has which mail address is an administrator's to know (R2g).
import { type Static, Type } from "@sinclair/typebox";
import { isAdministrator, MEMBER_ROLES, type MemberRole, type Viewer } from "../../auth/account.ts";
import { unsearchedPageQuery } from "../../model/input/list-parameters.ts";
import { permissionDenied } from "../../model/input/record-refusals.ts";
import { may } from "../../model/rights/policy.ts";
import { isOpen } from "../../model/rights/request-rules.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, oneOf, optional, refined, type Sent, sequenceOf, trimmed } from "../../shared/fields.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { seenCommunity } from "../communities/communities.ts";
import { ALREADY_MEMBER, INVALID_MEMBER, requireRoom } from "../communities/members.ts";
import type { RepositoryEvent } from "../store/audit.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { COMMENT_MAX, commentFromText } from "./comment-body.ts";
import { membershipList, membershipListShape } from "./membership-lists.ts";
import { changing } from "./request-facts.ts";
import type { RequestsNeeds } from "./request-needs.ts";

const TYPE = "community-invitation" as const;
/** As many as one transaction makes. */
const INVITED_MOST = most("changedMembers");

/** An id is sent as text or as a number. */
const ID: Field<string> = {
  schema: Type.Union([
    Type.String({ minLength: 1, maxLength: 320, description: "Id of an account, or a mail address" }),
    Type.Integer({ minimum: 1 }),
  ]),
  read: (value, path) => trimmed({ min: 1, max: 320 }).read(typeof value === "number" ? String(value) : value, path),
};
const INVITEE = object({ type: oneOf(["user", "email"]), id: ID }, { others: "ignored" });
type Invitee = ReturnType<typeof INVITEE.read>;

/** People invited in one role, with a message. */
export const INVITATION = object(
  {
    members: refined(sequenceOf(INVITEE, INVITED_MOST), (list, path) => {
      if (list.length === 0) throw faultSentence(path, `Length must be between 1 and ${INVITED_MOST}.`);
      return list;
    }),
    role: oneOf(MEMBER_ROLES),
    message: optional(trimmed({ max: COMMENT_MAX })),
  },
  { others: "ignored", $id: "NewInvitations" },
);
type Invitation = Sent<ReturnType<typeof INVITATION.read>>;

export const INVITATION_QUERY = unsearchedPageQuery([
  "newest",
  "oldest",
  "newestactivity",
  "oldestactivity",
  "bestmatch",
]);
type InvitationQuery = Sent<ReturnType<typeof INVITATION_QUERY.read>>;

/** One page of the invitations of a community. */
export const InvitationListShape = membershipListShape(
  TYPE,
  Type.Object({ can_cancel: Type.Boolean(), can_update_role: Type.Boolean() }),
  "Invitation",
);
type InvitationList = Static<typeof InvitationListShape>;

export interface Invitations {
  /** All or none. @throws Refusal not_found, forbidden, invalid. */
  invite(asking: Viewer, idOrSlug: string, body: Invitation): Promise<void>;
  /** For those who invite, newest first. @throws Refusal not_found, forbidden, invalid. */
  list(viewer: Viewer, idOrSlug: string, query: InvitationQuery): Promise<InvitationList>;
}

export const invitations = (needs: RequestsNeeds): Invitations => {
  const { clock, random } = needs;

  /** The account that is meant. @throws Refusal `invalid` for one that is not there, or was disabled. */
  async function accountOf(tx: RepositoryWriter, viewer: Viewer, { type, id }: Invitee): Promise<number> {
    if (type === "email" && !isAdministrator(viewer)) throw permissionDenied();
    const isNumber = /^[1-9]\d{0,14}$/.test(id);
    const found =
      type === "email"
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
        const { members: invited, role, message = "" } = body();
        const creator = viewer.account?.id;
        if (!mayInvite([role]) || creator === undefined) throw permissionDenied();
        const members = new Set((await communities.members(community.id)).map(({ accountId }) => accountId));
        requireRoom(members.size + invited.length);
        const at = clock.now();
        const comment = commentFromText(message);
        const made: RepositoryEvent[] = [];
        for (const each of invited) {
          const receiver = await accountOf(tx, viewer, each);
          const asked = {
            types: ["community-membership-request"],
            community: community.id,
            creator: receiver,
          } as const;
          const isAsking = (await tx.requests.countRequests({ ...asked, statuses: ["submitted"] })).total > 0;
          const request =
            members.has(receiver) || isAsking
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
                  holder: null,
                  linked: false,
                  revision: 1,
                  events: 0,
                  createdAt: at,
                  updatedAt: at,
                  submittedAt: at,
                });
          if (request === null) throw new Refusal("invalid", ALREADY_MEMBER);
          made.push({ action: "request-invite", subject: `request:${request.id}`, detail: {} });
          if (comment !== null) {
            await tx.requests.addEvent({
              request: request.number,
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
        await tx.audit(viewer, at, [
          { action: "community-invite", subject: `community:${community.id}`, detail },
          ...made,
        ]);
      }),

    list: (viewer, idOrSlug, query) =>
      membershipList(needs, viewer, idOrSlug, query, {
        type: TYPE,
        path: "invitations",
        personOf: ({ receiver }) => receiver,
        permissionsOf: ({ status }) => ({ can_cancel: isOpen(status), can_update_role: false }),
      }),
  };
};
