// What searching begins with (R27; specification 3, rules 4 and 8): eight facets, and the lists of choices of existing
// repositories, in their order, for a number names a place in its list. Free fields are an administrator's.
import type { Choice, ChoiceList, FacetItem, SearchSettings } from "./settings.ts";

type Facet = readonly [en: string, ja: string, source: string];

const FACETS: readonly Facet[] = [
  ["Resource Type", "資源タイプ", "type.id"],
  ["Year", "出版年", "publication.year"],
  ["Language", "言語", "languages"],
  ["Access", "アクセス", "access.status"],
  ["Community", "コミュニティ", "communities"],
  ["Index", "インデックス", "indexes"],
  ["Creator", "作成者", "creators.names.shown"],
  ["Subject", "主題", "subjects.text.value"],
];

/** Values of a facet that are shown at first. */
const SHOWN = 5;

const facet = ([en, ja, source]: Facet, index: number): FacetItem => ({
  id: index + 1,
  name: { en, ja },
  sources: [source],
  active: true,
  display: "checkboxes",
  shown: SHOWN,
  open: true,
});

const choice = (value: string, means: Choice["means"], en: string = value, ja: string = en): Choice => ({
  value,
  label: { en, ja },
  means,
});

const SCHEMES = ["BSH", "DDC", "LCC", "LCSH", "MeSH", "NDC", "NDLC", "NDLSH", "UDC"];

const DATE_TYPES: Readonly<Record<string, string>> = {
  Accepted: "受理日",
  Available: "公開日",
  Collected: "収集日",
  Copyrighted: "著作権日",
  Created: "作成日",
  Issued: "発行日",
  Submitted: "提出日",
  Updated: "更新日",
  Valid: "有効期限",
};

const RELATED = (scheme: string): string => `relations.ident[scheme=${scheme}].value`;
const IDENTIFIERS: readonly Choice[] = [
  choice("identifier", ["relations.ident.value"], "Related identifier", "関連識別子"),
  choice("URI", ["identifiers.value", "identifiers.uri"]),
  choice("fullTextURL", ["files.url"], "Address of the full text", "本文URL"),
  choice("selfDOI", ["registration.value"], "DOI of this item", "自身のDOI"),
  choice("ISBN", [RELATED("ISBN")]),
  choice("ISSN", ["containers.ids[scheme=ISSN|PISSN|EISSN|ISSN-L].value"]),
  choice("NCID", [RELATED("NCID"), "containers.ids[scheme=NCID].value"]),
  choice("pmid", [RELATED("PMID|PMID【現在不使用】|pmid")], "PMID"),
  choice("doi", [RELATED("DOI|doi")], "DOI"),
  choice("NAID", [RELATED("NAID")]),
  choice("ichushi", [RELATED("ICHUSHI|ichushi")], "ICHUSHI"),
];

/** Labels of JPCOAR resource types; those that newer vocabularies renamed mean both. */
const TYPES: readonly string[] = [
  ...["conference paper", "data paper", "departmental bulletin paper", "editorial", "journal article", "newspaper"],
  ...["periodical", "review article", "software paper", "article", "book", "book part", "cartographic material", "map"],
  ...["conference object", "conference proceedings", "conference poster", "dataset", "interview", "image"],
  ...["still image", "moving image", "video", "lecture", "patent", "internal report", "report", "research report"],
  ...["technical report", "policy report", "report part", "working paper", "data management plan", "sound", "thesis"],
  ...["bachelor thesis", "master thesis", "doctoral thesis", "interactive resource", "learning object", "manuscript"],
  ...["musical notation", "research proposal", "software", "technical documentation", "workflow", "other"],
];
const RENAMED: Readonly<Record<string, readonly string[]>> = {
  periodical: ["journal", "other periodical"],
  "conference object": ["conference output", "conference presentation"],
};

const LANGUAGES: readonly (readonly [code: string, en: string, ja: string])[] = [
  ["jpn", "Japanese", "日本語"],
  ["eng", "English", "英語"],
  ["fra", "French", "フランス語"],
  ["ita", "Italian", "イタリア語"],
  ["deu", "German", "ドイツ語"],
  ["spa", "Spanish", "スペイン語"],
  ["zho", "Chinese", "中国語"],
  ["rus", "Russian", "ロシア語"],
  ["lat", "Latin", "ラテン語"],
  ["msa", "Malay", "マレー語"],
  ["epo", "Esperanto", "エスペラント語"],
  ["ara", "Arabic", "アラビア語"],
  ["ell", "Greek", "ギリシャ語"],
  ["kor", "Korean", "朝鮮語"],
];

/** Stages of publication by the labels of the COAR version types, for no item has the value "published". */
const VERSIONS: readonly Choice[] = [
  choice("accepted", ["AM"], "Accepted manuscript", "著者最終稿"),
  choice("published", ["VoR"], "Version of record", "出版社版"),
  choice("draft", ["AO"], "Author's original", "著者原稿"),
  choice("submitted", ["SMUR"], "Submitted manuscript", "投稿原稿"),
  choice("updated", ["CVoR", "EVoR"], "Corrected or enhanced version of record", "改訂版"),
];

const COMMONS = ["by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd"];
const commons = (version: "3.0" | "4.0", first: number): readonly Choice[] =>
  COMMONS.map((kind, index) =>
    choice(`license_${first + index}`, [`cc-${kind}-${version}`], `CC ${kind.toUpperCase()} ${version}`),
  );

const CHOICES: Readonly<Record<ChoiceList, readonly Choice[]>> = {
  sbjscheme: [
    ...SCHEMES.map((scheme) => choice(scheme, [scheme])),
    choice("Other", null, "Other", "その他"),
    choice("SciVal", ["SciVal"]),
  ],
  fd_attr: Object.entries(DATE_TYPES).map(([type, ja]) =>
    choice(type, [`dates[type=${type}].date`, `files.dates[type=${type}].date`], type, ja),
  ),
  id_attr: IDENTIFIERS,
  type: TYPES.map((type) =>
    type === "other" ? choice(type, null, type, "その他") : choice(type, [type, ...(RENAMED[type] ?? [])]),
  ),
  lang: [...LANGUAGES.map(([code, en, ja]) => choice(code, [code], en, ja)), choice("other", null, "Other", "その他")],
  version: VERSIONS,
  license: [
    choice("license_12", ["cc0-1.0"], "CC0"),
    ...commons("3.0", 6),
    ...commons("4.0", 0),
    choice("license_free", null, "Other", "その他"),
  ],
};

export const SHIPPED_SEARCH_SETTINGS: SearchSettings = { facets: FACETS.map(facet), choices: CHOICES, fields: {} };
