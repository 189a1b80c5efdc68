// Japanese texts of the viewers of PDF, archives and RO-Crates (R49).
import type { viewerPartsEn } from "./viewer-parts-en.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const viewerPartsJa: typeof viewerPartsEn = {
  kinds: { pdf: "PDFのページ" },
  pdf: {
    frame: (name: string) => `${name}のページ`,
    browser: "ブラウザーのビューアーで開く",
    browserHint: "スクリプトが有効な場合は、ここにページが表示されます。",
    text: (pages: number) => `最初の${number(pages)}ページのテキスト`,
    page: (page: number) => `${number(page)}ページ`,
  },
};
