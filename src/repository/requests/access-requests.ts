// People ask for closed files (Q.60): who reads a record and not all its files asks those who may share it. A guest
// confirms the address by a link before anybody receives the request. Nothing of it is public.
import { guestWithout, type Viewer } from "../../auth/account.ts";
import { accessSettings } from "../../model/access/closed-files.ts";
import { oneError, unknownRecord } from "../../model/input/record-refusals.ts";
import type { AccessSettings, ItemFile, ItemParent } from "../../model/items/item.ts";
import { cut } from "../../model/items/summary.ts";
import { mainTitle } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { ReadableItem } from "../items/item-views.ts";
import type { AccessRequest } from "../store/access-requests.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import type { ChangedAccessSettings, NewAccessRequest } from "./access-body.ts";
import { type AccessDecisions, accessDecisions } from "./access-decisions.ts";
import {
  type AccessNeeds,
  accessSightOf,
  askableFiles,
  auditAccess,
  mailToGuest,
  noRequest,
  requireDeciding,
  seenBy,
} from "./access-facts.ts";
import { type GuestAccess, guestAccess } from "./access-guests.ts";
import { type AccessTidying, accessTidying } from "./access-jobs.ts";
import type { RecordAccessSettings, SeenAccessRequest } from "./access-json.ts";
import { changing } from "./request-facts.ts";

const DAY_MS = 86_400_000;
const LISTED = 200;
const TITLE_CHARACTERS = 1_000;

/** What the page of a record offers its reader. */
export type AccessOffer = {
  /** Closed files that the reader may ask for. */
  readonly files: readonly ItemFile[];
  /** Null: they may ask. */
  readonly refused: "sign-in" | "off" | null;
  readonly settings: AccessSettings;
  /** The reader's request that waits, or gives a right; null: there is none. */
  readonly own: AccessRequest | null;
  /** The community whose managers decide as the owner does; null: there is none, or none that the reader may see. */
  readonly community: { readonly en: string; readonly ja: string } | null;
};

export interface AccessRequests extends AccessDecisions, AccessTidying, GuestAccess {
  offer(viewer: Viewer, readable: ReadableItem): Promise<AccessOffer>;
  /** The request of an account; null for a guest. @throws Refusal not_found, forbidden, gone, unauthenticated, invalid. */
  ask(asking: Viewer, id: ItemId, body: NewAccessRequest, language?: string): Promise<SeenAccessRequest | null>;
  /** For the person and those who decide. @throws Refusal not_found. */
  read(viewer: Viewer, id: string): Promise<SeenAccessRequest>;
  /** Null for what is not there, and what the viewer may not know of. */
  find(viewer: Viewer, id: string): Promise<SeenAccessRequest | null>;
  /** Those of the viewer, and those that wait for their decision; newest first. */
  own(viewer: Viewer): Promise<readonly SeenAccessRequest[]>;
  waiting(viewer: Viewer): Promise<readonly SeenAccessRequest[]>;
  /** All of a record, newest first, for those who may share it. @throws Refusal not_found, forbidden. */
  ofRecord(viewer: Viewer, id: ItemId): Promise<readonly SeenAccessRequest[]>;
  settings(viewer: Viewer, id: ItemId): Promise<RecordAccessSettings>;
  changeSettings(viewer: Viewer, id: ItemId, body: ChangedAccessSettings): Promise<RecordAccessSettings>;
}

