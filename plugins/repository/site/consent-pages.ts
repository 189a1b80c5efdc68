// Where programs send people to be allowed something (RFC 6749 section 3.1, RFC 9700; R30): GET shows what is asked
// for, POST decides; and the page where people end what they allowed. Only a session decides: a token in a header opens
// neither page.
import { isAdministrator } from "../../../src/auth/account.ts";
import type { AuthorizationAsk } from "../../../src/repository/authorization/ask.ts";
import type { Authorization } from "../../../src/repository/authorization/authorization.ts";
import { REFRESH_MS } from "../../../src/repository/authorization/lifetimes.ts";
import { expanded } from "../../../src/repository/authorization/scopes.ts";
import { answerPlace, chosenScopes, formTargets, strangersName } from "../../../src/repository/pages/consent.ts";
import {
  type ConsentView,
  consentPage,
  grantsPage,
  signInAgainPage,
} from "../../../src/repository/pages/templates/consent-pages.ts";
import type { SignedIn } from "../../../src/repository/people/repository-authentication.ts";
import { sameHash, textSignature } from "../../../src/shared/hash/digests.ts";
import { AUTHORIZE_PATH, AUTHORIZE_RETURN_MAX } from "../../../src/shared/http/return-path.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { queryParameter } from "../../http/document-parts.ts";
import { type RouteAnswers, routesOf } from "../../http/routes.ts";
import { signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, pagePolicy, type Reader, redirectTo, WITH_OPENER } from "./answers.ts";
import { AFTER_FORM, form, html, mountPages, movedTo, NOT_FOUND, SIGN_IN, UNKEPT } from "./page-routes.ts";

export type ConsentPagesNeeds = PageNeeds & { readonly authorization: Authorization };

const GRANTS = "/account/grants";
const DAY_MS = 86_400_000;
/** The same as the policy, for browsers that do not read it. */
const UNFRAMED = { "x-frame-options": "DENY" };
const ASKED = Object.entries({
  response_type: "`code`",
  client_id: "Id of a registered client, or the address of its metadata document",
  redirect_uri: "One of the client's own",
  code_challenge: "Of a verifier, method S256",
  code_challenge_method: "`S256`",
  scope: "`mcp:read`, `mcp:write`, `mcp:curate`; the person may allow less",
  resource: "Address of the tool server that the token is for",
  state: "Returned unchanged",
  prompt:
    "`none`: no page is shown, and the answer is `login_required` or `consent_required`; `login`: the person signs in again; `consent`: as without",
}).map(([name, description]) => queryParameter(name, description, { type: "string" }));
const UNKNOWN_CLIENT: RouteAnswers = {
  400: html("The client or its `redirect_uri` is unknown: the browser is not redirected"),
};

const { get, post } = routesOf<ConsentPagesNeeds>();

const ROUTES = [
  get(AUTHORIZE_PATH, {
    id: "authorize",
    summary: "Ask a person to let a program act for them",
    description:
      "The authorization endpoint (RFC 6749 section 3.1, with PKCE of RFC 7636, `resource` of RFC 8707 and `iss` of RFC 9207). A browser is sent here; a guest signs in first and returns. The form of the page sends the answer to `redirect_uri`: `code`, or `error` with `error_description`; `state` and `iss` with either.",
    parameters: ASKED,
    answers: {
      ...UNKEPT,
      ...movedTo("To `redirect_uri`, with what is wrong with the request"),
      ...SIGN_IN,
      ...UNKNOWN_CLIENT,
    },
    run: show,
  }),
  post(AUTHORIZE_PATH, {
    id: "decideAuthorization",
    summary: "Allow or refuse what a program asks for",
    description: "The form of the page, at the address at which it was shown.",
    scopes: "session",
    parameters: ASKED,
    content: form({ decision: "`allow` or `refuse`" }, "`scope:NAME` for each scope that is allowed"),
    answers: { ...AFTER_FORM, ...UNKNOWN_CLIENT },
    run: decide,
  }),
  get(GRANTS, {
    id: "grantsPage",
    summary: "Programs that the person lets act for them",
    scopes: "session",
    answers: { ...UNKEPT, ...SIGN_IN },
    run: grants,
  }),
  post(`${GRANTS}/end`, {
    id: "endGrantByForm",
    summary: "End what a program was allowed",
    scopes: "session",
    content: form({ grant_id: "Its id" }),
    answers: { ...AFTER_FORM, ...NOT_FOUND },
    run: endGrant,
  }),
];

export const consentPages = (needs: ConsentPagesNeeds) => mountPages("consent-pages", ROUTES, needs, null);

/**
 * The request of a program, as its address carries it. @throws invalid if a redirect is not allowed; the page states
 * why.
 */
async function askOf({ authorization }: ConsentPagesNeeds, { searchParams }: URL) {
  const found = await authorization.readAuthorization(searchParams);
  if (found.kind === "refuse") throw new Refusal("invalid", found.message);
  return found;
}

/** Who is asked. @throws invalid for a request that is too long to return to after the sign-in */
async function openAsk(needs: ConsentPagesNeeds, request: Request): Promise<Reader> {
  const reader = await openPage(needs, request, "account");
  const { length } = reader.site.here;
  if (length <= AUTHORIZE_RETURN_MAX) return reader;
  throw new Refusal("invalid", `The request has ${length} characters; the most is ${AUTHORIZE_RETURN_MAX}`);
}

/** How the program wants its person asked (OpenID Connect Core 3.1.2.1); other words mean nothing here. */
const promptsOf = ({ searchParams }: URL): readonly string[] => (searchParams.get("prompt") ?? "").split(" ");

