// Every answer of every tool fits the schema that is listed for it (R30; specification 3, "Tool servers"), whatever
// arguments it was called with: official clients throw where one does not.
import { beforeAll, describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import Ajv2020 from "ajv/dist/2020";
import fc from "fast-check";
import type { ToolDefinition } from "../../src/repository/tools/tool.ts";
import { httpTools, STDIO_TOOLS } from "../../src/repository/tools/tool-table.ts";
import { setUpLocalTools } from "../support/local-tools.ts";
import { METADATA } from "../support/record-calls.ts";
import { manyGuests, type ToolReply, toolCalls } from "../support/tool-calls.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({
  repository: { env: { SVC_RATE_PER_MINUTE: "0", SVC_FILE_FETCH_DOMAINS: "data.example.org" } },
  tools: true,
});
const local = setUpLocalTools(world);
const http = toolCalls(manyGuests(world));
beforeAll(async () => {
  await world.community("closed");
  await world.community("open", { review_policy: "open" });
});

/**
 * Values of an argument by its name: what is there, made again for each tool, what is not there, and what no schema
 * names.
 */
async function poolsFor({
  name: tool,
  toolset,
}: ToolDefinition): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const published = await world.published();
  const long = await world.resultOf("registered", "create_record", {
    metadata: { ...METADATA, title: "Long tides\u202E", description: `<p>${"tide ".repeat(9_000)}</p>` },
    publish: true,
  });
  const draft = await world.draft();
  const gone = await world.published();
  await world.resultOf("system", "delete_record", { recid: gone, confirm: true });
  const carrying = (await world.resultOf("registered", "create_record", { metadata: METADATA, files: true })).id;
  await world.resultOf("registered", "upload_file", { recid: carrying, filename: "a.txt", content_text: "tides" });
  const large = { recid: carrying, filename: "large.bin", size: 6 * 1024 * 1024 };
  const { parts } = await world.resultOf("registered", "start_multipart_upload", large);
  const { pathname, search } = new URL(parts[0].url);
  await world.ask(null, "PUT", pathname + search, { body: "a".repeat(large.size) });
  const { id: waiting } = await world.waiting("A comment");
  const first =
    tool === "submit_to_community" ? draft : toolset === "files" && tool !== "list_files" ? carrying : published;
  return {
    recid: [
      first,
      ...[published, Number(published), long.id, draft, carrying, gone, "999999"].filter((id) => id !== first),
    ],
    query: ["", "tides", "tides AND (", "metadata.title:tides", "titel:tides", "type:community-submission"],
    fields: [
      [],
      ["title"],
      ["metadata.title", "pids"],
      ["metadata.creators", "custom_fields"],
      ["created", "links.self", "access.record"],
      ["metadata.description"],
      ["metadata"],
      ["metadata.titel"],
    ],
    offset: [0, 1, 40_000],
    community: ["closed", "open", "none"],
    request_id: [waiting, "none"],
    filename: tool.includes("multipart") ? ["large.bin", "a.txt"] : ["a.txt", "large.bin", "none.txt"],
    key: ["a.txt", "large.bin", "none.txt"],
    vocab_type: ["resourcetypes", "affiliations", "none"],
    metadata: [METADATA, {}, { ...METADATA, title: "ab" }, { ...METADATA, description: "… (29999 characters)" }],
    access: [null, {}, { files: "restricted" }, { record: "private" }, { embargo: { active: true } }],
    custom_fields: [null, {}, { "journal:journal": { title: "Tides" } }, { nonsense: 1 }],
    url: ["https://data.example.org/a.txt", "https://other.example/a.txt"],
    content_text: [undefined, "tides"],
    text: [undefined, "tides"],
    content_base64: [undefined, "dGlkZXM="],
    source_path: [undefined, "none.txt"],
    publication_date: [null, "2026-05-01", "today"],
    version: [null, "2.0"],
    slug: ["varied", "Varied"],
    title: ["Varied"],
    community_type: ["topic", "none"],
    description: ["A description", ""],
    website: ["https://example.org", "nonsense"],
    curation_policy: ["Everything", ""],
    page: ["<p>Words</p>", ""],
    organizations: [undefined, []],
    funding: [undefined, []],
    reason_id: ["spam", "none"],
    note: ["A note"],
    comment: ["", "A comment"],
    part_size: [null, 5 * 1024 * 1024, 1],
    first_part: [1, 2, 9],
  };
}

