// Japanese texts of the pages that show files (R49).

import { viewerPartsJa } from "./viewer-parts-ja.ts";
import type { viewersEn } from "./viewers-en.ts";
import { viewersMediaJa } from "./viewers-media-ja.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const viewersJa: typeof viewersEn = {
  view: "表示",
  heading: (name: string) => `${name}の表示`,
  download: "ファイルをダウンロード",
  as: "表示形式",
  kinds: {
    ...viewersMediaJa.viewers,
    ...viewerPartsJa.kinds,
    markdown: "文書",
    workbook: "シート",
    table: "表",
    notebook: "ノートブック",
    json: "JSON",
    xml: "XML",
    text: "テキスト",
  },
  notShown: "このファイルはここでは表示できません",
  reasons: {
    none: "この種類のファイルを表示する機能がありません。",
    empty: "ファイルは空です。",
    "too-large": (limit: string) => `表示できる上限の${limit}を超えています。`,
    "too-complex": "構造が大きすぎるか、深すぎるため表示できません。",
    "wrong-content": "内容が、ファイル名またはメディアタイプの示す種類と異なります。",
    encrypted: "暗号化されています。",
    unsupported: "ブラウザーで表示できない種類のファイルです。",
    "too-many-pixels": "画素数が多すぎるため、ブラウザーでの表示に適しません。",
    "no-degrees": "座標が経度・緯度の度ではありません。",
    "no-places": "描ける位置がありません。",
  },
  canDownload: "ダウンロードしてご覧ください。",
  table: {
    label: "表の行",
    row: "行",
    rows: (first: number, last: number, count: number, isCut: boolean) =>
      isCut
        ? `${number(first)}～${number(last)}行目。表の先頭部分を表示しています。`
        : `${number(count)}行中 ${number(first)}～${number(last)}行目。`,
    columnsLeft: (columns: number) => `ほかに${number(columns)}列ありますが、表示していません。`,
    sheets: "シート",
    columns: "列の内容（表示対象の行による）",
    column: "列",
    type: "型",
    types: {
      integer: "整数",
      number: "数値",
      date: "日付",
      boolean: "真偽",
      text: "文字列",
      mixed: "混在",
      empty: "空",
    },
    filled: "値の数",
    range: "範囲",
    between: (least: string, most: string) => `${least}～${most}`,
  },
  notebook: {
    cells: (count: number) => `${number(count)}セル`,
    code: (run: number | null) => (run === null ? "コード（未実行）" : `コード（実行${number(run)}）`),
    cut: (characters: number) => `… 残り${number(characters)}文字`,
    picture: "コードが出力した画像",
    leftOut: (types: string) => `表示していない出力があります（${types}）。`,
    outputsLeft: (count: number) => `ほかに${number(count)}件の出力がありますが、表示していません。`,
  },
  data: {
    members: (count: number) => `${number(count)}項目`,
    entries: (count: number) => `${number(count)}件`,
    more: (count: number) => `… ほかに${number(count)}件あります（表示していません）`,
  },
  text: {
    lines: (first: number, last: number, count: number) => `${number(count)}行中 ${number(first)}～${number(last)}行目`,
    begins: (size: string) => `ファイルの先頭${size}だけを表示しています。`,
    cut: (characters: number) => `… この行には残り${number(characters)}文字あります`,
    label: "ファイルの内容",
  },
  media: viewersMediaJa,
};
