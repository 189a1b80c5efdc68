// Where suggestions for fields of a form come from (R42, P.140).

export const SUGGESTION_SOURCES = [
  "people",
  "affiliations",
  "funders",
  "awards",
  "subjects",
  "licenses",
  "languages",
  "journals",
  "indexes",
  "communities",
] as const;
export type SuggestionSource = (typeof SUGGESTION_SOURCES)[number];
