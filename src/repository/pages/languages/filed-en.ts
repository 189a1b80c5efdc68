// English texts of the pages of subjects, funders, licences and people.
const { format: number } = new Intl.NumberFormat("en-GB");

export const filedEn = {
  kinds: { subjects: "Subjects", funders: "Funders", licences: "Licences" },
  about: {
    subjects: "What items are about, the most frequent first.",
    funders: "Who paid for the work that items come from, those with the most items first.",
    licences: "The terms under which items may be used, those with the most items first.",
  },
  count: (items: number) => (items === 1 ? "1 item" : `${number(items)} items`),
  begins: "Begins with",
  show: "Show",
  none: "There are none.",
  more: "These are the most frequent ones. Type how others begin to find them.",
  items: "Items",
  search: "Search these items",
  feed: "Feed of these items",
  scheme: "Scheme",
  described: "Described at",
  /** After a value of an item: the page of all items with it. */
  filed: "All items",
  people: {
    heading: "People",
    about: "People whose work is here, those with the most items first.",
    name: "Name",
    hint: "How a name begins, family or given name first, in any script; or an ORCID iD",
    nobody: "Nobody was found whose work is here.",
    more: "These are the people with the most items. Type a name to find others.",
    byKind: "By type",
    byYear: "By year",
    coauthors: "Works with",
    coauthorsNote: "People who appear in the same items, those with the most items in common first.",
  },
};
