// What people do with their own items: the buttons on an item's page and in lists, the question before it is withdrawn,
// and with whom it is shared (R2c, R15, R37).
import { SHIPPED_TYPES, shippedVocabulary } from "../../../assets/vocabularies/index.ts";
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { checkbox } from "../../../pages/components/choices.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { fieldRow, hiddenField, selectField, textArea, textField } from "../../../pages/components/fields.ts";
import { table } from "../../../pages/components/lists.ts";
import { banner } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { type AccessPart, accessPart } from "./access-pages.ts";
import { day, langOf, type SiteView, sitePage, titleIn } from "./layout.ts";

/** What the person may do with an item now. */
export type ManageView = {
  readonly id: number;
  readonly isDraft: boolean;
  readonly edit: boolean;
  readonly newVersion: boolean;
  readonly share: boolean;
  readonly transfer: boolean;
  readonly withdraw: boolean;
};

type ItemTitle = { readonly text: string; readonly lang?: string };

const pathOf = ({ rootPath }: SiteView, id: number, rest = ""): string => `${rootPath}/records/${id}${rest}`;

/** Buttons of what is permitted; nothing where nothing is. `isSmall`: in a list. */
export function manageButtons(view: ManageView, site: SiteView, isSmall = false): Html {
  const { person, rootPath, texts } = site;
  const words = texts.manage;
  const { id } = view;
  if (person === null) return NOTHING;
  const { csrf } = person;
  const kind = isSmall ? "small" : "quiet";
  const link = (label: string, rest: string): Html =>
    isSmall
      ? html`<a class="small" href="${pathOf(site, id, rest)}">${label}</a>`
      : linkButton(label, pathOf(site, id, rest), "quiet");
  const draft = html`<a class="${isSmall ? "small" : "go quiet"}" href="${rootPath}/deposit/${id}">${words.continueDraft}</a>`;
  const version = isSmall
    ? postButton({ label: words.newVersion, kind, action: pathOf(site, id, "/new-version"), csrf })
    : html`<form class="row" method="post" action="${pathOf(site, id, "/new-version")}">${csrfField(csrf)}${button({ label: words.newVersion, kind })}${checkbox({ id: "files-too", name: "files", label: words.withFiles, isChecked: false })}</form>`;
  const all = [
    ...(view.edit && view.isDraft ? [draft] : []),
    ...(view.edit && !view.isDraft
      ? [
          postButton({ label: words.correct, kind, action: pathOf(site, id, "/edit"), csrf }),
          postButton({ label: words.access, kind, action: pathOf(site, id, "/edit"), csrf, sent: { part: "access" } }),
        ]
      : []),
    ...(view.newVersion ? [version] : []),
    ...(isSmall && view.edit && !view.isDraft ? [link(words.statistics, "#use")] : []),
    ...(view.share ? [link(words.share, "/share")] : []),
    ...(view.transfer ? [link(site.texts.transfer.link, "/transfer")] : []),
    ...(view.withdraw ? [link(words.withdraw, "/withdraw")] : []),
  ];
  return all.length === 0 ? NOTHING : buttonRow(all);
}

/** The part of an item's page for those who may change it. */
export function manageSection(view: ManageView | null, site: SiteView): Html {
  const buttons = view === null ? NOTHING : manageButtons(view, site);
  return buttons === NOTHING ? NOTHING : html`${sectionHeading(site.texts.manage.heading, { id: "manage" })}${buttons}`;
}

const titleLine = (title: ItemTitle, id: number, site: SiteView): Html =>
  html`<p><a href="${pathOf(site, id)}"${langOf(title.lang, site.texts)}>${title.text || site.texts.site.untitled}</a></p>\n`;

/** Reasons of a withdrawal: id and words in the language of the page. */
const REASONS = SHIPPED_TYPES.includes("removalreasons") ? shippedVocabulary("removalreasons") : [];

export type WithdrawView = {
  readonly id: number;
  readonly csrf: string;
  readonly title: ItemTitle;
  readonly isApproved: boolean;
  readonly sent: { readonly reason: string; readonly note: string; readonly citation: string };
  readonly problems: readonly FieldProblem[];
};

