// Items as pages show them: what the services give, in the terms of the pages (R19a).

import type { Viewer } from "../../../src/auth/account.ts";
import { bibtexEntry } from "../../../src/formats/bibtex/write.ts";
import { type CitedItem, webAddress } from "../../../src/formats/citation/cited-item.ts";
import { schemaOrg } from "../../../src/formats/citation/schema-org.ts";
import { citationTags, signpostingLinks } from "../../../src/formats/citation/signposting.ts";
import { withArk } from "../../../src/formats/citation/styles/parts.ts";
import { CITATION_STYLES, DEFAULT_LOCALE } from "../../../src/formats/citation/styles/styles.ts";
import { cslItem } from "../../../src/formats/csl/item.ts";
import { risEntry } from "../../../src/formats/ris/write.ts";
import { STATUS_RIGHTS } from "../../../src/model/access/openness.ts";
import { bareIdentifier } from "../../../src/model/agents/author.ts";
import { fileTree, shownFileName, shownPath } from "../../../src/model/files/file-names.ts";
import { fileDescription } from "../../../src/model/files/file-order.ts";
import type { IndexNode } from "../../../src/model/indexes/index-node.ts";
import type { ItemFile } from "../../../src/model/items/item.ts";
import { cut } from "../../../src/model/items/summary.ts";
import { formProblem } from "../../../src/model/metadata/identifier-forms.ts";
import { withImprint } from "../../../src/model/metadata/imprint.ts";
import {
  type Description,
  type Ident,
  type Metadata,
  publicationDate,
  type Text,
} from "../../../src/model/metadata/metadata.ts";
import { boundedMetadata } from "../../../src/model/metadata/metadata-limits.ts";
import { citedLanguage, inLanguage, peopleIn, titleIn } from "../../../src/model/metadata/reader-language.ts";
import { describedBy, EXPORT_FORMATS, linksetsOf } from "../../../src/repository/exports/formats.ts";
import { contentDifferenceInParts } from "../../../src/repository/pages/differences.ts";
import type { ListedIndex, ListedItem } from "../../../src/repository/pages/lists.ts";
import {
  type Reading,
  SHOWN_FIELDS,
  type ShownRow,
  shownRow,
  shownRows,
} from "../../../src/repository/pages/metadata-rows.ts";
import type {
  LicensedContent,
  ProposedRecord,
  ShownFile,
  ShownRecord,
  WithFileListing,
} from "../../../src/repository/pages/record.ts";
import type { Licenses, ShownValue } from "../../../src/repository/pages/row-values.ts";
import type { ClosedView, RightView } from "../../../src/repository/pages/templates/access-pages.ts";
import type { ProposalView } from "../../../src/repository/pages/templates/activity-pages.ts";
import { filedPath } from "../../../src/repository/pages/templates/filed-pages.ts";
import type {
  FilesPageView,
  FilesView,
  FileView,
  FolderView,
  LicenseView,
} from "../../../src/repository/pages/templates/files.ts";
import type { IndexLine } from "../../../src/repository/pages/templates/index-page.ts";
import { type ItemLine, NAMED } from "../../../src/repository/pages/templates/item-list.ts";
import { titleIn as communityTitle, type SiteView } from "../../../src/repository/pages/templates/layout.ts";
import type { RowView, ValueView } from "../../../src/repository/pages/templates/metadata-rows.ts";
import type { RecordView, UsageView } from "../../../src/repository/pages/templates/record-page.ts";
import type { ValuesPageView } from "../../../src/repository/pages/templates/values-page.ts";
import type { AccessOffer } from "../../../src/repository/requests/access-requests.ts";
import type { UsageStats } from "../../../src/repository/store/usage.ts";
import { htmlToText } from "../../../src/shared/html/html-text.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import { LIMITS } from "../../../src/shared/limits.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { inTurns } from "../../../src/shared/time/event-loop.ts";

