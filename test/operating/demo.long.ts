// `arkstone demo` as a person runs it: filled after an interruption, read and signed in to, stopped, started again.
import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { commandOf, freePortRow, temporaryFolder } from "../support/processes.ts";

const ITEMS = process.env.ARKSTONE_SLOW === undefined ? 30 : 300;
const folder = temporaryFolder("demo-run");
const started: ReturnType<typeof spawn>[] = [];
afterAll(() => {
  for (const child of started) if (child.exitCode === null) child.kill("SIGKILL");
  folder.remove();
});

async function startDemo(port: number) {
  const [program, ...args] = commandOf("demo", folder.path, "--items", String(ITEMS));
  const child = spawn(program, args, {
    env: { ...process.env, SVC_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let out = "";
  let err = "";
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    err += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(`It ended: ${out}${err}`);
    return out.includes("The demonstration runs");
  };
  await eventually("the demonstration runs", isReady, { withinMs: 150_000, details: () => out + err });
  const links = [...out.matchAll(/^ {2}(\w+) +(.+?) +(http\S+\/account\/login\/\S+)$/gm)];
  return {
    links: new Map(links.map(([, role = "", name = "", link = ""]) => [role, { name, link }])),
    token: /^ {2}(svc_\S+)$/m.exec(out)?.[1],
    base: `http://127.0.0.1:${port + 2}`,
    async stop() {
      child.kill("SIGINT");
      return await ended;
    },
  };
}

/** The page after signing in by a link. */
async function signedIn(link: string): Promise<string> {
  const page = await fetch(link);
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const cookiesOf = (answer: Response): string =>
    answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; ");
  const posted = await fetch(link, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(page), origin: new URL(link).origin },
    body: new URLSearchParams({ csrf }),
  });
  const account = await fetch(new URL("/account", link), { headers: { cookie: cookiesOf(posted) } });
  return await account.text();
}

/** 0 as long as the search is not ready. */
async function hits(base: string): Promise<number> {
  const answer = await fetch(`${base}/api/records?size=1`);
  const body = await answer.json();
  return answer.status === 200 ? body.hits.total : 0;
}

test("Q.222 Q.223 runs over a folder whose filling was interrupted, signs people in, stops cleanly, continues with its data", async () => {
  writeFileSync(join(folder.path, "arkstone-demo.json"), '{"state":"filling"}\n');
  writeFileSync(join(folder.path, "arkstone.db"), "half a database");
  const port = await freePortRow();
  const first = await startDemo(port);
  expect([...first.links.keys()]).toEqual(["administrator", "curator", "owner", "reviewer", "depositor"]);
  for (const role of ["curator", "depositor"]) {
    const { name = "", link = "" } = first.links.get(role) ?? {};
    const page = await signedIn(link);
    expect([role, page.includes(name)]).toEqual([role, true]);
  }
  await eventually("the items are found", async () => (await hits(first.base)) >= ITEMS);
  const found = await hits(first.base);
  const me = await fetch(`${first.base}/api/me`, { headers: { authorization: `Bearer ${first.token}` } });
  expect([me.status, first.token?.startsWith("svc_")]).toEqual([200, true]);
  expect(await first.stop()).toBe(0);
  const verified = await arkstone({ SVC_DATA_DIR: folder.path }, ["verify", "--files"]);
  expect([verified.code, verified.out]).toEqual([0, ""]);

  const second = await startDemo(port);
  expect([second.token, second.links.size]).toEqual([undefined, 5]);
  await eventually("the same items are found", async () => (await hits(second.base)) === found);
  expect(await second.stop()).toBe(0);
}, 400_000);
