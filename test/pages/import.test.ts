// A draft filled in from a DOI or a document, without script: what was found next to what is there, one save of what
// was chosen, and what cannot be read or has no place.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Access } from "../../src/model/items/item.ts";
import { EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { onEachDatabase } from "../support/databases.ts";
import { csrfIn, type PagesWorld, pagesWorld, type Visitor } from "../support/world/pages.ts";

const RIS = `TY  - JOUR
AU  - 山田, 太郎
AU  - World Health Organization
TI  - Water & light
JF  - Journal of Lakes
DA  - 2021/03/09
DO  - 10.5555/ris
KW  - lakes
M3  - Article
ER  -
TY  - BOOK
TI  - 本
AU  - Roe, Jane
PY  - 1998
ER  -
`;
const BIB = "@book{x, title = {Only one}, author = {Roe, Jane}, year = 2001, howpublished = {by hand}}";
const DOI = "10.5555/a(b)/ü";
const CROSSREF = {
  message: {
    ...{
      DOI: "10.5555/A(B)/ü",
      type: "journal-article",
      title: ["A lake"],
      author: [{ family: "Roe", given: "Jane" }],
    },
    ...{ published: { "date-parts": [[2020, 5]] }, publisher: "Acme", reference: [{ key: "1" }] },
  },
};

const location = ({ headers }: { readonly headers: Headers }): string => headers.get("location") ?? "";
const unescaped = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
/** Hidden fields of a page, as a browser sends them. */
function hiddenFields(html: string): [string, string][] {
  const inputs = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const areas = [...html.matchAll(/<textarea name="(\w+)" hidden>\n([^<]*)<\/textarea>/g)];
  return [...inputs, ...areas].map(([, name = "", value = ""]) => [name, unescaped(value)]);
}
/** The boxes of the comparison: marked or not. */
const boxes = (html: string): Record<string, boolean> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="checkbox" id="take-\w+" name="take" value="(\w+)"( checked)?/g)].map(
      ([, member = "", checked]) => [member, checked !== undefined],
    ),
  );

