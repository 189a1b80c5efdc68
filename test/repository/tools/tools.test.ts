// The rules of the tool servers (R30; specification 3, "Tool servers"): the table, the gate, arguments, what names a
// record, hints.
import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { instructionsFor } from "../../../plugins/repository/mcp/protocol.ts";
import { importFolder } from "../../../src/adapters/import-folder.ts";
import { GUEST } from "../../../src/auth/account.ts";
import { ALL_HINTS } from "../../../src/repository/tools/hints.ts";
import { withoutAbsentTools } from "../../../src/repository/tools/named-tools.ts";
import { failed } from "../../../src/repository/tools/outcome.ts";
import { namedRecord } from "../../../src/repository/tools/record-lookup.ts";
import { implies, scopeOfCall, TOOL_SCOPES } from "../../../src/repository/tools/tool.ts";
import { readArguments } from "../../../src/repository/tools/tool-input.ts";
import { gate, grantedTo, passing, toolList } from "../../../src/repository/tools/tool-server.ts";
import { HTTP_TOOLS, httpTools, MORE_TOOLS, STDIO_TOOLS } from "../../../src/repository/tools/tool-table.ts";
import { wholeMetadata } from "../../../src/repository/tools/whole-values.ts";

/** Tools beyond the specification's, which SVC_MCP_MORE_TOOLS=off leaves out. */
const MORE: Readonly<Record<string, "mcp:curate" | "mcp:read" | "mcp:write" | null>> = {
  record_statistics: null,
  similar_records: null,
  add_to_community: "mcp:write",
  cancel_submission: "mcp:write",
};
const TOOLS = new Map(HTTP_TOOLS.map((tool) => [tool.name, tool]));
/** The specification's table: where each is served, and its scope. */
const SPECIFIED: Readonly<Record<string, readonly [where: "both" | "http" | "stdio", scope: string | null]>> = {
  search_records: ["both", null],
  get_record: ["both", null],
  my_records: ["http", "mcp:read"],
  list_versions: ["http", null],
  list_revisions: ["http", "mcp:read"],
  export_record: ["http", null],
  list_vocabulary_types: ["http", null],
  list_vocabulary: ["http", null],
  create_record: ["both", "mcp:write"],
  update_record: ["both", "mcp:write"],
  publish_record: ["both", "mcp:write"],
  new_version: ["both", "mcp:write"],
  delete_draft: ["both", "mcp:write"],
  delete_record: ["both", "mcp:curate"],
  restore_record: ["both", "mcp:curate"],
  upload_file: ["http", "mcp:write"],
  add_file: ["stdio", "mcp:write"],
  list_files: ["both", null],
  download_file: ["http", null],
  delete_file: ["both", "mcp:write"],
  upload_file_from_url: ["http", "mcp:write"],
  start_multipart_upload: ["http", "mcp:write"],
  complete_multipart_upload: ["http", "mcp:write"],
  abort_multipart_upload: ["http", "mcp:write"],
  search_communities: ["http", null],
  get_community: ["http", null],
  list_community_records: ["http", null],
  create_community: ["http", "mcp:curate"],
  list_requests: ["http", "mcp:read"],
  get_request: ["http", "mcp:read"],
  submit_to_community: ["http", "mcp:write"],
  comment_on_request: ["http", "mcp:write"],
  request_action: ["http", "mcp:curate"],
  whoami: ["http", "mcp:read"],
};

