// Item search for programs (specification 3, "GET /api/{version}/records"; R10, R27, R28): what a request asks for, and
// each hit as RO-Crate.
import { Type } from "@sinclair/typebox";
import type { Viewer } from "../../../auth/account.ts";
import { isPrivileged } from "../../../model/access/visibility.ts";
import { sizeSlices } from "../../../model/files/size-slices.ts";
import type { CrateMapping } from "../../../model/item-types/crate-mapping.ts";
import type { ItemTypeDefinition } from "../../../model/item-types/definition.ts";
import type { Addresses } from "../../../model/items/addresses.ts";
import type { Item, ItemContent, ItemOutline, WithParent } from "../../../model/items/item.ts";
import { EMPTY_METADATA } from "../../../model/metadata/metadata.ts";
import type { JsonObject } from "../../../shared/json/read.ts";
import { keptTexts } from "../../../shared/text/text-cache.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import type { ItemTypeReading } from "../../items/item-type-reading.ts";
import type { ItemReader } from "../../store/items.ts";
import type { RepositoryReader } from "../../store/store.ts";
import { CrateShape } from "../detail/detail-writing.ts";
import { aggregationsFor, type FacetValues } from "../detail/facet-values.ts";
import { hitCrate } from "../detail/item-crate.ts";
import { FIELDS } from "../document/document.ts";
import { numberKey } from "../document/keys.ts";
import { facetField } from "../settings/search-schema.ts";
import type { Finder, ItemQuery, SearchPage } from "./finder.ts";
import { chosenOf, orderOf, type Parameters, pageOf, whereOf } from "./parameters.ts";
import { allOf } from "./query-text.ts";

/** What a search finds, as it is answered. */
export const FoundShape = Type.Object(
  {
    total_results: Type.Integer({ description: "All hits" }),
    count_results: Type.Integer({ description: "Hits of this answer" }),
    cursor: Type.Union([Type.String(), Type.Null()], {
      description: "The cursor of the next page; null after the last",
    }),
    page: Type.Union([Type.Integer(), Type.Null()], { description: "Null where a cursor was followed" }),
    search_results: Type.Array(Type.Object({ id: Type.String(), metadata: CrateShape })),
    aggregations: Type.Record(
      Type.String(),
      Type.Object({ buckets: Type.Array(Type.Object({ key: Type.String(), doc_count: Type.Integer() })) }),
      {
        description:
          "By the English name of each facet: its values over all hits before facets were chosen, most first",
      },
    ),
  },
  { $id: "FoundItems" },
);

export type SearchedRecords = {
  readonly total: number;
  readonly count: number;
  readonly cursor: string | null;
  /** Null where a cursor was followed. */
  readonly page: number | null;
  /** `{id, metadata}` as JSON, `count` of them, one after the other. */
  readonly hits: AsyncIterable<string>;
  readonly aggregations: JsonObject;
};

type RecordSearchNeeds = {
  readonly finder: Pick<Finder, "find" | "settings">;
  readonly store: Pick<RepositoryReader, "items" | "settings">;
  readonly types: Pick<ItemTypeReading, "at">;
  readonly addresses: Pick<Addresses, "baseUrl" | "arkUrl">;
  readonly clock: Clock;
  readonly values: FacetValues;
  /** Values of a facet that are counted (SVC_ADMIN_FACET_SEARCH_SETTING_BUCKET_SIZE). */
  readonly bucketSize: number;
};

export interface RecordSearch {
  /** What a request asks for, without its page. @throws invalid */
  question(viewer: Viewer, parameters: Parameters): Promise<Pick<ItemQuery, "where" | "chosen" | "sort" | "ranking">>;
  /** @throws invalid, and unavailable until the index is built */
  search(viewer: Viewer, parameters: Parameters, language: string): Promise<SearchedRecords>;
}

/** Hits of a page where no size is asked for (R10). */
const PAGE_SIZE = 20;

