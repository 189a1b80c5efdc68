// What items are filed by besides indexes, communities and people (R40, R48): subjects, funders and licences, each with
// the items under it. Values and counts are those of the search index, over what the reader may see.
import type { Viewer } from "../../auth/account.ts";
import { identAddress, webAddress } from "../../formats/citation/cited-item.ts";
import { openness } from "../../model/access/openness.ts";
import { licenseAddress } from "../../model/metadata/licenses.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { searchedText } from "../../shared/text/text.ts";
import type { Day } from "../../shared/time/day.ts";
import { RECORD_FACETS } from "../search/detail/record-schema.ts";
import { FIELDS } from "../search/document/document.ts";
import { facetKey, labelOf } from "../search/document/keys.ts";
import { licenseLabel } from "../search/document/record-fields.ts";
import type { Condition } from "../search/index/index-port.ts";
import { typedText, wordsCondition } from "../search/query/completion.ts";
import type { Finder } from "../search/query/finder.ts";
import { allOf } from "../search/query/query-text.ts";
import { TEXTS } from "../search/settings/search-schema.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { ListedItem } from "./lists.ts";

export const FILED_KINDS = ["subjects", "funders", "licences"] as const;
export type FiledKind = (typeof FILED_KINDS)[number];

/** The fields of the index: what is counted, and where its words are. */
const FIELD_OF: Readonly<Record<FiledKind, { readonly facet: string; readonly words: string | null }>> = {
  subjects: { facet: RECORD_FACETS.subject, words: TEXTS.subject },
  funders: { facet: RECORD_FACETS.funder, words: FIELDS.all },
  licences: { facet: RECORD_FACETS.license, words: null },
};

type Names = { readonly en: string; readonly ja: string };

type FiledValue = {
  readonly value: string;
  readonly count: number;
  /** What the vocabulary calls it; null: the value is what it is called. */
  readonly names: Names | null;
};

export type FiledList = {
  readonly values: readonly FiledValue[];
  readonly page: number;
  readonly pages: number;
  /** There are more values than a list counts: the rest is found by typing how it begins. */
  readonly isMore: boolean;
};

export type FiledItems = FiledValue & {
  readonly items: readonly ListedItem[];
  readonly page: number;
  readonly pages: number;
  /** As one of the items states it: other names of it, in their languages, and where it is described. */
  readonly otherNames: readonly { readonly text: string; readonly lang?: string }[];
  readonly scheme: string | null;
  readonly links: readonly string[];
};

export interface FiledShowing {
  /** Values by how many items have them. `begins`: only those that begin so, or have a word that does. */
  values(viewer: Viewer, kind: FiledKind, begins: string, page: number): Promise<FiledList>;
  /** Items with a value, the newest first. @throws Refusal `not_found` where the viewer may see none */
  items(viewer: Viewer, kind: FiledKind, value: string, page: number): Promise<FiledItems>;
}

type FiledNeeds = {
  readonly store: Pick<RepositoryReader, "items" | "communities">;
  readonly finder: Pick<Finder, "find">;
  readonly today: () => Day;
};

/** Values that are counted for one list, those of one page, and items of one page. */
const COUNTED = 1_000;
const VALUES_SHOWN = 100;
const ITEMS_SHOWN = 20;
/** Pages of items; the search goes further. */
const PAGES = 500;
/** Of a value: other names, and places where it is described. */
const NAMES = 20;

const EVERYTHING: Condition = { kind: "and", of: [] };

