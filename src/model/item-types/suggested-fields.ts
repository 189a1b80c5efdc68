// Which fields of a form have suggestions, and from which source (R42, P.140): one table for every item type. It names
// the places of the canonical metadata where the values of fields are stored, so that it holds for the shipped types by
// their places and for any other type by its own. A field with choices shows these instead.
import type { Agent, Container, Funding, Metadata, Org, Right, Subject } from "../metadata/metadata.ts";
import type { Field, ItemTypeDefinition } from "./definition.ts";
import { enteredGroups } from "./form-tree.ts";
import type { SuggestionSource } from "./suggestion-sources.ts";

/** The element of the metadata that each source describes. */
type SuggestedValues = {
  readonly people: Agent;
  readonly affiliations: Org;
  readonly funders: Org;
  readonly awards: Funding;
  readonly subjects: Subject;
  readonly licenses: Right;
  readonly languages: string;
  readonly journals: Container;
  readonly indexes: string;
  readonly communities: string;
};

/** The metadata with this element alone. `marker`: the word by which the place of the field chooses its element. */
type Put = (value: unknown, marker: string) => Partial<Metadata>;
type SuggestedPlace = {
  readonly source: SuggestionSource;
  /** The element that is filled in. */
  readonly element: string;
  /** Below the element: where somebody types. */
  readonly fields: readonly string[];
  readonly put: Put;
};

const place = <Source extends SuggestionSource>(
  source: Source,
  element: string,
  fields: readonly string[],
  put: (value: SuggestedValues[Source], marker: string) => Partial<Metadata>,
): SuggestedPlace =>
  // A field of this source is filled from values of this source only (form-filling.ts).
  ({ source, element, fields, put: put as Put });

const NOBODY: Agent = { kind: null, names: [], alternatives: [], ids: [], emails: [], affiliations: [] };
const AGENT = ["names.full", "names.shown", "names.family"];
const NAMED = ["names.value"];

const SUGGESTED_PLACES: readonly SuggestedPlace[] = [
  place("people", "creators", AGENT, (agent) => ({ creators: [agent] })),
  place("people", "contributors", AGENT, (agent) => ({ contributors: [agent] })),
  place("people", "rightsHolders", AGENT, (agent) => ({ rightsHolders: [agent] })),
  place("affiliations", "creators.affiliations", NAMED, (org) => ({ creators: [{ ...NOBODY, affiliations: [org] }] })),
  place("affiliations", "contributors.affiliations", NAMED, (org) => ({
    contributors: [{ ...NOBODY, affiliations: [org] }],
  })),
  place("affiliations", "degree.grantors", NAMED, (org) => ({ degree: { names: [], grantors: [org] } })),
  place("funders", "funding", ["funder.names.value"], (funder) => ({ funding: [{ funder }] })),
  place("awards", "funding", ["award.number", "award.titles.value"], (funding) => ({ funding: [funding] })),
  place("subjects", "subjects", ["text.value"], (subject) => ({ subjects: [subject] })),
  place("licenses", "rights", ["text.value", "id"], (right) => ({ rights: [right] })),
  place("languages", "languages", [""], (code) => ({ languages: [code] })),
  place("languages", "originalLanguages", [""], (code) => ({ originalLanguages: [code] })),
  place("journals", "containers", ["titles.value"], (journal, marker) => ({
    containers: [{ ...journal, place: marker === "grouped" ? "grouped" : "flat" }],
  })),
];

export type SuggestedField = {
  readonly source: SuggestionSource;
  /** The step on the way to the field whose row is filled in; null: the whole form, of which it has one part only. */
  readonly depth: number | null;
  /** Null: the suggestion is the text of the field. */
  readonly put: ((value: unknown) => Partial<Metadata>) | null;
};

const known = new WeakMap<ItemTypeDefinition, ReadonlyMap<Field, SuggestedField>>();

/** The fields of a form that have suggestions. */
export function suggestedFields(definition: ItemTypeDefinition): ReadonlyMap<Field, SuggestedField> {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const found = new Map<Field, SuggestedField>();
  for (const group of enteredGroups(definition)) collect([group], found);
  known.set(definition, found);
  return found;
}

function collect(way: readonly Field[], found: Map<Field, SuggestedField>): void {
  const field = way.at(-1);
  if (field === undefined) return;
  if (field.kind === null) for (const inner of field.fields) collect([...way, inner], found);
  const suggested = takesText(field) ? suggestedBy(field, way) : null;
  if (suggested !== null) found.set(field, suggested);
}

const takesText = ({ kind, choices, readonly }: Field): boolean => kind === "text" && choices.length === 0 && !readonly;

function suggestedBy(field: Field, way: readonly Field[]): SuggestedField | null {
  if (field.suggest !== undefined) return { source: field.suggest, depth: null, put: null };
  if (field.metadataPath === null) return null;
  const text = placeText(way);
  const row = SUGGESTED_PLACES.find(({ element, fields }) =>
    fields.some((below) => text === (below === "" ? element : `${element}.${below}`)),
  );
  if (row === undefined) return null;
  const depth = way.findIndex((_, at) => at < way.length - 1 && placeText(way.slice(0, at + 1)) === row.element);
  const marker = way.flatMap(({ metadataPath }) => (metadataPath?.kind === "path" ? metadataPath.steps : []));
  const filter = marker.find((step) => step.filter !== null)?.filter?.values[0] ?? "";
  return { source: row.source, depth: depth === -1 ? null : depth, put: (value) => row.put(value, filter) };
}

/** Where a field is in the metadata, without what its steps choose by. */
const placeText = (way: readonly Field[]): string =>
  way
    .flatMap(({ metadataPath }) =>
      metadataPath?.kind === "path"
        ? metadataPath.steps.map(({ name }) => name)
        : metadataPath?.kind === "shown"
          ? ["shown"]
          : [],
    )
    .join(".");
