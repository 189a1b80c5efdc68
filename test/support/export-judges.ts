// The findings of public schemas about exported documents (R38), many documents in one run: xmllint with the schemas of
// test/vectors/exports, MARC::Lint, and the shapes of DCAT-AP. Judges that are not installed are named by the caller,
// who skips them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const exportVector = (name: string): string => join(import.meta.dirname, "..", "vectors", "exports", name);

export const hasXmllint = spawnSync("xmllint", ["--version"]).status === 0;
export const hasMarcLint = spawnSync("perl", ["-MMARC::Lint", "-MMARC::File::XML", "-e", "1"]).status === 0;

/** Arguments of one process: thousands of paths fit. */
const BATCH = 2_000;

/** The findings of a judge about documents in files: the lines it wrote. */
function judged<T>(documents: readonly string[], judge: (files: readonly string[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-exports-"));
  try {
    const files = documents.map((document, index) => {
      const file = join(folder, `${index}.xml`);
      writeFileSync(file, document);
      return file;
    });
    return judge(files);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Nothing is "". */
export function xsdErrors(schema: string, documents: readonly string[]): string {
  return judged(documents, (files) => {
    const found: string[] = [];
    for (let at = 0; at < files.length; at += BATCH) {
      const args = ["--nonet", "--noout", "--huge", "--schema", exportVector(schema), ...files.slice(at, at + BATCH)];
      const { status, stderr } = spawnSync("xmllint", args, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
      if (status !== 0)
        found.push(...stderr.split("\n").filter((line) => /error|failed/i.test(line)), `status ${status}`);
    }
    return found
      .slice(0, 20)
      .map((line) => line.slice(0, 500))
      .join("\n");
  });
}

const LINT = `
use MARC::File::XML (BinaryEncoding => 'utf8', RecordFormat => 'MARC21'); use MARC::Lint; use MARC::Batch;
binmode STDOUT, ':utf8';
my $batch = MARC::Batch->new('XML', $ARGV[0]); my $lint = MARC::Lint->new; my $count = 0;
while (my $record = $batch->next) { $lint->check_record($record); print "$count: $_\\n" for $lint->warnings; $count++ }
print "records $count\\n";`;

/** The findings of MARC::Lint about records, a line each; and how many it read. */
export function lintMarc(documents: readonly string[]): {
  readonly read: number;
  readonly warnings: readonly string[];
} {
  const collection = documents.map((document) => document.replace(/^<\?xml[^>]*\?>\s*/, "")).join("\n");
  return judged([`<collection xmlns="http://www.loc.gov/MARC21/slim">${collection}</collection>`], ([file = ""]) => {
    const { stdout } = spawnSync("perl", ["-e", LINT, file], { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
    const lines = stdout.split("\n").filter((line) => line !== "");
    return { read: Number(/^records (\d+)$/.exec(lines.at(-1) ?? "")?.[1] ?? 0), warnings: lines.slice(0, -1) };
  });
}
