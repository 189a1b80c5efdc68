// Who decides about a request (R44): somebody who may takes it and releases it, an administrator gives it to another
// account. Of two who take it at once one does.
import type { Viewer } from "../../auth/account.ts";
import { oneError, permissionDenied } from "../../model/input/record-refusals.ts";
import { isOpen, mayActOn, type RequestFacts } from "../../model/rights/request-rules.ts";
import { heldByAnother, taskEventOf } from "../../model/rights/task-rules.ts";
import type { Sent } from "../../shared/fields.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import type { AccountId } from "../../shared/ids.ts";
import { accountViewer } from "../people/current-viewer.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { changing, heldRequest } from "./request-facts.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { cannotDo } from "./request-sentences.ts";

export interface RequestHolding {
  /** Null releases it. @throws Refusal not_found, forbidden, invalid. */
  setHolder(asking: Viewer, id: string, to: Sent<AccountId | null>): Promise<void>;
}

export const requestHolding = (needs: RequestsNeeds): RequestHolding => ({
  setHolder: (asking, id, sent) =>
    changing(needs, asking, async (tx, viewer) => {
      const { request, facts } = await heldRequest(tx, viewer, id);
      const to = sent();
      const { holder } = request;
      if (to === holder) return;
      if (!isOpen(request.status)) throw cannotDo("take");
      const event = taskEventOf(viewer, { holder, to, decides: decides(viewer, facts) });
      if (event === null) throw permissionDenied();
      if (event === "taken" && holder !== null) throw heldByAnother(holder);
      if (event === "reassigned" && to !== null) await requireDecider(tx, to, facts);
      const at = needs.clock.now();
      await tx.requests.saveRequest({ ...request, holder: to, updatedAt: at });
      const entry = { request: request.number, id: uuidOf(needs.random.bytes(16)), kind: "log", content: "" } as const;
      await tx.requests.addEvent({ ...entry, event, account: viewer.account?.id ?? null, about: to, createdAt: at });
      await tx.audit(viewer, at, [{ action: `request-${event}`, subject: `request:${id}`, detail: { holder: to } }]);
    }),
});

/** May accept it, if nobody else holds it. */
const decides = (viewer: Viewer, facts: RequestFacts): boolean =>
  mayActOn(viewer, { ...facts, holder: null, action: "accept" });

/** @throws Refusal `invalid` for an account that may not decide about it. */
async function requireDecider(tx: RepositoryWriter, to: AccountId, facts: RequestFacts): Promise<void> {
  const viewer = await accountViewer(tx, to);
  if (viewer === null || !decides(viewer, facts)) throw oneError("user", `Account ${to} may not decide about it.`);
}
