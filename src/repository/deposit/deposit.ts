// The deposit door (specification 2, "Processing of POST /sword/service-document, in order"; R11 to R19): GET, POST, PUT and DELETE, each step one
// function of this folder, in the specification's order. Registration itself is one transaction.
import { SwordError, swordRefusals } from "./messages.ts";
import { dayIn } from "../../shared/day.ts";
import type { Item } from "../model/item.ts";
import type { Account, Viewer } from "../../auth/account.ts";
import { may } from "../model/policy.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import type { Activity } from "../store/activities.ts";
import {
  accountOnBehalf,
  DEPOSIT_SCOPES,
  type Depositor,
  requireClientScopes,
  requireDepositRole,
  requireToken,
} from "./admission.ts";
import { statusAnswer } from "./answers.ts";
import { describing } from "./describing.ts";
import {
  type DepositFigures,
  type DepositFormat,
  type DepositOutcome,
  depositCounters,
  outcomeOfError,
} from "./figures.ts";
import { clientSettingOf } from "./client-settings.ts";
import type { ClientSetting } from "../model/deposit-settings.ts";
import type { DepositNeeds, DepositParts, Finish } from "./types.ts";
import { depositReceipts } from "./receipts.ts";
import { type ReceivedPackage, receive } from "./receiving.ts";
import { refusalLog } from "./refusal-log.ts";
import { depositRefusal, notFound, recidOf } from "./refusals.ts";
import { registering } from "./registering.ts";
import { removing } from "./removing.ts";
import { replacing } from "./replacing.ts";
import type { DepositAnswer, DepositCall, UploadCall } from "./request.ts";
import { type UnpackedPackage, unpackPackage } from "./unpacking-package.ts";

export interface Deposit {
  figures(): DepositFigures;
  /** The service document and status documents ask for a token, no scope (R2e). @throws SwordError messages 1, 2, 19, 20. */
  admitReader(call: DepositCall): Promise<Depositor>;
  /** GET /sword/deposit/{recid}. Deleted is 404 here (R2c); a pending one is seen by its depositor and its approvers (R16). */
  status(call: DepositCall, number: string): Promise<DepositAnswer>;
  /** POST /sword/service-document. */
  create(call: UploadCall): Promise<DepositAnswer>;
  /** PUT /sword/deposit/{recid}. */
  replace(call: UploadCall, number: string): Promise<DepositAnswer>;
  /** DELETE /sword/deposit/{recid}. */
  remove(call: DepositCall, number: string): Promise<DepositAnswer>;
}

const RETRY_SECONDS = "10";

