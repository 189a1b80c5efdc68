// Japanese texts of the page where an account chooses its notices (R45).
import type { noticesEn } from "./notices-en.ts";

export const noticesJa: typeof noticesEn = {
  heading: "通知",
  intro: "それぞれの通知をいつメールで受け取るかを選んでください。まとめは1日1回、朝に送られます。",
  mailOff: "このリポジトリは現在メールを送信していません。ここでの選択は、送信が始まると有効になります。",
  noAddress: "アカウントにメールアドレスがないため、通知を送ることができません。",
  choices: { "at-once": "すぐに", digest: "1日のまとめで", never: "受け取らない" },
  language: "ページとメールの言語",
  languages: { en: "English", ja: "日本語", "": "リポジトリの言語" },
  save: "保存する",
  saved: "選択を保存しました。",
  feedHeading: "タスクのフィード",
  feedIntro:
    "あなたの判断を待っているものを、フィードリーダーで一覧できます。アドレスは秘密です。知っている人は誰でもタスクの題名を読めます。",
  makeFeed: "アドレスを作る",
  renewFeed: "新しいアドレスを作る（以前のものは使えなくなります）",
  endFeed: "アドレスを無効にする",
  feedMade: "フィードのアドレスです。今すぐ控えてください。表示は一度だけです。",
  feedThere: "アドレスが作られています。",
  feedTitle: "自分の判断を待つもの",
  stopHeading: "この通知を止めますか",
  stopText: (kind) => `「${kind}」の通知は今後届かなくなります。`,
  stopButton: "止める",
  stopped: (kind) => `「${kind}」の通知を止めました。`,
  chooseMore: "すべての通知を設定する",
  taskKinds: {
    activity: "承認待ち",
    "community-submission": "コミュニティへの提出",
    "community-inclusion": "コミュニティへの収録",
    "community-invitation": "招待",
    "community-membership-request": "参加依頼",
  },
};
