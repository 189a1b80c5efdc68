// The page of personal work (R44): what waits for me, my records and drafts, my requests.

import { button, buttonRow, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { fieldRow, hiddenField, selectField, textField } from "../../../pages/components/fields.ts";
import { pagination, table, tabs } from "../../../pages/components/lists.ts";
import { badge, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import { type AccessLine, accessTable } from "./access-pages.ts";
import { titleOf } from "./decided.ts";
import { langOf, moment, type SiteView, sitePage } from "./layout.ts";
import { type ManageView, manageButtons } from "./manage-pages.ts";
import type { RequestView } from "./review-pages.ts";
import { type TaskListView, taskList } from "./task-list.ts";
import { type TransferLine, transferTable } from "./transfer-pages.ts";

export const WORK_TABS = ["tasks", "records", "withdrawn", "requests"] as const;
type WorkTab = (typeof WORK_TABS)[number];

/** Orders and filters of the records of the person, as the list of records knows them. */
export const WORK_SORTS = ["updated-desc", "newest", "oldest"] as const;
export const WORK_FILTERS = ["", "false", "true"] as const;

type WorkRecord = {
  readonly id: number;
  readonly title: { readonly text: string; readonly lang?: string } | null;
  readonly status: string;
  readonly changedAt: Instant;
  readonly manage: ManageView;
};

export type WorkView = {
  readonly tab: WorkTab;
  readonly tasks: TaskListView;
  /** All that waits for the person, as the head of the page counts it. */
  readonly waiting: number;
  /** Records that are offered to the person or by them. */
  readonly transfers: readonly TransferLine[];
  /** Requests for closed files: those that wait for the person, or on the tab of requests their own. */
  readonly access: readonly AccessLine[];
  /** Null unless the tab is that of records. */
  readonly records: {
    readonly lines: readonly WorkRecord[];
    readonly total: number;
    readonly page: number;
    readonly pages: number;
    readonly q: string;
    readonly sort: (typeof WORK_SORTS)[number];
    readonly filter: (typeof WORK_FILTERS)[number];
  } | null;
  /** Null unless the tab is that of withdrawn records. `next`: the last of the page, where there are more. */
  readonly withdrawn: {
    readonly lines: readonly Pick<WorkRecord, "id" | "title" | "changedAt">[];
    readonly next: number | null;
    readonly mayRestore: boolean;
  } | null;
  /** Communities that the person may ask to join; none unless the tab is that of requests. */
  readonly joinable: readonly { readonly slug: string; readonly title: string }[];
  /** Null unless the tab is that of requests. */
  readonly requests:
    | readonly (Pick<RequestView, "id" | "title" | "kind" | "status"> & { readonly changedAt: Instant })[]
    | null;
};

export function workPage(view: WorkView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { work } = texts;
  const links = WORK_TABS.map((tab) => ({
    label: work.count(work.tabs[tab], tab === "tasks" ? view.waiting : 0),
    href: `${rootPath}/me?tab=${tab}`,
    isHere: tab === view.tab,
  }));
  return sitePage(site, {
    title: work.heading,
    noindex: true,
    body: html`${pageHeading(work.heading)}${tabs(work.heading, links)}${partOf(view, site)}`,
  });
}

function partOf(
  { tab, tasks, transfers, access, records, withdrawn, requests, joinable }: WorkView,
  site: SiteView,
): Html {
  if (tab === "records" && records !== null) return recordsPart(records, site);
  if (tab === "withdrawn" && withdrawn !== null) return withdrawnPart(withdrawn, site);
  if (tab === "requests" && requests !== null)
    return html`${accessTable(access, true, site)}${requests.length === 0 && access.length > 0 ? NOTHING : requestsPart(requests, site)}${joinablePart(joinable, site)}`;
  const isEmpty = tasks.lines.length === 0 && transfers.length + access.length > 0;
  return html`${accessTable(access, false, site)}${transferTable(transfers, site)}${isEmpty ? NOTHING : taskList(tasks, site)}`;
}

function recordsPart(view: NonNullable<WorkView["records"]>, site: SiteView): Html {
  const { texts, rootPath } = site;
  const { work } = texts;
  const { q, sort, filter, lines, page, pages } = view;
  const here = `${rootPath}/me`;
  const form = html`<form method="get" action="${here}" role="search">${hiddenField("tab", "records")}
${fieldRow([
  textField({ id: "q", label: work.find, type: "search", value: q, control: { maxlength: 1000 } }, texts),
  selectField(
    {
      id: "state",
      label: work.state,
      value: filter,
      choices: WORK_FILTERS.map((value) => ({ value, label: work.filters[value] })),
    },
    texts,
  ),
  selectField(
    {
      id: "sort",
      label: work.sort,
      value: sort,
      choices: WORK_SORTS.map((value) => ({ value, label: work.sorts[value] })),
    },
    texts,
  ),
])}${buttonRow([button({ label: work.search })])}</form>
`;
  const address = (to: number): string =>
    `${here}?${new URLSearchParams({ tab: "records", ...(q === "" ? {} : { q }), ...(filter === "" ? {} : { state: filter }), sort, page: String(to) })}`;
  if (lines.length === 0) {
    const isAll = q === "" && filter === "";
    const clear = linkButton(work.clear, `${here}?tab=records`, "quiet");
    return html`${form}${state({ kind: "empty", text: isAll ? work.noRecords : work.nothingFound, actions: isAll ? [] : [clear] })}`;
  }
  const states: Readonly<Record<string, string>> = work.states;
  return html`${form}${table({
    caption: work.count(work.tabs.records, view.total),
    head: [work.title, work.state, work.changed, work.actions],
    rows: lines.map(({ id, title, status, changedAt, manage }) => [
      titleLink(id, title, site),
      badge(states[status.replace("_with_review", "")] ?? status, status === "published" ? "good" : "info"),
      moment(changedAt, texts),
      manageButtons(manage, site, true),
    ]),
  })}${pagination({ page, pages }, address, texts)}`;
}

const titleLink = (id: number, title: WorkRecord["title"], { texts, rootPath }: SiteView): Html =>
  html`<a href="${rootPath}/records/${id}"${title === null ? NOTHING : langOf(title.lang, texts)}>${title?.text || texts.site.untitled}</a>`;

function withdrawnPart({ lines, next, mayRestore }: NonNullable<WorkView["withdrawn"]>, site: SiteView): Html {
  const { texts, rootPath, person } = site;
  const { work, manage } = texts;
  if (lines.length === 0) return state({ kind: "empty", text: manage.noWithdrawn });
  const restore = (id: number): Html =>
    person === null || !mayRestore
      ? NOTHING
      : postButton({
          ...{ label: manage.restore, kind: "small", action: `${rootPath}/records/${id}/restore`, csrf: person.csrf },
          heard: `${manage.restore}${texts.site.colon}${id}`,
        });
  const rows = lines.map(({ id, title, changedAt }) => [
    titleLink(id, title, site),
    moment(changedAt, texts),
    restore(id),
  ]);
  const older = html`<p><a href="${rootPath}/me?tab=withdrawn&amp;before=${next ?? ""}">${texts.site.older}</a></p>`;
  return html`<p>${manage.withdrawnHint}</p>${table({
    caption: work.tabs.withdrawn,
    head: [work.title, work.changed, work.actions],
    rows,
  })}${next === null ? NOTHING : older}`;
}

/** Communities that the person may ask to join. */
function joinablePart(communities: WorkView["joinable"], { texts, rootPath }: SiteView): Html {
  if (communities.length === 0) return NOTHING;
  const links = communities.map(
    ({ slug, title }) => html`<li><a href="${rootPath}/communities/${slug}/join">${title}</a></li>`,
  );
  return html`${sectionHeading(texts.review.join.communities)}<ul>${links}</ul>`;
}

function requestsPart(requests: NonNullable<WorkView["requests"]>, { texts, rootPath }: SiteView): Html {
  const { work, review } = texts;
  if (requests.length === 0) return state({ kind: "empty", text: work.noRequests });
  return table({
    caption: work.tabs.requests,
    head: [work.title, review.type, work.state, work.changed],
    rows: requests.map(({ id, title, kind, status, changedAt }) => [
      html`<a href="${rootPath}/requests/${id}">${titleOf(title, texts)}</a>`,
      review.types[kind],
      badge(review.statuses[status], status === "accepted" ? "good" : "info"),
      moment(changedAt, texts),
    ]),
  });
}
