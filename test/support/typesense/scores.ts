// The score of a hit, text_match, composed as the recorded ones are, and its text_match_info.

const WEIGHT_OF_FIRST_FIELD = 15n;
const NO_TYPO = 255;
const SCORED_WORDS = 10;

/** q without a word, or found inside words. */
export const WITHOUT_WORDS = 100n;
/** q of phrases alone. */
export const PHRASES_ALONE = 100_015n;
/** q of hundreds of words. */
export const TOO_LONG = 1n;

export type FieldMatch = {
  readonly words: number;
  /** How far the first found word lies from the last. */
  readonly span: number;
  readonly isWhole: boolean;
  /** 0 exact, 1 the beginning of a word, 2 a letter amiss. */
  readonly amiss: number;
};

function fieldScore({ words, span, isWhole, amiss }: FieldMatch): bigint {
  const parts: readonly (readonly [number, bigint])[] = [
    [Math.min(words, SCORED_WORDS), 40n],
    [words, 32n],
    [NO_TYPO - amiss, 24n],
    [100 - Math.max(span, words - 1), 16n],
    [isWhole ? 1 : 0, 8n],
  ];
  return parts.reduce((sum, [value, shift]) => sum + (BigInt(value) << shift), 0n);
}

export function textMatch(words: number, fields: readonly FieldMatch[]): bigint {
  // Math.max takes no bigint.
  const [best = 0n] = fields.map(fieldScore).sort((a, b) => (a < b ? 1 : -1));
  return (BigInt(words) << 59n) | (best << 11n) | (WEIGHT_OF_FIRST_FIELD << 3n) | BigInt(fields.length);
}

export function matchInfo(score: bigint, asked: number): object {
  const best = (score >> 11n) & ((1n << 48n) - 1n);
  const matched = Number(score >> 59n);
  return {
    best_field_score: String(best),
    best_field_weight: Number((score >> 3n) & 255n),
    fields_matched: Number(score & 7n),
    num_tokens_dropped: asked - matched,
    score: String(score),
    tokens_matched: matched,
    typo_prefix_score: 255 - Number((best >> 24n) & 255n),
  };
}
