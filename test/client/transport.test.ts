// The client's requests (R37): when one is sent again and after which wait, cancellation and time, what a refusal
// becomes in each dialect, and how an operation becomes an address and a body.
import { describe, expect, test } from "bun:test";
import { ConnectionError, type Fetch, RefusalError, type Retry, repositoryClient } from "../../client/client.ts";
import { addressOf, bodyOf } from "../../client/operations.ts";
import { itemsOf } from "../../client/paging.ts";
import { retryWaitMs } from "../../client/transport.ts";

type Asked = { readonly url: string; readonly init: RequestInit };

/** A client of a service that answers this, one answer after the other. */
function answered(...answers: readonly (Response | Error)[]) {
  const asked: Asked[] = [];
  const retries: Retry[] = [];
  const left = [...answers];
  const fetch: Fetch = async (url, init) => {
    asked.push({ url, init });
    init.signal?.throwIfAborted();
    const next = left.shift();
    if (next === undefined) return await new Promise<Response>((_, reject) => whenAborted(init.signal, reject));
    if (next instanceof Error) throw next;
    return next;
  };
  const onRetry = (retry: Retry): undefined => void retries.push(retry);
  return {
    asked,
    retries,
    client: repositoryClient({ url: "https://repo.example.org/base/", token: "t", fetch, onRetry }),
  };
}

function whenAborted(signal: AbortSignal | null | undefined, reject: (reason: unknown) => void): void {
  signal?.addEventListener("abort", () => reject(signal.reason));
}

const busy = (status: number, retryAfter = "0"): Response =>
  Response.json({ status, message: "Not now" }, { status, headers: { "retry-after": retryAfter } });
const good = (): Response => Response.json({ hits: { hits: [], total: 0 }, links: { self: "x" } });
const broken = (code: string): Error => Object.assign(new Error("broke"), { code });
const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then(String, (error: unknown) => error);

describe("a request that fails", () => {
  test.each([429, 502, 503, 504])("R37 a read is sent again after %d, up to its attempts", async (status) => {
    const { asked, retries, client } = answered(busy(status), busy(status), good());
    expect(await client.searchCommunities()).toMatchObject({ hits: { total: 0 } });
    expect([asked.length, retries.map(({ attempt, waitMs }) => [attempt, waitMs])]).toEqual([
      3,
      [
        [1, 0],
        [2, 0],
      ],
    ]);
    const refused = answered(busy(status), busy(status), good());
    expect(await failure(refused.client.searchCommunities({}, { attempts: 2 }))).toMatchObject({ status });
    expect(refused.asked.length).toBe(2);
  });

  test("R37 a request that is not repeatable is sent again only where the service has not done it", async () => {
    const body = { access: { visibility: "public" }, slug: "s", metadata: { title: "T" } } as const;
    const create = (...answers: (Response | Error)[]) => {
      const { asked, client } = answered(...answers, Response.json({}, { status: 201 }));
      return failure(client.createCommunity({ body })).then((ended) => [asked.length, ended] as const);
    };
    expect((await create(busy(429)))[0]).toBe(2);
    expect((await create(broken("ECONNREFUSED")))[0]).toBe(2);
    expect(await create(busy(503))).toMatchObject([1, { status: 503 }]);
    expect(await create(broken("ECONNRESET"))).toMatchObject([1, { kind: "broken" }]);
  });

  test("R37 with an Idempotency-Key a POST is repeatable, but not with a stream that is open already", async () => {
    const headers = {
      ...{ "Content-Disposition": "attachment; filename=a.zip", Packaging: "SimpleZip", "Idempotency-Key": "k" },
    };
    const opened: number[] = [];
    const stream = () => {
      opened.push(1);
      return new Response("bytes").body as ReadableStream<Uint8Array<ArrayBuffer>>;
    };
    const again = answered(busy(503), broken("ECONNRESET"), Response.json({ eTag: "1" }));
    await again.client.depositItem({ headers, body: stream });
    expect([again.asked.length, opened.length]).toEqual([3, 3]);
    expect(again.asked.map(({ init }) => new Headers(init.headers).get("idempotency-key"))).toEqual(["k", "k", "k"]);
    const once = answered(busy(503), Response.json({ eTag: "1" }));
    expect(await failure(once.client.depositItem({ headers, body: stream() }))).toMatchObject({ status: 503 });
    expect(once.asked.length).toBe(1);
  });

  test("R37 other refusals are not repeated, nor where onRetry answers false", async () => {
    const refused = answered(busy(500), good());
    expect(await failure(refused.client.searchCommunities())).toMatchObject({ status: 500 });
    const { asked, client } = answered(busy(503), good());
    expect(await failure(client.searchCommunities({}, { onRetry: () => false }))).toMatchObject({ status: 503 });
    expect([refused.asked.length, asked.length]).toEqual([1, 1]);
  });

  test("R13 R37 the wait is what Retry-After sets, in seconds or as a date, else it doubles, up to a limit", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(retryWaitMs("7", 1, now)).toBe(7_000);
    expect(retryWaitMs("Thu, 01 Jan 2026 00:00:30 GMT", 1, now)).toBe(30_000);
    expect(retryWaitMs("Wed, 31 Dec 2025 00:00:00 GMT", 1, now)).toBe(0);
    expect([1, 2, 3, 10].map((attempt) => retryWaitMs(null, attempt, now))).toEqual([1_000, 2_000, 4_000, 60_000]);
    expect(retryWaitMs("999999999", 1, now)).toBe(600_000);
    expect(retryWaitMs("soon", 2, now)).toBe(2_000);
  });
});

