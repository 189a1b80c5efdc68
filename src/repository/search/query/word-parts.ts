// The words of a question by themselves (R27c): of a text without spaces those that a dictionary of the runtime tells
// apart, without particles and endings; of others the words without stop words.
import { isOfRun, wordsOfQuery } from "../document/tokens.ts";
import { isStopWord } from "./stop-words.ts";

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
const HIRAGANA = /^[\u3041-\u309f]+$/;
/** Kana alone are mostly particles and endings, unless there are several. */
const LEAST_KANA = 3;

/** Words of a term by themselves: of a text without spaces its words, without particles. */
export function partsOf(text: string): readonly string[] {
  const tokens = wordsOfQuery(text);
  if (!tokens.some(isOfRun)) return isStopWord(tokens.join("")) ? [] : [text];
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => {
    const isParticle = HIRAGANA.test(segment) && segment.length < LEAST_KANA;
    return isWordLike !== true || isParticle || KANA_STOPS.has(segment) ? [] : [segment];
  });
}
const KANA_STOPS: ReadonlySet<string> = new Set(
  "について において における に関する ください どのように どうして なぜ どこ いつ だれ とは 知り たい です ます こと もの ため よう 何 何か".split(
    " ",
  ),
);

/** Typed by itself, and neither a particle nor an ending: いじめ, すずめ. */
export const isHiraganaWord = (text: string): boolean =>
  text.length >= LEAST_KANA && HIRAGANA.test(text) && !KANA_STOPS.has(text);
