// What statements cost (R9b): a bound that follows from what is asked, not from how large the tables are. Every
// statement of fixed text is explained on SQLite; what a repository runs is run again over tables ten times as large on
// both databases, in the slow ring over 200,000 vocabulary entries, items and authors, and the rows that it reads are
// counted.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CompiledQuery } from "kysely";
import pg from "pg";
import { fixedStatements } from "../../db/engine/dialect.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { type AskedStatement, askedStatements } from "../support/asked-statements.ts";
import { growTables, type TablePlan, tablePlans } from "../support/grown-tables.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { inSlowRing } from "../support/slow-ring.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const folder = temporaryFolder("statement-costs");
const postgres = await startPostgres({ standby: false });
afterAll(async () => {
  await postgres?.stop();
  folder.remove();
});

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
/** Copies of what was written, before and after; more than the longest page has rows. */
const SIZES = [300, inSlowRing ? 50_000 : 3_000] as const;
/** Rows that the slow ring asks for. */
const LARGE = { vocabulary: 200_000, item: 100_000, author: 100_000 } as const;
const TIME_MS = inSlowRing ? 3_600_000 : 240_000;

/** Tables of a few rows: what administrators set, and counters. */
const SMALL =
  /^(?:account_group|author_choice|credential|credential_secret|mapping|naan|oai_state|organisation|search_collection|search_setting|search_writer|shoulder|item_type|storage_identity|sqlite_sequence|sword_client|unregistered_subject|workflow)$/;

/** Backups, restores and `arkstone verify` go over whole tables. */
const WHOLE_TABLE = /^(?:select count\(\*\) as rows|delete) from \w+$|^select "[^;]* from \w+ where [^;]* limit 1000$/;

/** Statements made when they are first asked: they are there after other files of the same process. */
const MADE_LATER: readonly (readonly [statement: RegExp, because: string])[] = [
  [/ from (?:ark|ark_change|audit_event) where true order by "\w+" limit \d+$/, "what verifies reads tables in pages"],
  [/^select a\.id from author a where .* order by a\.id limit/, "the first rows of an order"],
];

