// Many rows in few statements of fixed text: compiled once, never built anew for each row.
import { fixedQuery, type Session } from "./dialect.ts";

export type Cell = string | number | null;
export type Column = { readonly name: string; readonly type: "text" | "bigint" };

export const text = (name: string): Column => ({ name, type: "text" });
export const number = (name: string): Column => ({ name, type: "bigint" });

/** Rows in one statement on SQLite. Few sizes, so that few statements are kept; 32,766 parameters are its limit. */
const CHUNKS = [256, 32, 4, 1] as const;

export type Written<Row> = { readonly rows: readonly Row[]; readonly lastId: number; readonly count: number };

/**
 * A statement fed with a table of values called `t`: SQLite gets `values (?, …), …` in chunks, PostgreSQL one JSON text, however many rows.
 * `write` puts the statement around it: `from` is what follows FROM.
 */
export function bulkStatement(
  columns: readonly Column[],
  write: (parts: { readonly names: string; readonly from: string }) => string,
) {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const types = columns.map(({ name, type }) => `"${name}" ${type}`).join(", ");
  const postgres = write({ names, from: `json_to_recordset($1::json) as t(${types})` });
  const row = `(${columns.map(() => "?").join(", ")})`;
  const ofSize = new Map(
    CHUNKS.map((size) => {
      const values = Array.from({ length: size }, () => row).join(", ");
      // SQLite calls the columns of VALUES column1, column2, …
      const renamed = columns.map(({ name }, index) => `column${index + 1} as "${name}"`).join(", ");
      return [size, write({ names, from: `(select ${renamed} from (values ${values})) as t` })] as const;
    }),
  );

  return async function execute<Row>(session: Session, rows: readonly (readonly Cell[])[]): Promise<Written<Row>> {
    if (rows.length === 0) return { rows: [], lastId: 0, count: 0 };
    if (session.dialect === "postgres") {
      const json = JSON.stringify(
        rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [columns[i]?.name, cell]))),
      );
      const result = await session.db.executeQuery<Row>(fixedQuery(postgres, [json]));
      return { rows: result.rows, lastId: 0, count: Number(result.numAffectedRows ?? result.rows.length) };
    }
    const back: Row[] = [];
    let lastId = 0;
    let count = 0;
    let start = 0;
    for (const size of CHUNKS) {
      const statement = ofSize.get(size) ?? "";
      for (; rows.length - start >= size; start += size) {
        const result = await session.db.executeQuery<Row>(
          fixedQuery(statement, rows.slice(start, start + size).flat()),
        );
        for (const given of result.rows) back.push(given);
        lastId = Number(result.insertId ?? 0);
        count += Number(result.numAffectedRows ?? result.rows.length);
      }
    }
    return { rows: back, lastId, count };
  };
}
