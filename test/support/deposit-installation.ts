import { type Dirent, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/adapters/clock.ts";
import roCrateDefault from "../../src/assets/mappings/ro-crate-default.json" with { type: "json" };
import swordDefault from "../../src/assets/mappings/sword-default.json" with { type: "json" };
import { REPOSITORY_OPERATOR, REPOSITORY_SCOPES } from "../../src/auth/account.ts";
import { readConfig } from "../../src/config.ts";
import { CLIENT_SETTING, type ClientSetting } from "../../src/model/items/deposit-settings.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { startOf } from "../../src/shared/declared.ts";
import { multipart, partOf, SIMPLE_ZIP, SWORD_BAGIT } from "./deposit-requests.ts";
import { rawDatabase, type Sql } from "./filed-items.ts";
import { freePort, type Role, startRole, temporaryFolder } from "./processes.ts";
import { ARK_CREDENTIAL, type BareWorld, seededStore } from "./world/seeded.ts";

type DepositSetup = {
  readonly admin: number;
  /**
   * A new personal token with a client record like this one; by default index 1, direct registration, RO-Crate mapping.
   */
  readonly client: (changes?: Partial<ClientSetting> & { readonly account?: number }) => Promise<string>;
  /** A new registered user, who owns their deposits. */
  readonly person: (name: string, roles?: readonly (1 | 2 | 3 | 4)[]) => Promise<number>;
  readonly mappings: { readonly roCrate: number; readonly sword: number };
  /** Full item type, index 1, one approval by an administrator, deletions too. */
  readonly workflow: number;
};

/** What deposits need, over any database, once. */
async function setUpDeposits({ store, account, tokens, clock }: BareWorld): Promise<DepositSetup> {
  const at = clock.now();
  const admin = (await account("administrator", [1])).id;
  const made = await store.transact(async (tx) => {
    const mapping = (name: string, kind: "sword" | "ro-crate", definition: object) =>
      tx.settings.saveMapping(
        // JSON of our files.
        { id: 0, name, kind, itemType: 1, definition: definition as never, deleted: false },
        at,
      );
    const roCrate = await mapping("test-ro-crate", "ro-crate", roCrateDefault.definition);
    const sword = await mapping("test-sword", "sword", swordDefault.definition);
    const workflow = await tx.settings.saveWorkflow(
      {
        id: 0,
        name: { en: "Test with approval", ja: "承認" },
        itemType: 1,
        index: 1,
        actions: ["start", "item_registration", "item_link", "identifier_grant", "approval", "end"],
        approvers: { roles: [1, 2], accounts: [], communities: [] },
        delete: { actions: ["start", "approval", "end"] },
        deleted: false,
      },
      at,
    );
    return { mappings: { roCrate, sword }, workflow };
  });
  return {
    ...made,
    admin,
    async client({ account = admin, ...changes } = {}) {
      const client = await tokens.make(REPOSITORY_OPERATOR, {
        accountId: account,
        kind: "personal",
        name: "A client of a test",
        scopes: REPOSITORY_SCOPES,
        expiresAt: null,
      });
      const setting: ClientSetting = {
        clientId: client.client.clientId,
        ...startOf(CLIENT_SETTING),
        mapping: made.mappings.roCrate,
        defaultIndex: 1,
        ...changes,
      };
      await store.transact((tx) => tx.settings.saveClientSetting(setting, at));
      return client.text;
    },
    person: async (name, roles = [3]) => (await account(name, roles)).id,
  };
}

/** What a process has in the storage as long as it lives, and the storage's mark (R7c): no trace of a deposit. */
export const SERVICE_FILES = /^(?:arkstone-storage\.json|incoming\/[0-9a-f]{32}\.lock)$/;

export type Leftovers = {
  /** Rows of every table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Files of the storage, by their path below it, work folder included. */
  readonly files: readonly string[];
};

/**
 * Harvesters and the words of files follow the items in their own time; an item or a file that was left is counted as
 * one.
 */
const FOLLOWING = /^(?:oai_|file_text|item_change$)/;

export type DepositInstallation = {
  readonly folder: string;
  readonly dataDir: string;
  readonly port: number;
  readonly store: RepositoryStore;
  readonly sql: Sql;
  readonly setup: DepositSetup;
  readonly env: Readonly<Record<string, string>>;
  /** Starts the server process; `launch`: as processes.ts takes it. */
  readonly start: (launch?: Parameters<typeof startRole>[3]) => Promise<Role>;
  /** What is there now. */
  readonly leftovers: () => Promise<Leftovers>;
  readonly close: () => Promise<void>;
};

/**
 * A data folder inside a separate folder, whose other contents must stay unchanged. SQLite unless `url` names another
 * database.
 */
export async function depositInstallation(
  name: string,
  env: Readonly<Record<string, string>> = {},
  url?: string,
): Promise<DepositInstallation> {
  const folder = temporaryFolder(name);
  const dataDir = join(folder.path, "data");
  mkdirSync(dataDir);
  const settings = {
    SVC_DATA_DIR: dataDir,
    SVC_LOG_LEVEL: "error",
    SVC_ACCESS_LOG: "off",
    SVC_RATE_PER_MINUTE: "0",
    SVC_ITEM_ARK_CREDENTIAL: ARK_CREDENTIAL,
    ...(url === undefined ? {} : { SVC_DATABASE_URL: url }),
    ...env,
  };
  const { databaseUrl } = readConfig(settings);
  const made = await seededStore({ url: databaseUrl, clock: systemClock, setUp: true });
  const { store } = made;
  const raw = await rawDatabase(databaseUrl);
  const setup = await setUpDeposits(made);
  const port = await freePort();
  const tables =
    url === undefined ? await raw.sql<{ name: string }>("select name from sqlite_master where type = 'table'") : [];
  return {
    folder: folder.path,
    dataDir,
    port,
    store,
    sql: raw.sql,
    setup,
    env: settings,
    start: (launch) => startRole("repository", settings, port, launch),
    async leftovers() {
      const counts: Record<string, number> = {};
      for (const { name: table } of tables) {
        // Request counts, and the time of last use of a token, are not traces of a deposit.
        if (table.startsWith("sqlite_")) continue;
        if (FOLLOWING.test(table)) continue;
        const [row] = await raw.sql<{ n: number }>(`select count(*) as n from "${table}"`);
        counts[table] = Number(row?.n ?? 0);
      }
      return { rows: counts, files: filesBelow(join(dataDir, "files")).filter((path) => !SERVICE_FILES.test(path)) };
    },
    async close() {
      await raw.close();
      await made.close();
      folder.remove();
    },
  };
}

/** Every file below a folder, sorted. */
export function filesBelow(folder: string, except: readonly string[] = []): readonly string[] {
  const found: string[] = [];
  const walk = (path: string): void => {
    let entries: Dirent[];
    try {
      entries = readdirSync(join(folder, path), { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries) {
      const each = join(path, entry.name);
      if (except.includes(each)) continue;
      if (entry.isDirectory()) walk(each);
      else found.push(each);
    }
  };
  walk("");
  return found.sort();
}

const PACKAGINGS = { SimpleZip: SIMPLE_ZIP, SWORDBagIt: SWORD_BAGIT } as const;

export type DepositAsk = {
  readonly token: string;
  readonly packaging?: keyof typeof PACKAGINGS;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Headers and body of a deposit as the interface describes it: a form with one file. */
export function formOf(bytes: Uint8Array, { token, packaging = "SimpleZip", headers = {} }: DepositAsk) {
  const pkg = { bytes, packaging: PACKAGINGS[packaging], name: "package.zip" };
  const { body, contentType } = multipart([partOf(pkg)]);
  return {
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": contentType,
      "content-disposition": `attachment; filename=${pkg.name}`,
      packaging: pkg.packaging,
      ...headers,
    },
    body,
  };
}

/** The same as one request over a raw socket, in Latin-1. */
export function rawDeposit(bytes: Uint8Array, ask: DepositAsk, target = "POST /sword/service-document"): string {
  const { headers, body } = formOf(bytes, ask);
  const lines = Object.entries({ host: "localhost", "content-length": String(body.length), ...headers });
  return `${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${Buffer.from(body).toString("latin1")}`;
}

/** The same over `fetch`. */
export async function postDeposit(base: string, bytes: Uint8Array, ask: DepositAsk): Promise<Response> {
  return await fetch(`${base}/sword/service-document`, { method: "POST", ...formOf(bytes, ask) });
}
