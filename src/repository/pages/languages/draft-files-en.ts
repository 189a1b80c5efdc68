// English texts of the files of a draft (R43): order, access, undo, archives.
const { format: number } = new Intl.NumberFormat("en-GB");

export const draftFilesEn = {
  limits: (size: string, count: number, left: number) =>
    `A file has at most ${size}. A record has at most ${number(count)} files: ${number(left)} more can be added.`,
  names:
    "Names may be in any script, with folders. They have no empty part, no control characters and no characters that reverse text; two names that look the same are one.",
  fixed:
    "Until the draft is published, files can be replaced and removed. Afterwards the files of this version stay as they are.",
  access: "Who may have it",
  actions: "Actions",
  up: "Up",
  down: "Down",
  first: "Show first",
  unset: "Do not show first",
  isFirst: "Shown first",
  edit: "Edit",
  pending: "Uploads that are not complete",
  pendingText: "Choose the same file again to continue.",
  arrived: (percent: string) => `${percent} has arrived`,
  waiting: "Nothing has arrived yet",
  failed: "Failed",
  removed: "Removed files",
  removedText: "They can be put back for a week, until the draft is published or discarded.",
  putBack: "Put back",
  unpack: "Unpack",
  unpackText:
    "The files in this archive take its place, with their folders and its access: all of them, or none. The archive can be put back.",
  rules: {
    open: "Everybody who may read the record",
    date: "Everybody who may read the record, from a day on",
    login: "People who are signed in",
    groups: "Members of groups",
    closed: "Nobody but those who look after the record",
  },
  description: "Description",
  until: "Opens on",
  untilHint: "Year-month-day, such as 2027-04-01. It opens by itself on that day.",
  groups: "Groups",
  noGroup: "Choose at least one group.",
  wrongDay: "Write the day as year-month-day, such as 2027-04-01.",
  wrongRule: "Choose who may have the file.",
  tooLong: "The description is too long.",
  save: "Save",
  back: "Back to the files",
  replace: "Replace",
  replaceText:
    "Another file takes the place of this one, with its name, description and access. The present one can be put back.",
  newFile: "New file",
  commands: (id: number) => `Or from the command line, which suits files above 2 GiB (this draft is number ${id}):`,
};
