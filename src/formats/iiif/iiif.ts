// Pictures of an item for viewers elsewhere: a manifest of the IIIF Presentation API 3.0, and the information about one
// picture of the Image API 3.0, level 0 (R49). Pure: which pictures there are, and their sizes, are passed in.
import { type Static, Type } from "@sinclair/typebox";
import { rightAddress } from "../../model/metadata/licenses.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { inLanguage, peopleIn } from "../../model/metadata/reader-language.ts";
import { htmlToText } from "../../shared/html/html-text.ts";

const Labels = Type.Record(Type.String(), Type.Array(Type.String()), {
  $id: "IiifLabels",
  description: "Texts by language; `none` where it is unknown",
});

const Linked = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    label: Type.Optional(Labels),
    format: Type.String(),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
  },
  { $id: "IiifResource" },
);

const Service = Type.Object({ id: Type.String(), type: Type.String(), profile: Type.String() }, { $id: "IiifService" });

const size = { height: Type.Integer(), width: Type.Integer() };

const Annotation = Type.Object(
  {
    ...{ id: Type.String(), type: Type.Literal("Annotation"), motivation: Type.Literal("painting") },
    body: Type.Object({
      ...{ id: Type.String(), type: Type.Literal("Image"), format: Type.String(), ...size },
      service: Type.Optional(Type.Array(Service)),
    }),
    target: Type.String(),
  },
  { $id: "IiifAnnotation" },
);

const Canvas = Type.Object(
  {
    ...{ id: Type.String(), type: Type.Literal("Canvas"), label: Labels, ...size },
    summary: Type.Optional(Labels),
    rendering: Type.Array(Linked),
    items: Type.Array(
      Type.Object({ id: Type.String(), type: Type.Literal("AnnotationPage"), items: Type.Array(Annotation) }),
    ),
  },
  { $id: "IiifCanvas" },
);

const Statement = Type.Object({ label: Labels, value: Labels }, { $id: "IiifStatement" });

export const ManifestShape = Type.Object(
  {
    "@context": Type.String(),
    ...{ id: Type.String(), type: Type.Literal("Manifest"), label: Labels },
    summary: Type.Optional(Labels),
    metadata: Type.Array(Statement),
    requiredStatement: Type.Optional(Statement),
    rights: Type.Optional(Type.String()),
    thumbnail: Type.Optional(Type.Array(Linked)),
    homepage: Type.Array(Linked),
    seeAlso: Type.Array(Linked),
    items: Type.Array(Canvas),
  },
  { $id: "IiifManifest" },
);
export type Manifest = Static<typeof ManifestShape>;

export const ImageInfoShape = Type.Object(
  {
    "@context": Type.String(),
    ...{ id: Type.String(), type: Type.Literal("ImageService3") },
    ...{ protocol: Type.String(), profile: Type.Literal("level0"), ...size },
    sizes: Type.Array(Type.Object(size)),
    preferredFormats: Type.Optional(Type.Array(Type.String())),
    extraFormats: Type.Optional(Type.Array(Type.String())),
  },
  { $id: "IiifImageInfo" },
);
export type ImageInfo = Static<typeof ImageInfoShape>;

export const PRESENTATION_CONTEXT = "http://iiif.io/api/presentation/3/context.json";
export const IMAGE_CONTEXT = "http://iiif.io/api/image/3/context.json";

/** The end of the address of a picture of each media type, as the Image API names formats. */
const IMAGE_FORMATS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
};

export type Picture = {
  readonly key: string;
  /** How people call it: its label, else its name. */
  readonly label: string;
  /** What it shows, where its depositor described it. */
  readonly description: string | null;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  /** Address of the file. */
  readonly file: string;
};

export type PicturedItem = {
  readonly id: number;
  readonly metadata: Metadata;
  readonly landingPage: string;
  readonly repositoryName: string;
  /** Addresses of the item in other formats. */
  readonly exports: readonly { readonly href: string; readonly format: string; readonly name: string }[];
  readonly pictures: readonly Picture[];
};