/** Statements that may read a whole table or a whole kind of rows, each with the reason. */
const MAY_SCAN: readonly (readonly [statement: RegExp, because: string])[] = [
  [/ from (?:ark|item)_change order by id desc limit/, "the first rows of an order"],
  [/^select \(select value from service .* from (?:ark|item)_change where id > /, "the rows of a page of the feed"],
  [/^select number from author_number order by number desc limit 1/, "the first row of an order"],
  [/^select datestamp from oai_record order by datestamp, number limit 1/, "the first row of an order"],
  [/^select parent_id, content, again from oai_due order by parent_id desc limit/, "the first rows of an order"],
  [/ from vocabulary where title_key is null limit/, "an index of entries without keys, which a job empties"],
  [/^update vocabulary set title_key = null where/, "the first start of an edition that makes keys otherwise"],
  [/ from vocabulary where type = \?1 order by .* limit/, "the first rows of an order"],
  [/ from static_page where newest = 1 order by slug$/, "the newest revisions, of at most 100 pages"],
  [/^select 1 as one from vocabulary where type = \?1 limit 1/, "one row"],
  [/^select coalesce\(max\(position\), -1\) as position from vocabulary/, "one row: the last of an index"],
  [/^with waiting as materialized \(select id, run_at from job/, "jobs that run are a few in each process"],
  [/^insert into author \(/, "its children are searched for only where a foreign key is broken already"],
  [/^delete from login_attempt where state = /, "its key is called state"],
  [/^select count\(\*\) as count from vocabulary where type/, "a count over an index without other columns"],
  [/^select type, count\(\*\) as count from vocabulary/, "a count over an index without other columns"],
  [/^select naan, shoulder, .*count\(\*\) as names from ark where/, "figures for operators, over an index"],
  [
    /^select (?:kind, )?state, (?:action, )?count\(\*\) as count/,
    "figures for operators, read at most every five seconds",
  ],
  [/^select kind, state, count\(\*\) as count, min\(run_at\)/, "figures for operators"],
  [/^select \(select count\(\*\) from oai_record\) as known/, "figures for operators, over indexes"],
  [
    / from \(select id, parent_id from access_request where status = 'submitted' order by id limit/,
    "the first of an order",
  ],
  [/^select count\(\*\) as count from author where/, "a count over an index, kept for a while"],
  [/^select count\(\*\) as keys from author_key/, "`arkstone verify`"],
  [/^select count\(\*\) as items from \( select item_id from item_revision/, "an administrator changes an item type"],
  [/^(?:delete from|select .* from) oauth_client where kind/, "a daily job, over clients that are bounded in number"],
  [/ from oauth_grant where ended_at is null and not exists/, "a daily job"],
  [/^delete from deposit_receipt where status is null and substr/, "once, when a process starts"],
  [/^update file_text set reader = 0/, "a command of operators"],
  [/ from community where deleted_at is null order by slug/, "each community is a matter of people: there are few"],
  [
    /^select i\.id, i\.parent_id from item i where i\.id > \?3 .* embargo_until/,
    "a daily job, over items under embargo",
  ],
];

/** What the requests run that grows with a table, each with the reason. */
const MAY_GROW: readonly (readonly [statement: RegExp, because: string])[] = [
  [/^update vocabulary set title_key = null where/, "the first start of an edition that makes keys otherwise"],
  [/ from "community" where /, "words of communities are compared one by one; there are few"],
  [/ from community where deleted_at is null order by slug/, "all communities; there are few"],
  [/ from "activity" where (?:true|\("state" = \S+ and \(not)/, "what waits, for administrators, who see all of it"],
  [/ from index_node where id > .* order by id limit/, "the tree is read whole, in pages, and kept"],
  [/^select type, count\(\*\) as count from vocabulary/, "a count over an index without other columns"],
  [/^select count\(\*\) as count from author where/, "a count over an index, kept for a while"],
];

const isAmong = (list: readonly (readonly [RegExp, string])[], text: string): boolean =>
  list.some(([statement]) => statement.test(oneLine(text)));

let plans: readonly TablePlan[] = [];
let schema: DatabaseSync;

beforeAll(async () => {
  const path = join(folder.path, "schema.db");
  await (await openRepositoryStore({ url: path })).close();
  schema = new DatabaseSync(path);
  plans = tablePlans((text) => schema.prepare(text).all());
  const files = readdirSync(join(ROOT, "db"), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".ts") && !name.endsWith("-worker.ts"))) {
    await import(join(ROOT, "db", file));
  }
});
afterAll(() => schema.close());

/** Steps of the plan that read a table whole, a whole kind of its rows, or build an index for the moment. */
function wideSteps(text: string): readonly string[] {
  const tables = new Map(plans.map(({ table }) => [table, table]));
  for (const { name } of schema.prepare("select name from sqlite_schema where type = 'table'").all()) {
    tables.set(String(name), String(name));
  }
  const words = "where|join|on|cross|left|inner|order|group|limit|set|indexed|union|and|or|values|select|not";
  const named = new RegExp(
    `\\b(?:from|join|update|into)\\s+"?([a-z_]+)"?\\s+(?:as\\s+)?(?!(?:${words})\\b)"?([a-z_]+)"?`,
    "gi",
  );
  for (const [, table = "", alias = ""] of text.matchAll(named)) if (tables.has(table)) tables.set(alias, table);
  const steps = schema
    .prepare(`explain query plan ${text}`)
    .all()
    .map(({ detail }) => String(detail));
  return steps.filter((step) => {
    const scanned = tables.get(/^SCAN (\w+)\b(?! VIRTUAL)/.exec(step)?.[1] ?? "");
    if (scanned !== undefined) return !SMALL.test(scanned);
    const kinds = /^SEARCH (\w+) .*\((?:(?:type|kind|state|status|visibility)=\?(?: AND )?)+\)/.exec(step)?.[1];
    return step.includes("AUTOMATIC") || (kinds !== undefined && !SMALL.test(tables.get(kinds) ?? ""));
  });
}

/** The first rows of an order that an index has: counted below. */
const isFirstRows = (text: string): boolean =>
  / order by .* limit \?\d*$/.test(oneLine(text)) &&
  !schema
    .prepare(`explain query plan ${text}`)
    .all()
    .some(({ detail }) => String(detail).includes("TEMP B-TREE"));

describe("statements of fixed text on SQLite", () => {
  /** Those of PostgreSQL alone cannot be compiled. */
  const compiled = (): readonly string[] =>
    [...fixedStatements.values()].flatMap(({ sqlite }) => {
      if (WHOLE_TABLE.test(sqlite)) return [];
      try {
        schema.prepare(sqlite);
        return [sqlite];
      } catch {
        return [];
      }
    });

  test("R9b none reads a whole table or a whole kind of rows, but for those that give a reason", () => {
    const texts = compiled();
    expect(texts.length).toBeGreaterThan(350);
    const wide = texts.filter((text) => wideSteps(text).length > 0);
    expect(
      wide
        .filter((text) => !isAmong([...MAY_SCAN, ...MADE_LATER], text))
        .map((text) => [oneLine(text), wideSteps(text)]),
    ).toEqual([]);
    // A reason without its statement means nothing.
    const idle = MAY_SCAN.filter(([statement]) => !wide.some((text) => statement.test(oneLine(text))));
    expect(idle.map(([statement]) => statement.source)).toEqual([]);
  });

  test.each([
    [
      "select v.id from json_each(?1) t join json_each(?2) i on i.key = t.key join vocabulary v on v.type = t.value and v.id = i.value",
      true,
    ],
    ["select id from item where title = ?1", true],
    [
      "select n.id from item i join author a on a.content = i.title join index_node n on n.id = i.id where i.id = ?1",
      true,
    ],
    ["select id from vocabulary where type = ?1 and id = ?2", false],
    ["select id from item where id in (select value from json_each(?1))", false],
  ] as const)("the judge of plans: %s", (text, isWide) => {
    expect(wideSteps(text).length > 0).toBe(isWide);
  });
});

/** Statements that change or delete rows. */
const changes = ({ text }: AskedStatement): boolean => /^\s*(?:update|delete)\b/i.test(text);

/** Statements that only read. */
const reads = ({ text }: AskedStatement): boolean =>
  /^\s*(?:select|with)\b/i.test(text) &&
  !/\b(?:insert into|update [a-z_]+ set|delete from|for (?:no key )?update|pg_advisory)\b/i.test(text);

async function expectLarge(count: (table: string) => Promise<number>): Promise<void> {
  if (!inSlowRing) return;
  for (const [table, rows] of Object.entries(LARGE)) expect(await count(table)).toBeGreaterThanOrEqual(rows);
}

type Counts = ReadonlyMap<string, number>;

function expectBounded(before: Counts, after: Counts): void {
  expect(after.size).toBeGreaterThan(90);
  const grown = [...after].filter(([text, rows]) => rows > 2 * (before.get(text) ?? 0) + 100);
  const unexplained = grown.filter(([text]) => !isAmong(MAY_GROW, text));
  expect(unexplained.map(([text, rows]) => [oneLine(text), before.get(text), rows])).toEqual([]);
}

test(
  "R9b SQLite: what requests read stays the same when all tables are many times as large",
  async () => {
    const { world, statements } = await askedStatements();
    // What a query builder made: its plan, also of what changes rows.
    const fixed = new Set([...fixedStatements.values()].map(({ sqlite }) => sqlite));
    const made = statements.filter((each) => !fixed.has(each.text) && (reads(each) || changes(each)));
    expect(made.length).toBeGreaterThan(20);
    const wide = made.filter(
      ({ text }) => wideSteps(text).length > 0 && !isAmong(MAY_GROW, text) && !isFirstRows(text),
    );
    expect(wide.map(({ text }) => [oneLine(text), wideSteps(text)])).toEqual([]);
    const path = join(world.folder, "arkstone.db");
    const asked = statements.filter(reads);
    const measured: Counts[] = [];
    const database = await openDatabase({ url: path });
    for (const [at, size] of SIZES.entries()) {
      await growTables(database.writer, "sqlite", plans, (SIZES[at - 1] ?? 0) + 1, size);
      measured.push(rowsReadOnSqlite(path, asked));
    }
    await expectLarge(async (table) => {
      const { rows } = await database.writer.executeQuery<{ count: number }>(
        CompiledQuery.raw(`select count(*) as count from ${table}`),
      );
      return Number(rows[0]?.count);
    });
    const [before = new Map(), after = new Map()] = measured;
    expectBounded(before, after);
    await database.close();
    await world.close();
  },
  TIME_MS,
);

/** Views in place of the tables call a function for each row that is read; they leave the plan as it is. */
function rowsReadOnSqlite(path: string, asked: readonly AskedStatement[]): Counts {
  const database = new DatabaseSync(path);
  let rows = 0;
  database.function("looked_at", (_key: unknown) => {
    rows += 1;
    return 1;
  });
  for (const { table } of plans) {
    const [key] = database.prepare(`select name from pragma_table_info('${table}') where pk = 1`).all();
    database.exec(`create temp view "${table}" as select * from main."${table}"
      where likelihood(looked_at("${String(key?.name ?? "rowid")}"), 1.0)`);
  }
  const counts = new Map<string, number>();
  // A view has no indexes to be named; plans of those statements are fixed by that name.
  for (const { text, parameters } of asked.filter(({ text }) => !/\bindexed by\b/.test(text))) {
    rows = 0;
    database.prepare(text).all(...(parameters as (string | number | null)[]));
    counts.set(text, rows);
  }
  database.close();
  return counts;
}

if (postgres === null) test.skip("PostgreSQL: not available", () => {});
else
  test(
    "R9b PostgreSQL: what requests read stays the same when all tables are many times as large",
    async () => {
      const { url, drop } = await postgres.createDatabase();
      const { world, statements } = await askedStatements(url);
      const asked = statements.filter((each) => reads(each) || changes(each));
      expect(asked.filter(changes).length).toBeGreaterThan(20);
      const database = await openDatabase({ url, poolSize: 1 });
      const client = new pg.Client({ connectionString: url });
      client.on("error", () => {});
      await client.connect();
      // A small table is read whole sooner than its index: what counts is whether there is a way without that.
      await client.query("set enable_seqscan = off");
      const measured: Counts[] = [];
      for (const [at, size] of SIZES.entries()) {
        await growTables(database.writer, "postgres", plans, (SIZES[at - 1] ?? 0) + 1, size);
        await client.query("analyze");
        const counts = new Map<string, number>();
        for (const each of asked) {
          const { text, parameters } = each;
          const explain = `explain (analyze, timing off, format json) ${text}`;
          await client.query("begin");
          // What was changed once may be refused the second time, by triggers and foreign keys.
          const refused = (error: unknown): null => {
            if (reads(each)) throw error;
            return null;
          };
          const answer = await client.query(explain, [...parameters]).catch(refused);
          await client.query("rollback");
          if (answer !== null) counts.set(text, rowsOfPlan(answer.rows[0]["QUERY PLAN"][0].Plan));
        }
        expect(asked.filter((each) => changes(each) && counts.has(each.text)).length).toBeGreaterThan(20);
        measured.push(counts);
      }
      await expectLarge(async (table) => Number((await client.query(`select count(*) from ${table}`)).rows[0].count));
      const [before = new Map(), after = new Map()] = measured;
      expectBounded(before, after);
      await client.end();
      await database.close();
      await world.close();
      await drop();
    },
    TIME_MS,
  );

type PlanNode = {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
};

function rowsOfPlan(node: PlanNode): number {
  const each =
    node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const own = node["Relation Name"] === undefined ? 0 : each * node["Actual Loops"];
  return own + (node.Plans ?? []).reduce((sum, below) => sum + rowsOfPlan(below), 0);
}
