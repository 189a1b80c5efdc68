// Collects the licences of everything in the binary into one text, which `arkstone licences` prints: `bun
// src/main/release/licences.ts` writes src/assets/licences.txt. Run by the build, as Bun's bundler knows what is in the
// binary; not part of the service, and not in git.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const FILE = join(ROOT, "src", "assets", "licences.txt");
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)|\.licen[cs]e(?:\.txt)?$/i;

/** Packages of which files are packed as data (src/main/pages/pdf-frame-files.ts). */
const PACKED_FOLDERS: readonly string[] = ["node_modules/pdfjs-dist"];

type Manifest = { readonly name: string; readonly version: string; readonly license?: unknown };

/** Folders of the packages of which the bundler takes something into the program, in order of their names. */
export function bundledFolders(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-bundle-"));
  try {
    const metafile = join(folder, "meta.json");
    const flags = ["--target=bun", "--production", "--outdir", folder, `--metafile=${metafile}`];
    const { status, stdout, stderr } = spawnSync(process.execPath, ["build", ...flags, "src/main/cli.ts"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    const { outputs }: { outputs: Record<string, { inputs: Record<string, unknown> }> } = JSON.parse(
      readFileSync(metafile, "utf8"),
    );
    const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
    return [...new Set([...inputs.flatMap((path) => packageFolder(path) ?? []), ...PACKED_FOLDERS])].sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * `node_modules/@scope/name` of a file in it, the innermost where packages bring their own; null outside of packages.
 */
function packageFolder(path: string): string | null {
  const parts = path.split("/");
  const at = parts.lastIndexOf("node_modules");
  return at === -1 ? null : parts.slice(0, at + (parts[at + 1]?.startsWith("@") ? 3 : 2)).join("/");
}

/** One package: its name, version and stated licence, then the text of every licence file it ships. */
function licenceOf(folder: string): string {
  const path = join(ROOT, folder);
  const { name, version, license }: Manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const nested = ["", "bundles", "standard_fonts", "wasm"]
    .map((part) => join(path, part))
    .filter((each) => existsSync(each));
  const texts = nested.flatMap((each) =>
    readdirSync(each)
      .filter((file) => LICENCE_FILE.test(file))
      .map((file) => readFileSync(join(each, file), "utf8").trim()),
  );
  const stated = typeof license === "string" ? license : "see below";
  return [
    `${name} ${version} (${stated})`,
    ...(texts.length > 0 ? texts : ["The package ships no licence text."]),
  ].join("\n\n");
}

function licencesText(): string {
  const parts = [
    `Arkstone\n\n${readFileSync(join(ROOT, "LICENSE"), "utf8").trim()}`,
    "Bun, the runtime inside the binary (MIT, with the parts that its own licence page names: https://bun.sh/docs/project/licensing)",
    `Adobe CMaps (BSD-3-Clause)\n\n${readFileSync(join(ROOT, "src/assets/cmaps/LICENSE"), "utf8").trim()}`,
    ...bundledFolders().map(licenceOf),
  ];
  return `${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Writes the text to where `arkstone licences` loads it from. */
export function writeLicences(): void {
  // The program refers to the file, so that the bundler needs one before it can list what the file has to name.
  if (!existsSync(FILE)) writeFileSync(FILE, "");
  writeFileSync(FILE, licencesText());
}

if (import.meta.main) writeLicences();
