// English texts of the page of an item that are not of its metadata: citing, versions side by side, related items.
export const itemEn = {
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Press Ctrl+C to copy",
  citeMore: "More styles, BibTeX and RIS",
};
