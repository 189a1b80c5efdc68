// The tools that find, read, make, change and publish records (R30; specification 3, "Tool servers"; reference 1.1,
// 1.2), over HTTP and as `arkstone mcp` has them.
import { describe, expect, test } from "bun:test";
import { setUpLocalTools } from "../support/local-tools.ts";
import { METADATA, recordCalls } from "../support/record-calls.ts";
import { gateOf, manyGuests, takenApart, toolCalls } from "../support/tool-calls.ts";
import type { PersonName } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });
const records = recordCalls(world);
const local = setUpLocalTools(world);
const http = toolCalls(manyGuests(world));

const { resultOf, refused } = takenApart(http);
const { resultOf: localResultOf, refused: refusedHere } = takenApart(local);

const draftOf = async (who: PersonName, metadata: object = METADATA): Promise<string> =>
  (await resultOf(who, "create_record", { metadata })).id;
const publishedBy = async (who: PersonName, title = "On tides"): Promise<string> =>
  (await resultOf(who, "create_record", { metadata: { ...METADATA, title }, publish: true })).id;
const removed = async (id: string): Promise<void> => {
  const { done, error } = await resultOf("system", "delete_record", { recid: id, confirm: true, reason_id: "spam" });
  expect([done, error]).toEqual([true, undefined]);
};
/** A draft of `other` that is shared with `registered`. */
async function shared(): Promise<string> {
  const id = await draftOf("other");
  const grants = [{ subject: { type: "user", id: String(world.people.registered.account.id) }, permission: "edit" }];
  const { status } = await records.call("other", "POST", `/${id}/access/grants`, { grants });
  expect(status).toBe(201);
  return id;
}
/** A record of `other` in the community that `curator` curates. */
async function inCommunity(): Promise<string> {
  const id = await draftOf("other");
  const sent = await resultOf("other", "submit_to_community", { recid: id, community: COMMUNITY });
  if (sent.record.status === "in_review") {
    await resultOf("curator", "request_action", { request_id: sent.request.id, action: "accept" });
  }
  return id;
}
const idsOf = ({ records: shown }: { records: { id: string }[] }): string[] => shown.map(({ id }) => id);

describe("R30 the gate before the tools of records", () => {
  const WRITING = ["create_record", "update_record", "publish_record", "delete_draft"];

  test("T.create_record.4 T.update_record.4 T.publish_record.4 T.delete_draft.4 T.my_records.2: no token is 401, a narrower one 403, each with the scope", async () => {
    const { token } = await world.token("registered", ["mcp:read"]);
    const other = await world.token("registered", ["item:create", "item:update"]);
    for (const name of WRITING) {
      const args = { recid: "1", metadata: {} };
      expect([name, await gateOf(http, null, name, args)]).toEqual([name, [401, "", "mcp:write"]]);
      const expected = [name, [403, "insufficient_scope", "mcp:write"]];
      expect([name, await gateOf(http, { token }, name, args)]).toEqual(expected);
      expect((await refusedHere(null, name, args)).status).toBe(401);
      expect(await refusedHere({ token }, name, args)).toMatchObject({
        status: 403,
        message: "The token lacks mcp:write.",
      });
    }
    expect(await gateOf(http, null, "my_records", {})).toEqual([401, "", "mcp:read"]);
    const expected = [403, "insufficient_scope", "mcp:read"];
    expect(await gateOf(http, { token: other.token }, "my_records", {})).toEqual(expected);
    expect(await gateOf(http, { token }, "my_records", {})).toEqual([200, "", ""]);
  });

  test("T.get_record.4: a draft is shown to nobody without a token", async () => {
    const id = await draftOf("registered");
    const args = { recid: id, draft: true };
    expect(await gateOf(http, null, "get_record", args)).toEqual([401, "", "mcp:read"]);
    expect((await refusedHere(null, "get_record", args)).status).toBe(401);
    const { token } = await world.token("registered", ["item:read"]);
    expect(await gateOf(http, { token }, "get_record", args)).toEqual([403, "insufficient_scope", "mcp:read"]);
    expect((await refused(null, "get_record", { recid: id })).status).toBe(404);
  });
});

