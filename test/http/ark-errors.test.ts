// Every code of the error table, provoked over HTTP: its status, its envelope, what its detail must contain, the
// headers it carries (A28; specification, "Errors"). The codes and statuses are repeated here, as the decision has
// them, so that the program's own table is held by them.
import { beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import { openStore } from "../../db/ark/store.ts";
import type { Handler } from "../../plugins/http/frame.ts";
import { mintedArk } from "../../src/ark/new-name.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { readConfig } from "../../src/config.ts";
import { composeMinter } from "../../src/main/minter/minter.ts";
import { composeResolver } from "../../src/main/resolver/resolver.ts";
import { ERRORS } from "../../src/shared/errors.ts";
import { memoryReplica } from "../support/memory-replica.ts";
import { quietLog } from "../support/quiet-log.ts";
import { aNaan, anOrganisation, aShoulder } from "../support/seed.ts";
import { type Asked, ask, type Json, type Sent } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

/** A28: the status of every code. */
const STATUSES: Readonly<Record<number, readonly number[]>> = {
  307: [1306],
  400: [
    1001, 1002, 1003, 1004, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1015, 1016, 1017, 1018, 1019, 1020, 1105, 1106,
    1204, 1305,
  ],
  401: [1201, 1202],
  403: [1301, 1302, 1303, 1304, 1307, 1308, 1309],
  404: [1101, 1203, 1401, 1402, 1403, 1404],
  405: [1102],
  409: [1005, 1014, 1501, 1502, 1503, 1504, 1505, 1506, 1507],
  // Beyond the decision: a body that does not come (issue 4, item 6).
  408: [1107],
  413: [1103],
  415: [1104],
  429: [1601, 1602],
  500: [1999],
  503: [1901],
};
const LIMIT = 4;
const BODY_LIMIT = 4096;
const TOKENS = { SVC_AUTH: "apikey,oauth2", SVC_TOKEN_SECRET: "a signing secret of more than forty bytes" };

let minter: Handler;
let resolver: Handler;
let closedNetwork: Handler;
let keys: Readonly<Record<string, string>>;
let clientSecret = "";
const checked = (key: string) => key + checkCharacter(key);

const world = setUpWorld({ names: { file: true } });
beforeAll(async () => {
  const { store, seeded } = world;
  await store.transact(async (tx) => {
    await tx.saveNaan(aNaan({ naan: "77777" }));
    await tx.saveShoulder(aShoulder({ naan: "77777", shoulder: "b1", organisationId: seeded.orgB }));
    const about = "https://d8.example/about";
    await tx.saveShoulder(aShoulder({ shoulder: "d8", organisationId: seeded.orgA, status: "delegated", about }));
  });
  const bare = await store.transact((tx) => tx.saveOrganisation(anOrganisation({ name: "bare", defaultShoulder: "" })));
  const shut = await store.transact((tx) => tx.saveOrganisation(anOrganisation({ name: "shut", active: false })));
  const poor = await store.transact((tx) => tx.saveOrganisation(anOrganisation({ name: "poor", quotaPerDay: 1 })));
  await store.transact((tx) => tx.saveShoulder(aShoulder({ shoulder: "p1", organisationId: poor })));
  await store.transact((tx) =>
    tx.saveOrganisation(anOrganisation({ id: poor, name: "poor", quotaPerDay: 1, defaultShoulder: "p1" })),
  );
  const wide = { organisationId: null };
  keys = {
    org: await world.key("org"),
    bare: await world.key("bare", { organisationId: bare }),
    shut: await world.key("shut", { organisationId: shut }),
    poor: await world.key("poor", { organisationId: poor }),
    reader: await world.key("reader", {}, ["ark:read"]),
    naan: await world.key("naan", { ...wide, tier: "naan" }),
    system: await world.key("system", { ...wide, tier: "system", naan: null }),
  };
  clientSecret = await world.secret(
    await world.credential({ clientId: "client", scopes: ["ark:read"] }),
    "client_secret",
  );
  minter = world.minter({
    ...TOKENS,
    SVC_BULK_LIMIT: String(LIMIT),
    SVC_BODY_LIMIT: String(BODY_LIMIT),
    SVC_ALLOWED_HOSTS: "ark.test",
  });
  await make("published", { url: "https://t.example/b1" });
  resolver = (await world.resolver()).handler;
  closedNetwork = (await world.resolver({ SVC_GLOBAL_RESOLVER: "" })).handler;
});

const send = (who: string | null, method: string, path: string, body?: unknown): Promise<Sent> =>
  ask(minter, method, `/api/${path}`, { key: who === null ? null : (keys[who] ?? who), body });
const post = (path: string, body: unknown, who = "org") => send(who, "POST", path, body);
const solemnly = (ark: string) => ({ ark, reason: "Asked for", confirm: ark });

async function make(state: string, fields: Json = {}): Promise<string> {
  const { json } = await post("mint", { reserve: state === "reserved", ...fields });
  const ark = String(json.ark);
  if (state === "unpublished") await post("unpublish", solemnly(ark));
  if (state === "tombstoned") await send("org", "PUT", "tombstone", { ark });
  if (state === "purged") await post("purge", solemnly(ark));
  return ark;
}

const FORM = { grant_type: "client_credentials", client_id: "client" };
const token = (handler: Handler, fields: Json) =>
  ask(handler, "POST", "/oauth/token", {
    body: new URLSearchParams(fields as Record<string, string>).toString(), // every field is text
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
const name = (handler: Handler, path: string) => ask(handler, "GET", path, { headers: { accept: "application/json" } });

type Provoked = {
  readonly code: number;
  readonly provoke: () => Promise<Sent>;
  /** Members that the detail must have. */
  readonly detail?: () => Json;
  /** Headers that the answer must have. */
  readonly headers?: Readonly<Record<string, string>>;
};

const anyText = expect.any(String);
let made = "";
const again = async (state: string) => {
  made = await make(state);
  return made;
};

const CASES: readonly Provoked[] = [
  { code: 1001, provoke: () => post("publish", { ark: "no ark" }) },
  { code: 1002, provoke: async () => post("register", { ark: await make("published"), qualifier: "x" }) },
  { code: 1003, provoke: async () => post("register", { ark: await make("published"), qualifier: "//" }) },
  {
    code: 1004,
    provoke: () => post("publish", { ark: `99999/${"b".repeat(256)}` }),
    detail: () => ({ length: 256, limit: 255 }),
  },
  {
    code: 1005,
    provoke: async () => {
      const part = { ark: await make("published"), qualifier: "/p" };
      await post("register", part);
      return post("register", part);
    },
  },
  { code: 1007, provoke: () => post("mint", {}, "system") },
  { code: 1008, provoke: () => post("mint", { shoulder: "zz9" }, "naan") },
  { code: 1009, provoke: () => post("mint", { shoulder: "b1" }, "system") },
  { code: 1010, provoke: () => post("mint", {}, "bare") },
  { code: 1011, provoke: () => post("mint/bulk", { data: [{}, {}, {}, {}, {}] }) },
  { code: 1012, provoke: () => post("import", { ark: `${checked("99999/b1np1wh8")}0` }) },
  { code: 1013, provoke: () => post("import", { ark: "99999/zz9x" }, "naan") },
  { code: 1014, provoke: async () => post("import", { ark: await make("purged") }) },
  { code: 1015, provoke: async () => post("purge", { ark: await again("published"), confirm: made }) },
  { code: 1016, provoke: async () => post("purge", { ark: await make("published"), reason: "R", confirm: "other" }) },
  { code: 1017, provoke: async () => post("unpublish", { ark: await again("published"), confirm: made }) },
  { code: 1018, provoke: async () => post("delete", { ark: await make("unpublished"), reason: "R" }) },
  { code: 1019, provoke: async () => post("publish/bulk", { data: [await again("reserved"), made] }) },
  {
    code: 1020,
    provoke: async () =>
      send("org", "PUT", "hold", { ark: await make("published"), until: "2020-01-01T00:00:00Z", reason: "R" }),
  },
  { code: 1101, provoke: () => post("nothing", {}) },
  { code: 1102, provoke: () => send("org", "GET", "mint"), headers: { allow: "POST" } },
  { code: 1103, provoke: () => post("mint", { title: "x".repeat(BODY_LIMIT) }) },
  {
    code: 1104,
    provoke: () =>
      ask(minter, "POST", "/api/mint", { key: keys.org ?? "", body: "a=b", headers: { "content-type": "text/plain" } }),
  },
  { code: 1105, provoke: () => ask(minter, "GET", "/api/stats", { headers: { host: "evil.example" } }) },
  { code: 1106, provoke: () => token(minter, { client_id: "client", client_secret: clientSecret }) },
  {
    code: 1107,
    provoke: async () => {
      const stuck = world.minter({ SVC_CLIENT_SECONDS: "1", SVC_BODY_LIMIT: "1 KiB" });
      const body = new ReadableStream({ start: (sending) => sending.enqueue(new TextEncoder().encode("{")) });
      const headers = { host: "ark.test", authorization: `Bearer ${keys.org}`, "content-type": "application/json" };
      const init = { method: "POST", headers, body, duplex: "half" };
      const answer = await stuck(new Request("http://ark.test/api/mint", init), { addressOf: () => "" });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) };
    },
    headers: { connection: "close" },
  },
  { code: 1201, provoke: () => send(null, "GET", "stats"), headers: { "www-authenticate": 'Bearer realm="ark"' } },
  {
    code: 1202,
    provoke: () => send("svc_nobody_x", "GET", "stats"),
    headers: { "www-authenticate": 'Bearer realm="ark", error="invalid_token"' },
  },
  { code: 1203, provoke: () => token(world.minter(), { ...FORM, client_secret: clientSecret }) },
  { code: 1204, provoke: () => token(minter, { ...FORM, grant_type: "password", client_secret: clientSecret }) },
  {
    code: 1301,
    provoke: () => post("mint", {}, "reader"),
    detail: () => ({ scope: "ark:mint" }),
    headers: { "www-authenticate": 'Bearer realm="ark", error="insufficient_scope", scope="ark:mint"' },
  },
  { code: 1302, provoke: () => post("mint", { shoulder: "c2" }) },
  { code: 1303, provoke: () => post("mint", {}, "shut") },
  { code: 1304, provoke: () => post("mint", { shoulder: "r7" }) },
  { code: 1305, provoke: () => token(minter, { ...FORM, client_secret: clientSecret, scope: "ark:purge" }) },
  {
    code: 1306,
    provoke: () => post("mint", { shoulder: "d9" }),
    detail: () => ({ shoulder: "d9", naan: "99999", minter: "https://mint.example.org/api/mint", about: "" }),
    headers: { location: "https://mint.example.org/api/mint" },
  },
  { code: 1307, provoke: () => post("import", { ark: checked("99999/r7x") }) },
  { code: 1308, provoke: () => post("mint", { shoulder: "88888/b1" }, "system") },
  {
    code: 1309,
    provoke: () => post("mint", { shoulder: "d8" }),
    detail: () => ({ shoulder: "d8", naan: "99999", about: "https://d8.example/about" }),
  },
  { code: 1401, provoke: () => post("publish", { ark: "99999/b1none" }) },
  { code: 1402, provoke: () => name(resolver, `/ark:${checked("99999/b1none")}`) },
  { code: 1403, provoke: () => name(resolver, `/ark:${checked("99999/b1none")}0`) },
  { code: 1404, provoke: () => name(closedNetwork, "/ark:12345/x6") },
  { code: 1501, provoke: async () => post("delete", solemnly(await make("published"))) },
  {
    code: 1502,
    provoke: async () => {
      const ark = await make("reserved");
      await post("register", { ark, qualifier: "/p" });
      return post("delete", { ark });
    },
  },
  { code: 1503, provoke: async () => post("unpublish", solemnly(await make("reserved"))) },
  { code: 1504, provoke: async () => post("delete/bulk", { data: [await make("unpublished")] }) },
  { code: 1505, provoke: async () => post("publish", { ark: await make("tombstoned") }) },
  {
    code: 1506,
    provoke: async () => {
      made = String((await post("mint", { request_id: "withdrawn" })).json.ark);
      await post("purge", solemnly(made));
      return post("mint", { request_id: "withdrawn" });
    },
    detail: () => ({ ark: made, request_id: "withdrawn" }),
  },
  {
    code: 1507,
    provoke: async () => {
      await post("mint", { request_id: "minted" });
      return post("register", { ark: await make("published"), qualifier: "/p", request_id: "minted" });
    },
  },
  {
    code: 1601,
    provoke: async () => {
      await post("mint", {}, "poor");
      return post("mint/bulk", { data: [{}, {}] }, "poor");
    },
    detail: () => ({ quota: 1, used: 1, requested: 2 }),
  },
  {
    code: 1602,
    provoke: async () => {
      const slow = world.minter({ SVC_RATE_PER_MINUTE: "1" });
      await ask(slow, "GET", "/api/stats", { key: keys.org ?? "" });
      return ask(slow, "GET", "/api/stats", { key: keys.org ?? "" });
    },
  },
  {
    code: 1901,
    provoke: () => {
      const config = readConfig({ SVC_RESOLVER: "1" });
      return name(composeResolver({ config, replica: memoryReplica(), log: quietLog }).handler, "/ark:99999/b1x");
    },
  },
  {
    code: 1999,
    provoke: async () => {
      const store = await openStore({ url: ":memory:" });
      await store.close();
      const broken = composeMinter({ config: readConfig({}), store, log: quietLog });
      const headers = { "x-request-id": "req-7" };
      return ask(broken, "GET", "/api/stats", { key: `svc_0123456789bc_${"k".repeat(43)}`, headers });
    },
    detail: () => ({ request_id: "req-7" }),
  },
];

describe("A28 the table of errors", () => {
  test("L69 A28 its codes and statuses are those of the decision, and every one is provoked here", () => {
    const decided = Object.entries(STATUSES).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)]));
    const written = Object.entries(ERRORS).map(([code, { status }]) => [Number(code), status]);
    const byCode = (one: readonly number[], other: readonly number[]) => (one[0] ?? 0) - (other[0] ?? 0);
    expect(written.sort(byCode)).toEqual(decided.sort(byCode));
    expect(CASES.map(({ code }) => code).sort()).toEqual(decided.map(([code]) => code ?? 0));
  });

  for (const { code, provoke, detail, headers } of CASES) {
    const status = Number(Object.entries(STATUSES).find(([, codes]) => codes.includes(code))?.[0]);
    test(`L23 A28 ${code} is ${status}, in the envelope, with what it must contain`, async () => {
      const answer = await provoke();
      expect([answer.status, answer.json.code]).toEqual([status, `SVC-${code}`]);
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      const members = Object.keys(answer.json).filter((member) => !member.startsWith("error"));
      expect(members.sort()).toEqual(["code", "detail", "message"]);
      expect(answer.json.message).toEqual(anyText);
      expect(answer.json.detail).toMatchObject({ ...detail?.() });
      for (const [header, value] of Object.entries(headers ?? {})) expect(answer.headers.get(header)).toBe(value);
      if (code !== 1306) expect(answer.headers.get("location")).toBe(null);
      const retryAfter = answer.headers.get("retry-after");
      if (status === 429 || status === 503) expect(retryAfter).toMatch(/^[1-9]\d*$/);
      else expect(retryAfter).toBe(null);
      expect(answer.text).not.toMatch(/sqlite|kysely|postgres|\.ts\b/i);
    });
  }
});

