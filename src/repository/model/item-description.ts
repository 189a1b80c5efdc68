// An item of the repository as a package would describe it: what is written into item tables, so that a table can be changed and sent back (R14).
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { DescribedItem, FileClaim, PlannedFile } from "./described-package.ts";
import type { Item, ItemContent } from "./item.ts";

/** What a table says of one version of an item. `uri` is the address of its landing page. Sent back as it is, it makes a new revision.
 * A file whose depositor worded no size is said to have its bytes. */
export function describedItem(item: Pick<Item, "id">, content: ItemContent, uri: string): DescribedItem {
  const { access, itemType, metadata, indexes, settings, files } = content;
  return {
    localId: `_:item${item.id}`,
    existing: { id: String(item.id), uri },
    itemType,
    metadata,
    instructions: {
      index: indexes.map(String),
      publishStatus: access.record === "public" ? "public" : "private",
      editMode: "Keep",
      openDate: access.openDate,
    },
    settings,
    files: files.map((file) => ({ ...claimOf(file), extents: file.extents ?? [`${file.sizeBytes} B`] })),
    notes: [],
  };
}

/** A file as forms and tables speak of it: what its depositor can state, nothing the repository found out or keeps for itself. */
export function claimOf(file: PlannedFile): FileClaim {
  const { name, mediaType, access, accessDate, groups } = file;
  const { label, objectType, version, license, licenseText, displayType, url, dates, extents } = file;
  const stated = { label, objectType, version, license, licenseText, displayType, url, dates, extents };
  return {
    path: name,
    mediaType,
    access,
    ...(accessDate === null ? {} : { accessDate }),
    ...(groups.length === 0 ? {} : { groups: groups.map(String) }),
    ...withoutUndefined(stated),
  };
}
