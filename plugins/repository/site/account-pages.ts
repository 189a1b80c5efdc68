// Signing in and out, one-time links, the way over an OpenID provider, personal tokens (R33).

import { REPOSITORY_SCOPES } from "../../../src/auth/account.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import type { RepositoryTexts } from "../../../src/repository/pages/languages/index.ts";
import { refusalProblem } from "../../../src/repository/pages/refusal-words.ts";
import {
  linkPage,
  type SignInView,
  signInPage,
  type TokensView,
  tokensPage,
} from "../../../src/repository/pages/templates/account-pages.ts";
import { TOKEN_NAME_MAX } from "../../../src/repository/people/account-tokens.ts";
import type { OwnAccount } from "../../../src/repository/people/own-account.ts";
import type { OwnTokens } from "../../../src/repository/people/own-tokens.ts";
import {
  isLinkToken,
  LINK_MS,
  type NewSession,
  SESSION_MS,
  type SignIn,
} from "../../../src/repository/people/sign-in.ts";
import { AUTHORIZE_PATH, ownPath, SIGN_IN_PATH } from "../../../src/shared/http/return-path.ts";
import type { AccountId } from "../../../src/shared/ids.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { contextOf } from "../../http/request-context.ts";
import { routesOf } from "../../http/routes.ts";
import { htmlAnswer, openPage, type PageNeeds, type Reader, redirectTo, WITH_OPENER } from "./answers.ts";
import { type Cookies, requireFormToken, requireOwnSite } from "./cookies.ts";
import {
  AFTER_FORM,
  FORBIDDEN,
  FORM_AGAIN,
  FORM_REFUSALS,
  form,
  mountPages,
  movedTo,
  NOT_FOUND,
  SIGN_IN,
  UNKEPT,
} from "./page-routes.ts";

export type AccountPagesNeeds = PageNeeds & {
  readonly signIn: SignIn;
  readonly ownTokens: OwnTokens;
  readonly ownAccount: OwnAccount;
  /** People may register. */
  readonly hasRegistration: boolean;
  readonly cookies: Cookies;
  /** A new random text of 43 characters. */
  readonly newFormToken: () => string;
};

/** The sign-in page that leads to one of our pages. */
export const signInPath = (returnTo: string): string => `${SIGN_IN_PATH}?return_to=${encodeURIComponent(returnTo)}`;

const FORM_SECONDS = 3_600;
const ATTEMPT_SECONDS = 600;
const TOKENS = "/account/tokens";

const RETURN_TO = queryParameter("return_to", "The page to return to", { type: "string" });
const TOKEN = pathParameter("token", "The secret of a one-time link");

const { get, post } = routesOf<AccountPagesNeeds>();

