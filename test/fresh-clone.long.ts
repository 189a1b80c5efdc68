// Plain `bun test` needs no step before it, although what it generates is not in git (test/support/interface-descriptions.ts).
import { expect, test } from "bun:test";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { temporaryFolder } from "./support/processes.ts";
import { run } from "./support/run.ts";

const ROOT = join(import.meta.dirname, "..");
const GENERATED = /^(?:client\/generated|src\/assets\/(?:openapi.*|page-scripts|pdf-frame-files)\.json)/;

test.skipIf("Deno" in globalThis)("a test runs in a folder in which nothing was generated", async () => {
  const folder = temporaryFolder("fresh-clone");
  try {
    const { output } = await run(["git", "ls-files"], { cwd: ROOT });
    expect(output.split("\n").filter((path) => GENERATED.test(path))).toEqual([]);
    for (const name of [
      "src",
      "plugins",
      "db",
      "client",
      "test/support",
      "test/vectors",
      "bunfig.toml",
      "package.json",
      "tsconfig.json",
    ])
      cpSync(join(ROOT, name), join(folder.path, name), {
        recursive: true,
        filter: (from) => !GENERATED.test(from.slice(ROOT.length + 1)),
      });
    cpSync(join(ROOT, "test/ark/syntax.test.ts"), join(folder.path, "test/ark/syntax.test.ts"));
    symlinkSync(join(ROOT, "node_modules"), join(folder.path, "node_modules"));
    const outcome = await run([process.execPath, "test", "./test/ark/syntax.test.ts", "-t", "a NAAN that is none"], {
      cwd: folder.path,
    });
    expect([outcome.code, outcome.output]).toEqual([0, expect.stringContaining("0 fail")]);
  } finally {
    folder.remove();
  }
});
