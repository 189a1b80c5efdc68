// Citations as a processor of the Citation Style Language writes them: citeproc with the styles and English locale that
// citation-js brings. For tests only: its licence asks for more than that its text is kept.
import { plugins } from "@citation-js/core";
import "@citation-js/plugin-csl";
import type { CslItem } from "../../src/formats/csl/item.ts";

/** Our names of styles, and the plugin's. */
const TEMPLATES: Readonly<Record<string, string>> = {
  apa: "apa",
  "harvard-cite-them-right": "harvard1",
  vancouver: "vancouver",
};

export const PROCESSED_STYLES: readonly string[] = Object.keys(TEMPLATES);

type Engine = {
  readonly updateItems: (ids: readonly string[]) => void;
  readonly makeBibliography: () => readonly [unknown, readonly string[]];
};
type Plugin = { readonly engine: (items: readonly object[], template: string, lang: string, format: string) => Engine };

/** One citation in American English, without the number that a list gives it. */
export function processed(item: CslItem, style: string): string {
  // The plugin's types do not name what it offers to other plugins.
  const { engine } = plugins.config.get("@csl") as unknown as Plugin;
  const made = engine([structuredClone(item)], TEMPLATES[style] ?? style, "en-US", "text");
  made.updateItems([item.id]);
  const [, [text = ""]] = made.makeBibliography();
  return text.trim().replace(/^1\.\s+/, "");
}
