// The roles of PostgreSQL (`arkstone migrate --roles`): made once, brought up to date by a second run, enough for what
// each does, and no more.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pg from "pg";
import { openStore } from "../../db/ark/store.ts";
import { MIGRATIONS } from "../../db/engine/migrate.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { setRoles, TABLE_RIGHTS } from "../../db/engine/roles.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { jobRunner } from "../../src/jobs/runner.ts";
import { CHANGED_AUTHOR, NEW_AUTHOR } from "../../src/repository/authors/author-body.ts";
import { authors } from "../../src/repository/authors/authors.ts";
import { authorJobs } from "../../src/repository/authors/propagation.ts";
import { seedAuthorChoices } from "../../src/repository/authors/shipped-choices.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { historyOf } from "../support/name-history.ts";
import { startPostgres } from "../support/postgres.ts";
import { commandOf, freePort, provision, startRole, temporaryFolder } from "../support/processes.ts";
import { quietLog } from "../support/quiet-log.ts";
import { run } from "../support/run.ts";
import { anAgent } from "../support/world/authors.ts";
import { aContent, aFile, itemsOn, titled } from "../support/world/items.ts";
import { openWorld } from "../support/world.ts";

const found = await startPostgres({ own: true, standby: true });
const folder = temporaryFolder("roles");
afterAll(async () => {
  folder.remove();
  await found?.stop();
});

const PASSWORDS = {
  ARKSTONE_OWNER_PASSWORD: "an owner's pass-word 1",
  ARKSTONE_MINTER_PASSWORD: "a minter's pass-word 2",
  ARKSTONE_RESOLVER_PASSWORD: "a resolver's pass-word 3",
  ARKSTONE_REPOSITORY_PASSWORD: "a repository's pass-word 4",
};

