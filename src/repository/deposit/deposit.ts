// Deposits (specification 2, "Processing of POST /sword/service-document, in order"; R11 to R19): GET, POST, PUT and
// DELETE. Each step is one function of this folder, in the order of the specification. Registration itself is one
// transaction.

import type { Account, Viewer } from "../../auth/account.ts";
import type { PackageKind } from "../../model/files/described-package.ts";
import type { ClientSetting } from "../../model/items/deposit-settings.ts";
import type { Item } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import { dayIn } from "../../shared/time/day.ts";
import type { Activity } from "../store/activities.ts";
import {
  accountOnBehalf,
  DEPOSIT_SCOPES,
  type Depositor,
  requireClientScopes,
  requireDepositRole,
  requireToken,
} from "./admission.ts";
import { clientSettingOf } from "./client-settings.ts";
import { describing } from "./describing.ts";
import { statusAnswer } from "./documents.ts";
import { SwordError, swordRefusals } from "./messages.ts";
import { claimKey } from "./receipts.ts";
import { type ReceivedPackage, receive } from "./receiving.ts";
import { depositRefusal, notFound, recidOf, refusalLog } from "./refusals.ts";
import { registerItems } from "./registering.ts";
import { deleteItem } from "./removing.ts";
import { replaceItem } from "./replacing.ts";
import type { DepositAnswer, DepositCall, UploadCall } from "./request.ts";
import type { DepositNeeds, DepositParts, Finish } from "./types.ts";
import { type UnpackedPackage, unpackPackage } from "./unpacking-package.ts";

export interface Deposit {
  figures(): DepositFigures;
  /**
   * The service document and status documents ask for a token, no scope (R2e). @throws SwordError messages 1, 2, 19,
   * 20.
   */
  admitReader(call: DepositCall): Promise<Depositor>;
  /**
   * GET /sword/deposit/{recid}. Deleted is 404 here (R2c); a pending one is seen by its depositor and its approvers
   * (R16).
   */
  status(call: DepositCall, number: string): Promise<DepositAnswer>;
  /** POST /sword/service-document. */
  create(call: UploadCall): Promise<DepositAnswer>;
  /** PUT /sword/deposit/{recid}. */
  replace(call: UploadCall, number: string): Promise<DepositAnswer>;
  /** DELETE /sword/deposit/{recid}. */
  remove(call: DepositCall, number: string): Promise<DepositAnswer>;
}

const RETRY_SECONDS = "10";

/** What the functions of this interface work with. */
type ServiceNeeds = DepositNeeds & {
  readonly parts: DepositParts;
  readonly counters: DepositCounters;
};

export const deposit = (own: DepositNeeds): Deposit => {
  const describer = describing(own.store.settings, own.parsing);
  const parts: DepositParts = { ...own, describer, today: () => dayIn(own.timeZone, own.clock.now()) };
  const needs: ServiceNeeds = { ...own, parts, counters: new DepositCounters() };
  const logRefusal = refusalLog(own.log);
  return {
    figures: () => needs.counters.figures(),
    async admitReader({ viewer, headers }) {
      const depositor = requireToken(viewer);
      await proxyRequestedBy(needs, viewer, headers.onBehalfOf);
      return depositor;
    },
    status: (call, number) => readStatus(needs, call, number),
    create: (call) => logRefusal(call, { method: "POST", item: null }, () => create(needs, call)),
    replace: (call, number) => logRefusal(call, { method: "PUT", item: number }, () => replace(needs, call, number)),
    remove: (call, number) => logRefusal(call, { method: "DELETE", item: number }, () => remove(needs, call, number)),
  };
};

const proxyOf = (needs: ServiceNeeds, value: string | null): Promise<Account | null> =>
  accountOnBehalf(value, { allowed: needs.onBehalfOf, find: needs.findOnBehalfOf });

/**
 * Without the right to deposit no account is searched for: neither the answer nor its time shows which e-mail addresses
 * exist here.
 */
const proxyRequestedBy = (needs: ServiceNeeds, viewer: Viewer, value: string | null): Promise<Account | null> =>
  accountOnBehalf(value, {
    allowed: needs.onBehalfOf,
    find: may(viewer, "item.deposit", null) ? needs.findOnBehalfOf : async () => null,
  });

async function readStatus(needs: ServiceNeeds, call: DepositCall, number: string): Promise<DepositAnswer> {
  const { viewer } = requireToken(call.viewer);
  await proxyRequestedBy(needs, viewer, call.headers.onBehalfOf);
  const recid = recidOf(number);
  try {
    const { item, replaces, isReplacedBy } = await needs.items.readable(viewer, recid);
    const open = await needs.store.activities.openActivity(item.id);
    if (open !== null && (await needs.activities.maySee(viewer, open))) {
      return await openStatus(needs, item, open, replaces, isReplacedBy);
    }
    const document = { item, replaces, isReplacedBy, activityId: null, parts: [], notes: [] };
    return statusAnswer(needs.addresses, 200, document);
  } catch (error) {
    const pending = isRefusal(error, "not_found") ? await pendingStatus(needs, viewer, recid) : null;
    if (pending !== null) return pending;
    throw depositRefusal(error, recid);
  }
}

