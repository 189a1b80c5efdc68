// English texts of the pages where people let programs act for them, and end that (R30).
import type { ToolScope } from "../../tools/tool.ts";

type ScopeTexts = Readonly<Record<ToolScope, { readonly name: string; readonly text: string }>>;
const scopes = (texts: ScopeTexts) => texts;

export const consentEn = {
  heading: "Allow this program to use your account?",
  program: "Program",
  nameless: "A program without a name",
  describedAt: "Described at",
  answerTo: "The answer goes to",
  resource: "It may use",
  account: "Your account",
  otherAccount: "Use another account",
  onDevice: "a program on this device",
  warnings: {
    registered:
      "Nobody here has checked this program, and it chose its name itself. Allow it only if you asked for this connection just now, in a program you trust.",
    document: (host: string) =>
      `The operator of ${host} chose the name of this program. Allow it only if you trust that host, and asked for this connection just now.`,
    machine:
      "The answer goes to a program on this device, and any program that runs here could be the one that asks. Allow it only if you started it yourself.",
    administrator:
      "You are an administrator: what you allow here reaches the records of everybody, as your own rights do.",
  },
  /** Before what a scope of the tool servers allows. */
  byProgram: "Through the tool servers",
  scopesHeading: "What it may do",
  always: "always",
  scopes: scopes({
    "mcp:read": {
      name: "Read",
      text: "see what you see: your records, drafts and files, the requests you take part in, your name and mail address",
    },
    "mcp:write": {
      name: "Change",
      text: "in your name: make and change drafts, upload and delete their files, publish, make new versions, submit to communities, comment",
    },
    "mcp:curate": {
      name: "Decide",
      text: "as far as you may: accept and decline requests, make communities, withdraw published records and restore them",
    },
  }),
  implied: "Deciding includes changing: choose both, or leave both out.",
  less: "You can allow less than the program asks for: untick what it need not do.",
  expired: "This form has ended, or what the program asks for has changed. Read it once more before you decide.",
  lasts: (days: number) =>
    `It lasts until you end it, or until the program has not used it for ${days} days. You can end it at any time:`,
  lastsWithToken: "You signed in with a token: what you allow ends with that token at the latest.",
  where: "Programs you allowed",
  refuse: "Refuse",
  allow: "Allow",
  againHeading: "Sign in again",
  againText: "The program asks that you sign in again before you decide.",
  againButton: "Sign in again",
  grantsHeading: "Programs you allowed",
  grantsIntro: "These programs may use the repository in your name. End what you do not need: it stops at once.",
  noGrants: "You have not allowed any program to use your account.",
  since: "Since",
  lastUsed: "Last used",
  neverUsed: "never",
  uses: "Uses",
  mayDo: "What it may do",
  end: "End",
  tabs: "Your account",
};
