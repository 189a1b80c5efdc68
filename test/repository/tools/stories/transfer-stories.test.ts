// Stories about large files (R30; S3.7.217 to S3.7.221): sent in parts, given up, fetched.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { METADATA } from "../../../support/record-calls.ts";
import { inSlowRing } from "../../../support/slow-ring.ts";
import { guest, idIn, type Kept, memberAt, registered, stories } from "../../../support/tool-stories.ts";
import type { RepositoryWorld } from "../../../support/world/repository.ts";

const titled = (title: string) => ({ ...METADATA, title });
const MIB = 1024 * 1024;
/** Of the large upload: three parts that check has time for, a film in the slow ring. */
const LARGE = inSlowRing ? { size: 200 * MIB + 7, part: 64 * MIB } : { size: 12 * MIB, part: 5 * MIB };

/** Bytes that differ from place to place. */
function bytesFrom(start: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = ((start + at) * 31) % 251;
  return bytes;
}

/** Puts parts of an upload where their addresses state; those whose numbers are given, else all. */
async function putParts({ ask }: RepositoryWorld, kept: Kept, name: string, only?: readonly number[]): Promise<void> {
  const {
    parts,
    part_size: each,
    size,
  } = memberAt(kept, name) as {
    parts: { part: number; url: string }[];
    part_size: number;
    size: number;
  };
  for (const { part, url } of parts) {
    if (only !== undefined && !only.includes(part)) continue;
    const start = (part - 1) * each;
    const { pathname, search } = new URL(url);
    const body = bytesFrom(start, Math.min(each, size - start));
    const { status, text } = await ask(null, "PUT", `${pathname}${search}`, {
      headers: { "content-type": "application/octet-stream" },
      body,
    });
    if (status >= 300) throw new Error(`part ${part}: ${status} ${text}`);
  }
}

describe("R30 stories about large files", () => {
  const story = stories();

  test(
    "S3.7.217: a large file comes in parts, and is joined to what it was",
    story.run(
      "http",
      [
        registered("create_record", { metadata: titled("A film of tides"), files: true }).as("draft"),
        registered("start_multipart_upload", {
          recid: "$draft.id",
          filename: "film.bin",
          size: LARGE.size,
          part_size: 1000,
        }).refuses({ status: 400, message: "…5242880" }),
        registered("start_multipart_upload", {
          recid: "$draft.id",
          filename: "film.bin",
          size: LARGE.size,
          part_size: LARGE.part,
        })
          .gives({ part_count: Math.ceil(LARGE.size / LARGE.part), hint: `…split -b ${LARGE.part}` })
          .as("upload"),
        (world, kept) => putParts(world, kept, "upload"),
        registered("complete_multipart_upload", { recid: "$draft.id", filename: "film.bin" })
          .gives({ status: "completed", size: LARGE.size, transfer: { type: "L" } })
          .as("joined"),
        registered("complete_multipart_upload", { recid: "$draft.id", filename: "film.bin" }).gives({
          status: "completed",
        }),
        registered("publish_record", { recid: "$draft.id" }).gives({ files: { count: 1, total_bytes: LARGE.size } }),
        guest("download_file", { recid: "$draft.id", filename: "film.bin", offset: LARGE.part - 2, max_bytes: 4 })
          .gives({ size: LARGE.size, truncated: true, next_offset: LARGE.part + 2 })
          .as("piece"),
      ],
      async (world, kept) => {
        const stored = (await world.filesOf(idIn(kept, "draft"))).get("film.bin") ?? new Uint8Array();
        const sum = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
        expect(sum(stored)).toBe(sum(bytesFrom(0, LARGE.size)));
        expect(Buffer.from(String(memberAt(kept, "piece.content_base64")), "base64")).toEqual(
          Buffer.from(bytesFrom(LARGE.part - 2, 4)),
        );
      },
    ),
  );

  test(
    "S3.7.218: a part that is missing is named, sent, and the upload completed; another is given up",
    story.run(
      "http",
      [
        registered("create_record", { metadata: titled("Parts"), files: true }).as("draft"),
        registered("start_multipart_upload", {
          recid: "$draft.id",
          filename: "a.bin",
          size: 5 * MIB + 10,
          part_size: 5 * MIB,
        })
          .gives({ part_count: 2 })
          .as("upload"),
        (world, kept) => putParts(world, kept, "upload", [1]),
        registered("complete_multipart_upload", { recid: "$draft.id", filename: "a.bin" }).refuses({
          status: 400,
          message: "…got 1 out of 2 parts",
        }),
        registered("publish_record", { recid: "$draft.id" }).refuses({ status: 400 }),
        (world, kept) => putParts(world, kept, "upload", [2]),
        registered("complete_multipart_upload", { recid: "$draft.id", filename: "a.bin" }).gives({
          status: "completed",
        }),
        registered("start_multipart_upload", { recid: "$draft.id", filename: "b.bin", size: 10 })
          .gives({ part_count: 1 })
          .as("other"),
        registered("abort_multipart_upload", { recid: "$draft.id", filename: "b.bin" }).gives({ aborted: "b.bin" }),
        registered("abort_multipart_upload", { recid: "$draft.id", filename: "a.bin" }).refuses({
          status: 400,
          hint: "…delete_file",
        }),
        registered("publish_record", { recid: "$draft.id" }).gives({ files: { count: 1 } }),
      ],
      async (world, kept) => {
        expect([...(await world.filesOf(idIn(kept, "draft"))).keys()]).toEqual(["a.bin"]);
      },
    ),
  );

  test(
    "S3.7.221: who may not have files fetched learns the other ways",
    story.run(
      "http",
      [
        registered("create_record", { metadata: titled("Fetched"), files: true }).as("draft"),
        registered("upload_file_from_url", {
          recid: "$draft.id",
          filename: "a.bin",
          url: "https://files.example.org/a.bin",
        }).refuses({ status: 403, hint: "…start_multipart_upload" }),
        registered("start_multipart_upload", { recid: "$draft.id", filename: "a.bin", size: 12 })
          .gives({ part_count: 1 })
          .as("upload"),
        (world, kept) => putParts(world, kept, "upload"),
        registered("complete_multipart_upload", { recid: "$draft.id", filename: "a.bin" }).gives({
          status: "completed",
          size: 12,
        }),
      ],
      async (world, kept) => {
        const { json } = await world.ask("registered", "GET", `/api/records/${idIn(kept, "draft")}/draft/files`);
        expect((json as { entries: object[] }).entries).toMatchObject([
          { key: "a.bin", status: "completed", size: 12 },
        ]);
      },
    ),
  );
});
