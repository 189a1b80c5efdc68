// What entries of vocabularies are in the metadata of an item (R42, P.141): organizations, funders, awards, subjects,
// licences. Each in several wordings of its schemes, for item types offer different ones. Pure.

import { IDENTIFIER_FORMS } from "../../model/metadata/identifier-forms.ts";
import type { Funding, Ident, Org, Right, Subject, Text } from "../../model/metadata/metadata.ts";
import { maybe } from "../../shared/objects.ts";
import type { VocabularyEntry } from "../store/vocabularies.ts";

type Entry = Pick<VocabularyEntry, "id" | "type" | "title" | "props">;

const OTHER = "Other";

/** English first; a Japanese title that only repeats it is left out. */
function titlesOf({ title: { en, ja } }: Entry): readonly Text[] {
  const both = [
    { value: en, lang: "en" },
    { value: ja === en ? "" : ja, lang: "ja" },
  ];
  return both.filter(({ value }) => value !== "");
}

const inTag = ({ title: { en, ja } }: Entry, language: string): Text => {
  const isJapanese = language === "ja" ? ja !== "" : en === "";
  return isJapanese ? { value: ja, lang: "ja" } : { value: en, lang: "en" };
};

const CROSSREF = /^https?:\/\/doi\.org\/(10\.13039\/.+)$/;

/** As records have it (src/formats/record/people.ts): a ROR id, else the id in its vocabulary. */
function identsOf({ id, type, props }: Entry): readonly Ident[] {
  const crossref = CROSSREF.exec(props.url ?? "")?.[1];
  if (IDENTIFIER_FORMS.ror.holds(id)) return [{ scheme: "ROR", value: id, uri: `https://ror.org/${id}` }];
  if (crossref !== undefined) return [{ scheme: "Crossref Funder", value: crossref, ...maybe("uri", props.url) }];
  return [{ scheme: type, value: id, ...maybe("uri", props.url) }];
}

/** The same with a scheme that item types offer for all others, under its whole address. */
const underOther = (ids: readonly Ident[]): readonly Ident[] =>
  ids.map(({ value, uri }) => ({ scheme: OTHER, value: uri ?? value, ...maybe("uri", uri) }));

export function orgsOf(entry: Entry): readonly Org[] {
  const names = titlesOf(entry);
  const ids = identsOf(entry);
  return [
    { names, ids },
    { names, ids: underOther(ids) },
  ];
}

/** `funder`: its entry, where the vocabulary has one. */
export function awardsOf(entry: Entry, funder: Entry | null): readonly Funding[] {
  const { props } = entry;
  const name = props.funder_name ?? "";
  const funders: readonly Org[] =
    funder !== null ? orgsOf(funder) : [{ names: name === "" ? [] : [{ value: name }], ids: [] }];
  const award = {
    number: props.number ?? entry.id,
    ...maybe("uri", props.url ?? props.uri),
    titles: titlesOf(entry),
    id: entry.id,
  };
  return funders.map((each) => ({ funder: each, award }));
}

export function subjectsOf(entry: Entry, language: string): readonly Subject[] {
  const { scheme = "", url } = entry.props;
  const subject = { id: entry.id, text: inTag(entry, language), ...maybe("uri", url) };
  return [...(scheme === "" ? [] : [{ ...subject, scheme }]), { ...subject, scheme: OTHER }, subject];
}

export function licensesOf(entry: Entry, language: string): readonly Right[] {
  return [{ id: entry.id, text: [inTag(entry, language)], ...maybe("uri", entry.props.url) }];
}

/** What is shown of an entry: its title, and what tells entries apart. */
export function entryWords(entry: Entry, language: string): { readonly text: string; readonly hint: string } {
  const { value: title } = inTag(entry, language);
  const { id, type, props } = entry;
  const { acronym, country, number, funder_name: funder, scheme } = props;
  const details: Readonly<Record<string, readonly (string | undefined)[]>> = {
    awards: [title, funder],
    affiliations: [acronym, country, id],
    funders: [acronym, country, id],
    subjects: [scheme],
  };
  const hint = (details[type] ?? [id]).filter((each) => each !== undefined && each !== "").join(" · ");
  return { text: type === "awards" ? (number ?? id) : title, hint };
}
