// The world as the index tree alone sees it: its plugin without the rest of the repository, asked by viewers who are in
// no table, so that a test states in one line what roles, groups and memberships one has: `Bearer name`, or `Bearer
// name;scope,scope` for fewer scopes.
import { Elysia } from "elysia";
import { repositoryGuard } from "../../../plugins/repository/guard.ts";
import { indexTreePlugin } from "../../../plugins/repository/index-tree/index-tree.ts";
import { GUEST, type Membership, type RoleId, type Viewer } from "../../../src/auth/account.ts";
import type { Identity } from "../../../src/auth/accounts.ts";
import { readBearer } from "../../../src/auth/credential-text.ts";
import { indexTree, seedTree } from "../../../src/repository/index-tree/index-tree.ts";
import { treeItems } from "../../../src/repository/index-tree/items-of-deleted-indexes.ts";
import type { RateLimit } from "../../../src/shared/http/rate-limit.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { anAccount } from "../accounts.ts";
import { describedAnswers } from "../described-answers.ts";
import { seededStore } from "./seeded.ts";

export const NOW = "2026-06-15T12:00:00.000Z";
const TODAY = "2026-06-15";
export const NOW_MS = Date.parse(NOW);

const INDEX_SCOPES = ["index:read", "index:create", "index:update", "index:delete"];

export function aViewer(
  id: number,
  roles: readonly RoleId[],
  more: { readonly groups?: readonly number[]; readonly memberships?: readonly Membership[] } = {},
): Viewer {
  const account = anAccount({ id, roles: roles.filter((role) => role > 0) });
  const { groups = [], memberships = [] } = more;
  return { ...GUEST, account, roles, groups, memberships, scopes: new Set(INDEX_SCOPES), clientId: `client${id}` };
}

export type TreeJson = { readonly [name: string]: unknown };
type TreeAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, `{}` for any other. */
  readonly json: TreeJson;
  /** Its member `index`, `{}` where there is none. */
  readonly index: TreeJson;
};

type TreeWorldOptions = {
  readonly legacyIndexCreate?: "text" | "json";
  readonly rate?: RateLimit;
  readonly bodyLimit?: number;
};

export async function treeWorld(options: TreeWorldOptions = {}) {
  const time = { now: NOW, today: TODAY };
  const clock = { now: () => time.now };
  const { store, close } = await seededStore({ clock });
  await store.transact((tx) => seedTree(tx, NOW));
  const deleted: number[] = [];
  const items = treeItems({
    deleteItem: async (tx, { at }, itemId) => {
      deleted.push(itemId);
      await tx.items.setState(itemId, "deleted", at);
    },
  });
  const viewers = new Map<string, Viewer>([
    ["admin", aViewer(1, [1])],
    ["repository-admin", aViewer(2, [2])],
    ["registered", aViewer(3, [3])],
    ["community", aViewer(4, [4])],
    ["general", aViewer(5, [-98])],
  ]);
  // Viewers are in no table here: the transaction receives them as the interface does.
  const identity = async (id: number): Promise<Identity | null> => {
    for (const { account, groups, memberships } of viewers.values()) {
      if (account?.id === id) return { account, groups, memberships };
    }
    return null;
  };
  const storeOfViewers: typeof store = {
    ...store,
    transact: (work) => store.transact((tx) => work({ ...tx, accounts: { ...tx.accounts, identity } })),
  };
  const tree = indexTree({ store: storeOfViewers, clock, today: () => time.today, defaultIndex: null, items });
  const guard = repositoryGuard({
    authenticate: async (authorization) => {
      if (authorization === null) return GUEST;
      const header = readBearer(authorization.replace(/;.*$/, ""));
      const viewer = header.kind === "bearer" ? viewers.get(header.token) : undefined;
      if (viewer === undefined) {
        throw new Refusal("unauthenticated", "The access token is not valid", {
          detail: { cause: "invalid" },
        });
      }
      const scopes = /;(.*)$/.exec(authorization)?.[1];
      return scopes === undefined ? viewer : { ...viewer, scopes: new Set(scopes.split(",")) };
    },
    session: async () => null,
    bodyLimit: options.bodyLimit ?? 1 << 20,
    clientSeconds: 10,
    rate: options.rate ?? null,
  });
  const app = new Elysia({ handler: { standardHostname: false }, normalize: false }).use(
    indexTreePlugin({ indexTree: tree, guard, legacyIndexCreate: options.legacyIndexCreate ?? "text" }),
  );

  const handler = describedAnswers(async (request) => await app.fetch(request));

  /** One request; `body` is sent as JSON unless it is text. */
  async function ask(
    who: string | null,
    method: string,
    path: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<TreeAnswer> {
    const headers = new Headers(more);
    if (who !== null) headers.set("authorization", `Bearer ${who}`);
    if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const response = await handler(new Request(`http://repository.test/api${path}`, { method, headers, ...sent }), {
      addressOf: () => "192.0.2.1",
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
    const json: TreeJson = isJson ? JSON.parse(text) : {};
    const { index } = json;
    const inner = typeof index === "object" && index !== null ? (index as TreeJson) : {};
    return { status: response.status, headers: response.headers, text, json, index: inner };
  }

  return {
    store,
    tree,
    time,
    deleted,
    ask,
    viewers,
    app,
    /** A new index; returns its id. */
    async make(fields: TreeJson, who = "admin"): Promise<number> {
      const made = await ask(who, "POST", "/v1/tree/index", { index: { parent: 0, ...fields } });
      if (made.status !== 201) throw new Error(`No index was made: ${made.status} ${made.text}`);
      return Number(made.index.id);
    },
    close,
  };
}

export type TreeWorld = Awaited<ReturnType<typeof treeWorld>>;
