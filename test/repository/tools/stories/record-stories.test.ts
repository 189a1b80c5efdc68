// Stories about records (R30; S3.7.201 to S3.7.207): described, published, found by what names them, changed, discarded.
import { describe, expect, test } from "bun:test";
import { METADATA } from "../../../support/record-calls.ts";
import { calls, idIn, refused, stories } from "../../../support/tool-stories.ts";

const TIDES = { ...METADATA, title: "Tides of the northern bays" };
const titled = (title: string) => ({ ...METADATA, title });

describe("R30 stories about records", () => {
  const story = stories();

  test(
    "S3.7.201: a deposit with two files is published, and guests read it",
    story.run(
      "both",
      [
        calls("registered", "create_record", { metadata: TIDES, files: true }, { status: "draft" }, "draft"),
        calls(
          "registered",
          "upload_file",
          { recid: "$draft.id", filename: "tides.csv", content_text: "day,metres\n1,2.4\n" },
          { status: "completed", size: 17 },
        ),
        calls(
          "registered",
          "upload_file",
          { recid: "$draft.id", filename: "photo.bin", content_base64: "AAEC/w==" },
          { size: 4 },
        ),
        calls("registered", "list_files", { recid: "$draft.id", draft: true }, { enabled: true, total: 2 }),
        calls(
          "registered",
          "publish_record",
          { recid: "$draft.id" },
          { status: "published", files: { count: 2, total_bytes: 21 } },
          "record",
        ),
        calls(null, "get_record", { recid: "$draft.id" }, { title: TIDES.title, pids: { ark: "$record.pids.ark" } }),
        calls(
          null,
          "list_files",
          { recid: "$draft.id", draft: false },
          { files: [{ key: "photo.bin" }, { key: "tides.csv" }] },
        ),
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
        calls(
          "registered",
          "create_record",
          { metadata: { title: "Ti" } },
          {
            status: "draft",
            errors: expect.arrayContaining([{ field: "metadata.title", messages: ["Shorter than minimum length 3."] }]),
          },
          "draft",
        ),
        refused(
          "registered",
          "publish_record",
          { recid: "$draft.id" },
          { status: 400, hint: "…update_record (recid $draft.id)" },
        ),
        refused(
          "registered",
          "update_record",
          { recid: "$draft.id", metadata: { ...TIDES, resource_type: { id: "artikle" } } },
          { status: 400, hint: "…update_record" },
        ),
        calls(
          "registered",
          "update_record",
          { recid: "$draft.id", metadata: TIDES },
          { was: "draft", now: "published" },
        ),
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
        calls(
          "registered",
          "list_vocabulary_types",
          {},
          { types: expect.arrayContaining([expect.objectContaining({ id: "resourcetypes" })]) },
        ),
        refused(
          "registered",
          "list_vocabulary",
          { vocab_type: "resourcetype" },
          { status: 404, hint: "…resourcetypes" },
        ),
        calls(
          "registered",
          "list_vocabulary",
          { vocab_type: "resourcetypes", query: "dataset" },
          { items: { 0: { id: "dataset" } } },
          "types",
        ),
        calls(
          "registered",
          "list_vocabulary",
          { vocab_type: "languages", query: "jpn" },
          { items: { 0: { id: "jpn" } } },
          "languages",
        ),
        calls(
          "registered",
          "list_vocabulary",
          { vocab_type: "licenses", query: "cc-by-4" },
          { items: { 0: { id: "cc-by-4.0" } } },
          "licences",
        ),
        calls(
          "registered",
          "create_record",
          {
            metadata: {
              ...TIDES,
              resource_type: { id: "$types.items.0.id" },
              languages: [{ id: "$languages.items.0.id" }],
              rights: [{ id: "$licences.items.0.id" }],
            },
            publish: true,
          },
          { status: "published", resource_type: "dataset" },
          "record",
        ),
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
        calls(
          "registered",
          "create_record",
          { metadata: { ...TIDES, identifiers: [{ scheme: "doi", identifier: "10.5555/tides.204" }] }, publish: true },
          { status: "published" },
          "record",
        ),
        calls(
          null,
          "get_record",
          { recid: "$record.pids.ark" },
          { id: "$record.id", resolved_from: "$record.pids.ark" },
        ),
        calls(null, "get_record", { recid: "https://ark.example.org/$record.pids.ark" }, { id: "$record.id" }),
        calls(null, "get_record", { recid: "https://doi.org/10.5555/tides.204" }, { id: "$record.id" }),
        calls(null, "get_record", { recid: "$record.links.self_html" }, { id: "$record.id" }),
        calls(
          null,
          "export_record",
          { recid: "$record.pids.ark", fmt: "bibtex" },
          { recid: "$record.id", content: "…@misc{doe_2024" },
        ),
        calls(
          null,
          "export_record",
          { recid: "doi:10.5555/tides.204", fmt: "citation" },
          { content: "…Doe, A. (2024)" },
        ),
        calls(null, "export_record", { recid: "$record.id" }, { format: "datacite-json", content_type: "…json" }),
        calls(null, "export_record", { recid: "$record.links.self", fmt: "marcxml" }, { content: "…<controlfield" }),
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
        calls(
          "registered",
          "create_record",
          { metadata: titled("On tids"), publish: true },
          { revision_id: 1 },
          "record",
        ),
        calls(
          "registered",
          "update_record",
          { recid: "$record.id", metadata: titled("On tides, corrected") },
          { was: "published", now: "published", revision_id: 2 },
        ),
        calls(
          null,
          "get_record",
          { recid: "$record.id" },
          { title: "On tides, corrected", metadata: { title: "On tides, corrected" } },
        ),
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
        calls("registered", "create_record", { metadata: titled("As it was"), publish: true }, {}, "record"),
        calls(
          "registered",
          "update_record",
          { recid: "$record.id", metadata: titled("As it will be"), publish: false },
          { was: "published", is_draft: true },
        ),
        calls(null, "get_record", { recid: "$record.id" }, { title: "As it was" }),
        calls("registered", "get_record", { recid: "$record.id", draft: true }, { title: "As it will be" }),
        calls("registered", "publish_record", { recid: "$record.id" }, { status: "published", title: "As it will be" }),
        calls("registered", "publish_record", { recid: "$record.id" }, { status: "published", note: "…already" }),
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
        calls("registered", "create_record", { metadata: titled("Not to be") }, {}, "draft"),
        calls(
          "registered",
          "delete_draft",
          { recid: "$draft.id" },
          { deleted_draft: "$draft.id", record_still_published: false },
        ),
        refused("registered", "get_record", { recid: "$draft.id", draft: true }, { status: 404 }),
        calls("registered", "create_record", { metadata: titled("To be"), publish: true }, {}, "record"),
        calls("registered", "update_record", {
          recid: "$record.id",
          metadata: titled("To be otherwise"),
          publish: false,
        }),
        calls("registered", "delete_draft", { recid: "$record.id" }, { record_still_published: true }),
        calls(null, "get_record", { recid: "$record.id" }, { title: "To be" }),
      ],
      async (world, kept) => {
        expect((await world.ask("registered", "GET", `/api/records/${idIn(kept, "draft")}/draft`)).status).toBe(404);
        expect(await world.store.items.draft(idIn(kept, "record"))).toBeNull();
      },
    ),
  );
});
