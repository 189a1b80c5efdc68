// Viewers of PDF, archives and RO-Crates (R49): what readers see of a file, what of hostile ones never
// reaches a page, and that the work is bounded.
import { describe, expect, test } from "bun:test";
import { PDF_FRAME_PATH } from "../../src/pages/frames/pdf-frame.ts";
import { latinPdf } from "../support/text-files.ts";
import { TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

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
