// Where items are filed, over HTTP (R16a, R25, R2f, R2g), and bulk changes (R47): who may, what is refused, and what
// becomes of each item.
import { beforeAll, describe, expect, test } from "bun:test";
import { jobRunner } from "../../src/jobs/runner.ts";
import type { ItemContent } from "../../src/model/items/item.ts";
import { bulkChangeJobs } from "../../src/repository/items/bulk-changes.ts";
import { most } from "../../src/shared/limits.ts";
import { onEachDatabase } from "../support/databases.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { quietLog } from "../support/quiet-log.ts";
import { aContent } from "../support/world/items.ts";
import { INDEXES, type PersonName, type RepositoryWorld, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const SECOND = 50;
const PUBLIC = { record: "public", files: "public" };
const CLOSED = { record: "restricted", files: "public" };

type Row = {
  readonly id: number;
  readonly state?: string;
  readonly before: { readonly indexes: readonly number[]; readonly access: object } | null;
  readonly after: { readonly indexes: readonly number[]; readonly access: object } | null;
  readonly refusal: { readonly status: number; readonly message: string } | null;
};

onEachDatabase("filing", (database) => {
  const world = setUpWorld({ repository: true, database });
  beforeAll(async () => {
    await world.store.transact(async (tx) => {
      const open = await tx.indexes.index(INDEXES.open);
      if (open !== null) await tx.indexes.insertIndex({ ...open, id: SECOND, position: 9 });
      await tx.indexes.raiseTreeRevision();
    });
  });

  const publish = async (who: PersonName, fields: Partial<ItemContent> = {}): Promise<number> => {
    const content = aContent({ indexes: [INDEXES.open], ...fields });
    return (await world.items.createAndPublish(await world.viewer(who), { content })).item.id;
  };
  const send = (who: Who, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    world.ask(who, method, `/api/v1/${path}`, { headers, body: body === undefined ? null : JSON.stringify(body) });
  const places = async (id: number) => (await world.item(id)).content?.indexes;
  const runJobs = () =>
    jobRunner({
      ...{ store: world.store, clock: world.clock, log: quietLog, owner: "test" },
      kinds: bulkChangeJobs({ ...world, items: world.items.core }),
    }).runDue();

  describe("where an item is filed", () => {
    test("R25 it is read, replaced, added to and taken out of, each change a revision and its tag", async () => {
      const id = await publish("registered");
      const path = `items/${id}/indexes`;
      const before = await send("registered", "GET", path);
      expect(before.json).toEqual({ item: id, revision: 1, publish_status: "public", indexes: [INDEXES.open] });
      expect(before.headers.get("etag")).toBe('"1"');
      expect((await send("registered", "GET", path, undefined, { "if-none-match": '"1"' })).status).toBe(304);

      const both = await send("registered", "PUT", path, { indexes: [SECOND, INDEXES.open] });
      expect([both.status, both.json.revision, both.json.indexes]).toEqual([200, 2, [SECOND, INDEXES.open]]);
      const same = await send("registered", "PUT", path, { indexes: [SECOND, INDEXES.open] });
      expect([same.status, same.headers.get("etag")]).toEqual([200, '"2"']);
      const less = await send("registered", "DELETE", `${path}/${SECOND}`);
      expect([less.json.revision, less.json.indexes]).toEqual([3, [INDEXES.open]]);
      const more = await send("admin", "PUT", `${path}/${INDEXES.closed}`);
      expect([more.json.revision, more.json.indexes]).toEqual([4, [INDEXES.open, INDEXES.closed]]);
      expect(await places(id)).toEqual([INDEXES.open, INDEXES.closed]);
      const actions = (await world.store.events(`item:${id}`, 10)).map(({ action }) => action);
      expect(actions).toEqual(["item.file", "item.unfile", "item.file", "item.publish"]);
    });

    test("R16a what leaves its last index, which not everybody could browse, is private until it is filed again", async () => {
      const id = await publish("registered", { indexes: [INDEXES.hidden] });
      const out = await send("registered", "PUT", `items/${id}/indexes`, { indexes: [] });
      expect(out.json).toMatchObject({ publish_status: "private", indexes: [] });
      expect((await send(null, "GET", `records/${id}`)).status).toBe(403);
      const back = await send("registered", "PUT", `items/${id}/indexes/${INDEXES.open}`);
      expect(back.json).toMatchObject({ publish_status: "public", indexes: [INDEXES.open] });
    });

    test("R2e R2g only who may change the item, and into each new index only who may put items there", async () => {
      const id = await publish("registered");
      const path = `items/${id}/indexes`;
      for (const who of ["other", "manager", "general"] as const) {
        for (const [method, at, body] of [
          ["GET", path, undefined],
          ["PUT", path, { indexes: [] }],
          ["PUT", `${path}/${SECOND}`, undefined],
          ["DELETE", `${path}/${INDEXES.open}`, undefined],
        ] as const) {
          const { status, json } = await send(who, method, at, body);
          const message = `You may not change item ${id}`;
          const expected = [...[who, method, 403], { code: 403, description: message, message }];
          expect([who, method, status, json]).toEqual(expected);
        }
      }
      expect((await send(null, "GET", path)).status).toBe(401);
      for (const index of [INDEXES.closed, 999_999]) {
        const { status, json } = await send("registered", "PUT", path, { indexes: [SECOND, index] });
        expect([status, json.message]).toEqual([403, `You may not put items into index ${index}`]);
      }
      expect((await send("registered", "PUT", `${path}/${INDEXES.community}`)).status).toBe(403);
      expect((await send("admin", "PUT", `${path}/999999`)).json.message).toContain("there is no such index");
      expect((await world.item(id)).revision).toBe(1);
      const narrow = await world.token("registered", ["item:read"], null);
      expect((await send(narrow, "GET", path)).status).toBe(200);
      expect((await send(narrow, "PUT", `${path}/${SECOND}`)).status).toBe(403);
    });

    test("R9 R9a what is not a list of indexes, and too many of them, are 400 and change nothing", async () => {
      const id = await publish("registered");
      const path = `items/${id}/indexes`;
      for (const [body, message] of [
        [{}, "indexes is missing"],
        [{ indexes: "1" }, 'indexes must be a list, not "1"'],
        [{ indexes: [1, 0] }, "indexes[1] must be a whole number of 1 or more, not 0"],
        [{ indexes: [1], index: 2 }, 'Unknown member "index"; there are indexes'],
        [{ indexes: Array.from({ length: most("indexes") + 1 }, (_, at) => at + 1) }, "must have at most 100 entries"],
      ] as const) {
        const { status, json } = await send("registered", "PUT", path, body);
        expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
      }
      expect((await send("registered", "PUT", "items/x/indexes", { indexes: [] })).status).toBe(404);
      expect((await send("registered", "DELETE", `${path}/x`)).status).toBe(404);
      expect((await world.ask("registered", "GET", `/api/v9/${path}`)).status).toBe(400);
      expect((await world.item(id)).revision).toBe(1);
    });

    test("R37 If-Match names a revision that was seen, and another one is 412", async () => {
      const id = await publish("registered");
      const path = `items/${id}/indexes/${SECOND}`;
      const stale = await send("registered", "PUT", path, undefined, { "if-match": '"7", "8"' });
      expect([stale.status, stale.json.message]).toEqual([412, `Item ${id} is at revision 1, not 7, 8`]);
      expect(await places(id)).toEqual([INDEXES.open]);
      expect((await send("registered", "PUT", path, undefined, { "if-match": '"7", W/"1"' })).status).toBe(200);
      expect((await send("registered", "DELETE", path, undefined, { "if-match": '"1"' })).status).toBe(412);
      const whole = await send("registered", "PUT", `items/${id}/indexes`, { indexes: [] }, { "if-match": '"1"' });
      expect(whole.status).toBe(412);
      expect((await send("registered", "DELETE", path, undefined, { "if-match": "*" })).status).toBe(200);
    });

    test("R2f R2c an item with an edit or an activity is 409, naming nobody; drafts are 404, deleted items 410", async () => {
      const edited = await publish("registered");
      const owner = await world.viewer("registered");
      await world.items.saveDraft(owner, edited, { content: aContent() });
      const workflow = await world.workflow({ delete: { actions: ["start", "approval", "end"] } });
      const slow = await world.token("registered", undefined, { registrationType: 2, workflow });
      const waiting = await publish("registered");
      expect((await world.replace(slow, waiting, cratePackage())).status).toBe(202);
      for (const id of [edited, waiting]) {
        const { status, json } = await send("admin", "PUT", `items/${id}/indexes/${SECOND}`);
        expect([status, json.message]).toEqual([409, `Item ${id} cannot be changed now: it is in activity`]);
        expect((await send("admin", "DELETE", `items/${id}/indexes/${INDEXES.open}`)).status).toBe(409);
        expect((await send("admin", "PUT", `items/${id}/indexes`, { indexes: [SECOND] })).status).toBe(409);
        expect(await places(id)).toEqual([INDEXES.open]);
      }
      const draft = (await world.items.createDraft(owner, { content: aContent() })).item.id;
      const gone = await publish("registered");
      await world.items.remove(await world.viewer("admin"), gone);
      for (const who of ["registered", "other"] as const) {
        expect((await send(who, "PUT", `items/${draft}/indexes/${SECOND}`)).status).toBe(404);
      }
      expect((await send("registered", "PUT", `items/${gone}/indexes/${SECOND}`)).status).toBe(410);
      expect((await send("registered", "PUT", `items/${gone}/indexes`, { indexes: [] })).status).toBe(410);
      expect((await send("registered", "DELETE", `items/${gone}/indexes/${SECOND}`)).status).toBe(410);
      expect((await send("registered", "GET", `items/${gone}/indexes`)).status).toBe(410);
      expect((await send("registered", "GET", "items/999999/indexes")).status).toBe(404);
    });
  });

  describe("bulk changes", () => {
    const start = (who: Who, items: readonly number[], change: object, dryRun?: boolean) =>
      send(who, "POST", "bulk-changes", { items, change, ...(dryRun === undefined ? {} : { dry_run: dryRun }) });
    const rows = (json: Readonly<Record<string, unknown>>) => json.items as readonly Row[];

    test("R47 a dry run shows before and after of each item and what is refused, and changes nothing", async () => {
      const [mine, other, filed] = [
        await publish("registered"),
        await publish("other"),
        await publish("registered", { indexes: [INDEXES.open, SECOND] }),
      ];
      const { status, json } = await start("registered", [mine, other, filed, 999_999], { file: SECOND }, true);
      expect([status, json.dry_run, json.total, json.refused]).toEqual([200, true, 4, 2]);
      const both = { indexes: [INDEXES.open, SECOND], access: PUBLIC };
      const none = { before: null, after: null };
      const forbidden = { status: 403, message: `You may not change item ${other}` };
      expect(rows(json)).toEqual([
        { id: mine, before: { indexes: [INDEXES.open], access: PUBLIC }, after: both, refusal: null },
        { id: other, ...none, refusal: forbidden },
        { id: filed, before: both, after: both, refusal: null },
        { id: 999_999, ...none, refusal: { status: 404, message: "Item 999999 does not exist" } },
      ]);
      expect(await places(mine)).toEqual([INDEXES.open]);
      const last = await start("registered", [mine, filed], { unfile: INDEXES.open }, true);
      expect(rows(last.json).map(({ after }) => after?.indexes)).toEqual([[], [SECOND]]);
      expect(await runJobs()).toBe(0);
    });

    test("R47 one item that would be refused refuses all of them", async () => {
      const [mine, edited] = [await publish("registered"), await publish("registered")];
      await world.items.saveDraft(await world.viewer("registered"), edited, { content: aContent() });
      const { status, json } = await start("registered", [mine, edited], { publish_status: "private" });
      expect([status, json.message]).toEqual([409, "1 of 2 items cannot be changed: nothing was changed"]);
      expect(rows(json).map(({ id, refusal }) => [id, refusal?.status])).toEqual([[edited, 409]]);
      expect((await start("registered", [mine], { file: INDEXES.closed })).status).toBe(409);
      expect(await runJobs()).toBe(0);
      expect((await world.item(mine)).revision).toBe(1);
    });

    test("R47 a job changes each item in a separate transaction, and records its state before and after", async () => {
      const [one, two, done] = [
        await publish("registered"),
        await publish("other"),
        await publish("other", { access: { ...aContent().access, record: "restricted" } }),
      ];
      const started = await start("admin", [one, two, done], { publish_status: "private" });
      expect([started.status, started.json.state, started.json.total]).toEqual([202, "waiting", 3]);
      const path = started.headers.get("location")?.replace("/api/v1/", "") ?? "";
      expect(path).toBe(`bulk-changes/${started.json.id}`);
      expect((await send("admin", "GET", path)).json).toEqual(started.json);
      // Somebody begins to work on an item before the job comes to it.
      await world.items.saveDraft(await world.viewer("other"), two, { content: aContent() });
      expect(await runJobs()).toBe(1);
      const { json } = await send("admin", "GET", path);
      expect([json.state, json.counts]).toEqual(["done", { waiting: 0, changed: 1, unchanged: 1, refused: 1 }]);
      const [open, closed] = [PUBLIC, CLOSED].map((access) => ({ indexes: [INDEXES.open], access }));
      expect(rows(json)).toEqual([
        { id: one, state: "changed", before: open ?? null, after: closed ?? null, refusal: null },
        {
          ...{ id: two, state: "refused", before: null, after: null },
          refusal: { status: 409, message: `Item ${two} cannot be changed now: it is in activity` },
        },
        { id: done, state: "unchanged", before: closed ?? null, after: closed ?? null, refusal: null },
      ]);
      expect((await world.item(one)).content?.access.record).toBe("restricted");
      expect((await world.item(two)).content?.access.record).toBe("public");
      expect((await world.item(done)).revision).toBe(1);
      const who = world.people.admin.account.id;
      expect((await world.store.events(`item:${one}`, 1))[0]).toMatchObject({
        ...{ action: "item.set-access", accountId: who, clientId: world.people.admin.clientId },
      });
      for (const other of ["registered", "manager"] as const) expect((await send(other, "GET", path)).status).toBe(404);
      expect((await send("system", "GET", path)).status).toBe(200);
    });

    test("R47 R2g the job has the rights of the account at that moment", async () => {
      const [one, two] = [await publish("curator"), await publish("curator")];
      const { account } = world.people.curator;
      const filed = await start("curator", [one, two], { file: SECOND });
      const set = await start("curator", [one, two], { access: { files: "restricted" } });
      expect([filed.status, set.status]).toEqual([202, 202]);
      const save = (changes: Partial<typeof account>) =>
        world.store.transact((tx) => tx.accounts.saveAccount({ ...account, ...changes }));
      await save({ active: false });
      expect(await runJobs()).toBe(2);
      await save({ active: true });
      for (const { json } of [filed, set]) {
        const report = await send("curator", "GET", `bulk-changes/${json.id}`);
        expect(rows(report.json).map(({ state, refusal }) => [state, refusal])).toEqual(
          [one, two].map(() => ["refused", { status: 403, message: "The account is disabled" }]),
        );
      }
      expect((await world.item(one)).revision).toBe(1);
      await start("curator", [two], { access: { files: "restricted" } });
      await runJobs();
      expect((await world.item(two)).content?.access).toMatchObject({ record: "public", files: "restricted" });
    });

    test("R47 R8 a job that is begun again goes on behind what was done", async () => {
      const [one, two] = [await publish("registered"), await publish("registered")];
      const { json } = await start("registered", [one, two], { unfile: INDEXES.open });
      const kinds = bulkChangeJobs({ ...world, items: world.items.core });
      const [job] = await world.store.jobs.listJobs({ subject: String(json.id) }, null, 1);
      if (job === undefined) throw new Error("There is no job");
      const abort = new AbortController();
      const first = { ...world.items.core, place: abortAfter(world.items.core.place, abort) };
      const run = bulkChangeJobs({ ...world, items: first }).bulk_change?.run(job, {
        ...{ signal: abort.signal, progress: async () => {} },
      });
      await expect(run).rejects.toThrow("The process ends");
      expect([await places(one), await places(two)]).toEqual([[], [INDEXES.open]]);
      await kinds.bulk_change?.run(job, { signal: new AbortController().signal, progress: async () => {} });
      const report = await send("registered", "GET", `bulk-changes/${json.id}`);
      expect(report.json.counts).toEqual({ waiting: 0, changed: 2, unchanged: 0, refused: 0 });
      expect([(await world.item(one)).revision, (await world.item(two)).revision]).toEqual([2, 2]);
      await runJobs();
    });

    test("R9 everything that is wrong is reported: the first as the message, all with their fields", async () => {
      const id = await publish("registered");
      const wrong = { items: [id, "x"], change: { access: { record: "open" } }, dry_run: "yes" };
      const { status, json } = await send("admin", "POST", "bulk-changes", wrong);
      const errors = json.errors as readonly { readonly field: string; readonly message: string }[];
      expect([status, json.message, errors[0]?.message]).toEqual([400, errors[0]?.message, json.message]);
      expect(errors.map(({ field }) => field)).toEqual(["items[1]", "change.access.record", "dry_run"]);
      const filed = await send("admin", "PUT", `items/${id}/indexes`, { indexes: [0, INDEXES.open, "x"], x: 1 });
      expect([filed.status, filed.json.errors]).toMatchObject([
        400,
        [{ field: "x" }, { field: "indexes[0]" }, { field: "indexes[2]" }],
      ]);
    });

    test("R9 R9a what is not one change of some items is 400", async () => {
      const id = await publish("registered");
      const tooMany = Array.from({ length: most("bulkItems") + 1 }, (_, at) => at + 1);
      const unknownAccess = 'change.access.record must be one of public, restricted, not "open"';
      for (const [body, message] of [
        [{ items: [id], change: {} }, "change must have exactly one of file, unfile, access, publish_status"],
        [{ items: [id], change: { file: 1, unfile: 2 } }, "change must have exactly one of"],
        [{ items: [id], change: { access: {} } }, "change.access must name record, files or both"],
        [{ items: [id], change: { access: { record: "open" } } }, unknownAccess],
        [{ items: [id], change: { files: 1 } }, 'Unknown member "files" in change: did you mean file?'],
        [{ items: [], change: { file: 1 } }, "items must name one item or more"],
        [{ items: [id, "x"], change: { file: 1 } }, 'items[1] must be a whole number of 1 or more, not "x"'],
        [{ items: [id], change: { file: 1 }, dry_run: "yes" }, 'dry_run must be true or false, not "yes"'],
        [{ items: tooMany, change: { file: 1 } }, "items must have at most 500 entries, not 501"],
      ] as const) {
        const { status, json } = await send("registered", "POST", "bulk-changes", body);
        expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
        expect(json).toEqual({ code: 400, status: 400, message: json.message });
      }
      const none = await start("admin", [id], { file: 999_999 });
      expect([none.status, none.json.message]).toEqual([400, "change.file: index 999999 does not exist"]);
      expect((await start(null, [id], { file: 1 })).status).toBe(401);
      const narrow = await world.token("registered", ["item:read"], null);
      expect((await start(narrow, [id], { file: SECOND })).status).toBe(403);
      expect((await send("admin", "GET", "bulk-changes/nothing")).status).toBe(404);
    });
  });
});

type Place = RepositoryWorld["items"]["core"]["place"];

/** The process ends as soon as one item is written. */
function abortAfter(place: Place, abort: AbortController): Place {
  return async (...given) => {
    const written = await place(...given);
    abort.abort(new Error("The process ends"));
    return written;
  };
}
