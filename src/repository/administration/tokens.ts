// Personal tokens and clients of the token endpoint, and the client record one is made with (R6b, R17).

import type { Viewer } from "../../auth/account.ts";
import type { AccountClient } from "../../auth/accounts.ts";
import type { AccountId } from "../../shared/ids.ts";
import type { Random } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { directClientSetting, RO_CRATE_MAPPING } from "../deposit/client-settings.ts";
import { accountTokens, type NewClient, type NewClientIn } from "../people/account-tokens.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { type AccountView, addAccountIn, allAccounts } from "./accounts.ts";
import { type AdministrationNeeds, type Audit, change, invalid, requireSystemAdministrator } from "./collection.ts";
import { saveClientRecordIn } from "./deposit-settings.ts";

/** `record`: members of the client record to begin with; null: none, and the settings of formats decide (R6e). */
export type NewToken = NewClientIn & { readonly record: object | null };

export interface Tokens {
  /** Of one account, or of all. Never their text. */
  list(accountId: AccountId | null): Promise<readonly AccountClient[]>;
  /** The text is shown once and kept nowhere. @throws Refusal `not_found`, `invalid` */
  make(viewer: Viewer, input: NewToken): Promise<NewClient>;
  /** An account with its first token: both, or neither. @throws Refusal `invalid`, `conflict` */
  makeWithAccount(
    viewer: Viewer,
    sent: unknown,
    input: Omit<NewToken, "accountId">,
  ): Promise<{ readonly account: AccountView; readonly token: NewClient }>;
  revoke(viewer: Viewer, clientId: string): Promise<AccountClient>;
}

export const tokens = (needs: AdministrationNeeds & { readonly random: Random }): Tokens => {
  const { store } = needs;
  const made = accountTokens(needs);

  async function makeIn(
    viewer: Viewer,
    tx: RepositoryWriter,
    at: Instant,
    audit: Audit,
    { record, ...input }: NewToken,
  ): Promise<NewClient> {
    if (input.expiresAt !== null && input.expiresAt <= at) {
      throw invalid(`A token cannot end at ${input.expiresAt}, which is over`);
    }
    const client = await made.make(tx, viewer, input);
    if (record === null) return client;
    const { clientId } = client.client;
    const direct = await directClientSetting(tx, clientId);
    if (direct === null && !("mapping_id" in record)) {
      throw invalid(`Mapping "${RO_CRATE_MAPPING}" does not exist any more: name another one`);
    }
    const usual = direct === null ? {} : { mapping_id: direct.mapping, default_index: direct.defaultIndex };
    await saveClientRecordIn(tx, at, audit, clientId, { ...usual, ...record });
    return client;
  }

  return {
    async list(accountId) {
      if (accountId !== null) return await store.accounts.clientsOf(accountId);
      const accounts = await allAccounts(store.accounts);
      const lists = [];
      for (const { id } of accounts) lists.push(await store.accounts.clientsOf(id));
      return lists.flat();
    },

    make: (viewer, input) => change(needs, viewer, (tx, at, audit, now) => makeIn(now, tx, at, audit, input)),

    makeWithAccount: (viewer, sent, input) =>
      change(needs, viewer, async (tx, at, audit, now) => {
        const account = await addAccountIn(tx, at, audit, sent);
        return { account, token: await makeIn(now, tx, at, audit, { ...input, accountId: account.id }) };
      }),

    async revoke(viewer, clientId) {
      requireSystemAdministrator(viewer);
      return await writeAs(needs, viewer, async (tx, now) => {
        requireSystemAdministrator(now);
        return await made.revoke(tx, now, clientId);
      });
    },
  };
};
