// Countries of addresses (R51): a database is written here as the MaxMind DB format 2.0 describes it, and read.
import { expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countriesOf } from "../../src/adapters/countries.ts";

const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x40 | value.length]), Buffer.from(value)]);
const map = (entries: readonly (readonly [string, Buffer])[]): Buffer =>
  Buffer.concat([Buffer.from([0xe0 | entries.length]), ...entries.flatMap(([key, value]) => [text(key), value])]);
const uint16 = (value: number): Buffer => Buffer.from([0xa2, value >> 8, value & 255]);
const uint32 = (value: number): Buffer => Buffer.from([0xc4, 0, 0, value >> 8, value & 255]);

/** Addresses that begin with bit 0 are of the first country, those that begin with 1 of the second. */
function database(first: string, second: string): Buffer {
  const one = map([["country", map([["iso_code", text(first)]])]]);
  const two = map([["country", map([["iso_code", text(second)]])]]);
  const nodes = 1;
  // A record above the number of nodes points into the data, behind 16 bytes that separate both.
  const record = (offset: number): Buffer => Buffer.from([0, 0, nodes + 16 + offset]);
  const metadata = map([
    ["node_count", uint32(nodes)],
    ["record_size", uint16(24)],
    ["ip_version", uint16(4)],
    ["database_type", text("Country")],
    ["binary_format_major_version", uint16(2)],
    ["binary_format_minor_version", uint16(0)],
  ]);
  return Buffer.concat([
    record(0),
    record(one.length),
    Buffer.alloc(16),
    one,
    two,
    Buffer.from([0xab, 0xcd, 0xef]),
    Buffer.from("MaxMind.com"),
    metadata,
  ]);
}

test("R51 a country is its code, and nothing for what is not in the database, or not an address", () => {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-countries-"));
  try {
    const path = join(folder, "countries.mmdb");
    writeFileSync(path, database("JP", "not a code"));
    const countryOf = countriesOf(path);
    const asked = [
      "1.2.3.4",
      "127.0.0.1",
      "200.1.2.3",
      "2001:db8::1",
      "",
      "no address",
      "999.1.1.1",
      "1.2.3.4, 5.6.7.8",
    ];
    expect(asked.map(countryOf)).toEqual(["JP", "JP", "", "", "", "", "", ""]);
    writeFileSync(path, "no database");
    expect(() => countriesOf(path)).toThrow();
    expect(() => countriesOf(join(folder, "missing"))).toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
