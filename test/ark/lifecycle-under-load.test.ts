// Concurrent changes of names on both databases; the suite is test/contracts/lifecycle-under-load.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeLifecycleUnderLoad } from "../contracts/lifecycle-under-load.ts";
import { startPostgres } from "../support/postgres.ts";

describeLifecycleUnderLoad("on SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-lifecycle-"));
  return {
    url: join(folder, "ark.db"),
    drop: async () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

const postgres = await startPostgres();
if (postgres !== null) {
  describeLifecycleUnderLoad("on PostgreSQL", async () => {
    const database = await postgres.createDatabase();
    return {
      url: database.url,
      drop: async () => {
        await database.drop();
        await postgres.stop();
      },
    };
  });
}