describe("filling in a draft", () => {
  onEachDatabase((database) => {
    let world: PagesWorld;
    let owner: Visitor;
    let other: Visitor;
    let service: Server;
    const asked: string[] = [];

    beforeAll(async () => {
      service = createServer((request, response) => {
        asked.push(request.url ?? "");
        const doi = decodeURIComponent((request.url ?? "").replace("/works/", ""));
        if (doi === "10.5555/moved") response.writeHead(302, { location: "http://127.0.0.2:1/works/x" }).end();
        else if (doi === "10.5555/broken") response.end("<html>");
        else if (doi === DOI) response.end(JSON.stringify(CROSSREF));
        else response.writeHead(404).end();
      });
      await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening));
      const { port } = service.address() as AddressInfo;
      const env = { SVC_TOOL_ITEM_TYPE: "2", SVC_COMPLETION_CROSSREF_URL: `http://127.0.0.1:${port}` };
      world = await pagesWorld({ env, ...(database.name === "SQLite" ? {} : { url: await database.url() }) });
      owner = world.visitor();
      await owner.signIn(await world.token(world.owner));
      other = world.visitor("ja");
      await other.signIn(await world.token(await world.person("other", [3])));
    });
    afterAll(async () => {
      await world.close();
      service.close();
    });

    async function draft(fields: Readonly<Record<string, string>> = {}): Promise<number> {
      const page = await owner.get("/deposit");
      const made = await owner.post("/deposit", { csrf: csrfIn(page.text), import: "yes", ...fields });
      expect([made.status, location(made)]).toEqual([303, expect.stringMatching(/^\/deposit\/\d+\/import$/)]);
      return Number(/\d+/.exec(location(made))?.[0]);
    }
    async function send(id: number, fields: Readonly<Record<string, string | File>>, visitor = owner) {
      const page = await visitor.get("/deposit");
      const form = new FormData();
      for (const [name, value] of Object.entries({ csrf: csrfIn(page.text), ...fields })) form.set(name, value);
      if (fields.file === undefined) form.set("file", new File([], ""));
      const request = new Request("http://repository.test/", { method: "POST", body: form });
      const type = request.headers.get("content-type") ?? "";
      const body = await request.arrayBuffer();
      const headers = { "content-type": type, "content-length": `${body.byteLength}` };
      return await visitor.send(`/deposit/${id}/import`, { method: "POST", headers, body });
    }
    /** Takes what was shown; of repeated names all are sent. */
    const take = (id: number, fields: readonly (readonly [string, string])[], visitor = owner) =>
      visitor.send(`/deposit/${id}/import/take`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
      });
    const storedOf = async (id: number) => (await world.store.items.draft(id))?.content.metadata;

    test("P.154: a file with two works: one is chosen, its fields are shown next to the draft's, and taken in one save", async () => {
      const id = await draft({ "title.0.title": "Mine", "title.0.lang": "en" });
      const start = await owner.get(`/deposit/${id}/import`);
      expect([start.status, start.headers.get("cache-control")]).toEqual([200, "no-store"]);
      const chooses = await send(id, { file: new File([RIS], "works.ris") });
      expect([
        chooses.status,
        chooses.text.includes("Water &amp; light"),
        chooses.text.includes("Roe, Jane, 1998 · line 11"),
      ]).toEqual([200, true, true]);
      const compared = await send(id, { ...Object.fromEntries(hiddenFields(chooses.text)), entry: "0" });
      expect(compared.status).toBe(200);
      expect(compared.text).toContain("<li>Journal article</li>");
      expect(boxes(compared.text)).toEqual({
        ...{ type: true, titles: false, creators: true, subjects: true },
        ...{ publicationDate: true, identifiers: true, containers: true },
      });
      expect(compared.text).toContain('<td><p class="hint">In the draft:</p><ul class="bare"><li>Mine</li></ul></td>');
      expect(compared.text).toContain("<code>M3: Article</code>");
      expect((await storedOf(id))?.creators).toEqual([]);
      const taken = await take(id, [
        ...hiddenFields(compared.text),
        ...["creators", "publicationDate", "identifiers", "custom", "none"].map((name): [string, string] => [
          "take",
          name,
        ]),
      ]);
      expect([taken.status, location(taken)]).toEqual([303, `/deposit/${id}?saved=yes`]);
      const stored = await storedOf(id);
      expect(stored).toMatchObject({
        titles: [{ value: "Mine" }],
        creators: [
          { kind: "personal", names: [{ family: "山田", given: "太郎" }] },
          { kind: "organizational", names: [{ full: "World Health Organization" }] },
        ],
        dates: [{ date: "2021-03-09", type: "Issued" }],
        identifiers: [{ scheme: "DOI", value: "10.5555/ris" }],
        ...{ subjects: [], containers: [] },
      });
      const form = await owner.get(`/deposit/${id}`);
      expect(form.text).toContain('value="2021-03-09"');
      // The same again: nothing is left to take but what was not chosen.
      const again = await send(id, { text: RIS, entry: "0" });
      expect(boxes(again.text)).toEqual({ type: true, titles: false, subjects: true, containers: true });
      // What a document lacks is no fault of it.
      const short = await send(id, { text: "@book{x, title = {Short}}" });
      expect([short.status, short.text.includes("These values are not taken:")]).toEqual([200, false]);
      expect(again.text).toContain("The same already: Creators, ");
    });

    test("P.155: a DOI is asked for at the set address only, as one escaped part of the path", async () => {
      const id = await draft();
      const found = await send(id, { doi: ` https://doi.org/${DOI} ` });
      expect([found.status, asked.at(-1)]).toEqual([200, `/works/${encodeURIComponent(DOI)}`]);
      expect(found.text).toContain("The answer of Crossref.");
      expect(found.text).toContain("<code>message.reference</code>");
      const count = asked.length;
      const taken = await take(id, [...hiddenFields(found.text), ["take", "titles"]]);
      expect([taken.status, (await storedOf(id))?.titles]).toEqual([303, [{ value: "A lake", kind: "main" }]]);
      for (const [doi, words] of [
        ["10.5555/none", "Crossref does not know this DOI"],
        ["10.5555/moved", "Crossref could not be asked: it wanted to redirect to 127.0.0.2:1"],
        ["10.5555/broken", "It cannot be read: Cannot read the document: it is not JSON"],
      ] as const) {
        const { status, text } = await send(id, { doi });
        expect([doi, status, text.includes(words)]).toEqual([doi, 400, true]);
        expect(text).toContain('id="doi-error"');
      }
      expect(asked.length).toBe(count + 3);
      for (const doi of ["http://127.0.0.1:9/10.5555/x", "../../admin", "10.5555", `10.5555/${"x".repeat(600)}`]) {
        const { status, text } = await send(id, { doi });
        expect([doi.slice(0, 40), status, text.includes("This is not a DOI")]).toEqual([doi.slice(0, 40), 400, true]);
      }
      expect(asked.length).toBe(count + 3);
    });

    test("P.156: what cannot be read is an error at its field with the line, and what was typed stays", async () => {
      const id = await draft();
      const { status, text } = await send(id, { text: '@book{x,\n title = {"', format: "bibtex" });
      expect([status, text.includes("<title>Error: "), text.includes("title = {&quot;</textarea>")]).toEqual([
        400,
        true,
        true,
      ]);
      expect(text).toContain('id="text-error">It cannot be read: Line 2: a brace is never closed</p>');
      const file = (content: string | Uint8Array<ArrayBuffer>) => ({ file: new File([content], "x.txt") });
      for (const [sent, field, words] of [
        [{}, "doi", "Enter a DOI, choose a file or paste a text"],
        [{ doi: "10.5555/x", text: BIB }, "doi", "Give one of the three"],
        [{ text: BIB, ...file(BIB) }, "file", "Give one of the three"],
        [file("no format"), "format", "The format is not recognised"],
        [file(new Uint8Array([0xff, 0x41, 0x42])), "file", "not text in UTF-8"],
        [file("TY  - JOUR\nXX"), "file", ""],
        [file(`@book{x, note = {${"x".repeat(520 * 1024)}}}`), "file", "At most 512 KiB"],
      ] as const) {
        const answer = await send(id, sent);
        const at = answer.text.includes(`id="${field}-error"`);
        expect([words, answer.status, at]).toEqual([words, words === "" ? 200 : 400, words !== ""]);
        expect(answer.text).toContain(words);
      }
      expect((await send(id, file("x".repeat(700 * 1024)))).status).toBe(413);
      const many = await send(id, { text: BIB.repeat(101) });
      expect([many.status, many.text.includes("The document holds 101 works, at most 100 are shown")]).toEqual([
        400,
        true,
      ]);
      const wrong = await send(id, { text: '{"metadata": {"title": "T", "publication_date": "sometime"}}' });
      expect(wrong.text).toContain("These values are not taken:");
    });

    test("P.157: a field that somebody else changed meanwhile is asked about again; others are merged", async () => {
      const id = await draft({ "title.0.title": "First" });
      const compared = await send(id, { text: BIB });
      const page = await owner.get(`/deposit/${id}`);
      await owner.post(`/deposit/${id}`, {
        ...{ csrf: csrfIn(page.text), base: /name="base" value="([^"]*)"/.exec(page.text)?.[1] ?? "" },
        ...{ "title.0.title": "Second", save: "yes" },
      });
      const takes = (...members: readonly string[]): [string, string][] => [
        ...hiddenFields(compared.text),
        ...members.map((member): [string, string] => ["take", member]),
      ];
      const asks = await take(id, takes("titles", "creators"));
      expect([
        asks.status,
        asks.text.includes('id="take-titles-error"'),
        asks.text.includes("<li>Second</li>"),
      ]).toEqual([409, true, true]);
      expect([boxes(asks.text).titles, boxes(asks.text).type]).toEqual([true, false]);
      expect((await storedOf(id))?.creators).toEqual([]);
      expect((await take(id, takes("creators"))).status).toBe(303);
      expect(await storedOf(id)).toMatchObject({ titles: [{ value: "Second" }], creators: [{ kind: "personal" }] });
      // Decided: the value that was read.
      const decided = [...hiddenFields(asks.text).filter(([name]) => name !== "base"), ["take", "titles"]] as [
        string,
        string,
      ][];
      const { base } = Object.fromEntries(hiddenFields((await send(id, { text: BIB })).text));
      expect((await take(id, [...decided, ["base", base ?? ""]])).status).toBe(303);
      expect((await storedOf(id))?.titles[0]?.value).toBe("Only one");
    });

    test("P.158: the interface returns the works of a document, and of a DOI, and stores nothing", async () => {
      const authorization = `Bearer ${await world.token(world.owner)}`;
      const call = async (path: string, body?: string, type = "application/x-research-info-systems") => {
        const init = body === undefined ? {} : { method: "POST", body };
        const { status, text } = await world.visitor().send(`/api/records/import${path}`, {
          ...{ ...init, headers: { authorization, "content-type": type } },
        });
        return { status, json: JSON.parse(text) };
      };
      const made = () => call("", BIB, "application/x-bibtex");
      const before = await made();
      const { status, json } = await call("?dry_run=true", RIS);
      const after = await made();
      expect([status, json.works.length, Number(after.json.id)]).toEqual([200, 2, Number(before.json.id) + 2]);
      expect(json.works[0]).toMatchObject({
        ...{ line: 1, lost: ["M3: Article"], errors: [] },
        metadata: {
          title: "Water & light",
          publication_date: "2021-03-09",
          identifiers: [{ identifier: "10.5555/ris", scheme: "doi" }],
        },
        custom_fields: { "journal:journal": { title: "Journal of Lakes" } },
      });
      expect(json.works[1]).toMatchObject({ line: 11, metadata: { title: "本" } });
      expect(await call("?dry_run=true", "@book{", "application/x-bibtex")).toMatchObject({
        ...{ status: 400, json: { message: "Line 1: the entry never ends" } },
      });
      expect(await call("?dry_run=true", BIB, "text/plain")).toMatchObject({
        status: 400,
        json: { errors: [{ field: "Content-Type" }] },
      });
      expect(await call(`/doi?doi=${encodeURIComponent(DOI)}`)).toMatchObject({
        ...{ status: 200, json: { metadata: { title: "A lake" }, lost: ["message.reference"] } },
      });
      expect((await call("/doi?doi=10.5555/none")).status).toBe(404);
      expect((await call("/doi?doi=10.5555/moved")).status).toBe(503);
      expect(await call("/doi")).toMatchObject({ status: 400, json: { errors: [{ field: "doi" }] } });
    });

    test("P.159: likely duplicates are listed after a save, before publishing and over the interface, as far as the person may see them", async () => {
      const metadata = (title: string, doi: string, year: string): Partial<Metadata> => ({
        titles: [{ value: title, kind: "main" }],
        identifiers: [{ scheme: "DOI", value: doi }],
        publicationDate: year,
      });
      const described = (title: string, doi: string, year = "2020") => ({
        ...{ metadata: { ...EMPTY_METADATA, ...metadata(title, doi, year), type: { id: "dataset" } } },
      });
      const known = await world.publish(described("Levels of northern rivers", "10.5555/rivers"));
      const later = await world.publish(described("Levels of northern rivers", "10.5555/later", "2012"));
      const japanese = await world.publish(described("北国の河川における水位の観測記録", "10.5555/ja"));
      const closed = {
        record: "restricted",
        openDate: "2020-01-01",
        files: "public",
        embargoUntil: null,
        embargoReason: "",
      };
      const hidden = await world.publish({
        ...{ ...described("Levels of northern rivers", "10.5555/hidden"), access: closed as Access },
      });
      const links = (html: string): number[] => {
        const box = /<div id="duplicates"[\s\S]*?<\/div>/.exec(html)?.[0] ?? "";
        return [...box.matchAll(/href="\/records\/(\d+)"/g)].map(([, id]) => Number(id));
      };
      const saved = async (visitor: Visitor, fields: Readonly<Record<string, string>>) => {
        const page = await visitor.get("/deposit");
        const made = await visitor.post("/deposit", { csrf: csrfIn(page.text), save: "yes", ...fields });
        return { to: location(made), shown: await visitor.get(location(made)) };
      };
      const dated = { "date.0.type": "Issued", "date.0.date": "2021" };
      const { to, shown } = await saved(other, { "title.0.title": "Level of northern rivers.", ...dated });
      // The restricted one is not for this person; the one of 2012 is of another year.
      expect(links(shown.text)).toEqual([known.id]);
      expect(shown.text).toContain("同じ資料の可能性があります");
      const id = Number(/\d+/.exec(to)?.[0]);
      const asked = await other.get(`/deposit/${id}/publish`);
      expect([asked.status, links(asked.text)]).toEqual([200, [known.id]]);
      // Their owner may read all of them; a draft of somebody else is nobody's duplicate.
      const own = await saved(owner, { "title.0.title": "Levels of northern rivers", ...dated });
      expect(links(own.shown.text).toSorted()).toEqual([known.id, hidden.id].toSorted());
      const kanji = await saved(other, { "title.0.title": "北国の河川における水位の観測の記録" });
      expect(links(kanji.shown.text)).toEqual([japanese.id]);
      expect(links((await saved(other, { "title.0.title": "Levels of northern lakes and seas" })).shown.text)).toEqual(
        [],
      );
      expect(links((await other.get("/deposit")).text)).toEqual([]);

      const token = await world.token(await world.person("typing", [3]));
      const search = async (query: Readonly<Record<string, string>>, bearer = token) => {
        const path = `/api/records/duplicates?${new URLSearchParams(query)}`;
        const { status, text } = await world.visitor().send(path, { headers: { authorization: `Bearer ${bearer}` } });
        const { hits, total } = JSON.parse(text) as {
          readonly hits: readonly { id: string; reason: string }[];
          total: number;
        };
        return { status, total, hits: hits.map(({ id: found, reason }) => [Number(found), reason]) };
      };
      expect(
        await search({ identifier: "https://doi.org/10.5555/RIVERS", title: "Levels of northern rivers" }),
      ).toEqual({
        ...{
          status: 200,
          total: 2,
          hits: [
            [known.id, "identifier"],
            [later.id, "title"],
          ],
        },
      });
      expect((await search({ identifier: "10.5555/hidden" })).hits).toEqual([]);
      expect((await search({ title: "LEVELS of Northern-Rivers", year: "2011" })).hits).toEqual([[later.id, "title"]]);
      for (const query of [{}, { title: "x" }, { title: "the of and" }, { title: "川".repeat(5_000), identifier: "-" }])
        expect([query.title?.slice(0, 9), (await search(query)).hits]).toEqual([query.title?.slice(0, 9), []]);
      // Whose versions are left out is for those who may edit the record.
      const bearer = await world.token(world.owner);
      const of = { identifier: "10.5555/rivers", record: String(known.id) };
      expect([(await search(of)).total, (await search(of, bearer)).total]).toEqual([1, 0]);
    });

    test("P.154: drafts of others do not exist here, and nothing is read or taken without the token of the page", async () => {
      const id = await draft();
      const csrf = csrfIn((await other.get("/deposit")).text);
      const count = asked.length;
      expect((await other.get(`/deposit/${id}/import`)).status).toBe(404);
      expect((await send(id, { doi: DOI }, other)).status).toBe(404);
      expect((await other.post(`/deposit/${id}/import/take`, { csrf, text: BIB, take: "titles" })).status).toBe(404);
      expect((await send(id, { doi: DOI, csrf: "old" })).status).toBe(403);
      expect((await owner.post(`/deposit/${id}/import/take`, { csrf: "old", text: BIB, take: "titles" })).status).toBe(
        403,
      );
      expect([asked.length, (await storedOf(id))?.titles]).toEqual([count, []]);
      expect(location(await world.visitor().get(`/deposit/${id}/import`))).toContain("/account/login");
    });
  });
});