describe("R30 the table of tools", () => {
  test("R30 34 tools, 33 over HTTP and 12 over stdio, each with the specification's scope", () => {
    const served = (where: string) =>
      Object.keys(SPECIFIED).filter((name) => ["both", where].includes(SPECIFIED[name]?.[0] ?? ""));
    expect(HTTP_TOOLS.map(({ name }) => name).sort()).toEqual(served("http").sort());
    expect(STDIO_TOOLS.map(({ name }) => name).sort()).toEqual(served("stdio").sort());
    for (const { name, scope } of [...HTTP_TOOLS, ...STDIO_TOOLS])
      expect([name, scope]).toEqual([name, SPECIFIED[name]?.[1] ?? null]);
  });

  test("R30 a setting leaves out the tools that are served beyond the specification's table", () => {
    expect(Object.fromEntries(MORE_TOOLS.map(({ name, scope }) => [name, scope]))).toEqual(MORE);
    expect(httpTools({ mcpMoreTools: "off" })).toEqual(HTTP_TOOLS);
    expect(httpTools({ mcpMoreTools: "on" })).toEqual([...HTTP_TOOLS, ...MORE_TOOLS]);
  });

  test("R30 no list and no instructions name a tool that is not served", () => {
    const chosen = ["search_records", "get_record", "upload_file"];
    for (const [definitions, served] of [
      [HTTP_TOOLS, []],
      [[...HTTP_TOOLS, ...MORE_TOOLS], []],
      [STDIO_TOOLS, []],
      [HTTP_TOOLS, chosen],
    ] as const) {
      const { tools, list } = toolList(definitions, served);
      const texts = [JSON.stringify(list(() => true)), instructionsFor((name) => tools.has(name))];
      const named = texts.join(" ").match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
      const known = (word: string): boolean => SPECIFIED[word] !== undefined || MORE[word] !== undefined;
      expect([...new Set(named.filter((word) => known(word) && !tools.has(word)))]).toEqual([]);
      expect(list(() => true).every(({ description }) => description.length > 20)).toBe(true);
    }
    expect(withoutAbsentTools("a (get_record); b (whoami)", "; ", (name) => name === "whoami")).toBe("b (whoami)");
  });

  test("R30 every call that helps, in hints and descriptions, is a tool that is there", () => {
    const corrected = [...ALL_HINTS, ...HTTP_TOOLS.map(({ description }) => description)].join(" ");
    const named = corrected.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
    const words = new Set(
      HTTP_TOOLS.flatMap(({ input, output }) => [
        ...Object.keys(input.properties),
        ...Object.keys(output.properties ?? {}),
      ]),
    );
    for (const word of ["reason_id", "vocab_type", "request_id", "creators"]) words.add(word);
    expect(
      named.filter((word) => SPECIFIED[word] === undefined && MORE[word] === undefined && !words.has(word)),
    ).toEqual([]);
  });

  test("R30 what is refused fits the output schema too: clients of older revisions hold errors against it", () => {
    const { structuredContent } = failed({ status: 404, message: "Not found." });
    const schemas = new Ajv();
    for (const { name, output } of HTTP_TOOLS) {
      const holds = schemas.compile(output);
      expect([name, holds(structuredContent), holds({})]).toEqual([name, true, false]);
    }
  });
});

describe("R30 the guide to the tools", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/tools.md"), "utf8");
  const [http, stdio] = [httpTools({ mcpMoreTools: "on" }), STDIO_TOOLS];

  test("R30 counts them, and names those beyond the specification", () => {
    const [, all, more, names = "", local] =
      /(\d+) tools over HTTP [\s\S]*?(\d+) of them beyond the specification \((.*?)[;)][\s\S]*?, (\d+) on standard input/.exec(
        guide,
      ) ?? [];
    expect([all, more, local].map(Number)).toEqual([http.length, MORE_TOOLS.length, stdio.length]);
    expect(names.split(" ")).toEqual(MORE_TOOLS.map(({ name }) => `\`${name}\``));
  });

  test("S3.7.134 R30: its table of scopes names every tool where the table of tools has it", () => {
    const rows = [...guide.matchAll(/^\| (none|`mcp:\w+`) \| (.*) \|$/gm)];
    const scopes = rows.map(([, scope = "", opens = ""]) => [
      scope === "none" ? null : scope.replaceAll("`", ""),
      [...opens.matchAll(/`([a-z]+(?:_[a-z]+)+|whoami)`/g)].map(([, name]) => name ?? "").sort(),
    ]);
    const all = new Map([...http, ...stdio].map(({ name, scope }) => [name, scope]));
    const of = (scope: string | null) => [...all.keys()].filter((name) => all.get(name) === scope).sort();
    expect(scopes).toEqual([null, "mcp:read", "mcp:write", "mcp:curate"].map((scope) => [scope, of(scope)]));
  });
});

