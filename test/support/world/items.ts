// The world of items without a server: their core alone, under the options a test gives it, with people of every role,
// a tree and a community.
import { platformRandom } from "../../../src/adapters/random.ts";
import type { Membership, RoleId, Viewer } from "../../../src/auth/account.ts";
import { INDEX_FIELDS } from "../../../src/model/indexes/index-fields.ts";
import type { IndexNode } from "../../../src/model/indexes/index-node.ts";
import type { ItemContent, ItemFile } from "../../../src/model/items/item.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { items } from "../../../src/repository/items/items.ts";
import type { RepositoryStore } from "../../../src/repository/store/store.ts";
import { startOf } from "../../../src/shared/declared.ts";
import type { Log } from "../../../src/shared/log.ts";
import { anAccount } from "../accounts.ts";
import { NOW } from "../seed.ts";
import { verbsAlone } from "../verbs-alone.ts";
import { COMMUNITY, seededStore, viewerOf } from "./seeded.ts";

export const TODAY = NOW.slice(0, 10);
const ALL_ROLES = [1, 2, 3, 4, -98, -99];

/** The access of an item that guests may not see. */
export const RESTRICTED = {
  record: "restricted",
  files: "restricted",
  openDate: "2020-01-01",
  embargoUntil: null,
  embargoReason: "",
} as const;

export function anIndex(fields: Partial<IndexNode> & { readonly id: number }): IndexNode {
  return {
    ...startOf(INDEX_FIELDS),
    parent: 0,
    position: fields.id,
    indexName: `Index ${fields.id}`,
    indexNameEnglish: `Index ${fields.id}`,
    indexLinkNameEnglish: "",
    publicState: true,
    browsingRole: ALL_ROLES,
    contributeRole: ALL_ROLES,
    owner: null,
    createdAt: NOW,
    updatedAt: NOW,
    deletedAt: null,
    ...fields,
  };
}

export function aFile(name: string, fields: Partial<ItemFile> = {}): ItemFile {
  return {
    name,
    storageKey: `key-${name}`,
    sha256: "ab".repeat(32),
    md5: null,
    sizeBytes: 12,
    mediaType: "text/plain",
    access: "open",
    accessDate: null,
    groups: [],
    ...fields,
  };
}

/** A draft of a new account with these files, past the services; returns its number. */
export const draftWithFiles = (store: RepositoryStore, files: readonly ItemFile[], at: string): Promise<number> =>
  store.transact(async (tx) => {
    const account = (await tx.accounts.saveAccount(anAccount({ mail: "a@example.org" }))) ?? 0;
    const people = { owner: account, depositedBy: account, depositedOnBehalfOf: null };
    const { item } = await tx.items.insertItem({ ...people, at });
    const content = aContent({ metadata: EMPTY_METADATA, files });
    await tx.items.saveDraft({
      itemId: item.id,
      counter: 1,
      content,
      editor: account,
      savedAt: at,
      beganAt: at,
      activityId: null,
    });
    return item.id;
  });

export function titled(title: string, more: Partial<Metadata> = {}): Metadata {
  return {
    ...EMPTY_METADATA,
    type: { id: "publication-article" },
    titles: [{ value: title, lang: "en", kind: "main" }],
    creators: [
      {
        kind: "personal",
        names: [{ family: "Doe", given: "Ada" }],
        alternatives: [],
        ids: [],
        emails: [],
        affiliations: [],
      },
    ],
    publicationDate: "2024-05-06",
    ...more,
  };
}

let titles = 0;
/** Content of item type 1; each one has a different title. */
export function aContent(fields: Partial<ItemContent> = {}): ItemContent {
  titles += 1;
  return {
    itemType: 1,
    itemTypeVersion: 1,
    metadata: titled(`Thing ${titles}`),
    access: { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" },
    indexes: [],
    settings: {},
    files: [],
    ...fields,
  };
}

export type World = Awaited<ReturnType<typeof itemsWorld>>;

/** Index 1 with 11 below it, 2 public, 3 private; community `c1` owns the subtree of 1. */
export async function itemsWorld(
  options: { readonly url?: string; readonly timeZone?: string; readonly arks?: boolean } = {},
) {
  const indexes = [{ id: 1 }, { id: 11, parent: 1 }, { id: 2 }, { id: 3, publicState: false }].map(anIndex);
  const { url, ...core } = options;
  const { store, time, account, close } = await seededStore({
    ...(url === undefined ? {} : { url }),
    indexes,
    communityRoot: 1,
  });
  await store.transact((tx) =>
    tx.settings.saveItemType({ id: 0, name: { en: "Default", ja: "既定" }, deleted: false, definition: {} }, NOW),
  );
  const service = itemsOn(store, time, core);
  let people = 0;
  return {
    store,
    time,
    items: service,
    community: COMMUNITY,
    /** A new account with these roles as it looks and acts, signed in. */
    async person(roles: readonly RoleId[], more: Partial<Viewer> = {}): Promise<Viewer> {
      people += 1;
      return viewerOf(await account(`person${people}`, roles), more);
    },
    close,
  };
}

/** The core over a store that is open: as the world has it, or under another role of the database. */
export function itemsOn(
  store: RepositoryStore,
  time: { readonly now: string },
  options: {
    readonly timeZone?: string;
    readonly arks?: boolean;
    readonly fullText?: boolean;
    readonly log?: Pick<Log, "warn">;
  } = {},
) {
  const clock = { now: () => time.now };
  const core = items({
    store,
    clock,
    random: platformRandom(),
    timeZone: options.timeZone ?? "UTC",
    landingPage: (id) => `https://repo.example.org/records/${id}`,
    arkCredential: options.arks === false ? null : "items",
    fullText: options.fullText ?? false,
    log: options.log,
  });
  return verbsAlone(core, { store, clock });
}

export function memberOf(world: World, role: Membership["role"], rootIndex: number | null = 1): Membership {
  return { communityId: world.community, role, rootIndex };
}
