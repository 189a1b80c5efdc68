// Pages of workflow activities with the buttons of a decision (R16): what waits for the person signed in, and one
// activity with its history.
import { isAdministrator, type Viewer } from "../../../src/auth/account.ts";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { ACTION_NAMES, ACTIVITY_CONDITIONS } from "../../../src/model/rights/workflow-rules.ts";
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import {
  type ActivityDetailView,
  type ActivityLine,
  activityListPage,
  activityPage,
} from "../../../src/repository/pages/templates/activity-pages.ts";
import { filesPage } from "../../../src/repository/pages/templates/files.ts";
import { valuesPage } from "../../../src/repository/pages/templates/values-page.ts";
import { type Activities, waitsForDepositor } from "../../../src/repository/workflow/activities.ts";
import {
  type ActivityDetail,
  type ActivityViews,
  actionAt,
  type NamedActivity,
} from "../../../src/repository/workflow/activity-views.ts";
import { DECISION, type Decision, indexOf } from "../../../src/repository/workflow/decision-body.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { type RouteAnswers, routesOf } from "../../http/routes.ts";
import { fileResponse } from "../file-response.ts";
import { signedInForm } from "./account-pages.ts";
import { filesPart, htmlAnswer, openPage, type PageNeeds, pageNumber, type Reader, redirectTo } from "./answers.ts";
import { type ChecksNeeds, checksOf } from "./checks.ts";
import { commentsIn, fieldsIn } from "./field-comments.ts";
import { HOLDER_FORM, holderIn } from "./holder-form.ts";
import { nextTask, type TasksOf } from "./next-task.ts";
import { AFTER_FORM, BUSY, FILE, FORM_AGAIN, form, mountPages, NOT_FOUND, PAGE, SIGN_IN } from "./page-routes.ts";
import { filesPageView, proposalView, valuesPageView } from "./views.ts";

export type ActivityPagesNeeds = PageNeeds &
  ChecksNeeds & {
    readonly activities: Pick<Activities, "approve" | "throwOut" | "cancel" | "setHolder">;
    readonly views: ActivityViews;
    readonly showing: Showing;
    readonly storage: Pick<Storage, "read">;
    readonly tasksOf: TasksOf;
  };

type Decide = (viewer: Viewer, decision: Decision, index: string) => Promise<unknown>;

const LIST = "/workflow/activities";
const ONE = "/workflow/activity/detail/:activity_id";
const PAGE_ACTIVITIES = 20;
const ID = pathParameter("activity_id", "Id of the activity");
const SHOWN: RouteAnswers = { ...PAGE, ...SIGN_IN, ...NOT_FOUND };
const DECIDED: RouteAnswers = { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND };
const COMMENT = { comment: "A comment to the depositor" };
const FIELDS = "`field:NAME`: a comment on a field";

const { get, post } = routesOf<ActivityPagesNeeds>();

