// The client against the repository and the service of names, over their handlers (R37): drafts, files in parts with
// pause and resume, publishing, lists page by page, deposits, harvesting, communities, vocabularies, names.
import { describe, expect, test } from "bun:test";
import {
  deposit,
  downloadFile,
  type Fetch,
  harvest,
  namesClient,
  type RepositoryClient,
  repositoryClient,
  uploadFile,
} from "../../client/client.ts";
import type { Handler } from "../../plugins/http/frame.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { cratePackage } from "../support/deposit-requests.ts";

import { openWorld, setUpWorld } from "../support/world.ts";

const MIB = 1024 * 1024;
const PART = 5 * MIB;
/** As servers see requests behind a proxy. */
const URL_HERE = "http://repo.example.org";
const world = setUpWorld({ repository: true });

const over =
  (handler: Handler): Fetch =>
  async (url, init) =>
    await handler(new Request(url, init), { addressOf: () => "192.0.2.1" });

type Sent = { readonly method: string; readonly path: string; readonly digest: string | null };

/** A client of a person, and what it sent. */
function clientOf(who: keyof typeof world.people, before: (sent: Sent) => void = () => {}) {
  const sent: Sent[] = [];
  const ask = over(world.handler);
  const fetch: Fetch = async (url, init) => {
    const { pathname } = new URL(url);
    const digest = new Headers(init.headers).get("content-digest");
    const request = { method: init.method ?? "", path: pathname, digest };
    before(request);
    const response = await ask(url, init);
    sent.push(request);
    return response;
  };
  return { sent, client: repositoryClient({ url: URL_HERE, token: world.people[who].token, fetch, attempts: 1 }) };
}

