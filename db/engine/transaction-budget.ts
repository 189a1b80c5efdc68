// How much one transaction may write in the thread that answers (R9a). A larger one is rolled back and run again in
// the writer thread (sqlite-thread.ts): a commit of thousands of pages would delay every request, while a message for
// each of the few statements of an ordinary transaction costs more than the statements.
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";

/**
 * Values and characters of values handed over by one transaction, and rows changed: written row by row they lie
 * anywhere, together mostly side by side.
 */
const MOST = { values: 4_096, characters: 256 * 1024, rows: 12_000 } as const;

/**
 * Stops a transaction that runs again elsewhere. Code that catches it receives it again at the next statement, and at
 * the end.
 */
class Outgrown extends Error {
  override readonly name = "Outgrown";
  constructor() {
    super("The transaction writes more than one may in this thread");
  }
}

export type TransactionBudget = {
  /** Starts counting from zero. */
  begin(): void;
  /** Counting ends. True where the transaction wrote more than it may. */
  end(): boolean;
  /** @throws Outgrown instead of running the statement. */
  take(parameters: readonly unknown[]): void;
  changed(rows: bigint | undefined): void;
};

/** Of one connection, which has one transaction at a time. */
export function transactionBudget(): TransactionBudget {
  let isCounting = false;
  const spent = { values: 0, characters: 0, rows: 0 };
  const isSpent = (): boolean =>
    spent.values > MOST.values || spent.characters > MOST.characters || spent.rows > MOST.rows;
  return {
    begin() {
      isCounting = true;
      Object.assign(spent, { values: 0, characters: 0, rows: 0 });
    },
    end() {
      isCounting = false;
      return isSpent();
    },
    take(parameters) {
      if (!isCounting) return;
      spent.values += parameters.length;
      for (const value of parameters) if (typeof value === "string") spent.characters += value.length;
      if (isSpent()) throw new Outgrown();
    },
    changed(rows) {
      if (isCounting && rows !== undefined) spent.rows += Number(rows);
    },
  };
}

/** The same dialect; its statements are counted. */
export function countedDialect(dialect: Dialect, budget: TransactionBudget): Dialect {
  const counted = (connection: DatabaseConnection): DatabaseConnection => ({
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      budget.take(query.parameters);
      const result = await connection.executeQuery<Row>(query);
      budget.changed(result.numAffectedRows);
      return result;
    },
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  });
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => {
      const driver = dialect.createDriver();
      const inner = new WeakMap<DatabaseConnection, DatabaseConnection>();
      const outer = new WeakMap<DatabaseConnection, DatabaseConnection>();
      const innerOf = (connection: DatabaseConnection): DatabaseConnection => inner.get(connection) ?? connection;
      return {
        init: () => driver.init(),
        async acquireConnection() {
          const connection = await driver.acquireConnection();
          const known = outer.get(connection) ?? counted(connection);
          outer.set(connection, known);
          inner.set(known, connection);
          return known;
        },
        beginTransaction: (connection, settings) => driver.beginTransaction(innerOf(connection), settings),
        commitTransaction: (connection) => driver.commitTransaction(innerOf(connection)),
        rollbackTransaction: (connection) => driver.rollbackTransaction(innerOf(connection)),
        releaseConnection: (connection) => driver.releaseConnection(innerOf(connection)),
        destroy: () => driver.destroy(),
      } satisfies Driver;
    },
  };
}
