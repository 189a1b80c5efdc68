// The repository side of the product over a separate database. `world({ ... })` names what a test needs:
// - by itself: a store in memory with seeded names (seed.ts), the credential `items`, which mints for items, a clock
// that can be set; `account`
//   makes people, `tokens` their tokens;
// - `setUp`: what a repository has from its start; `indexes` and `communityRoot`: a tree, and who owns a part of it;
// - `served`: a data folder, the storage in it and the repository as its process composes it, under settings:
// `handler`, `items`, `activities`. What whole families of tests add to it is in the same folder: items-world.ts (items
// without a server), repository-world.ts (clients), pages-world.ts (browsers), tree-world.ts (viewers of an index
// tree), deposit-installation.ts (a process). The names side is names-world.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OnStatement } from "../../../db/engine/statement-listener.ts";
import { openRepositoryStore } from "../../../db/repository/store.ts";
import { platformRandom } from "../../../src/adapters/random.ts";
import { type Account, effectiveRoles, GUEST, type RoleId, type Viewer } from "../../../src/auth/account.ts";
import { readConfig } from "../../../src/config.ts";
import { coreOf } from "../../../src/main/repository/core.ts";
import { SETUP_STEPS } from "../../../src/main/repository/repository.ts";
import { composeRepository, type RepositoryParts } from "../../../src/main/repository/serving.ts";
import { searchOf } from "../../../src/main/search.ts";
import { openStorage } from "../../../src/main/storage.ts";
import type { IndexNode } from "../../../src/model/indexes/index-node.ts";
import { setUpRepository } from "../../../src/repository/administration/repository-setup.ts";
import { accountTokens } from "../../../src/repository/people/account-tokens.ts";
import { PLAIN_COMMUNITY } from "../../../src/repository/store/communities.ts";
import type { RepositoryStore } from "../../../src/repository/store/store.ts";
import { activities } from "../../../src/repository/workflow/activities.ts";
import type { Log } from "../../../src/shared/log.ts";
import type { Clock } from "../../../src/shared/time/clock.ts";
import { anAccount } from "../accounts.ts";
import { describedAnswers } from "../described-answers.ts";
import { quietLog } from "../quiet-log.ts";
import { NOW, seed } from "../seed.ts";
import { filledDatabase } from "../template-database.ts";
import { tokensAlone, verbsAlone } from "../verbs-alone.ts";

export const COMMUNITY = "00000000-0000-4000-8000-0000000000c1";
/** The credential of the ARK service that names items. */
export const ARK_CREDENTIAL = "items";

type Features = {
  /** Of an empty database; one in memory by itself. */
  readonly url?: string;
  /** Receives every statement. */
  readonly onStatement?: OnStatement | undefined;
  /** In place of the clock that is set by `time`. */
  readonly clock?: Clock;
  readonly setUp?: boolean;
  readonly indexes?: readonly IndexNode[];
  /** The index whose subtree the community `c1` owns. */
  readonly communityRoot?: number;
};
type Served = Features & {
  /** In addition to those of every test: items get names, the rate limit is off. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Without a `url`, the database is a file in the data folder, as an operator has it. */
  readonly file?: boolean;
  readonly log?: Log | undefined;
  /** Takes the place of what the repository is made of. */
  readonly parts?: ((parts: RepositoryParts) => RepositoryParts) | undefined;
};
export type BareWorld = Awaited<ReturnType<typeof seededStore>>;
export type ServedWorld = Awaited<ReturnType<typeof servedRepository>>;

/** Seeded names and the credential of items; what a repository has from its start where it is set up. */
async function fill(store: RepositoryStore, setUp: boolean): Promise<void> {
  const { orgA } = await seed(store.arks);
  await store.arks.transact((tx) =>
    tx.saveCredential({
      id: 0,
      clientId: ARK_CREDENTIAL,
      tier: "organisation",
      naan: "99999",
      organisationId: orgA,
      shoulder: null,
      scopes: ["ark:mint", "ark:read", "ark:update", "ark:publish"],
      active: true,
      expiresAt: null,
    }),
  );
  if (!setUp) return;
  const clock = { now: () => NOW };
  await setUpRepository({ store, clock, random: platformRandom(), steps: SETUP_STEPS, administrator: false });
}

