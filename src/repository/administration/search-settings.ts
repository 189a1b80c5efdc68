// Facet items, free fields of the detailed search and lists of choices as records of the administration (R17, R27;
// specification 3, rules 4, 5 and 8). A change rebuilds the search index while the present one answers.

import { shownGroups, valueFields } from "../../model/item-types/definition.ts";
import { readItemType } from "../../model/item-types/read-definition.ts";
import type { Json } from "../../shared/json/json.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { PARAMETER_NAMES } from "../search/query/parameter-names.ts";
import { facetParameters } from "../search/query/parameters.ts";
import { FACTS } from "../search/settings/search-schema.ts";
import {
  ALL_FREE_FIELDS,
  CHOICE_LISTS,
  type ChoiceList,
  choiceText,
  type FacetItem,
  FREE_FIELDS,
  PLACE_LISTS,
  type SearchSettings,
  searchSettingsFrom,
} from "../search/settings/settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../search/settings/shipped-settings.ts";
import { parseSource } from "../search/settings/source.ts";
import type { SettingReader } from "../store/settings.ts";
import type { RepositoryWriter } from "../store/store.ts";
import {
  type AdministrationNeeds,
  type CollectionOf,
  type CreatingOf,
  change,
  invalid,
  missing,
  numberOf,
  type ReadRecord,
  type Removing,
} from "./collection.ts";
import { CHOICE_LIST, FACET, FACETS_MAX, FREE_FIELD, NEW_FACET, type SEARCH_FIELD } from "./records.ts";

const settingsIn = async (reader: Pick<SettingReader, "searchSettings">): Promise<SearchSettings> =>
  searchSettingsFrom(await reader.searchSettings(), SHIPPED_SEARCH_SETTINGS);

const shownFacet = (facet: FacetItem, index: number) => {
  const { id, name, sources, active, display, shown, open } = facet;
  return { id, name, sources, active, display, shown, open, position: index + 1 };
};

export function facetCollection(
  needs: AdministrationNeeds,
): CollectionOf<typeof FACET> & CreatingOf<typeof FACET> & Removing {
  const { settings } = needs.store;
  const find = <F extends { readonly id: number }>(facets: readonly F[], id: string): F => {
    const number = numberOf(id, "facet");
    const found = facets.find((each) => each.id === number);
    if (found === undefined) throw missing("facet", id);
    return found;
  };

  /** Stores the facet at its position among the others. */
  async function saved(tx: RepositoryWriter, at: Instant, id: number, read: ReadRecord<typeof FACET>) {
    const { position, ...parts } = read;
    const facet: FacetItem = { id, ...parts };
    const others = (await settingsIn(tx.settings)).facets.filter((each) => each.id !== id);
    if (others.length >= FACETS_MAX) throw invalid(`There can be ${FACETS_MAX} facets at most`);
    requireParameterName(facet, others);
    if (facet.sources.length === 0) throw invalid("sources: a facet needs one at least");
    await requireFacetSources(tx, facet.sources);
    const facets = others.toSpliced(position - 1, 0, facet);
    await tx.settings.saveSearchSetting("facets", facets as unknown as Json, at);
    return shownFacet(facet, facets.indexOf(facet));
  }

  return {
    list: async () => (await settingsIn(settings)).facets.map(shownFacet),
    read: async (id) => find((await settingsIn(settings)).facets.map(shownFacet), id),
    create: (viewer, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const read = FACET.read(NEW_FACET, sent);
        // A number is not assigned to another facet while the facet with the highest number exists.
        const id = 1 + Math.max(0, ...(await settingsIn(tx.settings)).facets.map((each) => each.id));
        const facet = await saved(tx, at, id, read);
        await audit("facet-add", `facet:${id}`, { name: read.name.en });
        return facet;
      }),
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const shown = (await settingsIn(tx.settings)).facets.map(shownFacet);
        const { id: number, ...before } = find(shown, id);
        const read = FACET.read(before, sent);
        const facet = await saved(tx, at, number, read);
        await audit("facet-set", `facet:${number}`, { name: read.name.en, active: read.active });
        return facet;
      }),
    remove: (viewer, id) =>
      change(needs, viewer, async (tx, at, audit) => {
        const { facets } = await settingsIn(tx.settings);
        const removed = find(facets, id);
        const left = facets.filter((each) => each !== removed);
        await tx.settings.saveSearchSetting("facets", left as unknown as Json, at);
        await audit("facet-remove", `facet:${id}`);
      }),
  };
}

