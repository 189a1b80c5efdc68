// What the tools take beyond the specification's arguments, and what they refuse rather than misunderstand (R30;
// specification 3, "Tool servers").
import { beforeAll, describe, expect, test } from "bun:test";
import { cratePackage } from "../support/deposit-requests.ts";
import { setUpLocalTools } from "../support/local-tools.ts";
import { METADATA } from "../support/record-calls.ts";
import { manyGuests, takenApart, toolCalls } from "../support/tool-calls.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: { env: { SVC_RATE_PER_MINUTE: "0" } }, tools: true });
const local = setUpLocalTools(world);
const http = toolCalls(manyGuests(world));
beforeAll(async () => {
  await world.community("closed");
  await world.community("open", { review_policy: "open" });
});

const { resultOf, refused } = takenApart(http);
const { resultOf: localResultOf, refused: refusedHere } = takenApart(local);

type Json = Readonly<Record<string, unknown>>;
const made = async (metadata: Json, more: Json = {}): Promise<string> =>
  (await resultOf("registered", "create_record", { metadata: { ...METADATA, ...metadata }, publish: true, ...more }))
    .id;
const idsOf = async (args: Json): Promise<string[]> =>
  (await resultOf(null, "search_records", { size: 100, ...args })).records.map(({ id }: { id: string }) => id).sort();

describe("R30 names that nothing is known by", () => {
  test("S3.7.405: an unknown member of fields is refused with the one that was meant", async () => {
    const id = await made({});
    for (const [fields, meant] of [
      [["metadata.titel"], "metadata.title"],
      [["titel"], "title"],
      [["title", "creator"], "creators"],
      [["description"], "metadata.description"],
    ] as const) {
      for (const [tool, args] of [
        ["get_record", { recid: id }],
        ["search_records", {}],
      ] as const) {
        const { status, errors } = await refused(null, tool, { ...args, fields });
        expect([status, errors?.[0]?.field]).toEqual([400, "fields"]);
        expect(errors?.[0]?.messages).toHaveLength(1);
        expect(errors?.[0]?.messages[0]).toEndWith(`Did you mean ${meant}?`);
      }
    }
    const fields = ["metadata.resource_type.id", "links.self", "custom_fields.own:field", "version.label"];
    expect((await resultOf(null, "get_record", { recid: id, fields })).metadata.resource_type.id).toBe(
      "publication-article",
    );
  });

  test("S3.7.405: an unknown field of a query is refused with the one that was meant, in every tool that searches", async () => {
    await made({ title: "Fielded tides" });
    for (const [query, meant] of [
      ["title:tides", "metadata.title"],
      ["metadata.titel:tides", "metadata.title"],
      ["tides AND NOT _exists_:metadata.descripton", "metadata.description"],
    ] as const) {
      for (const [tool, who, args] of [
        ["search_records", null, {}],
        ["my_records", "registered", {}],
        ["list_community_records", null, { community: "open" }],
      ] as const) {
        const { status, errors } = await refused(who, tool, { ...args, query });
        expect([tool, status, errors?.[0]?.field]).toEqual([tool, 400, "query"]);
        expect(errors?.[0]?.messages[0]).toEndWith(`Did you mean ${meant}?`);
      }
      expect((await refusedHere(null, "search_records", { query })).status).toBe(400);
    }
    expect((await refused("registered", "list_requests", { query: "typ:community-submission" })).errors).toEqual([
      { field: "query", messages: ['"typ" is not a field that is searched. Did you mean type?'] },
    ]);
    expect(
      (await refused(null, "search_communities", { query: "visibilty:public" })).errors?.[0]?.messages[0],
    ).toEndWith("Did you mean visibility?");
    // Known ones, fields of a library's own, and addresses are asked.
    for (const query of [
      "metadata.title:fielded",
      "custom_fields.own\\:field:x OR fielded",
      '"a: b" OR fielded',
      "https://e.example/x OR fielded",
      "metadata.\\*:fielded",
    ]) {
      expect([query, (await idsOf({ query })).length]).toEqual([query, 1]);
    }
    // The records interface finds nothing by them, as its clients expect.
    const { status, text } = await world.ask(null, "GET", "/api/records?q=titel:tides");
    expect([status, JSON.parse(text).hits.total]).toEqual([200, 0]);
  });

  test("S3.7.406: _exists_ of a member whose words are those of another finds records that have it, and no others", async () => {
    const [titles, descriptions, neither] = [
      await made({ title: "Existing one", additional_titles: [{ title: "Also", type: { id: "subtitle" } }] }),
      await made({
        title: "Existing two",
        description: "<p>First</p>",
        additional_descriptions: [{ description: "<p>How</p>", type: { id: "methods" } }],
      }),
      await made({ title: "Existing three", description: "<p>First</p>" }),
    ];
    const among = (query: string) => idsOf({ query: `existing AND ${query}` });
    expect(await among("_exists_:metadata.additional_titles")).toEqual([titles]);
    expect(await among("_exists_:metadata.additional_titles.title")).toEqual([titles]);
    expect(await among("metadata.additional_titles:*")).toEqual([titles]);
    expect(await among("_exists_:metadata.additional_descriptions")).toEqual([descriptions]);
    expect(await among("NOT _exists_:metadata.additional_titles")).toEqual([descriptions, neither].sort());
    expect(await among("_exists_:metadata.description")).toEqual([descriptions, neither].sort());
    expect(await among("_exists_:metadata.title")).toEqual([titles, descriptions, neither].sort());
  });
});

