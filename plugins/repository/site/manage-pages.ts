// Pages on which people correct, version, share and withdraw their own items (R2c, R15, R37). Rights are those of the
// use cases; the buttons show what is permitted now.

import type { Viewer } from "../../../src/auth/account.ts";
import type { Ownership } from "../../../src/model/access/visibility.ts";
import { RECORD_SENTENCES, sentRecord } from "../../../src/model/input/record-refusals.ts";
import type { ItemState } from "../../../src/model/items/item.ts";
import { may } from "../../../src/model/rights/policy.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import type { RepositoryTexts } from "../../../src/repository/pages/languages/index.ts";
import { refusalProblem, refusalWords } from "../../../src/repository/pages/refusal-words.ts";
import {
  type ManageView,
  type ShareView,
  sharePage,
  type WithdrawView,
  withdrawPage,
} from "../../../src/repository/pages/templates/manage-pages.ts";
import type { RecordFiles } from "../../../src/repository/record-files/record-files.ts";
import { PLACE_FIELDS } from "../../../src/repository/records/draft-place.ts";
import { NEW_LINK } from "../../../src/repository/records/record-links.ts";
import { CHANGED_GRANT, NEW_GRANTS } from "../../../src/repository/records/record-sharing.ts";
import type { Records } from "../../../src/repository/records/records.ts";
import type { SharedWith } from "../../../src/repository/records/shared-with.ts";
import type { Withdrawing } from "../../../src/repository/records/withdrawing.ts";
import { isObject, memberOf } from "../../../src/shared/objects.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { recordIdOf } from "../record-dialect.ts";
import { type AccessPartNeeds, accessPartOf } from "./access-part.ts";
import { signedInForm } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import {
  AFTER_FORM,
  BUSY,
  FORBIDDEN,
  FORM_AGAIN,
  form,
  GONE,
  html,
  mountPages,
  NOT_FOUND,
  SIGN_IN,
  UNKEPT,
} from "./page-routes.ts";
import { shownTitle } from "./views.ts";

export type ManagePagesNeeds = PageNeeds & {
  readonly records: Pick<
    Records,
    "changeGrant" | "edit" | "makeLink" | "newVersion" | "restore" | "revokeLink" | "share" | "unshare"
  >;
  readonly recordFiles: Pick<RecordFiles, "importPrevious">;
  readonly sharedWith: SharedWith;
  readonly withdrawing: Withdrawing;
  /** Without slash at the end. */
  readonly baseUrl: string;
} & AccessPartNeeds;

const ONE = "/records/:id";
const ID = [pathParameter("id", "Number of the item")];
const OF_ITEM = { ...NOT_FOUND, ...GONE };

const { get, post } = routesOf<ManagePagesNeeds>();

const ROUTES = [
  post(`${ONE}/edit`, {
    id: "editRecordByForm",
    summary: "Correct a published version: its draft",
    parameters: ID,
    content: form({ part: "access: the part of the form that states who may read it" }),
    answers: { ...AFTER_FORM, ...OF_ITEM, ...BUSY },
    run: (needs, request, { id }) => correct(needs, request, recordIdOf(id)),
  }),
  post(`${ONE}/new-version`, {
    id: "newVersionByForm",
    summary: "Make the draft of a new version",
    parameters: ID,
    content: form({ files: "true: with the files of the version before" }),
    answers: { ...AFTER_FORM, ...OF_ITEM, ...BUSY },
    run: (needs, request, { id }) => makeVersion(needs, request, recordIdOf(id)),
  }),
  get(`${ONE}/withdraw`, {
    id: "withdrawPage",
    summary: "The question before an item is withdrawn",
    parameters: ID,
    answers: { ...UNKEPT, ...SIGN_IN, ...FORBIDDEN, ...OF_ITEM },
    run: (needs, request, { id }) => askToWithdraw(needs, request, recordIdOf(id)),
  }),
  post(`${ONE}/withdraw`, {
    id: "withdrawByForm",
    summary: "Withdraw an item",
    parameters: ID,
    content: form({ reason: "Entry of the vocabulary removalreasons", note: "A note", citation: "What was here" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...OF_ITEM, ...BUSY },
    run: (needs, request, { id }) => withdraw(needs, request, recordIdOf(id)),
  }),
  post(`${ONE}/restore`, {
    id: "restoreRecordByForm",
    summary: "Restore a withdrawn item",
    parameters: ID,
    content: form({}),
    answers: { ...AFTER_FORM, ...NOT_FOUND, ...FORM_AGAIN },
    run: (needs, request, { id }) => restore(needs, request, recordIdOf(id)),
  }),
  get(`${ONE}/share`, {
    id: "sharePage",
    summary: "With whom an item is shared, and its links",
    parameters: [...ID, queryParameter("done", "added, changed, removed or revoked, after a form", { type: "string" })],
    answers: { ...UNKEPT, ...SIGN_IN, ...FORBIDDEN, ...NOT_FOUND },
    run: (needs, request, { id }) => showSharing(needs, request, recordIdOf(id)),
  }),
  post(`${ONE}/share`, {
    id: "shareByForm",
    summary: "Share an item, or make and revoke a link",
    parameters: ID,
    content: form({
      do: "add, change, remove, make-link or revoke-link",
      kind: "user or role",
      who: "Mail address, name or number",
      number: "Number of the account or group",
      permission: "view, preview, edit or manage",
      link: "UUID of the link",
      link_permission: "view, preview, edit or manage",
      link_description: "For whom the link is",
      link_last_day: "The last day on which it can be used",
    }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND, 200: html("The page with the address of the new link") },
    run: (needs, request, { id }) => share(needs, request, recordIdOf(id)),
  }),
];

export const managePages = (needs: ManagePagesNeeds) => mountPages("manage-pages", ROUTES, needs, "session");

/** What somebody may do with an item now. */
export function manageView(
  viewer: Viewer,
  { id, state, isLatest }: { readonly id: number; readonly state: ItemState; readonly isLatest: boolean },
  parent: Ownership,
): ManageView {
  const isPublished = state === "published";
  const edit = state !== "deleted" && may(viewer, "item.edit", parent);
  return {
    id,
    isDraft: state === "draft",
    edit,
    newVersion: edit && isPublished && isLatest,
    share: state !== "deleted" && may(viewer, "item.share", parent),
    transfer: state !== "deleted" && may(viewer, "item.transfer", parent),
    withdraw: isPublished && may(viewer, "item.delete", parent),
  };
}

async function openSession(needs: ManagePagesNeeds, request: Request): Promise<Reader & { readonly csrf: string }> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  return { ...reader, csrf: reader.signedIn.csrf };
}

