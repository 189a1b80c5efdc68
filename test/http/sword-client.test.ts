// A plain SWORD 3 client, written from the public standard, and the calls with curl as they are documented, against a
// listening server (specification 2, "Deposit endpoints"; R11, R12, R13).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Handler, type Server, serve } from "../../src/main/process/serve.ts";
import { cratePackage, type Package, swordPackage, tablePackage } from "../support/deposit-requests.ts";
import { run } from "../support/run.ts";
import { setUpWorld } from "../support/world.ts";
import { utf8Bytes } from "../support/zip-writer.ts";

let server: Server;
const world = setUpWorld({ repository: true });
beforeAll(() => {
  let handler: Handler = world.handler;
  server = serve({ fetch: (request, peer) => handler(request, peer), host: "127.0.0.1", port: 0 });
  // Addresses in documents are those the client reaches.
  handler = world.under({ SVC_BASE_URL: server.url }).handler;
});
afterAll(async () => {
  await server.stop(1000);
});

const NS = "http://purl.org/net/sword/3.0";
const CONTEXT = "https://swordapp.github.io/swordv3/swordv3.jsonld";
type Document = { readonly [name: string]: unknown };

/** What a link of a Status document may have; clients of the standard refuse a document with other members. */
const LINK_MEMBERS: ReadonlySet<string> = new Set(
  `@id byReference contentType dcterms:isReplacedBy dcterms:relation dcterms:replaces depositedBy depositedOn
  depositedOnBehalfOf derivedFrom eTag log metadataFormat packaging rel status versionReplacedOn`.split(/\s+/),
);

/** A time as the standard's samples have it, the one form that its public libraries read: no fraction of a second. */
function standardTime(value: unknown): void {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(value)))
    throw new Error(`${value} is not a time of the standard`);
}

/** What the standard requires of a Status document; throws where it is not. */
function statusDocument(document: Document): Document {
  const must = (name: string, isRight: (value: unknown) => boolean): void => {
    if (!isRight(document[name])) throw new Error(`Status document: "${name}" is ${JSON.stringify(document[name])}`);
  };
  const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
  must("@context", (value) => value === CONTEXT);
  must("@id", (value) => typeof value === "string" && URL.canParse(value));
  must("@type", (value) => value === "Status");
  must("metadata", isObject);
  must("fileSet", isObject);
  must("service", (value) => typeof value === "string");
  must("actions", isObject);
  for (const [action, may] of Object.entries(document.actions as Document)) {
    if (typeof may !== "boolean") throw new Error(`The action ${action} is neither true nor false`);
  }
  must(
    "state",
    (value) =>
      Array.isArray(value) && value.length > 0 && value.every((each) => String(each["@id"]).startsWith(`${NS}/state/`)),
  );
  must(
    "links",
    (value) =>
      Array.isArray(value) && value.every((each) => typeof each["@id"] === "string" && Array.isArray(each.rel)),
  );
  const links = document.links as readonly Document[];
  const unknown = links.flatMap((link) => Object.keys(link)).find((member) => !LINK_MEMBERS.has(member));
  if (unknown !== undefined) throw new Error(`A link has the member "${unknown}", which the standard does not know`);
  for (const { depositedOn } of links) if (depositedOn !== undefined) standardTime(depositedOn);
  return document;
}

