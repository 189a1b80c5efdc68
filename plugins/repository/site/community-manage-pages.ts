// Pages on which communities are made and looked after (R37, R40): each form is one call of the interface's use cases.

import { MEMBER_ROLES } from "../../../src/auth/account.ts";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { may } from "../../../src/model/rights/policy.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import {
  CHANGED_COMMUNITY,
  NEW_COMMUNITY,
  RENAMED_COMMUNITY,
} from "../../../src/repository/communities/community-body.ts";
import type { CommunityJson } from "../../../src/repository/communities/community-json.ts";
import { refusalProblem } from "../../../src/repository/pages/refusal-words.ts";
import {
  COMMUNITY_FIELDS,
  type CommunityField,
  deleteCommunityPage,
  newCommunityPage,
  type SettingsView,
  settingsPage,
} from "../../../src/repository/pages/templates/community-manage-pages.ts";
import { titleIn } from "../../../src/repository/pages/templates/layout.ts";
import { typedHtml } from "../../../src/repository/requests/comment-body.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, type Reader, redirectTo } from "./answers.ts";
import { COMMUNITY, type CommunityPagesNeeds, factsOf, headOf } from "./community-pages.ts";
import {
  AFTER_FORM,
  FORBIDDEN,
  FORM_AGAIN,
  form,
  GONE,
  html,
  mountPages,
  NOT_FOUND,
  SIGN_IN,
  UNKEPT,
} from "./page-routes.ts";

export type CommunityManagePagesNeeds = CommunityPagesNeeds & {
  /** Entries of the vocabulary communitytypes. */
  readonly communityTypes: () => Promise<
    readonly { readonly id: string; readonly title: { readonly en: string; readonly ja: string } }[]
  >;
};

const NEW = "/community/new";
const SETTINGS = "/communities/:community/settings";
const RENAME = "/communities/:community/rename";
const DELETE = "/communities/:community/delete";
const IN_SESSION = { ...UNKEPT, ...SIGN_IN, ...FORBIDDEN, ...NOT_FOUND, ...GONE };
const SENT = { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND, ...GONE };
const FIELDS = Object.fromEntries(COMMUNITY_FIELDS.map((name) => [name, `As \`${name}\` of the interface, as text`]));

const { get, post } = routesOf<CommunityManagePagesNeeds>();

const ROUTES = [
  get(NEW, {
    id: "newCommunityPage",
    summary: "The form of a new community",
    scopes: "session",
    answers: { ...UNKEPT, ...SIGN_IN },
    run: newForm,
  }),
  post(NEW, {
    id: "createCommunityByForm",
    summary: "Make a community",
    scopes: "session",
    content: form(FIELDS),
    answers: { ...AFTER_FORM, ...FORM_AGAIN },
    run: create,
  }),
  get(SETTINGS, {
    id: "communitySettingsPage",
    summary: "The settings of a community, for its owners",
    scopes: "session",
    parameters: [COMMUNITY, queryParameter("done", "What was done by a form", { type: "string" })],
    answers: IN_SESSION,
    run: (needs, request, { community }) => settings(needs, request, community),
  }),
  post(SETTINGS, {
    id: "saveCommunityByForm",
    summary: "Save the settings of a community",
    scopes: "session",
    parameters: [COMMUNITY],
    content: form({ ...FIELDS, base: "The revision that the form shows" }),
    answers: { ...SENT, 412: html("Somebody else has changed it since: the form again") },
    run: (needs, request, { community }) => save(needs, request, community),
  }),
  post(RENAME, {
    id: "renameCommunityByForm",
    summary: "Give a community another short name",
    scopes: "session",
    parameters: [COMMUNITY],
    content: form({ slug: "The short name" }),
    answers: SENT,
    run: (needs, request, { community }) => rename(needs, request, community),
  }),
  get(DELETE, {
    id: "deleteCommunityPage",
    summary: "Whether a community is to be deleted, and what stays",
    scopes: "session",
    parameters: [COMMUNITY],
    answers: IN_SESSION,
    run: (needs, request, { community }) => askDelete(needs, request, community),
  }),
  post(DELETE, {
    id: "deleteCommunityByForm",
    summary: "Delete a community",
    scopes: "session",
    parameters: [COMMUNITY],
    content: form({ confirm: "Its short name" }),
    answers: SENT,
    run: (needs, request, { community }) => remove(needs, request, community),
  }),
];

export const communityManagePages = (needs: CommunityManagePagesNeeds) =>
  mountPages("community-manage-pages", ROUTES, needs, null);

type Values = SettingsView["values"];
type Fields = ReadonlyMap<string, string>;

const PLAIN: Values = {
  ...{ slug: "", title: "", title_ja: "", description: "", type: "", website: "", organizations: "", page: "" },
  ...{ curation_policy: "", visibility: "public", members_visibility: "public", member_policy: "open" },
  ...{ record_submission_policy: "open", review_policy: "closed" },
};

