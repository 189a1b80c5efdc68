// Resources, prompts and completions of the tool server (R30; reference 4.3), over HTTP: what is listed, read and
// offered, to whom, and how misses are reported.
import { beforeAll, describe, expect, test } from "bun:test";
import { METADATA } from "../support/record-calls.ts";
import { stdioTools } from "../support/stdio-tools.ts";
import { toolCalls } from "../support/tool-calls.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

type Message = {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

describe("R30 resources, prompts and completions", () => {
  let published: string;
  let draft: string;
  const world = setUpWorld({ repository: true });
  const calls = toolCalls(world);
  beforeAll(async () => {
    const make = async (args: object): Promise<string> =>
      (await calls.call("registered", "create_record", { metadata: METADATA, ...args })).structuredContent.id;
    published = await make({ publish: true });
    draft = await make({});
  });

  const ask = async (who: Who, method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Message> => {
    const name = params.uri ?? params.name;
    return (await calls.modern(who, method, params, name === undefined ? undefined : String(name))).message as Message;
  };
  const read = (who: Who, uri: string): Promise<Message> => ask(who, "resources/read", { uri });
  const complete = async (who: Who, ref: object, name: string, value: string): Promise<unknown> =>
    (await ask(who, "completion/complete", { ref, argument: { name, value } })).result?.completion;
  const prompt = (name: string) => ({ type: "ref/prompt", name });

  test("S3.7.93: two templates; the list has every vocabulary and the newest published records, in one page, with hints how long it holds", async () => {
    const { result: templates } = await ask(null, "resources/templates/list");
    expect(templates).toMatchObject({
      resourceTemplates: [
        { uriTemplate: "record://{recid}", mimeType: "application/json" },
        { uriTemplate: "vocabulary://{type}", mimeType: "application/json" },
      ],
      ttlMs: 3_600_000,
    });
    // With a token too: what only its owner may read has no separate address.
    const { result } = await ask("registered", "resources/list");
    const { resources, ...hints } = result as { resources: { uri: string; title: string }[] };
    expect(hints).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
    const description = "publication-article, 2024-05-01, Doe, Ann";
    const titled = { title: "On tides", description, mimeType: "application/json" };
    expect(resources.filter(({ uri }) => uri.startsWith("record://"))).toEqual([
      { uri: `record://${published}`, name: `record-${published}`, ...titled },
    ] as never);
    expect(resources.map(({ uri }) => uri)).toContain("vocabulary://licenses");
    expect((await ask(null, "resources/list", { cursor: "2" })).error?.code).toBe(-32_602);
    expect((await ask(null, "tools/list", { cursor: "2" })).error?.code).toBe(-32_602);
  });

  test("S3.7.93: an address returns what its tool returns, in every form a record is named, and exists only where its tool is served", async () => {
    const { structuredContent } = await calls.call(null, "get_record", { recid: published });
    const { result } = await read(null, `record://${published}`);
    const [{ text, ...content }] = (result as { contents: [{ text: string }] }).contents;
    expect(content).toEqual({ uri: `record://${published}`, mimeType: "application/json" } as never);
    expect(JSON.parse(text)).toEqual(structuredContent);
    expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
    const ark = encodeURIComponent(structuredContent.pids.ark);
    expect((await read(null, `record://${ark}`)).result).toBeDefined();
    const reasons = (await read(null, "vocabulary://removalreasons")).result;
    expect(reasons).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
    expect(JSON.stringify(reasons)).toContain("retracted");

    const narrow = toolCalls(world, "/mcp?toolsets=vocabularies");
    const { message } = await narrow.modern(null, "resources/list");
    expect(JSON.stringify(message)).not.toContain("record://");
    const uri = `record://${published}`;
    expect((await narrow.modern(null, "resources/read", { uri }, uri)).message.error).toBeDefined();
  });

  test("S3.7.94: a miss is -32602 with the tool's answer: 404 for drafts of others and unknown ones, 410 with the tombstone", async () => {
    for (const uri of [`record://${draft}`, "record://9999", "vocabulary://none"]) {
      for (const who of [null, "other"] as const) {
        const expected = [uri, { code: -32_602, message: "Resource not found", data: { uri, status: 404 } }];
        expect([uri, (await read(who, uri)).error]).toMatchObject(expected);
      }
    }
    const long = `record://${"9".repeat(3_000)}`;
    for (const uri of ["file:///etc/passwd", "record://", "record://%", "record:1", "vocabulary://a/../b", long]) {
      expect((await read("registered", uri)).error).toMatchObject({ code: -32_602, data: { status: 404 } });
    }
    const { structuredContent } = await calls.call("registered", "create_record", {
      metadata: METADATA,
      publish: true,
    });
    const uri = `record://${structuredContent.id}`;
    const reason = { recid: structuredContent.id, confirm: true, reason_id: "retracted", note: "Wrong data" };
    await calls.call("admin", "delete_record", reason);
    expect((await read(null, uri)).error).toMatchObject({
      code: -32_602,
      message: "Record deleted",
      data: { uri, status: 410, tombstone: { note: "Wrong data", removal_reason: { id: "retracted" } } },
    });
  });

  test("S3.7.95: three prompts with their arguments; what is missing, unknown or too long is named", async () => {
    const { result } = await ask(null, "prompts/list");
    const { prompts } = result as { prompts: { name: string; arguments: { name: string; required: boolean }[] }[] };
    expect(prompts.map(({ name, arguments: args }) => [name, ...args.map((each) => each.name)])).toEqual([
      ["describe-and-deposit-files", "files", "about", "resource_type", "community"],
      ["check-a-record-before-publishing", "recid"],
      ["answer-a-review-request", "request_id", "decision"],
    ]);
    const get = (name: string, args: object) => ask(null, "prompts/get", { name, arguments: args });
    const answerOf = await get("describe-and-deposit-files", {
      files: "a.csv\nb\u202e.csv",
      community: "c1",
      about: " ",
    });
    const text = JSON.stringify(answerOf.result?.messages);
    expect(answerOf.result?.messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
    expect(text).toContain("Files: a.csv; b[U+202E].csv");
    expect(text).toContain("submit_to_community (community c1)");
    expect(text).not.toContain("About them");
    const expected = { code: -32_602, message: "Missing argument: recid of check-a-record-before-publishing" };
    expect((await get("check-a-record-before-publishing", {})).error).toMatchObject(expected);
    expect((await get("answer-a-review-request", { request_id: "1", reqest_id: "2" })).error?.message).toContain(
      "did you mean request_id?",
    );
    expect((await get("answer-a-review-reques", {})).error?.message).toContain("did you mean answer-a-review-request?");
    expect((await get("describe-and-deposit-files", { files: "f".repeat(10_001) })).error?.message).toContain("10000");
    const { message } = await toolCalls(world, "/mcp?readonly=1").modern(null, "prompts/list");
    expect((message.result as { prompts: unknown[] }).prompts).toEqual([]);
  });

  test("S3.7.96: arguments are completed with what the caller could find, and nothing else", async () => {
    const ref = (uri: string) => ({ type: "ref/resource", uri });
    expect(await complete(null, ref("vocabulary://{type}"), "type", "li")).toEqual({ values: ["licenses"] });
    expect(await complete(null, ref("record://{recid}"), "recid", "tides")).toEqual({ values: [published] });
    // What is written beyond 200 characters is not searched for.
    for (const [written, values] of [
      [`${"tides".padStart(200)}less`, [published]],
      [`${"tides".padStart(195)}xqzjkless`, []],
    ] as const)
      expect(await complete(null, ref("record://{recid}"), "recid", written)).toEqual({ values });
    const check = prompt("check-a-record-before-publishing");
    expect(await complete("registered", check, "recid", "")).toEqual({ values: [draft] });
    for (const who of [null, "other"] as const) {
      expect(await complete(who, check, "recid", "")).toEqual({ values: [] });
    }
    const deposit = prompt("describe-and-deposit-files");
    expect(await complete(null, deposit, "resource_type", "datas")).toEqual({ values: ["dataset"] });
    expect(await complete(null, deposit, "community", "c1")).toEqual({ values: ["c1"] });
    expect(await complete(null, deposit, "about", "x")).toEqual({ values: [] });
    expect(await complete(null, prompt("answer-a-review-request"), "decision", "d")).toEqual({ values: ["decline"] });
    for (const [wrong, name] of [
      [prompt("none"), "recid"],
      [check, "none"],
      [ref("record://{id}"), "id"],
      [ref("record://{recid}"), "type"],
    ] as const) {
      const { error } = await ask(null, "completion/complete", { ref: wrong, argument: { name, value: "" } });
      expect(error?.code).toBe(-32_602);
    }
  });

  test("S3.7.96: requests that wait are offered to who may decide on them", async () => {
    await calls.call("manager", "create_community", { slug: "reviewed", title: "Reviewed" });
    const { structuredContent } = await calls.call("registered", "create_record", { metadata: METADATA });
    await calls.call("registered", "submit_to_community", { recid: structuredContent.id, community: "reviewed" });
    const { structuredContent: listed } = await calls.call("manager", "list_requests", { status: "submitted" });
    const ids = listed.requests.map(({ id }: { id: string }) => id);
    const review = prompt("answer-a-review-request");
    expect(ids.length).toBe(1);
    expect(await complete("manager", review, "request_id", ids[0].slice(0, 3))).toEqual({ values: ids });
    expect(await complete("manager", review, "request_id", "~")).toEqual({ values: [] });
    expect(await complete("other", review, "request_id", "")).toEqual({ values: [] });
  });

  test("S3.7.93 S3.7.95 S3.7.96: over stdio the same resources, and the prompts whose tools are there", async () => {
    const stdio = stdioTools(world, world.folder);
    try {
      const answerOf = async (who: Who, method: string, params: object = {}): Promise<Message> =>
        (await stdio.request(who, method, { ...params })) as Message;
      const [http, other] = [await ask(null, "resources/list"), await answerOf(null, "resources/list")];
      expect(other.result?.resources).toEqual(http.result?.resources as never);
      const uri = `record://${published}`;
      expect((await answerOf(null, "resources/read", { uri })).result?.contents).toEqual(
        (await read(null, uri)).result?.contents as never,
      );
      const missed = await answerOf("other", "resources/read", { uri: `record://${draft}` });
      expect(missed.error).toMatchObject({ code: -32_602, data: { status: 404 } });
      const prompts = (await answerOf(null, "prompts/list")).result?.prompts as { name: string }[];
      const expected = ["describe-and-deposit-files", "check-a-record-before-publishing"];
      expect(prompts.map(({ name }) => name)).toEqual(expected);
      const args = { name: "describe-and-deposit-files", arguments: { files: "a.csv" } };
      expect(JSON.stringify((await answerOf(null, "prompts/get", args)).result)).toContain("add_file (source_path");
      const check = { ref: prompt("check-a-record-before-publishing"), argument: { name: "recid", value: "" } };
      expect((await answerOf("registered", "completion/complete", check)).result?.completion).toMatchObject({
        values: expect.arrayContaining([draft]),
      });
      expect((await answerOf(null, "completion/complete", check)).result?.completion).toEqual({ values: [] });
    } finally {
      await stdio.close();
    }
  });
});