const metadataOf = (title: string) => ({
  title,
  publication_date: "2026-05-06",
  publisher: "Example",
  resource_type: { id: "dataset" },
  creators: [{ person_or_org: { type: "personal" as const, family_name: "Doe", given_name: "Ada" } }],
});
const draftOf = (client: RepositoryClient, title: string, enabled = true) =>
  client.createRecordDraft({ body: { files: { enabled }, metadata: metadataOf(title) } });

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("records and their files", () => {
  test("R37 a draft is made, changed, filled and published, its file read again, and it has a new version", async () => {
    const { client } = clientOf("registered");
    const { id } = await draftOf(client, "Tides of the client");
    const saved = await client.saveRecordDraft({
      path: { id },
      body: { files: { enabled: true }, metadata: metadataOf("Tides of the client, changed") },
    });
    expect(saved.metadata).toMatchObject({ title: "Tides of the client, changed" });
    const progress: number[] = [];
    const file = new Blob(["day,height\n1,2.5\n"], { type: "text/csv" });
    const { done } = uploadFile(client, {
      ...{ id, key: "data/tides.csv", file },
      onProgress: ({ sentBytes }) => progress.push(sentBytes),
    });
    expect([(await done).status, progress]).toEqual(["completed", [0, 17]]);
    expect(await client.publishRecordDraft({ path: { id } })).toMatchObject({ is_published: true });
    const response = await client.downloadRecordFile({ path: { id, key: "data/tides.csv" } });
    expect(await response.text()).toBe("day,height\n1,2.5\n");
    const next = await client.newRecordVersion({ path: { id } });
    expect(next.id === id).toBe(false);
    expect(await client.discardRecordDraft({ path: { id: next.id } })).toBeUndefined();
  });

  test("R37 a large file is sent in parts, waits while it is paused, and goes on where an upload ended", async () => {
    const file = new Blob([new Uint8Array(PART).fill(1), new Uint8Array(PART).fill(2), "the end"]);
    const isPart = ({ path }: Sent): boolean => /\/content\/\d+$/.test(path);
    const failing = clientOf("registered", (request) => {
      if (request.path.endsWith("/content/2")) throw new Error("the network is gone");
    });
    const { id } = await draftOf(failing.client, "Large");
    const input = { id, key: "large.bin", file, partBytes: PART, inParallel: 1 };
    expect(await uploadFile(failing.client, input).done.catch((error: unknown) => error)).toMatchObject({
      kind: "broken",
      operation: "uploadDraftFilePart",
    });
    expect(failing.sent.filter(isPart).map(({ path }) => path.slice(-1))).toEqual(["1"]);

    const { client, sent } = clientOf("registered");
    const progress: number[] = [];
    const upload = uploadFile(client, {
      ...input,
      onProgress({ sentBytes }) {
        progress.push(sentBytes);
        if (progress.length === 2) upload.pause();
      },
    });
    while (progress.length < 2) await Bun.sleep(5);
    await Bun.sleep(50);
    expect([sent.filter(isPart).map(({ path }) => path.slice(-1)), progress]).toEqual([["2"], [PART, 2 * PART]]);
    upload.resume();
    expect(await upload.done).toMatchObject({ key: "large.bin", status: "completed", size: file.size });
    expect([sent.filter(isPart).length, progress.at(-1)]).toEqual([2, file.size]);
    const end = new Bun.CryptoHasher("sha256").update("the end").digest("base64");
    expect(sent.filter(isPart).at(-1)?.digest).toBe(`sha-256=:${end}:`);
  });

  test("R37 a download goes on where its connection broke, and ends where the file is gone", async () => {
    const { client } = clientOf("registered");
    const { id } = await draftOf(client, "Broken downloads");
    const bytes = new Uint8Array(3 * MIB).map((_, at) => at % 251);
    await uploadFile(client, { id, key: "a.bin", file: new Blob([bytes]) }).done;
    const ranges: (string | null)[] = [];
    const ask = over(world.handler);
    /** Breaks each answer but the last after its first piece. */
    const fetch: Fetch = async (url, init) => {
      ranges.push(new Headers(init.headers).get("range"));
      const response = await ask(url, init);
      if (ranges.length > 2 || response.body === null) return response;
      let isFirst = true;
      const broken = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          if (isFirst) controller.enqueue(piece.slice(0, 1_000));
          else controller.error(new Error("the network is gone"));
          isFirst = false;
        },
        flush: (controller) => controller.error(new Error("the network is gone")),
      });
      return new Response(response.body.pipeThrough(broken), { status: response.status, headers: response.headers });
    };
    const token = world.people.registered.token;
    const breaking = repositoryClient({ url: URL_HERE, token, fetch });
    const progress: number[] = [];
    const onProgress = ({ receivedBytes }: { readonly receivedBytes: number }) => progress.push(receivedBytes);
    const stream = downloadFile(breaking, { id, key: "a.bin", isDraft: true, onProgress });
    expect(Buffer.compare(await new Response(stream).bytes(), bytes)).toBe(0);
    expect([ranges, progress.at(-1)]).toEqual([[null, "bytes=1000-", "bytes=2000-"], bytes.length]);
    const rest = downloadFile(client, { id, key: "a.bin", isDraft: true, fromByte: bytes.length - 5 });
    expect(await new Response(rest).bytes()).toEqual(bytes.slice(-5));
    const missing = new Response(downloadFile(client, { id, key: "b.bin", isDraft: true })).bytes();
    expect(await missing.catch((error: unknown) => error)).toMatchObject({ name: "RefusalError", status: 404 });
  });

  test("R37 an upload is ended by its signal, and a refusal names the member that is wrong", async () => {
    const { client, sent } = clientOf("registered");
    const { id } = await draftOf(client, "Ended");
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    const { done } = uploadFile(client, { id, key: "a.txt", file: new Blob(["a"]), signal: stop.signal });
    expect(await done.catch(String)).toBe("Error: enough");
    expect(sent.length).toBe(1);
    const incomplete = await client.createRecordDraft({ body: { files: { enabled: false }, metadata: {} } });
    const refused = await client.publishRecordDraft({ path: { id: incomplete.id } }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: "RefusalError", dialect: "records", status: 400 });
    expect((refused as { errors: { field: string }[] }).errors.map(({ field }) => field)).toContain("metadata.title");
  });
});

