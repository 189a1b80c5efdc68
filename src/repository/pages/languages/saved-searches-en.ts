// English texts of files of hits and of saved searches (issue 26).
const number = (value: number): string => value.toLocaleString("en");

export const savedSearchesEn = {
  files: {
    all: (total: number) => (total === 1 ? "Download this item as" : `Download all ${number(total)} items as`),
    first: (most: number, total: number) => `Download the first ${number(most)} of ${number(total)} items as`,
    formats: { ris: "RIS", bibtex: "BibTeX", csl: "CSL-JSON", csv: "CSV" },
  },
};
