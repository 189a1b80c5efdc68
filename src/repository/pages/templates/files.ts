// The files of an item: a table, folders that open, and separate pages where there are many (R13a, R19a, R40). No
// script.

import { fileList, pagination, trail } from "../../../pages/components/lists.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { type ClosedView, closedNote, type RightView, rightNote } from "./access-pages.ts";
import { dayText, otherLang, type SiteView, sitePage, sizeText, type Title, titleIn } from "./layout.ts";

export type FileView = {
  /** As people wrote it, with its folders. */
  readonly name: string;
  readonly href: string;
  /** The page that shows it; null where no viewer suits it. */
  readonly view: string | null;
  readonly sizeBytes: number;
  readonly mediaType: string;
  /** Why not everybody may have it; `until` has a day. */
  readonly access: "open" | "until" | "login" | "groups" | "closed" | "restricted";
  readonly until: string | null;
  /** The reader may have it. */
  readonly readable: boolean;
  readonly license: LicenseView | null;
  readonly label: string | null;
  /** Who decides about a closed file, and where it is asked for; null: it is open, or that is not known here. */
  readonly closed?: ClosedView | null;
};

/** `names` where the licence is one of the vocabulary; `text` as it was given. */
export type LicenseView = { readonly names: Title | null; readonly text: string; readonly href: string | null };

/** A file under the name it has where it is listed: its own in a folder, its path in a table of all. */
type FiledView = { readonly name: string; readonly file: FileView };

export type FolderView = {
  readonly name: string;
  readonly path: readonly string[];
  readonly folders: readonly FolderView[];
  readonly files: readonly FiledView[];
  readonly count: number;
  readonly sizeBytes: number;
};

/** `whole`: all files are here; otherwise the first few, and all of them on the page `href`. */
export type FilesView = {
  readonly top: FolderView;
  readonly whole: boolean;
  /** Null: which files there are is not for the reader. */
  readonly count: number | null;
  readonly href: string;
  /** Of files that the reader may not know of. */
  readonly closed?: ClosedView | null;
  /** The right by which the reader reads closed files. */
  readonly right?: RightView | null;
};

export type FilesPageView = {
  readonly title: { readonly text: string; readonly lang?: string };
  /** Addresses of what the files belong to, and of this list. */
  readonly back: string;
  readonly here: string;
  readonly folder: readonly string[];
  readonly folders: readonly Omit<FolderView, "folders" | "files">[];
  readonly files: readonly FiledView[];
  readonly count: number;
  readonly sizeBytes: number;
  readonly page: number;
  readonly pages: number;
};

/** Files of one list that are seen at once; where there are some more than this, the rest unfolds. */
const SEEN = 20;
const SPARE = 5;

export function filesSection(view: FilesView, texts: RepositoryTexts): Html {
  const { right = null } = view;
  return html`${right === null ? NOTHING : rightNote(right, texts)}${listed(view, texts)}`;
}

function listed({ top, whole, count, href, closed = null }: FilesView, texts: RepositoryTexts): Html {
  const { file, record } = texts;
  if (count === null) {
    return html`<p>${file.restricted}. ${closed === null ? NOTHING : closedNote(closed, texts)}</p>`;
  }
  if (count === 0) return html`<p>${record.noFiles}</p>`;
  if (whole) return folderOf(top, texts, false);
  return html`${filesTable(top.files, texts)}
<p class="all"><a href="${href}">${file.all(count)}</a></p>`;
}

function folderOf(folder: FolderView, texts: RepositoryTexts, isInner: boolean): Html {
  const isOnly = folder.files.length === 0 && folder.folders.length === 1;
  const folders = folder.folders.map(
    (each) =>
      html`<details class="folder"${isOnly ? html` open` : NOTHING}><summary>${folderName(each, texts)}</summary>
${folderOf(each, texts, true)}</details>\n`,
  );
  return html`${folder.files.length === 0 ? NOTHING : folded(folder, texts, isInner)}${folders}`;
}

function folderName({ name, count, sizeBytes }: Omit<FolderView, "folders" | "files">, texts: RepositoryTexts): Html {
  return html`<bdi class="name">${name}</bdi> <span class="kind">(${texts.file.inFolder(count, sizeText(sizeBytes, texts))})</span>`;
}

