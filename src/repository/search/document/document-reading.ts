// Documents out of the database (R34), of many parents at once: in as many questions for a page of them as for one.

import type { RecordFacts } from "../../../model/access/visibility.ts";
import { type SizedEntry, sizeSlices } from "../../../model/files/size-slices.ts";
import type { IndexOutline } from "../../../model/indexes/index-node.ts";
import type { ItemContent } from "../../../model/items/item.ts";
import type { ItemId, ParentId } from "../../../shared/ids.ts";
import type { Day } from "../../../shared/time/day.ts";
import { type InParts, inTurns, yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import { factsIn, publishedVersions } from "../../items/access-facts.ts";
import { type ItemTypeReading, itemTypeReading } from "../../items/item-type-reading.ts";
import { readFiles } from "../../store/full-text.ts";
import type { ItemVersion, PlacedItem } from "../../store/items.ts";
import type { RepositoryReader } from "../../store/store.ts";
import { NO_USAGE } from "../../store/usage.ts";
import type { SearchSettings } from "../settings/settings.ts";
import { parseSource } from "../settings/source.ts";
import type { SearchDocument } from "./document.ts";
import { type DocumentMaking, type DocumentSource, documentMaking, FILE_LIMITS } from "./item-document.ts";

export type DocumentReader = Pick<RepositoryReader, "items" | "indexes" | "settings" | "fullText" | "usage">;

export type DocumentReading = {
  /** The documents of these parents as the database has them now, by item. */
  of(parents: readonly ParentId[]): Promise<readonly SearchDocument[]>;
  /** The same in slices that are held easily, however long the items are (R9a). The versions of a parent are in one. */
  slices(parents: readonly ParentId[]): AsyncGenerator<DocumentSlice>;
  /**
   * The same, where an index that was read once is not read again: for reading everything, after which the feed tells
   * what changed meanwhile.
   */
  inOnePass(): (parents: readonly ParentId[]) => AsyncGenerator<DocumentSlice>;
};

export type DocumentSlice = { readonly parents: readonly ParentId[]; readonly documents: readonly SearchDocument[] };

type Lineages = Map<number, readonly IndexOutline[]>;

export class DocumentsReader implements DocumentReading {
  readonly #reader: DocumentReader;
  readonly #today: () => Day;
  readonly #make: DocumentMaking;
  readonly #types: ItemTypeReading;
  readonly #asksForms: boolean;

  constructor(reader: DocumentReader, settings: SearchSettings, today: () => Day) {
    this.#reader = reader;
    this.#today = today;
    this.#make = documentMaking(settings);
    this.#types = itemTypeReading(this.#reader);
    this.#asksForms = namesProperties(settings);
  }

  async of(parents: readonly ParentId[]): Promise<readonly SearchDocument[]> {
    const documents: SearchDocument[] = [];
    for await (const slice of this.#slicesOf(parents, new Map())) documents.push(...slice.documents);
    return documents;
  }

  slices(parents: readonly ParentId[]): AsyncGenerator<DocumentSlice> {
    return this.#slicesOf(parents, new Map());
  }

  inOnePass(): (parents: readonly ParentId[]) => AsyncGenerator<DocumentSlice> {
    const known: Lineages = new Map();
    return (parents) => this.#slicesOf(parents, known);
  }

  async *#slicesOf(parents: readonly ParentId[], known: Lineages): AsyncGenerator<DocumentSlice> {
    const versions = new Map(parents.map((parent) => [parent, [] as (PlacedItem & SizedEntry)[]]));
    for (const each of await this.#reader.items.versionSizes(parents)) versions.get(each.parent)?.push(each);
    const newest = new Set([...versions.values()].flatMap((of) => of.at(-1)?.item ?? []));
    const all = [...versions].map(([parent, of]) => ({
      parent,
      of,
      bytes: of.reduce((sum, one) => sum + one.bytes, 0),
    }));
    for (const slice of sizeSlices(all)) {
      const documents: SearchDocument[] = [];
      // A parent may have more versions than are read at once.
      for (const some of sizeSlices(slice.flatMap(({ of }) => of))) {
        const ids = some.map(({ item }) => item);
        documents.push(...(await this.#read(ids, known, newest)));
      }
      yield { parents: slice.map(({ parent }) => parent), documents };
      await yieldToEventLoop();
    }
  }

  async #read(
    ids: readonly ItemId[],
    known: Lineages,
    newest: ReadonlySet<number>,
  ): Promise<readonly SearchDocument[]> {
    const versions = (await this.#reader.items.itemVersions(ids)).flatMap(indexableVersion);
    await yieldToEventLoop();
    const newerOf = await this.#readNewer(versions, known);
    await this.#readLineages(versions, known);
    const fileTexts = await this.#readTexts(versions);
    const used = await this.#reader.usage.usageOf("parent", [...new Set(versions.map(({ parent }) => parent.id))]);
    const sources: DocumentSource[] = [];
    for (const { item, parent, content, savedAt } of versions) {
      const isNewest = newest.has(item.id);
      const newer = newerOf.get(item.id) ?? [];
      // An item that was never published is not in an index, whatever its draft has.
      const indexes = item.state === "draft" ? [] : content.indexes;
      const itemType = this.#asksForms ? await this.#types.at(content.itemType, content.itemTypeVersion) : null;
      const lineages = indexes.map((id) => known.get(id) ?? []);
      const usage = used.get(parent.id) ?? NO_USAGE;
      sources.push({ item, parent, content, lineages, itemType, fileTexts, isNewest, newer, savedAt, usage });
    }
    return await inTurns(this.#madeOf(sources, this.#today()));
  }

  *#madeOf(sources: readonly DocumentSource[], day: Day): InParts<readonly SearchDocument[]> {
    const documents: SearchDocument[] = [];
    for (const source of sources) {
      yield;
      const document = yield* this.#make(source, day);
      if (document !== null) documents.push(document);
    }
    return documents;
  }

  /** Of each version that is not the latest, who may see those that were published after it. */
  async #readNewer(
    versions: readonly IndexableVersion[],
    known: Lineages,
  ): Promise<ReadonlyMap<number, readonly RecordFacts[]>> {
    const old = versions.filter(({ item, parent }) => item.state === "published" && parent.latest !== item.id);
    const later = await publishedVersions(this.#reader.items, [...new Set(old.map(({ parent }) => parent.id))]);
    await this.#readIndexes(
      [...later.values()].flat().flatMap(({ item }) => item.content?.indexes ?? []),
      known,
    );
    return new Map(
      old.map(({ item, parent }) => {
        const newer = (later.get(parent.id) ?? []).filter((each) => each.item.versionIndex > item.versionIndex);
        return [item.id, newer.map((each) => factsIn(each, (id) => known.get(id) ?? []))];
      }),
    );
  }

  #readLineages(versions: readonly IndexableVersion[], known: Lineages): Promise<void> {
    return this.#readIndexes(
      versions.flatMap(({ item, content }) => (item.state === "draft" ? [] : content.indexes)),
      known,
    );
  }

  async #readIndexes(asked: readonly number[], known: Lineages): Promise<void> {
    const unknown = [...new Set(asked)].filter((id) => !known.has(id));
    if (unknown.length === 0) return;
    const found = await this.#reader.indexes.lineages(unknown);
    for (const id of unknown) known.set(id, found.get(id) ?? []);
  }

  async #readTexts(versions: readonly IndexableVersion[]): Promise<ReadonlyMap<string, string>> {
    const named = versions.flatMap(({ item, content }) => (item.state === "draft" ? [] : readFiles(content)));
    const contents = [...new Set(named.map(({ sha256 }) => sha256))];
    return contents.length === 0 ? new Map() : await this.#reader.fullText.fileTexts(contents, FILE_LIMITS.characters);
  }
}

type IndexableVersion = Omit<ItemVersion, "draft"> & { readonly content: ItemContent };

/** A version without content, neither published nor as a draft, has no document. */
function indexableVersion({ item, parent, draft, savedAt }: ItemVersion): readonly IndexableVersion[] {
  const content = item.content ?? draft;
  return content === null ? [] : [{ item, parent, content, savedAt }];
}

/** Whether values are taken from what forms of item types show: only then forms are made. */
function namesProperties({ facets, choices, fields }: SearchSettings): boolean {
  const written = [
    ...facets.flatMap(({ sources }) => sources),
    ...[...choices.fd_attr, ...choices.id_attr].flatMap(({ means }) => means ?? []),
    ...Object.values(fields).flat(),
  ];
  return written.some((text) => parseSource(text)?.kind === "property");
}
