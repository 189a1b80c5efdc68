// What Arkstone is made of besides itself: every package with its version and licence, read from what is installed.
// Bun's bundler reports which of them are in the binary, so Bun has to run this.
// `bun test/dependencies.ts --write` writes docs/dependencies.md; without it the text goes to standard output.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { bundledFolders } from "../src/main/release/licences.ts";

const ROOT = join(import.meta.dirname, "..");
export const FILE = join(ROOT, "docs", "dependencies.md");

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

export type Package = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly direct: boolean;
  /** In the binary; brought along by what is in it, but not needed; or a tool of those who work on it. */
  readonly part: Part;
};
const PARTS = ["binary", "unbundled", "tool"] as const;
type Part = (typeof PARTS)[number];

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Where a package asked for from `folder` is installed, as runtimes resolve it; null when it is not. */
function installed(name: string, folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (at === ROOT || at === dirname(at)) return null;
  }
}

/**
 * Everything reachable from these names, by folder. Packages meant for another system are not installed and not
 * counted.
 */
function reachable(names: readonly string[]): Map<string, Manifest> {
  const found = new Map<string, Manifest>();
  const visit = (name: string, from: string): void => {
    const folder = installed(name, from);
    if (folder === null || found.has(folder)) return;
    const manifest = manifestOf(folder);
    found.set(folder, manifest);
    const wanted = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
    for (const next of Object.keys(wanted)) if (!isForOneSystem(next)) visit(next, folder);
  };
  for (const name of names) visit(name, ROOT);
  return found;
}

/**
 * Programs built for one system and processor, such as `@deno/linux-x64-glibc`: the list must not depend on where it is
 * made.
 */
function isForOneSystem(name: string): boolean {
  return /(?:linux|darwin|win32|windows|android|freebsd|openbsd|netbsd|aix|sunos)-?(?:x64|x86_64|arm64|aarch64|arm|ia32)?|fsevents/.test(
    name,
  );
}

function licenceOf({ license, licenses }: Manifest): string {
  if (typeof license === "string") return license;
  return license?.type ?? licenses?.map(({ type }) => type ?? "?").join(" OR ") ?? "not stated";
}

/** What is in the binary first, each part by name and version. */
export function packages(): Package[] {
  const { dependencies = {}, devDependencies = {} } = manifestOf(ROOT);
  const names = Object.keys(dependencies);
  const runtime = reachable(names);
  const all = reachable([...names, ...Object.keys(devDependencies)]);
  const direct = new Set([...names, ...Object.keys(devDependencies)].map((name) => installed(name, ROOT)));
  const inside = new Set(bundledFolders().map((folder) => manifestOf(join(ROOT, folder)).name));
  return [...all]
    .map(([folder, manifest]): Package => {
      const part = inside.has(manifest.name) ? "binary" : runtime.has(folder) ? "unbundled" : "tool";
      const { name, version } = manifest;
      return { name, version, licence: licenceOf(manifest), direct: direct.has(folder), part };
    })
    .toSorted(
      (a, b) =>
        PARTS.indexOf(a.part) - PARTS.indexOf(b.part) || compare(a.name, b.name) || compare(a.version, b.version),
    );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function licenceTable(list: readonly Package[]): string {
  const counts = new Map<string, number>();
  for (const { licence } of list) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  const rows = [...counts].toSorted(([a, x], [b, y]) => y - x || compare(a, b));
  return ["| licence | packages |", "|---|---|", ...rows.map(([licence, count]) => `| ${licence} | ${count} |`)].join(
    "\n",
  );
}

function packageTable(list: readonly Package[]): string {
  const rows = list.map(
    ({ name, version, licence, direct }) => `| ${name} | ${version} | ${licence} | ${direct ? "yes" : ""} |`,
  );
  return ["| package | version | licence | named by us |", "|---|---|---|---|", ...rows].join("\n");
}

const count = (list: readonly Package[]): string =>
  `${list.length} packages (${list.filter((each) => each.direct).length} named in \`package.json\`)`;

/** The text of docs/dependencies.md. */
export function dependenciesText(list: readonly Package[]): string {
  const of = (part: Part): Package[] => list.filter((each) => each.part === part);
  const section = (title: string, part: Part, text: string): string =>
    `## ${title}\n\n${text}\n\n${licenceTable(of(part))}\n\n${packageTable(of(part))}\n`;
  return `# What Arkstone is made of

Made by \`bun test/dependencies.ts --write\` from the packages as they are installed; a test fails when it is out of date.

- **In the binary: ${count(of("binary"))}**, and Bun itself (MIT, with the parts its own licence file names).
- Data in the binary: Adobe's CMaps, by which PDFs of Chinese, Japanese and Korean are read (BSD-3-Clause, \`src/assets/cmaps/LICENSE\`).
- Brought along by those, but not in it: ${count(of("unbundled"))}.
- Tools of those who work on Arkstone: ${count(of("tool"))}. Programs a tool brings for one operating system are not counted.

${section("In the binary", "binary", "What the bundler takes into the program.")}
${section(
  "Brought along",
  "unbundled",
  "Nothing of these is in the program as a package. Most belong to Redoc, whose ready-made script for the page `/api/redoc` holds parts of some of them; its own notice is `redoc.standalone.js.LICENSE.txt`. The rest are types, and entry points of packages that we do not use.",
)}
${section("Tools", "tool", "For the check, the tests and the interface description; neither in the binary nor in the container.")}`;
}

if (import.meta.main) {
  const text = dependenciesText(packages());
  if (process.argv.includes("--write")) writeFileSync(FILE, text);
  else process.stdout.write(text);
}