describe("R30 search_records and my_records", () => {
  test("T.search_records.1 T.search_records.2: guests find what is published, users who sign in their drafts too, each with its status", async () => {
    const [open, draft, foreign] = [
      await publishedBy("registered", "Seiches"),
      await draftOf("registered", { ...METADATA, title: "Seiches drafted" }),
      await draftOf("other", { ...METADATA, title: "Seiches of others" }),
    ];
    expect(idsOf(await resultOf(null, "search_records", { query: "seiches" }))).toEqual([open]);
    const own = await resultOf("registered", "search_records", { query: "seiches" });
    expect(own.records.map(({ id, status }: { id: string; status: string }) => [id, status]).sort()).toEqual(
      [
        [open, "published"],
        [draft, "draft"],
      ].sort(),
    );
    expect(own).toMatchObject({ total: 2, page: 1, size: 10, query_mode: "lucene", sort: "bestmatch" });
    expect(own.effective_query).toBe("seiches");
    expect(idsOf(await localResultOf("registered", "search_records", { query: "seiches" })).sort()).toEqual(
      [open, draft].sort(),
    );
    expect(idsOf(await localResultOf(null, "search_records", { query: "seiches" }))).toEqual([open]);
    expect(idsOf(await resultOf("system", "search_records", { query: "seiches", size: 100 }))).not.toContain(undefined);
    expect(idsOf(await resultOf("other", "search_records", { query: "seiches" })).sort()).toEqual(
      [open, foreign].sort(),
    );
  });

  test("T.search_records.3: an empty query lists the newest first; what is not an expression is taken as words; pages name the next one", async () => {
    const last = await publishedBy("registered", "Newest of all");
    const newest = await resultOf(null, "search_records", { query: "", size: 1 });
    expect([idsOf(newest), newest.sort, newest.next_page]).toEqual([[last], "newest", 2]);
    expect(await resultOf(null, "search_records")).toMatchObject({ page: 1, size: 10 });
    const why = await resultOf(null, "search_records", { query: "what is the newest" });
    expect([why.records[0].why, why.try]).toEqual(["title: newest", undefined]);
    expect(why.understood_as).toStartWith('Records with any of "what", "is", "the", "newest"');
    const none = await resultOf(null, "search_records", { query: "nonesuch" });
    expect([none.total, none.understood_as, none.try.length > 0]).toEqual([
      ...[0, "Records that match nonesuch, best matches first.", true],
    ]);
    const broken = await resultOf(null, "search_records", { query: 'newest AND (all "' });
    expect(broken.query_mode).toBe("words");
    const second = await resultOf(null, "search_records", { size: 1, page: 2 });
    expect([second.page, idsOf(second).includes(last)]).toEqual([2, false]);
  });

  test("T.search_records.4 T.my_records.3: sizes from 1 to 100, pages up to the window", async () => {
    for (const name of ["search_records", "my_records"]) {
      for (const size of [0, 101, -1]) {
        const { status, errors } = await refused("registered", name, { size });
        expect([status, errors?.[0]?.field, errors?.[0]?.messages[0]]).toEqual([
          400,
          "size",
          size > 100 ? "101 is too large: at most 100." : `${size} is too small: at least 1.`,
        ]);
      }
      expect((await refused("registered", name, { size: 1.5 })).errors?.[0]?.messages[0]).toContain(
        "is not of type integer",
      );
      expect((await resultOf("registered", name, { size: 100, page: 100 })).size).toBe(100);
      const beyond = await refused("registered", name, { size: 100, page: 101 });
      const expected = [400, "Invalid querystring parameters.", "page times size reaches to 10000: narrow the query"];
      expect([beyond.status, beyond.message, beyond.hint]).toEqual(expected);
      expect((await refused("registered", name, { query: "a".repeat(10_001) })).status).toBe(400);
    }
  });

  test("T.search_records.5: a result has the one short shape, and the fields that are asked for", async () => {
    const id = await publishedBy("registered", "Shape of tides");
    const [whole] = (await resultOf(null, "search_records", { query: '"shape of tides"' })).records;
    const version = { index: 1, is_latest: true };
    const text = { title: "Shape of tides", creators: ["Doe, Ann"], publication_date: "2024-05-01" };
    expect(whole).toMatchObject({ id, recid: id, resource_type: "publication-article", ...text });
    expect(whole).toMatchObject({ status: "published", is_published: true, is_draft: false, revision_id: 1, version });
    const access = { record: "public", files: "public", status: "metadata-only" };
    expect(whole).toMatchObject({ access, files: { enabled: false, count: 0, total_bytes: 0 } });
    expect(whole).toMatchObject({ links: { self_html: `https://repo.example.org/records/${id}` } });
    expect(Object.keys(whole.pids).sort()).toEqual(["ark", "oai"]);
    const names = ["Ames, A", "Bell, B", "Cole, C", "Dunn, D", "Eden, E", "Ford, F"];
    const creators = names.map((name) => {
      const [family, given] = name.split(", ");
      return { person_or_org: { type: "personal", family_name: family, given_name: given } };
    });
    const many = await resultOf("registered", "create_record", { metadata: { ...METADATA, creators } });
    expect(many.creators).toEqual(names.slice(0, 5));
    expect("metadata" in whole || "communities" in whole).toBe(false);
    const [chosen] = (
      await resultOf(null, "search_records", { query: '"shape of tides"', fields: ["metadata.title", "pids.ark"] })
    ).records;
    const expected = { id, status: "published", metadata: { title: "Shape of tides" }, pids: { ark: whole.pids.ark } };
    expect(chosen).toEqual(expected);
  });

  test("T.my_records.1 T.my_records.4: own records and drafts, one entry each, newest change first, nobody else's", async () => {
    const [one, two] = [
      await publishedBy("approver", "Mine one"),
      await draftOf("approver", { ...METADATA, title: "Mine two" }),
    ];
    world.time.now = new Date(Date.parse(world.time.now) + 60_000).toISOString();
    await resultOf("approver", "update_record", { recid: one, metadata: { title: "Mine one changed" } });
    const mine = await resultOf("approver", "my_records");
    expect(mine.records.map(({ id, title, is_draft }: Record<string, unknown>) => [id, title, is_draft])).toEqual([
      [one, "Mine one changed", false],
      [two, "Mine two", true],
    ]);
    expect([mine.total, mine.sort]).toEqual([2, "updated-desc"]);
    expect(idsOf(await resultOf("approver", "my_records", { query: "changed" }))).toEqual([one]);
    expect((await resultOf("general", "my_records")).total).toBe(0);
    expect(idsOf(await resultOf("system", "my_records", { size: 100 }))).not.toContain(one);
  });
});