describe("the end of a call from outside", () => {
  test("R37 an attempt that takes too long is a ConnectionError, and a read is sent again", async () => {
    const { asked, client } = answered();
    const ended = await failure(client.searchCommunities({}, { timeoutMs: 20, attempts: 1 }));
    expect([ended instanceof ConnectionError, ended]).toMatchObject([true, { kind: "timeout" }]);
    expect(asked.length).toBe(1);
  });

  test("R37 the caller's signal ends it with its own reason, during a request and during a wait", async () => {
    const during = answered();
    const stop = new AbortController();
    const pending = failure(during.client.searchCommunities({}, { signal: stop.signal }));
    while (during.asked.length === 0) await Bun.sleep(1);
    stop.abort(new Error("enough"));
    expect(await pending).toMatchObject({ message: "enough" });
    const waiting = answered(busy(503, "600"), good());
    const later = new AbortController();
    const onRetry = (): undefined => void setTimeout(() => later.abort(new Error("no more")), 1);
    expect(await failure(waiting.client.searchCommunities({}, { signal: later.signal, onRetry }))).toMatchObject({
      message: "no more",
    });
    expect([during.asked.length, waiting.asked.length]).toEqual([1, 1]);
  });
});

describe("a refusal", () => {
  const refusal = async (body: unknown, status = 400): Promise<unknown> => {
    const answer = typeof body === "string" ? new Response(body, { status }) : Response.json(body, { status });
    return await failure(answered(answer).client.searchCommunities({}, { attempts: 1 }));
  };

  test.each([
    [
      { status: 400, message: "A validation error occurred.", errors: [{ field: "a.b", messages: ["m", "n"] }] },
      { dialect: "records", code: null, errors: [{ field: "a.b", messages: ["m", "n"] }] },
    ],
    [
      { code: "SVC-1601", message: "The daily quota is used up", detail: {} },
      { dialect: "names", code: "SVC-1601", errors: [] },
    ],
    [
      { detail: [{ loc: ["body", "data", 2], msg: "is wrong", type: "t" }] },
      {
        dialect: "names",
        message: "body.data.2: is wrong",
        errors: [{ field: "body.data.2", messages: ["is wrong"] }],
      },
    ],
    [
      { "@context": "c", "@type": "BadRequest", error: "No file", timestamp: "t" },
      { dialect: "sword", code: "BadRequest", message: "No file" },
    ],
    [
      { error: "invalid_client", error_description: "Unknown", code: "SVC-1202", message: "Unknown" },
      { dialect: "oauth", code: "SVC-1202", message: "Unknown" },
    ],
    [
      { code: 400, description: "No such index" },
      { dialect: "index", code: null, message: "No such index" },
    ],
    ["<html>", { dialect: "other", body: "<html>", message: "searchCommunities was refused with the status 400" }],
  ])("R37 %j is read in its dialect", async (body, expected) => {
    const error = await refusal(body);
    expect(error).toBeInstanceOf(RefusalError);
    expect(error).toMatchObject({ operation: "searchCommunities", status: 400, ...expected });
  });

  test("R37 an answer that leads elsewhere is refused where it is not a read, and the token stays", async () => {
    const { asked, client } = answered(
      new Response(null, { status: 307, headers: { location: "https://other.example" } }),
    );
    const ended = await failure(client.renameCommunity({ path: { id: "a" }, body: { slug: "b" } }));
    expect(ended).toMatchObject({ status: 307 });
    expect([asked.length, asked[0]?.init.redirect]).toEqual([1, "manual"]);
  });
});

