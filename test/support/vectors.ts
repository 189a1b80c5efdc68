// Vectors: text files under test/vectors, one case a line, fields between tabs, `#` for comments. `\u2010` and `\n` are
// read as in JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function vectors(file: string): string[][] {
  const lines = readFileSync(join(import.meta.dirname, "..", "vectors", file), "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("\t").map(field));
}

function field(text: string): string {
  const value: unknown = JSON.parse(`"${text.replaceAll('"', '\\"')}"`);
  return String(value);
}
