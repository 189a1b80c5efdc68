// The personal tokens of the signed-in person (R6b, R33): listed, created, revoked on the page /account/tokens.

import type { Account, Viewer } from "../../auth/account.ts";
import type { AccountClient, AccountReader } from "../../auth/accounts.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { readInstant } from "../../shared/time/instant.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { AccountTokens, NewClient } from "./account-tokens.ts";
import { writeAs } from "./current-viewer.ts";

type OwnTokensNeeds = {
  readonly store: Pick<RepositoryStore, "accounts" | "transact">;
  readonly tokens: AccountTokens;
  readonly clock: Clock;
};

type NewTokenIn = {
  readonly name: string;
  readonly scopes: readonly string[];
  /** A day, `YYYY-MM-DD`, through which it lives; empty: it does not end. */
  readonly lastDay: string;
};

export interface OwnTokens {
  /** Live ones, in the order they were made. */
  list(viewer: Viewer): Promise<readonly AccountClient[]>;
  /**
   * In a session that a token signed in, the new token ends with that one and may do no more (R6c).
   *
   * @throws Refusal `invalid` naming the field
   */
  make(viewer: Viewer, options: NewTokenIn): Promise<NewClient>;
  /** @throws Refusal `not_found` for a token that is not the viewer's own */
  revoke(viewer: Viewer, clientId: string): Promise<void>;
}

export const ownTokens = ({ store, tokens, clock }: OwnTokensNeeds): OwnTokens => {
  const accountOf = ({ account }: Viewer): Account => {
    if (account === null) throw new Refusal("unauthenticated", "Sign in first");
    return account;
  };
  const listIn = async (accounts: AccountReader, viewer: Viewer): Promise<readonly AccountClient[]> =>
    (await accounts.clientsOf(accountOf(viewer).id)).filter(({ kind, active }) => kind === "personal" && active);

  return {
    list: (viewer) => listIn(store.accounts, viewer),

    async make(viewer, { name, scopes, lastDay }) {
      const end = lastDay === "" ? null : readInstant(`${lastDay}T23:59:59.999Z`);
      if (lastDay !== "" && (end === null || end <= clock.now())) {
        throw new Refusal("invalid", `The token's last day "${lastDay.slice(0, 40)}" is not a future day`);
      }
      return await writeAs({ store, clock }, viewer, async (tx, now) => {
        const { proof } = now;
        const session = proof?.kind === "session" ? await tx.accounts.session(proof.hash) : null;
        const madeWith = session?.clientId ?? (now.clientId === "" ? null : now.clientId);
        const input = { accountId: accountOf(now).id, kind: "personal", name, scopes, expiresAt: end } as const;
        return await tokens.make(tx, now, { ...input, madeWith });
      });
    },

    async revoke(viewer, clientId) {
      await writeAs({ store, clock }, viewer, async (tx, now) => {
        const own = (await listIn(tx.accounts, now)).some((client) => client.clientId === clientId);
        if (!own) throw new Refusal("not_found", `You have no token "${clientId.slice(0, 100)}"`);
        await tokens.revoke(tx, now, clientId);
      });
    },
  };
};
