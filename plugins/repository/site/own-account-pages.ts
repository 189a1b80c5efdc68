// The page of the own account and its forms (R33): name, language, ORCID iD, sessions.

import { Type } from "@sinclair/typebox";
import { refusalProblem } from "../../../src/repository/pages/refusal-words.ts";
import {
  CLOSE_PATH,
  CLOSED_PATH,
  closedPage,
  closePage,
} from "../../../src/repository/pages/templates/closing-pages.ts";
import {
  ACCOUNT_DONE,
  ACCOUNT_PATH,
  type OwnAccountPage,
  ownAccountPage,
} from "../../../src/repository/pages/templates/own-account-pages.ts";
import { type AccountClosing, mayClose } from "../../../src/repository/people/account-closing.ts";
import type { AccountExport } from "../../../src/repository/people/account-export.ts";
import type { OwnAccount } from "../../../src/repository/people/own-account.ts";
import type { SignIn } from "../../../src/repository/people/sign-in.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { queryParameter, response } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { exportAnswer } from "../account/account.ts";
import { sentToProvider, signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, pagePolicy, type Reader, redirectTo } from "./answers.ts";
import type { Cookies } from "./cookies.ts";
import { AFTER_FORM, FORM_AGAIN, form, html, mountPages, NOT_FOUND, SIGN_IN, UNKEPT } from "./page-routes.ts";

export type OwnAccountPagesNeeds = PageNeeds & {
  readonly ownAccount: OwnAccount;
  readonly accountExport: AccountExport;
  readonly closing: AccountClosing;
  readonly signIn: SignIn;
  readonly cookies: Cookies;
};

const { get, post } = routesOf<OwnAccountPagesNeeds>();

