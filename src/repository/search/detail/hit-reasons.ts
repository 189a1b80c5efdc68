// Why an item is a hit, for words that its line in a list does not have (R27k): the form in which it has them, and where:
// other metadata, or a file that the reader may read. Bounded: a few items of a page are read whole, of their files the
// first characters.
import type { Viewer } from "../../../auth/account.ts";
import { fileReading } from "../../../model/access/visibility.ts";
import type { ItemContent, ItemOutline, WithParent } from "../../../model/items/item.ts";
import type { ItemSummary } from "../../../model/items/summary.ts";
import type { Metadata } from "../../../model/metadata/metadata.ts";
import type { ItemId } from "../../../shared/ids.ts";
import type { Day } from "../../../shared/time/day.ts";
import { yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import { factsIn } from "../../items/access-facts.ts";
import { readFiles } from "../../store/full-text.ts";
import type { RepositoryReader } from "../../store/store.ts";
import { wordsOfMetadata } from "../document/metadata-words.ts";
import { folded } from "../document/tokens.ts";
import { type MarkedText, type Marks, marked, type Part, snippet } from "../query/marking.ts";
import { TEXTS } from "../settings/search-schema.ts";
import { stemLanguageOf } from "../words/stems.ts";

export type HitReason = {
  /** Other forms of words of the query, as the item has them, of words that it does not have as they were asked for. */
  readonly forms: readonly string[];
  /** Words in their context that the line of the item does not have. */
  readonly places: readonly ReasonPlace[];
};

type ReasonPlace = {
  /** Null: in the metadata. `page`: of texts whose pages are known. */
  readonly file: { readonly name: string; readonly page: number | null } | null;
  readonly parts: readonly Part[];
};

type HitReasonsNeeds = {
  readonly store: Pick<RepositoryReader, "items" | "indexes" | "fullText">;
  readonly today: () => Day;
};

type ReasonedHit = { readonly hit: WithParent<ItemOutline>; readonly summary: ItemSummary };

export interface HitReasons {
  /** Of hits with nothing to state there is no entry. */
  of(viewer: Viewer, hits: readonly ReasonedHit[], marks: Marks): Promise<ReadonlyMap<ItemId, HitReason>>;
}

/** Items of one page that are read whole, no longer than this. */
const ITEMS_READ = 20;
const ITEM_BYTES = 256 * 1024;
/** Characters of the metadata of an item that are searched. */
const METADATA_CHARACTERS = 50_000;
/** Files of one item, and of all items of a page; characters of each. */
const FILES_OF_ITEM = 5;
const FILES_READ = 20;
const FILE_CHARACTERS = 100_000;
/** Characters that are searched together, and those that the next piece has once more. */
const PIECE = 4_000;
const OVERLAP = 200;
const AROUND = 160;
const PLACES = 2;
const FORMS = 4;

export function hitReasons({ store, today }: HitReasonsNeeds): HitReasons {
  return {
    async of(viewer, hits, marks) {
      const found = new Map<ItemId, Reason>();
      for (const { hit, summary } of hits) {
        found.set(hit.item.id, summaryReason(summary, marks));
        await yieldToEventLoop();
      }
      const open = hits.filter(({ hit }) => found.get(hit.item.id)?.isOpen === true).slice(0, ITEMS_READ);
      if (open.length > 0) await readWhole(viewer, open, marks, found);
      return new Map(
        [...found].flatMap(([id, reason]) => {
          const { forms, places } = reason.result();
          return forms.length === 0 && places.length === 0 ? [] : [[id, { forms, places }]];
        }),
      );
    },
  };

  async function readWhole(
    viewer: Viewer,
    open: readonly ReasonedHit[],
    marks: Marks,
    found: ReadonlyMap<ItemId, Reason>,
  ): Promise<void> {
    const sizes = await store.items.sizes(open.map(({ hit }) => hit.item.id));
    const short = sizes.filter(({ bytes }) => bytes <= ITEM_BYTES).map(({ item }) => item);
    const byId = new Map((await store.items.items(short)).map((item) => [item.id, item]));
    const inFiles: { readonly hit: ReasonedHit["hit"]; readonly content: ItemContent }[] = [];
    for (const { hit } of open) {
      const reason = found.get(hit.item.id);
      const item = byId.get(hit.item.id);
      const content = item?.content ?? null;
      // What was changed since may be hidden.
      if (reason === undefined || content === null || item?.revision !== hit.item.revision) continue;
      let left = METADATA_CHARACTERS;
      for (const text of wordsOfMetadata(content.metadata)) {
        if (left <= 0 || !reason.isOpen) break;
        reason.look(text.slice(0, left).toWellFormed(), null, kindIn(content.metadata));
        left -= text.length;
      }
      await yieldToEventLoop();
      if (reason.isOpen && content.files.length > 0) inFiles.push({ hit, content });
    }
    if (inFiles.length > 0) await readFileTexts(viewer, inFiles, marks, found);
  }

  async function readFileTexts(
    viewer: Viewer,
    items: readonly { readonly hit: ReasonedHit["hit"]; readonly content: ItemContent }[],
    marks: Marks,
    found: ReadonlyMap<ItemId, Reason>,
  ): Promise<void> {
    const lineages = await store.indexes.lineages([...new Set(items.flatMap(({ content }) => content.indexes))]);
    const readable = items.flatMap(({ hit, content }) => {
      const mayRead = fileReading(
        viewer,
        factsIn(hit, (id) => lineages.get(id) ?? []),
        today(),
      );
      const files = readFiles(content).filter(mayRead).slice(0, FILES_OF_ITEM);
      return files.map((file) => ({ id: hit.item.id, file, kind: kindIn(content.metadata) }));
    });
    const taken = readable.slice(0, FILES_READ);
    if (taken.length === 0) return;
    const texts = await store.fullText.fileTexts([...new Set(taken.map(({ file }) => file.sha256))], FILE_CHARACTERS);
    const beginnings = beginningsOf(marks);
    for (const { id, file, kind } of taken) {
      const text = texts.get(file.sha256);
      const reason = found.get(id);
      if (text === undefined || reason === undefined) continue;
      let page = 1;
      for (let at = 0; at < text.length && reason.isOpen; at += PIECE) {
        const piece = text.slice(at, at + PIECE + OVERLAP).toWellFormed();
        const plain = folded(piece);
        if (beginnings.some((begin) => plain.includes(begin))) {
          const before = piece.slice(0, reason.firstIn(piece, kind) ?? 0);
          const hasPages = page > 1 || text.includes(PAGE_END);
          reason.look(piece, { name: file.name, page: hasPages ? page + countPages(before) : null }, kind);
        }
        page += countPages(text.slice(at, at + PIECE));
      }
      await yieldToEventLoop();
    }
  }
}

/** Between the pages of a text. */
const PAGE_END = "\f";
const countPages = (text: string): number => text.split(PAGE_END).length - 1;

const kindIn = ({ languages }: Metadata): MarkedText => ({ language: stemLanguageOf(languages[0]) });

/** With what a word of a text begins that is marked: most pieces of a long text lack all of these. */
function beginningsOf({ tokens, runs, phrases }: Marks): readonly string[] {
  const words = [...tokens.keys(), ...phrases.flatMap((phrase) => phrase.tokens.slice(0, 1))];
  const begins = words.map((token) => token.replaceAll(/[~+]/g, "").split(/[.:]/, 1)[0]?.slice(0, LETTERS) ?? "");
  return [...new Set([...begins, ...runs.map(({ text }) => text.slice(0, LETTERS))])].filter((text) => text !== "");
}
const LETTERS = 3;

type Reason = {
  /** There is a word that was not found yet. */
  readonly isOpen: boolean;
  look(text: string, file: ReasonPlace["file"], kind: MarkedText): void;
  firstIn(text: string, kind: MarkedText): number | null;
  result(): HitReason;
};

/** What the line of an item has of the words. */
function summaryReason({ content }: ItemSummary, marks: Marks): Reason {
  const written = new Set<number>();
  const forms = new Map<number, string>();
  const places: ReasonPlace[] = [];
  const note = (parts: readonly Part[]): boolean => {
    const before = written.size + forms.size;
    for (const { text, wordOf = [], formOf = [] } of parts) {
      for (const word of wordOf) written.add(word);
      for (const word of formOf) if (!forms.has(word)) forms.set(word, text);
    }
    return written.size + forms.size > before;
  };
  const { titles = [], creators = [], descriptions = [] } = content?.metadata ?? {};
  for (const { text, kind } of [
    ...titles.map(({ value, lang }) => ({ text: value, kind: titleKind(lang) })),
    ...creators.flatMap(({ names }) => names.map((name) => ({ text: personText(name), kind: NAME_KIND }))),
    ...descriptions.map(({ value, lang }) => ({ text: value, kind: textKind(lang) })),
  ]) {
    note(marked(text, marks, kind));
  }
  const isKnown = (_word: unknown, at: number): boolean => written.has(at) || forms.has(at);
  return {
    get isOpen() {
      const needed = marks.words.flatMap(({ isOptional = false }, word) => (isOptional ? [] : [word]));
      return needed.length === 0 ? written.size + forms.size === 0 : !needed.every((word) => isKnown(null, word));
    },
    firstIn(text, kind) {
      let at = 0;
      for (const { text: part, wordOf = [], formOf = [] } of marked(text, marks, kind)) {
        if ([...wordOf, ...formOf].some((word) => !isKnown(null, word))) return at;
        at += part.length;
      }
      return null;
    },
    look(text, file, kind) {
      const first = this.firstIn(text, kind);
      if (first === null) return;
      const near = text.slice(Math.max(0, first - AROUND / 2), first + AROUND * 2);
      const parts = snippet(near, marks, AROUND, kind);
      if (note(parts) && places.length < PLACES) places.push({ file, parts });
    },
    result() {
      const others = [...forms].filter(([word]) => !written.has(word)).map(([, text]) => text);
      return { forms: [...new Set(others)].slice(0, FORMS), places };
    },
  };
}

export const titleKind = (lang: string | undefined): MarkedText => ({
  ...{ field: TEXTS.title, isShort: true },
  language: stemLanguageOf(lang),
});
export const textKind = (lang: string | undefined): MarkedText => ({
  field: TEXTS.description,
  language: stemLanguageOf(lang),
});
export const NAME_KIND: MarkedText = { field: TEXTS.creator, isName: true };

const personText = ({ full, family, given }: Metadata["creators"][number]["names"][number]): string =>
  full ?? [family, given].filter((part) => part !== undefined).join(", ");
