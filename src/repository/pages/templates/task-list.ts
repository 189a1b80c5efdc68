// What waits for somebody (R44): oldest first, with age and holder.

import { button, buttonRow, csrfField, linkButton } from "../../../pages/components/buttons.ts";
import { choiceBox } from "../../../pages/components/choices.ts";
import { textArea } from "../../../pages/components/fields.ts";
import { table } from "../../../pages/components/lists.ts";
import { badge, banner, state } from "../../../pages/components/notes.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { attributes, type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Task } from "../../notices/tasks.ts";
import type { TaskOutcome } from "../../requests/task-decisions.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { refusalWords } from "../refusal-words.ts";
import { titleOf } from "./decided.ts";
import { moment, type SiteView, sitePage } from "./layout.ts";

type TaskLine = Task & { readonly days: number };

export type TaskListView = {
  readonly lines: readonly TaskLine[];
  readonly total: number;
  /** What to ask for next; null: these are the last. */
  readonly next: string | null;
  readonly isFirst: boolean;
  /** Where this page begins, as `next` of the one before; null: with the first. */
  readonly after: string | null;
  /** Every box is ticked. */
  readonly areAllChosen: boolean;
  /** The account that reads. */
  readonly own: number | null;
};

/** One page of the tasks of somebody. */
export function taskList(view: TaskListView, site: SiteView): Html {
  const { lines, total, next, isFirst, after, areAllChosen, own } = view;
  const { texts, rootPath, person } = site;
  const { review } = texts;
  if (lines.length === 0 && isFirst) return state({ kind: "empty", text: review.noTasks });
  const here = `${rootPath}/me?tab=tasks`;
  const holder = ({ holder: by }: TaskLine): string =>
    by === null ? "" : by === own ? review.you : review.person(String(by));
  const ways = [
    ...(isFirst ? [] : [linkButton(review.firstTasks, here, "quiet")]),
    ...(next === null ? [] : [linkButton(review.moreTasks, `${here}&after=${encodeURIComponent(next)}`, "quiet")]),
  ];
  const all = `${here}${after === null ? "" : `&after=${encodeURIComponent(after)}`}&all=yes`;
  const chosen = html`${textArea({ id: "comment", label: review.commentLabel, hint: review.commentToEach, value: "", rows: 3, control: { maxlength: 2000 } }, texts)}${buttonRow(
    [
      button({ label: review.acceptChosen, name: "action", value: "accept" }),
      button({ label: review.declineChosen, kind: "quiet", name: "action", value: "decline" }),
      linkButton(review.chooseAll, all, "quiet"),
    ],
  )}`;
  return html`<form method="post" action="${rootPath}/me/tasks">${csrfField(person?.csrf ?? "")}${table({
    caption: review.waiting(total),
    head: [review.choose, review.taskHeading, review.type, review.holder, review.since],
    rows: lines.map((task, at) => [
      choiceBox(
        { value: "yes", label: html`<span class="off">${titleOf(task.title, texts)}</span>`, isChosen: areAllChosen },
        { kind: "checkbox", id: `task-${at + 1}`, name: task.id },
      ),
      html`<a href="${rootPath}${task.path}">${titleOf(task.title, texts)}</a>`,
      review.types[task.kind],
      holder(task),
      html`${moment(task.since, texts)} <span class="soft">${review.days(task.days)}</span>`,
    ]),
  })}${chosen}</form>
${ways.length === 0 ? NOTHING : buttonRow(ways)}`;
}

const sentence = (message: string, texts: RepositoryTexts): Html => {
  const { text, lang } = refusalWords(message, texts);
  return html`<span${attributes({ lang })}>${text}</span>`;
};

const sentenceBanner = (message: string, texts: RepositoryTexts): Html => {
  const { text, lang } = refusalWords(message, texts);
  return banner("gone", text, { role: "alert", ...(lang === undefined ? {} : { lang }) });
};

/** What became of tasks that were decided at once; `problem`: why nothing was done. */
export function taskOutcomesPage(
  { outcomes, problem }: { readonly outcomes: readonly TaskOutcome[]; readonly problem: string | null },
  site: SiteView,
): string {
  const { texts, rootPath } = site;
  const { review } = texts;
  const done = outcomes.filter(({ result }) => result === "done").length;
  const pathOf = (task: string): string =>
    task.replace(/^request:/, "/requests/").replace(/^activity:/, "/workflow/activity/detail/");
  const list = table({
    caption: review.outcome(done, outcomes.length),
    head: [review.taskHeading, review.result],
    rows: outcomes.map(({ task, title, result, message }) => [
      html`<a href="${rootPath}${pathOf(task)}">${titleOf(title, texts)}</a>`,
      html`${badge(review.results[result], result === "done" ? "good" : "gone")} ${sentence(message, texts)}`,
    ]),
  });
  return sitePage(site, {
    title: review.outcomes,
    noindex: true,
    switchable: false,
    body: html`${pageHeading(review.outcomes)}${problem === null ? list : sentenceBanner(problem, texts)}${buttonRow([linkButton(review.backToTasks, `${rootPath}/me?tab=tasks`)])}`,
  });
}
