// What worlds of tests over a database of the repository are made of, feature by feature: each takes the features it needs and adds its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { type Account, effectiveRoles, GUEST, type RoleId, type Viewer } from "../../src/auth/account.ts";
import { readConfig } from "../../src/config.ts";
import { SETUP_STEPS } from "../../src/main/repository.ts";
import { openStorage } from "../../src/main/storage.ts";
import { setUpRepository } from "../../src/repository/administration/repository-setup.ts";
import type { IndexNode } from "../../src/repository/model/index-node.ts";
import { NOW, seed } from "./seed.ts";

export const COMMUNITY = "00000000-0000-4000-8000-0000000000c1";

type Features = {
  /** Of an empty database; one in memory by itself. */
  readonly url?: string;
  /** Told every statement. */
  readonly onStatement?: ((text: string) => void) | undefined;
  /** What a repository has from its start. */
  readonly setUp?: boolean;
  readonly indexes?: readonly IndexNode[];
  /** The index whose subtree the community `c1` owns. */
  readonly communityRoot?: number;
};

/** Names with the credential `items`, which mints for items, a clock that can be set, and the features asked for. */
export async function world({ url = ":memory:", onStatement, setUp = false, indexes = [], communityRoot }: Features) {
  const store = await openRepositoryStore({ url, onStatement });
  const seeded = await seed(store.arks);
  const time = { now: NOW };
  const clock = { now: () => time.now };
  const random = platformRandom();
  await store.arks.transact((tx) =>
    tx.saveCredential({
      id: 0,
      clientId: "items",
      tier: "organisation",
      naan: "99999",
      organisationId: seeded.orgA,
      shoulder: null,
      scopes: ["ark:mint", "ark:read", "ark:update", "ark:publish"],
      active: true,
      expiresAt: null,
    }),
  );
  if (setUp) await setUpRepository({ store, clock, random, steps: SETUP_STEPS, administrator: false });
  await store.transact(async (tx) => {
    for (const index of indexes) await tx.indexes.insertIndex(index);
    if (indexes.length > 0) await tx.indexes.raiseTreeRevision();
    if (communityRoot === undefined) return;
    await tx.communities.saveCommunity({
      id: COMMUNITY,
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
  return {
    store,
    time,
    clock,
    random,
    /** A new account with these roles. */
    async account(name: string, roles: readonly RoleId[]): Promise<Account> {
      const eppn = `${name}@idp.example.org`;
      const mail = `${name}@example.org`;
      const row = { id: 0, mail, eppn, name, roles, active: true, createdAt: NOW, updatedAt: NOW };
      const id = await store.transact((tx) => tx.accounts.saveAccount(row));
      if (id === null) throw new Error(`The account ${name} was not made`);
      return { ...row, id };
    },
  };
}

/** The account as it looks and acts, signed in. */
export function viewerOf(account: Account, more: Partial<Viewer> = {}): Viewer {
  const seen = { account, roles: effectiveRoles(account), scopes: null, clientId: "test", address: "192.0.2.1" };
  return { ...GUEST, ...seen, ...more };
}

/** A data folder of its own with the settings of a process over it, and its storage of files. */
export async function dataFolder(name: string, settingsIn: (folder: string) => Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), `arkstone-${name}-`));
  const settings = { SVC_DATA_DIR: folder, ...settingsIn(folder) };
  const config = readConfig(settings);
  const files = await openStorage(config, "serve");
  return { folder, settings, config, files, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
