// Pages on which people ask for closed files, and on which those who share a record decide about it (Q.60).
import type { Account } from "../../../src/auth/account.ts";
import { shownFileName } from "../../../src/model/files/file-names.ts";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { personName } from "../../../src/model/metadata/reader-language.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import { CONFIRM_PATH } from "../../../src/repository/notices/sending.ts";
import { refusalProblem } from "../../../src/repository/pages/refusal-words.ts";
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import {
  type AccessRequestView,
  type AskView,
  accessRequestPage,
  askedPage,
  askPage,
  NAMES_SHOWN,
} from "../../../src/repository/pages/templates/access-pages.ts";
import { ACCESS_REQUEST, ACCESS_SETTINGS, LAST_DAY } from "../../../src/repository/requests/access-body.ts";
import { isNamed, type SeenAccessRequest } from "../../../src/repository/requests/access-json.ts";
import type { AccessRequests } from "../../../src/repository/requests/access-requests.ts";
import type { AccessRequest } from "../../../src/repository/store/access-requests.ts";
import type { RateLimit } from "../../../src/shared/http/rate-limit.ts";
import type { AccountId } from "../../../src/shared/ids.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { recordIdOf } from "../record-dialect.ts";
import { chargeGuest } from "../requests/access-requests.ts";
import { type AccountPagesNeeds, formToken, signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, type Reader, redirectTo } from "./answers.ts";
import { requireFormToken } from "./cookies.ts";
import { problemsOf } from "./manage-pages.ts";
import {
  AFTER_FORM,
  FORBIDDEN,
  FORM_AGAIN,
  form,
  GONE,
  LATEST,
  mountPages,
  NOT_FOUND,
  SIGN_IN,
  UNKEPT,
} from "./page-routes.ts";
import { communityName, shownTitle } from "./views.ts";

export type AccessPagesNeeds = AccountPagesNeeds & {
  readonly access: AccessRequests;
  readonly showing: Pick<Showing, "readable">;
  readonly guestRate: RateLimit | null;
  readonly isMailOn: boolean;
  readonly accountsOf: (ids: readonly AccountId[]) => Promise<readonly Account[]>;
};

const ASK = "/records/:id/request-access";
const ONE = "/access-requests/:request_id";
const CONFIRM = `${CONFIRM_PATH}/:token`;
const ID = [pathParameter("id", "Number of the item")];
const REQUEST = [pathParameter("request_id", "UUID of the request")];
const TOKEN = [pathParameter("token", "The secret of the link that was sent to a guest")];
const DONE = queryParameter("done", "asked or decided, after a form", { type: "string" });

const { get, post } = routesOf<AccessPagesNeeds>();

