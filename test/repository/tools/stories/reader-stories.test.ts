// Stories about who may see and remove records, and about lists of them (R30; S3.7.208 to S3.7.213).
import { describe, expect, test } from "bun:test";
import { METADATA } from "../../../support/record-calls.ts";
import { general, guest, idIn, memberAt, other, registered, stories, system } from "../../../support/tool-stories.ts";

const TIDES = { ...METADATA, title: "Tides of the northern bays" };
const titled = (title: string) => ({ ...METADATA, title });

describe("R30 stories about rights and lists", () => {
  const story = stories();

  test(
    "S3.7.208: a record is removed only when a person agreed, gives the reason, and restores it",
    story.run(
      "both",
      [
        registered("create_record", { metadata: titled("Withdrawn for a while"), publish: true }).as("record"),
        system("delete_record", { recid: "$record.id" }).gives({ done: false, how: "…confirm=true" }),
        registered("delete_record", { recid: "$record.id", confirm: true }).refuses({
          status: 403,
          hint: "only administrators remove published records",
        }),
        system("delete_record", { recid: "$record.id", confirm: true, reason_id: "boredom" }).refuses({
          status: 400,
          hint: "…removalreasons",
        }),
        system("delete_record", {
          recid: "$record.pids.ark",
          confirm: true,
          reason_id: "copyright",
          note: "A figure is not ours",
        }).gives({ done: true, id: "$record.id" }),
        guest("get_record", { recid: "$record.id" }).refuses({
          status: 410,
          code: "deleted",
          tombstone: { note: "A figure is not ours", removal_reason: { id: "copyright" } },
        }),
        async ({ ask }, kept) => expect((await ask(null, "GET", `/records/${idIn(kept, "record")}`)).status).toBe(410),
        registered("restore_record", { recid: "$record.id" }).refuses({ status: 403 }),
        system("restore_record", { recid: "$record.id" }).gives({ status: "published" }),
        guest("get_record", { recid: "$record.pids.ark" }).gives({ id: "$record.id" }),
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
          other("create_record", { metadata: titled(`Catalogue of dunes $over ${at}`), publish: true }),
        ),
        guest("search_records", { query: '"Catalogue of dunes $over"', size: 3 })
          .gives({ total: 7, page: 1, next_page: 2 })
          .as("first"),
        guest("search_records", { query: '"Catalogue of dunes $over"', size: 3, page: "$first.next_page" })
          .gives({ page: 2, next_page: 3 })
          .as("second"),
        guest("search_records", { query: '"Catalogue of dunes $over"', size: 3, page: "$second.next_page" })
          .gives({ page: 3, records: { length: 1 } })
          .as("third"),
        guest("search_records", { query: "dunes", size: 100, page: 101 }).refuses({ status: 400, hint: "…10000" }),
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
        registered("create_record", { metadata: titled("Mine alone") }).as("draft"),
        registered("create_record", { metadata: titled("Mine, published"), publish: true }).as("record"),
        other("get_record", { recid: "$draft.id", draft: true }).refuses({ status: 404, hint: "…search_records" }),
        other("publish_record", { recid: "$draft.id" }).refuses({ status: 404 }),
        other("update_record", { recid: "$record.id", metadata: titled("Yours") }).refuses({
          status: 403,
          hint: "…this account",
        }),
        other("new_version", { recid: "$record.id" }).refuses({ status: 403 }),
        other("delete_draft", { recid: "$draft.id" }).refuses({ status: 404 }),
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
        registered("create_record", {
          metadata: titled("Not before spring"),
          access: {
            record: "restricted",
            files: "restricted",
            embargo: { active: true, until: "2027-03-01", reason: "A contract" },
          },
          publish: true,
        })
          .gives({ status: "published", access: { record: "restricted", status: "embargoed" } })
          .as("record"),
        registered("get_record", { recid: "$record.id" }).gives({
          access: { embargo: { active: true, until: "2027-03-01" } },
        }),
        other("get_record", { recid: "$record.id" }).refuses({
          status: expect.any(Number),
          message: expect.any(String),
        }),
        guest("search_records", { query: '"Not before spring"' }).gives({ total: 0 }),
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
        general("whoami")
          .gives({ user: { name: "general" }, records: { published: 0, drafts: 0 } })
          .as("before"),
        general("create_record", { metadata: titled("A first draft") }).as("draft"),
        general("whoami").gives({ records: { published: 0, drafts: 1 } }),
        general("my_records").gives({ total: 1, records: [{ id: "$draft.id", status: "draft" }] }),
        general("my_records", { query: "first", fields: ["metadata.title"] }).gives({
          records: [{ id: "$draft.id", metadata: { title: "A first draft" } }],
        }),
        other("search_records", { query: '"A first draft"' }).gives({ total: 0 }),
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
        registered("create_record", { metadata: TIDES, publish: true }).as("record"),
        registered("update_record", { recid: "$record.id", metadata: { publisher: "A press" } }),
        registered("update_record", {
          recid: "$record.id",
          metadata: { publisher: null, title: "Tides, again" },
        }),
        registered("list_revisions", { recid: "$record.id" })
          .gives({ total: 3, revisions: { 0: { revision_id: 3 } } })
          .as("history"),
        registered("list_revisions", { recid: "$record.id", full: true, size: 1, page: 3 }).gives({
          revisions: [{ revision_id: 1, json: expect.objectContaining({}) }],
        }),
        other("list_revisions", { recid: "$record.id" }).refuses({ status: 403 }),
      ],
      async (world, kept) => {
        expect((await world.item(idIn(kept, "record"))).revision).toBe(3);
      },
    ),
  );
});
