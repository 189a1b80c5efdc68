// The world as browsers see it (`served`): an owner and an administrator, items, files and activities to show, and
// visitors who keep cookies.
import type { OnStatement } from "../../../db/engine/statement-listener.ts";
import type { Handler } from "../../../plugins/http/frame.ts";
import { jsonLog } from "../../../src/adapters/log.ts";
import { REPOSITORY_SCOPES, type RoleId, type Viewer } from "../../../src/auth/account.ts";
import type { IndexNode } from "../../../src/model/indexes/index-node.ts";
import type { Item, ItemContent, ItemFile } from "../../../src/model/items/item.ts";
import { mainTitle } from "../../../src/model/metadata/metadata.ts";
import type { Workflow } from "../../../src/repository/store/settings.ts";
import type { RepositoryWriter } from "../../../src/repository/store/store.ts";
import { aContent, aFile, anIndex } from "./items.ts";
import { servedRepository, viewerOf } from "./seeded.ts";

export const BASE = "http://repository.test";

export type PagesWorld = Awaited<ReturnType<typeof pagesWorld>>;

/** An activity and its item. */
type Waiting = { readonly id: string; readonly itemId: number };

type Page = { readonly status: number; readonly headers: Headers; readonly text: string };

/** A test browser: keeps cookies, sends what it accepts. */
export type Visitor = ReturnType<typeof visitor>;

type PagesOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Receives every line of the log. */
  readonly onLog?: (line: string) => void;
  /** Receives every statement. */
  readonly onStatement?: OnStatement;
  /** Of an empty database. */
  readonly url?: string;
};

export async function pagesWorld({ env = {}, onLog, onStatement, url }: PagesOptions = {}) {
  const log = onLog === undefined ? jsonLog("error", (line) => console.error(line)) : jsonLog("info", onLog);
  const usual = {
    SVC_BASE_URL: BASE,
    SVC_ACCESS_LOG: "off",
    SVC_REPOSITORY_NAME: "Test Repository",
    SVC_RESOLVER_URL: "https://ark.example.org",
  };
  const served = { settings: { ...usual, ...env }, log };
  const data = { ...(url === undefined ? {} : { url }), onStatement };
  const made = await servedRepository({ ...data, setUp: true, ...served });
  const { store, time, handler, files, items, tokens, account } = made;
  const { core } = items;

  const person = async (name: string, roles: readonly RoleId[]): Promise<Viewer> =>
    viewerOf(await account(name, roles));

  const owner = await person("owner", [3]);
  const admin = await person("admin", [1]);

  async function wait(
    tx: RepositoryWriter,
    itemId: number,
    content: ItemContent,
    kind: "registration" | "update",
    approvers: readonly Viewer[],
  ): Promise<Waiting> {
    const accounts = approvers.flatMap(({ account }) => (account === null ? [] : [account.id]));
    const plan = { ...WORKFLOW, approvers: { ...WORKFLOW.approvers, accounts } };
    const workflow = { ...plan, id: await tx.settings.saveWorkflow(plan, time.now) };
    const { activity } = await made.activities.begin(tx, owner, {
      kind,
      workflow,
      itemId,
      title: mainTitle(content.metadata),
      onBehalfOf: null,
      packageName: null,
      packageSha256: null,
      isFiled: content.indexes.length > 0,
      saveDraft: (activityId) => core.saveDraft(tx, owner, itemId, { content, activityId, pending: true }),
    });
    return { id: activity.id, itemId };
  }

  return {
    ...made,
    owner,
    admin,
    person,

    /** Stores bytes and returns the file that names them. */
    async file(name: string, bytes: string | Uint8Array, fields: Partial<ItemFile> = {}): Promise<ItemFile> {
      const stored = await files.storage.put(chunks(bytes));
      const { key, sizeBytes, sha256, md5 } = stored;
      return aFile(name, { storageKey: key, sizeBytes, sha256, md5, ...fields });
    },

    /** A published item of the owner. */
    async publish(fields: Partial<ItemContent> = {}, viewer: Viewer = owner): Promise<Item> {
      return (await items.createAndPublish(viewer, { content: aContent(fields) })).item;
    },

    /** A deposit that waits in a workflow; `approvers` may approve it, as administrators may. */
    async pending(fields: Partial<ItemContent> = {}, approvers: readonly Viewer[] = []): Promise<Waiting> {
      const content = aContent(fields);
      return await store.transact(async (tx) => {
        const { item } = await core.createDraft(tx, owner, { content, pending: true });
        return await wait(tx, item.id, content, "registration", approvers);
      });
    },

    /** A change of a published item that waits. */
    pendingUpdate: (item: Item, fields: Partial<ItemContent>, approvers: readonly Viewer[] = []): Promise<Waiting> =>
      store.transact((tx) => wait(tx, item.id, { ...(item.content ?? aContent()), ...fields }, "update", approvers)),

    async index(fields: Partial<IndexNode> & { readonly id: number }): Promise<void> {
      await store.transact(async (tx) => {
        await tx.indexes.insertIndex(anIndex(fields));
        await tx.indexes.raiseTreeRevision();
      });
    },

    async token(viewer: Viewer, scopes: readonly string[] = REPOSITORY_SCOPES): Promise<string> {
      const accountId = viewer.account?.id ?? 0;
      return (await tokens.make(viewer, { accountId, kind: "personal", name: "test", scopes, expiresAt: null })).text;
    },

    visitor: (lang = "en") => visitor(handler, lang),
  };
}

const WORKFLOW: Workflow = {
  id: 0,
  name: { en: "With approval", ja: "承認あり" },
  itemType: 1,
  index: null,
  actions: ["start", "item_registration", "approval", "end"],
  approvers: { roles: [], accounts: [], communities: [] },
  delete: null,
  deleted: false,
};

async function* chunks(bytes: string | Uint8Array): AsyncIterable<Uint8Array> {
  yield typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
}

export function visitor(handler: Handler, lang = "en", address = "192.0.2.7") {
  const cookies = new Map<string, string>();
  const peer = { addressOf: () => address };

  async function send(
    path: string,
    init: RequestInit & { readonly headers?: Record<string, string> } = {},
  ): Promise<Page> {
    const headers = new Headers({ accept: "text/html,*/*", "accept-language": lang, ...init.headers });
    if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await handler(new Request(`${BASE}${path}`, { ...init, headers }), peer);
    for (const line of response.headers.getSetCookie()) keep(line);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  function keep(line: string): void {
    const [pair = ""] = line.split(";");
    const at = pair.indexOf("=");
    if (/max-age=0/i.test(line)) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }

  const post = (path: string, fields: Readonly<Record<string, string>>): Promise<Page> =>
    send(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString(),
    });

  return {
    cookies,
    send,
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    head: (path: string) => send(path, { method: "HEAD" }),
    post,
    /** Signs in with a token; returns the answer to the form. */
    async signIn(token: string, returnTo = "/"): Promise<Page> {
      const form = await send(`/account/login?return_to=${encodeURIComponent(returnTo)}`);
      return await post("/account/login", { csrf: csrfIn(form.text), return_to: returnTo, token });
    },
  };
}

/** The token of the last form on a page. */
export function csrfIn(html: string): string {
  return [...html.matchAll(/name="csrf" value="([^"]+)"/g)].at(-1)?.[1] ?? "";
}