const iiifBase = (baseUrl: string): string => `${baseUrl}/api/iiif`;
const manifestAddress = (baseUrl: string, id: number): string => `${iiifBase(baseUrl)}/record:${id}/manifest`;
const imageAddress = (baseUrl: string, id: number, key: string): string =>
  `${iiifBase(baseUrl)}/record:${id}:${encodeURIComponent(key)}`;

const fullImage = (address: string, mediaType: string): string =>
  `${address}/full/max/0/default.${IMAGE_FORMATS[mediaType] ?? ""}`;

export function imageInfo(
  baseUrl: string,
  id: number,
  picture: Pick<Picture, "key" | "mediaType" | "width" | "height">,
): ImageInfo {
  const { key, mediaType, width, height } = picture;
  const format = IMAGE_FORMATS[mediaType] ?? "";
  return {
    "@context": IMAGE_CONTEXT,
    ...{ id: imageAddress(baseUrl, id, key), type: "ImageService3" },
    ...{ protocol: "http://iiif.io/api/image", profile: "level0", width, height },
    sizes: [{ width, height }],
    // Nothing is converted: other formats than JPEG are the only one of their picture.
    ...(format === "jpg" ? {} : { preferredFormats: [format], extraFormats: [format] }),
  };
}

const MOST_TEXTS = 20;
/** A larger picture is not its own thumbnail. */
const THUMBNAIL_BYTES = 1024 * 1024;

type Texts = readonly { readonly value: string; readonly lang?: string }[];
type LabelMap = Record<string, string[]>;

/** A text that begins and ends as an element does is HTML for viewers, unless white space is around it (API 3.0, 4.5). */
const plainText = (text: string): string => (text.startsWith("<") && text.endsWith(">") ? `${text} ` : text);

/** Texts by language. */
function labels(texts: Texts): LabelMap | null {
  const all: LabelMap = {};
  for (const { value, lang } of texts.slice(0, MOST_TEXTS)) {
    const text = value.trim();
    const tag = lang !== undefined && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(lang) ? lang : "none";
    if (text === "") continue;
    const list = all[tag] ?? [];
    all[tag] = list;
    list.push(plainText(text));
  }
  return Object.keys(all).length === 0 ? null : all;
}

const none = (text: string): LabelMap => ({ none: [plainText(text)] });

const LABELS = {
  people: { en: ["Creators"], ja: ["作成者"] },
  date: { en: ["Date"], ja: ["日付"] },
  attribution: { en: ["Attribution"], ja: ["帰属表示"] },
  original: { en: ["Original file"], ja: ["元のファイル"] },
  untitled: { en: ["Untitled"], ja: ["無題"] },
} as const;
const both = ({ en, ja }: { readonly en: readonly string[]; readonly ja: readonly string[] }): LabelMap => ({
  ...{ en: [...en], ja: [...ja] },
});

/** Creative Commons and RightsStatements.org, by the addresses that IIIF wants: those of http. */
const RIGHTS =
  /^https?:\/\/(?:creativecommons\.org\/(?:licenses|publicdomain)|rightsstatements\.org\/vocab)\/[\w./+-]{0,200}$/;

function rightsOf(metadata: Metadata): string | null {
  for (const right of metadata.rights) {
    const address = rightAddress(right);
    if (address !== null && RIGHTS.test(address)) return address.replace(/^https:/, "http:");
  }
  return null;
}

