// The landing page of an item (R19a): what it is, its files and who may have them, its permanent name, how to cite it,
// its versions.

import { factRow } from "../../../pages/components/lists.ts";
import { badge, banner } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, jsonBlock, NOTHING } from "../../../pages/html.ts";
import { textsOf } from "../../../resolver/pages/languages/index.ts";
import { row } from "../../../resolver/pages/layout.ts";
import type { IndexId, ItemId } from "../../../shared/ids.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { type CitingView, citeBox } from "./cite-box.ts";
import { figuresLink } from "./figure-pages.ts";
import { type FilesView, filesSection } from "./files.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import {
  day,
  langOf,
  type OpennessView,
  opennessText,
  otherLang,
  type SiteView,
  sitePage,
  type Title,
  titleIn,
  wordOf,
} from "./layout.ts";
import { type ManageView, manageSection } from "./manage-pages.ts";
import { fieldAnchor, metadataRows, type OwnFieldView, ownRows, type RowView, rightsWord } from "./metadata-rows.ts";
import { type RelatedGroupView, relationsSection } from "./relations.ts";

type VersionView = {
  readonly id: ItemId;
  readonly index: number;
  readonly isLatest: boolean;
  readonly publishedAt: Instant | null;
};

type TrailView = readonly { readonly id: IndexId; readonly name: { readonly en: string; readonly ja: string } }[];

export type UsageView = {
  readonly views: number;
  readonly downloads: number;
  /** Of this version, where they differ from those of all. */
  readonly ofThis: { readonly views: number; readonly downloads: number } | null;
};

export type RecordView = CitingView & {
  readonly id: ItemId;
  readonly title: { readonly text: string; readonly lang?: string };
  /** The first creators, and how many there are. */
  readonly people: readonly string[];
  readonly peopleCount: number;
  /** `isCut`: the page of the descriptions has all of it. */
  readonly abstract: { readonly text: string; readonly lang?: string; readonly isCut: boolean } | null;
  readonly rows: readonly RowView[];
  readonly own: readonly OwnFieldView[];
  /** Where all values of a field are listed: the address before the field's name. */
  readonly valuesAt: string;
  readonly openness: OpennessView;
  readonly isRestricted: boolean;
  /**
   * What the metadata state and what is so, as labels; null when they agree. The badge of a partly open item shows what
   * is so.
   */
  readonly contradiction: { readonly stated: string; readonly actual: string } | null;
  readonly isDraft: boolean;
  /** Null before it is published. */
  readonly usage: UsageView | null;
  readonly activityId: string | null;
  readonly files: FilesView;
  readonly ark: { readonly name: string; readonly url: string } | null;
  readonly address: string;
  readonly publishedAt: Instant | null;
  readonly updatedAt: Instant;
  readonly versionIndex: number;
  readonly versions: readonly VersionView[];
  /** The latest version, when that is another one. */
  readonly latest: ItemId | null;
  readonly indexes: readonly TrailView[];
  readonly communities: readonly { readonly slug: string; readonly title: Title }[];
  readonly exports: readonly { readonly name: string; readonly href: string }[];
  readonly tags: readonly { readonly name: string; readonly content: string }[];
  readonly links: readonly { readonly target: string; readonly rel: string; readonly type?: string }[];
  readonly data: unknown;
};

