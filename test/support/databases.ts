// Suites that run on both databases: on SQLite, and on PostgreSQL where a server is available. The server is started
// once for all files of a process, when the first database is asked for, and ends with the process. Migrations run once
// there, and databases are copies of what they made: much cheaper than running them for each.
import { afterAll, describe, test } from "bun:test";
import { join } from "node:path";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { mayStartPostgres, startPostgres, type TestPostgres } from "./postgres.ts";
import { temporaryFolder } from "./processes.ts";

export type TestDatabase = {
  readonly name: "SQLite" | "PostgreSQL";
  /** A new database with nothing in it, deleted after the suite. On PostgreSQL the tables are there. */
  url(): Promise<string>;
  /** The same without tables. */
  empty(): Promise<string>;
};

const isThere = await mayStartPostgres();
let cluster: Promise<TestPostgres | null> | null = null;

let migrated: Promise<string> | null = null;

async function makeMigrated(server: TestPostgres): Promise<string> {
  const { url } = await server.createDatabase();
  await (await openRepositoryStore({ url })).close();
  return url;
}

type Suite = (database: TestDatabase) => void;

/** Runs the suite for each database, under `title on NAME`, or `on NAME` inside a `describe`. */
export function onEachDatabase(title: string, suite: Suite): void;
export function onEachDatabase(suite: Suite): void;
export function onEachDatabase(...given: [string, Suite] | [Suite]): void {
  const [title, suite] = given.length === 1 ? ["", given[0]] : given;
  describe(`${title} on SQLite`.trim(), () => suite(sqliteDatabase()));
  onPostgres(title, suite);
}

/** Runs the suite on PostgreSQL alone. */
export function onPostgres(title: string, suite: Suite): void {
  const name = `${title} on PostgreSQL`.trim();
  if (isThere) describe(name, () => suite(postgresDatabase()));
  else test.skip(`${name}: not available`, () => {});
}

/** For a suite that is called inside `describe`. */
function sqliteDatabase(): TestDatabase {
  const folder = temporaryFolder("databases");
  let made = 0;
  const url = async (): Promise<string> => {
    made += 1;
    return `sqlite:${join(folder.path, `${made}.db`)}`;
  };
  afterAll(() => folder.remove());
  return { name: "SQLite", url, empty: url };
}

async function startedServer(): Promise<TestPostgres> {
  cluster ??= startPostgres();
  const server = await cluster;
  if (server === null) throw new Error("PostgreSQL did not start");
  return server;
}

function postgresDatabase(): TestDatabase {
  const drops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const drop of drops) await drop();
  });
  const made = ({ url, drop }: Awaited<ReturnType<TestPostgres["createDatabase"]>>): string => {
    drops.push(drop);
    return url;
  };
  return {
    name: "PostgreSQL",
    async url() {
      const server = await startedServer();
      migrated ??= makeMigrated(server);
      return made(await server.createDatabase(await migrated));
    },
    empty: async () => made(await (await startedServer()).createDatabase()),
  };
}