export function filedShowing({ store, finder, today }: FiledNeeds): FiledShowing {
  /** Entries of the vocabulary of licences, which have names. */
  async function namesOf(kind: FiledKind, values: readonly string[]): Promise<ReadonlyMap<string, Names>> {
    if (kind !== "licences") return new Map();
    const entries = await store.communities.vocabularyEntries(values.map((id) => ({ type: "licenses", id })));
    return new Map(entries.map(({ id, title: { en, ja } }) => [id, { en: en || ja || id, ja: ja || en || id }]));
  }

  /** What one of these items states about the value: the smallest one, since an item may be very long. */
  async function statedIn(kind: FiledKind, label: string, ids: readonly ItemId[]): Promise<readonly Stated[]> {
    const [smallest] = (await store.items.sizes(ids)).toSorted((one, other) => one.bytes - other.bytes);
    const item = smallest === undefined ? null : await store.items.item(smallest.item);
    return item?.content == null ? [] : statedOf(kind, label, item.content.metadata);
  }

  return {
    async values(viewer, kind, begins, page) {
      const { facet, words } = FIELD_OF[kind];
      const typed = begins.trim() === "" ? null : typedText(begins);
      const where = typed === null || words === null ? EVERYTHING : wordsCondition(words, typed);
      const found = await finder.find(viewer, {
        where,
        chosen: null,
        sort: [],
        page: { number: 1, size: 0 },
        facets: [{ field: facet, size: COUNTED }],
      });
      const counts = found.facets[0] ?? [];
      const names = await namesOf(
        kind,
        counts.map(({ label }) => label),
      );
      const sought = searchedText(begins.trim());
      const all = counts
        .map(({ label: value, count }) => ({ value, count, names: names.get(value) ?? null }))
        .filter(({ value, names: named }) =>
          [value, named?.en ?? "", named?.ja ?? ""].some((text) => beginsIn(searchedText(text), sought)),
        );
      const pages = Math.max(1, Math.ceil(all.length / VALUES_SHOWN));
      const from = (page - 1) * VALUES_SHOWN;
      return { values: all.slice(from, from + VALUES_SHOWN), page, pages, isMore: counts.length === COUNTED };
    },

    async items(viewer, kind, value, page) {
      const label = labelOf(value.trim());
      const found = await finder.find(viewer, {
        where: allOf([{ kind: "key", field: FIELD_OF[kind].facet, anyOf: [facetKey(label)] }]),
        chosen: null,
        sort: [],
        page: { number: page, size: ITEMS_SHOWN },
        facets: [],
      });
      if (found.total === 0) throw new Refusal("not_found", "There is no item under this value");
      const summaries = await store.items.summariesOf(found.items.map(({ item }) => item.id));
      const listed = summaries.flatMap((item) =>
        item.content === null ? [] : [{ item, openness: openness(item.content, today()) }],
      );
      const stated = await statedIn(
        kind,
        label,
        summaries.map(({ id }) => id),
      );
      return {
        value: label,
        count: found.total,
        names: (await namesOf(kind, [label])).get(label) ?? null,
        items: listed,
        page,
        pages: Math.min(PAGES, Math.max(1, Math.ceil(found.total / ITEMS_SHOWN))),
        otherNames: [...new Map(stated.flatMap((each) => each.names).map((name) => [name.text, name])).values()]
          .filter(({ text }) => text !== label)
          .slice(0, NAMES),
        scheme: stated.find((each) => each.scheme !== null)?.scheme ?? null,
        links: [...new Set(stated.flatMap((each) => each.links))].slice(0, NAMES),
      };
    },
  };
}

/** Whether a text, or a word of it, begins so. */
const beginsIn = (text: string, sought: string): boolean =>
  text.startsWith(sought) || text.includes(` ${sought}`) || (/[\u3040-\u9fff]/.test(sought) && text.includes(sought));

type Stated = {
  readonly names: readonly { readonly text: string; readonly lang?: string }[];
  readonly scheme: string | null;
  readonly links: readonly string[];
};

/** What one item states about the value. */
function statedOf(kind: FiledKind, label: string, { subjects, funding, rights }: Metadata): readonly Stated[] {
  const isIt = (text: string | undefined): boolean => text !== undefined && labelOf(text.trim()) === label;
  const address = (text: string | undefined): readonly string[] => {
    const found = text === undefined ? null : webAddress(text);
    return found === null ? [] : [found];
  };
  if (kind === "subjects") {
    return subjects
      .filter(({ text }) => isIt(text?.value))
      .map(({ scheme, uri, id }) => ({
        names: [],
        scheme: scheme === undefined || scheme === "Other" ? null : scheme,
        links: [...address(uri), ...address(id)],
      }));
  }
  if (kind === "licences") {
    return rights
      .filter((right) => isIt(licenseLabel(right)))
      .map(({ id, uri }) => ({
        names: [],
        scheme: null,
        links: [...address(uri), ...address(id === undefined ? undefined : (licenseAddress(id) ?? undefined))],
      }));
  }
  return funding
    .filter(({ funder }) => funder.names.some(({ value }) => isIt(value)))
    .map(({ funder }) => ({
      names: funder.names.map(({ value, lang }) => ({ text: value.trim(), ...(lang === undefined ? {} : { lang }) })),
      scheme: null,
      links: funder.ids.flatMap((ident) => identAddress(ident) ?? []),
    }));
}
