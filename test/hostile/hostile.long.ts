// Hostile requests over raw sockets to real processes: never a 5xx, every body in its surface's shape, alive and flat
// afterwards. A few thousand in
// `check`, more than 20,000 in `bun run slow`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { TSchema } from "@sinclair/typebox";
import * as inputs from "../../src/ark/inputs.ts";
import { freePort, provision, type Role, startRole, temporaryFolder } from "../support/processes.ts";
import { type RawAnswer, rawClient } from "../support/raw-http.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { type GoodTexts, junk, nearValid, oddHeaders, oddPath, type Rng, rng } from "./generate.ts";

const [WARMING, REQUESTS] = inSlowRing ? [2_000, 10_500] : [1_000, 2_500];
const CONNECTIONS = 16;
const SEED = 20_261_120;

const ROUTES: readonly (readonly [string, string, TSchema | null])[] = [
  ["POST", "/api/mint", inputs.MintIn],
  ["POST", "/api/mint/bulk", inputs.BulkMintIn],
  ["POST", "/api/register", inputs.RegisterIn],
  ["POST", "/api/import", inputs.ImportIn],
  ["POST", "/api/import/bulk", inputs.BulkImportIn],
  ["PUT", "/api/update", inputs.UpdateIn],
  ["PATCH", "/api/update", inputs.UpdateIn],
  ["PUT", "/api/update/bulk", inputs.BulkUpdateIn],
  ["PATCH", "/api/update/bulk", inputs.BulkUpdateIn],
  ["PUT", "/api/tombstone", inputs.TombstoneIn],
  ["PUT", "/api/hold", inputs.HoldIn],
  ["PUT", "/api/hold/release", inputs.HoldReleaseIn],
  ["POST", "/api/query", inputs.BulkQueryIn],
  ["POST", "/api/publish", inputs.PublishIn],
  ["POST", "/api/publish/bulk", inputs.BulkPublishIn],
  ["POST", "/api/unpublish", inputs.WithdrawIn],
  ["POST", "/api/unpublish/bulk", inputs.BulkUnpublishIn],
  ["POST", "/api/delete", inputs.WithdrawIn],
  ["POST", "/api/delete/bulk", inputs.BulkDeleteIn],
  ["POST", "/api/purge", inputs.WithdrawIn],
  ["GET", "/api/arks", null],
  ["GET", "/api/history", null],
  ["GET", "/api/stats", null],
  ["GET", "/api/export", null],
  ["POST", "/oauth/token", null],
  ["GET", "/api/openapi.json", null],
  ["GET", "/healthz", null],
];

const QUERIES: readonly string[] = [
  "",
  "?",
  "?read_only=true",
  "?read_only=maybe",
  "?limit=0",
  "?limit=-1",
  "?limit=99999999999999999999",
  "?after=%00",
  "?state=zombie",
  "?state=published&limit=2",
  "?shoulder=b1",
  "?shoulder=%ff",
  "?updated_since=yesterday",
  "?ark=ark:99999/b1",
  "?ark=%E0%A4%A",
  "?text='%25_",
  "?a[]=1&a[b]=2&__proto__[x]=1",
];

/** The runtime's own answer to bytes that are not HTTP: our code never sees such a request. */
function isRuntimeRefusal(answer: RawAnswer): boolean {
  return [400, 431, 505].includes(answer.status) && !answer.headers.has("x-request-id") && answer.body.length < 100;
}

function isJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function managementProblem(answer: RawAnswer): string | null {
  if (answer.status >= 500) return `status ${answer.status}`;
  if (answer.status < 400 || isRuntimeRefusal(answer)) return null;
  const body = isJsonObject(answer.body);
  if (body === null) return `no JSON object: ${answer.body.slice(0, 200)}`;
  if (answer.status === 422) return Array.isArray(body.detail) && body.detail.length > 0 ? null : "422 without list";
  if (!/^SVC-\d{4}$/.test(String(body.code)) || typeof body.message !== "string") return "no envelope";
  return typeof body.detail === "object" && body.detail !== null ? null : "no detail";
}

function resolverProblem(answer: RawAnswer): string | null {
  if (answer.status >= 500) return `status ${answer.status}`;
  const type = answer.headers.get("content-type") ?? "";
  if (answer.status >= 300 && answer.status < 400) {
    if (answer.status === 304) return null;
    const location = answer.headers.get("location") ?? "";
    return /^(?:https?:\/\/|\/)[\x21-\x7e]*$/.test(location) ? null : `odd Location ${location.slice(0, 200)}`;
  }
  if (answer.status < 400 || isRuntimeRefusal(answer) || answer.body === "") return null;
  if (type.startsWith("application/json")) return managementProblem(answer);
  if (type.startsWith("text/html")) return /<script>alert/i.test(answer.body) ? "script came through" : null;
  return answer.body.startsWith("SVC-") ? null : `odd text: ${answer.body.slice(0, 200)}`;
}

