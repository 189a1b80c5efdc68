// `arkstone activity`: deposits and deletions that wait for somebody (R16: nobody waits unseen).

import type { Activity, ActivityFilter } from "../../../repository/store/activities.ts";
import { addMilliseconds, type Instant } from "../../../shared/time/instant.ts";
import { jsonText, plural } from "../../process/terminal.ts";
import { showRows } from "../ark/registry-output.ts";
import { type Command, command } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../refusals.ts";
import { numberOption, showRecord } from "./records.ts";
import { OPERATOR, withRepository } from "./repository-context.ts";

const LIST_DEFAULT = 50;
const LIST_MAX = 1000;
/** Lengths of time by the letter behind the number. */
const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
const STATE_NAMES: Readonly<Record<Activity["state"], string>> = {
  M: "open",
  B: "begun",
  P: "stopped",
  F: "finished",
  C: "cancelled",
  E: "failed",
};

function rowOf(activity: Activity) {
  const { id, kind, itemId, state, step, actions, title, account, note, createdAt, updatedAt } = activity;
  const at = { at: actions[step] ?? "end", note };
  const times = { created_at: createdAt, updated_at: updatedAt };
  return { id, kind, item: itemId, state: STATE_NAMES[state], ...at, account, title, ...times };
}

function olderThan(text: string, now: Instant): string {
  const [, count = "", unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const length = UNITS[unit];
  if (length === undefined) throw new UsageError(`--older must be like 12h, 30d or 6w, not "${text}"`, "");
  return addMilliseconds(now, -Number(count) * length);
}

const list = command({
  name: "activity list",
  summary: "List activities: those that wait for somebody, or all",
  options: {
    older: { type: "string", value: "TIME", help: "Where nothing has happened for so long: 12h, 30d, 6w" },
    all: { type: "boolean", help: "Finished and cancelled ones too" },
    limit: { type: "string", value: "N", help: `At most N (default ${LIST_DEFAULT}, up to ${LIST_MAX})` },
  },
  examples: ["arkstone activity list", "arkstone activity list --older 30d"],
  run: (context, given) => {
    const limit = numberOption("limit", given.limit ?? String(LIST_DEFAULT));
    if (limit < 1 || limit > LIST_MAX) throw new UsageError(`--limit must be from 1 to ${LIST_MAX}, not ${limit}`, "");
    return withRepository(context, async ({ store, clock }) => {
      const updatedBefore = given.older === undefined ? undefined : olderThan(given.older, clock.now());
      const filter: ActivityFilter = {
        ...(given.all ? {} : { states: ["M", "B", "P"] }),
        ...(updatedBefore === undefined ? {} : { updatedBefore }),
      };
      const rows = (await store.activities.listActivities(filter, 0, limit)).map(rowOf);
      const columns = ["id", "kind", "item", "state", "at", "account", "updated_at", "title", "note"] as const;
      showRows(context, rows, columns, "Nothing waits");
      const total = await store.activities.countActivities(filter);
      if (total > rows.length) context.err(`${plural(total, "activity", "activities")} in all\n`);
    });
  },
});

const show = command({
  name: "activity show",
  summary: "Show an activity with its steps",
  words: ["ID"],
  examples: ["arkstone activity show A-20260101-00001"],
  run: (context, _given, [id = ""]) =>
    withRepository(context, async (services) => {
      const { activities } = services;
      const { activity, steps, needsIndex } = await activities.read(OPERATOR, id);
      const lines = steps.map(({ action, state, account, comment, at }) => ({ action, state, account, comment, at }));
      if (context.json) return showRecord(context, { ...rowOf(activity), needs_index: needsIndex, steps: lines });
      showRecord(context, { ...rowOf(activity), needs_index: needsIndex });
      for (const { action, state, account, comment, at } of lines) {
        context.out(`${at}  ${action} ${state} ${account ?? "operator"}${comment === "" ? "" : `: ${comment}`}\n`);
      }
    }),
});

const COMMENT = { comment: { type: "string", value: "TEXT", help: "A word to the depositor" } } as const;

const approve = command({
  name: "activity approve",
  summary: "Approve: the item is registered, or deleted, and the activity goes on",
  words: ["ID"],
  options: { ...COMMENT, index: { type: "string", value: "ID", help: "File the item here, where it names no index" } },
  examples: ["arkstone activity approve A-20260101-00001", "arkstone activity approve A-20260101-00002 --index 1"],
  run: (context, given, [id = ""]) => {
    const index = given.index === undefined ? null : numberOption("index", given.index);
    return withRepository(context, async (services) => {
      const { activities } = services;
      const { activity } = await activities.approve(OPERATOR, id, { comment: given.comment ?? "", index });
      writeResult(context, activity);
    });
  },
});

const throwOut = command({
  name: "activity throw-out",
  summary: "Send a deposit back to its depositor, who sends it again or cancels",
  words: ["ID"],
  options: COMMENT,
  examples: ['arkstone activity throw-out A-20260101-00001 --comment "The licence is missing"'],
  run: (context, given, [id = ""]) =>
    withRepository(context, async (services) => {
      const { activities } = services;
      writeResult(context, await activities.throwOut(OPERATOR, id, given.comment ?? ""));
    }),
});

const cancel = command({
  name: "activity cancel",
  summary: "End an activity for good: a new item disappears, a published one stays as it was",
  words: ["ID"],
  options: COMMENT,
  examples: ["arkstone activity cancel A-20260101-00001"],
  run: (context, given, [id = ""]) =>
    withRepository(context, async (services) => {
      const { activities } = services;
      writeResult(context, await activities.cancel(OPERATOR, id, given.comment ?? ""));
    }),
});

function writeResult(context: Context, activity: Activity): void {
  const row = rowOf(activity);
  const item = row.item === null ? "" : ` (item ${row.item})`;
  const words = `${row.id}${item} is ${row.state}, at ${row.at}.${row.note === "" ? "" : ` ${row.note}.`}`;
  context.out(context.json ? jsonText(row) : `${words}\n`);
}

export const activityCommands: readonly Command[] = [list, show, approve, throwOut, cancel];
