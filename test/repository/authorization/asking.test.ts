// What clients ask people for (R30; RFC 6749 4.1, RFC 8252, RFC 8707, RFC 9207), whom the person is sent back to, and
// who clients are by their documents (OAuth Client ID Metadata Document).
import { beforeAll, describe, expect, test } from "bun:test";
import { guardedFetch } from "../../../src/adapters/guarded-fetch.ts";
import {
  clientDocuments,
  DOCUMENT_FETCH,
  isDocumentAddress,
} from "../../../src/repository/authorization/client-documents.ts";
import { admitsRedirect } from "../../../src/repository/authorization/client-metadata.ts";
import { GRANTS_JOB, grantJobs } from "../../../src/repository/authorization/grant-jobs.ts";
import { FetchRefused, type RemoteFiles } from "../../../src/repository/record-files/remote-files.ts";
import { addMilliseconds } from "../../../src/shared/time/instant.ts";
import { NOW } from "../../support/seed.ts";
import { type AuthorizationWorld, authorizationOf, MCP, REDIRECT } from "../../support/world/authorization.ts";
import { BASE_URL } from "../../support/world/repository.ts";
import { setUpWorld } from "../../support/world.ts";

const DOCUMENT = "https://app.example/client.json";
const DAY_MS = 86_400_000;

/** A web that holds these texts; counts what is asked. */
function web(texts: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const remote: RemoteFiles = {
    async open(url) {
      asked.push(url);
      const text = texts[url];
      if (text === undefined) throw new FetchRefused("The other side answers with the status 404");
      return {
        sizeBytes: null,
        mediaType: url.endsWith("/text") ? "text/plain" : "application/json; charset=utf-8",
        pieces: (async function* () {
          yield new TextEncoder().encode(text);
        })(),
      };
    },
  };
  return { remote, asked };
}

const documentOf = (more: Readonly<Record<string, unknown>> = {}, address = DOCUMENT): string =>
  JSON.stringify({ client_id: address, client_name: "App", redirect_uris: [REDIRECT], ...more });

