// Item search for programs (specification 3, "GET /api/{version}/records"; R10, R27, R28): what a request asks for, and each hit as RO-Crate.
import type { Viewer } from "../../auth/account.ts";
import type { Clock } from "../../shared/clock.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import type { ItemTypeReading } from "../items/item-type-reading.ts";
import type { Addresses } from "../model/addresses.ts";
import type { CrateMapping } from "../model/item-types/crate-mapping.ts";
import type { ItemTypeDefinition } from "../model/item-types/definition.ts";
import { isPrivileged } from "../model/visibility.ts";
import type { RepositoryReader } from "../store/store.ts";
import { FIELDS } from "./document.ts";
import type { Finder, Finding, Found } from "./find.ts";
import { hitContents } from "./hit-contents.ts";
import { hitCrate } from "./item-crate.ts";
import { numberKey } from "./keys.ts";
import { chosenOf, type Parameters, pageOf, sortOf, whereOf } from "./parameters.ts";
import { allOf } from "./query-text.ts";
import { facetField } from "./search-schema.ts";

export type RecordHit = { readonly id: string; readonly metadata: JsonObject };

export type SearchedRecords = {
  readonly total: number;
  readonly count: number;
  readonly cursor: string | null;
  /** Null where a cursor was followed. */
  readonly page: number | null;
  /** So many as `count`, one after the other. */
  readonly hits: AsyncIterable<RecordHit>;
  readonly aggregations: JsonObject;
};

export type RecordSearchNeeds = {
  readonly finder: Pick<Finder, "find" | "settings">;
  readonly store: Pick<RepositoryReader, "items" | "settings">;
  readonly types: Pick<ItemTypeReading, "newest" | "at">;
  readonly addresses: Pick<Addresses, "baseUrl" | "arkUrl">;
  readonly clock: Clock;
  /** Values of a facet that are counted (SVC_ADMIN_FACET_SEARCH_SETTING_BUCKET_SIZE). */
  readonly bucketSize: number;
};

export interface RecordSearch {
  /** What a request asks for, its page aside. Throws invalid. */
  question(parameters: Parameters): Promise<Pick<Finding, "where" | "chosen" | "sort">>;
  /** Throws invalid, and unavailable while there is no index. */
  search(viewer: Viewer, parameters: Parameters, language: string): Promise<SearchedRecords>;
}

/** Hits of a page where no size is asked for (R10). */
const PAGE_SIZE = 20;

type Shown = { readonly definition: ItemTypeDefinition; readonly mapping: CrateMapping };

export function recordSearch({ finder, bucketSize, ...needs }: RecordSearchNeeds): RecordSearch {
  const mappedTypes = typesWithMapping(needs);

  async function question(parameters: Parameters): Promise<Pick<Finding, "where" | "chosen" | "sort">> {
    const settings = await finder.settings();
    const anyOf = (await mappedTypes()).map(numberKey);
    return {
      // Only items of types that have an RO-Crate mapping are searched (rule 1).
      where: allOf([{ kind: "key", field: FIELDS.itemType, anyOf }, whereOf(parameters, settings)]),
      chosen: chosenOf(parameters, settings),
      sort: sortOf(parameters),
    };
  }

  return {
    question,
    async search(viewer, parameters, language) {
      const page = pageOf(parameters, PAGE_SIZE);
      const facets = (await finder.settings()).facets.filter(({ active }) => active);
      const asked = facets.map(({ id }) => ({ field: facetField(id), size: bucketSize }));
      const found = await finder.find(viewer, { ...(await question(parameters)), page, facets: asked });
      const counted = facets.map(({ name }, at) => {
        const buckets = (found.facets[at] ?? []).map(({ label, count }) => ({ key: label, doc_count: count }));
        return [name.en, { buckets }] as const;
      });
      return {
        total: found.total,
        count: found.items.length,
        cursor: found.next,
        page: "number" in page ? page.number : null,
        hits: hitsOf(viewer, found.items, language, needs),
        aggregations: Object.fromEntries(counted),
      };
    },
  };
}

async function* hitsOf(
  viewer: Viewer,
  items: Found["items"],
  language: string,
  { store, types, addresses }: Omit<RecordSearchNeeds, "finder" | "bucketSize">,
): AsyncGenerator<RecordHit> {
  const kept = new Map<number, Shown | null>();
  async function shownBy(itemType: number): Promise<Shown | null> {
    const known = kept.get(itemType);
    if (known !== undefined) return known;
    const definition = (await types.newest(itemType))?.definition ?? null;
    const mapping = definition?.roCrate ?? null;
    const shown = definition === null || mapping === null ? null : { definition, mapping };
    kept.set(itemType, shown);
    return shown;
  }
  for await (const { item, parent, content } of hitContents(store.items, items)) {
    const type = await shownBy(content.itemType);
    const ark = item.ark === null ? null : addresses.arkUrl(item.ark);
    const shown = { id: item.id, ark, content, privileged: isPrivileged(viewer, parent) };
    const metadata = type === null ? {} : hitCrate({ baseUrl: addresses.baseUrl, language, ...type }, shown);
    yield { id: String(item.id), metadata };
  }
}

/** For so long what is known of item types is not asked again: they change once in a while, and have a hundred kilobytes each. */
const KEPT_MS = 1_000;

function typesWithMapping({ store, types, clock }: Pick<RecordSearchNeeds, "store" | "types" | "clock">) {
  let kept: { readonly at: number; readonly ids: Promise<readonly number[]> } | null = null;
  async function read(): Promise<readonly number[]> {
    const ids: number[] = [];
    for (const { id, version } of await store.settings.itemTypes()) {
      const definition = await types.at(id, version);
      if (definition !== null && definition.roCrate !== null) ids.push(id);
    }
    return ids;
  }
  return (): Promise<readonly number[]> => {
    const now = Date.parse(clock.now());
    if (kept === null || now < kept.at || now - kept.at >= KEPT_MS) {
      const ids = read();
      kept = { at: now, ids };
      ids.catch(() => {
        kept = null;
      });
    }
    return kept.ids;
  };
}