describe("R30 what holds for every tool", () => {
  const ALL = [...HTTP_TOOLS, ...STDIO_TOOLS];

  test("R30 the four annotations are those of the reference: ten tools take something away or replace it, one reaches out", () => {
    const with_ = (hint: "readOnlyHint" | "destructiveHint" | "openWorldHint") => [
      ...new Set(ALL.filter(({ annotations }) => annotations[hint]).map(({ name }) => name)),
    ];
    expect(with_("destructiveHint").sort()).toEqual([
      ...["abort_multipart_upload", "add_file", "delete_draft", "delete_file", "delete_record", "request_action"],
      ...["start_multipart_upload", "update_record", "upload_file", "upload_file_from_url"],
    ]);
    // Each call makes another version where the one before was published.
    expect(ALL.find(({ name }) => name === "new_version")?.annotations.idempotentHint).toBe(false);
    expect(with_("openWorldHint")).toEqual(["upload_file_from_url"]);
    const reads = ALL.filter(({ name }) => /^(?:search|get|list|my|export|download)_|^whoami$/.test(name));
    expect(with_("readOnlyHint").sort()).toEqual([...new Set(reads.map(({ name }) => name))].sort());
    for (const { annotations } of ALL) expect(Object.values(annotations)).toHaveLength(4);
  });

  test("R30 an argument with a slip of the pen is refused with the one that was meant, and so is a word of a list", () => {
    for (const { name, input } of ALL) {
      for (const [argument, schema] of Object.entries(input.properties)) {
        const read = readArguments(input, { [`${argument}s`]: 1 });
        const fault = "errors" in read ? read.errors.find(({ field }) => field === `${argument}s`) : undefined;
        expect([name, fault?.messages]).toEqual([name, [`Unknown argument. Did you mean ${argument}?`]]);
        for (const word of Array.isArray(schema.enum) ? schema.enum.filter((each) => each !== "") : []) {
          const wrong = readArguments(input, { [argument]: `${word}x` });
          const corrected = "errors" in wrong ? wrong.errors.find(({ field }) => field === argument) : undefined;
          expect(corrected?.messages[0]).toEndWith(`Did you mean ${word}?`);
        }
      }
    }
  });

  test("R30 nothing but the arguments is taken, and every list has the same bounds", () => {
    for (const { name, input } of ALL) {
      const { size, page } = input.properties;
      expect([name, input.additionalProperties]).toEqual([name, false]);
      if (page?.type === "integer") expect([name, page.minimum, page.default]).toEqual([name, 1, 1]);
      // The size of a list, not that of a file.
      if (page !== undefined && size !== undefined) expect([name, size.minimum, size.maximum]).toEqual([name, 1, 100]);
    }
  });
});

