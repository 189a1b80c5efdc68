// Japanese texts of the pages where people deposit (R42).
import type { depositEn } from "./deposit-en.ts";

export const depositJa: typeof depositEn = {
  link: "登録",
  heading: "登録",
  intro: "わかる項目から入力してください。下書きは未完成でも保存でき、公開するまであなただけのものです。",
  editing: "下書きの編集",
  save: "保存",
  saveAndFiles: "保存してファイルを追加",
  saveAndPublish: "保存して公開へ",
  preview: "プレビュー",
  discard: "下書きを破棄",
  saved: "保存しました",
  savedWithout: "印のある項目を除いて保存しました。",
  notSaved:
    "保存していません。別の人または別の画面がこの下書きを保存しました。重ならない変更は下の表示に取り込まれています。",
  noFiles: "この資料にはファイルがありません",
  filesHeading: "ファイル",
  filesIntro: (size: string, count: string) => `1ファイルは${size}まで、1件につき${count}ファイルまでです。`,
  filesLarge: "2 GiBを超えるファイル：コマンドラインからアップロードする",
  filesFixed: "公開済みの版のファイルは変更できません。変更するには新しい版を作成してください。",
  file: "ファイル",
  fileName: "名前",
  fileSize: "サイズ",
  fileAction: "操作",
  upload: "アップロード",
  remove: "削除",
  noFile: "ファイルはまだありません。",
  chooseFile: "ファイルを選択してください",
  back: "入力画面に戻る",
  publishHeading: "この下書きを公開しますか",
  publishFixed:
    "公開すると永続的識別子（ARK）が付き、誰でも見られるようになります。識別子とこの版のファイルは以後変更できません。記述は後で訂正でき、公開した状態はすべて保存されます。",
  publishFixedAgain:
    "公開すると、閲覧者に表示される内容が置き換わります。前に公開した状態は履歴に残り、識別子とファイルは変わりません。",
  publish: "公開",
  incomplete: "この下書きはまだ公開できません。",
  discardHeading: "この下書きを破棄しますか",
  discardText: "公開していない内容は、ファイルや以前の状態とともに削除されます。元に戻すことはできません。",
  choose: "選択してください",
};
