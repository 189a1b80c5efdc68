// Who receives a notice (R45), found when it is sent on; and what it is about, as far as its receiver may read it then.
import { type Account, effectiveRoles, type Viewer } from "../../auth/account.ts";
import { mayReadRecord } from "../../model/access/visibility.ts";
import type { ItemParent } from "../../model/items/item.ts";
import { mainTitle } from "../../model/metadata/metadata.ts";
import type { Notice } from "../../model/notices/notice-rules.ts";
import { may } from "../../model/rights/policy.ts";
import { isOpen } from "../../model/rights/request-rules.ts";
import { mayApprove } from "../../model/rights/workflow-rules.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { factsOf } from "../items/access-facts.ts";
import { accountViewer } from "../people/current-viewer.ts";
import { seenBy } from "../requests/access-facts.ts";
import { seenRequest } from "../requests/request-facts.ts";
import type { CommunityRequest } from "../store/requests.ts";
import type { RepositoryReader } from "../store/store.ts";
import { approvalFacts } from "../workflow/activities.ts";
import type { NoticeFacts } from "./notice-texts.ts";

/** Accounts that one notice reaches; more receive nothing. */
const RECEIVERS_MOST = 100;
/** Accounts among which approvers by role are sought. */
const ACCOUNTS_READ_MOST = 10_000;
const ACCOUNTS_AT_ONCE = 500;

/** `request`, `activity`, `item` or `bulk-change`. */
const sortIn = ({ about }: Notice): string => about.slice(0, about.indexOf(":"));
const idIn = ({ about }: Notice): string => about.slice(about.indexOf(":") + 1);

/** Whom the notice concerns, without the account that caused it; in no order. What they may read is not asked yet. */
export async function receiversOf(reader: RepositoryReader, notice: Notice): Promise<readonly AccountId[]> {
  if (notice.to !== null) return [notice.to];
  if (notice.kind === "job-finished") return notice.by === null ? [] : [notice.by];
  const found = await concerned(reader, notice);
  return [...new Set(found)].filter((id) => id !== notice.by).slice(0, RECEIVERS_MOST);
}

async function concerned(reader: RepositoryReader, notice: Notice): Promise<readonly AccountId[]> {
  const id = idIn(notice);
  switch (sortIn(notice)) {
    case "request": {
      const request = await reader.requests.request(id);
      if (request === null) return [];
      if (notice.kind === "invited") return request.receiver === null ? [] : [request.receiver];
      if (notice.kind === "asked-to-join") return await managersOf(reader, request);
      if (notice.kind !== "submitted") return [request.creator];
      return await curatorsOf(reader, [request.community]);
    }
    case "access-request": {
      const request = await reader.accessRequests.accessRequest(id);
      const parent = request === null ? null : await reader.items.parent(request.parent);
      if (request === null || parent === null) return [];
      if (notice.kind !== "access-requested") return request.account === null ? [] : [request.account];
      return await decidersOf(reader, parent);
    }
    case "activity": {
      const activity = await reader.activities.activity(id);
      if (activity === null) return [];
      if (notice.kind === "submitted") return await approversOf(reader, id);
      return [activity.account, ...(activity.onBehalfOf === null ? [] : [activity.onBehalfOf])];
    }
    case "item": {
      const item = await reader.items.item(Number(id) as ItemId);
      const parent = item === null ? null : await reader.items.parent(item.parentId);
      if (parent === null) return [];
      return notice.kind === "embargo-ends" ? [parent.owner] : [parent.owner, ...parent.shared];
    }
    default:
      return [];
  }
}

/** Who may let a person join: as the role that is asked for requires. */
async function managersOf(reader: RepositoryReader, { community, role: asked }: CommunityRequest) {
  const members = await reader.communities.members(community);
  return members.flatMap(({ accountId, role }) =>
    role === "owner" || (role === "manager" && asked !== "owner") ? [accountId] : [],
  );
}

async function curatorsOf(reader: RepositoryReader, communities: readonly string[]): Promise<readonly AccountId[]> {
  const members = await Promise.all(communities.map((id) => reader.communities.members(id)));
  return members.flat().flatMap(({ accountId, role }) => (role === "reader" ? [] : [accountId]));
}

/** Those whom the workflow names, and those of its roles; administrators, who may approve everything, receive nothing. */
async function approversOf(reader: RepositoryReader, id: string): Promise<readonly AccountId[]> {
  const facts = await approvalFacts(reader, id);
  if (facts === null) return [];
  const { accounts, communities, roles } = facts.approvers;
  const named = [...accounts, ...(await curatorsOf(reader, [...communities, ...facts.communities]))];
  const approvers: AccountId[] = [];
  for (const account of new Set(named)) {
    const viewer = await accountViewer(reader, account);
    if (viewer !== null && mayApprove(viewer, facts)) approvers.push(account);
  }
  if (roles.length === 0) return approvers;
  for await (const account of allAccounts(reader)) {
    if (approvers.length >= RECEIVERS_MOST) break;
    const isMeant = effectiveRoles(account).some((role) => roles.includes(role));
    if (isMeant && account.id !== facts.depositor && account.id !== facts.onBehalfOf) approvers.push(account.id);
  }
  return approvers;
}

/** Those who may decide about its closed files; administrators, who may share everything, receive nothing. */
async function decidersOf(reader: RepositoryReader, parent: ItemParent): Promise<readonly AccountId[]> {
  const deciders: AccountId[] = [];
  for (const account of await reader.accessRequests.possibleDeciders(parent.id, RECEIVERS_MOST)) {
    const viewer = await accountViewer(reader, account);
    if (viewer !== null && may(viewer, "item.share", parent)) deciders.push(account);
  }
  return deciders;
}

