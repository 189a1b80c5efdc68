// What waits for somebody (R44): oldest first, with age and holder.
import { buttonRow, linkButton } from "../../../pages/components/buttons.ts";
import { table } from "../../../pages/components/lists.ts";
import { state } from "../../../pages/components/notes.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Task } from "../../notices/tasks.ts";
import { titleOf } from "./decided.ts";
import { moment, type SiteView } from "./layout.ts";

export type TaskLine = Task & { readonly days: number };

export type TaskListView = {
  readonly lines: readonly TaskLine[];
  readonly total: number;
  /** What to ask for next; null: these are the last. */
  readonly next: string | null;
  readonly isFirst: boolean;
  /** The account that reads. */
  readonly own: number | null;
};

/** One page of the tasks of somebody. */
export function taskList({ lines, total, next, isFirst, own }: TaskListView, { texts, rootPath }: SiteView): Html {
  const { review } = texts;
  if (lines.length === 0 && isFirst) return state({ kind: "empty", text: review.noTasks });
  const here = `${rootPath}/me?tab=tasks`;
  const holder = ({ holder: by }: TaskLine): string =>
    by === null ? "" : by === own ? review.you : review.person(String(by));
  const ways = [
    ...(isFirst ? [] : [linkButton(review.firstTasks, here, "quiet")]),
    ...(next === null ? [] : [linkButton(review.moreTasks, `${here}&after=${encodeURIComponent(next)}`, "quiet")]),
  ];
  return html`${table({
    caption: review.waiting(total),
    head: [review.taskHeading, review.type, review.holder, review.since],
    rows: lines.map((task) => [
      html`<a href="${rootPath}${task.path}">${titleOf(task.title, texts)}</a>`,
      review.types[task.kind],
      holder(task),
      html`${moment(task.since, texts)} <span class="soft">${review.days(task.days)}</span>`,
    ]),
  })}${ways.length === 0 ? NOTHING : buttonRow(ways)}`;
}
