// How much one result of a tool holds (R30; specification 3, "Tool servers"; reference 5.5): values are whole or
// absent, and what was absent is not lost when a record is written back.
import { describe, expect, test } from "bun:test";
import { setUpLocalTools } from "../support/local-tools.ts";
import { METADATA } from "../support/record-calls.ts";
import { manyGuests, takenApart, toolCalls } from "../support/tool-calls.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: { env: { SVC_RATE_PER_MINUTE: "0" } } });
const local = setUpLocalTools(world);
const http = toolCalls(manyGuests(world));

const { resultOf, refused } = takenApart(http);
const { resultOf: localResultOf, refused: refusedHere } = takenApart(local);

type Json = Readonly<Record<string, unknown>>;
const stored = async (id: string, who: Who = "registered"): Promise<Json> =>
  JSON.parse((await world.ask(who, "GET", `/api/records/${id}`)).text).metadata;
const published = async (metadata: Json, who: Who = "registered"): Promise<string> =>
  (await resultOf(who, "create_record", { metadata: { ...METADATA, ...metadata }, publish: true })).id;
const creators = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    person_or_org: { type: "personal", family_name: `Tide${at}`, given_name: "Ann" },
    affiliations: [{ name: `Harbour Office ${at}` }],
  }));

const HTML = "<p>Of <strong>high</strong> and <em>low</em> water</p>";
const LONG = `<p>${"tide &amp; ebb ".repeat(3_000)}</p>`;
const OTHER = `<p>${"methods ".repeat(6_000)}</p>`;
const LONG_RECORD = {
  description: LONG,
  additional_descriptions: [
    { description: "<p>A <em>short</em> one</p>", type: { id: "other" } },
    { description: OTHER, type: { id: "methods" } },
  ],
};