describe("R30 asking for authorization", () => {
  let at: AuthorizationWorld;
  let clientId = "";
  const world = setUpWorld({ repository: true });
  beforeAll(async () => {
    at = authorizationOf(world);
    clientId = await at.register();
  });

  const reading = async (more: Readonly<Record<string, string | null>>, id = clientId) =>
    at.asking.readAuthorization(await at.query(id, more));

  test("S3.7.18 a client that cannot be trusted gets no person: unknown clients, other addresses, repeated parameters", async () => {
    const evil = [
      ...["https://evil.example/callback", "https://app.example/callback/", "https://app.example/callback?x=1"],
      ...["https://app.example/callback#x", "https://APP.example/callback", "https://app.example:443/callback"],
      ...[
        "http://app.example/callback",
        "https://app.example.evil.example/callback",
        "https://app.example@evil.example/",
      ],
      ...[
        "https://app.example/../callback",
        "https://app.example/%63allback",
        "javascript:alert(1)",
        "//app.example/callback",
      ],
      ...[
        "http://127.0.0.1/callback",
        " https://app.example/callback",
        "https://app.example/callback\n",
        "https://app.example\\callback",
      ],
    ];
    for (const redirect_uri of evil) {
      expect([redirect_uri, (await reading({ redirect_uri })).kind]).toEqual([redirect_uri, "refuse"]);
    }
    for (const id of [
      "",
      "nobody",
      "https://app.example",
      "__proto__",
      "x".repeat(9_000),
      world.people.registered.clientId,
    ]) {
      expect((await reading({}, id)).kind).toBe("refuse");
    }
    for (const name of ["client_id", "redirect_uri"]) {
      const query = await at.query(clientId);
      query.append(name, query.get(name) ?? "");
      expect((await at.asking.readAuthorization(query)).kind).toBe("refuse");
    }
    const endless = await at.query(clientId);
    for (let n = 0; n < 300; n += 1) endless.append(`x${n}`, "1");
    expect((await at.asking.readAuthorization(endless)).kind).toBe("refuse");
    const two = await at.register([REDIRECT, "https://app.example/other"]);
    expect((await reading({ redirect_uri: null }, two)).kind).toBe("refuse");
    expect((await reading({ redirect_uri: null })).kind).toBe("ask");
  });

  test("S3.7.19 every other error goes back with its name, the state and the issuer, behind a query that was there", async () => {
    const challenge = "x".repeat(43);
    const cases: readonly (readonly [Readonly<Record<string, string | null>>, string])[] = [
      [{ response_type: null }, "invalid_request"],
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_type: "code id_token" }, "unsupported_response_type"],
      [{ code_challenge: null }, "invalid_request"],
      [{ code_challenge_method: null }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge: `${challenge}x` }, "invalid_request"],
      [{ code_challenge: `${challenge.slice(1)}=` }, "invalid_request"],
      [{ scope: "ark:mint" }, "invalid_scope"],
      [{ scope: "mcp:read item:read" }, "invalid_scope"],
      [{ scope: "mcp:".repeat(400) }, "invalid_scope"],
      [{ scope: "mcp:read ".repeat(112) }, "invalid_scope"],
      [{ resource: "https://evil.example/mcp" }, "invalid_target"],
      [{ resource: BASE_URL }, "invalid_target"],
      [{ resource: `${MCP}#x` }, "invalid_target"],
      [{ response_mode: "fragment" }, "invalid_request"],
      [{ request: "x" }, "request_not_supported"],
      [{ request_uri: "https://app.example/r" }, "request_uri_not_supported"],
    ];
    for (const [more, error] of cases) {
      const read = await reading({ ...more, state: "a b&c" });
      if (read.kind !== "redirect") throw new Error(`${JSON.stringify(more)}: ${read.kind}`);
      const url = new URL(read.location);
      const { searchParams: parameters } = url;
      expect([
        more,
        `${url.origin}${url.pathname}`,
        parameters.get("error"),
        parameters.get("state"),
        parameters.get("iss"),
      ]).toEqual([...[more, REDIRECT, error, "a b&c", BASE_URL]]);
      expect(parameters.get("error_description")).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
      expect(parameters.has("code")).toBe(false);
    }
    for (const name of [
      ...["scope", "state", "code_challenge", "response_type", "code_challenge_method", "response_mode"],
      ...["request", "request_uri"],
    ]) {
      const query = await at.query(clientId, { response_mode: "query", request: "", request_uri: "" });
      query.append(name, query.get(name) ?? "");
      const read = await at.asking.readAuthorization(query);
      expect([name, read]).toMatchObject([
        name,
        { kind: "redirect", location: expect.stringContaining("error=invalid_request") },
      ]);
    }
    for (const [first, second, error] of [
      [MCP, `${MCP}-auth`, "invalid_target"],
      [MCP, "https://evil.example/mcp", "invalid_target"],
      [MCP, MCP, null],
    ] as const) {
      const query = await at.query(clientId, { resource: first });
      query.append("resource", second);
      const read = await at.asking.readAuthorization(query);
      const parameters = read.kind === "redirect" ? new URL(read.location).searchParams.get("error") : null;
      expect([second, read.kind, parameters]).toEqual([second, error === null ? "ask" : "redirect", error]);
    }
    const long = await reading({ state: "s".repeat(2_001) });
    expect(long).toMatchObject({ kind: "redirect", location: expect.not.stringContaining("state=") });
    const withQuery = `${REDIRECT}?a=1`;
    const read = await reading({ redirect_uri: withQuery, scope: "x", state: null }, await at.register([withQuery]));
    expect(read).toMatchObject({
      kind: "redirect",
      location: expect.stringMatching(/^https:\/\/app\.example\/callback\?a=1&error=/),
    });
  });

  test("S3.7.20 a program on the person's own machine listens on any port, and nothing else may differ", () => {
    const registered = [
      "http://127.0.0.1:1234/cb",
      "http://localhost/cb",
      "http://[::1]:1/cb?x=1",
      "https://a.example:8443/cb",
    ];
    const good = [
      ...["http://127.0.0.1:1234/cb", "http://127.0.0.1:65535/cb", "http://127.0.0.1/cb", "http://localhost:8080/cb"],
      ...["http://[::1]:9/cb?x=1", "https://a.example:8443/cb"],
    ];
    const bad = [
      ...["https://127.0.0.1:1234/cb", "http://127.0.0.1:1234/cb/", "http://127.0.0.2:1234/cb", "http://[::1]:9/cb"],
      ...[
        "https://a.example:8444/cb",
        "https://a.example/cb",
        "http://a.example:8443/cb",
        "http://localhost:8080/cb#x",
      ],
      ...[
        "http://x@localhost:8080/cb",
        "http://localhost.:8080/cb",
        "http://127.1:1234/cb?",
        "http://127.0.0.1:99999/cb",
        "",
      ],
    ];
    expect(good.filter((each) => !admitsRedirect(registered, each))).toEqual([]);
    expect(bad.filter((each) => admitsRedirect(registered, each))).toEqual([]);
  });

  test("S3.7.21 what is asked is read with what it implies, allowed in part, denied with the state, and answered with the issuer", async () => {
    const read = await reading({
      scope: "mcp:curate offline_access",
      resource: MCP.replace("https://repo", "HTTPS://REPO"),
    });
    if (read.kind !== "ask") throw new Error(read.kind);
    expect(read.ask).toEqual({
      client: { id: clientId, name: "Test", uri: null, kind: "registered", redirectHost: "app.example" },
      redirectUri: REDIRECT,
      redirectSent: true,
      state: "s1",
      scopes: ["mcp:read", "mcp:write", "mcp:curate"],
      resource: MCP,
      codeChallenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect(await reading({ scope: null, resource: null })).toMatchObject({
      ask: { scopes: ["mcp:read"], resource: MCP },
    });
    expect(at.asking.deny(read.ask)).toBe(
      `${REDIRECT}?error=access_denied&error_description=The+person+did+not+allow+it&state=s1&iss=https%3A%2F%2Frepo.example.org`,
    );
    const viewer = await world.viewer("registered");
    const location = new URL(await at.asking.allow(viewer, read.ask, ["mcp:write"]));
    expect([...location.searchParams.keys()]).toEqual(["code", "state", "iss"]);
    const { json } = await at.exchange(clientId, location.searchParams.get("code") ?? "");
    expect(json.scope).toBe("mcp:read mcp:write");
    const narrow = await reading({ scope: "mcp:read" });
    if (narrow.kind !== "ask") throw new Error(narrow.kind);
    const more = new URL(await at.asking.allow(viewer, narrow.ask, ["mcp:curate"]));
    expect((await at.exchange(clientId, more.searchParams.get("code") ?? "")).json.scope).toBe("mcp:read");
    await expect(at.asking.allow(viewer, read.ask, [])).rejects.toMatchObject({ kind: "invalid" });
    const token = { ...viewer, scopes: new Set(["mcp:curate"]) };
    await expect(at.asking.allow(token, read.ask, ["mcp:read"])).rejects.toMatchObject({ kind: "forbidden" });
    const guest = { ...viewer, account: null };
    await expect(at.asking.allow(guest, read.ask, ["mcp:read"])).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  test("S3.7.22 a document is believed only where it has its own address, in one way, and holds no secret", async () => {
    const addresses = [
      ...[
        "http://app.example/c",
        "https://app.example",
        "https://app.example/",
        "https://app.example/c#x",
        "https://u@app.example/c",
      ],
      ...[
        "https://app.example/../c",
        "https://app.example/a/./c",
        "https://APP.example/c",
        "https://app.example:443/c",
      ],
      ...[
        "https:app.example/c",
        "https://app.example\\c",
        "https://app.example/ c",
        `https://app.example/${"c".repeat(600)}`,
      ],
    ];
    expect(addresses.filter(isDocumentAddress)).toEqual([]);
    expect(
      ["https://app.example/c", "https://app.example:8443/a/c?v=1"].filter((each) => !isDocumentAddress(each)),
    ).toEqual([]);
    const texts: Readonly<Record<string, string>> = {
      good: documentOf({}, "https://app.example/good"),
      other: documentOf(),
      port: documentOf({}, "https://app.example:443/port"),
      secret: documentOf({ client_secret: "x" }, "https://app.example/secret"),
      basic: documentOf({ token_endpoint_auth_method: "client_secret_basic" }, "https://app.example/basic"),
      redirects: documentOf({ redirect_uris: ["javascript:alert(1)"] }, "https://app.example/redirects"),
      none: documentOf({ redirect_uris: undefined }, "https://app.example/none"),
      text: documentOf({}, "https://app.example/text"),
      list: "[]",
      broken: "{",
      deep: `${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`,
    };
    const { remote } = web(
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [`https://app.example/${name}`, text])),
    );
    const documents = clientDocuments({ remote, nowMs: () => 0 });
    const read = await Promise.all(
      Object.keys(texts).map(async (name) => [name, (await documents.read(`https://app.example/${name}`)) !== null]),
    );
    expect(read.filter(([, isBelieved]) => isBelieved)).toEqual([["good", true]]);
    const through = authorizationOf(world, clientDocuments({ remote, nowMs: () => 0 }));
    const asked = await through.asking.readAuthorization(await through.query("https://app.example/good"));
    expect(asked).toMatchObject({
      kind: "ask",
      ask: { client: { id: "https://app.example/good", kind: "document", name: "App" } },
    });
    const code = await through.code("registered", "https://app.example/good");
    expect((await through.exchange("https://app.example/good", code)).status).toBe(200);
    // Allowed again under another name, it is the same program, by the name that the person saw last.
    const renamed = web({ "https://app.example/good": documentOf({ client_name: "New" }, "https://app.example/good") });
    const again = authorizationOf(world, clientDocuments({ remote: renamed.remote, nowMs: () => 0 }));
    await again.code("registered", "https://app.example/good");
    const grants = await again.asking.grantsOf(await world.viewer("registered"));
    expect(grants.filter(({ clientId: id }) => id.startsWith("https:")).map(({ clientName }) => clientName)).toEqual([
      "New",
    ]);
  });

  test("S3.7.23 a document is asked for once and kept a quarter of an hour, a failure is not; no private address, no redirect, nothing large", async () => {
    let now = 0;
    const { remote, asked } = web({ [DOCUMENT]: documentOf() });
    const documents = clientDocuments({ remote, nowMs: () => now });
    await Promise.all(Array.from({ length: 20 }, () => documents.read(DOCUMENT)));
    await documents.read(DOCUMENT);
    expect(asked).toEqual([DOCUMENT]);
    now = 15 * 60_000;
    await documents.read(DOCUMENT);
    expect(asked.length).toBe(2);
    for (let n = 0; n < 2; n += 1) expect(await documents.read("https://app.example/none")).toBeNull();
    expect(asked.length).toBe(4);
    const waiting: (() => void)[] = [];
    let open = 0;
    const slow: RemoteFiles = {
      open: async () => {
        open += 1;
        await new Promise<void>((resolve) => waiting.push(resolve));
        throw new FetchRefused("late");
      },
    };
    const crowded = clientDocuments({ remote: slow, nowMs: () => now });
    const all = Array.from({ length: 50 }, (_, n) => crowded.read(`https://app.example/${n}`));
    expect(open).toBe(8);
    for (const done of waiting) done();
    expect(new Set(await Promise.all(all))).toEqual(new Set([null]));
    const reasons: string[] = [];
    const guarded = guardedFetch({
      ...DOCUMENT_FETCH,
      mayFetch: ({ protocol }) => protocol === "https:",
      userAgent: "test",
      resolve: async (host) => (host === "rebinding.example" ? ["203.0.114.9", "127.0.0.1"] : ["10.0.0.1"]),
    });
    const real = clientDocuments({ remote: guarded, nowMs: () => now, note: ({ reason }) => reasons.push(reason) });
    const inside = ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "169.254.169.254", "intern.example", "rebinding.example"];
    for (const host of inside) expect(await real.read(`https://${host}/client.json`)).toBeNull();
    expect(new Set(reasons)).toEqual(new Set(["The host is not on the public network"]));
    expect([DOCUMENT_FETCH.redirects, DOCUMENT_FETCH.maxBytes, DOCUMENT_FETCH.seconds]).toEqual([0, 10_240, 5]);
  });

  test("S3.7.25 the job forgets codes and tokens that ended, ends what nothing is left of, and removes clients that nobody used", async () => {
    const { store, clock, time } = world;
    const run = (): Promise<unknown> => {
      const job = grantJobs({ store, clock })[GRANTS_JOB];
      if (job === undefined) throw new Error("no job");
      // The job checks its signal alone.
      return job.run({} as never, { signal: new AbortController().signal, progress: async () => {} } as never);
    };
    const unused = [await at.register(), await at.register()];
    const { clientId: used, refresh } = await at.tokens("general");
    const { clientId: second } = await at.tokens("general");
    const lasting = await at.tokens("other");
    const grantIds = (await at.asking.grantsOf(await world.viewer("general"))).map(({ id }) => id);
    expect(grantIds.length).toBe(2);
    const operators = await at.known.register({ redirect_uris: [REDIRECT] }, "account");
    await at.exchange(operators.id, await at.code("admin", operators.id));
    const isKnown = async (id: string) => (await store.grants.oauthClient(id)) !== null;
    const secretsOf = (id = "") => store.transact((tx) => tx.grants.countGrantSecrets(id));
    /** A program that is used all the time: its grant lives on. */
    let token = lasting.refresh;
    const refreshUntil = async (day: number): Promise<void> => {
      for (
        let moment = Date.parse(time.now) + 10 * DAY_MS;
        moment < Date.parse(NOW) + day * DAY_MS;
        moment += 10 * DAY_MS
      ) {
        time.now = new Date(moment).toISOString() as typeof time.now;
        token = String((await at.refresh(lasting.clientId, token)).json.refresh_token);
      }
      time.now = addMilliseconds(NOW, day * DAY_MS);
    };
    // Code, access and refresh token: those that ended are kept for a day.
    time.now = addMilliseconds(NOW, DAY_MS + 60_000);
    await run();
    expect(await Promise.all(grantIds.map(secretsOf))).toEqual([3, 3]);
    time.now = addMilliseconds(NOW, DAY_MS + 60_001);
    await run();
    expect(await Promise.all(grantIds.map(secretsOf))).toEqual([2, 2]);
    time.now = addMilliseconds(NOW, 7 * DAY_MS + 1);
    await run();
    expect(await Promise.all([...unused, used, second, operators.id].map(isKnown))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(await Promise.all(grantIds.map(secretsOf))).toEqual([1, 1]);
    expect((await at.refresh(used, refresh)).status).toBe(200);
    await refreshUntil(38);
    await run();
    for (const id of grantIds) {
      expect((await store.grants.grant(id))?.endedAt).toBe(time.now);
      expect((await store.events(`grant:${id}`, 1))[0]).toMatchObject({
        action: "grant-end",
        detail: { by: "lapsed" },
      });
    }
    await refreshUntil(67);
    await run();
    for (const id of grantIds) expect((await store.grants.grant(id))?.clientName).toBe("Test");
    await refreshUntil(69);
    await run();
    expect(await Promise.all([...grantIds.map((id) => store.grants.grant(id)), isKnown(used)])).toEqual([
      null,
      null,
      true,
    ]);
    await refreshUntil(200);
    await run();
    expect(await Promise.all([used, second, operators.id, lasting.clientId].map(isKnown))).toEqual([
      ...[false, false, true, true],
    ]);
    expect((await at.asking.grantsOf(await world.viewer("other"))).map(({ clientId: id }) => id)).toContain(
      lasting.clientId,
    );
    time.now = NOW;
  });
});
