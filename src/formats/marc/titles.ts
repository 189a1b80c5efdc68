// The title statement of a MARC 21 record (245, 246): titles, subtitles, and how many characters are passed over where
// titles are sorted.

import { languageOf } from "../../model/metadata/language-codes.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { primaryLanguage } from "../../model/metadata/reader-language.ts";
import { own } from "../../shared/objects.ts";
import { type DataField, field, line } from "./fields.ts";

/**
 * Articles at the beginning of titles, and the languages (ISO 639-3) that have them (MARC 21, appendix E; as far as
 * MARC::Lint checks them).
 */
const ARTICLES: Readonly<Record<string, string>> = {
  a: "eng glg hun por",
  an: "eng",
  das: "deu",
  dem: "deu",
  der: "deu",
  ein: "deu",
  eine: "deu",
  einem: "deu",
  einen: "deu",
  einer: "deu",
  eines: "deu",
  el: "spa",
  gl: "ita",
  gli: "ita",
  il: "ita mlt",
  l: "cat fra ita mlt",
  la: "cat fra ita spa",
  las: "spa",
  le: "fra ita",
  les: "cat fra",
  lo: "ita spa",
  los: "spa",
  os: "por",
  the: "eng",
  um: "por",
  uma: "por",
  un: "cat spa fra ita",
  una: "cat spa ita",
  une: "fra",
  uno: "ita",
};

/**
 * Languages with articles: a title marked with one of these is believed. A title marked Japanese in Latin letters is in
 * another language.
 */
const WITH_ARTICLES = new Set(Object.values(ARTICLES).flatMap((languages) => languages.split(" ")));

/** Beginnings in which the first word is not an article. */
const NO_ARTICLE =
  /^(?:a & |a[-+]|a is |a isn't |a l'|a la |a posteriori|a priori|a to |el nino|el salvador|l is |l-|la salle|las vegas|lo cual|lo mein|lo que|los alamos|los angeles)/i;

/** Characters of the article at the beginning, with the punctuation around it: one digit. */
export function nonfiling(title: string, lang: string | undefined): string {
  const lead = /^["'[(*]*/.exec(title)?.[0] ?? "";
  const rest = title.slice(lead.length);
  const [, article = "", between = ""] = /^([A-Za-z]{1,5})([ ()[\]'"-]["' [\]()*]*)/.exec(rest) ?? [];
  const languages = own(ARTICLES, article.toLowerCase());
  const language = languageOf(primaryLanguage(lang ?? ""));
  const isOther = WITH_ARTICLES.has(language) && !(languages ?? "").includes(language);
  const count = lead.length + article.length + between.length;
  return languages === undefined || isOther || NO_ARTICLE.test(rest) || count > 9 ? "0" : String(count);
}

const withFullStop = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** The medium of the work, where no other field names it before the text itself is opened. */
const mediumOf = ({ type }: Metadata): string => (type?.id === "physicalobject" ? "[realia]" : "[electronic resource]");

/** 245, which is always there, and 246 for every other form. `hasMainEntry`: there is a field 1XX. */
export function titleFields(metadata: Metadata, hasMainEntry: boolean): readonly DataField[] {
  const titles = metadata.titles.filter(({ value }) => line(value) !== "");
  const main = titles.find(({ kind }) => kind === "main") ?? titles[0];
  const subtitle = titles.find((title) => title.kind === "subtitle" && title !== main);
  const title = main === undefined ? "[Untitled]" : line(main.value);
  const medium = mediumOf(metadata);
  const rest = subtitle === undefined ? "" : withFullStop(line(subtitle.value));
  const isParallel = (kind: string, lang: string | undefined): boolean =>
    kind === "translated" || (kind === "main" && primaryLanguage(lang ?? "") !== primaryLanguage(main?.lang ?? ""));
  return [
    ...field("245", `${hasMainEntry ? "1" : "0"}${nonfiling(title, main?.lang)}`, [
      ["a", title],
      ["h", rest === "" ? `${medium}.` : `${medium} :`],
      ["b", rest],
    ]),
    ...titles
      .filter((each) => each !== main && each !== subtitle)
      .flatMap(({ value, kind, lang }) => field("246", isParallel(kind, lang) ? "31" : "3 ", [["a", value]])),
    ...metadata.volumeTitles.flatMap(({ value }) => field("246", "3 ", [["a", value]])),
  ];
}
