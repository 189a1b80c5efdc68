// A community as the records interface takes it (R6a, R37; reference 1.2, create_community).

import { bodyObject, bodyReading, partOf } from "../../model/input/body-reading.ts";
import { cleanHtml } from "../../shared/html/html-clean.ts";
import { isWebUrl } from "../../shared/http/web-url.ts";
import { most } from "../../shared/limits.ts";
import { normalForm } from "../../shared/text/text.ts";
import { type Community, type CommunityDetails, REVIEW_POLICIES } from "../store/communities.ts";

/** A community as a client sends it. An absent member keeps its value, or has the default of a new community. */
export type CommunityInput = {
  readonly slug: string;
  readonly title: string;
  /** Id of the vocabulary communitytypes, "" for none. */
  readonly type: string;
  readonly details: CommunityDetails;
  readonly access: Partial<Pick<Community, "visibility" | "reviewPolicy" | "submissionPolicy" | "membersVisibility">>;
};

const TITLE_MAX = 250;
const SLUG_MAX = 100;
const TYPE_MAX = 200;
const HTML_MAX = most("communityCharacters");
const WEBSITE_MAX = 2_000;
const ORGANIZATIONS_MAX = 100;
const NAME_MAX = 1_000;
const lengthOf = (max: number): string => `Field cannot be blank or longer than ${max} characters.`;

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

/** The slug of a body that renames. @throws Refusal `invalid`. */
export function slugOf(body: unknown): string {
  const reading = bodyReading();
  const slug = readSlug(reading, partOf(bodyObject(body), "slug"), null);
  reading.end();
  return slug;
}

/** `own`: the slug it has, which may be of a form that new ones are refused. */
function readSlug(reading: ReturnType<typeof bodyReading>, value: unknown, own: string | null): string {
  const slug = reading.text(value, "slug", { min: 1, max: SLUG_MAX, length: lengthOf(SLUG_MAX), required: true });
  if (slug === null || slug === own) return slug ?? "";
  const problems = slugProblems(slug);
  if (problems.length > 0) reading.fail("slug", ...problems);
  return slug;
}

const METADATA = ["title", "description", "type", "website", "curation_policy", "page", "organizations"];
const ACCESS = [
  "visibility",
  "members_visibility",
  "member_policy",
  "record_policy",
  "record_submission_policy",
  "review_policy",
];

/** @throws Refusal `invalid` naming every member that is wrong. */
export function communityInput(body: unknown, own: string | null = null): CommunityInput {
  const sent = bodyObject(body);
  const reading = bodyReading();
  const slug = readSlug(reading, partOf(sent, "slug"), own);
  const metadata = reading.object(partOf(sent, "metadata"), "metadata", { required: true, known: METADATA });
  const title = metadata === null ? null : titleIn(reading, metadata);
  const details = detailsIn(reading, metadata);
  const type = typeIn(reading, metadata);
  const access = accessIn(reading, reading.object(partOf(sent, "access"), "access", { required: true, known: ACCESS }));
  reading.end();
  return { slug, title: title ?? "", type, details, access };
}

function titleIn(reading: ReturnType<typeof bodyReading>, metadata: object): string | null {
  const rule = { min: 1, max: TITLE_MAX, length: lengthOf(TITLE_MAX), required: true };
  return reading.text(partOf(metadata, "title"), "metadata.title", rule)?.replace(/\s+/g, " ") ?? null;
}

function detailsIn(reading: ReturnType<typeof bodyReading>, metadata: object | null): CommunityDetails {
  const short = { min: 1, max: TITLE_MAX, length: lengthOf(TITLE_MAX) };
  const long = { max: HTML_MAX, length: `Field cannot be longer than ${HTML_MAX} characters.` };
  const description = reading.text(partOf(metadata, "description"), "metadata.description", short);
  const website = reading.text(partOf(metadata, "website"), "metadata.website", { max: WEBSITE_MAX });
  if (website !== null && website !== "" && !isWebUrl(website)) reading.fail("metadata.website", "Not a valid URL.");
  const policy = reading.text(partOf(metadata, "curation_policy"), "metadata.curation_policy", long);
  const page = reading.text(partOf(metadata, "page"), "metadata.page", long);
  return {
    ...(description === null ? {} : { description }),
    ...(website === null || website === "" ? {} : { website }),
    ...organizationsIn(reading, metadata),
    ...(policy === null ? {} : { curationPolicy: cleanHtml(policy) }),
    ...(page === null ? {} : { page: cleanHtml(page) }),
  };
}

/** Each by its id or its name. */
function organizationsIn(reading: ReturnType<typeof bodyReading>, metadata: object | null) {
  const field = "metadata.organizations";
  const list = reading.list(partOf(metadata, "organizations"), field, ORGANIZATIONS_MAX);
  if (list === null || list.length === 0) return {};
  const organizations = list.map((each, at) => {
    const one = reading.object(each, `${field}.${at}`, { required: true, known: ["id", "name"] });
    const rule = { min: 1, max: NAME_MAX };
    const id = reading.text(partOf(one, "id"), `${field}.${at}.id`, rule);
    const name = reading.text(partOf(one, "name"), `${field}.${at}.name`, rule);
    if (one !== null && id === null && name === null)
      reading.fail(`${field}.${at}`, "An existing id or a name must be present.");
    return { ...(id === null ? {} : { id }), ...(name === null ? {} : { name }) };
  });
  return { organizations };
}

function typeIn(reading: ReturnType<typeof bodyReading>, metadata: object | null): string {
  const value = partOf(metadata, "type");
  const type = value === null ? null : reading.object(value, "metadata.type");
  if (type === null) return "";
  const rule = { min: 1, max: TYPE_MAX, required: true };
  return reading.text(partOf(type, "id"), "metadata.type.id", rule) ?? "";
}

function accessIn(reading: ReturnType<typeof bodyReading>, access: object | null): CommunityInput["access"] {
  const choice = <T extends string>(name: string, choices: readonly T[]) =>
    reading.choice(partOf(access, name), `access.${name}`, choices);
  const visibility = choice("visibility", ["public", "restricted"]);
  const members = choice("members_visibility", ["public", "restricted"]);
  const submission = choice("record_submission_policy", ["open", "closed"]);
  const review = choice("review_policy", REVIEW_POLICIES);
  // Nobody asks to join here, whatever is sent; the other word of clients of old is that of `record_submission_policy`.
  choice("member_policy", ["open", "closed"]);
  choice("record_policy", ["open", "closed", "restricted"]);
  return {
    ...(visibility === null ? {} : { visibility }),
    ...(members === null ? {} : { membersVisibility: members }),
    ...(submission === null ? {} : { submissionPolicy: submission }),
    ...(review === null ? {} : { reviewPolicy: review }),
  };
}
