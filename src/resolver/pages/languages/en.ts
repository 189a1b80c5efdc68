// English texts of the resolver's pages (A38, A48), and the type of every language file. Another language is one more
// file next to en.ts and ja.ts, named in index.ts.
import type { CommitmentLevel } from "../../../ark/record.ts";

/** Texts by the number of a service error; there may be none for it. */
const byNumber = (texts: Readonly<Record<string, string>>) => texts;
const byLevel = (texts: Readonly<Record<CommitmentLevel, string>>) => texts;

export type Texts = typeof en;

export const en = {
  /** Language tag, also for `lang` and `Content-Language`. */
  tag: "en",
  /** For dates. */
  locale: "en-GB",
  /** The language's own name, for the link that switches to it. */
  ownName: "English",
  service: "ARK resolver",
  tagline: "Archival Resource Keys",
  footer: "An ARK is a name that is given once and never given again. Add ?info to any ARK to read what it identifies.",
  notRecorded: "not recorded",
  levels: byLevel({
    "not-guaranteed": "Not Guaranteed",
    "permanent-dynamic": "Permanent: Dynamic Content",
    "permanent-stable": "Permanent: Stable Content",
    "permanent-unchanging": "Permanent: Unchanging Content",
    "descriptive-only": "Descriptive Only",
  }),
  labels: {
    who: "Who",
    what: "What",
    when: "When",
    where: "Where",
    address: "Address to cite",
    redirect: "Current location",
    type: "Type",
    identifier: "Other identifier",
    format: "Format",
    relation: "Related to",
    source: "Source",
    updated: "Last updated",
    created: "Assigned",
    responsible: "Responsible",
    level: "Permanence",
    commitment: "Statement",
    policy: "Naming policy",
    policyPage: "Policy page",
    reason: "Reason",
    until: "Until",
    naan: "Name Assigning Authority Number",
  },
  name: {
    about: "Description",
    persistence: "Persistence",
    open: "Open the resource",
    noTarget: "No address is recorded for this resource. This description states what the name identifies.",
    unsafeTarget: "This resource has no web address; where it is kept is noted below.",
    untitled: "Untitled",
    otherForms: "This description as",
    /** The record that describes a name without a record. */
    inherited: (ark: string, suffix: string) => `Described by the record of ${ark}; the part asked for is ${suffix}.`,
    reserved: "This name is reserved and not published yet.",
  },
  tombstone: {
    badge: "No longer available",
    heading: "The resource is gone, its name stays",
    text: "The resource of this ARK can no longer be reached. The name and its description are kept, and the name will never be given to anything else.",
    page: "Read what happened",
  },
  hold: {
    badge: "On hold",
    heading: "Access is on hold",
    text: "For the time being this name does not lead to its resource. It will again when the hold ends.",
    scopes: {
      ark: "The hold concerns this name.",
      shoulder: "The hold concerns all names of this series.",
      naan: "The hold concerns all names of this organisation.",
    },
  },
  naan: {
    badge: "Name assigning authority",
    ours: "Names under this number are assigned and answered for here.",
    others: "Names under this number are answered for elsewhere; requests for them are passed on.",
    visit: "Go there",
    unnamed: "Unnamed organisation",
  },
  problem: {
    notFound: "No such name",
    badRequest: "That is not an ARK",
    requested: "You asked for",
    sentences: byNumber({
      "1001": "What follows ark: does not have the form of an ARK.",
      "1004": "This is longer than an ARK may be.",
      "1402": "No resource is known under this name.",
      "1403": "The check character at the end does not fit: there is probably a typing mistake in the name.",
      "1404": "Nobody here knows the organisation that this name belongs to.",
    }),
    otherwise: "This request could not be answered.",
    advice: [
      "Compare every character with the place you have it from. Upper and lower case make different names.",
      "Hyphens do not matter. The letters l and o are often mistaken for the digits 1 and 0.",
      "A name broken over two lines may have lost its end.",
    ],
    code: "Code",
    home: "Check another ARK",
  },
  front: {
    heading: "Where does this ARK lead?",
    intro: "Paste an ARK, or a web address that contains one.",
    field: "ARK",
    hint: "For example ark:99999/b1… or https://example.org/ark:/12345/x6np1wh8k",
    check: "Check",
    resolve: "Go",
    result: "Result",
    notAnArk: "This text holds no ARK. An ARK begins with ark: and a number, then a slash and a name.",
    canonical: "Canonical form",
    assigner: "Assigned by",
    assignerOurs: "answered for here",
    assignerKnown: "answered for elsewhere",
    assignerUnknown: "not known here; passed on to a global resolver",
    checkCharacter: "Check character",
    checkFits: "fits",
    checkWrong: "does not fit: check for a typing mistake",
    checkNone: "none is used here",
    outcome: "Outcome",
    leadsTo: "leads to",
    described: "is described here",
    notFound: "not found",
    whatHeading: "What is an ARK?",
    what: [
      "An Archival Resource Key names a thing, whether a document, a picture, a specimen or an idea, for as long as its keepers care for it.",
      "The number after ark: identifies the organisation that assigned the name. The name itself has no meaning, so it need not change when everything else does.",
      "Add ?info to an ARK to read its description, ?json to get it as data.",
    ],
    description: "Description",
    document: "Interface description",
  },
};
