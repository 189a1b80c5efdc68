// What a community states about itself (R6a, R37): one field for each member. The body of a request, what is stored,
// answers, the interface description, the client and the tools take the members from here.
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, optional, refined, sequenceOf, trimmed, type ValueOf } from "../../shared/fields.ts";
import { cleanHtml } from "../../shared/html/html-clean.ts";
import { isWebUrl } from "../../shared/http/web-url.ts";
import { most } from "../../shared/limits.ts";

const WEBSITE_MAX = 2_000;
const ORGANIZATIONS_MAX = 100;
const NAME_MAX = 1_000;
const HTML_MAX = most("communityCharacters");

/** Text of one line that is there: a title, a description. */
export const LINE_MAX = 250;
export const line = (max: number): Field<string> =>
  trimmed({ min: 1, max, sentence: `Field cannot be blank or longer than ${max} characters.` });

/** HTML, cleaned. */
const html = (description: string): Field<string> =>
  refined(
    trimmed({
      max: HTML_MAX,
      sentence: `Field cannot be longer than ${HTML_MAX} characters.`,
      about: { description: `HTML: ${description}` },
    }),
    (text) => cleanHtml(text),
  );

const WEBSITE = refined(trimmed({ max: WEBSITE_MAX }), (website, path) => {
  if (website === "") return undefined;
  if (!isWebUrl(website)) throw faultSentence(path, "Not a valid URL.");
  return website;
});

const ORGANIZATION = refined(
  object({
    id: optional(trimmed({ min: 1, max: NAME_MAX })),
    name: optional(trimmed({ min: 1, max: NAME_MAX })),
  }),
  (organization, path) => {
    if (organization.id === undefined && organization.name === undefined) {
      throw faultSentence(path, "An existing id or a name must be present.");
    }
    return organization;
  },
);

/** The members of the metadata of a community, next to its title and type. */
export const COMMUNITY_DETAILS = {
  description: optional(line(LINE_MAX)),
  website: optional(WEBSITE),
  organizations: optional(
    refined(sequenceOf(ORGANIZATION, ORGANIZATIONS_MAX), (all) => (all.length === 0 ? undefined : all)),
  ),
  curation_policy: optional(html("who may submit what")),
  page: optional(html("the page about the community")),
};

type Details = typeof COMMUNITY_DETAILS;
export type CommunityDetails = { readonly [K in keyof Details]?: Exclude<ValueOf<Details[K]>, undefined> };