export function recordSearch({ finder, bucketSize, values, ...needs }: RecordSearchNeeds): RecordSearch {
  const mappedTypes = typesWithMapping(needs);
  const hits = hitWriting(needs, mappedTypes);

  async function question(
    viewer: Viewer,
    sent: Parameters,
  ): Promise<Pick<ItemQuery, "where" | "chosen" | "sort" | "ranking">> {
    const settings = await finder.settings();
    const parameters = await values.searched(viewer, sent, settings);
    const anyOf = [...(await mappedTypes()).byId.keys()].map(numberKey);
    return {
      // Only items of types that have an RO-Crate mapping are searched (rule 1).
      where: allOf([{ kind: "key", field: FIELDS.itemType, anyOf }, whereOf(parameters, settings)]),
      chosen: chosenOf(parameters, settings),
      ...orderOf(parameters, "on request"),
    };
  }

  return {
    question,
    async search(viewer, parameters, language) {
      const page = pageOf(parameters, PAGE_SIZE);
      const facets = (await finder.settings()).facets.filter(({ active }) => active);
      const asked = facets.map((facet) => ({ field: facetField(facet), size: bucketSize }));
      const found = await finder.find(viewer, { ...(await question(viewer, parameters)), page, facets: asked });
      const counted = facets.map((item, at) => ({ item, counts: found.facets[at] ?? [] }));
      return {
        total: found.total,
        count: found.items.length,
        cursor: found.next,
        page: "number" in page ? page.number : null,
        hits: hits(viewer, found.items, language),
        aggregations: await aggregationsFor(values, viewer, counted),
      };
    },
  };
}

/** Bytes of rendered hits in the cache: six to ten thousand items. */
const CACHED_HITS_BYTES = 64 * 1024 * 1024;
/** Hits that are searched for at once. */
const AT_ONCE = 25;

type Hit = SearchPage["items"][number];

/**
 * Writes hits as JSON, and keeps what everybody sees of them: the same items are found again and again. A text is known
 * by all that decides it: revision and moment of the item, its ARK, the item types as they are, the language.
 */
function hitWriting(
  { store, addresses }: Pick<RecordSearchNeeds, "store" | "addresses">,
  mappedTypes: () => Promise<MappedTypes>,
) {
  const kept = keptTexts(CACHED_HITS_BYTES);

  function written(
    { item, content }: HitContent,
    { byId }: MappedTypes,
    language: string,
    privileged: boolean,
  ): string {
    const type = byId.get(content.itemType);
    const ark = item.ark === null ? null : addresses.arkUrl(item.ark);
    const needs = { baseUrl: addresses.baseUrl, language };
    const shown = { id: item.id, ark, content, privileged };
    const metadata = type === undefined ? {} : hitCrate({ ...needs, ...type }, shown);
    return JSON.stringify({ id: String(item.id), metadata });
  }

  return async function* hits(viewer: Viewer, items: SearchPage["items"], language: string): AsyncGenerator<string> {
    const types = await mappedTypes();
    const keyOf = ({ item }: Hit): string =>
      `${item.id} ${item.revision} ${item.updatedAt} ${item.ark} ${types.version} ${language}`;
    for (let start = 0; start < items.length; start += AT_ONCE) {
      const some = items.slice(start, start + AT_ONCE);
      const texts = new Map<Hit, string>();
      for (const hit of some) {
        const known = isPrivileged(viewer, hit.parent) ? undefined : kept.get(keyOf(hit));
        if (known !== undefined) texts.set(hit, known);
      }
      const unknown = some.filter((hit) => !texts.has(hit));
      let at = 0;
      for await (const read of hitContents(store.items, unknown)) {
        const hit = unknown[at++];
        if (hit === undefined) break;
        const privileged = isPrivileged(viewer, hit.parent);
        const text = written(read, types, language, privileged);
        if (!privileged) kept.set(keyOf(hit), text);
        texts.set(hit, text);
      }
      for (const hit of some) yield texts.get(hit) ?? "";
      if (start > 0) await yieldToEventLoop();
    }
  };
}

