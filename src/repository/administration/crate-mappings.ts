// The RO-Crate forms of item types (R4, R29): each type has one or none, as a part of its definition.

import type { Static } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { readItemType } from "../../model/item-types/read-definition.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import type { StoredItemType } from "../store/settings.ts";
import { type AdministrationNeeds, type CollectionOf, change, missing, numberOf, type Removing } from "./collection.ts";
import { CRATE_MAPPING, type LISTED_CRATE_MAPPING } from "./records.ts";
import { SHIPPED_MARK } from "./shipped-settings.ts";

export function crateMappingCollection(
  needs: AdministrationNeeds,
): CollectionOf<typeof CRATE_MAPPING, Static<typeof LISTED_CRATE_MAPPING>> & Removing {
  const { store } = needs;

  /** Gives a type another form, or none. @throws Refusal `invalid` naming the place */
  const save = (viewer: Viewer, written: string, mapping: Json | undefined) =>
    change(needs, viewer, async (tx, at, audit) => {
      const before = await tx.settings.itemType(numberOf(written, "item type"));
      if (before === null) throw missing("item type", written);
      const { id, name, deleted } = before;
      const { roCrate: _before, [SHIPPED_MARK]: _mark, ...rest } = membersOf(before);
      const definition = mapping === undefined ? rest : { ...rest, roCrate: mapping };
      readItemType(definition, { id, version: before.version + 1 });
      const { version } = await tx.settings.saveItemType({ id, name, deleted, definition }, at);
      const action = mapping === undefined ? "crate-mapping-remove" : "crate-mapping-set";
      await audit(action, `item-type:${id}`, { version });
      return { id, version, name };
    });

  return {
    list: async () =>
      (await store.settings.itemTypes()).map((type) => {
        const { id, version, name } = type;
        return { id, version, name, mapped: membersOf(type).roCrate !== undefined };
      }),
    async read(written) {
      const type = await store.settings.itemType(numberOf(written, "item type"));
      const { roCrate: mapping } = type === null ? {} : membersOf(type);
      if (type === null || mapping === undefined) throw missing("RO-Crate mapping of item type", written);
      const { id, version, name } = type;
      return { id, version, name, mapping };
    },
    async update(viewer, written, sent) {
      const { mapping } = CRATE_MAPPING.read({}, sent);
      // The mapping was parsed from JSON and only checked since.
      const json = mapping as JsonObject;
      return { ...(await save(viewer, written, json)), mapping: json };
    },
    async remove(viewer, written) {
      await save(viewer, written, undefined);
    },
  };
}

/** The members of a definition, which is an object: no other was ever stored. */
const membersOf = ({ definition }: StoredItemType): JsonObject => (isJsonObject(definition) ? definition : {});
