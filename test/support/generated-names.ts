// Generated names full of boundary cases, and rows of them in every state: what tables are compared on.
import fc from "fast-check";
import { ARK_STATES } from "../../src/ark/record.ts";
import { hasDotDotSegment } from "../../src/ark/request-path.ts";
import { normalizeName } from "../../src/ark/syntax.ts";
import type { NameRow, ResolutionTable } from "../../src/resolver/table.ts";

const PIECES = ["a", "b", "Z", "0", "3", "x5", "page", "=", "~", "_", "$", "%2F", "%2E", "%20", "/", ".", "/", "."];
const URLS = [
  "",
  "https://repo.example.org/records/1234567",
  "https://repo.example.org/records/0012",
  "https://repo.example.org/records/9007199254740993",
  "https://repo.example.org/items/0b7a6f0e-6f1e-4f58-9c3a-2f7f0f1d9a11/full",
  "https://repo.example.org/items/0B7A6F0E-6F1E-4F58-9C3A-2F7F0F1D9A11",
  "https://repo.example.org/view?id=77&lang=en",
  "https://repo.example.org/ark:/12345/x5",
  "http://a.example",
  "https://例え.example/パス/\u{1F600}",
  "https://caf\u00E9.example/\u00FF",
  "mailto:someone@example.org",
  "urn:nbn:de:101:1-201102033592",
  "https://repo.example.org/\uD800lone",
];

const anyName = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 })
  .map((pieces) => normalizeName(pieces.join("")))
  // Names with such a segment are refused (A5): none is in a table.
  .filter((name) => name !== "" && !hasDotDotSegment(`/${name}/`));

const longName = fc
  .constantFrom("a", "a/", "a.", "%2F", "b/a.")
  .map((piece) => normalizeName(piece.repeat(255).slice(0, 255)));

export const anyKey = fc
  .tuple(
    fc.constantFrom("12345", "99999", "1234", "b"),
    fc.oneof({ weight: 20, arbitrary: anyName }, { weight: 1, arbitrary: longName }),
  )
  .map(([naan, name]) => `${naan}/${name}`);

const anyInstant = fc.constantFrom("2024-01-01T00:00:00.000Z", "2031-12-31T23:59:59.999Z");

/** A target: from the list, made of the name, or any text at all. */
const urlFor = (key: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...URLS) },
    { weight: 3, arbitrary: fc.nat(99_999_999).map((number) => `https://repo.example.org/records/${number}`) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        `https://objects.example.net/store/${key.slice(key.indexOf("/") + 1)}`,
        `https://objects.example.net/ark:/${key}`,
        `https://objects.example.net/store/${key.slice(key.indexOf("/") + 3, -1)}/index.html`,
      ),
    },
    { weight: 2, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  );

export const rowOf = (key: string) =>
  fc.record<NameRow>({
    key: fc.constant(key),
    state: fc.constantFrom(...ARK_STATES, "published", "published", "published"),
    url: urlFor(key),
    publishedAt: fc.option(anyInstant),
    firstPublishedAt: fc.option(anyInstant),
    holdUntil: fc.option(anyInstant, { freq: 6 }),
  });

export const anyRow = anyKey.chain(rowOf);

/** Keys near the names of a table: themselves, their beginnings, and what may follow them. */
export function keysAround(keys: readonly string[]): string[] {
  const around = new Set<string>(["", "/", "12345", "12345/", "zzz/zzz"]);
  for (const key of keys) {
    for (const tail of ["", "/", ".", "/x", ".x", "x", "%2Fx", "%2F/x", "/page/3", "//x", "/é", "\u{1F600}"])
      around.add(key + tail);
    for (let end = Math.max(0, key.length - 12); end < key.length; end++) around.add(key.slice(0, end));
  }
  return [...around];
}

const BEFORE_NAME = "http://127.0.0.1/ark:";
const AFTER_NAME = " HTTP/1.1";
const ROOM_MAX = 8192;

/** Everything a table returns about a key, as one text. */
export function sayingsOf(table: ResolutionTable, key: string): string {
  return JSON.stringify([
    key,
    table.exact(key),
    table.plainTarget(key),
    // As the hot path asks: with the URL that contains the name.
    table.plainTarget(BEFORE_NAME + key, BEFORE_NAME.length),
    // As the fast lane asks: with its bytes.
    writtenTarget(table, key),
    table.nearest(key, false),
    table.nearest(key, true),
  ]);
}

/**
 * The plain target as bytes, where the key is ASCII and the room is just enough; with a byte less room nothing is
 * written.
 */
function writtenTarget(table: ResolutionTable, key: string): string | null {
  if (/[^\x21-\x7e]/.test(key)) return null;
  const bytes = new TextEncoder().encode(BEFORE_NAME + key + AFTER_NAME);
  const [from, to] = [BEFORE_NAME.length, BEFORE_NAME.length + key.length];
  const target = table.plainTarget(key);
  const room = { bytes: new Uint8Array(ROOM_MAX), at: 3, limit: 3 + (target?.length ?? 100) };
  if (!table.writePlainTarget(bytes, from, to, room)) return room.at === 3 ? null : "moved on";
  const written = new TextDecoder().decode(room.bytes.slice(3, room.at));
  const less = { bytes: new Uint8Array(ROOM_MAX), at: 3, limit: room.at - 1 };
  if (table.writePlainTarget(bytes, from, to, less)) return "written beyond the limit";
  return written === target && less.bytes.every((byte) => byte === 0) ? written : `${written} for ${target}`;
}
