// Japanese texts of files of hits and of saved searches (issue 26).
import type { savedSearchesEn } from "./saved-searches-en.ts";

const number = (value: number): string => value.toLocaleString("ja");

export const savedSearchesJa: typeof savedSearchesEn = {
  files: {
    all: (total) => `${number(total)}件すべてをダウンロード:`,
    first: (most, total) => `${number(total)}件のうち最初の${number(most)}件をダウンロード:`,
    formats: { ris: "RIS", bibtex: "BibTeX", csl: "CSL-JSON", csv: "CSV" },
  },
};
