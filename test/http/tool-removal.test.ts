// delete_record and restore_record (R30; specification 3, "Tool servers", "States and transitions"; reference 1.2, 2.5)
// over HTTP and over standard input and output, and the audit that every call of a tool leaves (reference 4.4).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LogFields } from "../../src/shared/log.ts";
import { METADATA } from "../support/record-calls.ts";
import { stdioTools } from "../support/stdio-tools.ts";
import { BASE_URL, type Who } from "../support/world/repository.ts";
import { DENIED, UNKNOWN } from "../support/world/tools.ts";
import { setUpWorld } from "../support/world.ts";

const UNEXPECTED = { status: 400, code: "invalid", message: "Record in unexpected deletion status." };

describe("R30 removing and restoring", () => {
  let stdio: ReturnType<typeof stdioTools>;
  const lines: LogFields[] = [];
  const note = (event: string, fields: LogFields = {}): void => void lines.push({ event, ...fields });
  const world = setUpWorld({ repository: { log: { debug: note, info: note, warn: note, error: note } }, tools: true });
  beforeAll(() => {
    stdio = stdioTools(world, world.folder);
  });
  afterAll(async () => {
    await stdio.close();
  });

  /** Both transports, where the tool is called with the same rights. */
  const ways = () =>
    [
      ["http", world.calls.call],
      ["stdio", stdio.call],
    ] as const;

  test("T.delete_record.1: without confirm=true it does nothing and states what it would do, for every caller", async () => {
    const recid = await world.published();
    for (const [way, call] of ways()) {
      for (const args of [{ recid }, { recid, confirm: false }]) {
        for (const who of ["registered", "system"] as const) {
          const { isError, structuredContent } = await call(who, "delete_record", args);
          const effect = `Record ${recid} would be removed: its page and tools answer 410 with the reason, its identifier stays. Ask the person first`;
          const expected = { done: false, effect, how: "call again with confirm=true" };
          expect([way, isError, structuredContent]).toMatchObject([way, undefined, expected]);
        }
      }
      expect(
        (await call("system", "delete_record", { recid, confirm: "true" })).structuredContent.error.errors,
      ).toEqual([{ field: "confirm", messages: ['"true" is not of type boolean.'] }]);
    }
    expect((await world.resultOf(null, "get_record", { recid })).status).toBe("published");
  });

  test("T.delete_record.2 T.restore_record.1: with it the record is a tombstone for everybody, until it is restored", async () => {
    for (const [way, call] of ways()) {
      for (const who of ["system", "admin"] as const) {
        const recid = await world.published();
        const done = await call(who, "delete_record", { recid, confirm: true });
        expect([way, done.isError, done.structuredContent]).toMatchObject([
          ...[way, undefined],
          { done: true, id: recid, recid, status: "deleted", how_to_undo: `restore_record (recid ${recid})` },
        ]);
        for (const name of ["get_record", "list_files", "list_versions", "export_record"]) {
          const error = await world.refused("registered", name, { recid });
          const tombstone = { removal_reason: { id: "out-of-scope" }, note: "removed via MCP", is_visible: true };
          const gone = { status: 410, code: "deleted", message: "Record deleted", tombstone };
          expect([name, error]).toMatchObject([name, gone]);
          expect(error.tombstone.removed_by).toBeUndefined();
        }
        const { tombstone } = await world.refused("admin", "get_record", { recid });
        expect(tombstone.removed_by).toEqual({ user: String(world.people[who].account.id) });
        expect((await world.resultOf("registered", "search_records", { query: `id:${recid}` })).total).toBe(0);
        const back = await call(who, "restore_record", { recid });
        const expected = [undefined, recid, "published"];
        expect([back.isError, back.structuredContent.id, back.structuredContent.status]).toEqual(expected);
        expect((await world.resultOf(null, "get_record", { recid })).title).toBe("On tides");
      }
    }
  });

  test("R19 delete_record and delete_draft of an administrator go past the open edit of the owner", async () => {
    const [one, two] = [await world.published(), await world.published()];
    for (const recid of [one, two]) {
      await world.resultOf("registered", "update_record", {
        recid,
        metadata: { title: "Unsaved words" },
        publish: false,
      });
    }
    expect((await world.refused("curator", "delete_draft", { recid: one })).status).not.toBe(409);
    expect((await world.resultOf("admin", "delete_draft", { recid: one })).error).toBeUndefined();
    expect(await world.store.items.draft(Number(one))).toBeNull();
    expect((await world.resultOf(null, "get_record", { recid: one })).status).toBe("published");
    expect(await world.resultOf("admin", "delete_record", { recid: two, confirm: true })).toMatchObject({ done: true });
    expect(await world.store.items.draft(Number(two))).toBeNull();
    expect((await world.refused(null, "get_record", { recid: two })).status).toBe(410);
  });

  test("T.delete_record.3 T.restore_record.2: the role is asked before anything of the record is: 403 for all but administrators", async () => {
    const recid = await world.published();
    for (const [way, call] of ways()) {
      for (const who of ["registered", "other", "manager", "stranger", "curator", "general"] as const) {
        for (const [name, more, hint] of [
          ["delete_record", { confirm: true, reason_id: "boredom" }, "only administrators remove published records"],
          ["restore_record", {}, "only administrators restore removed records"],
        ] as const) {
          for (const named of [recid, "99999", "ark:/99999/none", "nothing"]) {
            const { isError, structuredContent } = await call(who, name, { recid: named, ...more });
            const expected = [...[way, who, named, true], { ...DENIED, hint }];
            expect([way, who, named, isError, structuredContent.error]).toEqual(expected);
          }
        }
      }
    }
    expect((await world.resultOf(null, "get_record", { recid })).status).toBe("published");
  });

  test("T.delete_record.4: a reason is one of the vocabulary, a remark has 10,000 characters at most; both are kept", async () => {
    const recid = await world.published();
    const { errors, hint } = await world.refused("system", "delete_record", {
      ...{ recid, confirm: true, reason_id: "spm", note: "n".repeat(10_001) },
    });
    const messages = [expect.stringMatching(/^"spm" is none of .*take-down-request.*\. Did you mean spam\?$/)];
    expect(errors).toEqual([
      { field: "note", messages: ["Longer than maximum length 10000."] },
      { field: "reason_id", messages },
    ]);
    expect(hint).toContain("list_vocabulary (vocab_type=removalreasons)");
    const note = "n".repeat(10_000);
    await world.resultOf("system", "delete_record", { recid, confirm: true, reason_id: "spam", note });
    const expected = { removal_reason: { id: "spam" }, note };
    expect((await world.refused(null, "get_record", { recid })).tombstone).toMatchObject(expected);
  });

  test("T.delete_record.5 T.restore_record.3: only what is published is removed, only what was removed is restored", async () => {
    const [draft, recid] = [await world.draft(), await world.published()];
    for (const [way, call] of ways()) {
      const error = async (name: string, id: string) =>
        (await call("system", name, { recid: id, ...(name === "delete_record" ? { confirm: true } : {}) }))
          .structuredContent.error;
      for (const id of [draft, "99999", "nothing", "ark:/99999/none"]) {
        expect([way, id, await error("delete_record", id)]).toMatchObject([way, id, UNKNOWN]);
        expect([way, id, await error("restore_record", id)]).toMatchObject([way, id, UNKNOWN]);
      }
      const expected = { ...UNEXPECTED, hint: "get_record (recid) shows whether it is removed" };
      expect(await error("restore_record", recid)).toMatchObject(expected);
      await call("system", "delete_record", { recid, confirm: true });
      expect(await error("delete_record", recid)).toMatchObject(UNEXPECTED);
      await call("system", "restore_record", { recid });
    }
  });

  test("T.delete_record.6 T.restore_record.4: by its ARK and its address too; the version before is the latest one meanwhile", async () => {
    const first = await world.published();
    const { id: second } = await world.resultOf("registered", "new_version", { recid: first });
    const { pids } = await world.resultOf("registered", "publish_record", { recid: second });
    await world.resultOf("system", "delete_record", { recid: pids.ark, confirm: true });
    expect((await world.resultOf(null, "get_record", { recid: first })).version.is_latest).toBe(true);
    const back = await world.resultOf("system", "restore_record", { recid: `${BASE_URL}/records/${second}` });
    expect(back).toMatchObject({ id: second, version: { is_latest: true } });
    expect((await world.resultOf(null, "get_record", { recid: first })).version.is_latest).toBe(false);
  });

  test("T.delete_record.7 T.restore_record.5: nobody's call is 401, one with mcp:write 403; over stdio both are results", async () => {
    await world.gated("delete_record", "mcp:curate", { recid: "1" });
    await world.gated("restore_record", "mcp:curate", { recid: "1" });
    const { token } = await world.token("system", ["mcp:write"]);
    for (const name of ["delete_record", "restore_record"]) {
      for (const [who, status, hint] of [
        [null, 401, "set SVC_MCP_TOKEN to a token with mcp:curate"],
        [{ token }, 403, "make another token that has it"],
      ] as const) {
        const { isError, structuredContent } = await stdio.call(who, name, { recid: "1" });
        expect([name, isError, structuredContent.error]).toMatchObject([name, true, { status, hint }]);
      }
    }
  });

  test("T.delete_record.8: while another process holds the record it is left alone: 409, naming nobody (R2f)", async () => {
    const recid = await world.published();
    const word = await world.items.takeLock(Number(recid), "edit", 60_000);
    for (const [way, call] of ways()) {
      const { structuredContent } = await call("system", "delete_record", { recid, confirm: true });
      const message = "The record is being changed by another activity. Try again when that has ended.";
      const hint = "somebody else works on it: try again when that has ended";
      expect([way, structuredContent.error]).toEqual([way, { status: 409, code: "busy", message, hint }]);
    }
    await world.items.releaseLock(Number(recid), word);
    expect((await world.resultOf("system", "delete_record", { recid, confirm: true })).done).toBe(true);
  });

  /** What was noted since a moment. */
  const since = (from: number) => lines.slice(from).filter(({ event }) => event === "tool_called");

  test("R30: every call leaves a line: account, client, tool, status, milliseconds, and nothing of the content", async () => {
    const { account, clientId } = world.people.registered;
    const secret = "words that nobody keeps";
    for (const [name, args, who, status] of [
      ["search_records", { query: secret }, "registered", 200],
      ["get_record", { recid: "99999" }, "registered", 404],
      ["create_record", { metadata: { ...METADATA, title: secret } }, "registered", 200],
      ["delete_record", { recid: "1", confirm: true, note: secret }, "registered", 403],
      ["search_records", { [secret]: secret }, null, 400],
    ] as const) {
      const from = lines.length;
      await world.calls.call(who, name, args);
      const caller = who === null ? { account: null, client: "" } : { account: account.id, client: clientId };
      expect(since(from)).toEqual([{ event: "tool_called", ...caller, tool: name, status, ms: expect.any(Number) }]);
      expect(JSON.stringify(lines.slice(from))).not.toContain(secret);
    }
  });

  test("R30: what the gate refuses leaves a line too, over both transports", async () => {
    const { token, clientId } = await world.token("registered", ["mcp:read"]);
    const asked: readonly (readonly [Who, number])[] = [
      [null, 401],
      [{ token }, 403],
    ];
    for (const [who, status] of asked) {
      const from = lines.length;
      await world.challenged(who, "create_record", { metadata: {} });
      await stdio.call(who, "create_record", { metadata: {} });
      const line = { tool: "create_record", status, client: who === null ? "" : clientId };
      expect(since(from)).toMatchObject([line, line]);
    }
  });

  test("R30: calls that may change something are rows of the audit in addition to those of the changes; reads are not", async () => {
    const recid = await world.published();
    const rows = (tool: string) => world.store.events(`tool:${tool}`, 5);
    const before = (await rows("delete_record")).length;
    await world.resultOf("system", "delete_record", { recid, confirm: true });
    await stdio.call("registered", "delete_record", { recid, confirm: true });
    const [second, first] = await rows("delete_record");
    expect([before > 0, first, second]).toMatchObject([
      true,
      { action: "tool-call", accountId: world.people.system.account.id, detail: { status: 200 } },
      { action: "tool-call", accountId: world.people.registered.account.id, detail: { status: 403 } },
    ]);
    expect(Object.keys(first?.detail ?? {}).sort()).toEqual(["ms", "status"]);
    expect(await rows("get_record")).toEqual([]);
    expect((await world.store.events(`item:${recid}`, 5)).length).toBeGreaterThan(0);
  });
});
