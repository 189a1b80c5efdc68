// BibTeX as another program reads it: citation-js.
import { plugins } from "@citation-js/core";
import "@citation-js/plugin-bibtex";

export type BibtexEntry = {
  readonly type: string;
  readonly label: string;
  /** As they are written. */
  readonly properties: Readonly<Record<string, string | number>>;
};

/** What values mean, as CSL names them. */
export type BibtexMeaning = {
  readonly title?: string;
  readonly author?: readonly { readonly family?: string; readonly given?: string; readonly literal?: string }[];
  readonly DOI?: string;
  readonly URL?: string;
};

const chained = (text: string, target: string): unknown =>
  plugins.input.chain(text, {
    target,
    generateGraph: false,
    maxChainLength: 10,
    strict: true,
    forceType: "@biblatex/text",
  });

/** Every entry of a document. Throws for a text that is not BibTeX. */
export const bibtexEntries = (text: string): readonly BibtexEntry[] =>
  // What the plugin calls by this name is a list of these.
  chained(text, "@biblatex/entries+list") as readonly BibtexEntry[];

export const bibtexMeanings = (text: string): readonly BibtexMeaning[] =>
  chained(text, "@csl/list+object") as readonly BibtexMeaning[];