/** Creators shown under the title; the others are shown with the metadata. */
const HEAD_PEOPLE = 10;
const SPARE_PEOPLE = 2;
/** Values of one field on a landing page; more are shown on a separate page. */
const ROW_VALUES = 100;
/** Values on one page of a field. */
const VALUES_PAGE = 100;
/** Values of a field that are shown at all (R9a); the exports have all. */
const valuesShown = (field: string): number => (PEOPLE.has(field) ? LIMITS.authorsShown.most : LIMITS.values.most);
const PEOPLE: ReadonlySet<string> = new Set(["creators", "contributors", "rightsHolders"]);
/** From this number of files on, folders are shown as folders. */
const TREE_FILES = 10;

const worded = ({ value, lang }: Text) => ({ text: value, ...(lang === undefined ? {} : { lang }) });

/** The title in the reader's language, as far as there is one. */
export function shownTitle(metadata: Metadata, tag: string): { readonly text: string; readonly lang?: string } {
  const title = titleIn(metadata, tag);
  return title === null ? { text: "" } : worded({ ...title, value: cut(title.value, TITLE_SHOWN) });
}

/** Characters of a title that a page shows: it appears several times on a page. */
const TITLE_SHOWN = 5_000;

function abstractIn({ descriptions }: Metadata, tag: string): Description | null {
  return (
    inLanguage(
      descriptions.filter(({ kind }) => kind.toLowerCase() === "abstract"),
      tag,
    )[0] ?? null
  );
}

/** All metadata that a page shows below its title. */
function readingOf(metadata: Metadata, tag: string, abstract: Description | null): Reading {
  const above = { title: titleIn(metadata, tag)?.value ?? "", abstract: abstract?.value ?? null };
  return { tag, above, part: { from: 0, most: ROW_VALUES } };
}

/** A licence by its name, else the text as it was given. */
function licenseView({ license, licenseText }: ItemFile, licenses: Licenses): LicenseView | null {
  const text = license ?? licenseText;
  if (text === undefined) return null;
  const known = licenses(license);
  return { names: known?.names ?? null, text, href: webAddress(text) ?? known?.href ?? null };
}

/** A row with the names the vocabulary gives to licences. */
const namedRow = (row: ShownRow, licenses: Licenses, rootPath: string): RowView => {
  const named = (value: ShownValue): ValueView =>
    row.field === "rights" ? namedLicense(value, licenses) : linkedPerson(value, rootPath);
  const values = row.values.map(({ filed, ...value }) => {
    const view = named(value);
    return filed === undefined ? view : { ...view, filedAt: `${rootPath}${filedPath(filed.kind, filed.value)}` };
  });
  return { ...row, values };
};

/** Persons of the author database link to their page; addresses elsewhere are among their identifiers. */
const linkedPerson = ({ person, ...value }: ShownValue, rootPath: string): ValueView =>
  person === undefined ? value : { ...value, href: `${rootPath}/authors/${person}` };

/** Characters of a text that the first page shows; the page of its field has all of it. */
const TEXT_SHOWN = 5_000;

const shortText = <T extends Text>(text: T): T =>
  text.value.length <= TEXT_SHOWN ? text : { ...text, value: cut(text.value, TEXT_SHOWN) };

function abstractView(abstract: Description): NonNullable<RecordView["abstract"]> {
  const whole = abstract.html ? htmlToText(abstract.value) : abstract.value;
  const { text, ...language } = worded({ ...abstract, value: cut(whole, TEXT_SHOWN) });
  return { text, ...language, isCut: whole.length > TEXT_SHOWN };
}

/** A row whose long texts are cut. */
function shortRow(row: RowView): RowView {
  if (row.values.every(({ text }) => text.length <= TEXT_SHOWN)) return row;
  return { ...row, isCut: true, values: row.values.map((value) => ({ ...value, text: cut(value.text, TEXT_SHOWN) })) };
}

/** A row of people in which the ORCID iD that the owner confirmed is marked. */
function confirmedRow(row: RowView, orcid: string | null): RowView {
  if (orcid === null || !PEOPLE.has(row.field)) return row;
  const values = row.values.map((value) => {
    const details = value.details?.map((each) => (each.orcid === orcid ? { ...each, isConfirmed: true } : each));
    return details === undefined ? value : { ...value, details };
  });
  return { ...row, values };
}

