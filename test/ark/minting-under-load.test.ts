// Concurrent minting on both databases; the suite is test/contracts/minting-under-load.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMintingUnderLoad } from "../contracts/minting-under-load.ts";
import { startPostgres } from "../support/postgres.ts";

describeMintingUnderLoad("on SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-minting-"));
  return {
    url: join(folder, "ark.db"),
    drop: async () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

const postgres = await startPostgres();
if (postgres !== null) {
  describeMintingUnderLoad("on PostgreSQL", async () => {
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
