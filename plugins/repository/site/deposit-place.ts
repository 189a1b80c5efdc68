// What of a deposit form is not metadata (R40): its type, where the deposit goes, who may read it.
import type { Bilingual, FormFault } from "../../../src/model/item-types/posted-form.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import type { Html } from "../../../src/pages/html.ts";
import type { FilingChoices } from "../../../src/repository/index-tree/filing-choices.ts";
import { repositoryTexts } from "../../../src/repository/pages/languages/index.ts";
import { placeSection } from "../../../src/repository/pages/templates/deposit-place.ts";
import type { DepositType } from "../../../src/repository/records/deposit-types.ts";
import { PLACE_FIELDS, type PlaceValues, type SentPlace } from "../../../src/repository/records/draft-place.ts";
import type { RecordKind } from "../../../src/repository/records/record-writing.ts";
import type { CommunityChoices } from "../../../src/repository/requests/draft-communities.ts";
import { queryParameter } from "../../http/document-parts.ts";
import type { Reader } from "./answers.ts";

export type PlaceNeeds = {
  readonly filing: FilingChoices;
  readonly communityChoices: CommunityChoices;
};

/** What an address with a place names. */
export const PLACE_PARAMETERS = [
  queryParameter("type", "Number of the item type, with a dot and the number of a workflow where several take it", {
    type: "string",
  }),
  queryParameter("index", "Number of the index that is chosen in the form", { type: "integer" }),
  queryParameter("community", "UUID or slug of the community that is chosen in the form", { type: "string" }),
];

const NUMBER = /^[1-9]\d{0,14}$/;

/** The type that the address names, or the only one; null: it is asked for. */
export function chosenType(types: readonly DepositType[], { url }: Request): DepositType | null {
  const named = new URL(url).searchParams.get("type");
  const [only, ...others] = types;
  if (named === null && others.length === 0) return only ?? null;
  return types.find(({ value }) => value === named) ?? types.find(({ itemType }) => `${itemType}` === named) ?? null;
}

/** The place that the address names, for the form after the question for the type. */
export function keptPlace({ url }: Request): readonly (readonly [name: string, value: string])[] {
  const { searchParams } = new URL(url);
  return ["index", "community"].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [[name, value.slice(0, 200)] as const];
  });
}

const KIND = /^([1-9]\d{0,14})(?:\.([1-9]\d{0,14}))?$/;

/** What a form of a new draft was sent with; no item type: that of the setting. */
export function sentKind(own: ReadonlyMap<string, string>): RecordKind {
  const [, itemType, workflow] = KIND.exec(own.get("item-type") ?? "") ?? [];
  return {
    ...(itemType === undefined ? {} : { itemType: Number(itemType) }),
    ...(workflow === undefined ? {} : { workflow: Number(workflow) }),
  };
}

/** Its item type alone; null: that of the setting. */
export const sentType = (own: ReadonlyMap<string, string>): number | null => sentKind(own).itemType ?? null;

type Sent = readonly (readonly [name: string, value: string])[];

export const isPlaceField = (name: string): boolean => name.startsWith("place-");

/** This part of a form as it was sent; null: the form had no such part. */
export function sentPlace(sent: Sent): SentPlace | null {
  const of = (name: string): readonly string[] => sent.flatMap(([each, value]) => (each === name ? [value] : []));
  const one = (name: string): string => of(name)[0] ?? "";
  if (of("place-shown").length === 0) return null;
  return {
    indexes: of(PLACE_FIELDS.indexes).flatMap((id) => (NUMBER.test(id) ? [Number(id)] : [])),
    communities: of(PLACE_FIELDS.communities),
    seenCommunities: of("place-seen"),
    record: one(PLACE_FIELDS.record),
    files: one(PLACE_FIELDS.files),
    until: one(PLACE_FIELDS.until),
    reason: one(PLACE_FIELDS.reason),
  };
}

type PlaceState = {
  readonly values: PlaceValues;
  readonly isForCommunities: boolean;
  readonly faults?: readonly FormFault[];
  readonly understood?: ReadonlyMap<string, Bilingual>;
  /** The form as it was sent, with what was looked up. */
  readonly sent?: Sent;
};

/** This part of the form. */
export async function placeHtml(needs: PlaceNeeds, { viewer, site }: Reader, state: PlaceState): Promise<Html> {
  const { values, isForCommunities, faults = [], understood, sent = [] } = state;
  const isJapanese = site.texts.tag === "ja";
  const sought = (what: "index" | "community"): string => {
    const isAsked = sent.some(([name, value]) => name === "place-find" && value === what);
    return isAsked ? (sent.find(([name]) => name === `place-find-${what}`)?.[1] ?? "").trim().slice(0, 200) : "";
  };
  const ofIndexes = sought("index");
  const ofCommunities = sought("community");
  const indexes = await needs.filing.choices(viewer, values.indexes, ofIndexes);
  const communities = isForCommunities
    ? await needs.communityChoices.choices(viewer, values.communities, ofCommunities)
    : null;
  const problems: FieldProblem[] = faults.flatMap(({ name, words }) =>
    name !== null && isPlaceField(name) ? [{ field: name, text: isJapanese ? words.ja : words.en }] : [],
  );
  const day = understood?.get(PLACE_FIELDS.until);
  const { seenCommunities: stored = values.communities } = values;
  const view = {
    values,
    indexes: { ...indexes, sought: ofIndexes },
    communities: communities === null ? null : { ...communities, sought: ofCommunities, stored },
    problems,
    understood: day === undefined ? null : isJapanese ? day.ja : day.en,
  };
  return placeSection(view, site);
}

/** The place of a new draft as its address names it, and what is wrong with it: the same for all that is not open. */
export async function addressedPlace(
  needs: PlaceNeeds,
  { viewer }: Reader,
  { url }: Request,
): Promise<{ readonly values: PlaceValues; readonly faults: readonly FormFault[] }> {
  const { searchParams } = new URL(url);
  const [index, community] = [searchParams.get("index"), searchParams.get("community")];
  const number = index !== null && NUMBER.test(index) ? Number(index) : null;
  const open = number === null ? [] : (await needs.filing.choices(viewer, [number], "")).choices;
  const indexes = open.filter(({ id }) => id === number).map(({ id }) => id);
  const id = community === null ? null : await needs.communityChoices.open(viewer, community);
  const faults = [
    ...(index !== null && indexes.length === 0 ? [{ name: PLACE_FIELDS.indexes, words: NOT_HERE }] : []),
    ...(community !== null && id === null ? [{ name: PLACE_FIELDS.communities, words: NOT_HERE }] : []),
  ];
  return { values: { ...NOWHERE, indexes, communities: id === null ? [] : [id] }, faults };
}

const NOT_HERE: Bilingual = { en: repositoryTexts("en").place.notHere, ja: repositoryTexts("ja").place.notHere };

/** Where a new draft goes as long as nobody chooses. */
export const NOWHERE: PlaceValues = {
  ...{ indexes: [], communities: [], seenCommunities: [], record: "public", files: "public", until: "", reason: "" },
};
