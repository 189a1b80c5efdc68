// Japanese texts of the pages where people let programs act for them, and end that (R30).
import type { consentEn } from "./consent-en.ts";

export const consentJa: typeof consentEn = {
  heading: "このプログラムにアカウントの利用を許可しますか",
  program: "プログラム",
  nameless: "名前のないプログラム",
  describedAt: "説明の掲載元",
  answerTo: "結果の送り先",
  resource: "利用する先",
  account: "あなたのアカウント",
  otherAccount: "別のアカウントを使う",
  onDevice: "この端末のプログラム",
  warnings: {
    registered:
      "このプログラムは当リポジトリで確認されたものではなく、名前もプログラム自身が付けたものです。信頼するプログラムでたった今ご自身が接続を求めた場合にだけ許可してください。",
    document: (host) =>
      `このプログラムの名前は ${host} の運営者が付けたものです。このホストを信頼し、たった今ご自身が接続を求めた場合にだけ許可してください。`,
    machine:
      "結果はこの端末のプログラムに送られます。この端末で動くどのプログラムでも要求できるため、ご自身で起動した場合にだけ許可してください。",
    administrator: "あなたは管理者です。ここで許可する操作は、あなたの権限と同じく、すべての人のレコードに及びます。",
  },
  byProgram: "ツールサーバー経由",
  scopesHeading: "許可する操作",
  always: "必須",
  scopes: {
    "mcp:read": {
      name: "閲覧",
      text: "あなたに見えるもの（あなたのレコード、下書き、ファイル、関係する申請、名前とメールアドレス）を見る",
    },
    "mcp:write": {
      name: "変更",
      text: "あなたの名前で、下書きの作成と変更、ファイルのアップロードと削除、公開、新しい版の作成、コミュニティへの提出、コメントを行う",
    },
    "mcp:curate": {
      name: "判断",
      text: "あなたの権限の範囲で、申請の承認と却下、コミュニティの作成、公開済みレコードの取り下げと復元を行う",
    },
  },
  implied: "「判断」には「変更」が含まれます。両方を選ぶか、両方を外してください。",
  less: "求められたものより少なく許可することもできます。不要な操作のチェックを外してください。",
  expired:
    "このフォームの期限が切れたか、プログラムが求める内容が変わりました。もう一度内容を確かめてから選んでください。",
  lasts: (days) =>
    `許可は、あなたが取り消すまで、またはプログラムが ${days} 日間使わなくなるまで続きます。いつでも次のページで取り消せます。`,
  lastsWithToken: "トークンでログインしているため、許可は遅くともそのトークンとともに終わります。",
  where: "許可したプログラム",
  refuse: "拒否する",
  allow: "許可する",
  againHeading: "もう一度ログイン",
  againText: "プログラムが、許可の前にもう一度ログインすることを求めています。",
  againButton: "ログインし直す",
  grantsHeading: "許可したプログラム",
  grantsIntro:
    "次のプログラムは、あなたの名前でこのリポジトリを利用できます。不要なものは取り消してください。すぐに使えなくなります。",
  noGrants: "アカウントの利用を許可したプログラムはありません。",
  since: "許可した日",
  lastUsed: "最後の利用",
  neverUsed: "なし",
  uses: "利用する先",
  mayDo: "許可した操作",
  end: "取り消す",
  tabs: "あなたのアカウント",
};