describe("R30 get_record", () => {
  test("T.get_record.1 T.get_record.2: a record with all its metadata, by whatever name of it is pasted, over both servers", async () => {
    const metadata = {
      ...METADATA,
      title: "Named in many ways",
      description: "<p>Of <b>high</b> water</p>",
      identifiers: [{ identifier: "10.1234/tides.7", scheme: "doi" }],
    };
    const { id, pids, parent } = await resultOf("registered", "create_record", { metadata, publish: true }).then(
      async ({ id: made }) => resultOf(null, "get_record", { recid: made }),
    );
    const ark: string = pids.ark;
    const doi = "10.1234/tides.7";
    const page = `https://repo.example.org/records/${id}`;
    const arks = [ark, ark.replace("ark:", "ark:/"), `https://ark.example.org/${ark}`, `https://n2t.net/${ark}`];
    const dois = [doi, `doi:${doi}`, `https://doi.org/${doi}`];
    const pages = [page, `${page}/export/json`, `https://repo.example.org/api/records/${id}`];
    const names = [id, ` ${id} `, parent.id, ...arks, ...dois, ...pages];
    for (const name of names) {
      const found = await resultOf(null, "get_record", { recid: name });
      expect([name, found.id, found.resolved_from]).toEqual([name, id, name === id ? undefined : name]);
    }
    const here = await localResultOf(null, "get_record", { recid: ark });
    const expected = { id, metadata: { title: "Named in many ways", description: "<p>Of <b>high</b> water</p>" } };
    expect(here).toMatchObject(expected);
    expect(here.parent.access.owned_by).toEqual({ user: String(world.people.registered.account.id) });
    expect(typeof here.untrusted).toBe("string");
    expect("errors" in here).toBe(false);
  });

  test("T.get_record.3: what names nothing is 404 and explains how a record is found", async () => {
    for (const recid of [
      "999999",
      "99999/none",
      "ark:99999/zzzz",
      "10.1234/none",
      "../../etc/passwd",
      "https://other.example/records/1",
      "9999999999999999",
      "1'; drop table item",
      "\u0000",
    ]) {
      const { status, code, message, hint } = await refused(null, "get_record", { recid });
      const expected = [recid, 404, "not_found", "The persistent identifier does not exist.", true];
      expect([recid, status, code, message, hint?.includes("search_records")]).toEqual(expected);
    }
    expect((await refused(null, "get_record", { recid: "" })).errors).toEqual([
      { field: "recid", messages: ["Shorter than minimum length 1."] },
    ]);
    expect((await refused(null, "get_record", { recid: "1".repeat(2_001) })).errors?.[0]?.field).toBe("recid");
    for (const recid of [0, -1, 1.5, true]) {
      expect([recid, (await refused(null, "get_record", { recid })).errors?.[0]?.field]).toEqual([recid, "recid"]);
    }
  });

  test("T.get_record.5: drafts of others do not exist, restricted records are 403, those it is shared with, its curators and administrators read it", async () => {
    const draft = await shared();
    for (const who of ["stranger", "general", "curator"] as const) {
      const refusal = await refused(who, "get_record", { recid: draft, draft: true });
      expect([who, refusal.status, refusal.message]).toEqual([who, 404, "The persistent identifier does not exist."]);
    }
    for (const who of ["other", "registered", "admin", "system"] as const) {
      expect([who, (await resultOf(who, "get_record", { recid: draft, draft: true })).status]).toEqual([who, "draft"]);
    }
    const made = await localResultOf("other", "create_record", {
      metadata: METADATA,
      access: { record: "restricted", files: "restricted" },
      publish: true,
    });
    for (const who of [null, "stranger"] as const) {
      const refusal = await refused(who, "get_record", { recid: made.id });
      expect([refusal.status, refusal.message]).toEqual([403, "Permission denied."]);
    }
    expect((await resultOf("system", "get_record", { recid: made.id })).access.record).toBe("restricted");
    // A DOI names what the viewer may read, and tells nobody of the rest.
    const withDoi = (identifier: string) => ({ ...METADATA, identifiers: [{ identifier, scheme: "doi" }] });
    const closed = await localResultOf("other", "create_record", {
      metadata: withDoi("10.1234/closed"),
      access: { record: "restricted", files: "restricted" },
      publish: true,
    });
    for (const who of [null, "stranger"] as const) {
      expect((await refused(who, "get_record", { recid: "10.1234/closed" })).status).toBe(404);
    }
    for (const who of ["other", "system"] as const) {
      expect((await resultOf(who, "get_record", { recid: "10.1234/closed" })).id).toBe(closed.id);
    }
    await draftOf("other", withDoi("10.1234/twice"));
    const open = await resultOf("registered", "create_record", { metadata: withDoi("10.1234/twice"), publish: true });
    for (const who of [null, "stranger", "registered"] as const) {
      expect((await resultOf(who, "get_record", { recid: "doi:10.1234/twice" })).id).toBe(open.id);
    }
    const inside = await inCommunity();
    expect(
      (await resultOf("curator", "update_record", { recid: inside, metadata: { publisher: "P" }, publish: false })).now,
    ).toBe("published");
    expect((await resultOf("curator", "get_record", { recid: inside, draft: true })).is_draft).toBe(true);
    expect((await resultOf(null, "get_record", { recid: inside })).communities).toEqual(["c1"]);
  });

  test("T.get_record.6: a draft lists what it lacks, what is published has none, what was removed is 410 with its tombstone", async () => {
    const draft = await draftOf("registered", { title: "Bare" });
    const shown = await resultOf("registered", "get_record", { recid: draft, draft: true });
    expect(shown.errors.map(({ field }: { field: string }) => field)).toContain("metadata.publication_date");
    const unregistered = await refused("registered", "get_record", { recid: draft });
    expect([unregistered.status, unregistered.message]).toEqual([404, "The persistent identifier is not registered."]);
    expect(unregistered.hint).toContain("draft=true");
    const open = await publishedBy("registered");
    const none = await refused("registered", "get_record", { recid: open, draft: true });
    expect([none.status, none.message]).toEqual([404, "Not found."]);
    await removed(open);
    for (const isDraft of [false, true]) {
      const gone = await refused("registered", "get_record", { recid: open, draft: isDraft });
      expect([gone.status, gone.code, gone.message]).toEqual([410, "deleted", "Record deleted"]);
      expect(gone.tombstone).toMatchObject({ removal_reason: { id: "spam" }, note: "removed via MCP" });
    }
    expect((await refusedHere(null, "get_record", { recid: open })).status).toBe(410);
  });

  test("T.get_record.7: a long text is left out and named, full shows it; only the fields that are asked for come", async () => {
    const description = "tide ".repeat(7_000);
    const { id } = await resultOf("registered", "create_record", {
      metadata: { ...METADATA, description },
      publish: true,
    });
    const { metadata, truncated } = await resultOf(null, "get_record", { recid: id });
    expect(["description" in metadata, truncated]).toEqual([false, ["metadata.description"]]);
    const full = await resultOf(null, "get_record", { recid: id, full: true });
    expect([full.metadata.description, "truncated" in full]).toEqual([description.trim(), false]);
    const chosen = await resultOf(null, "get_record", { recid: id, fields: ["title", "metadata.creators"] });
    expect(Object.keys(chosen).sort()).toEqual(["id", "metadata", "status", "title", "untrusted"]);
  });
});