export const accessRequests = (needs: AccessNeeds): AccessRequests => {
  const { store, clock, items } = needs;

  async function ownedBy(id: string) {
    const request = await store.accessRequests.accessRequest(id);
    const parent = request === null ? null : await store.items.parent(request.parent);
    return request === null || parent === null ? null : { request, parent };
  }

  async function find(viewer: Viewer, id: string): Promise<SeenAccessRequest | null> {
    const found = await ownedBy(id);
    return found === null ? null : await seenBy(store, viewer, found.request, found.parent, items.today());
  }

  async function seenOf(viewer: Viewer, list: readonly AccessRequest[]): Promise<readonly SeenAccessRequest[]> {
    const parents = new Map<number, ItemParent | null>();
    const seen: SeenAccessRequest[] = [];
    for (const request of list) {
      const known = parents.get(request.parent);
      const parent = known === undefined ? await store.items.parent(request.parent) : known;
      parents.set(request.parent, parent);
      const each = parent === null ? null : await seenBy(store, viewer, request, parent, items.today());
      if (each !== null) seen.push(each);
    }
    return seen;
  }

  async function decidedParent(viewer: Viewer, id: ItemId): Promise<ItemParent> {
    const found = await store.items.outline(id);
    if (found === null) throw unknownRecord();
    requireDeciding(viewer, found.item.state, found.parent);
    return found.parent;
  }

  return {
    ...accessDecisions(needs),
    ...accessTidying(needs),
    ...guestAccess(needs),
    find,
    offer: (viewer, readable) => offerOf(needs, store, viewer, readable),
    ask: (asking, id, body, language = "en") => askForFiles(needs, asking, id, body, language),
    read: async (viewer, id) => (await find(viewer, id)) ?? noRequest(),
    own: async (viewer) =>
      viewer.account === null
        ? []
        : await seenOf(viewer, await store.accessRequests.accessRequestsBy(viewer.account.id, LISTED)),
    waiting: async (viewer) =>
      viewer.account === null
        ? []
        : await seenOf(
            viewer,
            await store.accessRequests.accessRequestsFor(accessSightOf(viewer, viewer.account.id), LISTED),
          ),
    ofRecord: async (viewer, id) => {
      const parent = await decidedParent(viewer, id);
      return await seenOf(viewer, await store.accessRequests.accessRequestsOf(parent.id, LISTED));
    },
    settings: async (viewer, id) => {
      const parent = await decidedParent(viewer, id);
      return { parent, settings: accessSettings(parent, needs.isMailOn) };
    },
    changeSettings: (viewer, id, body) =>
      changing(needs, viewer, async (tx, now) => {
        const found = await tx.items.lockItem(id);
        if (found === null) throw unknownRecord();
        requireDeciding(now, found.item.state, found.parent);
        const sent = body();
        if (sent.allow_guest_requests === true && !needs.isMailOn) {
          throw oneError("allow_guest_requests", "Guests can ask only where mail is configured.");
        }
        const before = accessSettings(found.parent, true);
        const next: AccessSettings = {
          users: sent.allow_user_requests ?? before.users,
          guests: sent.allow_guest_requests ?? before.guests,
          conditions:
            sent.accept_conditions_text === undefined ? before.conditions : (sent.accept_conditions_text ?? ""),
          days: sent.secret_link_expiration ?? before.days,
        };
        await tx.accessRequests.saveAccessSettings(found.parent.id, JSON.stringify(next));
        const event = { action: "item.access-settings", subject: `item:${id}`, detail: {} };
        await tx.audit(now, clock.now(), [event]);
        return { parent: found.parent, settings: accessSettings({ accessSettings: next }, needs.isMailOn) };
      }),
  };
};

async function offerOf(
  { items, isMailOn }: AccessNeeds,
  reader: RepositoryReader,
  viewer: Viewer,
  readable: ReadableItem,
): Promise<AccessOffer> {
  const { parent } = readable;
  const settings = accessSettings(parent, isMailOn);
  const files = askableFiles(readable, items.today());
  const isClosed = readable.draft === null && readable.files.some((each) => !each.readable);
  const account = viewer.account?.id ?? null;
  const isAllowed = account === null ? settings.guests : settings.users;
  const canSignIn = account === null && settings.users;
  const own =
    account === null || readable.draft !== null
      ? null
      : await reader.accessRequests.liveAccessRequest(parent.id, account, items.today());
  return {
    ...{ files, settings, own },
    refused: isAllowed ? null : canSignIn ? "sign-in" : "off",
    community: isClosed ? await decidingCommunity(reader, viewer, parent) : null,
  };
}

