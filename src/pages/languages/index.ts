// The languages of the components of pages: the same as those of the pages.
import { type ComponentWords, en } from "./en.ts";
import { ja } from "./ja.ts";

const ALL: readonly ComponentWords[] = [en, ja];

/** The texts of a page, as far as a component asks: the tag of its language. */
export type InLanguage = { readonly tag: string };

/** The words of a language; of an unknown one, English. */
export const wordsIn = ({ tag }: InLanguage): ComponentWords => ALL.find((words) => words.tag === tag) ?? en;
