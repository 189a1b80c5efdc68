// Provisioning, file imports and moved targets on both databases; the suite is test/contracts/operating.ts.
import { describeOperating } from "../contracts/operating.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";

describeOperating("on SQLite", async () => {
  const folder = temporaryFolder("operating");
  return { url: `${folder.path}/ark.db`, drop: async () => folder.remove() };
});

const postgres = await startPostgres();
if (postgres !== null) {
  let open = 0;
  describeOperating("on PostgreSQL", async () => {
    open++;
    const database = await postgres.createDatabase();
    return {
      url: database.url,
      drop: async () => {
        await database.drop();
        open--;
        if (open === 0) await postgres.stop();
      },
    };
  });
}
