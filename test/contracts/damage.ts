// What `arkstone verify` finds in copies of a healthy database that were damaged by hand, one kind of damage each, and
// that it finds nothing in what the services themselves have written (docs/disaster-recovery.md). One suite for SQLite
// and PostgreSQL.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CompiledQuery } from "kysely";
import { openStore } from "../../db/ark/store.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { GUARDS, POSTGRES_GUARDS } from "../../db/operating/engine-checks.ts";
import { changeNameIn } from "../../src/ark/change-name.ts";
import { liftTombstoneSteps } from "../../src/ark/lifecycle.ts";
import { retarget } from "../../src/ark/retarget.ts";
import type { Store } from "../../src/ark/store.ts";
import { formatArk, parseArk } from "../../src/ark/syntax.ts";
import { FINDING_KINDS, type FindingKind } from "../../src/operating/verify/finding.ts";
import { allowed, clock, everyKindOfName, findingsIn, servicesOn } from "../support/backups.ts";
import { aCall } from "../support/callers.ts";
import { arkstone } from "../support/command-line.ts";

export type DamageBench = {
  readonly dialect: "sqlite" | "postgres";
  open(): Promise<string>;
  /** A copy of a database nobody has open. */
  copy(url: string): Promise<string>;
  /** Whatever keeps a person from writing nonsense, turned off for `statements` alone. */
  damage(url: string, statements: readonly string[]): Promise<void>;
  drop(): Promise<void>;
};

type Names = Awaited<ReturnType<typeof everyKindOfName>>;
type Damage = readonly [
  what: string,
  kind: FindingKind,
  key: (names: Names) => string,
  (names: Names) => readonly string[],
];

/** Rows of a table in text: a line of cells, and the statements of the row, indented, in the lines below it. */
export const rowsOf = (table: string) =>
  table
    .trim()
    .split(/\n(?! )/)
    .map((row) => {
      const [line = "", ...statements] = row.split("\n").map((each) => each.trim());
      return { cells: line.split(" | "), statements };
    });
/** A text in which `{name}` is replaced by the value of that name. */
export const filled = (text: string, values: Readonly<Record<string, unknown>>) =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
const otherEnd = (n: Names) => `${n.held.slice(0, -1)}${n.held.endsWith("b") ? "c" : "b"}`;
const hyphenated = (n: Names) => n.held.replace("/b1", "/b1-");
const withdrawnNow = "state = 'deleted', url = '', published_at = null, withdrawn_at = updated_at";
const publishedAtFirst = "state = 'published', published_at = created_at, first_published_at = created_at";

const TABLE = `
a published name without its date | state | {published}
  update ark set published_at = null where ark = '{published}'
a published name that forgot its first publication | state | {published}
  update ark set first_published_at = null where ark = '{published}'
a state nobody knows | state | {held}
  update ark set state = 'lost' where ark = '{held}'
a tombstone without a date | state | {tombstoned}
  update ark set tombstoned_at = null where ark = '{tombstoned}'
a withdrawn name that leads somewhere | withdrawn | {deleted}
  update ark set url = 'https://x.example/' where ark = '{deleted}'
a withdrawn name brought back to life | withdrawn | {purged}
  update ark set state = 'published', withdrawn_at = null, published_at = created_at where ark = '{purged}'
a state that the history does not lead to | history | {reserved}
  update ark set ${publishedAtFirst} where ark = '{unpublished}'
  update ark set state = 'tombstoned', tombstoned_at = created_at where ark = '{reserved}'
a target moved by hand | history | {published}
  update ark set url = 'https://evil.example/' where ark = '{published}'
the beginning of a history removed | history | {unpublished}
  delete from ark_change where target = '{unpublished}' and action = 'mint'
a row removed | history | {held}
  delete from ark where ark = '{held}'
a part that lives below a withdrawn name | part | {part}
  update ark set ${withdrawnNow} where ark = '{published}'
a part whose base was removed | part | {part}
  delete from ark where ark = '{published}'
a receipt that points at nothing | receipt | ops held
  delete from ark where ark = '{held}'
a receipt of another kind of call | receipt | ops held
  update receipt set kind = 'import' where request_id = 'held'
a feed without epoch | feed | ark_change
  delete from service where key = 'feed_epoch'
a check character that does not fit | check-character | {otherEnd}
  update ark set ark = '{otherEnd}' where ark = '{held}'
a key that is not in normal form | key | {hyphenated}
  update ark set ark = '{hyphenated}' where ark = '{held}'
a name under a shoulder that does not exist | shoulder | {held}
  update ark set shoulder = 'b' where ark = '{held}'
a blade shorter than the names it made | blade | 99999/b1
  update shoulder set blade_length = 4 where shoulder = 'b1'
an organisation whose default shoulder is gone | policy | 99999/org-b
  update organisation set default_shoulder = 'z7' where name = 'org-b'
a credential pinned to another's shoulder | credential | ops
  update credential set shoulder = 'c2' where client_id = 'ops'
a credential pinned to a shoulder of another NAAN | credential | ops
  update shoulder set naan = '88888', organisation_id = (select organisation_id from credential where client_id = 'ops') where shoulder = 'c2'
  update credential set shoulder = 'c2' where client_id = 'ops'
a credential without its organisation | credential | ops
  update credential set organisation_id = 77 where client_id = 'ops'
a secret that belongs to nobody | credential | abc
  update credential_secret set credential_id = 77 where id = 'abc'
a name counted for an organisation that does not exist | origin | {held}
  update ark set organisation_id = 77 where ark = '{held}'
a minted name that is marked as imported | origin | {held}
  update ark set origin = 'imported' where ark = '{held}'
a change without its entry in the audit | audit | {held}
  delete from audit_event where target = '{held}' and action = 'hold'`;
