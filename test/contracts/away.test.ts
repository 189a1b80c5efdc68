// Which failures of a database mean "come back later" (1901) and which are bugs (A28).
import { describe, expect, test } from "bun:test";
import pg from "pg";
import { openStore } from "../../db/ark/store.ts";
import { answered, isAway } from "../../db/engine/dialect.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { refusalOf } from "../support/refusals.ts";

const coded = (code: string, message = "x") => Object.assign(new Error(message), { code });

describe("a database that is away", () => {
  test.each([
    ["nobody listens", coded("ECONNREFUSED"), true],
    ["the line was cut", coded("ECONNRESET"), true],
    ["both addresses refused", new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")]), true],
    ["the server shuts down", coded("57P01"), true],
    ["the server starts", coded("57P03"), true],
    ["too many connections", coded("53300"), true],
    ["the connection failed", coded("08006"), true],
    ["the pool gave up waiting", new Error("timeout exceeded when trying to connect"), true],
    ["the connection ended", new Error("Connection terminated unexpectedly"), true],
    ["another process writes", new Error("database is locked"), true],
    ["a unique index", coded("23505", "duplicate key value"), false],
    ["a syntax error", coded("42601"), false],
    ["a closed database", new RangeError("Cannot use a closed database"), false],
    ["our refusal", new ServiceError(1302), false],
    ["no error at all", "ECONNREFUSED", false],
  ] as const)("A28 %s", (_, error, expected) => {
    expect(isAway(error)).toBe(expected);
  });

  test("A28 its failure is 1901 with Retry-After and what happened as its cause; every other one stays itself", async () => {
    const failure = coded("ECONNREFUSED", "connect 10.0.0.7:5432");
    const refusal = await refusalOf(() => answered(Promise.reject(failure)));
    expect([refusal.code, refusal.detail, refusal.headers]).toEqual([
      1901,
      { reason: "database" },
      { "retry-after": "5" },
    ]);
    expect(refusal.cause).toBe(failure);
    const bug = new TypeError("bug");
    await expect(answered(Promise.reject(bug))).rejects.toBe(bug);
    expect(await answered(Promise.resolve(7))).toBe(7);
  });

  test("A28 the driver's error when nobody listens is understood", async () => {
    const client = new pg.Client({ connectionString: "postgres://x@127.0.0.1:1/x" });
    const error = await client.connect().then(
      () => null,
      (caught: unknown) => caught,
    );
    expect(isAway(error)).toBe(true);
  });

  test("A28 another process that holds the write lock too long is 1901 for those who wait, not an internal error", async () => {
    const store = await openStore({ url: ":memory:" });
    const refusal = await refusalOf(() =>
      store.transact(async () => {
        throw new Error("database is locked");
      }),
    );
    expect(refusal.code).toBe(1901);
    await store.close();
  });
});
