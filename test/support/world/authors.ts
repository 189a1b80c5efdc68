// The world with authors: the repository as its clients ask it, with people who are in the author database, items that
// name them, and their jobs.
import { type JobRunner, jobRunner } from "../../../src/jobs/runner.ts";
import type { Item } from "../../../src/model/items/item.ts";
import type { Agent } from "../../../src/model/metadata/metadata.ts";
import { authorJobs } from "../../../src/repository/authors/propagation.ts";
import type { RepositoryStore } from "../../../src/repository/store/store.ts";
import { quietLog } from "../quiet-log.ts";
import { aContent, titled } from "./items.ts";
import type { Answer, RepositoryWorld, Who } from "./repository.ts";

const PATH = "/api/v1/authors";

export type ShownAuthor = {
  readonly id: number;
  readonly uuid: string;
  readonly emailInfo: readonly unknown[];
  readonly authorIdInfo: readonly {
    readonly idType: string;
    readonly authorId: string;
    readonly authorIdShowFlg?: boolean;
  }[];
  readonly authorNameInfo: readonly Readonly<Record<string, unknown>>[];
  readonly affiliationInfo: readonly unknown[];
  readonly communityIds: readonly string[];
};
export type AuthorsWorld = RepositoryWorld & Awaited<ReturnType<typeof authors>>;

/** An agent of an item with these members. */
export const anAgent = (more: Partial<Agent> = {}): Agent => ({
  kind: "personal",
  names: [{ family: "Doe", given: "Ada" }],
  alternatives: [],
  ids: [],
  emails: [],
  affiliations: [],
  ...more,
});

export const localOf = ({ authorIdInfo }: ShownAuthor): string =>
  authorIdInfo.find(({ idType }) => idType === "LOCAL")?.authorId ?? "";

export async function authors(world: RepositoryWorld) {
  const { store } = world;
  const admin = await world.viewer("admin");
  const send = (who: Who, method: string, path: string, body?: unknown): Promise<Answer> =>
    world.ask(who, method, path, {
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  const written = ({ status, text, json }: Answer): ShownAuthor => {
    if (status !== 200) throw new Error(`${status} ${text}`);
    return json.author as ShownAuthor;
  };
  const update = (id: number | string, author: unknown, force?: unknown, who: Who = "admin") =>
    send(who, "PUT", `${PATH}/${id}`, { author, ...(force === undefined ? {} : { force_change: force }) });

  return {
    admin,
    send,
    create: (author: unknown, who: Who = "admin") => send(who, "POST", PATH, { author }),
    update,
    removeAuthor: (id: number | string, who: Who = "admin") => send(who, "DELETE", `${PATH}/${id}`),
    search: (asked: Readonly<Record<string, string>>, who: Who = "admin") =>
      send(who, "GET", `${PATH}?${new URLSearchParams(asked)}`),
    /** An author who was made. */
    author: async (author: unknown): Promise<ShownAuthor> => written(await send("admin", "POST", PATH, { author })),
    /** The author with these members changed. */
    change: async (before: ShownAuthor, changes: object, force?: boolean): Promise<ShownAuthor> =>
      written(await update(before.id, { ...before, ...changes }, force)),
    /** A published item with these creators. */
    async publish(...creators: readonly Agent[]): Promise<Item> {
      const content = aContent({ metadata: titled("Thing", { creators }) });
      return (await world.items.createAndPublish(admin, { content })).item;
    },
    /** A published item with these creators, contributors or both. */
    async publishWith(agents: {
      readonly creators?: readonly Agent[];
      readonly contributors?: readonly Agent[];
    }): Promise<Item> {
      const content = aContent({ metadata: titled("Thing", { creators: [], ...agents }) });
      return (await world.items.createAndPublish(admin, { content })).item;
    },
    /** The creators an item has now. */
    creatorsOf: async (id: number): Promise<readonly Agent[]> =>
      (await world.item(id)).content?.metadata.creators ?? [],
    runner: (over: RepositoryStore = store): JobRunner =>
      jobRunner({
        store: over,
        kinds: authorJobs({ store: over, clock: world.clock, items: world.items.core }),
        clock: world.clock,
        log: quietLog,
        owner: "test",
      }),
  };
}

/** The authors an answer lists, by number. */
export const idsIn = ({ json }: Answer): readonly number[] =>
  ((json.authors ?? []) as readonly ShownAuthor[]).map(({ id }) => id);