async function correct(needs: ManagePagesNeeds, request: Request, id: number): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { item } = await needs.records.edit(reader.viewer, id);
  const part = fields.get("part") === "access" ? `#${PLACE_FIELDS.record}` : "";
  return redirectTo(reader.site.rootPath, `/deposit/${item.id}${part}`);
}

async function makeVersion(needs: ManagePagesNeeds, request: Request, id: number): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { item } = await needs.records.newVersion(reader.viewer, id);
  if (fields.get("files") === "true") await takeFiles(needs, reader.viewer, item.id);
  return redirectTo(reader.site.rootPath, `/deposit/${item.id}`);
}

/** A draft that has files already, or a version without any: there is nothing to take over. */
async function takeFiles({ recordFiles }: ManagePagesNeeds, viewer: Viewer, id: number): Promise<void> {
  try {
    await recordFiles.importPrevious(viewer, id);
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
  }
}

const NOTHING_SENT = { reason: "", note: "", citation: "" };

async function askToWithdraw(
  needs: ManagePagesNeeds,
  request: Request,
  id: number,
  again: Partial<Pick<WithdrawView, "sent" | "problems">> = {},
): Promise<Response> {
  const { viewer, site, csrf } = await openSession(needs, request);
  const { metadata, isApproved } = await needs.withdrawing.question(viewer, id);
  const title = shownTitle(metadata, site.texts.tag);
  const view = { id, csrf, title, isApproved, sent: NOTHING_SENT, problems: [], ...again };
  const status = view.problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, withdrawPage(view, site), { status, cacheable: false });
}

async function withdraw(needs: ManagePagesNeeds, request: Request, id: number): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const [reason, note, citation] = ["reason", "note", "citation"].map((name) => (fields.get(name) ?? "").trim());
  const sent = { reason: reason ?? "", note: note ?? "", citation: citation ?? "" };
  const body = {
    ...(sent.reason === "" ? {} : { removal_reason: { id: sent.reason } }),
    ...(sent.citation === "" ? {} : { citation_text: sent.citation }),
    note: sent.note,
  };
  try {
    const activity = await needs.withdrawing.withdraw(reader.viewer, id, () => body);
    const path = activity === null ? `/records/${id}` : `/workflow/activity/detail/${activity}`;
    return redirectTo(reader.site.rootPath, path);
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const controls = { "removal_reason.id": "reason", note: "note", citation_text: "citation" };
    return await askToWithdraw(needs, request, id, { sent, problems: problemsOf(error, controls, reader.site.texts) });
  }
}

/** The faults of a body at the controls of its form. */
export function problemsOf(
  error: Refusal,
  controls: Readonly<Record<string, string>>,
  texts: RepositoryTexts,
): readonly FieldProblem[] {
  const { errors } = error.detail;
  const faults = (Array.isArray(errors) ? errors : []).flatMap((each: unknown): FieldProblem[] => {
    if (!isObject(each)) return [];
    const [name, messages] = [String(memberOf(each, "field")), memberOf(each, "messages")];
    const sentences = Array.isArray(messages) ? messages.map(String) : [error.message];
    const field = Object.hasOwn(controls, name) ? (controls[name] ?? null) : null;
    return [{ field, text: sentences.map((each) => refusalWords(each, texts).text).join(" ") }];
  });
  return faults.length > 0 ? faults : [refusalProblem(null, error.message, texts)];
}

