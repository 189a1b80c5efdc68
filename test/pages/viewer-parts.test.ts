// Viewers of PDF, archives and RO-Crates (R49): what readers see of a file, what of hostile ones never
// reaches a page, and that the work is bounded.
import { describe, expect, test } from "bun:test";
import { PDF_FRAME_PATH } from "../../src/pages/frames/pdf-frame.ts";
import type { FileReader } from "../../src/repository/viewers/reading.ts";
import { viewZip } from "../../src/repository/viewers/zip.ts";
import { yieldToEventLoop } from "../../src/shared/time/event-loop.ts";
import { belowInATry, onReferenceMachine } from "../support/calibration.ts";
import { latinPdf } from "../support/text-files.ts";
import { aFile, TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";
import { join, le16, le32, le64, utf8Bytes, zip as writeZip } from "../support/zip-writer.ts";

const world = setUpWorld({ pages: true });

const OPEN = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;

/** The address of the page that shows a file of a new item; `rest`: its other files. */
async function viewOf(
  name: string,
  bytes: string | Uint8Array,
  mediaType: string,
  rest: Readonly<Record<string, string>> = {},
): Promise<string> {
  const files = [await world.file(name, bytes, { mediaType })];
  for (const [other, content] of Object.entries(rest)) files.push(await world.file(other, content));
  const item = await world.publish({ files, access: OPEN });
  return `/records/${item.id}/view/${encodeURIComponent(name)}`;
}

describe("PDF", () => {
  test("Q.100 Q.103 its page has the place of the frame and its source, a link to the file and its first words", async () => {
    const bytes = latinPdf(["Words of one"], ["Words of two"]);
    const path = await viewOf("a.pdf", bytes, "application/pdf");
    const before = await world.visitor().get(path);
    expect(before.text).toContain(
      `<div data-pdf data-frame="/viewers/pdf?lang=en" data-bytes="${path}/content" data-size="${bytes.length}" data-title="Pages of a.pdf">`,
    );
    expect(before.text).toContain(`<a href="${path.replace("/view/", "/files/")}">Open the file with the viewer`);
    expect(before.text).not.toContain("<iframe");
    const policy = before.headers.get("content-security-policy") ?? "";
    expect([policy.includes("frame-src 'self'"), policy.includes("unsafe")]).toEqual([true, false]);
    const file = await world.file("a.pdf", bytes);
    await world.store.transact((tx) =>
      tx.fullText.saveText({
        ...{ sha256: file.sha256, state: "done", reason: "", reader: 1, at: world.time.now },
        text: "Words <b>of</b> one\u202E\fWords of two\f3\f4\f5\fsix",
      }),
    );
    const after = (await world.visitor("ja").get(path)).text;
    expect(after).toContain("最初の5ページのテキスト");
    expect(after).toContain("Words &lt;b&gt;of&lt;/b&gt; one[U+202E]");
    expect([after.includes("Words of two"), after.includes("six")]).toEqual([true, false]);
  });

  test("Q.81 what only has the name or the media type of a PDF is not shown", async () => {
    const page = await viewOf("a.pdf", "<!doctype html><script>alert(1)</script>", "application/pdf");
    const { text } = await world.visitor().get(page);
    expect([text.includes("data-pdf"), text.includes("Its content is not of the kind")]).toEqual([false, true]);
    expect(text).not.toContain("alert(1)");
  });

  test("Q.100 Q.102 the frame has its own policy; its files alone allow other origins, and send no cookie", async () => {
    const frame = await world.visitor("ja").get(`${PDF_FRAME_PATH}?lang=ja`);
    const policy = frame.headers.get("content-security-policy") ?? "";
    expect(policy).toStartWith(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'",
    );
    expect(policy).toEndWith("frame-ancestors 'self'; sandbox allow-scripts");
    expect(policy).not.toMatch(/allow-same-origin|'unsafe-|https?:/);
    expect([frame.text.includes('<html lang="ja">'), frame.headers.get("access-control-allow-origin")]).toEqual([
      true,
      null,
    ]);
    const [, folder = ""] = /data-files="([^"]*)"/.exec(frame.text) ?? [];
    const types: readonly (readonly [string, string])[] = [
      ["code/pdf.min.mjs", "text/javascript; charset=utf-8"],
      ["code/pdf.worker.min.mjs", "text/javascript; charset=utf-8"],
      ["code/frame.css", "text/css; charset=utf-8"],
      ["cmaps/90ms-RKSJ-H.bcmap", "application/octet-stream"],
      ["cmaps/Adobe-Japan1-UCS2.bcmap", "application/octet-stream"],
      ["fonts/LiberationSans-Regular.ttf", "application/octet-stream"],
      ["wasm/jbig2.wasm", "application/wasm"],
      ["wasm/openjpeg.wasm", "application/wasm"],
    ];
    for (const [name, type] of types) {
      const { status, headers, text } = await world.visitor().get(`${folder}${name}`);
      expect([name, status, headers.get("content-type")]).toEqual([name, 200, type]);
      expect([name, headers.get("access-control-allow-origin"), headers.get("set-cookie")]).toEqual([name, "*", null]);
      expect([name, headers.get("content-encoding"), text.length > 100]).toEqual([name, null, true]);
    }
    const packed = await world.visitor().get(`${folder}wasm/jbig2.wasm`, { "accept-encoding": "br, gzip" });
    expect([packed.headers.get("content-encoding"), packed.headers.get("vary")]).toEqual(["gzip", "Accept-Encoding"]);
    for (const name of [
      "code/pdf.sandbox.min.mjs",
      "cmaps/__proto__.bcmap",
      "code/__proto__",
      "wasm/quickjs-eval.wasm",
    ]) {
      expect([name, (await world.visitor().get(`${folder}${name}`)).status]).toEqual([name, 404]);
    }
  });
});

