// English texts of the pages on which people close their account (R33).
export const closingEn = {
  heading: "Close your account",
  prevents: "First",
  drafts: "Discard these drafts, or transfer them to somebody else:",
  draft: (id: number) => `Draft ${id}`,
  communities: "You are the only owner of these communities. Make somebody else an owner:",
  lastAdministrator: "You are the last system administrator. Make somebody else one.",
  staysHeading: "What stays",
  stays: (items: string) =>
    `Your published records stay (${items}), with the names in them. Your comments and decisions stay too; they are shown under “Closed account”.`,
  goesHeading: "What is deleted or ends",
  goes: {
    sessions: (count: string) => `Sessions: ${count}`,
    tokens: (count: string) => `Access tokens: ${count}`,
    grants: (count: string) => `Programs that you allowed something: ${count}`,
    groups: (count: string) => `Memberships of groups: ${count}`,
    communities: (count: string) => `Memberships of communities: ${count}`,
    shares: (count: string) => `Records of others that are shared with you: ${count}`,
  },
  alsoGoes: "Links that you made, notices, your name, mail address and ORCID iD in this account",
  final: "This cannot be undone. Nobody can sign in to this account again, and its number is never given to another.",
  confirm: (text: string) => `Type ${text} to confirm`,
  problem: (text: string) => `Type exactly ${text}`,
  button: "Close the account for good",
  exportFirst: "Download everything stored about you first",
  closedHeading: "Your account is closed",
  closedText: "You are signed out everywhere. Thank you for what you deposited here.",
};
