// English words of the components of pages (R40), and the type of every language file. Another language is one more
// file next to en.ts and ja.ts, named in index.ts.

export type ComponentWords = typeof en;

export const en = {
  tag: "en",
  skip: "Skip to the content",
  languages: "Language",
  trail: "Where you are",
  /** Before the title of a page with errors. */
  error: "Error: ",
  problems: "There is a problem",
  required: "(required)",
  none: "Choose one",
  pages: "Pages of this list",
  page: (page: number) => `Page ${page}`,
  previous: "Previous page",
  next: "Next page",
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  /** Of an entry of a repeatable group, by what its entries are called: `{n}` is its number. */
  entry: (name: string) => `${name} {n}`,
  add: (name: string) => `Add: ${name}`,
  remove: "Remove",
  removeEntry: (name: string) => `Remove ${name} {n}`,
  up: "Up",
  upEntry: (name: string) => `Move ${name} {n} up`,
  down: "Down",
  downEntry: (name: string) => `Move ${name} {n} down`,
  added: (name: string) => `${name} {n} was added`,
  removed: (name: string) => `${name} {n} was removed`,
  moved: (name: string) => `${name} is now number {n}`,
  lookUp: "Look up",
  lookUpFor: (label: string) => `Look up: ${label}`,
  /** Of suggestions. */
  suggestions: (label: string) => `Suggestions for ${label}`,
  found: (count: number) => (count === 1 ? "1 suggestion" : `${count} suggestions`),
  notFound: "No suggestion. What you typed is kept.",
  keepTyped: "None of these: keep what I typed",
  percent: (percent: number) => `${percent}%`,
  cancel: "Cancel",
  loading: "Loading …",
};
