// Hits as records (R34, R37): the contents of several hits are read in one statement, and what everybody sees of a
// record is written once.

import type { Viewer } from "../../auth/account.ts";
import { shownEntriesInParts } from "../../formats/record/named-entries.ts";
import { type Entries, NO_ENTRIES } from "../../formats/record/record-input.ts";
import { accessStatus } from "../../model/access/openness.ts";
import { fileReading, isPrivileged } from "../../model/access/visibility.ts";
import { type SizedEntry, sizeSlices } from "../../model/files/size-slices.ts";
import type { Draft, ItemContent } from "../../model/items/item.ts";
import { publicMetadata } from "../../model/metadata/public-metadata.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import { inTurns, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { RecordView } from "../records/record-json.ts";
import { type EntriesOf, mayEditRecord } from "../records/record-reading.ts";
import type { SearchPage } from "../search/query/finder.ts";
import { hitContents } from "../search/query/record-search.ts";
import type { RepositoryReader } from "../store/store.ts";
import { NO_USAGE } from "../store/usage.ts";

type Hit = SearchPage["items"][number];

export type HitNeeds = {
  readonly store: Pick<RepositoryReader, "items" | "communities" | "usage">;
  readonly entriesOf: EntriesOf;
  readonly today: () => Day;
};

type HitViewOptions<Known> = {
  readonly prefersDraft: boolean;
  readonly known: (hit: Hit) => Known | null;
  /** False: entries of vocabularies are represented by their ids alone, for callers that show no more. */
  readonly titles?: boolean;
};

/** Hits that are read at once. */
const AT_ONCE = 25;

/**
 * Each hit as its viewer sees it, in their order. `prefersDraft`: where the viewer is editing a published record, the
 * draft is shown. `known`: views that are already written and need no reading.
 */
export async function* hitViews<Known>(
  { store, today, entriesOf }: HitNeeds,
  viewer: Viewer,
  hits: readonly Hit[],
  { prefersDraft, known, titles = true }: HitViewOptions<Known>,
): AsyncGenerator<RecordView | Known> {
  const entriesIn = async ({ metadata }: ItemContent): Promise<Entries> =>
    titles ? await entriesOf(store, await inTurns(shownEntriesInParts(metadata))) : NO_ENTRIES;
  for (let start = 0; start < hits.length; start += AT_ONCE) {
    if (start > 0) await yieldToEventLoop();
    const some = hits.slice(start, start + AT_ONCE);
    const found = new Map<Hit, Known>();
    for (const hit of some) {
      const had = known(hit);
      if (had !== null) found.set(hit, had);
    }
    const unknown = some.filter((hit) => !found.has(hit));
    const drafts = await draftsOf(store, viewer, unknown, prefersDraft);
    const published = unknown.filter(({ item }) => item.state === "published" && !drafts.has(item.id));
    const firsts = await firstVersions(store, unknown);
    const usage = await store.usage.usageStats(published.map(({ item }) => item));
    const contents = hitContents(store.items, published);
    for (const hit of some) {
      const had = found.get(hit);
      const draft = drafts.get(hit.item.id);
      const firstVersion = firsts.get(hit.parent.id) ?? hit.item.id;
      if (had !== undefined) yield had;
      else if (draft !== undefined) {
        const entries = await entriesIn(draft.content);
        yield draftView(viewer, hit, draft, { firstVersion, today: today(), entries });
      } else if (published.includes(hit)) {
        const { value } = await contents.next();
        if (value === undefined) continue;
        const entries = await entriesIn(value.content);
        const view = publishedView(viewer, hit, value.content, { firstVersion, today: today(), entries });
        yield { ...view, usage: usage.get(hit.item.id) ?? { allVersions: NO_USAGE, thisVersion: NO_USAGE } };
      }
    }
  }
}

/** Drafts of what was never published, and of what its viewer is changing. */
async function draftsOf(
  { items }: HitNeeds["store"],
  viewer: Viewer,
  hits: readonly Hit[],
  prefersDraft: boolean,
): Promise<ReadonlyMap<number, Draft>> {
  const drafts = new Map<number, Draft>();
  const asked = hits.filter(({ item, parent }) =>
    item.state === "draft" ? true : prefersDraft && isPrivileged(viewer, parent),
  );
  if (asked.length === 0) return drafts;
  const sizes = new Map((await items.sizes(asked.map(({ item }) => item.id))).map((one) => [one.item, one.bytes]));
  const sized = asked.map(({ item }): SizedEntry & { id: ItemId } => ({ id: item.id, bytes: sizes.get(item.id) ?? 0 }));
  for (const slice of sizeSlices(sized)) {
    for (const draft of await items.drafts(slice.map(({ id }) => id))) drafts.set(draft.itemId, draft);
  }
  return drafts;
}

/** Harvesters know a thing by its first version (R36); most have no other. */
async function firstVersions({ items }: HitNeeds["store"], hits: readonly Hit[]): Promise<ReadonlyMap<number, number>> {
  const firsts = new Map<number, number>();
  for (const { item, parent } of hits) {
    if (item.versionIndex === 1) firsts.set(parent.id, item.id);
    else if (!firsts.has(parent.id)) {
      const [first] = await items.versionLines(parent.id);
      if (first !== undefined) firsts.set(parent.id, first.id);
    }
  }
  return firsts;
}

type ViewContext = Pick<RecordView, "firstVersion" | "today" | "entries">;

function sharedView(viewer: Viewer, { item, parent }: Hit, content: ItemContent, context: ViewContext) {
  const { content: _, ...facing } = item;
  return {
    ...context,
    item: facing,
    parent,
    byParent: false,
    privileged: isPrivileged(viewer, parent),
    editable: mayEditRecord(viewer, parent),
    accessStatus: accessStatus(content, context.today),
  };
}

function publishedView(viewer: Viewer, hit: Hit, content: ItemContent, context: ViewContext): RecordView {
  const { item, parent } = hit;
  const { isLatest } = item;
  const shared = sharedView(viewer, hit, content, context);
  // The record itself was found readable: only the access of its files remains.
  const facts = { ...parent, state: item.state, access: content.access, lineages: [] };
  return {
    ...shared,
    // Mail addresses are for those who look after the record (R2g).
    content: shared.privileged ? content : { ...content, metadata: publicMetadata(content.metadata) },
    draft: null,
    isLatest,
    isLatestDraft: isLatest,
    filesReadable: content.files.every(fileReading(viewer, facts, context.today)),
    review: null,
  };
}

function draftView(viewer: Viewer, hit: Hit, { content, ...draft }: Draft, context: ViewContext): RecordView {
  const { item, parent } = hit;
  return {
    ...sharedView(viewer, hit, content, context),
    content,
    draft,
    isLatest: item.isLatest,
    isLatestDraft: item.state === "draft" || item.isLatest,
    filesReadable: true,
    review: item.state === "draft" ? parent.review : null,
  };
}
