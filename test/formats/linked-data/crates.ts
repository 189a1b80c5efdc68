// Documents for the tests of linked data, and their reading with the shipped mappings.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readRoCrate } from "../../../src/formats/ro-crate/read.ts";
import { readSwordJson } from "../../../src/formats/sword-json/read.ts";
import type { DescribedItem } from "../../../src/model/files/described-package.ts";
import type { Json } from "../../../src/shared/json/json.ts";
import { RO_CRATE_DEFAULT, SWORD_DEFAULT } from "../../support/mappings.ts";

export const TODAY = "2026-05-01";

export function bytesOf(document: Json): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document));
}

export function vector(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(import.meta.dirname, "..", "..", "vectors", "linked-data", name)));
}

/** A crate with this root and these further entities. */
export function crate(root: { readonly [key: string]: Json }, ...entities: readonly Json[]): Json {
  return {
    "@context": "https://w3id.org/ro/crate/1.1/context",
    "@graph": [
      { "@id": "ro-crate-metadata.json", "@type": "CreativeWork", about: { "@id": "./" } },
      { "@id": "./", "@type": "Dataset", ...root },
      ...entities,
    ],
  };
}

export function readCrate(document: Json | Uint8Array, payload: readonly string[] = []): readonly DescribedItem[] {
  const bytes = document instanceof Uint8Array ? document : bytesOf(document);
  return readRoCrate(bytes, { mapping: RO_CRATE_DEFAULT, payload: new Set(payload), today: TODAY });
}

/** The one item of a document that describes one. */
export function onlyItem(items: readonly DescribedItem[]): DescribedItem {
  const [item, ...more] = items;
  if (item === undefined || more.length > 0) throw new Error(`One item was expected, not ${items.length}`);
  return item;
}

export function readSword(document: Json | Uint8Array, payload: readonly string[] = []): readonly DescribedItem[] {
  const bytes = document instanceof Uint8Array ? document : bytesOf(document);
  return readSwordJson(bytes, { mapping: SWORD_DEFAULT, payload: new Set(payload), today: TODAY });
}
