// Pages on which a record is handed over to another account (R15): the offer, and the answer to it.
import { button, buttonRow, csrfField, linkButton } from "../../../pages/components/buttons.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { textArea, textField } from "../../../pages/components/fields.ts";
import { factList, factRow, table } from "../../../pages/components/lists.ts";
import { badge, banner } from "../../../pages/components/notes.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import { moment, type SiteView, sitePage } from "./layout.ts";

/** An offer in a list. */
export type TransferLine = {
  readonly id: string;
  readonly title: string;
  readonly isForMe: boolean;
  readonly since: Instant;
};

export type OfferView = {
  readonly id: number;
  readonly csrf: string;
  readonly title: { readonly text: string; readonly lang?: string };
  /** The offer that waits; null: there is none. */
  readonly open: string | null;
  readonly sent: { readonly who: string; readonly message: string };
  readonly problems: readonly FieldProblem[];
};

export type TransferView = {
  readonly id: string;
  readonly csrf: string;
  readonly item: number;
  readonly title: string;
  readonly message: string;
  readonly giver: string;
  readonly receiver: string;
  readonly status: "submitted" | "accepted" | "declined" | "cancelled";
  readonly since: Instant;
  readonly may: readonly ("accept" | "decline" | "cancel")[];
};

export function offerPage(view: OfferView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.transfer;
  const { id, csrf, problems, sent } = view;
  const back = linkButton(texts.manage.back, `${rootPath}/records/${id}`, "quiet");
  const form = html`<form method="post" action="${rootPath}/records/${id}/transfer">${csrfField(csrf)}
${textField(
  {
    ...{ id: "who", label: words.who, hint: words.whoHint, value: sent.who, error: problemAt(problems, "who") },
    ...{ isRequired: true, control: { maxlength: 320, autocomplete: "off" } },
  },
  texts,
)}${textArea(
  {
    ...{ id: "message", label: words.message, value: sent.message, error: problemAt(problems, "message") },
    control: { maxlength: 10_000 },
  },
  texts,
)}${buttonRow([button({ label: words.offer }), back])}</form>`;
  const waiting = html`${banner("info", html`<p>${words.waiting} <a href="${rootPath}/transfers/${view.open ?? ""}">${words.toOffer}</a></p>`)}${buttonRow([back])}`;
  return sitePage(site, {
    title: words.heading,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body: html`${pageHeading(words.heading)}<p>${view.title.text || texts.site.untitled}</p>
<p>${words.text}</p>
${view.open === null ? form : waiting}`,
  });
}

export function transferPage(view: TransferView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.transfer;
  const title = view.title || texts.site.untitled;
  const tone = view.status === "submitted" ? "warn" : view.status === "accepted" ? "good" : "gone";
  const kinds = { accept: "main", decline: "quiet", cancel: "danger" } as const;
  const buttons = view.may.map((action) =>
    button({ label: words.actions[action], kind: kinds[action], name: "do", value: action }),
  );
  const facts = [
    factRow(words.from, view.giver),
    factRow(words.to, view.receiver),
    factRow(words.since, moment(view.since, texts)),
    ...(view.message === "" ? [] : [factRow(words.message, html`<span class="pre">${view.message}</span>`)]),
    factRow(words.item, html`<a href="${rootPath}/records/${view.item}">${title}</a>`),
  ];
  const form =
    buttons.length === 0
      ? NOTHING
      : html`<p>${view.may.includes("accept") ? words.acceptText : words.text}</p>
<form method="post" action="${rootPath}/transfers/${view.id}">${csrfField(view.csrf)}${buttonRow(buttons)}</form>`;
  return sitePage(site, {
    title: `${words.heading} · ${title}`,
    noindex: true,
    body: html`<p class="facts">${badge(words.statuses[view.status], tone)}</p>
${pageHeading(title)}${factList(facts)}${form}`,
  });
}

/** Offers that wait, in the list of somebody's work; nothing where there are none. */
export function transferTable(lines: readonly TransferLine[], { texts, rootPath }: SiteView): Html {
  const words = texts.transfer;
  if (lines.length === 0) return NOTHING;
  return table({
    caption: words.offers,
    head: [texts.work.title, texts.work.state, words.since],
    rows: lines.map(({ id, title, isForMe, since }) => [
      html`<a href="${rootPath}/transfers/${id}">${title || texts.site.untitled}</a>`,
      isForMe ? words.forMe : words.byMe,
      moment(since, texts),
    ]),
  });
}
