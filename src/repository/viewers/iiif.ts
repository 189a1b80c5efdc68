// The pictures of a published record for viewers elsewhere (Q.134 to Q.137): a manifest, and one picture by the Image
// API at level 0. The rights are those of the files interface.
import type { Viewer } from "../../auth/account.ts";
import {
  type ImageInfo,
  type ImageRequest,
  imageInfo,
  type Manifest,
  manifest,
  type Picture,
  unavailable,
} from "../../formats/iiif/iiif.ts";
import { mediaKindOf } from "../../formats/view/media-kind.ts";
import { SIZED_PICTURES } from "../../formats/view/picture-size.ts";
import { shownFileName } from "../../model/files/file-names.ts";
import { viewersOf } from "../../model/files/viewers.ts";
import type { Addresses } from "../../model/items/addresses.ts";
import type { ItemFile } from "../../model/items/item.ts";
import type { ItemId, RecordId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { RecentValues } from "../../shared/recent-values.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Storage } from "../../storage/storage.ts";
import type { ReadableItem } from "../items/item-views.ts";
import type { GivenFile } from "../record-files/listing.ts";
import type { RecordFiles } from "../record-files/record-files.ts";
import { describedPicture, sizeOf } from "./picture.ts";
import { headOf, readBytes, type ViewedFile } from "./reading.ts";

type IiifNeeds = {
  readonly files: Pick<RecordFiles, "archive" | "content">;
  readonly readable: (viewer: Viewer, id: RecordId) => Promise<ReadableItem>;
  readonly storage: Pick<Storage, "read">;
  readonly addresses: Addresses;
  readonly repositoryName: string;
};

/** The picture with the media type of its bytes. */
type GivenPicture = { readonly file: GivenFile; readonly record: ItemId };

export interface RecordPictures {
  /** @throws Refusal as files of records, and `not_found` where the caller may read no picture */
  manifest(viewer: Viewer, id: ItemId): Promise<Manifest>;
  /** `isOpen`: guests may have it. */
  info(viewer: Viewer, id: ItemId, key: string): Promise<{ readonly info: ImageInfo; readonly isOpen: boolean }>;
  /** @throws Refusal `invalid` for what level 0 does not have */
  image(viewer: Viewer, id: ItemId, key: string, request: ImageRequest): Promise<GivenPicture>;
}

type Header = Pick<Picture, "mediaType" | "width" | "height">;

/** Headers that are kept; twice as many at most. */
const HEADERS_KEPT = 5_000;
/** Headers that are read at the same time. */
const AT_ONCE = 8;

export function recordPictures(needs: IiifNeeds): RecordPictures {
  const { files, storage, addresses } = needs;
  const kept = new RecentValues<Header | null>(HEADERS_KEPT);

  async function headerOf(file: ViewedFile): Promise<Header | null> {
    // The bytes of a key never change.
    const known = kept.get(file.storageKey);
    return known === undefined ? kept.set(file.storageKey, await readHeader(storage, file)) : known;
  }

  async function pictureIn(viewer: Viewer, id: ItemId, key: string) {
    const file = await files.content(viewer, id, key);
    const header = await headerOf(file);
    if (header === null) throw new Refusal("not_found", `"${shownFileName(key)}" is not a picture that browsers show`);
    return { file, header, record: file.visited?.id ?? id };
  }

  return {
    async manifest(viewer, id) {
      const { record } = await files.archive(viewer, id);
      const found = await needs.readable(viewer, record);
      const pictures = await picturesOf(needs, record, picturesIn(found), headerOf);
      if (pictures.length === 0) throw new Refusal("not_found", "The record has no pictures that the caller may see");
      return manifest(addresses.baseUrl, {
        ...{ id: record, metadata: found.content.metadata, pictures },
        ...{ landingPage: addresses.landingPage(record), repositoryName: needs.repositoryName },
        exports: EXPORTS.map(({ format, path, name }) => ({
          ...{ format, name, href: `${addresses.landingPage(record)}/export/${path}` },
        })),
      });
    },
    async info(viewer, id, key) {
      const { file, header, record } = await pictureIn(viewer, id, key);
      return { info: imageInfo(addresses.baseUrl, record, { key, ...header }), isOpen: !file.restricted };
    },
    async image(viewer, id, key, request) {
      const { file, header, record } = await pictureIn(viewer, id, key);
      const wrong = unavailable(request, header);
      if (wrong !== null) {
        throw new Refusal("invalid", `Of this picture there is only full/max/0: not "${request[wrong].slice(0, 100)}"`);
      }
      return { file: { ...file, mediaType: header.mediaType }, record };
    },
  };
}

const EXPORTS = [
  { path: "jsonld", format: "application/ld+json", name: "JSON-LD" },
  { path: "datacite-json", format: "application/vnd.datacite.datacite+json", name: "DataCite JSON" },
] as const;

/** Files that are pictures by name and type and that the caller may read, in the order of the item. */
const picturesIn = ({ files }: ReadableItem): readonly ItemFile[] =>
  files
    .flatMap(({ file, readable }) => (readable && viewersOf(file).includes("picture") ? [file] : []))
    .slice(0, most("iiifPictures"));

async function picturesOf(
  { addresses }: IiifNeeds,
  record: ItemId,
  files: readonly ItemFile[],
  headerOf: (file: ItemFile) => Promise<Header | null>,
): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    const headers = await Promise.all(some.map(headerOf));
    for (const [index, file] of some.entries()) {
      const header = headers[index] ?? null;
      if (header !== null)
        pictures.push({ ...header, ...described(file), file: addresses.filePage(record, file.name) });
    }
  }
  return pictures;
}

function described(file: ItemFile): Pick<Picture, "key" | "label" | "description" | "sizeBytes"> {
  const { name, label, sizeBytes } = file;
  return {
    ...{ key: name, sizeBytes, description: describedPicture(file) },
    label: label === undefined || label.trim() === "" ? shownFileName(name) : label,
  };
}

async function readHeader(storage: Pick<Storage, "read">, file: ViewedFile): Promise<Header | null> {
  const head = await headOf(storage, file);
  const read = (first: number, length: number) => readBytes(storage, file, first, length);
  const mediaType = mediaKindOf(head)?.mediaType ?? "";
  if (!SIZED_PICTURES.includes(mediaType)) return null;
  const size = await sizeOf(mediaType, head, file.sizeBytes, read);
  return size === null ? null : { mediaType, ...size };
}
