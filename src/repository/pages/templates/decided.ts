// What a reviewer sees after a decision (R44).
import { buttonRow, linkButton } from "../../../pages/components/buttons.ts";
import { banner } from "../../../pages/components/notes.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { Task } from "../../notices/tasks.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import type { SiteView } from "./layout.ts";

/** The task to go on with; null: there is none. */
export type NextTask = Pick<Task, "title" | "path"> | null;

export const titleOf = (title: string, { site }: RepositoryTexts): string => (title === "" ? site.untitled : title);

/** What was decided, and the way to the next task: a queue is worked through without going back to its list. */
export function afterDecision(next: NextTask, { texts, rootPath }: SiteView): Html {
  const { review } = texts;
  const on =
    next === null
      ? html`<p>${review.lastTask}</p>`
      : buttonRow([linkButton(review.next(titleOf(next.title, texts)), `${rootPath}${next.path}`)]);
  return banner("good", html`<p>${review.decided}</p>${on}`, { role: "status" });
}
