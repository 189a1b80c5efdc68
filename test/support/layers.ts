// Who may import whom: the floors of docs/architecture.md as data, and the judge that holds a set of files against
// them.
import { codeOnly, type Import, importsOf } from "./source.ts";

type Violation = { readonly file: string; readonly line: number; readonly message: string };

/** Source files by their path from the project's root, with forward slashes. */
type Sources = ReadonlyMap<string, string>;

/** A room: folders (with trailing slash) or single files that belong together, and the packages they may use. */
type Room = {
  readonly name: string;
  readonly folders: readonly string[];
  /** A name covers its subpaths, `node:*` all of node, `*` every package. */
  readonly packages: readonly string[];
};

const room = (name: string, packages: readonly string[] = [], folders: readonly string[] = [`${name}/`]): Room => ({
  name,
  folders,
  packages,
});

const TYPEBOX = "@sinclair/typebox";

/** A feature of the repository; the shapes of its answers are TypeBox schemas. */
const feature = (folder: string): Room => room(folder, [TYPEBOX]);

/** The features, lowest floor first: a room imports itself and rooms on lower floors, never sideways. */
const FEATURES: readonly (readonly Room[])[] = [
  [room("src/shared", [TYPEBOX, "oslo", "txml", "node:crypto"])],
  [room("src/auth", [TYPEBOX, "oslo"])],
  [room("src/ark", [TYPEBOX])],
  [room("src/model", [TYPEBOX])],
  [room("src/formats", [TYPEBOX, "oslo"])],
  [room("src/jobs"), room("src/operating")],
  [feature("src/repository/store")],
  [feature("src/repository/people"), room("src/storage")],
  [feature("src/repository/items")],
  [feature("src/repository/exports")],
  [feature("src/repository/workflow")],
  [feature("src/repository/record-files")],
  [feature("src/repository/deposit")],
  [room("src/repository/search", [TYPEBOX, "@orama/stemmers"])],
  [feature("src/repository/records")],
  [feature("src/repository/record-lists")],
  [
    feature("src/repository/administration"),
    feature("src/repository/vocabularies"),
    feature("src/repository/statistics"),
    feature("src/repository/full-text"),
    feature("src/repository/index-tree"),
    feature("src/repository/authors"),
    feature("src/repository/oai"),
    feature("src/repository/communities"),
  ],
  [feature("src/repository/requests"), feature("src/repository/suggestions")],
  [feature("src/repository/tools")],
  [feature("src/repository/authorization")],
  [feature("src/repository/viewers")],
  [room("src/pages")],
  [feature("src/repository/notices"), feature("src/repository/figures")],
  [feature("src/repository/saved-searches")],
  [room("src/resolver")],
  [feature("src/repository/pages")],
];

/** The database's rooms, lowest first; each speaks for the feature of its name. */
const DATABASE: readonly (readonly Room[])[] = [
  [room("db/engine", ["kysely", "kysely-bun-sqlite", "pg", "bun:sqlite", "node:*"], ["db/engine/", "db/migrations/"])],
  [room("db/feed", ["kysely"])],
  [room("db/auth", ["kysely"]), room("db/jobs", ["kysely"])],
  [room("db/ark", ["kysely", "node:*"])],
  [room("db/resolver", ["kysely", "node:*"]), room("db/operating", ["kysely", "node:*"])],
  [
    room("db/repository/administration", ["kysely"]),
    room("db/repository/authorization", ["kysely"]),
    room("db/repository/authors", ["kysely"]),
    room("db/repository/communities", ["kysely"]),
    room("db/repository/requests", ["kysely"]),
    room("db/repository/notices", ["kysely"]),
    room("db/repository/index-tree", ["kysely"]),
    room("db/repository/items", ["kysely", "node:timers"]),
    room("db/repository/workflow", ["kysely"]),
    room("db/repository/search", ["kysely"]),
    room("db/repository/statistics", ["kysely"]),
    room("db/repository/oai", ["kysely"]),
  ],
  [room("db/search", ["node:*"])],
  [room("db/repository/full-text", ["kysely"]), room("db/repository/record-files", ["kysely"])],
  [room("db/repository", ["kysely"])],
];

const HTTP = ["elysia", TYPEBOX];

