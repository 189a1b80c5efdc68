// Exports of records at every interface (R38, R19a): the landing page's address, `Accept` on the page and on the
// interface, Signposting; the same bytes everywhere.

import { beforeAll, describe, expect, test } from "bun:test";
import { CITATION_STYLES } from "../../src/formats/citation/styles/styles.ts";
import type { Item } from "../../src/model/items/item.ts";
import { EXPORT_FORMATS } from "../../src/repository/exports/formats.ts";
import { titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

let item: Item;
const world = setUpWorld({ pages: true });
beforeAll(async () => {
  const csv = await world.file("a.csv", "1,2", { mediaType: "text/csv" });
  const more = { publicationDate: "2020-05", temporals: [{ value: "1990 to 2000" }], languages: ["eng"] };
  item = await world.publish({
    metadata: titled("Records of tides", more),
    files: [csv, await world.file("b.csv", "3", { access: "closed" })],
  });
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => world.visitor("").get(path, headers);
const IDS: readonly string[] = EXPORT_FORMATS.map(({ id }) => id);
/** The first format of each media type: further ones are asked for by their profile. */
const FIRST = EXPORT_FORMATS.filter(
  ({ mediaType }, at) => EXPORT_FORMATS.findIndex((each) => each.mediaType === mediaType) === at,
);

describe("exports at every interface", () => {
  test("S3.6.216 all formats of the specification are available, with their media types", async () => {
    const specified =
      "json inveniordm jsonld datacite-json datacite-xml dublincore marcxml dcat csl bibtex citation geojson".split(
        " ",
      );
    expect(specified.filter((id) => !IDS.includes(id))).toEqual([]);
    for (const { id, contentType, mediaType } of EXPORT_FORMATS) {
      const { status, headers, text } = await get(`/records/${item.id}/export/${id}`);
      expect([id, status, headers.get("content-type")]).toEqual([id, 200, contentType ?? mediaType]);
      expect(text.length).toBeGreaterThan(20);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("link")).toBe(
        `<http://repository.test/records/${item.id}>; rel="describes"; type="text/html"`,
      );
    }
  });

  test("S3.6.216 R38 the bytes are the same by the export's address, by Accept on the page and on the interface", async () => {
    for (const { id, mediaType } of FIRST) {
      const { text } = await get(`/records/${item.id}/export/${id}`);
      for (const endpoint of [`/records/${item.id}`, `/api/records/${item.id}`]) {
        const answer = await get(endpoint, { accept: mediaType });
        expect([endpoint, id, answer.status]).toEqual([endpoint, id, 200]);
        expect(answer.text).toBe(text);
        expect(answer.headers.get("vary")).toContain("Accept");
      }
    }
  });

  test("S3.6.216 formats of one media type are distinguished by their profile", async () => {
    const accept = 'application/ld+json;profile="https://w3id.org/ro/crate"';
    const crate = await get(`/records/${item.id}/export/ro-crate`);
    expect((await get(`/records/${item.id}`, { accept })).text).toBe(crate.text);
    expect((await get(`/records/${item.id}`, { accept: "application/ld+json" })).text).toContain("https://schema.org");
  });

  test.each([
    "text/html",
    "*/*",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
    "application/x-bibtex;q=0.1, text/html",
    "image/png",
  ])("S3.6.216 R19a who accepts %p gets the landing page", async (accept) => {
    const { headers } = await get(`/records/${item.id}`, { accept });
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("vary")).toContain("Accept");
  });

  test.each(["*/*", "application/json", "text/html, */*;q=0.1"])("S3.6.216 R37 Accept %p gets JSON", async (accept) => {
    const { headers, text } = await get(`/api/records/${item.id}`, { accept });
    expect(headers.get("content-type")).toContain("application/json");
    expect(JSON.parse(text).id).toBe(String(item.id));
  });

  test("S3.6.217 an export has ETag and Last-Modified, and who has it already gets 304", async () => {
    for (const path of [`/records/${item.id}/export/csl`, `/records/${item.id}/export/json`]) {
      const { headers } = await get(path);
      const etag = headers.get("etag") ?? "";
      const modified = headers.get("last-modified") ?? "";
      const again = await get(path, { "if-none-match": etag });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      expect((await get(path, { "if-modified-since": modified })).status).toBe(304);
      expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
    }
  });

  test("S3.6.217 what has another format has another ETag", async () => {
    const tags = await Promise.all(
      IDS.map(async (id) => (await get(`/records/${item.id}/export/${id}`)).headers.get("etag")),
    );
    expect(new Set(tags).size).toBe(IDS.length);
  });

  test("S3.6.214 style and locale of a citation are asked for in the query, at each interface", async () => {
    const query = "?style=apa&locale=en-GB";
    const cited = await get(`/records/${item.id}/export/citation${query}`);
    expect(cited.text).toMatch(/^Doe, A\. \(2020\)\. Records of tides/);
    expect(cited.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const accept = "text/x-bibliography";
    expect((await get(`/api/records/${item.id}${query}`, { accept })).text).toBe(cited.text);
    const japanese = await get(`/api/records/${item.id}`, { accept, "accept-language": "ja" });
    expect(japanese.text).toContain("入手先: ");
    expect(japanese.headers.get("vary")).toContain("Accept-Language");
  });

  test("S3.6.214 an unknown style is refused in the interface's own shape", async () => {
    const message = "Citation string style not found.";
    const query = "?style=no-such-style";
    const api = await get(`/api/records/${item.id}${query}`, { accept: "text/x-bibliography" });
    expect([api.status, JSON.parse(api.text)]).toEqual([400, { status: 400, message }]);
    const page = await get(`/records/${item.id}/export/citation${query}`);
    expect([page.status, page.text.includes(message)]).toEqual([400, true]);
  });

  test("R38 what a format has no place for is reported in a warning", async () => {
    const { headers } = await get(`/records/${item.id}/export/csl`);
    expect(headers.get("warning")).toBe('299 - "Period covered left out: the format has no place for it"');
    expect((await get(`/records/${item.id}/export/geojson`)).headers.get("warning")).toBeNull();
  });
});

describe("Signposting", () => {
  test("S3.6.218 R19a the landing page names every document with its type and profile, and the linkset", async () => {
    const link = (await get(`/records/${item.id}`)).headers.get("link") ?? "";
    for (const { id, mediaType, profile, isForMachines } of EXPORT_FORMATS) {
      if (isForMachines === true) continue;
      const at = `<http://repository.test/records/${item.id}/export/${id}>; rel="describedby"; type="${mediaType}"`;
      expect(link).toContain(profile === undefined ? at : `${at}; profile="${profile}"`);
    }
    for (const [id, type] of [
      ["linkset", "application/linkset+json"],
      ["linkset-text", "application/linkset"],
    ]) {
      expect(link).toContain(`<http://repository.test/records/${item.id}/export/${id}>; rel="linkset"; type="${type}"`);
    }
    expect(link.length).toBeLessThan(8_000);
  });

  test("S3.6.218 the linkset has the same links for the page, its files and its documents (RFC 9264)", async () => {
    const page = `http://repository.test/records/${item.id}`;
    const { linkset } = JSON.parse((await get(`/records/${item.id}/export/linkset`)).text);
    expect(linkset[0]).toMatchObject({
      anchor: page,
      "cite-as": [{ href: `https://ark.example.org/ark:${item.ark}` }],
      item: [{ href: `${page}/files/a.csv`, type: "text/csv" }],
    });
    expect(linkset[0].describedby).toHaveLength(EXPORT_FORMATS.filter(({ isForMachines }) => !isForMachines).length);
    const back = [{ href: page, type: "text/html" }];
    expect(linkset).toContainEqual({ anchor: `${page}/files/a.csv`, collection: back });
    expect(linkset).toContainEqual({ anchor: `${page}/export/csl`, describes: back });
    expect(JSON.stringify(linkset)).not.toContain("b.csv");
  });

  test("Q.200 the linkset as text has the links of the linkset as JSON, each with its anchor", async () => {
    type Context = { readonly anchor: string; readonly [rel: string]: unknown };
    const { linkset } = JSON.parse((await get(`/records/${item.id}/export/linkset`)).text) as {
      readonly linkset: readonly Context[];
    };
    const expected = linkset.flatMap(({ anchor, ...relations }) =>
      Object.entries(relations).flatMap(([rel, targets]) =>
        (targets as readonly { readonly href: string; readonly type?: string; readonly profile?: string }[]).map(
          ({ href, type = null, profile = null }) => JSON.stringify({ anchor, rel, href, type, profile }),
        ),
      ),
    );
    const { text, headers } = await get(`/records/${item.id}`, { accept: "application/linkset" });
    expect(headers.get("content-type")).toBe("application/linkset");
    const links = text.trimEnd().split(",\n");
    const attribute = (link: string, name: string): string | null =>
      new RegExp(`; ${name}="([^"]*)"`).exec(link)?.[1] ?? null;
    const found = links.map((link) =>
      JSON.stringify({
        anchor: attribute(link, "anchor"),
        rel: attribute(link, "rel"),
        href: /^<([^>]+)>/.exec(link)?.[1],
        type: attribute(link, "type"),
        profile: attribute(link, "profile"),
      }),
    );
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(found.length).toBeGreaterThan(30);
  });
});

describe("who gets an export", () => {
  test("S3.6.219 R2d a restricted record is exported to a caller who may read it and to nobody else", async () => {
    const facts = { openDate: "2020-01-01", embargoUntil: null, embargoReason: "" };
    const access = { record: "restricted", files: "restricted", ...facts } as const;
    const hidden = await world.publish({ metadata: titled("Hidden"), access });
    const token = await world.token(world.owner, ["item:read"]);
    for (const id of IDS) {
      const path = `/records/${hidden.id}/export/${id}`;
      const mine = await get(path, { authorization: `Bearer ${token}` });
      expect([id, (await get(path)).status, mine.status]).toEqual([id, 403, 200]);
    }
    const accept = "application/x-bibtex";
    expect((await get(`/api/records/${hidden.id}`, { accept })).status).toBe(403);
    expect((await get(`/records/${hidden.id}`, { accept })).status).toBe(403);
  });

  test("S3.6.219 R2g a file one may not have is not a file with a hash", async () => {
    const { text } = await get(`/records/${item.id}/export/jsonld`);
    expect(text).toContain("a.csv");
    expect(text).not.toContain("b.csv");
  });

  test("S3.6.219 R2c of a deleted record there is no export, of one that never was neither", async () => {
    const gone = await world.publish({ metadata: titled("Gone") });
    await world.items.remove(world.admin, gone.id, { reason: "duplicate", note: "" });
    for (const id of IDS) expect((await get(`/records/${gone.id}/export/${id}`)).status).toBe(410);
    const accept = "application/x-bibtex";
    expect((await get(`/api/records/${gone.id}`, { accept })).status).toBe(410);
    expect((await get("/records/999999/export/csl")).status).toBe(404);
    expect((await get("/api/records/999999", { accept })).status).toBe(404);
    expect((await get(`/records/${item.id}/export/nothing`)).status).toBe(404);
  });

  test("S3.6.219 R2a the number of a parent is read as the latest version", async () => {
    const own = await get(`/records/${item.id}/export/csl`);
    expect((await get(`/records/${item.parentId}/export/csl`)).text).toBe(own.text);
    const accept = "application/vnd.citationstyles.csl+json";
    expect((await get(`/api/records/${item.parentId}`, { accept })).text).toBe(own.text);
  });
});

describe("the box to cite from", () => {
  test("R19a R40 has each style and BibTeX as text, without a script", async () => {
    const { text } = await get(`/records/${item.id}`);
    expect(text).toContain("Doe, A. (2020). Records of tides");
    expect(text).toMatch(/<h3>Harvard<\/h3>\n<p class="cite">Doe, A\. \(2020\) “Records of tides/);
    expect(text).toMatch(/<h3>Vancouver<\/h3>\n<p class="cite">Doe A\. Records of tides/);
    const { text: bibtex } = await get(`/records/${item.id}/export/bibtex`);
    const entry = bibtex.replace(/^%.*\n/gm, "");
    const shown = /<pre class="cite"[^>]*>([^<]*)<\/pre>/.exec(text)?.[1] ?? "";
    expect(shown.replaceAll("&quot;", '"').replaceAll("&amp;", "&")).toBe(entry);
  });

  test("Q.40 Q.41 each style is named and shown, with the words of a button that copies it, and the export has the same", async () => {
    const { text } = await get(`/records/${item.id}`);
    expect(text).toMatch(/<div class="cites" data-copy="Copy" data-copied="Copied"/);
    expect(text).toMatch(/src="\/static\/copy-text-[0-9a-f]{12}\.js"/);
    const shown = [...text.matchAll(/<h3>([^<]+)<\/h3>\n<p class="cite">([^<]+)<\/p>/g)].map(([, name, line]) => [
      name,
      line,
    ]);
    expect(shown.map(([name]) => name)).toEqual(CITATION_STYLES.map(({ name }) => name));
    for (const [at, { id }] of CITATION_STYLES.entries()) {
      const { text: exported } = await get(`/records/${item.id}/export/citation?style=${id}`);
      expect([id, exported]).toEqual([id, `${shown[at]?.[1]?.replaceAll("&amp;", "&")}\n`]);
    }
    expect((await get(`/records/${item.id}/export/citation?style=sist`)).status).toBe(400);
    expect(text).toContain('<h3>RIS</h3>\n<pre class="cite">TY  - ');
  });

  test("R19a in Japanese the words around what is cited are Japanese", async () => {
    const { text } = await world.visitor("ja").get(`/records/${item.id}`);
    expect(text).toContain("ほかの書式・BibTeX・RIS");
    expect(text).toContain("入手先: ");
  });
});
