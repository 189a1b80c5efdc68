// Names of people in Japanese, as reference managers write them: family name first, a space or a comma between.

const WRITTEN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ヶー]+$/u;

/** "山田 太郎" and "山田, 太郎" as parts; null for a name that is not written in Japanese, or in one piece. */
export function japaneseName(name: string): { readonly family: string; readonly given: string } | null {
  const [family = "", given = "", ...more] = name
    .trim()
    .split(/[\s\u3000,，、]/u)
    .filter((part) => part !== "");
  return more.length === 0 && WRITTEN.test(family) && WRITTEN.test(given) ? { family, given } : null;
}
