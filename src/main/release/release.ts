// `bun run release`: the files of a release in one folder: binaries for each target, their licences, the bill of
// materials, and checksums over all (docs/releasing.md). It publishes nothing. Run by Bun, whose compiler it calls; not
// part of the service.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { commitOfSource, PROGRAM_VERSION } from "../version.ts";
import { build, fileFor, prepareBuild, TARGETS, type Target } from "./build.ts";
import { sbomOf } from "./sbom.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const SUMS = "SHA256SUMS";
/** Those of a release; `bun run build --all` makes more. */
export const RELEASE_TARGETS = ["linux-x64", "linux-arm64", "darwin-arm64", "windows-x64"] as const satisfies Target[];

export type ReleaseState = {
  readonly version: string;
  readonly changelog: string;
  /** What `git status --porcelain` prints. */
  readonly changes: string;
  /** The commit of the tag of this version; null where there is no such tag. */
  readonly tagged: string | null;
  readonly head: string;
};

/** Why this source must not be released, one sentence each; empty when it may. */
export function releaseProblems({ version, changelog, changes, tagged, head }: ReleaseState): readonly string[] {
  const heading = new RegExp(`^## ${version.replaceAll(".", "\\.")}, \\d{4}-\\d{2}-\\d{2}$`, "m");
  return [
    ...(changes.trim() === "" ? [] : ["Files differ from the last commit: commit or remove them"]),
    ...(heading.test(changelog) ? [] : [`CHANGELOG.md has no line "## ${version}, YYYY-MM-DD"`]),
    ...(tagged === null || tagged === head ? [] : [`The tag v${version} is on another commit: raise the version`]),
  ];
}

/** `hash  name` lines over every file of the folder, as `sha256sum --check` reads them. */
export function checksums(folder: string): string {
  const names = readdirSync(folder).filter((name) => name !== SUMS);
  const line = (name: string): string =>
    `${createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex")}  ${name}\n`;
  return names.sort().map(line).join("");
}

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync("git", ["-C", ROOT, ...args], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

function stateOfSource(): ReleaseState {
  return {
    version: PROGRAM_VERSION,
    changelog: readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"),
    changes: git("status", "--porcelain") ?? "no repository",
    tagged: git("rev-parse", "--verify", "--quiet", `v${PROGRAM_VERSION}^{commit}`),
    head: git("rev-parse", "HEAD") ?? "",
  };
}

/** The time of the commit, so that the same commit gives the same file; now, where git does not know it. */
const commitTime = (): string => new Date(git("show", "-s", "--format=%cI", "HEAD") ?? Date.now()).toISOString();

const USAGE = `Usage: bun run release [--target TARGET]... [--outdir FOLDER] [--draft]

Writes binaries (${RELEASE_TARGETS.join(", ")}), licences, the bill of materials and ${SUMS} to
dist/release, which it empties first. --draft skips the checks of tag, changelog and uncommitted files.
Targets: ${TARGETS.join(", ")}.
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      target: { type: "string", multiple: true, default: [] },
      outdir: { type: "string", default: join(ROOT, "dist", "release") },
      draft: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const unknown = values.target.filter((name) => !TARGETS.some((target) => target === name));
  if (values.help || unknown.length > 0) {
    process.stderr.write(`${unknown.map((name) => `Unknown target "${name}"\n`).join("")}${USAGE}`);
    return unknown.length > 0 ? 2 : 0;
  }
  const problems = values.draft ? [] : releaseProblems(stateOfSource());
  if (problems.length > 0) {
    process.stderr.write(`Cannot release ${PROGRAM_VERSION}:\n${problems.map((each) => `- ${each}\n`).join("")}`);
    return 1;
  }
  const targets = values.target.length === 0 ? RELEASE_TARGETS : TARGETS.filter((each) => values.target.includes(each));
  return (await writeRelease(values.outdir, targets)) ? 0 : 1;
}

/** False where a target cannot be built: then there are no checksums either, so that nobody publishes a part. */
async function writeRelease(folder: string, targets: readonly Target[]): Promise<boolean> {
  const name = `arkstone-${PROGRAM_VERSION}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await prepareBuild();
  const commit = commitOfSource();
  for (const target of targets) {
    if (!build({ outfile: join(folder, fileFor(name, target)), commit, target })) return false;
  }
  copyFileSync(join(ROOT, "src", "assets", "licences.txt"), join(folder, `${name}-licences.txt`));
  const bill = sbomOf({ timestamp: commitTime(), bun: process.versions.bun ?? "" });
  writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(bill, null, 1)}\n`);
  writeFileSync(join(folder, SUMS), checksums(folder));
  process.stdout.write(`${folder}: ${readdirSync(folder).length} files. What follows is in docs/releasing.md\n`);
  return true;
}

if (import.meta.main) process.exitCode = await main();
