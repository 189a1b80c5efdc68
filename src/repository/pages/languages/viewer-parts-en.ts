// English texts of the viewers of PDF, archives and RO-Crates (R49).
const { format: number } = new Intl.NumberFormat("en-GB");

export const viewerPartsEn = {
  kinds: { pdf: "PDF pages", zip: "Entries", crate: "RO-Crate" },
  pdf: {
    frame: (name: string) => `Pages of ${name}`,
    browser: "Open the file with the viewer of the browser",
    browserHint: "Pages are shown here where scripts run.",
    text: (pages: number) => (pages === 1 ? "Text of the first page" : `Text of the first ${number(pages)} pages`),
    page: (page: number) => `Page ${number(page)}`,
  },
  zip: {
    entries: (count: number) => (count === 1 ? "1 entry" : `${number(count)} entries`),
    first: (listed: number, count: number) =>
      `Only the first ${number(listed)} of ${number(count)} entries are listed.`,
    broken: (listed: number) => `The list of entries is damaged after entry ${number(listed)}.`,
    crate: "Show the RO-Crate in it as a tree",
    up: "Folder above",
    changed: "Changed",
    faults: {
      encrypted: "Encrypted: it opens with a password only",
      method: "Packed in a way that is not read here",
      broken: "Damaged, or its name leads out of the archive",
      "too-large": "It inflates to more than is read here",
    },
  },
  crate: {
    count: (entities: number) => (entities === 1 ? "1 entity" : `${number(entities)} entities`),
    others: "Not parts of it, but described",
    left: (entities: number) => `${number(entities)} more entities are not shown.`,
    values: (values: number) => `and ${number(values)} more`,
  },
};
