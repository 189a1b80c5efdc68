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

/** Those whose suggestions are a text, not an element of the metadata with several members. */
export const TEXT_SOURCES = ["languages", "indexes", "communities"] as const satisfies readonly SuggestionSource[];
export type TextSource = (typeof TEXT_SOURCES)[number];