export function withdrawPage(view: WithdrawView, site: SiteView): string {
  const { texts } = site;
  const words = texts.manage;
  const { id, csrf, sent, problems } = view;
  return sitePage(site, {
    title: words.withdrawHeading,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body: html`${pageHeading(words.withdrawHeading)}${titleLine(view.title, id, site)}<p>${words.withdrawText}</p>
${view.isApproved ? banner("info", words.withdrawApproval) : NOTHING}<form method="post" action="${pathOf(site, id, "/withdraw")}">${csrfField(csrf)}
${selectField(
  {
    ...{ id: "reason", label: words.reason, value: sent.reason, blank: words.noReason },
    choices: REASONS.map((each) => ({ value: each.id, label: titleIn(each.title, texts.tag) })),
    error: problemAt(problems, "reason"),
  },
  texts,
)}${textArea(
  {
    ...{ id: "note", label: words.note, hint: words.noteHint, value: sent.note, control: { maxlength: 10_000 } },
    error: problemAt(problems, "note"),
  },
  texts,
)}${textArea(
  {
    ...{ id: "citation", label: words.citation, hint: words.citationHint, value: sent.citation },
    ...{ error: problemAt(problems, "citation"), control: { maxlength: 10_000 } },
  },
  texts,
)}${buttonRow([button({ label: words.withdraw, kind: "sure" }), linkButton(words.back, pathOf(site, id), "quiet")])}</form>`,
  });
}

export type ShareView = {
  /** Requests for closed files. */
  readonly access: AccessPart;
  readonly id: number;
  readonly csrf: string;
  readonly title: ItemTitle;
  readonly grants: readonly {
    readonly subject: "user" | "role";
    readonly id: number;
    readonly permission: Permission;
    readonly name: string;
  }[];
  readonly links: readonly {
    readonly id: string;
    readonly permission: Permission;
    readonly description: string;
    readonly expiresAt: string | null;
  }[];
  /** The address of a link that was made just now. */
  readonly made: string | null;
  readonly done: "added" | "changed" | "removed" | "revoked" | null;
  readonly sent: Readonly<Record<string, string>>;
  readonly problems: readonly FieldProblem[];
};

type Permission = "view" | "preview" | "edit" | "manage";
const SHARE_PERMISSIONS: readonly Permission[] = ["view", "preview", "edit", "manage"];

export function sharePage(view: ShareView, site: SiteView): string {
  const { texts } = site;
  const words = texts.manage;
  const made =
    view.made === null
      ? NOTHING
      : banner("good", html`<p>${words.madeLink}</p><p class="secret">${view.made}</p>`, { role: "status" });
  return sitePage(site, {
    title: words.shareHeading,
    noindex: true,
    problems: view.problems,
    switchable: view.made === null && view.problems.length === 0,
    body: html`${pageHeading(words.shareHeading)}${titleLine(view.title, view.id, site)}${made}${
      view.done === null ? NOTHING : banner("good", words.done[view.done], { role: "status" })
    }<p>${words.shareText}</p>
${sectionHeading(words.people)}${grantTable(view, site)}${grantForm(view, site)}
${sectionHeading(words.links)}<p>${words.linksText}</p>
${linkTable(view, site)}${linkForm(view, site)}
${accessPart(view.id, view.csrf, view.access, site)}
${buttonRow([linkButton(words.back, pathOf(site, view.id), "quiet")])}`,
  });
}

const permissionField = (id: string, name: string, value: string, error: string | null, { texts }: SiteView): Html =>
  selectField(
    {
      ...{ id, name, label: texts.manage.permission, value, error },
      choices: SHARE_PERMISSIONS.map((each) => ({ value: each, label: texts.manage.permissions[each] })),
    },
    texts,
  );

