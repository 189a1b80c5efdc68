// Links that give a right to a record (R2d, R37): who has the address of one views, previews, edits or manages the
// record and its versions, as far as its maker may do that at the moment. Guests read only. The secret is shown once.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { oneError, RECORD_SENTENCES, unknownRecord } from "../../model/input/record-refusals.ts";
import { type ItemParent, PERMISSIONS } from "../../model/items/item.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, oneOf, optional, orNull, type Sent, type ValueOf, words } from "../../shared/fields.ts";
import { randomText, sha256Hex, uuidOf } from "../../shared/hash/digests.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { MomentShape, manyOf, UuidShape, wordOf } from "../../shared/shapes.ts";
import { type Instant, readInstant } from "../../shared/time/instant.ts";
import type { AccessLink } from "../store/access-links.ts";
import type { RepositoryWriter } from "../store/store.ts";
import type { RecordsNeeds } from "./record-reading.ts";
import { requireSharing } from "./record-sharing.ts";
import type { RecordWriting } from "./record-writing.ts";

/** Of one record. */
export const LINKS_MOST = 100;
const DESCRIPTION_MAX = 1_000;
/** Of the link that answers a request for closed files: who decides sets its end. */
const ANSWERS = "The link answers a request for closed files: it can only be revoked.";

const EXPIRES: Field<Instant> = {
  schema: Type.String({ description: "When it ends: a moment, or a day, which is its first moment in UTC" }),
  read(value, path) {
    const moment = typeof value === "string" ? readInstant(value) : null;
    if (moment !== null) return moment;
    throw faultSentence(path, "Not a valid datetime.");
  },
};

const PERMISSION = oneOf(PERMISSIONS, {
  description: "view, preview (drafts too), edit or manage (sharing too); guests view and preview at most",
});
const MORE = {
  expires_at: optional(orNull(EXPIRES)),
  description: optional(orNull(words(DESCRIPTION_MAX, { description: "For those who manage the record" }))),
};

export const NEW_LINK = object({ permission: PERMISSION, ...MORE }, { others: "ignored", $id: "NewAccessLink" });
export const CHANGED_LINK = object(
  { permission: optional(PERMISSION), ...MORE },
  { others: "ignored", $id: "ChangedAccessLink" },
);
type NewLink = Sent<ValueOf<typeof NEW_LINK>>;
type ChangedLink = Sent<ValueOf<typeof CHANGED_LINK>>;

type MadeLink = { readonly link: AccessLink; readonly token: string };

export interface RecordLinks {
  links(viewer: Viewer, id: ItemId): Promise<readonly AccessLink[]>;
  link(viewer: Viewer, id: ItemId, link: string): Promise<AccessLink>;
  makeLink(viewer: Viewer, id: ItemId, body: NewLink): Promise<MadeLink>;
  changeLink(viewer: Viewer, id: ItemId, link: string, body: ChangedLink): Promise<AccessLink>;
  /** It ends at once, wherever it is used. */
  revokeLink(viewer: Viewer, id: ItemId, link: string): Promise<void>;
}

