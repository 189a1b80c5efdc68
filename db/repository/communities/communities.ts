// Communities with their members (R6a, R37).
import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type {
  Community,
  CommunityCounts,
  CommunityFilter,
  CommunityLogo,
  CommunityMember,
  CommunityReader,
  CommunitySort,
  CommunityWriter,
} from "../../../src/repository/store/communities.ts";
import type { CommunityDetails } from "../../../src/repository/store/community-details.ts";
import { searchedText } from "../../../src/shared/text/text.ts";
import { run, type Session, statement, textList } from "../../engine/dialect.ts";
import { fieldConditionSql } from "../../engine/field-conditions.ts";
import { allRows, flag, oneRow, rowsAs } from "../../engine/record.ts";
import type { CommunityLogoTable, CommunityMemberTable, CommunityTable } from "../../engine/repository-schema.ts";
import type { Database } from "../../engine/schema.ts";
import { vocabularyReader, vocabularyWriter } from "./vocabularies.ts";

/** `curation_policy` has another name where it is stored: versions before wrote it so. */
function detailsOf(cell: string): CommunityDetails {
  // Written below only.
  const { curationPolicy, ...details } = JSON.parse(cell) as CommunityDetails & { readonly curationPolicy?: string };
  return curationPolicy === undefined ? details : { ...details, curation_policy: curationPolicy };
}

function storedDetails({ curation_policy: curationPolicy, ...details }: CommunityDetails): object {
  return curationPolicy === undefined ? details : { ...details, curationPolicy };
}

/** Members that are in more than one column, or are stored in another form. */
type Apart = "title" | "reviewPolicy";
type ApartColumns = "deleted_at" | "title_en" | "title_ja" | "review_policy" | "direct_members" | "searched";
const COMMUNITY = rowsAs<Omit<Selectable<CommunityTable>, ApartColumns>, Omit<Community, Apart>>({
  id: "id",
  slug: "slug",
  type: "type",
  visibility: "visibility",
  submissionPolicy: "submission_policy",
  membersVisibility: "members_visibility",
  memberPolicy: "member_policy",
  details: { column: "details", read: detailsOf, write: (details) => JSON.stringify(storedDetails(details)) },
  rootIndex: "root_index",
  revision: "revision",
  createdAt: "created_at",
  updatedAt: "updated_at",
});
const COLUMNS = `${COMMUNITY.list}, title_en, title_ja, review_policy, direct_members`;
const ALL = statement(() => `select ${COLUMNS} from community where deleted_at is null order by slug`);
const NAMED = "(id = $1 or slug = $1)";
const ONE = statement(() => `select ${COLUMNS} from community where ${NAMED} and deleted_at is null`);
const SOME = statement(
  ({ inList }) => `select ${COLUMNS} from community where id ${inList("$1")} and deleted_at is null order by slug`,
);
const DELETED = statement(() => `select ${COLUMNS} from community where ${NAMED} and deleted_at is not null`);
const LOCKED = statement(
  ({ forNoKeyUpdate }) => `select ${COLUMNS} from community where ${NAMED} and deleted_at is null ${forNoKeyUpdate}`,
);
const MEMBER = rowsAs<Omit<Selectable<CommunityMemberTable>, "community_id">, CommunityMember>({
  accountId: "account_id",
  role: "role",
  visible: flag("visible"),
  createdAt: "created_at",
  updatedAt: "updated_at",
});
const MEMBERS = statement(
  () => `select ${MEMBER.list} from community_member where community_id = $1 order by account_id`,
);
const SET_MEMBER = statement(
  () => `insert into community_member (community_id, account_id, role, visible, created_at, updated_at)
    values ($1, $2, $3, 0, $4, $4)
    on conflict (community_id, account_id) do update set role = excluded.role, updated_at = excluded.updated_at
    where community_member.role <> excluded.role`,
);
const NO_MEMBER = statement(() => "delete from community_member where community_id = $1 and account_id = $2");
const SHOW_MEMBER = statement(
  () => "update community_member set visible = $3, updated_at = $4 where community_id = $1 and account_id = $2",
);

