// Packages whose archive and bag are right and whose metadata must be refused (R13): what readers of metadata have to
// notice.
import {
  type BagOptions,
  type Bytes,
  bagPieces,
  type Column,
  crateOf,
  jpcoarOf,
  SMALL_FILE,
  swordJsonOf,
  tableColumns,
  tableOf,
  tablePieces,
} from "../support/package-builder.ts";
import { utf8Bytes, zip } from "../support/zip-writer.ts";
import type { Line } from "./packages.ts";

const MIB = 1024 * 1024;

const line = (name: string, build: () => Uint8Array, packaging: Line["packaging"] = "SimpleZip"): Line => ({
  ...{ name: `metadata: ${name}`, level: "metadata", build, packaging },
});

export function metadataFaults(): readonly Line[] {
  return [...json(), ...crates(), ...tables(), ...xml()];
}

const LATIN1 = new Uint8Array([0x7b, 0x22, 0x40, 0x67, 0x22, 0x3a, 0x22, 0xe9, 0x22, 0x7d]);
const DEEP = 100_000;

/** Faults of any JSON metadata, tried as crate and as SWORD metadata. */
function json(): Line[] {
  const faults: readonly (readonly [string, () => Bytes])[] = [
    ["not UTF-8", () => LATIN1],
    ["not JSON", () => "name: Tides at Naha"],
    ["JSON that breaks off", () => crateOf([]).slice(0, -10)],
    ["empty", () => ""],
    ["an array", () => `[${crateOf([])}]`],
    ["null", () => "null"],
    ["a string", () => '"Tides at Naha"'],
    ["arrays 100,000 levels deep", () => "[".repeat(DEEP) + "]".repeat(DEEP)],
    ["objects 100,000 levels deep", () => `{"@graph":${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}}`],
    ["17 MiB of it", () => `${" ".repeat(17 * MIB)}${crateOf([])}`],
  ];
  const packed = (options: BagOptions) => zip(bagPieces(options).map((piece) => ({ ...piece, deflate: true })));
  return faults.flatMap(([name, text]) => [
    line(`crate, ${name}`, () => packed({ crate: text() })),
    line(`SWORD, ${name}`, () => packed({ crate: null, swordJson: text() }), "SWORDBagIt"),
  ]);
}

function crates(): Line[] {
  const crate = (name: string, text: string) => line(`crate, ${name}`, () => zip(bagPieces({ crate: text })));
  const parsed = (): { "@graph": Record<string, unknown>[] } => JSON.parse(crateOf([SMALL_FILE.path]));
  const graph = (change: (entities: Record<string, unknown>[]) => unknown) =>
    JSON.stringify({ ...parsed(), "@graph": change(parsed()["@graph"]) });
  const outside = (id: string) =>
    [crateOf([SMALL_FILE.path], { hasPart: [{ "@id": id }] }, [{ "@id": id, "@type": "File" }])] as const;
  return [
    crate("no @graph", JSON.stringify({ "@context": "https://w3id.org/ro/crate/1.1/context", name: "Tides" })),
    crate(
      "an empty @graph",
      graph(() => []),
    ),
    crate(
      "a @graph that is not an array",
      graph((entities) => entities[1]),
    ),
    crate(
      "no root",
      graph((entities) => entities.filter((entity) => entity["@id"] !== "./")),
    ),
    crate("a file entity outside the package", outside("../../etc/passwd")[0]),
    crate("a file entity at an absolute path", outside("/etc/passwd")[0]),
    crate("a file entity at a file: address", outside("file:///etc/passwd")[0]),
    crate("a file entity that is not in the package", outside("missing.txt")[0]),
  ];
}

function tables(): Line[] {
  const columns = tableColumns();
  const table = (name: string, text: Bytes, file?: string) =>
    line(`table, ${name}`, () => zip(tablePieces(text, file)));
  const good = tableOf(columns);
  const withColumn = (...more: readonly Column[]) => tableOf([...columns, ...more]);
  return [
    table("a row with a cell too many", good.replace(/\n$/, "\tmore\n")),
    table("a row with a cell too few", good.replace(/\t[^\t\n]*\n$/, "\n")),
    table("NUL", good.replace("Tides", "Ti\0des")),
    table("a quote that is never closed", good.replace("Tides at Naha", '"Tides at Naha')),
    table("not UTF-8", Uint8Array.from([...utf8Bytes(good), 0xff, 0xfe, 0xfd])),
    table(
      "an array index of 999,999,999",
      withColumn([".metadata.item_1617186331708[999999999].subitem_1551255647225", "x"]),
    ),
    table(
      "an array index of 10^30",
      withColumn([`.metadata.item_1617186331708[1${"0".repeat(30)}].subitem_1551255647225`, "x"]),
    ),
    table("a __proto__ path", withColumn([".metadata.__proto__.polluted", "yes"])),
    table("a constructor path", withColumn([".metadata.constructor.prototype.polluted", "yes"])),
    table("heading lines without an item", good.split("\n").slice(0, 5).join("\n")),
    table("nothing but its mark", "#ItemType"),
    table(
      "CSV, a quote that is never closed",
      tableOf(columns, ",").replace("Tides at Naha", '"Tides at Naha'),
      "data/items.csv",
    ),
  ];
}

function xml(): Line[] {
  const document = (name: string, text: Bytes) =>
    line(`XML, ${name}`, () => zip(tablePieces(text, "data/metadata.xml")));
  const external = '<!DOCTYPE jpcoar:jpcoar [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n';
  const laughs = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join(
    "",
  );
  return [
    document("a DOCTYPE", jpcoarOf("<!DOCTYPE jpcoar:jpcoar>\n")),
    document("a DOCTYPE with an external entity", jpcoarOf(external, "&e;")),
    document("a billion laughs", jpcoarOf(`<!DOCTYPE jpcoar:jpcoar [<!ENTITY l0 "ha">${laughs}]>\n`, "&l9;")),
    document("not well-formed", jpcoarOf().replace("</dc:title>", "</dc:titel>")),
    document("breaks off", jpcoarOf().slice(0, -30)),
    document("100,000 levels deep", jpcoarOf(undefined, "<a>".repeat(DEEP) + "</a>".repeat(DEEP))),
    document("not UTF-8", Uint8Array.from([...utf8Bytes(jpcoarOf()).subarray(0, -20), 0xff, 0xfe])),
    line(
      "SWORD, no title",
      () => zip(bagPieces({ crate: null, swordJson: swordJsonOf({ "dc:title": [] }) })),
      "SWORDBagIt",
    ),
  ];
}
