// Reading the directory, the manifests and the metadata document of a package (R13, R14, R9a): the same functions in the server, for small
// packages, and in the thread that large ones are handed to.

import { readJpcoar } from "../../formats/jpcoar/read.ts";
import { compileMapping, type Mapping } from "../../formats/mapping/compile.ts";
import { mappingNeedsOf } from "../../formats/mapping/item-type.ts";
import { readRoCrate } from "../../formats/ro-crate/read.ts";
import { readSwordJson } from "../../formats/sword-json/read.ts";
import { readItemTable } from "../../formats/tsv/read.ts";
import type { DescribedItem } from "../../model/files/described-package.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { readItemType } from "../../model/item-types/read-definition.ts";
import { metadataExcess } from "../../model/metadata/metadata-limits.ts";
import type { ByteSource } from "../../shared/bytes/byte-streams.ts";
import { DocumentError } from "../../shared/document-error.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { METADATA_BYTES_MAX } from "../items/content.ts";
import type { DescribeOrder, Parsing, TypeText } from "../store/parsing.ts";
import { readBag } from "./bag-reading.ts";
import { openZip, tableOf, zipDirectory } from "./zip-archive.ts";

/**
 * What the server reads by itself: a directory, all manifests together, a metadata document, each up to this size, and
 * as many files. The worst case takes a few tens of milliseconds (test/hostile/background-threads.test.ts); everything larger goes
 * to the thread.
 */
export const HERE_BYTES = 64 * 1024;
export const HERE_FILES = 500;

type ParsingNeeds = {
  readonly unpacking: Unpacking;
  readonly openFile: (path: string) => Promise<ByteSource & AsyncDisposable>;
};

/**
 * Reads documents. Item types and mappings are read once, as long as the caller keeps them.
 *
 * @throws DocumentError, Refusal
 */
export function documentReader(): (order: DescribeOrder) => readonly DescribedItem[] {
  const types = new Map<string, ItemTypeDefinition>();
  const mappings = new WeakMap<object, Mapping>();

  function typeOf({ id, version, definition }: TypeText): ItemTypeDefinition {
    const key = `${id}.${version}`;
    const known = types.get(key) ?? readItemType(definition, { id, version });
    types.set(key, known);
    return known;
  }

  function mappingOf(mapping: NonNullable<DescribeOrder["mapping"]>): Mapping {
    const { definition, itemType } = mapping;
    const known = mappings.get(mapping) ?? compileMapping(definition, mappingNeedsOf(typeOf(itemType)));
    mappings.set(mapping, known);
    return known;
  }

  function read({ kind, metadata, payload, today, itemTypes, mapping }: DescribeOrder): readonly DescribedItem[] {
    if (kind === "jpcoar-xml") return [readJpcoar(metadata).item];
    if (kind === "tsv-csv") return readItemTable(metadata, itemTypes.map(typeOf), 1);
    if (mapping === null) throw new TypeError(`A document of kind ${kind} is read by a mapping`);
    const needs = { mapping: mappingOf(mapping), payload: new Set(payload), today };
    return kind === "ro-crate" ? readRoCrate(metadata, needs) : readSwordJson(metadata, needs);
  }

  return (order) => {
    const items = read(order);
    for (const { metadata } of items) {
      const tooMuch = metadataExcess(metadata);
      if (tooMuch !== null) throw new DocumentError(`The metadata ${tooMuch}`);
    }
    if (order.metadata.length > HERE_BYTES) items.forEach(requireKeepable);
    return items;
  };
}

/** No item keeps more (src/repository/items/content.ts): what is more need not cross. */
function requireKeepable({ metadata }: DescribedItem): void {
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  if (bytes <= METADATA_BYTES_MAX) return;
  throw new DocumentError(`The metadata have ${bytes} bytes, at most ${METADATA_BYTES_MAX} are kept`);
}

/** Everything in the place where it is called: what the thread does, and what tests of the steps around it use. */
export function parsingHere({ openFile, unpacking }: ParsingNeeds): Parsing {
  const describe = documentReader();
  return {
    async directory(path) {
      await using source = await openFile(path);
      return tableOf(await zipDirectory(source));
    },
    async bag(path) {
      await using source = await openFile(path);
      const { payload, tags } = await readBag(await openZip(source, unpacking));
      return { payload, tags };
    },
    describe: async (order) => describe(order),
  };
}
