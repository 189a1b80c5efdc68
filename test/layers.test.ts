// The layers of docs/architecture.md hold: every import of every source file is checked against the floors.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findViolations } from "./support/layers.ts";
import { codeOnly, importsOf } from "./support/source.ts";

const ROOT = join(import.meta.dirname, "..");

function sourcesUnder(folders: readonly string[]): Map<string, string> {
  const sources = new Map<string, string>();
  for (const folder of folders) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith(".ts") || entry.name.endsWith(".d.ts")) continue;
      const path = join(entry.parentPath, entry.name);
      sources.set(path.slice(ROOT.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8"));
    }
  }
  return sources;
}

/** The complaints about one planted file in a small clean code base. */
function complaints(file: string, source: string): string[] {
  const clean = new Map([
    ["src/shared/a.ts", "export const a = 1;"],
    ["src/ark/store.ts", 'import type { a } from "../shared/a.ts"; export type P = typeof a;'],
    ["src/ark/minting.ts", "export const mint = async () => 1;"],
    ["src/main/cli.ts", "export const run = process.env;"],
    ["src/assets/words.ts", "export const words = 1;"],
    ["db/ark/store.ts", 'import { sql } from "kysely"; export const s = sql;'],
    ["src/config.ts", "export const c = 1;"],
    ["client/calls.ts", "export const call = async () => 1;"],
  ]);
  return findViolations(new Map([...clean, [file, source]])).map((each) => each.message);
}

describe("layers", () => {
  const sources = sourcesUnder(["src", "plugins", "db", "client"]);

  test("no file imports what its layer may not", () => {
    expect(sources.size).toBeGreaterThan(10);
    expect(findViolations(sources).map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
  });

  test("no default export, no JavaScript next to TypeScript, imports name their file", () => {
    const bad: string[] = [];
    for (const [file, source] of sources) {
      if (/^export default/m.test(codeOnly(source))) bad.push(`${file}: default export`);
      for (const { target } of importsOf(source)) {
        if (target?.startsWith(".") && !/\.(?:ts|json|css|html|txt|js|svg)$/.test(target))
          bad.push(`${file}: ${target}`);
      }
    }
    expect(bad).toEqual([]);
  });

  test("the first line of every file states what it is", () => {
    const silent = [...sources]
      .filter(([, source]) => !/^(?:#!.*\n)?(?:\/\/|\/\*\*)/.test(source))
      .map(([file]) => file);
    expect(silent).toEqual([]);
  });
});

test("the program that makes the descriptions, and what is generated from them, loads nothing that is generated", () => {
  const files = new Set(["src/main/openapi/openapi.ts"]);
  // A set grows while it is walked.
  for (const file of files) {
    if (!file.endsWith(".ts") || file.includes("/generated/")) continue;
    for (const { target, typeOnly, isDynamic } of importsOf(readFileSync(join(ROOT, file), "utf8"))) {
      if (!typeOnly && !isDynamic && target?.startsWith(".") === true) files.add(join(file, "..", target));
    }
  }
  expect(files.size).toBeGreaterThan(500);
  expect([...files].filter((file) => file.includes("/generated/"))).toEqual([]);
});

describe("the judge of layers", () => {
  test.each([
    ["src/shared/b.ts", 'import { readFileSync } from "node:fs";'],
    ["src/shared/b.ts", 'import type { P } from "../ark/store.ts";'],
    ["src/shared/b.ts", 'const later = await import("kysely");'],
    ["src/shared/b.ts", 'export * from "../../db/ark/store.ts";'],
    ["src/shared/b.ts", 'type S = typeof import("../../db/ark/store.ts");'],
    ["src/shared/b.ts", "export const wait = async () => 1;"],
    ["src/jobs/j.ts", 'import { P } from "../operating/o.ts";'],
    ["src/repository/items/i.ts", 'import type { W } from "../workflow/w.ts";'],
    ["src/repository/other/o.ts", "export const x = 1;"],
    ["src/ark/s.ts", 'import {\n  type Kysely,\n  sql,\n} from "kysely";'],
    ["src/ark/s.ts", 'import { Elysia } from "elysia";'],
    ["src/ark/s.ts", "const name = 'x'; await import(name);"],
    ["src/ark/s.ts", 'import { gone } from "./gone.ts";'],
    ["src/ark/s.ts", 'import { words } from "../assets/words.ts";'],
    ["src/adapters/x.ts", 'import "../../plugins/y.ts";'],
    ["src/adapters/x.ts", 'import { mint } from "../ark/minting.ts";'],
    ["plugins/ark/p.ts", 'import { s } from "../../db/ark/store.ts";'],
    ["plugins/ark/p.ts", 'import { c } from "../../src/config.ts";'],
    ["plugins/ark/p.ts", 'import { run } from "../../src/main/cli.ts";'],
    ["plugins/ark/p.ts", "const secret = process.env.SECRET;"],
    ["plugins/ark/p.ts", "const text = `${Bun.version}`;"],
    ["plugins/q.ts", "export const x = 1;"],
    ["db/ark/q.ts", "const file = Deno.readTextFileSync('x');"],
    ["db/ark/q.ts", 'import { mint } from "../../src/ark/minting.ts";'],
    ["db/engine/q.ts", 'import { s } from "../ark/store.ts";'],
    ["src/main/other.ts", 'import { Elysia } from "elysia";'],
    ["src/ark/s.ts", "process.exit(1);"],
    ["client/c.ts", 'import { a } from "../src/shared/a.ts";'],
    ["client/c.ts", 'import { join } from "node:path";'],
    ["src/ark/s.ts", 'import { call } from "../../client/calls.ts";'],
    ["lib/new.ts", "export const x = 1;"],
  ])("finds what is wrong in %s: %s", (file, source) => {
    expect(complaints(file, source)).toHaveLength(1);
  });

  test("finds a circle of imports", () => {
    const circle = new Map([
      ["src/shared/a.ts", 'import { b } from "./b.ts"; export const a = b;'],
      ["src/shared/b.ts", 'import type { a } from "./a.ts"; export const b = 1;'],
    ]);
    expect(findViolations(circle).map((each) => each.message)).toEqual([
      "imports itself in a circle: src/shared/a.ts → src/shared/b.ts → src/shared/a.ts",
    ]);
  });

  test.each([
    ["src/resolver/s.ts", 'import type { P } from "../ark/store.ts"; import { type P as Q } from "../ark/store.ts";'],
    ["src/ark/s.ts", '// import { sql } from "kysely";\nconst text = \'import { sql } from "kysely"\';'],
    [
      "plugins/ark/p.ts",
      'import { Elysia } from "elysia"; const s = "process.env"; /* Bun.serve */ const r = /Deno.serve"/;',
    ],
    ["src/main/app.ts", 'import { Elysia } from "elysia"; import { s } from "../../db/ark/store.ts";'],
    ["src/main/other.ts", 'const port = process.env.PORT; const t = `a ${port} "b"`;'],
    ["db/ark/q.ts", 'import type { mint } from "../../src/ark/minting.ts"; import { a } from "../../src/shared/a.ts";'],
    ["plugins/ark/p.ts", 'import { mint } from "../../src/ark/minting.ts";'],
    ["src/adapters/x.ts", 'import { call } from "../../client/calls.ts";'],
    ["src/repository/pages/p.ts", 'import { words } from "../../assets/words.ts";'],
  ])("lets pass what is right in %s: %s", (file, source) => {
    expect(complaints(file, source)).toEqual([]);
  });
});