const valuesOf = (names: Names) => ({ ...names, otherEnd: otherEnd(names), hyphenated: hyphenated(names) });
const DAMAGES: readonly Damage[] = rowsOf(TABLE).map(({ cells: [what = "", kind, key = ""], statements }) => [
  what,
  kind as FindingKind,
  (names) => filled(key, valuesOf(names)),
  (names) => statements.map((each) => filled(each, valuesOf(names))),
]);

/**
 * One of each kind: what is left to ask where the rules were tried whole on another database, and only reading the rows
 * differs.
 */
export const ONE_OF_EACH_KIND = DAMAGES.filter(([, kind], at) => DAMAGES.findIndex((each) => each[1] === kind) === at);

export function describeDamage(title: string, open: () => Promise<DamageBench>, damages = DAMAGES): void {
  describe(`verify ${title}`, () => {
    let bench: DamageBench;
    let healthy = "";
    let names: Names;
    beforeAll(async () => {
      bench = await open();
      healthy = await bench.open();
      names = await everyKindOfName(healthy);
    });
    afterAll(() => bench.drop());

    test("a healthy database passes, and the exit code shows it", async () => {
      expect(await findingsIn(healthy)).toEqual([]);
      const output = await arkstone({ SVC_DATABASE_URL: healthy }, ["verify", "--json"]);
      const expected = [0, expect.objectContaining({ findings: 0, names: 8, receipts: 7 })];
      expect([output.code, JSON.parse(output.out)]).toEqual(expected);
    });

    test.each(damages.map((damage) => [damage[0], damage] as const))(
      "%s is found",
      async (_what, [, kind, key, statements]) => {
        const copy = await bench.copy(healthy);
        await bench.damage(copy, statements(names));
        const found = await findingsIn(copy);
        expect(found.map((each) => `${each.kind} ${each.key}`)).toContain(`${kind} ${key(names)}`);
        // Nothing is reported about names that were not touched.
        const untouched = Object.values(names).filter(
          (name) => name !== undefined && !JSON.stringify(statements(names)).includes(String(name)),
        );
        const about = found.filter((each) => untouched.includes(each.key) && each.kind !== "part");
        expect(about).toEqual([]);
      },
    );

    test("a trigger that is gone is found, and all that should be there are known", async () => {
      const copy = await bench.copy(healthy);
      const database = await openDatabase({ url: copy });
      const guards = bench.dialect === "sqlite" ? GUARDS : POSTGRES_GUARDS;
      const text =
        bench.dialect === "sqlite"
          ? "select name from sqlite_master where type = 'trigger'"
          : "select tgname as name from pg_trigger where not tgisinternal";
      const { rows } = await database.writer.executeQuery<{ name: string }>(CompiledQuery.raw(text));
      expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(guards).sort());
      await database.writer.executeQuery(
        CompiledQuery.raw(
          bench.dialect === "sqlite" ? "drop trigger ark_is_kept" : "alter table ark disable trigger ark_is_kept",
        ),
      );
      await database.close();
      expect(await findingsIn(copy)).toEqual([
        { kind: "engine", key: "ark", problem: "its trigger ark_is_kept is missing or turned off" },
      ]);
    });

    test("the command lists each finding with kind, key and words, and its exit code is 1", async () => {
      const copy = await bench.copy(healthy);
      await bench.damage(copy, [`update ark set url = 'https://evil.example/' where ark = '${names.published}'`]);
      const env = { SVC_DATABASE_URL: copy };
      const output = await arkstone(env, ["verify"]);
      const expected = [1, expect.stringMatching(/^history {2}99999\/b1\S+: its target is not/)];
      expect([output.code, output.out]).toEqual(expected);
      const lines = (await arkstone(env, ["verify", "--json"])).out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(lines[0]).toMatchObject({ kind: "history", key: names.published });
      expect(lines.at(-1)).toMatchObject({ findings: 1, kinds: { history: 1 } });
    });

    test("every kind of finding but the engine's is caused by one of these damages, or those of items and authors", () => {
      const caused = new Set<FindingKind>([...DAMAGES.map(([, kind]) => kind), "item", "author"]);
      expect(FINDING_KINDS.filter((kind) => !caused.has(kind))).toEqual(["engine"]);
    });

    test("whatever the services were asked for in whatever order, what they have written holds together", async () => {
      const url = await bench.open();
      const store = await openStore({ url });
      await everyKindOfName(url);
      const done = await muddle(store, 400);
      await store.close();
      expect(done).toBeGreaterThan(100);
      expect(await findingsIn(url)).toEqual([]);
    });
  });
}

