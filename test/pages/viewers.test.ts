// Viewers of text, tables and documents (R49): what readers see of a file without downloading it, and what of
// hostile files never reaches a page.
import { describe, expect, test } from "bun:test";
import { unpacking } from "../../src/adapters/unpacking.ts";
import type { ItemFile } from "../../src/model/items/item.ts";
import { viewing } from "../../src/repository/viewers/viewing.ts";
import { streamOf } from "../../src/shared/bytes/byte-streams.ts";
import { aFile, TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });

const OPEN = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;

const BINARY = "\u0001\u0002\u0000\u0000\u0003\u0004".repeat(9);

/** The address of the page that shows a file of a new item. */
async function viewOf(name: string, bytes: string, fields: Partial<ItemFile> = {}): Promise<string> {
  const file = await world.file(name, bytes, fields);
  const item = await world.publish({ files: [file], access: OPEN });
  return `/records/${item.id}/view/${encodeURIComponent(file.name)}`;
}

describe("the page that shows a file", () => {
  test("Q.80 the row of a file links it where a viewer suits and the reader may have the file", async () => {
    const files = [
      await world.file("a.txt", "one", { mediaType: "text/plain" }),
      await world.file("b.bin", BINARY, { mediaType: "application/octet-stream" }),
      await world.file("c.txt", "two", { mediaType: "text/plain", access: "closed" }),
    ];
    const item = await world.publish({ files, access: OPEN });
    const { text } = await world.visitor().get(`/records/${item.id}`);
    expect([...text.matchAll(/href="([^"]*\/view\/[^"]*)"/g)].map(([, href]) => href)).toEqual([
      `/records/${item.id}/view/a.txt`,
    ]);
    const closed = await world.visitor().get(`/records/${item.id}/view/c.txt`);
    expect([closed.status, closed.text.includes("two")]).toEqual([403, false]);
    expect((await world.visitor().get(`/records/${item.id}/view/c.txt/content`)).status).toBe(403);
    expect((await world.visitor().get(`/records/${item.id}/view/d.txt`)).status).toBe(404);
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    expect((await owner.get(`/records/${item.id}/view/c.txt`)).text).toContain("two");
  });

  test("Q.80 the number that ties versions together leads to the file of the latest one", async () => {
    const item = await world.publish({ files: [await world.file("a b.txt", "one", { mediaType: "text/plain" })] });
    const { status, headers } = await world.visitor().get(`/records/${item.parentId}/view/a%20b.txt?page=2`);
    expect([status, headers.get("location")]).toEqual([302, `/records/${item.id}/view/a%20b.txt?page=2`]);
  });

  test("Q.80 files that are decided about are shown to those who decide", async () => {
    const waiting = await world.pending({
      files: [await world.file("a.txt", "pending words", { mediaType: "text/plain" })],
    });
    const page = `/workflow/activity/detail/${waiting.id}`;
    const admin = world.visitor();
    await admin.signIn(await world.token(world.admin));
    expect((await admin.get(page)).text).toContain(`href="${page}/view/a.txt"`);
    expect((await admin.get(`${page}/view/a.txt`)).text).toContain("pending words");
    expect((await admin.get(`${page}/view/a.txt/content`)).text).toBe("pending words");
    const other = world.visitor();
    await other.signIn(await world.token(await world.person("other", [3])));
    expect((await other.get(`${page}/view/a.txt`)).status).toBe(404);
    expect((await other.get(`${page}/view/a.txt/content`)).status).toBe(404);
  });

  test("Q.80 R19a pages are asked for again by their tag, bytes by ranges; what was deleted is gone", async () => {
    const waiting = await world.pending({
      files: [await world.file("a.txt", "pending words", { mediaType: "text/plain" })],
    });
    const admin = world.visitor();
    await admin.signIn(await world.token(world.admin));
    const item = await world.publish({ files: [await world.file("a.txt", "abcdef", { mediaType: "text/plain" })] });
    for (const base of [`/records/${item.id}`, `/workflow/activity/detail/${waiting.id}`]) {
      for (const path of [`${base}/view/a.txt`, `${base}/view/a.txt/content`]) {
        const etag = (await admin.get(path)).headers.get("etag") ?? "";
        expect([path, (await admin.get(path, { "if-none-match": etag })).status]).toEqual([path, 304]);
      }
      const bytes = `${base}/view/a.txt/content`;
      const part = await admin.get(bytes, { range: "bytes=1-2" });
      expect([part.status, part.text.length]).toEqual([206, 2]);
      expect((await admin.get(bytes, { range: "bytes=99-" })).status).toBe(416);
    }
    await world.items.remove(world.admin, item.id);
    for (const path of ["a.txt", "a.txt/content"]) {
      expect((await world.visitor().get(`/records/${item.id}/view/${path}`)).status).toBe(410);
    }
    const token = await world.token(world.admin, ["item:create"]);
    const headers = { authorization: `Bearer ${token}`, accept: "text/html" };
    for (const path of ["a.txt", "a.txt/content"]) {
      const page = `/workflow/activity/detail/${waiting.id}/view/${path}`;
      expect((await world.visitor().get(page, headers)).status).toBe(403);
      expect((await world.visitor().get(page)).status).toBe(303);
    }
  });

  test("Q.80 R2d files under embargo, of drafts and behind links are shown to those who may have them", async () => {
    const file = await world.file("a.txt", "hidden words", { mediaType: "text/plain" });
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    const embargoed = await world.publish({ files: [file], access: { ...OPEN, embargoUntil: "2099-01-01" } });
    const { content } = embargoed;
    if (content === null) throw new Error("It has content");
    const draft = (await world.items.createDraft(world.owner, { content })).item;
    for (const [id, status] of [
      [embargoed.id, 403],
      [draft.id, 404],
    ] as const) {
      const path = `/records/${id}/view/a.txt`;
      const refused = await world.visitor().get(path);
      expect([refused.status, refused.text.includes("hidden words")]).toEqual([status, false]);
      const shown = await owner.get(path);
      expect([shown.status, shown.text.includes("hidden words")]).toEqual([200, true]);
      expect(shown.headers.get("cache-control")?.startsWith("private")).toBe(true);
    }
    const headers = { authorization: `Bearer ${await world.token(world.owner)}` };
    const body = JSON.stringify({ permission: "view" });
    const made = await world
      .visitor()
      .send(`/api/records/${embargoed.id}/access/links`, { method: "POST", headers, body });
    const { token } = JSON.parse(made.text);
    const reader = world.visitor();
    await reader.get(`/records/${embargoed.id}?token=${token}`);
    expect((await reader.get(`/records/${embargoed.id}/view/a.txt`)).text).toContain("hidden words");
  });

  test("Q.81 what cannot be shown states why in both languages and offers the download", async () => {
    const none = await viewOf("b.bin", BINARY, { mediaType: "application/octet-stream" });
    const { status, text } = await world.visitor().get(none);
    expect([status, text.includes("There is no viewer for files of this kind.")]).toEqual([200, true]);
    expect(text).toContain(`href="${none.replace("/view/", "/files/")}?download=1"`);
    expect((await world.visitor("ja").get(none)).text).toContain("この種類のファイルを表示する機能がありません。");
    expect((await world.visitor().get(`${none}/content`)).status).toBe(404);
    const empty = await viewOf("a.txt", "", { mediaType: "text/plain" });
    expect((await world.visitor().get(empty)).text).toContain("The file is empty.");
    const wrong = await viewOf("a.txt", BINARY, { mediaType: "text/plain" });
    expect((await world.visitor().get(wrong)).text).toContain("Its content is not of the kind");
  });
});

