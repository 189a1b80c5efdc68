// Item types that administrators add by file, and their versions (R4, R4a).

import type { Static } from "@sinclair/typebox";
import { claimOf } from "../../model/files/described-package.ts";
import { lostFields } from "../../model/item-types/checks.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { pathWithoutIndices } from "../../model/item-types/metadata-path.ts";
import { readItemType } from "../../model/item-types/read-definition.ts";
import { toFormWithAll } from "../../model/item-types/to-form.ts";
import type { ItemContent } from "../../model/items/item.ts";
import type { Json } from "../../shared/json/json.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { RepositoryReader } from "../store/store.ts";
import {
  type AdministrationNeeds,
  type CollectionOf,
  type CreatingOf,
  change,
  missing,
  numberOf,
} from "./collection.ts";
import { ITEM_TYPE, type LISTED_ITEM_TYPE, NEW_ITEM_TYPE } from "./records.ts";
import { SHIPPED_MARK } from "./shipped-settings.ts";

/** Items read at once while their fields are counted. */
const PAGE = 200;
/** Fields that a refusal names. */
const SHOWN_FIELDS = 5;

export function itemTypeCollection(
  needs: AdministrationNeeds,
): CollectionOf<typeof ITEM_TYPE, Static<typeof LISTED_ITEM_TYPE>> & CreatingOf<typeof ITEM_TYPE> {
  const { store } = needs;
  return {
    list: async () =>
      (await store.settings.itemTypes()).map(({ id, version, name, deleted }) => ({ id, version, name, deleted })),
    async read(id) {
      const stored = await store.settings.itemType(numberOf(id, "item type"));
      if (stored === null) throw missing("item type", id);
      return { ...stored, items: await store.settings.countItemsOfType(stored.id) };
    },
    create: (viewer, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const { definition, deleted } = ITEM_TYPE.read(NEW_ITEM_TYPE, sent);
        const json = ownDefinition(definition);
        const { name } = readItemType(json, { id: 0, version: 1 });
        const { id, version } = await tx.settings.saveItemType({ id: 0, name, deleted, definition: json }, at);
        await audit("item-type-add", `item-type:${id}`, { name: name.en });
        return { id, version, name, deleted, definition: json };
      }),
    async update(viewer, id, sent) {
      const number = numberOf(id, "item type");
      const before = await store.settings.itemType(number);
      if (before === null) throw missing("item type", id);
      const read = ITEM_TYPE.read({ deleted: before.deleted, definition: before.definition }, sent);
      const definition = ownDefinition(read.definition);
      const after = readItemType(definition, { id: number, version: before.version + 1 });
      // Every item of the type may have to be read, so this happens before the transaction.
      await requireNothingLost(store, readItemType(before.definition, before), after);
      return await change(needs, viewer, async (tx, at, audit) => {
        if ((await tx.settings.itemType(number))?.version !== before.version) {
          throw new Refusal("conflict", `Item type ${number} was changed meanwhile: read it again`);
        }
        const { name } = after;
        const { version } = await tx.settings.saveItemType({ id: number, name, deleted: read.deleted, definition }, at);
        await audit("item-type-set", `item-type:${number}`, { version, name: name.en, deleted: read.deleted });
        return { id: number, version, name, deleted: read.deleted, definition };
      });
    },
  };
}

/** A definition as an administrator wrote it: from now on a newer version of the program leaves it alone. */
function ownDefinition(definition: object): Json {
  const members = Object.entries(definition).filter(([name]) => name !== SHIPPED_MARK);
  // The members were parsed from JSON and only checked since.
  return Object.fromEntries(members) as { readonly [key: string]: Json };
}

/** R4a: a field that holds data is not removed. @throws Refusal `conflict` with the count of items */
async function requireNothingLost(
  reader: Pick<RepositoryReader, "items">,
  before: ItemTypeDefinition,
  after: ItemTypeDefinition,
): Promise<void> {
  const lost = lostFields(before, after);
  if (lost.length === 0) return;
  const counts = new Map(lost.map((field) => [field, 0]));
  for await (const content of contentsOf(reader, before.id)) {
    const { metadata, files, access } = content;
    const form = toFormWithAll(metadata, before, files.map(claimOf), access.openDate);
    const held = new Set(
      Object.entries(form).flatMap(([path, value]) => (value === "" ? [] : [pathWithoutIndices(path)])),
    );
    for (const [field, count] of counts) if (held.has(field.path)) counts.set(field, count + 1);
  }
  const holding = [...counts].filter(([, count]) => count > 0);
  if (holding.length === 0) return;
  const words = holding.map(
    ([{ label, path }, count]) => `"${label}" (${path}) in ${count === 1 ? "1 item" : `${count} items`}`,
  );
  const more = words.length > SHOWN_FIELDS ? ` and ${words.length - SHOWN_FIELDS} more fields` : "";
  const message = `Cannot remove what holds data: ${words.slice(0, SHOWN_FIELDS).join(", ")}${more}`;
  throw new Refusal("conflict", message, {
    detail: { fields: holding.map(([{ path, label }, items]) => ({ path, label, items })) },
  });
}

/** The contents of items of a type, published and drafted, page by page. */
async function* contentsOf(reader: Pick<RepositoryReader, "items">, itemType: number): AsyncGenerator<ItemContent> {
  let before: number | null = null;
  for (;;) {
    const page = await reader.items.listItems({ itemType }, before, PAGE);
    for (const item of page) {
      const draft = await reader.items.draft(item.id);
      const contents = [item.content, draft?.content ?? null];
      for (const content of contents) if (content !== null && content.itemType === itemType) yield content;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    before = last.id;
  }
}
