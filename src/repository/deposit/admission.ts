// Steps 1 and 2 of a deposit: token, scopes and role, On-Behalf-Of (specification 2, "Processing of POST",
// "Authentication"; R2e, R13b, R15).

import type { Account, RepositoryScope, Viewer } from "../../auth/account.ts";
import type { ClientSetting } from "../../model/items/deposit-settings.ts";
import { may } from "../../model/rights/policy.ts";
import { type WritingNeeds, writeAs } from "../people/current-viewer.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { SwordError, swordRefusals } from "./messages.ts";

/** Scopes of the deposit interfaces (specification, "Authentication" 2). */
export const DEPOSIT_SCOPES = {
  create: ["deposit:write", "deposit:actions", "item:create"],
  update: ["deposit:write", "deposit:actions", "item:update"],
  delete: ["deposit:write", "deposit:actions", "item:delete"],
} as const satisfies Readonly<Record<string, readonly RepositoryScope[]>>;

/** Registering, updating or deleting through a workflow needs this one too. */
export const WORKFLOW_SCOPE: RepositoryScope = "user:activity";

const NOT_ALLOWED = "Not allowed operation in your role or token scope.";

/** A caller who may deposit. */
export type Depositor = { readonly viewer: Viewer; readonly account: Account };

/**
 * `scopes`: those that deposits need, checked again before writing.
 *
 * @throws SwordError message 1 for the guest, Forbidden
 */
export function requireToken(viewer: Viewer, scopes: readonly RepositoryScope[] = []): Depositor {
  const { account } = viewer;
  if (account === null) throw swordRefusals.tokenMissing();
  requireDepositScopes(viewer, scopes);
  return { viewer: { ...viewer, asked: scopes }, account };
}

/**
 * One transaction in the depositor's name, with account, role and token as they are then, not as they were before the
 * body came (R2g).
 *
 * @throws SwordError Forbidden, Refusal as `writeAs`.
 */
export function depositAs<T>(
  needs: WritingNeeds,
  { viewer, account }: Depositor,
  work: (tx: RepositoryWriter, depositor: Depositor) => Promise<T>,
): Promise<T> {
  return writeAs(needs, viewer, async (tx, now) => {
    requireDepositRole(now);
    return await work(tx, { viewer: now, account: now.account ?? account });
  });
}

/** @throws SwordError Forbidden when the token lacks one of the scopes. */
export function requireDepositScopes(viewer: Viewer, scopes: readonly RepositoryScope[]): void {
  const { scopes: carried } = viewer;
  if (carried !== null && scopes.some((scope) => !carried.has(scope))) throw new SwordError("Forbidden", NOT_ALLOWED);
}

/**
 * A client that registers through a workflow in any case lacks a scope without `user:activity` (R17: the client's
 * record wins).
 */
export function requireClientScopes(viewer: Viewer, client: ClientSetting | null): void {
  if (client?.active === true && client.registrationType === 2) requireDepositScopes(viewer, [WORKFLOW_SCOPE]);
}

/** @throws SwordError Forbidden for a role that deposits nothing (R2e: general users). */
export function requireDepositRole(viewer: Viewer): void {
  if (!may(viewer, "item.deposit", null)) throw new SwordError("Forbidden", NOT_ALLOWED);
}

type OnBehalfOfNeeds = {
  /** SVC_SWORD_ON_BEHALF_OF. */
  readonly allowed: boolean;
  readonly find: (value: string) => Promise<Account | null>;
};

/** Longest value that is looked up. */
const ON_BEHALF_OF_MAX = 500;

/**
 * The account an On-Behalf-Of names; null where none was sent. The value itself goes nowhere (R15).
 *
 * @throws SwordError messages 2, 19, 20.
 */
export async function accountOnBehalf(
  value: string | null,
  { allowed, find }: OnBehalfOfNeeds,
): Promise<Account | null> {
  if (value === null) return null;
  if (!allowed) throw swordRefusals.onBehalfOfUnsupported();
  const text = value.trim();
  if (text === "" || text.length > ON_BEHALF_OF_MAX) throw swordRefusals.noProxyUser();
  let found: Account | null;
  try {
    found = await find(text);
  } catch (error) {
    throw swordRefusals.proxyLookupFailed({ cause: error });
  }
  if (found === null) throw swordRefusals.noProxyUser();
  return found;
}
