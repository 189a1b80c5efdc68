// Documents out of the database (R34), of many parents at once: in as many questions for a page of them as for one.
import type { Day } from "../../shared/day.ts";
import { turn } from "../../shared/event-loop-turn.ts";
import { itemTypeReading } from "../items/item-type-reading.ts";
import type { IndexOutline } from "../model/index-node.ts";
import type { ItemContent } from "../model/item.ts";
import { readFiles } from "../store/full-text.ts";
import type { ItemVersion } from "../store/items.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { SearchDocument } from "./document.ts";
import { documentMaker, FILE_LIMITS } from "./item-document.ts";
import type { SearchSettings } from "./settings.ts";
import { parseSource } from "./source.ts";

export type DocumentReader = Pick<RepositoryReader, "items" | "indexes" | "settings" | "fullText">;

export type DocumentReading = {
  /** The documents of these parents as the database has them now, by item. */
  of(parents: readonly number[]): Promise<readonly SearchDocument[]>;
  /** The same, where an index that was read once is not read again: for reading everything, after which the feed tells what changed meanwhile. */
  inOnePass(): (parents: readonly number[]) => Promise<readonly SearchDocument[]>;
};

type Lineages = Map<number, readonly IndexOutline[]>;

/** Documents that are made before others have a turn. */
const MADE_AT_ONCE = 20;

export function documentReading(reader: DocumentReader, settings: SearchSettings, today: () => Day): DocumentReading {
  const make = documentMaker(settings);
  const types = itemTypeReading(reader);
  const asksForms = namesProperties(settings);

  async function read(parents: readonly number[], known: Lineages): Promise<readonly SearchDocument[]> {
    const versions = (await reader.items.versionsOf(parents)).flatMap(said);
    await readLineages(versions, known);
    const fileTexts = await readTexts(versions);
    const day = today();
    const documents: SearchDocument[] = [];
    for (const [at, version] of versions.entries()) {
      if (at % MADE_AT_ONCE === MADE_AT_ONCE - 1) await turn();
      const { item, parent, content } = version;
      // What was never published lies in no index yet, whatever its draft says.
      const indexes = item.state === "draft" ? [] : content.indexes;
      const itemType = asksForms ? await types.at(content.itemType, content.itemTypeVersion) : null;
      const lineages = indexes.map((id) => known.get(id) ?? []);
      const document = make({ item, parent, content, lineages, itemType, fileTexts }, day);
      if (document !== null) documents.push(document);
    }
    return documents;
  }

  async function readLineages(versions: readonly Said[], known: Lineages): Promise<void> {
    const asked = versions.flatMap(({ item, content }) => (item.state === "draft" ? [] : content.indexes));
    const unknown = [...new Set(asked)].filter((id) => !known.has(id));
    if (unknown.length === 0) return;
    const found = await reader.indexes.lineages(unknown);
    for (const id of unknown) known.set(id, found.get(id) ?? []);
  }

  async function readTexts(versions: readonly Said[]): Promise<ReadonlyMap<string, string>> {
    const named = versions.flatMap(({ item, content }) => (item.state === "draft" ? [] : readFiles(content)));
    const contents = [...new Set(named.map(({ sha256 }) => sha256))];
    return contents.length === 0 ? new Map() : await reader.fullText.fileTexts(contents, FILE_LIMITS.characters);
  }

  return {
    of: (parents) => read(parents, new Map()),
    inOnePass() {
      const known: Lineages = new Map();
      return (parents) => read(parents, known);
    },
  };
}

type Said = Omit<ItemVersion, "draft"> & { readonly content: ItemContent };

/** What says nothing, neither published nor as a draft, is no document. */
function said({ item, parent, draft }: ItemVersion): readonly Said[] {
  const content = item.content ?? draft;
  return content === null ? [] : [{ item, parent, content }];
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
