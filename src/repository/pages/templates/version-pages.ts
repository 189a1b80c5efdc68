// The versions of an item with what changed from each to the next, and two of them compared (R2a, R44).
import { button, buttonRow, linkButton } from "../../../pages/components/buttons.ts";
import { fieldRow, selectField } from "../../../pages/components/fields.ts";
import { pagination, table, trail } from "../../../pages/components/lists.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { ItemId } from "../../../shared/ids.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { ContentDifference, DifferenceCounts } from "../differences.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { differences } from "./differences.ts";
import { day, otherLang, type SiteView, sitePage } from "./layout.ts";

type Title = { readonly text: string; readonly lang?: string };
type Version = { readonly id: ItemId; readonly index: number; readonly publishedAt: Instant | null };

export type VersionsPageView = {
  readonly id: ItemId;
  readonly title: Title;
  readonly versions: readonly (Version & {
    readonly isLatest: boolean;
    /** The version before it, and what changed; null for the first. */
    readonly before: ItemId | null;
    readonly changes: DifferenceCounts | null;
  })[];
  readonly all: readonly Version[];
  readonly page: number;
  readonly pages: number;
};

export type ComparisonView = {
  readonly title: Title;
  readonly before: Version;
  readonly after: Version;
  readonly difference: ContentDifference;
  readonly areFilesCompared: boolean;
};

const above = (title: Title, id: ItemId, { texts, rootPath }: SiteView): Html =>
  trail(
    [
      {
        label: title.text === "" ? texts.site.untitled : title.text,
        href: `${rootPath}/records/${id}`,
        lang: otherLang(title.lang, texts),
      },
    ],
    texts,
  );

export function versionsPage(view: VersionsPageView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { item } = texts;
  const rows = view.versions.map(({ id, index, isLatest, publishedAt, before, changes }) => [
    html`<a href="${rootPath}/records/${id}">${texts.record.version(index)}</a>${isLatest ? html` <span class="kind">(${texts.record.latest})</span>` : NOTHING}`,
    publishedAt === null ? "" : day(publishedAt.slice(0, 10), texts),
    html`${changes === null ? item.first : changed(changes, texts)}${
      before === null
        ? NOTHING
        : html`<span class="more"><a href="${rootPath}/records/${before}/compare/${id}" aria-label="${`${item.compareWith}: ${texts.record.version(index)}`}">${item.compareWith}</a></span>`
    }`,
  ]);
  const list = table({
    caption: item.versionsHeading,
    isCaptionHidden: true,
    head: [item.version, item.day, item.changes],
    rows,
  });
  return sitePage(site, {
    title: `${item.versionsHeading} · ${view.title.text === "" ? texts.site.untitled : view.title.text}`,
    noindex: true,
    body: html`${above(view.title, view.id, site)}${pageHeading(html`${item.versionsHeading} <span class="kind">(${item.count(view.all.length)})</span>`)}${list}${pagination(view, (page) => `${rootPath}/records/${view.id}/versions?page=${page}`, texts)}${chooser(view, site)}`,
  });
}

/** "3 fields, 2 files new". */
function changed({ fields, files }: DifferenceCounts, { item }: RepositoryTexts): string {
  const kinds = (["new", "changed", "gone"] as const).flatMap((kind) => {
    const count = files?.[kind] ?? 0;
    const words = count === 1 ? item.fileChanged[kind] : item.filesChanged[kind];
    return count === 0 ? [] : [item.counted(count, words)];
  });
  const all = [...(fields === 0 ? [] : [item.fieldsChanged(fields)]), ...kinds];
  return all.length === 0 ? item.nothingChanged : all.join(item.between);
}

function chooser({ id, all, versions }: VersionsPageView, { texts, rootPath }: SiteView): Html {
  if (all.length < 2) return NOTHING;
  const { item, record } = texts;
  const choices = all.map((version) => ({
    value: String(version.id),
    label: `${record.version(version.index)}${version.publishedAt === null ? "" : ` · ${version.publishedAt.slice(0, 10)}`}`,
  }));
  const [newest] = versions;
  const field = (name: string, label: string, value: string): Html =>
    selectField({ id: name, label, value, choices }, texts);
  return html`${sectionHeading(item.compare, { id: "compare" })}<form method="get" action="${rootPath}/records/${id}/versions">${fieldRow(
    [
      field("from", item.from, String(newest?.before ?? all.at(-1)?.id ?? "")),
      field("to", item.to, String(newest?.id ?? "")),
    ],
  )}${buttonRow([button({ label: item.compareButton })])}</form>`;
}

export function comparisonPage(view: ComparisonView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { item, record } = texts;
  const { before, after } = view;
  const heading = item.comparison(before.index, after.index);
  const link = ({ id, index, publishedAt }: Version): Html =>
    html`<a href="${rootPath}/records/${id}">${record.version(index)}</a>${publishedAt === null ? NOTHING : html` (${day(publishedAt.slice(0, 10), texts)})`}`;
  return sitePage(site, {
    title: `${heading} · ${view.title.text === "" ? texts.site.untitled : view.title.text}`,
    noindex: true,
    body: html`${above(view.title, after.id, site)}${pageHeading(heading)}<p>${link(before)} → ${link(after)}</p>
${differences(view.difference, texts, undefined, item)}
${view.areFilesCompared ? NOTHING : html`<p class="hint">${item.filesNotCompared}</p>`}${buttonRow([
  linkButton(item.other, `${rootPath}/records/${after.id}/compare/${before.id}`, "quiet"),
  linkButton(item.versions, `${rootPath}/records/${after.id}/versions`, "quiet"),
])}`,
  });
}
