// Whole calls of the minter with keys, through settings, frame and plugins: the order of checks, bodies exactly, what a
// bulk call refuses, names below withdrawn ones, modes of authentication (A11, A13, A16 to A18, A20 to A22, A29, A30,
// A49; specification 1, "What the service does" 8 and 10; "Authentication").
import { beforeAll, describe, expect, test } from "bun:test";
import { openStore } from "../../db/ark/store.ts";
import type { Handler } from "../../plugins/http/frame.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { secretMaker } from "../../src/ark/credentials.ts";
import { mintedArk } from "../../src/ark/new-name.ts";
import { setUpEmpty } from "../../src/ark/provisioning/apply.ts";
import { DESCRIPTIVE_FIELDS } from "../../src/ark/record.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { readConfig } from "../../src/config.ts";
import { composeMinter } from "../../src/main/minter/minter.ts";
import { serve } from "../../src/main/process/serve.ts";
import { quietLog } from "../support/quiet-log.ts";
import { anOrganisation, aShoulder } from "../support/seed.ts";
import { type Asked, ask, type Json, type Sent } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

let minter: Handler;
let key = "";
const world = setUpWorld({ names: { file: true } });
beforeAll(async () => {
  key = await world.key("ops");
  minter = world.minter({ SVC_TRUSTED_PROXIES: "1" });
});

const SINCE = "2026-11-20T10:00:00.000Z";
const checked = (name: string) => name + checkCharacter(name);
const solemnly = (ark: string) => ({ ark, reason: "Asked for", confirm: ark });
const send = (method: string, path: string, body?: unknown, more: Asked = {}): Promise<Sent> =>
  ask(minter, method, `/api/${path}`, { key, body, ...more });
const post = (path: string, body: unknown, more: Asked = {}) => send("POST", path, body, more);
const mint = async (body: Json = {}) => String((await post("mint", body)).json.ark);
const answerOf = ({ status, json }: Sent) => [status, json.code ?? null];

describe("A22 order of checks", () => {
  test("A22 route, method, size, credential, scope, media type, body, row limit, receipt, reach, status, quota, write", async () => {
    const { store, seeded } = world;
    const quotaPerDay = 3;
    const poor = await store.transact((tx) => tx.saveOrganisation(anOrganisation({ name: "poor", quotaPerDay })));
    await store.transact(async (tx) => {
      await tx.saveShoulder(aShoulder({ shoulder: "p1", organisationId: poor }));
      await tx.saveShoulder(aShoulder({ shoulder: "p2", organisationId: poor, status: "retired" }));
      await tx.saveShoulder(aShoulder({ shoulder: "g5", organisationId: seeded.orgB, status: "retired" }));
      await tx.saveOrganisation(anOrganisation({ id: poor, name: "poor", quotaPerDay, defaultShoulder: "p1" }));
    });
    const limited = world.minter({ SVC_BODY_LIMIT: "2 KiB", SVC_BULK_LIMIT: "2" });
    const reader = await world.key("order-reader", { organisationId: poor }, ["ark:read"]);
    const writer = await world.key("order-writer", { organisationId: poor });
    const body = `{broken${"x".repeat(2048)}`;
    // As a client on the wire declares it.
    const large = { body, headers: { "content-length": String(body.length), "content-type": "text/plain" } };
    const text = { "content-type": "text/plain" };
    const call = async (path: string, method: string, asked: Asked) =>
      answerOf(await ask(limited, method, `/api/${path}`, asked));

    expect(await call("mints", "DELETE", large)).toEqual([404, "SVC-1101"]);
    expect(await call("mint/bulk", "PATCH", large)).toEqual([405, "SVC-1102"]);
    expect(await call("mint/bulk", "POST", large)).toEqual([413, "SVC-1103"]);
    expect(await call("mint/bulk?read_only=x", "POST", { body: "{broken", headers: text })).toEqual([401, "SVC-1201"]);
    expect(await call("mint/bulk?read_only=x", "POST", { key: `${writer}x`, body: "{", headers: text })).toEqual([
      401,
      "SVC-1202",
    ]);
    const expected = [403, "SVC-1301"];
    expect(await call("mint/bulk?read_only=x", "POST", { key: reader, body: "{", headers: text })).toEqual(expected);
    expect(await call("mint/bulk", "POST", { key: writer, body: "{", headers: text })).toEqual([415, "SVC-1104"]);
    const bulk = (data: readonly unknown[]) => call("mint/bulk", "POST", { key: writer, body: { data } });

    const gone = await ask(limited, "POST", "/api/mint", { key: writer, body: { request_id: "gone" } });
    await ask(limited, "POST", "/api/purge", { key: writer, body: solemnly(String(gone.json.ark)) });
    expect(await bulk([{ titel: "" }, { request_id: "gone" }, { shoulder: "g5" }])).toEqual([422, null]);
    expect(await bulk([{}, { request_id: "gone" }, { shoulder: "g5" }])).toEqual([400, "SVC-1011"]);
    expect(await bulk([{ shoulder: "g5" }, { request_id: "gone" }])).toEqual([409, "SVC-1506"]);
    expect(await bulk([{ shoulder: "g5" }, { shoulder: "p2" }])).toEqual([403, "SVC-1302"]);

    const used = await ask(limited, "POST", "/api/mint", { key: writer, body: { request_id: "used" } });
    await ask(limited, "POST", "/api/mint", { key: writer, body: {} });
    const one = (path: string, body: Json) => call(path, "POST", { key: writer, body });
    expect(await one("mint", { shoulder: "p2" })).toEqual([403, "SVC-1304"]);
    expect(await one("mint", {})).toEqual([429, "SVC-1601"]);
    expect(await one("mint", { shoulder: "p2", request_id: "used" })).toEqual([200, null]);
    const part = { ark: used.json.ark, qualifier: "/p" };
    expect(await one("register", part)).toEqual([429, "SVC-1601"]);
    expect(await one("import", { ark: used.json.ark })).toEqual([409, "SVC-1005"]);
  });
});

