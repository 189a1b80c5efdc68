// The real nginx and HAProxy with their configurations in deploy/ in front of a minter and two resolvers, spoken to in raw
// bytes: addresses arrive as they were sent, and what only the front may set cannot be set by a client (specification 1,
// "Percent-encoding"; A1, A33, A34, A43).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { type Front, frontsHere, startFront } from "../support/fronts.ts";
import { freePort, provision, type Role, startRole, temporaryFolder } from "../support/processes.ts";
import { type RawAnswer, rawClient } from "../support/raw-http.ts";

const FRONTS = frontsHere();
const folder = temporaryFolder("front");
const env = {
  SVC_DATA_DIR: folder.path,
  SVC_GLOBAL_RESOLVER: "",
  SVC_RAW_URI_HEADER: "X-Original-URI",
  SVC_TRUSTED_PROXIES: "1",
};
/**
 * Targets whose answer must not depend on what is in front; `NAME` becomes a minted name, `TARGET` has no name in it.
 */
const TARGETS = [
  "NAME",
  "NAME?",
  "NAME??",
  "NAME?info",
  "NAME?json",
  "NAME?x=1&y=%2F",
  "NAME/p%2Fq",
  "NAME/p%2fq/%41%7e",
  "NAME/a//b",
  "NAME//",
  "NAME/a..%2Fb",
  "NAME/.",
  "NAME/./b",
  "NAME/..",
  "NAME/x/../y",
  "NAME/%2e%2e/y",
  "NAME/x/%2E./y?",
  "NAME%3F",
  "NAME/a+b%20c",
  "NAME/%E2%80%90",
  "NAME/;a=b,c",
  "NAME/'(x)*!$&@:",
  "/ark%3A99999/b1unknown",
  "/ARK:/99999/b1unknown",
  "/ark:99999",
  "/ark:99999/",
  "/ark:",
  "/.well-known/ark",
];

let minter: Role;
let resolvers: [Role, Role];
let key = "";
const fronts = new Map<string, Front>();
const clientOf = (front: string): ReturnType<typeof rawClient> => rawClient(fronts.get(front)?.port ?? 0);

beforeAll(async () => {
  if (FRONTS.length === 0) return;
  key = await provision(folder.path, env);
  minter = await startRole("minter", env, await freePort());
  resolvers = [await startRole("resolver", env, await freePort()), await startRole("resolver", env, await freePort())];
  const ports = { minter: minter.port, resolvers: [resolvers[0].port, resolvers[1].port] } as const;
  for (const front of FRONTS) fronts.set(front, await startFront(front, folder.path, ports));
}, 90_000);
afterAll(async () => {
  for (const front of fronts.values()) await front.stop();
  for (const role of [minter, ...(resolvers ?? [])]) if (role?.running() === true) await role.kill("SIGTERM");
  folder.remove();
});

