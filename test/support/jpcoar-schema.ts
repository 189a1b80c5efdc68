// The JPCOAR 2.0 schema and samples outside the project, and xmllint, which validates by the schema. Where either is
// missing the caller reports it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const FOLDER = join(
  process.env.ARKSTONE_SHARED ?? join(import.meta.dirname, "..", "..", "..", "shared"),
  "data/jpcoar-2.0",
);
const SCHEMA = join(FOLDER, "xsd", "jpcoar_scm.xsd");

export const hasJpcoarData = existsSync(SCHEMA);
export const hasXmllint = spawnSync("xmllint", ["--version"]).status === 0;

export function jpcoarSamples(): { readonly name: string; readonly xml: Uint8Array }[] {
  const folder = join(FOLDER, "samples");
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, xml: new Uint8Array(readFileSync(join(folder, name))) }));
}

/** What xmllint finds wrong with documents, by the schema: nothing is "". All documents go in one run. */
export function schemaErrors(documents: readonly (string | Uint8Array)[]): string {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-jpcoar-"));
  try {
    const files = documents.map((document, index) => {
      const file = join(folder, `${index}.xml`);
      writeFileSync(file, document);
      return file;
    });
    const { status, stderr } = spawnSync("xmllint", ["--nonet", "--noout", "--schema", SCHEMA, ...files], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    return status === 0
      ? ""
      : stderr
          .split("\n")
          .filter((line) => line.includes("error"))
          .join("\n") || `xmllint ended with ${status}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