/** `related`: items that are about the same. */
export function recordPage(
  view: RecordView & {
    readonly related: readonly ItemLine[];
    readonly relations: readonly RelatedGroupView[];
    readonly manage: ManageView | null;
    /** Marks the page of a draft that is shown as others will see it. */
    readonly preview?: Html;
  },
  site: SiteView,
): string {
  const { texts, rootPath } = site;
  const { record } = texts;
  const title = view.title.text === "" ? texts.site.untitled : view.title.text;
  return sitePage(site, {
    title,
    scripts: view.citations.length === 0 || view.isDraft ? [] : ["copy-text"],
    noindex: view.isDraft || view.isRestricted || view.preview !== undefined,
    head: headOf(view),
    body: html`${view.preview ?? NOTHING}${banners(view, site)}
${pageHeading(title, { lang: otherLang(view.title.lang, texts), before: facts(view, texts) })}${people(view, texts)}
${abstractOf(view, texts)}
${manageSection(view.manage, site)}${sectionHeading(record.files, { id: "files" })}${filesSection(view.files, texts)}
${view.isDraft ? NOTHING : citeBox(view, texts)}
${sectionHeading(record.metadata)}<dl>
${permanent(view, texts)}${metadataRows(view.rows, texts, view.valuesAt)}${ownRows(view.own, texts)}${indexes(view, site)}${communities(view, site)}${row(
  record.published,
  view.publishedAt === null ? NOTHING : day(view.publishedAt, texts),
  textsOf(texts.tag),
)}${row(record.updated, day(view.updatedAt, texts), textsOf(texts.tag))}${usage(view, site)}</dl>
${versions(view, site)}${relationsSection(view.relations, site)}
${
  view.related.length === 0
    ? NOTHING
    : html`${sectionHeading(record.related, { id: "related" })}${itemList(view.related, texts, rootPath)}`
}
${
  view.exports.length === 0
    ? NOTHING
    : html`${sectionHeading(record.exports)}<p class="links">${view.exports.map(({ name, href }) => html`<a href="${rootPath}${href}">${name}</a>`)}</p>`
}`,
  });
}

function usage({ usage: counts, id }: RecordView, site: SiteView): Html {
  if (counts === null) return NOTHING;
  const { record, tag } = site.texts;
  const { views, downloads, ofThis } = counts;
  const all = record.used(views, downloads);
  const text = ofThis === null ? all : `${all} ${record.usedThis(ofThis.views, ofThis.downloads)}`;
  const link = figuresLink(`${site.rootPath}/records/${id}/statistics`, site);
  return row(record.usage, html`<span id="use">${text}</span> ${link}`, textsOf(tag));
}

function abstractOf({ abstract, valuesAt }: RecordView, texts: RepositoryTexts): Html {
  if (abstract === null) return NOTHING;
  const whole = html`<p class="all"><a href="${valuesAt}descriptions">${texts.item.whole}</a></p>`;
  return html`<p class="abstract"${langOf(abstract.lang, texts)}>${abstract.text}</p>${abstract.isCut ? whole : NOTHING}`;
}

function headOf({ tags, links, data }: RecordView): Html {
  return html`${links.map(
    ({ target, rel, type }) =>
      html`<link rel="${rel}" href="${target}"${type === undefined ? NOTHING : html` type="${type}"`}>\n`,
  )}${tags.map(({ name, content }) => html`<meta name="${name}" content="${content}">\n`)}${data === null ? NOTHING : jsonBlock(data)}`;
}

function people({ people: named, peopleCount }: RecordView, texts: RepositoryTexts): Html {
  if (named.length === 0) return NOTHING;
  const others = peopleCount - named.length;
  const rest = others <= 0 ? NOTHING : html` <a href="#${fieldAnchor("creators")}">${texts.record.others(others)}</a>`;
  return html`<p class="people">${named.join(texts.site.between)}${rest}</p>`;
}

function banners(view: RecordView, { texts, rootPath }: SiteView): Html {
  const { record } = texts;
  const older =
    view.latest === null
      ? NOTHING
      : banner(
          "warn",
          html`<p>${record.olderBanner} <a href="${rootPath}/records/${view.latest}">${record.toLatest}</a></p>`,
        );
  const activity =
    view.activityId === null
      ? NOTHING
      : html` <a href="${rootPath}/workflow/activity/detail/${view.activityId}">${record.activity}</a>`;
  const draft = view.isDraft ? banner("warn", html`<p>${record.draftNote}${activity}</p>`) : NOTHING;
  const restricted = view.isRestricted && !view.isDraft ? banner("info", record.restricted) : NOTHING;
  const { contradiction } = view;
  const isInPart = view.openness.kind === "partly" || view.openness.kind === "later";
  const warning =
    contradiction === null
      ? NOTHING
      : banner(
          "warn",
          record.contradiction(
            rightsWord(contradiction.stated, texts),
            isInPart ? opennessText(view.openness, texts) : rightsWord(contradiction.actual, texts),
          ),
        );
  return html`${older}${draft}${restricted}${warning}`;
}

