// The built file by itself: in an empty folder, as a user without rights, on a read-only file system but for its data
// (specification 1, "What the service does" 6 and 12; A15, A50; R5, R32). Bun alone can build it; what is built here is
// the same file `bun run build` makes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildInto, canBuild, type Running, type Sandbox } from "../support/binary.ts";
import { processCpuMs } from "../support/cpu-time.ts";
import { eventually } from "../support/eventually.ts";
import { depositOf, smallCrate, smallTable, walkedWell, walkThrough } from "../support/first-repository.ts";
import { freePort, freePortRow, temporaryFolder } from "../support/processes.ts";
import { stdioClient } from "../support/stdio-client.ts";
import { predefinedCmapPdf } from "../support/text-files.ts";

if (!canBuild) console.error("The binary is built by Bun: its tests are skipped on this runtime");

/** CPU time until a role is ready, and until the tool server answers first; the wall clock is for bench/start.ts. */
const START_CPU_MS = 2_000;
const FIRST_ANSWER_CPU_MS = 400;

const folder = temporaryFolder("binary");
let box: Sandbox;

async function until(process: Running, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const printed = () => JSON.stringify(process.output());
  const check = () => {
    if (process.child.exitCode !== null) throw new Error(`It ended: ${printed()}`);
    return isSo();
  };
  await eventually("the binary came so far", check, { everyMs: 5, details: printed });
}

const isReady = (base: string): Promise<boolean> =>
  fetch(`${base}/readyz`).then(
    (answer) => answer.status === 200,
    () => false,
  );

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const running = box.start(args, env);
  const code = await running.ended;
  return { code, ...running.output() };
}