const ROUTES = [
  get(ASK, {
    id: "requestAccessPage",
    summary: "The page on which people ask for closed files",
    parameters: ID,
    answers: { ...UNKEPT, ...SIGN_IN, ...FORBIDDEN, ...LATEST, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => showForm(needs, request, recordIdOf(id)),
  }),
  post(ASK, {
    id: "requestAccessByForm",
    summary: "Ask for closed files",
    description: "The answer to a guest is the same whatever is known of the address.",
    parameters: ID,
    content: form({
      message: "The purpose, as plain text",
      mail: "Mail address of a guest",
      name: "Name of a guest",
      consent: "true: those who decide may see who asks",
      accept: "true: the conditions are accepted",
    }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => ask(needs, request, recordIdOf(id)),
  }),
  get(`${ASK}/sent`, {
    id: "accessRequestedPage",
    summary: "That a guest asked for closed files",
    parameters: ID,
    answers: { ...UNKEPT, ...NOT_FOUND },
    run: async (needs, request, { id }) => {
      const { site } = await openPage(needs, request, "account");
      return await htmlAnswer(request, site, askedPage(recordIdOf(id), site), { cacheable: false });
    },
  }),
  post("/records/:id/access-requests", {
    id: "manageAccessByForm",
    summary: "Revoke the right to closed files, or set who may ask",
    parameters: ID,
    content: form({
      do: "revoke or settings",
      request: "UUID of the request",
      users: "true: accounts may ask",
      guests: "true: guests may ask",
      days: "Days that a right lasts",
      conditions: "What people accept, as plain text",
    }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND },
    run: (needs, request, { id }) => manage(needs, request, recordIdOf(id)),
  }),
  get(CONFIRM, {
    id: "confirmAccessPage",
    summary: "The page of the link that was sent to a guest",
    description: "Opening it confirms nothing. Later it shows what became of the request.",
    parameters: TOKEN,
    answers: { ...UNKEPT, ...NOT_FOUND },
    run: (needs, request, { token }) => showLink(needs, request, token),
  }),
  post(CONFIRM, {
    id: "confirmAccess",
    summary: "Confirm or withdraw the request of a guest",
    parameters: TOKEN,
    content: form({ do: "confirm or cancel" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND },
    run: (needs, request, { token }) => useLink(needs, request, token),
  }),
  get(ONE, {
    id: "accessRequestPage",
    summary: "One request for closed files",
    scopes: "session",
    parameters: [...REQUEST, DONE],
    answers: { ...UNKEPT, ...SIGN_IN, ...NOT_FOUND },
    run: (needs, request, { request_id: id }) => showRequest(needs, request, id),
  }),
  post(ONE, {
    id: "decideAccessByForm",
    summary: "Accept, decline or withdraw a request for closed files",
    scopes: "session",
    parameters: REQUEST,
    content: form({
      do: "accept, decline or cancel",
      answer: "A word to the person",
      last_day: "Last day of the right",
    }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND },
    run: (needs, request, { request_id: id }) => decide(needs, request, id),
  }),
];

export const accessPages = (needs: AccessPagesNeeds) => mountPages("access-pages", ROUTES, needs, null);

/** The token that the forms of this browser carry. */
const ownToken = (needs: AccessPagesNeeds, request: Request, { signedIn }: Reader): string | null =>
  signedIn?.csrf ?? needs.cookies.read(request, "form");

function tokenFor(needs: AccessPagesNeeds, request: Request, { signedIn }: Reader) {
  return signedIn === null ? formToken(needs, request) : { csrf: signedIn.csrf, headers: {} };
}

async function showForm(
  needs: AccessPagesNeeds,
  request: Request,
  id: number,
  again: Partial<Pick<AskView, "sent" | "problems">> = {},
): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  const { viewer, site } = reader;
  const readable = await needs.showing.readable(viewer, id);
  const { item, content } = readable;
  const here = `/records/${item.id}/request-access`;
  if (readable.byParent) return redirectTo(site.rootPath, here, 302);
  const { files, refused, settings, own, community } = await needs.access.offer(viewer, readable);
  if (own !== null && again.problems === undefined) return redirectTo(site.rootPath, `/access-requests/${own.id}`);
  if (refused === "sign-in" && files.length > 0) return redirectTo(site.rootPath, signInPath(here));
  const { csrf, headers } = tokenFor(needs, request, reader);
  const isListed = readable.areFilesListed;
  const view: AskView = {
    ...{
      id: item.id,
      csrf,
      community: communityName(community, site.texts.tag),
      conditions: settings.conditions,
      isGuest: viewer.account === null,
    },
    title: shownTitle(content.metadata, site.texts.tag),
    refused: files.length === 0 ? "nothing" : refused === null ? null : "off",
    count: isListed ? files.length : null,
    names: isListed ? files.slice(0, NAMES_SHOWN).map(({ name }) => shownFileName(name)) : [],
    ...{ sent: {}, problems: [], ...again },
  };
  const status = view.problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, askPage(view, site), { status, headers, cacheable: false });
}

const ASKED_FIELDS = { message: "message", email: "mail", full_name: "name" };

async function ask(needs: AccessPagesNeeds, request: Request, id: number): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  const { viewer, site } = reader;
  const fields = await needs.guard.form(request);
  requireFormToken(fields.get("csrf"), ownToken(needs, request, reader));
  const isGuest = viewer.account === null;
  const sent = Object.fromEntries(fields);
  try {
    const readable = await needs.showing.readable(viewer, id);
    const { conditions } = (await needs.access.offer(viewer, readable)).settings;
    if (conditions !== "" && !fields.has("accept")) {
      return await showForm(needs, request, id, { sent, problems: [missing("accept", reader)] });
    }
    const body = {
      message: fields.get("message") ?? "",
      ...(isGuest ? { email: fields.get("mail") ?? "", full_name: fields.get("name") ?? "" } : {}),
      consent_to_share_personal_data: fields.has("consent"),
    };
    const read = sentRecord(ACCESS_REQUEST, body);
    read();
    if (isGuest) await chargeGuest(request, needs.guestRate);
    const made = await needs.access.ask(viewer, id, read, site.texts.tag);
    if (made === null) return redirectTo(site.rootPath, `/records/${id}/request-access/sent`);
    return redirectTo(site.rootPath, `/access-requests/${made.request.id}?done=asked`);
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    return await showForm(needs, request, id, { sent, problems: problemsOf(error, ASKED_FIELDS, site.texts) });
  }
}

const missing = (field: string, { site }: Reader): FieldProblem =>
  refusalProblem(field, "Missing data for required field.", site.texts);

async function whoOf(needs: AccessPagesNeeds, seen: SeenAccessRequest): Promise<string | null> {
  const { account, name, mail } = seen.request;
  if (!isNamed(seen)) return null;
  if (account === null) return [name, mail].filter((each) => each !== "").join(", ");
  const [found] = await needs.accountsOf([account]);
  return (found === undefined ? "" : personName(found)) || String(account);
}