describe.skipIf(found === null)("roles", () => {
  let url = "";
  let standbyUrl = "";
  beforeAll(async () => {
    const made = await found?.createDatabase();
    url = made?.url ?? "";
    standbyUrl = made?.standbyUrl ?? "";
  });
  const as = (role: string, base = url): string => {
    const its = new URL(base);
    its.username = `arkstone_${role}`;
    return its.href;
  };

  async function sql(role: string, text: string): Promise<string> {
    const client = new pg.Client({ connectionString: as(role) });
    await client.connect();
    try {
      await client.query(text);
      return "done";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await client.end();
    }
  }

  test("A44 `arkstone migrate --roles` makes them and prints every statement, no password; a second run, as the owner, changes nothing", async () => {
    const made = await arkstone({ SVC_DATABASE_URL: url, ...PASSWORDS }, ["migrate", "--roles"]);
    expect([made.code, made.err]).toEqual([
      0,
      `Applied ${MIGRATIONS.map(({ name }) => name).join(", ")}.\n` +
        "Roles arkstone_owner, arkstone_minter, arkstone_resolver, arkstone_repository: " +
        "made arkstone_owner, arkstone_minter, arkstone_resolver, arkstone_repository.\n" +
        "Passwords set for arkstone_owner, arkstone_minter, arkstone_resolver, arkstone_repository.\n",
    ]);
    expect(made.out).toContain("create role arkstone_resolver login;\n");
    expect(made.out).toContain("grant select on public.ark to arkstone_resolver;\n");
    expect(made.out + made.err).not.toMatch(/pass-word|SCRAM/);
    // The owner may not set the passwords of others: they stay as they are.
    const env = { SVC_DATABASE_URL: as("owner"), ARKSTONE_MINTER_PASSWORD: "another pass-word" };
    const again = await arkstone(env, ["migrate", "--roles", "--json"]);
    expect([again.code, again.err]).toEqual([0, ""]);
    const { applied_now, roles } = JSON.parse(again.out);
    expect([applied_now, roles.created, roles.passwords]).toEqual([[], [], []]);
    expect(roles.statements.every((text: string) => /^(?:grant|revoke) /.test(text))).toBe(true);
  });

  test("the passwords of the environment let their roles in over SCRAM, others do not", async () => {
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const enter = (role: string, password: string): Promise<string> => {
      const its = new URL(as(role));
      its.password = encodeURIComponent(password);
      const client = new pg.Client({ connectionString: its.href });
      return client.connect().then(
        () => client.end().then(() => "in"),
        (error: unknown) => String(error),
      );
    };
    try {
      await admin.query(`copy (values ('host all arkstone_minter all scram-sha-256'), ('host all all all trust'),
        ('host replication all all trust')) to '${(await admin.query("show hba_file")).rows[0].hba_file}'`);
      await admin.query("select pg_reload_conf()");
      await eventually("a wrong password is refused", async () =>
        /password authentication failed/.test(await enter("minter", PASSWORDS.ARKSTONE_OWNER_PASSWORD)),
      );
      expect(await enter("minter", PASSWORDS.ARKSTONE_MINTER_PASSWORD)).toBe("in");
    } finally {
      await admin.query(`copy (values ('host all all all trust'), ('host replication all all trust'))
        to '${(await admin.query("show hba_file")).rows[0].hba_file}'`);
      await admin.query("select pg_reload_conf()");
      await admin.end();
      await eventually("everybody is let in", async () => (await enter("minter", "any")) === "in");
    }
  });

  test("a password that is too short is refused without a word that the tables were not made", async () => {
    const env = { SVC_DATABASE_URL: url, ARKSTONE_MINTER_PASSWORD: "short" };
    const result = await arkstone(env, ["migrate", "--roles"]);
    expect([result.code, result.err]).toEqual([
      1,
      expect.stringContaining("The tables are up to date, no role was changed"),
    ]);
  });

  test("A15 a minter or repository with another role reports which rights it lacks; with its own it can write", async () => {
    const problem = async (role: string, open: typeof openStore): Promise<string | null> => {
      const store = await open({ url: as(role) });
      try {
        return await store.writeProblem();
      } finally {
        await store.close();
      }
    };
    const ofRepository: typeof openStore = async (options) => (await openRepositoryStore(options)).arks;
    expect(await problem("minter", openStore)).toBeNull();
    expect(await problem("repository", ofRepository)).toBeNull();
    expect(await problem("owner", ofRepository)).toBeNull();
    expect(await problem("resolver", openStore)).toMatch(
      /^The role "arkstone_resolver" is not that of a minter: it lacks \w+ on ark, .* and \d+ more \("arkstone migrate --roles" gives the rights\)$/,
    );
    expect(await problem("minter", ofRepository)).toMatch(
      /^The role "arkstone_minter" is not that of a repository: it lacks/,
    );
  });

  test("A15 a repository started with the resolver's role runs, is not ready and reports why, without a stack", async () => {
    const port = await freePort();
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      );
    const env = { SVC_DATABASE_URL: as("resolver"), SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "warn" };
    const repository = await startRole("repository", env, port, { ready });
    const { detail } = await (await fetch(`${repository.base}/readyz`)).json();
    expect(detail.reasons[0]).toContain('The role "arkstone_resolver" is not that of a repository');
    await repository.kill("SIGTERM");
    expect(repository.errors()).toContain("not_ready");
    expect(repository.errors()).not.toMatch(/\n\s+at /);
  }, 60_000);

  test.each(["minter", "resolver", "repository"])(
    "`arkstone verify` as the %s reports that it needs the owner's rights, and finds no damage",
    async (role) => {
      const result = await arkstone({ SVC_DATABASE_URL: as(role) }, ["verify"]);
      expect([result.code, result.out]).toEqual([1, ""]);
      expect(result.err).toMatch(
        new RegExp(`The role "arkstone_${role}" may not read \\w+.*: this needs the owner's rights`),
      );
      expect(result.err).not.toMatch(/damage|cannot be read|Cannot open/);
    },
  );

  test("`arkstone verify` as the owner tells once which right it lacks to look into indexes, and with it looks", async () => {
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    try {
      await admin.query("create extension amcheck");
      const env = { SVC_DATABASE_URL: as("owner") };
      const lacking = await arkstone(env, ["verify"]);
      expect([lacking.code, lacking.err.match(/^Note: /gm)?.length]).toEqual([0, 1]);
      expect(lacking.err).toMatch(
        /indexes were not checked \(.*ark_pkey.*\): permission denied for function bt_index_check/,
      );
      // As in docs/disaster-recovery.md.
      await admin.query("grant execute on function bt_index_check(regclass, boolean) to arkstone_owner");
      const looking = await arkstone(env, ["verify"]);
      expect([looking.code, looking.err.includes("Note: ")]).toEqual([0, false]);
    } finally {
      await admin.query("drop extension amcheck");
      await admin.end();
    }
  });

  test("every table has its rights", async () => {
    const database = await openDatabase({ url });
    const tables = (await database.writer.introspection.getTables()).map(({ name }) => name);
    expect(tables.filter((table) => !Object.hasOwn(TABLE_RIGHTS, table))).toEqual([]);
    await database.close();
  });

  test.each([
    ["resolver", "select count(*) from receipt"],
    ["resolver", "select hash from credential_secret"],
    ["resolver", "select * from audit_event"],
    ["resolver", "begin read write; update ark set url = ''"],
    ["resolver", "begin read write; insert into service values ('a', 'b')"],
    ["resolver", "begin read write; create table mine (a int)"],
    ["resolver", "begin read write; alter table ark add column mine text"],
    ["minter", "delete from ark"],
    ["minter", "truncate ark_change"],
    ["minter", "update ark_change set target = 'x'"],
    ["minter", "select * from audit_event"],
    ["minter", "delete from audit_event"],
    ["minter", "insert into credential (client_id, tier, scopes, active) values ('me', 'system', '[]', 1)"],
    ["minter", "update credential set scopes = '[]'"],
    ["minter", "update credential_secret set revoked_at = null"],
    ["minter", "insert into naan values ('12345', 1, '', '', '', '', '', null, null)"],
    ["minter", "update naan set redirect = 'https://elsewhere.example/'"],
    ["minter", "update shoulder set status = 'active'"],
    ["minter", "update service set value = 'x'"],
    ["minter", "drop table ark"],
    ["minter", "alter table ark disable trigger all"],
    ["minter", "create table mine (a int)"],
    ["minter", "select * from item"],
    ["minter", "insert into account (name, roles, active, created_at, updated_at) values ('me', '[1]', 1, '', '')"],
    ["resolver", "select * from item"],
    ["resolver", "select * from account"],
    ["repository", "delete from ark"],
    ["repository", "update credential set scopes = '[]'"],
    ["repository", "insert into credential (client_id, tier, scopes, active) values ('me', 'system', '[]', 1)"],
    ["repository", "update naan set redirect = 'https://elsewhere.example/'"],
    ["repository", "update shoulder set status = 'active'"],
    ["repository", "select * from audit_event"],
    ["repository", "delete from resource"],
    ["repository", "update item_revision set content = '{}'"],
    ["repository", "delete from item_revision"],
    ["repository", "update repository_event set detail = ''"],
    ["repository", "delete from repository_event"],
    ["repository", "update file_set_entry set storage_key = 'x'"],
    ["repository", "update tombstone set note = ''"],
    ["repository", "drop table item"],
    ["repository", "create table mine (a int)"],
  ])("the %s may not: %s", async (role, text) => {
    expect(await sql(role, text)).toMatch(/permission denied|must be owner/);
  });

  test("the resolver's role writes nothing even where it was given a right by mistake", async () => {
    const owner = await openDatabase({ url: as("owner") });
    const client = new pg.Client({ connectionString: as("owner") });
    await client.connect();
    await client.query("grant update on ark to arkstone_resolver");
    expect(await sql("resolver", "update ark set url = ''")).toMatch(/read-only transaction/);
    await setRoles(owner, { prefix: "arkstone", passwords: {} });
    expect(await sql("resolver", "begin read write; update ark set url = ''")).toMatch(/permission denied/);
    await client.end();
    await owner.close();
  });

  test.each(["a b", "Ark", 'x"; drop table ark', ""])("a prefix %p makes no names of roles", async (prefix) => {
    const result = await arkstone({ SVC_DATABASE_URL: url }, ["migrate", "--roles", "--prefix", prefix]);
    expect(result.code).not.toBe(0);
  });

  test("L6 A19 A42 A44 minter and resolver start and do all their work with their roles", async () => {
    const owner = { SVC_DATABASE_URL: as("owner"), SVC_LOG_LEVEL: "error", SVC_ACCESS_LOG: "off" };
    const key = await provision(folder.path, owner);
    const minter = await startRole(
      "minter",
      { ...owner, SVC_DATABASE_URL: as("minter"), SVC_REPLICA_URL: as("minter", standbyUrl) },
      await freePort(),
    );
    const resolver = await startRole(
      "resolver",
      { ...owner, SVC_DATABASE_URL: as("resolver", standbyUrl) },
      await freePort(),
    );
    const ask = async (path: string, body?: unknown, method = "POST") => {
      const response = await fetch(`${minter.base}${path}`, {
        method: body === undefined ? "GET" : method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: JSON.parse((await response.text()) || "{}") };
    };
    try {
      const url = "https://target.example/";
      const mint = { url, shoulder: "b1", request_id: "one" };
      const { ark } = (await ask("/api/mint", mint)).json;
      expect((await ask("/api/mint", mint)).json.ark).toBe(ark);
      const until = new Date(Date.now() + 3_600_000).toISOString();
      const other = (await ask("/api/mint", { shoulder: "c2", reserve: true })).json.ark;
      const third = (await ask("/api/mint", { shoulder: "b1", url })).json.ark;
      const fourth = (await ask("/api/mint", { shoulder: "b1", url })).json.ark;
      const result: (readonly [string, number])[] = [];
      for (const [method, path, body] of [
        ["POST", "/api/register", { ark, qualifier: "/part", url }],
        ["PUT", "/api/update", { ark, url, title: "Changed" }],
        ["POST", "/api/mint/bulk", { data: [{ shoulder: "b1" }, { shoulder: "c2", reserve: true }] }],
        ["POST", "/api/publish", { ark: other }],
        ["POST", "/api/unpublish", { ark: other, reason: "a test", confirm: other }],
        ["PUT", "/api/tombstone", { ark: third }],
        ["POST", "/api/purge", { ark: other, reason: "a test", confirm: other }],
        ["PUT", "/api/hold", { ark: fourth, until, reason: "a test" }],
        ["PUT", "/api/hold", { shoulder: "99999/c2", until, reason: "a test" }],
        ["PUT", "/api/hold/release", { shoulder: "99999/c2" }],
        ["PUT", "/api/hold", { naan: "99999", until, reason: "a test" }],
        ["PUT", "/api/hold/release", { naan: "99999" }],
        ["POST", "/api/query?read_only=true", { data: [ark] }],
        ["GET", "/api/stats", undefined],
      ] as const) {
        result.push([path, (await ask(path, body, method)).status]);
      }
      expect(result.filter(([, status]) => status >= 300)).toEqual([]);
      const target = await eventually("the resolver knows it", async () => {
        const response = await fetch(`${resolver.base}/${ark}`, { redirect: "manual" });
        await response.body?.cancel();
        return response.status === 302 && response.headers.get("location");
      });
      expect(target).toBe(url);
      const info = await fetch(`${resolver.base}/${ark}?json`);
      expect([info.status, (await info.text()).includes('"Changed"')]).toEqual([200, true]);
    } finally {
      await minter.kill("SIGTERM");
      await resolver.kill("SIGTERM");
    }
  }, 60_000);

  test("R2b R5 R25 the repository's role keeps items and mints for them", async () => {
    const made = await found?.createDatabase();
    const own = made?.url ?? "";
    const world = await openWorld({ items: { url: own } });
    const owner = await openDatabase({ url: own });
    await setRoles(owner, { prefix: "arkstone", passwords: {} });
    await owner.close();
    const who = await world.person([3]);
    const admin = await world.person([1]);
    const store = await openRepositoryStore({ url: as("repository", own) });
    const items = itemsOn(store, world.time);
    try {
      const content = () => aContent({ files: [aFile("a.txt", { md5: null })], indexes: [11] });
      const { item } = await items.createAndPublish(who, { content: content() });
      expect(item.ark).not.toBeNull();
      await items.revise(who, item.id, { content: aContent({ indexes: [2] }) });
      await items.saveDraft(who, item.id, { content: content() });
      await items.saveDraft(who, item.id, { content: aContent() });
      await items.publishDraft(who, item.id);
      const next = await items.newVersion(who, item.id, { content: content() });
      await items.share(next.item.id, [admin.account?.id ?? 0]);
      await items.remove(who, next.item.id);
      await items.restore(admin, next.item.id);
      await items.setPublic(who, next.item.id, false);
      const word = await items.takeLock(item.id, "edit", 1000);
      await items.releaseLock(item.id, word);
      const draft = await items.createDraft(who, { content: content(), pending: true });
      await items.discardDraft(who, draft.item.id);
      expect(await items.liftEmbargoes()).toBe(0);
      await store.transact(async (tx) => {
        await tx.indexes.lockTree();
        await tx.indexes.unfile([11], { action: "index.delete", at: world.time.now, by: null });
        await tx.indexes.deleteIndexes([11], world.time.now);
        await tx.indexes.raiseTreeRevision();
        await tx.items.setHashes("key-a.txt", { md5: "0".repeat(32), sha256: "0".repeat(64) });
      });
      expect((await items.readable(who, next.item.id)).item.content?.indexes).toEqual([]);
    } finally {
      await store.close();
      await world.close();
    }
  }, 60_000);

  test("R20 R23 a repository's role does everything the author database does", async () => {
    const made = await found?.createDatabase();
    const own = made?.url ?? "";
    const world = await openWorld({ items: { url: own } });
    const owner = await openDatabase({ url: own });
    await setRoles(owner, { prefix: "arkstone", passwords: {} });
    await owner.close();
    const admin = await world.person([1]);
    const store = await openRepositoryStore({ url: as("repository", own) });
    const { core, ...items } = itemsOn(store, world.time);
    const clock = { now: () => world.time.now };
    const service = authors({ store, clock, random: platformRandom() });
    try {
      await store.transact(async (tx) => {
        await seedAuthorChoices(tx, world.time.now);
        await tx.authors.removeAuthorChoice("author", "AID");
      });
      const named = { authorNameInfo: [{ language: "en", familyName: "Role" }], communityIds: ["c1"] };
      const author = await service.create(admin, NEW_AUTHOR.read({ author: named }, ""));
      const metadata = titled("Linked", { creators: [anAgent({ authorId: author.id })] });
      const { item } = await items.createAndPublish(admin, { content: aContent({ metadata }) });
      const { authorIdInfo } = author.content;
      const runner = jobRunner({
        store,
        kinds: authorJobs({ store, clock, items: core }),
        clock,
        log: quietLog,
        owner: "test",
      });
      const word = await items.takeLock(item.id, "edit", 1000);
      const changed = { author: { authorIdInfo, emailInfo: [{ email: "r@example.org" }] } };
      await service.update(admin, String(author.id), CHANGED_AUTHOR.read(changed, ""));
      await runner.runDue();
      await items.releaseLock(item.id, word);
      await service.remove(admin, author.uuid);
      world.time.now = addMilliseconds(world.time.now, 60_000);
      await runner.runDue();
      expect((await store.items.item(item.id))?.revision).toBe(2);
      expect(await store.authors.propagation(author.id)).toBeNull();
    } finally {
      await store.close();
      await world.close();
    }
  }, 60_000);

  test("a minter's role that would have to migrate names the role that may", async () => {
    const empty = await found?.createDatabase();
    await expect(openStore({ url: as("minter", empty?.url) })).rejects.toThrow('run "arkstone migrate" as the owner');
  });
});

