// English texts of files of hits and of saved searches (issue 26).
const number = (value: number): string => value.toLocaleString("en");

export const savedSearchesEn = {
  files: {
    all: (total: number) => (total === 1 ? "Download this item as" : `Download all ${number(total)} items as`),
    first: (most: number, total: number) => `Download the first ${number(most)} of ${number(total)} items as`,
    formats: { ris: "RIS", bibtex: "BibTeX", csl: "CSL-JSON", csv: "CSV" },
  },
  save: {
    heading: "Save this search",
    name: "Name of the search",
    hint: "It is listed in your account, where it also gets a feed and mails about new items.",
    button: "Save",
    signIn: "Sign in to save this search",
  },
  heading: "Saved searches",
  intro: "Searches that you saved, each with a feed and, if you like, a mail when there are new items.",
  none: 'You have not saved a search. Search for something, then open "Save this search" below the items.',
  toSearch: "Search",
  mailOff: "This repository sends no mail, so nothing is sent about new items. Feeds work.",
  noAddress: "Your account has no mail address, so nothing is sent about new items. Feeds work.",
  all: "All items",
  name: "Name",
  frequency: "Mail about new items",
  frequencies: { never: "Never", daily: "Every day", weekly: "Every week" },
  change: "Save changes",
  remove: "Delete",
  make: "Make a feed",
  renew: "New address for the feed",
  end: "End the feed",
  feedThere: "It has a feed. Its address is shown only when it is made.",
  feedMade: "The address of the feed. It is secret, shows what you may read, and is shown only now:",
  feedTitle: (name: string) => `Saved search: ${name}`,
  done: {
    saved: "The search is saved.",
    changed: "The changes are saved.",
    removed: "The search is deleted, with its feed and its mails.",
    ended: "The feed has ended.",
  },
  stop: {
    heading: "End mails about a saved search",
    text: (name: string) => `No more mails are sent about new items of the search "${name}". The search stays.`,
    button: "End these mails",
    done: (name: string) => `No more mails are sent about the search "${name}".`,
    toSearches: "To your saved searches",
  },
};