async function* allAccounts({ accounts }: RepositoryReader): AsyncGenerator<Account> {
  for (let [after, read] = [0 as AccountId, 0]; read < ACCOUNTS_READ_MOST; read += ACCOUNTS_AT_ONCE) {
    const page = await accounts.listAccounts(after, ACCOUNTS_AT_ONCE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < ACCOUNTS_AT_ONCE) return;
    after = last.id;
    await yieldToEventLoop();
  }
}

type FactNeeds = { readonly reader: RepositoryReader; readonly today: Day };

/** What this viewer may read of it now; null: nothing, or it is no longer so. */
export async function noticeFacts(needs: FactNeeds, viewer: Viewer, notice: Notice): Promise<NoticeFacts | null> {
  try {
    switch (sortIn(notice)) {
      case "request":
        return await requestFacts(needs, viewer, notice);
      case "access-request":
        return await accessFacts(needs, viewer, notice);
      case "activity":
        return await activityFacts(needs, viewer, notice);
      case "item":
        return await itemFacts(needs, viewer, notice);
      case "transfer":
        return await transferFacts(needs, viewer, notice);
      default:
        return { title: "", community: "", more: "", path: "/me" };
    }
  } catch (error) {
    if (isRefusal(error, "not_found")) return null;
    throw error;
  }
}

async function requestFacts({ reader }: FactNeeds, viewer: Viewer, notice: Notice): Promise<NoticeFacts | null> {
  const { request } = await seenRequest(reader, viewer, idIn(notice));
  // The words of these kinds are about submissions.
  if (request.type === "community-invitation" && notice.kind !== "invited") return null;
  const isWaiting = notice.kind === "submitted" || notice.kind === "invited" || notice.kind === "asked-to-join";
  if (isWaiting !== isOpen(request.status)) return null;
  const community = await reader.communities.community(request.community);
  if (community === null) return null;
  const facts = { title: request.title, community: community.title.en, more: "", path: `/requests/${request.id}` };
  return request.type === "community-membership-request" ? { ...facts, isJoining: true } : facts;
}

async function activityFacts({ reader }: FactNeeds, viewer: Viewer, notice: Notice): Promise<NoticeFacts | null> {
  const activity = await reader.activities.activity(idIn(notice));
  if (activity === null) return null;
  const facts = await approvalFacts(reader, activity.id);
  const isTheirs = [activity.account, activity.onBehalfOf].includes(viewer.account?.id ?? null);
  const isToDecide = activity.state === "M" && activity.actions[activity.step] === "approval";
  if (notice.kind === "submitted") {
    if (!isToDecide || facts === null || !mayApprove(viewer, facts)) return null;
  } else if (!isTheirs || isToDecide || (notice.kind === "accepted" && activity.state !== "F")) return null;
  return { title: activity.title, community: "", more: "", path: `/workflow/activity/detail/${activity.id}` };
}

async function accessFacts({ reader, today }: FactNeeds, viewer: Viewer, notice: Notice): Promise<NoticeFacts | null> {
  const request = await reader.accessRequests.accessRequest(idIn(notice));
  const parent = request === null ? null : await reader.items.parent(request.parent);
  const seen = request === null || parent === null ? null : await seenBy(reader, viewer, request, parent, today);
  if (request === null || seen === null) return null;
  const facts = {
    title: request.title,
    community: "",
    more: "",
    isAccess: true,
    path: `/access-requests/${request.id}`,
  };
  if (notice.kind === "access-requested") return request.status === "submitted" && !seen.isMine ? facts : null;
  if (!seen.isMine) return null;
  if (request.status === "expired") return { ...facts, hasEnded: true };
  return request.status === notice.kind ? { ...facts, more: request.endsOn ?? "" } : null;
}

async function transferFacts({ reader }: FactNeeds, viewer: Viewer, notice: Notice): Promise<NoticeFacts | null> {
  const transfer = await reader.transfers.transfer(idIn(notice));
  if (transfer === null) return null;
  const status = notice.kind === "shared" ? "submitted" : notice.kind;
  const who = notice.kind === "shared" ? transfer.receiver : transfer.giver;
  if (transfer.status !== status || viewer.account?.id !== who) return null;
  return { title: transfer.title, community: "", more: "", isOffer: true, path: `/transfers/${transfer.id}` };
}

async function itemFacts({ reader, today }: FactNeeds, viewer: Viewer, notice: Notice): Promise<NoticeFacts | null> {
  const item = await reader.items.item(Number(idIn(notice)) as ItemId);
  const parent = item === null ? null : await reader.items.parent(item.parentId);
  if (item === null || parent === null) return null;
  const path = `/records/${item.id}`;
  const nothing = { community: "", more: "", path };
  if (notice.kind === "withdrawn") {
    const tombstone = await reader.items.tombstone(item.id);
    if (tombstone === null) return null;
    return { ...nothing, title: (tombstone.isVisible && tombstone.citation) || `#${item.id}` };
  }
  const content = item.content ?? (await reader.items.draft(item.id))?.content ?? null;
  if (content === null) return null;
  const facts = await factsOf(reader, item, content, parent);
  if (!mayReadRecord(viewer, facts, today) && !may(viewer, "item.preview", facts)) return null;
  const { embargoUntil } = content.access;
  if (notice.kind === "embargo-ends" && (embargoUntil === null || embargoUntil < today)) return null;
  return { ...nothing, title: mainTitle(content.metadata), more: embargoUntil ?? "" };
}
