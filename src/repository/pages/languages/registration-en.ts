// English texts of the pages on which people register (R33).
export const registrationEn = {
  heading: "Make an account",
  link: "Make an account",
  intro: (domains: string) =>
    `People with a mail address of these domains can make an account: ${domains}. You receive a mail with a link.`,
  invitationOnly: "Accounts are made by invitation. Ask the people who run this repository for one.",
  mail: "Mail address",
  name: "Name",
  nameHint: "As others see it. You can change it later.",
  ask: "Send me the link",
  sentHeading: "Look into your mailbox",
  sentText:
    "If this address may register, we send a mail with a link. It works once, within 24 hours. Nothing came? Look into the folder for spam, or ask again tomorrow.",
  confirmHeading: "Make your account",
  confirmText: (mail: string) => `Your account will have the address ${mail}.`,
  confirm: "Make the account and sign in",
  problems: {
    mail: "Enter your mail address, such as hanako@example.org, with letters of one script",
    domain: (domains: string) => `Enter an address of one of these domains: ${domains}`,
    name: "Enter a name of at most 200 characters",
  },
  below: (domain: string) => `${domain} and below it`,
};