/** What was typed; what the form does not have is as `before`. */
const typedValues = (fields: Fields, before: Values): Values => {
  const typed = COMMUNITY_FIELDS.map((name) => [name, fields.get(name) ?? before[name]]);
  // The keys of the table, each with a text.
  return Object.fromEntries(typed) as Record<CommunityField, string>;
};

function valuesOf({ slug, metadata, access }: CommunityJson): Values {
  const organizations = (metadata.organizations ?? []).map(({ name = "", id = "" }) =>
    id === "" ? name : `${name} | ${id}`,
  );
  return {
    slug,
    title: metadata.title,
    title_ja: metadata.title_ja ?? "",
    description: metadata.description ?? "",
    type: metadata.type?.id ?? "",
    website: metadata.website ?? "",
    organizations: organizations.join("\n"),
    page: metadata.page ?? "",
    curation_policy: metadata.curation_policy ?? "",
    ...access,
  };
}

const unlessBlank = (name: string, value: string): object => (value.trim() === "" ? {} : { [name]: value.trim() });

/** The body of the interface. */
function bodyOf(values: Values): object {
  const organizations = values.organizations.split(/\r\n|\r|\n/).flatMap((line) => {
    const [name = "", id = ""] = line.split("|", 2);
    return line.trim() === "" ? [] : [{ ...unlessBlank("name", name), ...unlessBlank("id", id) }];
  });
  const { visibility, members_visibility, member_policy, record_submission_policy, review_policy } = values;
  const titleJa = values.title_ja.trim() || values.title;
  return {
    slug: values.slug,
    metadata: {
      title: values.title,
      ...unlessBlank("title_ja", titleJa),
      ...unlessBlank("description", values.description.replace(/\s+/g, " ")),
      ...(values.type === "" ? {} : { type: { id: values.type } }),
      ...unlessBlank("website", values.website),
      ...(organizations.length === 0 ? {} : { organizations }),
      ...unlessBlank("page", writtenHtml(values.page)),
      ...unlessBlank("curation_policy", writtenHtml(values.curation_policy)),
    },
    access: { visibility, members_visibility, member_policy, record_submission_policy, review_policy },
  };
}

/** Elements that stay in the text of a community. */
const ELEMENT = /<\/?(?:p|br|b|i|em|strong|a|ul|ol|li|code|pre|blockquote)[\s/>]/i;

/** Text without any of these elements is shown as it was typed. */
const writtenHtml = (text: string): string => (ELEMENT.test(text) ? text : typedHtml(text));

/** `metadata.organizations.0.name`: the field organizations. */
function fieldOf(name: string): CommunityField | null {
  const parts = name.split(".");
  return COMMUNITY_FIELDS.find((field) => parts.includes(field)) ?? null;
}

/** What is wrong with the fields of the form, in the words of the interface. */
function problemsOf({ message, detail }: Refusal, { texts }: Reader["site"]): readonly FieldProblem[] {
  const { errors } = detail;
  const found: readonly { readonly field: string; readonly messages: readonly string[] }[] = Array.isArray(errors)
    ? errors
    : [];
  if (found.length === 0) return [refusalProblem(null, message, texts)];
  return found.flatMap(({ field, messages }) => messages.map((each) => refusalProblem(fieldOf(field), each, texts)));
}

async function typesIn(needs: CommunityManagePagesNeeds, tag: string) {
  return (await needs.communityTypes()).map(({ id, title }) => ({ value: id, label: titleIn(title, tag) || id }));
}

async function newForm(needs: CommunityManagePagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(NEW));
  return await newAnswer(needs, request, reader, PLAIN, []);
}

async function newAnswer(
  needs: CommunityManagePagesNeeds,
  request: Request,
  { site }: Reader,
  values: Values,
  problems: readonly FieldProblem[],
): Promise<Response> {
  const view = { values, types: await typesIn(needs, site.texts.tag), problems };
  const status = problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, newCommunityPage(view, site), { status, cacheable: false });
}

async function create(needs: CommunityManagePagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const values = typedValues(fields, PLAIN);
  try {
    const made = await needs.communities.create(reader.viewer, sentRecord(NEW_COMMUNITY, bodyOf(values)));
    return redirectTo(reader.site.rootPath, `/communities/${made.slug}?done=made`);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "invalid") throw error;
    return await newAnswer(needs, request, reader, values, problemsOf(error, reader.site));
  }
}

/** Owners and administrators. @throws Refusal `not_found`, `gone`, `forbidden` */
export async function ownedCommunity(
  needs: CommunityManagePagesNeeds,
  { viewer }: Reader,
  named: string,
): Promise<CommunityJson> {
  const community = await needs.communities.read(viewer, named);
  if (!may(viewer, "community.change", factsOf(community))) throw new Refusal("forbidden", "Permission denied.");
  return community;
}

