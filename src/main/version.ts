// The version of the program, from package.json: the one source for `arkstone --version`, /healthz, the interface
// description of the repository, tool servers and user agents. `--version` adds commit and runtime; a build embeds the
// commit (src/main/release/build.ts), from source git reports it.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import project from "../../package.json" with { type: "json" };

/** Replaced by a text when the binary is built; from source there is no such name. */
declare const ARKSTONE_COMMIT: string | undefined;

type Version = {
  readonly version: string;
  /** `unknown` where there is neither a build nor a repository. */
  readonly commit: string;
  /** Such as `bun 1.4.4`. */
  readonly runtime: string;
  /** Such as `linux-x64`. */
  readonly platform: string;
};

/** The version of the release, such as `0.1.0`. */
export const PROGRAM_VERSION: string = project.version;

/** Sent as User-Agent to every server that the program calls. */
export const USER_AGENT = `Arkstone/${PROGRAM_VERSION}`;

export function versionOf(): Version {
  return {
    version: PROGRAM_VERSION,
    commit: typeof ARKSTONE_COMMIT === "string" ? ARKSTONE_COMMIT : commitOfSource(),
    runtime: runtimeName(process.versions),
    platform: `${process.platform}-${process.arch}`,
  };
}

/** One line: `arkstone 0.1.0 (commit 0123456789ab, bun 1.4.4, linux-x64)`. */
export function versionLine({ version, commit, runtime, platform }: Version = versionOf()): string {
  return `arkstone ${version} (commit ${commit}, ${runtime}, ${platform})`;
}

/** The commit of this source, with a `+` where files differ from it; `unknown` where git does not know. */
export function commitOfSource(): string {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  if (!existsSync(new URL("../../.git", import.meta.url))) return "unknown";
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    const commit = git("rev-parse", "--short=12", "HEAD");
    return git("status", "--porcelain", "--untracked-files=no") === "" ? commit : `${commit}+`;
  } catch {
    // No git, or not permitted to start it.
    return "unknown";
  }
}

function runtimeName(versions: Readonly<Record<string, string | undefined>>): string {
  for (const name of ["bun", "deno", "node"]) if (versions[name] !== undefined) return `${name} ${versions[name]}`;
  return "unknown runtime";
}
