// The two minutes of README.md, as they are there: `up`, then both blocks in a shell, with the key and the token that
// were printed (R32).
import { afterAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { selfCommand } from "../../src/main/child-process.ts";
import { eventually } from "../support/eventually.ts";
import { commandOf, freePortRow, temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const TOOLS = ["bash", "curl", "sed"];
const missing = TOOLS.filter((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0);
if (missing.length > 0) console.error(`The commands of README.md are not run: ${missing.join(", ")} is missing`);

const folder = temporaryFolder("readme");
let up: ChildProcess | null = null;
afterAll(() => {
  if (up?.pid !== undefined && up.exitCode === null) process.kill(up.pid, "SIGTERM");
  folder.remove();
});

/** A block of shell that begins with this variable. */
function blockOf(variable: string): string {
  const blocks = readFileSync(join(ROOT, "README.md"), "utf8").matchAll(/```sh\n([\s\S]*?)```/g);
  const found = [...blocks].map((match) => match[1] ?? "").find((text) => text.startsWith(`${variable}=svc_...\n`));
  if (found === undefined) throw new Error(`README.md has no block that begins with ${variable}`);
  return found.slice(found.indexOf("\n"));
}

async function startUp(port: number): Promise<string> {
  const [program, ...args] = selfCommand(["up"]);
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, SVC_DATA_DIR: join(folder.path, "data"), SVC_PORT: String(port), SVC_LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  up = child;
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  const isUp = () => {
    if (child.exitCode !== null) throw new Error(`up did not start: ${out}`);
    return out.includes("Arkstone runs");
  };
  await eventually("up has started", isUp, { details: () => out });
  // A person has not typed the next line before the resolver has read the names.
  const knows = async () => (await fetch(`http://127.0.0.1:${port + 1}/readyz`)).status === 200;
  await eventually("the resolver is ready", knows);
  return out;
}

describe.skipIf(missing.length > 0)("README.md", () => {
  test("R32 from the clone to a name, and to a deposited item with its ARK, by the commands that are there", async () => {
    const port = await freePortRow();
    const out = await startUp(port);
    const [key = "", token = ""] = [...out.matchAll(/^ {2}(svc_\S+)$/gm)].map((match) => match[1]);
    const script = `set -e\nexec 2>errors.txt\nKEY=${key}\n${blockOf("KEY")}\nTOKEN=${token}\n${blockOf("TOKEN")}`;
    // The program as this test runs it, in its own folder.
    const program = commandOf()
      .map((word) => `'${word}'`)
      .join(" ");
    const own = script.replaceAll("npx -y bun@1.4.4 run arkstone", program);
    const here = own.replace(/127\.0\.0\.1:800([012])/g, (_all, role: string) => `127.0.0.1:${port + Number(role)}`);
    const { code, output } = await run(["bash", "-c", here], { cwd: folder.path });
    expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
    expect(output).toMatch(/^location: https:\/\/example\.org\/report\/page\/3\r$/im);
    expect(output).toContain("what: A study of rhythm");
    expect(output).toContain(`http://127.0.0.1:${port + 1}/ark:99999/x1`);
    expect(output.toLowerCase()).toContain(`location: http://127.0.0.1:${port + 2}/records/2\r\n`);
    expect(output).toContain("<title>A study of rhythm");
    expect(output).toContain("beat,ms");
    expect(output).toContain('"total_results":1');
    expect(output).toContain("<opensearch:totalResults>1</opensearch:totalResults>");
    expect(output).toContain("<dc:title>A study of rhythm</dc:title>");
  }, 90_000);
});
