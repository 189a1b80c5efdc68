// Dump and restore with the system's own programs, as an operator moves a database to another cluster.
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programFolders } from "./postgres.ts";
import { temporaryFolder } from "./processes.ts";
import { run } from "./run.ts";

/**
 * Copies a database into an empty one through pg_dump and psql; false, after one line of output, where the machine has
 * none.
 */
export async function dumpInto(from: string, into: string): Promise<boolean> {
  const programs = programFolders().find((each) => ["pg_dump", "psql"].every((name) => existsSync(join(each, name))));
  if (programs === undefined) {
    console.error("No pg_dump and psql to test with: restoring a dump is skipped");
    return false;
  }
  const folder = temporaryFolder("dump");
  const file = join(folder.path, "dump.sql");
  try {
    for (const command of [
      [join(programs, "pg_dump"), "--no-owner", "-f", file, from],
      [join(programs, "psql"), "-q", "-v", "ON_ERROR_STOP=1", "-f", file, into],
    ]) {
      const outcome = await run(command, { cwd: tmpdir(), env: { LC_ALL: "C" } });
      if (outcome.code !== 0) throw new Error(`${command.join(" ")} failed:\n${outcome.output}`);
    }
  } finally {
    folder.remove();
  }
  return true;
}
