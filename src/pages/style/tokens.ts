// Design tokens (R40): colours, spacing, type and focus, once for the light and once for the dark scheme. Everything
// else of the style sheet uses them.

/** Colours of a scheme. Text on `paper`, `card` and the tints has a contrast of at least 4.5, `edge` of at least 3. */
type Palette = Readonly<
  Record<
    | "paper"
    | "card"
    | "ink"
    | "soft"
    | "line"
    | "edge"
    | "accent"
    | "accent-ink"
    | "tint"
    | "good"
    | "good-tint"
    | "warn"
    | "warn-tint"
    | "gone"
    | "gone-tint",
    string
  >
>;

export const LIGHT: Palette = {
  paper: "#fbfaf7",
  card: "#ffffff",
  ink: "#23262b",
  soft: "#5a6069",
  line: "#e4e0d8",
  edge: "#82868d",
  accent: "#1f5f6b",
  "accent-ink": "#ffffff",
  tint: "#eef4f4",
  good: "#2b6331",
  "good-tint": "#edf5ec",
  warn: "#7d5110",
  "warn-tint": "#fbf3e3",
  gone: "#9a2f2f",
  "gone-tint": "#f8eeee",
};

export const DARK: Palette = {
  paper: "#15181b",
  card: "#1c2024",
  ink: "#e6e4df",
  soft: "#a3aab2",
  line: "#2f353b",
  edge: "#7c848d",
  accent: "#7cc4cf",
  "accent-ink": "#10292d",
  tint: "#1d2b2e",
  good: "#93cf98",
  "good-tint": "#1c2a1e",
  warn: "#e2b866",
  "warn-tint": "#2b2418",
  gone: "#f0a5a5",
  "gone-tint": "#2c2020",
};

/** As the declarations of custom properties. */
const declared = (palette: Readonly<Record<string, string>>): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");

const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace';
const SANS =
  'system-ui,-apple-system,"Segoe UI","Hiragino Sans","Hiragino Kaku Gothic ProN","Noto Sans JP","Noto Sans CJK JP","Yu Gothic UI",Meiryo,sans-serif';

export const TOKENS = `
:root {
  color-scheme: light dark;
  ${declared(LIGHT)};
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2.25rem;
  --small: .875rem; --body: 1rem; --large: 1.15rem; --title: clamp(1.5rem, 1.2rem + 1.6vw, 2.1rem);
  --sans: ${SANS};
  --mono: ${MONO};
  --round: .5rem;
  --thin: .0625rem;
  --target: 2.75rem;
  --width: 70rem;
  --text: 42rem;
  --ring: .1875rem;
}
@media (prefers-color-scheme: dark) { :root { ${declared(DARK)} } }
@media (prefers-contrast: more) {
  :root { --ink: #000; --soft: #2b2f35; --line: #6b7078; --edge: #000; --ring: .25rem }
}
@media (prefers-contrast: more) and (prefers-color-scheme: dark) {
  :root { --ink: #fff; --soft: #dfe2e6; --line: #9ba1a8; --edge: #fff }
}
`;