const ROUTES = [
  get("/account/login", {
    id: "signInPage",
    summary: "The sign-in page",
    parameters: [RETURN_TO],
    answers: { ...UNKEPT, ...SIGN_IN },
    run: signInForm,
  }),
  post("/account/login", {
    id: "signIn",
    summary: "Sign in with a token",
    content: form({ token: "A personal access token", return_to: "The page to return to" }),
    answers: AFTER_FORM,
    run: signInWithToken,
  }),
  get("/account/login/:token", {
    id: "signInLinkPage",
    summary: "The page of a one-time link",
    parameters: [TOKEN],
    answers: { ...UNKEPT, ...NOT_FOUND },
    run: (needs, request, { token }) => linkForm(needs, request, token),
  }),
  post("/account/login/:token", {
    id: "signInByLink",
    summary: "Sign in by a one-time link",
    parameters: [TOKEN],
    content: form({}),
    answers: { ...AFTER_FORM, ...NOT_FOUND },
    run: (needs, request, { token }) => signInWithLink(needs, request, token),
  }),
  get("/account/oidc", {
    id: "signInAtProvider",
    summary: "To the OpenID provider",
    parameters: [RETURN_TO],
    answers: { ...movedTo("The provider, which leads back"), ...NOT_FOUND },
    run: toProvider,
  }),
  get("/account/oidc/callback", {
    id: "signedInAtProvider",
    summary: "Back from the OpenID provider",
    parameters: [
      queryParameter("state", "Returned unchanged by the provider", { type: "string" }),
      queryParameter("code", "The provider's code; absent where it refuses", { type: "string" }),
    ],
    answers: { ...SIGN_IN, ...FORBIDDEN },
    run: fromProvider,
  }),
  post("/account/logout", {
    id: "signOut",
    summary: "Sign out",
    scopes: "session",
    content: form({ return_to: "The page to return to" }),
    answers: AFTER_FORM,
    run: signOut,
  }),
  get(TOKENS, {
    id: "tokensPage",
    summary: "The personal access tokens of the person",
    scopes: "session",
    answers: { ...UNKEPT, ...SIGN_IN },
    run: tokens,
  }),
  post(TOKENS, {
    id: "makeToken",
    summary: "Make a personal access token",
    description: "The page that answers shows it, once.",
    scopes: "session",
    content: form({ name: "What the person calls it", last_day: "The last day on which it is valid" }, "`scope:NAME`"),
    answers: { ...UNKEPT, ...FORM_AGAIN, ...FORBIDDEN, ...FORM_REFUSALS },
    run: makeToken,
  }),
  post(`${TOKENS}/revoke`, {
    id: "revokeOwnToken",
    summary: "Revoke a personal access token",
    scopes: "session",
    content: form({ token_id: "Its id" }),
    answers: { ...AFTER_FORM, ...NOT_FOUND },
    run: revokeToken,
  }),
];

export const accountPages = (needs: AccountPagesNeeds) => mountPages("account-pages", ROUTES, needs, null);

/** The form token of this browser, and the cookie it is set with where it has none. */
export function formToken({ cookies, newFormToken }: AccountPagesNeeds, request: Request) {
  const own = cookies.read(request, "form");
  if (own !== null) return { csrf: own, headers: {} };
  const csrf = newFormToken();
  return { csrf, headers: { "set-cookie": cookies.set("form", csrf, FORM_SECONDS) } };
}

async function signInAnswer(
  needs: AccountPagesNeeds,
  request: Request,
  { site }: Reader,
  view: Pick<SignInView, "returnTo" | "problem">,
  status = 200,
): Promise<Response> {
  const { csrf, headers } = formToken(needs, request);
  const page = signInPage(
    { ...view, csrf, hasProvider: needs.signIn.hasProvider, hasRegistration: needs.hasRegistration },
    site,
  );
  // A person sent here by a program's pop-up window returns to it: the link to that window is kept.
  const tied = view.returnTo.startsWith(AUTHORIZE_PATH) ? WITH_OPENER : {};
  return await htmlAnswer(request, site, page, { status, headers: { ...headers, ...tied }, cacheable: false });
}

/** Address and User-Agent. */
const browserOf = (request: Request) => [contextOf(request).address, request.headers.get("user-agent")] as const;

async function signInForm(needs: AccountPagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  const returnTo = ownPath(new URL(request.url).searchParams.get("return_to"));
  if (reader.signedIn !== null) return redirectTo(reader.site.rootPath, returnTo === "/" ? TOKENS : returnTo);
  return await signInAnswer(needs, request, reader, { returnTo, problem: null });
}

/** The cookie of a new session, and back to where the person came from. A session that was there before ends. */
export async function enter(
  needs: AccountPagesNeeds,
  reader: Reader,
  session: NewSession,
  returnTo: string,
): Promise<Response> {
  if (reader.signedIn !== null) await needs.signIn.signOut(reader.signedIn.session);
  const answer = redirectTo(reader.site.rootPath, returnTo);
  answer.headers.append("set-cookie", needs.cookies.set("session", session.token, SESSION_MS / 1000));
  answer.headers.append("set-cookie", needs.cookies.clear("form"));
  return answer;
}

