// Japanese texts of the pages of subjects, funders, licences and people.
import type { filedEn } from "./filed-en.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const filedJa: typeof filedEn = {
  kinds: { subjects: "主題", funders: "助成機関", licences: "ライセンス" },
  about: {
    subjects: "アイテムの主題です。件数の多い順に並んでいます。",
    funders: "アイテムのもとになった研究に助成した機関です。件数の多い順に並んでいます。",
    licences: "アイテムの利用条件です。件数の多い順に並んでいます。",
  },
  count: (items: number) => `${number(items)}件`,
  begins: "先頭の文字",
  show: "表示",
  none: "ありません。",
  more: "件数の多いものだけを表示しています。ほかのものは先頭の文字を入力して探してください。",
  items: "アイテム",
  search: "このアイテムを検索",
  feed: "このアイテムのフィード",
  scheme: "体系",
  described: "説明のあるページ",
  filed: "すべてのアイテム",
  people: {
    heading: "人物",
    about: "ここにアイテムがある人物です。件数の多い順に並んでいます。",
    name: "名前",
    hint: "姓または名の先頭の文字（漢字・かな・ローマ字）、または ORCID iD",
    nobody: "ここにアイテムがある人物は見つかりませんでした。",
    more: "件数の多い人物だけを表示しています。ほかの人物は名前を入力して探してください。",
    byKind: "種類別",
    byYear: "年別",
    coauthors: "共同研究者",
    coauthorsNote: "同じアイテムに名前のある人物です。共通のアイテムが多い順に並んでいます。",
  },
};
