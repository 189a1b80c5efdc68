// Stories about files and versions (R30; S3.7.215 to S3.7.220): put in, replaced, carried over, read piece by piece.
import { describe, expect, test } from "bun:test";
import { METADATA } from "../../../support/record-calls.ts";
import { guest, idIn, memberAt, other, registered, stories } from "../../../support/tool-stories.ts";

const titled = (title: string) => ({ ...METADATA, title });
describe("R30 stories about files and versions", () => {
  const story = stories();

  test(
    "S3.7.215: a new version carries files over, has one replaced and is published next to the one before",
    story.run(
      "http",
      [
        registered("create_record", { metadata: titled("Charts"), files: true }).as("first"),
        registered("upload_file", { recid: "$first.id", filename: "chart.txt", content_text: "old chart" }),
        registered("upload_file", { recid: "$first.id", filename: "legend.txt", content_text: "legend" }),
        registered("publish_record", { recid: "$first.id" }).gives({ status: "published" }),
        registered("upload_file", { recid: "$first.id", filename: "chart.txt", content_text: "new chart" }).refuses({
          status: 403,
          hint: "…new_version (recid $first.id)",
        }),
        registered("new_version", { recid: "$first.id", version: "2.0" })
          .gives({ imported_files: 2, status: "new_version_draft" })
          .as("second"),
        registered("upload_file", { recid: "$second.id", filename: "chart.txt", content_text: "new chart" }).gives({
          uploaded: true,
        }),
        registered("publish_record", { recid: "$second.id" }).gives({
          status: "published",
          publication_date: "2026-11-20",
          version: { index: 2, is_latest: true, label: "2.0" },
        }),
        guest("list_versions", { recid: "$first.id" }).gives({
          total: 2,
          versions: [{ id: "$second.id" }, { id: "$first.id" }],
        }),
        guest("download_file", { recid: "$first.id", filename: "chart.txt" }).gives({ text: "old chart" }),
        guest("download_file", { recid: "$second.id", filename: "chart.txt" }).gives({ text: "new chart" }),
      ],
      async (world, kept) => {
        const words = async (id: number) =>
          [...(await world.filesOf(id))].map(([name, bytes]) => `${name}: ${new TextDecoder().decode(bytes)}`).sort();
        expect(await words(idIn(kept, "first"))).toEqual(["chart.txt: old chart", "legend.txt: legend"]);
        expect(await words(idIn(kept, "second"))).toEqual(["chart.txt: new chart", "legend.txt: legend"]);
        expect((await world.item(idIn(kept, "second"))).content?.metadata.titles[0]?.value).toBe("Charts");
      },
    ),
  );

  test(
    "S3.7.216: files are replaced and taken out before anything is published",
    story.run(
      "http",
      [
        registered("create_record", { metadata: titled("Drafty files"), files: true }).as("draft"),
        registered("upload_file", { recid: "$draft.id", filename: "a.txt", content_text: "first" }).gives({
          uploaded: true,
        }),
        registered("upload_file", {
          recid: "$draft.id",
          filename: "a.txt",
          content_text: "second",
          overwrite: false,
        }).gives({ exists: true, uploaded: false, size: 5 }),
        registered("upload_file", { recid: "$draft.id", filename: "a.txt", content_text: "the third" }).gives({
          uploaded: true,
          size: 9,
        }),
        registered("upload_file", { recid: "$draft.id", filename: "wrong.txt", content_text: "no" }),
        registered("delete_file", { recid: "$draft.id", filename: "wrong.txt" }).gives({ deleted: "wrong.txt" }),
        registered("delete_file", { recid: "$draft.id", filename: "wrong.txt" }).refuses({ status: 404 }),
        registered("upload_file", { recid: "$draft.id", filename: "b.txt" }).refuses({
          status: 400,
          message: "…exactly one of content_text, content_base64",
        }),
        registered("publish_record", { recid: "$draft.id" }).gives({ files: { count: 1, total_bytes: 9 } }),
      ],
      async (world, kept) => {
        const files = await world.filesOf(idIn(kept, "draft"));
        expect([...files].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)])).toEqual([
          ["a.txt", "the third"],
        ]);
      },
    ),
  );

  test(
    "S3.7.219: a file of what is published changes through a new version, as the refusal explains",
    story.run(
      "both",
      [
        registered("create_record", { metadata: titled("Versions $over"), files: true }).as("first"),
        registered("upload_file", { recid: "$first.id", filename: "a.txt", content_text: "one" }),
        registered("publish_record", { recid: "$first.id" }).gives({ status: "published" }),
        registered("delete_file", { recid: "$first.id", filename: "a.txt" }).refuses({
          hint: "…new_version (recid $first.id)",
        }),
        registered("new_version", { recid: "$first.id" }).gives({ status: "new_version_draft" }).as("second"),
        registered("upload_file", { recid: "$second.id", filename: "a.txt", content_text: "two" }).gives({ size: 3 }),
        registered("update_record", { recid: "$second.id", metadata: titled("Versions $over") }).gives({
          now: "published",
        }),
        registered("new_version", { recid: "$second.id" }).as("third"),
        registered("delete_draft", { recid: "$third.id" }).gives({ deleted_draft: "$third.id" }),
        guest("get_record", { recid: "$second.id" }).gives({ version: { index: 2, is_latest: true } }),
      ],
      async (world, kept) => {
        const { json } = await world.ask(null, "GET", `/api/records/${idIn(kept, "first")}/versions`);
        expect((json as { hits: { total: number } }).hits.total).toBe(2);
        expect(new TextDecoder().decode((await world.filesOf(idIn(kept, "second"))).get("a.txt"))).toBe("two");
      },
    ),
  );

  test(
    "S3.7.220: a long text is read piece by piece until nothing is left",
    story.run(
      "http",
      [
        registered("create_record", { metadata: titled("A long text"), files: true }).as("draft"),
        registered("upload_file", {
          recid: "$draft.id",
          filename: "long.txt",
          content_text: "潮の満ち引き ".repeat(100),
        }).gives({ size: 1900 }),
        registered("download_file", { recid: "$draft.id", filename: "long.txt", draft: true, max_bytes: 1000 })
          .gives({ truncated: true, next_offset: 1000 })
          .as("head"),
        registered("download_file", {
          recid: "$draft.id",
          filename: "long.txt",
          draft: true,
          max_bytes: 1000,
          offset: "$head.next_offset",
        })
          .gives({ truncated: false })
          .as("tail"),
        other("download_file", { recid: "$draft.id", filename: "long.txt", draft: true }).refuses({ status: 404 }),
      ],
      async (world, kept) => {
        const read = ["head", "tail"].map((name) =>
          Buffer.from(String(memberAt(kept, `${name}.content_base64`)), "base64"),
        );
        expect(Buffer.concat(read)).toEqual(
          Buffer.from((await world.filesOf(idIn(kept, "draft"))).get("long.txt") ?? []),
        );
      },
    ),
  );
});
