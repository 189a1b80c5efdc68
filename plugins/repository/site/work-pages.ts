// The page of personal work (R44).
import type { Viewer } from "../../../src/auth/account.ts";
import type { ItemSummary } from "../../../src/model/items/summary.ts";
import { EMPTY_METADATA, mainTitle } from "../../../src/model/metadata/metadata.ts";
import { may } from "../../../src/model/rights/policy.ts";
import {
  WORK_FILTERS,
  WORK_SORTS,
  WORK_TABS,
  type WorkView,
  workPage,
} from "../../../src/repository/pages/templates/work-page.ts";
import { LIST_QUERIES, type RecordLists } from "../../../src/repository/record-lists/record-lists.ts";
import { toolStatus } from "../../../src/repository/records/record-json.ts";
import type { Transferring } from "../../../src/repository/records/transferring.ts";
import type { AccessRequests } from "../../../src/repository/requests/access-requests.ts";
import { REQUEST_QUERY } from "../../../src/repository/requests/request-lists.ts";
import type { Requests } from "../../../src/repository/requests/requests.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import { most } from "../../../src/shared/limits.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, pageNumber, redirectTo } from "./answers.ts";
import { manageView } from "./manage-pages.ts";
import type { TasksOf } from "./next-task.ts";
import { mountPages, SIGN_IN, UNKEPT } from "./page-routes.ts";
import { shownTitle } from "./views.ts";

export type WorkPagesNeeds = PageNeeds & {
  readonly requests: Pick<Requests, "listOwn">;
  readonly lists: Pick<RecordLists, "search">;
  /** Withdrawn items of the viewer, newest first, before this one. */
  readonly withdrawn: (viewer: Viewer, before: ItemId | null, limit: number) => Promise<readonly ItemSummary[]>;
  readonly tasksOf: TasksOf;
  /** Communities that the viewer may ask to join. */
  readonly joinable: (viewer: Viewer) => Promise<WorkView["joinable"]>;
  readonly transferring: Pick<Transferring, "openTransfers">;
  readonly access: Pick<AccessRequests, "own" | "waiting">;
  readonly now: () => Instant;
};

const ME = "/me";
const RECORDS_A_PAGE = 25;
/** As many as are decided at once. */
const TASKS_A_PAGE = most("tasksAtOnce");
const REQUESTS_SHOWN = 100;
const PAGES_MOST = 400;
const DAY_MS = 86_400_000;
const text = { type: "string" } as const;

const { get } = routesOf<WorkPagesNeeds>();

const ROUTES = [
  get(ME, {
    id: "workPage",
    summary: "What waits for the person, their records and their requests",
    scopes: "session",
    parameters: [
      queryParameter("tab", WORK_TABS.join(", "), text),
      queryParameter("after", "Of tasks: where the page before ended", text),
      queryParameter("all", "Of tasks: every box is ticked", text),
      queryParameter("q", "Words in the person's own records", text),
      queryParameter("state", "Published records only (true), or the others (false)", text),
      queryParameter("sort", WORK_SORTS.join(", "), text),
      queryParameter("page", "Page of the list, from 1", { type: "integer" }),
      queryParameter("before", "Withdrawn items below this number", { type: "integer" }),
    ],
    answers: { ...UNKEPT, ...SIGN_IN },
    run: work,
  }),
];

export const workPages = (needs: WorkPagesNeeds) => mountPages("work-pages", ROUTES, needs, null);

/** The word of a fixed list that was sent, or the first of them. */
const oneOf = <Word extends string>(words: readonly [Word, ...Word[]], sent: string | null): Word =>
  words.find((word) => word === sent) ?? words[0];

