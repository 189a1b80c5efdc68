// Endpoints that read: query, list, history, stats, export, each narrowed to the caller's reach (specification 1,
// "Query"; A15, A17, A19).
import { Elysia, t } from "elysia";
import { type ArkQueries, type ListFilter, PAGE_MAX } from "../../src/ark/ark-queries.ts";
import { ARK_MAX, BulkQueryIn } from "../../src/ark/inputs.ts";
import { textStream } from "../../src/shared/bytes/byte-streams.ts";
import type { Clock } from "../../src/shared/time/clock.ts";
import { answerInPieces, JSON_TYPE } from "../http/answer.ts";
import { arkDialect, errors } from "../http/errors.ts";
import { operation } from "./documentation.ts";
import { exported, exportFormat, historyText, listedText, queriedText } from "./export.ts";
import { closed, type Guard, ReadOnly, readOnlyField } from "./guard.ts";
import { ArkOut, ArkPageOut, BulkQueryOut, HistoryOut, LIVE_STATES, StatsOut } from "./schemas.ts";

const TAG = "Reading";
const LIMIT_DEFAULT = 100;
const JSON_ANSWER = { "content-type": JSON_TYPE };

const filterFields = {
  shoulder: t.Optional(t.String({ maxLength: 100, description: "Only names under this shoulder: b1, /b1, 99999/b1" })),
  state: t.Optional(
    // Not t.UnionEnum: that makes its first value the default.
    t.Union(
      LIVE_STATES.map((state) => t.Literal(state)),
      { description: "Only names in this state" },
    ),
  ),
  updated_since: t.Optional(
    t.String({ maxLength: 40, description: "Only names changed at or after this moment (RFC 3339)" }),
  ),
  text: t.Optional(
    t.String({
      maxLength: 500,
      description: "Only names with this in title or url; the case of ASCII letters is ignored",
    }),
  ),
};
const Filter = t.Object({ ...filterFields, ...readOnlyField }, closed);
const Page = t.Object(
  {
    ...filterFields,
    limit: t.Optional(t.Integer({ default: LIMIT_DEFAULT, description: `Names a page, 1 to ${PAGE_MAX}` })),
    after: t.Optional(t.String({ maxLength: ARK_MAX, description: "Names after this ARK: `next` of the page before" })),
    ...readOnlyField,
  },
  closed,
);
const OneArk = t.Object(
  {
    ark: t.String({ minLength: 1, maxLength: ARK_MAX, description: "An ARK, in any spelling" }),
    ...readOnlyField,
  },
  closed,
);

/** The filters of a request as the service takes them. */
function filterOf(query: {
  readonly shoulder?: string;
  readonly state?: ListFilter["state"];
  readonly updated_since?: string;
  readonly text?: string;
}): ListFilter {
  return { shoulder: query.shoulder, state: query.state, updatedSince: query.updated_since, text: query.text };
}

type ArkReadingNeeds = {
  readonly guard: Guard;
  readonly arkQueries: ArkQueries;
  readonly clock: Clock;
  /** Cells of a CSV export that a spreadsheet would take for a formula get an apostrophe. */
  readonly csvGuarded: boolean;
};

export const arkReadingRoutes = (needs: ArkReadingNeeds) =>
  new Elysia({ name: "ark-reading-routes" }).use(arkRecordRoutes(needs)).use(arkWholeRoutes(needs));

