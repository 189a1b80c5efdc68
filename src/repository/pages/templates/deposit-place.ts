// The parts of the deposit form that are not metadata (R40): the type, where the deposit goes, who may read it.
import { button, buttonRow } from "../../../pages/components/buttons.ts";
import { choices, fieldset } from "../../../pages/components/choices.ts";
import { comboboxData } from "../../../pages/components/combobox.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { hiddenField, textField } from "../../../pages/components/fields.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { IndexChoices } from "../../index-tree/filing-choices.ts";
import { PLACE_FIELDS, type PlaceValues } from "../../records/draft-place.ts";
import type { CommunityChoice } from "../../requests/draft-communities.ts";
import { type SiteView, sitePage } from "./layout.ts";

type Names = { readonly en: string; readonly ja: string };

const nameIn = (name: Names, { texts }: SiteView): string =>
  texts.tag === "ja" ? name.ja || name.en : name.en || name.ja;

export type DepositTypesView = {
  /** The first is chosen at first. */
  readonly types: readonly { readonly value: string; readonly name: Names }[];
  /** What the address names besides the type. */
  readonly kept: readonly (readonly [name: string, value: string])[];
};

/** The one question before the form, where there is more than one type. */
export function depositTypePage({ types, kept }: DepositTypesView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.place;
  const legend = words.typeLegend;
  const all = types.map(({ value, name }, at) => ({ value, label: nameIn(name, site), isChosen: at === 0 }));
  const group = { id: "type", kind: "radio", legend, hint: words.typeHint, isWide: true, choices: all } as const;
  return sitePage(site, {
    title: words.typeHeading,
    noindex: true,
    body: html`${pageHeading(words.typeHeading)}
<form method="get" action="${rootPath}/deposit">${kept.map(([name, value]) => hiddenField(name, value))}${choices(group, texts)}${buttonRow([button({ label: words.proceed })])}</form>`,
  });
}

/** `sought`: what "Look up" was pressed for; empty: nothing. */
export type PlaceView = {
  readonly values: PlaceValues;
  readonly indexes: IndexChoices & { readonly sought: string };
  /** Null: the draft cannot be submitted to communities. */
  readonly communities: {
    readonly choices: readonly CommunityChoice[];
    /** Those that the draft has: another window may remove them meanwhile. */
    readonly stored: readonly string[];
    readonly hasMore: boolean;
    readonly sought: string;
  } | null;
  readonly problems: readonly FieldProblem[];
  /** How a date was understood. */
  readonly understood: string | null;
};

/** Where the record goes and who may read it, as a part of its form. */
export function placeSection(view: PlaceView, site: SiteView): Html {
  const words = site.texts.place;
  return html`${sectionHeading(words.heading, { id: "place" })}${hiddenField("place-shown", "yes")}${indexFields(view, site)}${communityFields(view, site)}
${sectionHeading(words.accessHeading)}${accessFields(view, site)}`;
}

function indexFields({ values, indexes, problems }: PlaceView, site: SiteView): Html {
  const { texts } = site;
  const words = texts.place;
  const { choices: offered, fixed, hasMore, sought } = indexes;
  const id = PLACE_FIELDS.indexes;
  const error = problemAt(problems, id);
  const boxes = offered.map(({ id: index, name }) => ({
    ...{ value: `${index}`, label: nameIn(name, site), isChosen: values.indexes.includes(index) },
  }));
  const stays = fixed.length === 0 ? "" : words.fixed(fixed.map(({ name }) => nameIn(name, site)).join(words.between));
  if (boxes.length === 0 && !hasMore && sought === "" && stays === "" && error === null) return NOTHING;
  const group = { id, kind: "checkbox", legend: words.indexes, hint: words.indexesHint, error, isWide: true } as const;
  const found = sought !== "" && boxes.length === values.indexes.length ? html`<p>${words.notFound}</p>` : NOTHING;
  const search = hasMore || sought !== "" ? searchField("index", words.indexSearch, sought, site) : NOTHING;
  return html`${choices({ ...group, choices: boxes }, texts)}${stays === "" ? NOTHING : html`<p>${stays}</p>`}${found}${search}`;
}

