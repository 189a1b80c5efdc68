// Runs a suite of the repository over HTTP on SQLite and, where a server is available, on PostgreSQL.
import { afterAll, describe, test } from "bun:test";
import { startPostgres } from "./postgres.ts";
import { type RepositoryWorld, repositoryWorld } from "./repository-world.ts";

type OpenedWorld = { readonly world: RepositoryWorld; readonly end: () => Promise<void> };

export async function onBothDatabases(name: string, suite: (open: () => Promise<OpenedWorld>) => void): Promise<void> {
  describe(`${name} on SQLite`, () =>
    suite(async () => {
      const world = await repositoryWorld();
      return { world, end: () => world.close() };
    }));

  const server = await startPostgres({ standby: false });
  afterAll(async () => {
    await server?.stop();
  });
  if (server === null) {
    test.skip("PostgreSQL: not available", () => {});
    return;
  }
  describe(`${name} on PostgreSQL`, () =>
    suite(async () => {
      const { url, drop } = await server.createDatabase();
      const world = await repositoryWorld({ url });
      const end = async (): Promise<void> => {
        await world.close();
        await drop();
      };
      return { world, end };
    }));
}