describe("A17 bodies exactly", () => {
  const RECORD = [
    ...["ark", "url", "title", "type", "identifier", "format", "relation", "source", "commitment", "metadata", "who"],
    ...["when", "state", "created_at", "updated_at", "published_at", "hold_until", "hold_reason"],
  ];

  test("A16 A17 publish, unpublish, update, tombstone, hold and release answer 200 and the record", async () => {
    const ark = await mint({ reserve: true });
    const until = "2026-12-01T00:00:00Z";
    for (const [method, path, body] of [
      ["POST", "publish", { ark }],
      ["PUT", "hold", { ark, until, reason: "R" }],
      ["PUT", "hold/release", { ark }],
      ["POST", "unpublish", solemnly(ark)],
      ["PUT", "update", { ark, title: "T" }],
      ["PATCH", "update", { ark }],
      ["PUT", "tombstone", { ark }],
    ] as const) {
      const { status, json } = await send(method, path, body);
      expect([path, status, Object.keys(json)]).toEqual([path, 200, RECORD]);
      expect(json.ark).toBe(ark);
    }
  });

  test("A17 delete and purge answer ark, withdrawn_at, reason, was_published_at and no more; delete/bulk withdrawn and count", async () => {
    const [reserved, twice, purged, one, two] = await Promise.all(
      [true, false, false, true, true].map((reserve) => mint({ reserve })),
    ).then((arks) => arks.map(String));
    if (twice === undefined || purged === undefined) throw new Error("No names");
    await post("unpublish", solemnly(twice));
    const withdrawn = (ark: unknown, reason: string, was_published_at: string | null) => {
      return { ark, withdrawn_at: SINCE, reason, was_published_at };
    };
    expect((await post("delete", { ark: reserved })).json).toEqual(withdrawn(reserved, "", null));
    expect((await post("delete", solemnly(twice))).json).toEqual(withdrawn(twice, "Asked for", SINCE));
    expect((await post("purge", solemnly(purged))).json).toEqual(withdrawn(purged, "Asked for", SINCE));
    const bulk = await post("delete/bulk", { data: [two, one], reason: "Tidy" });
    expect([bulk.status, bulk.json]).toEqual([200, { withdrawn: [two, one], count: 2 }]);
    const history = await send("GET", `history?ark=${one}`);
    const entry = { at: SINCE, before_url: "", after_url: "", by: "ops" };
    const minted = { ...entry, action: "mint", fields: [], reason: "" };
    const deleted = { ...entry, action: "delete", fields: ["state"], reason: "Tidy" };
    expect(history.json).toEqual({ ark: one, data: [minted, deleted] });
  });

  test("A17 a reason of 501 characters is a 422 in every call that takes one, and nothing happens", async () => {
    const ark = await mint();
    const reason = "x".repeat(501);
    for (const [method, path, body] of [
      ["POST", "unpublish", { ark, confirm: ark, reason }],
      ["POST", "unpublish/bulk", { data: [ark], confirm: 1, reason }],
      ["POST", "delete", { ark, confirm: ark, reason }],
      ["POST", "delete/bulk", { data: [ark], reason }],
      ["POST", "purge", { ark, confirm: ark, reason }],
      ["PUT", "hold", { ark, until: "2026-12-01T00:00:00Z", reason }],
    ] as const) {
      const { status, json } = await send(method, path, body);
      expect([path, status]).toEqual([path, 422]);
      expect(json.detail).toMatchObject([{ loc: ["body", "reason"], type: "string_too_long" }]);
    }
    expect((await post("query", { data: [ark] })).json.data).toMatchObject([{ state: "published", hold_until: null }]);
  });

  test("A17 stats have the members promised, by_shoulder one row for each", async () => {
    const { json } = await send("GET", "stats");
    expect(Object.keys(json).sort()).toEqual(
      ["arks", "by_shoulder", "holds", "minted", "scope", "shoulders", "withdrawn"].sort(),
    );
    const members = (of: unknown) => Object.keys(of as Json).sort(); // every one of them is an object
    expect(members(json.arks)).toEqual(["published", "reserved", "tombstoned", "unpublished"]);
    expect(members(json.withdrawn)).toEqual(["deleted", "purged"]);
    expect(members(json.shoulders)).toEqual(["active", "delegated", "reserved", "retired"]);
    expect(members(json.minted)).toEqual(["24h", "30d", "7d"]);
    expect((json.by_shoulder as readonly Json[]).map(({ shoulder }) => shoulder).sort()).toEqual(["b1", "d9", "r7"]);
  });
});

