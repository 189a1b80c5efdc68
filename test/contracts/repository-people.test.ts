// The repository's stores of people, settings and activities on both databases.
import { afterAll, test } from "bun:test";
import { join } from "node:path";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { repositoryPeopleContract } from "./repository-people.ts";

const folder = temporaryFolder("repository-people");
const found = await startPostgres({ standby: false });
afterAll(async () => {
  await found?.stop();
  folder.remove();
});

repositoryPeopleContract("people of the repository on SQLite", async () => ({
  url: join(folder.path, "people.db"),
  drop: async () => {},
}));

if (found === null) test.skip("people of the repository on PostgreSQL: not available", () => {});
else repositoryPeopleContract("people of the repository on PostgreSQL", () => found.createDatabase());