function message(method: string, path: string, headers: readonly (readonly [string, string])[], body: string): string {
  const lines = new Map<string, string>([["host", "127.0.0.1"]]);
  for (const [name, value] of headers) lines.set(name, value);
  const payload = Buffer.from(body, "utf8").toString("latin1");
  if (payload !== "") lines.set("content-length", String(payload.length));
  const head = [...lines].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${payload}`;
}

function managementRequest(random: Rng, key: string, texts: GoodTexts): string {
  const [method, path, schema] = random.pick(ROUTES);
  const headers: [string, string][] = [];
  if (random.chance(0.95)) headers.push(["authorization", `Bearer ${key}`]);
  headers.push(...oddHeaders(random));
  let body = "";
  if (schema !== null) {
    headers.push(["content-type", random.chance(0.97) ? "application/json" : "text/xml"]);
    body = JSON.stringify(random.chance(0.9) ? nearValid(schema, random, texts) : junk(random));
    if (random.chance(0.05)) body = body.slice(0, random.int(body.length + 1));
  } else if (path === "/oauth/token") {
    headers.push(["content-type", "application/x-www-form-urlencoded"]);
    body = random.pick(["", "grant_type=client_credentials", "grant_type=x&client_id=%ff&client_id=2", "&&&===%"]);
  }
  const shown = random.chance(0.05)
    ? oddPath(random, [path])
    : path + (schema === null || random.chance(0.1) ? random.pick(QUERIES) : "");
  const sent = random.chance(0.03) ? random.pick(["DELETE", "TRACE", "OPTIONS", "PROPFIND", "HEAD"]) : method;
  return message(sent, shown.replace(/[\r\n ]/g, "_"), headers, body);
}

function resolverRequest(random: Rng, good: readonly string[]): string {
  const path = oddPath(random, good).replace(/[\r\n ]/g, "_");
  const method = random.chance(0.9) ? "GET" : random.pick(["HEAD", "OPTIONS", "POST", "PUT", "DELETE"]);
  return message(method, path, oddHeaders(random), "");
}

function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

/** An answer to HEAD has no body to judge. */
function judgeOf(request: string, answer: RawAnswer, judge: (answer: RawAnswer) => string | null): string | null {
  if (!request.startsWith("HEAD ")) return judge(answer);
  return answer.status >= 500 ? `status ${answer.status}` : null;
}

type Finding = { readonly request: string; readonly problem: string };

async function attack(
  role: Role,
  count: number,
  seed: number,
  make: (random: Rng) => string,
  judge: (answer: RawAnswer) => string | null,
) {
  const random = rng(seed);
  const findings: Finding[] = [];
  const statuses = new Map<number, number>();
  let left = count;
  const worker = async () => {
    const client = rawClient(role.port);
    while (left-- > 0) {
      const request = make(random);
      const answer = await client.send(request);
      const problem = answer === null ? null : judgeOf(request, answer, judge);
      if (answer !== null) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (problem !== null) findings.push({ request: request.slice(0, 600), problem });
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return { findings, statuses };
}

async function mintOne(role: Role, key: string, body: object): Promise<string> {
  const response = await fetch(`${role.base}/api/mint`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ shoulder: "99999/b1", ...body }),
  });
  const record: { ark: string } = await response.json();
  return record.ark;
}

describe("hostile input", () => {
  const folder = temporaryFolder("hostile");
  let minter: Role;
  let resolver: Role;
  let key = "";
  let arks: string[] = [];

  beforeAll(async () => {
    const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "error", SVC_ACCESS_LOG: "off", SVC_BULK_LIMIT: "100" };
    key = await provision(folder.path, env);
    minter = await startRole("minter", env, await freePort());
    arks = await Promise.all([
      mintOne(minter, key, { url: "https://example.org/target", title: "<script>alert(1)</script>" }),
      mintOne(minter, key, { url: "https://example.org/q?a=" }),
      mintOne(minter, key, { title: "no target" }),
      mintOne(minter, key, { reserve: true }),
    ]);
    resolver = await startRole("resolver", env, await freePort());
  }, 60_000);

  afterAll(async () => {
    await minter?.kill("SIGTERM");
    await resolver?.kill("SIGTERM");
    folder.remove();
  });

  test("L22 L23 A28 A46 the minter answers odd requests by the thousand in its own shape, never with a 5xx, and stays flat", async () => {
    const texts: GoodTexts = {
      ark: arks,
      data: arks,
      confirm: arks,
      url: ["https://example.org/new", "https://example.org/${name}", ""],
      shoulder: ["99999/b1", "99999/c2", "ark:99999/d9"],
      qualifier: ["/part", ".v2", "/a/b.c"],
      naan: ["99999"],
      until: [new Date(Date.now() + 864e5).toISOString()],
      request_id: ["", "one", "two"],
      "": ["because", "A title", "日本語の題名"],
    };
    const make = (random: Rng) => managementRequest(random, key, texts);
    await attack(minter, WARMING, SEED, make, managementProblem);
    const before = residentMiB(minter.pid);
    const { findings, statuses } = await attack(minter, REQUESTS, SEED + 1, make, managementProblem);
    expect(findings.slice(0, 5)).toEqual([]);
    for (const status of [200, 201, 400, 401, 404, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(10);
    expect(minter.running()).toBe(true);
    expect(residentMiB(minter.pid)).toBeLessThan(before * 1.3 + 40);
  }, 240_000);

  test("A3 A43 A47 the resolver answers odd paths by the thousand in its own shape, never with a 5xx, and stays flat", async () => {
    const good = arks.map((ark) => `/${ark}`).concat("/ark:/99999/", "/ark:12148/bpt6k107371t", "/ark:88888/x", "/");
    const make = (random: Rng) => resolverRequest(random, good);
    await attack(resolver, WARMING, SEED + 2, make, resolverProblem);
    const before = residentMiB(resolver.pid);
    const { findings, statuses } = await attack(resolver, REQUESTS, SEED + 3, make, resolverProblem);
    expect(findings.slice(0, 5)).toEqual([]);
    for (const status of [200, 302, 404, 405]) expect(statuses.get(status) ?? 0).toBeGreaterThan(10);
    expect(resolver.running()).toBe(true);
    expect(residentMiB(resolver.pid)).toBeLessThan(before * 1.3 + 40);
  }, 240_000);
});
