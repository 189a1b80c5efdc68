// From an item as a viewer may read it to the input of export writers (R38, R2g): without mail addresses, and without
// hashes of files that the viewer may not read.
import { GUEST } from "../../auth/account.ts";
import type { ExportedRecord } from "../../formats/exported-record.ts";
import { type AccessStatus, opensOn } from "../../model/access/openness.ts";
import { fileReading, mayReadRecord } from "../../model/access/visibility.ts";
import { shownFileName } from "../../model/files/file-names.ts";
import type { Addresses } from "../../model/items/addresses.ts";
import type { Item, ItemContent, ItemFile, ItemParent } from "../../model/items/item.ts";
import { withImprint } from "../../model/metadata/imprint.ts";
import { publicMetadata } from "../../model/metadata/public-metadata.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import { listedFiles, type ReadableItem } from "../items/item-views.ts";
import type { RepositoryReader } from "../store/store.ts";

/** What every record of this repository has in common. */
export type ExportedPlace = {
  readonly addresses: Pick<Addresses, "baseUrl" | "landingPage" | "filePage" | "arkUrl">;
  readonly repositoryName: string;
};

export type ExportedNeeds = ExportedPlace & {
  readonly store: Pick<RepositoryReader, "items" | "communities">;
  readonly addresses: Pick<Addresses, "oaiIdentifier">;
  readonly today: () => Day;
};

/** An item, and what the viewer may have of it. */
export type ItemView = {
  readonly item: Omit<Item, "content">;
  readonly parent: ItemParent;
  readonly content: ItemContent;
  readonly privileged: boolean;
  /** Guests may read the record. */
  readonly isPublic: boolean;
  /** `readable`: by the viewer; `isPublic`: by everybody. */
  readonly files: readonly { readonly file: ItemFile; readonly readable: boolean; readonly isPublic: boolean }[];
  readonly accessStatus: AccessStatus;
  readonly isLatest: boolean;
  readonly replaces: number | null;
  readonly isReplacedBy: number | null;
};

export interface ExportedRecords {
  /** Of an item as a viewer may read it. */
  ofReadable(readable: ReadableItem): Promise<ExportedRecord>;
  /** Of an item as everybody may see it: what harvesters get. */
  ofView(view: ItemView): Promise<ExportedRecord>;
}

/** The record of an item of which everything is known. */
export function exportedRecord(
  view: Omit<ItemView, "parent" | "isPublic"> & Pick<ExportedRecord, "oai" | "communities"> & { readonly today: Day },
  { addresses, repositoryName }: ExportedPlace,
): ExportedRecord {
  const { item, content, oai, communities } = view;
  const pageOf = (id: ItemId | null): string | null => (id === null ? null : addresses.landingPage(id));
  return {
    id: item.id,
    parentId: item.parentId,
    versionIndex: item.versionIndex,
    isLatest: view.isLatest,
    metadata: withImprint(view.privileged ? content.metadata : publicMetadata(content.metadata)),
    access: content.access,
    status: view.accessStatus,
    opensOn: opensOn(content, view.today),
    files: view.files.map(({ file, readable, isPublic }) => ({
      name: shownFileName(file.name),
      url: addresses.filePage(item.id, file.name),
      mediaType: file.mediaType,
      sizeBytes: file.sizeBytes,
      md5: readable ? file.md5 : null,
      sha256: readable && file.sha256 !== "" ? file.sha256 : null,
      access: file.access,
      isPublic,
    })),
    filesEnabled: content.filesEnabled ?? content.files.length > 0,
    landingPage: addresses.landingPage(item.id),
    parentPage: addresses.landingPage(item.parentId),
    ark: item.ark === null ? null : `ark:${item.ark}`,
    arkUrl: item.ark === null ? null : addresses.arkUrl(item.ark),
    oai,
    repositoryName,
    baseUrl: addresses.baseUrl,
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
    publishedAt: item.publishedAt,
    replaces: pageOf(view.replaces),
    isReplacedBy: pageOf(view.isReplacedBy),
    communities,
  };
}

export const exportedRecords = ({ store, addresses, repositoryName, today }: ExportedNeeds): ExportedRecords => {
  /** Those that everybody may know of, by their name. */
  async function communitiesOf({ communities: ids }: ItemParent): Promise<ExportedRecord["communities"]> {
    const found = ids.length === 0 ? [] : await store.communities.communitiesOf(ids);
    return found
      .filter(({ visibility }) => visibility === "public")
      .map(({ slug, title }) => ({ slug, title: title.en || title.ja || slug }));
  }

  /** Harvesters know an item by the number of its first version, whichever is shown. */
  async function oaiOf({ item, isPublic }: ItemView): Promise<string | null> {
    if (!isPublic) return null;
    const [first] = item.versionIndex === 1 ? [item] : await store.items.versionLines(item.parentId);
    return addresses.oaiIdentifier(first?.id ?? item.id);
  }

  async function ofView(view: ItemView): Promise<ExportedRecord> {
    const [oai, communities] = await Promise.all([oaiOf(view), communitiesOf(view.parent)]);
    return exportedRecord({ ...view, oai, communities, today: today() }, { addresses, repositoryName });
  }

  return {
    ofView,
    ofReadable: (readable) => {
      const { item, parent, content, privileged, facts, accessStatus, replaces, isReplacedBy, draft } = readable;
      const day = today();
      const guestMayHave = fileReading(GUEST, facts, day);
      return ofView({
        item,
        parent,
        content,
        privileged,
        accessStatus,
        replaces,
        isReplacedBy,
        isPublic: draft === null && mayReadRecord(GUEST, facts, day),
        files: listedFiles(readable).map(({ file, readable: may }) => ({
          file,
          readable: may,
          isPublic: draft === null && guestMayHave(file),
        })),
        isLatest: readable.versions.at(-1)?.id === item.id,
      });
    },
  };
};
