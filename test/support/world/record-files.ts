// The world of files of records over HTTP (R37): drafts of people, and what is asked about their files.
import type { Viewer } from "../../../src/auth/account.ts";
import type { ItemContent } from "../../../src/model/items/item.ts";
import { aContent, itemsOn } from "./items.ts";
import type { PersonName, RepositoryWorld, Who } from "./repository.ts";

export type FilesWorld = Omit<RepositoryWorld, "filesOf"> & ReturnType<typeof recordFiles>;
type Json = Record<string, unknown>;

export function recordFiles(world: RepositoryWorld) {
  const { ask, store, time, viewer } = world;
  const items = itemsOn(store, time, { arks: false });

  const json = (who: Who, method: string, path: string, body?: unknown) =>
    ask(who, method, path, body === undefined ? {} : jsonOf(body));
  const filesOf = (id: number): string => `/api/records/${id}/draft/files`;
  const fileOf = (id: number, key: string): string => `${filesOf(id)}/${encodeURIComponent(key)}`;

  return {
    items,
    json,
    filesOf,
    fileOf,
    /** A draft of a person, which may be published. */
    async draft(who: PersonName, content: Partial<ItemContent> = {}): Promise<number> {
      const { item } = await items.createDraft(await viewer(who), { content: aContent(content) });
      return item.id;
    },
    publish: async (who: PersonName, id: number) => (await items.publishDraft(await viewer(who), id)).item,
    async newVersion(who: PersonName, id: number, content: Partial<ItemContent> = {}): Promise<number> {
      const as: Viewer = await viewer(who);
      return (await items.newVersionDraft(as, id, { content: aContent(content) })).item.id;
    },
    register: (who: Who, id: number, ...files: readonly Json[]) => json(who, "POST", filesOf(id), files),
    content: (who: Who, id: number, key: string, body: BodyInit, headers: Readonly<Record<string, string>> = {}) =>
      ask(who, "PUT", `${fileOf(id, key)}/content`, { body, headers: { ...OCTET_STREAM, ...headers } }),
    part: (who: Who, id: number, key: string, number: number | string, body: BodyInit) =>
      ask(who, "PUT", `${fileOf(id, key)}/content/${number}`, { body, headers: OCTET_STREAM }),
    commit: (who: Who, id: number, key: string) => ask(who, "POST", `${fileOf(id, key)}/commit`),
    /** Registered, sent and committed. */
    async upload(who: Who, id: number, key: string, body: BodyInit) {
      await json(who, "POST", filesOf(id), [{ key }]);
      await ask(who, "PUT", `${fileOf(id, key)}/content`, { body, headers: OCTET_STREAM });
      return await ask(who, "POST", `${fileOf(id, key)}/commit`);
    },
  };
}

const OCTET_STREAM = { "content-type": "application/octet-stream" };
const jsonOf = (body: unknown) => ({ body: JSON.stringify(body), headers: { "content-type": "application/json" } });
