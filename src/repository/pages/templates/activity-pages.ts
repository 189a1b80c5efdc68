// Pages of workflow activities (R16): what waits for whom, and one activity with its history and the buttons of a
// decision.
import { csrfField } from "../../../pages/components/buttons.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { ItemId } from "../../../shared/ids.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import { type FilesView, filesSection } from "./files.ts";
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
  }[];
  /** What is wrong with the decision that was sent, in English. */
  readonly problem: string | null;
  readonly sent: { readonly comment: string; readonly index: string };
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
};

const CONDITIONS = ["todo", "wait", "all"] as const;

export function activityListPage(view: ActivityListView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { activity } = texts;
  const here = `${rootPath}/workflow/activities`;
  const tabs = CONDITIONS.map(
    (condition) =>
      html`<li><a href="${here}?status=${condition}"${condition === view.condition ? html` aria-current="page"` : NOTHING}>${activity.conditions[condition]}</a></li>`,
  );
  const turn = (page: number): string => `${here}?status=${view.condition}&page=${page}`;
  return sitePage(site, {
    title: activity.heading,
    noindex: true,
    body: html`<h1>${activity.heading}</h1>
<nav aria-label="${activity.heading}"><ul class="tabs">${tabs}</ul></nav>
${view.lines.length === 0 ? html`<p>${activity.none}</p>` : html`<ul class="items">${view.lines.map((line) => lineOf(line, site))}</ul>`}
${
  view.pages < 2
    ? NOTHING
    : html`<p class="links">${view.page > 1 ? html`<a href="${turn(view.page - 1)}" rel="prev">${activity.earlier}</a>` : NOTHING}<span>${activity.page(
        view.page,
        view.pages,
      )}</span>${view.page < view.pages ? html`<a href="${turn(view.page + 1)}" rel="next">${activity.later}</a>` : NOTHING}</p>`
}`,
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
  ].filter((fact) => fact !== "");
  return html`<li><a class="what" href="${rootPath}/workflow/activity/detail/${line.id}">${line.title === "" ? texts.site.untitled : line.title}</a>
<p>${facts.join(" · ")}</p><p>${moment(line.updatedAt, texts)}</p></li>\n`;
}

export function activityPage(view: ActivityDetailView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { activity } = texts;
  const title = view.title === "" ? texts.site.untitled : view.title;
  const warn = view.state === "F" ? "" : view.state === "C" || view.state === "E" ? " gone" : " warn";
  const fact = (label: string, value: Html | string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`;
  return sitePage(site, {
    title: `${view.id} · ${title}`,
    noindex: true,
    switchable: view.problem === null,
    body: html`<nav aria-label="${texts.index.trail}"><ol class="trail"><li><a href="${rootPath}/workflow/activities">${activity.heading}</a></li></ol></nav>
<p class="facts"><span class="badge${warn}">${activity.states[view.state] ?? view.state}</span><span>${activity.kinds[view.kind] ?? view.kind}</span><span>${view.id}</span></p>
<h1>${title}</h1>
${view.isThrownOut ? html`<p class="note warn">${activity.thrownOut}</p>` : NOTHING}
${view.note === "" || view.isThrownOut || view.needsIndex ? NOTHING : html`<p class="note warn" lang="en">${view.note}</p>`}
<h2>${activity.number}</h2>
<dl>
${fact(activity.action, nameIn(view.action, texts.tag))}${fact(activity.workflow, nameIn(view.workflow, texts.tag))}${fact(
  activity.depositor,
  view.depositor,
)}${
  view.itemId === null
    ? NOTHING
    : fact(activity.item, html`<a href="${rootPath}/records/${view.itemId}">${view.itemId}</a>`)
}${fact(activity.begun, moment(view.createdAt, texts))}${fact(activity.changed, moment(view.updatedAt, texts))}</dl>
${view.proposal === null ? NOTHING : proposal(view.proposal, site)}
${decision(view, site)}
<h2>${activity.history}</h2>
${history(view, site)}`,
  });
}

/** What is to be decided about, as on its landing page. */
function proposal({ title, rows, own, files, valuesAt }: ProposalView, { texts }: SiteView): Html {
  const heading = title.text === "" ? texts.site.untitled : title.text;
  return html`<h2>${texts.activity.proposal}</h2>
<p class="what"${langOf(title.lang, texts)}>${heading}</p>
<dl>
${metadataRows(rows, texts, valuesAt)}${ownRows(own, texts)}</dl>
<h2>${texts.record.files}</h2>
${filesSection(files, texts)}`;
}

function history({ steps }: ActivityDetailView, { texts }: SiteView): Html {
  const { activity } = texts;
  const rows = steps.map(
    ({ action, state, who, comment, at }) =>
      html`<tr><td>${nameIn(action, texts.tag)}<span class="soft">${activity.stepStates[state] ?? state}</span></td><td class="wrap">${who}${
        comment === "" ? NOTHING : html`<span class="soft comment">${comment}</span>`
      }</td><td>${moment(at, texts)}</td></tr>\n`,
  );
  return html`<table class="files"><thead><tr><th scope="col">${activity.action}</th><th scope="col">${activity.who}</th><th scope="col">${activity.when}</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}

/** One form, three buttons: the address of each names its decision. */
function decision(view: ActivityDetailView, { texts, rootPath, person }: SiteView): Html {
  const { activity } = texts;
  const { may } = view;
  if (person === null || !(may.approve || may.throwOut || may.cancel)) return NOTHING;
  const here = `${rootPath}/workflow/activity/detail/${view.id}`;
  const index =
    may.approve && view.needsIndex
      ? html`<div class="field"><label for="index">${activity.indexLabel}</label><input id="index" name="index" inputmode="numeric" maxlength="16" value="${view.sent.index}" aria-describedby="index-hint"><p class="hint" id="index-hint">${activity.indexNeeded} ${activity.indexHint}</p></div>`
      : NOTHING;
  return html`<h2>${activity.decide}</h2>
${view.problem === null ? NOTHING : html`<p class="note warn" role="alert" lang="en">${view.problem}</p>`}
<form method="post" action="${here}/cancel">${csrfField(person.csrf)}
${index}<div class="field"><label for="comment">${activity.commentLabel}</label><textarea id="comment" name="comment" rows="3" maxlength="2000">${view.sent.comment}</textarea></div>
<div class="buttons">${may.approve ? html`<button class="go" formaction="${here}/approve">${activity.approve}</button>` : NOTHING}${
    may.throwOut ? html`<button class="go quiet" formaction="${here}/throw-out">${activity.throwOut}</button>` : NOTHING
  }${may.cancel ? html`<button class="go danger" formaction="${here}/cancel" aria-describedby="cancel-hint">${activity.cancel}</button>` : NOTHING}</div>
${may.cancel ? html`<p class="hint" id="cancel-hint">${activity.cancelHint}</p>` : NOTHING}
</form>`;
}
