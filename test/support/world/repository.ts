// The world as clients of deposits see it (`served`): accounts of every role with tokens and client records, a tree
// with a community, and what they ask.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { OnStatement } from "../../../db/engine/statement-listener.ts";
import type { Handler } from "../../../plugins/http/frame.ts";
import {
  type Account,
  REPOSITORY_OPERATOR,
  REPOSITORY_SCOPES,
  type RoleId,
  type Viewer,
} from "../../../src/auth/account.ts";
import type { RepositoryParts } from "../../../src/main/repository/serving.ts";
import type { ClientSetting, FormatSetting } from "../../../src/model/items/deposit-settings.ts";
import type { Item } from "../../../src/model/items/item.ts";
import { directClientSetting } from "../../../src/repository/deposit/client-settings.ts";
import type { Workflow } from "../../../src/repository/store/settings.ts";
import type { RepositoryStore } from "../../../src/repository/store/store.ts";
import type { Log } from "../../../src/shared/log.ts";
import { type Package, type Upload, uploadOf } from "../deposit-requests.ts";
import { NOW } from "../seed.ts";
import { anIndex } from "./items.ts";
import type { Json } from "./names.ts";
import { COMMUNITY, type ServedWorld, servedRepository, viewerOf } from "./seeded.ts";

export const BASE_URL = "https://repo.example.org";
export const RESOLVER_URL = "https://ark.example.org";
export const SERVICE = "/sword/service-document";
/**
 * `open`: everybody puts items in. `closed`: administrators only. `hidden`: not public. `community`: root of the
 * community, `below` under it.
 */
export const INDEXES = { open: 1, closed: 20, hidden: 30, community: 40, below: 41 } as const;

/**
 * One account of each kind. `manager` owns the community, `curator` curates it; `stranger` administers no community.
 */
const PEOPLE = {
  system: [1],
  admin: [2],
  registered: [3],
  other: [3],
  manager: [4],
  stranger: [4],
  curator: [3],
  approver: [3],
  general: [],
} as const satisfies Readonly<Record<string, readonly RoleId[]>>;
export type PersonName = keyof typeof PEOPLE;

type Person = { readonly account: Account; readonly token: string; readonly clientId: string };
type People = Readonly<Record<PersonName, Person>>;
/** Who asks: a person, the text of a token, or nobody. */
export type Who = PersonName | { readonly token: string } | null;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, `{}` for any other. */
  readonly json: Json;
};
type Asked = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit | null;
  readonly address?: string;
};

type WorldOptions = {
  readonly url?: string;
  /** Settings in addition to those of every test; the rate limit is off. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes the place of what the repository is made of. */
  readonly parts?: (parts: RepositoryParts) => RepositoryParts;
  readonly log?: Log;
  /** Receives every statement. */
  readonly onStatement?: OnStatement;
};

export type RepositoryWorld = Awaited<ReturnType<typeof repositoryWorld>>;

export async function repositoryWorld({ env, parts, log, ...data }: WorldOptions = {}) {
  const settings = { SVC_BASE_URL: BASE_URL, SVC_RESOLVER_URL: RESOLVER_URL, ...env };
  const served = { settings, file: true, log, parts };
  const made = await servedRepository({
    ...data,
    setUp: true,
    indexes: TREE,
    communityRoot: INDEXES.community,
    ...served,
  });
  const { store, folder } = made;
  const people = await makePeople(made);
  return {
    ...made,
    people,
    ...asking(made.handler, people),
    ...settingUp(store, made.tokens, people),
    ...looking(store, made.parts, join(folder, "files")),
    /** A person as the services see them. */
    async viewer(name: PersonName): Promise<Viewer> {
      const identity = await store.accounts.identity(people[name].account.id);
      if (identity === null) throw new Error(`${name} has no identity`);
      const { account, groups, memberships } = identity;
      return viewerOf(account, { groups, memberships, clientId: people[name].clientId });
    },
    /** Asks the same repository under other settings, or with other parts. */
    under: (...other: Parameters<typeof made.under>) => asking(made.under(...other), people),
  };
}

