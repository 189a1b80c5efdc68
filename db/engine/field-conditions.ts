// The conditions of a list's filters (src/model/input/field-conditions.ts), as SQL.
import { type RawBuilder, sql } from "kysely";
import type { FieldCondition } from "../../src/model/input/field-conditions.ts";
import { containing } from "../../src/shared/text/text.ts";

/** The column or expression of each field. A field without one matches no row. */
export type ConditionColumns = Readonly<Record<string, string | RawBuilder<unknown>>>;

export function fieldConditionSql(sought: FieldCondition, columns: ConditionColumns): RawBuilder<boolean> {
  const columnOf = (field: string): RawBuilder<unknown> | null => {
    const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
    if (column === undefined) return null;
    return typeof column === "string" ? sql.ref(column) : column;
  };
  switch (sought.kind) {
    case "everything":
      return sql`1 = 1`;
    case "contains": {
      const column = columnOf(sought.field);
      return column === null ? NEVER : sql`${column} like ${containing(sought.text)} escape '!'`;
    }
    case "is": {
      const column = columnOf(sought.field);
      return column === null ? NEVER : sql`cast(${column} as text) = ${sought.value}`;
    }
    case "between": {
      const column = columnOf(sought.field);
      if (column === null) return NEVER;
      const { from, to } = sought;
      const ends = [
        ...(from === null ? [] : [sql`${column} >= ${from}`]),
        ...(to === null ? [] : [sql`${column} <= ${to}`]),
      ];
      return ends.length === 0 ? sql`${column} is not null` : sql`(${sql.join(ends, sql` and `)})`;
    }
    case "all":
    case "any": {
      if (sought.of.length === 0) return sought.kind === "all" ? sql`1 = 1` : NEVER;
      const between = sought.kind === "all" ? sql` and ` : sql` or `;
      return sql`(${sql.join(
        sought.of.map((each) => fieldConditionSql(each, columns)),
        between,
      )})`;
    }
    case "not":
      return sql`not coalesce(${fieldConditionSql(sought.of, columns)}, 1 = 0)`;
  }
}

const NEVER: RawBuilder<boolean> = sql`1 = 0`;