describe("A11 names below withdrawn ones", () => {
  test("A11 nothing is registered or imported below a name that was deleted or purged, at any depth", async () => {
    for (const call of ["delete", "purge"]) {
      const ark = await mint({ reserve: true });
      await post(call, solemnly(ark));
      expect(answerOf(await post("register", { ark, qualifier: "/p" }))).toEqual([404, "SVC-1401"]);
      for (const below of ["/p", ".v1", "/p/q.r"]) {
        const answer = await post("import", { ark: ark + below });
        expect([call, ...answerOf(answer)]).toEqual([call, 409, "SVC-1014"]);
        expect(answer.json.detail).toEqual({ ark });
      }
    }
  });
});

describe("A21 first credentials", () => {
  test("A21 the first key of up holds mint, read, update, publish, and cannot tombstone, delete or purge", async () => {
    const store = await openStore({ url: ":memory:" });
    const clock = { now: () => SINCE };
    const made = await setUpEmpty({ store, clock, secrets: secretMaker({ random: platformRandom() }) });
    const [credential] = await store.credentials();
    expect([...(credential?.scopes ?? [])].sort()).toEqual(["ark:mint", "ark:publish", "ark:read", "ark:update"]);
    const first = made?.secrets[credential?.clientId ?? ""]?.api_keys[0] ?? "";
    const handler = composeMinter({ config: readConfig({}), store, log: quietLog, clock });
    const minted = await ask(handler, "POST", "/api/mint", { key: first, body: {} });
    expect(minted.status).toBe(201);
    const body = solemnly(String(minted.json.ark));
    for (const [method, path, scope] of [
      ["PUT", "tombstone", "ark:tombstone"],
      ["POST", "delete", "ark:delete"],
      ["POST", "purge", "ark:purge"],
      ["POST", "unpublish", "ark:unpublish"],
    ] as const) {
      const refused = await ask(handler, method, `/api/${path}`, { key: first, body });
      expect([refused.status, refused.json.detail]).toEqual([403, { scope }]);
    }
    await store.close();
  });
});