/** An archive with everything that a list must survive. */
const hostile = (): Uint8Array =>
  writeZip([
    { name: "data/a b.txt", bytes: "words of a", deflate: true },
    { name: "data/deep/er/c.txt", bytes: "words of c" },
    { name: "../../etc/passwd", bytes: "up" },
    { name: "nul\0.txt", bytes: "nul" },
    { name: "turn\u202Efdp.exe", bytes: "turned" },
    { name: Uint8Array.from([0x93, 0xfa, 0x96, 0x7b, 0x2e, 0x74, 0x78, 0x74]), bytes: "Shift_JIS", utf8Flag: false },
    { name: "locked.txt", bytes: "x", both: { flags: 1 } },
    { name: "packed.txt", bytes: "x", both: { method: 12 } },
    { name: "bomb.bin", packed: new Uint8Array(50), both: { method: 8, sizeBytes: 3 * 1024 ** 3 } },
    { name: "wrong.txt", bytes: "wrong sum", both: { crc32: 1 } },
    { name: "long.txt", bytes: "longer than it states".repeat(9), deflate: true, both: { sizeBytes: 9 } },
    { name: "differs.txt", bytes: "x", local: { name: utf8Bytes("another.txt") } },
    { name: "shared.txt", bytes: "words of a", sharing: 1, central: { name: utf8Bytes("shared.txt") } },
    { name: "<script>.txt", bytes: "<script>alert(1)</script>" },
    { name: "empty/", bytes: "" },
  ]);