describe.each(FRONTS)("behind %s", (front) => {
  const isNginx = front === "nginx";
  let client: ReturnType<typeof rawClient>;
  /** Path of a published name, with its target. */
  let name = "";

  beforeAll(async () => {
    client = clientOf(front);
    name = await mint("https://t.example/a");
  }, 60_000);
  afterAll(() => client?.close());

  async function send(request: string, through = client): Promise<RawAnswer> {
    const answer = await through.send(request);
    if (answer === null) throw new Error(`no answer to ${request}`);
    return answer;
  }

  const get = (target: string, headers = ""): Promise<RawAnswer> =>
    send(`GET ${target} HTTP/1.1\r\nHost: id.example.org\r\n${headers}\r\n`);

  function post(target: string, body: string, headers = ""): Promise<RawAnswer> {
    const head = `Host: id.example.org\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${headers}`;
    return send(`POST ${target} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  }

  /** Mints through the front and waits until both resolvers know the name. */
  async function mint(url: string): Promise<string> {
    const answer = await post("/api/mint", JSON.stringify({ url, title: "A thing", shoulder: "b1" }));
    expect([answer.status, answer.body]).toEqual([201, expect.stringContaining('"ark":"ark:99999/b1')]);
    const { ark }: { ark: string } = JSON.parse(answer.body);
    for (const { base } of resolvers) {
      // Outside the grammar of names, so that only the table leads on: a name it lacks would be looked up in the
      // database once more.
      await eventually(`${base} knows ${ark}`, async () => {
        return (await fetch(`${base}/${ark}/'`, { redirect: "manual" })).status === 302;
      });
    }
    return `/${ark}`;
  }

  test("L52 L53 A33 A34 a bare ? and ?? are distinguished, also from no query", async () => {
    expect((await get(name)).headers.get("location")).toBe("https://t.example/a");
    const brief = (await get(`${name}?`)).body;
    expect(brief).toMatch(/^erc:\n/);
    expect(brief).not.toContain("erc-support:");
    expect((await get(`${name}??`)).body).toContain("\nerc-support:\n");
    expect((await get(`${name}???`)).headers.get("location")).not.toBeNull();
  });

  test("L63 A1 an encoded slash is not a slash, two slashes stay two, and no byte is decoded", async () => {
    for (const suffix of ["/p%2Fq", "/p%2fq%2E%41", "/a//b", "/x%3Fy%23z", "/a+b%20c"]) {
      expect((await get(name + suffix)).headers.get("location")).toBe(`https://t.example/a${suffix}`);
    }
  });

  test("A43 a .. segment is seen as it was sent and refused, on every runtime", async () => {
    for (const suffix of ["/..", "/x/../y", "/%2e%2e/y", "/x/%2E./y", "/x/.%2e?info"]) {
      const { status, body } = await get(name + suffix, "Accept: application/json\r\n");
      expect([suffix, status, body]).toEqual([suffix, 400, expect.stringContaining("SVC-1001")]);
    }
    // Above the root, and a NUL, to which nginx itself answers 400.
    for (const target of ["/../etc/passwd", "/ark:99999/../../x", ...(isNginx ? ["/ark:99999/b1%00"] : [])]) {
      expect([target, (await get(target)).status]).toEqual([target, 400]);
    }
  });

  test("L63 A34 Q.271 whatever is asked for, the front changes no answer", async () => {
    const direct = rawClient(resolvers[0].port);
    for (const pattern of TARGETS) {
      const target = pattern.replace("NAME", name);
      const fields = `X-Original-URI: ${target}\r\nHost: id.example.org\r\n`;
      // Asked directly, the path is one that nothing on the way can change.
      const wanted = await send(`GET /ark:99999/b1direct HTTP/1.1\r\n${fields}\r\n`, direct);
      if (!target.startsWith("/.well")) {
        const got = await get(target);
        const shown = ({ status, headers, body }: RawAnswer) => [
          target,
          status,
          headers.get("location"),
          headers.get("etag"),
          body,
        ];
        expect(shown(got)).toEqual(shown(wanted));
      } else expect((await get(target)).status).toBe(200);
    }
    direct.close();
  });

  test("an absolute request target, a fragment nobody should send, and raw bytes above ASCII", async () => {
    expect((await get(`http://id.example.org${name}/p%2Fq`)).headers.get("location")).toBe("https://t.example/a/p%2Fq");
    const fragment = await get(`${name}/x#y`);
    if (!isNginx) {
      // HAProxy itself refuses both.
      expect([fragment.status, (await get(`${name}/\xc3\xb1`)).status]).toEqual([400, 400]);
      return;
    }
    expect(fragment.headers.get("location")).toBe("https://t.example/a/x");
    expect((await get(`${name}/\xc3\xb1`)).headers.get("location")).toBe("https://t.example/a/%C3%B1");
    // A byte that is not UTF-8 stays that byte; Deno takes no such request at all.
    const broken = await get(`${name}/\xf1`);
    if ("Deno" in globalThis) expect(broken.status).toBe(400);
    else expect(broken.headers.get("location")).toBe("https://t.example/a/%F1");
  });

  test("A34 the raw address is set by the front alone: what a client sends under that name is gone", async () => {
    const other = await mint("https://t.example/other");
    for (const header of ["X-Original-URI", "x-original-uri", "X_Original_URI"]) {
      expect((await get(name, `${header}: ${other}\r\n`)).headers.get("location")).toBe("https://t.example/a");
    }
    const twice = `X-Original-URI: ${other}\r\nX-Original-URI: ${other}\r\n`;
    expect((await get(`${name}?`, twice)).body).toContain("redirect: https://t.example/a\n");
  });

  test("the address of the caller and the id of the request are set by the front alone", async () => {
    const spoofed = "X-Forwarded-For: 203.0.113.9\r\nForwarded: for=203.0.113.9\r\nX-Request-Id: of-the-client\r\n";
    const answer = await get(`${name}?info`, spoofed);
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{32,36}$/);
    const line = `"request_id":"${answer.headers.get("x-request-id")}"`;
    const read = (): string => resolvers.map((role) => role.errors()).join("");
    // The line comes through a pipe, the answer through a socket: either may be first.
    await eventually("the line is there", () => read().includes(line), { details: read });
    const logged = read();
    expect(logged).toContain(line);
    expect(logged).not.toContain("203.0.113.9");
    expect(logged).not.toContain("of-the-client");
  });

  test("figures are not handed out, whatever the path or the headers look like", async () => {
    const local = "X-Forwarded-For: 127.0.0.1\r\n";
    for (const target of ["/metrics", "/x/../metrics", "/%6detrics", "/api/../metrics", "/./metrics", "//metrics"]) {
      const { status, body } = await get(target, local);
      expect([target, status >= 400, body.includes("arkstone_")]).toEqual([target, true, false]);
    }
  });

  test("L6 no spelling of an address brings a request to the other role", async () => {
    const names = async (): Promise<unknown> => /arkstone_minted_total (\d+)/.exec(await figures(minter))?.[1];
    const before = await names();
    for (const target of [
      "/ark:99999/../api/mint",
      "/%61pi/mint",
      "//api/mint",
      "/./api/mint",
      "/API/mint",
      "/x/../api/mint",
    ]) {
      const answer = await post(target, "{}");
      expect([target, answer.status >= 400 && answer.status < 500]).toEqual([target, true]);
    }
    expect(await names()).toBe(before);
    for (const target of [`/api/..${name}`, `/oauth/..${name}`]) expect((await get(target)).status).toBe(404);
  });
});

// Last: the fronts have one resolver less afterwards.
test.skipIf(FRONTS.length === 0)("a resolver that is gone is left out", async () => {
  await resolvers[0].kill("SIGKILL");
  for (const front of FRONTS) {
    const client = clientOf(front);
    for (let round = 0; round < 6; round++) {
      const answer = await client.send(`GET /ark:99999/b1gone${round}?info HTTP/1.1\r\nHost: id.example.org\r\n\r\n`);
      expect([front, round, answer?.status]).toEqual([front, round, 404]);
    }
    client.close();
  }
});

async function figures(role: Role): Promise<string> {
  return (await fetch(`${role.base}/metrics`)).text();
}