describe("R30 access and embargo", () => {
  const until = "2999-01-01";

  test("S3.7.407: what is not understood about access is refused before anything is written", async () => {
    const count = async () => (await resultOf("registered", "my_records")).total;
    const before = await count();
    const id = await made({ title: "Closed later" });
    for (const [access, field] of [
      [{ record: "private" }, "access.record"],
      [{ files: "closed" }, "access.record"],
      [{ visibility: "restricted" }, "access.visibility"],
      [{ record: null }, "access.record"],
      [{ embargo: { until } }, "access.embargo.active"],
      [{ embargo: { active: true, until } }, "access.embargo"],
      [{ files: "restricted", embargo: { active: true, until: "2001-01-01" } }, "access.embargo.until"],
      [{ files: "restricted", embargo: { active: "yes", until } }, "access.embargo.active"],
    ] as const) {
      for (const refuse of [refused, refusedHere]) {
        for (const publish of [true, false]) {
          const args = { metadata: METADATA, access, publish };
          for (const refusal of [
            await refuse("registered", "create_record", args),
            await refuse("registered", "update_record", { ...args, recid: id }),
          ]) {
            expect([access, refusal.status, refusal.errors?.[0]?.field]).toEqual([access, 400, field]);
          }
        }
      }
    }
    expect(await count()).toBe(before + 1);
    expect((await refused("registered", "get_record", { recid: id, draft: true })).status).toBe(404);
  });

  test("S3.7.407: access and embargo are set over HTTP too, and what is left out stays", async () => {
    const id = await made({ title: "Restricted" }, { access: { record: "restricted" } });
    expect((await refused(null, "get_record", { recid: id })).status).toBe(403);
    const opened = await resultOf("registered", "update_record", {
      recid: id,
      metadata: {},
      access: { record: "public", files: "restricted", embargo: { active: true, until, reason: "A patent" } },
    });
    expect(opened.access).toMatchObject({ record: "public", files: "restricted", status: "embargoed" });
    await resultOf("registered", "update_record", {
      recid: id,
      metadata: { publisher: "P" },
      access: { files: "restricted" },
    });
    const { access } = await resultOf(null, "get_record", { recid: id });
    expect(access.embargo).toEqual({ active: true, until, reason: "A patent" });
    const unnamed = { recid: id, metadata: {}, access: { embargo: null } };
    expect((await resultOf("registered", "update_record", unnamed)).access).toMatchObject({
      ...{ record: "public", files: "restricted" },
    });
    const lifted = { recid: id, metadata: {}, access: { files: "public", embargo: null } };
    expect((await resultOf("registered", "update_record", lifted)).access.status).toBe("metadata-only");
    const here = await localResultOf("registered", "update_record", {
      recid: id,
      metadata: METADATA,
      access: { record: "restricted" },
    });
    expect(here.access).toMatchObject({ record: "restricted", files: "public" });
    const filed = { recid: id, metadata: METADATA, access: { files: "restricted" } };
    expect((await localResultOf("registered", "update_record", filed)).access).toMatchObject({
      ...{ record: "restricted", files: "restricted" },
    });
  });

  test("S3.7.407: custom fields are set and merged over HTTP, and replaced over stdio", async () => {
    const journal = { title: "Journal of Tides", volume: "7" };
    const meeting = { title: "Conference on Tides" };
    const id = await made({}, { custom_fields: { "journal:journal": journal } });
    const shown = async () => (await resultOf(null, "get_record", { recid: id })).custom_fields;
    expect(await shown()).toMatchObject({ "journal:journal": journal });
    const update = (custom_fields: Json) => ({ recid: id, metadata: {}, custom_fields });
    await resultOf("registered", "update_record", update({ "meeting:meeting": meeting }));
    expect(await shown()).toMatchObject({ "journal:journal": journal, "meeting:meeting": meeting });
    await resultOf("registered", "update_record", update({ "journal:journal": null }));
    expect([await shown()].map((fields) => Object.keys(fields ?? {}))).toEqual([["meeting:meeting"]]);
    const wrong = await refused("registered", "update_record", update({ nonsense: 1 }));
    expect(wrong.errors?.[0]?.field).toBe("custom_fields.nonsense");
    await localResultOf("registered", "update_record", {
      recid: id,
      metadata: METADATA,
      custom_fields: { "journal:journal": journal },
    });
    expect(Object.keys(await shown())).toEqual(["journal:journal"]);
  });
});