describe("R30 export_record", () => {
  const FORMATS = `json inveniordm jsonld datacite-json datacite-xml dublincore marcxml dcat csl bibtex citation
    geojson`.split(/\s+/);

  test("T.export_record.1 T.export_record.2: all twelve formats, datacite-json where none is named, by any name of the record", async () => {
    const id = await publishedBy("registered", "Exported tides");
    for (const fmt of FORMATS) {
      const exported = await resultOf(null, "export_record", { recid: id, fmt });
      const { recid, format, content, size, truncated, content_type: type } = exported;
      expect([recid, format, size, truncated]).toEqual([id, fmt, Buffer.byteLength(content), false]);
      expect([fmt, type.includes("/"), content.length > 0]).toEqual([fmt, true, true]);
    }
    const { pids, parent } = await resultOf(null, "get_record", { recid: id });
    const usual = await resultOf(null, "export_record", { recid: pids.ark, fmt: "" });
    expect([usual.format, JSON.parse(usual.content).titles[0].title]).toEqual(["datacite-json", "Exported tides"]);
    expect((await resultOf(null, "export_record", { recid: parent.id })).recid).toBe(id);
    expect(JSON.parse((await resultOf(null, "export_record", { recid: id, fmt: "geojson" })).content)).toMatchObject({
      type: "FeatureCollection",
      features: [],
    });
  });

  test("T.export_record.3: another format is refused with the twelve there are", async () => {
    const { status, errors } = await refused(null, "export_record", { recid: "1", fmt: "bibtx" });
    expect([status, errors]).toEqual([
      400,
      [{ field: "fmt", messages: [`"bibtx" is none of ${FORMATS.join(", ")}. Did you mean bibtex?`] }],
    ]);
  });

  test("T.export_record.4 T.export_record.5: drafts are not exported, restricted records 403, removed ones 410", async () => {
    const draft = await draftOf("registered");
    const refusal = await refused("registered", "export_record", { recid: draft });
    expect([refusal.status, refusal.hint?.includes("publish_record")]).toEqual([404, true]);
    expect((await refused(null, "export_record", { recid: draft })).status).toBe(404);
    const access = { record: "restricted", files: "restricted" };
    const args = { metadata: METADATA, access, publish: true };
    const closed = (await localResultOf("registered", "create_record", args)).id;
    expect((await refused(null, "export_record", { recid: closed })).status).toBe(403);
    expect((await resultOf("registered", "export_record", { recid: closed })).recid).toBe(closed);
    const gone = await publishedBy("registered");
    await removed(gone);
    expect((await refused(null, "export_record", { recid: gone })).status).toBe(410);
  });

  test("T.export_record.6: what is longer than a megabyte is refused, with where it is read", async () => {
    const references = Array.from({ length: 1_000 }, (_, index) => ({ reference: `${index} ${"tide ".repeat(300)}` }));
    const { id } = await resultOf("registered", "create_record", {
      metadata: { ...METADATA, references },
      publish: true,
    });
    const refusal = await refused(null, "export_record", { recid: id, fmt: "json" });
    expect([refusal.status, refusal.code, refusal.hint]).toEqual([
      413,
      "too_large",
      `it can be read at https://repo.example.org/records/${id}/export/json`,
    ]);
    expect((await world.ask(null, "GET", `/records/${id}/export/json`)).status).toBe(200);
  });
});