/** A client that knows nothing but the standard: raw bodies, base64 digests, Location, ETag and If-Match. */
function swordClient(serviceUrl: string, token: string) {
  const authorization = `Bearer ${token}`;
  const headersOf = ({ bytes, packaging, name }: Package): Record<string, string> => ({
    authorization,
    "content-type": "application/zip",
    "content-disposition": `attachment; filename=${name}`,
    digest: `SHA-256=${createHash("sha256").update(bytes).digest("base64")}`,
    packaging,
  });

  async function object(response: Response, statuses: readonly number[]) {
    const document = (await response.json()) as Document;
    if (!statuses.includes(response.status)) {
      throw new Error(`${response.status} ${String(document["@type"])}: ${String(document.error)}`);
    }
    const etag = response.headers.get("etag");
    return {
      url: response.headers.get("location") ?? String(document["@id"]),
      etag,
      document: statusDocument(document),
    };
  }

  return {
    async service(): Promise<Document> {
      const response = await fetch(serviceUrl, { headers: { authorization } });
      const document = (await response.json()) as Document;
      for (const name of ["@context", "@id", "@type", "dc:title", "root", "version", "accept", "digest"]) {
        if (document[name] === undefined) throw new Error(`The service document lacks "${name}"`);
      }
      return document;
    },
    async deposit(pkg: Package) {
      const body = new Uint8Array(pkg.bytes);
      const response = await fetch(serviceUrl, { method: "POST", headers: headersOf(pkg), body });
      if (response.headers.get("location") === null) throw new Error(`No Location: ${await response.text()}`);
      return await object(response, [201, 202]);
    },
    read: async (url: string) => object(await fetch(url, { headers: { authorization } }), [200]),
    async replace(url: string, etag: string | null, pkg: Package) {
      const headers = { ...headersOf(pkg), ...(etag === null ? {} : { "if-match": etag }) };
      return await object(await fetch(url, { method: "PUT", headers, body: new Uint8Array(pkg.bytes) }), [200, 202]);
    },
    async remove(url: string, etag: string | null): Promise<number> {
      const headers = { authorization, ...(etag === null ? {} : { "if-match": etag }) };
      const response = await fetch(url, { method: "DELETE", headers });
      await response.text();
      return response.status;
    },
    async refusal(url: string): Promise<Document> {
      const document = (await (await fetch(url, { headers: { authorization } })).json()) as Document;
      for (const name of ["@context", "@type", "error", "timestamp"]) {
        if (typeof document[name] !== "string") throw new Error(`The error document lacks "${name}"`);
      }
      standardTime(document.timestamp);
      return document;
    },
  };
}

