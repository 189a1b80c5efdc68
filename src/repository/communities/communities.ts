// Communities by the records interface (R6a, R37; specification 3, search_communities, get_community,
// create_community): found, read, made, changed, renamed and deleted. Their part of the index tree is an
// administrator's (src/repository/administration/communities.ts).
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { pageQuery, withChoices } from "../../model/input/list-parameters.ts";
import { oneError, permissionDenied, requireRevision, unknownRecord } from "../../model/input/record-refusals.ts";
import { may } from "../../model/rights/policy.ts";
import type { Sent } from "../../shared/fields.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { writeAs } from "../people/current-viewer.ts";
import {
  COMMUNITY_SORTS,
  type Community,
  type CommunityFilter,
  type CommunityReader,
  PLAIN_COMMUNITY,
} from "../store/communities.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import type { CommunityInput } from "./community-body.ts";
import { type CommunityJson, communityJson, communityListJson, type TypeTitles } from "./community-json.ts";
import { communitiesSought } from "./community-query.ts";

export type CommunitiesNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

type CommunityList = ReturnType<typeof communityListJson>;

/** The parameters of a list of communities. */
export const COMMUNITY_QUERY = withChoices(pageQuery({ sorts: COMMUNITY_SORTS, found: "bestmatch", all: "newest" }), {
  type: "Entries of the vocabulary communitytypes, separated by commas",
  visibility: "public, restricted",
});
type CommunityQuery = Sent<ReturnType<typeof COMMUNITY_QUERY.read>>;

type ListWithin = {
  readonly path: string;
  readonly ids?: readonly string[];
  readonly except?: readonly string[];
};

type ExpectedRevisions = readonly string[] | null;

export interface Communities {
  /** Those the viewer may see. @throws Refusal `invalid` for parameters that are wrong. */
  search(viewer: Viewer, query: CommunityQuery): Promise<CommunityList>;
  /** Those the viewer is a member of. */
  searchOwn(viewer: Viewer, query: CommunityQuery): Promise<CommunityList>;
  /** Those the viewer may see: of `ids`, or without `except`; the list at `path`. */
  searchWithin(viewer: Viewer, query: CommunityQuery, within: ListWithin): Promise<CommunityList>;
  /**
   * By UUID or slug.
   *
   * @throws Refusal `not_found`, also for a restricted community without the viewer as a member; `gone`
   */
  read(viewer: Viewer, idOrSlug: string): Promise<CommunityJson>;
  /** The creator is its owner. @throws Refusal `invalid` naming the members that are wrong. */
  create(asking: Viewer, body: Sent<CommunityInput>): Promise<CommunityJson>;
  /**
   * `expected`: revisions the caller has seen; null: any. @throws Refusal `not_found`, `forbidden`, `precondition`,
   * `invalid`.
   */
  update(
    asking: Viewer,
    idOrSlug: string,
    body: Sent<CommunityInput>,
    expected: ExpectedRevisions,
  ): Promise<CommunityJson>;
  rename(
    asking: Viewer,
    idOrSlug: string,
    body: Sent<Pick<CommunityInput, "slug">>,
    expected: ExpectedRevisions,
  ): Promise<CommunityJson>;
  /** Its items stay. @throws Refusal `invalid` while requests to it are open. */
  remove(asking: Viewer, idOrSlug: string, expected: ExpectedRevisions): Promise<void>;
}

const TAKEN = "A community with this identifier already exists.";
const GONE = "The record has been deleted.";
const RENAMED_ELSEWHERE = "The ID should be modified through the renaming URL instead.";
const SAME_NAME = "A new ID value is required for the renaming.";

/** A community the viewer may know of. @throws Refusal `not_found`, `gone`. */
export async function seenCommunity(
  reader: Pick<CommunityReader, "community" | "deletedCommunity">,
  viewer: Viewer,
  idOrSlug: string,
  read: (idOrSlug: string) => Promise<Community | null> = reader.community,
): Promise<Community> {
  const named = idOrSlug.slice(0, 200).toLowerCase();
  const community = await read(named);
  if (community !== null && may(viewer, "community.see", community)) return community;
  const deleted = community === null ? await reader.deletedCommunity(named) : null;
  if (deleted !== null && may(viewer, "community.see", deleted)) throw new Refusal("gone", GONE);
  throw unknownRecord();
}