async function create(needs: ServiceNeeds, call: UploadCall): Promise<DepositAnswer> {
  const depositor = requireToken(call.viewer, DEPOSIT_SCOPES.create);
  const client = await clientSettingOf(needs.store.settings, call.viewer);
  requireClientScopes(call.viewer, client);
  requireDepositRole(call.viewer);
  const proxy = await proxyOf(needs, call.headers.onBehalfOf);
  const target = "POST /sword/service-document";
  return await withPackage(needs, { call, depositor, target, client }, (received, pkg, finish) =>
    registerItems(needs.parts, { depositor, proxy, received, pkg, finish }),
  );
}

async function replace(needs: ServiceNeeds, call: UploadCall, number: string): Promise<DepositAnswer> {
  const { store } = needs;
  const depositor = requireToken(call.viewer, DEPOSIT_SCOPES.update);
  const client = await clientSettingOf(store.settings, call.viewer);
  requireClientScopes(call.viewer, client);
  requireDepositRole(call.viewer);
  const proxy = await proxyOf(needs, call.headers.onBehalfOf);
  const recid = recidOf(number);
  const { item, parent } = (await store.items.withParent(recid)) ?? {};
  if (item === undefined || parent === undefined || item.state === "deleted") throw notFound(recid);
  const open = await store.activities.openActivity(recid);
  const isReviewed = parent.review?.state === "submitted";
  if (item.state === "draft" && open === null && !isReviewed) throw notFound(recid);
  if (!may(call.viewer, "item.update", parent)) {
    if (item.state === "draft") throw notFound(recid);
    throw depositRefusal(new Refusal("forbidden", `You may not change item ${recid}`), recid);
  }
  // An item under review is known to its owner, and nobody may replace it (R2f).
  if (item.state === "draft" && open === null) throw swordRefusals.beingEdited(recid);
  const { ifMatch } = call.headers;
  const target = `PUT /sword/deposit/${recid}`;
  return await withPackage(needs, { call, depositor, target, client }, (received, pkg, finish) =>
    replaceItem(needs.parts, { depositor, proxy, received, pkg, finish, item, ifMatch }),
  );
}

async function remove(needs: ServiceNeeds, call: DepositCall, number: string): Promise<DepositAnswer> {
  const depositor = requireToken(call.viewer, DEPOSIT_SCOPES.delete);
  requireDepositRole(call.viewer);
  const { onBehalfOf, ifMatch } = call.headers;
  return await deleteItem(needs.parts, { depositor, proxyOf: () => proxyOf(needs, onBehalfOf), number, ifMatch });
}

type UploadIn = {
  readonly call: UploadCall;
  readonly depositor: Depositor;
  /** Method and path. */
  readonly target: string;
  readonly client: ClientSetting | null;
};
type PackageWork = (received: ReceivedPackage, pkg: UnpackedPackage, finish: Finish) => Promise<DepositAnswer>;

/** Steps 3 to 8 and the Idempotency-Key around the rest; the files of the upload are deleted, however it ends. */
async function withPackage(
  needs: ServiceNeeds,
  { call, depositor: { account }, target, client }: UploadIn,
  work: PackageWork,
): Promise<DepositAnswer> {
  const { counters } = needs;
  requireCapacity(needs, account);
  counters.begin(account.id);
  let [format, outcome]: [DepositFormat, DepositOutcome] = ["unknown", "failed"];
  let received: ReceivedPackage | null = null;
  let pkg: UnpackedPackage | null = null;
  try {
    received = await receive({ ...needs, onBytes: (bytes) => counters.receive(bytes) }, call);
    pkg = await unpackPackage(needs, received, call.headers, client?.verifyDigest ?? needs.verifyDigest);
    format = pkg.kind;
    const { idempotencyKey: key } = call.headers;
    const claim = await claimKey(needs, { accountId: account.id, key, target, packageSha256: received.sha256 });
    outcome = "replayed";
    if ("status" in claim) return claim;
    let isDone = false;
    try {
      const answer = await work(received, pkg, claim.finishIn);
      isDone = true;
      outcome = answer.status === 202 ? "waiting" : "registered";
      return answer;
    } finally {
      await claim.end(isDone);
    }
  } catch (error) {
    outcome = outcomeOfError(error);
    if (error instanceof SwordError && error.messageNumber === 21) logHowToAttach(needs, call.viewer);
    throw error;
  } finally {
    counters.end(account.id, format, outcome);
    await pkg?.discard();
    await received?.discard();
  }
}

