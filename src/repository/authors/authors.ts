// The author database (specification 2, "Author database endpoints"; R20 to R23): searching, creating, replacing and
// deleting authors.
import type { Viewer } from "../../auth/account.ts";
import {
  type Author,
  type AuthorContent,
  isAlive,
  LOCAL,
  localNumber,
  localNumbers,
} from "../../model/agents/author.ts";
import { groupCommit } from "../../shared/group-commit.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import type { AuthorId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { writeAs, writeAsEach } from "../people/current-viewer.ts";
import type { Community, CommunityReader } from "../store/communities.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { type Choices, choicesOf, invalidAt, type SentAuthor, type SentUpdate } from "./author-body.ts";
import { readSearch } from "./author-query.ts";
import {
  type CommunityName,
  managedBy,
  requireAuthorRole,
  requireCommunities,
  requireManaged,
} from "./author-rights.ts";
import { lockBoth, takeIn } from "./merging.ts";
import { enqueuePropagation } from "./propagation.ts";

type AuthorsNeeds = { readonly store: RepositoryStore; readonly clock: Clock; readonly random: Random };

export const COMMUNITY_CHOICES_MAX = 100;

export type CommunityChoice = Pick<Community, "slug" | "title">;

export interface Authors {
  /** Called before the request is read. @throws Refusal `forbidden` for a role without rights on authors */
  admit(viewer: Viewer): void;
  /** Communities that the viewer may give an author: one more than {@link COMMUNITY_CHOICES_MAX} where there are more. */
  communityChoices(viewer: Viewer): Promise<readonly CommunityChoice[]>;
  /** By number. @throws Refusal `invalid` */
  search(viewer: Viewer, sent: URLSearchParams): Promise<readonly Author[]>;
  /** @throws Refusal `invalid`, `forbidden` */
  create(viewer: Viewer, read: (choices: Choices) => SentAuthor): Promise<Author>;
  /** Replaces the author, found by number or UUID. @throws Refusal `invalid`, `forbidden`, `not_found` */
  update(viewer: Viewer, identifier: string, read: (choices: Choices) => SentUpdate): Promise<Author>;
  /**
   * Merges the author into the other one, who receives the author's items. Returns the author who stays.
   *
   * @throws Refusal `invalid`, `forbidden`, `not_found`
   */
  merge(viewer: Viewer, identifier: string, into: string): Promise<Author>;
  /**
   * The author is found no more; number and UUID are never another's.
   *
   * @throws Refusal `invalid`, `forbidden`, `not_found`
   */
  remove(viewer: Viewer, identifier: string): Promise<void>;
}

export const authors = (needs: AuthorsNeeds): Authors => {
  const { store, clock } = needs;
  const choices = async () => choicesOf(await store.authors.authorChoices());
  // Numbers of the own scheme are assigned in order: authors created at the same time share a transaction and a commit.
  const created = groupCommit<Creation, Author>({
    write: (creations) => {
      const number = nextNumber();
      return writeAsEach(needs, creations, (tx, viewer, { sent }) => createIn(needs, tx, viewer, sent, number));
    },
    maxGroup: 100,
    maxWaiting: 10_000,
  });
  return {
    admit: requireAuthorRole,

    async search(viewer, sent) {
      requireAuthorRole(viewer);
      const community = async (name: string) => (await store.communities.community(name))?.id ?? null;
      const { query, limit, offset } = await readSearch(sent, await choices(), community);
      return query === null ? [] : await store.authors.findAuthors(query, limit, offset);
    },

    async communityChoices(viewer) {
      requireAuthorRole(viewer);
      const managed = managedBy(viewer);
      const found =
        managed === null
          ? await store.communities.findCommunities({}, "oldest", 0, COMMUNITY_CHOICES_MAX + 1)
          : await store.communities.communitiesOf([...managed].slice(0, COMMUNITY_CHOICES_MAX + 1));
      return found.map(({ slug, title }) => ({ slug, title }));
    },

    async create(viewer, read) {
      requireAuthorRole(viewer);
      const sent = read(await choices());
      return await created({ viewer, sent });
    },

    async update(viewer, identifier, read) {
      requireAuthorRole(viewer);
      const idOrUuid = identifierOf(identifier);
      const sent = read(await choices());
      return await writeAs(needs, viewer, async (tx, now) => {
        requireAuthorRole(now);
        const before = await aliveIn(tx, idOrUuid);
        const had = await communitiesNamed(tx.communities, before.communities);
        requireManaged(now, had);
        const named = await communitiesNamed(tx.communities, sent.communityIds);
        requireCommunities(now, named, had);
        const at = clock.now();
        const author = { content: sent.content, communities: named.map(({ id }) => id), at };
        await claim(tx, before.id, sent.content);
        await tx.authors.saveAuthor(before, author);
        await enqueuePropagation(tx, before, sent.content, sent.forceChange, at);
        const detail = { force_change: sent.forceChange };
        await tx.audit(now, at, [{ action: "author.update", subject: `author:${before.id}`, detail }]);
        return await there(tx, before.id);
      });
    },

    async merge(viewer, identifier, into) {
      requireAuthorRole(viewer);
      const [taken, staying] = [identifierOf(identifier), identifierOf(into, "into")];
      return await writeAs(needs, viewer, async (tx, now) => {
        requireAuthorRole(now);
        const both = await lockBoth(tx, taken, staying);
        for (const { communities } of [both.author, both.survivor]) {
          requireManaged(now, await communitiesNamed(tx.communities, communities));
        }
        const communities = await communitiesNamed(tx.communities, both.survivor.communities);
        const ids = communities.map(({ id }) => id);
        return await there(tx, await takeIn(tx, now, both, ids, clock));
      });
    },

    async remove(viewer, identifier) {
      requireAuthorRole(viewer);
      const idOrUuid = identifierOf(identifier);
      await writeAs(needs, viewer, async (tx, now) => {
        requireAuthorRole(now);
        const author = await aliveIn(tx, idOrUuid);
        requireManaged(now, await communitiesNamed(tx.communities, author.communities));
        const at = clock.now();
        await tx.authors.deleteAuthor(author, at);
        await enqueuePropagation(tx, author, null, false, at);
        const detail = { communities: author.communities };
        await tx.audit(now, at, [{ action: "author.delete", subject: `author:${author.id}`, detail }]);
      });
    },
  };
};

