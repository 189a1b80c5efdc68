// The table of names of arklet (`ark_ark`) and of its forks as CSV, as rows to import.
import { type Elements, type ForeignRow, foreignRow, leftovers } from "./foreign-name.ts";

/** Columns that mean here what they mean there. */
const SAME = ["url", "title", "type", "identifier", "format", "relation", "source", "who", "when"] as const;
const CARRIED: ReadonlySet<string> = new Set([
  ...[
    "ark",
    "naan_id",
    "naan",
    "shoulder",
    "assigned_name",
    "metadata",
    "commitment",
    "rights",
    "created_at",
    "updated_at",
  ],
  ...SAME,
]);

/** What is wrong with the columns, or null. */
export function arkletHeaderProblem(columns: readonly string[]): string | null {
  return columns.includes("ark") && columns.includes("url")
    ? null
    : 'The columns ark and url are missing: export the table with its header ("copy ark_ark to stdout csv header")';
}

/** One row. arklet knows no states: a name is public from the moment it is made. */
export function arkletName(row: Elements): ForeignRow {
  const fields = Object.fromEntries(SAME.map((field) => [field, row[field]?.trim() ?? ""]));
  const left = leftovers(row, CARRIED);
  const metadata = row.metadata ?? "";
  return foreignRow({
    ...fields,
    ark: keyOf(row),
    // One of the forks has renamed the column.
    commitment: row.commitment || row.rights || "",
    metadata: left === "" ? metadata : metadata === "" ? left : `${metadata}\n${left}`,
  });
}

/** `12345/b1xyz`, put together from its parts where the shoulder was entered without its slash. */
function keyOf(row: Elements): string {
  const ark = row.ark?.trim() ?? "";
  const naan = row.naan_id ?? row.naan ?? "";
  if (ark.includes("/") || naan === "") return ark;
  return `${naan}/${row.shoulder ?? ""}${row.assigned_name ?? ""}`;
}
