// A draft as its landing page will be, for each kind of reader (R2d, R2h): what would be published is shown by the same
// rules and made into the same page. Nothing is written.
import { GUEST, type MemberRole, ROLES, type Viewer } from "../../auth/account.ts";
import { mayReadRecord } from "../../model/access/visibility.ts";
import type { Draft, Item, ItemContent, VersionLine, WithParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { factsOf } from "../items/access-facts.ts";
import { itemAs } from "../items/item-views.ts";
import { identityRights } from "../people/current-viewer.ts";
import { mayCheckDraft } from "../records/draft-checks.ts";
import { chosenCommunities } from "../requests/draft-communities.ts";
import type { Community } from "../store/communities.ts";
import type { ShowingNeeds } from "./needs.ts";
import type { RecordShowing, ShownRecord } from "./record.ts";

type Names = { readonly en: string; readonly ja: string };
type AudienceKind = "guest" | "signed-in" | "group" | "members" | "curators" | "owner";

/** `value`: how addresses name it. `name`: of the group or community. */
export type Audience = { readonly value: string; readonly kind: AudienceKind; readonly name: Names | null };

/** `record` null: this reader may not read it. */
export type RecordPreview = {
  readonly id: ItemId;
  readonly audiences: readonly Audience[];
  readonly audience: Audience;
  readonly record: ShownRecord | null;
};

export interface PreviewShowing {
  /** `as`: the value of an audience; another text means the guest. @throws Refusal `not_found` */
  preview(viewer: Viewer, id: ItemId, as: string): Promise<RecordPreview>;
}

/** Communities and groups whose readers are offered. */
const OFFERED = 20;

export const previewShowing = (needs: ShowingNeeds, { shown }: Pick<RecordShowing, "shown">): PreviewShowing => ({
  async preview(viewer, id, as) {
    const { store } = needs;
    const found = await store.items.withParent(id);
    if (found === null || !(await mayCheckDraft(store, viewer, found))) throw unknown(id);
    if (found.item.state === "deleted") throw new Refusal("gone", `Item ${id} was deleted`);
    const draft = await store.items.draft(id);
    if (draft === null) throw unknown(id);
    const published = await asPublished(needs, found, draft);
    const readers = await readersOf(needs, viewer, published);
    const chosen = readers.find(({ value }) => value === as) ?? readers[0];
    if (chosen === undefined) throw unknown(id);
    const facts = await factsOf(store, published.item, published.content, published.parent);
    const isReadable = mayReadRecord(chosen.viewer, facts, needs.today());
    const versions = isReadable ? await versionsFor(needs, chosen.viewer, published) : [];
    const readable = { ...published, byParent: false, draft: null, facts, versions };
    return {
      id,
      audiences: readers.map(({ viewer: _, ...audience }) => audience),
      audience: chosen,
      record: isReadable ? await shown(chosen.viewer, itemAs(chosen.viewer, readable, needs.today())) : null,
    };
  },
});

const unknown = (id: ItemId): Refusal => new Refusal("not_found", `Item ${id} has no draft`);

type Published = WithParent & { readonly content: ItemContent };

/** The item as publishing its draft would make it, once the communities that were chosen have accepted it. */
async function asPublished(needs: ShowingNeeds, { item, parent }: WithParent, draft: Draft): Promise<Published> {
  const { store } = needs;
  const isNew = item.content === null;
  const { access } = draft.content;
  const content = isNew ? { ...draft.content, access: { ...access, openDate: needs.today() } } : draft.content;
  const above = await store.items.communitiesAbove([...content.indexes]);
  const chosen = isNew ? await chosenCommunities(store, parent) : [];
  const communities = [...new Set([...parent.communities, ...[...above.values()].flat(), ...chosen])];
  const written: Item = { ...item, state: "published", content, isLatest: true };
  return { item: written, parent: { ...parent, communities, review: null }, content };
}

type Reading = Audience & { readonly viewer: Viewer };

/** Somebody who is signed in and has no other right. */
const STRANGER: Viewer = {
  ...GUEST,
  account: { ...{ id: 0 as AccountId, mail: null, eppn: null, name: "", roles: [] }, ...seen() },
  roles: [ROLES.general],
  scopes: null,
};

function seen() {
  return { active: true, createdAt: "1970-01-01T00:00:00.000Z", updatedAt: "1970-01-01T00:00:00.000Z" } as const;
}

/** Each kind of reader whose page may be another one, as far as the viewer may know of them. */
async function readersOf({ store }: ShowingNeeds, viewer: Viewer, published: Published): Promise<readonly Reading[]> {
  const { parent, content } = published;
  const known = await store.communities.communitiesOf(parent.communities.slice(0, OFFERED));
  const members = (community: Community, kind: "members" | "curators", role: MemberRole): Reading => {
    const membership = { communityId: community.id, role, rootIndex: community.rootIndex };
    const as = { ...STRANGER, memberships: [membership] };
    return { value: `${kind}:${community.id}`, kind, name: community.title, viewer: as };
  };
  const visible = known.filter((each) => may(viewer, "community.see", each));
  const nodes = await store.indexes.indexes([...content.indexes]);
  const named = new Set([
    ...(parent.grants ?? []).flatMap(({ subject, id }) => (subject === "role" ? [id] : [])),
    ...content.files.flatMap(({ groups }) => groups),
    ...nodes.flatMap(({ browsingGroup }) => browsingGroup),
  ]);
  const groups = named.size === 0 ? [] : (await store.accounts.groups()).filter(({ id }) => named.has(id));
  const owner = await store.accounts.identity(parent.owner);
  return [
    { value: "guest", kind: "guest", name: null, viewer: GUEST },
    { value: "signed-in", kind: "signed-in", name: null, viewer: STRANGER },
    ...groups.slice(0, OFFERED).map(({ id, name }): Reading => {
      return {
        value: `group:${id}`,
        kind: "group",
        name: { en: name, ja: name },
        viewer: { ...STRANGER, groups: [id] },
      };
    }),
    ...visible.map((each) => members(each, "members", "reader")),
    ...visible.map((each) => members(each, "curators", "curator")),
    ...(owner === null
      ? []
      : [
          {
            value: "owner",
            kind: "owner",
            name: null,
            viewer: { ...GUEST, ...identityRights(owner), scopes: null },
          } as const,
        ]),
  ];
}

/** The versions that this reader sees, with the one that is previewed. */
async function versionsFor(
  { items }: ShowingNeeds,
  reader: Viewer,
  { item, parent }: Published,
): Promise<readonly VersionLine[]> {
  const isOther = parent.latest !== null && (await items.mayRead(reader, parent.latest));
  const before = isOther && parent.latest !== null ? (await items.readable(reader, parent.latest)).versions : [];
  const { id, versionIndex, state, publishedAt } = item;
  const others = before.filter((each) => each.id !== id).map((each) => ({ ...each, isLatest: false }));
  return [...others, { id, versionIndex, state, publishedAt, isLatest: true }].sort(
    (one, other) => one.versionIndex - other.versionIndex,
  );
}