describe("R30 the gate", () => {
  const call = (name: string, args: object = {}) => ({ method: "tools/call", params: { name, arguments: args } });

  test("R30 curate implies write implies read", () => {
    const opened = (...granted: readonly string[]) => TOOL_SCOPES.filter((scope) => implies(granted, scope));
    expect(opened("mcp:read")).toEqual(["mcp:read"]);
    expect(opened("mcp:read", "mcp:write")).toEqual(["mcp:read", "mcp:write"]);
    expect(opened("mcp:curate")).toEqual(["mcp:read", "mcp:write", "mcp:curate"]);
    expect(opened("item:read", "deposit:write")).toEqual([]);
  });

  test("R30 of several messages the strictest counts, wherever it is", () => {
    const messages = [call("search_records"), call("create_record"), call("whoami")];
    for (const body of [messages, messages.toReversed()]) {
      expect(gate(body, TOOLS, null)).toMatchObject({ pass: false, status: 401, scope: "mcp:write" });
      expect(gate(body, TOOLS, new Set(["mcp:read"]))).toMatchObject({ pass: false, status: 403, scope: "mcp:write" });
      expect(gate(body, TOOLS, new Set(["mcp:curate"]))).toEqual({ pass: true });
    }
  });

  test("R30 draft=true of what is public needs a token", () => {
    for (const name of ["get_record", "list_files", "download_file"]) {
      expect(gate(call(name, { draft: true }), TOOLS, null)).toMatchObject({ status: 401, scope: "mcp:read" });
      expect(gate(call(name, { draft: false }), TOOLS, null)).toEqual({ pass: true });
    }
    const tool = TOOLS.get("get_record");
    expect(tool === undefined ? null : scopeOfCall(tool, JSON.parse('{"__proto__":{"draft":true}}'))).toBe(null);
    // Over stdio files of drafts are meant where nothing is sent.
    const stdio = new Map(STDIO_TOOLS.map((each) => [each.name, each]));
    for (const [args, isDraft] of [
      [undefined, true],
      [null, true],
      [{}, true],
      [{ draft: true }, true],
      [{ draft: false }, false],
    ] as const) {
      const message = { method: "tools/call", params: { name: "list_files", arguments: args } };
      const expected = isDraft ? { status: 401, scope: "mcp:read" } : { pass: true };
      expect(gate(message, stdio, null)).toMatchObject(expected);
      expect(gate(message, TOOLS, null).pass).toBe(args?.draft !== true);
    }
  });

  test("S3.7.94 reading an address needs what its tool needs; other methods and messages that call nothing need nothing", () => {
    const closed = new Map([...TOOLS].map(([name, tool]) => [name, { ...tool, scope: "mcp:write" as const }]));
    for (const [uri, name] of [
      ["record://1", "get_record"],
      ["vocabulary://languages", "list_vocabulary"],
    ] as const) {
      const body = { method: "resources/read", params: { uri } };
      expect(gate(body, closed, null)).toMatchObject({ status: 401, scope: "mcp:write", tool: { name } });
      expect(gate([{}, body], closed, new Set(["mcp:read"]))).toMatchObject({ status: 403, tool: { name } });
      for (const [message, tools] of [
        [body, TOOLS],
        [body, new Map()],
        [{ ...body, method: "resources/subscribe" }, closed],
        [{ ...body, method: "tools/call" }, closed],
      ] as const)
        expect(gate(message, tools, null)).toEqual({ pass: true });
    }
    for (const method of ["tools/call", "resources/read"]) {
      for (const params of [
        undefined,
        null,
        7,
        "whoami",
        {},
        { name: {}, uri: {} },
        { name: "other", uri: "other://1" },
      ])
        expect(gate({ method, params }, closed, null)).toEqual({ pass: true });
    }
  });

  test("S3.7.170 R2g a tool works with the scopes of tools only, and the strongest one is checked again at the write", () => {
    for (const [scopes, name, asked] of [
      [["mcp:read"], "whoami", "mcp:read"],
      [["mcp:read", "mcp:write", "item:read"], "create_record", "mcp:write"],
      [["mcp:curate", "mcp:read"], "whoami", "mcp:curate"],
      [["mcp:write"], "search_records", null],
      [null, "create_record", null],
      [["item:read", "user:activity"], "whoami", "guest"],
      [[], "search_records", "guest"],
    ] as const) {
      const tool = TOOLS.get(name);
      if (tool === undefined) throw new Error(name);
      const carried = scopes === null ? null : new Set<string>(scopes);
      const viewer = { ...GUEST, roles: [1, 3] as const, clientId: "c", address: "192.0.2.7", scopes: carried };
      const expected = asked === null ? viewer : { ...viewer, asked: [asked] };
      const account = { id: 1 } as never;
      expect([grantedTo(viewer), grantedTo({ ...viewer, account })]).toEqual([null, carried ?? new Set()]);
      expect(passing(viewer, tool)).toEqual(asked === "guest" ? { ...GUEST, address: "192.0.2.7" } : expected);
    }
  });

  test("R30 whatever is sent, it answers", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(gate(body, TOOLS, null).pass).toBe(true);
      }),
    );
  });
});

describe("R30 arguments", () => {
  const tool = (name: string) => {
    const found = TOOLS.get(name);
    if (found === undefined) throw new Error(name);
    return found.input;
  };

  test("R30 defaults are filled in, blank optional texts are unset, faults are named", () => {
    expect(readArguments(tool("search_records"), { query: "" })).toEqual({
      args: { query: "", size: 10, page: 1, sort: "", facets: false },
    });
    expect(readArguments(tool("get_record"), { recid: 42 })).toMatchObject({ args: { recid: "42" } });
    for (const recid of [0, -1, 4.2, true, [42]]) {
      expect(readArguments(tool("get_record"), { recid })).toMatchObject({ errors: [{ field: "recid" }] });
    }
    expect(readArguments(tool("get_record"), {})).toEqual({
      errors: [{ field: "recid", messages: ["Missing data for required field."] }],
    });
    expect(readArguments(tool("start_multipart_upload"), { recid: "1", filename: "a", size: 1.5 })).toEqual({
      errors: [{ field: "size", messages: ["1.5 is not of type integer."] }],
    });
    expect(readArguments(tool("request_action"), { request_id: "1", action: "acept" })).toMatchObject({
      errors: [{ field: "action", messages: [expect.stringContaining("Did you mean accept?")] }],
    });
    expect(readArguments(tool("whoami"), [])).toMatchObject({ errors: [{ field: "arguments" }] });
  });

  test("R30 whatever is sent, it answers", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...HTTP_TOOLS), (given, { input }) => {
        const read = readArguments(input, given);
        expect("args" in read || read.errors.length > 0).toBe(true);
      }),
    );
  });
});