async function restore(needs: ManagePagesNeeds, request: Request, id: number): Promise<Response> {
  const { reader } = await signedInForm(needs, request);
  await needs.records.restore(reader.viewer, id);
  return redirectTo(reader.site.rootPath, `/records/${id}`);
}

const DONE = ["added", "changed", "removed", "revoked"] as const;

async function showSharing(
  needs: ManagePagesNeeds,
  request: Request,
  id: number,
  more: Partial<Pick<ShareView, "made" | "sent" | "problems">> = {},
): Promise<Response> {
  const { viewer, site, csrf } = await openSession(needs, request);
  const { metadata, grants, links } = await needs.sharedWith.sharedRecord(viewer, id);
  const asked = request.method === "POST" ? null : new URL(request.url).searchParams.get("done");
  const done = DONE.find((each) => each === asked) ?? null;
  const title = shownTitle(metadata, site.texts.tag);
  const access = await accessPartOf(needs, viewer, id);
  const view: ShareView = { id, csrf, title, access, grants, links, made: null, done, sent: {}, problems: [], ...more };
  const status = view.problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, sharePage(view, site), { status, cacheable: false });
}

type Sharing = {
  readonly viewer: Viewer;
  readonly id: number;
  readonly fields: ReadonlyMap<string, string>;
  readonly words: Reader["site"]["texts"]["manage"];
  readonly texts: RepositoryTexts;
};
/** What was done; or the page again. */
type Outcome = (typeof DONE)[number] | Partial<Pick<ShareView, "made" | "problems">>;

async function share(needs: ManagePagesNeeds, request: Request, id: number): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { texts } = reader.site;
  const sharing = { viewer: reader.viewer, id, fields, words: texts.manage, texts };
  const outcome = await outcomeOf(needs, sharing);
  if (typeof outcome === "string") return redirectTo(reader.site.rootPath, `/records/${id}/share?done=${outcome}`);
  const isMade = outcome.made !== undefined;
  return await showSharing(needs, request, id, { ...outcome, sent: isMade ? {} : Object.fromEntries(fields) });
}

async function outcomeOf(needs: ManagePagesNeeds, sharing: Sharing): Promise<Outcome> {
  const { fields } = sharing;
  const action = fields.get("do") ?? "";
  try {
    if (action === "add") return await addGrant(needs, sharing);
    if (action === "change" || action === "remove") return await changeGrant(needs, sharing, action);
    if (action === "make-link") return await makeLink(needs, sharing);
    if (action !== "revoke-link") throw new Refusal("invalid", `There is no action "${action.slice(0, 40)}"`);
    await needs.records.revokeLink(sharing.viewer, sharing.id, fields.get("link") ?? "");
    return "revoked";
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const names = { permission: "link_permission", description: "link_description", expires_at: "link_last_day" };
    const controls = action === "make-link" ? names : { "grants.0.permission": "permission", permission: "permission" };
    return { problems: problemsOf(error, controls, sharing.texts) };
  }
}

async function addGrant(
  { records, sharedWith }: ManagePagesNeeds,
  { viewer, id, fields, words }: Sharing,
): Promise<Outcome> {
  const kind = fields.get("kind") === "role" ? "role" : "user";
  const [subject, ...others] = await sharedWith.subjectsNamed(viewer, id, kind, fields.get("who") ?? "");
  if (subject === undefined) return { problems: [{ field: "who", text: words.problems.who }] };
  if (others.length > 0) {
    const numbers = [subject, ...others].map((each) => each.id).join(", ");
    return { problems: [{ field: "who", text: words.problems.several(numbers) }] };
  }
  const grant = { subject: { type: kind, id: subject.id }, permission: fields.get("permission") };
  await records.share(viewer, id, sentRecord(NEW_GRANTS, { grants: [grant] }));
  return "added";
}

async function changeGrant(
  { records }: ManagePagesNeeds,
  { viewer, id, fields }: Sharing,
  action: "change" | "remove",
): Promise<Outcome> {
  const number = fields.get("number") ?? "";
  if (!/^[1-9]\d{0,14}$/.test(number)) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
  const subject = { subject: fields.get("kind") === "role" ? "role" : "user", id: Number(number) } as const;
  if (action === "remove") {
    await records.unshare(viewer, id, subject);
    return "removed";
  }
  await records.changeGrant(viewer, id, subject, sentRecord(CHANGED_GRANT, { permission: fields.get("permission") }));
  return "changed";
}

async function makeLink({ records, baseUrl }: ManagePagesNeeds, { viewer, id, fields }: Sharing): Promise<Outcome> {
  const lastDay = fields.get("link_last_day") ?? "";
  const body = {
    permission: fields.get("link_permission"),
    description: fields.get("link_description") ?? "",
    ...(lastDay === "" ? {} : { expires_at: `${lastDay}T23:59:59Z` }),
  };
  const { token } = await records.makeLink(viewer, id, sentRecord(NEW_LINK, body));
  return { made: `${baseUrl}/records/${id}?token=${token}` };
}
