// Pages of workflow activities (R16): what waits for whom, and one activity with its history and the buttons of a
// decision.

import { button, buttonRow, csrfField } from "../../../pages/components/buttons.ts";
import type { FieldProblem } from "../../../pages/components/errors.ts";
import { textArea, textField } from "../../../pages/components/fields.ts";
import { factList, factRow, pagination, table, tabs, trail } from "../../../pages/components/lists.ts";
import { badge, banner, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { ItemId } from "../../../shared/ids.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { DraftChecks } from "../../records/draft-checks.ts";
import { COMMENT_MAX } from "../../workflow/decision-body.ts";
import type { ContentDifference } from "../differences.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { refusalProblem } from "../refusal-words.ts";
import { checksPart } from "./checks.ts";
import { afterDecision, type NextTask } from "./decided.ts";
import { differences } from "./differences.ts";
import { type FieldCommenting, fieldComments, fieldLabel } from "./field-comments.ts";
import { type FilesView, filesSection } from "./files.ts";
import { type HoldingView, holding } from "./holding.ts";
import { langOf, moment, type SiteView, sitePage } from "./layout.ts";
import { metadataRows, type OwnFieldView, ownRows, type RowView } from "./metadata-rows.ts";

type Names = { readonly en: string; readonly ja: string };

export type ActivityLine = {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly state: string;
  readonly action: Names;
  readonly depositor: string;
  /** Who took it; "": nobody. */
  readonly holder: string;
  readonly updatedAt: Instant;
};

type ActivityListView = {
  readonly condition: "todo" | "wait" | "all";
  readonly lines: readonly ActivityLine[];
  readonly page: number;
  readonly pages: number;
};

export type ActivityDetailView = ActivityLine & {
  readonly itemId: ItemId | null;
  readonly workflow: Names;
  readonly createdAt: Instant;
  readonly isThrownOut: boolean;
  /** Another reason why it does not move on, in English; "" for none. */
  readonly note: string;
  readonly needsIndex: boolean;
  readonly may: { readonly approve: boolean; readonly throwOut: boolean; readonly cancel: boolean };
  readonly steps: readonly {
    readonly action: Names;
    readonly state: string;
    readonly who: string;
    readonly comment: string;
    readonly at: Instant;
    /** What happened besides a step; "": a step. */
    readonly event: string;
    /** The field that its comment is about; "": none. */
    readonly field: string;
    /** Who holds the task from here on; "": the entry is about nobody. */
    readonly about: string;
  }[];
  readonly holding: HoldingView;
  /** What is wrong with the decision that was sent, in English. */
  readonly problem: string | null;
  readonly sent: { readonly comment: string; readonly index: string; readonly fields: ReadonlyMap<string, string> };
  /** Just decided: the task to go on with; undefined: nothing was. */
  readonly next?: NextTask;
  /** What the item would become; null where nothing waits. */
  readonly proposal: ProposalView | null;
};

export type ProposalView = {
  readonly title: { readonly text: string; readonly lang?: string };
  readonly rows: readonly RowView[];
  readonly own: readonly OwnFieldView[];
  /** Where all values of a field are listed: the address before the field's name. */
  readonly valuesAt: string;
  readonly files: FilesView;
  /** What publication would refuse; null where it is published, or nothing waits. */
  readonly checks: DraftChecks | null;
  /** From the published version to this; null where there is none. */
  readonly changes: ContentDifference | null;
};

const CONDITIONS = ["todo", "wait", "all"] as const;

export function activityListPage(view: ActivityListView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { activity } = texts;
  const here = `${rootPath}/workflow/activities`;
  const conditions = CONDITIONS.map((condition) => ({
    label: activity.conditions[condition],
    href: `${here}?status=${condition}`,
    isHere: condition === view.condition,
  }));
  const turn = (page: number): string => `${here}?status=${view.condition}&page=${page}`;
  return sitePage(site, {
    title: activity.heading,
    noindex: true,
    body: html`${pageHeading(activity.heading)}${tabs(activity.heading, conditions)}
${view.lines.length === 0 ? state({ kind: "empty", text: activity.none }) : html`<ul class="items">${view.lines.map((line) => lineOf(line, site))}</ul>`}
${pagination(view, turn, texts)}`,
  });
}

const nameIn = (names: Names, tag: string): string => (tag === "ja" ? names.ja || names.en : names.en || names.ja);

function lineOf(line: ActivityLine, { texts, rootPath }: SiteView): Html {
  const { activity } = texts;
  const facts = [
    line.id,
    activity.kinds[line.kind] ?? line.kind,
    `${activity.states[line.state] ?? line.state}${texts.site.colon}${nameIn(line.action, texts.tag)}`,
    line.depositor,
    line.holder === "" ? "" : `${texts.review.holder}${texts.site.colon}${line.holder}`,
  ].filter((fact) => fact !== "");
  return html`<li><a class="what" href="${rootPath}/workflow/activity/detail/${line.id}">${line.title === "" ? texts.site.untitled : line.title}</a>
<p>${facts.join(" · ")}</p><p>${moment(line.updatedAt, texts)}</p></li>\n`;
}

export function activityPage(view: ActivityDetailView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { activity } = texts;
  const title = view.title === "" ? texts.site.untitled : view.title;
  const tone = view.state === "F" ? "good" : view.state === "C" || view.state === "E" ? "gone" : "warn";
  const marks = [
    badge(activity.states[view.state] ?? view.state, tone),
    activity.kinds[view.kind] ?? view.kind,
    view.id,
  ];
  const isNoted = view.note !== "" && !view.isThrownOut && !view.needsIndex;
  return sitePage(site, {
    title: `${view.id} · ${title}`,
    noindex: true,
    switchable: view.problem === null,
    problems: view.problem === null ? [] : [problemOf(view, view.problem, texts)],
    body: html`${view.next === undefined ? NOTHING : afterDecision(view.next, site)}${trail([{ label: activity.heading, href: `${rootPath}/workflow/activities` }], texts)}${pageHeading(title, { before: marks })}
${view.isThrownOut ? banner("warn", activity.thrownOut) : NOTHING}${isNoted ? banner("warn", view.note, { lang: "en" }) : NOTHING}
${sectionHeading(activity.number)}${facts(view, site)}${holding(view.holding, site)}
${view.proposal === null ? NOTHING : proposalPart(view.proposal, site, commentingOn(view, site))}
${decision(view, site)}
${sectionHeading(activity.history)}${history(view, site)}`,
  });
}

/** What a decision was refused for is about the index, where one was asked for and no longer comment was sent. */
const problemOf = ({ needsIndex, sent }: ActivityDetailView, sentence: string, texts: RepositoryTexts): FieldProblem =>
  refusalProblem(sent.comment.length > COMMENT_MAX ? "comment" : needsIndex ? "index" : null, sentence, texts);

function facts(view: ActivityDetailView, { texts, rootPath }: SiteView): Html {
  const { activity } = texts;
  const { itemId } = view;
  return factList([
    factRow(activity.action, nameIn(view.action, texts.tag)),
    factRow(activity.workflow, nameIn(view.workflow, texts.tag)),
    factRow(activity.depositor, view.depositor),
    ...(itemId === null ? [] : [factRow(activity.item, html`<a href="${rootPath}/records/${itemId}">${itemId}</a>`)]),
    ...(view.holder === "" ? [] : [factRow(texts.review.holder, view.holder)]),
    ...(itemId === null || (view.proposal?.checks ?? null) === null
      ? []
      : [
          factRow(
            texts.review.record,
            html`<a href="${rootPath}/deposit/${itemId}/preview">${texts.review.preview}</a>`,
          ),
        ]),
    factRow(activity.begun, moment(view.createdAt, texts)),
    factRow(activity.changed, moment(view.updatedAt, texts)),
  ]);
}

const FORM_ID = "decision";

const commentingOn = ({ may, steps, sent }: ActivityDetailView, { person }: SiteView): FieldCommenting => ({
  formId: person !== null && (may.approve || may.throwOut) ? FORM_ID : null,
  most: COMMENT_MAX,
  made: steps.flatMap(({ field, comment: text }) => (field === "" ? [] : [{ field, text }])),
  sent: sent.fields,
});

/** What is to be decided about, as on its landing page. */
export function proposalPart(
  { title, rows, own, files, valuesAt, changes, checks }: ProposalView,
  site: SiteView,
  commenting: FieldCommenting,
): Html {
  const { texts } = site;
  const below = (field: string, label: string): Html => fieldComments(field, label, commenting, texts);
  // Where there is something to compare with, comments are made at what differs.
  const atRows = changes === null ? below : undefined;
  const heading = title.text === "" ? texts.site.untitled : title.text;
  return html`${changes === null ? NOTHING : html`${sectionHeading(texts.review.changes)}${differences(changes, texts, below)}`}${sectionHeading(texts.activity.proposal)}<p class="what"${langOf(title.lang, texts)}>${heading}</p>${changes === null ? below("title", texts.review.fields.title) : NOTHING}
<dl>
${metadataRows(rows, texts, valuesAt, atRows)}${ownRows(own, texts)}</dl>
${sectionHeading(texts.record.files)}${filesSection(files, texts)}${below("files", texts.record.files)}${checks === null ? NOTHING : checksPart(checks, site)}`;
}

function history({ steps }: ActivityDetailView, { texts }: SiteView): Html {
  const { activity } = texts;
  const events: Readonly<Record<string, string>> = texts.review.events;
  const rows = steps.map(({ action, state: done, who, comment, at, event, field, about }) => [
    html`${nameIn(action, texts.tag)}<span class="more">${event === "" ? (activity.stepStates[done] ?? done) : (events[event] ?? event)}${field === "" ? NOTHING : html`${texts.site.colon}${fieldLabel(field, texts)}`}</span>`,
    html`${who}${about === "" || about === who ? NOTHING : html` → ${about}`}${comment === "" ? NOTHING : html`<span class="more">${comment}</span>`}`,
    moment(at, texts),
  ]);
  const head = [activity.action, activity.who, activity.when];
  return table({ caption: activity.history, isCaptionHidden: true, head, rows });
}

/** One form, three buttons: the address of each names its decision. */
function decision(view: ActivityDetailView, { texts, rootPath, person }: SiteView): Html {
  const { activity } = texts;
  const { may, sent, problem } = view;
  if (person === null || !(may.approve || may.throwOut || may.cancel)) return NOTHING;
  const here = `${rootPath}/workflow/activity/detail/${view.id}`;
  const wrong = problem === null ? null : problemOf(view, problem, texts);
  const errorAt = (field: string): string | null => (wrong?.field === field ? wrong.text : null);
  const index = {
    id: "index",
    label: activity.indexLabel,
    hint: `${activity.indexNeeded} ${activity.indexHint}`,
    error: errorAt("index"),
    value: sent.index,
    control: { inputmode: "numeric", maxlength: 16 },
  };
  const comment = { id: "comment", label: activity.commentLabel, error: errorAt("comment"), value: sent.comment };
  const cancel = {
    label: activity.cancel,
    kind: "danger",
    formaction: `${here}/cancel`,
    describedBy: "cancel-hint",
  } as const;
  const buttons = [
    ...(may.approve ? [button({ label: activity.approve, formaction: `${here}/approve` })] : []),
    ...(may.throwOut ? [button({ label: activity.throwOut, kind: "quiet", formaction: `${here}/throw-out` })] : []),
    ...(may.cancel ? [button(cancel)] : []),
  ];
  return html`${sectionHeading(activity.decide)}<form method="post" id="${FORM_ID}" action="${here}/cancel">${csrfField(person.csrf)}
${may.approve && view.needsIndex ? textField(index, texts) : NOTHING}${textArea({ ...comment, rows: 3, control: { maxlength: COMMENT_MAX } }, texts)}${buttonRow(buttons)}
${may.cancel ? html`<p class="hint" id="cancel-hint">${activity.cancelHint}</p>` : NOTHING}
</form>`;
}