describe("ZIP archives", () => {
  const entries = (text: string): readonly (readonly [string, string])[] =>
    [...text.matchAll(/<a href="([^"]*\/entry\?n=\d+)"><bdi class="name">([^<]*)</g)].map(
      ([, href = "", name = ""]) => [name, href],
    );

  test("Q.104 Q.105 entries are listed folder by folder; what cannot be read states why", async () => {
    const path = await viewOf("a.zip", hostile(), "application/zip");
    const { text } = await world.visitor().get(path);
    expect(text).toContain("15 entries");
    expect(entries(text).map(([name]) => name)).toEqual([
      ...[
        "turn[U+202E]fdp.exe",
        "日本.txt",
        "wrong.txt",
        "long.txt",
        "differs.txt",
        "shared.txt",
        "&lt;script&gt;.txt",
      ],
    ]);
    for (const [name, fault] of [
      ["../../etc/passwd", "Damaged, or its name leads out of the archive"],
      ["nul[U+0000].txt", "Damaged, or its name leads out of the archive"],
      ["locked.txt", "Encrypted: it opens with a password only"],
      ["packed.txt", "Packed in a way that is not read here"],
      ["bomb.bin", "It inflates to more than is read here"],
    ] as const) {
      const row = text.split("<tr>").find((each) => each.includes(`<bdi class="name">${name}</bdi>`)) ?? "";
      expect([name, row.includes(fault), row.includes("href=")]).toEqual([name, true, false]);
    }
    expect(text).not.toMatch(/<script>(?!<)|\u202E|\0/);
    expect(text).toContain(`<a href="${path}?as=zip&amp;part=data"><bdi class="name">data</bdi></a>`);
    const folder = (await world.visitor("ja").get(`${path}?as=zip&part=data`)).text;
    expect(entries(folder)).toEqual([["a b.txt", `${path}/entry?n=1`]]);
    expect(folder).toContain("上のフォルダー");
    expect((await world.visitor().get(`${path}?as=zip&part=data/none`)).status).toBe(404);
    expect((await world.visitor().get(`${path}?as=zip&page=2`)).status).toBe(404);
  });

  test("Q.106 one entry is downloaded, verified, as an attachment that runs nowhere", async () => {
    const path = await viewOf("a.zip", hostile(), "application/zip");
    const visitor = world.visitor();
    const first = await visitor.get(`${path}/entry?n=1`);
    expect([first.status, first.text]).toEqual([200, "words of a"]);
    expect(first.headers.get("content-disposition")).toBe('attachment; filename="a b.txt"');
    for (const [name, value] of [
      ["content-type", "application/octet-stream"],
      ["content-length", "10"],
      ["x-content-type-options", "nosniff"],
      ["content-security-policy", "default-src 'none'; sandbox"],
    ] as const) {
      expect([name, first.headers.get(name)]).toEqual([name, value]);
    }
    expect((await visitor.get(`${path}/entry?n=6`)).text).toBe("Shift_JIS");
    const script = await visitor.get(`${path}/entry?n=14`);
    expect([script.headers.get("content-type"), script.text]).toEqual([
      "application/octet-stream",
      "<script>alert(1)</script>",
    ]);
    for (const n of [3, 4, 7, 8, 9, 10, 11, 12, 13]) {
      const { status, text } = await visitor.get(`${path}/entry?n=${n}`);
      expect([n, status, text.includes("The entry cannot be read")]).toEqual([n, 422, true]);
    }
    for (const n of ["0", "15", "16", "20001", "-1", "1.5", "", "x"]) {
      expect([n, (await visitor.get(`${path}/entry?n=${n}`)).status]).toEqual([n, 404]);
    }
  });

  test("Q.106 the rights of the archive hold for its entries; those who decide may read them", async () => {
    const bytes = hostile();
    const closed = await world.file("a.zip", bytes, { mediaType: "application/zip", access: "closed" });
    const item = await world.publish({ files: [closed], access: OPEN });
    const path = `/records/${item.id}/view/a.zip/entry?n=1`;
    expect((await world.visitor().get(path)).status).toBe(403);
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    expect((await owner.get(path)).headers.get("cache-control")).toBe("private, no-cache");
    await world.items.remove(world.admin, item.id);
    expect((await world.visitor().get(path)).status).toBe(410);
    const waiting = await world.pending({
      files: [await world.file("a.zip", bytes, { mediaType: "application/zip" })],
    });
    const proposed = `/workflow/activity/detail/${waiting.id}/view/a.zip/entry?n=`;
    expect((await world.visitor().get(`${proposed}1`)).status).toBe(303);
    const admin = world.visitor();
    await admin.signIn(await world.token(world.admin));
    expect((await admin.get(`${proposed}1`)).text).toBe("words of a");
    expect((await admin.get(`${proposed}7`)).status).toBe(422);
    expect((await admin.get(`${proposed}99`)).status).toBe(404);
  });

  test("Q.81 what is not a whole archive is not shown", async () => {
    const whole = hostile();
    for (const bytes of [whole.subarray(0, 300), whole.subarray(100), utf8Bytes("PK no archive".repeat(50))]) {
      const { status, text } = await world.visitor().get(await viewOf("a.zip", bytes, "application/zip"));
      expect([status, text.includes("Its content is not of the kind")]).toEqual([200, true]);
    }
  });

  /** An archive of `size` bytes whose directory is one entry again and again; counts the bytes that are read. */
  function repeating(entries: number) {
    const one = writeZip([{ name: "a/b.txt", bytes: "x" }]);
    const record = one.subarray(38, one.length - 22);
    const offset = 5 * 1024 ** 3;
    const bytes = entries * record.length;
    const end = join(
      ...[le32(0x06064b50), le64(44), le16(45), le16(45), le32(0), le32(0), le64(entries), le64(entries)],
      ...[le64(bytes), le64(offset), le32(0x07064b50), le32(0), le64(offset + bytes), le32(1)],
      ...[le32(0x06054b50), le16(0), le16(0), le16(0xffff), le16(0xffff), le32(0xffffffff), le32(0xffffffff), le16(0)],
    );
    const sizeBytes = offset + bytes + end.length;
    let read = 0;
    const reader = {
      file: aFile("a.zip", { sizeBytes }),
      read: async (first: number, length: number) => {
        read += length;
        return Uint8Array.from({ length: Math.min(length, sizeBytes - first) }, (_, at) => {
          const place = first + at - offset;
          if (place < 0) return 0;
          return (place < bytes ? record[place % record.length] : end[place - bytes]) ?? 0;
        });
      },
    };
    return { reader: reader as unknown as FileReader, read: () => read };
  }

  test.each([1_000_000, 40_000_000])("Q.105 of %d entries in a file above 4 GB the first are listed", async (count) => {
    const { reader, read } = repeating(count);
    const content = await viewZip(reader, { as: "zip", part: "a", page: 1 });
    if (content.kind !== "listing") throw new TypeError("It is a list");
    const { listing } = content;
    expect([listing.count, listing.listed, listing.isBroken]).toEqual([count, 20_000, false]);
    expect([listing.files.length, listing.pages]).toEqual([200, 100]);
    expect(read()).toBeLessThan(9 * 1024 * 1024);
  });
});

