// Japanese texts of handing a record over to another account (R15).
import type { transferEn } from "./transfer-en.ts";

export const transferJa: typeof transferEn = {
  link: "譲渡",
  heading: "別のアカウントに譲渡",
  text: "相手が承諾するまで何も変わりません。承諾されると、アイテムはすべての版と下書きとともに相手のものになり、あなたの権限は一般の利用者と同じになります。共有している相手の権限はそのままです。",
  acceptText: "承諾すると、アイテムはすべての版と下書きとともにあなたのものになります。",
  who: "譲渡先",
  whoHint: "アカウントのメールアドレス、氏名または番号",
  message: "メッセージ",
  offer: "譲渡を申し出る",
  waiting: "譲渡を申し出ており、返答を待っています。",
  toOffer: "申し出を表示",
  from: "譲渡元",
  to: "譲渡先",
  since: "申し出の日時",
  item: "アイテム",
  offers: "譲渡の申し出",
  forMe: "あなたの返答を待っています",
  byMe: "相手の返答を待っています",
  statuses: { submitted: "返答待ち", accepted: "承諾済み", declined: "辞退", cancelled: "取り消し" },
  actions: { accept: "承諾する", decline: "辞退する", cancel: "申し出を取り消す" },
};