const ROUTES = [
  get(ACCOUNT_PATH, {
    id: "accountPage",
    summary: "The person's account: name, language, ORCID iD, sessions",
    scopes: "session",
    parameters: [queryParameter("done", `What was just done: ${ACCOUNT_DONE.join(", ")}`, { type: "string" })],
    answers: { ...UNKEPT, ...SIGN_IN },
    run: account,
  }),
  post(ACCOUNT_PATH, {
    id: "saveAccountByForm",
    summary: "Change the person's name, language and ORCID iD",
    scopes: "session",
    content: form({ name: "The name of the person", language: "en, ja, or empty", orcid: "An ORCID iD, or empty" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN },
    run: save,
  }),
  post(`${ACCOUNT_PATH}/orcid`, {
    id: "proveOrcid",
    summary: "Sign in at ORCID to prove the person's ORCID iD",
    scopes: "session",
    content: form({}),
    answers: { ...AFTER_FORM, ...NOT_FOUND },
    run: proveOrcid,
  }),
  post(`${ACCOUNT_PATH}/sessions/end`, {
    id: "endSessionByForm",
    summary: "End one session of the person",
    scopes: "session",
    content: form({ session: "Its id on the page" }),
    answers: { ...AFTER_FORM, ...NOT_FOUND },
    run: endSession,
  }),
  post(`${ACCOUNT_PATH}/sessions/end-all`, {
    id: "endSessionsByForm",
    summary: "End all sessions of the person",
    scopes: "session",
    content: form({ current: "yes: the session of this page, too" }),
    answers: AFTER_FORM,
    run: endSessions,
  }),
  get(`${ACCOUNT_PATH}/export`, {
    id: "exportAccount",
    summary: "Everything stored about the person, as a file",
    scopes: "session",
    answers: { 200: response("The document", Type.Unsafe<object>({ type: "object" })), ...SIGN_IN },
    run: exported,
  }),
  get(CLOSE_PATH, {
    id: "closeAccountPage",
    summary: "What stays and what goes when the account is closed",
    scopes: "session",
    answers: { ...UNKEPT, ...SIGN_IN },
    run: closeForm,
  }),
  post(CLOSE_PATH, {
    id: "closeAccountByForm",
    summary: "Close the account",
    description: "What prevents it is listed on the page that answers (409).",
    scopes: "session",
    content: form({ confirm: "The mail address of the account" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, 409: html("The page again, with what prevents it") },
    run: close,
  }),
  get(CLOSED_PATH, {
    id: "accountClosedPage",
    summary: "That the account is closed",
    answers: UNKEPT,
    run: closed,
  }),
];

export const ownAccountPages = (needs: OwnAccountPagesNeeds) => mountPages("own-account-pages", ROUTES, needs, null);

async function answer(
  needs: OwnAccountPagesNeeds,
  request: Request,
  { site, signedIn, viewer }: Reader,
  more: Partial<Pick<OwnAccountPage, "done" | "problems" | "sent">> = {},
): Promise<Response> {
  if (signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  const view: OwnAccountPage = {
    ...(await needs.ownAccount.read(viewer)),
    csrf: signedIn.csrf,
    sessions: await needs.ownAccount.sessions(viewer),
    hasOrcid: needs.signIn.isOrcid,
    done: null,
    problems: [],
    sent: null,
    ...more,
  };
  const status = view.problems.length === 0 ? 200 : 400;
  // The form that leads to ORCID is answered with a redirect there.
  const origin = needs.signIn.isOrcid ? needs.signIn.providerOrigin : null;
  const headers = origin === null ? {} : { "content-security-policy": pagePolicy(["'self'", origin]) };
  return await htmlAnswer(request, site, ownAccountPage(view, site), { status, headers, cacheable: false });
}

async function account(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(ACCOUNT_PATH));
  const asked = new URL(request.url).searchParams.get("done");
  return await answer(needs, request, reader, { done: ACCOUNT_DONE.find((each) => each === asked) ?? null });
}

async function proveOrcid(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const { reader } = await signedInForm(needs, request);
  const { account } = reader.viewer;
  if (!needs.signIn.isOrcid || account === null) throw new Refusal("not_found", "There is no such page");
  return sentToProvider(needs, await needs.signIn.beginAtProvider("/", account.id), 303);
}

const done = ({ site }: Reader, what: (typeof ACCOUNT_DONE)[number]): Response =>
  redirectTo(site.rootPath, `${ACCOUNT_PATH}?done=${what}`);

async function save(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const [name, language, orcid] = [fields.get("name"), fields.get("language"), fields.get("orcid")];
  try {
    await needs.ownAccount.save(reader.viewer, { name, language, orcid });
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const field = typeof error.detail.field === "string" ? error.detail.field : null;
    const sent = { name: name ?? "", language: language ?? "", orcid: orcid ?? "" };
    return await answer(needs, request, reader, {
      sent,
      problems: [refusalProblem(field, error.message, reader.site.texts)],
    });
  }
  return done(reader, "saved");
}

async function endSession(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  await needs.ownAccount.endSession(reader.viewer, fields.get("session") ?? "");
  return done(reader, "ended");
}

async function endSessions(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const current = fields.get("current") === "yes";
  await needs.ownAccount.endSessions(reader.viewer, { current });
  if (!current) return done(reader, "allEnded");
  return redirectTo(reader.site.rootPath, signInPath("/"), 303, { "set-cookie": needs.cookies.clear("session") });
}

async function exported(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const { site, signedIn, viewer } = await openPage(needs, request, "account");
  if (signedIn === null) return redirectTo(site.rootPath, signInPath(`${ACCOUNT_PATH}/export`));
  return await exportAnswer(await needs.accountExport(viewer));
}

async function closeAnswer(
  needs: OwnAccountPagesNeeds,
  request: Request,
  { site, signedIn, viewer }: Reader,
  status: 200 | 400 | 409,
): Promise<Response> {
  if (signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  const view = await needs.closing.read(viewer);
  const problems = status === 400 ? [{ field: "confirm", text: site.texts.closing.problem(view.confirm) }] : [];
  const page = closePage({ ...view, csrf: signedIn.csrf, mayClose: mayClose(view), problems }, site);
  return await htmlAnswer(request, site, page, { status, cacheable: false });
}

async function closeForm(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(CLOSE_PATH));
  return await closeAnswer(needs, request, reader, 200);
}

async function close(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  try {
    await needs.closing.close(reader.viewer, fields.get("confirm") ?? "");
  } catch (error) {
    if (!isRefusal(error, "invalid", "conflict")) throw error;
    return await closeAnswer(needs, request, reader, error.kind === "invalid" ? 400 : 409);
  }
  return redirectTo(reader.site.rootPath, CLOSED_PATH, 303, { "set-cookie": needs.cookies.clear("session") });
}

async function closed(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const { site } = await openPage(needs, request, "sign-in");
  return await htmlAnswer(request, site, closedPage(site), { cacheable: false });
}