describe("lists of archives", () => {
  const PIECE_MS = 150;
  /** The most processor time between two turns of the event loop. */
  async function longestTurn(work: () => Promise<unknown>): Promise<{ readonly worstMs: number }> {
    let [longest, isOver] = [0, false];
    let last = process.cpuUsage();
    const turn = (): void => {
      const { user, system } = process.cpuUsage(last);
      longest = Math.max(longest, (user + system) / 1000);
      last = process.cpuUsage();
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await work();
    await yieldToEventLoop();
    isOver = true;
    return { worstMs: onReferenceMachine(longest) };
  }

  test("Q.261 20,000 entries, each in thirteen folders, are listed without blocking the event loop", async () => {
    const bytes = writeZip(
      Array.from({ length: 20_000 }, (_, at) => ({ name: `top/d${at}/e/f/g/h/i/j/k/l/m/n/o/p.txt`, bytes: "" })),
    );
    const reader = {
      file: aFile("a.zip", { sizeBytes: bytes.length }),
      read: async (first: number, length: number) => bytes.subarray(first, first + length),
    } as unknown as FileReader;
    const listed = async (): Promise<void> => {
      const content = await viewZip(reader, { as: "zip", part: "top", page: 100 });
      if (content.kind !== "listing") throw new TypeError("It is a list");
      const { folders, files, pages } = content.listing;
      expect([folders.length, files.length, pages]).toEqual([200, 0, 100]);
      expect(folders[199]).toMatchObject({ name: "d19999", path: ["top", "d19999"], count: 1 });
    };
    const { worstMs } = await belowInATry(PIECE_MS, () => longestTurn(listed));
    expect(worstMs).toBeLessThan(PIECE_MS);
    const path = "d7/e/f/g/h/i/j".split("/");
    const deep = await viewZip(reader, { as: "zip", part: ["top", ...path].join("/"), page: 1 });
    expect(deep).toMatchObject({ listing: { folders: [], files: [{ name: "k/l/m/n/o/p.txt" }] } });
  });
});

describe("RO-Crates", () => {
  const crate = (graph: readonly object[]): string =>
    JSON.stringify({
      "@context": "https://w3id.org/ro/crate/1.1/context",
      "@graph": [{ "@id": "ro-crate-metadata.json", "@type": "CreativeWork", about: { "@id": "./" } }, ...graph],
    });
  const SMALL = crate([
    { "@id": "./", "@type": "Dataset", name: "A <crate>", hasPart: [{ "@id": "data/" }, { "@id": "a%20b.txt" }] },
    { "@id": "data/", "@type": "Dataset", hasPart: [{ "@id": "./" }, { "@id": "data/" }, { "@id": "data/c.txt" }] },
    { "@id": "a%20b.txt", "@type": "File", name: "The words", author: { "@id": "#ada" } },
    { "@id": "data/c.txt", "@type": "File", url: "javascript:alert(1)", license: { "@id": "https://example.org/l" } },
    { "@id": "#ada", "@type": ["Person", "Agent"], name: "Ada\u202E", knows: { a: { b: 1 } } },
  ]);

  test("Q.108 the metadata of a crate is a tree with links to the files of the item", async () => {
    const path = await viewOf("ro-crate-metadata.json", SMALL, "application/json", { "a b.txt": "1", "x.txt": "2" });
    const { text } = await world.visitor().get(path);
    expect(text).toContain("5 entities");
    expect(text).toContain("A &lt;crate&gt;");
    expect(text).toContain(`href="${path.replace(/view\/.*/, "files/a%20b.txt")}"`);
    expect(text).toContain('href="https://example.org/l" rel="nofollow noopener"');
    expect(text).toContain("Ada[U+202E]");
    expect(text).toContain("Person, Agent");
    expect(text).toContain("javascript:alert(1)");
    expect(text).not.toMatch(/href="(?:javascript|[^"]*x\.txt)/);
    expect((await world.visitor().get(`${path}?as=json`)).text).toContain("@graph");
    expect((await world.visitor("ja").get(path)).text).toContain("構成要素ではないエンティティ");
  });

  test("Q.108 a crate in an archive leads to its entries", async () => {
    const bytes = writeZip([
      { name: "bag/ro-crate-metadata.json", bytes: SMALL, deflate: true },
      { name: "bag/a b.txt", bytes: "words" },
    ]);
    const path = await viewOf("crate.zip", bytes, "application/zip");
    expect((await world.visitor().get(path)).text).toContain(`href="${path}?as=zip&amp;part=ro-crate%3A"`);
    const { text } = await world.visitor().get(`${path}?as=zip&part=ro-crate%3A`);
    expect(text).toContain(`href="${path}/entry?n=2"`);
    const other = await viewOf("a.zip", hostile(), "application/zip");
    expect((await world.visitor().get(`${other}?as=zip&part=ro-crate%3A`)).status).toBe(404);
  });

  test("Q.108 a crate that is none, nests or is too large is bounded", async () => {
    const parts = Array.from({ length: 3_000 }, (_, at) => ({
      "@id": `p${at}`,
      "@type": "File",
      hasPart: { "@id": `p${at + 1}` },
    }));
    const deep = await viewOf(
      "ro-crate-metadata.json",
      crate([{ "@id": "./", hasPart: { "@id": "p0" } }, ...parts]),
      "application/json",
    );
    const { text } = await world.visitor().get(deep);
    expect(text).toContain("3,001 entities");
    expect(text).toContain("2,001 more entities are not shown.");
    expect(text.length).toBeLessThan(400_000);
    for (const [document, reason] of [
      ["{}", "Its content is not of the kind"],
      [crate([]), "Its content is not of the kind"],
      ["[".repeat(100_000), "nests deeper"],
      ["not JSON", "Its content is not of the kind"],
    ] as const) {
      const page = await viewOf("ro-crate-metadata.json", document, "application/json");
      expect([document.slice(0, 20), (await world.visitor().get(page)).text.includes(reason)]).toEqual([
        document.slice(0, 20),
        true,
      ]);
    }
  });
});
