// Accounts of people (R6a, R33).

import { type Account, ROLES, type Viewer } from "../../auth/account.ts";
import type { AccountReader } from "../../auth/accounts.ts";
import { mailKey } from "../../auth/mail-address.ts";
import type { AccountId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { RepositoryWriter } from "../store/store.ts";
import {
  type AdministrationNeeds,
  type Audit,
  type CollectionOf,
  type CreatingOf,
  change,
  invalid,
  missing,
  numberOf,
  type ReadRecord,
} from "./collection.ts";
import { ACCOUNT, NEW_ACCOUNT } from "./records.ts";

const PAGE = 500;
/** Every account, by id. */
export async function allAccounts(accounts: Pick<AccountReader, "listAccounts">): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (;;) {
    const page = await accounts.listAccounts(all.at(-1)?.id ?? 0, PAGE);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** The account that an e-mail address, an ePPN or an id names; null when there is none. */
export async function findAccount(
  accounts: Pick<AccountReader, "account" | "accountByMail" | "accountByEppn">,
  name: string,
): Promise<Account | null> {
  if (/^[1-9]\d{0,15}$/.test(name)) return await accounts.account(Number(name));
  return (await accounts.accountByMail(name)) ?? (await accounts.accountByEppn(name));
}

/** The members of an account that administrators set. */
type AccountMembers = ReadRecord<typeof ACCOUNT>;

const membersOf = ({ mail, eppn, name, roles, active }: Account): AccountMembers => ({
  mail,
  eppn,
  name,
  roles,
  active,
});

/** An account as administrators see it. */
export type AccountView = AccountMembers & {
  readonly id: AccountId;
  readonly created_at: Instant;
  readonly updated_at: Instant;
};

const viewOf = (account: Account): AccountView => ({
  id: account.id,
  ...membersOf(account),
  created_at: account.createdAt,
  updated_at: account.updatedAt,
});

export function accountCollection(
  needs: AdministrationNeeds,
): CollectionOf<typeof ACCOUNT> & CreatingOf<typeof ACCOUNT> {
  const { store } = needs;
  return {
    list: async () => (await allAccounts(store.accounts)).map(viewOf),
    async read(id) {
      const identity = await store.accounts.identity(numberOf(id, "account"));
      if (identity === null) throw missing("account", id);
      return { ...viewOf(identity.account), groups: identity.groups };
    },
    create: (viewer, sent) => change(needs, viewer, (tx, at, audit) => addAccountIn(tx, at, audit, sent)),
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const before = await tx.accounts.account(numberOf(id, "account"));
        if (before === null) throw missing("account", id);
        if (((await tx.profiles.profile(before.id))?.closedAt ?? null) !== null) {
          throw new Refusal("conflict", `Account ${before.id} was closed by its person and stays as it is`);
        }
        const read = named(ACCOUNT.read(membersOf(before), sent));
        const after: Account = { ...before, ...read, updatedAt: at };
        await keepAnAdministrator(tx, viewer, before, after);
        if ((await tx.accounts.saveAccount(after)) === null) throw taken(after);
        // R33: an account that is disabled is signed out.
        if (!after.active) await tx.accounts.deleteSessionsOf(after.id);
        await audit("account-set", `account:${after.id}`, { roles: after.roles, active: after.active });
        return viewOf(after);
      }),
  };
}

/** @throws Refusal `invalid`, or `conflict` when mail or ePPN belong to another account */
export async function addAccountIn(
  tx: RepositoryWriter,
  at: Instant,
  audit: Audit,
  sent: unknown,
): Promise<AccountView> {
  const read = ACCOUNT.read(NEW_ACCOUNT, sent);
  const account: Account = { id: 0, ...named(read), createdAt: at, updatedAt: at };
  const id = await tx.accounts.saveAccount(account);
  if (id === null) throw taken(account);
  await audit("account-add", `account:${id}`, { roles: account.roles });
  return viewOf({ ...account, id });
}

function named(read: AccountMembers): AccountMembers {
  if (read.mail === null && read.eppn === null) throw invalid("An account needs a mail or an eppn");
  return { ...read, mail: read.mail === null ? null : mailKey(read.mail) };
}

function taken({ mail, eppn }: Account): Refusal {
  const names = [mail, eppn].filter((each) => each !== null).join(" or ");
  return new Refusal("conflict", `Another account has ${names} already`);
}

const isAdmin = ({ active, roles }: Account): boolean => active && roles.includes(ROLES.systemAdministrator);

/**
 * Over the interface nobody can take away the last system administrator; the command line can always make one again.
 */
async function keepAnAdministrator(
  tx: RepositoryWriter,
  viewer: Viewer,
  before: Account,
  after: Account,
): Promise<void> {
  if (viewer.account === null || !isAdmin(before) || isAdmin(after)) return;
  const others = (await allAccounts(tx.accounts)).filter((account) => account.id !== before.id && isAdmin(account));
  if (others.length > 0) return;
  throw new Refusal("conflict", `Account ${before.id} is the last active system administrator`);
}
