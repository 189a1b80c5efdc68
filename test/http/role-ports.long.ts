// The port of each role: requests sent before the answer to the one before (RFC 9112 9.3.2; docs/runtime-notes.md), and
// requests that name no host.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readConfig, type ServerRole } from "../../src/config.ts";
import { startRole } from "../../src/main/process/role-process.ts";
import { eventually } from "../support/eventually.ts";
import { provision, temporaryFolder } from "../support/processes.ts";
import { quietLog } from "../support/quiet-log.ts";
import { exchange } from "../support/world/lane.ts";

const folder = temporaryFolder("pipelining");
const env = {
  ...{ SVC_DATA_DIR: folder.path, SVC_PORT: "0", SVC_HOST: "127.0.0.1", SVC_WORKERS: "1" },
  ...{ SVC_JOBS: "off", SVC_BASE_URL: "https://id.example.org" },
};
let key = "";
beforeAll(async () => {
  key = await provision(folder.path, env);
});
afterAll(() => folder.remove());

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
const last = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
function post(target: string, body: object): string {
  const text = JSON.stringify(body);
  const fields = [`Authorization: Bearer ${key}`, "Content-Type: application/json", `Content-Length: ${text.length}`];
  return `POST ${target} HTTP/1.1\r\nHost: a\r\n${fields.join("\r\n")}\r\n\r\n${text}`;
}
const statuses = (bytes: string): string => [...bytes.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => code).join();

async function onPortOf<T>(
  role: ServerRole,
  use: (port: number) => Promise<T>,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const running = await startRole(
    role,
    readConfig({ ...env, ...(role === "resolver" ? { SVC_RESOLVER: "1" } : {}), ...more }),
    quietLog,
  );
  try {
    return await use(running.server.port);
  } finally {
    await running.stop();
  }
}

async function mintTwo(port: number): Promise<readonly string[]> {
  const mint = (title: string): string =>
    post("/api/mint", { shoulder: "99999/b1", url: `https://t.example/${title}`, title });
  const { bytes, end } = await exchange(port, [mint("one") + mint("two") + last("/healthz")]);
  expect([statuses(bytes), end]).toEqual(["201,201,200", "closed"]);
  const titles = [...bytes.matchAll(/"title": ?"(\w+)"/g)].map(([, title]) => title);
  expect(titles).toEqual(["one", "two"]);
  return [...bytes.matchAll(/"ark": ?"(ark:[^"]+)"/g)].map(([, ark]) => ark ?? "");
}

describe("requests behind one that is still being answered", () => {
  test("are answered in their order by the minter and the resolver", async () => {
    const arks = await onPortOf("minter", mintTwo);
    expect(new Set(arks).size).toBe(2);
    await onPortOf("resolver", async (port) => {
      await eventually("the table is loaded", async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
      const targets = arks.flatMap((ark) => [`/${ark}?info`, `/${ark}`, `/${ark}??`, `/${ark}?json`]);
      const { bytes } = await exchange(port, [[...targets.map(get), last(`/${arks[0]}?`)].join("")]);
      expect(statuses(bytes)).toBe("200,302,200,200,200,302,200,200,200");
      const described = [...bytes.matchAll(/what: ?(one|two)|"title": ?"(one|two)"/g)].map(
        ([, what, title]) => what ?? title,
      );
      expect(described.filter((each, at) => each !== described[at - 1])).toEqual(["one", "two", "one"]);
    });
  });

  test("are answered in their order by the repository", async () => {
    await onPortOf("repository", async (port) => {
      await eventually("the index is open", async () => (await fetch(`http://127.0.0.1:${port}/api/records`)).ok);
      const stream = [get("/api/records"), get("/api/communities"), post("/api/records", {}), get("/api/records/1")];
      const { bytes } = await exchange(port, [stream.join("") + last("/healthz")]);
      expect(statuses(bytes)).toMatch(/^200,200,40[13],404,200$/);
    });
  });

  // What a front does for its clients. On Deno the runtime keeps them in order by itself.
  test("SVC_FAST_LANE=1 keeps them in order behind a trusted front, too", async () => {
    await onPortOf("minter", mintTwo, { SVC_TRUSTED_PROXIES: "1", SVC_FAST_LANE: "1" });
  });
});

describe("requests that name no host", () => {
  const PATHS = ["/", "/healthz", "/api/records?q=a", "/oai?verb=Identify", "/records", "/search?q=a", "/api/stats"];
  const names = ["/api/ark/ark:99999/b1x", "/ark:99999/b1x?info", "/api/docs"];
  const MORE = ["/opensearch", "/authors", "/account", "/nope", ...names];

  test.each(["repository", "minter", "resolver"] as const)("A28 are answered by the %s like others", async (role) => {
    await onPortOf(role, async (port) => {
      const ask = async (head: string): Promise<string> =>
        (await exchange(port, [`${head}\r\nAccept: application/json\r\n\r\n`])).bytes.slice(9, 12);
      if (role === "resolver")
        await eventually("it is ready", async () => (await ask("GET /readyz HTTP/1.0")) === "200");
      for (const path of [...PATHS, ...MORE]) {
        const wanted = await ask(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close`);
        const old = await ask(`GET ${path} HTTP/1.0`);
        const empty = await ask(`GET ${path} HTTP/1.1\r\nHost:\r\nConnection: close`);
        expect([path, old, empty]).toEqual([path, wanted, wanted]);
        expect(Number(wanted)).toBeLessThan(500);
      }
    });
  });
});