describe("text and code", () => {
  test("Q.83 lines have numbers and addresses, 500 a page", async () => {
    const lines = Array.from({ length: 1_203 }, (_, at) => `line <${at + 1}>`);
    const path = await viewOf("a.py", lines.join("\r\n"), { mediaType: "text/x-python" });
    const first = (await world.visitor().get(path)).text;
    expect(first).toContain(`id="L1" tabindex="-1">1</a><bdi>line &lt;1&gt;</bdi>`);
    expect([first.includes('id="L500"'), first.includes('id="L501"')]).toEqual([true, false]);
    const last = (await world.visitor().get(`${path}?as=text&page=3`)).text;
    expect(last).toContain("Lines 1,001 to 1,203 of 1,203");
    expect([last.includes('id="L1000"'), last.includes('id="L1001"'), last.includes('id="L1203"')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("Q.83 Q.82 of a line of 2 MB the beginning is shown", async () => {
    const path = await viewOf("a.txt", "あ".repeat(700_000), { mediaType: "text/plain" });
    const { text } = await world.visitor().get(path);
    expect(text).toContain("… 699,000 more characters in this line");
    expect(text.length).toBeLessThan(20_000);
  });

  test.each([
    ["page.txt", "text/html", "<script>alert(1)</script>"],
    ["page.html", "text/html", '<img src=x onerror="alert(1)">'],
    ["drawing.svg", "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["style.css", "text/css", "</pre><style>*{display:none}</style>"],
  ])("R49 Q.82 %s (%s) is text and nothing else", async (name, mediaType, content) => {
    const path = await viewOf(name, content, { mediaType });
    const { text, headers } = await world.visitor().get(`${path}?as=text`);
    expect(text).not.toContain(content);
    expect(text).toContain(content.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"));
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toMatch(/unsafe|data:|blob:|\*/);
    const bytes = await world.visitor().get(`${path}/content`);
    expect(bytes.headers.get("content-security-policy")?.endsWith("sandbox")).toBe(true);
    expect(bytes.headers.get("x-content-type-options")).toBe("nosniff");
    if (mediaType !== "image/svg+xml") return;
    expect(bytes.headers.get("content-disposition")?.startsWith("attachment;")).toBe(true);
  });

  test("Q.82 characters that are not seen or turn the text round are written as numbers", async () => {
    const path = await viewOf("a.txt", "if (a\u202E && b\u2066)\u0000\tend\u200B".padEnd(4_000, "x"), {
      mediaType: "text/plain",
    });
    const { text } = await world.visitor().get(path);
    expect(text).toContain("if (a[U+202E] &amp;&amp; b[U+2066])[U+0000]\tend[U+200B]xxx");
    expect([..."\u202E\u2066\0\u200B"].filter((each) => text.includes(each))).toEqual([]);
  });
});

describe("documents", () => {
  test("Q.85 R49 Markdown is a document; links lead to the web and to files of the item that the reader may have", async () => {
    const source = `# Read me

See [the data](data/a%20b.csv), [the secret](./secret.csv) and [the web](https://example.org).
![plot](https://example.org/plot.png) <script>alert(1)</script> [x](javascript:alert(1))\u202E`;
    const files = [
      await world.file("README.md", source, { mediaType: "text/plain" }),
      await world.file("data%2Fa%20b.csv", "a,b", { mediaType: "text/csv" }),
      await world.file("secret.csv", "a,b", { mediaType: "text/csv", access: "closed" }),
    ];
    const item = await world.publish({ files, access: OPEN });
    const path = `/records/${item.id}/view/README.md`;
    const { text, headers } = await world.visitor().get(path);
    expect(text).toContain("<h2>Read me</h2>");
    const main = text.slice(text.indexOf('class="markdown"'), text.indexOf("</main>"));
    expect([...main.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      `/records/${item.id}/view/data%252Fa%2520b.csv`,
      "https://example.org",
      "https://example.org/plot.png",
    ]);
    expect(main).toContain("&lt;script&gt;alert(1)&lt;/script&gt; x[U+202E]");
    expect(main).not.toMatch(/<(?:script|img|iframe|svg)/);
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe|data:|http|\*/);
    // The other way to see it.
    expect(text).toContain(`href="${path}?as=text"`);
    expect((await world.visitor().get(`${path}?as=text`)).text).toContain("# Read me");
  });

  test("Q.85 Q.81 a document of too many parts, or too large, states it", async () => {
    const many = await viewOf("a.md", "- x\n".repeat(60_000));
    expect((await world.visitor().get(many)).text).toContain("It has more parts, or nests deeper");
    const large = await viewOf("b.md", "x".repeat(1_048_577));
    expect((await world.visitor().get(large)).text).toContain("It is larger than the 1 MiB that this viewer reads.");
  });
});

describe("tables", () => {
  test("Q.86 Q.82 CSV is a table with the facts of its columns; formulas and markup are text", async () => {
    const rows = Array.from(
      { length: 250 },
      (_, at) => `${at + 1};2024-01-${String((at % 28) + 1).padStart(2, "0")};=1+${at}`,
    );
    const path = await viewOf("levels.csv", `番号;Day;<b>\n${rows.join("\n")}\n`, { mediaType: "text/csv" });
    const { text } = await world.visitor().get(path);
    expect(text).toContain("Rows 2 to 101 of 250.");
    expect(text).toContain(
      '<th scope="col" class="number">番号</th><th scope="col">Day</th><th scope="col">&lt;b&gt;</th>',
    );
    expect(text).toContain('<tr><th scope="row">2</th><td class="number">1</td><td>2024-01-01</td><td>=1+0</td></tr>');
    expect(text).toContain('<td>Date</td><td class="number">250</td><td>2024-01-01 to 2024-01-28</td>');
    expect(text).toContain(`href="${path}?page=3"`);
    const last = (await world.visitor("ja").get(`${path}?page=3`)).text;
    expect(last).toContain("250行中 202～251行目。");
    expect(last).toContain('<th scope="row">251</th><td class="number">250</td>');
  });

  test("Q.86 a table in Shift_JIS is read in it, and one that is HTML is a table of text", async () => {
    const bytes = new Uint8Array([0x96, 0xbc, 0x91, 0x4f, 0x2c, 0x61, 0x0a, 0x31, 0x2c, 0x32]);
    const stored = await world.files.storage.put(
      (async function* () {
        yield bytes;
      })(),
    );
    const { key, ...facts } = stored;
    const file = { ...(await world.file("a.csv", "x", { mediaType: "text/csv" })), ...facts, storageKey: key };
    const item = await world.publish({ files: [file], access: OPEN });
    expect((await world.visitor().get(`/records/${item.id}/view/a.csv`)).text).toContain(
      '<th scope="col" class="number">名前</th>',
    );
    const html = await viewOf("page.csv", "<script>alert(1)</script>,b\n1,2", { mediaType: "text/html" });
    const { text } = await world.visitor().get(html);
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).not.toContain("<script>alert");
  });
});

describe("data", () => {
  test("Q.87 Q.82 JSON and XML are trees that fold; values are text", async () => {
    const json = await viewOf("names.json", '{"<b>": ["</ul><script>", 1e400, {"deep": "a\\u202Eb"}]}', {
      mediaType: "application/json",
    });
    const { text } = await world.visitor().get(json);
    expect(text).toContain('<details open><summary><span class="kind">{ } 1 member</span></summary>');
    expect(text).toContain('<bdi class="key">&lt;b&gt;</bdi>: <span class="kind">[ ] 3 entries</span>');
    expect(text).toContain('<bdi class="text">&lt;/ul&gt;&lt;script&gt;</bdi>');
    expect(text).toContain('<bdi class="number">1e400</bdi>');
    expect(text).toContain("a[U+202E]b");
    expect((await world.visitor().get(`${json}?as=text`)).text).toContain('id="L1"');
    const svg = await viewOf("x.xml", `<svg onload="alert(1)"><a href='javascript:alert(1)'>x</a></svg>`, {
      mediaType: "image/svg+xml",
    });
    const shown = (await world.visitor().get(`${svg}?as=xml`)).text;
    expect(shown).toContain('<span class="key">svg</span> <span class="kind">onload=&quot;alert(1)&quot;</span>');
    expect(shown).not.toMatch(/<svg|href="javascript/);
  });

  test.each([
    ["a.json", "{broken", "Its content is not of the kind"],
    ["a.json", "[".repeat(2_000), "It has more parts, or nests deeper"],
    ["a.json", " ".repeat(8_388_609), "It is larger than the 8 MiB"],
    ["a.xml", "<a><b></a>", "Its content is not of the kind"],
    ["a.xml", "<a>".repeat(2_000), "It has more parts, or nests deeper"],
  ])("Q.81 Q.87 %s that cannot be shown states why, and is offered as text", async (name, content, reason) => {
    const path = await viewOf(name, content, { mediaType: "application/octet-stream" });
    const { status, text } = await world.visitor().get(path);
    expect([status, text.includes(reason), text.includes(`href="${path}?as=text"`)]).toEqual([200, true, true]);
  });
});

describe("notebooks", () => {
  const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const output = (data: object) => ({ output_type: "display_data", data });
  const notebookOf = (cells: readonly object[]) =>
    JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { kernelspec: { display_name: "Python 3" } }, cells });

  test("Q.88 texts, code, outputs and pictures are shown; what could run is named and left out", async () => {
    const cells = [
      { cell_type: "markdown", source: ["# Title\n", "*text* <script>alert(1)</script> [x](javascript:alert(1))"] },
      {
        cell_type: "code",
        execution_count: 3,
        source: "print('<b>')",
        outputs: [
          { output_type: "stream", text: ["one\n", "two"] },
          output({ "text/html": "<script>alert(2)</script>", "text/plain": "<Figure>" }),
          output({ "text/html": "<script>alert(3)</script>", "application/javascript": "alert(4)" }),
          output({ "image/svg+xml": "<svg onload='alert(5)'/>" }),
          output({ "image/png": `${PNG}\n`, "text/plain": "plot" }),
          output({ "image/png": 'x" onerror="alert(6)' }),
          output({ "image/jpeg": PNG }),
          { output_type: "error", traceback: ["\u001b[0;31mError\u001b[0m: no"] },
        ],
      },
      { cell_type: "raw", source: "raw" },
    ];
    const path = await viewOf("a.ipynb", notebookOf(cells), { mediaType: "application/json" });
    const { text, headers } = await world.visitor().get(path);
    const main = text.slice(text.indexOf("<main"), text.indexOf("</main>"));
    expect(main).toContain("<h2>Title</h2>");
    expect(main).toContain("Code, run 3");
    expect(main).toContain("print(&#39;&lt;b&gt;&#39;)");
    expect(main).toContain(">one\ntwo</pre>");
    expect(main).toContain("&lt;Figure&gt;");
    expect(main).toContain("An output is not shown here (text/html, application/javascript).");
    expect(main).toContain("An output is not shown here (image/svg+xml).");
    expect(main).toContain("Error: no");
    expect([...main.matchAll(/<img[^>]*>/g)].map(([tag]) => tag)).toEqual([
      `<img src="data:image/png;base64,${PNG}" alt="plot">`,
    ]);
    expect(main).not.toMatch(/alert\([2-6]\)|<script|<svg|href="javascript/);
    expect(headers.get("content-security-policy")).toContain("img-src 'self' data:;");
    expect(headers.get("content-security-policy")).toContain("script-src 'self';");
    const plain = await viewOf("b.ipynb", notebookOf(cells.slice(0, 1)), { mediaType: "application/json" });
    expect((await world.visitor().get(plain)).headers.get("content-security-policy")).not.toContain("data:");
  });

  test("Q.88 50 cells are on a page; long texts are cut; what is not a notebook is offered as JSON", async () => {
    const cells = Array.from({ length: 120 }, (_, at) => ({
      cell_type: "code",
      source: `cell ${at + 1}`,
      outputs: [],
    }));
    const path = await viewOf("a.ipynb", notebookOf(cells), { mediaType: "application/json" });
    const last = (await world.visitor().get(`${path}?page=3`)).text;
    expect([last.includes("cell 100<"), last.includes("cell 101<"), last.includes("cell 120<")]).toEqual([
      false,
      true,
      true,
    ]);
    const long = await viewOf("b.ipynb", notebookOf([{ cell_type: "code", source: "y".repeat(2_000_000) }]), {});
    const shown = (await world.visitor().get(long)).text;
    expect([shown.includes("… 1,980,000 more characters"), shown.length < 40_000]).toEqual([true, true]);
    const many = { cell_type: "markdown", source: "*a* ".repeat(5_000) };
    const marked = await viewOf("c.ipynb", notebookOf([many]), {});
    expect((await world.visitor().get(marked)).text).toContain("*a* *a*");
    const other = await viewOf("d.ipynb", '{"cells": []}', { mediaType: "application/json" });
    const { text } = await world.visitor().get(other);
    expect(text).toContain("Its content is not of the kind");
    expect(text).toContain(`href="${other}?as=json"`);
    expect((await world.visitor().get(await viewOf("e.ipynb", "{", {}))).text).toContain(
      "Its content is not of the kind",
    );
  });
});

test("R9a Q.82 of files above 1 MiB four are read at once, the others wait; small ones do not", async () => {
  const [large, small] = ["x\n".repeat(600_000), "y\n"].map((text) => new TextEncoder().encode(text));
  let [reading, longest] = [0, 0];
  const read = async (key: string, range?: { readonly first: number; readonly last: number }) => {
    const bytes = (key === "large" ? large : small)?.subarray(range?.first, (range?.last ?? 0) + 1) ?? new Uint8Array();
    const isWhole = bytes.length > 65_536;
    async function* stream() {
      if (isWhole) longest = Math.max(longest, ++reading);
      try {
        await new Promise((resolve) => setTimeout(resolve, 1));
        yield bytes;
      } finally {
        if (isWhole) reading -= 1;
      }
    }
    return { sizeBytes: bytes.length, stream: stream() };
  };
  const view = viewing({ read }, unpacking(), async () => "");
  const shown = (key: string, sizeBytes: number) =>
    view({ ...aFile("a.txt", { storageKey: key, sizeBytes }) }, { as: "", page: 1, part: "" }, async () => []);
  const all = [...Array.from({ length: 12 }, () => shown("large", 1_200_000)), shown("small", 2)];
  expect((await Promise.all(all)).map(({ viewer }) => viewer)).toEqual(all.map(() => "text"));
  expect(longest).toBe(4);
});

test.each([
  ["a.txt", 8_388_608, "text"],
  ["a.csv", 4_194_304, "table"],
  ["a.tsv", 4_194_304, "table"],
  ["a.md", 0, "too-large"],
  ["a.json", 0, "too-large"],
  ["a.xml", 0, "too-large"],
  ["a.ipynb", 0, "too-large"],
  ["a.xlsx", 200_000, "wrong-content"],
])(
  "R9a Q.81 of one line of a gigabyte, named %s, at most %d bytes and its head are read",
  async (name, limit, shown) => {
    const sizeBytes = 1_000_000_000;
    let taken = 0;
    const read = async (_: string, range?: { readonly first: number; readonly last: number }) => {
      const length = (range?.last ?? sizeBytes) - (range?.first ?? 0) + 1;
      async function* stream() {
        taken += length;
        yield new Uint8Array(length).fill(0x78);
      }
      return { sizeBytes, stream: stream() };
    };
    const view = viewing({ read }, unpacking(), async () => "");
    const file = aFile(name, { sizeBytes, mediaType: "application/octet-stream" });
    const { content } = await view(file, { as: "", page: 1, part: "" }, async () => []);
    const found: string = content.kind === "not-shown" ? content.reason : content.kind;
    expect(found).toBe(shown);
    expect(taken).toBeLessThanOrEqual(limit + 65_536);
  },
);

test("Q.83 Q.82 bytes of no character set are shown in the one that has a character for each", async () => {
  const bytes = Uint8Array.from([
    ...Array.from({ length: 3_000 }, (_, at) => 0x20 + (at % 0x5f)),
    0xff,
    0xfe,
    0xc3,
    0x28,
    0x00,
  ]);
  const view = viewing(
    { read: async () => ({ sizeBytes: bytes.length, stream: streamOf(bytes) }) },
    unpacking(),
    async () => "",
  );
  for (const name of ["a.txt", "a.csv", "a.md"]) {
    const file = aFile(name, { sizeBytes: bytes.length, mediaType: "text/plain" });
    const { content } = await view(file, { as: "", page: 1, part: "" }, async () => []);
    expect(JSON.stringify(content)).toContain("ÿþÃ(");
  }
});

test.each([
  ["a.txt", `${"\u200Ba".repeat(499)}\n`.repeat(500)],
  ["a.csv", `${`${"\u200Ba".repeat(99)},`.repeat(100)}\n`.repeat(100)],
  [
    "a.json",
    JSON.stringify(Array.from({ length: 200 }, () => Array.from({ length: 30 }, () => "\u200Ba".repeat(150)))),
  ],
  ["a.xml", `<a>${`<c>${`<b a='${"x".repeat(400)}'/>`.repeat(50)}</c>`.repeat(200)}</a>`],
  ["a.md", "\u200Ba".repeat(200_000)],
  ["b.md", "[\n".repeat(500_000)],
])("R9a Q.82 the page of %s with as many hidden characters as it may have is short", async (name, content) => {
  const path = await viewOf(name, content, {});
  const { status, text } = await world.visitor().get(path);
  expect([status, text.length < 2_500_000]).toEqual([200, true]);
  expect(text).not.toContain("\u200B");
});