/** A facet is chosen by its English name, so nothing else in an address may have it. */
function requireParameterName(facet: FacetItem, others: readonly FacetItem[]): void {
  const { en } = facet.name;
  const names = facetParameters(facet);
  const taken = names.find((name) => PARAMETER_NAMES.has(name));
  if (taken !== undefined) throw invalid(`name.en: "${taken}" is a parameter of the search already`);
  const same = others.find((each) => facetParameters(each).some((name) => names.includes(name)));
  if (same !== undefined) throw new Refusal("conflict", `Facet ${same.id} has the name "${en}" already`);
}

/** A fact of the item (search-schema.ts), or sources of its metadata. */
async function requireFacetSources(tx: RepositoryWriter, sources: readonly string[]): Promise<void> {
  const fact = sources.find((source) => Object.hasOwn(FACTS, source));
  if (fact === undefined) return await requireSources(tx, sources, "sources");
  if (sources.length > 1) throw invalid(`sources: "${fact}" must be the only source of a facet`);
}

/** @throws Refusal `invalid` for a source that leads nowhere */
async function requireSources(tx: RepositoryWriter, sources: readonly string[], member: string): Promise<void> {
  for (const text of sources) {
    const source = parseSource(text);
    if (source === null) throw invalid(`${member}: "${text}" does not name a place in the metadata`);
    if (source.kind === "metadata") continue;
    const stored = await tx.settings.itemType(source.itemType);
    if (stored === null) throw invalid(`${member}: item type ${source.itemType} does not exist`);
    const known = shownGroups(readItemType(stored.definition, stored)).flatMap(valueFields);
    if (!known.some(({ path }) => path === source.path)) {
      throw invalid(`${member}: item type ${source.itemType} has no field "${source.path}"`);
    }
  }
}

const KIND_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(FREE_FIELDS).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

const isChoiceList = (id: string): id is ChoiceList => CHOICE_LISTS.some((list) => list === id);

function shownField({ choices, fields }: SearchSettings, id: string) {
  if (isChoiceList(id)) return { id, kind: "choice", choices: choices[id] };
  return { id, kind: KIND_OF.get(id) ?? "", sources: fields[id] ?? [] };
}

/**
 * Free fields and lists of choices. All of them always exist: PUT sets what they search, DELETE restores the default.
 */
export function searchFieldCollection(needs: AdministrationNeeds): CollectionOf<typeof SEARCH_FIELD> & Removing {
  const { settings } = needs.store;
  const named = (id: string): string => {
    if (isChoiceList(id) || KIND_OF.has(id)) return id;
    throw missing("search field", id);
  };
  return {
    async list() {
      const all = await settingsIn(settings);
      return [...CHOICE_LISTS, ...ALL_FREE_FIELDS].map((id) => shownField(all, id));
    },
    read: async (id) => shownField(await settingsIn(settings), named(id)),
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const { id: _id, kind: _kind, ...before } = shownField(await settingsIn(tx.settings), named(id));
        const value = isChoiceList(id)
          ? await choicesOf(tx, id, CHOICE_LIST.read(before, sent))
          : await sourcesOf(tx, FREE_FIELD.read(before, sent));
        await tx.settings.saveSearchSetting(id, value as unknown as Json, at);
        await audit("search-field-set", `search-field:${id}`, { values: value.length });
        return shownField(await settingsIn(tx.settings), id);
      }),
    remove: (viewer, id) =>
      change(needs, viewer, async (tx, at, audit) => {
        await tx.settings.saveSearchSetting(named(id), null, at);
        await audit("search-field-reset", `search-field:${id}`);
      }),
  };
}

async function sourcesOf(tx: RepositoryWriter, { sources }: ReadRecord<typeof FREE_FIELD>): Promise<readonly string[]> {
  await requireSources(tx, sources, "sources");
  return sources;
}

async function choicesOf(tx: RepositoryWriter, list: ChoiceList, { choices }: ReadRecord<typeof CHOICE_LIST>) {
  const known = new Set<string>();
  for (const { value, means } of choices) {
    const text = choiceText(value);
    if (known.has(text)) throw invalid(`choices: "${value}" is listed twice`);
    // Commas separate the values of a parameter.
    if (value.includes(",")) throw invalid(`choices: "${value}" must not have a comma`);
    known.add(text);
    if (!PLACE_LISTS.includes(list)) continue;
    if (means === null) throw invalid(`choices: "${value}" of ${list} must name its places`);
    await requireSources(tx, means, "choices");
  }
  return choices;
}
