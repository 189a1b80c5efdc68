// Everything that is stored about one account, table by table (R33): for its export, and for what goes when it is closed.
import type { AccountId, ItemId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";

export type PersonalRow = { readonly [column: string]: Json };

/** Where the next page begins; null: at the first row. */
export type PersonalKey = readonly (string | number)[] | null;

export type PersonalPage = {
  readonly rows: readonly PersonalRow[];
  /** Null: there are no more rows. */
  readonly next: PersonalKey;
};

/** What else an account has, in numbers. */
export type AccountHoldings = {
  /** Items that stay, of which it is the owner. */
  readonly items: number;
  readonly sessions: number;
  readonly tokens: number;
  readonly grants: number;
  readonly groups: number;
  readonly communities: number;
  /** Records of others that were shared with it. */
  readonly shares: number;
};

export interface PersonalDataReader {
  /** The names under which rows are exported, in their order. */
  sections(): Promise<readonly string[]>;
  /** Secrets and hashes of secrets are left out. */
  personalRows(section: string, accountId: AccountId, after: PersonalKey): Promise<PersonalPage>;
  /** Drafts of records that the account owns, at most `limit`. */
  ownDrafts(accountId: AccountId, limit: number): Promise<readonly { readonly id: ItemId; readonly title: string }[]>;
  holdings(accountId: AccountId): Promise<AccountHoldings>;
}

export interface PersonalDataWriter extends PersonalDataReader {
  /** Removes links to sign in, groups, memberships, shares, choices about notices and mails that wait. */
  forgetAccess(accountId: AccountId): Promise<void>;
}
