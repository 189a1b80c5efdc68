// Who may import whom: the table of docs/architecture.md as data, and the judge that holds a set of files against it.
import { codeOnly, type Import, importsOf } from "./source.ts";

export type Violation = { readonly file: string; readonly line: number; readonly message: string };

/** Source files by their path from the project's root, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

type Layer = {
  /** Path of a folder with trailing slash, or of one file. The first layer that matches a file is its layer. */
  readonly house: string;
  /** Folders and files of ours that may be imported. */
  readonly ours: readonly string[];
  /** Packages; a name covers its subpaths, `node:*` all of node. */
  readonly packages: readonly string[];
  /** Of these only types. */
  readonly typesOf?: readonly string[];
};

const EVERYTHING = ["src/", "plugins/", "db/"];

export const LAYERS: readonly Layer[] = [
  { house: "src/domain/", ours: ["src/domain/"], packages: ["@sinclair/typebox"] },
  { house: "src/ports/", ours: [], packages: [], typesOf: ["src/domain/", "src/ports/"] },
  {
    house: "src/services/",
    ours: ["src/services/", "src/domain/", "src/formats/"],
    packages: ["@sinclair/typebox"],
    typesOf: ["src/ports/"],
  },
  {
    house: "src/formats/",
    ours: ["src/formats/", "src/domain/"],
    packages: ["txml", "jszip", "oslo", "@sinclair/typebox"],
  },
  {
    house: "src/adapters/",
    ours: ["src/adapters/", "src/domain/"],
    packages: ["node:*", "oslo", "jose", "typesense", "@opentelemetry"],
    typesOf: ["src/ports/"],
  },
  {
    house: "db/",
    ours: ["db/", "src/domain/"],
    packages: ["kysely", "kysely-bun-sqlite", "pg", "bun:sqlite", "node:*"],
    typesOf: ["src/ports/"],
  },
  {
    house: "plugins/",
    ours: ["plugins/", "src/services/", "src/domain/", "src/formats/", "src/assets/"],
    packages: ["elysia", "@sinclair/typebox", "swagger-ui-dist", "redoc"],
    typesOf: ["src/ports/"],
  },
  { house: "src/config.ts", ours: ["src/domain/"], packages: [] },
  { house: "src/assets/", ours: ["src/assets/"], packages: [] },
  { house: "src/main/", ours: [...EVERYTHING, "package.json"], packages: ["*"] },
];

/** Elysia is known in these places alone (house style 25): its next major version renames much of what we touch. */
const ELYSIA = ["plugins/", "src/main/app.ts", "src/main/openapi.ts"];
const ELYSIA_PACKAGES = ["elysia", "@elysiajs"];

/** Globals of the outside world and the only files that may name them. */
const GUARDED: readonly { readonly what: string; readonly pattern: RegExp; readonly allowed: readonly string[] }[] = [
  { what: "The environment", pattern: /\b(?:process|Deno|Bun)\.env\b|\bimport\.meta\.env\b/, allowed: ["src/main/"] },
  { what: "Bun and Deno", pattern: /\b(?:Bun|Deno)\s*\??\./, allowed: ["src/main/serve.ts", "db/engine/open.ts"] },
  { what: "process.exit", pattern: /\bprocess\.exit\b/, allowed: ["src/main/"] },
];

/** Everything the files do against the table. An empty list means the house stands. */
export function findViolations(sources: Sources): Violation[] {
  const violations: Violation[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, source] of sources) {
    const layer = LAYERS.find((each) => covers(each.house, file));
    if (layer === undefined) {
      violations.push({ file, line: 1, message: "belongs to no layer" });
      continue;
    }
    const imports = importsOf(source);
    graph.set(file, []);
    for (const each of imports) {
      const message = judge(file, layer, each, sources, graph.get(file) ?? []);
      if (message !== null) violations.push({ file, line: each.line, message });
    }
    violations.push(...guardedGlobals(file, source));
  }
  return [...violations, ...findCycles(graph)];
}

function judge(file: string, layer: Layer, each: Import, sources: Sources, edges: string[]): string | null {
  const { target } = each;
  if (target === null) return "imports something computed at run time, which nobody can check";
  if (!target.startsWith(".")) return judgePackage(file, layer, target);
  const path = resolve(file, target);
  if (sources.has(path)) edges.push(path);
  if (path.endsWith(".ts") && !sources.has(path)) return `imports ${path}, which does not exist`;
  if (path.startsWith("src/main/") && !file.startsWith("src/main/")) return `imports ${path}: nobody imports src/main`;
  if (path === "src/config.ts" && !file.startsWith("src/main/")) return `imports ${path}: only src/main reads settings`;
  if (layer.ours.some((house) => covers(house, path))) return null;
  if (layer.typesOf?.some((house) => covers(house, path)) === true) {
    return each.typeOnly ? null : `imports ${path} for more than its types`;
  }
  return `imports ${path}, which ${layer.house} may not`;
}

function judgePackage(file: string, layer: Layer, target: string): string | null {
  const isElysia = ELYSIA_PACKAGES.some((name) => coversPackage(name, target));
  if (isElysia && !ELYSIA.some((place) => covers(place, file))) return `imports ${target} outside ${ELYSIA.join(", ")}`;
  return layer.packages.some((name) => coversPackage(name, target))
    ? null
    : `imports ${target}, which ${layer.house} may not`;
}

function covers(house: string, path: string): boolean {
  return house.endsWith("/") ? path.startsWith(house) : path === house;
}

function coversPackage(name: string, target: string): boolean {
  if (name === "*") return true;
  if (name.endsWith(":*")) return target.startsWith(name.slice(0, -1));
  return target === name || target.startsWith(`${name}/`);
}

function resolve(file: string, target: string): string {
  const parts = file.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function guardedGlobals(file: string, source: string): Violation[] {
  const lines = codeOnly(source).split("\n");
  return GUARDED.filter(({ allowed }) => !allowed.some((place) => covers(place, file))).flatMap(
    ({ what, pattern, allowed }) =>
      lines.flatMap((text, index) =>
        pattern.test(text)
          ? [{ file, line: index + 1, message: `${what} may be touched in ${allowed.join(", ")} only` }]
          : [],
      ),
  );
}

/** One violation for every import that leads back to a file on the way to it. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): Violation[] {
  const violations: Violation[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) {
      const circle = [...way.slice(start), file].join(" → ");
      violations.push({ file, line: 1, message: `imports itself in a circle: ${circle}` });
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return violations;
}