describe.skipIf(!canBuild)("the binary", () => {
  beforeAll(async () => {
    box = await buildInto(folder.path);
    if (box.confinement !== "read-only file system")
      console.error(`Confined to less than requested: ${box.confinement}`);
  }, 60_000);
  afterAll(() => folder.remove());

  test("names version, commit and runtime", async () => {
    const { code, out } = await run(["--version"]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^arkstone \d+\.\d+\.\d+ \(commit 0123456789ab, bun \d+\.\d+\.\d+, linux-\w+\)\n$/),
    ]);
    expect(JSON.parse((await run(["--version", "--json"])).out)).toMatchObject({ commit: "0123456789ab" });
  });

  test("shows its help, and that of a command of each family", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    const commands = [...out.matchAll(/^ {2}([a-z][a-z ]*[a-z]) {2,}\S/gm)].map((match) => match[1] ?? "");
    expect(commands).toContain("credential key add");
    expect(commands.length).toBeGreaterThan(25);
    const check = async (command: string): Promise<void> => {
      const help = await run([...command.split(" "), "--help"]);
      expect([command, help.code, help.err]).toEqual([command, 0, ""]);
      expect(help.out).toContain(`Usage: arkstone ${command}`);
    };
    // One of each family; test/cli/commands.test.ts asks all of them for their help.
    await Promise.all(
      Object.values(Object.groupBy(commands, (name) => name.split(" ")[0] ?? "")).map(([one = ""] = []) => check(one)),
    );
  }, 60_000);

  test.each(["minter", "repository"])(
    "L6 a %s is ready soon after its start on an empty database, and ends cleanly on SIGTERM",
    async (role) => {
      const port = await freePort();
      const base = `http://127.0.0.1:${port}`;
      const env = { SVC_PORT: String(port), SVC_DATA_DIR: join(box.data, role) };
      const running = box.start([role], env);
      await until(running, () => isReady(base));
      const ms = processCpuMs(running.child.pid ?? 0) ?? 0;
      console.log(`Binary: ${role} ready after ${Math.round(ms)} ms of CPU time (${box.confinement})`);
      expect(ms).toBeLessThan(START_CPU_MS);
      const health = (args: readonly string[] = []) => run(["health", ...args], { SVC_PORT: String(port) });
      expect(await health()).toEqual({ code: 0, out: `${base}/healthz  ok\n`, err: "" });
      expect((await health(["--ready"])).code).toBe(0);
      running.child.kill("SIGTERM");
      expect(await running.ended).toBe(0);
      expect(await health()).toEqual({ code: 1, out: "", err: `arkstone: No answer from ${base}\n` });
    },
    60_000,
  );

  test("S3.7.135 R30 the tool server on standard input and output: first answer of its quickest start in time, both eras, end of input", async () => {
    const [times, env]: [number[], Record<string, string>] = [[], { SVC_DATA_DIR: join(folder.path, "mcp") }];
    for (let round = 0; round < 2; round += 1) {
      const client = stdioClient([box.binary, "mcp"], env, box.cwd);
      const ask = round === 0 ? client.modern : client.ask;
      if (round > 0) await client.initialize();
      const { result } = await ask("tools/list");
      times.push(client.firstCpuMs() ?? 0);
      expect(result.tools).toHaveLength(12);
      const search = { name: "search_records", arguments: { query: "tides" } };
      const answer = await ask("tools/call", search);
      expect(answer.result.structuredContent.total).toBe(0);
      client.endInput();
      expect(await client.ended).toBe(0);
      expect(client.left()).toEqual({ messages: [], out: "" });
    }
    console.log(`Binary: tools answer after ${Math.round(Math.min(...times))} ms of CPU time`);
    expect(Math.min(...times)).toBeLessThan(FIRST_ANSWER_CPU_MS);
  }, 60_000);

  test("L1 L6 L12 A50 R5 R32 R35 `up` starts all roles out of itself: names, deposits, pages, item types, interface descriptions and languages are in it", async () => {
    const port = await freePortRow();
    const [minter = "", resolver = "", repository = ""] = [0, 1, 2].map((step) => `http://127.0.0.1:${port + step}`);
    // A data folder that is not there yet is made.
    const up = box.start(["up"], { SVC_PORT: String(port), SVC_DATA_DIR: join(box.data, "up") });
    await until(up, async () => up.output().out.includes("Arkstone runs") && (await isReady(resolver)));
    const key = /^ {2}(svc_\S+)$/m.exec(up.output().out)?.[1] ?? "";
    const minted = await fetch(`${minter}/api/mint`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://example.org/thing", title: "A thing" }),
    });
    expect(minted.status).toBe(201);
    const { ark }: { ark: string } = await minted.json();
    const answer = await fetch(`${resolver}/${ark}/part`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://example.org/thing/part"]);
    expect(await (await fetch(`${resolver}/${ark}?`)).text()).toContain("what: A thing");

    const bodyOf = async (path: string, language = "en"): Promise<string> => {
      const page = await fetch(path, { headers: { accept: "text/html", "accept-language": language } });
      expect([path, page.status]).toEqual([path, 200]);
      return await page.text();
    };
    const token = /^The first access token.*\n\n {2}(svc_\S+)$/m.exec(up.output().out)?.[1] ?? "";
    expect(await walkThrough(repository, resolver, token)).toEqual(walkedWell(repository));
    // Item types, mappings and vocabularies are files of the source: they are in it too.
    const table = await fetch(`${repository}/sword/service-document`, {
      method: "POST",
      ...depositOf(token, smallTable()),
    });
    const { "@id": item }: { "@id": string } = await table.json();
    expect([table.status, item]).toEqual([201, expect.stringContaining("/sword/deposit/")]);
    const page = `${repository}/records/${item.split("/").at(-1)}`;
    expect(await bodyOf(`${page}/export/jpcoar`)).toContain("<jpcoar:jpcoar");
    expect(await bodyOf(`${page}/export/ro-crate`)).toContain("https://w3id.org/ro/crate/1.1/context");
    // And the thread that large packages are read by (R9a).
    const payload = Array.from({ length: 800 }, (_, at) => ({
      path: `${"folder/".repeat(10)}${at}.txt`,
      bytes: `${at}`,
    }));
    const large = await fetch(`${repository}/sword/service-document`, {
      method: "POST",
      ...depositOf(token, smallCrate(payload)),
    });
    expect(large.status).toBe(201);
    const threads = /^arkstone_background_total\{work="packages",outcome="done"\} (\d+)$/m;
    expect(Number(threads.exec(await (await fetch(`${repository}/metrics`)).text())?.[1])).toBeGreaterThan(0);
    // And the process that reads files, with what it needs for Japanese PDFs (R35).
    const paper = smallCrate([{ path: "paper.pdf", bytes: predefinedCmapPdf("907d8f918ad9") }]);
    const read = await fetch(`${repository}/sword/service-document`, { method: "POST", ...depositOf(token, paper) });
    expect(read.status).toBe(201);
    await until(up, async () => {
      const answer = await fetch(`${repository}/api/v1/records?search_type=0&q=${encodeURIComponent("図書館")}`);
      return (await answer.json()).total_results === 1;
    });
    // And what the viewer of PDFs loads (Q.101).
    const frame = /data-files="([^"]+)"/.exec(await bodyOf(`${repository}/viewers/pdf`))?.[1] ?? "";
    for (const file of [
      "code/pdf.min.mjs",
      "code/pdf.worker.min.mjs",
      "wasm/openjpeg.wasm",
      "cmaps/Adobe-Japan1-UCS2.bcmap",
    ])
      expect((await bodyOf(`${repository}${frame}${file}`)).length).toBeGreaterThan(10_000);
    for (const base of [minter, resolver, repository]) {
      expect(JSON.parse(await bodyOf(`${base}/api/openapi.json`)).openapi).toBe("3.1.0");
      for (const page of ["docs", "redoc"]) {
        const html = await bodyOf(`${base}/api/${page}`);
        for (const [, file = ""] of html.matchAll(/(?:src|href)="([^":]+\.(?:js|css))"/g)) {
          expect((await bodyOf(`${base}/api/${file}`)).length).toBeGreaterThan(50);
        }
      }
    }
    expect(await bodyOf(`${resolver}/`, "ja")).toContain('lang="ja"');
    expect(await bodyOf(`${repository}/`, "ja")).toContain('lang="ja"');
    expect(await bodyOf(`${resolver}/${ark}?info`)).toContain("A thing");
    up.child.kill("SIGTERM");
    expect(await up.ended).toBe(0);
  }, 60_000);

  test("neither .env nor bunfig.toml of the folder it is started in changes what it does", async () => {
    const planted = join(folder.path, "planted");
    mkdirSync(planted);
    writeFileSync(join(planted, ".env"), "SVC_TOKEN_ISSUER=planted\nSVC_AUTH=nonsense\n");
    writeFileSync(join(planted, ".env.production"), "SVC_TOKEN_ISSUER=planted\n");
    writeFileSync(join(planted, "preload.ts"), 'console.log("PRELOADED");');
    writeFileSync(join(planted, "bunfig.toml"), 'preload = ["./preload.ts"]\n[define]\n"x" = "1"\n');
    writeFileSync(join(planted, "package.json"), '{"name":"planted","version":"9.9.9","type":"commonjs"}');
    writeFileSync(join(planted, "tsconfig.json"), '{"compilerOptions":{"jsx":"broken"');
    const running = box.start(["settings", "--json"], {}, planted);
    expect(await running.ended).toBe(0);
    const { out, err } = running.output();
    expect(out + err).not.toContain("planted");
    expect(out + err).not.toContain("PRELOADED");
    const settings: { name: string; value: string }[] = JSON.parse(out);
    expect(settings.find(({ name }) => name === "SVC_TOKEN_ISSUER")?.value).toBe("arkstone");
  });
});
