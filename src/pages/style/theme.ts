// The two colours that settings give the pages (R40): the accent of the light and of the dark scheme, for links, buttons
// and focus. Each must be readable where it is used (WCAG 2.2, 1.4.3 and 1.4.11).
import { DARK, LIGHT } from "./tokens.ts";

export type Theme = {
  /** `#rrggbb`; null: the one that is shipped. */
  readonly light: string | null;
  readonly dark: string | null;
};

const SCHEMES = { light: LIGHT, dark: DARK } as const;
const CONTRAST_LEAST = 4.5;
const INKS = ["#ffffff", "#000000"] as const;

/** Relative luminance of `#rrggbb`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** What the colour of a scheme cannot be read on, as a sentence; null where it can be used. */
export function colorProblem(color: string, scheme: keyof Theme): string | null {
  const { paper, card, tint } = SCHEMES[scheme];
  const [worst = 0, on = paper] = [paper, card, tint]
    .map((each) => [contrast(color, each), each] as const)
    .sort(([one], [other]) => one - other)[0] ?? [0, paper];
  if (worst >= CONTRAST_LEAST) return null;
  return `its contrast on the ${scheme} background ${on} is ${worst.toFixed(2)}, and must be at least ${CONTRAST_LEAST}`;
}

/** The colour of text on buttons: the one that can be read better. */
const inkOn = (color: string): string => (contrast(color, INKS[0]) >= contrast(color, INKS[1]) ? INKS[0] : INKS[1]);

const declared = (color: string): string => `:root{--accent:${color};--accent-ink:${inkOn(color)}}`;

/** A style sheet after the shipped one; empty where nothing is set. On paper all is black. */
export function themeStyle({ light, dark }: Theme): string {
  const inLight = light === null ? "" : `@media screen and (prefers-color-scheme:light){${declared(light)}}`;
  return dark === null ? inLight : `${inLight}@media screen and (prefers-color-scheme:dark){${declared(dark)}}`;
}
