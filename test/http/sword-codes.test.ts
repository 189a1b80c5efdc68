// Every route of the deposit interface with every response code the specification lists for it, and its headers
// (specification 2, "Deposit endpoints"; R9, R11, R13, R13b).
import { beforeAll, describe, expect, test } from "bun:test";
import { cratePackage, tablePackage, type Upload } from "../support/deposit-requests.ts";
import { type Answer, BASE_URL, recidOf, SERVICE } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

/** Deposits, replaces and deletes through a workflow with approval. */
let slow: { readonly token: string };
const world = setUpWorld({ repository: true });
beforeAll(async () => {
  const workflow = await world.workflow({ delete: { actions: ["start", "approval", "end"] } });
  slow = await world.token("registered", undefined, { registrationType: 2, workflow });
});

const anItem = async (): Promise<number> => recidOf(await world.deposit("registered", cratePackage()));
const NOBODY = { "on-behalf-of": "nobody@example.org" };
const OTHER = { "on-behalf-of": "other@example.org" };
const withoutOnBehalfOf = () => world.under({ SVC_SWORD_ON_BEHALF_OF: "0" });
const small = () => world.under({ SVC_MAX_UPLOAD_BYTES: "1024" });
const few = () => world.token("registered", ["item:read"]);
const broken = () =>
  world.under({}, (parts) => ({
    ...parts,
    store: {
      ...parts.store,
      accounts: new Proxy(parts.store.accounts, {
        get(accounts, name, self) {
          if (name === "accountByMail") return () => Promise.reject(new Error("away"));
          return Reflect.get(accounts, name, self);
        },
      }),
    },
  }));

type Row = readonly [code: number, type: string | null, ask: () => Promise<Answer>];
const post = (upload: Upload = {}) => world.deposit("registered", cratePackage(), upload);
const put = async (upload: Upload = {}) => world.replace("registered", await anItem(), cratePackage(), upload);
const service = (headers: Readonly<Record<string, string>> = {}) =>
  world.ask("registered", "GET", SERVICE, { headers });

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  "GET /sword/service-document": [
    [200, "ServiceDocument", () => service()],
    [400, "BadRequest", () => service(NOBODY)],
    [401, "AuthenticationRequired", () => world.ask(null, "GET", SERVICE)],
    [403, "AuthenticationFailed", () => world.ask({ token: "wrong" }, "GET", SERVICE)],
    [412, "OnBehalfOfNotAllowed", () => withoutOnBehalfOf().ask("registered", "GET", SERVICE, { headers: OTHER })],
    [500, "ServerError", () => broken().ask("registered", "GET", SERVICE, { headers: OTHER })],
  ],
  "POST /sword/service-document": [
    [201, "Status", () => post()],
    [202, "Status", () => world.deposit(slow, cratePackage())],
    [400, "BadRequest", () => post({ headers: { "content-disposition": null } })],
    [400, "ContentMalformed", () => post({ parts: [] })],
    [401, "AuthenticationRequired", () => world.deposit(null, cratePackage())],
    [403, "AuthenticationFailed", () => world.deposit({ token: "wrong" }, cratePackage())],
    [403, "Forbidden", async () => world.deposit(await few(), cratePackage())],
    [404, "NotFound", () => world.deposit("registered", tablePackage({ ".id": "999999" }))],
    [412, "DigestMismatch", () => post({ headers: { digest: "SHA-256=00" } })],
    [412, "OnBehalfOfNotAllowed", () => withoutOnBehalfOf().deposit("registered", cratePackage(), { headers: OTHER })],
    [413, "MaxUploadSizeExceeded", () => small().deposit("registered", cratePackage())],
    [415, "ContentTypeNotAcceptable", () => post({ headers: { "content-type": "text/plain" } })],
    [415, "PackagingFormatNotAcceptable", () => post({ headers: { packaging: "Binary" } })],
    [500, "ServerError", () => broken().deposit("registered", cratePackage(), { headers: OTHER })],
  ],
  "GET /sword/deposit/{recid}": [
    [200, "Status", async () => world.status("registered", await anItem())],
    [400, "BadRequest", async () => world.status("registered", await anItem(), NOBODY)],
    [401, "AuthenticationRequired", async () => world.status(null, await anItem())],
    [403, "AuthenticationFailed", async () => world.status({ token: "wrong" }, await anItem())],
    [404, "NotFound", () => world.status("registered", 999_999)],
    [412, "OnBehalfOfNotAllowed", async () => withoutOnBehalfOf().status("registered", await anItem(), OTHER)],
    [500, "ServerError", async () => broken().status("registered", await anItem(), OTHER)],
  ],
  "PUT /sword/deposit/{recid}": [
    [200, "Status", () => put()],
    [202, "Status", async () => world.replace(slow, await anItem(), cratePackage())],
    [400, "BadRequest", () => put({ headers: { "content-disposition": null } })],
    [400, "ContentMalformed", () => put({ parts: [] })],
    [401, "AuthenticationRequired", async () => world.replace(null, await anItem(), cratePackage())],
    [403, "AuthenticationFailed", async () => world.replace({ token: "wrong" }, await anItem(), cratePackage())],
    [403, "Forbidden", async () => world.replace(await few(), await anItem(), cratePackage())],
    [404, "NotFound", () => world.replace("registered", 999_999, cratePackage())],
    [412, "DigestMismatch", () => put({ headers: { digest: "SHA-256=00" } })],
    [412, "ETagNotMatched", () => put({ headers: { "if-match": '"9"' } })],
    [413, "MaxUploadSizeExceeded", async () => small().replace("registered", await anItem(), cratePackage())],
    [415, "ContentTypeNotAcceptable", () => put({ headers: { "content-type": "text/plain" } })],
    [
      500,
      "ServerError",
      async () => broken().replace("registered", await anItem(), cratePackage(), { headers: OTHER }),
    ],
  ],
  "DELETE /sword/deposit/{recid}": [
    [202, "Status", async () => world.remove(slow, await anItem())],
    [204, null, async () => world.remove("registered", await anItem())],
    [400, "BadRequest", async () => world.remove("registered", await anItem(), NOBODY)],
    [401, "AuthenticationRequired", async () => world.remove(null, await anItem())],
    [403, "AuthenticationFailed", async () => world.remove({ token: "wrong" }, await anItem())],
    [403, "Forbidden", async () => world.remove(await few(), await anItem())],
    [404, "NotFound", () => world.remove("registered", 999_999)],
    [412, "ETagNotMatched", async () => world.remove("registered", await anItem(), { "if-match": '"9"' })],
    [500, "ServerError", async () => broken().remove("registered", await anItem(), OTHER)],
  ],
};
const ALL = Object.entries(ROWS).flatMap(([endpoint, rows]) =>
  rows.map(([code, type, ask]) => [endpoint, code, type ?? "an empty body", type, ask] as const),
);

