// Pages on which people ask for closed files, and on which it is decided (Q.60): the form, the page of one request, the
// link that a guest confirms, what the page of sharing shows of it.

import type { AccessSettings } from "../../../model/items/item.ts";
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { checkbox } from "../../../pages/components/choices.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { textArea, textField } from "../../../pages/components/fields.ts";
import { factList, factRow, table } from "../../../pages/components/lists.ts";
import { badge, banner, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { most } from "../../../shared/limits.ts";
import type { Day } from "../../../shared/time/day.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { AccessRequestStatus, EndedBecause } from "../../store/access-requests.ts";
import { day, dayText, langOf, moment, type SiteView, sitePage } from "./layout.ts";

const PURPOSE = { maxlength: most("accessPurposeCharacters") };

export type AskView = {
  readonly id: number;
  readonly csrf: string;
  readonly title: { readonly text: string; readonly lang?: string };
  /** Null: the form is not offered, for this reason. */
  readonly refused: "nothing" | "off" | null;
  /** How many closed files; null: which files there are is not for the reader. */
  readonly count: number | null;
  readonly names: readonly string[];
  readonly community: string;
  readonly conditions: string;
  readonly isGuest: boolean;
  readonly sent: Readonly<Record<string, string>>;
  readonly problems: readonly FieldProblem[];
};

/** Names of files that the form lists. */
export const NAMES_SHOWN = 20;

export function askPage(view: AskView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.accessRequest;
  const { id, title, refused, problems } = view;
  const back = linkButton(words.back, `${rootPath}/records/${id}`, "quiet");
  const body =
    refused === null
      ? askForm(view, site, back)
      : state({ kind: "empty", text: refused === "off" ? words.off : words.nothing, actions: [back] });
  return sitePage(site, {
    title: words.heading,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body: html`${pageHeading(words.heading)}<p><a href="${rootPath}/records/${id}"${langOf(title.lang, texts)}>${title.text || texts.site.untitled}</a></p>
${body}`,
  });
}

function askForm(view: AskView, site: SiteView, back: Html): Html {
  const { texts, rootPath } = site;
  const words = texts.accessRequest;
  const { id, csrf, count, names, community, conditions, isGuest, sent, problems } = view;
  const value = (name: string): string => sent[name] ?? "";
  const guestFields = html`${textField(
    {
      ...{ id: "mail", label: words.mail, hint: words.mailHint, type: "email", value: value("mail"), isRequired: true },
      ...{ error: problemAt(problems, "mail"), control: { maxlength: 254, autocomplete: "email" } },
    },
    texts,
  )}${textField(
    {
      ...{ id: "name", label: words.name, value: value("name"), error: problemAt(problems, "name") },
      control: { maxlength: 200, autocomplete: "name" },
    },
    texts,
  )}`;
  const consent = checkbox({
    ...{ id: "consent", label: isGuest ? words.consent : words.consentAccount, hint: words.consentHint },
    isChecked: sent.consent !== undefined,
  });
  const accept = html`${sectionHeading(words.conditions)}<p class="pre">${conditions}</p>
${checkbox({ id: "accept", label: words.accept, isChecked: sent.accept !== undefined, error: problemAt(problems, "accept") })}`;
  return html`<p>${count === null ? words.whichHidden : words.which(count)}</p>
${names.length === 0 ? NOTHING : html`<ul>${names.map((name) => html`<li><bdi class="name">${name}</bdi></li>\n`)}</ul>`}
${sectionHeading(words.nextHeading)}<p>${isGuest ? `${words.nextGuest} ` : ""}${words.next(community)}</p>
<form method="post" action="${rootPath}/records/${id}/request-access">${csrfField(csrf)}
${textArea(
  {
    ...{ id: "message", label: words.purpose, hint: words.purposeHint, value: value("message"), isRequired: true },
    ...{ error: problemAt(problems, "message"), control: PURPOSE },
  },
  texts,
)}${isGuest ? guestFields : NOTHING}${consent}${conditions === "" ? NOTHING : accept}
${buttonRow([button({ label: words.send }), back])}</form>`;
}

export function askedPage(id: number, site: SiteView): string {
  const words = site.texts.accessRequest;
  return sitePage(site, {
    title: words.sentHeading,
    noindex: true,
    body: html`${pageHeading(words.sentHeading)}<p>${words.sentText}</p>
${buttonRow([linkButton(words.back, `${site.rootPath}/records/${id}`, "quiet")])}`,
  });
}

export type AccessRequestView = {
  readonly csrf: string;
  /** Where its form is sent. */
  readonly action: string;
  readonly item: number;
  readonly title: string;
  /** Null: they do not consent to be named. */
  readonly who: string | null;
  readonly status: AccessRequestStatus;
  readonly message: string;
  readonly answer: string;
  readonly endsOn: Day | null;
  readonly isActive: boolean;
  readonly because: EndedBecause;
  readonly since: Instant;
  readonly may: readonly ("confirm" | "accept" | "decline" | "cancel")[];
  /** Days that a right lasts where no day is chosen. */
  readonly days: number;
  readonly isDone: boolean;
  readonly sent: { readonly answer: string; readonly lastDay: string };
  readonly problems: readonly FieldProblem[];
};

const TONES = { created: "warn", submitted: "warn", accepted: "good", declined: "gone" } as const;

export function accessRequestPage(view: AccessRequestView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.accessRequest;
  const { status, may, problems, endsOn } = view;
  const title = view.title || texts.site.untitled;
  const right = endsOn === null ? NOTHING : view.isActive ? words.until(dayText(endsOn, texts)) : words.over;
  const facts = [
    factRow(words.item, html`<a href="${rootPath}/records/${view.item}">${title}</a>`),
    factRow(words.who, view.who ?? words.unnamed),
    factRow(words.since, moment(view.since, texts)),
    factRow(words.purpose, html`<span class="pre">${view.message}</span>`),
    ...(view.answer === "" ? [] : [factRow(words.answer, html`<span class="pre">${view.answer}</span>`)]),
    ...(endsOn === null ? [] : [factRow(words.lastDay, right)]),
  ];
  const tone = status in TONES ? TONES[status as keyof typeof TONES] : "gone";
  const heading = may.includes("confirm") ? words.confirmHeading : words.heading;
  return sitePage(site, {
    title: `${heading} · ${title}`,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body: html`<p class="facts">${badge(words.statuses[status], tone)}</p>
${pageHeading(heading)}${view.isDone ? banner("good", status === "submitted" ? words.asked : words.done, { role: "status" }) : NOTHING}${
  status === "expired" ? html`<p>${words.because[view.because]}</p>` : NOTHING
}${factList(facts)}${decisionForm(view, site)}`,
  });
}

function decisionForm({ may, csrf, action, days, sent, problems }: AccessRequestView, site: SiteView): Html {
  const { texts, rootPath } = site;
  const words = texts.accessRequest;
  if (may.length === 0) return NOTHING;
  const kinds = { confirm: "main", accept: "main", decline: "quiet", cancel: "danger" } as const;
  const labels = { ...words.actions, confirm: words.confirm };
  const buttons = may.map((each) => button({ label: labels[each], kind: kinds[each], name: "do", value: each }));
  const fields = html`<p>${words.decideText}</p>
${textArea(
  {
    ...{ id: "answer", label: words.answer, hint: words.answerHint, value: sent.answer },
    ...{ error: problemAt(problems, "answer"), control: PURPOSE },
  },
  texts,
)}${textField(
  {
    ...{ id: "last_day", label: words.lastDay, hint: words.lastDayHint(days), type: "date", value: sent.lastDay },
    error: problemAt(problems, "last_day"),
  },
  texts,
)}`;
  return html`<form method="post" action="${rootPath}${action}">${csrfField(csrf)}
${may.includes("accept") ? fields : NOTHING}${may.includes("confirm") ? html`<p>${words.confirmText}</p>` : NOTHING}${buttonRow(buttons)}</form>`;
}

/** A request in a list. */
export type AccessLine = {
  readonly id: string;
  readonly title: string;
  readonly status: AccessRequestStatus;
  readonly since: Instant;
};

/** Requests in the list of somebody's work; nothing where there are none. */
export function accessTable(lines: readonly AccessLine[], isMine: boolean, { texts, rootPath }: SiteView): Html {
  const words = texts.accessRequest;
  if (lines.length === 0) return NOTHING;
  return table({
    caption: isMine ? words.mineHeading : words.waitingHeading,
    head: [texts.work.title, texts.work.state, words.since],
    rows: lines.map(({ id, title, status, since }) => [
      html`<a href="${rootPath}/access-requests/${id}">${title || texts.site.untitled}</a>`,
      words.statuses[status],
      moment(since, texts),
    ]),
  });
}

/** What the page of sharing shows of the requests of a record. */
export type AccessPart = {
  readonly settings: AccessSettings;
  readonly isMailOn: boolean;
  readonly lines: readonly (AccessLine & {
    readonly who: string | null;
    readonly endsOn: Day | null;
    readonly isActive: boolean;
    readonly use: { readonly times: number; readonly last: Day | null } | null;
  })[];
};

export function accessPart(id: number, csrf: string, view: AccessPart, site: SiteView): Html {
  const { texts, rootPath } = site;
  const words = texts.accessRequest;
  const action = `${rootPath}/records/${id}/access-requests`;
  const rows = view.lines.map(({ id: request, who, status, endsOn, isActive, use, since }) => {
    const name = who ?? words.unnamed;
    const times =
      use === null
        ? NOTHING
        : html`<span class="soft">${words.use(use.times, use.last === null ? "" : dayText(use.last, texts))}</span>`;
    return [
      html`<a href="${rootPath}/access-requests/${request}">${name}</a>`,
      words.statuses[status],
      moment(since, texts),
      endsOn === null ? "" : html`${isActive ? day(endsOn, texts) : words.over}${times}`,
      isActive
        ? postButton({
            ...{ label: words.revoke, heard: `${words.revoke}${texts.site.colon}${name}`, kind: "small danger" },
            ...{ action, csrf, sent: { do: "revoke", request } },
          })
        : "",
    ];
  });
  const list =
    rows.length === 0
      ? html`<p>${words.nobody}</p>`
      : table({
          ...{ caption: words.given, isCaptionHidden: true, rows },
          head: [words.who, texts.work.state, words.since, words.lastDay, texts.manage.actions],
        });
  return html`${sectionHeading(words.given, { id: "closed-files" })}<p>${words.givenText}</p>
${list}${settingsForm(action, csrf, view, site)}`;
}

function settingsForm(action: string, csrf: string, { settings, isMailOn }: AccessPart, { texts }: SiteView): Html {
  const words = texts.accessRequest;
  return html`${sectionHeading(words.settings)}<form method="post" action="${action}">${csrfField(csrf)}
${checkbox({ id: "users", label: words.users, isChecked: settings.users })}${
  isMailOn ? checkbox({ id: "guests", label: words.guests, isChecked: settings.guests }) : html`<p>${words.noMail}</p>`
}${textField(
  {
    ...{ id: "days", label: words.days, value: String(settings.days) },
    control: { inputmode: "numeric", maxlength: 4 },
  },
  texts,
)}${textArea(
  {
    ...{ id: "conditions", label: words.conditions, hint: words.conditionsHint, value: settings.conditions },
    control: PURPOSE,
  },
  texts,
)}${buttonRow([button({ label: words.save, name: "do", value: "settings" })])}</form>`;
}

export type RightView = { readonly isLink: boolean; readonly until: Day };
export type ClosedView = { readonly community: string; readonly href: string | null; readonly isOwn: boolean };

/** By which right the reader reads closed files. */
export const rightNote = ({ isLink, until }: RightView, texts: SiteView["texts"]): Html => {
  const words = texts.accessRequest;
  return banner("info", (isLink ? words.byLink : words.byRequest)(dayText(until, texts)));
};

/** Who decides about a closed file, and where it is asked for. */
export const closedNote = ({ community, href, isOwn }: ClosedView, texts: SiteView["texts"]): Html => {
  const words = texts.accessRequest;
  const link = href === null ? NOTHING : html` <a href="${href}">${isOwn ? words.yourRequest : words.ask}</a>`;
  return html`${words.decides(community)}${link}`;
};
