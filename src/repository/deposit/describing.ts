// Step 9 of a deposit: the metadata of a package as items, by the format's reader and the client's mapping (R4, R13a,
// R14). Every refusal is message 11 with the path in the document.

import type { DescribedItem } from "../../model/files/described-package.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { readItemType } from "../../model/item-types/read-definition.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { DescribeOrder, Parsing } from "../store/parsing.ts";
import type { SettingReader, StoredItemType } from "../store/settings.ts";
import type { DepositSettings } from "./client-settings.ts";
import { SwordError, swordRefusals } from "./messages.ts";
import { documentReader, HERE_BYTES, HERE_FILES } from "./parsing.ts";
import type { UnpackedPackage } from "./unpacking-package.ts";

type DescribedPackage = {
  /** Evidence before paper where the package is split; one otherwise. */
  readonly items: readonly DescribedItem[];
  /** Of the mapping or of the table; null for XML, which takes that of its workflow. */
  readonly itemType: number | null;
};

type MappingText = NonNullable<DescribeOrder["mapping"]>;

export interface Describing {
  /** The newest version of an item type. @throws SwordError message 11 when there is none. */
  itemType(id: number, found: Pick<DepositSettings, "itemType">): Promise<ItemTypeDefinition>;
  describe(pkg: UnpackedPackage, found: DepositSettings, today: Day): Promise<DescribedPackage>;
}

/** Item types and mappings are read once per version. Large documents are read in the background. */
export const describing = (settings: SettingReader, parsing: Parsing): Describing => {
  const types = new Map<string, ItemTypeDefinition>();
  const mappings = new Map<number, MappingText>();
  const readHere = documentReader();

  /**
   * A version never changes: only which one is the newest, and whether the type is still there, is asked for each time.
   */
  async function definitionOf({ id, version }: Pick<StoredItemType, "id" | "version">): Promise<ItemTypeDefinition> {
    const key = `${id}.${version}`;
    const known = types.get(key);
    if (known !== undefined) return known;
    const stored = requireType(id, await settings.itemType(id, version));
    const made = readItemType(stored.definition, { id, version });
    types.set(key, made);
    return made;
  }

  async function mappingOf({ client, byDefault, mapping: stored, itemType }: DepositSettings): Promise<MappingText> {
    const record = client ?? byDefault;
    if (record === null) throw swordRefusals.noClientSetting();
    if (stored === null || stored.deleted) {
      throw swordRefusals.itemCheck(`mapping definition ${record.mapping} of the client does not exist`);
    }
    const { id, definition } = stored;
    const { version } = requireType(stored.itemType, itemType);
    const known = mappings.get(id);
    if (known?.definition === definition && known.itemType.version === version) return known;
    const type = requireType(stored.itemType, await settings.itemType(stored.itemType, version));
    const mapping = { id, definition, itemType: textOf(type) };
    mappings.set(id, mapping);
    return mapping;
  }

  async function describe(pkg: UnpackedPackage, found: DepositSettings, today: Day): Promise<DescribedPackage> {
    const { kind, metadata } = pkg;
    const isJson = kind === "ro-crate" || kind === "sword-bagit";
    const mapping = isJson ? await mappingOf(found) : null;
    const known = kind === "tsv-csv" ? (await settings.itemTypes()).filter(({ deleted }) => !deleted) : [];
    const payload = isJson ? pkg.files.map(({ path }) => path) : [];
    const order: DescribeOrder = { kind, metadata, payload, today, itemTypes: known.map(textOf), mapping };
    const isSmall = metadata.length <= HERE_BYTES && pkg.files.length <= HERE_FILES;
    const items = isSmall ? readHere(order) : await parsing.describe(order);
    if (!isSmall) await yieldToEventLoop();
    return { items, itemType: mapping?.itemType.id ?? items[0]?.itemType ?? null };
  }

  return {
    itemType: async (id, { itemType }) =>
      await definitionOf(requireType(id, itemType?.id === id ? itemType : await settings.itemType(id))),
    async describe(pkg, found, today) {
      try {
        return await describe(pkg, found, today);
      } catch (error) {
        const isReported = error instanceof DocumentError || isRefusal(error, "invalid");
        throw isReported && !(error instanceof SwordError)
          ? swordRefusals.itemCheck(error.message, { cause: error })
          : error;
      }
    },
  };
};

/** @throws SwordError message 11 where there is none. */
function requireType<T extends Pick<StoredItemType, "deleted">>(id: number, found: T | null): T {
  if (found === null || found.deleted) throw swordRefusals.itemCheck(`item type ${id} does not exist`);
  return found;
}

const textOf = ({ id, version, definition }: StoredItemType) => ({ id, version, definition });
