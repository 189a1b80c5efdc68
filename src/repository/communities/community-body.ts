// A community as the records interface takes it (R6a, R37; reference 1.2, create_community).

import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, oneOf, optional, orNull, refined, trimmed } from "../../shared/fields.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import { normalForm } from "../../shared/text/text.ts";
import { type Community, REVIEW_POLICIES } from "../store/communities.ts";
import { COMMUNITY_DETAILS, type CommunityDetails, LINE_MAX, line } from "../store/community-details.ts";

const SLUG_MAX = 100;
const TYPE_MAX = 200;

const LETTERS = "The identifier should contain only letters, numbers, or dashes.";
const NO_UUID = "The ID must not be an Universally Unique IDentifier (UUID).";
const UUID = /^(?:urn:uuid:)?\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$/i;

/** What is wrong with a slug, in sentences; none where it will do. The specification: lower case, digits, hyphens. */
function slugProblems(slug: string): readonly string[] {
  if (UUID.test(slug)) return [NO_UUID];
  if (/^[a-z0-9-]+$/.test(slug)) return [];
  const near = normalForm(slug, "NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, SLUG_MAX);
  if (near === "" || UUID.test(near)) return [LETTERS];
  return [LETTERS, `Lower case letters, digits and hyphens: "${near}" would do.`];
}

/** A slug as every community has one; what new ones are refused by is `NEW_SLUG`. */
const SLUG = line(SLUG_MAX);
const NEW_SLUG = refined(SLUG, (slug, path) => {
  const problems = slugProblems(slug);
  if (problems.length > 0) throw faultSentence(path, ...problems);
  return slug;
});

const TYPE = object(
  { id: trimmed({ min: 1, max: TYPE_MAX, about: { description: "Entry of the vocabulary communitytypes" } }) },
  { others: "ignored" },
);

const TITLE = refined(line(LINE_MAX), (title) => title.replace(/\s+/g, " "));
const METADATA = object(
  {
    title: TITLE,
    /** The title in Japanese. */
    title_ja: optional(TITLE),
    type: optional(orNull(TYPE)),
    ...COMMUNITY_DETAILS,
  },
  { $id: "CommunityMetadata" },
);

const ACCESS = object(
  {
    visibility: optional(oneOf(["public", "restricted"])),
    members_visibility: optional(oneOf(["public", "restricted"])),
    member_policy: optional(oneOf(["open", "closed"])),
    /** The name that older clients have for `record_submission_policy`; it changes nothing. */
    record_policy: optional(oneOf(["open", "closed", "restricted"])),
    record_submission_policy: optional(oneOf(["open", "closed"])),
    review_policy: optional(oneOf(REVIEW_POLICIES)),
  },
  { $id: "CommunityAccess" },
);

const bodyWith = (slug: Field<string>, name: string) =>
  refined(object({ slug, metadata: METADATA, access: ACCESS }, { others: "ignored", $id: name }), inputOf);

/** A community as a client sends it. An absent member keeps its value, or has the default of a new community. */
export type CommunityInput = {
  readonly slug: string;
  readonly title: string;
  /** Null: it was not sent. */
  readonly titleJa: string | null;
  /** Id of the vocabulary communitytypes, "" for none. */
  readonly type: string;
  readonly details: CommunityDetails;
  readonly access: Partial<
    Pick<Community, "visibility" | "reviewPolicy" | "submissionPolicy" | "membersVisibility" | "memberPolicy">
  >;
};

function inputOf(sent: {
  readonly slug: string;
  readonly metadata: ReturnType<typeof METADATA.read>;
  readonly access: ReturnType<typeof ACCESS.read>;
}): CommunityInput {
  const { title, title_ja: titleJa = null, type, ...details } = sent.metadata;
  const { visibility, members_visibility, member_policy, record_submission_policy, review_policy } = sent.access;
  return {
    slug: sent.slug,
    title,
    titleJa,
    type: type?.id ?? "",
    details: withoutUndefined(details),
    access: withoutUndefined({
      visibility,
      membersVisibility: members_visibility,
      memberPolicy: member_policy,
      submissionPolicy: record_submission_policy,
      reviewPolicy: review_policy,
    }),
  };
}

export const NEW_COMMUNITY = bodyWith(NEW_SLUG, "NewCommunity");
/** The slug may have a form that new ones are refused: renaming changes it. */
export const CHANGED_COMMUNITY = bodyWith(SLUG, "ChangedCommunity");
export const RENAMED_COMMUNITY = object({ slug: NEW_SLUG }, { others: "ignored", $id: "RenamedCommunity" });