describe("A49 the mount prefix", () => {
  test("A49 every management route answers with and without it, and the address of tokens in the description is below it", async () => {
    const mounted = world.minter({
      SVC_ROOT_PATH: "/ids",
      SVC_AUTH: "apikey,oauth2",
      SVC_TOKEN_SECRET: "a signing secret of more than forty bytes",
    });
    for (const prefix of ["", "/ids"]) {
      const stats = await ask(mounted, "GET", `${prefix}/api/stats?read_only=true`, { key });
      const minted = await ask(mounted, "POST", `${prefix}/api/mint`, { key, body: { title: "T" } });
      expect([stats.status, minted.status, minted.json.title]).toEqual([200, 201, "T"]);
      expect((await ask(mounted, "GET", `${prefix}/healthz`)).json).toMatchObject({ ok: true });
      const address = `http://ark.test${prefix}/api/openapi.json`;
      const document = (await ask(mounted, "GET", `${prefix}/api/openapi.json`)).text;
      const tokenUrl = /"tokenUrl":\s*"([^"]+)"/.exec(document)?.[1] ?? "";
      const { pathname } = new URL(tokenUrl, address);
      expect(pathname).toBe(`${prefix}/oauth/token`);
      expect((await ask(mounted, "POST", pathname, { body: "x" })).json.error).toBe("invalid_request");
    }
    expect((await ask(mounted, "GET", "/idsx/healthz")).status).toBe(404);
    expect((await ask(mounted, "GET", "/ids/ids/healthz")).status).toBe(404);
  });
});

