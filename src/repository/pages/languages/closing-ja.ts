// Japanese texts of the pages on which people close their account (R33).
import type { closingEn } from "./closing-en.ts";

export const closingJa: typeof closingEn = {
  heading: "アカウントを閉じる",
  prevents: "先に必要なこと",
  drafts: "次の下書きを破棄するか、ほかの方に移譲してください。",
  draft: (id: number) => `下書き ${id}`,
  communities: "次のコミュニティの所有者はあなただけです。ほかの方を所有者にしてください。",
  lastAdministrator: "あなたは最後のシステム管理者です。ほかの方をシステム管理者にしてください。",
  staysHeading: "残るもの",
  stays: (items: string) =>
    `公開したアイテム（${items}件）は、そこに書かれた名前とともに残ります。コメントや判断も残り、「Closed account」として表示されます。`,
  goesHeading: "削除または終了するもの",
  goes: {
    sessions: (count: string) => `セッション：${count}`,
    tokens: (count: string) => `アクセストークン：${count}`,
    grants: (count: string) => `許可したプログラム：${count}`,
    groups: (count: string) => `グループへの所属：${count}`,
    communities: (count: string) => `コミュニティへの所属：${count}`,
    shares: (count: string) => `共有されているほかの方のアイテム：${count}`,
  },
  alsoGoes: "作成したリンク、通知の設定、このアカウントの名前、メールアドレス、ORCID iD",
  final:
    "元に戻すことはできません。このアカウントには二度とログインできず、その番号がほかの方に使われることもありません。",
  confirm: (text: string) => `確認のため ${text} と入力してください`,
  problem: (text: string) => `${text} と正確に入力してください`,
  button: "アカウントを完全に閉じる",
  exportFirst: "先に、保存されている情報をダウンロードする",
  closedHeading: "アカウントを閉じました",
  closedText: "すべてのブラウザからログアウトしました。ご登録いただき、ありがとうございました。",
};