function facts(view: RecordView, texts: RepositoryTexts): readonly (string | Html)[] {
  const { record } = texts;
  const typeRow = view.rows.find(({ field }) => field === "type")?.values[0];
  const type = typeRow?.term === undefined ? null : (wordOf(typeRow.term, texts.tag) ?? typeRow.text);
  const date = view.rows.find(({ field }) => field === "publicationDate")?.values[0]?.text ?? null;
  const { kind } = view.openness;
  const tone = kind === "open" || kind === "metadata-only" ? "info" : "warn";
  return [
    ...(view.isDraft ? [badge(record.draft, "warn")] : []),
    badge(opennessText(view.openness, texts), tone),
    ...(type === null ? [] : [type]),
    ...(date === null ? [] : [date]),
    ...(view.versions.length > 1 ? [record.version(view.versionIndex)] : []),
  ];
}

function permanent({ ark, address, isDraft }: RecordView, texts: RepositoryTexts): Html {
  const { record } = texts;
  const plain = textsOf(texts.tag);
  if (ark === null) return isDraft ? NOTHING : row(record.address, html`<a href="${address}">${address}</a>`, plain);
  return row(record.permanent, html`<span class="ark"><a href="${ark.url}">${ark.name}</a></span>`, plain);
}

function communities({ communities: all }: RecordView, { texts, rootPath }: SiteView): Html {
  if (all.length === 0) return NOTHING;
  const lines = all.map(
    ({ slug, title }) => html`<li><a href="${rootPath}/communities/${slug}">${titleIn(title, texts.tag)}</a></li>`,
  );
  return factRow(texts.community.heading, html`<ul>${lines}</ul>`);
}

function indexes({ indexes: all }: RecordView, { texts, rootPath }: SiteView): Html {
  if (all.length === 0) return NOTHING;
  const lines = all.map(
    (trail) =>
      html`<li>${trail.map(
        ({ id, name }, at) =>
          html`${at === 0 ? NOTHING : " › "}<a href="${rootPath}/index/${id}">${texts.tag === "ja" ? name.ja : name.en}</a>`,
      )}</li>`,
  );
  return factRow(texts.record.indexesLabel, html`<ul>${lines}</ul>`);
}

/** Versions that the page itself lists, the newest, and the one that is shown; the page of versions has all. */
const VERSIONS_SHOWN = 10;

function versions(view: RecordView, { texts, rootPath }: SiteView): Html {
  const { record, item } = texts;
  if (view.versions.length < 2) return NOTHING;
  const shown = [...view.versions].reverse().filter(({ id }, at) => at < VERSIONS_SHOWN || id === view.id);
  const lines = shown.map((version) => {
    const marks = [
      ...(version.isLatest ? [record.latest] : []),
      ...(version.id === view.id ? [record.thisVersion] : []),
    ];
    const name = record.version(version.index);
    return html`<li>${
      version.id === view.id
        ? html`<span aria-current="page">${name}</span>`
        : html`<a href="${rootPath}/records/${version.id}">${name}</a>`
    }${marks.length === 0 ? NOTHING : html` <span class="kind">(${marks.join(", ")})</span>`}${
      version.publishedAt === null ? NOTHING : html` ${day(version.publishedAt.slice(0, 10), texts)}`
    }</li>`;
  });
  return html`${sectionHeading(record.versions, { id: "versions", count: record.count(view.versions.length) })}<ul>${lines}</ul>
<p class="all"><a href="${rootPath}/records/${view.id}/versions">${item.versions}</a></p>`;
}
