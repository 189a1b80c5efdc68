// Stories about records (R30; S3.7.201 to S3.7.214): described, published, found, changed, removed.
import { expect } from "bun:test";
import { METADATA } from "../../../support/record-calls.ts";
import { type Kept, calls, memberAt, refused, type Story } from "../../../support/tool-stories.ts";

export const TIDES = { ...METADATA, title: "Tides of the northern bays" };
const titled = (title: string) => ({ ...METADATA, title });
export const idIn = (kept: Kept, name: string): number => Number(memberAt(kept, `${name}.id`));

export const RECORD_STORIES: readonly Story[] = [
  {
    name: "S3.7.201: a deposit with two files is published, and guests read it",
    over: "both",
    steps: [
      calls("registered", "create_record", { metadata: TIDES, files: true }, { status: "draft" }, "draft"),
      calls("registered", "upload_file", { recid: "$draft.id", filename: "tides.csv", content_text: "day,metres\n1,2.4\n" }, { status: "completed", size: 17 }),
      calls("registered", "upload_file", { recid: "$draft.id", filename: "photo.bin", content_base64: "AAEC/w==" }, { size: 4 }),
      calls("registered", "list_files", { recid: "$draft.id", draft: true }, { enabled: true, total: 2 }),
      calls("registered", "publish_record", { recid: "$draft.id" }, { status: "published", files: { count: 2, total_bytes: 21 } }, "record"),
      calls(null, "get_record", { recid: "$draft.id" }, { title: TIDES.title, pids: { ark: "$record.pids.ark" } }),
      calls(null, "list_files", { recid: "$draft.id", draft: false }, { files: [{ key: "photo.bin" }, { key: "tides.csv" }] }),
    ],
    async afterwards(world, kept) {
      const id = idIn(kept, "draft");
      const { json } = await world.ask(null, "GET", `/api/records/${id}`);
      expect(json).toMatchObject({ is_published: true, files: { count: 2 } });
      expect((await world.filesOf(id)).get("photo.bin")).toEqual(new Uint8Array([0, 1, 2, 255]));
      expect((await world.status("registered", id)).status).toBe(200);
    },
  },
  {
    name: "S3.7.202: a draft that lacks what publishing needs is mended by following the hints",
    over: "both",
    steps: [
      calls("registered", "create_record", { metadata: { title: "Ti" } }, { status: "draft", errors: expect.arrayContaining([{ field: "metadata.title", messages: ["Shorter than minimum length 3."] }]) }, "draft"),
      refused("registered", "publish_record", { recid: "$draft.id" }, { status: 400, hint: "…update_record (recid $draft.id)" }),
      refused("registered", "update_record", { recid: "$draft.id", metadata: { ...TIDES, resource_type: { id: "artikle" } } }, { status: 400, hint: "…update_record" }),
      calls("registered", "update_record", { recid: "$draft.id", metadata: TIDES }, { was: "draft", now: "published" }),
    ],
    async afterwards(world, kept) {
      const item = await world.item(idIn(kept, "draft"));
      expect([item.state, item.content?.metadata.titles[0]?.value]).toEqual(["published", TIDES.title]);
    },
  },
  {
    name: "S3.7.203: ids are looked up in vocabularies, then a record is described with them",
    over: "http",
    steps: [
      calls("registered", "list_vocabulary_types", {}, { types: expect.arrayContaining([expect.objectContaining({ id: "resourcetypes" })]) }),
      refused("registered", "list_vocabulary", { vocab_type: "resourcetype" }, { status: 404, hint: "…resourcetypes" }),
      calls("registered", "list_vocabulary", { vocab_type: "resourcetypes", query: "dataset" }, { items: { 0: { id: "dataset" } } }, "types"),
      calls("registered", "list_vocabulary", { vocab_type: "languages", query: "jpn" }, { items: { 0: { id: "jpn" } } }, "languages"),
      calls("registered", "list_vocabulary", { vocab_type: "licenses", query: "cc-by-4" }, { items: { 0: { id: "cc-by-4.0" } } }, "licences"),
      calls(
        "registered",
        "create_record",
        { metadata: { ...TIDES, resource_type: { id: "$types.items.0.id" }, languages: [{ id: "$languages.items.0.id" }], rights: [{ id: "$licences.items.0.id" }] }, publish: true },
        { status: "published", resource_type: "dataset" },
        "record",
      ),
    ],
    async afterwards(world, kept) {
      const { json } = await world.ask(null, "GET", `/api/records/${idIn(kept, "record")}`);
      expect(json.metadata).toMatchObject({ languages: [{ id: "jpn" }], rights: [{ id: "cc-by-4.0" }] });
    },
  },
  {
    name: "S3.7.204: a record is found by its number, its ARK, its DOI and its address, and exported in several formats",
    over: "http",
    steps: [
      calls("registered", "create_record", { metadata: { ...TIDES, identifiers: [{ scheme: "doi", identifier: "10.5555/tides.204" }] }, publish: true }, { status: "published" }, "record"),
      calls(null, "get_record", { recid: "$record.pids.ark" }, { id: "$record.id", resolved_from: "$record.pids.ark" }),
      calls(null, "get_record", { recid: "https://ark.example.org/$record.pids.ark" }, { id: "$record.id" }),
      calls(null, "get_record", { recid: "https://doi.org/10.5555/tides.204" }, { id: "$record.id" }),
      calls(null, "get_record", { recid: "$record.links.self_html" }, { id: "$record.id" }),
      calls(null, "export_record", { recid: "$record.pids.ark", fmt: "bibtex" }, { recid: "$record.id", content: "…@misc{doe_2024" }),
      calls(null, "export_record", { recid: "doi:10.5555/tides.204", fmt: "citation" }, { content: "…Doe, A. (2024)" }),
      calls(null, "export_record", { recid: "$record.id" }, { format: "datacite-json", content_type: "…json" }),
      calls(null, "export_record", { recid: "$record.links.self", fmt: "marcxml" }, { content: "…<controlfield" }),
    ],
    async afterwards(world, kept) {
      const { text } = await world.ask(null, "GET", `/records/${idIn(kept, "record")}/export/bibtex`);
      expect(text).toContain("@misc{doe_2024");
    },
  },
  {
    name: "S3.7.205: what is published is described better, and what it said before is kept",
    over: "both",
    steps: [
      calls("registered", "create_record", { metadata: titled("On tids"), publish: true }, { revision_id: 1 }, "record"),
      calls("registered", "update_record", { recid: "$record.id", metadata: titled("On tides, corrected") }, { was: "published", now: "published", revision_id: 2 }),
      calls(null, "get_record", { recid: "$record.id" }, { title: "On tides, corrected", metadata: { title: "On tides, corrected" } }),
    ],
    async afterwards(world, kept) {
      const { json } = await world.ask("registered", "GET", `/api/records/${idIn(kept, "record")}/revisions`);
      expect(JSON.stringify(json)).toContain("On tids");
    },
  },
  {
    name: "S3.7.206: a change waits as a draft until it is published, and guests read what was there",
    over: "both",
    steps: [
      calls("registered", "create_record", { metadata: titled("As it was"), publish: true }, {}, "record"),
      calls("registered", "update_record", { recid: "$record.id", metadata: titled("As it will be"), publish: false }, { was: "published", is_draft: true }),
      calls(null, "get_record", { recid: "$record.id" }, { title: "As it was" }),
      calls("registered", "get_record", { recid: "$record.id", draft: true }, { title: "As it will be" }),
      calls("registered", "publish_record", { recid: "$record.id" }, { status: "published", title: "As it will be" }),
      calls("registered", "publish_record", { recid: "$record.id" }, { status: "published", note: "…already" }),
    ],
    async afterwards(world, kept) {
      expect((await world.item(idIn(kept, "record"))).content?.metadata.titles[0]?.value).toBe("As it will be");
    },
  },
  {
    name: "S3.7.207: a draft is thrown away, a draft of what is published leaves that as it is",
    over: "both",
    steps: [
      calls("registered", "create_record", { metadata: titled("Not to be") }, {}, "draft"),
      calls("registered", "delete_draft", { recid: "$draft.id" }, { deleted_draft: "$draft.id", record_still_published: false }),
      refused("registered", "get_record", { recid: "$draft.id", draft: true }, { status: 404 }),
      calls("registered", "create_record", { metadata: titled("To be"), publish: true }, {}, "record"),
      calls("registered", "update_record", { recid: "$record.id", metadata: titled("To be otherwise"), publish: false }),
      calls("registered", "delete_draft", { recid: "$record.id" }, { record_still_published: true }),
      calls(null, "get_record", { recid: "$record.id" }, { title: "To be" }),
    ],
    async afterwards(world, kept) {
      expect((await world.ask("registered", "GET", `/api/records/${idIn(kept, "draft")}/draft`)).status).toBe(404);
      expect(await world.store.items.draft(idIn(kept, "record"))).toBeNull();
    },
  },
  {
    name: "S3.7.208: a record is removed only when a person agreed, says why, and is restored",
    over: "both",
    steps: [
      calls("registered", "create_record", { metadata: titled("Withdrawn for a while"), publish: true }, {}, "record"),
      calls("system", "delete_record", { recid: "$record.id" }, { done: false, how: "…confirm=true" }),
      refused("registered", "delete_record", { recid: "$record.id", confirm: true }, { status: 403, hint: "only administrators remove published records" }),
      refused("system", "delete_record", { recid: "$record.id", confirm: true, reason_id: "boredom" }, { status: 400, hint: "…removalreasons" }),
      calls("system", "delete_record", { recid: "$record.pids.ark", confirm: true, reason_id: "copyright", note: "A figure is not ours" }, { done: true, id: "$record.id" }),
      refused(null, "get_record", { recid: "$record.id" }, { status: 410, code: "deleted", tombstone: { note: "A figure is not ours", removal_reason: { id: "copyright" } } }),
      async ({ ask }, kept) => expect((await ask(null, "GET", `/records/${idIn(kept, "record")}`)).status).toBe(410),
      refused("registered", "restore_record", { recid: "$record.id" }, { status: 403 }),
      calls("system", "restore_record", { recid: "$record.id" }, { status: "published" }),
      calls(null, "get_record", { recid: "$record.pids.ark" }, { id: "$record.id" }),
    ],
    async afterwards(world, kept) {
      expect((await world.ask(null, "GET", `/records/${idIn(kept, "record")}`)).status).toBe(200);
      expect((await world.item(idIn(kept, "record"))).state).toBe("published");
    },
  },
  {
    name: "S3.7.209: a long list is read page by page, each record once",
    over: "both",
    steps: [
      ...Array.from({ length: 7 }, (_, at) => calls("other", "create_record", { metadata: titled(`Catalogue of dunes $over ${at}`), publish: true })),
      calls(null, "search_records", { query: '"Catalogue of dunes $over"', size: 3 }, { total: 7, page: 1, next_page: 2 }, "first"),
      calls(null, "search_records", { query: '"Catalogue of dunes $over"', size: 3, page: "$first.next_page" }, { page: 2, next_page: 3 }, "second"),
      calls(null, "search_records", { query: '"Catalogue of dunes $over"', size: 3, page: "$second.next_page" }, { page: 3, records: { length: 1 } }, "third"),
      refused(null, "search_records", { query: "dunes", size: 100, page: 101 }, { status: 400, hint: "…10000" }),
    ],
    async afterwards(world, kept) {
      const pages = ["first", "second", "third"].map((name) => memberAt(kept, `${name}.records`) as { id: string }[]);
      const { json } = await world.ask(null, "GET", `/api/records?q=%22Catalogue%20of%20dunes%20${kept.over}%22&size=10`);
      const ids = (json as { hits: { hits: { id: string }[] } }).hits.hits.map(({ id }) => id);
      expect(pages.flat().map(({ id }) => id).sort()).toEqual(ids.sort());
      expect(Object.hasOwn(kept.third as object, "next_page")).toBe(false);
    },
  },
  {
    name: "S3.7.210: what another person refuses leads on: no draft of his is seen, no record of his is changed",
    over: "both",
    steps: [
      calls("registered", "create_record", { metadata: titled("Mine alone") }, {}, "draft"),
      calls("registered", "create_record", { metadata: titled("Mine, published"), publish: true }, {}, "record"),
      refused("other", "get_record", { recid: "$draft.id", draft: true }, { status: 404, hint: "…search_records" }),
      refused("other", "publish_record", { recid: "$draft.id" }, { status: 404 }),
      refused("other", "update_record", { recid: "$record.id", metadata: titled("Yours") }, { status: 403, hint: "…whoami" }),
      refused("other", "new_version", { recid: "$record.id" }, { status: 403 }),
      refused("other", "delete_draft", { recid: "$draft.id" }, { status: 404 }),
    ],
    async afterwards(world, kept) {
      expect((await world.item(idIn(kept, "record"))).content?.metadata.titles[0]?.value).toBe("Mine, published");
      expect((await world.ask("registered", "GET", `/api/records/${idIn(kept, "draft")}/draft`)).status).toBe(200);
    },
  },
  {
    name: "S3.7.211: a restricted record with an embargo is its owner's until then",
    over: "stdio",
    steps: [
      calls(
        "registered",
        "create_record",
        { metadata: titled("Not before spring"), access: { record: "restricted", files: "restricted", embargo: { active: true, until: "2027-03-01", reason: "A contract" } }, publish: true },
        { status: "published", access: { record: "restricted", status: "embargoed" } },
        "record",
      ),
      calls("registered", "get_record", { recid: "$record.id" }, { access: { embargo: { active: true, until: "2027-03-01" } } }),
      refused("other", "get_record", { recid: "$record.id" }, { status: expect.any(Number), message: expect.any(String) }),
      calls(null, "search_records", { query: '"Not before spring"' }, { total: 0 }),
    ],
    async afterwards(world, kept) {
      const id = idIn(kept, "record");
      const statuses = await Promise.all(
        (["registered", "other", null] as const).map(async (who) => (await world.ask(who, "GET", `/api/records/${id}`)).status),
      );
      expect(statuses).toEqual([200, 403, 403]);
    },
  },
  {
    name: "S3.7.212: who asks who he is finds his own records and drafts, and nobody else's",
    over: "http",
    steps: [
      calls("general", "whoami", {}, { user: { name: "general" }, records: { published: 0, drafts: 0 } }, "before"),
      calls("general", "create_record", { metadata: titled("A first draft") }, {}, "draft"),
      calls("general", "whoami", {}, { records: { published: 0, drafts: 1 } }),
      calls("general", "my_records", {}, { total: 1, records: [{ id: "$draft.id", status: "draft" }] }),
      calls("general", "my_records", { query: "first", fields: ["metadata.title"] }, { records: [{ id: "$draft.id", metadata: { title: "A first draft" } }] }),
      calls("other", "search_records", { query: '"A first draft"' }, { total: 0 }),
    ],
    async afterwards(world, kept) {
      const { json } = await world.ask("general", "GET", "/api/user/records");
      expect((json as { hits: { hits: { id: string }[] } }).hits.hits.map(({ id }) => Number(id))).toEqual([idIn(kept, "draft")]);
    },
  },
  {
    name: "S3.7.213: the history of a record is read: who changed which fields",
    over: "http",
    steps: [
      calls("registered", "create_record", { metadata: TIDES, publish: true }, {}, "record"),
      calls("registered", "update_record", { recid: "$record.id", metadata: { publisher: "A press" } }),
      calls("registered", "update_record", { recid: "$record.id", metadata: { publisher: null, title: "Tides, again" } }),
      calls("registered", "list_revisions", { recid: "$record.id" }, { total: 3, revisions: { 0: { revision_id: 3 } } }, "history"),
      calls("registered", "list_revisions", { recid: "$record.id", full: true, size: 1, page: 3 }, { revisions: [{ revision_id: 1, json: expect.objectContaining({}) }] }),
      refused("other", "list_revisions", { recid: "$record.id" }, { status: 403 }),
    ],
    async afterwards(world, kept) {
      expect((await world.item(idIn(kept, "record"))).revision).toBe(3);
    },
  },
];
