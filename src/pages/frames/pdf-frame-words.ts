// The words of the frame that shows a PDF (Q.101), in the languages of the pages.

export type PdfFrameWords = typeof en;

const en = {
  tag: "en",
  title: "PDF",
  loading: "Loading …",
  previous: "Previous page",
  next: "Next page",
  page: "Page",
  /** Next to the field of the page: `{n}` is how many there are. */
  of: "of {n}",
  smaller: "Smaller",
  larger: "Larger",
  fit: "Fit the width",
  /** Of a page, for readers who do not see it. */
  pageNumber: "Page {n}",
  locked: "This PDF opens with a password only. Download it to open it.",
  broken: "This PDF cannot be read: it is damaged, or not a PDF.",
  away: "The file could not be loaded. Load the page again.",
};

const ja: PdfFrameWords = {
  tag: "ja",
  title: "PDF",
  loading: "読み込み中…",
  previous: "前のページ",
  next: "次のページ",
  page: "ページ",
  of: "/ {n}",
  smaller: "縮小",
  larger: "拡大",
  fit: "幅に合わせる",
  pageNumber: "{n} ページ",
  locked: "このPDFを開くにはパスワードが必要です。ダウンロードして開いてください。",
  broken: "このPDFは読み取れません。壊れているか、PDFではありません。",
  away: "ファイルを読み込めませんでした。ページを再読み込みしてください。",
};

/** English where there are no words in that language. */
export const pdfFrameWords = (tag: string): PdfFrameWords => (tag === "ja" ? ja : en);
