// What a bulk change is, as it is sent (R47): the items, and one change for all of them.

import type { Access } from "../../model/items/item.ts";
import { FieldFault } from "../../shared/field-faults.ts";
import { boolean, type Field, idField, listOf, object, oneOf, optional, orNull, refined } from "../../shared/fields.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { maybe } from "../../shared/objects.ts";

export type BulkChange =
  | { readonly file: IndexId }
  | { readonly unfile: IndexId }
  | { readonly access: Partial<Pick<Access, "record" | "files">> };

export type BulkRequest = {
  readonly items: readonly ItemId[];
  readonly change: BulkChange;
  readonly dryRun: boolean;
};

const openness = optional(orNull(oneOf(["public", "restricted"])));
const ACCESS = refined(object({ record: openness, files: openness }), ({ record, files }, path) => {
  const access: Partial<Pick<Access, "record" | "files">> = { ...maybe("record", record), ...maybe("files", files) };
  if (Object.keys(access).length === 0) throw new FieldFault(path, "must name record, files or both");
  return access;
});

const CHANGE_FIELDS = {
  file: optional(orNull(idField)),
  unfile: optional(orNull(idField)),
  access: optional(orNull(ACCESS)),
  publish_status: optional(orNull(oneOf(["public", "private"]))),
};
const ONE_CHANGE = `must have exactly one of ${Object.keys(CHANGE_FIELDS).join(", ")}`;

const CHANGE: Field<BulkChange> = refined(
  object(CHANGE_FIELDS, {
    $id: "BulkChangeInput",
    description: "Exactly one of the members",
    examples: [{ file: 1 }, { unfile: 1 }, { access: { record: "restricted" } }, { publish_status: "private" }],
  }),
  ({ file = null, unfile = null, access = null, publish_status: status = null }, path) => {
    const changes: readonly (BulkChange | null)[] = [
      file === null ? null : { file },
      unfile === null ? null : { unfile },
      access === null ? null : { access },
      // Publish status and access to the record are one fact (R2d).
      status === null ? null : { access: { record: status === "public" ? "public" : "restricted" } },
    ];
    const [change, second] = changes.filter((each) => each !== null);
    if (change === undefined || second !== undefined) throw new FieldFault(path, ONE_CHANGE);
    return change;
  },
);

const ITEMS = refined(listOf(idField, most("bulkItems")), (items, path) => {
  if (items.length === 0) throw new FieldFault(path, "must name one item or more");
  return items;
});

export const BULK_REQUEST: Field<BulkRequest> = refined(
  object(
    {
      items: ITEMS,
      change: CHANGE,
      dry_run: optional(boolean({ default: false, description: "The check alone: what each item is and would be" })),
    },
    { $id: "BulkRequest" },
  ),
  ({ items, change, dry_run: dryRun = false }) => ({ items, change, dryRun }),
);

/** A change as the audit keeps it. */
export const keptChange: Field<BulkChange> = CHANGE;
