// Resource types: JPCOAR 2.0 label, COAR URI and id of the vocabulary resourcetypes in one table (R3). Many labels
// share an id and three share a URI, so the label of the source is always kept with the id.
import type { ResourceType } from "./metadata.ts";

export type ResourceTypeRow = {
  /** The label of the JPCOAR guidelines. */
  readonly label: string;
  /** The concept of the COAR vocabulary Resource Types. */
  readonly uri: string;
  /** Id of the vocabulary resourcetypes. */
  readonly id: string;
  /** False for labels of JPCOAR 1.0 which the enumeration of 2.0 no longer holds. */
  readonly current: boolean;
};

const COAR = "http://purl.org/coar/resource_type/";

/** Label, last part of the COAR URI, id; in the order of the enumeration of JPCOAR 2.0. */
const CURRENT: readonly (readonly [label: string, concept: string, id: string])[] = [
  ["conference paper", "c_5794", "publication-conferencepaper"],
  ["data paper", "c_beb9", "publication-datapaper"],
  ["departmental bulletin paper", "c_6501", "publication-article"],
  ["editorial", "c_b239", "publication-article"],
  ["journal", "c_0640", "publication-journal"],
  ["journal article", "c_6501", "publication-article"],
  ["newspaper", "c_2fe3", "publication-other"],
  ["review article", "c_dcae04bc", "publication-article"],
  ["other periodical", "QX5C-AR31", "publication-journal"],
  ["software paper", "c_7bab", "publication-article"],
  ["article", "c_6501", "publication-article"],
  ["book", "c_2f33", "publication-book"],
  ["book part", "c_3248", "publication-section"],
  ["cartographic material", "c_12cc", "image-other"],
  ["map", "c_12cd", "image-other"],
  ["conference output", "c_c94f", "publication-other"],
  ["conference presentation", "R60J-J5BD", "presentation"],
  ["conference proceedings", "c_f744", "publication-conferenceproceeding"],
  ["conference poster", "c_6670", "poster"],
  ["aggregated data", "ACF7-8YT9", "dataset"],
  ["clinical trial data", "c_cb28", "dataset"],
  ["compiled data", "FXF3-D3G7", "dataset"],
  ["dataset", "c_ddb1", "dataset"],
  ["encoded data", "AM6W-6QAW", "dataset"],
  ["experimental data", "63NG-B465", "dataset"],
  ["genomic data", "A8F1-NPV9", "dataset"],
  ["geospatial data", "2H0M-X761", "dataset"],
  ["laboratory notebook", "H41Y-FW7B", "dataset"],
  ["measurement and test data", "DD58-GFSX", "dataset"],
  ["observational data", "FF4C-28RK", "dataset"],
  ["recorded data", "CQMR-7K63", "dataset"],
  ["simulation data", "W2XT-7017", "dataset"],
  ["survey data", "NHD0-W6SY", "dataset"],
  ["image", "c_c513", "image"],
  ["still image", "c_ecc8", "image"],
  ["moving image", "c_8a7e", "video"],
  ["video", "c_12ce", "video"],
  ["lecture", "c_8544", "presentation"],
  ["design patent", "C53B-JCY5", "publication-patent"],
  ["patent", "c_15cd", "publication-patent"],
  ["PCT application", "SB3Y-W4EH", "publication-patent"],
  ["plant patent", "Z907-YMBB", "publication-patent"],
  ["plant variety protection", "GPQ7-G5VE", "publication-patent"],
  ["software patent", "MW8G-3CR8", "publication-patent"],
  ["trademark", "H6QP-SC1X", "publication-patent"],
  ["utility model", "9DKX-KSAF", "publication-patent"],
  ["report", "c_93fc", "publication-report"],
  ["research report", "c_18ws", "publication-report"],
  ["technical report", "c_18gh", "publication-technicalnote"],
  ["policy report", "c_186u", "publication-report"],
  ["working paper", "c_8042", "publication-workingpaper"],
  ["data management plan", "c_ab20", "publication-datamanagementplan"],
  ["sound", "c_18cc", "audio"],
  ["thesis", "c_46ec", "publication-thesis"],
  ["bachelor thesis", "c_7a1f", "publication-thesis"],
  ["master thesis", "c_bdcc", "publication-thesis"],
  ["doctoral thesis", "c_db06", "publication-dissertation"],
  ["commentary", "D97F-VB57", "publication-other"],
  ["design", "542X-3S04", "other"],
  ["industrial design", "JBNF-DYAD", "other"],
  ["interactive resource", "c_e9a0", "other"],
  ["layout design", "BW7T-YM2G", "other"],
  ["learning object", "c_e059", "lesson"],
  ["manuscript", "c_0040", "publication-other"],
  ["musical notation", "c_18cw", "other"],
  ["peer review", "H9BQ-739P", "publication-peerreview"],
  ["research proposal", "c_baaf", "publication-proposal"],
  ["research protocol", "YZ1N-ZFT9", "publication-other"],
  ["software", "c_5ce6", "software"],
  ["source code", "QH80-2R4E", "software"],
  ["technical documentation", "c_71bd", "publication-softwaredocumentation"],
  ["transcription", "6NC7-GK9S", "other"],
  ["workflow", "c_393c", "workflow"],
  ["other", "c_1843", "other"],
];

