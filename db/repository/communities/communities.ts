// Communities with their members (R6a).
import type { MemberRole } from "../../../src/auth/account.ts";
import type { Community, CommunityReader, CommunityWriter } from "../../../src/repository/store/communities.ts";
import { rowsOf, type Session, statement } from "../../engine/dialect.ts";
import { rowsAs } from "../../engine/record.ts";
import type { CommunityTable } from "../../engine/repository-schema.ts";
import { vocabularyReader, vocabularyWriter } from "./vocabularies.ts";

const COMMUNITY = rowsAs<Omit<CommunityTable, "deleted_at" | "title_en" | "title_ja">, Omit<Community, "title">>({
  id: "id",
  slug: "slug",
  type: "type",
  visibility: "visibility",
  reviewPolicy: "review_policy",
  rootIndex: "root_index",
  createdAt: "created_at",
  updatedAt: "updated_at",
});
const COLUMNS = `${COMMUNITY.list}, title_en, title_ja`;
const ALL = statement(() => `select ${COLUMNS} from community where deleted_at is null order by slug`);
const ONE = statement(() => `select ${COLUMNS} from community where (id = $1 or slug = $1) and deleted_at is null`);
const MEMBERS = statement(
  () => "select account_id, role from community_member where community_id = $1 order by account_id",
);

function toCommunity(row: CommunityTable): Community {
  return { ...COMMUNITY.read(row), title: { en: row.title_en, ja: row.title_ja } };
}

export function communityReader(session: Session): CommunityReader {
  return {
    ...vocabularyReader(session),
    communities: async () => (await rowsOf<CommunityTable>(session, ALL)).map(toCommunity),
    async community(idOrSlug) {
      const [row] = await rowsOf<CommunityTable>(session, ONE, [idOrSlug]);
      return row === undefined ? null : toCommunity(row);
    },
    async members(communityId) {
      const rows = await rowsOf<{ account_id: number; role: string }>(session, MEMBERS, [communityId]);
      // The table's check allows no other values.
      return rows.map((row) => ({ accountId: Number(row.account_id), role: row.role as MemberRole }));
    },
  };
}

async function saveCommunity({ db }: Session, community: Community): Promise<boolean> {
  const taken = await db
    .selectFrom("community")
    .select("id")
    .where("slug", "=", community.slug)
    .where("id", "!=", community.id)
    .executeTakeFirst();
  if (taken !== undefined) return false;
  const { id, ...row } = COMMUNITY.write(community);
  const values = { ...row, title_en: community.title.en, title_ja: community.title.ja, deleted_at: null };
  await db
    .insertInto("community")
    .values({ id, ...values })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(values))
    .execute();
  return true;
}

export function communityWriter(session: Session): CommunityWriter {
  const { db } = session;
  return {
    ...communityReader(session),
    ...vocabularyWriter(session),
    saveCommunity: (community) => saveCommunity(session, community),
    async deleteCommunity(id, at) {
      await db.updateTable("community").set({ deleted_at: at, updated_at: at }).where("id", "=", id).execute();
    },
    async setMember(communityId, accountId, role) {
      await db
        .deleteFrom("community_member")
        .where("community_id", "=", communityId)
        .where("account_id", "=", accountId)
        .execute();
      if (role === null) return;
      const row = { community_id: communityId, account_id: accountId, role };
      await db.insertInto("community_member").values(row).execute();
    },
  };
}
