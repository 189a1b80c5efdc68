// Japanese texts of files of hits and of saved searches (issue 26).
import type { savedSearchesEn } from "./saved-searches-en.ts";

const number = (value: number): string => value.toLocaleString("ja");

export const savedSearchesJa: typeof savedSearchesEn = {
  files: {
    all: (total) => `${number(total)}件すべてをダウンロード:`,
    first: (most, total) => `${number(total)}件のうち最初の${number(most)}件をダウンロード:`,
    formats: { ris: "RIS", bibtex: "BibTeX", csl: "CSL-JSON", csv: "CSV" },
  },
  save: {
    heading: "この検索を保存",
    name: "検索の名前",
    hint: "アカウントの一覧に載り、フィードや新着メールを設定できます。",
    button: "保存する",
    signIn: "ログインしてこの検索を保存",
  },
  heading: "保存した検索",
  intro: "保存した検索の一覧です。検索ごとにフィードと、希望により新着アイテムのメールを利用できます。",
  none: "保存した検索はありません。検索してから、結果の下の「この検索を保存」を開いてください。",
  toSearch: "検索する",
  mailOff: "このリポジトリはメールを送信しないため、新着は通知されません。フィードは利用できます。",
  noAddress: "アカウントにメールアドレスがないため、新着は通知されません。フィードは利用できます。",
  all: "すべてのアイテム",
  name: "名前",
  frequency: "新着アイテムのメール",
  frequencies: { never: "送らない", daily: "毎日", weekly: "毎週" },
  change: "変更を保存",
  remove: "削除",
  make: "フィードを作る",
  renew: "フィードのアドレスを新しくする",
  end: "フィードを終了",
  feedThere: "フィードがあります。アドレスは作成したときにだけ表示されます。",
  feedMade: "フィードのアドレスです。秘密のアドレスで、あなたが閲覧できるものを示します。表示されるのは今だけです:",
  feedTitle: (name) => `保存した検索: ${name}`,
  done: {
    saved: "検索を保存しました。",
    changed: "変更を保存しました。",
    removed: "検索を、フィードとメールとともに削除しました。",
    ended: "フィードを終了しました。",
  },
  stop: {
    heading: "保存した検索のメールを止める",
    text: (name) => `検索「${name}」の新着メールを止めます。検索は残ります。`,
    button: "メールを止める",
    done: (name) => `検索「${name}」のメールを止めました。`,
    toSearches: "保存した検索へ",
  },
};
