// The queries of links that give a right to a record (src/repository/store/access-links.ts; R2d, R37).
import type { AccessLink, AccessLinkReader, AccessLinkWriter } from "../../../src/repository/store/access-links.ts";
import { rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";
import { allRows, oneRow, rowsAs } from "../../engine/record.ts";
import type { AccessLinkTable } from "../../engine/repository-schema.ts";

const LINK = rowsAs<AccessLinkTable, AccessLink>({
  id: "id",
  parent: "parent_id",
  permission: "permission",
  hash: "token_hash",
  description: "description",
  maker: "account_id",
  createdAt: "created_at",
  expiresAt: "expires_at",
  request: "request_id",
  uses: "uses",
  lastUsed: "last_used",
});

const OF_PARENT = statement(() => `select ${LINK.list} from access_link where parent_id = $1 order by created_at, id`);
const ONE = statement(() => `select ${LINK.list} from access_link where id = $1`);
const LOCKED = statement(({ forUpdate }) => `select ${LINK.list} from access_link where id = $1 ${forUpdate}`);
const BY_HASH = statement(({ inList }) => `select ${LINK.list} from access_link where token_hash ${inList("$1")}`);
const HOLD = statement(
  ({ inList }) => `select id from access_link where token_hash ${inList("$1")} order by id for share`,
);
const SAVE = statement(() => "update access_link set permission = $2, description = $3, expires_at = $4 where id = $1");
const DELETE = statement(() => "delete from access_link where id = $1");
const SET_HASH = statement(() => "update access_link set token_hash = $2 where request_id = $1 returning id");
const DELETE_OF_REQUEST = statement(() => "delete from access_link where request_id = $1");
const COUNT_USE = statement(() => "update access_link set uses = uses + 1, last_used = $2 where token_hash = $1");

export const accessLinkReader = (session: Session): AccessLinkReader => ({
  linksOf: (parent) => allRows(session, OF_PARENT, [parent], LINK.read),
  accessLink: (id) => oneRow(session, ONE, [id], LINK.read),
  linksByHash: (hashes) => allRows(session, BY_HASH, [textList(session, hashes)], LINK.read),
});

export const accessLinkWriter = (session: Session): AccessLinkWriter => ({
  ...accessLinkReader(session),
  lockLink: (id) => oneRow(session, LOCKED, [id], LINK.read),
  async insertLink(link) {
    await session.db.insertInto("access_link").values(LINK.write(link)).execute();
  },
  async saveLink({ id, permission, description, expiresAt }) {
    await run(session, SAVE, [id, permission, description, expiresAt]);
  },
  async deleteLink(id) {
    await run(session, DELETE, [id]);
  },
  setLinkHash: async (request, hash) => (await rowsOf(session, SET_HASH, [request, hash])).length > 0,
  async deleteLinkOfRequest(request) {
    await run(session, DELETE_OF_REQUEST, [request]);
  },
  async countLinkUse(hash, day) {
    await run(session, COUNT_USE, [hash, day]);
  },
  async holdLinks(hashes) {
    // On SQLite the transaction itself is the lock.
    if (session.dialect === "sqlite") return;
    await run(session, HOLD, [textList(session, hashes)]);
  },
});
