// A record is handed over to another account (R15): its owner or an administrator offers it, the other account accepts or declines. Nothing
// changes before it is accepted; then all versions and drafts are the new owner's.
import { type Static, Type } from "@sinclair/typebox";
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { oneError, permissionDenied, RECORD_SENTENCES, unknownRecord } from "../../model/input/record-refusals.ts";
import type { ItemParent } from "../../model/items/item.ts";
import { cut } from "../../model/items/summary.ts";
import { mainTitle } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import { type Field, object, optional, orNull, type Sent, type ValueOf, words } from "../../shared/fields.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { ActionLinksShape, MomentShape, manyOf, UuidShape, wordOf } from "../../shared/shapes.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import { TRANSFER_STATUSES, type Transfer } from "../store/transfers.ts";
import type { RecordsNeeds } from "./record-reading.ts";
import { subjectId } from "./record-sharing.ts";
import type { RecordWriting } from "./record-writing.ts";

const TRANSFER_ACTIONS = ["accept", "decline", "cancel"] as const;
type TransferAction = (typeof TRANSFER_ACTIONS)[number];

const TO = { accept: "accepted", decline: "declined", cancel: "cancelled" } as const;
const TITLE_CHARACTERS = 1_000;
const MESSAGE_MAX = 10_000;
/** More than one account can offer: the offers of one leave room for those of others. */
const LISTED = 200;
const DAY_MS = 86_400_000;

const USER: Field<number | null> = {
  schema: Type.Union([Type.String(), Type.Integer()], { description: "Number of the account" }),
  read: (value) => subjectId(value),
};
export const NEW_TRANSFER = object(
  {
    receiver: object({ user: USER }, { others: "ignored" }),
    message: optional(orNull(words(MESSAGE_MAX, { description: "For the receiver, as plain text" }))),
  },
  { others: "ignored", $id: "NewRecordTransfer" },
);
type NewTransfer = Sent<ValueOf<typeof NEW_TRANSFER>>;

export type SeenTransfer = { readonly transfer: Transfer; readonly may: readonly TransferAction[] };

export interface Transferring {
  /** For the owner and administrators. @throws Refusal not_found, forbidden, gone, invalid. */
  offer(viewer: Viewer, id: ItemId, body: NewTransfer): Promise<SeenTransfer>;
  /** Offers of a record, newest first, for its owner and administrators. */
  transfers(viewer: Viewer, id: ItemId): Promise<readonly SeenTransfer[]>;
  /** For who offers and who receives it, and administrators. @throws Refusal not_found. */
  readTransfer(viewer: Viewer, id: string): Promise<SeenTransfer>;
  /** @throws Refusal not_found, forbidden, invalid for one that ended, or an unknown action. */
  decideTransfer(viewer: Viewer, id: string, action: string): Promise<SeenTransfer>;
  /** Those that wait for the viewer, and those that the viewer offered. */
  openTransfers(viewer: Viewer): Promise<readonly SeenTransfer[]>;
}

const seen = (viewer: Viewer, transfer: Transfer): SeenTransfer => {
  const { status, giver, receiver } = transfer;
  const account = viewer.account?.id;
  const mine: readonly TransferAction[] = [
    ...(account === receiver ? (["accept", "decline"] as const) : []),
    ...(account === giver || isAdministrator(viewer) ? (["cancel"] as const) : []),
  ];
  return { transfer, may: status === "submitted" ? mine : [] };
};

function maySee(viewer: Viewer, { giver, receiver }: Transfer): boolean {
  const account = viewer.account?.id;
  return account !== undefined && (account === giver || account === receiver || isAdministrator(viewer));
}

/** Whom the record may be handed over by, and who knows of it. */
function requireOwner(viewer: Viewer, state: string, parent: ItemParent): void {
  if (may(viewer, "item.transfer", parent)) return;
  const isKnown = may(viewer, "item.preview", parent);
  throw state === "draft" && !isKnown ? unknownRecord() : permissionDenied();
}

