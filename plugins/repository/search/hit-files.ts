// Hits of item search as a file for reference managers and spreadsheets (issue 26; R9, R38): the same hits in the same
// order as the search with these parameters.
import { Type } from "@sinclair/typebox";
import type { QueryReader } from "../../../src/model/input/list-parameters.ts";
import {
  EXPORTED_MOST,
  HIT_FORMATS,
  type HitExport,
  type HitFormat,
  hitFileHeaders,
  hitFormat,
} from "../../../src/repository/search/detail/hit-export.ts";
import type { Finder } from "../../../src/repository/search/query/finder.ts";
import type { Parameters } from "../../../src/repository/search/query/parameters.ts";
import type { RecordSearch } from "../../../src/repository/search/query/record-search.ts";
import { wordOf } from "../../../src/shared/shapes.ts";
import { answerInPieces } from "../../http/answer.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { FILTER_QUERY, itemGroup } from "./search-parameters.ts";

const HITS_AT_ONCE = 500;

const QUERY: QueryReader<{ readonly format: HitFormat; readonly parameters: Parameters }> = {
  parameters: [
    { name: "format", description: "Of the file; csv where none is named", schema: wordOf(HIT_FORMATS) },
    ...FILTER_QUERY.parameters,
  ],
  read: (parameters) => ({
    format: hitFormat(parameters.get("format") ?? "csv"),
    parameters: FILTER_QUERY.read(parameters),
  }),
};

type Services = Pick<RecordSearch, "question"> & {
  readonly finder: Pick<Finder, "each">;
  readonly hitExport: HitExport;
};

const { get } = endpointsOf<Services>();

const ENDPOINTS = [
  get("/records/export", {
    id: "exportHits",
    summary: "Hits of a search as RIS, BibTeX, CSL-JSON or CSV",
    description: `The first ${EXPORTED_MOST.toLocaleString("en")} hits in the order of the search, streamed.`,
    query: QUERY,
    answer: {
      status: 200,
      description: "The file",
      schema: Type.String(),
      mediaType: "text/csv",
      otherMedia: [
        "application/x-research-info-systems",
        "application/x-bibtex",
        "application/vnd.citationstyles.csl+json",
      ],
    },
    async run({ question, finder, hitExport }, { viewer, request, query }) {
      const { format, parameters } = query();
      const pages = finder.each(viewer, await question(viewer, parameters), HITS_AT_ONCE);
      return await answerInPieces(request, hitExport(pages, format), hitFileHeaders(format));
    },
  }),
];

type Needs = Services & { readonly guard: EndpointGuard };

export const hitFiles = ({ guard, ...services }: Needs) =>
  mountEndpoints(itemGroup("hit-files"), ENDPOINTS, services, guard);
