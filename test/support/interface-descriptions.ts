// Generates the interface descriptions, the types of the client and the scripts of pages before the first test where a
// source file is newer than they are, so that plain `bun test` needs no step before it (bunfig.toml).
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { areScriptsStale, bundleScripts } from "../../src/main/pages/page-scripts.ts";
import { packPdfFrame } from "../../src/main/pages/pdf-frame-files.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const changedAt = (path: string | URL): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// First, for what the pages import is what is there when they are loaded.
if (areScriptsStale()) await bundleScripts();
packPdfFrame();
const { GENERATED, writeDocuments } = await import("../../src/main/openapi/openapi.ts");

const oldest = Math.min(...GENERATED.map(changedAt));
const isStale = ["src", "plugins"].some((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).some(
    (path) => path.endsWith(".ts") && changedAt(join(ROOT, folder, path)) > oldest,
  ),
);
if (isStale) await writeDocuments();
