// Mapping definitions: which key of a linked-data document holds which part of the metadata (R14; `mapping_id` of the
// client record).

import type { Static } from "@sinclair/typebox";
import { compileMapping } from "../../formats/mapping/compile.ts";
import { mappingNeedsOf } from "../../formats/mapping/item-type.ts";
import { readItemType } from "../../model/item-types/read-definition.ts";
import type { Json } from "../../shared/json/json.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { StoredMapping } from "../store/settings.ts";
import type { RepositoryWriter } from "../store/store.ts";
import {
  type AdministrationNeeds,
  type CollectionOf,
  type CreatingOf,
  change,
  missing,
  numberOf,
  type ReadRecord,
  requireItemType,
} from "./collection.ts";
import { type LISTED_MAPPING, MAPPING, NEW_MAPPING } from "./records.ts";
import { SHIPPED_MARK } from "./shipped-settings.ts";

const shown = ({ id, name, kind, itemType, definition, deleted }: StoredMapping) => ({
  id,
  name,
  kind,
  item_type: itemType,
  definition,
  deleted,
});

export function mappingCollection(
  needs: AdministrationNeeds,
): CollectionOf<typeof MAPPING, Static<typeof LISTED_MAPPING>> & CreatingOf<typeof MAPPING> {
  const { store } = needs;

  /** Checked as a deposit would use it. @throws Refusal `invalid` */
  async function checked(tx: RepositoryWriter, id: number, read: ReadRecord<typeof MAPPING>): Promise<StoredMapping> {
    const type = await requireItemType(tx, read.item_type, "item_type");
    const members = Object.entries(read.definition).filter(([name]) => name !== SHIPPED_MARK);
    // The members were parsed from JSON and only checked since.
    const definition = Object.fromEntries(members) as { readonly [key: string]: Json };
    compileMapping(definition, mappingNeedsOf(readItemType(type.definition, type)));
    const same = (await tx.settings.mappings()).find(({ name }) => name === read.name);
    if (same !== undefined && same.id !== id) {
      throw new Refusal("conflict", `Mapping ${same.id} has the name "${read.name}" already`);
    }
    const { name, kind, deleted } = read;
    return { id, name, kind, itemType: read.item_type, definition, deleted };
  }

  return {
    list: async () =>
      (await store.settings.mappings()).map((mapping) => {
        const { definition: _definition, ...rest } = shown(mapping);
        return rest;
      }),
    async read(id) {
      const mapping = await store.settings.mapping(numberOf(id, "mapping"));
      if (mapping === null) throw missing("mapping", id);
      return shown(mapping);
    },
    create: (viewer, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const mapping = await checked(tx, 0, MAPPING.read(NEW_MAPPING, sent));
        const id = await tx.settings.saveMapping(mapping, at);
        await audit("mapping-add", `mapping:${id}`, { name: mapping.name });
        return shown({ ...mapping, id });
      }),
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const before = await tx.settings.mapping(numberOf(id, "mapping"));
        if (before === null) throw missing("mapping", id);
        const { id: _id, ...parts } = shown(before);
        const mapping = await checked(tx, before.id, MAPPING.read(parts, sent));
        if (mapping.deleted && !before.deleted) await requireUnused(tx, before);
        await tx.settings.saveMapping(mapping, at);
        await audit("mapping-set", `mapping:${before.id}`, { name: mapping.name, deleted: mapping.deleted });
        return shown(mapping);
      }),
  };
}

async function requireUnused(tx: RepositoryWriter, { id, name }: StoredMapping): Promise<void> {
  const user = (await tx.settings.clientSettings()).find(({ active, mapping }) => active && mapping === id);
  if (user === undefined) return;
  throw new Refusal("conflict", `Cannot delete mapping "${name}": the client ${user.clientId} uses it`);
}
