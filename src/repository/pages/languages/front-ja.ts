// Japanese texts of the first page (Q.1 to Q.4).
import type { RepositoryTexts } from "./en.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const frontJa: RepositoryTexts["front"] = {
  about: "論文、研究データ、教材などの研究成果を、永続的な名前とともに保存し公開するリポジトリです。",
  recent: "新着アイテム",
  empty: "ご覧いただけるアイテムは、まだ公開されていません。",
  indexes: "インデックスから探す",
  allIndexes: "すべてのインデックス",
  communities: "コミュニティ",
  mostUsed: "今月よく利用されたアイテム",
  figures: "収録数",
  items: "アイテム",
  openItems: "ファイルが公開されているアイテム",
  people: "著者",
  communityCount: "コミュニティ",
  number,
  counted: "誰でも閲覧できるものの数。集計時刻",
  count: (count: number) => `${number(count)}件`,
  allItems: "すべてのアイテム（新しい順）",
  browse: "そのほかの探し方",
  next: "次にすること",
  steps: {
    signIn: ["サインイン", "所属機関・リンク・トークンでサインインすると、登録や限定公開の閲覧ができます。"],
    register: ["アカウントを登録", "登録用のアカウントを作成します。"],
    deposit: ["最初のアイテムを登録", "フォーム・ファイル・DOIから登録できます。"],
    work: ["自分の作業を見る", "待っているタスク・下書き・依頼を確認します。"],
    tasks: ["アクティビティを見る", "承認を待っている登録を確認します。"],
    name: ["名前と説明を設定", "リポジトリの名前・説明・ロゴ・色は設定で変更できます。"],
    index: ["最初のインデックスを追加", "アイテムを分類する場所を作ります。"],
    community: ["コミュニティを作成", "共同で収集・査読する場を作ります。"],
    itemType: ["アイテムタイプを追加", "用意されたものが合わない場合に追加します。"],
    invite: ["利用者を招待", "メールまたはサインイン用のリンクで招待します。"],
  },
};