const ROUTES = [
  get(LIST, {
    id: "activityListPage",
    summary: "Activities that wait for the person signed in",
    parameters: [
      queryParameter("status", ACTIVITY_CONDITIONS.join(", "), { type: "string" }),
      queryParameter("page", "Page of the list, from 1", { type: "integer" }),
    ],
    answers: { ...PAGE, ...SIGN_IN },
    run: list,
  }),
  get(ONE, {
    id: "activityPage",
    summary: "One activity with its history",
    parameters: [ID, queryParameter("done", "decided, after a form", { type: "string" })],
    answers: SHOWN,
    run: (needs, request, { activity_id: id }) => detail(needs, request, id),
  }),
  get(`${ONE}/files`, {
    id: "proposedFilesPage",
    summary: "The files that are decided about",
    parameters: [
      ID,
      queryParameter("folder", "Path of a folder, as the page shows it", { type: "string" }),
      queryParameter("page", "Page of the list, from 1", { type: "integer" }),
    ],
    answers: SHOWN,
    run: (needs, request, { activity_id: id }) => proposedFiles(needs, request, id),
  }),
  get(`${ONE}/values/:field`, {
    id: "proposedValuesPage",
    summary: "All values of a field that is decided about",
    parameters: [ID, pathParameter("field", "Name of the field, such as `creators`")],
    answers: SHOWN,
    run: (needs, request, { activity_id: id, field }) => proposedValues(needs, request, id, field),
  }),
  get(`${ONE}/files/:key`, {
    id: "downloadProposedFile",
    summary: "A file that is decided about",
    parameters: [ID, pathParameter("key", "Name of the file, percent-encoded once")],
    answers: { ...FILE, ...SIGN_IN, ...NOT_FOUND },
    run: (needs, request, { activity_id: id }) => proposedFile(needs, request, id),
  }),
  post(`${ONE}/approve`, {
    id: "approveByForm",
    summary: "Approve what waits",
    parameters: [ID],
    scopes: "session",
    content: form({ ...COMMENT, index: "Number of the index it is filed in, where it has none" }, FIELDS),
    answers: { ...DECIDED, ...BUSY },
    run: (needs, request, { activity_id: id }) =>
      decided(needs, request, id, (viewer, decision, index) =>
        needs.activities.approve(viewer, id, { ...decision, index: indexOf(index.trim()) }),
      ),
  }),
  post(`${ONE}/holder`, {
    id: "holdActivityByForm",
    summary: "Take, release or reassign an activity",
    parameters: [ID],
    scopes: "session",
    content: form(HOLDER_FORM),
    answers: DECIDED,
    run: (needs, request, { activity_id: id }) => hold(needs, request, id),
  }),
  post(`${ONE}/throw-out`, {
    id: "throwOutByForm",
    summary: "Return it to its depositor",
    parameters: [ID],
    scopes: "session",
    content: form(COMMENT, FIELDS),
    answers: DECIDED,
    run: (needs, request, { activity_id: id }) =>
      decided(needs, request, id, (viewer, { comment, fields }) =>
        needs.activities.throwOut(viewer, id, comment, fields),
      ),
  }),
  post(`${ONE}/cancel`, {
    id: "cancelByForm",
    summary: "End the activity",
    parameters: [ID],
    scopes: "session",
    content: form(COMMENT),
    answers: { ...DECIDED, ...BUSY },
    run: (needs, request, { activity_id: id }) =>
      decided(needs, request, id, (viewer, { comment }) => needs.activities.cancel(viewer, id, comment)),
  }),
];

export const activityPages = (needs: ActivityPagesNeeds) =>
  mountPages("activity-pages", ROUTES, needs, ["user:activity"]);

/** Activities are for people with an account. Throws unauthenticated for everybody else. */
async function openSignedIn(needs: ActivityPagesNeeds, request: Request): Promise<Reader> {
  const reader = await openPage(needs, request, "activities");
  if (reader.viewer.account === null) throw new Refusal("unauthenticated", "Sign in first");
  return reader;
}

async function list(needs: ActivityPagesNeeds, request: Request): Promise<Response> {
  const reader = await openSignedIn(needs, request);
  const { searchParams } = new URL(request.url);
  const condition = ACTIVITY_CONDITIONS.find((each) => each === searchParams.get("status")) ?? "todo";
  const page = Math.max(1, Math.min(10_000, Math.trunc(Number(searchParams.get("page")) || 1)));
  const found = await needs.views.list(reader.viewer, { condition, page, limit: PAGE_ACTIVITIES });
  const pages = Math.ceil(found.total / PAGE_ACTIVITIES);
  const view = { condition, page, pages, lines: found.activities.map(lineOf) };
  return await htmlAnswer(request, reader.site, activityListPage(view, reader.site));
}

const lineOf = ({ activity, depositor, holder }: NamedActivity): ActivityLine => ({
  id: activity.id,
  title: activity.title,
  kind: activity.kind,
  state: activity.state,
  action: ACTION_NAMES[actionAt(activity)],
  depositor,
  holder,
  updatedAt: activity.updatedAt,
});

const NOTHING_SENT = { comment: "", index: "", fields: new Map() };

function viewOf(
  viewer: Viewer,
  found: ActivityDetail,
  more: Partial<Pick<ActivityDetailView, "problem" | "sent" | "proposal">> = {},
): ActivityDetailView {
  const { activity, steps, may, needsIndex, workflow } = found;
  return {
    ...lineOf(found),
    itemId: activity.itemId,
    workflow,
    createdAt: activity.createdAt,
    isThrownOut: activity.state === "M" && waitsForDepositor(activity),
    note: activity.note,
    needsIndex,
    may,
    steps: steps.map(({ step, who, about }) => ({
      action: ACTION_NAMES[step.action],
      state: step.state,
      who,
      comment: step.comment,
      at: step.at,
      event: step.event,
      field: step.field,
      about,
    })),
    holding: {
      action: `${pathOf(activity.id)}/holder`,
      holder: found.holder,
      may: {
        take: may.approve && activity.holder !== viewer.account?.id,
        release: activity.holder !== null && (activity.holder === viewer.account?.id || isAdministrator(viewer)),
        reassign: may.hold && isAdministrator(viewer),
      },
    },
    problem: null,
    sent: NOTHING_SENT,
    proposal: null,
    ...more,
    // What waits is called as its reader calls it; the list has the title it came with.
    title: more.proposal?.title.text || activity.title,
  };
}

