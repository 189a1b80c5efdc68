// Every operation of the repository's interfaces for programs, provoked in the ways that all of them share: no token, a
// token that is none, one without rights, a body that is no JSON or too long or too slow, an id that nothing has, too
// many requests, a database that fails or is away. Each answer must be as described, and what is described as common to
// all must occur (R9, R32). Refusals of single operations occur in their own tests: `check` compares all that were seen.
import { expect, test } from "bun:test";
import { generateDocuments } from "../../src/main/openapi/openapi.ts";
import type { RepositoryParts } from "../../src/main/repository/serving.ts";
import { Refusal } from "../../src/shared/refusal.ts";
import { faultOfAnswer } from "../support/described-answers.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

type Operation = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security?: readonly object[];
};
type Row = Operation & { readonly method: string; readonly path: string };

const DOCUMENT = JSON.parse((await generateDocuments())["openapi-repository.json"]) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
/** Addresses with ids that nothing has. */
const withIds = (path: string): string =>
  path
    .replace(/\{([^}]+)\}/g, (_part, name: string) =>
      /uuid|request|comment/i.test(name) ? crypto.randomUUID() : "987654",
    )
    .replace("{version}", "v1");
const ROWS: readonly Row[] = Object.entries(DOCUMENT.paths)
  .filter(([path]) => /^\/(?:api|sword)\//.test(path) && !/^\/api\/(?:openapi|docs|redoc)/.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method: method.toUpperCase(), path: withIds(path) })),
  );

const world = setUpWorld({ repository: {} });
type Given = { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | ReadableStream };

/** Asks every row, and returns what is not as described, and which rows answered this status. */
async function provoke(
  ask: (row: Row, given: Given) => Promise<Response>,
  status: number,
  given: (row: Row) => Given | null = () => ({}),
) {
  const faults: string[] = [];
  const met = new Set<string>();
  for (const row of ROWS) {
    const sent = given(row);
    if (sent === null) continue;
    const response = await ask(row, sent);
    const request = new Request(`http://repo.example.org${row.path}`, { method: row.method });
    const fault = await faultOfAnswer(request, response);
    if (fault !== null) faults.push(fault);
    if (response.status === status) met.add(row.operationId);
  }
  return { faults, met };
}
const describing = (status: number): readonly string[] =>
  ROWS.filter(({ responses }) => status in responses).map(({ operationId }) => operationId);

/** Asks as somebody, of the world or of one under other settings. */
const as =
  (who: Who, handler = world.handler) =>
  async ({ method, path }: Row, { headers = {}, body }: Given): Promise<Response> => {
    const token = who === null ? null : typeof who === "string" ? world.people[who].token : who.token;
    const all = new Headers({ host: "repo.example.org", ...headers });
    if (token !== null) all.set("authorization", `Bearer ${token}`);
    const init = { method, headers: all, ...(body === undefined ? {} : { body, duplex: "half" }) } as RequestInit;
    return await handler(new Request(`http://repo.example.org${path}`, init), { addressOf: () => "192.0.2.1" });
  };
const takesJson = ({ requestBody }: Row): boolean => "application/json" in (requestBody?.content ?? {});
const JSON_HEADERS = { "content-type": "application/json" };

test("R32 there is something to provoke", () => {
  expect(ROWS.length).toBeGreaterThan(150);
});

test("R9 R32 no token, and one that is none, are refused as described by every operation that needs one", async () => {
  const none = { token: "svc_none_0123456789abcdef", clientId: "none" } as Who;
  const asked = [await provoke(as(none), 401), await provoke(as(null), 401)];
  expect(asked.flatMap(({ faults }) => faults)).toEqual([]);
  const met = (id: string): boolean => asked.some((each) => each.met.has(id));
  expect(describing(401).filter((id) => !met(id))).toEqual([]);
});

test("R32 guests, users without rights and administrators get what is described, whatever they send", async () => {
  for (const who of [null, "other", "admin", "system"] as const) {
    for (const body of [undefined, "{", "{}", "[]", '{"id":7,"metadata":7,"files":7,"members":[{}]}']) {
      const given = (row: Row) => (body === undefined ? {} : takesJson(row) ? { body, headers: JSON_HEADERS } : null);
      expect([who, body, (await provoke(as(who), 0, given)).faults]).toEqual([who, body, []]);
    }
  }
});

test("R9a R32 a body that is too long is refused as described", async () => {
  const few = world.under({ SVC_BODY_LIMIT: "1 KiB" });
  const body = JSON.stringify({ title: "x".repeat(2_000) });
  const { faults, met } = await provoke(as("system", few.handler), 413, (row) =>
    takesJson(row) ? { body, headers: JSON_HEADERS } : null,
  );
  expect(faults).toEqual([]);
  const expected = ROWS.filter((row) => takesJson(row) && "413" in row.responses).map(({ operationId }) => operationId);
  expect(expected.filter((id) => !met.has(id))).toEqual([]);
});

test("R9a R32 a body that comes too slowly is refused as described", async () => {
  const ask = as("system", world.under({ SVC_CLIENT_SECONDS: "1" }).handler);
  const slow = ROWS.filter(takesJson);
  const answers = await Promise.all(slow.map((row) => ask(row, { body: new ReadableStream(), headers: JSON_HEADERS })));
  const faults = slow.map((row, at) => {
    const request = new Request(`http://repo.example.org${row.path}`, { method: row.method });
    return faultOfAnswer(request, answers[at] ?? new Response());
  });
  expect((await Promise.all(faults)).filter((fault) => fault !== null)).toEqual([]);
  expect(new Set(answers.map(({ status }) => status)).has(408)).toBe(true);
});

test("R9 R32 too many requests are refused as described", async () => {
  const strict = world.under({ SVC_RATE_PER_MINUTE: "1" });
  const ask = as("system", strict.handler);
  const twice = async (row: Row, given: Given) => {
    for (let more = 3; more > 0; more -= 1) await (await ask(row, given)).body?.cancel();
    return await ask(row, given);
  };
  const { faults, met } = await provoke(twice, 429, (row) =>
    takesJson(row) ? { body: "{}", headers: JSON_HEADERS } : {},
  );
  expect(faults).toEqual([]);
  expect(describing(429).filter((id) => !met.has(id))).toEqual([]);
});

/** Every call of the store fails so. */
const failing =
  (thrown: () => Error) =>
  (parts: RepositoryParts): RepositoryParts => {
    const broken = (): never => {
      throw thrown();
    };
    const store = new Proxy(parts.store, {
      get: (whole, name) => {
        const part: unknown = Reflect.get(whole, name);
        if (typeof part === "function") return broken;
        return typeof part === "object" && part !== null
          ? new Proxy(part, {
              get: (inner, key) => (typeof Reflect.get(inner, key) === "function" ? broken : Reflect.get(inner, key)),
            })
          : part;
      },
    });
    return { ...parts, store };
  };

test.each([
  [500, () => new TypeError("a bug")],
  [503, () => new Refusal("unavailable", "The database does not answer", { headers: { "retry-after": "5" } })],
] as const)("R9 R32 a store that fails is %p, as described", async (status, thrown) => {
  const broken = world.under({}, failing(thrown));
  const { faults, met } = await provoke(as("system", broken.handler), status, (row) =>
    takesJson(row) ? { body: "{}", headers: JSON_HEADERS } : {},
  );
  expect(faults).toEqual([]);
  expect(describing(status).filter((id) => !met.has(id))).toEqual([]);
});
