// `arkstone request`: records that wait for communities, and people who are invited to them (R37): nobody waits unseen.
import { sentRecord } from "../../../model/input/record-refusals.ts";
import { REQUEST_STATUSES, type RequestAction } from "../../../model/rights/request-rules.ts";
import { OPTIONAL_COMMENT } from "../../../repository/requests/comment-body.ts";
import { REQUEST_QUERY } from "../../../repository/requests/request-lists.ts";
import { TIMELINE_QUERY } from "../../../repository/requests/timeline.ts";
import { htmlToText } from "../../../shared/html/html-text.ts";
import { jsonText } from "../../process/terminal.ts";
import { requestsOf } from "../../repository/request-core.ts";
import { showRows } from "../ark/registry-output.ts";
import { type Command, command } from "../command.ts";
import { numberOption, showRecord } from "./records.ts";
import { OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";

const LIST_DEFAULT = 50;
const LIST_MAX = 1_000;

type RequestOutput = Awaited<ReturnType<ReturnType<typeof requestsOf>["read"]>>;

/** What a row of a list, and the head of one request, tell. */
async function rowOf({ store }: RepositoryServices, request: RequestOutput) {
  const stored = await store.requests.request(request.id);
  const community = stored === null ? null : await store.communities.community(stored.community);
  return {
    id: request.id,
    type: request.type,
    status: request.status,
    item: stored?.item ?? null,
    community: community?.slug ?? "",
    title: request.title,
    created_at: request.created,
    updated_at: request.updated,
  };
}

const list = command({
  name: "request list",
  summary: "List requests: those that wait for somebody, or others",
  options: {
    status: { type: "string", value: "STATUS", help: `${REQUEST_STATUSES.join(", ")} (default submitted), or all` },
    query: { type: "string", value: "TEXT", help: "Search query, such as type:community-inclusion" },
    limit: { type: "string", value: "N", help: `At most N (default ${LIST_DEFAULT}, up to ${LIST_MAX})` },
  },
  examples: ["arkstone request list", "arkstone request list --status declined"],
  run: (context, given) => {
    const size = String(numberOption("limit", given.limit ?? String(LIST_DEFAULT)));
    const status = given.status ?? "submitted";
    const asked = { size, q: given.query ?? "", ...(status === "all" ? {} : { status }) };
    return withRepository(context, async (services) => {
      const { hits } = await requestsOf(services).list(OPERATOR, () => REQUEST_QUERY.read(new URLSearchParams(asked)));
      const rows = await Promise.all(hits.hits.map((each) => rowOf(services, each)));
      const columns = ["id", "type", "status", "item", "community", "updated_at", "title"] as const;
      showRows(context, rows, columns, "Nothing waits");
      if (hits.total > rows.length) context.err(`${hits.total} requests in all\n`);
    });
  },
});

const show = command({
  name: "request show",
  summary: "Show a request with its events and comments",
  words: ["ID"],
  examples: ["arkstone request show 0c3b8b0e-6a51-4c2e-9b58-5a8a6d5a0001"],
  run: (context, _given, [id = ""]) =>
    withRepository(context, async (services) => {
      const requests = requestsOf(services);
      const row = await rowOf(services, await requests.read(OPERATOR, id));
      const size = new URLSearchParams({ size: String(LIST_MAX) });
      const { hits } = await requests.timeline(OPERATOR, id, () => TIMELINE_QUERY.read(size));
      const timeline = hits.hits.map(({ created, created_by, payload }) => ({
        at: created,
        by: created_by.user,
        ...(payload.event === undefined ? {} : { event: payload.event }),
        ...(payload.content === undefined ? {} : { text: htmlToText(payload.content) }),
      }));
      if (context.json) return showRecord(context, { ...row, timeline });
      showRecord(context, row);
      for (const { at, by, event, text } of timeline) {
        context.out(`${at}  ${event ?? "comment"} by ${by}${text === undefined ? "" : `: ${text}`}\n`);
      }
    }),
});

/** One decision at the operator's word. */
function decision(action: RequestAction, summary: string, done: string): Command {
  return command({
    name: `request ${action}`,
    summary,
    words: ["ID"],
    options: { comment: { type: "string", value: "TEXT", help: "A comment to the person who made the request" } },
    examples: [`arkstone request ${action} 0c3b8b0e-6a51-4c2e-9b58-5a8a6d5a0001`],
    run: (context, given, [id = ""]) =>
      withRepository(context, async (services) => {
        const requests = requestsOf(services);
        const body = given.comment === undefined ? null : { payload: { content: given.comment } };
        await requests.decide(OPERATOR, id, action, sentRecord(OPTIONAL_COMMENT, body));
        const row = await rowOf(services, await requests.read(OPERATOR, id));
        const item = row.item === null ? "" : ` (item ${row.item})`;
        context.out(context.json ? jsonText(row) : `${id}${item} is ${done}.\n`);
      }),
  });
}

export const requestCommands: readonly Command[] = [
  list,
  show,
  decision("accept", "Accept: the record is published, or taken into the community", "accepted"),
  decision("decline", "Decline; a draft goes back to its owner", "declined"),
  decision("expire", "End what nobody decided about", "expired"),
];