/** Calls in a random order that is the same each time; returns how many were allowed. */
async function muddle(store: Store, calls: number): Promise<number> {
  const { minting, lifecycle } = servicesOn(store);
  const call = aCall({ organisationId: 1 });
  let seed = 20261120;
  const pick = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const keys = (await store.listArks({ reach: { kind: "system" } }, "", 100)).map((record) => record.key);
  const any = () => formatArk(keys[pick(keys.length)] ?? "");
  const solemn = () => {
    const ark = any();
    return { ark, reason: "By chance", confirm: ark };
  };
  const until = () => new Date(Date.now() + 86_400_000 * (1 + pick(30))).toISOString();
  const remember = async (made: Promise<{ record: { key: string } }>) => void keys.push((await made).record.key);
  const operations: readonly (() => Promise<unknown>)[] = [
    () =>
      remember(
        minting.mint(call, { url: "https://example.org/a", reserve: pick(2) === 0, request_id: `q${pick(90)}` }),
      ),
    () => remember(minting.mint(call, { reserve: pick(3) === 0 })),
    () => remember(minting.register(call, { ark: any(), qualifier: `/p${pick(3)}`, url: "https://example.org/part" })),
    () =>
      lifecycle.update(
        call,
        { ark: any(), url: `https://example.org/${pick(9)}`, title: "T" },
        pick(2) === 0 ? "patch" : "replace",
      ),
    () => lifecycle.publish(call, any()),
    () => lifecycle.unpublish(call, solemn()),
    () => lifecycle.tombstone(call, { ark: any(), url: pick(2) === 0 ? "" : "https://example.org/gone" }),
    () => store.transact((tx) => changeNameIn(tx, call, parseArk(any()), () => clock.now(), liftTombstoneSteps)),
    () => lifecycle.hold(call, { ark: any(), until: until(), reason: "By chance" }),
    () => lifecycle.release(call, { ark: any() }),
    () => lifecycle.delete(call, solemn()),
    () => lifecycle.purge(call, solemn()),
    () => {
      const move = {
        naan: "99999",
        shoulder: "b1",
        from: `https://example.org/${pick(9)}`,
        to: "https://moved.example/",
      };
      const watch = { onProgress: () => {}, isInterrupted: () => false, targetProblem: () => null };
      return retarget({ store, clock }, call, { ...move, dryRun: false, batchRows: 50 }, watch);
    },
  ];
  let done = 0;
  for (let made = 0; made < calls; made++) {
    const operation = operations[pick(operations.length)];
    if (operation !== undefined && (await allowed(operation))) done++;
  }
  return done;
}
