// The verbs of the core of items and of tokens, each in a separate transaction with the viewer read again, as a command
// calls them.
import type { Viewer } from "../../src/auth/account.ts";
import type { AccountClient } from "../../src/auth/accounts.ts";
import type { Removal } from "../../src/repository/items/deleting.ts";
import type { Items } from "../../src/repository/items/items.ts";
import type { AccountTokens, NewClient, NewClientIn } from "../../src/repository/people/account-tokens.ts";
import { writeAs } from "../../src/repository/people/current-viewer.ts";
import type { RepositoryStore, RepositoryWriter } from "../../src/repository/store/store.ts";
import type { Clock } from "../../src/shared/time/clock.ts";

type Verb<Rest extends unknown[], Done> = (tx: RepositoryWriter, viewer: Viewer, ...rest: Rest) => Promise<Done>;

export function verbsAlone(core: Items, needs: { readonly store: RepositoryStore; readonly clock: Clock }) {
  const alone =
    <Rest extends unknown[], Done>(verb: Verb<Rest, Done>) =>
    (viewer: Viewer, ...rest: Rest): Promise<Done> =>
      writeAs(needs, viewer, (tx, now) => verb(tx, now, ...rest));
  return {
    ...core,
    /** The verbs as they are, for a transaction that is there. */
    core,
    createAndPublish: alone(core.createAndPublish),
    revise: alone(core.revise),
    newVersion: alone(core.newVersion),
    setPublic: alone(core.setPublic),
    file: alone(core.file),
    unfile: alone(core.unfile),
    createDraft: alone(core.createDraft),
    saveDraft: alone(core.saveDraft),
    discardDraft: alone(core.discardDraft),
    publishDraft: alone(core.publishDraft),
    newVersionDraft: alone(core.newVersionDraft),
    remove: alone(async (tx, viewer, id: number, removal?: Removal) => {
      await core.requireDelete(tx, viewer, id);
      return await core.remove(tx, viewer, id, removal);
    }),
    restore: alone(core.restore),
    erase: alone(core.erase),
    /** Shared with these accounts, as a deposit on their behalf leaves it (R15). */
    share: (id: number, accounts: readonly number[]): Promise<void> =>
      needs.store.transact(async (tx) => {
        const item = await tx.items.item(id);
        if (item !== null) await tx.items.share(item.parentId, accounts);
      }),
  };
}

export function tokensAlone(tokens: AccountTokens, needs: { readonly store: RepositoryStore; readonly clock: Clock }) {
  return {
    make: (viewer: Viewer, input: NewClientIn): Promise<NewClient> =>
      writeAs(needs, viewer, (tx, now) => tokens.make(tx, now, input)),
    revoke: (viewer: Viewer, clientId: string): Promise<AccountClient> =>
      writeAs(needs, viewer, (tx, now) => tokens.revoke(tx, now, clientId)),
  };
}
