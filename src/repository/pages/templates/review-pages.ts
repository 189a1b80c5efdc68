// The page of one request (R44): what it is about, its timeline and the buttons of a decision.

import { button, buttonRow, csrfField } from "../../../pages/components/buttons.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { textArea } from "../../../pages/components/fields.ts";
import { factList, factRow, trail } from "../../../pages/components/lists.ts";
import { badge, banner } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { most } from "../../../shared/limits.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { Task } from "../../notices/tasks.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { type ProposalView, proposalPart } from "./activity-pages.ts";
import { afterDecision, type NextTask, titleOf } from "./decided.ts";
import { type FieldCommenting, fieldLabel } from "./field-comments.ts";
import { type HoldingView, holding } from "./holding.ts";
import { moment, type SiteView, sitePage } from "./layout.ts";

type RequestEntry = {
  readonly id: string;
  /** Null: the repository itself. */
  readonly by: string | null;
  readonly isOwn: boolean;
  readonly at: Instant;
  /** What happened; null for a comment. */
  readonly event: string | null;
  /** Of a comment, as plain text: what it quotes, and what it adds. */
  readonly parts: readonly { readonly isQuote: boolean; readonly text: string }[];
  /** Who holds the task from here on, in words; "": the entry is about nobody. */
  readonly about: string;
  /** The field that a comment is about; "": none. */
  readonly field: string;
  /** The comment was changed after it was written. */
  readonly isEdited: boolean;
};

export type RequestView = {
  readonly id: string;
  readonly kind: Exclude<Task["kind"], "activity">;
  readonly status: keyof RepositoryTexts["review"]["statuses"];
  readonly title: string;
  /** `slug`: null where the reader may not see its page. */
  readonly community: { readonly title: string; readonly slug: string | null };
  readonly role: keyof RepositoryTexts["review"]["roles"] | null;
  readonly by: string;
  readonly isOwn: boolean;
  readonly since: Instant;
  /** What it is about, as far as the reader may see it. */
  readonly record: { readonly id: number; readonly proposal: ProposalView } | null;
  readonly entries: readonly RequestEntry[];
  readonly hasEarlier: boolean;
  readonly holding: HoldingView;
  readonly may: readonly ("accept" | "decline" | "cancel")[];
  readonly done: "decided" | "commented" | "asked" | null;
  readonly next: NextTask;
  readonly sent: string;
  readonly sentFields: ReadonlyMap<string, string>;
  readonly problems: readonly FieldProblem[];
};

export function requestPage(view: RequestView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { review } = texts;
  const title = titleOf(view.title, texts);
  const tone = view.status === "submitted" ? "warn" : view.status === "accepted" ? "good" : "gone";
  const facts = [
    factRow(review.type, review.types[view.kind]),
    factRow(review.community, communityName(view.community, rootPath)),
    ...(view.role === null ? [] : [factRow(review.role, review.roles[view.role])]),
    factRow(review.by, view.isOwn ? review.you : view.by),
    factRow(review.since, moment(view.since, texts)),
    ...(view.holding.holder === "" ? [] : [factRow(review.holder, view.holding.holder)]),
    ...(view.record === null
      ? []
      : [factRow(review.record, html`<a href="${rootPath}${pageOf(view.record)}">${review.preview}</a>`)]),
  ];
  return sitePage(site, {
    title: `${review.request} · ${title}`,
    noindex: true,
    problems: view.problems,
    switchable: view.problems.length === 0,
    body: html`${trail([{ label: review.taskHeading, href: `${rootPath}/me` }], texts)}
${view.done === "decided" ? afterDecision(view.next, site) : view.done === null ? NOTHING : banner("good", review[view.done], { role: "status" })}<p class="facts">${badge(review.statuses[view.status], tone)}</p>
${pageHeading(title)}${factList(facts)}${holding(view.holding, site)}
${view.record === null ? NOTHING : proposalPart(view.record.proposal, site, commentingOn(view, site))}
${sectionHeading(review.timeline)}${timeline(view, texts)}
${decision(view, site)}`,
  });
}

