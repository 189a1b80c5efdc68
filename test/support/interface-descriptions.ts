// Generates the interface descriptions, the types of the client and the scripts of pages before the first test where a
// source file is newer than they are, so that plain `bun test` needs no step before it (bunfig.toml). In a separate
// process: pages import what is there when they are loaded, and scripts import the client that is generated.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { GENERATED } from "../../src/main/openapi/generated-files.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const changedAt = (path: string | URL): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const oldest = Math.min(...GENERATED.map(changedAt));
const isStale = ["src", "plugins", "client"].some((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).some(
    (path) => /^(?!generated\/).*\.ts$/.test(path) && changedAt(join(ROOT, folder, path)) > oldest,
  ),
);
if (isStale) {
  const { status } = spawnSync(process.execPath, ["src/main/openapi/openapi.ts"], { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) throw new Error("The interface descriptions were not generated; run: bun run openapi");
}