export const deposit = (needs: DepositNeeds): Deposit => {
  const { store, clock, items, activities, addresses } = needs;
  const describer = describing(store.settings, needs.parsing);
  const receipts = depositReceipts(needs);
  const parts: DepositParts = { ...needs, describer, today: () => dayIn(needs.timeZone, clock.now()) };
  const register = registering(parts);
  const replace = replacing(parts);
  const remove = removing(parts);
  const counters = depositCounters();
  const receiving = { ...needs, onBytes: counters.receive };

  const proxyOf = (value: string | null): Promise<Account | null> =>
    accountOnBehalf(value, { allowed: needs.onBehalfOf, find: needs.findOnBehalfOf });

  /**
   * Who deposits nothing acts for nobody: no account is looked up for him, so that neither the answer nor its time tells which e-mail
   * addresses exist here.
   */
  const proxyAskedBy = (viewer: Viewer, value: string | null): Promise<Account | null> =>
    accountOnBehalf(value, {
      allowed: needs.onBehalfOf,
      find: may(viewer, "item.deposit", null) ? needs.findOnBehalfOf : async () => null,
    });

  /** Steps 3 to 8 and the Idempotency-Key around the rest; nothing of the upload is left behind, however it ends. */
  async function withPackage(
    call: UploadCall,
    { account }: Depositor,
    target: string,
    client: ClientSetting | null,
    work: (received: ReceivedPackage, pkg: UnpackedPackage, finish: Finish) => Promise<DepositAnswer>,
  ): Promise<DepositAnswer> {
    if (counters.working >= needs.maxConcurrent) {
      counters.sendAway();
      throw new Refusal("unavailable", "Too many deposits at once", {
        headers: { "retry-after": RETRY_SECONDS },
      });
    }
    if (counters.workingOf(account.id) >= needs.perAccount) {
      counters.sendAway();
      const text = `Too many deposits of one account at once: ${needs.perAccount} are under way, send the next when one has ended.`;
      throw new Refusal("too_many", text, { headers: { "retry-after": RETRY_SECONDS } });
    }
    counters.begin(account.id);
    let [format, outcome]: [DepositFormat, DepositOutcome] = ["unknown", "failed"];
    let received: ReceivedPackage | null = null;
    let pkg: UnpackedPackage | null = null;
    try {
      received = await receive(receiving, call);
      pkg = await unpackPackage(needs, received, call.headers, client?.verifyDigest ?? needs.verifyDigest);
      format = pkg.kind;
      const { idempotencyKey: key } = call.headers;
      const claim = await receipts.claim({ accountId: account.id, key, target, packageSha256: received.sha256 });
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
      if (error instanceof SwordError && error.messageNumber === 21) tellHowToAttach(call.viewer);
      throw error;
    } finally {
      counters.end(account.id, format, outcome);
      await pkg?.discard();
      await received?.discard();
    }
  }

  /** Message 21 names no way out, the log does (R6b). */
  function tellHowToAttach({ clientId }: Viewer): void {
    needs.log.info("deposit_without_client_record", {
      client_id: clientId,
      hint: `arkstone sword-client set ${clientId} --active yes gives this client a record`,
    });
  }

  const door: Deposit = {
    figures: () => counters.figures(),

    async admitReader({ viewer, headers }) {
      const depositor = requireToken(viewer);
      await proxyAskedBy(viewer, headers.onBehalfOf);
      return depositor;
    },

    async status(call, number) {
      const { viewer } = requireToken(call.viewer);
      await proxyAskedBy(viewer, call.headers.onBehalfOf);
      const recid = recidOf(number);
      try {
        const { item, replaces, isReplacedBy } = await items.readable(viewer, recid);
        const open = await store.activities.openActivity(item.id);
        if (open !== null && (await activities.maySee(viewer, open))) {
          return await openStatus(item, open, replaces, isReplacedBy);
        }
        const document = { item, replaces, isReplacedBy, activityId: null, parts: [], notes: [] };
        return statusAnswer(addresses, 200, document);
      } catch (error) {
        const pending = isRefusal(error, "not_found") ? await pendingStatus(viewer, recid) : null;
        if (pending !== null) return pending;
        throw depositRefusal(error, recid);
      }
    },

    async create(call) {
      const depositor = requireToken(call.viewer, DEPOSIT_SCOPES.create);
      const client = await clientSettingOf(store.settings, call.viewer);
      requireClientScopes(call.viewer, client);
      requireDepositRole(call.viewer);
      const proxy = await proxyOf(call.headers.onBehalfOf);
      return await withPackage(call, depositor, "POST /sword/service-document", client, (received, pkg, finish) =>
        register({ depositor, proxy, received, pkg, finish }),
      );
    },

    async replace(call, number) {
      const depositor = requireToken(call.viewer, DEPOSIT_SCOPES.update);
      const client = await clientSettingOf(store.settings, call.viewer);
      requireClientScopes(call.viewer, client);
      requireDepositRole(call.viewer);
      const proxy = await proxyOf(call.headers.onBehalfOf);
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
      // What waits for a community is known to its owner, and nobody's to replace (R2f).
      if (item.state === "draft" && open === null) throw swordRefusals.beingEdited(recid);
      const { ifMatch } = call.headers;
      return await withPackage(call, depositor, `PUT /sword/deposit/${recid}`, client, (received, pkg, finish) =>
        replace({ depositor, proxy, received, pkg, finish, item, ifMatch }),
      );
    },

    async remove(call, number) {
      const depositor = requireToken(call.viewer, DEPOSIT_SCOPES.delete);
      requireDepositRole(call.viewer);
      const { onBehalfOf, ifMatch } = call.headers;
      return await remove({ depositor, proxyOf: () => proxyOf(onBehalfOf), number, ifMatch });
    },
  };
  const told = refusalLog(needs.log);
  return {
    ...door,
    create: (call) => told(call, { method: "POST", item: null }, () => door.create(call)),
    replace: (call, number) => told(call, { method: "PUT", item: number }, () => door.replace(call, number)),
    remove: (call, number) => told(call, { method: "DELETE", item: number }, () => door.remove(call, number)),
  };

  async function pendingStatus(viewer: Viewer, recid: number): Promise<DepositAnswer | null> {
    const [item, open] = [await store.items.item(recid), await store.activities.openActivity(recid)];
    if (item === null || open === null || !(await activities.maySee(viewer, open))) return null;
    return await openStatus(item, open, null, null);
  }

  /** An item whose activity the viewer may see: its page comes first, and what it waits for is said. */
  async function openStatus(item: Item, open: Activity, replaces: number | null, isReplacedBy: number | null) {
    // The version that a pending one is to replace is the one that is published now.
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
};