type Creation = { readonly viewer: Viewer; readonly sent: SentAuthor };

/** The numbers of one transaction: the first is asked for, and held, each other is one more. */
function nextNumber() {
  // A transaction that is tried again is another one.
  let last: { readonly tx: RepositoryWriter; readonly number: number } | null = null;
  return async (tx: RepositoryWriter): Promise<number> => {
    const number = last?.tx === tx ? last.number + 1 : await tx.authors.nextAuthorNumber();
    last = { tx, number };
    return number;
  };
}

/** Everything is asked before anything is written. */
async function createIn(
  { clock, random }: AuthorsNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  sent: SentAuthor,
  nextOf: (tx: RepositoryWriter) => Promise<number>,
): Promise<Author> {
  requireAuthorRole(viewer);
  const named = await communitiesNamed(tx.communities, sent.communityIds);
  requireCommunities(viewer, named, []);
  const [at, uuid, number] = [clock.now(), uuidOf(random.bytes(16)), await nextOf(tx)];
  const content = numbered(sent.content, number);
  const id = await tx.authors.insertAuthor(uuid, { content, communities: named.map((each) => each.id), at });
  if ((await tx.authors.claimAuthorNumbers(id, [number])) !== null) throw new RangeError(`Number ${number} was free`);
  await tx.audit(viewer, at, [{ action: "author.create", subject: `author:${id}`, detail: { number } }]);
  const communities = named.map(({ slug }) => slug).sort();
  return { id, uuid, content, communities, mergedInto: null, createdAt: at, updatedAt: at, deletedAt: null };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The number or the UUID of an author, as a path names it. @throws Refusal `invalid` for any other text */
function identifierOf(text: string, field = "identifier"): number | string {
  // A number that no table can hold is the number of nobody.
  if (/^\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : 0;
  if (UUID.test(text)) return text.toLowerCase();
  throw invalidAt(field, "Invalid identifier format. Must be an integer ID or UUID.");
}

/** The author, locked. @throws Refusal `not_found` for one who is not there, deleted ones included (R22) */
async function aliveIn(tx: RepositoryWriter, idOrUuid: number | string): Promise<Author> {
  const author = await tx.authors.lockAuthor(idOrUuid);
  if (author === null || !isAlive(author)) throw new Refusal("not_found", "Specified author does not exist.");
  return author;
}

async function there(tx: RepositoryWriter, id: AuthorId): Promise<Author> {
  const author = await tx.authors.author(id);
  if (author === null) throw new RangeError(`Author ${id} was written and is not there`);
  return author;
}

/** Each once, in their order. @throws Refusal `invalid` for one that is not there */
async function communitiesNamed(reader: CommunityReader, names: readonly string[]): Promise<readonly CommunityName[]> {
  const found = new Map<string, CommunityName>();
  const strays: string[] = [];
  for (const name of names) {
    const community = await reader.community(name);
    if (community === null) strays.push(name);
    else found.set(community.id, community);
  }
  if (strays.length > 0) {
    throw invalidAt("author.communityIds", `Community ID(s) ${strays.join(", ")} does not exist.`);
  }
  return [...found.values()];
}

/**
 * R21: the first identifier of the own scheme becomes the new number, another does not count; where none is sent, one
 * is added.
 */
function numbered(content: AuthorContent, number: number): AuthorContent {
  const own = content.authorIdInfo.find(({ idType }) => idType === LOCAL);
  const authorId = String(number);
  const given = { idType: LOCAL, authorId, authorIdShowFlg: own?.authorIdShowFlg ?? true };
  const others = content.authorIdInfo.filter(({ idType }) => idType !== LOCAL);
  if (own === undefined) return { ...content, authorIdInfo: [given, ...others] };
  return {
    ...content,
    authorIdInfo: content.authorIdInfo.flatMap((each) =>
      each === own ? [given] : each.idType === LOCAL ? [] : [each],
    ),
  };
}

/**
 * Numbers in the own scheme belong to the author for ever.
 *
 * @throws Refusal `invalid` for a text that is not a number, or another author's
 */
async function claim(tx: RepositoryWriter, id: AuthorId, content: AuthorContent): Promise<void> {
  const stray = content.authorIdInfo.find(({ idType, authorId }) => idType === LOCAL && localNumber(authorId) === null);
  if (stray !== undefined) {
    const rule = "a number of 1 to 15 digits without leading zeros";
    throw invalidAt(
      "author.authorIdInfo",
      `The authorId of the scheme ${LOCAL} must be ${rule}, not '${stray.authorId.slice(0, 100)}'`,
    );
  }
  const taken = await tx.authors.claimAuthorNumbers(id, localNumbers(content));
  if (taken === null) return;
  throw invalidAt("author.authorIdInfo", `The authorId ${taken} of the scheme ${LOCAL} is another author's`);
}