export function manifest(baseUrl: string, item: PicturedItem): Manifest {
  const { metadata, landingPage, pictures } = item;
  const id = manifestAddress(baseUrl, item.id);
  const label = labels(metadata.titles.filter(({ kind }) => kind !== "subtitle")) ?? both(LABELS.untitled);
  const abstracts = metadata.descriptions.filter(({ kind }) => kind === "Abstract");
  const summary = labels(
    abstracts.map((each) => ({ ...each, value: each.html ? htmlToText(each.value) : each.value })),
  );
  const rights = rightsOf(metadata);
  const first = pictures.find(({ sizeBytes }) => sizeBytes <= THUMBNAIL_BYTES);
  return {
    "@context": PRESENTATION_CONTEXT,
    ...{ id, type: "Manifest", label },
    ...(summary === null ? {} : { summary }),
    metadata: facts(metadata),
    requiredStatement: { label: both(LABELS.attribution), value: attribution(item) },
    ...(rights === null ? {} : { rights }),
    ...(first === undefined ? {} : { thumbnail: [imageOf(baseUrl, item.id, first)] }),
    homepage: [{ id: landingPage, type: "Text", label, format: "text/html" }],
    seeAlso: item.exports.map(({ href, format, name }) => ({ id: href, type: "Dataset", label: none(name), format })),
    items: pictures.map((picture, at) => canvas(baseUrl, item.id, picture, at + 1)),
  };
}

function facts(metadata: Metadata): Manifest["metadata"] {
  const people = peopleIn(metadata.creators, undefined, MOST_TEXTS);
  const date = metadata.publicationDate ?? "";
  return [
    ...(people.length === 0 ? [] : [{ label: both(LABELS.people), value: { none: people.map(plainText) } }]),
    ...(date === "" ? [] : [{ label: both(LABELS.date), value: none(date) }]),
  ];
}

/** What rights state in words, and where the pictures are from. */
function attribution({ metadata, repositoryName }: PicturedItem): LabelMap {
  const stated = labels(metadata.rights.flatMap(({ text }) => inLanguage(text, undefined)));
  const copyright = metadata.copyright ?? "";
  return stated ?? none(copyright === "" ? repositoryName : copyright);
}

const imageOf = (baseUrl: string, id: number, picture: Picture) => ({
  id: fullImage(imageAddress(baseUrl, id, picture.key), picture.mediaType),
  type: "Image" as const,
  format: picture.mediaType,
  height: picture.height,
  width: picture.width,
});

function canvas(baseUrl: string, id: number, picture: Picture, number: number): Manifest["items"][number] {
  const address = `${iiifBase(baseUrl)}/record:${id}/canvas/${number}`;
  const { label, description, width, height, mediaType, file } = picture;
  const body = imageOf(baseUrl, id, picture);
  // A service of level 0 must have JPEG: pictures in other formats are pictures without a service.
  const service =
    mediaType === "image/jpeg"
      ? [{ id: imageAddress(baseUrl, id, picture.key), type: "ImageService3", profile: "level0" }]
      : null;
  return {
    ...{ id: address, type: "Canvas", label: none(label), height, width },
    ...(description === null ? {} : { summary: none(description) }),
    rendering: [{ id: file, type: "Image", label: both(LABELS.original), format: mediaType }],
    items: [
      {
        ...{ id: `${address}/page`, type: "AnnotationPage" },
        items: [
          {
            ...{ id: `${address}/image`, type: "Annotation", motivation: "painting", target: address },
            body: service === null ? body : { ...body, service },
          },
        ],
      },
    ],
  };
}

/** What is asked of a picture: `full/max/0/default.jpg`. */
export type ImageRequest = {
  readonly region: string;
  readonly size: string;
  readonly rotation: string;
  /** Quality and format. */
  readonly file: string;
};

/** Which part of a request level 0 does not have for this picture; null: the answer is the file. */
export function unavailable(
  { region, size: asked, rotation, file }: ImageRequest,
  { mediaType, width, height }: Pick<Picture, "mediaType" | "width" | "height">,
): keyof ImageRequest | null {
  if (region !== "full") return "region";
  if (asked !== "max" && asked !== `${width},${height}`) return "size";
  if (rotation !== "0") return "rotation";
  return file === `default.${IMAGE_FORMATS[mediaType]}` ? null : "file";
}
