// Japanese texts of the files of a draft (R43).
import type { draftFilesEn } from "./draft-files-en.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const draftFilesJa: typeof draftFilesEn = {
  limits: (size, count, left) =>
    `1ファイルは最大${size}、1件のレコードのファイルは最大${number(count)}個です。あと${number(left)}個追加できます。`,
  names:
    "名前にはどの文字も使え、フォルダも付けられます。空の部分、制御文字、文字の向きを変える文字は使えません。同じに見える名前は同じ名前として扱います。",
  fixed: "公開するまでは、ファイルの差し替えや削除ができます。公開後、この版のファイルは変更できません。",
  access: "利用できる人",
  actions: "操作",
  up: "上へ",
  down: "下へ",
  first: "最初に表示",
  unset: "最初に表示しない",
  isFirst: "最初に表示",
  edit: "編集",
  pending: "完了していないアップロード",
  pendingText: "続けるには、同じファイルをもう一度選んでください。",
  arrived: (percent) => `${percent}受信済み`,
  waiting: "まだ何も届いていません",
  failed: "失敗",
  removed: "削除したファイル",
  removedText: "下書きを公開または破棄するまで、1週間は元に戻せます。",
  putBack: "元に戻す",
  unpack: "展開",
  unpackText:
    "アーカイブの代わりに、中のファイルがフォルダとアーカイブの公開範囲のまま追加されます。すべて追加されるか、まったく追加されないかのどちらかです。アーカイブは元に戻せます。",
  rules: {
    open: "レコードを閲覧できるすべての人",
    date: "指定日以降、レコードを閲覧できるすべての人",
    login: "ログインした人",
    groups: "グループのメンバー",
    closed: "レコードを管理する人のみ",
  },
  description: "説明",
  until: "公開日",
  untilHint: "2027-04-01 のように年-月-日で入力します。その日になると自動的に公開されます。",
  groups: "グループ",
  noGroup: "グループを1つ以上選んでください。",
  wrongDay: "2027-04-01 のように年-月-日で入力してください。",
  wrongRule: "ファイルを利用できる人を選んでください。",
  tooLong: "説明が長すぎます。",
  save: "保存",
  back: "ファイル一覧に戻る",
  replace: "差し替え",
  replaceText: "名前、説明、公開範囲はそのままで、別のファイルに差し替えます。今のファイルは元に戻せます。",
  newFile: "新しいファイル",
  commands: (id) =>
    `コマンドラインからも送信できます。2 GiBを超えるファイルに適しています（この下書きの番号は${id}です）。`,
};
