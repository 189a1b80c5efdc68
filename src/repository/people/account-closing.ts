// Closing the own account (R33): what stays, what goes, what prevents it. Items stay with their names, in which they
// name their authors; the account signs nobody in any more, its number is never another's, and where others see its
// name (comments, steps of activities) they see "Closed account".
import { type Account, ROLES, type Viewer } from "../../auth/account.ts";
import { emptyProfile } from "../../auth/profiles.ts";
import { sameHash, sha256Hex } from "../../shared/hash/digests.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { AccountHoldings } from "../store/personal-data.ts";
import type { RepositoryReader, RepositoryStore, RepositoryWriter } from "../store/store.ts";
import type { AccountTokens } from "./account-tokens.ts";
import { writeAs } from "./current-viewer.ts";
import { accountOf, requireWhole } from "./own-account.ts";

const CLOSED_NAME = "Closed account";
/** Drafts and communities that a page lists. */
const SHOWN = 50;
/** Accounts that are read at once while another administrator is searched for. */
const ACCOUNTS_PAGE = 500;

type ClosingNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Pick<Clock, "now">;
  readonly tokens: AccountTokens;
  /** Domain of addresses that nobody has. */
  readonly placeholderDomain: string;
};

export type ClosingView = {
  readonly account: Account;
  /** What is typed to confirm it. */
  readonly confirm: string;
  readonly holdings: AccountHoldings;
  /** To be discarded or transferred first. */
  readonly drafts: readonly { readonly id: ItemId; readonly title: string }[];
  /** Whose only active owner it is. */
  readonly communities: readonly { readonly slug: string; readonly title: string }[];
  readonly isLastAdministrator: boolean;
};

export interface AccountClosing {
  read(viewer: Viewer): Promise<ClosingView>;
  /** @throws Refusal `invalid` unless `confirm` is what the page asks for; `conflict` while something prevents it */
  close(viewer: Viewer, confirm: string): Promise<void>;
}

export const mayClose = ({ drafts, communities, isLastAdministrator }: ClosingView): boolean =>
  drafts.length === 0 && communities.length === 0 && !isLastAdministrator;

type Reader = Pick<RepositoryReader, "accounts" | "communities" | "personalData">;

const isAdministrator = ({ active, roles }: Account): boolean => active && roles.includes(ROLES.systemAdministrator);

async function isLastAdministrator(reader: Reader, account: Account): Promise<boolean> {
  if (!isAdministrator(account)) return false;
  for (let after = 0; ; ) {
    const page = await reader.accounts.listAccounts(after, ACCOUNTS_PAGE);
    if (page.some((each) => each.id !== account.id && isAdministrator(each))) return false;
    const last = page.at(-1);
    if (last === undefined || page.length < ACCOUNTS_PAGE) return true;
    after = last.id;
  }
}

async function ownedAlone(reader: Reader, { account, memberships }: Viewer): Promise<ClosingView["communities"]> {
  const owned = memberships.filter(({ role }) => role === "owner").map(({ communityId }) => communityId);
  const alone: string[] = [];
  for (const id of owned) {
    const owners = (await reader.communities.members(id)).filter(({ role }) => role === "owner");
    const others = owners.map(({ accountId }) => accountId).filter((each) => each !== account?.id);
    const accounts = await reader.accounts.accounts(others);
    if (!accounts.some(({ active }) => active)) alone.push(id);
    if (alone.length >= SHOWN) break;
  }
  const found = await reader.communities.communitiesOf(alone);
  return found.map(({ slug, title }) => ({ slug, title: title.en === "" ? title.ja : title.en }));
}

async function viewOf(reader: Reader, viewer: Viewer): Promise<ClosingView> {
  const account = accountOf(viewer);
  return {
    account,
    confirm: account.mail ?? account.eppn ?? account.name,
    holdings: await reader.personalData.holdings(account.id),
    drafts: await reader.personalData.ownDrafts(account.id, SHOWN),
    communities: await ownedAlone(reader, viewer),
    isLastAdministrator: await isLastAdministrator(reader, account),
  };
}

export const accountClosing = (needs: ClosingNeeds): AccountClosing => ({
  read: (viewer) => viewOf(needs.store, viewer),

  async close(viewer, confirm) {
    requireWhole(viewer);
    await writeAs(needs, viewer, async (tx, now) => {
      requireWhole(now);
      // As every change of accounts and communities by administrators: no two last owners leave at once.
      await tx.indexes.lockTree();
      for (const { communityId, role } of now.memberships) {
        if (role === "owner") await tx.communities.lockCommunity(communityId);
      }
      // What is being done for the account ends before, such as a record that it accepts; nothing begins meanwhile.
      await tx.accounts.saveAccount(accountOf(now));
      const view = await viewOf(tx, now);
      if (!sameHash(sha256Hex(confirm.trim().toLowerCase()), sha256Hex(view.confirm.toLowerCase()))) {
        throw new Refusal("invalid", `Type "${view.confirm}" to confirm`, { detail: { field: "confirm" } });
      }
      requireClosable(view);
      await closeIn(needs, tx, now, view);
    });
  },
});

/** @throws Refusal `conflict` */
function requireClosable({ drafts, communities, isLastAdministrator }: ClosingView): void {
  const [draft] = drafts;
  const [community] = communities;
  if (draft !== undefined) {
    throw new Refusal("conflict", `The account has drafts, such as ${draft.id}: discard or transfer them first`);
  }
  if (community !== undefined) {
    throw new Refusal("conflict", `The account is the only owner of the community "${community.slug}"`);
  }
  if (isLastAdministrator) throw new Refusal("conflict", "The account is the last active system administrator");
}

async function closeIn(
  { clock, tokens, placeholderDomain }: ClosingNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  { account, holdings }: ClosingView,
): Promise<void> {
  const at = clock.now();
  const subject = `account:${account.id}`;
  for (const { clientId, active } of await tx.accounts.clientsOf(account.id)) {
    if (active) await tokens.revoke(tx, viewer, clientId);
  }
  for (const grant of await tx.grants.grantsOf(account.id)) {
    await tx.grants.saveGrant({ ...grant, endedAt: at });
    const detail = { client: grant.clientId, account: account.id, by: "person" };
    await tx.audit(viewer, at, [{ action: "grant-end", subject: `grant:${grant.id}`, detail }]);
  }
  await tx.personalData.forgetAccess(account.id);
  if (account.mail !== null) await tx.profiles.forgetRegistrationsOf(account.mail);
  await tx.profiles.saveProfile({ ...emptyProfile(account.id), closedAt: at });
  // The address is free for a new account; this one keeps its number and has one that nobody can receive mail at.
  const mail = `closed-${account.id}@${placeholderDomain}`;
  const closed = { ...account, mail, eppn: null, name: CLOSED_NAME, roles: [], active: false, updatedAt: at };
  await tx.accounts.saveAccount(closed);
  await tx.audit(viewer, at, [{ action: "account-close", subject, detail: { holdings } }]);
  await tx.accounts.deleteSessionsOf(account.id);
}
