// Bundles the scripts of pages (R40, P.1 to P.4): each file of src/pages/scripts is one script, minified, with what it
// imports. The result, src/assets/page-scripts.json, is not in git: it is written with the interface descriptions, by
// `up`, `build`, `check` and `bun test`. Run by Bun, whose bundler it calls; nothing here is part of the service.
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const FOLDER = join(import.meta.dirname, "..", "..", "pages", "scripts");
export const BUNDLED_SCRIPTS = new URL("../../assets/page-scripts.json", import.meta.url);

/** The entry points by name. What several of them import is in folders inside. */
const entryPoints = (): readonly string[] =>
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map(({ name }) => name.slice(0, -".ts".length))
    .sort();

async function bundle(name: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(FOLDER, `${name}.ts`)],
    target: "browser",
    format: "esm",
    minify: true,
  });
  return (await Promise.all(built.outputs.map((output) => output.text()))).join("");
}

/** Writes all scripts. The file is replaced as a whole, for other processes may read it meanwhile. */
export async function bundleScripts(): Promise<void> {
  const scripts: Record<string, string> = {};
  for (const name of entryPoints()) scripts[name] = await bundle(name);
  const unfinished = new URL(`${BUNDLED_SCRIPTS.href}.${process.pid}`);
  writeFileSync(unfinished, JSON.stringify(scripts));
  try {
    renameSync(unfinished, BUNDLED_SCRIPTS);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
