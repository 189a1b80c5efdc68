// What an upload in a browser costs: a file sent by the page of a draft in Chromium, through a proxy that cuts the
// network, with the browser killed in between. It arrives identical; stated are bytes sent twice and the memory of page
// and server at each tenth. bun bench/upload.ts [--mib 2048] [--cuts 5] [--kills 2] [--rate 20]
//   [--json FILE]; bun bench/upload.ts --mib 16384 --cuts 0 --kills 0 --rate 0
// `--rate`: MiB a second of one connection, so that parts are under way when the network is cut; 0: no limit.
// The file is sparse: a block of numbers every 4 MiB, zeros in between. Jobs are off.
import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { depositInstallation } from "../test/support/deposit-installation.ts";
import { freePort, printTable, rssMiB, vmHwmMiB, writeJson } from "./lib.ts";

const { values } = parseArgs({
  options: {
    mib: { type: "string", default: "2048" },
    cuts: { type: "string", default: "5" },
    kills: { type: "string", default: "2" },
    rate: { type: "string", default: "20" },
    json: { type: "string" },
  },
});

const MIB = 1024 * 1024;
const BYTES = Number(values.mib) * MIB;
const CUTS = Number(values.cuts);
const KILLS = Number(values.kills);
const RATE = Number(values.rate) * MIB;
const CUT_MS = 3_000;
const SAMPLE_MS = 250;

type Proxy = { readonly sentBytes: () => number; cut(): Promise<void>; close(): void };

/** Passes bytes on and counts those to the server; a cut ends all connections and takes none for a while. */
function startProxy(port: number, target: number): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let [sent, isCut] = [0, false];
  const server = createServer((from) => {
    if (isCut) return void from.destroy();
    const to = connect(target, "127.0.0.1");
    const pair = [from, to] as const;
    pairs.add(pair);
    from.on("data", (bytes) => {
      sent += bytes.length;
      if (RATE === 0) return;
      from.pause();
      setTimeout(() => from.resume(), (bytes.length * 1000) / RATE);
    });
    from.pipe(to).pipe(from);
    const end = (): void => {
      pairs.delete(pair);
      for (const each of pair) each.destroy();
    };
    for (const each of pair) each.on("error", end).on("close", end);
  });
  const proxy: Proxy = {
    sentBytes: () => sent,
    async cut() {
      isCut = true;
      for (const pair of pairs) for (const each of pair) each.destroy();
      await Bun.sleep(CUT_MS);
      isCut = false;
    },
    close() {
      server.close();
      for (const pair of pairs) for (const each of pair) each.destroy();
    },
  };
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(proxy)));
}

/** A sparse file, each 4 MiB of it different. */
function writeSparse(path: string, bytes: number): void {
  const file = openSync(path, "w");
  ftruncateSync(file, bytes);
  for (let at = 0; at < bytes; at += 4 * MIB) {
    const block = new Uint8Array(4096).map((_, index) => (at / MIB + index * 31) % 251);
    writeSync(file, block, 0, Math.min(block.length, bytes - at), at);
  }
  closeSync(file);
}

async function sha256Of(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

type BrowserProcess = { readonly pid: number; readonly isMain: boolean; readonly isPage: boolean };

/** The processes of the Chromium with this folder. */
function browserProcesses(profile: string): readonly BrowserProcess[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const own = all.flatMap((name) => {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return [{ pid: Number(name), command, parent: parentIn(name) }];
    } catch {
      return [];
    }
  });
  const main = own.filter(
    ({ command }) => command.includes(`--user-data-dir=${profile}`) && !command.includes("--type="),
  );
  const mains = new Set(main.map(({ pid }) => pid));
  const tree = new Set(mains);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of own) if (tree.has(parent)) tree.add(pid);
  }
  return own
    .filter(({ pid }) => tree.has(pid))
    .map(({ pid, command }) => ({ pid, isMain: mains.has(pid), isPage: command.includes("--type=renderer") }));
}

function parentIn(pid: string): number {
  return Number(
    readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")[1],
  );
}

function residentMiB(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Longest piece of work of the page that kept it from answering. */
const WATCH_TASKS = `
  window.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longestTask = Math.max(window.longestTask, entry.duration);
  }).observe({ type: "longtask", buffered: true });
`;

type Session = { readonly context: BrowserContext; readonly page: Page };

async function openBrowser(profile: string, address: string, token: string): Promise<Session> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  await context.addInitScript(WATCH_TASKS);
  const page = context.pages()[0] ?? (await context.newPage());
  page.on("dialog", (dialog) => void dialog.accept().catch(() => {}));
  await page.goto(address);
  if ((await page.locator("#token").count()) > 0) {
    await page.fill("#token", token);
    await page.click("main button");
    await page.waitForURL((url) => !url.pathname.endsWith("/login"));
    await page.goto(address);
  }
  return { context, page };
}

