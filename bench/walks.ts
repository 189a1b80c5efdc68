// How many files a request runs through: the files of which a function is called between a request and its answer, each
// request made a second time, so that what is loaded or kept once is not counted. V8 counts the calls, so this runs on
// Deno. `--help` shows the options.
import { spawnSync } from "node:child_process";
import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Handler } from "../plugins/http/frame.ts";

const HELP = `bun bench/walks.ts [--files] [NAME …]

How many files of src, db and plugins run between a request and its answer, and how many of them in each folder.

NAME     mint, redirect, description, deposit, draft, publish, get_record, "landing page", search; all if omitted
--files  lists the files`;

/** Called by a timer, not by requests. */
const TIMERS = ["src/main/process/event-loop.ts"];

const ROOT = join(import.meta.dirname, "..");

/** One request, made as often as it is called; the answer's status is checked. */
type Walk = { readonly status: number; readonly ask: () => Promise<{ readonly status: number }> };

async function walksOfNames(): Promise<Readonly<Record<string, Walk>>> {
  const { ask, namesWorld } = await import("../test/support/world/names.ts");
  const world = await namesWorld({ file: true });
  const minter = world.minter();
  const key = await world.key("walks");
  const headers = { authorization: `Bearer ${key}` };
  const mint = (title: string) =>
    ask(minter, "POST", "/api/mint", { headers, body: { url: "https://example.org/thing", title } });
  const ark = String((await mint("First")).json.ark);
  const { handler } = await world.resolver();
  const resolver: Handler = handler;
  return {
    mint: { status: 201, ask: () => mint("Thing") },
    redirect: { status: 302, ask: () => ask(resolver, "GET", `/${ark}`) },
    description: { status: 200, ask: () => ask(resolver, "GET", `/${ark}?info`) },
  };
}

async function walksOfItems(): Promise<Readonly<Record<string, Walk>>> {
  const { cratePackage } = await import("../test/support/deposit-requests.ts");
  const { RECORD, recordCalls } = await import("../test/support/record-calls.ts");
  const { recidOf, repositoryWorld } = await import("../test/support/world/repository.ts");
  const world = await repositoryWorld({});
  const item = recidOf(await world.deposit("registered", cratePackage()));
  const json = { "content-type": "application/json" };
  const call = (name: string, args: object) =>
    world.ask(null, "POST", "/mcp", {
      headers: { ...json, accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    });
  const draft = () => world.ask("registered", "POST", "/api/records", { headers: json, body: JSON.stringify(RECORD) });
  // A draft to publish each time; made before, because its own way is not counted.
  const drafts: string[] = [];
  for (let made = 0; made < 3; made++) drafts.push(await recordCalls(world).create("registered"));
  return {
    deposit: { status: 201, ask: () => world.deposit("registered", cratePackage()) },
    draft: { status: 201, ask: draft },
    publish: {
      status: 202,
      ask: () => world.ask("registered", "POST", `/api/records/${drafts.pop()}/draft/actions/publish`),
    },
    get_record: { status: 200, ask: () => call("get_record", { recid: String(item) }) },
    "landing page": { status: 200, ask: () => world.ask(null, "GET", `/records/${item}`) },
    search: { status: 200, ask: () => world.ask(null, "GET", "/api/v1/records?sort=wtl") },
  };
}

/** Files whose functions are called while `work` runs, from the root of the project. */
async function filesOf(session: Session, work: () => Promise<unknown>): Promise<readonly string[]> {
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const called = result.filter(
    ({ url, functions }) =>
      url.startsWith("file:") &&
      functions.some(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0),
  );
  return called
    .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    .filter((path) => /^(?:src|db|plugins)\//.test(path) && !TIMERS.includes(path))
    .sort();
}

async function measure(names: readonly string[], listsFiles: boolean): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const walks = { ...(await walksOfNames()), ...(await walksOfItems()) };
  for (const [name, { status, ask }] of Object.entries(walks)) {
    if (names.length > 0 && !names.includes(name)) continue;
    await ask();
    let answered = 0;
    const files = await filesOf(session, async () => {
      answered = (await ask()).status;
    });
    if (answered !== status) throw new Error(`"${name}" was answered ${answered} instead of ${status}`);
    const folders = Map.groupBy(files, (path) =>
      path
        .split("/")
        .slice(0, path.startsWith("src/repository/") ? 3 : 2)
        .join("/"),
    );
    const parts = [...folders].map(([folder, within]) => `${folder} ${within.length}`);
    console.log(`${name}: ${files.length} files (${parts.join(", ")})`);
    if (listsFiles) for (const path of files) console.log(`  ${path}`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: "boolean" }, help: { type: "boolean", short: "h" } },
});
if (values.help === true) console.log(HELP);
else if ("Deno" in globalThis) {
  await measure(positionals, values.files === true);
  process.exit(0);
} else {
  const deno = join(ROOT, "node_modules", ".bin", "deno");
  const { status } = spawnSync(deno, ["run", "--allow-all", "--no-check", "--quiet", ...process.argv.slice(1)], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}
