// Japanese texts of the viewers of PDF, archives and RO-Crates (R49).
import type { viewerPartsEn } from "./viewer-parts-en.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const viewerPartsJa: typeof viewerPartsEn = {
  kinds: { pdf: "PDFのページ", zip: "内容一覧", crate: "RO-Crate" },
  pdf: {
    frame: (name: string) => `${name}のページ`,
    browser: "ブラウザーのビューアーで開く",
    browserHint: "スクリプトが有効な場合は、ここにページが表示されます。",
    text: (pages: number) => `最初の${number(pages)}ページのテキスト`,
    page: (page: number) => `${number(page)}ページ`,
  },
  zip: {
    entries: (count: number) => `${number(count)}件の項目`,
    first: (listed: number, count: number) => `${number(count)}件中、最初の${number(listed)}件だけを表示しています。`,
    broken: (listed: number) => `項目の一覧は${number(listed)}件目より後が壊れています。`,
    crate: "含まれるRO-Crateをツリーで表示",
    up: "上のフォルダー",
    changed: "更新日時",
    faults: {
      encrypted: "暗号化されています（パスワードが必要です）",
      method: "ここでは読み取れない方式で圧縮されています",
      broken: "壊れているか、名前がアーカイブの外を指しています",
      "too-large": "展開後の大きさが上限を超えています",
    },
  },
  crate: {
    count: (entities: number) => `${number(entities)}件のエンティティ`,
    others: "構成要素ではないエンティティ",
    left: (entities: number) => `ほかに${number(entities)}件のエンティティがあります（表示していません）。`,
    values: (values: number) => `ほか${number(values)}件`,
  },
};