function namedLicense(value: ShownValue, licenses: Licenses): ValueView {
  const known = licenses(value.term?.id) ?? licenses(value.href);
  if (known === null) return value;
  const href = value.href ?? (known.href === null ? null : webAddress(known.href));
  return { ...value, names: known.names, ...(href === null ? {} : { href }) };
}

const fileView = (
  rootPath: string,
  { file, readable, status, until, path, view }: ShownFile,
  licenses: Licenses,
  closed: ClosedView | null = null,
): FileView => ({
  name: shownFileName(file.name),
  href: `${rootPath}${path}`,
  view: view === null ? null : `${rootPath}${view}`,
  sizeBytes: file.sizeBytes,
  mediaType: file.mediaType,
  access: status,
  until,
  readable,
  license: licenseView(file, licenses),
  label: fileDescription(file),
  ...(readable || status === "login" || closed === null ? {} : { closed }),
});

/** What a reader is offered about closed files, and by which right they read them. */
type AccessViews = { readonly closed: ClosedView | null; readonly right: RightView | null };
const NO_ACCESS: AccessViews = { closed: null, right: null };

/** In the language of the page; "" where there is none. */
export const communityName = (title: AccessOffer["community"], tag: string): string =>
  title === null ? "" : communityTitle(title, tag);

/** The same of an item that is published. */
export function accessViews(
  viewer: Viewer,
  { item, parent, draft, files }: Pick<ShownRecord["readable"], "item" | "parent" | "draft" | "files">,
  { files: asked, refused, own, community }: AccessOffer,
  { rootPath, texts }: Pick<SiteView, "rootPath" | "texts">,
): AccessViews {
  if (draft !== null) return NO_ACCESS;
  const isOffered = asked.length > 0 && refused !== "off";
  const href = !isOffered ? null : own === null ? `/records/${item.id}/request-access` : `/access-requests/${own.id}`;
  const isClosed = files.some(({ readable }) => !readable);
  const link = viewer.links?.find((each) => each.filesUntil !== undefined && each.parent === parent.id)?.filesUntil;
  const granted = (parent.fileGrants ?? []).filter(({ account }) => account === viewer.account?.id);
  const until = link ?? granted.map(({ endsOn }) => endsOn).at(-1);
  return {
    closed: isClosed
      ? {
          community: communityName(community, texts.tag),
          href: href === null ? null : rootPath + href,
          isOwn: own !== null,
        }
      : null,
    right: until === undefined || isClosed ? null : { isLink: link !== undefined, until },
  };
}

/** Folders, if there are more than a few files and any is in one; otherwise one table with their paths. */
function filesView(
  { files, fileCount: count, licenses }: Pick<ShownRecord, "files" | "fileCount" | "licenses">,
  rootPath: string,
  base: string,
  { closed, right }: AccessViews = NO_ACCESS,
): FilesView {
  const views = files.map((shown) => ({
    ...fileView(rootPath, shown, licenses, closed),
    path: shownPath(shown.file.name),
  }));
  const whole = count === files.length;
  const isTree = whole && files.length > TREE_FILES;
  const top: FolderView = fileTree(views, ({ path, name }) => (isTree ? path : [name]));
  return { top, whole, count, href: `${rootPath}${base}/files`, closed, right };
}

/** What waits for a decision, as the page of its activity shows it. `base`: path of that page. */
export async function proposalView(
  { content, own, published, ...more }: ProposedRecord,
  tag: string,
  rootPath: string,
  base: string,
  checks: ProposalView["checks"] = null,
): Promise<ProposalView> {
  return {
    title: shownTitle(content.metadata, tag),
    rows: shownRows(content.metadata, readingOf(content.metadata, tag, null)).map((row) =>
      namedRow(row, more.licenses, rootPath),
    ),
    own,
    valuesAt: `${rootPath}${base}/values/`,
    files: filesView(more, rootPath, base),
    checks,
    changes: published === null ? null : await inTurns(contentDifferenceInParts(published, content, tag)),
  };
}