const LOGO = rowsAs<Omit<Selectable<CommunityLogoTable>, "community_id" | "content">, CommunityLogo>({
  mediaType: "media_type",
  sha256: "sha256",
  sizeBytes: "size_bytes",
  createdAt: "created_at",
  updatedAt: "updated_at",
});
const LOGOS = statement(
  ({ inList }) => `select community_id, ${LOGO.list} from community_logo where community_id ${inList("$1")}`,
);
const LOGO_BYTES = statement(() => "select content from community_logo where community_id = $1");
const SAVE_LOGO = statement(
  () => `insert into community_logo (community_id, media_type, sha256, size_bytes, content, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (community_id) do update set media_type = excluded.media_type, sha256 = excluded.sha256,
      size_bytes = excluded.size_bytes, content = excluded.content, updated_at = excluded.updated_at`,
);

async function logosOf(session: Session, ids: readonly string[]): Promise<ReadonlyMap<string, CommunityLogo>> {
  if (ids.length === 0) return new Map();
  const read = (row: Selectable<CommunityLogoTable>) => [row.community_id, LOGO.read(row)] as const;
  return new Map(await allRows(session, LOGOS, [textList(session, ids)], read));
}

function toCommunity(row: Selectable<CommunityTable>): Community {
  const title = { en: row.title_en, ja: row.title_ja };
  if (row.direct_members === 1) return { ...COMMUNITY.read(row), title, reviewPolicy: "members" };
  return { ...COMMUNITY.read(row), title, reviewPolicy: row.review_policy === "open" ? "open" : "closed" };
}

function columnsOf(community: Community) {
  const { title, reviewPolicy, ...rest } = community;
  return {
    ...COMMUNITY.write(rest),
    title_en: title.en,
    title_ja: title.ja,
    review_policy: reviewPolicy === "open" ? "open" : "closed",
    direct_members: reviewPolicy === "members" ? 1 : 0,
    searched: searchedText(community.slug, title.en, title.ja, community.details.description ?? ""),
  };
}

type Build = ExpressionBuilder<Database, "community">;

const SOUGHT = {
  // A program that knows no column of them writes none: then the words are made here.
  words: sql`case when searched = '' then lower(slug || ' ' || title_en || ' ' || title_ja) else searched end`,
  id: "id",
  slug: "slug",
  type: "type",
  visibility: "visibility",
  created: "created_at",
  updated: "updated_at",
};

function fits(build: Build, { sought, ids, except, types, visibility, seen }: CommunityFilter) {
  const among = (column: "id" | "type" | "visibility", values: readonly string[] | undefined) => {
    if (values === undefined) return [];
    return values.length === 0 ? [build.lit(false)] : [build(column, "in", [...values])];
  };
  const isPublic = build("visibility", "=", "public");
  return build.and([
    build("deleted_at", "is", null),
    ...(sought === undefined ? [] : [fieldConditionSql(sought, SOUGHT)]),
    ...among("id", ids),
    ...(except === undefined || except.length === 0 ? [] : [build("id", "not in", [...except])]),
    ...among("type", types),
    ...among("visibility", visibility),
    ...(seen === undefined ? [] : [build.or([isPublic, ...among("id", seen)])]),
  ]);
}

const ORDER: Readonly<Record<CommunitySort, readonly ["created_at" | "updated_at", "asc" | "desc"]>> = {
  bestmatch: ["created_at", "desc"],
  newest: ["created_at", "desc"],
  oldest: ["created_at", "asc"],
  "updated-desc": ["updated_at", "desc"],
  "updated-asc": ["updated_at", "asc"],
};

async function findCommunities(
  { db }: Session,
  filter: CommunityFilter,
  sort: CommunitySort,
  offset: number,
  limit: number,
): Promise<readonly Community[]> {
  const [column, direction] = ORDER[sort];
  let query = db
    .selectFrom("community")
    .selectAll()
    .where((build) => fits(build, filter));
  // A matching slug or title comes before a mere occurrence of the words.
  if (sort === "bestmatch") {
    const exact = searchedText(filter.exact ?? "");
    query = query.orderBy(
      sql`case when slug = ${exact} then 0 when lower(title_en) = ${exact} or lower(title_ja) = ${exact} then 1 else 2 end`,
    );
  }
  const rows = await query.orderBy(column, direction).orderBy("id").offset(offset).limit(limit).execute();
  return rows.map(toCommunity);
}

