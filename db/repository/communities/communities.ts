// Communities with their members, and vocabularies (R6a).
import type { MemberRole } from "../../../src/auth/account.ts";
import type {
  Community,
  CommunityReader,
  CommunityWriter,
  VocabularyEntry,
} from "../../../src/repository/store/communities.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { rowsOf, type Session, statement } from "../../engine/dialect.ts";
import { rowsAs } from "../../engine/record.ts";
import type { CommunityTable, VocabularyTable } from "../../engine/repository-schema.ts";

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
const TYPES = statement(() => "select distinct type from vocabulary order by type");
const ENTRIES = statement(
  () =>
    "select type, id, title_en, title_ja, props, position from vocabulary where type = $1 order by position, id limit $2",
);
const ENTRY = statement(
  () => "select type, id, title_en, title_ja, props, position from vocabulary where type = $1 and id = $2",
);
const COUNT = statement(() => "select count(*) as entries from vocabulary where type = $1");
/** Behind every limit a list has. */
const ALL_OF_THEM = 1_000_000_000;
const LAST = statement(() => "select coalesce(max(position), -1) as position from vocabulary where type = $1");
const PUT = bulkStatement(
  [text("type"), text("id"), text("title_en"), text("title_ja"), text("props"), number("position")],
  ({ names, from }) => `insert into vocabulary (${names}) select ${names} from ${from} where true
    on conflict (type, id) do update set title_en = excluded.title_en, title_ja = excluded.title_ja, props = excluded.props`,
);

const SAVE = bulkStatement(
  [text("type"), text("id"), text("title_en"), text("title_ja"), text("props"), number("position")],
  ({ names, from }) => `insert into vocabulary (${names}) select ${names} from ${from} where true
    on conflict (type, id) do update set title_en = excluded.title_en, title_ja = excluded.title_ja, props = excluded.props,
      position = excluded.position`,
);
const EDITION = statement(() => "select value from repository_state where key = 'vocabularies'");
const SET_EDITION = statement(
  () => `insert into repository_state (key, value) values ('vocabularies', $1)
    on conflict (key) do update set value = excluded.value`,
);

function toCommunity(row: CommunityTable): Community {
  return { ...COMMUNITY.read(row), title: { en: row.title_en, ja: row.title_ja } };
}

function toEntry(row: VocabularyTable): VocabularyEntry {
  // Written by `saveVocabulary` alone.
  const props = JSON.parse(row.props) as VocabularyEntry["props"];
  return { type: row.type, id: row.id, title: { en: row.title_en, ja: row.title_ja }, props };
}

export function communityReader(session: Session): CommunityReader {
  return {
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
    vocabularyTypes: async () => (await rowsOf<{ type: string }>(session, TYPES)).map(({ type }) => type),
    vocabulary: async (type, limit = ALL_OF_THEM) =>
      (await rowsOf<VocabularyTable>(session, ENTRIES, [type, limit])).map(toEntry),
    async vocabularyEntry(type, id) {
      const [row] = await rowsOf<VocabularyTable>(session, ENTRY, [type, id]);
      return row === undefined ? null : toEntry(row);
    },
    async vocabularyEdition() {
      const [row] = await rowsOf<{ value: number }>(session, EDITION);
      return Number(row?.value ?? 0);
    },
    countVocabulary: async (type) =>
      Number((await rowsOf<{ entries: number }>(session, COUNT, [type]))[0]?.entries ?? 0),
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
    async saveVocabulary(entries) {
      if (entries.length === 0) return;
      await SAVE(
        session,
        entries.map(({ type, id, title, props }, position) => [
          ...[type, id, title.en, title.ja, JSON.stringify(props)],
          position,
        ]),
      );
    },
    async setVocabularyEdition(edition) {
      await rowsOf(session, SET_EDITION, [edition]);
    },
    async putVocabulary(entries) {
      const [first] = entries;
      if (first === undefined) return;
      const [last] = await rowsOf<{ position: number }>(session, LAST, [first.type]);
      const position = Number(last?.position ?? -1) + 1;
      await PUT(
        session,
        entries.map(({ type, id, title, props }) => [type, id, title.en, title.ja, JSON.stringify(props), position]),
      );
    },
    async removeVocabularyEntry(type, id) {
      const gone = await db.deleteFrom("vocabulary").where("type", "=", type).where("id", "=", id).executeTakeFirst();
      return Number(gone.numDeletedRows) > 0;
    },
  };
}