/** A folder of files on a separate page; `base`: path of the page that links here. */
export function filesPageView(
  { content, licenses, listing }: LicensedContent & WithFileListing,
  tag: string,
  rootPath: string,
  base: string,
  closed: ClosedView | null = null,
): FilesPageView {
  return {
    ...listing,
    title: shownTitle(content.metadata, tag),
    back: `${rootPath}${base}`,
    here: `${rootPath}${base}/files`,
    files: listing.files.map(({ name, file }) => ({ name, file: fileView(rootPath, file, licenses, closed) })),
  };
}

/** All values of a field, page by page. Throws not_found for a field or page there is none of. */
export function valuesPageView(
  { content: { metadata }, licenses }: LicensedContent,
  asked: { readonly field: string; readonly page: number },
  tag: string,
  rootPath: string,
  base: string,
): ValuesPageView {
  const field = SHOWN_FIELDS.find((each) => each === asked.field);
  if (field === undefined) throw new Refusal("not_found", `There is no field "${asked.field.slice(0, 100)}"`);
  const from = (asked.page - 1) * VALUES_PAGE;
  const most = Math.max(0, Math.min(VALUES_PAGE, valuesShown(field) - from));
  const abstract = abstractIn(metadata, tag);
  // An abstract that the first page cuts is whole here.
  const above = abstract !== null && abstractView(abstract).isCut ? null : abstract;
  const reading = { ...readingOf(metadata, tag, above), part: { from, most } };
  const row = namedRow(shownRow(metadata, field, reading), licenses, rootPath);
  const shown = Math.min(row.count, valuesShown(field));
  const pages = Math.ceil(shown / VALUES_PAGE);
  if (asked.page > pages) throw new Refusal("not_found", `"${field}" has ${pages} pages, not ${asked.page}`);
  return {
    title: shownTitle(metadata, tag),
    back: `${rootPath}${base}`,
    here: `${rootPath}${base}/values/${field}`,
    row,
    from: from + 1,
    shown,
    page: asked.page,
    pages,
  };
}

export function recordView(shown: ShownRecord, tag: string, rootPath: string, access?: AccessViews): RecordView {
  const { readable } = shown;
  const { item, content, draft, versions } = readable;
  const { metadata } = content;
  // Programs get the members that make a record; the exports contain all of it.
  const bounded = boundedMetadata(withImprint(metadata));
  const cited = { ...shown.cited, metadata: { ...bounded, descriptions: bounded.descriptions.map(shortText) } };
  const latest = versions.find(({ isLatest }) => isLatest);
  const stated = metadata.accessRights?.label;
  const actual = STATUS_RIGHTS[readable.accessStatus].label;
  const isPublic = draft === null && !shown.isRestricted;
  const abstract = abstractIn(metadata, tag);
  const base = `/records/${item.id}`;
  const isFew = metadata.creators.length <= HEAD_PEOPLE + SPARE_PEOPLE;
  return {
    id: item.id,
    title: shownTitle(metadata, tag),
    people: peopleIn(metadata.creators, tag, isFew ? HEAD_PEOPLE + SPARE_PEOPLE : HEAD_PEOPLE),
    peopleCount: metadata.creators.length,
    abstract: abstract === null ? null : abstractView(abstract),
    rows: shownRows(metadata, readingOf(metadata, tag, abstract))
      .map((row) => namedRow(row, shown.licenses, rootPath))
      .map((row) => shortRow(confirmedRow(row, shown.confirmedOrcid))),
    own: shown.own,
    valuesAt: `${rootPath}${base}/values/`,
    openness: shown.openness,
    isRestricted: shown.isRestricted,
    contradiction: readable.warning === null || stated === undefined ? null : { stated, actual },
    isDraft: draft !== null,
    activityId: shown.activityId,
    usage: shown.usage === null ? null : usageView(shown.usage),
    files: filesView(shown, rootPath, base, access),
    ark: item.ark === null || cited.ark === null ? null : { name: `ark:${item.ark}`, url: cited.ark },
    address: cited.landingPage,
    publishedAt: item.publishedAt,
    updatedAt: item.updatedAt,
    versionIndex: item.versionIndex,
    versions: versions.map(({ id, versionIndex, isLatest, publishedAt }) => ({
      id,
      index: versionIndex,
      isLatest,
      publishedAt,
    })),
    latest: draft === null && latest !== undefined && latest.id !== item.id ? latest.id : null,
    communities: shown.communities.map(({ slug, title }) => ({ slug, title })),
    indexes: shown.indexes.map((trail) => trail.map((node) => ({ id: node.id, name: namesOf(node) }))),
    // Of very many creators the last one is named too, so that all of them are read.
    citations: citationsOf(item.id, { ...cited, metadata: { ...cited.metadata, creators: metadata.creators } }, tag),
    bibtex: shortEntry(bibtexEntry(String(item.id), cited)),
    ris: shortEntry(risEntry(String(item.id), cited)),
    exports:
      draft === null
        ? EXPORT_FORMATS.filter(({ isForMachines }) => isForMachines !== true).map(({ id, name }) => ({
            name,
            href: `${base}/export/${id}`,
          }))
        : [],
    tags: isPublic ? citationTags(cited, tag) : [],
    links: isPublic ? signpostingLinks(cited, describedBy(cited.landingPage), linksetsOf(cited.landingPage)) : [],
    data: isPublic
      ? schemaOrg({ ...cited, ...(item.publishedAt === null ? {} : { publishedAt: item.publishedAt }) }, tag)
      : null,
  };
}

