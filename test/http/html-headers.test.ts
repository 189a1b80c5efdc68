// Every page of both roles, refusals and interface pages included, carries the headers that keep scripts, frames and
// referrers out (issue 4, item 6).
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Handler } from "../../plugins/http/frame.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { DOCUMENTS } from "../../src/main/openapi/generated-files.ts";
import { ask, type Sent } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

let minter: Handler;
let resolver: Handler;
let ark = "";
const world = setUpWorld({ names: { file: true } });
beforeAll(async () => {
  const key = await world.key("pages");
  minter = world.minter();
  const made = await ask(minter, "POST", "/api/mint", { key, body: { url: "https://t.example/a", title: "<b>A</b>" } });
  ark = String(made.json.ark);
  ({ handler: resolver } = await world.resolver());
});

const HTML = { headers: { accept: "text/html,application/xhtml+xml" } };

function policyOf(answer: Sent): Map<string, string> {
  const policy = answer.headers.get("content-security-policy") ?? "";
  return new Map(
    policy.split("; ").map((part) => [part.split(" ")[0] ?? "", part.slice(part.indexOf(" ") + 1)] as const),
  );
}

/** What is wrong with the headers of a page; empty for answers that are none. */
function problemsOf(answer: Sent): string[] {
  if (answer.headers.get("content-type")?.startsWith("text/html") !== true) return [];
  const policy = policyOf(answer);
  const problems: string[] = [];
  if (policy.get("default-src") !== "'none'") problems.push("default-src");
  if (policy.get("frame-ancestors") !== "'none'") problems.push("frame-ancestors");
  if (policy.get("base-uri") !== "'none'") problems.push("base-uri");
  if (!policy.has("form-action")) problems.push("form-action");
  if (!["'none'", "'self'"].includes(policy.get("script-src") ?? "")) problems.push("script-src");
  if (answer.headers.get("x-content-type-options") !== "nosniff") problems.push("nosniff");
  if (answer.headers.get("referrer-policy") !== "no-referrer") problems.push("referrer-policy");
  return problems;
}

const unknown = () => `ark:99999/b1nosuch${checkCharacter("99999/b1nosuch")}`;
const PAGES: readonly (readonly [string, () => Promise<Sent>, number])[] = [
  ["the front page", () => ask(resolver, "GET", "/", HTML), 200],
  ["the front page with a check", () => ask(resolver, "GET", `/?ark=${ark}`, HTML), 200],
  ["a description", () => ask(resolver, "GET", `/${ark}?info`, HTML), 200],
  ["a description in Japanese", () => ask(resolver, "GET", `/${ark}?info&lang=ja`, HTML), 200],
  ["a NAAN", () => ask(resolver, "GET", "/ark:99999?info", HTML), 200],
  ["an unknown name", () => ask(resolver, "GET", `/${unknown()}`, HTML), 404],
  ["no ARK", () => ask(resolver, "GET", "/ark:%00/x", HTML), 400],
  ["a wrong method", () => ask(resolver, "DELETE", `/${ark}`, HTML), 405],
  ["an unknown path", () => ask(resolver, "GET", "/nowhere", HTML), 404],
  ["Swagger UI of the minter", () => ask(minter, "GET", "/api/docs", HTML), 200],
  ["Redoc of the minter", () => ask(minter, "GET", "/api/redoc", HTML), 200],
  ["Swagger UI of the resolver", () => ask(resolver, "GET", "/api/docs", HTML), 200],
  ["Redoc of the resolver", () => ask(resolver, "GET", "/api/redoc", HTML), 200],
];

describe("headers of pages", () => {
  test.each(PAGES)("%s is a page with all of them", async (_, asked, status) => {
    const answer = await asked();
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(problemsOf(answer)).toEqual([]);
  });

  test("a host that is not served and a limit that is reached are pages too", async () => {
    const strict = await world.resolver({ SVC_ALLOWED_HOSTS: "id.example.org", SVC_ADDRESS_RATE_PER_MINUTE: "1" });
    const host = await ask(strict.handler, "GET", `/${ark}?info`, HTML);
    const served = { headers: { ...HTML.headers, host: "id.example.org" } };
    await ask(strict.handler, "GET", `/${ark}?info`, served);
    const limited = await ask(strict.handler, "GET", `/${ark}?info`, served);
    expect([host.status, limited.status]).toEqual([400, 429]);
    for (const answer of [host, limited]) {
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(problemsOf(answer)).toEqual([]);
    }
  });

  test("no other GET of the interface description answers with a page that lacks them", async () => {
    let asked = 0;
    for (const name of DOCUMENTS) {
      const path = join(import.meta.dirname, "../../src/assets", name);
      const document: { readonly paths: Readonly<Record<string, object>> } = JSON.parse(readFileSync(path, "utf8"));
      for (const path of Object.keys(document.paths)) {
        const url = path.replace(/\{[^}]*\}/g, "x");
        for (const role of [minter, resolver]) {
          expect(`${url} ${problemsOf(await ask(role, "GET", url, HTML)).join(" ")}`).toBe(`${url} `);
          asked += 1;
        }
      }
    }
    expect(asked).toBeGreaterThan(60);
  });
});
