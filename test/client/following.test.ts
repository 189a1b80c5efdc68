// What the client follows by itself (R37): the next page in each form that lists have, resumption tokens, and the
// addresses of parts in another store.
import { describe, expect, test } from "bun:test";
import { harvest, repositoryClient, uploadFile } from "../../client/client.ts";

const MIB = 1024 * 1024;
const url = "https://repo.example.org";

type Asked = { readonly method: string; readonly url: URL; readonly headers: Headers };

/** A client of a service that answers by method and path, and what it was asked. */
function clientOf(answer: (asked: Asked) => Response) {
  const asked: Asked[] = [];
  const client = repositoryClient({
    ...{ url, token: "secret", attempts: 1 },
    async fetch(address, { method = "", headers }) {
      const request = { method, url: new URL(address), headers: new Headers(headers) };
      asked.push(request);
      return answer(request);
    },
  });
  return { asked, client };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("lists", () => {
  test("R37 a link leads to the next page by its query, on whatever host the service is reached", async () => {
    const { asked, client } = clientOf(({ url: { searchParams } }) => {
      const page = Number(searchParams.get("page") ?? 1);
      const next = page < 3 ? { next: `https://public.example.org/api/communities?q=x&page=${page + 1}&f=a&f=b` } : {};
      return Response.json({ hits: { hits: [{ id: String(page) }], total: 3 }, links: { self: "x", ...next } });
    });
    const found = await all(client.items("searchCommunities", { query: { q: "x" } }));
    expect(found.map(({ id }) => id)).toEqual(["1", "2", "3"]);
    expect(asked.map((each) => each.url.origin + each.url.search)).toEqual([
      `${url}?q=x`,
      `${url}?q=x&page=2&f=a&f=b`,
      `${url}?q=x&page=3&f=a&f=b`,
    ]);
  });

  test("R37 a cursor replaces the number of the page, and no cursor is the end", async () => {
    const { asked, client } = clientOf(({ url: { searchParams } }) => {
      const cursor = searchParams.has("cursor") ? null : "place";
      return Response.json({ total_results: 2, cursor, search_results: [{ id: cursor ?? "last" }] });
    });
    await all(client.items("searchRecords", { query: { q: "x", page: 1 } }));
    expect(asked.map((each) => each.url.search)).toEqual(["?q=x&page=1", "?q=x&cursor=place"]);
  });

  test("R37 a list that names no next page ends with an empty one", async () => {
    const { asked, client } = clientOf(({ url: { searchParams } }) =>
      Response.json({ authors: Number(searchParams.get("page") ?? 1) < 3 ? [{}, {}] : [] }),
    );
    expect((await all(client.items("searchAuthors"))).length).toBe(4);
    expect(asked.map((each) => each.url.search)).toEqual(["", "?page=2", "?page=3"]);
  });

  test("R37 R31 harvesting goes on with the token alone, as it is written in XML", async () => {
    const { asked, client } = clientOf(({ url: { searchParams } }) => {
      const token = searchParams.has("resumptionToken") ? "" : "a&amp;b &lt;1>";
      return new Response(`<OAI-PMH><resumptionToken completeListSize="2">${token}</resumptionToken></OAI-PMH>`);
    });
    expect((await all(harvest(client, { verb: "ListRecords", metadataPrefix: "oai_dc" }))).length).toBe(2);
    expect(asked.map((each) => Object.fromEntries(each.url.searchParams))).toEqual([
      { verb: "ListRecords", metadataPrefix: "oai_dc" },
      { verb: "ListRecords", resumptionToken: "a&b <1>" },
    ]);
  });
});

test("R37 R7a parts go to the addresses of another store, without the token", async () => {
  const parts = [1, 2].map((part) => ({ part, url: `https://store.example.org/bucket/key?partNumber=${part}&sig=s` }));
  const entry = (status: string) => ({
    ...{ key: "a.bin", status, size: 5 * MIB + 1, transfer: { type: "M", parts: 2, part_size: 5 * MIB } },
    links: { self: `${url}/api/records/7/draft/files/a.bin`, parts },
  });
  const { asked, client } = clientOf(({ method, url: { pathname, host } }) => {
    if (host === "store.example.org") return new Response(null);
    if (method === "GET") return Response.json({ status: 404, message: "None" }, { status: 404 });
    if (pathname.endsWith("/commit")) return Response.json(entry("completed"));
    return Response.json({ enabled: true, entries: [entry("pending")], links: {} }, { status: 201 });
  });
  const file = new Blob([new Uint8Array(5 * MIB + 1)]);
  const { done } = uploadFile(client, { id: 7, key: "a.bin", file, partBytes: 5 * MIB, inParallel: 1 });
  expect((await done).status).toBe("completed");
  expect(asked.map((each) => [each.method, each.url.host, each.headers.get("authorization")])).toEqual([
    ["GET", "repo.example.org", "Bearer secret"],
    ["POST", "repo.example.org", "Bearer secret"],
    ["PUT", "store.example.org", null],
    ["PUT", "store.example.org", null],
    ["POST", "repo.example.org", "Bearer secret"],
  ]);
});