async function setUpAt(url: string): Promise<void> {
  const store = await openRepositoryStore({ url });
  await fill(store, true);
  await store.close();
}

export async function seededStore({
  url = ":memory:",
  onStatement,
  setUp = false,
  indexes = [],
  ...features
}: Features = {}) {
  // Who receives statements receives those of the set-up, too.
  const isCopied = setUp && onStatement === undefined;
  const database = isCopied ? await filledDatabase(url, setUpAt) : { url, remove: () => {} };
  const store = await openRepositoryStore({ url: database.url, onStatement });
  if (!isCopied) await fill(store, setUp);
  const time = { now: NOW };
  const clock = features.clock ?? { now: () => time.now };
  const random = platformRandom();
  await plantTree(store, indexes, features.communityRoot);
  return {
    store,
    time,
    clock,
    random,
    tokens: tokensAlone(accountTokens({ clock, random }), { store, clock }),
    /** A new account with these roles. */
    async account(name: string, roles: readonly RoleId[]): Promise<Account> {
      const eppn = `${name}@idp.example.org`;
      const mail = `${name}@example.org`;
      const row = anAccount({ mail, eppn, name, roles });
      const id = await store.transact((tx) => tx.accounts.saveAccount(row));
      if (id === null) throw new Error(`The account ${name} was not made`);
      return { ...row, id };
    },
    close: async () => {
      await store.close();
      database.remove();
    },
  };
}

async function plantTree(store: RepositoryStore, indexes: readonly IndexNode[], communityRoot: number | undefined) {
  await store.transact(async (tx) => {
    for (const index of indexes) await tx.indexes.insertIndex(index);
    if (indexes.length > 0) await tx.indexes.raiseTreeRevision();
    if (communityRoot === undefined) return;
    await tx.communities.saveCommunity({
      id: COMMUNITY,
      ...PLAIN_COMMUNITY,
      slug: "c1",
      title: { en: "C1", ja: "C1" },
      type: "",
      visibility: "public",
      reviewPolicy: "open",
      rootIndex: communityRoot,
      createdAt: NOW,
      updatedAt: NOW,
    });
  });
}

export async function servedRepository({ settings: given = {}, file, log, parts: change, ...features }: Served = {}) {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-world-"));
  const settings = {
    SVC_DATA_DIR: folder,
    SVC_ITEM_ARK_CREDENTIAL: ARK_CREDENTIAL,
    SVC_RATE_PER_MINUTE: "0",
    // However busy the machine is, what was committed is found.
    SVC_SEARCH_WAIT_MS: "20000",
    ...(features.url === undefined ? {} : { SVC_DATABASE_URL: features.url }),
    ...given,
  };
  const config = readConfig(settings);
  const files = await openStorage(config, "serve");
  const bare = await seededStore({ ...features, ...(file === true ? { url: config.databaseUrl } : {}) });
  const { store, clock, random } = bare;
  const plain: RepositoryParts = { config, store, files, clock, random, log: log ?? quietLog };
  const changed = change?.(plain) ?? plain;
  const search = searchOf({ config, store: changed.store, clock: changed.clock ?? clock, log: changed.log });
  const parts: RepositoryParts = { search, ...changed };
  const core = coreOf(parts).items;
  return {
    ...bare,
    folder,
    config,
    files,
    parts,
    handler: describedAnswers(composeRepository(parts)),
    /** The same repository under other settings, or with other parts. */
    under: (more: Readonly<Record<string, string>>, change = (changed: RepositoryParts) => changed) =>
      describedAnswers(composeRepository(change({ ...parts, config: readConfig({ ...settings, ...more }) }))),
    items: verbsAlone(core, { store, clock }),
    /** Decisions about activities, as their pages and interface make them. */
    activities: activities({ store, clock, items: core.activityItems, dayOf: (at) => at.slice(0, 10) }),
    close: async () => {
      await search.close();
      await bare.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The account as it looks and acts, signed in. */
export function viewerOf(account: Account, more: Partial<Viewer> = {}): Viewer {
  const seen = { account, roles: effectiveRoles(account), scopes: null, clientId: "test", address: "192.0.2.1" };
  return { ...GUEST, ...seen, ...more };
}