describe("inputs and refusals", () => {
  test("A29 a secret in the wrong place is not returned, and every loc states where it is", async () => {
    const secret = `svc_0123456789bc_${"k".repeat(43)}`;
    for (const [method, path, body, loc] of [
      ["POST", "mint", { api_key: secret }, ["body", "api_key"]],
      ["POST", "mint", { token: "hunter2" }, ["body", "token"]],
      ["POST", "mint", { nonsense: secret }, ["body", "nonsense"]],
      ["POST", "mint", { url: secret }, ["body", "url"]],
      ["POST", "query", { data: [secret] }, ["body", "data", 0]],
      ["GET", `arks?client_secret=${secret}`, undefined, ["query", "client_secret"]],
      ["GET", `arks?state=${secret}`, undefined, ["query", "state"]],
    ] as const) {
      const { status, json, text } = await send(method, path, body);
      expect([path, status]).toEqual([path, 422]);
      expect(json.detail).toMatchObject([{ loc, msg: expect.any(String), type: expect.any(String) }]);
      expect(text).not.toMatch(/k{43}|hunter2/);
    }
  });

  test("A20 a url has at most 2,048 characters, every other text 10,000, and a scheme or a control character is refused in each", async () => {
    const ark = await mint();
    for (const field of DESCRIPTIVE_FIELDS) {
      const [limit, start] = field === "url" ? [2048, "https://t.example/"] : [10_000, ""];
      const fits = start + "x".repeat(limit - start.length);
      const kept = await send("PATCH", "update", { ark, [field]: fits });
      expect([field, kept.status, kept.json[field] === fits]).toEqual([field, 200, true]);
      const long = await send("PATCH", "update", { ark, [field]: `${fits}x` });
      expect([field, long.status]).toEqual([field, 422]);
      expect(long.json.detail).toMatchObject([
        { loc: ["body", field], type: "string_too_long", ctx: { max_length: limit } },
      ]);
      const control = await send("PATCH", "update", { ark, [field]: `${start}a\u0007` });
      expect([field, control.status]).toEqual([field, 422]);
      const lines = await send("PATCH", "update", { ark, [field]: `${start}a\tb\nc` });
      expect([field, lines.status]).toEqual([field, field === "url" ? 422 : 200]);
    }
  });

  test("A30 L7 a delegated shoulder sends the caller on and asks nobody itself", async () => {
    let asked = 0;
    const other = serve({
      fetch: async () => {
        asked += 1;
        return new Response("", { status: 201 });
      },
      host: "127.0.0.1",
      port: 0,
    });
    const address = `http://127.0.0.1:${other.port}/api/mint?who=%C3%BC&x=${"y".repeat(20)}`;
    await world.store.transact((tx) =>
      tx.saveShoulder(
        aShoulder({ shoulder: "k8", organisationId: world.seeded.orgA, status: "delegated", minter: address }),
      ),
    );
    for (const path of ["mint", "mint/bulk"]) {
      const { headers } = await post(path, path === "mint" ? { shoulder: "k8" } : { data: [{ shoulder: "k8" }] });
      expect(headers.get("location")).toBe(path === "mint" ? address : null);
    }
    await other.stop(1000);
    expect(asked).toBe(0);
  });

  test("A13 L3 40 equal requests at once and any number later are one ARK: one 201, else 200 with the header, never a 5xx", async () => {
    for (const [path, body] of [
      ["mint", { request_id: "at once", title: "T" }],
      ["register", { request_id: "part at once", ark: await mint(), qualifier: "/p" }],
      ["import", { request_id: "import at once", ark: checked("99999/b1np1wh7") }],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => post(path, body)));
      expect(new Set(answers.map(({ json }) => json.ark)).size).toBe(1);
      const replays = answers.map(({ status, headers }) => [status, headers.get("idempotency-replayed")].join(" "));
      expect(replays.sort()).toEqual([...Array<string>(39).fill("200 true"), "201 "]);
    }
  });

  test("A13 the receipt of a purged part or import answers 409 (1506) with its ARK as well, in bulk with its row", async () => {
    const part = { request_id: "part gone", ark: await mint({ reserve: true }), qualifier: "/p" };
    const imported = { request_id: "import gone", ark: checked("99999/b1np1wh5") };
    for (const [path, body] of [
      ["register", part],
      ["import", imported],
    ] as const) {
      const ark = String((await post(path, body)).json.ark);
      await post("purge", solemnly(ark));
      const { status, json } = await post(path, body);
      expect([status, json.code, json.detail]).toEqual([409, "SVC-1506", { ark, request_id: body.request_id }]);
    }
    const bulk = await post("import/bulk", { data: [{ ark: checked("99999/b1np1wh4") }, imported] });
    expect([bulk.status, bulk.json.detail]).toMatchObject([409, { row: 1 }]);
    expect((await post("query", { data: [checked("99999/b1np1wh4")] })).json).toEqual({ data: [] });
  });

  test("A18 a retired shoulder and a used-up quota stop no other call than mint and register", async () => {
    const shut = await world.store.transact((tx) =>
      tx.saveOrganisation(anOrganisation({ name: "shut", quotaPerDay: 1, defaultShoulder: "" })),
    );
    await world.store.transact((tx) => tx.saveShoulder(aShoulder({ shoulder: "m3", organisationId: shut })));
    const owner = { key: await world.key("owner", { organisationId: shut }) };
    const ark = String((await post("mint", { shoulder: "m3" }, owner)).json.ark);
    await world.store.transact((tx) =>
      tx.saveShoulder(aShoulder({ shoulder: "m3", organisationId: shut, status: "retired" })),
    );
    for (const [method, path, body] of [
      ["PUT", "update", { ark }],
      ["PUT", "update/bulk", { data: [{ ark }] }],
      ["PUT", "hold", { ark, until: "2026-12-01T00:00:00Z", reason: "R" }],
      ["PUT", "hold/release", { ark }],
      ["POST", "unpublish", solemnly(ark)],
      ["POST", "publish", { ark }],
      ["POST", "query", { data: [ark] }],
      ["PUT", "tombstone", { ark }],
      ["POST", "purge", solemnly(ark)],
    ] as const) {
      expect([path, (await send(method, path, body, owner)).status]).toEqual([path, 200]);
    }
  });
});