function communityFields({ values, communities, problems }: PlaceView, site: SiteView): Html {
  if (communities === null) return NOTHING;
  const { texts } = site;
  const words = texts.place;
  const { choices: offered, stored, hasMore, sought } = communities;
  const id = PLACE_FIELDS.communities;
  const error = problemAt(problems, id);
  if (offered.length === 0 && !hasMore && sought === "" && error === null) return NOTHING;
  const boxes = offered.map((each) => ({
    value: each.id,
    label: nameIn(each.title, site),
    hint: each.needsReview ? words.needsReview : words.atOnce,
    isChosen: values.communities.includes(each.id),
  }));
  const seen = stored.map((each) => hiddenField("place-seen", each));
  const group = { id, kind: "checkbox", legend: words.communities, hint: words.communitiesHint, error } as const;
  const found = sought !== "" && boxes.every(({ isChosen }) => isChosen) ? html`<p>${words.notFound}</p>` : NOTHING;
  const search = hasMore || sought !== "" ? searchField("community", words.communitySearch, sought, site) : NOTHING;
  return html`${seen}${choices({ ...group, isWide: true, choices: boxes }, texts)}${found}${search}`;
}

/** With script what is chosen is one more choice (deposit-suggestions.ts). Without: the button saves the form and shows it with what was found. */
function searchField(what: "index" | "community", label: string, sought: string, { texts, rootPath }: SiteView): Html {
  const source = `${rootPath}/api/suggestions/${what === "index" ? "indexes" : "communities"}?deposit=yes`;
  const adds = PLACE_FIELDS[what === "index" ? "indexes" : "communities"];
  const control = { ...comboboxData({ source, label }), "data-adds": adds };
  const field = textField({ id: `place-find-${what}`, label, value: sought, control }, texts);
  const heard = `${texts.place.lookUp}: ${label}`;
  const find = button({ label: texts.place.lookUp, heard, kind: "quiet", name: "place-find", value: what });
  return html`<div class="combobox"><div class="line">${field}${find}</div></div>`;
}

function accessFields({ values, problems, understood }: PlaceView, { texts }: SiteView): Html {
  const words = texts.place;
  const protection = (name: "record" | "files", open: string, closed: string): Html => {
    const id = PLACE_FIELDS[name];
    const chosen = values[name];
    const all = [
      { value: "public", label: open, isChosen: chosen === "public" },
      { value: "restricted", label: closed, isChosen: chosen === "restricted" },
    ];
    const error = problemAt(problems, id);
    return choices({ id, kind: "radio", legend: words[name], error, isWide: true, choices: all }, texts);
  };
  const { until, reason } = PLACE_FIELDS;
  const day = textField(
    {
      ...{ id: until, label: words.until, hint: understood ?? words.untilHint, value: values.until },
      error: problemAt(problems, until),
    },
    texts,
  );
  const why = { id: reason, label: words.reason, value: values.reason, error: problemAt(problems, reason) };
  const because = textField(why, texts);
  return html`${protection("record", words.publicRecord, words.restrictedRecord)}${protection("files", words.publicFiles, words.restrictedFiles)}${fieldset({ id: "place-embargo", legend: words.embargo }, texts, html`${day}${because}`)}`;
}

/** What publishing does in the communities of a draft, of which the first one reviews it or includes it at once. */
export function publicationPlace(communities: readonly CommunityChoice[], site: SiteView): Html {
  const words = site.texts.place;
  const [first, ...others] = communities.map((each) => ({ ...each, name: nameIn(each.title, site) }));
  if (first === undefined) return html`<p>${words.fixesNoCommunity}</p>`;
  const names = others.map(({ name }) => name).join(words.between);
  return html`<p>${first.needsReview ? words.fixesReview(first.name) : words.fixesCommunity(first.name)}${names === "" ? NOTHING : html` ${words.fixesOthers(names)}`}</p>`;
}
