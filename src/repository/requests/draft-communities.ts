// The communities that a draft is to be submitted to, as its form chooses them (R2f, R37): one is its review, which
// publishes it; the others are asked to include it once it is published. Until then their requests are not submitted.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import type { FormFault } from "../../model/item-types/posted-form.ts";
import type { ItemParent, WithParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import { most } from "../../shared/limits.ts";
import { communitiesSought } from "../communities/community-query.ts";
import { PLACE_FIELDS } from "../records/draft-place.ts";
import type { DraftCommunities } from "../records/record-reading.ts";
import type { Community } from "../store/communities.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import type { RequestsNeeds } from "./request-needs.ts";
import { REQUEST_SENTENCES } from "./request-sentences.ts";
import { reviewSetting, unlinkReview } from "./reviews.ts";

const MOST = most("askedCommunities");

/** UUIDs; the one that reviews the draft first. */
export async function chosenCommunities(
  reader: Pick<RepositoryReader, "requests">,
  { id, review }: ItemParent,
): Promise<readonly string[]> {
  const planned = (await reader.requests.plannedInclusions(id)).map(({ community }) => community);
  return review === null ? planned : [review.community, ...planned.filter((each) => each !== review.community)];
}

type Choosing = Pick<RequestsNeeds, "clock" | "random">;

export const draftCommunities = (needs: Choosing): DraftCommunities => ({
  chosen: chosenCommunities,
  choose: (tx, viewer, topic, sent) => chooseCommunities(needs, tx, viewer, topic, sent),
  async faults(reader, parent, access) {
    const chosen = await reader.communities.communitiesOf([...(await chosenCommunities(reader, parent))]);
    const isClosed = access.record === "public" && chosen.some(({ visibility }) => visibility === "restricted");
    return isClosed
      ? [fault(REQUEST_SENTENCES.restricted, "公開のレコードは限定公開のコミュニティに登録できません")]
      : [];
  },
});

/** By UUID or slug as somebody sent it. No community has a control character in its name, and databases take none. */
async function namedCommunity({ communities }: Reading, sent: string): Promise<Community | null> {
  const name = sent.slice(0, 200).toLowerCase();
  return /\p{Cc}/u.test(name) ? null : await communities.community(name);
}

const fault = (en: string, ja: string): FormFault => ({ name: PLACE_FIELDS.communities, words: { en, ja } });

async function chooseCommunities(
  needs: Choosing,
  tx: RepositoryWriter,
  viewer: Viewer,
  topic: WithParent,
  { communities: sent, seenCommunities: seen }: Parameters<DraftCommunities["choose"]>[3],
): Promise<readonly FormFault[]> {
  const { item, parent } = topic;
  if (item.content !== null || item.versionIndex > 1 || viewer.account === null) return [];
  const before = await chosenCommunities(tx, parent);
  const added = [...new Set(sent)].filter((id) => !seen.includes(id) && !before.includes(id));
  const kept = before.filter((id) => sent.includes(id) || !seen.includes(id));
  if (added.length === 0 && kept.length === before.length) return [];
  if (parent.review?.state === "submitted") return [fault(REQUEST_SENTENCES.openReview, "審査中は変更できません")];
  if (kept.length + added.length > MOST) {
    return [fault(`A record is submitted to at most ${MOST} communities`, `提出先のコミュニティは${MOST}件までです`)];
  }
  const faults: FormFault[] = [];
  const next: Community[] = [...(await tx.communities.communitiesOf(kept))];
  for (const id of added) {
    const community = await namedCommunity(tx, id);
    if (community !== null && may(viewer, "community.submit", community)) next.push(community);
    else if (community !== null && may(viewer, "community.see", community)) {
      faults.push(fault(REQUEST_SENTENCES.membersOnly, "このコミュニティに提出できるのはメンバーだけです"));
    } else faults.push(fault(REQUEST_SENTENCES.noCommunity, "コミュニティが見つかりません"));
  }
  await planRequests(needs, tx, viewer, topic, next);
  return faults;
}

/** One review and any number of planned inclusions. A community that reviews comes before those that do not. */
async function planRequests(
  { clock, random }: Choosing,
  tx: RepositoryWriter,
  viewer: Viewer,
  topic: WithParent,
  communities: readonly Community[],
): Promise<void> {
  const { item, parent } = topic;
  const creator = viewer.account?.id;
  if (creator === undefined) return;
  const reviewing = communities.filter((each) => !may(viewer, "community.include", each));
  const [usual] = reviewing.length > 0 ? reviewing : communities;
  const review = reviewing.find(({ id }) => id === parent.review?.community) ?? usual;
  if (review === undefined) await unlinkReview(tx, topic);
  else if (review.id !== parent.review?.community) await reviewSetting({ clock, random })(tx, viewer, topic, review.id);
  const others = communities.filter(({ id }) => id !== review?.id);
  const planned = await tx.requests.plannedInclusions(parent.id);
  for (const each of planned) {
    if (!others.some(({ id }) => id === each.community)) await tx.requests.deleteRequest(each.number);
  }
  const at = clock.now();
  for (const { id: community } of others) {
    if (planned.some((each) => each.community === community)) continue;
    await tx.requests.insertRequest({
      ...{ id: uuidOf(random.bytes(16)), type: "community-inclusion", status: "created", title: "", community },
      ...{
        item: item.id,
        parent: parent.id,
        creator,
        receiver: null,
        role: null,
        holder: null,
        linked: false,
        revision: 1,
      },
      ...{ events: 0, createdAt: at, updatedAt: at, submittedAt: null },
    });
  }
}

export type CommunityChoice = Pick<Community, "id" | "slug" | "title"> & {
  /** Its curators decide; otherwise it includes the record at once. */
  readonly needsReview: boolean;
};

/** Communities that a form offers at once; of more it offers the chosen ones and a search. */
const OFFERED = 40;
/** Communities that are looked through for those that somebody may submit to. */
const CONSIDERED = 400;

export interface CommunityChoices {
  /** The chosen ones and, of those that the viewer may submit to, what was sought or if there are few all. */
  choices(viewer: Viewer, chosen: readonly string[], sought: string): ReturnType<typeof offeredCommunities>;
  /** UUID of a community that the viewer may submit to, by UUID or slug; null: there is none. */
  open(viewer: Viewer, idOrSlug: string): Promise<string | null>;
  /** By UUID, with whether it reviews what the viewer submits. */
  named(viewer: Viewer, ids: readonly string[]): Promise<readonly CommunityChoice[]>;
}

type Reading = Pick<RepositoryReader, "communities">;

export const communityChoices = (store: Reading): CommunityChoices => ({
  choices: (viewer, chosen, sought) => offeredCommunities(store, viewer, chosen, sought),
  async open(viewer, idOrSlug) {
    const found = await namedCommunity(store, idOrSlug);
    return found !== null && may(viewer, "community.submit", found) ? found.id : null;
  },
  async named(viewer, ids) {
    const found = await store.communities.communitiesOf([...ids]);
    return ids.flatMap((id) => found.filter((each) => each.id === id)).map((each) => choiceOf(viewer, each));
  },
});

const choiceOf = (viewer: Viewer, community: Community): CommunityChoice => ({
  ...{ id: community.id, slug: community.slug, title: community.title },
  needsReview: !may(viewer, "community.include", community),
});

/**
 * Those that somebody may submit to: the chosen ones and what was sought, or where nothing was sought the viewer's own
 * and, if there are few, all.
 */
async function offeredCommunities(
  { communities }: Reading,
  viewer: Viewer,
  chosen: readonly string[],
  sought: string,
): Promise<{ readonly choices: readonly CommunityChoice[]; readonly hasMore: boolean }> {
  const own = viewer.memberships.map(({ communityId }) => communityId);
  const sight = isAdministrator(viewer) ? {} : { seen: own };
  const words = sought
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, 200);
  const asked = words === "" ? {} : { sought: communitiesSought(words), exact: words };
  const found = await communities.findCommunities(
    { ...sight, ...asked },
    words === "" ? "newest" : "bestmatch",
    0,
    CONSIDERED,
  );
  const open = found.filter((each) => may(viewer, "community.submit", each));
  const hasMore = found.length === CONSIDERED || open.length > OFFERED;
  const few = hasMore && words === "" ? open.filter(({ id }) => own.includes(id)) : open;
  const shown = new Map((await communities.communitiesOf([...chosen])).map((each) => [each.id, each]));
  for (const each of few.slice(0, OFFERED)) shown.set(each.id, each);
  return { choices: [...shown.values()].map((each) => choiceOf(viewer, each)), hasMore };
}
