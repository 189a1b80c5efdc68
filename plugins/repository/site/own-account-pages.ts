// The page of the own account and its forms (R33): name, language, ORCID iD, sessions.
import {
  ACCOUNT_DONE,
  ACCOUNT_PATH,
  type OwnAccountPage,
  ownAccountPage,
} from "../../../src/repository/pages/templates/own-account-pages.ts";
import type { OwnAccount } from "../../../src/repository/people/own-account.ts";
import type { SignIn } from "../../../src/repository/people/sign-in.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import type { Cookies } from "./cookies.ts";
import { AFTER_FORM, FORM_AGAIN, form, mountPages, NOT_FOUND, SIGN_IN, UNKEPT } from "./page-routes.ts";

export type OwnAccountPagesNeeds = PageNeeds & {
  readonly ownAccount: OwnAccount;
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
  return await htmlAnswer(request, site, ownAccountPage(view, site), { status, cacheable: false });
}

async function account(needs: OwnAccountPagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(ACCOUNT_PATH));
  const asked = new URL(request.url).searchParams.get("done");
  return await answer(needs, request, reader, { done: ACCOUNT_DONE.find((each) => each === asked) ?? null });
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
    return await answer(needs, request, reader, { sent, problems: [{ field, text: error.message, lang: "en" }] });
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
