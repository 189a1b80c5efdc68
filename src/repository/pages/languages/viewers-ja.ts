// Japanese texts of the pages that show files (R49).
import type { viewersEn } from "./viewers-en.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const viewersJa: typeof viewersEn = {
  view: "表示",
  heading: (name: string) => `${name}の表示`,
  download: "ファイルをダウンロード",
  as: "表示形式",
  kinds: { markdown: "文書", text: "テキスト" },
  notShown: "このファイルはここでは表示できません",
  reasons: {
    none: "この種類のファイルを表示する機能がありません。",
    empty: "ファイルは空です。",
    "too-large": (limit: string) => `表示できる上限の${limit}を超えています。`,
    "too-complex": "構造が大きすぎるか、深すぎるため表示できません。",
    "wrong-content": "内容が、ファイル名またはメディアタイプの示す種類と異なります。",
    encrypted: "暗号化されています。",
    unsupported: "ブラウザーで表示できない種類のファイルです。",
  },
  canDownload: "ダウンロードしてご覧ください。",
  text: {
    lines: (first: number, last: number, count: number) => `${number(count)}行中 ${number(first)}～${number(last)}行目`,
    begins: (size: string) => `ファイルの先頭${size}だけを表示しています。`,
    cut: (characters: number) => `… この行には残り${number(characters)}文字あります`,
    label: "ファイルの内容",
  },
};