test("S3.7.402 a text that was shortened is found however deep it is, as far as the body of a call goes", () => {
  const within = (depth: number): unknown => (depth === 0 ? "a text … (29999 characters)" : [within(depth - 1)]);
  for (const depth of [0, 1, 20])
    expect(() => wholeMetadata(1, {}, { title: "x", notes: within(depth) })).toThrow("Nothing was changed");
  const sent = { title: "a text … (many characters)", notes: ["29999 characters"], dates: null };
  expect(wholeMetadata(1, {}, sent)).toEqual({ title: sent.title, notes: sent.notes });
});

test("R30 a record is named by its number, an ARK, a DOI, or an address of one", () => {
  const base = "https://repo.example.org";
  expect(namedRecord(" 42 ", base)).toEqual({ kind: "id", id: 42 });
  expect(namedRecord(`${base}/records/42/files/a.txt`, base)).toEqual({ kind: "id", id: 42 });
  expect(namedRecord(`${base}/api/records/42`, base)).toEqual({ kind: "id", id: 42 });
  expect(namedRecord("ark:/99999/b1abc", base)).toEqual({ kind: "ark", ark: "99999/b1abc" });
  expect(namedRecord("https://ark.example.org/ark:99999/b1abc", base)).toEqual({ kind: "ark", ark: "99999/b1abc" });
  expect(namedRecord("https://doi.org/10.1234/ab.c", base)).toEqual({ kind: "doi", doi: "10.1234/ab.c" });
  expect(namedRecord("doi:10.1234/ab.c", base)).toEqual({ kind: "doi", doi: "10.1234/ab.c" });
  for (const same of [
    "http://repo.example.org/records/42",
    "repo.example.org/records/42?x=1#top",
    "oai:repo.example.org:00000042",
  ])
    expect([same, namedRecord(same, base)]).toEqual([same, { kind: "id", id: 42 }]);
  for (const same of [
    "ark:99999/b1-abc",
    "ark:99999/-b1-a-bc",
    "https://n2t.net/ark:/99999/b1abc/page2.pdf?info",
    "ARK:/99999/b1abc.",
  ])
    expect([same, namedRecord(same, base)]).toEqual([same, { kind: "ark", ark: "99999/b1abc" }]);
  for (const same of ["doi.org/10.1234/ab.c", "DOI: 10.1234/ab.c", "http://dx.doi.org/10.1234/ab.c"])
    expect([same, namedRecord(same, base)]).toEqual([same, { kind: "doi", doi: "10.1234/ab.c" }]);
  for (const text of [
    "oai:other.example:00000042",
    "",
    "0",
    "-1",
    "1e3",
    "../42",
    "https://other.example/records/42",
    "draft",
    "42/../43",
  ]) {
    expect([text, namedRecord(text, base)]).toEqual([text, null]);
  }
});

test("R30 files of this machine are read below one folder only, whatever links and dots state", async () => {
  const root = mkdtempSync(join(tmpdir(), "import-"));
  try {
    const folder = join(root, "in");
    mkdirSync(folder);
    writeFileSync(join(root, "secret.txt"), "secret");
    writeFileSync(join(root, "in-other.txt"), "secret");
    writeFileSync(join(folder, "a.txt"), "fine");
    symlinkSync(join(root, "secret.txt"), join(folder, "link.txt"));
    symlinkSync(root, join(folder, "up"));
    const open = importFolder(folder);
    expect((await open("a.txt")).lengthBytes).toBe(4);
    for (const path of [
      "../secret.txt",
      "link.txt",
      "up/secret.txt",
      "../in-other.txt",
      join(root, "secret.txt"),
      "/proc/self/environ",
      ".",
      "none.txt",
    ]) {
      await expect(open(path)).rejects.toThrow("leads to no file");
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("R30 an argument with many faults does not hide those of the next", () => {
  const input = HTTP_TOOLS.find(({ name }) => name === "search_records")?.input;
  if (input === undefined) throw new Error("There is no such tool");
  const read = readArguments(input, { fields: Array.from({ length: 30 }, () => 7), size: "many" });
  const errors = "errors" in read ? read.errors : [];
  expect(errors.map(({ field, messages }) => [field, messages.length])).toEqual([
    ["size", 1],
    ["fields", 20],
  ]);
  const strangers = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`stranger${at}`, 1]));
  const refused = readArguments(input, strangers);
  expect("errors" in refused ? refused.errors.length : 0).toBe(20);
});