/** The interfaces, lowest first: one room a feature. */
const INTERFACES: readonly (readonly Room[])[] = [
  [room("plugins/http", [...HTTP, "swagger-ui-dist", "redoc"])],
  [room("plugins/ark", HTTP), room("plugins/auth", HTTP), room("plugins/resolver", HTTP)],
  [
    room("plugins/repository", HTTP, [
      "plugins/repository/errors.ts",
      "plugins/repository/endpoint.ts",
      "plugins/repository/error-groups.ts",
      "plugins/repository/record-dialect.ts",
      "plugins/repository/guard.ts",
      "plugins/repository/file-response.ts",
      "plugins/repository/export-response.ts",
    ]),
  ],
  [
    room("plugins/repository/account", HTTP),
    room("plugins/repository/activities", HTTP),
    room("plugins/repository/administration", HTTP),
    room("plugins/repository/index-tree", HTTP),
    room("plugins/repository/filing", HTTP),
    room("plugins/repository/item-types", HTTP),
    room("plugins/repository/sword", HTTP),
    room("plugins/repository/authors", HTTP),
    room("plugins/repository/search", HTTP),
    room("plugins/repository/opensearch", HTTP),
    room("plugins/repository/records", HTTP),
    room("plugins/repository/record-files", HTTP),
    room("plugins/repository/iiif", HTTP),
    room("plugins/repository/oai", HTTP),
    room("plugins/repository/vocabularies", HTTP),
    room("plugins/repository/communities", HTTP),
    room("plugins/repository/statistics", HTTP),
    room("plugins/repository/requests", HTTP),
    room("plugins/repository/authorization", HTTP),
    room("plugins/repository/mcp", [...HTTP, "@modelcontextprotocol/server"]),
  ],
  [room("plugins/repository/site", HTTP)],
];

const ADAPTERS = room("src/adapters", [
  "node:*",
  "bun:ffi",
  "oslo",
  "jose",
  "unpdf",
  "mmdb-lib",
  "typesense",
  "nodemailer",
  "@opentelemetry",
]);
const CONFIG = room("src/config.ts", [], ["src/config.ts"]);
const ASSETS = room("src/assets");
const MAIN = room("src/main", ["*"]);
/** Runs elsewhere, without the rest of the product. */
const CLIENT = room("client");
/** Runs in browsers, over the client and the words of components alone. */
const SCRIPTS = room("src/pages/scripts");

/** Rooms whose texts and words are data the product brings along. */
const READERS_OF_ASSETS = ["src/model", "src/formats", "src/pages", "src/repository/pages", "plugins/http"];

const STOREYS: readonly (readonly (readonly Room[])[])[] = [FEATURES, DATABASE, INTERFACES];
const ROOMS: readonly Room[] = [...STOREYS.flat(2), ADAPTERS, CONFIG, ASSETS, MAIN, CLIENT, SCRIPTS];

/** Elysia is known in these places alone: its next major version renames much of what we touch. */
const ELYSIA = ["plugins/", "src/main/app.ts", "src/main/openapi/openapi.ts"];
const ELYSIA_PACKAGES = ["elysia", "@elysiajs"];

/** Globals of the outside world and the only files that may name them. */
const GUARDED: readonly { readonly what: string; readonly pattern: RegExp; readonly allowed: readonly string[] }[] = [
  { what: "The environment", pattern: /\b(?:process|Deno|Bun)\.env\b|\bimport\.meta\.env\b/, allowed: ["src/main/"] },
  {
    what: "Bun and Deno",
    pattern: /\b(?:Bun|Deno)\s*\??\./,
    allowed: [
      "src/main/pages/page-scripts.ts",
      "src/main/process/serve.ts",
      "src/main/process/garbage.ts",
      "src/main/lane/fast-lane.ts",
      "src/main/lane/lane-relay.ts",
      "src/main/lane/listener-certificate.ts",
      "db/engine/sqlite-handle.ts",
    ],
  },
  { what: "process.exit", pattern: /\bprocess\.exit\b/, allowed: ["src/main/"] },
];

/** Rooms of rules: nothing there waits for anything. */
const RULES = ["src/shared/", "src/auth/", "src/model/", "src/formats/"];
/**
 * What waits there all the same: the platform's digests are asynchronous, and bytes that stream come when they come.
 */