/** @throws Refusal `unavailable`, `too_many` while as many deposits are under way as the settings allow. */
function requireCapacity({ counters, maxConcurrent, perAccount }: ServiceNeeds, account: Account): void {
  const headers = { "retry-after": RETRY_SECONDS };
  if (counters.working >= maxConcurrent) {
    counters.sendAway();
    throw new Refusal("unavailable", "Too many deposits at once", { headers });
  }
  if (counters.workingOf(account.id) >= perAccount) {
    counters.sendAway();
    const text = `Too many deposits of one account at once: ${perAccount} are under way, send the next when one has ended.`;
    throw new Refusal("too_many", text, { headers });
  }
}

/** Message 21 does not explain how to continue; the log does (R6b). */
function logHowToAttach({ log }: ServiceNeeds, { clientId }: Viewer): void {
  log.info("deposit_without_client_record", {
    client_id: clientId,
    hint: `arkstone sword-client set ${clientId} --active yes gives this client a record`,
  });
}

async function pendingStatus(needs: ServiceNeeds, viewer: Viewer, recid: ItemId): Promise<DepositAnswer | null> {
  const [item, open] = [await needs.store.items.item(recid), await needs.store.activities.openActivity(recid)];
  if (item === null || open === null || !(await needs.activities.maySee(viewer, open))) return null;
  return await openStatus(needs, item, open, null, null);
}

/**
 * The status of an item with an activity that the viewer may see: the link to its page comes first, and the note states
 * what it waits for.
 */
async function openStatus(
  { store, addresses }: ServiceNeeds,
  item: Item,
  open: Activity,
  replaces: number | null,
  isReplacedBy: number | null,
): Promise<DepositAnswer> {
  // A pending version replaces the one that is published now.
  const isPendingVersion = item.state === "draft" && item.versionIndex > 1;
  const parent = isPendingVersion ? await store.items.parent(item.parentId) : null;
  return statusAnswer(addresses, 200, {
    item: { ...item, depositedOnBehalfOf: open.onBehalfOf ?? item.depositedOnBehalfOf },
    replaces: replaces ?? parent?.latest ?? null,
    isReplacedBy,
    activityId: open.id,
    parts: [],
    notes: open.note === "" ? [] : [`${open.note}.`],
  });
}

// Metrics of deposits (R13): packages by format and outcome, bytes received, deposits in progress, deposits refused for
// lack of capacity; and deposits in progress per account (R6c).

/**
 * `registered` 200 and 201, `waiting` 202 (an activity), `refused` by a rule, `unavailable` no room, `failed` for no
 * reason of the client's.
 */
type DepositOutcome = "registered" | "waiting" | "replayed" | "refused" | "unavailable" | "failed";

/** `unknown`: refused before it was known what the package is. */
type DepositFormat = PackageKind | "unknown";

type EndedDeposits = {
  readonly format: DepositFormat;
  readonly outcome: DepositOutcome;
  readonly count: number;
};

export type DepositFigures = {
  /** Packages being received, read or registered now. */
  readonly working: number;
  /** Sent away because too many were worked on. */
  readonly sentAway: number;
  readonly receivedBytes: number;
  readonly ended: readonly EndedDeposits[];
};

function outcomeOfError(error: unknown): DepositOutcome {
  if (!(error instanceof Refusal)) return "failed";
  return error.kind === "unavailable" ? "unavailable" : "refused";
}

class DepositCounters {
  readonly #ended = new Map<string, EndedDeposits>();
  /** Deposits under way, by account. */
  readonly #ofAccounts = new Map<number, number>();
  #working = 0;
  #sentAway = 0;
  #receivedBytes = 0;

  get working(): number {
    return this.#working;
  }

  /** Of one account, with all its tokens (R6c). */
  workingOf(accountId: AccountId): number {
    return this.#ofAccounts.get(accountId) ?? 0;
  }

  begin(accountId: AccountId): void {
    this.#working += 1;
    this.#ofAccounts.set(accountId, this.workingOf(accountId) + 1);
  }

  sendAway(): void {
    this.#sentAway += 1;
  }

  receive(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  end(accountId: AccountId, format: DepositFormat, outcome: DepositOutcome): void {
    this.#working -= 1;
    const left = (this.#ofAccounts.get(accountId) ?? 1) - 1;
    if (left > 0) this.#ofAccounts.set(accountId, left);
    else this.#ofAccounts.delete(accountId);
    const key = `${format} ${outcome}`;
    const { count } = this.#ended.get(key) ?? { count: 0 };
    this.#ended.set(key, { format, outcome, count: count + 1 });
  }

  figures(): DepositFigures {
    return {
      working: this.#working,
      sentAway: this.#sentAway,
      receivedBytes: this.#receivedBytes,
      ended: [...this.#ended.values()],
    };
  }
}
