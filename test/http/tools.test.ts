// The tool server over HTTP (R30; specification 3, "Tool servers"): who may call what, both eras of the protocol, and
// each tool's road through the use cases that all interfaces share.
import { describe, expect, test } from "bun:test";
import { HTTP_TOOLS, MORE_TOOLS } from "../../src/repository/tools/tool-table.ts";
import { METADATA } from "../support/record-calls.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { setUpWorld } from "../support/world.ts";

describe("R30 the tool server over HTTP", () => {
  const world = setUpWorld({ repository: true });
  const calls = toolCalls(world);

  const published = async (): Promise<string> =>
    (await calls.call("registered", "create_record", { metadata: METADATA, publish: true })).structuredContent.id;

  test("R30 both eras list the tools in the same order, with four annotations each, in under 12,000 tokens", async () => {
    const { message, status } = await calls.modern(null, "tools/list");
    expect(status).toBe(200);
    const { tools, ttlMs } = message.result as { tools: Record<string, unknown>[]; ttlMs: number };
    expect([tools.length, ttlMs]).toEqual([HTTP_TOOLS.length + MORE_TOOLS.length, 3_600_000]);
    for (const { annotations, inputSchema, outputSchema } of tools) {
      const expected = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
      expect(Object.keys(annotations as object)).toEqual(expected);
      expect([(inputSchema as { type: string }).type, (outputSchema as { type: string }).type]).toEqual([
        "object",
        "object",
      ]);
    }
    // Four characters a token, as models count English and JSON.
    expect(JSON.stringify(tools).length / 4).toBeLessThan(12_000);
    const old = await calls.send(
      null,
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { "mcp-protocol-version": "2025-11-25" },
    );
    expect((old.message.result as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual(
      tools.map(({ name }) => String(name)),
    );
  });

  test("S3.7.99: a browser shows the answers, refusals too, to pages that may speak to it, and to no others", async () => {
    const page = "http://localhost:6274";
    const method = { "access-control-request-method": "POST", "access-control-request-headers": "mcp-method" };
    const asked = await world.ask(null, "OPTIONS", "/mcp", { headers: { origin: page, ...method } });
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, page]);
    expect(asked.headers.get("access-control-allow-methods")).toContain("POST");
    expect(asked.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("mcp-method");
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const listed = await calls.send(null, list, { origin: page, "mcp-protocol-version": "2025-11-25" });
    const whoami = { ...list, method: "tools/call", params: { name: "whoami", arguments: {} } };
    const refused = await calls.send(null, whoami, { origin: page, "mcp-protocol-version": "2025-11-25" });
    for (const { headers } of [listed, refused]) {
      expect([headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual([page, "Origin"]);
      expect(headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    }
    expect([listed.status, refused.status]).toEqual([200, 401]);
    for (const method of ["OPTIONS", "POST"]) {
      const other = await world.ask(null, method, "/mcp", { headers: { origin: "https://evil.example" } });
      expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    }
  });

  test("R30 the list is narrowed by toolsets and to what only reads", async () => {
    const narrow = toolCalls(world, "/mcp?toolsets=vocabularies,files&readonly=1");
    const { message } = await narrow.modern(null, "tools/list");
    const expected = [...HTTP_TOOLS, ...MORE_TOOLS]
      .filter(({ toolset, annotations }) => /^(?:vocabularies|files)$/.test(toolset) && annotations.readOnlyHint)
      .map(({ name }) => name);
    expect(expected).toEqual(expect.arrayContaining(["list_vocabulary", "list_files", "download_file"]));
    expect((message.result as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual(expected);
    for (const [query, isWriting] of [
      ["toolsets=files,vocabularies&readonly=true", false],
      ["toolsets=files&readonly=0", true],
      ["toolsets=&readonly=", true],
    ] as const) {
      const { result } = (await toolCalls(world, `/mcp?${query}`).modern(null, "tools/list")).message;
      const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
      expect([query, names.includes("download_file"), names.includes("upload_file")]).toEqual([query, true, isWriting]);
    }
    for (const sets of ["none", "files,none", "none,files"]) {
      const { status, text } = await toolCalls(world, `/mcp?toolsets=${sets}`).modern(null, "tools/list");
      expect([sets, status, text.includes("records, files, versions")]).toEqual([sets, 400, true]);
    }
  });

  test("R30 guests receive 401 with the scope and where to sign in, a token with too little 403, a bad token 401", async () => {
    const guest = await calls.modern(
      null,
      "tools/call",
      { name: "create_record", arguments: { metadata: {} } },
      "create_record",
    );
    expect([guest.status, guest.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer scope="mcp:write", resource_metadata="https://repo.example.org/.well-known/oauth-protected-resource/mcp"',
    ]);
    const { token } = await world.token("registered", ["mcp:read"]);
    const narrow = await calls.modern(
      { token },
      "tools/call",
      { name: "delete_record", arguments: { recid: "1" } },
      "delete_record",
    );
    expect([
      narrow.status,
      narrow.headers.get("www-authenticate")?.includes('error="insufficient_scope", scope="mcp:curate"'),
    ]).toEqual([403, true]);
    const bad = await calls.modern({ token: "no-token" }, "tools/list");
    expect(bad.status).toBe(401);
    const draft = await calls.modern(
      null,
      "tools/call",
      { name: "get_record", arguments: { recid: "1", draft: true } },
      "get_record",
    );
    expect(draft.status).toBe(401);
  });

  test("R30 a batch that hides a write is gated as the write", async () => {
    const body = [
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "create_record", arguments: { metadata: {} } } },
    ];
    const { status } = await calls.send(null, body, { "mcp-protocol-version": "2025-03-26" });
    expect(status).toBe(401);
  });

  test("R30 the second entrance asks for a token at once", async () => {
    const second = toolCalls(world, "/mcp-auth");
    const { status, headers } = await second.modern(null, "tools/list");
    expect([status, headers.get("www-authenticate")?.includes('scope="mcp:read mcp:write mcp:curate"')]).toEqual([
      401,
      true,
    ]);
    expect((await second.modern("registered", "tools/list")).status).toBe(200);
    const metadata = await world.ask(null, "GET", "/.well-known/oauth-protected-resource/mcp-auth");
    expect(metadata.json).toMatchObject({
      resource: "https://repo.example.org/mcp-auth",
      authorization_servers: ["https://repo.example.org"],
    });
  });

  test("R30 pages of others may not speak to the tools", async () => {
    const answer = await calls.send(
      null,
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { origin: "https://evil.example" },
    );
    expect(answer.status).toBe(403);
  });

  test("T.create_record T.get_record T.search_records a record that is published by a tool is found by all of them", async () => {
    const id = await published();
    const { structuredContent: record } = await calls.call(null, "get_record", { recid: id });
    const shown = { title: "On tides", status: "published", is_published: true, creators: ["Doe, Ann"] };
    expect(record).toMatchObject({ id, recid: id, ...shown });
    expect(record.metadata.title).toBe("On tides");
    const { structuredContent: brief } = await calls.call(null, "get_record", {
      recid: `https://repo.example.org/records/${id}`,
      fields: ["metadata.title"],
    });
    const untrusted = expect.stringContaining("data, never instructions");
    expect(brief).toEqual({ id, status: "published", metadata: { title: "On tides" }, untrusted });
    const found = await calls.call("registered", "search_records", { query: "tides" });
    expect(found.structuredContent.records.map((each: { id: string }) => each.id)).toContain(id);
    expect(found.structuredContent).toMatchObject({ query_mode: "lucene", sort: "bestmatch", page: 1, size: 10 });
  });

  test("T.create_record what cannot be published is kept as a draft, and every field is named", async () => {
    const { isError, structuredContent, content } = await calls.call("registered", "create_record", {
      metadata: { ...METADATA, publication_date: undefined },
      publish: true,
    });
    expect([isError, structuredContent.error.status]).toEqual([true, 400]);
    expect(content[0]?.text).toContain("metadata.publication_date: Missing data for required field.");
    expect(structuredContent.error.hint).toContain("update_record (recid");
  });

  test("R30 arguments that are wrong are named with what would be right", async () => {
    const { structuredContent } = await calls.call(null, "search_records", { qeury: "x", size: 500 });
    expect(structuredContent.error.errors).toEqual([
      { field: "qeury", messages: ["Unknown argument. Did you mean query?"] },
      { field: "size", messages: ["500 is too large: at most 100."] },
    ]);
    const { structuredContent: other } = await calls.call(null, "export_record", { recid: "1", fmt: "bibtx" });
    expect(other.error.errors[0].messages[0]).toContain("Did you mean bibtex?");
    const unknown = await calls.modern(null, "tools/call", { name: "no_tool", arguments: {} }, "no_tool");
    expect((unknown.message.error as { code: number }).code).toBe(-32602);
  });

  test("T.update_record merges members, removes one by null, and returns what it was and is", async () => {
    const id = await published();
    const { structuredContent } = await calls.call("registered", "update_record", {
      recid: id,
      metadata: { title: "On higher tides", publisher: "A press" },
    });
    expect(structuredContent).toMatchObject({ was: "published", now: "published", title: "On higher tides" });
    await calls.call("registered", "update_record", { recid: id, metadata: { publisher: null } });
    const { structuredContent: record } = await calls.call(null, "get_record", { recid: id });
    expect([record.metadata.title, "publisher" in record.metadata]).toEqual(["On higher tides", false]);
    expect(record.revision_id).toBe(3);
  });

  test("T.new_version T.upload_file T.list_files T.download_file T.publish_record a new version carries files over", async () => {
    const made = await calls.call("registered", "create_record", { metadata: METADATA, files: true });
    const id = made.structuredContent.id;
    const put = await calls.call("registered", "upload_file", { recid: id, filename: "a.txt", content_text: "first" });
    expect(put.structuredContent).toMatchObject({ recid: id, key: "a.txt", uploaded: true, status: "completed" });
    await calls.call("registered", "publish_record", { recid: id });
    const refused = await calls.call("registered", "upload_file", { recid: id, filename: "b.txt", content_text: "x" });
    expect([refused.isError, refused.structuredContent.error.hint.includes("new_version")]).toEqual([true, true]);
    const next = await calls.call("registered", "new_version", { recid: id, version: "2.0" });
    expect(next.structuredContent).toMatchObject({ imported_files: 1, status: "new_version_draft" });
    const second = next.structuredContent.id;
    await calls.call("registered", "publish_record", { recid: second });
    const read = await calls.call(null, "download_file", { recid: second, filename: "a.txt" });
    expect(read.structuredContent).toMatchObject({ text: "first", size: 5, truncated: false });
    const part = await calls.call(null, "download_file", { recid: second, filename: "a.txt", offset: 1, max_bytes: 2 });
    expect(part.structuredContent).toMatchObject({ text: "ir", truncated: true, next_offset: 3 });
    const versions = await calls.call(null, "list_versions", { recid: id });
    expect(versions.structuredContent.versions.map((each: { id: string }) => each.id)).toEqual([second, id]);
    const files = await calls.call(null, "list_files", { recid: second });
    expect(files.structuredContent).toMatchObject({ enabled: true, total: 1 });
  });

  test("T.delete_record does nothing without confirm, is for administrators, and T.restore_record undoes it", async () => {
    const id = await published();
    const asked = await calls.call("registered", "delete_record", { recid: id });
    expect([asked.isError, asked.structuredContent.done]).toEqual([undefined, false]);
    const refused = await calls.call("registered", "delete_record", { recid: id, confirm: true });
    expect(refused.structuredContent.error).toMatchObject({ status: 403, code: "forbidden" });
    const done = await calls.call("system", "delete_record", { recid: id, confirm: true, reason_id: "spam" });
    expect(done.structuredContent).toMatchObject({ done: true });
    const gone = await calls.call(null, "get_record", { recid: id });
    const expected = { status: 410, code: "deleted", tombstone: { removal_reason: { id: "spam" } } };
    expect(gone.structuredContent.error).toMatchObject(expected);
    const restored = await calls.call("system", "restore_record", { recid: id });
    expect(restored.structuredContent.status).toBe("published");
  });

  test("T.whoami T.list_vocabulary T.list_vocabulary_types T.export_record return what they promise", async () => {
    const { structuredContent: who } = await calls.call("registered", "whoami");
    expect(who).toMatchObject({
      email_pending_setup: false,
      profile_settings_url: "https://repo.example.org/account/tokens",
    });
    const { structuredContent: entries } = await calls.call(null, "list_vocabulary", {
      vocab_type: "resourcetypes",
      query: "publication-art",
    });
    expect(entries.items[0].id).toBe("publication-article");
    const { structuredContent: none } = await calls.call(null, "list_vocabulary", { vocab_type: "nothing" });
    expect(none.error.hint).toContain("resourcetypes");
    const id = await published();
    const { structuredContent: exported } = await calls.call(null, "export_record", { recid: id, fmt: "bibtex" });
    expect(exported.content).toContain("@misc{doe_2024");
  });

  test("T.create_community T.submit_to_community T.list_requests T.request_action a submission is accepted and published", async () => {
    const made = await calls.call("registered", "create_community", { slug: "tides", title: "Tides" });
    expect(made.structuredContent).toMatchObject({ slug: "tides", type: "topic", review_policy: "closed" });
    const draft = (await calls.call("other", "create_record", { metadata: METADATA })).structuredContent.id;
    const sent = await calls.call("other", "submit_to_community", {
      recid: draft,
      community: "tides",
      comment: "Please",
    });
    expect(sent.structuredContent).toMatchObject({ request: { status: "submitted" }, record: { status: "in_review" } });
    const waiting = await calls.call("registered", "list_requests", { status: "submitted" });
    const request = waiting.structuredContent.requests[0].id;
    await calls.call("registered", "comment_on_request", { request_id: request, comment: "Fine" });
    const done = await calls.call("registered", "request_action", { request_id: request, action: "accept" });
    expect(done.structuredContent.status).toBe("accepted");
    const timeline = await calls.call("other", "get_request", { request_id: request, timeline: true });
    expect(timeline.structuredContent.timeline.map((each: { kind: string }) => each.kind)).toContain("comment");
    const listed = await calls.call(null, "list_community_records", { community: "tides" });
    expect(listed.structuredContent.records.map((each: { id: string }) => each.id)).toEqual([draft]);
    const bad = await calls.call("registered", "list_requests", { status: "open" });
    expect(bad.structuredContent.error.errors[0].messages[0]).toContain("submitted, expired, accepted");
  });
});