function grantTable({ id: record, csrf, grants }: ShareView, site: SiteView): Html {
  const { texts } = site;
  const words = texts.manage;
  if (grants.length === 0) return html`<p>${words.nobody}</p>`;
  const rows = grants.map(({ subject, id, permission, name }) => {
    const shown = name || (subject === "user" ? words.account(id) : words.group(id));
    const key = `${subject}-${id}`;
    const choice = selectField(
      {
        ...{ id: `right-${key}`, name: "permission", value: permission, isLabelHidden: true },
        label: `${words.permission}${texts.site.colon}${shown}`,
        choices: SHARE_PERMISSIONS.map((each) => ({ value: each, label: words.permissions[each] })),
      },
      texts,
    );
    const heard = (label: string): string => `${label}${texts.site.colon}${shown}`;
    const buttons = buttonRow([
      button({ label: words.change, heard: heard(words.change), kind: "small", name: "do", value: "change" }),
      button({ label: words.remove, heard: heard(words.remove), kind: "small danger", name: "do", value: "remove" }),
    ]);
    const form = html`<form method="post" action="${pathOf(site, record, "/share")}">${csrfField(csrf)}${hiddenField("kind", subject)}${hiddenField("number", String(id))}${choice}${buttons}</form>`;
    return [shown, words.kinds[subject], words.permissions[permission], form];
  });
  return table({
    caption: words.people,
    isCaptionHidden: true,
    head: [words.who, words.kind, words.permission, words.actions],
    rows,
  });
}

function grantForm({ id, csrf, sent, problems }: ShareView, site: SiteView): Html {
  const { texts } = site;
  const words = texts.manage;
  return html`<form method="post" action="${pathOf(site, id, "/share")}">${csrfField(csrf)}
${fieldRow([
  textField(
    {
      ...{ id: "who", label: words.who, hint: words.whoHint, value: sent.who ?? "", error: problemAt(problems, "who") },
      control: { maxlength: 320, autocomplete: "off" },
    },
    texts,
  ),
  selectField(
    {
      ...{ id: "kind", label: words.kind, value: sent.kind ?? "user" },
      choices: (["user", "role"] as const).map((each) => ({ value: each, label: words.kinds[each] })),
    },
    texts,
  ),
  permissionField("permission", "permission", sent.permission ?? "view", problemAt(problems, "permission"), site),
])}${buttonRow([button({ label: words.add, name: "do", value: "add" })])}</form>`;
}

function linkTable({ id: record, csrf, links }: ShareView, site: SiteView): Html {
  const { texts } = site;
  const words = texts.manage;
  if (links.length === 0) return html`<p>${words.noLinks}</p>`;
  const rows = links.map(({ id, permission, description, expiresAt }, at) => [
    description || `${words.links} ${at + 1}`,
    words.permissions[permission],
    expiresAt === null ? words.never : day(expiresAt, texts),
    postButton({
      ...{ label: words.revoke, heard: `${words.revoke}${texts.site.colon}${description || at + 1}` },
      ...{ kind: "small danger", action: pathOf(site, record, "/share"), csrf },
      sent: { do: "revoke-link", link: id },
    }),
  ]);
  return table({
    caption: words.links,
    isCaptionHidden: true,
    head: [words.description, words.permission, words.ends, words.actions],
    rows,
  });
}

function linkForm({ id, csrf, sent, problems }: ShareView, site: SiteView): Html {
  const { texts } = site;
  const words = texts.manage;
  const value = (name: string): string => sent[`link_${name}`] ?? "";
  return html`<form method="post" action="${pathOf(site, id, "/share")}">${csrfField(csrf)}
${fieldRow([
  permissionField(
    "link_permission",
    "link_permission",
    value("permission") || "view",
    problemAt(problems, "link_permission"),
    site,
  ),
  textField(
    {
      ...{ id: "link_description", label: words.description, hint: words.descriptionHint, value: value("description") },
      ...{ error: problemAt(problems, "link_description"), control: { maxlength: 1_000, autocomplete: "off" } },
    },
    texts,
  ),
  textField(
    {
      ...{ id: "link_last_day", label: words.ends, hint: words.endsHint, type: "date", value: value("last_day") },
      error: problemAt(problems, "link_last_day"),
    },
    texts,
  ),
])}${buttonRow([button({ label: words.makeLink, name: "do", value: "make-link" })])}</form>`;
}