describe("an operation as a request", () => {
  const base = "https://repo.example.org/base/";
  const get = (path: string) => ({ method: "GET", path, answer: "json" }) as const;

  test("R37 parts of the address are encoded, lists in the query are repeated, and what is not given is left out", () => {
    const { href } = addressOf(base, get("/api/records/{id}/files/{key}"), {
      path: { id: 7, key: "a/b ü.csv" },
      query: { q: "x y", f: ["a:1", "b:2"], page: undefined },
    });
    expect(href).toBe("https://repo.example.org/base/api/records/7/files/a%2Fb%20%C3%BC.csv?q=x+y&f=a%3A1&f=b%3A2");
    expect(() => addressOf(base, get("/api/records/{id}"), {})).toThrow(
      'The part "id" of /api/records/{id} is missing',
    );
  });

  test("R37 a name is sent as it is written, and an inflection is a word without a value", () => {
    const path = { ark: "ark:12345/x%2Fy/z" };
    const hrefs = [undefined, "", "json"].map(
      (inflection) => addressOf(base, get("/{ark}"), { path, query: { inflection } }).href,
    );
    const name = `${base}ark:12345/x%2Fy/z`;
    expect(hrefs).toEqual([name, `${name}?`, `${name}?json`]);
    const query = { inflection: "info", lang: "ja" };
    expect(addressOf(base, get("/{ark}"), { path, query }).href).toBe(`${name}?info&lang=ja`);
  });

  test("R37 a body is JSON, a form, or bytes, by what the operation takes", async () => {
    expect(bodyOf(["application/json"], { a: 1 })).toEqual({ body: '{"a":1}', type: "application/json" });
    expect(String(bodyOf(["application/x-www-form-urlencoded"], { a: "1 2" }).body)).toBe("a=1+2");
    const { body, type } = bodyOf(["multipart/form-data", "application/zip"], { file: new Blob(["zip"]), note: "n" });
    expect([body instanceof FormData && [...body.keys()], type]).toEqual([["file", "note"], undefined]);
    expect(bodyOf(["multipart/form-data", "application/zip"], new Uint8Array(2)).type).toBe("application/zip");
    expect(bodyOf([], new Blob(["x"])).type).toBe("application/octet-stream");
    expect(bodyOf([], new Blob(["x"], { type: "text/csv" })).type).toBeUndefined();
  });

  test("R37 the items of an answer are its hits, or its one list", () => {
    expect(itemsOf({ hits: { hits: [1, 2], total: 2 }, sortBy: "x" })).toEqual([1, 2]);
    expect(itemsOf({ total: 3, search_results: [3] })).toEqual([3]);
    expect(itemsOf([4])).toEqual([4]);
    expect(itemsOf({ total: 0 })).toEqual([]);
  });
});
