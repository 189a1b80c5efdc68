// The findings of schema languages about a document, by the installed judges: xmllint, and jing for RelaxNG. Where
// there is none the caller reports it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ATOM = join(import.meta.dirname, "..", "vectors", "atom.rng");

const installed = (command: string, ...args: string[]): boolean => spawnSync(command, args).error === undefined;

const JUDGES: Readonly<Record<string, (file: string) => readonly string[]>> = {
  jing: (file) => [ATOM, file],
  xmllint: (file) => ["--nonet", "--noout", "--relaxng", ATOM, file],
};
const present = Object.keys(JUDGES).filter((command) => installed(command, "--version"));
export const hasAtomJudge = present.length > 0;

/** What is wrong with an Atom document, by every judge there is; nothing is "". */
export function atomErrors(document: string): string {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-atom-"));
  try {
    const file = join(folder, "feed.xml");
    writeFileSync(file, document);
    return present
      .map((command) => {
        const { status, stdout, stderr } = spawnSync(command, JUDGES[command]?.(file) ?? [], { encoding: "utf8" });
        return status === 0 ? "" : `${command}: ${stdout}${stderr}`;
      })
      .join("");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
