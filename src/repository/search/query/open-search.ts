// OpenSearch (specification 3, "OpenSearch"; R10, R29, R36): the same search as everywhere, answered as a feed or as
// JSON. Nothing in it is an mail address of a person, for any caller.
import { Type } from "@sinclair/typebox";
import type { Viewer } from "../../../auth/account.ts";
import { jpcoarFileOf } from "../../../formats/jpcoar/write.ts";
import { atomWriter } from "../../../formats/opensearch/atom.ts";
import type { Feed } from "../../../formats/opensearch/feed.ts";
import { jpcoarWriter, type RecordItem } from "../../../formats/opensearch/jpcoar-feed.ts";
import { jsonHit } from "../../../formats/opensearch/json.ts";
import { rssWriter } from "../../../formats/opensearch/rss.ts";
import { accessStatus, STATUS_RIGHTS } from "../../../model/access/openness.ts";
import { mayListFiles } from "../../../model/access/visibility.ts";
import { CorrectionShape } from "../../../model/input/list-parameters.ts";
import type { Addresses } from "../../../model/items/addresses.ts";
import { isLong } from "../../../model/items/long-item.ts";
import { boundedMetadata } from "../../../model/metadata/metadata-limits.ts";
import { publicMetadata } from "../../../model/metadata/public-metadata.ts";
import type { JsonObject } from "../../../shared/json/read.ts";
import { keptTexts, type TextCache } from "../../../shared/text/text-cache.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import type { Day } from "../../../shared/time/day.ts";
import { yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { RepositoryReader } from "../../store/store.ts";
import { aggregationsFor, type FacetValues } from "../detail/facet-values.ts";
import { facetField } from "../settings/search-schema.ts";
import type { Finder, SearchPage } from "./finder.ts";
import { type Parameters, pageOf, wordPlace } from "./parameters.ts";
import { readerQuestion } from "./reader-question.ts";
import { type HitContent, hitContents } from "./record-search.ts";
import { corrected, ENOUGH_HITS } from "./spelling.ts";

export type FeedFormat = "atom" | "rss" | "jpcoar";
type AnswerFormat = FeedFormat | "json";

/** What was found, as JSON. */
export const OpenSearchShape = Type.Object(
  {
    hits: Type.Object({
      hits: Type.Array(
        Type.Object({
          id: Type.Integer(),
          metadata: Type.Object({}, { additionalProperties: true }),
          links: Type.Object({ self: Type.String(), oai: Type.String() }),
          created: Type.String(),
          updated: Type.String(),
        }),
      ),
      total: Type.Integer(),
    }),
    links: Type.Record(Type.String(), Type.String(), { description: "self, first, previous, next, last" }),
    did_you_mean: CorrectionShape,
    aggregations: Type.Object({}, { additionalProperties: true }),
  },
  { $id: "OpenSearchResult" },
);

export type OpenSearchResults = {
  readonly feed: Feed;
  /** Each item as this format has it, one after the other. */
  readonly written: (format: AnswerFormat) => AsyncGenerator<string>;
  readonly landingPages: readonly string[];
  /** Counted for the JSON answer alone. */
  readonly aggregations: JsonObject;
};

export type OpenSearchNeeds = {
  readonly finder: Pick<Finder, "find" | "settings" | "wordsOf">;
  readonly store: Pick<RepositoryReader, "items">;
  readonly addresses: Addresses;
  readonly clock: Clock;
  readonly dayOf: (at: Instant) => Day;
  readonly repositoryName: string;
  /** What titles of feeds begin with (SVC_OPENSEARCH_SHORT_NAME). */
  readonly shortName: string;
  readonly bucketSize: number;
  readonly values: FacetValues;
};

type OpenSearchRequest = {
  /** As it was sent, encoded. */
  readonly query: string;
  readonly parameters: Parameters;
  readonly language: string;
  readonly counted: boolean;
};

export interface OpenSearch {
  /** @throws invalid, and unavailable until the index is built */
  search(viewer: Viewer, asked: OpenSearchRequest): Promise<OpenSearchResults>;
}

export const OPENSEARCH_PATH = "/api/opensearch/search";
/** Entries of a page where no size is asked for (R10). */
const PAGE_SIZE = 10;
/** Names that existing repositories know some parameters by. */
const ALIASES: Readonly<Record<string, string>> = { page_no: "page", list_view_num: "size", index_id: "iid" };

/** Bytes of rendered items in the cache: some thousand items. */
const CACHED_ITEMS_BYTES = 16 * 1024 * 1024;

export function openSearch({ finder, bucketSize, values, ...needs }: OpenSearchNeeds): OpenSearch {
  const kept = keptTexts(CACHED_ITEMS_BYTES);
  return {
    async search(viewer, { query, parameters: sent, language, counted }) {
      const parameters = renamed(sent);
      const page = pageOf(parameters, PAGE_SIZE);
      const window = "number" in page ? page : { number: 1, size: page.size };
      const settings = await finder.settings();
      const facets = counted ? settings.facets.filter(({ active }) => active) : [];
      const {
        readings: _readings,
        marked: _marked,
        beginnings: _beginnings,
        ...question
      } = readerQuestion(await values.searched(viewer, parameters, settings), settings, "opensearch");
      const found = await finder.find(viewer, {
        ...question,
        page: window,
        facets: facets.map((facet) => ({ field: facetField(facet), size: bucketSize })),
      });
      const buckets = facets.map((item, at) => ({ item, counts: found.facets[at] ?? [] }));
      const correction = await correctionOf({ finder, items: needs.store.items }, viewer, parameters, found.total);
      const feed = { ...feedOf(found, window, { query, parameters, language }, needs), correction };
      return {
        feed,
        written: (format) => itemTexts(format, feed, found.items, needs, kept),
        landingPages: found.items.map(({ item }) => needs.addresses.landingPage(item.id)),
        aggregations: await aggregationsFor(values, viewer, buckets),
      };
    },
  };
}

/** The hits stay those of what was asked: a program that counts them means it. */
async function correctionOf(
  needs: { readonly finder: OpenSearchNeeds["finder"]; readonly items: RepositoryReader["items"] },
  viewer: Viewer,
  parameters: Parameters,
  total: number,
): Promise<string | null> {
  const [typed, more] = parameters.get("q") ?? parameters.get("keyword") ?? [];
  if (total >= ENOUGH_HITS || typed === undefined || more !== undefined) return null;
  return (await corrected({ ...needs, viewer, place: wordPlace(parameters) }, typed))?.text ?? null;
}

/** A cursor has no page number for the counters of a feed: pages are asked for by number. */
function renamed(sent: Parameters): Parameters {
  const named = new Map(sent);
  named.delete("cursor");
  for (const [alias, name] of Object.entries(ALIASES)) {
    const values = sent.get(alias);
    if (values !== undefined && !sent.has(name)) named.set(name, values);
  }
  return named;
}

type Window = { readonly number: number; readonly size: number };
type Needs = Omit<OpenSearchNeeds, "finder" | "bucketSize" | "values">;

function feedOf(
  { total, items }: SearchPage,
  { number, size }: Window,
  { query, parameters, language }: Omit<OpenSearchRequest, "counted">,
  { addresses, repositoryName, shortName, clock }: Needs,
): Omit<Feed, "correction"> {
  const changed = items.map(({ item }) => item.updatedAt).sort();
  const terms = ["q", "keyword", "title"].flatMap((name) => parameters.get(name) ?? []).join(" ");
  return {
    address: addresses.baseUrl + OPENSEARCH_PATH + (query === "" ? "" : `?${query}`),
    page: `${addresses.baseUrl}/search${asQuery(without(query, [...PAGING, "format"]))}`,
    title: `${shortName} OpenSearch: ${terms}`,
    repositoryName,
    language,
    total,
    itemsPerPage: size,
    updatedAt: changed.at(-1) ?? clock.now(),
    startIndex: (number - 1) * size + 1,
    links: pagesAround(number, Math.min(Math.ceil(total / size), Math.floor(WINDOW / size))).map(({ rel, page }) => ({
      rel,
      href: `${addresses.baseUrl}${OPENSEARCH_PATH}${asQuery([...without(query, PAGING), ["page", page], ["size", size]])}`,
    })),
  };
}

/** The last page that can be asked for by number (R10). */
const WINDOW = 10_000;
const PAGING = ["page", "page_no", "size", "list_view_num", "cursor"];

function pagesAround(number: number, last: number): readonly { readonly rel: string; readonly page: number }[] {
  const pages = [
    { rel: "first", page: 1 },
    { rel: "previous", page: number - 1 },
    { rel: "next", page: number + 1 },
    { rel: "last", page: last },
  ];
  return last < 1 ? [] : pages.filter(({ page }) => page >= 1 && page <= last);
}

const without = (query: string, names: readonly string[]): readonly (readonly [string, string])[] =>
  [...new URLSearchParams(query)].filter(([name]) => !names.includes(name));

function asQuery(parameters: readonly (readonly [string, string | number])[]): string {
  const text = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

/** Items that are searched for at once. */
const AT_ONCE = 25;

/**
 * Each as everybody may see it, for any caller: rendered texts are cached, for the same items are found again and
 * again. The key of a text has all that decides it: revision and moment of the item, its ARK, the day, the language,
 * the format.
 */
async function* itemTexts(
  format: AnswerFormat,
  feed: Feed,
  found: SearchPage["items"],
  needs: Needs,
  kept: TextCache,
): AsyncGenerator<string> {
  const today = needs.dayOf(needs.clock.now());
  const keyOf = ({ item }: SearchPage["items"][number]): string =>
    `${item.id} ${item.revision} ${item.updatedAt} ${item.ark} ${today} ${feed.language} ${format}`;
  for (let start = 0; start < found.length; start += AT_ONCE) {
    const some = found.slice(start, start + AT_ONCE).map((hit) => ({ hit, key: keyOf(hit) }));
    const texts = new Map(some.map(({ key }) => [key, kept.get(key)]));
    const unknown = some.filter(({ key }) => texts.get(key) === undefined).map(({ hit }) => hit);
    for await (const read of hitContents(needs.store.items, unknown)) {
      const [key, text] = [keyOf(read), WRITTEN[format](await feedItem(read, today, needs), feed)];
      kept.set(key, text);
      texts.set(key, text);
    }
    for (const { key } of some) yield texts.get(key) ?? "";
    if (start > 0) await yieldToEventLoop();
  }
}

/** Files that a feed shows of an item with very many. */
const FILES = 200;

async function feedItem({ item, content }: HitContent, today: Day, { addresses, store }: Needs): Promise<RecordItem> {
  const isCut = isLong(content);
  // One text for all who may read the item.
  const listed = mayListFiles(content.access, false, today) ? content.files : [];
  const shown = isCut ? listed.slice(0, FILES) : listed;
  const files = shown.map((file) => ({ file, url: addresses.filePage(item.id, file.name) }));
  // The record for harvesters has the number of the first version, whichever is shown.
  const [first] = item.versionIndex === 1 ? [item] : await store.items.versionLines(item.parentId);
  return {
    id: item.id,
    landingPage: addresses.landingPage(item.id),
    oaiRecord: addresses.oaiRecord(first?.id ?? item.id),
    metadata: publicMetadata(isCut ? boundedMetadata(content.metadata) : content.metadata),
    files: files.map(({ file, url }) => ({ url, mediaType: file.mediaType })),
    described: files.map(({ file, url }) => jpcoarFileOf(file, url)),
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
    ark: item.ark === null ? null : addresses.arkUrl(item.ark),
    accessRights: STATUS_RIGHTS[accessStatus(content, today)],
  };
}

const WRITERS = { atom: atomWriter, rss: rssWriter, jpcoar: jpcoarWriter } as const;

const WRITTEN: Readonly<Record<AnswerFormat, (item: RecordItem, feed: Feed) => string>> = {
  atom: atomWriter.item,
  rss: rssWriter.item,
  jpcoar: jpcoarWriter.item,
  json: (item) => JSON.stringify(jsonHit(item)),
};

export const feedMediaType = (format: FeedFormat): string => WRITERS[format].mediaType;

/** A feed in pieces. */
export async function* writtenFeed(
  format: FeedFormat,
  { feed, written, landingPages }: OpenSearchResults,
): AsyncGenerator<string> {
  const { begin, end } = WRITERS[format];
  yield begin(feed, landingPages);
  yield* written(format);
  yield end();
}
