// Japanese texts of the page of an item that are not of its metadata: citing, versions side by side, related items.
import type { itemEn } from "./item-en.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const itemJa: typeof itemEn = {
  copy: "コピー",
  copied: "コピーしました",
  copyFailed: "Ctrl+C でコピーしてください",
  citeMore: "ほかの書式・BibTeX・RIS",
  versions: "すべての版と変更点",
  versionsHeading: "版の一覧",
  version: "版",
  day: "公開日",
  changes: "前の版からの変更",
  first: "最初の版",
  fieldsChanged: (fields) => `${number(fields)}項目`,
  filesChanged: { new: "個のファイルを追加", gone: "個のファイルを削除", changed: "個のファイルを差し替え" },
  fileChanged: { new: "個のファイルを追加", gone: "個のファイルを削除", changed: "個のファイルを差し替え" },
  counted: (count, words) => `${number(count)}${words}`,
  between: "、",
  nothingChanged: "変更された項目とファイルはありません",
  count: (value) => number(value),
  compare: "二つの版を比較",
  compareButton: "比較する",
  from: "比較元",
  to: "比較先",
  compareWith: "前の版と比較",
  comparison: (before, after) => `第 ${before} 版から第 ${after} 版へ`,
  compared: "比較元だけにある部分は取り消し線、比較先だけにある部分は下線で示します。",
  noChanges: "この二つの版で異なる項目やファイルはありません。",
  filesNotCompared: "どちらかの版のファイルを閲覧できないため、ファイルは比較していません。",
  other: "逆向きに比較",
  unlisted: (values) => `ほかに${number(values)}件の値が異なります`,
  unlistedFiles: (files) => `ほかに${number(files)}個のファイルが異なります`,
  differsLater: "それ以降の値に違いがあります。",
};
