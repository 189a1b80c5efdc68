// Requests nobody should send: near-valid and random bodies, headers and paths, from a seed, so that every finding can
// be run again.
import type { TSchema } from "@sinclair/typebox";

export type Rng = {
  next(): number;
  int(below: number): number;
  pick<T>(values: readonly T[]): T;
  chance(share: number): boolean;
};

/** A small deterministic generator (mulberry32). */
export function rng(seed: number): Rng {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    pick: <T>(values: readonly T[]) => {
      const value = values[int(values.length)];
      if (value === undefined) throw new RangeError("Cannot pick from nothing");
      return value;
    },
    chance: (share) => next() < share,
  };
}

const TEXTS: readonly string[] = [
  "",
  " ",
  "\u0000",
  "\n\r\t",
  "\ud800",
  "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
  "日本語の題名",
  "a".repeat(300),
  "x".repeat(11_000),
  "ark:99999/b1",
  "ark:99999/b1/../../etc/passwd",
  "ark:/99999/%",
  "ark:99999/%zz",
  "ARK:99999/B1",
  "ark:99999/b1?info",
  "99999/b1-x-y",
  `ark:${"9".repeat(17)}/x`,
  `ark:99999/${"b".repeat(256)}`,
  `ark:99999/${"/.".repeat(200)}`,
  "https://example.org/",
  "javascript:alert(1)",
  " java\tscript:alert(1)",
  "data:text/html,x",
  "https://user:pass@example.org:99999/",
  "${ark}${ark}${ark}",
  "'; drop table ark; --",
  '{"a":1}',
  "%00",
  "../../..",
  "<script>alert(1)</script>",
  "null",
  "true",
  "1e400",
  "2026-13-45T99:99:99Z",
  "2027-01-01T00:00:00Z",
  "__proto__",
  "constructor",
  "/x/y",
  ".v1",
  "b1",
  "c2",
  "d9",
  "r7",
  "99999",
  "88888",
];

/** Any JSON value, mostly small, sometimes deep or odd. */
export function junk(random: Rng, depth = 0): unknown {
  const kind = random.int(depth > 3 ? 6 : 9);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick([0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308]);
  if (kind < 6) return random.pick(TEXTS);
  if (kind === 6) return Array.from({ length: random.int(4) }, () => junk(random, depth + 1));
  if (kind === 7) return nested(random.int(200));
  return Object.fromEntries(
    Array.from({ length: random.int(4) }, () => [random.pick(TEXTS).slice(0, 50), junk(random, depth + 1)]),
  );
}

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

/** Texts that the running service takes, by the name of the field; those under the empty name fit anywhere else. */
export type GoodTexts = Readonly<Record<string, readonly string[]>>;

/** A value that mostly fits the schema of the field called `name`. */
export function nearValid(schema: TSchema, random: Rng, texts: GoodTexts, name = ""): unknown {
  if (random.chance(0.02)) return junk(random);
  if (schema.type === "object") {
    const entries: [string, unknown][] = [];
    const required: readonly string[] = schema.required ?? [];
    for (const [field, property] of Object.entries<TSchema>(schema.properties ?? {})) {
      if (random.chance(required.includes(field) ? 0.97 : 0.3)) {
        entries.push([field, nearValid(property, random, texts, field)]);
      }
    }
    if (random.chance(0.03)) entries.push([random.pick(TEXTS).slice(0, 40), junk(random)]);
    return Object.fromEntries(entries);
  }
  if (schema.type === "array") {
    return Array.from({ length: random.pick([0, 1, 1, 2, 3, 8]) }, () => nearValid(schema.items, random, texts, name));
  }
  if (schema.type === "boolean") return random.chance(0.5);
  if (schema.type === "integer") return random.int(5);
  if (schema.anyOf) return nearValid(random.pick<TSchema>(schema.anyOf), random, texts, name);
  return random.chance(0.85) ? random.pick(texts[name] ?? texts[""] ?? TEXTS) : random.pick(TEXTS);
}

const HEADERS: readonly (readonly [string, string])[] = [
  ["accept", "*/*"],
  ["accept", "text/html;q=abc, application/json;q=9, ;;;"],
  ["accept", "a".repeat(2000)],
  ["accept", "application/json"],
  ["accept", "text/csv"],
  ["accept-language", "ja,en;q=0.5,*;q=x"],
  ["content-type", "text/plain"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-type", "multipart/form-data"],
  ["x-request-id", "\t\u00ffid".repeat(30)],
  ["x-forwarded-for", "1.2.3.4, , ::1"],
  ["if-none-match", '"'],
  ["if-none-match", "*"],
  ["if-modified-since", "Tue, 99 Foo 0000 99:99:99 GMT"],
  ["range", "bytes=0-0"],
  ["host", "evil.example"],
  ["authorization", "Bearer svc_x_y"],
  ["authorization", "Basic !!!!"],
  ["authorization", `Bearer ${"e30.".repeat(40)}`],
  ["cookie", "a=b"],
];

export function oddHeaders(random: Rng): [string, string][] {
  return Array.from({ length: random.int(3) }, () => {
    const [name, value] = random.pick(HEADERS);
    return [name, value];
  });
}

const PATH_PIECES: readonly string[] = [
  "ark:",
  "ark:/",
  "ARK:",
  "ark%3A",
  "99999",
  "88888",
  "b7280",
  "/",
  "//",
  ".",
  "..",
  "%2F",
  "%2f",
  "%",
  "%zz",
  "%00",
  "%E2%80%90",
  "-",
  "b1",
  "xyz",
  "?",
  "??",
  "?info",
  "?json",
  "?info&lang=ja",
  "?a=b&c",
  "&lang=",
  ";",
  "(",
  "'",
  "!",
  "+",
  "=",
  "~",
  "*",
  "@",
  "$",
  ",",
  ":",
  "|",
  "^",
  "\\",
  "<",
  ">",
  '"',
  "{",
  "}",
  "a".repeat(250),
  "/full/!200,200/0/default.jpg",
];

/** A request path as raw text; characters above U+00FF never occur, so that it can be sent as bytes. */
export function oddPath(random: Rng, good: readonly string[]): string {
  const start = random.chance(0.5) ? random.pick(good) : "/";
  const pieces = Array.from({ length: random.int(6) }, () =>
    random.chance(0.1) ? String.fromCharCode(33 + random.int(222)) : random.pick(PATH_PIECES),
  );
  return start + pieces.join("");
}