/** Requests of one handler. */
function asking(handler: Handler, people: People) {
  const tokenOf = (who: Who): string | null =>
    who === null ? null : typeof who === "string" ? people[who].token : who.token;

  async function ask(who: Who, method: string, path: string, asked: Asked = {}): Promise<Answer> {
    const headers = new Headers({ host: "repo.example.org", ...asked.headers });
    const token = tokenOf(who);
    if (token !== null && !headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
    const { body = null } = asked;
    // A stream as the body of a request needs `duplex`, which the types do not know.
    const init = { method, headers, ...(body === null ? {} : { body, duplex: "half" }) } as RequestInit;
    const peer = { addressOf: () => asked.address ?? "192.0.2.1" };
    const response = await handler(new Request(`http://repo.example.org${path}`, init), peer);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  const send = (who: Who, method: string, path: string, pkg: Package, upload: Upload) => {
    const { headers, body } = uploadOf(pkg, upload);
    return ask(who, method, path, { headers, body });
  };

  return {
    handler,
    ask,
    /** POST /sword/service-document. */
    deposit: (who: Who, pkg: Package, upload: Upload = {}) => send(who, "POST", SERVICE, pkg, upload),
    /** PUT /sword/deposit/{recid}. */
    replace: (who: Who, id: number | string, pkg: Package, upload: Upload = {}) =>
      send(who, "PUT", `/sword/deposit/${id}`, pkg, upload),
    status: (who: Who, id: number | string, headers: Readonly<Record<string, string>> = {}) =>
      ask(who, "GET", `/sword/deposit/${id}`, { headers }),
    remove: (who: Who, id: number | string, headers: Readonly<Record<string, string>> = {}) =>
      ask(who, "DELETE", `/sword/deposit/${id}`, { headers }),
  };
}

/** What tests change in the settings. */
function settingUp(store: RepositoryStore, tokens: ServedWorld["tokens"], people: People) {
  const clientIdOf = (who: PersonName | { readonly clientId: string }): string =>
    typeof who === "string" ? people[who].clientId : who.clientId;

  async function usualRecord(clientId: string): Promise<ClientSetting> {
    const setting = await directClientSetting(store, clientId);
    if (setting === null) throw new Error("The shipped mapping is gone");
    return setting;
  }

  return {
    /** The client record: the usual one with changes. */
    async client(who: PersonName | { readonly clientId: string }, changes: Partial<ClientSetting> = {}) {
      const setting = { ...(await usualRecord(clientIdOf(who))), ...changes };
      await store.transact((tx) => tx.settings.saveClientSetting(setting, NOW));
    },
    /** Settings of a metadata format. */
    async format(name: FormatSetting["format"], changes: Partial<FormatSetting>): Promise<void> {
      const before = await store.settings.formatSetting(name);
      if (before === null) throw new Error(`Missing setting of ${name}`);
      await store.transact((tx) => tx.settings.saveFormatSetting({ ...before, ...changes }));
    },
    /** Another token of a person, with a client record unless `record` is null. */
    async token(
      who: PersonName,
      scopes: readonly string[] = REPOSITORY_SCOPES,
      record: Partial<ClientSetting> | null = {},
    ) {
      const { account } = people[who];
      const input = { accountId: account.id, kind: "personal" as const, name: "test", scopes, expiresAt: null };
      const { client, text } = await tokens.make(REPOSITORY_OPERATOR, input);
      if (record !== null) {
        const setting = { ...(await usualRecord(client.clientId)), ...record };
        await store.transact((tx) => tx.settings.saveClientSetting(setting, NOW));
      }
      return { token: text, clientId: client.clientId };
    },
    revoke: (clientId: string) => tokens.revoke(REPOSITORY_OPERATOR, clientId),
    /** A workflow; the usual one asks for approval by roles 1 and 2 and by the account `approver`. Returns its id. */
    workflow: (changes: Partial<Workflow> = {}): Promise<number> =>
      store.transact((tx) =>
        tx.settings.saveWorkflow(
          {
            id: 0,
            name: { en: "Test", ja: "テスト" },
            itemType: 1,
            index: INDEXES.open,
            actions: ["start", "item_registration", "approval", "end"],
            approvers: { roles: [1, 2], accounts: [people.approver.account.id], communities: [] },
            delete: null,
            deleted: false,
            ...changes,
          },
          NOW,
        ),
      ),
  };
}

/** What tests check in the store itself. */
function looking(store: RepositoryStore, { files }: RepositoryParts, filesFolder: string) {
  async function itemOf(id: number): Promise<Item> {
    const item = await store.items.item(id);
    if (item === null) throw new Error(`Missing item ${id}`);
    return item;
  }

  async function bytesOf(storageKey: string): Promise<Uint8Array> {
    const found = await files.storage.read(storageKey);
    if (found === null) throw new Error(`Missing bytes ${storageKey}`);
    const pieces: Uint8Array[] = [];
    for await (const piece of found.stream) pieces.push(piece);
    return new Uint8Array(Buffer.concat(pieces));
  }

  return {
    item: itemOf,
    /** The bytes of an item's files as the storage has them, by name. */
    async filesOf(id: number): Promise<ReadonlyMap<string, Uint8Array>> {
      const content = (await itemOf(id)).content ?? (await store.items.draft(id))?.content;
      const found = new Map<string, Uint8Array>();
      for (const file of content?.files ?? []) found.set(file.name, await bytesOf(file.storageKey));
      return found;
    },
    /** Everything the storage holds on disk, uploads under way included: what a refused deposit may not add to. */
    leftovers: (): readonly string[] =>
      readdirSync(filesFolder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(filesFolder.length + 1))
        .sort(),
    /** How many items there are, in any state. */
    countItems: (): Promise<number> => store.items.countItems({}),
  };
}

const TREE = [
  anIndex({ id: INDEXES.closed, contributeRole: [1, 2] }),
  anIndex({ id: INDEXES.hidden, publicState: false }),
  anIndex({ id: INDEXES.community, contributeRole: [1, 2] }),
  anIndex({ id: INDEXES.below, parent: INDEXES.community, contributeRole: [1, 2] }),
];

async function makePeople({ store, account, tokens }: ServedWorld): Promise<People> {
  const made: Partial<Record<PersonName, Person>> = {};
  for (const name of Object.keys(PEOPLE) as PersonName[]) {
    const person = await account(name, PEOPLE[name]);
    const request = { accountId: person.id, kind: "personal", name: "test", scopes: REPOSITORY_SCOPES } as const;
    const { client, text } = await tokens.make(REPOSITORY_OPERATOR, { ...request, expiresAt: null });
    const setting = await directClientSetting(store, client.clientId);
    if (setting !== null) await store.transact((tx) => tx.settings.saveClientSetting(setting, NOW));
    made[name] = { account: person, token: text, clientId: client.clientId };
  }
  // Every name was filled above.
  const people = made as People;
  await store.transact(async (tx) => {
    await tx.communities.setMember(COMMUNITY, people.manager.account.id, "owner");
    await tx.communities.setMember(COMMUNITY, people.curator.account.id, "curator");
  });
  return people;
}

/** The recid an answer names, from its Location. */
export function recidOf({ headers, text }: Answer): number {
  const found = /\/sword\/deposit\/(\d+)$/.exec(headers.get("location") ?? "")?.[1];
  if (found === undefined) throw new Error(`No recid: ${text.slice(0, 500)}`);
  return Number(found);
}