describe("the rows of the specification's table", () => {
  const TARGET = "https://example.org/thing";

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
  const solemnly = (ark: string): Json => ({ ark, reason: "Asked for", confirm: ark });

  async function make(state: "reserved" | "published" | "unpublished" | "deleted" | "purged"): Promise<string> {
    const reserve = state === "reserved" || state === "deleted";
    const ark = String((await call("POST", "mint", { url: TARGET, title: "A thing", reserve })).json.ark);
    if (state === "unpublished") expect((await call("POST", "unpublish", solemnly(ark))).status).toBe(200);
    if (state === "deleted") expect((await call("POST", "delete", { ark })).status).toBe(200);
    if (state === "purged") expect((await call("POST", "purge", solemnly(ark))).status).toBe(200);
    return ark;
  }

  const read = async (...arks: readonly string[]): Promise<unknown> =>
    (await call("POST", "query", { data: arks })).json.data;
  const codeOf = ({ status, json }: Sent): string => `${status} ${json.code}`;

  describe("the error table", () => {
    test("L69 L22 a body that fails validation is 422 with the validation error body", async () => {
      const answer = await call("POST", "mint", { title: 1, naan: "12345" });
      expect([answer.status, Object.keys(answer.json)]).toEqual([422, ["detail"]]);
    });

    test("L69 L7 a delegated shoulder is 307 toward the minter, and the service never calls it", async () => {
      let calls = 0;
      const elsewhere = createServer((_, response) => {
        calls += 1;
        response.end("{}");
      });
      await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
      const address = elsewhere.address();
      const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/api/mint`;
      const organisationId = world.seeded.orgA;
      await world.store.transact((tx) =>
        tx.saveShoulder(aShoulder({ shoulder: "m5", organisationId, status: "delegated", minter: url })),
      );
      const answer = await call("POST", "mint", { shoulder: "m5", title: "Not minted here" });
      expect([codeOf(answer), answer.headers.get("location")]).toEqual(["307 SVC-1306", url]);
      expect((await call("POST", "mint/bulk", { data: [{ shoulder: "m5" }] })).status).toBe(403);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(calls).toBe(0);
      await new Promise((resolve) => elsewhere.close(resolve));
    });

    test("L69 L31 L34 deleting a published name, or a bulk with a published or ever published row, is 409 and deletes nothing", async () => {
      const [published, unpublished, reserved, other] = [
        await make("published"),
        await make("unpublished"),
        await make("reserved"),
        await make("reserved"),
      ];
      const before = await read(published, unpublished, reserved, other);
      expect((await call("POST", "delete", { ark: published })).status).toBe(409);
      expect((await call("POST", "delete", solemnly(published))).status).toBe(409);
      for (const data of [
        [reserved, published, other],
        [reserved, other, unpublished],
        [unpublished],
        [published, unpublished],
      ]) {
        const answer = await call("POST", "delete/bulk", { data, reason: "Asked for" });
        expect([data.length, answer.status]).toEqual([data.length, 409]);
      }
      expect(await read(published, unpublished, reserved, other)).toEqual(before);
      expect((await call("POST", "delete/bulk", { data: [reserved, other] })).status).toBe(200);
      expect(await read(reserved, other)).toEqual([]);
    });

    test("L69 L35 a reference to a purged name is answered 404, at both roles", async () => {
      const ark = await make("purged");
      const references: readonly (readonly [string, string, Json])[] = [
        ["PUT", "update", { ark, title: "Back" }],
        ["PATCH", "update", { ark, url: TARGET }],
        ["PUT", "update/bulk", { data: [{ ark }] }],
        ["PUT", "tombstone", { ark }],
        ["POST", "publish", { ark }],
        ["POST", "unpublish", solemnly(ark)],
        ["POST", "delete", solemnly(ark)],
        ["POST", "delete/bulk", { data: [ark] }],
        ["POST", "purge", solemnly(ark)],
        ["POST", "register", { ark, qualifier: "/page" }],
      ];
      for (const [method, path, body] of references) {
        expect([path, codeOf(await call(method, path, body))]).toEqual([path, "404 SVC-1401"]);
      }
      expect(await read(ark)).toEqual([]);
      const { handler } = await world.resolver();
      for (const form of ["", "?", "??", "?info", "?json", "/page/3"]) {
        expect([form, (await ask(handler, "GET", `/${ark}${form}`)).status]).toEqual([form, 404]);
      }
    });

    test("L69 L10 L45 a bulk update with a row missing or out of reach fails whole, nothing is written", async () => {
      const [one, two] = [await make("published"), await make("reserved")];
      const foreign = String((await call("POST", "mint", { title: "Theirs" }, { key: otherKey })).json.ark);
      const before = await read(one, two);
      for (const bad of [foreign, "ark:99999/b1none", await make("deleted"), await make("purged")]) {
        for (const at of [0, 1, 2]) {
          const data: Json[] = [one, two].map((ark) => ({ ark, title: "Changed" }));
          data.splice(at, 0, { ark: bad, title: "Changed" });
          for (const method of ["PUT", "PATCH"]) {
            expect([bad, codeOf(await call(method, "update/bulk", { data }))]).toEqual([bad, "404 SVC-1401"]);
          }
        }
      }
      expect(await read(one, two)).toEqual(before);
      const theirs = (await call("POST", "query", { data: [foreign] }, { key: otherKey })).json.data;
      expect(theirs).toMatchObject([{ title: "Theirs" }]);
    });

    test("L69 L27 L29 reserved, unpublished and withdrawn names answer as a name never seen, in every form, with both headers", async () => {
      const names = {
        reserved: await make("reserved"),
        unpublished: await make("unpublished"),
        deleted: await make("deleted"),
        purged: await make("purged"),
      };
      // Right by its check character, and never made.
      const unseen = `ark:${mintedArk("99999", "b1", "zzzzzzzz").key}`;
      const { handler } = await world.resolver();
      const shape = async (ark: string, form: string, accept: string) => {
        const { status, headers, text } = await ask(handler, "GET", `/${ark}${form}`, { headers: { accept } });
        const name = ark.slice("ark:".length);
        expect(headers.get("thump-status")).toBe("0.6 404 Not Found");
        expect(headers.get("link")).toBe(`</${ark}${form.startsWith("/") ? form : ""}>; rel="describes"`);
        const fields = [...headers].filter(([field]) => field !== "x-request-id" && field !== "link");
        return { status, fields, text: text.replaceAll(name, "NAME").replaceAll(encodeURIComponent(name), "NAME") };
      };
      for (const form of ["", "?", "??", "?info", "?json", "/page/3"]) {
        for (const accept of ["*/*", "application/json", "text/html"]) {
          const expected = await shape(unseen, form, accept);
          expect(expected.status).toBe(404);
          for (const [state, ark] of Object.entries(names)) {
            expect({ state, ...(await shape(ark, form, accept)) }).toEqual({ state, ...expected });
          }
        }
      }
    });

    test("L69 L29 L33 L35 without a reason, or with a confirm that is not the ARK, nothing is withdrawn", async () => {
      for (const [path, state] of [
        ["unpublish", "published"],
        ["delete", "unpublished"],
        ["purge", "published"],
        ["purge", "unpublished"],
      ] as const) {
        const ark = await make(state);
        const before = await read(ark);
        for (const body of [
          { ark },
          { ark, confirm: ark },
          { ark, confirm: ark, reason: " " },
          { ark, reason: "Asked for" },
          { ark, reason: "Asked for", confirm: "" },
          { ark, reason: "Asked for", confirm: `${ark}x` },
          { ark, reason: "Asked for", confirm: "yes" },
        ]) {
          const { status } = await call("POST", path, body);
          expect([path, JSON.stringify(body), status]).toEqual([path, JSON.stringify(body), 400]);
        }
        expect(await read(ark)).toEqual(before);
        expect((await call("POST", path, solemnly(ark))).status).toBe(200);
      }
    });
  });
});
