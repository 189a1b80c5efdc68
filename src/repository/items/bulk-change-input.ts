// What a bulk change is, as it is sent (R47): the items, and one change for all of them.

import type { Access } from "../../model/items/item.ts";
import {
  boolean,
  type Field,
  FieldFault,
  idField,
  listOf,
  object,
  objectOf,
  oneOf,
  orNull,
} from "../../shared/fields.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";

export type BulkChange =
  | { readonly file: IndexId }
  | { readonly unfile: IndexId }
  | { readonly access: Partial<Pick<Access, "record" | "files">> };

export type BulkRequest = {
  readonly items: readonly ItemId[];
  readonly change: BulkChange;
  readonly dryRun: boolean;
};

const openness = oneOf(["public", "restricted"]);
const ACCESS = object({ record: orNull(openness), files: orNull(openness) });
const NO_ACCESS = { record: null, files: null };

const accessField: Field<Partial<Pick<Access, "record" | "files">>> = {
  schema: ACCESS.schema,
  read(value, path) {
    const { record, files } = ACCESS.read({ ...NO_ACCESS, ...objectOf(value, path) }, path);
    if (record === null && files === null) throw new FieldFault(path, "must name record, files or both");
    return { ...(record === null ? {} : { record }), ...(files === null ? {} : { files }) };
  },
};

export const CHANGE_FIELDS = {
  file: orNull(idField),
  unfile: orNull(idField),
  access: orNull(accessField),
  publish_status: orNull(oneOf(["public", "private"])),
};
const NO_CHANGE = { file: null, unfile: null, access: null, publish_status: null };
const ONE_CHANGE = `must have exactly one of ${Object.keys(CHANGE_FIELDS).join(", ")}`;

const changeField: Field<BulkChange> = {
  schema: object(CHANGE_FIELDS).schema,
  read(value, path) {
    const read = object(CHANGE_FIELDS).read({ ...NO_CHANGE, ...objectOf(value, path) }, path);
    const { file, unfile, access, publish_status: status } = read;
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
};

const BULK_FIELDS = { items: listOf(idField, most("bulkItems")), change: changeField, dry_run: boolean() };

/** @throws FieldFault naming the member and its value. */
export function readBulkRequest(sent: unknown): BulkRequest {
  const read = object(BULK_FIELDS).read({ dry_run: false, ...objectOf(sent, "") }, "");
  if (read.items.length === 0) throw new FieldFault("items", "must name one item or more");
  return { items: read.items, change: read.change, dryRun: read.dry_run };
}

/** A change as the audit keeps it. */
export const keptChange: Field<BulkChange> = changeField;