describe("R30 create_record", () => {
  test("T.create_record.1: a draft without files, or with publish a record that has its ARK; files are enabled where that is asked for", async () => {
    const draft = await resultOf("registered", "create_record", { metadata: METADATA });
    const state = { status: "draft", is_draft: true, is_published: false };
    expect(draft).toMatchObject({ ...state, files: { enabled: false }, version: { index: 1 } });
    expect([draft.id, "errors" in draft]).toEqual([draft.recid, false]);
    const carrying = await resultOf("registered", "create_record", { metadata: METADATA, files: true });
    expect(carrying.files).toEqual({ enabled: true, count: 0, total_bytes: 0 });
    const open = await resultOf("registered", "create_record", { metadata: METADATA, publish: true });
    expect([open.status, open.revision_id, open.pids.ark.startsWith("ark:99999/")]).toEqual(["published", 1, true]);
  });

  test("T.create_record.2: the local server takes access and files_enabled, and not what is the other's", async () => {
    const access = { record: "public", files: "restricted" };
    const made = await localResultOf("registered", "create_record", {
      metadata: METADATA,
      access,
      files_enabled: true,
    });
    expect([made.recid, made.access.files, made.files.enabled]).toEqual([made.id, "restricted", true]);
    const plain = await localResultOf("registered", "create_record", { metadata: METADATA, access: null });
    expect([plain.status, plain.access.record, plain.files.enabled]).toEqual(["draft", "public", false]);
    expect((await localResultOf("registered", "create_record", { metadata: METADATA, publish: true })).status).toBe(
      "published",
    );
    expect(
      (await refusedHere("registered", "create_record", { metadata: METADATA, files: true })).errors?.[0]?.messages[0],
    ).toContain("files_enabled");
    const open = await resultOf("registered", "create_record", { metadata: METADATA, access: {} });
    expect([open.access.record, open.access.files]).toEqual(["public", "public"]);
    const wrong = await refusedHere("registered", "create_record", {
      metadata: METADATA,
      access: { record: "secret" },
    });
    expect(wrong.errors).toEqual([
      { field: "access.record", messages: ["'record' must be either 'public' or 'restricted'"] },
    ]);
  });

  test("T.create_record.3: a draft may be invalid, and each field that is wrong or missing is named", async () => {
    const wrong = { title: "ab", publication_date: "2026-13-01", nonsense: 1 };
    const { errors, id } = await resultOf("registered", "create_record", {
      metadata: { ...wrong, creators: [{ person_or_org: { type: "person" } }] },
    });
    const fields = Object.fromEntries(
      errors.map(({ field, messages }: { field: string; messages: string[] }) => [field, messages[0]]),
    );
    expect(fields).toMatchObject({
      "metadata.title": "Shorter than minimum length 3.",
      "metadata.publication_date": "Please provide a valid date or interval.",
      "metadata.creators.0.person_or_org.type": "Invalid value. Choose one of ['organizational', 'personal'].",
      "metadata.resource_type": "Missing data for required field.",
      "metadata.nonsense": "Unknown field.",
    });
    expect((await resultOf("registered", "get_record", { recid: id, draft: true })).status).toBe("draft");
    expect((await resultOf("registered", "create_record", { metadata: {} })).status).toBe("draft");
    expect((await refused("registered", "create_record", {})).errors).toEqual([
      { field: "metadata", messages: ["Missing data for required field."] },
    ]);
    expect((await refused("registered", "create_record", { metadata: "{}" })).errors?.[0]?.messages[0]).toContain(
      "is not of type object",
    );
    expect(
      (await refused("registered", "create_record", { metadata: METADATA, publish: "yes" })).errors?.[0]?.field,
    ).toBe("publish");
  });

  test("T.create_record.5: every account may draft", async () => {
    expect((await resultOf("general", "create_record", { metadata: METADATA })).status).toBe("draft");
  });

  test("T.create_record.6: publishing what lacks something, or of which something was left out, keeps the draft, names it and every field", async () => {
    for (const [server, refuse] of [
      ["http", refused],
      ["stdio", refusedHere],
    ] as const) {
      const lacking = await refuse("registered", "create_record", {
        metadata: { ...METADATA, publication_date: undefined },
        publish: true,
      });
      expect([server, lacking.status, lacking.message]).toEqual([server, 400, "A validation error occurred."]);
      expect(lacking.errors).toEqual([
        { field: "metadata.publication_date", messages: ["Missing data for required field."] },
      ]);
      expect(lacking.hint).toContain(`update_record (recid ${lacking.recid})`);
      expect((await resultOf("registered", "get_record", { recid: lacking.recid, draft: true })).title).toBe(
        "On tides",
      );
      // What is sent and cannot be kept is not silently published without.
      const left = await refuse("registered", "create_record", {
        metadata: { ...METADATA, languages: [{ id: "qqq" }] },
        publish: true,
      });
      expect(left.errors?.[0]?.field).toContain("metadata.languages.0");
      expect((await resultOf("registered", "get_record", { recid: left.recid, draft: true })).is_published).toBe(false);
    }
    const empty = await refused("registered", "create_record", { metadata: METADATA, files: true, publish: true });
    const message = "Missing uploaded files. To disable files for this record please mark it as metadata-only.";
    expect(empty.errors).toEqual([{ field: "files.enabled", messages: [message] }]);
    expect(empty.hint).toContain("list_files");
  });
});