async function work(needs: WorkPagesNeeds, request: Request): Promise<Response> {
  const { site, signedIn, viewer } = await openPage(needs, request, "account");
  if (signedIn === null) return redirectTo(site.rootPath, signInPath(ME));
  const url = new URL(request.url);
  const after = url.searchParams.get("after");
  const { tasks, total, next } = await needs.tasksOf(viewer, { limit: TASKS_A_PAGE, after });
  const now = Date.parse(needs.now());
  const asked = url.searchParams.get("tab");
  const offers = await needs.transferring.openTransfers(viewer);
  const waiting = await needs.access.waiting(viewer);
  const hasTasks = total + offers.length + waiting.length > 0;
  const tab = asked === null && !hasTasks ? "records" : oneOf(WORK_TABS, asked);
  const view: WorkView = {
    tab,
    tasks: {
      lines: tasks.map((task) => ({ ...task, days: Math.max(0, Math.floor((now - Date.parse(task.since)) / DAY_MS)) })),
      ...{ total, next, isFirst: after === null, after, areAllChosen: url.searchParams.has("all") },
      own: viewer.account?.id ?? null,
    },
    waiting: total + waiting.length + offers.filter(({ transfer }) => transfer.receiver === viewer.account?.id).length,
    transfers: offers.map(({ transfer: { id, title, receiver, createdAt: since } }) => ({
      ...{ id, title, since, isForMe: receiver === viewer.account?.id },
    })),
    access: (tab === "requests" ? await needs.access.own(viewer) : waiting).map(({ request }) => ({
      ...{ id: request.id, title: request.title, status: request.status, since: request.createdAt },
    })),
    records: tab === "records" ? await recordsOf(needs, viewer, url, site.texts.tag) : null,
    withdrawn: tab === "withdrawn" ? await withdrawnOf(needs, viewer, url, site.texts.tag) : null,
    requests: tab === "requests" ? await requestsOf(needs, viewer) : null,
    joinable: tab === "requests" ? await needs.joinable(viewer) : [],
  };
  return await htmlAnswer(request, site, workPage(view, site), { cacheable: false });
}

async function recordsOf({ lists }: WorkPagesNeeds, viewer: Viewer, url: URL, tag: string) {
  const { searchParams } = url;
  const q = (searchParams.get("q") ?? "").trim();
  const sort = oneOf(WORK_SORTS, searchParams.get("sort"));
  const filter = oneOf(WORK_FILTERS, searchParams.get("state"));
  const page = Math.min(pageNumber(url), PAGES_MOST);
  const sent = new URLSearchParams({ size: String(RECORDS_A_PAGE), page: String(page), sort });
  if (q !== "") sent.set("q", q);
  if (filter !== "") sent.set("is_published", filter);
  const found = await lists.search(viewer, { kind: "own" }, LIST_QUERIES.own.read(sent), "without facets");
  const lines: NonNullable<WorkView["records"]>["lines"][number][] = [];
  for await (const { item, parent, content, draft, review } of found.views<never>(() => null, false)) {
    lines.push({
      id: item.id,
      title: mainTitle(content.metadata) === "" ? null : shownTitle(content.metadata, tag),
      status: toolStatus(item, review?.state ?? null),
      changedAt: draft?.savedAt ?? item.updatedAt,
      manage: manageView(viewer, item, parent),
    });
  }
  const pages = Math.min(PAGES_MOST, Math.ceil(found.total / RECORDS_A_PAGE));
  return { lines, total: found.total, page, pages, q, sort, filter };
}

async function withdrawnOf({ withdrawn }: WorkPagesNeeds, viewer: Viewer, { searchParams }: URL, tag: string) {
  const before = searchParams.get("before") ?? "";
  const found = await withdrawn(viewer, /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null, RECORDS_A_PAGE + 1);
  const lines = found.slice(0, RECORDS_A_PAGE).map(({ id, content, updatedAt }) => ({
    id,
    title: content === null ? null : shownTitle({ ...EMPTY_METADATA, ...content.metadata }, tag),
    changedAt: updatedAt,
  }));
  const isAdmin = may(viewer, "item.restore", null);
  return { lines, next: found.length > RECORDS_A_PAGE ? (lines.at(-1)?.id ?? null) : null, mayRestore: isAdmin };
}

async function requestsOf({ requests }: WorkPagesNeeds, viewer: Viewer) {
  const own = `user:${viewer.account?.id ?? 0}`;
  const sent = new URLSearchParams({ size: String(REQUESTS_SHOWN), sort: "newestactivity", created_by: own });
  const query = REQUEST_QUERY.read(sent);
  const { hits } = await requests.listOwn(viewer, () => query);
  return hits.hits.map(({ id, title, type, status, updated }) => ({
    id,
    title,
    kind: type,
    status,
    changedAt: updated,
  }));
}