function folded({ files, path }: FolderView, texts: RepositoryTexts, isInner: boolean): Html {
  const label = path.join("/");
  if (files.length <= SEEN + SPARE) return filesTable(files, texts, { isInner, label });
  return html`${filesTable(files.slice(0, SEEN), texts, { isInner, label })}<details class="rest"><summary>${texts.file.more(
    files.length - SEEN,
  )}</summary>
${filesTable(files.slice(SEEN), texts, { isInner: true, label })}</details>`;
}

/**
 * Files with size, type and who may have them. `isInner`: the headings of the table above are seen, its own are heard
 * only.
 */
function filesTable(
  files: readonly FiledView[],
  texts: RepositoryTexts,
  more: { readonly isInner?: boolean; readonly label?: string } = {},
): Html {
  const { file } = texts;
  const lines = files.map(({ name, file: each }) => ({
    name,
    href: each.readable ? each.href : null,
    notes: [
      ...(each.label === null || each.label === each.name ? [] : [each.label]),
      ...(each.license === null ? [] : [licenseOf(each.license, texts)]),
    ],
    size: sizeText(each.sizeBytes, texts),
    type: each.mediaType,
    state: accessOf(each, texts),
  }));
  return fileList(lines, { name: file.name, size: file.size, state: file.access }, more);
}

function licenseOf({ names, text, href }: LicenseView, { tag }: RepositoryTexts): Html {
  const name = names === null ? text : titleIn(names, tag);
  return href === null ? html`${name}` : html`<a href="${href}" rel="license nofollow noopener">${name}</a>`;
}

function accessOf({ access, until, readable, href, view, closed = null }: FileView, texts: RepositoryTexts): Html {
  const { file } = texts;
  const word = access === "until" ? file.until(until === null ? "" : dayText(until, texts)) : file[access];
  const download = readable
    ? html`<span class="soft">${view === null ? NOTHING : html`<a href="${view}">${texts.viewers.view}</a> `}<a href="${href}?download=1">${file.download}</a></span>`
    : NOTHING;
  const special = readable && access !== "open" ? html`<span class="soft">${file.readableByYou}</span>` : NOTHING;
  const decides = readable || closed === null ? NOTHING : html`<span class="soft">${closedNote(closed, texts)}</span>`;
  return html`${word}${special}${download}${decides}`;
}

const folderAddress = (here: string, path: readonly string[]): string =>
  path.length === 0 ? here : `${here}?folder=${encodeURIComponent(path.join("/"))}`;

/** One folder of the files of an item. */
export function filesPage(view: FilesPageView, site: SiteView): string {
  const { texts } = site;
  const { file, record } = texts;
  const heading = view.folder.at(-1) ?? record.files;
  const title = view.title.text === "" ? texts.site.untitled : view.title.text;
  const above = view.folder.length === 0 ? [] : [record.files, ...view.folder.slice(0, -1)];
  const links = [
    { label: title, href: view.back, lang: otherLang(view.title.lang, texts) },
    ...above.map((name, depth) => ({
      label: html`<bdi class="name">${name}</bdi>`,
      href: folderAddress(view.here, view.folder.slice(0, depth)),
    })),
  ];
  const address = folderAddress(view.here, view.folder);
  return sitePage(site, {
    title: `${heading} · ${title}`,
    noindex: true,
    body: html`${trail(links, texts)}${pageHeading(html`<bdi class="name">${heading}</bdi>`)}<p class="kind">${file.inFolder(view.count, sizeText(view.sizeBytes, texts))}</p>
${
  view.folders.length === 0
    ? NOTHING
    : html`<ul class="tree">${view.folders.map((each) => html`<li><a href="${folderAddress(view.here, each.path)}"><bdi class="name">${each.name}</bdi></a> <span class="kind">(${file.inFolder(each.count, sizeText(each.sizeBytes, texts))})</span></li>\n`)}</ul>`
}
${view.files.length === 0 ? NOTHING : filesTable(view.files, texts)}
${pagination(view, (page) => `${address}${address.includes("?") ? "&" : "?"}page=${page}`, texts)}`,
  });
}
