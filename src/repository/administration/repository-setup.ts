// What a repository has from its first start (R4, R6a, R14, R17, R24, R32): an administrator with a token, and what the
// other parts bring.

import { type Account, REPOSITORY_OPERATOR, REPOSITORY_SCOPES, ROLES } from "../../auth/account.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { directClientSetting } from "../deposit/client-settings.ts";
import { accountTokens } from "../people/account-tokens.ts";
import type { RepositoryStore, RepositoryWriter, SetupStep } from "../store/store.ts";

export const FIRST_ADMINISTRATOR = "administrator@localhost";

type RepositorySetupNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly steps: readonly SetupStep[];
  /** False: no administrator is made where there is none; for a process that could not show the token to anybody. */
  readonly administrator?: boolean;
};

/**
 * Brings a repository to the state that this program expects. Returns the token of the first administrator when it was
 * just
 * created (it is shown once), else null. Of two processes that start together one does it; the other waits and finds
 * it done.
 */
export async function setUpRepository(needs: RepositorySetupNeeds): Promise<string | null> {
  const { store, steps } = needs;
  return await store.transact(async (tx) => {
    const at = needs.clock.now();
    // The lock on the tree keeps two processes apart.
    await tx.indexes.lockTree();
    for (const step of steps) await step(tx, at);
    const isWanted = needs.administrator !== false && (await tx.accounts.listAccounts(0, 1)).length === 0;
    return isWanted ? await firstAdministrator(needs, tx, at) : null;
  });
}

async function firstAdministrator(needs: RepositorySetupNeeds, tx: RepositoryWriter, at: Instant): Promise<string> {
  const first: Account = {
    id: 0,
    mail: FIRST_ADMINISTRATOR,
    eppn: null,
    name: "Administrator",
    roles: [ROLES.systemAdministrator],
    active: true,
    createdAt: at,
    updatedAt: at,
  };
  const accountId = await tx.accounts.saveAccount(first);
  if (accountId === null) throw new RangeError("A repository without accounts refused its first one");
  const subject = `account:${accountId}`;
  await tx.audit(REPOSITORY_OPERATOR, at, [{ action: "account-add", subject, detail: { roles: first.roles } }]);
  const made = await accountTokens(needs).make(tx, REPOSITORY_OPERATOR, {
    accountId,
    kind: "personal",
    name: "First token",
    scopes: REPOSITORY_SCOPES,
    expiresAt: null,
  });
  const { clientId } = made.client;
  // The record that personal tokens without one use: here it can be seen and changed.
  const setting = await directClientSetting(tx, clientId);
  if (setting !== null) {
    await tx.settings.saveClientSetting(setting, at);
    const detail = { mapping: setting.mapping };
    await tx.audit(REPOSITORY_OPERATOR, at, [{ action: "sword-client-save", subject: `client:${clientId}`, detail }]);
  }
  return made.text;
}
