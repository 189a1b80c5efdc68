// Who speaks to the tool server, and how (R30; specification 3, "Tool servers"): bad tokens, headers that lie, pages of
// others, bodies that do not come, and too many calls; all of it is refused, each with the right code.
import { beforeAll, describe, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { HTTP_TOOLS } from "../../src/repository/tools/tool-table.ts";
import { METADATA } from "../support/record-calls.ts";
import { calling, MODERN_META, OLD, toolCalls } from "../support/tool-calls.ts";
import { BASE_URL, type Who } from "../support/world/repository.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

type Json = Readonly<Record<string, unknown>>;

describe("R30 attacks on the tool server", () => {
  let record = "";

  const world = setUpWorld({ repository: true });
  const calls = toolCalls(world);
  beforeAll(async () => {
    const made = await calls.call("registered", "create_record", { metadata: METADATA, publish: true });
    record = made.structuredContent.id;
  });

  const challengeOf = ({ headers }: { readonly headers: Headers }): string => headers.get("www-authenticate") ?? "";

  test("S3.7.164: headers that differ from the body are refused", async () => {
    const before = await world.countItems();
    const body = {
      ...calling("create_record", { metadata: METADATA }),
      params: { name: "create_record", arguments: { metadata: METADATA }, _meta: MODERN_META },
    };
    const right = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "create_record" };
    for (const wrong of [
      { "mcp-method": "tools/list" },
      { "mcp-name": "search_records" },
      { "mcp-protocol-version": "2025-11-25" },
      { "mcp-name": "" },
      { "mcp-method": "" },
    ]) {
      const { status, message } = await calls.send("registered", body, { ...right, ...wrong });
      expect([wrong, status, (message.error as { code: number }).code]).toEqual([wrong, 400, -32020]);
      // A header that names something harmless opens no gate.
      expect([wrong, (await calls.send(null, body, { ...right, ...wrong })).status]).toEqual([wrong, 401]);
    }
    const unknown = await calls.send(
      "registered",
      {
        ...body,
        params: { ...body.params, _meta: { ...MODERN_META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } },
      },
      { ...right, "mcp-protocol-version": "2099-01-01" },
    );
    expect([unknown.status, (unknown.message.error as { code: number }).code]).toEqual([400, -32022]);
    expect(await world.countItems()).toBe(before);
  });

  test("S3.7.165: pages of others and hosts of others do not speak to the tools", async () => {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    for (const origin of [
      "https://evil.example",
      "null",
      `${BASE_URL}.evil.example`,
      "https://repo.example.org:444",
      "http://repo.example.org",
      "https://repo.example.org@evil.example",
      "file://",
      "https://localhost.evil.example",
      "http://127.0.0.1.evil.example",
    ]) {
      expect([origin, (await calls.send("registered", list, { origin })).status]).toEqual([origin, 403]);
    }
    expect((await calls.send("registered", list, { origin: BASE_URL })).status).toBe(200);
    for (const host of ["evil.example", "repo.example.org.evil.example", "127.0.0.1.evil.example", "[::2]"]) {
      expect([host, (await calls.send("registered", list, { host })).status]).toEqual([host, 403]);
    }
    // No host at all: refused before anybody asks whose it is (RFC 9112, 3.2).
    expect((await calls.send("registered", list, { host: "repo.example.org:x" })).status).toBe(400);
    for (const method of ["GET", "DELETE"])
      expect([method, (await world.ask("registered", method, "/mcp")).status]).toEqual([method, 405]);
  });

  test("S3.7.166: a thousand calls at once are all answered", async () => {
    const free = await Promise.all(
      Array.from({ length: 1_000 }, (_, at) =>
        calls.call(
          (["system", "admin", "manager", "curator"] as const)[at % 4] ?? "system",
          at % 2 === 0 ? "get_record" : "whoami",
          at % 2 === 0 ? { recid: record } : {},
        ),
      ),
    );
    expect(free.filter(({ isError }) => isError === true)).toEqual([]);
  });

  test("S3.7.167: a body that does not come does not hold the tools up", async () => {
    const hasty = world.under({ SVC_CLIENT_SECONDS: "1" });
    const slow = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":')),
    });
    const held = hasty.ask("registered", "POST", "/mcp", {
      headers: { "content-type": "application/json" },
      body: slow,
    });
    expect((await calls.call(null, "get_record", { recid: record })).isError).toBeUndefined();
    expect((await held).status).toBe(408);
  });

  test("S3.7.169: tokens that are expired, revoked, of a disabled account, forged or of another kind are refused, never taken for nobody's", async () => {
    const { token, clientId } = await world.token("other", ["mcp:read"]);
    await world.revoke(clientId);
    const { account } = world.people.approver;
    const request = { accountId: account.id, kind: "personal", name: "test", scopes: ["mcp:read"] } as const;
    const ended = await world.tokens.make(REPOSITORY_OPERATOR, { ...request, expiresAt: "2026-11-20T10:00:01.000Z" });
    const alive = await world.tokens.make(REPOSITORY_OPERATOR, { ...request, expiresAt: null });
    const client = await world.tokens.make(REPOSITORY_OPERATOR, { ...request, kind: "oauth", expiresAt: null });
    world.time.now = "2026-11-20T10:00:02.000Z";
    await world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active: false }));
    const none = btoa('{"alg":"none","typ":"at+jwt"}').replaceAll("=", "");
    const claims = btoa(
      JSON.stringify({ sub: "1", aud: `${BASE_URL}/mcp`, scope: "mcp:curate", exp: 4_000_000_000 }),
    ).replaceAll("=", "");
    const right = world.people.registered.token;
    for (const bad of [
      token,
      ended.text,
      alive.text,
      client.text,
      `${none}.${claims}.`,
      `${right}A`,
      right.slice(0, -1),
      right.toUpperCase(),
      "svc_",
      "x".repeat(10_000),
      "a b",
    ]) {
      const { status, headers } = await calls.modern({ token: bad }, "tools/list");
      expect([bad.slice(0, 30), status, challengeOf({ headers }).includes('error="invalid_token"')]).toEqual([
        bad.slice(0, 30),
        401,
        true,
      ]);
      expect([
        bad.slice(0, 30),
        (await calls.modern({ token: bad }, "tools/call", { name: "search_records", arguments: {} }, "search_records"))
          .status,
      ]).toEqual([bad.slice(0, 30), 401]);
    }
    for (const authorization of [
      "Basic YTpi",
      "Bearer",
      `Bearer ${right}, Bearer ${right}`,
      `Token ${right}`,
      `MAC ${right}`,
    ]) {
      expect([
        authorization.slice(0, 8),
        (
          await world.ask(null, "POST", "/mcp", {
            headers: { authorization, "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
          })
        ).status,
      ]).toEqual([authorization.slice(0, 8), 401]);
    }
    const inQuery = await world.ask(null, "POST", `/mcp?access_token=${right}`, {
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...OLD },
      body: JSON.stringify(calling("whoami")),
    });
    expect(inQuery.status).toBe(401);
    await world.store.transact((tx) => tx.accounts.saveAccount(account));
  });

  test("S3.7.170: scopes open nothing beyond them, and scopes of other interfaces open no tool that needs one", async () => {
    const of = async (...scopes: readonly string[]) => ({ token: (await world.token("system", scopes)).token });
    const [others, reader, writer] = [
      await of("item:create", "item:delete", "user:activity"),
      await of("mcp:read"),
      await of("mcp:write"),
    ];
    const status = async (who: Who, name: string, args: Json) =>
      (await calls.modern(who, "tools/call", { name, arguments: args }, name)).status;
    for (const { name, scope } of HTTP_TOOLS) {
      const needs = { "mcp:read": 1, "mcp:write": 2, "mcp:curate": 3 }[scope ?? "mcp:read"] ?? 0;
      const expected = scope === null ? [200, 200, 200] : [403, needs > 1 ? 403 : 200, needs > 2 ? 403 : 200];
      const args = { recid: "0" };
      expect([
        name,
        await status(others, name, args),
        await status(reader, name, args),
        await status(writer, name, args),
      ]).toEqual([name, ...expected]);
    }
    expect(await status(others, "get_record", { recid: record, draft: true })).toBe(403);
    const elsewhere = await world.ask(reader, "GET", "/api/user/records");
    expect(elsewhere.status).toBe(403);
  });
});

describe("R30 many calls", () => {
  test("S3.7.168: calls of guests and of accounts are counted, refusals too", async () => {
    const world = await openWorld({ repository: { env: { SVC_RATE_PER_MINUTE: "1000" } } });
    const { modern } = toolCalls(world);
    const statuses: number[] = [];
    for (let at = 0; at < 62; at += 1)
      statuses.push(
        (await modern(null, "tools/call", { name: "create_record", arguments: {} }, "create_record")).status,
      );
    expect([statuses.filter((status) => status === 401).length, statuses.at(-1)]).toEqual([60, 429]);
    const limited = await modern(null, "tools/list");
    expect([limited.status, Number(limited.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await modern("registered", "tools/list")).status).toBe(200);
  });
});
