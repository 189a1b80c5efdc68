// Pages of figures (R51), each also as CSV: of the repository, a record with its versions and files, a person, a
// community, an index.
import { Type } from "@sinclair/typebox";
import type { FigureKind, FigureReading, Figures } from "../../../src/repository/figures/figures.ts";
import type { FigureSubject } from "../../../src/repository/pages/figure-subjects.ts";
import type { FigureView } from "../../../src/repository/pages/templates/figure-pages.ts";
import { figurePage } from "../../../src/repository/pages/templates/figure-pages.ts";
import { csvLine } from "../../../src/shared/text/csv.ts";
import { answerWith } from "../../http/answer.ts";
import { pathParameter, queryParameter, response } from "../../http/document-parts.ts";
import { type RouteAnswers, routesOf } from "../../http/routes.ts";
import { htmlAnswer, openPage, type PageNeeds } from "./answers.ts";
import { GONE, html, mountPages, NOT_FOUND, PAGE } from "./page-routes.ts";

export type FigurePagesNeeds = PageNeeds & {
  readonly figures: FigureReading;
  /** What they are of, by the `ref` of the figures, in a language. */
  readonly figureSubject: (kind: FigureKind, ref: string, tag: string) => Promise<FigureSubject>;
};

const { get } = routesOf<FigurePagesNeeds>();

const PERIOD = [
  queryParameter("from", "First month, YYYY-MM", { type: "string" }),
  queryParameter("to", "Last month, YYYY-MM", { type: "string" }),
  queryParameter("format", "`csv`: the numbers of each month", { type: "string" }),
];
const NUMBERS = response("The numbers of each month", Type.String(), {}, "text/csv");
const SHOWN: RouteAnswers = {
  ...PAGE,
  200: {
    ...html("The page, or the numbers of each month"),
    content: { ...html("").content, ...NUMBERS.content },
  },
  400: html("The period is invalid"),
};
const ANSWERS: RouteAnswers = { ...SHOWN, ...NOT_FOUND };

const ROUTES = [
  get("/statistics", {
    id: "repositoryFigures",
    summary: "Views and downloads of the repository by month",
    parameters: PERIOD,
    answers: SHOWN,
    run: (needs, request) => page(needs, request, "repository", ""),
  }),
  get("/records/:id/statistics", {
    id: "recordFigures",
    summary: "Views and downloads of a record by month: of all versions, of this one, of a file",
    parameters: [
      pathParameter("id", "Number of the record"),
      queryParameter("part", "`version`: this version alone", { type: "string" }),
      queryParameter("file", "Name of a file of this version", { type: "string" }),
      ...PERIOD,
    ],
    answers: { ...ANSWERS, ...GONE },
    run: (needs, request, { id }) => record(needs, request, id),
  }),
  get("/authors/:id/statistics", {
    id: "personFigures",
    summary: "Views and downloads of the items of a person by month",
    parameters: [pathParameter("id", "Number of the author"), ...PERIOD],
    answers: { ...ANSWERS, ...GONE },
    run: (needs, request, { id }) => page(needs, request, "person", id),
  }),
  get("/communities/:community/statistics", {
    id: "communityFigures",
    summary: "Views and downloads of the works of a community by month",
    parameters: [pathParameter("community", "UUID or slug of the community"), ...PERIOD],
    answers: { ...ANSWERS, ...GONE },
    run: (needs, request, { community }) => page(needs, request, "community", community),
  }),
  get("/index/:id/statistics", {
    id: "indexFigures",
    summary: "Views and downloads of the items of an index, and of those below it, by month",
    parameters: [pathParameter("id", "Number of the index"), ...PERIOD],
    answers: ANSWERS,
    run: (needs, request, { id }) => page(needs, request, "index", id),
  }),
];

export const figurePages = (needs: FigurePagesNeeds) => mountPages("figure-pages", ROUTES, needs);

async function record(needs: FigurePagesNeeds, request: Request, id: string): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const file = searchParams.get("file")?.toWellFormed() ?? "";
  const kind = file !== "" ? "file" : searchParams.get("part") === "version" ? "version" : "record";
  return await page(needs, request, kind, id, file);
}

async function page(
  needs: FigurePagesNeeds,
  request: Request,
  kind: FigureKind,
  id: string,
  file = "",
): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const { searchParams } = new URL(request.url);
  const period = { from: searchParams.get("from")?.trim() ?? "", to: searchParams.get("to")?.trim() ?? "" };
  const figures = await needs.figures.read(viewer, { kind, id, file }, period);
  if (searchParams.get("format") === "csv") return csv(request, figures);
  const subject = kind === "repository" ? null : await needs.figureSubject(kind, figures.ref, site.texts.tag);
  const here = `${site.rootPath}${subject?.path ?? ""}/statistics`;
  const kept: FigureView["kept"] = [
    ...(kind === "version" ? [["part", "version"] as const] : []),
    ...(file === "" ? [] : [["file", file] as const]),
  ];
  const query = new URLSearchParams([
    ...kept.map(([name, value]) => [name, value]),
    ["from", figures.from],
    ["to", figures.to],
    ["format", "csv"],
  ]);
  const isRecord = kind === "record" || kind === "version" || kind === "file";
  const view: FigureView = {
    figures,
    subject: subject === null ? null : { ...subject, href: `${site.rootPath}${subject.path}` },
    part: kind === "record" ? "all" : kind === "version" || kind === "file" ? kind : null,
    parts: isRecord
      ? [
          { part: "all", href: here },
          { part: "version", href: `${here}?part=version` },
        ]
      : [],
    file,
    fileAt: (name) => `${here}?${new URLSearchParams({ file: name })}`,
    here,
    kept,
    csv: `${here}?${query}`,
  };
  return await htmlAnswer(request, site, figurePage(view, site));
}

/** A line for each month, and the total. */
function csv(request: Request, { months, total }: Figures): Response {
  const lines = [
    ["month", "views", "downloads", "bytes"],
    ...months.map(({ month, views, downloads, dataVolume }) => [month, `${views}`, `${downloads}`, `${dataVolume}`]),
    ["total", `${total.views}`, `${total.downloads}`, `${total.dataVolume}`],
  ];
  return answerWith(request, lines.map((line) => csvLine(line)).join(""), {
    status: 200,
    headers: new Headers({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="figures.csv"',
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
    }),
  });
}