describe.skipIf(found === null)("two versions of the schema", () => {
  test.each(["minter", "resolver"])(
    "the %s refuses to start on a schema that is newer than it",
    async (role) => {
      const made = await found?.createDatabase();
      const url = made?.url ?? "";
      await (await openStore({ url })).close();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("insert into schema_migration values (999, 'future', '2030-01-01T00:00:00.000Z')");
      await client.end();
      const outcome = await run(commandOf(role), { env: { SVC_DATABASE_URL: url, SVC_PORT: "0" } });
      expect(outcome.code).toBe(1);
      expect(outcome.output).toContain(
        `The database has schema 999, this program knows schemas up to ${MIGRATIONS.length}: start a newer program`,
      );
      const status = await arkstone({ SVC_DATABASE_URL: url }, ["migrate", "--status"]);
      expect([status.code, status.err]).toEqual([1, expect.stringContaining("schema 999")]);
    },
    60_000,
  );

  test("columns, tables and indexes that come while a store is at work disturb no statement it has planned", async () => {
    const made = await found?.createDatabase();
    const url = made?.url ?? "";
    const store = await openStore({ url, poolSize: 2 });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const work = async (round: number): Promise<void> => {
      await store.naans();
      await store.organisations();
      await store.shoulders(["99999"]);
      await store.shoulders();
      await store.credentials();
      await store.secretsOf(1);
      await store.credentialBySecret("x");
      await store.credentialByClientId("x");
      await store.arks(["99999/b1"]);
      await historyOf(store, "99999/b1");
      await store.listArks({ reach: { kind: "system" } }, "", 10);
      await store.unregisteredSubjects();
      await store.noteUnregisteredSubject("i", `s${round}`, "2026-01-01T00:00:00.000Z");
      await store.transact(async (tx) => {
        await tx.lockArks(["99999/b1"]);
        await tx.lockOrganisations([1]);
        await tx.receipts("c", ["r"]);
      });
    };
    // More often than the connections are many, so that each has planned each statement.
    for (let round = 0; round < 8; round += 1) await Promise.all([work(round), work(round)]);
    const tables = (await client.query("select tablename from pg_tables where schemaname = 'public'")).rows;
    for (const { tablename: table } of tables) {
      await client.query(`alter table ${table} add column later text not null default ''`);
      await client.query(`create index on ${table} (later)`);
    }
    for (let round = 0; round < 4; round += 1) await Promise.all([work(round), work(round)]);
    await client.end();
    await store.close();
  }, 60_000);
});