const WAITS: readonly string[] = [
  "src/auth/jwt.ts",
  "src/formats/bagit/bag-files.ts",
  "src/shared/bytes/byte-streams.ts",
  "src/shared/group-commit.ts",
  "src/shared/text/text-lines.ts",
  "src/shared/multipart/parser.ts",
  "src/shared/zip/writing.ts",
  "src/shared/http/rate-limit.ts",
  "src/shared/time/event-loop.ts",
];
const ASYNC = /\basync\b/;

/** Every import that breaks the layers. An empty list means that all layers hold. */
export function findViolations(sources: Sources): Violation[] {
  const violations: Violation[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, source] of sources) {
    const home = roomOf(file);
    if (home === null) {
      violations.push({ file, line: 1, message: "belongs to no room" });
      continue;
    }
    const edges: string[] = [];
    graph.set(file, edges);
    for (const each of importsOf(source)) {
      const message = judge(file, home, each, sources, edges);
      if (message !== null) violations.push({ file, line: each.line, message });
    }
    violations.push(...guardedGlobals(file, source));
    if (RULES.some((folder) => covers(folder, file)) && !WAITS.includes(file) && ASYNC.test(codeOnly(source))) {
      violations.push({ file, line: 1, message: `waits for something, which ${home.name} may not` });
    }
  }
  return [...violations, ...findCycles(graph)];
}

/** The room of the longest folder that covers the file: a folder inside another room's folder is a separate room. */
function roomOf(file: string): Room | null {
  let best: Room | null = null;
  let length = 0;
  for (const each of ROOMS) {
    for (const folder of each.folders) {
      if (!covers(folder, file) || folder.length <= length) continue;
      best = each;
      length = folder.length;
    }
  }
  return best;
}

function judge(file: string, home: Room, each: Import, sources: Sources, edges: string[]): string | null {
  const { target } = each;
  if (target === null) return "imports something computed at run time, which nobody can check";
  if (!target.startsWith(".")) return judgePackage(file, home, target);
  const path = resolve(file, target);
  const source = sources.get(path);
  if (source !== undefined) edges.push(path);
  if (path.endsWith(".ts") && source === undefined) return `imports ${path}, which does not exist`;
  if (home === MAIN) return null;
  const there = roomOf(path);
  if (there === null) return `imports ${path}, which ${home.name} may not`;
  if (there === MAIN) return `imports ${path}: nobody imports src/main`;
  if (there === CONFIG) return `imports ${path}: only src/main reads settings`;
  if (there === home || (home === SCRIPTS && path.startsWith("src/pages/languages/"))) return null;
  return mayEnter(home, there, each.typeOnly, source ?? "") ?? null;
}

/** Null where `home` may import a file of `there`, else what is wrong with it. */
function mayEnter(home: Room, there: Room, typeOnly: boolean, source: string): string | null {
  const refused = `imports from ${there.name}, which ${home.name} may not`;
  if (there === ASSETS) return READERS_OF_ASSETS.includes(home.name) ? null : refused;
  if (there === CLIENT) return home === ADAPTERS || home === SCRIPTS ? null : refused;
  const isFeature = FEATURES.flat().includes(there);
  if (isFeature && (home === ADAPTERS || DATABASE.flat().includes(home))) {
    // Rules may be used, ports are known by their types, and use cases are not known at all. What waits in `shared` is
    // bytes, no use case.
    return typeOnly || there.name === "src/shared" || !ASYNC.test(codeOnly(source))
      ? null
      : `${refused} for more than its types: it waits`;
  }
  if (isFeature && (home === CONFIG || INTERFACES.flat().includes(home))) return null;
  const storey = STOREYS.find((floors) => floors.flat().includes(home));
  if (storey === undefined) return refused;
  const [mine, its] = [home, there].map((room) => storey.findIndex((floor) => floor.includes(room)));
  return its !== undefined && its >= 0 && mine !== undefined && its < mine ? null : refused;
}

function judgePackage(file: string, home: Room, target: string): string | null {
  const isElysia = ELYSIA_PACKAGES.some((name) => coversPackage(name, target));
  if (isElysia && !ELYSIA.some((place) => covers(place, file))) return `imports ${target} outside ${ELYSIA.join(", ")}`;
  return home.packages.some((name) => coversPackage(name, target))
    ? null
    : `imports ${target}, which ${home.name} may not`;
}

function covers(folder: string, path: string): boolean {
  return folder.endsWith("/") ? path.startsWith(folder) : path === folder;
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
