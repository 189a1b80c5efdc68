// Text as a value of BibTeX: the special characters of TeX are escaped, everything else stays as it is in Unicode.
import { oneLine } from "../csl/one-line.ts";

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "\\&",
  "%": "\\%",
  $: "\\$",
  _: "\\_",
  "#": "\\#",
  "{": "\\{",
  "}": "\\}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "\\": "\\textbackslash{}",
};

/**
 * Braces of the text itself are escaped too; readers that count them need them in pairs, so an unpaired one is omitted.
 */
export function texText(text: string): string {
  const line = oneLine(text);
  const unpaired = unpairedBraces(line);
  let written = "";
  let at = 0;
  for (const character of line) {
    written += unpaired.has(at) ? "" : (ESCAPED[character] ?? character);
    at += character.length;
  }
  return written.trim();
}

function unpairedBraces(text: string): ReadonlySet<number> {
  const unpaired = new Set<number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "{") open.push(at);
    else if (text[at] === "}" && open.pop() === undefined) unpaired.add(at);
  }
  for (const at of open) unpaired.add(at);
  return unpaired;
}

/**
 * An address or a DOI, which readers take as written. White space and what would end the value are percent-encoded.
 */
export const texAddress = (address: string): string =>
  oneLine(address).replace(/[{}\\\s]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
