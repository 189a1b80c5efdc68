// What is sent to the tool server to get past it, or to bring it down (R30; specification 3, "Tool servers"): all of it
// is refused, each with the right code, and nothing is written.
import { beforeAll, describe, expect, test } from "bun:test";
import { HTTP_TOOLS } from "../../src/repository/tools/tool-table.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { METADATA } from "../support/record-calls.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { calling, MODERN_META, OLD, toolCalls } from "../support/tool-calls.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

describe("R30 attacks on the tool server", () => {
  let record = "";

  const world = setUpWorld({ repository: true });
  const calls = toolCalls(world);
  beforeAll(async () => {
    const made = await calls.call("registered", "create_record", { metadata: METADATA, publish: true });
    record = made.structuredContent.id;
  });

  /** As text, so that nothing of the language is between. */
  const raw = (who: Who, text: string, headers: Readonly<Record<string, string>> = OLD) =>
    calls.send(who, text, headers);

  test("S3.7.157: nothing is removed unless confirm is true itself", async () => {
    for (const confirm of ["true", 1, [true], { valueOf: true }, null, "yes", 0]) {
      const { isError, structuredContent } = await calls.call("system", "delete_record", { recid: record, confirm });
      expect([confirm, isError, structuredContent.error?.errors?.[0]?.field]).toEqual([confirm, true, "confirm"]);
    }
    for (const args of [{}, { confirm: false }]) {
      const { structuredContent } = await calls.call("system", "delete_record", { recid: record, ...args });
      expect([args, structuredContent.done]).toEqual([args, false]);
    }
    const capital = await calls.call("system", "delete_record", { recid: record, Confirm: true });
    expect(capital.structuredContent.error.errors[0].messages[0]).toContain("Did you mean confirm?");
    expect((await world.item(Number(record))).state).toBe("published");
  });

  test("S3.7.158: a batch hides no write behind reads, whichever member it is, and newer revisions know no batch", async () => {
    const before = await world.countItems();
    const reads = Array.from({ length: 5 }, (_, id) => calling("search_records", {}, id));
    const write = calling("create_record", { metadata: METADATA }, 9);
    const { token } = await world.token("registered", ["mcp:read"]);
    for (const body of [
      [...reads, write],
      [write, ...reads],
      [[write]],
      [reads, [write]],
      [null, write],
      [{ ...write, id: undefined }],
    ]) {
      const guest = await calls.send(null, body, OLD);
      const reader = await calls.send({ token }, body, OLD);
      expect([
        JSON.stringify(body).slice(0, 60),
        [400, 401].includes(guest.status),
        [400, 403].includes(reader.status),
      ]).toEqual([JSON.stringify(body).slice(0, 60), true, true]);
    }
    const long = await calls.send(
      "registered",
      Array.from({ length: 51 }, () => write),
      OLD,
    );
    expect(long.status).toBe(400);
    const modern = { ...write, params: { ...write.params, _meta: MODERN_META } };
    const newer = await calls.send("registered", [modern], {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "create_record",
    });
    expect(newer.status).toBe(400);
    expect(await world.countItems()).toBe(before);
  });

  test("S3.7.159: of members that are twice the gate and the tool see the same", async () => {
    const before = await world.countItems();
    for (const text of [
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"create_record","arguments":{"metadata":{}}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_records","name":"create_record","arguments":{"metadata":{}}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami"},"params":{"name":"create_record","arguments":{"metadata":{}}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_record","arguments":{"recid":"1","draft":false,"draft":true}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n\\u0061me":"create_record","arguments":{"metadata":{}}}}',
    ]) {
      expect([text, (await raw(null, text)).status]).toEqual([text, 401]);
    }
    const last = await raw(
      null,
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_record","name":"search_records","arguments":{}}}',
    );
    expect([last.status, last.text.includes("effective_query")]).toEqual([200, true]);
    expect(await world.countItems()).toBe(before);
  });

  test("S3.7.160: names that every object has are neither tools nor arguments", async () => {
    for (const name of [
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "hasOwnProperty",
      "valueOf",
      "",
      " ",
      "get_record ",
      "GET_RECORD",
      "tools/get_record",
    ]) {
      const { message } = await calls.send("system", calling(name), { "mcp-protocol-version": "2025-11-25" });
      expect([name, (message.error as { code: number } | undefined)?.code]).toEqual([name, -32602]);
      if (name.trim() !== name || name === "") continue;
      const text = JSON.stringify(calling("get_record", { recid: record })).replace(
        '"recid"',
        `"${name}":{"draft":true,"confirm":true},"recid"`,
      );
      const answer = await raw("system", text);
      // What would be the prototype is left out before anybody looks; the rest is named.
      const expected = name === "__proto__" ? '"is_draft":false' : "Unknown argument";
      expect([name, answer.text.includes(expected)]).toEqual([name, true]);
    }
    for (const inside of ['"__proto__":{"title":"Mine"}', '"constructor":{"prototype":{"x":1}}']) {
      const text = JSON.stringify(calling("update_record", { recid: record, metadata: { publisher: "P" } })).replace(
        '"publisher"',
        `${inside},"publisher"`,
      );
      expect((await raw("registered", text)).status).toBe(200);
    }
    const { structuredContent } = await calls.call(null, "get_record", { recid: record });
    expect([
      structuredContent.title,
      Object.hasOwn(Object.prototype, "title"),
      Object.hasOwn(Object.prototype, "x"),
    ]).toEqual(["On tides", false, false]);
    const selected = await calls.call(null, "get_record", {
      recid: record,
      fields: ["__proto__.polluted", "constructor.name", "metadata.__proto__"],
    });
    expect([selected.isError, Object.hasOwn(Object.prototype, "polluted")]).toEqual([true, false]);
  });

  test("S3.7.161: arguments of wrong types, numbers out of range and huge texts are named, whatever the tool, and never a 500", async () => {
    const before = await world.countItems();
    const huge = "a".repeat(inSlowRing ? 1_000_000 : 30_000);
    const few = [null, -1, 1e300, "\0", "\uD800", "../..", huge, {}];
    const values = inSlowRing ? [...few, true, 0, 1.5, 2 ** 53, "", "%2e%2e", [], [[]], { length: 1 }] : few;
    const odd: unknown[] = [];
    // Shared out, so that nobody calls too often.
    const people = ["general", "other", "stranger", "approver"] as const;
    const whoOf = (tool: string) =>
      people[HTTP_TOOLS.findIndex(({ name }) => name === tool) % people.length] ?? "general";
    for (const { name, input, scope } of HTTP_TOOLS) {
      const known = Object.keys(input.properties);
      for (const argument of known) {
        for (const value of values) {
          const args = {
            ...Object.fromEntries(known.filter((each) => input.required?.includes(each)).map((each) => [each, "1"])),
            [argument]: value,
          };
          const { status, text, message } = await calls.modern(
            whoOf(name),
            "tools/call",
            { name, arguments: args },
            name,
          );
          const result = message.result as
            | { isError?: boolean; structuredContent: { error?: { status: number } } }
            | undefined;
          const errorStatus = result?.structuredContent.error?.status ?? 200;
          if (status !== 200 || errorStatus >= 500 || text.length > 100_000)
            odd.push([name, scope, argument, String(value).slice(0, 20), status, errorStatus, text.length]);
        }
      }
    }
    expect(odd).toEqual([]);
    // What is a valid call all the same made its own drafts, and nothing else.
    expect((await world.countItems()) - before).toBeLessThan(20);
  });

  test("S3.7.162: 10,000 unknown arguments are refused in little time", async () => {
    const args = Object.fromEntries(Array.from({ length: 9_990 }, (_, at) => [`argument_${at}`, at]));
    const ms = await cpuMs(async () => {
      const { structuredContent } = await calls.call(null, "search_records", args);
      expect(structuredContent.error.errors.length).toBe(20);
    });
    expect(ms).toBeLessThan(1_000);
    const more = await calls.send(
      null,
      calling("search_records", Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`a${at}`, at]))),
      OLD,
    );
    expect(more.status).toBe(400);
    const fields = await calls.call("registered", "search_records", {
      fields: Array.from({ length: 100_000 }, () => "metadata.title"),
    });
    expect(fields.structuredContent.error.errors[0].field).toBe("fields");
  });

  test("S3.7.163: JSON that is deep, vast or none is refused before it is worked on", async () => {
    for (const text of [
      `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
      "[".repeat(1_000_000),
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":[${"0,".repeat(600_000)}0]}}`,
      "{",
      "",
      "null",
      "\uFEFF{}",
      "NaN",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    ]) {
      let status = 0;
      const ms = await cpuMs(async () => {
        ({ status } = await raw("registered", text));
      });
      expect([text.slice(0, 40), status, ms < 1_000]).toEqual([text.slice(0, 40), 400, true]);
    }
    const call = (bytes: number): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":"${"x".repeat(bytes)}"}}`;
    const statuses = [];
    for (const who of [null, "registered"] as const) {
      for (const bytes of [900_000, 1_100_000]) statuses.push((await raw(who, call(bytes))).status);
    }
    expect(statuses).toEqual([200, 413, 200, 200]);
    const latin = await world.ask(null, "POST", "/mcp", {
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    });
    expect(latin.status).toBe(400);
    const vast = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(4 * 1024 * 1024).fill(0x20)),
    });
    const large = await world.ask("registered", "POST", "/mcp", {
      headers: { "content-type": "application/json" },
      body: vast,
    });
    expect(large.status).toBe(413);
  });

  test("S3.7.163: a name of a tool or an address that is not a text is refused, also for guests", async () => {
    const odd = ['{"toString":1,"valueOf":1}', '{"toString":null}', "[]", '["whoami"]', "null", "7", "true", "{}"];
    for (const who of [null, "registered"] as const) {
      for (const value of odd) {
        for (const params of [
          `"tools/call","params":{"name":${value},"arguments":{}}`,
          `"resources/read","params":{"uri":${value}}`,
        ]) {
          const { status, message } = await raw(who, `{"jsonrpc":"2.0","id":1,"method":${params}}`);
          const { code } = (message as { error?: { code?: number } }).error ?? {};
          expect([who, params, status < 500, [-32_602, -32_603].includes(code ?? 0)]).toEqual([
            who,
            params,
            true,
            true,
          ]);
        }
      }
    }
  });

  test("S3.7.171: over HTTP no file of the server is named", async () => {
    const stdio = toolCalls(world, "/mcp?server=stdio");
    const draft = (await calls.call("registered", "create_record", { metadata: METADATA, files: true }))
      .structuredContent.id;
    for (const path of ["/etc/passwd", "package.json", "/proc/self/environ"]) {
      const { isError, structuredContent } = await stdio.call("registered", "add_file", {
        recid: draft,
        key: "a",
        source_path: path,
      });
      expect([path, isError, structuredContent.error.status]).toEqual([path, true, 403]);
    }
    const { message } = await calls.modern(
      "registered",
      "tools/call",
      { name: "add_file", arguments: { recid: draft } },
      "add_file",
    );
    expect((message.error as { code: number }).code).toBe(-32602);
  });
});
