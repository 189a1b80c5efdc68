// What somebody does next in a repository that has nothing to show yet (Q.3), by what they may do. Pure.
import { curatedCommunities, isAdministrator, ROLES, type Viewer } from "../../auth/account.ts";
import { may } from "../../model/rights/policy.ts";

/** Where a step leads; null: it is a setting or a command alone. */
export const FRONT_STEPS = {
  signIn: { href: "/account/login", command: null },
  register: { href: "/account/register", command: null },
  deposit: { href: "/deposit", command: null },
  tasks: { href: "/workflow/activities", command: null },
  work: { href: "/me", command: null },
  name: { href: null, command: "SVC_REPOSITORY_NAME, SVC_REPOSITORY_ABSTRACT, SVC_LOGO" },
  index: { href: "/index", command: "arkstone index add" },
  community: { href: "/community/new", command: null },
  itemType: { href: null, command: "arkstone item-type add" },
  invite: { href: null, command: "arkstone user invite" },
} as const satisfies Readonly<Record<string, { readonly href: string | null; readonly command: string | null }>>;

export type FrontStep = keyof typeof FRONT_STEPS;

/** In the order in which they are done. */
export function frontSteps(viewer: Viewer, hasRegistration: boolean): readonly FrontStep[] {
  if (viewer.account === null) return hasRegistration ? ["signIn", "register"] : ["signIn"];
  const isCurator = curatedCommunities(viewer).length > 0 || viewer.roles.includes(ROLES.communityAdministrator);
  return [
    ...(isAdministrator(viewer) ? (["name", "index", "community", "itemType", "invite"] as const) : []),
    ...(may(viewer, "item.draft", null) ? (["deposit"] as const) : []),
    ...(isCurator || isAdministrator(viewer) ? (["work", "tasks"] as const) : []),
  ];
}
