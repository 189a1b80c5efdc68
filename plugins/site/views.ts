// Items as pages show them: what the services give, in the terms of the pages (R19a).
import type { ProposalView } from "../../src/assets/pages/repository/activity-pages.ts";
import type { IndexLine } from "../../src/assets/pages/repository/index-page.ts";
import type { ItemLine } from "../../src/assets/pages/repository/item-list.ts";
import type { FileView, RecordView } from "../../src/assets/pages/repository/record-page.ts";
import { STATUS_RIGHTS } from "../../src/domain/items/embargo.ts";
import type { Metadata, Text } from "../../src/domain/items/metadata.ts";
import { cut } from "../../src/domain/items/summary.ts";
import { mainTitle, publicationDate } from "../../src/domain/items/metadata.ts";
import type { IndexNode } from "../../src/domain/repository/index-node.ts";
import { displayName, nameOf } from "../../src/formats/citation/cited-item.ts";
import { citationTags } from "../../src/formats/citation/meta-tags.ts";
import { schemaOrg } from "../../src/formats/citation/schema-org.ts";
import { type DescribedBy, signpostingLinks } from "../../src/formats/citation/signposting.ts";
import { citationText } from "../../src/formats/citation/text.ts";
import { boundedMetadata } from "../../src/formats/shown/bounded.ts";
import { htmlToText } from "../../src/formats/html-text.ts";
import { shownRows } from "../../src/formats/shown/rows.ts";
import { EXPORT_FORMATS } from "../../src/services/showing/exports.ts";
import type { ListedIndex, ListedItem } from "../../src/services/showing/lists.ts";
import type { Proposed, ShownFile, ShownRecord } from "../../src/services/showing/record.ts";

const worded = ({ value, lang }: Text) => ({ text: value, ...(lang === undefined ? {} : { lang }) });

/** The title in the reader's language where there is a main one in it, else the one the item is listed under. */
function titleIn(metadata: Metadata, tag: string): { readonly text: string; readonly lang?: string } {
  const main = metadata.titles.filter(({ kind }) => kind === "main");
  const found = main.find(({ lang }) => lang === tag) ?? main[0] ?? metadata.titles[0];
  return found === undefined ? { text: mainTitle(metadata) } : worded(found);
}

function peopleIn(metadata: Metadata, tag: string): readonly string[] {
  return metadata.creators.flatMap((agent) => {
    const name = nameOf(agent, tag);
    const text = name === null ? (agent.alternatives[0]?.value ?? "") : displayName(name);
    return text === "" ? [] : [text];
  });
}

function abstractIn(metadata: Metadata, tag: string): RecordView["abstract"] {
  const abstracts = metadata.descriptions.filter(({ kind }) => kind.toLowerCase() === "abstract");
  const found = abstracts.find(({ lang }) => lang === tag) ?? abstracts[0];
  return found === undefined ? null : worded(found.html ? { ...found, value: htmlToText(found.value) } : found);
}

const fileView = (rootPath: string, { file, readable, standing, until, path }: ShownFile): FileView => ({
  name: file.name,
  href: `${rootPath}${path}`,
  sizeBytes: file.sizeBytes,
  mediaType: file.mediaType,
  access: standing,
  until,
  readable,
  license: file.license ?? null,
  label: file.label ?? null,
});

/** What waits for a decision, as the page of its activity shows it. */
export function proposalView({ content, own, files }: Proposed, tag: string, rootPath: string): ProposalView {
  const title = titleIn(content.metadata, tag);
  return {
    title,
    rows: shownRows(boundedMetadata(content.metadata).metadata, { title: title.text, abstract: null }),
    own: boundedOwn(own),
    files: files.map((file) => fileView(rootPath, file)),
  };
}

/** Documents that describe an item, for links between machines. */
export const describedBy = (url: string): readonly DescribedBy[] =>
  EXPORT_FORMATS.map(({ id, mediaType, profile }) => ({ url: `${url}/export/${id}`, type: mediaType, profile }));

/** Fields of an item type that a page shows, and characters of each. */
const OWN_SHOWN = 1_000;
const OWN_CHARACTERS = 5_000;

const boundedOwn = (own: ShownRecord["own"]): ShownRecord["own"] =>
  own.slice(0, OWN_SHOWN).map((each) => ({ ...each, value: cut(each.value, OWN_CHARACTERS) }));

export function recordView(shown: ShownRecord, tag: string, rootPath: string): RecordView {
  const { readable } = shown;
  const { item, content, draft, versions } = readable;
  const { metadata, isCut } = boundedMetadata(content.metadata);
  const cited = { ...shown.cited, metadata };
  const latest = versions.find(({ isLatest }) => isLatest);
  const stated = metadata.accessRights?.label;
  const actual = STATUS_RIGHTS[readable.accessStatus].label;
  const isPublic = draft === null && !shown.isRestricted;
  const title = titleIn(metadata, tag);
  const abstract = abstractIn(metadata, tag);
  return {
    id: item.id,
    title,
    people: peopleIn(metadata, tag),
    abstract,
    rows: shownRows(metadata, { title: title.text, abstract: abstract?.text ?? null }),
    own: boundedOwn(shown.own),
    isCut,
    status: readable.accessStatus,
    opensOn: shown.opensOn,
    isRestricted: shown.isRestricted,
    contradiction: readable.warning === null || stated === undefined ? null : { stated, actual },
    isDraft: draft !== null,
    activityId: shown.activityId,
    files: shown.files.map((file) => fileView(rootPath, file)),
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
    places: shown.places.map((trail) => trail.map((node) => ({ id: node.id, name: namesOf(node) }))),
    citation: citationText(cited),
    exports: EXPORT_FORMATS.map(({ id, name }) => ({ name, href: `/records/${item.id}/export/${id}` })),
    tags: isPublic ? citationTags(cited) : [],
    links: isPublic ? signpostingLinks(cited, describedBy(cited.landingPage)) : [],
    data: isPublic ? schemaOrg(cited) : null,
  };
}

export const namesOf = ({ indexName, indexNameEnglish }: Pick<IndexNode, "indexName" | "indexNameEnglish">) => ({
  en: indexNameEnglish || indexName,
  ja: indexName || indexNameEnglish,
});

export function itemLine({ item, status }: ListedItem, tag: string): ItemLine {
  const metadata = item.content?.metadata;
  if (metadata === undefined) return { id: item.id, title: { text: "" }, people: [], type: null, date: null, status };
  const { type } = metadata;
  return {
    id: item.id,
    title: titleIn(metadata, tag),
    people: peopleIn(metadata, tag),
    type: type === null ? null : { id: type.id, label: type.label ?? type.id },
    date: publicationDate(metadata),
    status,
  };
}

export const indexLine = ({ node, children }: ListedIndex): IndexLine => ({
  id: node.id,
  name: namesOf(node),
  comment: node.comment,
  children: children.map((child) => ({ id: child.id, name: namesOf(child) })),
});
