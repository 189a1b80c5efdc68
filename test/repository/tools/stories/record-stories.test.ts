// Stories about records (R30; S3.7.201 to S3.7.207): described, published, found by what names them, changed,
// discarded.
import { describe, expect, test } from "bun:test";
import { METADATA } from "../../../support/record-calls.ts";
import { guest, idIn, registered, stories } from "../../../support/tool-stories.ts";

const TIDES = { ...METADATA, title: "Tides of the northern bays" };
const titled = (title: string) => ({ ...METADATA, title });

describe("R30 stories about records", () => {
  const story = stories();

  test(
    "S3.7.201: a deposit with two files is published, and guests read it",
    story.run(
      "both",
      [
        registered("create_record", { metadata: TIDES, files: true }).gives({ status: "draft" }).as("draft"),
        registered("upload_file", {
          recid: "$draft.id",
          filename: "tides.csv",
          content_text: "day,metres\n1,2.4\n",
        }).gives({ status: "completed", size: 17 }),
        registered("upload_file", { recid: "$draft.id", filename: "photo.bin", content_base64: "AAEC/w==" }).gives({
          size: 4,
        }),
        registered("list_files", { recid: "$draft.id", draft: true }).gives({ enabled: true, total: 2 }),
        registered("publish_record", { recid: "$draft.id" })
          .gives({ status: "published", files: { count: 2, total_bytes: 21 } })
          .as("record"),
        guest("get_record", { recid: "$draft.id" }).gives({ title: TIDES.title, pids: { ark: "$record.pids.ark" } }),
        guest("list_files", { recid: "$draft.id", draft: false }).gives({
          files: [{ key: "photo.bin" }, { key: "tides.csv" }],
        }),
      ],
      async (world, kept) => {
        const id = idIn(kept, "draft");
        const { json } = await world.ask(null, "GET", `/api/records/${id}`);
        expect(json).toMatchObject({ is_published: true, files: { count: 2 } });
        expect((await world.filesOf(id)).get("photo.bin")).toEqual(new Uint8Array([0, 1, 2, 255]));
        expect((await world.status("registered", id)).status).toBe(200);
      },
    ),
  );

  test(
    "S3.7.202: a draft that lacks what publishing needs is mended by following the hints",
    story.run(
      "both",
      [
        registered("create_record", { metadata: { title: "Ti" } })
          .gives({
            status: "draft",
            errors: expect.arrayContaining([{ field: "metadata.title", messages: ["Shorter than minimum length 3."] }]),
          })
          .as("draft"),
        registered("publish_record", { recid: "$draft.id" }).refuses({
          status: 400,
          hint: "…update_record (recid $draft.id)",
        }),
        registered("update_record", {
          recid: "$draft.id",
          metadata: { ...TIDES, resource_type: { id: "artikle" } },
        }).refuses({ status: 400, hint: "…update_record" }),
        registered("update_record", { recid: "$draft.id", metadata: TIDES }).gives({ was: "draft", now: "published" }),
      ],
      async (world, kept) => {
        const item = await world.item(idIn(kept, "draft"));
        expect([item.state, item.content?.metadata.titles[0]?.value]).toEqual(["published", TIDES.title]);
      },
    ),
  );

  test(
    "S3.7.203: ids are looked up in vocabularies, then a record is described with them",
    story.run(
      "http",
      [
        registered("list_vocabulary_types").gives({
          types: expect.arrayContaining([expect.objectContaining({ id: "resourcetypes" })]),
        }),
        registered("list_vocabulary", { vocab_type: "resourcetype" }).refuses({ status: 404, hint: "…resourcetypes" }),
        registered("list_vocabulary", { vocab_type: "resourcetypes", query: "dataset" })
          .gives({ items: { 0: { id: "dataset" } } })
          .as("types"),
        registered("list_vocabulary", { vocab_type: "languages", query: "jpn" })
          .gives({ items: { 0: { id: "jpn" } } })
          .as("languages"),
        registered("list_vocabulary", { vocab_type: "licenses", query: "cc-by-4" })
          .gives({ items: { 0: { id: "cc-by-4.0" } } })
          .as("licences"),
        registered("create_record", {
          metadata: {
            ...TIDES,
            resource_type: { id: "$types.items.0.id" },
            languages: [{ id: "$languages.items.0.id" }],
            rights: [{ id: "$licences.items.0.id" }],
          },
          publish: true,
        })
          .gives({ status: "published", resource_type: "dataset" })
          .as("record"),
      ],
      async (world, kept) => {
        const { json } = await world.ask(null, "GET", `/api/records/${idIn(kept, "record")}`);
        expect(json.metadata).toMatchObject({ languages: [{ id: "jpn" }], rights: [{ id: "cc-by-4.0" }] });
      },
    ),
  );

  test(
    "S3.7.204: a record is found by its number, its ARK, its DOI and its address, and exported in several formats",
    story.run(
      "http",
      [
        registered("create_record", {
          metadata: { ...TIDES, identifiers: [{ scheme: "doi", identifier: "10.5555/tides.204" }] },
          publish: true,
        })
          .gives({ status: "published" })
          .as("record"),
        guest("get_record", { recid: "$record.pids.ark" }).gives({
          id: "$record.id",
          resolved_from: "$record.pids.ark",
        }),
        guest("get_record", { recid: "https://ark.example.org/$record.pids.ark" }).gives({ id: "$record.id" }),
        guest("get_record", { recid: "https://doi.org/10.5555/tides.204" }).gives({ id: "$record.id" }),
        guest("get_record", { recid: "$record.links.self_html" }).gives({ id: "$record.id" }),
        guest("export_record", { recid: "$record.pids.ark", fmt: "bibtex" }).gives({
          recid: "$record.id",
          content: "…@misc{doe_2024",
        }),
        guest("export_record", { recid: "doi:10.5555/tides.204", fmt: "citation" }).gives({
          content: "…Doe, A. (2024)",
        }),
        guest("export_record", { recid: "$record.id" }).gives({ format: "datacite-json", content_type: "…json" }),
        guest("export_record", { recid: "$record.links.self", fmt: "marcxml" }).gives({ content: "…<controlfield" }),
      ],
      async (world, kept) => {
        const { text } = await world.ask(null, "GET", `/records/${idIn(kept, "record")}/export/bibtex`);
        expect(text).toContain("@misc{doe_2024");
      },
    ),
  );

  test(
    "S3.7.205: what is published is described better, and what it stated before is kept",
    story.run(
      "both",
      [
        registered("create_record", { metadata: titled("On tids"), publish: true })
          .gives({ revision_id: 1 })
          .as("record"),
        registered("update_record", { recid: "$record.id", metadata: titled("On tides, corrected") }).gives({
          was: "published",
          now: "published",
          revision_id: 2,
        }),
        guest("get_record", { recid: "$record.id" }).gives({
          title: "On tides, corrected",
          metadata: { title: "On tides, corrected" },
        }),
      ],
      async (world, kept) => {
        const { json } = await world.ask("registered", "GET", `/api/records/${idIn(kept, "record")}/revisions`);
        expect(JSON.stringify(json)).toContain("On tids");
      },
    ),
  );

  test(
    "S3.7.206: a change waits as a draft until it is published, and guests read what was there",
    story.run(
      "both",
      [
        registered("create_record", { metadata: titled("As it was"), publish: true }).as("record"),
        registered("update_record", { recid: "$record.id", metadata: titled("As it will be"), publish: false }).gives({
          was: "published",
          is_draft: true,
        }),
        guest("get_record", { recid: "$record.id" }).gives({ title: "As it was" }),
        registered("get_record", { recid: "$record.id", draft: true }).gives({ title: "As it will be" }),
        registered("publish_record", { recid: "$record.id" }).gives({ status: "published", title: "As it will be" }),
        registered("publish_record", { recid: "$record.id" }).gives({ status: "published", note: "…already" }),
      ],
      async (world, kept) => {
        expect((await world.item(idIn(kept, "record"))).content?.metadata.titles[0]?.value).toBe("As it will be");
      },
    ),
  );

  test(
    "S3.7.207: a draft is discarded, a draft of what is published leaves that as it is",
    story.run(
      "both",
      [
        registered("create_record", { metadata: titled("Not to be") }).as("draft"),
        registered("delete_draft", { recid: "$draft.id" }).gives({
          deleted_draft: "$draft.id",
          record_still_published: false,
        }),
        registered("get_record", { recid: "$draft.id", draft: true }).refuses({ status: 404 }),
        registered("create_record", { metadata: titled("To be"), publish: true }).as("record"),
        registered("update_record", {
          recid: "$record.id",
          metadata: titled("To be otherwise"),
          publish: false,
        }),
        registered("delete_draft", { recid: "$record.id" }).gives({ record_still_published: true }),
        guest("get_record", { recid: "$record.id" }).gives({ title: "To be" }),
      ],
      async (world, kept) => {
        expect((await world.ask("registered", "GET", `/api/records/${idIn(kept, "draft")}/draft`)).status).toBe(404);
        expect(await world.store.items.draft(idIn(kept, "record"))).toBeNull();
      },
    ),
  );
});
