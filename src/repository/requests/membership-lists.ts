// Lists of people who are asked, or ask, to become members of a community (R6a, R37): invitations and requests to join
// have one shape and differ in who the person is and what the reader may do.
import { type TSchema, Type } from "@sinclair/typebox";
import { MEMBER_ROLES, type Viewer } from "../../auth/account.ts";
import { hitsShape, pageLinks } from "../../model/input/list-parameters.ts";
import { permissionDenied } from "../../model/input/record-refusals.ts";
import { personName } from "../../model/metadata/reader-language.ts";
import { may } from "../../model/rights/policy.ts";
import { isOpen, REQUEST_STATUSES } from "../../model/rights/request-rules.ts";
import { MomentShape, UuidShape, wordOf } from "../../shared/shapes.ts";
import { seenCommunity } from "../communities/communities.ts";
import type { CommunityRequest, RequestSort } from "../store/requests.ts";
import type { RequestsNeeds } from "./request-needs.ts";

type MembershipType = "community-invitation" | "community-membership-request";

/** One page of them. `id`: the name of the shape of one. */
export const membershipListShape = <Kind extends MembershipType, Permissions extends TSchema>(
  type: Kind,
  permissions: Permissions,
  id: string,
) =>
  hitsShape(
    Type.Object(
      {
        id: Type.String({ description: "Id of the account" }),
        member: Type.Object({ type: wordOf(["user"]), id: Type.String(), name: Type.String() }),
        role: Type.Union([wordOf(MEMBER_ROLES), Type.Null()]),
        request: Type.Object({
          id: UuidShape,
          type: wordOf([type]),
          status: wordOf(["created", ...REQUEST_STATUSES]),
          is_open: Type.Boolean(),
        }),
        permissions,
        created: MomentShape,
        updated: MomentShape,
      },
      { $id: id },
    ),
    `${id}List`,
  );

type Listed<Kind extends MembershipType, Permissions> = {
  readonly type: Kind;
  /** The last part of the address of the list. */
  readonly path: string;
  /** The account that is asked, or asks. */
  readonly personOf: (request: CommunityRequest) => number | null;
  readonly permissionsOf: (request: CommunityRequest) => Permissions;
};

/** For those who manage the members. @throws Refusal not_found, forbidden, invalid. */
export async function membershipList<Kind extends MembershipType, Permissions>(
  { store, baseUrl }: Pick<RequestsNeeds, "store" | "baseUrl">,
  viewer: Viewer,
  idOrSlug: string,
  query: () => { readonly page: number; readonly size: number; readonly sort: RequestSort },
  { type, path, personOf, permissionsOf }: Listed<Kind, Permissions>,
) {
  const community = await seenCommunity(store.communities, viewer, idOrSlug);
  if (!may(viewer, "community.manage-members", { id: community.id, roles: [] })) throw permissionDenied();
  const asked = query();
  const filter = { types: [type], community: community.id } as const;
  const { total } = await store.requests.countRequests(filter);
  const found = await store.requests.findRequests(filter, asked.sort, (asked.page - 1) * asked.size, asked.size);
  const accounts = await store.accounts.accounts([...new Set(found.flatMap((request) => personOf(request) ?? []))]);
  const names = new Map(accounts.map((account) => [account.id, personName(account)]));
  const hits = found.map((request) => {
    const { id, role, status, createdAt, updatedAt } = request;
    const person = personOf(request);
    return {
      id: String(person),
      member: { type: "user" as const, id: String(person), name: names.get(person ?? 0) ?? "" },
      role,
      request: { id, type, status, is_open: isOpen(status) },
      permissions: permissionsOf(request),
      created: createdAt,
      updated: updatedAt,
    };
  });
  const links = pageLinks(`${baseUrl}/api/communities/${community.id}/${path}`, { ...asked, q: "" }, total);
  return { hits: { hits, total }, sortBy: asked.sort, links };
}