describe("R30 values of a record are whole or absent", () => {
  test("S3.7.401: descriptions come with their markup, over both servers, and are the same after they were written back", async () => {
    const more = [{ description: "<p>How <strong>tides</strong> turn</p>", type: { id: "methods" } }];
    const id = await published({ description: HTML, additional_descriptions: more });
    const before = await stored(id);
    expect(before.description).toBe(HTML);
    for (const [get, save] of [
      [resultOf, (metadata: Json) => resultOf("registered", "update_record", { recid: id, metadata })],
      [localResultOf, (metadata: Json) => localResultOf("registered", "update_record", { recid: id, metadata })],
    ] as const) {
      const shown = await get("registered", "get_record", { recid: id });
      expect([shown.metadata.description, "truncated" in shown]).toEqual([HTML, false]);
      expect(shown.metadata.additional_descriptions[0].description).toBe("<p>How <strong>tides</strong> turn</p>");
      await save(shown.metadata);
      expect(await stored(id)).toEqual(before);
    }
  });

  test("S3.7.401: a long value is absent and named, full shows it, and its parts together are it", async () => {
    const id = await published({ ...LONG_RECORD, creators: creators(3_000) });
    const short = await resultOf(null, "get_record", { recid: id });
    expect(short.truncated).toEqual(["metadata.additional_descriptions", "metadata.creators", "metadata.description"]);
    expect(["description" in short.metadata, "title" in short.metadata]).toEqual([false, true]);
    expect(short.truncated_hint).toContain("full=true");
    expect(JSON.stringify(short).length).toBeLessThan(10_000);
    expect(short.creators.length).toBe(5);
    const full = await resultOf(null, "get_record", { recid: id, full: true });
    const expected = [false, LONG, 3_000];
    expect(["truncated" in full, full.metadata.description, full.metadata.creators.length]).toEqual(expected);
    expect(full.metadata.additional_descriptions[1].description).toBe(OTHER);
    for (const path of [
      "metadata.description",
      "metadata.creators",
      "metadata.additional_descriptions.1.description",
    ]) {
      const parts: unknown[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const { part } = await resultOf(null, "get_record", { recid: id, fields: [path], offset });
        expect([part.path, part.offset, JSON.stringify(part).length < 40_000]).toEqual([path, offset, true]);
        parts.push(...(part.entries ?? [part.text]));
        offset = part.next_offset;
      }
      let whole = full;
      for (const name of path.split(".")) whole = whole[name];
      expect(typeof whole === "string" ? parts.join("") : parts).toEqual(whole);
    }
  });

  test("S3.7.401: a part is read of one list or text, within it", async () => {
    const id = await published({ creators: creators(2) });
    for (const [args, field] of [
      [{ offset: 0 }, "fields"],
      [{ fields: ["metadata.creators", "metadata.title"], offset: 0 }, "fields"],
      [{ fields: ["metadata.resource_type"], offset: 0 }, "fields"],
      [{ fields: ["metadata.creators"], offset: 3 }, "offset"],
    ] as const) {
      const { status, errors } = await refused(null, "get_record", { recid: id, ...args });
      expect([status, errors?.[0]?.field]).toEqual([400, field]);
    }
    const { part } = await resultOf(null, "get_record", { recid: id, fields: ["metadata.creators"], offset: 2 });
    expect([part.entries, part.total, "next_offset" in part]).toEqual([[], 2, false]);
  });

  test("S3.7.402: update_record refuses a part of a value in place of the value, and changes nothing", async () => {
    const id = await published({ ...LONG_RECORD, creators: creators(500) });
    const before = await stored(id);
    const { part } = await resultOf(null, "get_record", { recid: id, fields: ["metadata.creators"], offset: 100 });
    const { part: beginning } = await resultOf(null, "get_record", {
      recid: id,
      fields: ["metadata.description"],
      offset: 0,
    });
    const [first, second] = LONG_RECORD.additional_descriptions;
    const short = { description: `${LONG.slice(0, 5_000)}… (29999 characters)` };
    for (const [metadata, field] of [
      [{ creators: part.entries }, "creators"],
      [{ description: beginning.text }, "description"],
      [{ description: `${beginning.text}...` }, "description"],
      [short, "description"],
      [{ additional_descriptions: [first, short] }, "additional_descriptions"],
      [
        { additional_descriptions: [first, { ...second, description: OTHER.slice(0, 9_000) }] },
        "additional_descriptions",
      ],
    ] as const) {
      for (const refuse of [refused, refusedHere]) {
        const { status, errors, hint } = await refuse("registered", "update_record", { recid: id, metadata });
        expect([status, errors?.some((each) => each.field === `metadata.${field}`)]).toEqual([400, true]);
        expect(hint).toContain("full=true");
      }
    }
    expect(await stored(id)).toEqual(before);
    // No draft was left behind.
    expect((await refused("registered", "get_record", { recid: id, draft: true })).status).toBe(404);
    // Another text, one more creator, and one fewer are changes like any other.
    const { metadata } = await resultOf(null, "get_record", { recid: id, full: true });
    for (const changed of [
      { description: "<p>Another text</p>" },
      { creators: metadata.creators.slice(1) },
      { creators: [...metadata.creators, ...creators(1)] },
    ]) {
      await resultOf("registered", "update_record", { recid: id, metadata: changed });
      expect(await stored(id)).toMatchObject("creators" in changed ? {} : { description: "<p>Another text</p>" });
    }
    expect((await stored(id)).creators).toHaveLength(501);
  });

  test("S3.7.402: over stdio a long value that is absent is not removed, unless it is null", async () => {
    const id = await published({ ...LONG_RECORD, publisher: "A press" });
    const shown = await localResultOf("registered", "get_record", { recid: id });
    expect(shown.truncated).toEqual(["metadata.additional_descriptions", "metadata.description"]);
    const refusal = await refusedHere("registered", "update_record", { recid: id, metadata: shown.metadata });
    expect(refusal.errors?.map(({ field }) => field)).toEqual(shown.truncated);
    const version = { recid: id, metadata: { ...shown.metadata, publication_date: "2026-01-01" } };
    expect((await refusedHere("registered", "new_version", version)).status).toBe(400);
    expect((await stored(id)).description).toBe(LONG);
    const { metadata } = await localResultOf("registered", "get_record", { recid: id, full: true });
    await localResultOf("registered", "update_record", { recid: id, metadata: { ...metadata, title: "Whole" } });
    expect(await stored(id)).toMatchObject({ title: "Whole", description: LONG });
    await localResultOf("registered", "update_record", {
      recid: id,
      metadata: { ...metadata, description: null, publisher: undefined },
    });
    const after = await stored(id);
    expect(["description" in after, "publisher" in after]).toEqual([false, false]);
    expect(after.additional_descriptions).toHaveLength(2);
  });
});