async function detail(needs: ActivityPagesNeeds, request: Request, id: string): Promise<Response> {
  const reader = await openSignedIn(needs, request);
  const found = await needs.views.read(reader.viewer, id);
  const isDecided = new URL(request.url).searchParams.get("done") === "decided";
  const next = isDecided ? { next: await nextTask(needs, reader.viewer, `activity:${id}`) } : {};
  const view = viewOf(reader.viewer, found, { proposal: await proposal(needs, reader, found), ...next });
  return await htmlAnswer(request, reader.site, activityPage(view, reader.site));
}

async function proposal(needs: ActivityPagesNeeds, { viewer, site }: Reader, { activity }: ActivityDetail) {
  const { id, itemId, kind } = activity;
  const found = await needs.showing.proposed(viewer, id);
  if (found === null) return null;
  const checks = itemId === null || kind === "deletion" ? null : await checksOf(needs, viewer, itemId);
  return await proposalView(found, site.texts.tag, site.rootPath, pathOf(id), checks);
}

const pathOf = (id: string): string => `/workflow/activity/detail/${id}`;

const decidedAlready = (id: string): Refusal => new Refusal("not_found", `Nothing waits in activity ${id}`);

/** One folder of the files that are decided about. */
async function proposedFiles(needs: ActivityPagesNeeds, request: Request, id: string): Promise<Response> {
  const { viewer, site } = await openSignedIn(needs, request);
  const found = await needs.showing.proposedFiles(viewer, id, filesPart(request));
  if (found === null) throw decidedAlready(id);
  const view = filesPageView(found, site.texts.tag, site.rootPath, pathOf(id));
  return await htmlAnswer(request, site, filesPage(view, site));
}

/** All values of a field that is decided about. */
async function proposedValues(
  needs: ActivityPagesNeeds,
  request: Request,
  id: string,
  field: string,
): Promise<Response> {
  const { viewer, site } = await openSignedIn(needs, request);
  const found = await needs.showing.proposed(viewer, id);
  if (found === null) throw decidedAlready(id);
  const asked = { field, page: pageNumber(new URL(request.url)) };
  const view = valuesPageView(found, asked, site.texts.tag, site.rootPath, pathOf(id));
  return await htmlAnswer(request, site, valuesPage(view, site));
}

/** A file that is decided about: never for a shared cache. */
async function proposedFile(needs: ActivityPagesNeeds, request: Request, id: string): Promise<Response> {
  const { viewer } = await openSignedIn(needs, request);
  const { pathname, searchParams } = new URL(request.url);
  const file = await needs.showing.proposedFile(viewer, id, pathname.slice(pathname.lastIndexOf("/") + 1));
  const asAttachment = searchParams.has("download");
  return await fileResponse(request, { ...file, restricted: true }, needs.storage, { asAttachment });
}

async function hold(needs: ActivityPagesNeeds, request: Request, id: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  return await orFormAgain(needs, request, { reader, id, sent: NOTHING_SENT }, async () => {
    const to = holderIn(reader.viewer, fields);
    await needs.activities.setHolder(reader.viewer, id, () => to);
    return redirectTo(reader.site.rootPath, pathOf(id));
  });
}

/** Decides, and shows the activity after that. */
async function decided(needs: ActivityPagesNeeds, request: Request, id: string, decide: Decide): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const about = fieldsIn(fields);
  const sent = { comment: fields.get("comment") ?? "", index: fields.get("index") ?? "", fields: about };
  const decision = sentRecord(DECISION, { comment: sent.comment, fields: commentsIn(about) });
  return await orFormAgain(needs, request, { reader, id, sent }, async () => {
    await decide(reader.viewer, decision(), sent.index);
    return redirectTo(reader.site.rootPath, `${pathOf(id)}?done=decided`);
  });
}

type SentDecision = { readonly reader: Reader; readonly id: string; readonly sent: ActivityDetailView["sent"] };

/** The page reports what is wrong with the form. */
async function orFormAgain(
  needs: ActivityPagesNeeds,
  request: Request,
  { reader, id, sent }: SentDecision,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const isAboutForm = isRefusal(error, "invalid") || (isRefusal(error, "forbidden") && "index" in error.detail);
    if (!isAboutForm) throw error;
    const found = await needs.views.read(reader.viewer, id);
    const page = activityPage(
      viewOf(reader.viewer, found, { problem: error.message, sent, proposal: await proposal(needs, reader, found) }),
      reader.site,
    );
    return await htmlAnswer(request, reader.site, page, { status: error.status, cacheable: false });
  }
}
