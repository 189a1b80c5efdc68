// GET /api/suggestions/{source} (R42, P.141): what may be filled in in a field of a deposit, by what somebody has begun
// to type.
import { Type } from "@sinclair/typebox";
import type { QueryReader } from "../../../src/model/input/list-parameters.ts";
import { SUGGESTION_SOURCES, type SuggestionSource } from "../../../src/model/item-types/suggestion-sources.ts";
import type { FieldSuggestions } from "../../../src/repository/suggestions/field-suggestions.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { plainGroup } from "../error-groups.ts";
import { SUGGESTION_QUERY } from "./suggestions.ts";

const GROUP = plainGroup({
  name: "field-suggestions",
  tag: "Vocabularies",
  prefix: "",
  access: "guests",
  scopes: ["item:read", "index:read", "user:activity"],
  pathParameters: { source: "A `kind` of suggestions" },
});

const FieldSuggestionsShape = Type.Object(
  {
    query: Type.String(),
    suggestions: Type.Array(
      Type.Object({
        kind: Type.Unsafe<SuggestionSource>({ type: "string", enum: [...SUGGESTION_SOURCES] }),
        id: Type.String(),
        text: Type.String(),
        hint: Type.String(),
      }),
    ),
  },
  { $id: "FieldSuggestions" },
);

const FIELD_QUERY: QueryReader<ReturnType<typeof SUGGESTION_QUERY.read> & { readonly isToDeposit: boolean }> = {
  parameters: [
    ...SUGGESTION_QUERY.parameters,
    {
      name: "deposit",
      description: "Those that take deposits of the caller",
      schema: Type.Literal("yes"),
    },
  ],
  read: (parameters) => ({ ...SUGGESTION_QUERY.read(parameters), isToDeposit: parameters.get("deposit") === "yes" }),
};

type Services = { readonly fields: FieldSuggestions };
const { get } = endpointsOf<Services>();

const ENDPOINTS = [
  get("/api/suggestions/:source", {
    id: "suggestForField",
    summary: "Suggest values of a field",
    description: "What begins so and the caller may see; people also by readings and ORCID iD.",
    query: FIELD_QUERY,
    answer: { status: 200, description: "The best first", schema: FieldSuggestionsShape },
    refuses: [404],
    async run({ fields }, { viewer, request, params, query }) {
      const { text, size, isToDeposit } = query();
      const source = SUGGESTION_SOURCES.find((each) => each === params.source);
      if (source === undefined) throw new Refusal("not_found", "There are no suggestions of this name");
      const language = wantedLanguage(request.headers.get("accept-language"), "en").split("-", 1)[0] ?? "en";
      return {
        query: text,
        suggestions: [...(await fields.find(source, text, size, { viewer, language, isToDeposit }))],
      };
    },
  }),
];

export const fieldSuggestionRoutes = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, ENDPOINTS, services, guard);
