// Metadata documents with a few bytes changed, read by every reader (R13, R13a): each describes something or is refused
// with a DocumentError, soon.
import process from "node:process";
import { SHIPPED_ITEM_TYPES } from "../../src/assets/item-types/index.ts";
import { readJpcoar } from "../../src/formats/jpcoar/read.ts";
import { readRoCrate } from "../../src/formats/ro-crate/read.ts";
import { readSwordJson } from "../../src/formats/sword-json/read.ts";
import { readItemTable } from "../../src/formats/tsv/read.ts";
import { readItemType } from "../../src/model/item-types/read-definition.ts";
import { DocumentError } from "../../src/shared/document-error.ts";
import { type Rng, rng } from "../hostile/generate.ts";
import { RO_CRATE_DEFAULT, SWORD_DEFAULT } from "../support/mappings.ts";
import { crateOf, jpcoarOf, swordJsonOf, tableColumns, tableOf } from "../support/package-builder.ts";

type MetadataFuzzResult = {
  readonly runs: number;
  readonly read: number;
  readonly refused: number;
  /** What must not be: each with the seed and the run that shows it again. */
  readonly findings: readonly string[];
};

/** Of the processor. */
const SLOW_MS = 5000;
const FINDINGS_SHOWN = 20;
const TYPES = SHIPPED_ITEM_TYPES.map((definition, index) => readItemType(definition, { id: index + 1, version: 1 }));
const NEEDS = { payload: new Set(["a.txt"]), today: "2026-11-20" };

type Reader = {
  readonly name: string;
  readonly seeds: readonly string[];
  readonly read: (bytes: Uint8Array) => unknown;
};

const READERS: readonly Reader[] = [
  {
    name: "RO-Crate",
    seeds: [
      crateOf(["a.txt"]),
      crateOf(["a.txt"], { "svc:index": ["1"], keywords: ["a", "b"], funder: { "@id": "#someone" } }),
    ],
    read: (bytes) => readRoCrate(bytes, { ...NEEDS, mapping: RO_CRATE_DEFAULT }),
  },
  {
    name: "sword.json",
    seeds: [swordJsonOf(), swordJsonOf({ "dc:identifier": "https://doi.org/10.99999/x", "dcterms:issued": "2026" })],
    read: (bytes) => readSwordJson(bytes, { ...NEEDS, mapping: SWORD_DEFAULT }),
  },
  {
    name: "table",
    seeds: [tableOf(tableColumns()), tableOf(tableColumns(), ",")],
    read: (bytes) => readItemTable(bytes, TYPES),
  },
  { name: "JPCOAR", seeds: [jpcoarOf()], read: (bytes) => readJpcoar(bytes) },
];

const PIECES: readonly string[] = [
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "null",
  "1e999",
  "-0",
  "\\u0000",
  "\\ud800",
  "<",
  ">",
  "&",
  "&#x0;",
  "<![CDATA[",
  "]]>",
  "<!DOCTYPE x>",
  "\t",
  "\n",
  "\r",
  "[999999999]",
  "__proto__",
  "@id",
  "@type",
  "@value",
  "./",
  "#",
  "\u0000",
  "\ufeff",
  "\u202e",
  "x".repeat(5000),
];

function mutated(seed: Buffer, random: Rng): Uint8Array {
  let bytes = Buffer.from(seed);
  for (let left = 1 + random.int(4); left > 0; left--) {
    const at = random.int(bytes.length + 1);
    const end = Math.min(bytes.length, at + random.int(random.chance(0.2) ? 200 : 6));
    const other = random.int(bytes.length + 1);
    const piece = random.chance(0.3)
      ? bytes.subarray(other, other + random.int(80))
      : random.chance(0.6)
        ? Buffer.from(random.pick(PIECES))
        : Buffer.from([random.int(256)]);
    bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(random.chance(0.5) ? at : end)]);
  }
  return new Uint8Array(bytes);
}

/** The same seed makes the same runs. */
export function fuzzMetadata(seed: number, runs: number): MetadataFuzzResult {
  const random = rng(seed);
  const findings: string[] = [];
  let [read, refused] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const reader = random.pick(READERS);
    const bytes = mutated(Buffer.from(random.pick(reader.seeds)), random);
    const before = process.cpuUsage();
    let problem: string | null = null;
    try {
      reader.read(bytes);
      read++;
    } catch (error) {
      if (error instanceof DocumentError) refused++;
      else problem = `threw ${error instanceof Error ? error.stack : String(error)}`;
    }
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 > SLOW_MS) problem = "took too long";
    if (problem !== null && findings.length < FINDINGS_SHOWN) {
      findings.push(
        `${reader.name}, seed ${seed}, run ${run}: ${problem}\n${Buffer.from(bytes).toString("base64").slice(0, 4000)}`,
      );
    }
  }
  return { runs, read, refused, findings };
}