describe("lists", () => {
  test("R37 records are listed page by page, and item by item on all pages", async () => {
    const { client, sent } = clientOf("other");
    const titles = ["Whirl one", "Whirl two", "Whirl three"];
    for (const title of titles) {
      const { id } = await draftOf(client, title, false);
      await client.publishRecordDraft({ path: { id } });
    }
    const query = { q: "whirl", sort: "oldest", size: 2 } as const;
    const found = await all(client.items("searchPublishedRecords", { query }));
    expect(found.map(({ metadata }) => metadata.title)).toEqual(titles);
    const before = sent.length;
    for await (const page of client.pages("searchPublishedRecords", { query })) {
      expect([page.hits.total, page.hits.hits.length]).toEqual([3, 2]);
      break;
    }
    expect(sent.length).toBe(before + 1);
    const guest = repositoryClient({ url: URL_HERE, fetch: over(world.handler) });
    const ids = await all(guest.items("searchRecords", { query: { q: "whirl", size: 1 } }));
    expect(ids.length).toBe(3);
  });

  test("R37 harvesting follows resumption tokens to the end", async () => {
    const { client } = clientOf("registered");
    const answers = await all(harvest(client, { verb: "ListIdentifiers", metadataPrefix: "oai_dc" }));
    const ids = answers.flatMap((xml) => [...xml.matchAll(/<identifier>([^<]+)</g)].map(([, id = ""]) => id));
    expect(ids.length).toBe(new Set(ids).size);
    expect(ids.length).toBeGreaterThan(2);
  });

  test("R37 communities, their records' requests and vocabularies are calls like all others", async () => {
    const { client } = clientOf("registered");
    const community = await client.createCommunity({
      body: { access: { visibility: "public" }, slug: "client-tides", metadata: { title: "Tides" } },
    });
    expect(await client.call("readCommunity", { path: { id: community.slug } })).toMatchObject({ id: community.id });
    const draft = await draftOf(client, "Reviewed", false);
    const path = { id: draft.id };
    await client.setDraftReview({
      path,
      body: { receiver: { community: community.id }, type: "community-submission" },
    });
    const request = await client.submitDraftForReview({ path, body: {} });
    const own = await all(client.items("listOwnRequests"));
    expect(own.map(({ id }) => id)).toEqual([request.id]);
    await client.actOnRequest({ path: { id: request.id, action: "accept" }, body: {} });
    expect(await client.readPublishedRecord({ path })).toMatchObject({ is_published: true });
    const kinds = await all(
      client.items("findVocabularyEntries", { path: { type: "resourcetypes" }, query: { q: "dataset" } }),
    );
    expect(kinds.map(({ id }) => id)).toContain("dataset");
  });
});

describe("deposits", () => {
  test("R6b a package is deposited, replaced, and its status read", async () => {
    const { client } = clientOf("registered");
    const [first, second] = [cratePackage({ name: "Deposited by the client" }), cratePackage({ name: "Replaced" })];
    const zipOf = ({ bytes }: typeof first): Blob => new Blob([Uint8Array.from(bytes)]);
    const document = await deposit(client, { file: zipOf(first), packaging: "SimpleZip" });
    const recid = String(document["@id"].split("/").at(-1));
    const replaced = await deposit(client, { file: zipOf(second), packaging: second.packaging, replaces: recid });
    expect([replaced["@id"], replaced.eTag === document.eTag]).toEqual([document["@id"], false]);
    expect(await client.readStatusDocument({ path: { recid } })).toMatchObject({ eTag: replaced.eTag });
    const refused = await deposit(client, { file: new Blob(["no zip"]), packaging: "SimpleZip" }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ dialect: "sword", status: 400, code: "ContentMalformed" });
  });
});

describe("names", () => {
  test("L27 names are minted, many at once too, listed, imported and resolved", async () => {
    const names = await openWorld({ names: { file: true } });
    const token = await names.key("client");
    const url = "http://ark.test";
    const minter = namesClient({ url, token, fetch: over(names.minter()) });
    const minted = await minter.mint({ body: { url: "https://example.org/a", title: "A" } });
    const many = await minter.mintBulk({
      body: { data: [{ url: "https://example.org/b" }, { url: "https://example.org/c" }] },
    });
    const made = [minted.ark, ...many.minted.map(({ ark }) => ark)];
    const listed = await all(minter.items("listArks", { query: { limit: 2 } }));
    expect(listed.map(({ ark }) => ark)).toEqual(expect.arrayContaining(made));
    const elsewhere = `ark:99999/b1np1wh7${checkCharacter("99999/b1np1wh7")}`;
    const rows = [{ ark: elsewhere, url: "https://example.org/d", title: "D" }];
    const imported = await minter.importArks({ body: { data: rows } });
    expect(imported).toMatchObject({ imported: [{ ark: elsewhere }], created: 1 });
    const refused = await minter.mint({ body: { url: "not a url" } }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ dialect: "names", status: 422 });
    const { handler } = await names.resolver();
    const resolver = namesClient({ url, fetch: over(handler) });
    expect(await resolver.resolve({ path: { ark: minted.ark }, query: { inflection: "json" } })).toMatchObject({
      ark: minted.ark,
    });
    const leads = await resolver.fetch("resolve", { path: { ark: minted.ark } }, { redirect: "manual" });
    expect([leads.status, leads.headers.get("location")]).toEqual([302, "https://example.org/a"]);
  });
});
