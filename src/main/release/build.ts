// `bun run build`: everything as one file, dist/arkstone; with --target the same for other machines (docs/install.md).
// Run by Bun, whose compiler it calls; nothing here is part of the service.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { writeDocuments } from "../openapi/openapi.ts";
import { commitOfSource } from "../version.ts";
import { writeLicences } from "./licences.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const ENTRY = "src/main/cli.ts";
const MAIN = "src/main";
/** Threads are started from separate files, which the binary has to hold as well. */
const THREAD = /new Worker\(\s*new URL\("\.\/([\w-]+\.ts)", import\.meta\.url\)/g;

/** Machines the toolchain can build for. `baseline` runs on processors without AVX2, `musl` on Alpine. */
export const TARGETS = [
  "linux-x64",
  "linux-x64-baseline",
  "linux-arm64",
  "linux-x64-musl",
  "linux-x64-musl-baseline",
  "linux-arm64-musl",
  "darwin-arm64",
  "darwin-x64",
  "windows-x64",
] as const;
export type Target = (typeof TARGETS)[number];

/**
 * Neither `.env` nor `bunfig.toml` of the folder it is started in may change what it does; without --production the
 * compiler would write NODE_ENV "development" into it; with --bytecode it starts in half the time, for which modules
 * must stay modules.
 */
const FLAGS = [
  "--compile",
  "--production",
  "--minify",
  "--bytecode",
  "--format=esm",
  // Threads are resolved next to the entry: without it the common folder of the files counts, which Bun guesses wrong
  // where they are many.
  "--root=src/main",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

export type BuildOrder = {
  readonly outfile: string;
  readonly commit: string;
  /** Null: the machine it is built on. */
  readonly target: Target | null;
};

/** Every file that something in src/main starts a thread from. */
function threadFiles(): readonly string[] {
  const sources = readdirSync(join(ROOT, MAIN)).filter((name) => name.endsWith(".ts"));
  const started = sources.flatMap((name) => [...readFileSync(join(ROOT, MAIN, name), "utf8").matchAll(THREAD)]);
  return [...new Set(started.map((match) => `${MAIN}/${match[1]}`))].sort();
}

/** The arguments for Bun that make one binary. */
function buildArguments({ outfile, commit, target }: BuildOrder): readonly string[] {
  const where = target === null ? [] : [`--target=bun-${target}`];
  const define = ["--define", `ARKSTONE_COMMIT=${JSON.stringify(commit)}`];
  return ["build", ...FLAGS, ...where, ...define, ENTRY, ...threadFiles(), "--outfile", outfile];
}

/** The name of the file for a target; programs of Windows end in `.exe`. */
export const fileFor = (name: string, target: Target): string =>
  `${name}-${target}${target.startsWith("windows-") ? ".exe" : ""}`;

/** False where the compiler fails, which it reports on standard error. Needs what `prepareBuild` writes. */
export function build(order: BuildOrder): boolean {
  const began = performance.now();
  const { status, stderr, stdout } = spawnSync(process.execPath, buildArguments(order), {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (status !== 0) {
    process.stderr.write(`Cannot build ${order.outfile}:\n${stdout}${stderr}\n`);
    return false;
  }
  const megabytes = (statSync(order.outfile).size / 1e6).toFixed(1);
  process.stdout.write(`${order.outfile}  ${megabytes} MB, ${seconds} s, commit ${order.commit}\n`);
  return true;
}

/** Writes the files that are part of the binary and not in git. */
export async function prepareBuild(): Promise<void> {
  await writeDocuments();
  writeLicences();
}

const USAGE = `Usage: bun run build [--target TARGET]... [--all] [--outdir FOLDER] [--commit TEXT]

Without --target: dist/arkstone, for this machine. Targets: ${TARGETS.join(", ")}; --all builds each of them.
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      target: { type: "string", multiple: true, default: [] },
      all: { type: "boolean", default: false },
      outdir: { type: "string", default: join(ROOT, "dist") },
      commit: { type: "string", default: "" },
      help: { type: "boolean", default: false },
    },
  });
  const wanted = values.all ? [...TARGETS] : TARGETS.filter((target) => values.target.includes(target));
  const unknown = values.target.filter((name) => !TARGETS.some((target) => target === name));
  if (values.help || unknown.length > 0) {
    process.stderr.write(`${unknown.map((name) => `Unknown target "${name}"\n`).join("")}${USAGE}`);
    return unknown.length > 0 ? 2 : 0;
  }
  const commit = values.commit === "" ? commitOfSource() : values.commit;
  mkdirSync(values.outdir, { recursive: true });
  const orders: BuildOrder[] =
    wanted.length === 0
      ? [{ outfile: join(values.outdir, "arkstone"), commit, target: null }]
      : wanted.map((target) => ({ outfile: join(values.outdir, fileFor("arkstone", target)), commit, target }));
  await prepareBuild();
  // One that is not available (its runtime is fetched from the package registry) does not keep the others from being
  // built.
  const built = orders.map(build);
  return built.every(Boolean) ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