async function signInWithToken(needs: AccountPagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "sign-in");
  const fields = await needs.guard.form(request);
  requireFormToken(fields.get("csrf"), needs.cookies.read(request, "form"));
  const returnTo = ownPath(fields.get("return_to") ?? null);
  const session = await needs.signIn.withToken(fields.get("token") ?? "", ...browserOf(request));
  if (session === null) return await signInAnswer(needs, request, reader, { returnTo, problem: "wrong" }, 403);
  return await enter(needs, reader, session, returnTo);
}

function requireLinkToken(token: string): void {
  if (!isLinkToken(token)) throw new Refusal("not_found", "There is no such page");
}

async function linkForm(needs: AccountPagesNeeds, request: Request, token: string): Promise<Response> {
  const { site } = await openPage(needs, request, "account");
  requireLinkToken(token);
  const { csrf, headers } = formToken(needs, request);
  const page = linkPage({ csrf, token, minutes: LINK_MS / 60_000 }, site);
  return await htmlAnswer(request, site, page, { headers, cacheable: false });
}

async function signInWithLink(needs: AccountPagesNeeds, request: Request, token: string): Promise<Response> {
  const reader = await openPage(needs, request, "sign-in");
  const fields = await needs.guard.form(request);
  requireLinkToken(token);
  requireFormToken(fields.get("csrf"), needs.cookies.read(request, "form"));
  const session = await needs.signIn.withLink(token, ...browserOf(request));
  if (session === null) return await signInAnswer(needs, request, reader, { returnTo: "/", problem: "linkEnded" }, 403);
  return await enter(needs, reader, session, "/");
}

async function toProvider(needs: AccountPagesNeeds, request: Request): Promise<Response> {
  await openPage(needs, request, "sign-in");
  const returnTo = ownPath(new URL(request.url).searchParams.get("return_to"));
  return sentToProvider(needs, await needs.signIn.beginAtProvider(returnTo), 302);
}

