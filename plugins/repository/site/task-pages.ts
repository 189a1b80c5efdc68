// Several tasks decided from their list (R44), and what became of each.
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { refusalText } from "../../../src/repository/pages/refusal-words.ts";
import { taskOutcomesPage } from "../../../src/repository/pages/templates/task-list.ts";
import { typedHtml } from "../../../src/repository/requests/comment-body.ts";
import { type DecideTasks, TASK_DECISION } from "../../../src/repository/requests/task-decisions.ts";
import { isRefusal } from "../../../src/shared/refusal.ts";
import { routesOf } from "../../http/routes.ts";
import { signedInForm } from "./account-pages.ts";
import { htmlAnswer, type PageNeeds } from "./answers.ts";
import { AFTER_FORM, FORM_AGAIN, form, mountPages, UNKEPT } from "./page-routes.ts";

export type TaskPagesNeeds = PageNeeds & { readonly decideTasks: DecideTasks };

const { post } = routesOf<TaskPagesNeeds>();

const { 303: _, ...REFUSED } = AFTER_FORM;

const ROUTES = [
  post("/me/tasks", {
    id: "decideTasksByForm",
    summary: "Decide about several tasks",
    description: "The page that answers states what became of each.",
    scopes: "session",
    content: form(
      { action: "accept or decline", comment: "A comment to each" },
      "`request:UUID` or `activity:ID`: yes",
    ),
    answers: { ...UNKEPT, ...REFUSED, ...FORM_AGAIN },
    run: decide,
  }),
];

export const taskPages = (needs: TaskPagesNeeds) => mountPages("task-pages", ROUTES, needs, null);

async function decide(needs: TaskPagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { viewer, site } = reader;
  const tasks = [...fields.keys()].filter((name) => /^(?:request|activity):/.test(name));
  const sent = { tasks, action: fields.get("action") ?? "", comment: typedHtml(fields.get("comment") ?? "") };
  try {
    const outcomes = await needs.decideTasks(viewer, sentRecord(TASK_DECISION, sent));
    return await htmlAnswer(request, site, taskOutcomesPage({ outcomes, problem: null }, site), { cacheable: false });
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const page = taskOutcomesPage({ outcomes: [], problem: refusalText(error, site.texts) }, site);
    return await htmlAnswer(request, site, page, { status: error.status, cacheable: false });
  }
}
