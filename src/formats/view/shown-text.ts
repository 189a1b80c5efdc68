// Text of depositors as viewers show it (Q.82): every invisible character, and each that turns the text next to it
// round, is written as its number.
import { UNSEEN } from "../../model/files/file-names.ts";

const RUNS = new RegExp(`(?:${UNSEEN.source})+`, "gu");
/** Characters of one run that are written; of the others the number. */
const RUN_MOST = 16;

/** Tabs and line ends stay. */
export function shownText(text: string): string {
  return text.replace(RUNS, (run) => {
    if (run === "\t" || run === "\n") return run;
    let [written, count] = ["", 0];
    for (const each of run) {
      if (each === "\t" || each === "\n") written += each;
      else if (++count <= RUN_MOST) written += numberOf(each);
    }
    return count > RUN_MOST ? `${written}[… +${count - RUN_MOST}]` : written;
  });
}

const numberOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** The first characters of a text, and how many are left out; never half a character. */
export function cutText(text: string, most: number): { readonly text: string; readonly left: number } {
  if (text.length <= most) return { text, left: 0 };
  const isHalved = /[\uD800-\uDBFF]$/.test(text.slice(0, most));
  const cut = text.slice(0, isHalved ? most - 1 : most);
  return { text: cut, left: text.length - cut.length };
}
