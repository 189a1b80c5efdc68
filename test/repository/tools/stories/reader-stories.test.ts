// Stories about who may see and remove records, and about lists of them (R30; S3.7.208 to S3.7.213).
import { describe, expect, test } from "bun:test";
import { METADATA } from "../../../support/record-calls.ts";
import { calls, idIn, memberAt, refused, stories } from "../../../support/tool-stories.ts";

const TIDES = { ...METADATA, title: "Tides of the northern bays" };
const titled = (title: string) => ({ ...METADATA, title });

describe("R30 stories about rights and lists", () => {
  const story = stories();

  test(
    "S3.7.208: a record is removed only when a person agreed, gives the reason, and restores it",
    story.run(
      "both",
      [
        calls(
          "registered",
          "create_record",
          { metadata: titled("Withdrawn for a while"), publish: true },
          {},
          "record",
        ),
        calls("system", "delete_record", { recid: "$record.id" }, { done: false, how: "…confirm=true" }),
        refused(
          "registered",
          "delete_record",
          { recid: "$record.id", confirm: true },
          { status: 403, hint: "only administrators remove published records" },
        ),
        refused(
          "system",
          "delete_record",
          { recid: "$record.id", confirm: true, reason_id: "boredom" },
          { status: 400, hint: "…removalreasons" },
        ),
        calls(
          "system",
          "delete_record",
          { recid: "$record.pids.ark", confirm: true, reason_id: "copyright", note: "A figure is not ours" },
          { done: true, id: "$record.id" },
        ),
        refused(
          null,
          "get_record",
          { recid: "$record.id" },
          {
            status: 410,
            code: "deleted",
            tombstone: { note: "A figure is not ours", removal_reason: { id: "copyright" } },
          },
        ),
        async ({ ask }, kept) => expect((await ask(null, "GET", `/records/${idIn(kept, "record")}`)).status).toBe(410),
        refused("registered", "restore_record", { recid: "$record.id" }, { status: 403 }),
        calls("system", "restore_record", { recid: "$record.id" }, { status: "published" }),
        calls(null, "get_record", { recid: "$record.pids.ark" }, { id: "$record.id" }),
      ],
      async (world, kept) => {
        expect((await world.ask(null, "GET", `/records/${idIn(kept, "record")}`)).status).toBe(200);
        expect((await world.item(idIn(kept, "record"))).state).toBe("published");
      },
    ),
  );

  test(
    "S3.7.209: a long list is read page by page, each record once",
    story.run(
      "both",
      [
        ...Array.from({ length: 7 }, (_, at) =>
          calls("other", "create_record", { metadata: titled(`Catalogue of dunes $over ${at}`), publish: true }),
        ),
        calls(
          null,
          "search_records",
          { query: '"Catalogue of dunes $over"', size: 3 },
          { total: 7, page: 1, next_page: 2 },
          "first",
        ),
        calls(
          null,
          "search_records",
          { query: '"Catalogue of dunes $over"', size: 3, page: "$first.next_page" },
          { page: 2, next_page: 3 },
          "second",
        ),
        calls(
          null,
          "search_records",
          { query: '"Catalogue of dunes $over"', size: 3, page: "$second.next_page" },
          { page: 3, records: { length: 1 } },
          "third",
        ),
        refused(null, "search_records", { query: "dunes", size: 100, page: 101 }, { status: 400, hint: "…10000" }),
      ],
      async (world, kept) => {
        const pages = ["first", "second", "third"].map((name) => memberAt(kept, `${name}.records`) as { id: string }[]);
        const { json } = await world.ask(
          null,
          "GET",
          `/api/records?q=%22Catalogue%20of%20dunes%20${kept.over}%22&size=10`,
        );
        const ids = (json as { hits: { hits: { id: string }[] } }).hits.hits.map(({ id }) => id);
        expect(
          pages
            .flat()
            .map(({ id }) => id)
            .sort(),
        ).toEqual(ids.sort());
        expect(Object.hasOwn(kept.third as object, "next_page")).toBe(false);
      },
    ),
  );

  test(
    "S3.7.210: a refusal leads on: another person's drafts are not seen, their records not changed",
    story.run(
      "both",
      [
        calls("registered", "create_record", { metadata: titled("Mine alone") }, {}, "draft"),
        calls("registered", "create_record", { metadata: titled("Mine, published"), publish: true }, {}, "record"),
        refused("other", "get_record", { recid: "$draft.id", draft: true }, { status: 404, hint: "…search_records" }),
        refused("other", "publish_record", { recid: "$draft.id" }, { status: 404 }),
        refused(
          "other",
          "update_record",
          { recid: "$record.id", metadata: titled("Yours") },
          { status: 403, hint: "…this account" },
        ),
        refused("other", "new_version", { recid: "$record.id" }, { status: 403 }),
        refused("other", "delete_draft", { recid: "$draft.id" }, { status: 404 }),
      ],
      async (world, kept) => {
        expect((await world.item(idIn(kept, "record"))).content?.metadata.titles[0]?.value).toBe("Mine, published");
        expect((await world.ask("registered", "GET", `/api/records/${idIn(kept, "draft")}/draft`)).status).toBe(200);
      },
    ),
  );

  test(
    "S3.7.211: a restricted record with an embargo is its owner's until then",
    story.run(
      "stdio",
      [
        calls(
          "registered",
          "create_record",
          {
            metadata: titled("Not before spring"),
            access: {
              record: "restricted",
              files: "restricted",
              embargo: { active: true, until: "2027-03-01", reason: "A contract" },
            },
            publish: true,
          },
          { status: "published", access: { record: "restricted", status: "embargoed" } },
          "record",
        ),
        calls(
          "registered",
          "get_record",
          { recid: "$record.id" },
          { access: { embargo: { active: true, until: "2027-03-01" } } },
        ),
        refused(
          "other",
          "get_record",
          { recid: "$record.id" },
          { status: expect.any(Number), message: expect.any(String) },
        ),
        calls(null, "search_records", { query: '"Not before spring"' }, { total: 0 }),
      ],
      async (world, kept) => {
        const id = idIn(kept, "record");
        const statuses = await Promise.all(
          (["registered", "other", null] as const).map(
            async (who) => (await world.ask(who, "GET", `/api/records/${id}`)).status,
          ),
        );
        expect(statuses).toEqual([200, 403, 403]);
      },
    ),
  );

  test(
    "S3.7.212: whoami leads people to their own records and drafts, and to no others",
    story.run(
      "http",
      [
        calls("general", "whoami", {}, { user: { name: "general" }, records: { published: 0, drafts: 0 } }, "before"),
        calls("general", "create_record", { metadata: titled("A first draft") }, {}, "draft"),
        calls("general", "whoami", {}, { records: { published: 0, drafts: 1 } }),
        calls("general", "my_records", {}, { total: 1, records: [{ id: "$draft.id", status: "draft" }] }),
        calls(
          "general",
          "my_records",
          { query: "first", fields: ["metadata.title"] },
          { records: [{ id: "$draft.id", metadata: { title: "A first draft" } }] },
        ),
        calls("other", "search_records", { query: '"A first draft"' }, { total: 0 }),
      ],
      async (world, kept) => {
        const { json } = await world.ask("general", "GET", "/api/user/records");
        expect((json as { hits: { hits: { id: string }[] } }).hits.hits.map(({ id }) => Number(id))).toEqual([
          idIn(kept, "draft"),
        ]);
      },
    ),
  );

  test(
    "S3.7.213: the history of a record is read: who changed which fields",
    story.run(
      "http",
      [
        calls("registered", "create_record", { metadata: TIDES, publish: true }, {}, "record"),
        calls("registered", "update_record", { recid: "$record.id", metadata: { publisher: "A press" } }),
        calls("registered", "update_record", {
          recid: "$record.id",
          metadata: { publisher: null, title: "Tides, again" },
        }),
        calls(
          "registered",
          "list_revisions",
          { recid: "$record.id" },
          { total: 3, revisions: { 0: { revision_id: 3 } } },
          "history",
        ),
        calls(
          "registered",
          "list_revisions",
          { recid: "$record.id", full: true, size: 1, page: 3 },
          { revisions: [{ revision_id: 1, json: expect.objectContaining({}) }] },
        ),
        refused("other", "list_revisions", { recid: "$record.id" }, { status: 403 }),
      ],
      async (world, kept) => {
        expect((await world.item(idIn(kept, "record"))).revision).toBe(3);
      },
    ),
  );
});