/** The citation of the item in each style, in the language of the page if the item has it. */
function citationsOf(id: ItemId, cited: CitedItem, tag: string): RecordView["citations"] {
  const item = cslItem(String(id), cited, tag);
  const locale = tag === "en" ? DEFAULT_LOCALE : tag;
  const lang = citedLanguage(cited.metadata, tag) ?? tag;
  return CITATION_STYLES.map(({ name, write, followsItem }) => ({
    name,
    text: withArk(write(item, followsItem ? lang : locale), cited.ark),
  }));
}

/** Nobody copies a longer entry from a page. */
const ENTRY_CHARACTERS = 4_000;

const shortEntry = (entry: string): string | null => (entry.length > ENTRY_CHARACTERS ? null : entry);

/** Counts of all versions; of this one too, if there are others. */
const usageView = ({ allVersions, thisVersion }: UsageStats): UsageView => ({
  views: allVersions.views,
  downloads: allVersions.downloads,
  ofThis:
    allVersions.views === thisVersion.views && allVersions.downloads === thisVersion.downloads
      ? null
      : { views: thisVersion.views, downloads: thisVersion.downloads },
});

export const namesOf = ({ indexName, indexNameEnglish }: Pick<IndexNode, "indexName" | "indexNameEnglish">) => ({
  en: indexNameEnglish || indexName,
  ja: indexName || indexNameEnglish,
});

/** Only one whose check character is right has the mark. */
function orcidIn(ids: readonly Ident[]): string | null {
  const [stated] = ids.filter(({ scheme }) => /^orcid$/i.test(scheme));
  const bare = stated === undefined ? "" : bareIdentifier(stated.value);
  return bare !== "" && formProblem("orcid", bare) === null ? bare : null;
}

export function itemLine({ item, openness }: ListedItem, tag: string): ItemLine {
  const metadata = item.content?.metadata;
  const nothing = { title: { text: "" }, people: [], hasMore: false, type: null, date: null };
  if (metadata === undefined) return { id: item.id, ...nothing, openness };
  const { type, creators } = metadata;
  const named = creators.slice(0, NAMED).flatMap((creator) => {
    const [name] = peopleIn([creator], tag, 1);
    return name === undefined ? [] : [{ name, orcid: orcidIn(creator.ids) }];
  });
  return {
    id: item.id,
    title: shownTitle(metadata, tag),
    people: named.map(({ name }) => name),
    orcids: named.map(({ orcid }) => orcid),
    hasMore: creators.length > NAMED,
    type: type === null ? null : { id: type.id, label: type.label ?? type.id },
    date: publicationDate(metadata),
    openness,
  };
}

export const indexLine = ({ node, children }: ListedIndex): IndexLine => ({
  id: node.id,
  name: namesOf(node),
  comment: node.comment,
  children: children.map((child) => ({ id: child.id, name: namesOf(child) })),
});
