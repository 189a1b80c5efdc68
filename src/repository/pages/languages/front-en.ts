// English texts of the first page (Q.1 to Q.4).
const { format: number } = new Intl.NumberFormat("en-GB");

export const frontEn = {
  about: "A repository of research: papers, data and teaching material, kept for good under permanent names.",
  recent: "Recently added",
  empty: "Nothing has been published yet that you may see.",
  indexes: "Browse by index",
  allIndexes: "All indexes",
  communities: "Communities",
  mostUsed: "Most used this month",
  figures: "What is here",
  items: "Items",
  openItems: "Items with open files",
  people: "People",
  communityCount: "Communities",
  number,
  /** `at`: a time of day. */
  counted: "What everybody may see, counted at",
  count: (count: number) => (count === 1 ? "1 item" : `${number(count)} items`),
  allItems: "All items, newest first",
  browse: "More ways to what is here",
  next: "What to do next",
  steps: {
    signIn: ["Sign in", "with your organisation, a link or a token, to deposit and to see what is open to you."],
    register: ["Register", "to get an account for deposits."],
    deposit: ["Make the first deposit", "from a form, a file, or a DOI."],
    work: ["Open your work", "tasks, drafts and requests that wait for you."],
    tasks: ["Open the activities", "deposits that wait for a decision."],
    name: ["Set name and text", "of this repository, its logo and colours: they are settings."],
    index: ["Add the first index", "for items to be filed in."],
    community: ["Make a community", "for people who collect and review together."],
    itemType: ["Add an item type", "if the shipped one does not suit your material."],
    invite: ["Invite people", "by mail or by a link to sign in."],
  },
};