/** To the provider's page, with the secret of the attempt in a cookie. */
export function sentToProvider(
  needs: Pick<AccountPagesNeeds, "cookies">,
  { url, secret }: { readonly url: string; readonly secret: string },
  status: 302 | 303,
): Response {
  const headers = new Headers({ location: url, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  headers.append("set-cookie", needs.cookies.set("attempt", secret, ATTEMPT_SECONDS));
  return new Response(null, { status, headers });
}

async function fromProvider(needs: AccountPagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "sign-in");
  const { searchParams } = new URL(request.url);
  const sent = {
    state: searchParams.get("state") ?? "",
    code: searchParams.get("code"),
    secret: needs.cookies.read(request, "attempt"),
  };
  const end = await needs.signIn.endAtProvider(sent, ...browserOf(request));
  const returnTo = ownPath(end.returnTo);
  if (end.kind === "orcid") return await proved(needs, reader, end);
  if (end.kind === "signed-in") {
    const answer = await enter(needs, reader, end.session, returnTo);
    answer.headers.append("set-cookie", needs.cookies.clear("attempt"));
    return answer;
  }
  const problem = end.kind === "failed" ? "providerFailed" : "unknownAccount";
  return await signInAnswer(needs, request, reader, { returnTo, problem }, 403);
}

/** The ORCID iD is linked to the account that asked, if that is still who is signed in. */
async function proved(
  needs: AccountPagesNeeds,
  { signedIn, viewer, site }: Reader,
  { orcid, accountId }: { readonly orcid: string; readonly accountId: AccountId },
): Promise<Response> {
  const cookie = { "set-cookie": needs.cookies.clear("attempt") };
  if (signedIn === null || viewer.account?.id !== accountId) {
    return redirectTo(site.rootPath, signInPath("/account"), 303, cookie);
  }
  try {
    await needs.ownAccount.linkOrcid(viewer, orcid);
  } catch (error) {
    if (!isRefusal(error, "conflict")) throw error;
    return redirectTo(site.rootPath, "/account?done=orcidTaken", 303, cookie);
  }
  return redirectTo(site.rootPath, "/account?done=connected", 303, cookie);
}

async function signOut(needs: AccountPagesNeeds, request: Request): Promise<Response> {
  const { signedIn, site } = await openPage(needs, request, "account");
  requireOwnSite(request);
  const fields = await needs.guard.form(request);
  const returnTo = ownPath(fields.get("return_to") ?? null);
  if (signedIn !== null) {
    requireFormToken(fields.get("csrf"), signedIn.csrf);
    await needs.signIn.signOut(signedIn.session);
  }
  const next = returnTo === "/" ? "/" : signInPath(returnTo);
  // Another site's form comes without the cookie, and takes none away.
  const hadCookie = needs.cookies.read(request, "session") !== null;
  return redirectTo(site.rootPath, next, 303, hadCookie ? { "set-cookie": needs.cookies.clear("session") } : {});
}

const NOTHING_SENT = { name: "", scopes: [], lastDay: "" };

async function tokensAnswer(
  needs: AccountPagesNeeds,
  request: Request,
  { site, signedIn, viewer }: Reader,
  more: Partial<Pick<TokensView, "made" | "problems" | "sent">> = {},
): Promise<Response> {
  const { account } = viewer;
  if (signedIn === null || account === null) throw new Refusal("unauthenticated", "Sign in first");
  const found = await needs.ownTokens.list(viewer);
  const view: TokensView = {
    csrf: signedIn.csrf,
    person: { name: account.name, mail: account.mail ?? account.eppn ?? "", roles: viewer.roles },
    tokens: found.map(({ clientId, name, scopes, createdAt, expiresAt }) => ({
      id: clientId,
      name,
      scopes,
      createdAt,
      expiresAt,
    })),
    scopes: REPOSITORY_SCOPES,
    made: null,
    problems: [],
    sent: NOTHING_SENT,
    ...more,
  };
  const status = view.problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, tokensPage(view, site), { status, cacheable: false });
}

async function tokens(needs: AccountPagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(TOKENS));
  return await tokensAnswer(needs, request, reader);
}

/** A form of somebody who is signed in by session; a token in a header opens no form. */
export async function signedInForm(needs: PageNeeds, request: Request) {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  const fields = await needs.guard.form(request);
  requireFormToken(fields.get("csrf"), reader.signedIn.csrf);
  return { reader, fields };
}

async function makeToken(needs: AccountPagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const scopes = [...fields.keys()]
    .filter((name) => name.startsWith("scope:"))
    .map((name) => name.slice("scope:".length));
  const sent = { name: fields.get("name") ?? "", scopes, lastDay: fields.get("last_day") ?? "" };
  try {
    const { client, text } = await needs.ownTokens.make(reader.viewer, sent);
    return await tokensAnswer(needs, request, reader, { made: { name: client.name, text } });
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const problem = tokenProblem(error, sent, reader.site.texts);
    return await tokensAnswer(needs, request, reader, { problems: [problem], sent });
  }
}

/** Which field a refused token is refused for. */
function tokenProblem(
  { message }: Refusal,
  { name, scopes, lastDay }: TokensView["sent"],
  texts: RepositoryTexts,
): FieldProblem {
  const { problems } = texts.account;
  if (name.trim() === "" || name.length > TOKEN_NAME_MAX) return { field: "name", text: problems.name };
  if (scopes.length === 0) return { field: "scopes", text: problems.scopes };
  if (lastDay !== "" && message.includes("last day")) return { field: "last_day", text: problems.lastDay };
  return refusalProblem(null, message, texts);
}

async function revokeToken(needs: AccountPagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  await needs.ownTokens.revoke(reader.viewer, fields.get("token_id") ?? "");
  return redirectTo(reader.site.rootPath, TOKENS);
}