/**
 * Labels of JPCOAR 1.0, still offered by the full item type and found in older documents; `2.0` has the present ones.
 */
const FORMER: readonly (readonly [label: string, concept: string, id: string, today: string])[] = [
  ["periodical", "c_2659", "publication-journal", "other periodical"],
  ["conference object", "c_c94f", "publication-other", "conference output"],
  ["interview", "c_26e4", "other", "other"],
  ["internal report", "c_18ww", "publication-report", "report"],
  ["report part", "c_ba1f", "publication-section", "report"],
];

const row = (label: string, concept: string, id: string, current: boolean): ResourceTypeRow => ({
  label,
  uri: COAR + concept,
  id,
  current,
});

export const RESOURCE_TYPES: readonly ResourceTypeRow[] = [
  ...CURRENT.map(([label, concept, id]) => row(label, concept, id, true)),
  ...FORMER.map(([label, concept, id]) => row(label, concept, id, false)),
];

/** Ids of resourcetypes without a JPCOAR label, with the label that is printed for them. */
const LABEL_OF_ID: Readonly<Record<string, string>> = {
  publication: "other",
  "publication-annotationcollection": "other",
  "publication-article": "journal article",
  "publication-deliverable": "research report",
  "publication-milestone": "research report",
  "publication-preprint": "other",
  "publication-report": "report",
  "publication-standard": "technical documentation",
  "publication-taxonomictreatment": "article",
  "publication-thesis": "thesis",
  "publication-journal": "journal",
  "publication-other": "other",
  "publication-patent": "patent",
  dataset: "dataset",
  event: "other",
  image: "image",
  "image-diagram": "still image",
  "image-drawing": "still image",
  "image-figure": "still image",
  "image-other": "image",
  "image-photo": "still image",
  "image-plot": "still image",
  model: "other",
  other: "other",
  physicalobject: "other",
  presentation: "conference presentation",
  software: "software",
  "software-computationalnotebook": "software",
  video: "video",
};

/** Every id in this table, sorted: the minimum of the vocabulary resourcetypes. */
export const RESOURCE_TYPE_IDS: readonly string[] = [
  ...new Set([...RESOURCE_TYPES.map((type) => type.id), ...Object.keys(LABEL_OF_ID)]),
].sort();

const byLabel = new Map(RESOURCE_TYPES.map((type) => [type.label.toLowerCase(), type]));
const byUri = new Map<string, ResourceTypeRow>();
const byId = new Map<string, ResourceTypeRow>();
for (const type of RESOURCE_TYPES) {
  // Of labels with one URI the plain one is used: c_6501 alone is "journal article".
  if (!byUri.has(type.uri) || type.label === "journal article") byUri.set(type.uri, type);
  if (!byId.has(type.id)) byId.set(type.id, type);
}
for (const [id, label] of Object.entries(LABEL_OF_ID)) {
  const type = byLabel.get(label);
  if (type !== undefined) byId.set(id, type);
}

/** COAR writes its newer concepts with and without a slash at the end, and with both schemes. */
function normalUri(uri: string): string {
  return uri
    .trim()
    .replace(/^https:/, "http:")
    .replace(/\/$/, "");
}

/** The row of a label (in any case), else of a COAR URI; null when neither is known. */
export function resourceTypeRow(label: string | undefined, uri: string | undefined): ResourceTypeRow | null {
  const labelled = label === undefined ? undefined : byLabel.get(label.trim().toLowerCase());
  return labelled ?? (uri === undefined ? undefined : byUri.get(normalUri(uri))) ?? null;
}

/**
 * What a source wrote as a resource type, with its id; `other` when neither label nor URI is known. The label is kept
 * as written.
 */
export function resourceTypeOf(label: string, uri?: string): ResourceType {
  const known = resourceTypeRow(label, uri);
  const written = label.trim();
  return {
    id: known?.id ?? "other",
    ...(written === "" ? {} : { label: written }),
    ...(uri === undefined || uri.trim() === "" ? {} : { uri: uri.trim() }),
  };
}

/**
 * The row of JPCOAR 2.0 a resource type is printed as: by its own label, else its URI, else its id; null when nothing
 * is known.
 */
export function printedResourceType(type: ResourceType): ResourceTypeRow | null {
  const known = resourceTypeRow(type.label, type.uri) ?? byId.get(type.id) ?? null;
  if (known === null || known.current) return known;
  const today = FORMER.find(([label]) => label === known.label)?.[3];
  return today === undefined ? null : (byLabel.get(today) ?? null);
}
