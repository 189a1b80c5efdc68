// Step 9 of a deposit: the metadata of a package as items, by the format's reader and the client's mapping (R4, R13a, R14). Every refusal is
// message 11 with the place in the document.
import { SwordError, swordRefusals } from "../../domain/deposit/messages.ts";
import { type DescribedItem, DocumentError } from "../../domain/deposit/package.ts";
import type { ItemTypeDefinition } from "../../domain/item-types/definition.ts";
import { readItemType } from "../../domain/item-types/read-definition.ts";
import { metadataExcess } from "../../domain/items/metadata-limits.ts";
import { isRefusal } from "../../domain/repository/refusal.ts";
import { readJpcoar } from "../../formats/jpcoar/read.ts";
import { compileMapping, type Mapping } from "../../formats/mapping/compile.ts";
import { mappingNeedsOf } from "../../formats/mapping/item-type.ts";
import { readRoCrate } from "../../formats/ro-crate/read.ts";
import { readSwordJson } from "../../formats/sword-json/read.ts";
import { readItemTable } from "../../formats/tsv/read.ts";
import type { SettingReader, StoredItemType } from "../../ports/repository/settings.ts";
import type { DepositSettings } from "./method.ts";
import type { UnpackedPackage } from "./unpacking-package.ts";

export type DescribedPackage = {
  /** Evidence before paper where the package is split; one otherwise. */
  readonly items: readonly DescribedItem[];
  /** Of the mapping or of the table; null for XML, which takes that of its workflow. */
  readonly itemType: number | null;
};

export type Describing = ReturnType<typeof describing>;

/** Item types and mappings are read once for each version. */
export const describing = (settings: SettingReader) => {
  const types = new Map<string, ItemTypeDefinition>();
  const mappings = new Map<string, Mapping>();

  function definitionOf(stored: StoredItemType): ItemTypeDefinition {
    const key = `${stored.id}.${stored.version}`;
    const known = types.get(key) ?? readItemType(stored.definition, { id: stored.id, version: stored.version });
    types.set(key, known);
    return known;
  }

  /** The newest version of an item type. @throws SwordError message 11 when there is none. */
  async function itemType(id: number): Promise<ItemTypeDefinition> {
    const stored = await settings.itemType(id);
    if (stored === null || stored.deleted) throw swordRefusals.itemCheck(`item type ${id} does not exist`);
    return definitionOf(stored);
  }

  async function mappingOf({ client }: DepositSettings): Promise<{ mapping: Mapping; itemType: number }> {
    if (client === null) throw swordRefusals.noClientSetting();
    const stored = await settings.mapping(client.mapping);
    if (stored === null || stored.deleted) {
      throw swordRefusals.itemCheck(`mapping definition ${client.mapping} of the client does not exist`);
    }
    const key = `${stored.id} ${JSON.stringify(stored.definition)}`;
    let mapping = mappings.get(key);
    if (mapping === undefined) {
      mapping = compileMapping(stored.definition, mappingNeedsOf(await itemType(stored.itemType)));
      // An older text of the same definition is never asked for again.
      for (const old of mappings.keys()) if (old.startsWith(`${stored.id} `)) mappings.delete(old);
      mappings.set(key, mapping);
    }
    return { mapping, itemType: stored.itemType };
  }

  async function describe(pkg: UnpackedPackage, found: DepositSettings, today: string): Promise<DescribedPackage> {
    if (pkg.kind === "jpcoar-xml") return { items: [readJpcoar(pkg.metadata).item], itemType: null };
    if (pkg.kind === "tsv-csv") {
      const known = (await settings.itemTypes()).filter(({ deleted }) => !deleted).map(definitionOf);
      const items = readItemTable(pkg.metadata, known);
      return { items, itemType: items[0]?.itemType ?? null };
    }
    const { mapping, itemType: type } = await mappingOf(found);
    const needs = { mapping, payload: new Set(pkg.files.map(({ path }) => path)), today };
    const read = pkg.kind === "ro-crate" ? readRoCrate : readSwordJson;
    return { items: read(pkg.metadata, needs), itemType: type };
  }

  return {
    itemType,
    async describe(pkg: UnpackedPackage, found: DepositSettings, today: string): Promise<DescribedPackage> {
      try {
        const described = await describe(pkg, found, today);
        for (const { metadata } of described.items) {
          const tooMuch = metadataExcess(metadata);
          if (tooMuch !== null) throw new DocumentError(`The metadata ${tooMuch}`);
        }
        return described;
      } catch (error) {
        const isTold = error instanceof DocumentError || isRefusal(error, "invalid");
        throw isTold && !(error instanceof SwordError)
          ? swordRefusals.itemCheck(error.message, { cause: error })
          : error;
      }
    },
  };
};