export const transferring = (
  { store, clock, random }: Pick<RecordsNeeds, "store" | "clock" | "random">,
  { change }: Pick<RecordWriting, "change">,
): Transferring => {
  async function titleOf(reader: RepositoryReader, id: ItemId): Promise<string> {
    const content = (await reader.items.item(id))?.content ?? (await reader.items.draft(id))?.content;
    return content === undefined ? "" : cut(mainTitle(content.metadata), TITLE_CHARACTERS);
  }

  const audit = (tx: RepositoryWriter, viewer: Viewer, action: string, { id, item, giver, receiver }: Transfer) =>
    tx.audit(viewer, clock.now(), [
      { action: `item.${action}-transfer`, subject: `item:${item}`, detail: { transfer: id, giver, receiver } },
    ]);

  /** All versions and what is being edited of them: an edit of the giver is the receiver's. */
  async function handOver(tx: RepositoryWriter, parent: ItemParent, { giver, receiver }: Transfer): Promise<void> {
    await tx.items.setOwner(parent.id, receiver);
    await tx.items.share(
      parent.id,
      parent.shared.filter((id) => id !== receiver),
    );
    const others = (parent.grants ?? []).filter(({ subject, id }) => subject !== "user" || id !== receiver);
    await tx.items.setGrants(parent.id, others);
    for (const { id } of await tx.items.versionLines(parent.id)) {
      const draft = await tx.items.draft(id);
      if (draft !== null && draft.editor === giver && draft.activityId === null) {
        await tx.items.saveDraft({ ...draft, editor: receiver });
      }
    }
  }

  async function requireReceiver(tx: RepositoryWriter, id: AccountId | null, owner: AccountId): Promise<AccountId> {
    const account = id === null || id === owner ? null : await tx.accounts.account(id);
    if (account?.active === true) return account.id;
    throw oneError("receiver.user", "There is no such user to hand the record over to.");
  }

  /** @throws Refusal `invalid` for more offers than an account or a record has */
  async function requireRoom(tx: RepositoryWriter, { id, owner }: ItemParent): Promise<void> {
    const [waiting, inDay] = [most("openOffers"), most("recordOffers")];
    const open = (await tx.transfers.openTransfers(owner, waiting)).filter(({ giver }) => giver === owner);
    if (open.length >= waiting) throw new Refusal("invalid", `You offer ${waiting} records already: cancel one first`);
    const oldest = (await tx.transfers.transfersOf(id, inDay))[inDay - 1];
    if (oldest !== undefined && oldest.createdAt > addMilliseconds(clock.now(), -DAY_MS)) {
      throw new Refusal("invalid", `A record is offered at most ${inDay} times in a day`);
    }
  }

  return {
    offer: (viewer, id, body) =>
      change(viewer, async (tx, now) => {
        const found = await tx.items.lockItem(id);
        if (found === null) throw unknownRecord();
        requireOwner(now, found.item.state, found.parent);
        if (found.item.state === "deleted") throw new Refusal("gone", RECORD_SENTENCES.gone);
        const { receiver, message } = body();
        await requireRoom(tx, found.parent);
        const transfer: Transfer = {
          ...{ id: uuidOf(random.bytes(16)), item: id, parent: found.parent.id, status: "submitted" },
          ...{ title: await titleOf(tx, id), message: message ?? "", giver: found.parent.owner },
          receiver: await requireReceiver(tx, receiver.user, found.parent.owner),
          ...{ createdAt: clock.now(), updatedAt: clock.now() },
        };
        if (!(await tx.transfers.insertTransfer(transfer))) {
          throw new Refusal("invalid", "The record is being offered already: cancel that offer first");
        }
        await audit(tx, now, "offer", transfer);
        return seen(now, transfer);
      }),

    async transfers(viewer, id) {
      const found = await store.items.outline(id);
      if (found === null) throw unknownRecord();
      requireOwner(viewer, found.item.state, found.parent);
      if (found.item.state === "deleted") throw new Refusal("gone", RECORD_SENTENCES.gone);
      return (await store.transfers.transfersOf(found.parent.id, LISTED)).map((each) => seen(viewer, each));
    },

    async readTransfer(viewer, id) {
      const transfer = await store.transfers.transfer(id);
      if (transfer === null || !maySee(viewer, transfer)) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
      return seen(viewer, transfer);
    },

    decideTransfer: (viewer, id, named) =>
      change(viewer, async (tx, now) => {
        const known = await tx.transfers.transfer(id);
        // The record first, as everybody locks them.
        const parent = known === null ? null : await tx.items.lockParent(known.parent);
        const transfer = await tx.transfers.lockTransfer(id);
        if (transfer === null || parent === null || !maySee(now, transfer)) {
          throw new Refusal("not_found", RECORD_SENTENCES.notFound);
        }
        const action = TRANSFER_ACTIONS.find((each) => each === named);
        if (action === undefined) throw new Refusal("invalid", `There is no action "${named.slice(0, 40)}"`);
        if (transfer.status !== "submitted") throw new Refusal("invalid", `The offer was ${transfer.status} before`);
        if (!seen(now, transfer).may.includes(action)) throw permissionDenied();
        if (action === "accept") {
          if (parent.owner !== transfer.giver) throw new Refusal("invalid", "The record has another owner by now");
          await handOver(tx, parent, transfer);
        }
        const ended: Transfer = { ...transfer, status: TO[action], updatedAt: clock.now() };
        await tx.transfers.endTransfer(id, ended.status, ended.updatedAt);
        await audit(tx, now, action, ended);
        return seen(now, ended);
      }),

    async openTransfers(viewer) {
      const account = viewer.account?.id;
      if (account === undefined) return [];
      return (await store.transfers.openTransfers(account, LISTED)).map((each) => seen(viewer, each));
    },
  };
};

const PERSON = Type.Object({ user: Type.String({ description: "Number of the account" }) });

/** A transfer as the interface writes it, in the manner of requests. */
export const TransferShape = Type.Object(
  {
    id: UuidShape,
    type: wordOf(["record-transfer"]),
    status: wordOf(TRANSFER_STATUSES),
    is_open: Type.Boolean(),
    title: Type.String(),
    message: Type.String(),
    created_by: PERSON,
    receiver: PERSON,
    topic: Type.Object({ record: Type.String() }),
    created: MomentShape,
    updated: MomentShape,
    links: Type.Object({
      self: Type.String(),
      actions: ActionLinksShape,
    }),
  },
  { $id: "RecordTransfer" },
);
export const TransferListShape = Type.Object(
  { hits: Type.Object({ total: Type.Integer(), hits: manyOf(TransferShape) }) },
  { $id: "RecordTransferList" },
);

export function transferJson({ transfer, may: actions }: SeenTransfer, baseUrl: string): Static<typeof TransferShape> {
  const { id, item, status, title, message, giver, receiver, createdAt, updatedAt } = transfer;
  const self = `${baseUrl}/api/transfers/${id}`;
  return {
    ...{ id, type: "record-transfer", status, is_open: status === "submitted", title, message },
    created_by: { user: String(giver) },
    receiver: { user: String(receiver) },
    topic: { record: String(item) },
    ...{ created: createdAt, updated: updatedAt },
    links: { self, actions: Object.fromEntries(actions.map((each) => [each, `${self}/actions/${each}`])) },
  };
}
