// Hits of a search as one file for reference managers and spreadsheets (R38, R48): RIS, BibTeX, CSL-JSON, CSV. Each item
// as everybody may see it whom the hit was shown to, a page of hits at a time, so that memory does not grow with them.
import { bibtexEntry } from "../../../formats/bibtex/write.ts";
import type { CitedItem } from "../../../formats/citation/cited-item.ts";
import { type CslName, cslItem, oneLine } from "../../../formats/csl/item.ts";
import { risEntry } from "../../../formats/ris/write.ts";
import { tableLine } from "../../../formats/tsv/cells.ts";
import { accessStatus } from "../../../model/access/openness.ts";
import type { Addresses } from "../../../model/items/addresses.ts";
import { isLong } from "../../../model/items/long-item.ts";
import { withImprint } from "../../../model/metadata/imprint.ts";
import { publicationDate } from "../../../model/metadata/metadata.ts";
import { boundedMetadata } from "../../../model/metadata/metadata-limits.ts";
import { publicMetadata } from "../../../model/metadata/public-metadata.ts";
import { most } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/refusal.ts";
import type { Day } from "../../../shared/time/day.ts";
import { yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import type { ItemReader } from "../../store/items.ts";
import type { SearchPage } from "../query/finder.ts";
import { type HitContent, hitContents } from "../query/record-search.ts";

export const HIT_FORMATS = ["ris", "bibtex", "csl", "csv"] as const;
export type HitFormat = (typeof HIT_FORMATS)[number];

/** Hits that one file has; the others are left out. */
export const EXPORTED_MOST = most("exportedHits");

type HitExportNeeds = {
  readonly items: Pick<ItemReader, "items" | "revision" | "sizes">;
  readonly addresses: Pick<Addresses, "landingPage" | "arkUrl">;
  readonly repositoryName: string;
  readonly today: () => Day;
};

type ExportedHit = { readonly id: string; readonly hit: HitContent; readonly cited: CitedItem; readonly today: Day };

type HitWriter = {
  readonly mediaType: string;
  readonly fileName: string;
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  readonly write: (exported: ExportedHit) => string;
};

/** Spreadsheets open at most 32,767 characters in a cell. */
const CELL_CHARACTERS = 32_000;
/** What spreadsheets take for a formula, in both widths and after blanks. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/;

function cellOf(text: string | undefined): string {
  const cell = oneLine(text ?? "").slice(0, CELL_CHARACTERS);
  return (FORMULA.test(cell) ? `'${cell}` : cell).toWellFormed();
}

const nameText = (name: CslName): string =>
  "literal" in name ? name.literal : [name.family, name.given].filter((part) => part !== undefined).join(", ");

/** The columns of the CSV, in their order (docs/exports.md). */
const COLUMNS: Readonly<
  Record<string, (exported: ExportedHit, item: ReturnType<typeof cslItem>) => string | undefined>
> = {
  id: ({ id }) => id,
  url: ({ cited }) => cited.landingPage,
  ark: ({ cited }) => cited.ark ?? undefined,
  doi: (_, { DOI }) => DOI,
  title: (_, { title }) => title,
  creators: (_, { author }) => author?.map(nameText).join("; "),
  orcids: ({ cited }) =>
    cited.metadata.creators
      .flatMap(({ ids }) => ids.filter(({ scheme }) => /^orcid$/i.test(scheme)).map(({ value }) => value))
      .join("; "),
  type: ({ cited: { metadata } }) => metadata.type?.id,
  date: ({ cited }) => publicationDate(cited.metadata) ?? undefined,
  version: ({ cited }) => cited.metadata.versionLabel,
  access: ({ hit, today }) => accessStatus(hit.content, today),
  publisher: (_, { publisher }) => publisher,
  published_in: (_, item) => item["container-title"],
  volume: (_, { volume }) => volume,
  issue: (_, { issue }) => issue,
  pages: (_, { page }) => page,
  issn: (_, { ISSN }) => ISSN,
  isbn: (_, { ISBN }) => ISBN,
  languages: ({ cited }) => cited.metadata.languages.join("; "),
  subjects: ({ cited }) => cited.metadata.subjects.flatMap(({ text }) => text?.value ?? []).join("; "),
  licences: ({ cited }) => cited.metadata.rights.flatMap(({ id, uri }) => id ?? uri ?? []).join("; "),
  abstract: (_, { abstract }) => abstract,
};

/** Excel takes a file for UTF-8 by its first character. */
const BYTE_ORDER_MARK = "\u{FEFF}";

const WRITERS: Readonly<Record<HitFormat, HitWriter>> = {
  ris: {
    mediaType: "application/x-research-info-systems; charset=utf-8",
    fileName: "search.ris",
    ...{ begin: "", between: "", end: "" },
    write: ({ id, cited }) => risEntry(id, cited),
  },
  bibtex: {
    mediaType: "application/x-bibtex; charset=utf-8",
    fileName: "search.bib",
    ...{ begin: "", between: "\n", end: "" },
    write: ({ id, cited }) => bibtexEntry(id, cited),
  },
  csl: {
    mediaType: "application/vnd.citationstyles.csl+json",
    fileName: "search-csl.json",
    ...{ begin: "[", between: ",\n", end: "]\n" },
    write: ({ id, cited }) => JSON.stringify(cslItem(id, cited)),
  },
  csv: {
    mediaType: "text/csv; charset=utf-8",
    fileName: "search.csv",
    begin: BYTE_ORDER_MARK + tableLine(Object.keys(COLUMNS), ",", false),
    ...{ between: "", end: "" },
    write(exported) {
      const item = cslItem(exported.id, exported.cited);
      return tableLine(
        Object.values(COLUMNS).map((column) => cellOf(column(exported, item))),
        ",",
        false,
      );
    },
  },
};

/** @throws Refusal `invalid` for another one */
export function hitFormat(text: string): HitFormat {
  const known = HIT_FORMATS.find((each) => each === text);
  if (known === undefined) {
    throw new Refusal("invalid", `format "${text.slice(0, 40)}" is not one of ${HIT_FORMATS.join(", ")}`, {
      detail: { field: "format" },
    });
  }
  return known;
}

export const hitFileHeaders = (format: HitFormat): Readonly<Record<string, string>> => ({
  "content-type": WRITERS[format].mediaType,
  "content-disposition": `attachment; filename="${WRITERS[format].fileName}"`,
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
});

export type HitExport = (pages: AsyncIterable<SearchPage["items"]>, format: HitFormat) => AsyncGenerator<string>;

/** Writes at most `EXPORTED_MOST` of the hits, in their order. */
export const hitExport = ({ items, addresses, repositoryName, today }: HitExportNeeds): HitExport => {
  function exportedHit(hit: HitContent): ExportedHit {
    const { item, content } = hit;
    const metadata = withImprint(
      publicMetadata(isLong(content) ? boundedMetadata(content.metadata) : content.metadata),
    );
    const ark = item.ark === null ? null : addresses.arkUrl(item.ark);
    const cited = { metadata, landingPage: addresses.landingPage(item.id), ark, repositoryName, files: [] };
    return { id: String(item.id), hit, cited, today: today() };
  }

  return async function* write(pages, format) {
    const { begin, between, end, write: written } = WRITERS[format];
    let count = 0;
    yield begin;
    for await (const page of pages) {
      for await (const hit of hitContents(items, page.slice(0, EXPORTED_MOST - count))) {
        yield (count === 0 ? "" : between) + written(exportedHit(hit));
        count += 1;
        await yieldToEventLoop();
      }
      if (count >= EXPORTED_MOST) break;
    }
    yield end;
  };
};
