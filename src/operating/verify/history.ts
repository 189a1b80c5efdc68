// The history of a name against its row: it begins with a birth, its steps lead to the state the row has (A8, A9, A11,
// A27).
import { TRANSFER } from "../../ark/carried-name.ts";
import { isWithdrawn } from "../../ark/new-name.ts";
import type { ArkOrigin, ArkRecord, ArkState } from "../../ark/record.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { type Finding, findingsOf, type RuleResult } from "./finding.ts";

export type HistoryStep = { readonly at: Instant; readonly action: string; readonly afterUrl: string };

/** What the steps read so far allow to conclude. */
export type Replay = {
  readonly birth: HistoryStep;
  readonly last: HistoryStep;
  /** Which states the name may have now. */
  readonly states: readonly ArkState[];
  readonly wasPublic: boolean;
  readonly problem: string | null;
};

/**
 * How a name begins, with which origin, and in which states it may then be. `restore` enters what a newer list named.
 */
const BIRTHS: Readonly<Record<string, { readonly origin: ArkOrigin; readonly states: readonly ArkState[] }>> = {
  mint: { origin: "minted", states: ["reserved", "published"] },
  register: { origin: "registered", states: ["reserved", "published"] },
  import: { origin: "imported", states: ["reserved", "published"] },
  restore: { origin: "imported", states: ["deleted", "reserved"] },
};

/** Where an action leads. Actions that are not here leave the state as it is. */
const LEADS_TO: Readonly<Record<string, readonly ArkState[]>> = {
  publish: ["published"],
  unpublish: ["unpublished"],
  tombstone: ["tombstoned"],
  "lift-tombstone": ["reserved", "published", "unpublished"],
  delete: ["deleted"],
  purge: ["purged"],
};

/** Takes one more step, oldest first. */
export function replay(before: Replay | null, step: HistoryStep): Replay {
  const birth = Object.hasOwn(BIRTHS, step.action) ? BIRTHS[step.action] : undefined;
  if (before === null) {
    const problem = birth === undefined ? `its history begins with "${step.action}", not with its making` : null;
    return { birth: step, last: step, states: birth?.states ?? [], wasPublic: false, problem };
  }
  // Coming here from another service changes nothing of a name, withdrawn or not.
  if (step.action === TRANSFER) return before;
  const leads = Object.hasOwn(LEADS_TO, step.action) ? LEADS_TO[step.action] : undefined;
  const wasGone = before.states.length > 0 && before.states.every((state) => isWithdrawn({ state }));
  let problem = before.problem;
  if (birth !== undefined) problem ??= `its history makes it a second time ("${step.action}")`;
  // Purging a name that hangs on a public one shows two steps; nothing comes after the last.
  if (wasGone) problem ??= `its history goes on with "${step.action}" after it was withdrawn`;
  return {
    birth: before.birth,
    last: step,
    states: leads ?? before.states,
    wasPublic: before.wasPublic || step.action === "publish" || step.action === "unpublish",
    problem,
  };
}

/** What is wrong between a row and its history; null: it has none. */
export function historyFindings(record: ArkRecord, history: Replay | null): Finding[] {
  const { key, state } = record;
  if (history === null) return [{ kind: "history", key, problem: "it has no history" }];
  if (history.problem !== null) return [{ kind: "history", key, problem: history.problem }];
  const unfit = !history.states.includes(state);
  const gone = isWithdrawn(record) || history.states.every((each) => isWithdrawn({ state: each }));
  const words = `it is ${state}, its history ends with "${history.last.action}": ${history.states.join(" or ")}`;
  const origin = BIRTHS[history.birth.action]?.origin;
  const rules: RuleResult[] = [
    [unfit && !gone, words],
    [
      record.url !== history.last.afterUrl,
      `its target is not the one its history ends with ("${history.last.afterUrl}")`,
    ],
    [record.createdAt !== history.birth.at, `its created_at is not the time of its making (${history.birth.at})`],
    [record.updatedAt !== history.last.at, `its updated_at is not the time of its last change (${history.last.at})`],
    [
      history.wasPublic && record.firstPublishedAt === null,
      "it was public by its history and has no first_published_at",
    ],
  ];
  return [
    ...findingsOf("withdrawn", key, [[unfit && gone, words]]),
    ...findingsOf("history", key, rules),
    ...findingsOf("origin", key, [
      [origin !== record.origin, `its origin is ${record.origin}, its history states ${origin}`],
    ]),
  ];
}