describe("R30 request_id of create_record", () => {
  test("S3.7.408: the same call again returns the record that was made, on both servers, for each account by itself", async () => {
    // A deposit under the same key is another call.
    const headers = { "idempotency-key": "a lost answer" };
    await world.deposit("registered", cratePackage({ name: "Not the tool's" }), { headers });
    for (const [who, result, refuse] of [
      ["registered", resultOf, refused],
      ["other", localResultOf, refusedHere],
    ] as const) {
      const args = { metadata: { ...METADATA, title: "Made once" }, request_id: "a lost answer" };
      const first = await result(who, "create_record", args);
      const again = await result(who, "create_record", args);
      expect([again.id, again.repeated, "repeated" in first]).toEqual([first.id, true, false]);
      const open = await result(who, "create_record", { ...args, publish: true });
      expect([open.id, open.status]).toEqual([first.id, "published"]);
      expect((await result(who, "create_record", { ...args, publish: true })).revision_id).toBe(open.revision_id);
      const refusal = await refuse(who, "create_record", { ...args, metadata: METADATA });
      expect([refusal.status, refusal.errors?.[0]?.field, refusal.hint?.includes(`recid ${first.id}`)]).toEqual([
        409,
        "request_id",
        true,
      ]);
      expect((await result(who, "create_record", { ...args, request_id: "another" })).id).not.toBe(first.id);
    }
  });

  test("S3.7.408: of many calls at once one makes the record; what is refused takes no name", async () => {
    const args = { metadata: { ...METADATA, title: "Made at once" }, request_id: "at once" };
    const all = await Promise.all(Array.from({ length: 8 }, () => resultOf("registered", "create_record", args)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(all.filter(({ repeated }) => repeated !== true)).toHaveLength(1);
    const wrong = { metadata: METADATA, request_id: "refused", access: { record: "private" } };
    expect((await refused("registered", "create_record", wrong)).status).toBe(400);
    const { access: _, ...right } = wrong;
    expect("repeated" in (await resultOf("registered", "create_record", right))).toBe(false);
  });
});

describe("R30 tools and arguments beyond the specification's", () => {
  test("S3.7.409: search_records sorts, and counts what the hits have", async () => {
    const [article, dataset] = [
      await made({ title: "Counted tides one", languages: [{ id: "eng" }], subjects: [{ subject: "Tide gauge" }] }),
      await made({ title: "Counted tides two", resource_type: { id: "dataset" }, publication_date: "2020" }),
    ];
    const query = '"counted tides"';
    const orderOf = async (sort: string) =>
      (await resultOf(null, "search_records", { query, sort })).records.map(({ id }: { id: string }) => id);
    expect([await orderOf("oldest"), await orderOf("newest")]).toEqual([
      [article, dataset],
      [dataset, article],
    ]);
    const plain = await resultOf(null, "search_records", { query });
    expect("facets" in plain).toBe(false);
    const { facets } = await resultOf(null, "search_records", { query, facets: true });
    const counts = (name: string) =>
      facets[name].values.map(({ value, count }: { value: string; count: number }) => [value, count]);
    expect(counts("resource_type").sort()).toEqual([
      ["dataset", 1],
      ["publication", 1],
    ]);
    expect(counts("publication_date")).toEqual([
      ["2020", 1],
      ["2024", 1],
    ]);
    expect(counts("language")).toEqual([["eng", 1]]);
    expect(counts("subject")).toEqual([["Tide gauge", 1]]);
    // The field of each facet narrows the query to its value.
    for (const [name, value, id] of [
      ["resource_type", "dataset", dataset],
      ["publication_date", "2024", article],
      ["language", "eng", article],
      ["subject", '"Tide gauge"', article],
    ] as const) {
      expect([name, await idsOf({ query: `${query} AND ${facets[name].field}:${value}` })]).toEqual([name, [id]]);
    }
    expect((await refused(null, "search_records", { query, sort: "newst" })).errors?.[0]?.messages[0]).toEndWith(
      "Did you mean newest?",
    );
    const inside = await resultOf(null, "list_community_records", { community: "open", facets: true, sort: "oldest" });
    expect([inside.sort, "resource_type" in inside.facets]).toEqual(["oldest", true]);
  });

  test("S3.7.418: where few records have what is searched for, the nearest words to those that none has are named", async () => {
    await made({ title: "Quantum optics of thin films" });
    await made({ title: "Heathland fires" });
    const few = await resultOf(null, "search_records", { query: "quantun heathland" });
    const exactly = 'exactly the word as it is written: "quantun"';
    expect([few.total, few.try]).toEqual([2, ["the nearest words that records have: quantum heathland", exactly]]);
    expect((await resultOf(null, "search_records", { query: "quantum heathland" })).try).toBeUndefined();
    const none = await resultOf(null, "search_records", { query: "quantun" });
    expect([none.total, none.try]).toEqual([1, ["the nearest words that records have: quantum", exactly]]);
    const nothing = await resultOf(null, "search_records", { query: '"quantun"' });
    expect([nothing.total, nothing.try.length > 2]).toEqual([0, true]);
  });

  test("S3.7.410: record_statistics has views and downloads, of nothing that may not be read", async () => {
    const id = await made({ title: "Viewed" });
    const { stats } = await resultOf(null, "record_statistics", { recid: id });
    expect(stats.this_version).toEqual({
      ...{ views: 0, unique_views: 0, downloads: 0, unique_downloads: 0, data_volume: 0 },
    });
    expect(Object.keys(stats)).toEqual(["this_version", "all_versions"]);
    const closed = await made({}, { access: { record: "restricted" } });
    expect((await refused(null, "record_statistics", { recid: closed })).status).toBe(403);
    expect("stats" in (await resultOf("registered", "record_statistics", { recid: closed }))).toBe(true);
    const draft = await world.draft();
    expect((await refused("registered", "record_statistics", { recid: draft })).status).toBe(404);
  });

  test("S3.7.411: a published record is put into a community, by its curators or at once; drafts and others' records are not", async () => {
    const [one, two] = [await made({ title: "Included" }), await made({ title: "Included at once" })];
    const asked = await resultOf("registered", "add_to_community", {
      recid: one,
      community: "closed",
      comment: "Please",
    });
    expect([asked.request.status, asked.request.comments, "communities" in asked.record]).toEqual([
      ...["submitted", 1, false],
    ]);
    const again = await refused("registered", "add_to_community", { recid: one, community: "closed" });
    expect([again.status, again.errors?.[0]?.field]).toEqual([400, "community"]);
    await resultOf("curator", "request_action", { request_id: asked.request.id, action: "accept" });
    expect((await resultOf(null, "get_record", { recid: one })).communities).toEqual(["closed"]);
    const atOnce = await resultOf("registered", "add_to_community", { recid: two, community: "open" });
    expect([atOnce.request.status, atOnce.record.communities]).toEqual(["accepted", ["open"]]);
    const blank = { recid: two, community: "closed", comment: " \t\n" };
    const silent = await resultOf("registered", "add_to_community", blank);
    expect([silent.request.status, silent.request.comments]).toEqual(["submitted", 0]);
    const both = await resultOf("registered", "add_to_community", { recid: one, community: "open" });
    expect(both.record.communities.toSorted()).toEqual(["closed", "open"]);
    expect((await refused("registered", "add_to_community", { recid: one, community: "none" })).status).toBe(400);
    const draft = await world.draft();
    expect((await refused("registered", "add_to_community", { recid: draft, community: "open" })).status).toBe(404);
    expect((await refused("other", "add_to_community", { recid: two, community: "closed" })).status).toBe(403);
    await world.gated("add_to_community", "mcp:write", { recid: one, community: "open" });
  });

  test("S3.7.412: the submitter cancels it, with mcp:write alone, and nobody else by that tool", async () => {
    const { id, recid } = await world.waiting();
    const other = await world.waiting();
    const { token } = await world.token("registered", ["mcp:write"]);
    for (const who of ["curator", "system"] as const) {
      const refusal = await refused(who, "cancel_submission", { request_id: id });
      expect([who, refusal.status]).toEqual([who, 403]);
    }
    expect((await refused("stranger", "cancel_submission", { request_id: id })).status).toBe(404);
    const cancelled = await resultOf({ token }, "cancel_submission", { request_id: id, comment: "A mistake" });
    expect([cancelled.id, cancelled.status, cancelled.comments]).toEqual([id, "cancelled", 1]);
    expect((await resultOf("registered", "get_record", { recid, draft: true })).status).toBe("draft");
    expect((await refused({ token }, "cancel_submission", { request_id: id })).status).toBe(400);
    expect((await resultOf("registered", "get_request", { request_id: other.id })).status).toBe("submitted");
    await world.gated("cancel_submission", "mcp:write", { request_id: other.id });
  });

  test("S3.7.413: an empty vocabulary is reported as empty, one with entries is not", async () => {
    const empty = await resultOf(null, "list_vocabulary", { vocab_type: "affiliations", query: "harbour" });
    expect([empty.total, empty.note]).toEqual([0, expect.stringContaining("no entries")]);
    expect((await resultOf(null, "list_vocabulary_types")).note).toContain("affiliations");
    const none = await resultOf(null, "list_vocabulary", { vocab_type: "resourcetypes", query: "harbour" });
    expect([none.total, "note" in none]).toEqual([0, false]);
  });
});
