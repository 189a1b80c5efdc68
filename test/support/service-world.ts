// Both roles whole, over one SQLite file, asked as clients ask: with keys, through the frame, from settings as an operator writes them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica } from "../../db/resolver/replica.ts";
import { openStore } from "../../db/ark/store.ts";
import type { Handler } from "../../plugins/http/frame.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { readConfig } from "../../src/config.ts";
import { type Credential, SCOPES, type Scope } from "../../src/auth/caller.ts";
import { composeMinter } from "../../src/main/minter.ts";
import { composeResolver } from "../../src/main/resolver.ts";
import { credentials } from "../../src/ark/credentials.ts";
import { quietLog } from "./resolver-world.ts";
import { NOW, seed, TESTER } from "./seed.ts";

export type Env = Readonly<Record<string, string>>;
export type Json = { readonly [name: string]: unknown };
export type Sent = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: Json };
export type Asked = {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** One request through a role; a body that is no text is sent as JSON. */
export async function ask(handler: Handler, method: string, path: string, asked: Asked = {}): Promise<Sent> {
  const headers = new Headers({ host: "ark.test", ...asked.headers });
  if (typeof asked.key === "string") headers.set("authorization", `Bearer ${asked.key}`);
  const { body } = asked;
  if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = { method, headers, ...(body === undefined ? {} : { body: text }) };
  const response = await handler(new Request(`http://ark.test${path}`, init), { addressOf: () => "192.0.2.1" });
  const answer = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && answer !== "";
  return { status: response.status, headers: response.headers, text: answer, json: isJson ? JSON.parse(answer) : {} };
}

/** The seeded service over a database, or over a file in a folder of its own. `key` makes a credential and one key of it. */
export async function serviceWorld(databaseUrl?: string) {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-service-"));
  const url = databaseUrl ?? join(folder, "ark.db");
  const store = await openStore({ url });
  const seeded = await seed(store);
  const time = { now: NOW };
  const clock = { now: () => time.now };
  const secrets = credentials({ store, clock, random: platformRandom() });
  const closing: (() => Promise<void>)[] = [];

  async function credential(fields: Partial<Credential> & { readonly clientId: string }): Promise<Credential> {
    const row: Credential = {
      id: 0,
      tier: "organisation",
      naan: "99999",
      organisationId: seeded.orgA,
      shoulder: null,
      scopes: [...SCOPES],
      active: true,
      expiresAt: null,
      ...fields,
    };
    return { ...row, id: await store.transact((tx) => tx.saveCredential(row)) };
  }

  async function secret(owner: Credential, kind: "api_key" | "client_secret"): Promise<string> {
    return (await secrets.addSecret(TESTER, { owner, kind, expiresAt: null })).text;
  }

  return {
    url,
    folder,
    store,
    seeded,
    time,
    credential,
    secret,
    /** A key of a new credential of org-a with these scopes, or of whatever `fields` say. */
    key: async (clientId: string, fields: Partial<Credential> = {}, scopes: readonly Scope[] = SCOPES) =>
      secret(await credential({ clientId, scopes, ...fields }), "api_key"),
    minter: (env: Env = {}): Handler =>
      composeMinter({ config: readConfig({ SVC_DATABASE_URL: url, ...env }), store, log: quietLog, clock }),
    /** A resolver that has just read the database, or the one at `from`. */
    resolver: async (env: Env = {}, from = url) => {
      const config = readConfig({ SVC_RESOLVER: "1", SVC_DATABASE_URL: from, SVC_REFRESH_MS: "600000", ...env });
      const replica = await openReplica({ url: from });
      const { handler, tables } = composeResolver({ config, replica, log: quietLog, clock });
      closing.push(async () => {
        await tables.stop();
        await replica.close();
      });
      await tables.refreshNow();
      return { handler, tables, replica };
    },
    close: async () => {
      for (const each of closing) await each();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type ServiceWorld = Awaited<ReturnType<typeof serviceWorld>>;