type MappedTypes = {
  readonly byId: ReadonlyMap<number, { readonly definition: ItemTypeDefinition; readonly mapping: CrateMapping }>;
  /** Changes with every change of one of them. */
  readonly version: string;
};

/**
 * For so long what is known of item types is not asked again: they change once in a while, and have a hundred kilobytes
 * each.
 */
const KEPT_MS = 1_000;

function typesWithMapping({ store, types, clock }: Pick<RecordSearchNeeds, "store" | "types" | "clock">) {
  let kept: { readonly at: number; readonly mapped: Promise<MappedTypes> } | null = null;
  async function read(): Promise<MappedTypes> {
    const byId = new Map<number, { definition: ItemTypeDefinition; mapping: CrateMapping }>();
    const versions: string[] = [];
    for (const { id, version } of await store.settings.itemTypes()) {
      const definition = await types.at(id, version);
      const mapping = definition?.roCrate ?? null;
      if (definition !== null && mapping !== null) byId.set(id, { definition, mapping });
      versions.push(`${id}.${version}`);
    }
    return { byId, version: versions.join() };
  }
  return (): Promise<MappedTypes> => {
    const now = Date.parse(clock.now());
    if (kept === null || now < kept.at || now - kept.at >= KEPT_MS) {
      const mapped = read();
      kept = { at: now, mapped };
      mapped.catch(() => {
        kept = null;
      });
    }
    return kept.mapped;
  };
}

// The contents of hits, read after they were found readable (R34): each at the checked revision, for a later one may be
// hidden.

export type HitContent = WithParent<ItemOutline> & { readonly content: ItemContent };

/** Hits that are read at once. */
const READ_AT_ONCE = 25;

/** An item as long as this is worth letting others go first. */
const LONG_BYTES = 256 * 1024;

/** All of them, in their order. */
export async function* hitContents(
  items: Pick<ItemReader, "items" | "revision" | "sizes">,
  hits: SearchPage["items"],
): AsyncGenerator<HitContent> {
  for (let start = 0; start < hits.length; start += READ_AT_ONCE) {
    if (start > 0) await yieldToEventLoop();
    const some = hits.slice(start, start + READ_AT_ONCE);
    const sizes = await items.sizes(some.map(({ item }) => item.id));
    const bytesOf = new Map(sizes.map(({ item, bytes }) => [item, bytes]));
    const sized = some.map((hit) => ({ hit, bytes: bytesOf.get(hit.item.id) ?? 0 }));
    for (const [at, slice] of [...sizeSlices(sized)].entries()) {
      if (at > 0) await yieldToEventLoop();
      const read = new Map((await items.items(slice.map(({ hit }) => hit.item.id))).map((item) => [item.id, item]));
      // Reading a very long item and writing it are two parts of the work.
      if (slice.some(({ bytes }) => bytes > LONG_BYTES)) await yieldToEventLoop();
      for (const { hit } of slice) yield { ...hit, content: await contentOf(items, hit.item, read.get(hit.item.id)) };
    }
  }
}

async function contentOf(
  items: Pick<ItemReader, "revision">,
  hit: ItemOutline,
  read: Item | undefined,
): Promise<ItemContent> {
  const isSame = read !== undefined && read.revision === hit.revision && read.state === hit.state;
  const content = isSame ? read.content : (await items.revision(hit.id, hit.revision))?.content;
  return content ?? nothingOf(hit);
}

/** An item whose words were destroyed since it was found. */
function nothingOf({ content }: ItemOutline): ItemContent {
  const access = content?.access ?? NOBODY;
  return { itemType: 0, itemTypeVersion: 0, metadata: EMPTY_METADATA, access, indexes: [], settings: {}, files: [] };
}
const NOBODY: ItemContent["access"] = {
  record: "restricted",
  openDate: "9999-12-31",
  files: "restricted",
  embargoUntil: null,
  embargoReason: "",
};