describe("S2.10 response codes", () => {
  test.each(ALL)("S2.10 R11 %s answers %d with %s", async (_, code, __, type, ask) => {
    const { status, json, text, headers } = await ask();
    expect([status, json["@type"] ?? null]).toEqual([code, type]);
    if (type === null) expect(text).toBe("");
    else expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    if (status >= 400) expect(Object.keys(json).sort()).toEqual(["@context", "@type", "error", "timestamp"]);
  });
});

describe("S2.10 headers", () => {
  test("S2.10 Content-Length may be absent: the file size counts; all other headers of the table are needed", async () => {
    expect((await post({ headers: { "content-length": null } })).status).toBe(201);
    expect((await post({ chunked: true })).status).toBe(201);
    for (const [header, code] of [
      ["content-disposition", 400],
      ["packaging", 415],
      ["content-type", 415],
    ] as const) {
      expect([header, (await post({ chunked: true, headers: { [header]: null } })).status]).toEqual([header, code]);
    }
  });

  test("S2.20 the deposit paths carry no version, and the service document names the protocol's", async () => {
    expect((await service()).json.version).toBe("http://purl.org/net/sword/3.0");
    for (const path of ["/api/v1/sword/service-document", "/sword/v3/service-document"]) {
      expect((await world.ask("registered", "GET", path)).status).toBe(404);
    }
  });

  test("S2.1 what the service does: read the service document, register, read, replace, delete", async () => {
    const document = (await service()).json;
    const made = await world.ask("registered", "POST", String(document.root).slice(BASE_URL.length), {});
    expect(made.status).toBe(415);
    const answer = await post();
    const path = (answer.headers.get("location") ?? "").slice(BASE_URL.length);
    expect((await world.ask("registered", "GET", path)).status).toBe(200);
    expect((await world.replace("registered", recidOf(answer), cratePackage())).status).toBe(200);
    expect((await world.ask("registered", "DELETE", path)).status).toBe(204);
    expect((await world.ask("registered", "GET", path)).status).toBe(404);
  });
});
