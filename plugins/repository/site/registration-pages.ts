// The pages on which people register (R33; SVC_REGISTRATION).

import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import { REGISTER_PATH } from "../../../src/repository/notices/sending.ts";
import type { RepositoryTexts } from "../../../src/repository/pages/languages/index.ts";
import {
  confirmPage,
  domainWords,
  linkSentPage,
  type RegisterView,
  registerPage,
} from "../../../src/repository/pages/templates/registration-pages.ts";
import type { Registering } from "../../../src/repository/people/registration.ts";
import { addressKey } from "../../../src/shared/http/address.ts";
import type { RateLimit } from "../../../src/shared/http/rate-limit.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter } from "../../http/document-parts.ts";
import { charge, contextOf } from "../../http/request-context.ts";
import { routesOf } from "../../http/routes.ts";
import { type AccountPagesNeeds, enter, formToken } from "./account-pages.ts";
import { htmlAnswer, openPage, type Reader, redirectTo } from "./answers.ts";
import { requireFormToken } from "./cookies.ts";
import { AFTER_FORM, FORM_AGAIN, form, mountPages, NOT_FOUND, UNKEPT } from "./page-routes.ts";

export type RegistrationPagesNeeds = AccountPagesNeeds & {
  readonly registration: Registering;
  /** Forms that one client may send; null: unlimited. */
  readonly registrationRate: RateLimit | null;
};

const TOKEN = pathParameter("token", "The secret of a link to register");
const SENT_PATH = `${REGISTER_PATH}/sent`;

const { get, post } = routesOf<RegistrationPagesNeeds>();

const ROUTES = [
  get(REGISTER_PATH, {
    id: "registerPage",
    summary: "The form by which people register",
    answers: { ...UNKEPT, ...NOT_FOUND },
    run: ask,
  }),
  post(REGISTER_PATH, {
    id: "register",
    summary: "Ask for a link to register",
    description: "The answer is the same whether the address has an account or not; the link comes by mail.",
    content: form({ mail: "Mail address", name: "Name of the person" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND },
    run: askForLink,
  }),
  get(SENT_PATH, {
    id: "registrationSentPage",
    summary: "That a link was asked for",
    answers: { ...UNKEPT, ...NOT_FOUND },
    run: sent,
  }),
  get(`${REGISTER_PATH}/:token`, {
    id: "confirmRegistrationPage",
    summary: "The page of a link to register",
    description: "Opening it uses nothing up.",
    parameters: [TOKEN],
    answers: { ...UNKEPT, ...NOT_FOUND },
    run: (needs, request, { token }) => confirmForm(needs, request, token),
  }),
  post(`${REGISTER_PATH}/:token`, {
    id: "confirmRegistration",
    summary: "Make the account of a link and sign in",
    parameters: [TOKEN],
    content: form({ name: "Name of the person" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND },
    run: (needs, request, { token }) => confirm(needs, request, token),
  }),
];

export const registrationPages = (needs: RegistrationPagesNeeds) =>
  mountPages("registration-pages", ROUTES, needs, null);

async function open(needs: RegistrationPagesNeeds, request: Request): Promise<Reader> {
  const reader = await openPage(needs, request, "sign-in");
  if (needs.registration.mode.kind === "off") throw new Refusal("not_found", "There is no such page");
  return reader;
}

/** The token that the forms of this browser carry: of a guest, or of the session. */
const ownToken = (needs: RegistrationPagesNeeds, request: Request, { signedIn }: Reader): string | null =>
  needs.cookies.read(request, "form") ?? signedIn?.csrf ?? null;

async function linkOf({ registration }: RegistrationPagesNeeds, token: string) {
  const found = await registration.read(token);
  if (found !== null) return found;
  throw new Refusal("not_found", "This link was used already, or its time has ended: ask for a new one");
}

async function registerAnswer(
  needs: RegistrationPagesNeeds,
  request: Request,
  { site }: Reader,
  more: Partial<Pick<RegisterView, "sent" | "problems">> = {},
): Promise<Response> {
  const { csrf, headers } = formToken(needs, request);
  const view = { csrf, mode: needs.registration.mode, sent: { mail: "", name: "" }, problems: [], ...more };
  const status = view.problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, registerPage(view, site), { status, headers, cacheable: false });
}

async function ask(needs: RegistrationPagesNeeds, request: Request): Promise<Response> {
  return await registerAnswer(needs, request, await open(needs, request));
}

/** The problem of a form that was refused, in the language of the page. */
function problemOf({ detail, message }: Refusal, texts: RepositoryTexts, domains: readonly string[]): FieldProblem {
  const { problems } = texts.registration;
  if (detail.field === "name") return { field: "name", text: problems.name };
  if (message.startsWith("Only")) return { field: "mail", text: problems.domain(domainWords(domains, texts)) };
  return { field: "mail", text: problems.mail };
}

async function askForLink(needs: RegistrationPagesNeeds, request: Request): Promise<Response> {
  const reader = await open(needs, request);
  const fields = await needs.guard.form(request);
  requireFormToken(fields.get("csrf"), ownToken(needs, request, reader));
  const { registration, registrationRate } = needs;
  if (registrationRate !== null) {
    await charge(request, registrationRate, `registration ${addressKey(contextOf(request).address)}`);
  }
  const typed = { mail: fields.get("mail") ?? "", name: fields.get("name") ?? "" };
  try {
    await registration.ask({ ...typed, language: reader.site.texts.tag });
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const domains = registration.mode.kind === "domains" ? registration.mode.domains : [];
    const problems = [problemOf(error, reader.site.texts, domains)];
    return await registerAnswer(needs, request, reader, { sent: typed, problems });
  }
  return redirectTo(reader.site.rootPath, SENT_PATH);
}

async function sent(needs: RegistrationPagesNeeds, request: Request): Promise<Response> {
  const { site } = await open(needs, request);
  return await htmlAnswer(request, site, linkSentPage(site), { cacheable: false });
}

async function confirmAnswer(
  needs: RegistrationPagesNeeds,
  request: Request,
  { site }: Reader,
  token: string,
  wrong: { readonly name: string } | null = null,
): Promise<Response> {
  const found = await linkOf(needs, token);
  const { csrf, headers } = formToken(needs, request);
  const problems = wrong === null ? [] : [{ field: "name", text: site.texts.registration.problems.name }];
  const page = confirmPage({ csrf, token, mail: found.mail, name: wrong?.name ?? found.name, problems }, site);
  return await htmlAnswer(request, site, page, { status: wrong === null ? 200 : 400, headers, cacheable: false });
}

const confirmForm = async (needs: RegistrationPagesNeeds, request: Request, token: string): Promise<Response> =>
  await confirmAnswer(needs, request, await open(needs, request), token);

async function confirm(needs: RegistrationPagesNeeds, request: Request, token: string): Promise<Response> {
  const reader = await open(needs, request);
  await linkOf(needs, token);
  const fields = await needs.guard.form(request);
  requireFormToken(fields.get("csrf"), ownToken(needs, request, reader));
  const name = fields.get("name") ?? "";
  try {
    const browser = { address: contextOf(request).address, agent: request.headers.get("user-agent") };
    const session = await needs.registration.confirm(token, name, browser);
    return await enter(needs, reader, session, "/account");
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    return await confirmAnswer(needs, request, reader, token, { name });
  }
}
