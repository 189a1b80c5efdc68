// The examples (examples/) against running services (R37): each makes a draft with a file, publishes, searches,
// harvests and mints; the client as a package on Bun, Deno, Node.js and in Chromium.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";
import { setUpWorld } from "../support/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const world = setUpWorld({ repository: { env: { SVC_ALLOWED_HOSTS: "127.0.0.1" } } });
const names = setUpWorld({ names: { file: true } });
const folder = temporaryFolder("client-package");
const servers: Server[] = [];
let env: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  for (const fetch of [world.handler, names.minter({ SVC_ALLOWED_HOSTS: "127.0.0.1" })]) {
    servers.push(serve({ fetch, host: "127.0.0.1", port: 0, sharePort: false, clientSeconds: 30 }));
  }
  env = {
    REPOSITORY_URL: servers[0]?.url ?? "",
    REPOSITORY_TOKEN: world.people.registered.token,
    MINTER_URL: servers[1]?.url ?? "",
    MINTER_TOKEN: await names.key("examples"),
  };
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop(100)));
  folder.remove();
});

const works = (command: readonly string[]): boolean =>
  spawnSync(command[0] ?? "", command.slice(1), { stdio: "ignore" }).status === 0;

/** Each with a command that fails where it cannot be run here. */
const EXAMPLES = [
  ["typescript", [process.execPath, "typescript/example.ts"], [process.execPath, "--version"]],
  ["python", ["python3", "python/example.py"], ["python3", "-c", "import requests"]],
  ["r", ["Rscript", "r/example.R"], ["Rscript", "-e", "library(httr2); library(jsonlite)"]],
  ["curl", ["bash", "curl/example.sh"], ["curl", "--version"]],
] as const;

/** What an example printed, by the first word of each line. */
function printed(output: string): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const line of output.split("\n")) {
    const [word = "", ...rest] = line.trim().split(" ");
    found[word] = [...(found[word] ?? []), rest.join(" ")];
  }
  return found;
}

describe("examples", () => {
  for (const [name, command, probe] of EXAMPLES) {
    const isHere = works(probe);
    if (!isHere) console.error(`examples/${name} is not run: ${probe.join(" ")} fails`);
    test.skipIf(!isHere)(`R37 the example in ${name} publishes, searches, harvests and mints`, async () => {
      // Harvesters are shown what is older than the present second.
      world.time.now = addMilliseconds(world.time.now, 60_000);
      const { code, output } = await run([...command], { cwd: join(ROOT, "examples"), env });
      expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
      const { uploaded = [], published: [id = ""] = [], found, harvested, minted, refused } = printed(output);
      expect(uploaded[0]).toMatch(/tides\.csv md5:[0-9a-f]{32}$/);
      expect(found).toEqual([id]);
      expect(harvested).toContain(`oai:repo.example.org:${id.padStart(8, "0")}`);
      expect(minted?.[0]).toMatch(/^ark:99999\//);
      expect(refused?.[0]).toStartWith("body.url: ");
      expect((await world.item(Number(id))).content?.metadata.titles[0]?.value).toStartWith("Tides of the north, ");
    });
  }
});

/** Compiles as strictly as there is, with the types of the libraries checked too. */
const STRICT = {
  ...{ target: "ES2023", module: "NodeNext", lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], types: [] },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
};

