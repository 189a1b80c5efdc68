// GET /api/statistics (R51): views and downloads by month, as programs read them.
import { Type } from "@sinclair/typebox";
import type { QueryReader } from "../../../src/model/input/list-parameters.ts";
import {
  FIGURE_KINDS,
  type FigureKind,
  type FigureReading,
  type Figures,
  type FiguresOf,
  type Period,
} from "../../../src/repository/figures/figures.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { MomentShape } from "../../../src/shared/shapes.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { plainGroup } from "../error-groups.ts";

const GROUP = plainGroup({
  name: "statistics",
  tag: "Records",
  prefix: "",
  access: "guests",
  scopes: ["item:read"],
  pathParameters: {},
});

const Count = Type.Integer({ minimum: 0 });
const COUNTS = { views: Count, downloads: Count, data_volume: Count };
const FiguresShape = Type.Object(
  {
    of: Type.Unsafe<FigureKind>({ type: "string", enum: [...FIGURE_KINDS] }),
    id: Type.String(),
    from: Type.String(),
    to: Type.String(),
    counted_until: MomentShape,
    total: Type.Object(COUNTS),
    months: Type.Array(Type.Object({ month: Type.String(), ...COUNTS })),
    files: Type.Array(Type.Object({ name: Type.String(), ...COUNTS })),
    countries: Type.Array(Type.Object({ name: Type.String(), ...COUNTS })),
  },
  { $id: "Figures" },
);

const text = (name: string, description: string) => ({ name, description, schema: Type.String() });
const QUERY: QueryReader<{ readonly of: FiguresOf; readonly period: Period }> = {
  parameters: [
    {
      name: "of",
      description: "Of what",
      schema: Type.Unsafe<FigureKind>({ type: "string", enum: [...FIGURE_KINDS] }),
    },
    text("id", "Its number; of a community its UUID or slug"),
    text("file", "Name of a file of the version"),
    text("from", "First month, YYYY-MM; twelve months where it is absent"),
    text("to", "Last month, YYYY-MM"),
  ],
  read(parameters) {
    const value = (name: string): string => parameters.get(name)?.toWellFormed().trim() ?? "";
    const asked = value("of") || "repository";
    const kind = FIGURE_KINDS.find((each) => each === asked);
    if (kind === undefined) {
      throw new Refusal("invalid", `of must be one of ${FIGURE_KINDS.join(", ")}, not "${asked.slice(0, 50)}"`);
    }
    return {
      of: { kind, id: value("id"), file: value("file") },
      period: { from: value("from"), to: value("to") },
    };
  },
};

type Services = { readonly figures: FigureReading };
const { get } = endpointsOf<Services>();

const ENDPOINTS = [
  get("/api/statistics", {
    id: "readFigures",
    summary: "Views and downloads by month",
    description: "Of what the caller may see. The months add up to the total.",
    query: QUERY,
    answer: { status: 200, description: "The figures", schema: FiguresShape },
    refuses: [403, 404, 410],
    async run({ figures }, { viewer, query }) {
      const { of, period } = query();
      return figuresJson(of.kind, await figures.read(viewer, of, period));
    },
  }),
];

const countsOf = ({ views, downloads, dataVolume }: Figures["total"]) => ({
  views,
  downloads,
  data_volume: dataVolume,
});

const figuresJson = (of: FigureKind, figures: Figures) => ({
  of,
  id: figures.ref,
  from: figures.from,
  to: figures.to,
  counted_until: figures.countedUntil,
  total: countsOf(figures.total),
  months: figures.months.map((each) => ({ month: each.month, ...countsOf(each) })),
  files: figures.files.map((each) => ({ name: each.name, ...countsOf(each) })),
  countries: figures.countries.map((each) => ({ name: each.name, ...countsOf(each) })),
});

export const statisticsRoutes = ({ guard, figures }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, ENDPOINTS, { figures }, guard);