/** Titles of the types of communities. */
async function typeTitles(reader: Pick<CommunityReader, "vocabulary">): Promise<TypeTitles> {
  return new Map((await reader.vocabulary("communitytypes")).map(({ id, title }) => [id, title]));
}

export const communities = (needs: CommunitiesNeeds): Communities => ({
  search: (viewer, query) =>
    listCommunities(needs, query, "/api/communities", isAdministrator(viewer) ? {} : { seen: membershipsOf(viewer) }),
  searchOwn: (viewer, query) => listCommunities(needs, query, "/api/user/communities", { ids: membershipsOf(viewer) }),
  searchWithin: (viewer, query, within) => searchWithin(needs, viewer, query, within),
  read: async (viewer, idOrSlug) => await jsonOf(needs, await seenCommunity(needs.store.communities, viewer, idOrSlug)),
  create: (asking, body) => createCommunity(needs, asking, body),
  update: (asking, idOrSlug, body, expected) => updateCommunity(needs, asking, idOrSlug, body, expected),
  rename: (asking, idOrSlug, body, expected) => renameCommunity(needs, asking, idOrSlug, body, expected),
  remove: (asking, idOrSlug, expected) => removeCommunity(needs, asking, idOrSlug, expected),
});

async function jsonOf(needs: CommunitiesNeeds, community: Community): Promise<CommunityJson> {
  return communityJson(community, await typeTitles(needs.store.communities), needs.baseUrl);
}

async function listCommunities(
  needs: CommunitiesNeeds,
  query: CommunityQuery,
  path: string,
  within: CommunityFilter,
): Promise<CommunityList> {
  const asked = query();
  const { type: types, visibility } = asked;
  const filter: CommunityFilter = {
    ...within,
    ...(asked.q === "" ? {} : { sought: communitiesSought(asked.q), exact: asked.q }),
    ...(types === undefined ? {} : { types }),
    ...(visibility === undefined ? {} : { visibility }),
  };
  const counts = await needs.store.communities.countCommunities(filter);
  const offset = (asked.page - 1) * asked.size;
  const found = await needs.store.communities.findCommunities(filter, asked.sort, offset, asked.size);
  const selected = { types, visibility };
  return communityListJson(
    { found, counts, asked, selected, path },
    await typeTitles(needs.store.communities),
    needs.baseUrl,
  );
}

/** The community, locked. @throws Refusal where the viewer may not know of it or not change it. */
async function lockForChange(tx: RepositoryWriter, viewer: Viewer, idOrSlug: string): Promise<Community> {
  const community = await seenCommunity(tx.communities, viewer, idOrSlug, tx.communities.lockCommunity);
  if (!may(viewer, "community.change", community)) throw permissionDenied();
  return community;
}

async function requireType(tx: RepositoryWriter, type: string): Promise<void> {
  if (type === "" || (await tx.communities.vocabularyEntry("communitytypes", type)) !== null) return;
  const known = (await tx.communities.vocabulary("communitytypes")).map(({ id }) => id);
  throw oneError("metadata.type.id", `Invalid value ${type.slice(0, 100)}.`, `Must be one of: ${known.join(", ")}.`);
}

async function saveUnique(tx: RepositoryWriter, community: Community): Promise<Community> {
  if (!(await tx.communities.saveCommunity(community))) throw oneError("slug", TAKEN);
  return (await tx.communities.community(community.id)) ?? community;
}

async function jsonIn(needs: CommunitiesNeeds, tx: RepositoryWriter, community: Community): Promise<CommunityJson> {
  return communityJson(community, await typeTitles(tx.communities), needs.baseUrl);
}

function searchWithin(
  needs: CommunitiesNeeds,
  viewer: Viewer,
  query: CommunityQuery,
  { path, ids, except }: ListWithin,
) {
  return listCommunities(needs, query, path, {
    ...(ids === undefined ? {} : { ids }),
    ...(except === undefined ? {} : { except }),
    ...(isAdministrator(viewer) ? {} : { seen: membershipsOf(viewer) }),
  });
}