describe("the client as a package", () => {
  const own = join(folder.path, "node_modules", "@arkstone", "client");
  const tsc = (...args: readonly string[]) => run([join(ROOT, "node_modules/.bin/tsc"), ...args], { cwd: folder.path });

  beforeAll(async () => {
    mkdirSync(own, { recursive: true });
    copyFileSync(join(ROOT, "client", "package.json"), join(own, "package.json"));
    const built = await tsc("--project", join(ROOT, "client"), "--outDir", join(own, "dist"));
    expect([built.code, built.output]).toEqual([0, ""]);
    copyFileSync(join(ROOT, "examples/typescript/example.ts"), join(folder.path, "example.ts"));
    writeFileSync(join(folder.path, "package.json"), JSON.stringify({ type: "module" }));
    const options = { compilerOptions: { ...STRICT, rootDir: ".", outDir: "out" }, files: ["example.ts"] };
    writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify(options));
  });

  test("R37 a program that creates, uploads, publishes, searches and mints compiles strictly against it alone", async () => {
    const { code, output } = await tsc("--project", ".");
    expect([code, output]).toEqual([0, ""]);
    const wrong =
      'import { repositoryClient } from "@arkstone/client";\nconst client = repositoryClient({ url: "x" });\n';
    writeFileSync(join(folder.path, "wrong.ts"), `${wrong}await client.readPublishedRecord({ path: { key: 1 } });\n`);
    const refused = await tsc("--ignoreConfig", "--module", "nodenext", "--noEmit", "wrong.ts");
    expect([refused.code === 0, refused.output]).toEqual([false, expect.stringContaining("wrong.ts(3,")]);
  });

  const deno = join(ROOT, "node_modules/.bin/deno");
  // Scripts of package.json put a `node` that is Bun in front of the PATH (bunfig.toml).
  const folders = (process.env.PATH ?? "").split(":").filter((path) => !path.includes("/bun-node-"));
  const node = folders.map((path) => join(path, "node")).find((path) => existsSync(path)) ?? "node";
  const RUNTIMES = [
    ["Bun", [process.execPath]],
    ["Node.js", [node]],
    ["Deno", [deno, "run", "--no-prompt", "--node-modules-dir=manual", "--allow-net", "--allow-env"]],
  ] as const;
  test.skipIf(!works([node, "--version"]))("R37 what is taken for Node.js is not Bun under its name", async () => {
    expect((await run([node, "-p", "process.versions['bun']"])).output).toBe("undefined\n");
  });

  for (const [name, command] of RUNTIMES) {
    const isHere = works([command[0], "--version"]);
    if (!isHere) console.error(`The client is not run on ${name}: ${command[0]} is missing`);
    test.skipIf(!isHere)(`R37 the program runs on ${name}`, async () => {
      const { code, output } = await run([...command, join("out", "example.js")], { cwd: folder.path, env });
      expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
      const { published: [id = ""] = [], found, minted } = printed(output);
      expect([id === "", found, minted?.length]).toEqual([false, [id], 1]);
    });
  }

  test.skipIf(!hasBrowser)("R37 it uploads a file in parts and publishes in Chromium", async () => {
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const base = env.REPOSITORY_URL ?? "";
      await page.route(`${base}/client/**`, (route) => {
        const path = new URL(route.request().url()).pathname.slice("/client/".length);
        return path === ""
          ? route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Client</title>" })
          : route.fulfill({ contentType: "text/javascript", path: join(own, "dist", path) });
      });
      await page.goto(`${base}/client/`);
      const [id, progress] = await page.evaluate<[string, number[]]>(`(async (token) => {
        const { repositoryClient, uploadFile } = await import("/client/client.js");
        const client = repositoryClient({ url: location.origin, token });
        const metadata = {
          title: "From a browser", publication_date: "2026-05-06", publisher: "Example", resource_type: { id: "dataset" },
          creators: [{ person_or_org: { type: "personal", family_name: "Doe", given_name: "Ada" } }],
        };
        const { id } = await client.createRecordDraft({ body: { files: { enabled: true }, metadata } });
        const file = new File([new Uint8Array(5242880), "the end"], "large.bin");
        const progress = [];
        const onProgress = ({ sentBytes }) => progress.push(sentBytes);
        await uploadFile(client, { id, key: file.name, file, partBytes: 5242880, inParallel: 1, onProgress }).done;
        await client.publishRecordDraft({ path: { id } });
        return [id, progress];
      })(${JSON.stringify(env.REPOSITORY_TOKEN)})`);
      expect(progress).toEqual([0, 5_242_880, 5_242_887]);
      const { content } = await world.item(Number(id));
      expect(content?.metadata.titles[0]?.value).toBe("From a browser");
    } finally {
      await browser.close();
    }
  });

  test("R37 its files import each other alone", () => {
    const files = readdirSync(join(own, "dist"), { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".js"),
    );
    expect(files).toContain(join("generated", "repository.js"));
    const imported = files.flatMap((path) => new Bun.Transpiler().scanImports(readFileSync(join(own, "dist", path))));
    expect(imported.filter(({ path }) => !path.startsWith("./") && !path.startsWith("../"))).toEqual([]);
  });
});
