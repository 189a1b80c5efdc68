// Pages on which a community is made and looked after (R37, R40): its form, its members, invitations and requests, and
// the question before it is deleted.
import { MEMBER_ROLES, type MemberRole } from "../../../auth/account.ts";
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { choices, fieldset } from "../../../pages/components/choices.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { hiddenField, selectField, textArea, textField } from "../../../pages/components/fields.ts";
import { type Cell, pagination, table, tabs } from "../../../pages/components/lists.ts";
import { banner, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { most } from "../../../shared/limits.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { type CommunityHead, type CommunityTab, communityHead } from "./community-pages.ts";
import { titleOf } from "./decided.ts";
import { moment, type SiteView, sitePage } from "./layout.ts";

type Outcome = keyof RepositoryTexts["community"]["done"] | null;
type Paged = { readonly page: number; readonly pages: number; readonly pageAt: (page: number) => string };

/** Names of fields, as the form sends them; texts as they were typed. */
export const COMMUNITY_FIELDS = [
  ...(["slug", "title", "title_ja", "description", "type", "website", "organizations", "page"] as const),
  ...(["curation_policy", "visibility", "members_visibility", "member_policy"] as const),
  ...(["record_submission_policy", "review_policy"] as const),
] as const;
export type CommunityField = (typeof COMMUNITY_FIELDS)[number];
type CommunityValues = Readonly<Record<CommunityField, string>>;

type FormView = {
  readonly values: CommunityValues;
  readonly types: readonly { readonly value: string; readonly label: string }[];
  readonly problems: readonly FieldProblem[];
};

export function newCommunityPage(view: FormView, site: SiteView): string {
  const { texts, rootPath, person } = site;
  const words = texts.community;
  return sitePage(site, {
    title: words.make,
    noindex: true,
    problems: view.problems,
    switchable: view.problems.length === 0,
    body: html`${pageHeading(words.make)}<form method="post" action="${rootPath}/community/new">${csrfField(person?.csrf ?? "")}${slugField(view, site)}${formFields(view, site)}${buttonRow([button({ label: words.form.make })])}</form>`,
  });
}

const slugField = ({ values, problems }: FormView, { texts }: SiteView): Html =>
  textField(
    {
      ...{ id: "slug", label: texts.community.form.slug, hint: texts.community.form.slugHint, value: values.slug },
      ...{ error: problemAt(problems, "slug"), isRequired: true, control: { maxlength: 100, autocomplete: "off" } },
    },
    texts,
  );

/** Everything but the short name. */
function formFields({ values, types, problems }: FormView, { texts }: SiteView): Html {
  const { form } = texts.community;
  const field = (id: CommunityField) => ({ id, value: values[id], error: problemAt(problems, id) });
  const line = { maxlength: 250 };
  const long = { rows: 8, hint: form.htmlHint, control: { maxlength: most("communityCharacters") } };
  const radio = (id: CommunityField, legend: string, labels: Readonly<Record<string, string>>): Html =>
    choices(
      {
        ...{ id, legend, kind: "radio", isWide: true, error: problemAt(problems, id) },
        choices: Object.entries(labels).map(([value, label]) => ({ value, label, isChosen: values[id] === value })),
      },
      texts,
    );
  return html`${textField({ ...field("title"), label: form.title, isRequired: true, control: line }, texts)}${textField({ ...field("title_ja"), label: form.titleJa, control: line }, texts)}${textArea({ ...field("description"), label: form.description, hint: form.descriptionHint, rows: 2, control: line }, texts)}${selectField({ ...field("type"), label: form.type, choices: types, blank: form.noType }, texts)}${textField({ ...field("website"), label: form.website, type: "url", control: { maxlength: 2_000 } }, texts)}${textArea({ ...field("organizations"), label: form.organizations, hint: form.organizationsHint }, texts)}${textArea({ ...field("page"), label: form.page, ...long }, texts)}${textArea({ ...field("curation_policy"), label: form.policy, ...long }, texts)}${fieldset(
    { id: "access", legend: form.access },
    texts,
    [
      radio("visibility", form.visibility, form.visibilities),
      radio("members_visibility", form.membersVisibility, form.membersVisibilities),
      radio("member_policy", form.memberPolicy, form.memberPolicies),
      radio("record_submission_policy", form.submissionPolicy, form.submissionPolicies),
      radio("review_policy", form.reviewPolicy, form.reviewPolicies),
    ],
  )}`;
}

type Within = { readonly head: CommunityHead; readonly done: Outcome; readonly problems: readonly FieldProblem[] };

/** A page of a community for those who look after it. */
function innerPage({ head, done, problems }: Within, here: CommunityTab, body: Html, site: SiteView): string {
  const words = site.texts.community;
  return sitePage(site, {
    title: `${words[here]} · ${head.title}`,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body: html`${done === null ? NOTHING : banner("good", words.done[done], { role: "status" })}${communityHead(head, here, site)}${body}`,
  });
}

const addressOf = ({ slug }: CommunityHead, { rootPath }: SiteView): string => `${rootPath}/communities/${slug}`;

export type SettingsView = Within & FormView & { readonly base: number };

export function settingsPage(view: SettingsView, site: SiteView): string {
  const { texts, person } = site;
  const words = texts.community;
  const at = addressOf(view.head, site);
  const csrf = csrfField(person?.csrf ?? "");
  const body = html`<form method="post" action="${at}/settings">${csrf}${hiddenField("base", `${view.base}`)}${formFields(view, site)}${buttonRow([button({ label: words.form.save })])}</form>
${sectionHeading(words.logo.heading, { id: "logo" })}<form method="post" enctype="multipart/form-data" action="${at}/logo">${csrf}${textField({ id: "file", label: words.logo.file, hint: words.logo.hint, type: "file", error: problemAt(view.problems, "file"), control: { accept: "image/png,image/jpeg,image/webp,image/gif" } }, texts)}${buttonRow([button({ label: words.logo.save, kind: "quiet" })])}</form>
${view.head.logo === null ? NOTHING : postButton({ label: words.logo.remove, kind: "danger", action: `${at}/logo/delete`, csrf: person?.csrf ?? "" })}${sectionHeading(words.renameHeading, { id: "rename" })}<form method="post" action="${at}/rename">${csrf}<p>${words.renameHint}</p>${slugField(view, site)}${buttonRow([button({ label: words.rename, kind: "quiet" })])}</form>
${sectionHeading(words.deleteHeading, { id: "delete" })}<p>${words.deleteOpen}</p>${buttonRow([linkButton(words.delete, `${at}/delete`, "danger")])}`;
  return innerPage(view, "settings", body, site);
}

export type DeleteView = Within & { readonly confirm: string };

export function deleteCommunityPage(view: DeleteView, site: SiteView): string {
  const { texts, person } = site;
  const words = texts.community;
  const at = addressOf(view.head, site);
  const field = textField(
    {
      ...{ id: "confirm", label: words.confirm(view.head.slug), value: view.confirm, isRequired: true },
      ...{ error: problemAt(view.problems, "confirm"), control: { autocomplete: "off" } },
    },
    texts,
  );
  const body = html`${sectionHeading(words.deleteHeading)}<p>${words.deleteText}</p><p>${words.deleteOpen}</p>
<form method="post" action="${at}/delete">${csrfField(person?.csrf ?? "")}${field}${buttonRow([button({ label: words.delete, kind: "sure" }), linkButton(words.back, `${at}/settings`, "quiet")])}</form>`;
  return innerPage(view, "settings", body, site);
}

export type MemberLine = {
  readonly id: string;
  readonly name: string;
  readonly isSelf: boolean;
  /** Null: the reader sees names alone. */
  readonly more: {
    readonly role: MemberRole;
    readonly visible: boolean;
    readonly canDelete: boolean;
    readonly canUpdateRole: boolean;
    readonly canHide: boolean;
  } | null;
};
export type MembersView = Within &
  Paged & {
    readonly words: string;
    readonly members: readonly MemberLine[];
    /** Roles that the reader may give. */
    readonly roles: readonly MemberRole[];
    readonly mayInvite: boolean;
  };

export function membersPage(view: MembersView, site: SiteView): string {
  const { texts } = site;
  const words = texts.community;
  const at = `${addressOf(view.head, site)}/members`;
  const isFull = view.members.some(({ more }) => more !== null);
  const head = isFull ? [words.name, words.role, words.seen, words.action] : [words.name];
  const rows = view.members.map((each) => [each.name, ...memberCells(each, view, site)]);
  const list =
    view.members.length === 0
      ? state({ kind: "empty", text: view.words === "" ? words.noMembers : words.noneNamed })
      : table({ caption: words.members, isCaptionHidden: true, head, rows });
  const field = { id: "q", label: words.searchMembers, value: view.words, type: "search" } as const;
  const body = html`${view.mayInvite ? memberTabs("members", at, site) : NOTHING}<form role="search" aria-label="${words.searchMembers}" action="${at}">${textField({ ...field, control: { maxlength: 1_000 } }, texts)}${buttonRow([button({ label: words.show, kind: "quiet" })])}</form>
${list}${pagination(view, view.pageAt, texts)}`;
  return innerPage(view, "members", body, site);
}

/** Members, and those who are invited, for those who look after them. */
function memberTabs(here: "members" | "invitations", members: string, { texts: { community } }: SiteView): Html {
  return tabs(community.members, [
    { label: community.members, href: members, isHere: here === "members" },
    {
      label: community.invitations,
      href: members.replace(/members$/, "invitations"),
      isHere: here === "invitations",
    },
  ]);
}

function memberCells(member: MemberLine, view: MembersView, site: SiteView): readonly Cell[] {
  const { id, name, isSelf, more } = member;
  const { texts, person } = site;
  const words = texts.community;
  if (more === null) return [];
  const { review } = texts;
  const roles = MEMBER_ROLES.filter((role) => view.roles.includes(role) || role === more.role);
  if (person === null) return [review.roles[more.role], more.visible ? words.yes : words.no, ""];
  const { csrf } = person;
  const action = `${addressOf(view.head, site)}/members`;
  const act = (label: string, what: string, heard: string, kind: "small" | "small danger" = "small"): Html =>
    postButton({ label, heard, kind, action, csrf, sent: { do: what, member: id } });
  const role = more.canUpdateRole
    ? html`<form class="row" method="post" action="${action}">${csrfField(csrf)}${hiddenField("do", "role")}${hiddenField("member", id)}${selectField({ id: `role-${id}`, name: "role", label: words.roleOf(name), isLabelHidden: true, value: more.role, choices: roles.map((value) => ({ value, label: review.roles[value] })) }, texts)}${button({ label: words.change, kind: "small", heard: words.changeOf(name) })}</form>`
    : review.roles[more.role];
  const actions = [
    ...(isSelf && !more.visible ? [act(words.showMe, "show", words.showMe)] : []),
    ...(more.canHide && more.visible ? [act(words.hide, "hide", words.hideOf(name))] : []),
    ...(more.canDelete ? [act(words.remove, "remove", words.removeOf(name), "small danger")] : []),
    ...(isSelf ? [act(words.leave, "remove", words.leave, "small danger")] : []),
  ];
  return [role, more.visible ? words.yes : words.no, html`${actions}`];
}

export type InvitationsView = Within &
  Paged & {
    readonly sent: { readonly who: string; readonly role: string; readonly message: string };
    readonly roles: readonly MemberRole[];
    readonly invitations: readonly {
      readonly request: string;
      readonly name: string;
      readonly role: MemberRole | null;
      readonly status: keyof RepositoryTexts["review"]["statuses"];
      readonly at: Instant;
      readonly canCancel: boolean;
    }[];
  };

export function invitationsPage(view: InvitationsView, site: SiteView): string {
  const { texts, rootPath, person } = site;
  const words = texts.community;
  const { review } = texts;
  const { sent, problems } = view;
  const csrf = person?.csrf ?? "";
  const at = addressOf(view.head, site);
  const rows = view.invitations.map((each) => [
    html`<a href="${rootPath}/requests/${each.request}">${each.name}</a>`,
    each.role === null ? "" : review.roles[each.role],
    review.statuses[each.status],
    moment(each.at, texts),
    each.canCancel
      ? postButton({
          ...{ label: words.cancelInvitation, kind: "small", heard: words.cancelOf(each.name) },
          ...{ action: `${rootPath}/requests/${each.request}/cancel`, csrf },
        })
      : "",
  ]);
  const head = [words.name, words.role, words.state, words.invited, words.action];
  const roles = choices(
    {
      ...{ id: "role", legend: words.asRole, kind: "radio", isWide: true, error: problemAt(problems, "role") },
      choices: view.roles.toReversed().map((value) => ({
        ...{ value, label: review.roles[value], hint: review.join.roles[value], isChosen: value === sent.role },
      })),
    },
    texts,
  );
  const body = html`${memberTabs("invitations", `${at}/members`, site)}${sectionHeading(words.invite)}<form method="post" action="${at}/invitations">${csrfField(csrf)}${textField({ id: "who", label: words.who, hint: words.whoHint, value: sent.who, isRequired: true, error: problemAt(problems, "who"), control: { maxlength: 320, autocomplete: "off" } }, texts)}${roles}${textArea({ id: "message", label: words.message, value: sent.message, error: problemAt(problems, "message"), control: { maxlength: most("commentCharacters") } }, texts)}${buttonRow([button({ label: words.sendInvitation })])}</form>
${sectionHeading(words.invitations)}${rows.length === 0 ? state({ kind: "empty", text: words.noInvitations }) : table({ caption: words.invitations, isCaptionHidden: true, head, rows })}${pagination(view, view.pageAt, texts)}`;
  return innerPage(view, "members", body, site);
}

export type RequestsView = Within &
  Paged & {
    readonly isClosed: boolean;
    readonly requests: readonly {
      readonly id: string;
      readonly title: string;
      readonly type: Exclude<keyof RepositoryTexts["review"]["types"], "activity">;
      readonly status: keyof RepositoryTexts["review"]["statuses"];
      readonly since: Instant;
    }[];
  };

export function communityRequestsPage(view: RequestsView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.community;
  const at = `${addressOf(view.head, site)}/requests`;
  const links = [
    { label: words.openRequests, href: at, isHere: !view.isClosed },
    { label: words.closedRequests, href: `${at}?closed=1`, isHere: view.isClosed },
  ];
  const rows = view.requests.map(({ id, title, type, status, since }) => [
    html`<a href="${rootPath}/requests/${id}">${titleOf(title, texts)}</a>`,
    texts.review.types[type],
    texts.review.statuses[status],
    moment(since, texts),
  ]);
  const head = [words.request, words.kind, words.state, words.since];
  const list =
    rows.length === 0
      ? state({ kind: "empty", text: words.noRequests })
      : table({ caption: words.requests, isCaptionHidden: true, head, rows });
  return innerPage(
    view,
    "requests",
    html`${tabs(words.requests, links)}${list}${pagination(view, view.pageAt, texts)}`,
    site,
  );
}