/** Members of a community whose managers decide: only those who administer its items do. */
async function decidingCommunity(reader: RepositoryReader, viewer: Viewer, { id, communities }: ItemParent) {
  const named = communities.length === 0 ? null : await reader.accessRequests.decidingCommunity(id);
  const community = named === null ? null : await reader.communities.community(named);
  return community !== null && may(guestWithout(viewer, ["user:activity"]), "community.see", community)
    ? community.title
    : null;
}

/** @throws Refusal for what cannot be asked for now; false: an address that is sent nothing. */
async function mayAsk(
  { clock, items }: AccessNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  { parent }: ReadableItem,
  mail: string,
): Promise<boolean> {
  const who = viewer.account?.id ?? mail;
  const live = await tx.accessRequests.liveAccessRequest(parent.id, who, items.today());
  const since = addMilliseconds(clock.now(), -DAY_MS);
  const counts = await tx.accessRequests.countAccessRequests(parent.id, who, since);
  const isGuest = viewer.account === null;
  // Of the record, not of the address: it may be known.
  if (
    counts.waiting >= most("accessRequestsWaiting") ||
    (isGuest && counts.ofRecord >= most("guestRequestsOfRecord"))
  ) {
    throw new Refusal("invalid", "Many requests wait for this record: ask again tomorrow");
  }
  if (isGuest) return live === null && counts.ofPerson < most("guestRequestsOfAddress");
  if (live !== null) throw new Refusal("invalid", "You asked for these files already");
  if (counts.ofPerson >= most("accessRequestsOfAccount")) {
    throw new Refusal("invalid", "You asked for files of many records today: ask again tomorrow");
  }
  return true;
}

function askForFiles(needs: AccessNeeds, asking: Viewer, id: ItemId, body: NewAccessRequest, language: string) {
  const { clock, items, random } = needs;
  return changing(needs, asking, async (tx, viewer) => {
    if ((await tx.items.lockItem(id)) === null) throw unknownRecord();
    const readable = await items.readableIn(tx, viewer, id);
    const { parent, content } = readable;
    const { refused } = await offerOf(needs, tx, viewer, readable);
    if (refused === "sign-in") throw new Refusal("unauthenticated", "Sign in to ask for closed files");
    if (refused === "off") throw new Refusal("forbidden", "This record takes no requests for its files");
    const { message, email = null, full_name: name, consent_to_share_personal_data: hasConsent = false } = body();
    const isGuest = viewer.account === null;
    if (isGuest && email === null) throw oneError("email", "Missing data for required field.");
    if (askableFiles(readable, items.today()).length === 0) {
      throw new Refusal("invalid", "There is nothing to ask for: no file of this record is closed to you");
    }
    const mail = isGuest ? (email ?? "") : "";
    const isMailed = await mayAsk(needs, tx, viewer, readable, mail);
    const at = clock.now();
    const request: AccessRequest = {
      ...{ id: uuidOf(random.bytes(16)), parent: parent.id, item: id, message, answer: "", language, hasConsent },
      type: isGuest ? "guest-access-request" : "user-access-request",
      status: isGuest ? "created" : "submitted",
      title: cut(mainTitle(content.metadata), TITLE_CHARACTERS),
      ...{ account: viewer.account?.id ?? null, mail, name: isGuest ? (name ?? "") : "" },
      ...{ hash: null, decidedBy: null, endsOn: null, revokedAt: null, endedBecause: "" as const },
      ...{ createdAt: at, updatedAt: at },
    };
    if (!(await tx.accessRequests.insertAccessRequest(request))) {
      throw new Refusal("invalid", "You asked for these files already");
    }
    if (isGuest) {
      // Without a mail it is stored all the same: the limit of the record does not show which addresses are known.
      if (isMailed) await mailToGuest(tx, request, "confirm", at);
      return null;
    }
    await auditAccess(tx, viewer, "request", request, at);
    return await seenBy(tx, viewer, request, parent, items.today());
  });
}