/** The person signed in, or where guests are sent. */
async function openInSession(
  needs: CommunityManagePagesNeeds,
  request: Request,
  path: string,
): Promise<Reader | Response> {
  const reader = await openPage(needs, request, "account");
  return reader.signedIn === null ? redirectTo(reader.site.rootPath, signInPath(path)) : reader;
}

export const pathOf = (named: string, rest: string): string => `/communities/${encodeURIComponent(named)}/${rest}`;

/** Outcomes of forms that lead to the settings. */
const DONE = ["saved", "renamed", "logo", "unlogo"] as const;

async function settings(needs: CommunityManagePagesNeeds, request: Request, named: string): Promise<Response> {
  const reader = await openInSession(needs, request, pathOf(named, "settings"));
  if (reader instanceof Response) return reader;
  const community = await ownedCommunity(needs, reader, named);
  const asked = new URL(request.url).searchParams.get("done");
  const done = DONE.find((each) => each === asked) ?? null;
  return await settingsAnswer(needs, request, reader, community, { done });
}

export async function settingsAnswer(
  needs: CommunityManagePagesNeeds,
  request: Request,
  reader: Reader,
  community: CommunityJson,
  more: Partial<Pick<SettingsView, "values" | "problems" | "done">> & { readonly status?: number },
): Promise<Response> {
  const { site } = reader;
  const { status = 200, ...shown } = more;
  const view = {
    head: await headOf(needs, reader, community),
    types: await typesIn(needs, site.texts.tag),
    values: valuesOf(community),
    base: community.revision_id,
    ...{ done: null, problems: [], ...shown },
  };
  return await htmlAnswer(request, site, settingsPage(view, site), { status, cacheable: false });
}

async function save(needs: CommunityManagePagesNeeds, request: Request, named: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { viewer, site } = reader;
  const before = await ownedCommunity(needs, reader, named);
  const values = { ...typedValues(fields, valuesOf(before)), slug: before.slug };
  const base = fields.get("base") ?? "";
  try {
    const body = sentRecord(CHANGED_COMMUNITY, bodyOf(values));
    await needs.communities.update(viewer, before.id, body, base === "" ? null : [base]);
    return redirectTo(site.rootPath, pathOf(before.slug, "settings?done=saved"));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind !== "invalid" && error.kind !== "precondition") throw error;
    const isOld = error.kind === "precondition";
    const problems = isOld
      ? [{ field: null, text: site.texts.community.form.changedElsewhere }]
      : problemsOf(error, site);
    return await settingsAnswer(needs, request, reader, before, { values, problems, status: isOld ? 412 : 400 });
  }
}

async function rename(needs: CommunityManagePagesNeeds, request: Request, named: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const before = await ownedCommunity(needs, reader, named);
  const slug = fields.get("slug")?.trim() ?? "";
  try {
    const body = sentRecord(RENAMED_COMMUNITY, { slug });
    const renamed = await needs.communities.rename(reader.viewer, before.id, body, null);
    return redirectTo(reader.site.rootPath, pathOf(renamed.slug, "settings?done=renamed"));
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "invalid") throw error;
    const problems = problemsOf(error, reader.site);
    const values = { ...valuesOf(before), slug };
    return await settingsAnswer(needs, request, reader, before, { values, problems, status: 400 });
  }
}

async function askDelete(needs: CommunityManagePagesNeeds, request: Request, named: string): Promise<Response> {
  const reader = await openInSession(needs, request, pathOf(named, "delete"));
  if (reader instanceof Response) return reader;
  return await deleteAnswer(needs, request, reader, await ownedCommunity(needs, reader, named), "", []);
}

async function deleteAnswer(
  needs: CommunityManagePagesNeeds,
  request: Request,
  reader: Reader,
  community: CommunityJson,
  confirm: string,
  problems: readonly FieldProblem[],
): Promise<Response> {
  const view = { head: await headOf(needs, reader, community), confirm, problems, done: null };
  const status = problems.length === 0 ? 200 : 400;
  const page = deleteCommunityPage(view, reader.site);
  return await htmlAnswer(request, reader.site, page, { status, cacheable: false });
}

async function remove(needs: CommunityManagePagesNeeds, request: Request, named: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { site, viewer } = reader;
  const community = await ownedCommunity(needs, reader, named);
  const confirm = fields.get("confirm")?.trim() ?? "";
  if (confirm !== community.slug) {
    const problem = { field: "confirm", text: site.texts.community.confirm(community.slug) };
    return await deleteAnswer(needs, request, reader, community, confirm, [problem]);
  }
  try {
    await needs.communities.remove(viewer, community.id, null);
    return redirectTo(site.rootPath, "/communities?done=deleted");
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "invalid") throw error;
    const problem = refusalProblem(null, error.message, site.texts);
    return await deleteAnswer(needs, request, reader, community, confirm, [problem]);
  }
}

/** Roles that the reader may give. */
export const rolesGivenBy = ({ viewer }: Reader, { id }: CommunityJson) =>
  MEMBER_ROLES.filter((role) => may(viewer, "community.manage-members", { id, roles: [role] }));