describe("R30 results are bounded as a whole", () => {
  test("S3.7.403: lists name what each entry leaves out, and short ones leave out nothing", async () => {
    const word = "boundedlists";
    for (let at = 0; at < 12; at++) {
      await published({ title: `${word} ${at}`, description: `<p>${"w ".repeat(13_000)}</p>`, creators: creators(40) });
    }
    const { id: last } = await resultOf("registered", "create_record", {
      metadata: { ...METADATA, title: `${word} short`, description: HTML },
      publish: true,
    });
    const found = await resultOf(null, "search_records", { query: word, size: 100, fields: ["title", "metadata"] });
    expect([found.records.length, JSON.stringify(found).length < 260_000]).toEqual([13, true]);
    const short = found.records.find((each: Json) => each.id === last);
    expect([short.metadata.description, "truncated" in short]).toEqual([HTML, false]);
    const cut = found.records.filter((each: Json) => "truncated" in each);
    const expected = [12, ["metadata.description"], true];
    expect([cut.length, cut[0].truncated, cut[0].metadata.title.startsWith(word)]).toEqual(expected);
    expect(found.truncated_hint).toContain("get_record");
    const two = await resultOf(null, "search_records", { query: word, size: 2, fields: ["metadata"] });
    expect(two.records.map((each: Json) => "truncated" in each)).toEqual([false, false]);
    const plain = await resultOf(null, "search_records", { query: word, size: 100 });
    expect(plain.records.filter((each: Json) => "truncated" in each)).toEqual([]);
  });

  test("S3.7.403: the addresses of many parts come a page at a time", async () => {
    const { id } = await resultOf("registered", "create_record", { metadata: METADATA, files: true });
    const args = { recid: id, filename: "large.bin", size: 600 * 5 * 1024 * 1024, part_size: 5 * 1024 * 1024 };
    const begun = await resultOf("registered", "start_multipart_upload", args);
    const expected = [600, 250, ["parts"], 251];
    expect([begun.part_count, begun.parts.length, begun.truncated, begun.next_part]).toEqual(expected);
    const numbers: number[] = begun.parts.map(({ part }: { part: number }) => part);
    for (let first = begun.next_part; first !== undefined; ) {
      const more = await resultOf("registered", "start_multipart_upload", {
        ...args,
        overwrite: false,
        first_part: first,
      });
      numbers.push(...more.parts.map(({ part }: { part: number }) => part));
      first = more.next_part;
    }
    expect(numbers).toEqual(Array.from({ length: 600 }, (_, at) => at + 1));
    await resultOf("registered", "abort_multipart_upload", { recid: id, filename: "large.bin" });
  });

  test("S3.7.403: comments are whole, and where they are too long together they are named", async () => {
    await resultOf("manager", "create_community", { slug: "talk", title: "Talk" });
    const { id } = await resultOf("registered", "create_record", { metadata: METADATA });
    const { request } = await resultOf("registered", "submit_to_community", { recid: id, community: "talk" });
    const comment = "c".repeat(9_999);
    for (let at = 0; at < 30; at++) {
      await resultOf("registered", "comment_on_request", {
        request_id: request.id,
        comment: at === 0 ? "short" : comment,
      });
    }
    const all = await resultOf("manager", "get_request", { request_id: request.id, timeline: true });
    expect([all.timeline.length, all.timeline[0].text]).toEqual([30, "short"]);
    expect([all.timeline[1].truncated, "text" in all.timeline[1]]).toEqual([["text"], false]);
    const few = await resultOf("manager", "get_request", { request_id: request.id, timeline: true, size: 2 });
    expect([few.timeline.map(({ text }: Json) => text), few.next_page]).toEqual([["short", comment], 2]);
  });
});