/** Records and their changes. */
const arkRecordRoutes = ({ guard, arkQueries, clock }: ArkReadingNeeds) =>
  new Elysia({ name: "ark-record-routes", prefix: "/api" })
    .use(errors(arkDialect))
    .post(
      "/query",
      async ({ body, query, request }) => {
        const parts = arkQueries.queryParts(guard.call(request, query.read_only), body.data);
        return await answerInPieces(request, queriedText(parts, clock.now()), JSON_ANSWER);
      },
      {
        ...guard.write(["ark:read"], BulkQueryIn),
        body: BulkQueryIn,
        query: ReadOnly,
        detail: operation({
          id: "query",
          tag: TAG,
          summary: "Look up many ARKs",
          description:
            "The records in the order sent, one for each name however it is spelled. Unknown, withdrawn and out-of-reach names are left " +
            "out. A string that is not an ARK is a 422 that names its index.",
          scopes: ["ark:read"],
          success: { 200: { description: "The records found", schema: BulkQueryOut } },
          errors: [1011],
          body: true,
        }),
      },
    )
    .get(
      "/arks",
      async ({ query, request }) => {
        const page = { after: query.after, limit: query.limit ?? LIMIT_DEFAULT };
        const parts = arkQueries.listParts(guard.call(request, query.read_only), filterOf(query), page);
        return await answerInPieces(request, listedText(parts, clock.now()), JSON_ANSWER);
      },
      {
        ...guard.read(["ark:read"]),
        query: Page,
        detail: operation({
          id: "listArks",
          tag: TAG,
          summary: "List the ARKs within reach",
          description:
            "Paged by key: send `next` of one page as `after` of the next; null is the end. Withdrawn names are left out.",
          scopes: ["ark:read"],
          success: { 200: { description: "One page", schema: ArkPageOut } },
          errors: [1001, 1004],
          body: false,
        }),
      },
    )
    .get(
      "/history",
      async ({ query, request }) => {
        const history = await arkQueries.history(guard.call(request, query.read_only), query.ark);
        return await answerInPieces(request, historyText(history), JSON_ANSWER);
      },
      {
        ...guard.read(["ark:read"]),
        query: OneArk,
        detail: operation({
          id: "history",
          tag: TAG,
          summary: "Every change of one ARK",
          description: "Oldest first, also after the name was deleted or purged.",
          scopes: ["ark:read"],
          success: { 200: { description: "The changes", schema: HistoryOut } },
          errors: [1001, 1004, 1401],
          body: false,
        }),
      },
    );

/** Everything within reach: counts and the export. */
const arkWholeRoutes = ({ guard, arkQueries, clock, csvGuarded }: ArkReadingNeeds) =>
  new Elysia({ name: "ark-whole-routes", prefix: "/api" })
    .use(errors(arkDialect))
    .get("/stats", ({ query, request }) => arkQueries.stats(guard.call(request, query.read_only)), {
      ...guard.read(["ark:read"]),
      query: ReadOnly,
      detail: operation({
        id: "stats",
        tag: TAG,
        summary: "Counts over what is within reach",
        description:
          "Names by state, shoulders by status, names newly made in the last day, week and month, holds in force.",
        scopes: ["ark:read"],
        success: { 200: { description: "The counts", schema: StatsOut } },
        errors: [],
        body: false,
      }),
    })
    .get(
      "/export",
      async ({ query, request }) => {
        const pages = arkQueries.exportRows(guard.call(request, query.read_only), filterOf(query));
        const format = exportFormat(request.headers.get("accept"), csvGuarded);
        return new Response(await textStream(exported(pages, format, clock.now())), {
          headers: {
            "content-type": format.contentType,
            "content-disposition": `attachment; filename="${format.fileName}"`,
            "cache-control": "no-store",
            vary: "Accept",
          },
        });
      },
      {
        ...guard.read(["ark:read"]),
        query: Filter,
        detail: operation({
          id: "exportArks",
          tag: TAG,
          summary: "Every ARK within reach",
          description:
            "Streamed by key as NDJSON (the default) or, where `Accept` prefers `text/csv`, as CSV (RFC 4180, UTF-8, a header line). CSV " +
            "fields that a spreadsheet would take for a formula (they begin with `=`, `+`, `-`, `@`, tab or carriage return) get an apostrophe " +
            "in front, and one more where apostrophes are already there; the setting `SVC_CSV_GUARD=0` leaves them as stored. NDJSON is " +
            "always exactly what is stored.",
          scopes: ["ark:read"],
          success: {
            200: {
              description: "One record per row",
              schema: ArkOut,
              media: ["application/x-ndjson", "text/csv"],
              headers: ["Vary", "Content-Disposition"],
            },
          },
          errors: [],
          body: false,
        }),
      },
    );
