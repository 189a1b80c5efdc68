// The page where people choose their notices, the link in each mail that ends a kind of them, and the feed of tasks
// (R45).

import { Type } from "@sinclair/typebox";
import { taskFeed } from "../../../src/formats/opensearch/task-feed.ts";
import { isNoticeKind } from "../../../src/model/notices/notice-rules.ts";
import type { NoticeChoices, StopLink } from "../../../src/repository/notices/choices.ts";
import { CHOOSE_PATH, STOP_PATH } from "../../../src/repository/notices/sending.ts";
import { refusalProblem } from "../../../src/repository/pages/refusal-words.ts";
import { titleOf } from "../../../src/repository/pages/templates/decided.ts";
import { type NoticesView, noticesPage, stopPage } from "../../../src/repository/pages/templates/notice-pages.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter, queryParameter, response } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, ownFields, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import type { TasksOf } from "./next-task.ts";
import { AFTER_FORM, BODY_REFUSALS, FORM_AGAIN, form, mountPages, NOT_FOUND, SIGN_IN, UNKEPT } from "./page-routes.ts";

export type NoticePagesNeeds = PageNeeds & {
  readonly noticeChoices: NoticeChoices;
  readonly tasksOf: TasksOf;
  readonly isMailOn: boolean;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

const FEED = "/feeds/tasks/:secret";
const text = { type: "string" } as const;
const LINK = [
  queryParameter("account", "Number of the account", text),
  queryParameter("kind", "The kind of notice", text),
  queryParameter("signature", "Proof that the link was made here", text),
];

const { get, post } = routesOf<NoticePagesNeeds>();

const ROUTES = [
  get(CHOOSE_PATH, {
    id: "noticesPage",
    summary: "The notices that the person chooses",
    scopes: "session",
    parameters: [queryParameter("saved", "Present after saving", text)],
    answers: { ...UNKEPT, ...SIGN_IN },
    run: notices,
  }),
  post(CHOOSE_PATH, {
    id: "chooseNotices",
    summary: "Choose notices and the language of mails",
    scopes: "session",
    content: form({ language: "en, ja, or empty" }, "By kind of notice: at-once, digest or never"),
    answers: { ...AFTER_FORM, ...FORM_AGAIN },
    run: choose,
  }),
  post(`${CHOOSE_PATH}/feed`, {
    id: "changeTaskFeed",
    summary: "Make or end the address of the feed of tasks",
    description: "The page that answers shows the address, once.",
    scopes: "session",
    content: form({ action: "make or end" }),
    answers: { ...UNKEPT, ...AFTER_FORM },
    run: changeFeed,
  }),
  get(STOP_PATH, {
    id: "stopNoticesPage",
    summary: "The page that ends a kind of messages",
    parameters: LINK,
    answers: { ...UNKEPT, ...NOT_FOUND },
    run: stopForm,
  }),
  post(STOP_PATH, {
    id: "stopNotices",
    summary: "End a kind of messages, with the signature of the link as the proof",
    description:
      "Mail programs send the link by themselves, with `List-Unsubscribe=One-Click` as the body (RFC 8058). " +
      "A body of another media type than that of the form is not read.",
    parameters: LINK,
    content: form({ account: "Number of the account", kind: "The kind of notice", signature: "That of the link" }),
    answers: { ...UNKEPT, ...BODY_REFUSALS, ...NOT_FOUND },
    run: stop,
  }),
  get(FEED, {
    id: "taskFeed",
    summary: "What waits for the decision of the person, as an Atom feed",
    parameters: [pathParameter("secret", "The secret of the address")],
    answers: {
      200: response("The feed", Type.String(), {}, "application/atom+xml"),
      ...NOT_FOUND,
    },
    run: (needs, request, { secret }) => feed(needs, request, secret),
  }),
];

export const noticePages = (needs: NoticePagesNeeds) => mountPages("notice-pages", ROUTES, needs, null);

async function answer(
  needs: NoticePagesNeeds,
  request: Request,
  { site, signedIn, viewer }: Reader,
  more: Partial<Pick<NoticesView, "saved" | "feed" | "problems" | "setting">> = {},
): Promise<Response> {
  if (signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  const view: NoticesView = {
    csrf: signedIn.csrf,
    setting: await needs.noticeChoices.read(viewer),
    isMailOn: needs.isMailOn,
    hasAddress: (viewer.account?.mail ?? null) !== null,
    saved: false,
    feed: null,
    problems: [],
    ...more,
  };
  const status = view.problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, noticesPage(view, site), { status, cacheable: false });
}

async function notices(needs: NoticePagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(CHOOSE_PATH));
  return await answer(needs, request, reader, { saved: new URL(request.url).searchParams.has("saved") });
}

