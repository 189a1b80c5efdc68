// English texts of the viewers of PDF, archives and RO-Crates (R49).
const { format: number } = new Intl.NumberFormat("en-GB");

export const viewerPartsEn = {
  kinds: { pdf: "PDF pages" },
  pdf: {
    frame: (name: string) => `Pages of ${name}`,
    browser: "Open the file with the viewer of the browser",
    browserHint: "Pages are shown here where scripts run.",
    text: (pages: number) => (pages === 1 ? "Text of the first page" : `Text of the first ${number(pages)} pages`),
    page: (page: number) => `Page ${number(page)}`,
  },
};
