// What a repository has from its first start (R4, R6a, R14, R17, R24, R32): an administrator with a token, and what the other parts bring.
import type { Instant } from "../domain/ark/record.ts";
import { type Account, REPOSITORY_OPERATOR, REPOSITORY_SCOPES, ROLES } from "../domain/repository/account.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { RepositoryStore, RepositoryWriter } from "../ports/repository/store.ts";
import { accountTokens } from "./account-tokens.ts";

/** Writes what is missing and leaves alone what is there: it runs at every start. */
export type SetupStep = (tx: RepositoryWriter, at: Instant) => Promise<void>;

export const FIRST_ADMINISTRATOR = "administrator@localhost";

export type RepositorySetupNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly steps: readonly SetupStep[];
  /** False: no administrator is made where there is none; for a process that could not show the token to anybody. */
  readonly administrator?: boolean;
};

/**
 * Brings a repository to what this program expects of it. Gives back the token of the first administrator when it was made just now
 * (it is shown once), else null. Two processes at once: one makes it.
 */
export async function setUpRepository(needs: RepositorySetupNeeds): Promise<string | null> {
  const { store, clock, random, steps, administrator = true } = needs;
  const tokens = accountTokens({ store, clock, random });
  return await store.transact(async (tx) => {
    const at = clock.now();
    let token: string | null = null;
    if (administrator && (await tx.accounts.listAccounts(0, 1)).length === 0) {
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
      const id = await tx.accounts.saveAccount(first);
      if (id !== null) {
        const made = await tokens.makeIn(tx, REPOSITORY_OPERATOR, {
          accountId: id,
          kind: "personal",
          name: "First token",
          scopes: REPOSITORY_SCOPES,
          expiresAt: null,
        });
        token = made.text;
      }
    }
    for (const step of steps) await step(tx, at);
    return token;
  });
}
