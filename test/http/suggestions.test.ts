// Completion over HTTP (R27j; OpenSearch Suggestions 1.0): rows of the interface and of the pages, who sees what.
import { beforeAll, describe, expect, test } from "bun:test";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { aContent, titled } from "../support/world/items.ts";
import { BASE_URL, INDEXES, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";
import { attributeOf, childElements } from "../support/xml-elements.ts";

const world = setUpWorld({ repository: true });
const ids = { tides: 0, hidden: 0, restricted: 0, communal: 0 };

beforeAll(async () => {
  const viewer = await world.viewer("registered");
  const publish = async (title: string, more: Parameters<typeof aContent>[0] = {}): Promise<number> => {
    const metadata = titled(title, { subjects: [{ text: { value: `Matter of ${title}` } }] });
    return (await world.items.createAndPublish(viewer, { content: aContent({ metadata, ...more }) })).item.id;
  };
  const restricted = { ...aContent().access, record: "restricted" } as const;
  ids.tides = await publish("Tides of the sea", { indexes: [INDEXES.open] });
  ids.hidden = await publish("Tidal hidden", { indexes: [INDEXES.hidden] });
  ids.restricted = await publish("Tidal restricted", { access: restricted, indexes: [INDEXES.open] });
  ids.communal = await publish("Tidal communal", { access: restricted, indexes: [INDEXES.below] });
});

const suggestions = async (query: string, who: Who = null) => {
  const { status, json } = await world.ask(who, "GET", `/api/suggestions?${query}`);
  return { status, json };
};
const texts = (json: unknown): readonly string[] =>
  (json as { suggestions: readonly { text: string }[] }).suggestions.map(({ text }) => text);

describe("R27j GET /api/suggestions", () => {
  test("names titles, people and subjects with their pages", async () => {
    const { status, json } = await suggestions("q=tides");
    expect([status, json]).toEqual([
      200,
      {
        query: "tides",
        suggestions: [
          { kind: "title", text: "Tides of the sea", url: `${BASE_URL}/records/${ids.tides}` },
          {
            kind: "subject",
            text: "Matter of Tides of the sea",
            url: `${BASE_URL}/search?q=subject%3A%22Matter+of+Tides+of+the+sea%22`,
          },
        ],
      },
    ]);
    expect(texts((await suggestions("q=ada+do")).json)).toEqual(["Doe, Ada"]);
  });

  test("R2h restricted items, those of hidden indexes and of communities are suggested to their people only", async () => {
    const seen = async (who: Who) =>
      [...texts((await suggestions("q=tid&size=50", who)).json)].filter((text) => !text.startsWith("Matter")).sort();
    const open = ["Tides of the sea"];
    expect(await seen(null)).toEqual(open);
    expect(await seen("stranger")).toEqual(open);
    const own = ["Tidal communal", "Tidal hidden", "Tidal restricted", "Tides of the sea"];
    expect(await seen("registered")).toEqual(own);
    expect(await seen("system")).toEqual(own);
    const curated = await seen("curator");
    expect([curated.includes("Tidal communal"), curated.includes("Tidal restricted")]).toEqual([true, false]);
    for (const who of [null, "stranger"] as const) {
      for (const q of ["tidal", "h", "hidden", "restricted", "matter of tidal"]) {
        expect([
          q,
          texts((await suggestions(`q=${encodeURIComponent(q)}`, who)).json).filter((text) => text.includes("Tidal")),
        ]).toEqual([q, []]);
      }
    }
  });

  test("a change is seen at once", async () => {
    const viewer = await world.viewer("registered");
    const { item } = await world.items.createAndPublish(viewer, {
      content: aContent({ metadata: titled("Zostera meadows"), indexes: [INDEXES.open] }),
    });
    expect(texts((await suggestions("q=zost")).json)).toEqual(["Zostera meadows"]);
    await world.items.revise(viewer, item.id, {
      content: aContent({ metadata: titled("Posidonia meadows"), indexes: [INDEXES.open] }),
    });
    expect(texts((await suggestions("q=zost")).json)).toEqual([]);
    expect(texts((await suggestions("q=posid")).json)).toEqual(["Posidonia meadows"]);
    await world.items.remove(viewer, item.id);
    expect(texts((await suggestions("q=posid")).json)).toEqual([]);
  });

  test.each(["0", "51", "x", "-1", "1.5", ""])("size=%s is refused", async (size) => {
    const { status, json } = await suggestions(`q=tides&size=${size}`);
    expect([status, json]).toEqual([
      400,
      { code: 400, status: 400, message: "size must be a whole number from 1 to 50" },
    ]);
  });

  test.each([
    ["nothing", ""],
    ["10,000 characters", `q=${"tides+".repeat(1_600)}`],
    ["quotes and operators", "q=%22+OR+NEAR(*)%27--"],
    ["NUL", "q=%00tides"],
    ["a byte that is not UTF-8", "q=%ff%fe"],
    ["directions and lone halves", "q=%E2%80%AE%ED%A0%80"],
  ])("hostile: %s is answered", async (_what, query) => {
    const { status, json } = await suggestions(query);
    expect([status, Array.isArray((json as { suggestions: unknown }).suggestions)]).toEqual([200, true]);
  });
});

describe("R27j OpenSearch suggestions", () => {
  test("text, texts, kinds and addresses, in the media type of the standard", async () => {
    const answer = await world.ask(null, "GET", "/api/opensearch/suggestions?q=tides");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-suggestions+json"]);
    expect(JSON.parse(answer.text)).toEqual([
      "tides",
      ["Tides of the sea", "Matter of Tides of the sea"],
      ["title", "subject"],
      [`${BASE_URL}/records/${ids.tides}`, `${BASE_URL}/search?q=subject%3A%22Matter+of+Tides+of+the+sea%22`],
    ]);
  });

  test("browsers read its address in their description document", async () => {
    const root = parseXml((await world.ask(null, "GET", "/opensearch.xml")).text);
    const urls = childElements(root).filter((each) => attributeOf(each, "type") === "application/x-suggestions+json");
    expect(urls.map((each) => attributeOf(each, "template"))).toEqual([
      `${BASE_URL}/api/opensearch/suggestions?q={searchTerms}`,
    ]);
  });
});

describe("R27j GET /search/suggestions", () => {
  const pages = setUpWorld({ pages: true });
  test("a page asks with the session of its reader, and is led to addresses of its host", async () => {
    const open = await pages.publish({ metadata: titled("Tides of the sea", { creators: [] }) });
    const restricted = { ...aContent().access, record: "restricted" } as const;
    const own = await pages.publish({ metadata: titled("Tidal secrets", { creators: [] }), access: restricted });
    const reader = pages.visitor();
    const asked = async () => JSON.parse((await reader.get("/search/suggestions?q=ti")).text).suggestions;
    const line = (text: string, id: number) => ({ kind: "title", text, url: `/records/${id}` });
    expect(await asked()).toEqual([line("Tides of the sea", open.id)]);
    await reader.signIn(await pages.token(pages.owner));
    expect(await asked()).toEqual([line("Tidal secrets", own.id), line("Tides of the sea", open.id)]);
    const answer = await reader.get("/search/suggestions?q=ti");
    expect([answer.headers.get("cache-control"), answer.headers.get("x-content-type-options")]).toEqual([
      ...["private, no-store", "nosniff"],
    ]);
    expect((await reader.get("/search/suggestions?q=ti&size=0")).status).toBe(400);
  });
});