const communityName = ({ title, slug }: RequestView["community"], rootPath: string): string | Html =>
  slug === null ? title : html`<a href="${rootPath}/communities/${slug}">${title}</a>`;

/** A draft that waits is shown as it will be. */
const pageOf = ({ id, proposal }: NonNullable<RequestView["record"]>): string =>
  proposal.checks === null ? `/records/${id}` : `/deposit/${id}/preview`;

const commentingOn = ({ entries, sentFields: sent }: RequestView, { person }: SiteView): FieldCommenting => ({
  formId: person === null ? null : FORM_ID,
  most: most("commentCharacters"),
  made: entries.flatMap(({ field, parts }) => {
    const text = parts.flatMap((part) => (part.isQuote ? [] : [part.text])).join("\n");
    return field === "" ? [] : [{ field, text }];
  }),
  sent,
});
const FORM_ID = "decision";

/** Quotations are set apart; a link begins an answer that quotes the comment. */
function commentText({ id, parts, field, isEdited }: RequestEntry, view: RequestView, texts: RepositoryTexts): Html {
  const { review } = texts;
  const shown = parts.map(({ isQuote, text }) => (isQuote ? html`<blockquote>${text}</blockquote>` : html`${text}`));
  return html`${field === "" ? NOTHING : html`<p class="soft">${review.about(fieldLabel(field, texts))}</p>`}<blockquote class="comment">${shown}</blockquote><p class="soft">${isEdited ? `${review.edited} ` : ""}<a href="?quote=${id}#comment" aria-label="${review.quote}${texts.site.colon}${view.title}">${review.quote}</a></p>`;
}

function timeline(view: RequestView, texts: RepositoryTexts): Html {
  const { entries, hasEarlier } = view;
  const { review } = texts;
  if (entries.length === 0) return html`<p>${review.nothingSaid}</p>`;
  const events: Readonly<Record<string, string>> = review.events;
  const lines = entries.map((entry) => {
    const who = entry.isOwn ? review.you : (entry.by ?? review.repository);
    const what =
      entry.event === null
        ? commentText(entry, view, texts)
        : html`<p>${events[entry.event] ?? entry.event}${entry.about === "" ? NOTHING : html`${texts.site.colon}${entry.about}`}</p>`;
    return html`<li id="entry-${entry.id}"><p><strong>${who}</strong> <a class="soft" href="#entry-${entry.id}">${moment(entry.at, texts)}</a></p>${what}</li>\n`;
  });
  return html`${hasEarlier ? html`<p class="hint">${review.earlier} …</p>` : NOTHING}<ol class="timeline bare">${lines}</ol>`;
}

/** One form: the address of each button names what it does; the comment goes with each. */
function decision(view: RequestView, { texts, rootPath, person }: SiteView): Html {
  if (person === null) return NOTHING;
  const { review } = texts;
  const here = `${rootPath}/requests/${view.id}`;
  const kinds = { accept: "main", decline: "quiet", cancel: "danger" } as const;
  const decisions = view.may.map((action) =>
    button({ label: review.actions[action], kind: kinds[action], formaction: `${here}/${action}` }),
  );
  const comment = button({ label: review.addComment, kind: "quiet", formaction: `${here}/comment` });
  const area = textArea(
    {
      id: "comment",
      label: view.may.length === 0 ? review.comment : review.commentLabel,
      value: view.sent,
      rows: 4,
      error: problemAt(view.problems, "comment"),
      control: { maxlength: 10_000 },
    },
    texts,
  );
  return html`${sectionHeading(view.may.length === 0 ? review.comment : review.decide)}<form method="post" id="${FORM_ID}" action="${here}/comment">${csrfField(person.csrf)}
${area}${buttonRow([...decisions, comment])}</form>`;
}
