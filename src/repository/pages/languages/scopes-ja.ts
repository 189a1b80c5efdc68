// What each scope of a token allows, in Japanese words (R6b, R33).
import type { ScopeWords } from "./scopes-en.ts";

export const scopesJa: ScopeWords = {
  "deposit:write": "SWORDで資料を送信する（次の項目とアイテムの項目も必要です）",
  "deposit:actions": "SWORDでアイテムを作成・変更・削除する（前の項目とアイテムの項目も必要です）",
  "item:read": "あなたが閲覧できるアイテムとレコード（下書きを含む）を閲覧・検索する",
  "item:create": "アイテムと下書きを新しく作成する",
  "item:update": "アイテム、下書き、ファイルを変更し、公開する",
  "item:delete": "アイテムと下書きを削除する",
  "index:read": "あなたが閲覧できるインデックスツリーを閲覧する",
  "index:create": "インデックスを作成する",
  "index:update": "インデックスを変更・移動する",
  "index:delete": "インデックスを削除する",
  "author:search": "著者データベースを閲覧・検索する",
  "author:create": "著者データベースに人物を追加する",
  "author:update": "著者データベースの人物を変更する",
  "author:delete": "著者データベースの人物を削除・統合する",
  "user:activity": "アクティビティを閲覧し、あなたの権限で決定する",
  "file:read": "あなたが閲覧できるファイルをダウンロードする",
};
