// Completion while typing over HTTP (R27j; OpenSearch Suggestions 1.0): for everybody, each sees what they may see.
import { type Static, Type } from "@sinclair/typebox";
import { SUGGESTIONS } from "../../../src/formats/opensearch/description.ts";
import type { QueryReader } from "../../../src/model/input/list-parameters.ts";
import { type Completion, SUGGESTION_KINDS, type Suggestion } from "../../../src/repository/search/query/completion.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { answerWith } from "../../http/answer.ts";
import { type EndpointGuard, type EndpointInput, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { plainGroup } from "../error-groups.ts";

export const SUGGESTIONS_PATH = "/api/opensearch/suggestions";

/** How many suggestions. */
const SIZE = { least: 1, most: 50, usual: 10 } as const;

const GROUP = plainGroup({
  name: "suggestions",
  tag: "OpenSearch",
  prefix: "",
  access: "guests",
  scopes: ["item:read"],
  pathParameters: {},
});

type SuggestionQuery = { readonly text: string; readonly size: number };

export const SUGGESTION_QUERY: QueryReader<SuggestionQuery> = {
  parameters: [
    { name: "q", description: "What was typed so far: its last word is the beginning of one", schema: Type.String() },
    {
      name: "size",
      description: "Suggestions at most",
      schema: Type.Integer({ minimum: SIZE.least, maximum: SIZE.most, default: SIZE.usual }),
    },
  ],
  read(parameters) {
    const size = parameters.get("size") ?? `${SIZE.usual}`;
    if (!/^\d{1,2}$/.test(size) || Number(size) < SIZE.least || Number(size) > SIZE.most) {
      throw new Refusal("invalid", `size must be a whole number from ${SIZE.least} to ${SIZE.most}`);
    }
    return { text: parameters.get("q") ?? "", size: Number(size) };
  },
};

const SuggestionShape = Type.Object(
  {
    kind: Type.Unsafe<Suggestion["kind"]>({
      type: "string",
      enum: [...SUGGESTION_KINDS],
      description: "What it is: the title of an item, a creator of items, a subject",
    }),
    text: Type.String(),
    url: Type.String({
      format: "uri-reference",
      description: "The page of the item, or of the search for the person or subject",
    }),
  },
  { $id: "Suggestion" },
);
export const SuggestionsShape = Type.Object(
  { query: Type.String(), suggestions: Type.Array(SuggestionShape) },
  { $id: "Suggestions" },
);
const OpenSearchSuggestionsShape = Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), {
  $id: "OpenSearchSuggestions",
  minItems: 4,
  maxItems: 4,
  description: "What was typed; texts; their kinds; their pages",
});

/** `base`: before the paths of pages. */
export const suggestionsIn = (
  query: string,
  all: readonly Suggestion[],
  base: string,
): Static<typeof SuggestionsShape> => ({
  query,
  suggestions: all.map(({ kind, text, path }) => ({ kind, text, url: base + path })),
});

type Services = { readonly completion: Completion; readonly baseUrl: string };

const { get } = endpointsOf<Services>();

const suggested = async (
  { completion, baseUrl }: Services,
  { viewer, request, query }: Pick<EndpointInput<string, SuggestionQuery, never>, "viewer" | "request" | "query">,
): Promise<Static<typeof SuggestionsShape>> => {
  const { text, size } = query();
  const language = wantedLanguage(request.headers.get("accept-language"), "en");
  return suggestionsIn(text, await completion.suggest(viewer, text, size, language), baseUrl);
};

const ENDPOINTS = [
  get("/api/suggestions", {
    id: "suggest",
    summary: "Complete what is being typed",
    description:
      "Titles, people and subjects of items that the caller may read. Every word typed is a word of each of them, the last one the beginning of a word; what begins so comes first.",
    query: SUGGESTION_QUERY,
    answer: { status: 200, description: "Suggestions, those of a kind together", schema: SuggestionsShape },
    run: (services, asked) => suggested(services, asked),
  }),
  get(SUGGESTIONS_PATH, {
    id: "openSearchSuggestions",
    summary: "Complete what is being typed, as browsers ask for it",
    description: "The same suggestions in the form of OpenSearch Suggestions 1.0.",
    query: SUGGESTION_QUERY,
    answer: {
      status: 200,
      description: "The text, and for each suggestion its text, its kind and its page",
      schema: OpenSearchSuggestionsShape,
      mediaType: SUGGESTIONS,
    },
    async run(services, asked) {
      const { query, suggestions: all } = await suggested(services, asked);
      const lists = [all.map(({ text }) => text), all.map(({ kind }) => kind), all.map(({ url }) => url)];
      const headers = new Headers({
        "content-type": SUGGESTIONS,
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
      });
      return answerWith(asked.request, JSON.stringify([query, ...lists]), { status: 200, headers });
    },
  }),
];

export const suggestionRoutes = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, ENDPOINTS, services, guard);