describe("R30 update_record", () => {
  test("T.update_record.1: over HTTP members are merged, null takes one away, and the values before and after are returned", async () => {
    const id = await publishedBy("registered");
    const changed = await resultOf("registered", "update_record", {
      recid: id,
      metadata: { title: "On higher tides", publisher: "A press" },
    });
    const expected = { was: "published", now: "published", title: "On higher tides", revision_id: 2, is_draft: false };
    expect(changed).toMatchObject(expected);
    await resultOf("registered", "update_record", { recid: id, metadata: { publisher: null, title: undefined } });
    const { metadata, revision_id: revision } = await resultOf(null, "get_record", { recid: id });
    expect([metadata.title, "publisher" in metadata, revision]).toEqual(["On higher tides", false, 3]);
    const again = await resultOf("registered", "update_record", { recid: id, metadata: {} });
    expect(again.revision_id).toBe(3);
  });

  test("T.update_record.2: the local server replaces them whole", async () => {
    const id = await publishedBy("registered");
    await localResultOf("registered", "update_record", { recid: id, metadata: { ...METADATA, publisher: "A press" } });
    const replaced = await localResultOf("registered", "update_record", {
      recid: id,
      metadata: { ...METADATA, title: "Only this" },
    });
    expect([replaced.was, replaced.now]).toEqual(["published", "published"]);
    const { metadata } = await resultOf(null, "get_record", { recid: id });
    expect([metadata.title, "publisher" in metadata]).toEqual(["Only this", false]);
    const refusal = await refusedHere("registered", "update_record", { recid: id, metadata: { title: "A patch" } });
    const expected = ["metadata.creators", "metadata.publication_date", "metadata.resource_type"];
    expect(refusal.errors?.map(({ field }) => field).sort()).toEqual(expected);
    expect((await resultOf(null, "get_record", { recid: id })).title).toBe("Only this");
  });

  test("T.update_record.3: publish=false leaves a draft; a draft that was never published is published by it", async () => {
    const id = await publishedBy("registered");
    const kept = await resultOf("registered", "update_record", {
      recid: id,
      metadata: { title: "Not yet" },
      publish: false,
    });
    expect([kept.is_draft, kept.is_published, kept.title]).toEqual([true, true, "Not yet"]);
    expect((await resultOf(null, "get_record", { recid: id })).title).toBe("On tides");
    const draft = await draftOf("registered", { title: "Bare" });
    const partly = await resultOf("registered", "update_record", {
      recid: draft,
      metadata: { publication_date: "2026" },
      publish: false,
    });
    expect([partly.was, partly.now, partly.errors.length > 0]).toEqual(["draft", "draft", true]);
    const first = await resultOf("registered", "update_record", { recid: draft, metadata: METADATA });
    expect([first.was, first.now]).toEqual(["draft", "published"]);
    expect(
      (await resultOf("registered", "update_record", { recid: first.pids.ark, metadata: { title: "By its ARK" } })).id,
    ).toBe(draft);
  });

  test("T.update_record.5: drafts of others are 404, records that are read 403; curators, administrators and who shares it change it", async () => {
    const [open, draft] = [await publishedBy("other"), await draftOf("other")];
    for (const who of ["stranger", "general"] as const) {
      const [one, two] = [
        await refused(who, "update_record", { recid: open, metadata: {} }),
        await refused(who, "update_record", { recid: draft, metadata: {} }),
      ];
      expect({ one, two }).toMatchObject({
        one: { status: 403, message: "Permission denied." },
        two: { status: 404, message: "The persistent identifier does not exist." },
      });
      expect((await refusedHere(who, "update_record", { recid: open, metadata: {} })).status).toBe(403);
    }
    expect(
      (await resultOf("admin", "update_record", { recid: open, metadata: { title: "By an administrator" } })).title,
    ).toBe("By an administrator");
    expect(
      (await resultOf("curator", "update_record", { recid: await inCommunity(), metadata: { title: "By a curator" } }))
        .title,
    ).toBe("By a curator");
    expect(
      (await resultOf("registered", "update_record", { recid: await shared(), metadata: { title: "Shared" } })).title,
    ).toBe("Shared");
  });

  test("T.update_record.6: what was removed is 410, what names nothing 404, and what fails to be published stays a draft", async () => {
    const id = await publishedBy("registered");
    const refusal = await refused("registered", "update_record", { recid: id, metadata: { publication_date: null } });
    expect([refusal.status, refusal.errors, refusal.recid]).toEqual([
      400,
      [{ field: "metadata.publication_date", messages: ["Missing data for required field."] }],
      id,
    ]);
    expect((await resultOf(null, "get_record", { recid: id })).publication_date).toBe("2024-05-01");
    const wrong = await refused("registered", "update_record", {
      recid: id,
      metadata: { publication_date: "2026", rights: [{ id: "no-such" }] },
    });
    expect(wrong.errors?.[0]?.field).toContain("metadata.rights.0");
    await resultOf("registered", "publish_record", { recid: id });
    await removed(id);
    expect((await refused("registered", "update_record", { recid: id, metadata: {} })).status).toBe(410);
    expect((await refused("registered", "update_record", { recid: "987654", metadata: {} })).status).toBe(404);
    expect((await refused("registered", "update_record", { recid: id })).errors?.[0]?.field).toBe("metadata");
  });
});

