// Step 11 of a deposit: what every item must be before it is registered, in the order of the specification: metadata and required fields,
// index and publication status (message 11), duplicates (13), already registered (12), format disabled (15).

import type { Viewer } from "../../auth/account.ts";
import type { DescribedItem, PlannedContent } from "../../model/files/described-package.ts";
import { claimOf } from "../../model/files/file-claim.ts";
import { missingRequired } from "../../model/item-types/checks.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { type Metadata, mainTitle } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import { mediaTypeOf } from "../../shared/http/media-types.ts";
import { isDay } from "../../shared/time/day.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { Lineages } from "../store/indexes.ts";
import type { RepositoryReader } from "../store/store.ts";
import { SwordError, swordRefusals } from "./messages.ts";
import type { NamedItems } from "./named-items.ts";
import { type ContentPlan, planContent } from "./planned-content.ts";
import type { StagedFile, UnpackedPackage } from "./unpacking-package.ts";

/** An item that may be registered, but for its bytes. */
export type CheckedItem = ContentPlan & { readonly described: DescribedItem };

export type CheckingIn = {
  readonly viewer: Viewer;
  readonly kind: UnpackedPackage["kind"];
  /** Payload files that belong to this item. */
  readonly files: readonly StagedFile[];
  readonly definition: ItemTypeDefinition;
  readonly today: string;
  readonly defaultIndex: number | null;
  /** Indexes that contain the item already: a replacement does not need permission for them again. */
  readonly known?: readonly number[];
  /** What is known of the tree already. */
  readonly lineages?: Lineages;
};

/** Metadata, required fields, index and publication status; `finished` fills in what the item has already. @throws SwordError message 11. */
export async function checkItem(
  reader: RepositoryReader,
  described: DescribedItem,
  { viewer, kind, files, definition, today, defaultIndex, known = [], lineages }: CheckingIn,
  finished: (content: PlannedContent) => PlannedContent = (content) => content,
): Promise<CheckedItem> {
  const groups = new Map<string, number>();
  const namesGroups = described.files.some((file) => file.groups !== undefined && file.groups.length > 0);
  for (const { id, name } of namesGroups ? await reader.accounts.groups() : [])
    groups.set(name, id).set(String(id), id);
  const { content: read, notes } = planContent(described, {
    kind,
    payload: files.map(({ path, name, upload }) => ({ ...upload, path, name })),
    itemType: definition,
    today,
    defaultIndex,
    groups,
    mediaTypeOf: (name) => mediaTypeOf(name),
    isDay,
  });
  const content = finished(read);
  await yieldToEventLoop();
  requireFields(content, definition);
  await requireIndexes(
    reader,
    viewer,
    content.indexes.filter((id) => !known.includes(id)),
    lineages,
  );
  return { content, notes, described };
}

/** Message 11 naming every required field that is missing; with what there is, for those who keep it (R16). */
export class IncompleteItem extends SwordError {
  readonly content: PlannedContent;

  constructor(content: PlannedContent, missing: readonly string[]) {
    const { type, message, messageNumber } = swordRefusals.itemCheck(
      missing.map((name) => `"${name}" is required.`).join(" "),
    );
    super(type, message, messageNumber);
    this.content = content;
  }
}

/** @throws IncompleteItem */
function requireFields(content: PlannedContent, definition: ItemTypeDefinition): void {
  const missing = missingFields(content, definition);
  if (missing.length > 0) throw new IncompleteItem(content, missing);
}

function missingFields({ metadata, files, access }: PlannedContent, definition: ItemTypeDefinition): readonly string[] {
  return missingRequired(metadata, definition, files.map(claimOf), access.openDate);
}

/** The indexes are there and admit the owner (R2e, R16). `known`: what was read of the tree already. @throws SwordError message 11. */
export async function requireIndexes(
  reader: RepositoryReader,
  viewer: Viewer,
  indexes: readonly number[],
  known: Lineages = new Map(),
): Promise<void> {
  const read = await reader.indexes.lineages(indexes.filter((id) => !known.has(id)));
  for (const id of indexes) {
    const lineage = known.get(id) ?? read.get(id);
    if (lineage === undefined) throw swordRefusals.itemCheck(`index ${id} does not exist`);
    if (may(viewer, "item.file", lineage)) continue;
    throw swordRefusals.itemCheck(`you may not put items into index ${id}`);
  }
}

type RegisteredNeeds = {
  readonly store: Pick<RepositoryReader, "items">;
  /** Whether the depositor may read the registered item: nobody else receives its title. */
  readonly mayRead: (itemId: number) => Promise<boolean>;
};

/** @throws SwordError message 12 for a package that names an item, or 404 for a number that names none */
export async function refuseRegistered({ ids: [id] }: NamedItems, { store, mayRead }: RegisteredNeeds): Promise<void> {
  if (id === undefined) return;
  const item = await store.items.item(id);
  if (item === null || item.state !== "published") throw new SwordError("NotFound", `Item not found. (recid=${id})`);
  const title = item.content === null ? "" : mainTitle(item.content.metadata);
  throw title !== "" && (await mayRead(id))
    ? swordRefusals.alreadyRegistered(id, title)
    : swordRefusals.alreadyRegistered(id);
}

/** Searches for duplicates outside of any transaction, so that a refusal costs nothing. */
export async function refuseDuplicate(
  find: (metadata: Metadata) => Promise<readonly number[]>,
  metadata: Metadata,
): Promise<void> {
  const ids = await find(metadata);
  if (ids.length > 0) throw swordRefusals.duplicate(ids);
}