const port = freePort();
const installation = await depositInstallation("bench-upload", {
  SVC_BASE_URL: `http://127.0.0.1:${port}`,
  SVC_MAX_UPLOAD_BYTES: "64 GiB",
  SVC_JOBS: "off",
  SVC_FULL_TEXT: "off",
});
const token = await installation.setup.client();
const server = await installation.start();
const proxy = await startProxy(port, server.port);
const profile = join(installation.folder, "chromium");
const path = join(installation.folder, "large.bin");
try {
  writeSparse(path, BYTES);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const api = `http://127.0.0.1:${server.port}/api/records`;
  const made = await fetch(api, { method: "POST", headers, body: JSON.stringify({ metadata: { title: "Upload" } }) });
  const { id }: { readonly id: string } = await made.json();
  const address = `http://127.0.0.1:${port}/deposit/${id}/files`;
  const state = async (): Promise<{ readonly status?: string; readonly bytes: number }> => {
    const answer = await fetch(`${api}/${id}/draft/files/large.bin`, { headers });
    const entry = (await answer.json()) as {
      readonly status?: string;
      readonly size?: number;
      readonly transfer?: { readonly part_size?: number; readonly uploaded_parts?: readonly number[] };
    };
    const { uploaded_parts: parts = [], part_size: size = 0 } = entry.transfer ?? {};
    return { ...entry, bytes: entry.status === "completed" ? BYTES : parts.length * size };
  };

  // Interruptions, spread over the file: a kill after every second or third cut.
  const count = CUTS + KILLS;
  const breaks = Array.from({ length: count }, (_, index) => ({
    at: ((index + 1) / (count + 1)) * BYTES,
    isKill: KILLS > 0 && Math.floor(((index + 1) * KILLS) / count) > Math.floor((index * KILLS) / count),
  }));

  const samples: { readonly share: string; readonly [figure: string]: string | number }[] = [];
  const started = performance.now();
  let [tenth, longest, browserPeak] = [-1, 0, 0];
  let { context, page } = await openBrowser(profile, address, token);
  const choose = async (): Promise<void> => page.setInputFiles("input[type=file]", path);
  await choose();
  for (;;) {
    await Bun.sleep(SAMPLE_MS);
    const processes = browserProcesses(profile);
    const [pageMiB, allMiB] = [
      sumOf(processes.filter(({ isPage }) => isPage).map(({ pid }) => residentMiB(pid))),
      sumOf(processes.map(({ pid }) => residentMiB(pid))),
    ];
    browserPeak = Math.max(browserPeak, allMiB);
    const sent = await state();
    const now = Math.floor((sent.bytes * 10) / BYTES);
    if (now > tenth) {
      tenth = now;
      const seconds = Math.round((performance.now() - started) / 1000);
      const sample = { share: `${now * 10}%`, seconds, serverMiB: Math.round(rssMiB(server.pid)) };
      samples.push({ ...sample, pageMiB: Math.round(pageMiB), browserMiB: Math.round(allMiB) });
      console.error(JSON.stringify(samples.at(-1)));
    }
    if (sent.status === "completed") break;
    longest = Math.max(longest, await page.evaluate<number>("window.longestTask").catch(() => 0));
    const next = breaks[0];
    if (next !== undefined && sent.bytes >= next.at) {
      breaks.shift();
      console.error(next.isKill ? "kill" : "cut", Math.round(sent.bytes / MIB));
      if (next.isKill) {
        for (const { pid, isMain } of browserProcesses(profile)) if (isMain) process.kill(pid, "SIGKILL");
        await context.close().catch(() => {});
        for (const name of ["SingletonLock", "SingletonCookie", "SingletonSocket"])
          rmSync(join(profile, name), { force: true });
        ({ context, page } = await openBrowser(profile, address, token));
        await choose();
      } else await proxy.cut();
    }
    // The page has given up trying.
    const again = page.locator(".uploads button:has-text('Go on')");
    if (await again.isVisible().catch(() => false)) await again.click();
  }
  const seconds = (performance.now() - started) / 1000;
  await context.close();
  const there = await fetch(`${api}/${id}/draft/files/large.bin/content`, { headers });
  const arrived = there.body === null ? "" : await sha256Of(there.body);
  const isSame = arrived === (await sha256Of(createReadStream(path)));
  const twice = proxy.sentBytes() - BYTES;
  printTable(samples);
  const result = {
    name: `${values.mib} MiB, ${CUTS} cuts, ${KILLS} kills`,
    identical: String(isSame),
    seconds: Math.round(seconds),
    sentTwiceMiB: Number((twice / MIB).toFixed(1)),
    sentTwicePercent: Number(((twice * 100) / BYTES).toFixed(2)),
    serverPeakMiB: Math.round(vmHwmMiB(server.pid)),
    browserPeakMiB: Math.round(browserPeak),
    longestTaskMs: Math.round(longest),
  };
  printTable([result]);
  if (values.json !== undefined) writeJson(values.json, "upload", [result, ...samples]);
  if (!isSame) process.exitCode = 1;
} finally {
  for (const { pid, isMain } of browserProcesses(profile)) if (isMain) process.kill(pid, "SIGKILL");
  proxy.close();
  await server.kill("SIGTERM");
  await installation.close();
}