const viewOf = (
  { id, item, title, status, message, answer, endsOn, endedBecause, createdAt }: AccessRequest,
  more: Pick<AccessRequestView, "csrf" | "who" | "may" | "isActive" | "days" | "isDone">,
): AccessRequestView => ({
  ...{ action: `/access-requests/${id}`, item, title, status, message, answer, endsOn, because: endedBecause },
  ...{ since: createdAt, sent: { answer: "", lastDay: "" }, problems: [], ...more },
});

async function showRequest(
  needs: AccessPagesNeeds,
  request: Request,
  id: string,
  again: Partial<Pick<AccessRequestView, "sent" | "problems">> = {},
): Promise<Response> {
  const { viewer, site, signedIn } = await openPage(needs, request, "account");
  if (signedIn === null) return redirectTo(site.rootPath, signInPath(`/access-requests/${id}`));
  const seen = await needs.access.read(viewer, id);
  const { may, isActive } = seen;
  const days = may.includes("accept") ? (await needs.access.settings(viewer, seen.request.item)).settings.days : 0;
  const isDone = request.method !== "POST" && new URL(request.url).searchParams.has("done");
  const who = await whoOf(needs, seen);
  const view = { ...viewOf(seen.request, { csrf: signedIn.csrf, who, may, isActive, days, isDone }), ...again };
  const status = view.problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, accessRequestPage(view, site), { status, cacheable: false });
}

async function decide(needs: AccessPagesNeeds, request: Request, id: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const sent = { answer: (fields.get("answer") ?? "").trim(), lastDay: fields.get("last_day") ?? "" };
  try {
    await needs.access.decide(reader.viewer, id, fields.get("do") ?? "", () => ({
      answer: sent.answer,
      endsOn:
        sent.lastDay === ""
          ? null
          : sentRecord({ ...LAST_DAY, read: (value) => LAST_DAY.read(value, "expires_at") }, sent.lastDay)(),
    }));
    return redirectTo(reader.site.rootPath, `/access-requests/${id}?done=decided`);
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const controls = { expires_at: "last_day", "payload.content": "answer" };
    return await showRequest(needs, request, id, { sent, problems: problemsOf(error, controls, reader.site.texts) });
  }
}

async function showLink(
  needs: AccessPagesNeeds,
  request: Request,
  token: string,
  problem?: Refusal,
): Promise<Response> {
  const reader = await openPage(needs, request, "sign-in");
  const { site } = reader;
  const found = await needs.access.ofLink(token);
  const { csrf, headers } = tokenFor(needs, request, reader);
  const { status } = found;
  const may = status === "created" ? (["confirm"] as const) : status === "submitted" ? (["cancel"] as const) : [];
  const who = [found.name, found.mail].filter((each) => each !== "").join(", ");
  const isActive = status === "accepted" && found.revokedAt === null;
  const view = {
    ...viewOf(found, { csrf, who, may, isActive, days: 0, isDone: false }),
    action: `${CONFIRM_PATH}/${token}`,
    problems: problem === undefined ? [] : [refusalProblem(null, problem.message, site.texts)],
  };
  const answer = { status: problem === undefined ? 200 : 400, headers, cacheable: false };
  return await htmlAnswer(request, site, accessRequestPage(view, site), answer);
}

async function useLink(needs: AccessPagesNeeds, request: Request, token: string): Promise<Response> {
  const reader = await openPage(needs, request, "sign-in");
  const fields = await needs.guard.form(request);
  requireFormToken(fields.get("csrf"), ownToken(needs, request, reader));
  const found = await needs.access.ofLink(token);
  try {
    if (fields.get("do") === "cancel") await needs.access.cancelAsGuest(found);
    else await needs.access.confirm(token);
    return redirectTo(reader.site.rootPath, `${CONFIRM_PATH}/${token}`);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "internal") throw error;
    return await showLink(needs, request, token, error);
  }
}

async function manage(needs: AccessPagesNeeds, request: Request, id: number): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { viewer, site } = reader;
  if (fields.get("do") === "revoke") {
    await needs.access.revoke(viewer, id, fields.get("request") ?? "");
    return redirectTo(site.rootPath, `/records/${id}/share?done=revoked`);
  }
  const days = fields.get("days") ?? "";
  const body = {
    allow_user_requests: fields.has("users"),
    ...(needs.isMailOn ? { allow_guest_requests: fields.has("guests") } : {}),
    accept_conditions_text: fields.get("conditions") ?? "",
    ...(days === "" ? {} : { secret_link_expiration: /^\d{1,9}$/.test(days) ? Number(days) : days }),
  };
  await needs.access.changeSettings(viewer, id, sentRecord(ACCESS_SETTINGS, body));
  return redirectTo(site.rootPath, `/records/${id}/share?done=changed`);
}
