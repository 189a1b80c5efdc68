// `arkstone stats | settings | migrate`: what is in the database, what counts, and which schema it has.
import { migrate, migrationStatus } from "../../../db/migrate.ts";
import { openDatabase } from "../../../db/open.ts";
import { describeSettings, readConfig } from "../../config.ts";
import { OPERATOR } from "../../domain/auth/caller.ts";
import { shown, table } from "../terminal.ts";
import { type Command, command } from "./command.ts";
import { databaseRefusal, withServices } from "./context.ts";
import { Refusal } from "./refusals.ts";
import { showRows } from "./registered.ts";

const stats = command({
  name: "stats",
  summary: "Count names, shoulders and holds",
  options: {},
  examples: ["arkstone stats", "arkstone stats --json"],
  run: (context) =>
    withServices(context, async ({ reading }) => {
      const figures = await reading.stats(OPERATOR);
      if (context.json) return void context.out(`${JSON.stringify(figures, null, 2)}\n`);
      const { arks, withdrawn, shoulders, minted, holds, by_shoulder } = figures;
      for (const [title, counts] of Object.entries({ arks, withdrawn, shoulders, minted })) {
        const line = Object.entries(counts).map(([name, count]) => `${count.toLocaleString("en-US")} ${name}`);
        context.out(`${title.padEnd(10)}  ${line.join(", ")}\n`);
      }
      context.out(`${"holds".padEnd(10)}  ${holds}\n`);
      const rows = by_shoulder.map((row) => [
        `${row.naan}/${row.shoulder}`,
        row.status,
        ...Object.values(row.arks).map((count) => count.toLocaleString("en-US")),
      ]);
      if (rows.length > 0) context.out(`\n${table(["shoulder", "status", ...Object.keys(arks)], rows)}`);
    }),
});

const settings = command({
  name: "settings",
  summary: "Show every setting with its value, default and meaning; secrets are masked",
  options: { given: { type: "boolean", help: "Only those that are set" } },
  details: "Settings come from the environment. The exit code is 1 when one of them cannot be used.",
  examples: ["arkstone settings", "SVC_PORT=8080 arkstone settings --given"],
  async run(context, given) {
    const lines = describeSettings(context.env).filter((line) => line.given || !given.given);
    const rows = lines.map((line) => ({ ...line, value: line.value }));
    if (context.json) context.out(`${JSON.stringify(rows, null, 2)}\n`);
    else {
      const cells = rows.map((row) => [
        row.name,
        row.given ? "*" : "",
        shown(row.value),
        shown(row.default),
        row.meaning,
      ]);
      context.out(table(["setting", "set", "value", "default", "meaning"], cells));
    }
    for (const { problem } of rows) if (problem !== null) context.err(`${problem}\n`);
    for (const warning of rows.some((row) => row.problem !== null) ? [] : readConfig(context.env).warnings) {
      context.err(`Warning: ${warning}\n`);
    }
    return rows.some((row) => row.problem !== null) ? 1 : 0;
  },
});

const migrateCommand = command({
  name: "migrate",
  summary: "Bring the database to the newest schema",
  options: { status: { type: "boolean", help: "Show which steps were taken and which are missing, change nothing" } },
  details: "Every command and every minter does this at its start; this one does nothing else.",
  examples: ["arkstone migrate --status", "arkstone migrate"],
  async run(context, given) {
    const config = readConfig(context.env);
    const database = await openDatabase({ url: config.databaseUrl, poolSize: 1 }).catch((error: unknown) => {
      throw databaseRefusal(config, error);
    });
    try {
      const applied = given.status ? [] : await migrate(database);
      const status = await migrationStatus(database);
      if (context.json) {
        const pending = status.pending.map(({ version, name }) => ({ version, name }));
        return void context.out(
          `${JSON.stringify({ applied_now: applied, applied: status.applied, pending }, null, 2)}\n`,
        );
      }
      const rows = [
        ...status.applied.map(({ version, name, appliedAt }) => ({ version, name, applied_at: appliedAt })),
        ...status.pending.map(({ version, name }) => ({ version, name, applied_at: "missing" })),
      ];
      showRows(context, rows, ["version", "name", "applied_at"], "No steps");
      if (!given.status) context.err(applied.length === 0 ? "Nothing to do.\n" : `Applied ${applied.join(", ")}.\n`);
    } catch (error) {
      throw error instanceof Refusal ? error : databaseRefusal(config, error);
    } finally {
      await database.close();
    }
  },
});

export const serviceCommands: readonly Command[] = [stats, settings, migrateCommand];
