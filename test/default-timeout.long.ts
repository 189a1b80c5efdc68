// Plain `bun test` gives tests and hooks the time they need: the project's own settings set it (bunfig.toml).
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { temporaryFolder } from "./support/processes.ts";
import { run } from "./support/run.ts";

const ROOT = join(import.meta.dirname, "..");
/** Longer than the five seconds that Bun gives by itself. */
const SLOW = "() => new Promise((resolve) => setTimeout(resolve, 5_300))";

test.skipIf("Deno" in globalThis)(
  "in every file, hooks included, more than Bun's five seconds are allowed",
  async () => {
    const folder = temporaryFolder("timeout");
    const settings = readFileSync(join(ROOT, "bunfig.toml"), "utf8");
    const preload = /^preload = .*$/m.exec(settings)?.[0].replaceAll('"./', `"${ROOT}/`);
    writeFileSync(join(folder.path, "bunfig.toml"), `[test]\n${preload}\n`);
    const hooks = `import { beforeAll, test } from "bun:test";\nbeforeAll(${SLOW});\ntest("after a slow hook", () => {});\n`;
    writeFileSync(join(folder.path, "a.test.ts"), hooks);
    writeFileSync(join(folder.path, "b.test.ts"), hooks.replace("test(", `test("slow", ${SLOW});\ntest(`));
    const { code, output } = await run([process.execPath, "test"], { cwd: folder.path });
    folder.remove();
    expect(output).toContain("3 pass");
    expect(code).toBe(0);
  },
  60_000,
);
