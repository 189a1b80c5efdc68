// Japanese texts of the page of an item that are not of its metadata: citing, versions side by side, related items.
import type { itemEn } from "./item-en.ts";

export const itemJa: typeof itemEn = {
  copy: "コピー",
  copied: "コピーしました",
  copyFailed: "Ctrl+C でコピーしてください",
  citeMore: "ほかの書式・BibTeX・RIS",
};