async function choose(needs: NoticePagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const language = fields.get("language");
  const choices = Object.fromEntries([...fields].filter(([name]) => isNoticeKind(name)));
  try {
    await needs.noticeChoices.save(reader.viewer, { language, choices });
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const field = typeof error.detail.field === "string" ? error.detail.field : null;
    const kept = await needs.noticeChoices.read(reader.viewer);
    const setting = { ...kept, language: language ?? null, choices: { ...kept.choices, ...choices } };
    return await answer(needs, request, reader, {
      setting,
      problems: [refusalProblem(field, error.message, reader.site.texts)],
    });
  }
  return redirectTo(reader.site.rootPath, `${CHOOSE_PATH}?saved=1`);
}

async function changeFeed(needs: NoticePagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  if (fields.get("action") === "end") {
    await needs.noticeChoices.endFeed(reader.viewer);
    return redirectTo(reader.site.rootPath, CHOOSE_PATH);
  }
  const secret = await needs.noticeChoices.makeFeed(reader.viewer);
  return await answer(needs, request, reader, { feed: `${needs.baseUrl}${FEED.replace(":secret", secret)}` });
}

/** The link of a mail: its parts come in the address, from our form in the body. */
function linkIn(request: Request, fields: ReadonlyMap<string, string> | null): StopLink {
  const { searchParams } = new URL(request.url);
  const part = (name: keyof StopLink): string => fields?.get(name) ?? searchParams.get(name) ?? "";
  return { account: part("account"), kind: part("kind"), signature: part("signature").slice(0, 64) };
}

async function stopForm(needs: NoticePagesNeeds, request: Request): Promise<Response> {
  const { site } = await openPage(needs, request, "sign-in");
  const link = linkIn(request, null);
  const kind = await needs.noticeChoices.stopped(link);
  if (kind === null) throw new Refusal("not_found", "There is no such link: sign in and choose your notices");
  return await htmlAnswer(request, site, stopPage({ kind, isDone: false, link }, site), { cacheable: false });
}

async function stop(needs: NoticePagesNeeds, request: Request): Promise<Response> {
  const { site } = await openPage(needs, request, "sign-in");
  const link = linkIn(request, await ownFields(needs, request));
  const kind = await needs.noticeChoices.stop(link);
  return await htmlAnswer(request, site, stopPage({ kind, isDone: true, link }, site), { cacheable: false });
}

/** Tasks of a feed: those that wait longest. */
const FEED_TASKS = 200;

async function feed(needs: NoticePagesNeeds, request: Request, secret: string): Promise<Response> {
  const { site } = await openPage(needs, request, "sign-in");
  const { baseUrl } = needs;
  const viewer = await needs.noticeChoices.feedOf(secret);
  const { tasks } = await needs.tasksOf(viewer, { limit: FEED_TASKS });
  const { notices: words } = site.texts;
  const body = taskFeed({
    id: `${baseUrl}${CHOOSE_PATH}`,
    title: `${site.repositoryName}: ${words.feedTitle}`,
    page: `${baseUrl}${CHOOSE_PATH}`,
    repositoryName: site.repositoryName,
    language: site.texts.tag,
    updatedAt: tasks.at(-1)?.since ?? "1970-01-01T00:00:00.000Z",
    entries: tasks.map(({ id, title, kind, path, since }) => ({
      id: `${baseUrl}${path}#${id.slice(0, id.indexOf(":"))}`,
      title: titleOf(title, site.texts),
      summary: words.taskKinds[kind],
      url: baseUrl + path,
      updatedAt: since,
    })),
  });
  const headers = {
    "content-type": "application/atom+xml; charset=utf-8",
    "content-language": site.texts.tag,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  return new Response(request.method === "HEAD" ? null : body, { headers });
}