/** The same request without the prompt to sign in, which has been done. */
function withoutLogin(here: string): string {
  const url = new URL(here, "http://own.invalid");
  const rest = promptsOf(url).filter((prompt) => prompt !== "login");
  if (rest.join("") === "") url.searchParams.delete("prompt");
  else url.searchParams.set("prompt", rest.join(" "));
  return `${url.pathname}${url.search}`;
}

async function show(needs: ConsentPagesNeeds, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const reader = await openAsk(needs, request);
  const found = await askOf(needs, url);
  if (found.kind === "redirect") return away(found.location, 302);
  const { ask } = found;
  const { signedIn, site } = reader;
  const prompts = promptsOf(url);
  if (prompts.includes("none")) return away(silently(needs, ask, prompts, signedIn), 302);
  if (signedIn === null) return redirectTo(site.rootPath, signInPath(withoutLogin(site.here)));
  if (prompts.includes("login")) {
    const account = accountLine(signedIn);
    return await answer(request, reader, signInAgainPage({ account, returnTo: withoutLogin(site.here) }, site));
  }
  return await askAgain(request, reader, signedIn, ask, null);
}

/** The answer to a program that wants no question: consent is always asked for. */
function silently(
  { authorization }: ConsentPagesNeeds,
  ask: AuthorizationAsk,
  prompts: readonly string[],
  signedIn: SignedIn | null,
): string {
  if (prompts.length > 1) return authorization.deny(ask, "invalid_request", "The prompt none cannot be combined");
  return signedIn === null
    ? authorization.deny(ask, "login_required", "Nobody is signed in")
    : authorization.deny(ask, "consent_required", "The person has to be asked");
}

async function decide(needs: ConsentPagesNeeds, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const reader = await openAsk(needs, request);
  const { signedIn } = reader;
  if (signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  const fields = await needs.guard.form(request);
  const found = await askOf(needs, url);
  if (found.kind === "redirect") return away(found.location, 303);
  const { ask } = found;
  const own = formToken(signedIn, reader, ask);
  if (!sameHash(fields.get("csrf") ?? "", own))
    return await askAgain(request, reader, signedIn, ask, { kind: "expired" });
  if (fields.get("decision") === "refuse") return away(needs.authorization.deny(ask), 303);
  if (fields.get("decision") !== "allow") throw new Refusal("invalid", "The decision is allow or refuse");
  const isTicked = (scope: string): boolean => fields.has(`scope:${scope}`);
  const scopes = chosenScopes(ask.scopes, isTicked);
  if (scopes === null) return await askAgain(request, reader, signedIn, ask, { kind: "implied" }, isTicked);
  try {
    return away(await needs.authorization.allow(reader.viewer, ask, scopes), 303);
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    return await askAgain(request, reader, signedIn, ask, { kind: "other", text: error.message }, isTicked);
  }
}

/**
 * Bound to the session, to the request as it was sent, and to what the page shows: a form of another request decides
 * nothing.
 */
function formToken({ csrf }: SignedIn, { site }: Reader, ask: AuthorizationAsk): string {
  return textSignature(JSON.stringify(["authorize", site.here, ask]), csrf);
}

async function askAgain(
  request: Request,
  reader: Reader,
  signedIn: SignedIn,
  ask: AuthorizationAsk,
  problem: ConsentView["problem"],
  isTicked: (scope: string) => boolean = () => true,
): Promise<Response> {
  const { client, redirectUri, resource } = ask;
  const view: ConsentView = {
    name: strangersName(client.name),
    kind: client.kind,
    describedAt: client.kind === "document" ? new URL(client.id).host : null,
    place: answerPlace(redirectUri),
    resource,
    account: accountLine(signedIn),
    isAdministrator: isAdministrator(signedIn.viewer) && ask.scopes.some((scope) => scope !== "mcp:read"),
    scopes: ask.scopes.map((scope) => ({ scope, ticked: isTicked(scope) })),
    days: REFRESH_MS / DAY_MS,
    isTokenSession: signedIn.session.clientId !== null,
    formToken: formToken(signedIn, reader, ask),
    problem,
  };
  const status = problem === null ? 200 : problem.kind === "expired" ? 403 : 400;
  return await answer(request, reader, consentPage(view, reader.site), status, pagePolicy(formTargets(redirectUri)));
}

function accountLine({ viewer, csrf }: SignedIn) {
  const { account } = viewer;
  const mail = account?.mail ?? account?.eppn ?? "";
  return { name: account?.name || mail, mail, csrf };
}

async function answer(
  request: Request,
  { site }: Reader,
  page: string,
  status = 200,
  policy?: string,
): Promise<Response> {
  const headers = {
    ...UNFRAMED,
    ...WITH_OPENER,
    ...(policy === undefined ? {} : { "content-security-policy": policy }),
  };
  return await htmlAnswer(request, site, page, { status, headers, cacheable: false });
}

/** To the program. 303, never 307: the content of our form is not sent on. */
function away(location: string, status: 302 | 303): Response {
  return new Response(null, {
    status,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

async function grants(needs: ConsentPagesNeeds, request: Request): Promise<Response> {
  const { viewer, signedIn, site } = await openPage(needs, request, "account");
  if (signedIn === null) return redirectTo(site.rootPath, signInPath(GRANTS));
  const found = await needs.authorization.grantsOf(viewer);
  const page = grantsPage(
    {
      csrf: signedIn.csrf,
      grants: found.map(({ clientName, scopes, ...grant }) => ({
        ...grant,
        name: strangersName(clientName),
        scopes: expanded(scopes),
      })),
    },
    site,
  );
  return await htmlAnswer(request, site, page, { headers: UNFRAMED, cacheable: false });
}

async function endGrant(needs: ConsentPagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  await needs.authorization.endGrant(reader.viewer, fields.get("grant_id") ?? "");
  return redirectTo(reader.site.rootPath, GRANTS);
}
