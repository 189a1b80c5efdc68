// Stories about files and versions (R30; S3.7.215 to S3.7.222): put in, replaced, carried over, sent in parts.
import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { METADATA } from "../../../support/record-calls.ts";
import type { RepositoryWorld } from "../../../support/repository-world.ts";
import { inSlowRing } from "../../../support/slow-ring.ts";
import { type Kept, calls, memberAt, refused, type Story } from "../../../support/tool-stories.ts";
import { idIn } from "./record-stories.ts";

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

/** Puts parts of an upload where their addresses say; those whose numbers are given, else all. */
async function putParts({ ask }: RepositoryWorld, kept: Kept, name: string, only?: readonly number[]): Promise<void> {
  const { parts, part_size: each, size } = memberAt(kept, name) as {
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

export const FILE_STORIES: readonly Story[] = [
  {
    name: "S3.7.215: a new version carries files over, has one replaced and is published beside the one before",
    over: "http",
    steps: [
      calls("registered", "create_record", { metadata: titled("Charts"), files: true }, {}, "first"),
      calls("registered", "upload_file", { recid: "$first.id", filename: "chart.txt", content_text: "old chart" }),
      calls("registered", "upload_file", { recid: "$first.id", filename: "legend.txt", content_text: "legend" }),
      calls("registered", "publish_record", { recid: "$first.id" }, { status: "published" }),
      refused("registered", "upload_file", { recid: "$first.id", filename: "chart.txt", content_text: "new chart" }, { status: 404, hint: "…new_version (recid $first.id)" }),
      calls("registered", "new_version", { recid: "$first.id", version: "2.0" }, { imported_files: 2, status: "new_version_draft" }, "second"),
      calls("registered", "upload_file", { recid: "$second.id", filename: "chart.txt", content_text: "new chart" }, { uploaded: true }),
      calls("registered", "publish_record", { recid: "$second.id" }, { status: "published", publication_date: "2026-11-20", version: { index: 2, is_latest: true, label: "2.0" } }),
      calls(null, "list_versions", { recid: "$first.id" }, { total: 2, versions: [{ id: "$second.id" }, { id: "$first.id" }] }),
      calls(null, "download_file", { recid: "$first.id", filename: "chart.txt" }, { text: "old chart" }),
      calls(null, "download_file", { recid: "$second.id", filename: "chart.txt" }, { text: "new chart" }),
    ],
    async afterwards(world, kept) {
      const words = async (id: number) => [...(await world.filesOf(id))].map(([name, bytes]) => `${name}: ${new TextDecoder().decode(bytes)}`).sort();
      expect(await words(idIn(kept, "first"))).toEqual(["chart.txt: old chart", "legend.txt: legend"]);
      expect(await words(idIn(kept, "second"))).toEqual(["chart.txt: new chart", "legend.txt: legend"]);
      expect((await world.item(idIn(kept, "second"))).content?.metadata.titles[0]?.value).toBe("Charts");
    },
  },
  {
    name: "S3.7.216: files are replaced and taken out before anything is published",
    over: "http",
    steps: [
      calls("registered", "create_record", { metadata: titled("Drafty files"), files: true }, {}, "draft"),
      calls("registered", "upload_file", { recid: "$draft.id", filename: "a.txt", content_text: "first" }, { uploaded: true }),
      calls("registered", "upload_file", { recid: "$draft.id", filename: "a.txt", content_text: "second", overwrite: false }, { exists: true, uploaded: false, size: 5 }),
      calls("registered", "upload_file", { recid: "$draft.id", filename: "a.txt", content_text: "the third" }, { uploaded: true, size: 9 }),
      calls("registered", "upload_file", { recid: "$draft.id", filename: "wrong.txt", content_text: "no" }),
      calls("registered", "delete_file", { recid: "$draft.id", filename: "wrong.txt" }, { deleted: "wrong.txt" }),
      refused("registered", "delete_file", { recid: "$draft.id", filename: "wrong.txt" }, { status: 404 }),
      refused("registered", "upload_file", { recid: "$draft.id", filename: "b.txt" }, { status: 400, message: "…exactly one of content_text, content_base64" }),
      calls("registered", "publish_record", { recid: "$draft.id" }, { files: { count: 1, total_bytes: 9 } }),
    ],
    async afterwards(world, kept) {
      const files = await world.filesOf(idIn(kept, "draft"));
      expect([...files].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)])).toEqual([["a.txt", "the third"]]);
    },
  },
  {
    name: "S3.7.217: a large file comes in parts, and is joined to what it was",
    over: "http",
    steps: [
      calls("registered", "create_record", { metadata: titled("A film of tides"), files: true }, {}, "draft"),
      refused("registered", "start_multipart_upload", { recid: "$draft.id", filename: "film.bin", size: LARGE.size, part_size: 1000 }, { status: 400, message: "…5242880" }),
      calls("registered", "start_multipart_upload", { recid: "$draft.id", filename: "film.bin", size: LARGE.size, part_size: LARGE.part }, { part_count: Math.ceil(LARGE.size / LARGE.part), hint: `…split -b ${LARGE.part}` }, "upload"),
      (world, kept) => putParts(world, kept, "upload"),
      calls("registered", "complete_multipart_upload", { recid: "$draft.id", filename: "film.bin" }, { status: "completed", size: LARGE.size, transfer: { type: "L" } }, "joined"),
      calls("registered", "complete_multipart_upload", { recid: "$draft.id", filename: "film.bin" }, { status: "completed" }),
      calls("registered", "publish_record", { recid: "$draft.id" }, { files: { count: 1, total_bytes: LARGE.size } }),
      calls(null, "download_file", { recid: "$draft.id", filename: "film.bin", offset: LARGE.part - 2, max_bytes: 4 }, { size: LARGE.size, truncated: true, next_offset: LARGE.part + 2 }, "piece"),
    ],
    async afterwards(world, kept) {
      const stored = (await world.filesOf(idIn(kept, "draft"))).get("film.bin") ?? new Uint8Array();
      const sum = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
      expect(sum(stored)).toBe(sum(bytesFrom(0, LARGE.size)));
      expect(Buffer.from(String(memberAt(kept, "piece.content_base64")), "base64")).toEqual(Buffer.from(bytesFrom(LARGE.part - 2, 4)));
    },
  },
  {
    name: "S3.7.218: a part that is missing is named, sent, and the upload completed; another is given up",
    over: "http",
    steps: [
      calls("registered", "create_record", { metadata: titled("Parts"), files: true }, {}, "draft"),
      calls("registered", "start_multipart_upload", { recid: "$draft.id", filename: "a.bin", size: 5 * MIB + 10, part_size: 5 * MIB }, { part_count: 2 }, "upload"),
      (world, kept) => putParts(world, kept, "upload", [1]),
      refused("registered", "complete_multipart_upload", { recid: "$draft.id", filename: "a.bin" }, { status: 400, message: "…got 1 out of 2 parts" }),
      refused("registered", "publish_record", { recid: "$draft.id" }, { status: 400 }),
      (world, kept) => putParts(world, kept, "upload", [2]),
      calls("registered", "complete_multipart_upload", { recid: "$draft.id", filename: "a.bin" }, { status: "completed" }),
      calls("registered", "start_multipart_upload", { recid: "$draft.id", filename: "b.bin", size: 10 }, { part_count: 1 }, "other"),
      calls("registered", "abort_multipart_upload", { recid: "$draft.id", filename: "b.bin" }, { aborted: "b.bin" }),
      refused("registered", "abort_multipart_upload", { recid: "$draft.id", filename: "a.bin" }, { status: 400, hint: "…delete_file" }),
      calls("registered", "publish_record", { recid: "$draft.id" }, { files: { count: 1 } }),
    ],
    async afterwards(world, kept) {
      expect([...(await world.filesOf(idIn(kept, "draft"))).keys()]).toEqual(["a.bin"]);
    },
  },
  {
    name: "S3.7.219: a file of what is published changes through a new version, as the refusal says",
    over: "both",
    steps: [
      calls("registered", "create_record", { metadata: titled("Versions $over"), files: true }, {}, "first"),
      calls("registered", "upload_file", { recid: "$first.id", filename: "a.txt", content_text: "one" }),
      calls("registered", "publish_record", { recid: "$first.id" }, { status: "published" }),
      refused("registered", "delete_file", { recid: "$first.id", filename: "a.txt" }, { hint: "…new_version (recid $first.id)" }),
      calls("registered", "new_version", { recid: "$first.id" }, { status: "new_version_draft" }, "second"),
      calls("registered", "upload_file", { recid: "$second.id", filename: "a.txt", content_text: "two" }, { size: 3 }),
      calls("registered", "update_record", { recid: "$second.id", metadata: titled("Versions $over") }, { was: "draft", now: "published" }),
      calls("registered", "new_version", { recid: "$second.id" }, {}, "third"),
      calls("registered", "delete_draft", { recid: "$third.id" }, { record_still_published: false }),
      calls(null, "get_record", { recid: "$second.id" }, { version: { index: 2, is_latest: true } }),
    ],
    async afterwards(world, kept) {
      const { json } = await world.ask(null, "GET", `/api/records/${idIn(kept, "first")}/versions`);
      expect((json as { hits: { total: number } }).hits.total).toBe(2);
      expect(new TextDecoder().decode((await world.filesOf(idIn(kept, "second"))).get("a.txt"))).toBe("two");
    },
  },
  {
    name: "S3.7.220: a long text is read piece by piece until nothing is left",
    over: "http",
    steps: [
      calls("registered", "create_record", { metadata: titled("A long text"), files: true }, {}, "draft"),
      calls("registered", "upload_file", { recid: "$draft.id", filename: "long.txt", content_text: "潮の満ち引き ".repeat(100) }, { size: 1900 }),
      calls("registered", "download_file", { recid: "$draft.id", filename: "long.txt", draft: true, max_bytes: 1000 }, { truncated: true, next_offset: 1000 }, "head"),
      calls("registered", "download_file", { recid: "$draft.id", filename: "long.txt", draft: true, max_bytes: 1000, offset: "$head.next_offset" }, { truncated: false }, "tail"),
      refused("other", "download_file", { recid: "$draft.id", filename: "long.txt", draft: true }, { status: 404 }),
    ],
    async afterwards(world, kept) {
      const read = ["head", "tail"].map((name) => Buffer.from(String(memberAt(kept, `${name}.content_base64`)), "base64"));
      expect(Buffer.concat(read)).toEqual(Buffer.from((await world.filesOf(idIn(kept, "draft"))).get("long.txt") ?? []));
    },
  },
  {
    name: "S3.7.221: who may not have files fetched is told how else they come",
    over: "http",
    steps: [
      calls("registered", "create_record", { metadata: titled("Fetched"), files: true }, {}, "draft"),
      refused("registered", "upload_file_from_url", { recid: "$draft.id", filename: "a.bin", url: "https://files.example.org/a.bin" }, { status: 403, hint: "…start_multipart_upload" }),
      calls("registered", "start_multipart_upload", { recid: "$draft.id", filename: "a.bin", size: 12 }, { part_count: 1 }, "upload"),
      (world, kept) => putParts(world, kept, "upload"),
      calls("registered", "complete_multipart_upload", { recid: "$draft.id", filename: "a.bin" }, { status: "completed", size: 12 }),
    ],
    async afterwards(world, kept) {
      const { json } = await world.ask("registered", "GET", `/api/records/${idIn(kept, "draft")}/draft/files`);
      expect((json as { entries: object[] }).entries).toMatchObject([{ key: "a.bin", status: "completed", size: 12 }]);
    },
  },
];