async function countCommunities({ db }: Session, filter: CommunityFilter): Promise<CommunityCounts> {
  const rows = await db
    .selectFrom("community")
    .select(["type", "visibility", ({ fn }) => fn.countAll<number>().as("communities")])
    .where((build) => fits(build, filter))
    .groupBy(["type", "visibility"])
    .execute();
  const by = (name: "type" | "visibility"): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const row of rows) counts.set(row[name], (counts.get(row[name]) ?? 0) + Number(row.communities));
    return counts;
  };
  const total = rows.reduce((sum, { communities }) => sum + Number(communities), 0);
  return { total, types: by("type"), visibility: by("visibility") };
}

export function communityReader(session: Session): CommunityReader {
  return {
    ...vocabularyReader(session),
    communities: () => allRows(session, ALL, [], toCommunity),
    community: (idOrSlug) => oneRow(session, ONE, [idOrSlug], toCommunity),
    communitiesOf: async (ids) =>
      ids.length === 0 ? [] : await allRows(session, SOME, [textList(session, ids)], toCommunity),
    deletedCommunity: (idOrSlug) => oneRow(session, DELETED, [idOrSlug], toCommunity),
    findCommunities: (filter, sort, offset, limit) => findCommunities(session, filter, sort, offset, limit),
    countCommunities: (filter) => countCommunities(session, filter),
    logos: (ids) => logosOf(session, ids),
    logoBytes: (id) =>
      oneRow(session, LOGO_BYTES, [id], (row: { readonly content: string }) =>
        Uint8Array.from(Buffer.from(row.content, "base64")),
      ),
    members: (communityId) => allRows(session, MEMBERS, [communityId], MEMBER.read),
  };
}

async function saveCommunity({ db }: Session, community: Community): Promise<boolean> {
  const { id, revision: _counted, ...values } = columnsOf(community);
  const made = await db
    .insertInto("community")
    .values({ id, ...values, deleted_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (made !== undefined) return true;
  const changed = await db
    .updateTable("community")
    .set((build) => ({ ...values, deleted_at: null, revision: build("revision", "+", 1) }))
    .where("id", "=", id)
    .where((build) =>
      build.not(
        build.exists(
          build
            .selectFrom("community as other")
            .select("other.id")
            .where("other.slug", "=", community.slug)
            .where("other.id", "!=", id),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(changed.numUpdatedRows) > 0;
}

export function communityWriter(session: Session): CommunityWriter {
  const { db } = session;
  return {
    ...communityReader(session),
    ...vocabularyWriter(session),
    saveCommunity: (community) => saveCommunity(session, community),
    async deleteCommunity(id, at) {
      await db.updateTable("community").set({ deleted_at: at, updated_at: at }).where("id", "=", id).execute();
      await db.deleteFrom("community_logo").where("community_id", "=", id).execute();
    },
    lockCommunity: (idOrSlug) => oneRow(session, LOCKED, [idOrSlug], toCommunity),
    async saveLogo(id, { mediaType, sha256, sizeBytes, createdAt, updatedAt }, bytes) {
      const content = Buffer.from(bytes).toString("base64");
      await run(session, SAVE_LOGO, [id, mediaType, sha256, sizeBytes, content, createdAt, updatedAt]);
    },
    async deleteLogo(id) {
      const gone = await db.deleteFrom("community_logo").where("community_id", "=", id).executeTakeFirst();
      return Number(gone.numDeletedRows) > 0;
    },
    async setMember(communityId, accountId, role, at = "") {
      if (role === null) await run(session, NO_MEMBER, [communityId, accountId]);
      else await run(session, SET_MEMBER, [communityId, accountId, role, at]);
    },
    async showMember(communityId, accountId, visible, at) {
      await run(session, SHOW_MEMBER, [communityId, accountId, visible ? 1 : 0, at]);
    },
  };
}