function createCommunity(needs: CommunitiesNeeds, asking: Viewer, body: Sent<CommunityInput>) {
  return writeAs(needs, asking, async (tx, viewer) => {
    if (!may(viewer, "community.create", null)) throw permissionDenied();
    const input = body();
    await requireType(tx, input.type);
    // Of two that take one slug, one comes after the other.
    await tx.indexes.lockTree();
    const at = needs.clock.now();
    const id = uuidOf(needs.random.bytes(16));
    const stamps = { id, createdAt: at, updatedAt: at };
    const title = { en: input.title, ja: input.titleJa ?? input.title };
    const { slug, type, details, access } = input;
    const made = await saveUnique(tx, { ...PLAIN_COMMUNITY, ...stamps, slug, title, type, details, ...access });
    const { account } = viewer;
    if (account !== null) await tx.communities.setMember(id, account.id, "owner", at);
    await tx.audit(viewer, at, [{ action: "community-add", subject: `community:${id}`, detail: { slug } }]);
    return await jsonIn(needs, tx, made);
  });
}

function updateCommunity(
  needs: CommunitiesNeeds,
  asking: Viewer,
  idOrSlug: string,
  body: Sent<CommunityInput>,
  expected: ExpectedRevisions,
) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const before = await lockForChange(tx, viewer, idOrSlug);
    requireRevision(expected, before.revision);
    const input = body();
    if (input.slug !== before.slug) throw oneError("slug", RENAMED_ELSEWHERE);
    if (input.type !== before.type) await requireType(tx, input.type);
    const at = needs.clock.now();
    const changed = await saveUnique(tx, { ...before, ...settingsOf(input, before), updatedAt: at });
    await tx.audit(viewer, at, [
      { action: "community-set", subject: `community:${before.id}`, detail: { slug: before.slug } },
    ]);
    return await jsonIn(needs, tx, changed);
  });
}

function renameCommunity(
  needs: CommunitiesNeeds,
  asking: Viewer,
  idOrSlug: string,
  body: Sent<Pick<CommunityInput, "slug">>,
  expected: ExpectedRevisions,
) {
  return writeAs(needs, asking, async (tx, viewer) => {
    await tx.indexes.lockTree();
    const before = await lockForChange(tx, viewer, idOrSlug);
    requireRevision(expected, before.revision);
    const { slug } = body();
    if (slug === before.slug) throw oneError("slug", SAME_NAME);
    const at = needs.clock.now();
    const changed = await saveUnique(tx, { ...before, slug, updatedAt: at });
    const detail = { slug, before: before.slug };
    await tx.audit(viewer, at, [{ action: "community-set", subject: `community:${before.id}`, detail }]);
    return await jsonIn(needs, tx, changed);
  });
}

function removeCommunity(needs: CommunitiesNeeds, asking: Viewer, idOrSlug: string, expected: ExpectedRevisions) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const community = await lockForChange(tx, viewer, idOrSlug);
    requireRevision(expected, community.revision);
    const open = await tx.requests.countRequests({ community: community.id, statuses: ["submitted"] });
    if (open.total > 0) throw new Refusal("invalid", openRequests(open.total));
    const at = needs.clock.now();
    await tx.communities.deleteCommunity(community.id, at);
    await tx.audit(viewer, at, [
      { action: "community-delete", subject: `community:${community.id}`, detail: { slug: community.slug } },
    ]);
  });
}

const membershipsOf = (viewer: Viewer): readonly string[] => viewer.memberships.map(({ communityId }) => communityId);

/** Without a title in Japanese that language keeps its own, or follows the other where they are the same. */
function settingsOf({ title, titleJa, type, details, access }: CommunityInput, before: Community) {
  const { en, ja } = before.title;
  const words = { en: title, ja: titleJa ?? (ja === en ? title : ja) };
  return { title: words, type, details, ...access };
}

function openRequests(count: number): string {
  const are = count === 1 ? "There is 1 request" : `There are ${count} requests`;
  return `${are} open for this community. Please, resolve ${count === 1 ? "it" : "all of them"} before deleting this community.`;
}
