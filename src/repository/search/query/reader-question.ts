// What the search page and OpenSearch ask (R27c): the parameters of item search, with `q` read as people write it.
import { most } from "../../../shared/limits.ts";
import type { Condition } from "../index/index-port.ts";
import type { SearchSettings } from "../settings/settings.ts";
import type { ItemQuery } from "./finder.ts";
import { identifierRanking } from "./identifier-query.ts";
import type { MarkedWord } from "./marking.ts";
import { bounded, chosenOf, orderOf, type Parameters, type SearchApi, whereOf, wordPlace } from "./parameters.ts";
import { allOf, sizeOf } from "./query-text.ts";
import { rankingOf } from "./ranking.ts";
import { type QueryReading, readerQuery } from "./reader-query.ts";

export type ReaderQuestion = Pick<ItemQuery, "where" | "wider" | "chosen" | "sort" | "ranking"> & {
  readonly readings: readonly QueryReading[];
  readonly marked: readonly MarkedWord[];
  /** As of a query; null: there are none. */
  readonly beginnings: Condition | null;
};

/** Parameters that have words of a reader; `keyword` is another name for them in OpenSearch. */
const READ: Readonly<Record<SearchApi, readonly string[]>> = { records: ["q"], opensearch: ["q", "keyword"] };

/** @throws invalid for what is too long */
export function readerQuestion(parameters: Parameters, settings: SearchSettings, api: SearchApi): ReaderQuestion {
  const names = READ[api];
  const place = wordPlace(parameters);
  const queries = names
    .flatMap((name) => (parameters.get(name) ?? []).map((text) => readerQuery(text, name, place)))
    .filter((query) => query !== null);
  const rest = new Map([...parameters].filter(([name]) => !names.includes(name)));
  const others = whereOf(rest, settings, api);
  const identified = names.flatMap((name) => parameters.get(name) ?? []).flatMap(identifierRanking);
  const { sort, ranking = [] } = orderOf(parameters, "always", [
    ...rankingOf(queries.flatMap(({ ranked }) => ranked)),
    ...identified,
  ]);
  // A program that counts hits means what it asks.
  const wide = ranking.length === 0 || api === "opensearch" ? [] : queries.flatMap(({ wider }) => wider ?? []);
  const widest = allOf([others, ...queries.map(({ wider, where }) => wider?.where ?? where)]);
  const begun = allOf([others, ...queries.map(({ beginnings, where }) => beginnings ?? where)]);
  const hasBeginnings = queries.some(({ beginnings }) => beginnings !== null) && sizeOf(begun) <= most("queryParts");
  return {
    where: bounded(allOf([others, ...queries.map(({ where }) => where)])),
    ...(wide.length === 0 || sizeOf(widest) > most("queryParts")
      ? {}
      : {
          wider: {
            ...{ where: widest, below: Math.max(...wide.map(({ below }) => below)) },
            ranking: [...wide.flatMap((each) => each.ranking), ...identified],
          },
        }),
    chosen: chosenOf(parameters, settings),
    sort,
    ...(ranking.length === 0 ? {} : { ranking }),
    readings: queries.map(({ reading }) => reading),
    marked: queries.flatMap(({ marked }) => marked),
    beginnings: hasBeginnings ? begun : null,
  };
}