export const recordLinks = (
  { store, clock, random }: RecordsNeeds,
  { change }: Pick<RecordWriting, "change">,
): RecordLinks => {
  async function links(viewer: Viewer, id: ItemId): Promise<readonly AccessLink[]> {
    const found = await store.items.outline(id);
    if (found === null) throw unknownRecord();
    requireSharing(viewer, found.item.state, found.parent);
    return await store.accessLinks.linksOf(found.parent.id);
  }

  /** The parent of a locked record whose links the viewer may change. */
  async function shareable(tx: RepositoryWriter, viewer: Viewer, id: ItemId): Promise<ItemParent> {
    const found = await tx.items.lockItem(id);
    if (found === null) throw unknownRecord();
    requireSharing(viewer, found.item.state, found.parent);
    return found.parent;
  }

  function requireLater(expiresAt: Instant | null): Instant | null {
    if (expiresAt === null || expiresAt > clock.now()) return expiresAt;
    throw oneError("expires_at", "Must be a moment that is still to come.");
  }

  const audit = (tx: RepositoryWriter, viewer: Viewer, id: ItemId, action: string, link: AccessLink): Promise<void> =>
    tx.audit(viewer, clock.now(), [
      {
        action: `item.${action}-link`,
        subject: `item:${id}`,
        detail: { link: link.id, permission: link.permission, expires_at: link.expiresAt },
      },
    ]);

  /** The link is locked before its record, as those who use it lock them. */
  const changing = <T>(
    viewer: Viewer,
    id: ItemId,
    name: string,
    work: (tx: RepositoryWriter, now: Viewer, link: AccessLink) => Promise<T>,
  ): Promise<T> =>
    change(viewer, async (tx, now) => {
      const link = await tx.accessLinks.lockLink(name);
      const parent = await shareable(tx, now, id);
      if (link === null || link.parent !== parent.id) return unknownLink();
      return await work(tx, now, link);
    });

  return {
    links,
    link: async (viewer, id, name) => (await links(viewer, id)).find((link) => link.id === name) ?? unknownLink(),
    makeLink: (viewer, id, body) =>
      change(viewer, async (tx, now) => {
        const parent = await shareable(tx, now, id);
        const { permission, expires_at: ends, description } = body();
        const maker = now.account?.id;
        // The operator of the machine has no account whose rights a link could have.
        if (maker === undefined) throw new Refusal("forbidden", RECORD_SENTENCES.denied);
        if ((await tx.accessLinks.linksOf(parent.id)).length >= LINKS_MOST) {
          throw new Refusal("invalid", `A record has ${LINKS_MOST} links at most.`);
        }
        const token = randomText(random.bytes(32));
        const link: AccessLink = {
          id: uuidOf(random.bytes(16)),
          parent: parent.id,
          permission,
          hash: sha256Hex(token),
          description: description ?? "",
          maker,
          createdAt: clock.now(),
          expiresAt: requireLater(ends ?? null),
          ...{ request: null, uses: 0, lastUsed: null },
        };
        await tx.accessLinks.insertLink(link);
        await audit(tx, now, id, "make", link);
        return { link, token };
      }),

    changeLink: (viewer, id, name, body) =>
      changing(viewer, id, name, async (tx, now, link) => {
        const { permission = link.permission, expires_at: ends, description } = body();
        const expiresAt = ends === undefined ? link.expiresAt : requireLater(ends);
        if (link.request !== null) {
          if (permission !== link.permission) throw oneError("permission", ANSWERS);
          if (expiresAt !== link.expiresAt) throw oneError("expires_at", ANSWERS);
        }
        const text = description === undefined ? link.description : (description ?? "");
        const next = { ...link, permission, expiresAt, description: text };
        await tx.accessLinks.saveLink(next);
        await audit(tx, now, id, "change", next);
        return next;
      }),

    revokeLink: (viewer, id, name) =>
      changing(viewer, id, name, async (tx, now, link) => {
        await tx.accessLinks.deleteLink(link.id);
        if (link.request !== null) await endRight(tx, link.request, clock.now());
        await audit(tx, now, id, "revoke", link);
      }),
  };
};

/** The right of a request ends with its link: the person may ask again. */
async function endRight(tx: RepositoryWriter, id: string, at: Instant): Promise<void> {
  const request = await tx.accessRequests.lockAccessRequest(id);
  if (request === null || request.revokedAt !== null) return;
  await tx.accessRequests.saveAccessRequest({ ...request, revokedAt: at, updatedAt: at });
}

function unknownLink(): never {
  throw new Refusal("not_found", RECORD_SENTENCES.notFound);
}

const LINK_MEMBERS = {
  id: UuidShape,
  created_at: MomentShape,
  expires_at: Type.Union([MomentShape, Type.Null()]),
  permission: wordOf(PERMISSIONS),
  description: Type.String(),
  origin: Type.Null(),
};

/** A link as the interface writes it; its secret is not known any more. */
export const AccessLinkShape = Type.Object(LINK_MEMBERS, { $id: "AccessLink" });
export const MadeLinkShape = Type.Object(
  { ...LINK_MEMBERS, token: Type.String({ description: "The secret, for the parameter `token`: shown only now" }) },
  { $id: "MadeAccessLink" },
);
export const AccessLinkListShape = Type.Object(
  { hits: Type.Object({ total: Type.Integer(), hits: manyOf(AccessLinkShape) }) },
  { $id: "AccessLinkList" },
);

export const linkJson = ({
  id,
  createdAt,
  expiresAt,
  permission,
  description,
}: AccessLink): Static<typeof AccessLinkShape> => ({
  id,
  created_at: createdAt,
  expires_at: expiresAt,
  permission,
  description,
  origin: null,
});

export const linkListJson = (links: readonly AccessLink[]): Static<typeof AccessLinkListShape> => ({
  hits: { total: links.length, hits: links.map(linkJson) },
});