describe("S2.10 a client of the public standard", () => {
  test("R11 R12 R13 R13c it reads the service document, deposits a raw ZIP, follows Location, replaces with If-Match, deletes", async () => {
    const client = swordClient(`${server.url}/sword/service-document`, world.people.registered.token);
    const service = await client.service();
    expect([service["@type"], service.version, service["@id"]]).toEqual(["ServiceDocument", NS, service.root]);
    for (const build of [cratePackage, swordPackage]) {
      const made = await client.deposit(build());
      expect([made.document["@id"], made.etag]).toEqual([made.url, '"1"']);
      const read = await client.read(made.url);
      expect([read.etag, read.document]).toEqual([made.etag, made.document]);
      const changed = await client.replace(made.url, read.etag, build());
      expect([changed.url, changed.etag]).toEqual([made.url, '"2"']);
      await expect(client.replace(made.url, made.etag, build())).rejects.toThrow("412 ETagNotMatched");
      expect(await client.remove(made.url, made.etag)).toBe(412);
      expect(await client.remove(made.url, changed.etag)).toBe(204);
      expect((await client.refusal(made.url))["@type"]).toBe("NotFound");
    }
  });

  test("R16 R11 a deposit that waits for approval is read at its Location at once", async () => {
    const workflow = await world.workflow();
    const { token } = await world.token("registered", undefined, { registrationType: 2, workflow });
    const client = swordClient(`${server.url}/sword/service-document`, token);
    const made = await client.deposit(cratePackage());
    expect((await client.read(made.url)).document["@id"]).toBe(made.url);
  });
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.error("curl is not installed; the calls with it are skipped");

describe.skipIf(!hasCurl)("S2.10 curl, as documented", () => {
  async function curl(
    ...args: string[]
  ): Promise<{ readonly status: number; readonly head: string; readonly body: string }> {
    const { output } = await run(["curl", "--silent", "--include", "--max-time", "60", ...args]);
    // The last answer counts: "100 Continue" comes before it.
    const whole = output.slice(output.lastIndexOf("HTTP/1.1 "));
    const end = whole.indexOf("\r\n\r\n");
    const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(whole)?.[1]);
    return { status, head: whole.slice(0, end), body: whole.slice(end + 4) };
  }
  const written = (name: string, { bytes }: Package): string => {
    const path = join(world.folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const bearer = () => `Authorization:Bearer ${world.people.registered.token}`;
  const SERVICE = () => `${server.url}/sword/service-document`;
  const PACKAGING = `Packaging:${NS}/package/SimpleZip`;

  test("R12 R13 multipart without Digest: register, read, replace, delete", async () => {
    const path = written("package.zip", cratePackage());
    const header = ["-H", "Content-Disposition:attachment; filename=package.zip", "-H", PACKAGING];
    const form = ["-F", `file=@${path};type=application/zip`, "-H", bearer(), ...header];
    const service = await curl(SERVICE(), "-H", bearer());
    expect([service.status, JSON.parse(service.body)["@type"]]).toEqual([200, "ServiceDocument"]);
    const made = await curl("-X", "POST", SERVICE(), ...form);
    expect(made.status).toBe(201);
    const url = String(statusDocument(JSON.parse(made.body))["@id"]);
    expect(made.head.toLowerCase()).toContain(`location: ${url}`);
    expect((await curl(url, "-H", bearer())).status).toBe(200);
    writeFileSync(path, tablePackage().bytes);
    expect((await curl("-X", "PUT", url, ...form)).status).toBe(200);
    const gone = await curl("-X", "DELETE", url, "-H", bearer());
    expect([gone.status, gone.body]).toEqual([204, ""]);
    expect((await curl(url, "-H", bearer())).status).toBe(404);
  });

  test("R13 names beyond ASCII as curl sends them, a large body with Expect, a chunked one, and a raw one", async () => {
    const name = "研究データ.zip";
    const payload = [{ path: "large.bin", bytes: utf8Bytes("0123456789abcdef".repeat(200_000)) }];
    const path = written(name, cratePackage({}, payload));
    const common = ["-H", bearer(), "-H", `Content-Disposition:attachment; filename=${name}`, "-H", PACKAGING];
    const form = ["-F", `file=@${path};type=application/zip`, ...common];
    expect((await curl("-X", "POST", SERVICE(), ...form, "-H", "Expect: 100-continue")).status).toBe(201);
    expect((await curl("-X", "POST", SERVICE(), ...form, "-H", "Transfer-Encoding: chunked")).status).toBe(201);
    const body = ["--data-binary", `@${path}`, "-H", "Content-Type: application/zip"];
    const raw = await curl("-X", "POST", SERVICE(), ...body, ...common);
    expect(raw.status).toBe(201);
  });

  test("message 1 message 5 refusals come as error documents although the body is not read", async () => {
    const path = written("package.zip", cratePackage({}, [{ path: "a.bin", bytes: new Uint8Array(3_000_000) }]));
    const header = ["-H", "Content-Disposition:attachment; filename=package.zip", "-H", PACKAGING];
    const form = ["-F", `file=@${path};type=application/zip`, ...header];
    const guest = await curl("-X", "POST", SERVICE(), ...form);
    expect([guest.status, JSON.parse(guest.body)["@type"]]).toEqual([401, "AuthenticationRequired"]);
    const tooLong = ["-H", bearer(), "-H", "Content-Length: 16777216001", "--max-time", "10"];
    const huge = await curl("-X", "POST", SERVICE(), ...form, ...tooLong);
    const expected = [413, "Content size is too large. (request:16777216001, maxUploadSize:16777216000)"];
    expect([huge.status, JSON.parse(huge.body).error]).toEqual(expected);
  });
});
