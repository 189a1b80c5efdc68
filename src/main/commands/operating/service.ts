// `arkstone stats | settings | migrate`: what is in the database, what counts, and which schema it has.
import { migrate, migrationStatus } from "../../../../db/engine/migrate.ts";
import { type OpenDatabase, openDatabase } from "../../../../db/engine/open.ts";
import { ROLE_NAMES, type RoleName, setRoles } from "../../../../db/engine/roles.ts";
import { OPERATOR } from "../../../auth/caller.ts";
import { describeSettings, readConfig } from "../../../config.ts";
import { isPostgresUrl } from "../../../shared/settings/database-url.ts";
import { settingsGuide } from "../../openapi/settings-guide.ts";
import { jsonText, shown, table } from "../../process/terminal.ts";
import { showRows } from "../ark/registry-output.ts";
import { type Command, command } from "../command.ts";
import { type Context, databaseRefusal, settingsOf, withServices } from "../context.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";

const stats = command({
  name: "stats",
  summary: "Count names, shoulders and holds",
  examples: ["arkstone stats", "arkstone stats --json"],
  run: (context) =>
    withServices(context, async ({ arkQueries }) => {
      const figures = await arkQueries.stats(OPERATOR);
      if (context.json) return void context.out(jsonText(figures));
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
  options: {
    given: { type: "boolean", help: "Only those that are set" },
    guide: {
      type: "boolean",
      help: "Print the guide to all settings as Markdown, by group, and nothing of this machine",
    },
  },
  details: "Settings come from the environment. The exit code is 1 when one of them cannot be used.",
  examples: ["arkstone settings", "SVC_PORT=8080 arkstone settings --given", "arkstone settings --guide > settings.md"],
  async run(context, given) {
    if (given.guide) {
      context.out(settingsGuide());
      return 0;
    }
    const lines = describeSettings(context.env).filter((line) => line.given || !given.given);
    const rows = lines.map((line) => ({ ...line, value: line.value }));
    if (context.json) context.out(jsonText(rows));
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
  options: {
    status: { type: "boolean", help: "Show which steps were taken and which are missing, change nothing" },
    roles: {
      type: "boolean",
      help: "Then create or update the roles owner, minter, resolver and repository (PostgreSQL)",
    },
    prefix: { type: "string", value: "NAME", help: "Begins the names of the roles; arkstone where it is left out" },
  },
  details: `
Every command and every minter does this at its start, as far as its role may; this one does nothing else.
--roles needs a role that may create roles the first time, the owner's afterwards; run it after each upgrade. Passwords are set from
ARKSTONE_OWNER_PASSWORD, ARKSTONE_MINTER_PASSWORD, ARKSTONE_RESOLVER_PASSWORD and ARKSTONE_REPOSITORY_PASSWORD where these are set, and are
never printed or sent in clear; otherwise a role has the password it had, at first none.`,
  examples: ["arkstone migrate --status", "arkstone migrate", "arkstone migrate --roles"],
  async run(context, given) {
    const config = settingsOf(context);
    if (given.roles && given.status) throw new UsageError("--roles changes, --status does not", "Give one of them");
    if (given.prefix !== undefined && !given.roles) throw new UsageError("--prefix goes with --roles", "");
    if (given.roles && !isPostgresUrl(config.databaseUrl)) {
      throw new CommandRefusal(
        "Roles exist on PostgreSQL only",
        "An SQLite file is guarded by the rights of its folder",
      );
    }
    const url = config.databaseUrl;
    const database = await openDatabase({ url, poolSize: 1, mustExist: given.status }).catch((error: unknown) => {
      throw databaseRefusal(config, error);
    });
    try {
      const applied = given.status ? [] : await migrate(database);
      if (!given.status && !context.json) {
        context.err(applied.length === 0 ? "No step is missing.\n" : `Applied ${applied.join(", ")}.\n`);
      }
      const roles = given.roles ? await makeRoles(context, database, given.prefix ?? "arkstone") : undefined;
      const status = await migrationStatus(database);
      if (context.json) {
        const pending = status.pending.map(({ version, name }) => ({ version, name }));
        return void context.out(jsonText({ applied_now: applied, applied: status.applied, pending, roles }));
      }
      const rows = [
        ...status.applied.map(({ version, name, appliedAt }) => ({ version, name, applied_at: appliedAt })),
        ...status.pending.map(({ version, name }) => ({ version, name, applied_at: "missing" })),
      ];
      showRows(context, rows, ["version", "name", "applied_at"], "No steps");
    } catch (error) {
      throw error instanceof CommandRefusal ? error : databaseRefusal(config, error);
    } finally {
      await database.close();
    }
  },
});

/** Prints what was executed, ready to be read by the administrator of the server. */
async function makeRoles(context: Context, database: OpenDatabase, prefix: string) {
  const passwords: Partial<Record<RoleName, string>> = {};
  for (const name of ROLE_NAMES) {
    const password = context.env[`ARKSTONE_${name.toUpperCase()}_PASSWORD`];
    if (password !== undefined && password !== "") passwords[name] = password;
  }
  const made = await setRoles(database, { prefix, passwords }).catch((error: unknown) => {
    throw error instanceof TypeError
      ? new CommandRefusal(error.message, "The tables are up to date, no role was changed")
      : error;
  });
  if (context.json) return made;
  for (const text of made.statements) context.out(`${text};\n`);
  if (made.statements.length > 0) context.out("\n");
  const names = Object.values(made.roles).join(", ");
  context.err(
    `Roles ${names}: ${made.created.length === 0 ? "brought up to date" : `made ${made.created.join(", ")}`}.\n`,
  );
  if (made.passwords.length > 0) context.err(`Passwords set for ${made.passwords.join(", ")}.\n`);
  return made;
}

export const serviceCommands: readonly Command[] = [stats, settings, migrateCommand];