describe("R30 publish_record and delete_draft", () => {
  test("T.publish_record.1 T.publish_record.2: a draft is published once; a second call reports that it is", async () => {
    const [one, two] = [await draftOf("registered"), await draftOf("registered")];
    const first = await resultOf("registered", "publish_record", { recid: one });
    expect([first.status, first.is_draft, first.revision_id]).toEqual(["published", false, 1]);
    const second = await resultOf("registered", "publish_record", { recid: first.pids.ark });
    const expected = [one, 1, "It was published already, and has no draft"];
    expect([second.id, second.revision_id, second.note]).toEqual(expected);
    expect((await localResultOf("registered", "publish_record", { recid: two })).status).toBe("published");
    expect((await localResultOf("registered", "publish_record", { recid: two })).note).toBeDefined();
    await resultOf("registered", "update_record", { recid: one, metadata: { title: "Changed" }, publish: false });
    expect((await resultOf("registered", "publish_record", { recid: one })).title).toBe("Changed");
  });

  test("T.publish_record.3: everything that a draft lacks is reported, and nothing is published", async () => {
    const id = await draftOf("registered", { title: "Bare" });
    const refusal = await refused("registered", "publish_record", { recid: id });
    expect([refusal.status, refusal.recid]).toEqual([400, id]);
    expect(refusal.errors?.map(({ field, messages }) => `${field}: ${messages[0]}`).sort()).toEqual([
      "metadata.creators: Missing data for required field.",
      "metadata.publication_date: Missing data for required field.",
      "metadata.resource_type: Missing data for required field.",
    ]);
    expect((await refused(null, "get_record", { recid: id })).status).toBe(404);
    const waiting = (await resultOf("registered", "create_record", { metadata: METADATA, files: true })).id;
    await resultOf("registered", "start_multipart_upload", { recid: waiting, filename: "a.bin", size: 10 });
    const pending = await refused("registered", "publish_record", { recid: waiting });
    expect(pending.errors).toEqual([
      { field: "files", messages: ["One or more files have not completed their transfer, please wait."] },
    ]);
  });

  test("T.publish_record.5 T.delete_draft.5: others' drafts do not exist, others' records are not theirs to publish", async () => {
    const [open, draft] = [await publishedBy("other"), await draftOf("other")];
    for (const name of ["publish_record", "delete_draft"]) {
      expect([name, (await refused("stranger", name, { recid: draft })).status]).toEqual([name, 404]);
      expect([name, (await refusedHere("stranger", name, { recid: draft })).status]).toEqual([name, 404]);
      const expected = [name, undefined];
      expect([name, (await http.call("registered", name, { recid: await shared() })).isError]).toEqual(expected);
    }
    expect((await refused("stranger", "publish_record", { recid: open })).status).toBe(403);
    expect((await refused("stranger", "delete_draft", { recid: open })).status).toBe(403);
    expect((await resultOf("admin", "publish_record", { recid: draft })).status).toBe("published");
    const edited = await inCommunity();
    await resultOf("other", "update_record", { recid: edited, metadata: { title: "Edited" }, publish: false });
    // What somebody works on is theirs until they end (R19).
    expect(await refused("curator", "publish_record", { recid: edited })).toMatchObject({ status: 409, code: "busy" });
  });

  test("T.publish_record.6 T.delete_draft.6: in review, removed, or not there", async () => {
    const made = await resultOf("manager", "create_community", { slug: "reviewed", title: "Reviewed" });
    const draft = await draftOf("other");
    const sent = await resultOf("other", "submit_to_community", { recid: draft, community: made.slug });
    expect(sent.record.status).toBe("in_review");
    const published = await refused("other", "publish_record", { recid: draft });
    expect([published.status, published.message]).toEqual([
      400,
      "You cannot publish a draft with an open review request. Please cancel the review request first.",
    ]);
    expect(published.hint).toContain("list_requests");
    const discarded = await refused("other", "delete_draft", { recid: draft });
    const expected = [400, "You cannot delete a draft with an open review. Please cancel the review first."];
    expect([discarded.status, discarded.message]).toEqual(expected);
    expect(discarded.hint).toContain("list_requests");
    const gone = await publishedBy("other");
    await removed(gone);
    for (const name of ["publish_record", "delete_draft"]) {
      expect([name, (await refused("other", name, { recid: gone })).status]).toEqual([name, 410]);
      expect([name, (await refused("other", name, { recid: "987654" })).status]).toEqual([name, 404]);
      expect([name, (await refused("other", name, {})).errors?.[0]?.field]).toEqual([name, "recid"]);
    }
    const open = await publishedBy("other");
    expect((await refused("other", "delete_draft", { recid: open })).status).toBe(404);
  });

  test("T.delete_draft.1 T.delete_draft.2: a draft goes, what is published stays, and so do the versions before a version to come", async () => {
    const draft = await draftOf("registered");
    const expected = { deleted_draft: draft, record_still_published: false };
    expect(await resultOf("registered", "delete_draft", { recid: draft })).toMatchObject(expected);
    expect((await refused("registered", "get_record", { recid: draft, draft: true })).status).toBe(404);
    const open = await publishedBy("registered");
    await resultOf("registered", "update_record", { recid: open, metadata: { title: "Dropped" }, publish: false });
    expect(await localResultOf("registered", "delete_draft", { recid: open })).toMatchObject({
      deleted_draft: open,
      record_still_published: true,
    });
    expect((await resultOf(null, "get_record", { recid: open })).title).toBe("On tides");
    const next = (await resultOf("registered", "new_version", { recid: open })).id;
    expect(await resultOf("registered", "delete_draft", { recid: next })).toMatchObject({
      deleted_draft: next,
      record_still_published: true,
    });
  });
});
