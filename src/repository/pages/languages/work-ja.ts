// Japanese texts of the page of personal work (R44).
import type { workEn } from "./work-en.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const workJa: typeof workEn = {
  heading: "マイページ",
  tabs: { tasks: "タスク", records: "自分のレコード", withdrawn: "取り下げ済み", requests: "自分の依頼" },
  count: (label, count) => (count === 0 ? label : `${label}（${number(count)}）`),
  find: "自分のレコードを探す",
  search: "検索",
  sort: "並び順",
  sorts: { "updated-desc": "更新が新しい順", newest: "新しい順", oldest: "古い順" },
  state: "状態",
  filters: { "": "すべて", false: "未公開", true: "公開中" },
  states: {
    draft: "下書き",
    in_review: "審査中",
    declined: "差し戻し",
    expired: "期限切れ",
    published: "公開中",
    new_version_draft: "新しい版を準備中",
  },
  title: "タイトル",
  changed: "最終更新",
  actions: "できること",
  open: "開く",
  noRecords: "レコードはまだありません。",
  nothingFound: "これらの語をすべて含むレコードはありません。",
  noRequests: "依頼はまだありません。",
  clear: "自分のレコードをすべて表示",
};
