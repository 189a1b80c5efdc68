// The edit history of one record (specification 3, list_revisions; R2b): who changed what and when, for its owner,
// curators of its communities and administrators. Versions are something else.

import { type Static, Type } from "@sinclair/typebox";
import { curatedCommunities, isAdministrator, type Viewer } from "../../auth/account.ts";
import { writeAccess } from "../../formats/record/access.ts";
import { writeCustomFields } from "../../formats/record/custom-fields.ts";
import { writeMetadataInParts } from "../../formats/record/record.ts";
import { NO_ENTRIES } from "../../formats/record/record-input.ts";
import { invalidQuery, type QueryReader } from "../../model/input/list-parameters.ts";
import { permissionDenied, RECORD_SENTENCES, unknownRecord } from "../../model/input/record-refusals.ts";
import type { ItemContent, ItemParent, Revision } from "../../model/items/item.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isObject } from "../../shared/objects.ts";
import { Refusal } from "../../shared/refusal.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import { goneIn, type RecordsNeeds } from "./record-reading.ts";
import type { RevisionShape } from "./record-shape.ts";

/** Most revisions in one answer. */
const REVISIONS_MAX = 100;
const REVISIONS_DEFAULT = 25;
const PAGES_MAX = 10_000;

export const REVISION_QUERY: QueryReader<{ readonly page: number; readonly size: number }> = {
  parameters: [
    {
      name: "page",
      description: "Page, from 1",
      schema: Type.Integer({ minimum: 1, maximum: PAGES_MAX, default: 1 }),
    },
    {
      name: "size",
      description: "Revisions of a page",
      schema: Type.Integer({ minimum: 1, maximum: REVISIONS_MAX, default: REVISIONS_DEFAULT }),
    },
  ],
  read(parameters) {
    const number = (name: string, most: number, absent: number): number => {
      const text = parameters.get(name);
      if (text === null) return absent;
      if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= most) return Number(text);
      throw invalidQuery([{ field: name, messages: [`Must be a whole number from 1 to ${most}.`] }]);
    };
    return { page: number("page", PAGES_MAX, 1), size: number("size", REVISIONS_MAX, REVISIONS_DEFAULT) };
  },
};

export type RevisionView = Omit<Revision, "content"> & {
  readonly content: ItemContent;
  /** Paths of what it changed; empty for the first. */
  readonly changed: readonly string[];
};

type RevisionPage = { readonly total: number; readonly revisions: readonly RevisionView[] };

function maySeeHistory(viewer: Viewer, { owner, communities }: ItemParent): boolean {
  const curated = curatedCommunities(viewer);
  return isAdministrator(viewer) || viewer.account?.id === owner || communities.some((id) => curated.includes(id));
}

export interface RecordRevisions {
  /** Newest first. */
  revisions(viewer: Viewer, id: ItemId, page: number, size: number): Promise<RevisionPage>;
  revision(viewer: Viewer, id: ItemId, revision: number): Promise<RevisionView>;
}

export const recordRevisions = ({ store }: RecordsNeeds): RecordRevisions => {
  /** @throws Refusal as reading does, and `forbidden` for viewers who may not see the history */
  async function admit(viewer: Viewer, id: ItemId): Promise<void> {
    const found = await store.items.outline(id);
    if (found === null) throw unknownRecord();
    const { item, parent } = found;
    const isAllowed = maySeeHistory(viewer, parent);
    if (!isAllowed) throw item.state === "draft" ? unknownRecord() : permissionDenied();
    if (item.state === "deleted" && !isAdministrator(viewer)) throw await goneIn(store, viewer, id);
  }

  async function one(id: ItemId, revision: number): Promise<RevisionView | null> {
    const found = await store.items.revision(id, revision);
    if (found === null) return null;
    const before = revision > 1 ? await store.items.revision(id, revision - 1) : null;
    return { ...found, changed: before === null ? [] : await changedPaths(before.content, found.content) };
  }

  return {
    async revisions(viewer, id, page, size) {
      await admit(viewer, id);
      const all = await store.items.revisions(id);
      const wanted = all.toReversed().slice((page - 1) * size, page * size);
      const revisions: RevisionView[] = [];
      for (const { revision } of wanted) {
        const view = await one(id, revision);
        if (view !== null) revisions.push(view);
      }
      return { total: all.length, revisions };
    },

    async revision(viewer: Viewer, id: ItemId, revision: number): Promise<RevisionView> {
      await admit(viewer, id);
      const found = await one(id, revision);
      if (found === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
      return found;
    },
  };
};

/** The content of a revision, in the model of this interface. */
async function contentJson({ files, indexes, ...described }: ItemContent) {
  return {
    ...(await describedJson(described)),
    files: files.map(({ name, sha256 }): readonly [string, string] => [name, sha256]),
    indexes,
  };
}

/** What describes a record, in the model of this interface. */
export async function describedJson({ metadata, access }: Pick<ItemContent, "metadata" | "access">) {
  const { status: _, ...section } = writeAccess(access, "open", access.openDate);
  return {
    metadata: await inTurns(writeMetadataInParts(metadata, NO_ENTRIES)),
    custom_fields: writeCustomFields(metadata),
    access: section,
  };
}

/** Members of the first two levels that differ. */
async function changedPaths(before: ItemContent, after: ItemContent): Promise<readonly string[]> {
  const one: Readonly<Record<string, unknown>> = await contentJson(before);
  const two: Readonly<Record<string, unknown>> = await contentJson(after);
  return differing(one, two).flatMap((name) => {
    const [a, b] = [one[name], two[name]];
    return isObject(a) && isObject(b) ? differing(a, b).map((member) => `${name}.${member}`) : [name];
  });
}

function differing(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): readonly string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}

/** One revision as the interface writes it. */
export async function revisionJson({
  itemId,
  revision,
  action,
  at,
  by,
  content,
  changed,
  erasedAt,
}: RevisionView): Promise<Static<typeof RevisionShape>> {
  return {
    revision_id: revision,
    created: at,
    updated: at,
    action,
    by: by === null ? null : { user: String(by) },
    changed,
    title:
      content.metadata.titles.find(({ kind }) => kind === "main")?.value ?? content.metadata.titles[0]?.value ?? "",
    ...(erasedAt === undefined ? {} : { erased: erasedAt }),
    json: { id: String(itemId), revision_id: revision, ...(await contentJson(content)) },
  };
}
