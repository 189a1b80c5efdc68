// What a command does where there is no database yet: only those that set something up make one.
import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { arkstone } from "../support/command-line.ts";
import { freePort, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("no-database");
afterAll(() => folder.remove());

/** Roles that serve: they make what they need. */
const ROLES = ["up", "demo", "minter", "resolver", "repository", "worker", "mcp"];
/** Last words of commands that may be the first over a database. */
const BEGINNERS = ["add", "apply", "import", "load", "migrate", "set"];
/** Commands that need no database at all. */
const WITHOUT = ["health", "naan check", "settings", "licences", "pack", "deposit", "restore", "completion"];

/** Every command of the overview with a word for each it asks for. */
async function commandLines(): Promise<readonly (readonly string[])[]> {
  const overview = (await arkstone({}, ["--help"])).out;
  const names = [...overview.matchAll(/^ {2}(\S+(?: \S+)*) {2,}/gm)].map((match) => match[1] ?? "");
  const lines: string[][] = [];
  for (const name of names.filter((each) => !ROLES.includes(each))) {
    const help = (await arkstone({}, [...name.split(" "), "--help"])).out;
    const usage = /Usage: arkstone (.*)/.exec(help)?.[1]?.slice(name.length).trim().split(" ") ?? [];
    const words = usage.filter((word) => word !== "" && !word.startsWith("[")).map(() => "1");
    lines.push([...name.split(" "), ...words]);
  }
  return lines;
}

test("no command but those that set something up makes a database; each that reads names the path it searched", async () => {
  const lines = await commandLines();
  const nameOf = (line: readonly string[]) => line.filter((word) => word !== "1").join(" ");
  const others = lines.filter((line) => !BEGINNERS.includes(nameOf(line).split(" ").at(-1) ?? ""));
  expect(others.length).toBeGreaterThan(80);
  const data = join(folder.path, "data");
  const results = new Map<string, Awaited<ReturnType<typeof arkstone>>>();
  for (const line of others) {
    const answer = await arkstone({ SVC_DATA_DIR: data }, line);
    expect([nameOf(line), existsSync(data)]).toEqual([nameOf(line), false]);
    results.set(nameOf(line), answer);
  }
  const reading = [...results].filter(
    ([name]) => !WITHOUT.includes(name) && /(?:list|show|status|stats|history|verify|export|backup)$/.test(name),
  );
  expect(reading.length).toBeGreaterThan(35);
  for (const [name, { code, out, err }] of reading) {
    expect([name, code, out]).toEqual([name, 1, ""]);
    expect([name, err]).toEqual([
      name,
      `arkstone: There is no database of Arkstone at ${join(data, "arkstone.db")}\n` +
        'Set SVC_DATA_DIR or SVC_DATABASE_URL to where it is, or make one: "arkstone up" or "arkstone apply FILE"\n',
    ]);
  }
  const status = await arkstone({ SVC_DATA_DIR: data }, ["migrate", "--status"]);
  expect([status.code, existsSync(data)]).toEqual([1, false]);
});

test.each(["0.0.0.0", "::", "127.0.0.1"])(
  "A49 health asks a role that listens on %s at its own machine",
  async (host) => {
    const port = await freePort();
    const role = createServer((_, response) => response.end("ok")).listen(port, "127.0.0.1");
    try {
      const { code, out } = await arkstone({ SVC_HOST: host, SVC_PORT: String(port) }, ["health"]);
      expect([code, out]).toEqual([0, expect.stringContaining(`http://127.0.0.1:${port}/`)]);
    } finally {
      role.close();
    }
  },
);

test("an empty file is not a database either, and stays empty; what sets something up makes one of it", async () => {
  const url = join(folder.path, "empty.db");
  writeFileSync(url, "");
  const read = await arkstone({ SVC_DATABASE_URL: url }, ["item", "list"]);
  expect([read.code, read.err]).toEqual([1, expect.stringContaining(`no database of Arkstone at ${url}`)]);
  expect((await arkstone({ SVC_DATABASE_URL: url }, ["naan", "list"])).code).toBe(1);
  expect(readdirSync(folder.path).filter((name) => name.startsWith("empty"))).toEqual(["empty.db"]);
  expect(Bun.file(url).size).toBe(0);
  expect((await arkstone({ SVC_DATABASE_URL: url }, ["naan", "add", "99999"])).code).toBe(0);
  expect((await arkstone({ SVC_DATABASE_URL: url }, ["naan", "list"])).out).toContain("99999");
});