/** Values that an argument may have, by its name and by its schema. */
function valuesOf(
  pools: Awaited<ReturnType<typeof poolsFor>>,
  tool: string,
  name: string,
  schema: TSchema,
): readonly unknown[] {
  if (name === "size") return tool === "start_multipart_upload" ? [6 * 1024 * 1024, 1] : [1, 100, 0];
  // Of create_record it is a name that the caller chooses.
  if (name === "request_id" && tool === "create_record") return ["", "one", "two"];
  const known = pools[name];
  if (known !== undefined) return known;
  if (Array.isArray(schema.enum)) return [...schema.enum, "none"];
  if (schema.type === "boolean") return [true, false];
  if (schema.type === "integer") return [schema.minimum ?? 1, 2, -1];
  throw new Error(`There are no values for ${name} of ${tool}`);
}

type Args = Readonly<Record<string, unknown>>;
type Call = (who: Who, name: string, args: Args) => Promise<ToolReply>;

/** Each argument with each value, the others as they first are; then all of them by chance. */
async function variations(tool: ToolDefinition): Promise<readonly Args[]> {
  const { name, input } = tool;
  const pools = await poolsFor(tool);
  const values = Object.entries<TSchema>(input.properties).map(
    ([argument, schema]) => [argument, valuesOf(pools, name, argument, schema)] as const,
  );
  const needed = Object.fromEntries(
    values.filter(([argument]) => input.required?.includes(argument)).map(([argument, [first]]) => [argument, first]),
  );
  const single = values.flatMap(([argument, each]) => each.map((value) => ({ ...needed, [argument]: value })));
  const record = Object.fromEntries(
    values.map(([argument, each]) => {
      const value = fc.constantFrom(...each);
      return [argument, input.required?.includes(argument) ? value : fc.option(value, { nil: undefined })];
    }),
  );
  return [...single, ...fc.sample(fc.record(record), { seed: 21, numRuns: 25 })];
}

describe("S3.7.404 R30 answers of tools fit their schemas, with all arguments varied", () => {
  const withoutAbsent = (args: Args): Args =>
    Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

  async function check(definitions: readonly ToolDefinition[], call: Call): Promise<void> {
    const wrong: unknown[] = [];
    const refused = new Map<string, number>();
    const answered = new Map<string, number>();
    for (const tool of definitions) {
      const fits = new Ajv2020({ strict: false }).compile(tool.output);
      for (const given of await variations(tool)) {
        const args = withoutAbsent(given);
        for (const who of tool.annotations.readOnlyHint
          ? (["registered", "system"] as const)
          : ["registered" as const]) {
          const { structuredContent, isError, content } = await call(who, tool.name, args);
          const counts = isError === true ? refused : answered;
          counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1);
          const isServers = isError === true && structuredContent.error.status >= 500;
          const isLong = (content[0]?.text.length ?? 0) > 300_000;
          if (!fits(structuredContent) || isServers || isLong) wrong.push([tool.name, args, fits.errors, isLong]);
        }
      }
    }
    expect(wrong).toEqual([]);
    // No tool was only refused.
    const whole = definitions.filter(({ name }) => (answered.get(name) ?? 0) === 0).map(({ name }) => name);
    expect(whole).toEqual(NEVER.filter((name) => definitions.some((tool) => tool.name === name)));
  }

  /** For administrators, and what the others were before it. */
  const NEVER = ["restore_record", "upload_file_from_url"];

  test("over HTTP", async () => {
    await check(httpTools({ mcpMoreTools: "on" }), http.call);
  }, 120_000);

  test("over stdio", async () => {
    await check(STDIO_TOOLS, local.call);
  }, 120_000);
});
