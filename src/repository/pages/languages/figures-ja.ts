// Japanese texts of the pages of figures (R51).
import type { figuresEn } from "./figures-en.ts";

export const figuresJa: typeof figuresEn = {
  heading: "利用統計",
  link: "月別の利用統計",
  of: (what: string) => `利用統計：${what}`,
  parts: { name: "版", all: "すべての版", version: "この版" },
  from: "開始（年-月）",
  to: "終了（年-月）",
  show: "表示",
  views: "閲覧",
  downloads: "ダウンロード",
  volume: "ダウンロードされた量",
  meaning: {
    views: "アイテムのページが開かれた回数です。同じ人による30秒以内の閲覧は1回と数えます。",
    downloads: "ファイルが取得された回数です。分割して取得されたファイルは1回と数えます。",
    volume: "ダウンロードされたファイルの大きさの合計です。",
  },
  countedUntil: "集計時点：",
  leftOut:
    "ロボット、アイテムの所有者と管理者、役割のあるアカウントは含みません。まとまりごとの統計は、閲覧の日に誰でも見られたアイテムだけを数えます。",
  nothing: "この期間の利用はありません。",
  byMonth: "月別",
  month: "月",
  total: "合計",
  byFile: "ファイル",
  file: "ファイル",
  byCountry: "国",
  country: "国",
  otherCountries: "利用の少ない国",
  csv: "この数値をCSVで取得",
};