describe("what the specification states about whole calls", () => {
  const TARGET = "https://example.org/thing";
  const OAUTH = { SVC_TOKEN_SECRET: "0123456789abcdef0123456789abcdef" };

  let minter: Handler;
  let key: string;
  let otherKey: string;
  const world = setUpWorld({ names: { file: true } });
  beforeAll(async () => {
    minter = world.minter();
    key = await world.key("ops");
    otherKey = await world.key("others", { organisationId: world.seeded.orgB });
  });

  const call = (method: string, path: string, body: unknown, asked: Asked = {}): Promise<Sent> =>
    ask(minter, method, `/api/${path}`, { key, body, ...asked });
  const mint = async (fields: Json = {}, asked: Asked = {}): Promise<string> =>
    String((await call("POST", "mint", { url: TARGET, title: "A thing", ...fields }, asked)).json.ark);
  const everything = async (who: string): Promise<string> =>
    (await ask(minter, "GET", "/api/export", { key: who })).text;

  describe("bulk calls", () => {
    test("L10 whichever row is missing, out of reach or wrong, no bulk call is applied in part", async () => {
      const reserved = [await mint({ reserve: true }), await mint({ reserve: true })];
      const published = [await mint(), await mint()];
      const theirs = await mint({ reserve: true }, { key: otherKey });
      const missing = `ark:${mintedArk("99999", "b1", "nevermade").key}`;
      const imported = ["zzzzzz1", "zzzzzz2"].map((blade) => ({ ark: mintedArk("99999", "b1", blade).key }));
      const names = (good: readonly string[], more: Json = {}) => ({
        rows: good as readonly unknown[],
        bad: [theirs, missing] as readonly unknown[],
        more: (count: number): Json => ({ ...more, ...("confirm" in more ? { confirm: count } : {}) }),
      });
      const rowsOf = (rows: readonly Json[], bad: readonly Json[]) => ({ rows, bad, more: (): Json => ({}) });
      const titled = (arks: readonly string[]) =>
        rowsOf(
          arks.map((ark) => ({ ark, title: "X" })),
          [{ ark: theirs }, { ark: missing }],
        );
      const minted = rowsOf([{ request_id: "k1" }, { title: "New" }], [{ shoulder: "c2" }, { shoulder: "d9" }]);
      const calls = [
        ["POST", "mint/bulk", minted],
        ["POST", "import/bulk", rowsOf(imported, [{ ark: theirs }, { ark: "99999/b1wrong" }, { ark: published[0] }])],
        ["PUT", "update/bulk", titled(published)],
        ["PATCH", "update/bulk", titled(reserved)],
        ["POST", "publish/bulk", names(reserved)],
        ["POST", "unpublish/bulk", names(published, { reason: "Asked for", confirm: 3 })],
        ["POST", "delete/bulk", names(reserved, { reason: "Asked for" })],
      ] as const;
      const before = [await everything(key), await everything(otherKey)];
      for (const [method, path, { rows, bad, more }] of calls) {
        for (const wrong of bad) {
          for (const at of [0, 1, 2]) {
            const data: unknown[] = [...rows];
            data.splice(at, 0, wrong);
            const { status } = await call(method, path, { data, ...more(data.length) });
            const expected = [path, JSON.stringify(wrong), true];
            expect([path, JSON.stringify(wrong), status >= 400 && status < 500]).toEqual(expected);
            expect([path, await everything(key), await everything(otherKey)]).toEqual([path, ...before]);
          }
        }
        // Without the wrong row the same call goes through: it was that row alone.
        if (path === "delete/bulk") continue;
        const done = await call(method, path, { data: rows, ...more(rows.length) });
        expect([path, done.status < 300]).toEqual([path, true]);
        before.splice(0, 2, await everything(key), await everything(otherKey));
      }
    });
  });

  describe("reserved names", () => {
    test("L8 a reserved name can be deleted; published it resolves, and cannot be deleted outright any more", async () => {
      const [given, kept] = [await mint({ reserve: true }), await mint({ reserve: true })];
      expect((await call("POST", "delete", { ark: given })).status).toBe(200);
      expect((await call("POST", "publish", { ark: kept })).status).toBe(200);
      for (const body of [{ ark: kept }, { ark: kept, reason: "Asked for", confirm: kept }]) {
        expect((await call("POST", "delete", body)).status).toBe(409);
      }
      expect((await call("POST", "delete/bulk", { data: [kept] })).status).toBe(409);
      const { handler } = await world.resolver();
      const statuses = [given, kept].map(async (ark) => (await ask(handler, "GET", `/${ark}`)).status);
      expect(await Promise.all(statuses)).toEqual([404, 302]);
    });
  });

  describe("authentication", () => {
    test("L65 L49 apikey and oauth2, alone and together: each takes its own credentials and no other", async () => {
      const client = await world.credential({ clientId: "both", scopes: ["ark:mint", "ark:read"] });
      const apiKey = await world.secret(client, "api_key");
      const secret = await world.secret(client, "client_secret");
      const form = (scope: string) =>
        new URLSearchParams({ grant_type: "client_credentials", client_id: "both", client_secret: secret, scope });
      const media = { "content-type": "application/x-www-form-urlencoded" };
      const both = world.minter({ SVC_AUTH: "apikey,oauth2", ...OAUTH });
      const issued = await ask(both, "POST", "/oauth/token", { body: form("").toString(), headers: media });
      expect([issued.status, issued.json.token_type]).toEqual([200, "Bearer"]);
      const basic = { ...media, authorization: `Basic ${btoa(`both:${secret}`)}` };
      const narrow = await ask(both, "POST", "/oauth/token", {
        body: "grant_type=client_credentials&scope=ark:read",
        headers: basic,
      });
      expect([narrow.status, narrow.json.scope]).toEqual([200, "ark:read"]);
      const token = String(issued.json.access_token);
      for (const [auth, ofKey, ofToken, ofEndpoint] of [
        ["apikey", 201, 401, 404],
        ["oauth2", 401, 201, 200],
        ["apikey,oauth2", 201, 201, 200],
        [" oauth2 , apikey ", 201, 201, 200],
      ] as const) {
        const role = world.minter({ SVC_AUTH: auth, ...OAUTH });
        const status = async (credential: string) =>
          (await ask(role, "POST", "/api/mint", { key: credential, body: {} })).status;
        const endpoint = await ask(role, "POST", "/oauth/token", { body: form("").toString(), headers: media });
        const expected = [auth, ofKey, ofToken, ofEndpoint];
        expect([auth, await status(apiKey), await status(token), endpoint.status]).toEqual(expected);
        // A client secret buys tokens; it opens nothing itself.
        expect([auth, await status(secret)]).toEqual([auth, 401]);
      }
      const narrowed = { key: String(narrow.json.access_token), body: {} };
      expect((await ask(both, "POST", "/api/mint", narrowed)).status).toBe(403);
    });

    test("L66 a caller of a name is not asked who they are, and what they send about it changes nothing", async () => {
      const [ark, bare] = [await mint(), await mint({ url: "" })];
      const { handler } = await world.resolver();
      for (const path of [
        `/${ark}`,
        `/${ark}?`,
        `/${ark}??`,
        `/${ark}?info`,
        `/${ark}?json`,
        `/${bare}`,
        "/.well-known/ark",
      ]) {
        const open = await ask(handler, "GET", path);
        expect([200, 302]).toContain(open.status);
        for (const authorization of ["Bearer nonsense", "Basic !", `Bearer ${key}`]) {
          const sent = await ask(handler, "GET", path, { headers: { authorization } });
          const shown = ({ status, text, headers }: typeof open) => [status, text, headers.get("location")];
          expect([path, ...shown(sent)]).toEqual([path, ...shown(open)]);
          expect(sent.headers.get("www-authenticate")).toBe(null);
        }
      }
    });
  });
});
