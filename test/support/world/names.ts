// The names side of the product over a new database, seeded (seed.ts), with a clock that can be set. `namesWorld({ ...
// })` names what a test needs otherwise; all the rest is there and costs nothing until it is used:
// - the services (`minting`, `lifecycle`, `reading`) and calls of both organisations (`a`, `b`);
// - the management surface alone (`send`, `make`, `read`, `history`), asked by callers of every tier without keys;
// - both roles whole (`key`, `minter`, `resolver`), from settings as an operator writes them, asked with keys (`ask`).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Elysia } from "elysia";
import { openStore } from "../../../db/ark/store.ts";
import { openReplica } from "../../../db/resolver/replica.ts";
import { guard } from "../../../plugins/ark/guard.ts";
import { arkManagement } from "../../../plugins/ark/management.ts";
import type { Handler } from "../../../plugins/http/frame.ts";
import { platformRandom } from "../../../src/adapters/random.ts";
import { arkQueries } from "../../../src/ark/ark-queries.ts";
import { credentials } from "../../../src/ark/credentials.ts";
import { requireScope } from "../../../src/ark/current-caller.ts";
import { lifecycle } from "../../../src/ark/lifecycle.ts";
import { minting } from "../../../src/ark/minting.ts";
import type { ArkRecord, ArkState } from "../../../src/ark/record.ts";
import type { Store } from "../../../src/ark/store.ts";
import { type Caller, type Credential, SCOPES, type Scope } from "../../../src/auth/caller.ts";
import { readConfig } from "../../../src/config.ts";
import { composeMinter } from "../../../src/main/minter/minter.ts";
import { ServiceError } from "../../../src/shared/errors.ts";
import type { Clock, Random } from "../../../src/shared/time/clock.ts";
import { aCall } from "../callers.ts";
import { quietLog } from "../quiet-log.ts";
import { NOW, type Seeded, seed, TESTER } from "../seed.ts";
import { resolverOver } from "./resolver.ts";

type NamesFeatures = {
  /** Of an empty database; one in memory by itself. */
  readonly url?: string | undefined;
  /** By default in a separate folder: a resolver opens it a second time. */
  readonly file?: boolean;
  /** Scripted luck. */
  readonly random?: Random;
  readonly bulkRows?: number;
};
export type NamesWorld = Awaited<ReturnType<typeof namesWorld>>;

export type Env = Readonly<Record<string, string>>;
export type Json = { readonly [name: string]: unknown };
export type Answer = { readonly status: number; readonly body: Json; readonly headers: Headers };
type Who = "org-a" | "org-b" | "pinned" | "naan" | "foreign" | "system" | "disabled";
export type Sent = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: Json };
export type Asked = {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export async function namesWorld({ file = false, random = platformRandom(), ...features }: NamesFeatures = {}) {
  const folder = file && features.url === undefined ? mkdtempSync(join(tmpdir(), "arkstone-names-")) : "";
  const url = features.url ?? (folder === "" ? ":memory:" : join(folder, "ark.db"));
  const store = await openStore({ url });
  const seeded = await seed(store);
  const { orgA, orgB } = seeded;
  const time = { now: NOW };
  const clock = { now: () => time.now };
  const limits = { bulkRows: features.bulkRows ?? 10_000, holdMaxDays: 90 };
  const services = {
    minting: minting({ store, clock, random, limits }),
    lifecycle: lifecycle({ store, clock, limits }),
    arkQueries: arkQueries({ store, clock, limits }),
  };
  const roles = wholeRoles({ url, store, clock, seeded });
  const [a, b] = [aCall({ organisationId: orgA }), aCall({ clientId: "b", organisationId: orgB })];
  return {
    ...{ url, folder, store, seeded, orgA, orgB, a, b, time },
    ...services,
    ...management({ ...services, clock }, callersOf(orgA, orgB)),
    ...roles,
    close: async () => {
      await roles.stop();
      await store.close();
      if (folder !== "") rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Services = Readonly<{
  clock: Clock;
  minting: ReturnType<typeof minting>;
  lifecycle: ReturnType<typeof lifecycle>;
  arkQueries: ReturnType<typeof arkQueries>;
}>;

/** The management surface with its endpoints open to `callers`. */
function management(services: Services, callers: Readonly<Record<Who, Caller>>) {
  /** `Bearer org-a`, or `Bearer org-a;ark:read,ark:mint` for fewer scopes. */
  async function authenticate(authorization: string | null): Promise<Caller> {
    const [name = "", scopes] = (authorization ?? "").replace(/^Bearer /, "").split(";");
    const caller = Object.values(callers).find((each) => each.clientId === name);
    if (caller === undefined) throw new ServiceError(1201, {}, { "www-authenticate": 'Bearer realm="ark"' });
    return scopes === undefined
      ? caller
      : { ...caller, scopes: new Set(SCOPES.filter((scope) => scopes.split(",").includes(scope))) };
  }
  const compose = () =>
    new Elysia({ handler: { standardHostname: false }, normalize: false }).use(
      arkManagement({
        guard: guard({ authenticate, requireScope, bodyLimit: 1 << 20, clientSeconds: 10, rate: null }),
        ...services,
        csvGuarded: true,
      }),
    );
  let composed: ReturnType<typeof compose> | null = null;
  const app = () => {
    composed ??= compose();
    return composed;
  };

  const fetch = async (request: Request): Promise<Response> => await app().handle(request);

  /** One JSON request; `who` may carry scopes behind a semicolon, null sends no credential. */
  async function send(who: string | null, method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = new Headers();
    if (who !== null) headers.set("authorization", `Bearer ${who}`);
    if (body !== undefined) headers.set("content-type", "application/json");
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(
      new Request(`http://ark.test/api/${path}`, { method, headers, ...(body === undefined ? {} : { body: text }) }),
    );
    const answer = await response.text();
    return { status: response.status, body: answer === "" ? {} : JSON.parse(answer), headers: response.headers };
  }

  /** A new name of org-a in this state. */
  async function make(state: ArkState, fields: Json = {}): Promise<string> {
    const minted = await send("org-a", "POST", "mint", {
      url: "https://example.org/thing",
      title: "A thing",
      commitment: "Kept",
      ...fields,
      reserve: state === "reserved" || state === "deleted",
    });
    const ark = String(minted.body.ark);
    const after: Partial<Record<ArkState, readonly [string, string, Json]>> = {
      unpublished: ["POST", "unpublish", solemnly(ark)],
      tombstoned: ["PUT", "tombstone", { ark }],
      deleted: ["POST", "delete", { ark }],
      purged: ["POST", "purge", solemnly(ark)],
    };
    const step = after[state];
    const done = step === undefined ? minted : await send("org-a", ...step);
    if (done.status !== 200 && done.status !== 201) throw new Error(`No ${state} name: ${JSON.stringify(done.body)}`);
    return ark;
  }

  const read = async (ark: string): Promise<Json | undefined> => {
    const answer = await send("org-a", "POST", "query", { data: [ark] });
    return Array.isArray(answer.body.data) ? answer.body.data[0] : undefined;
  };
  const history = async (ark: string): Promise<readonly Json[]> => {
    const answer = await send("org-a", "GET", `history?ark=${encodeURIComponent(ark)}`);
    return Array.isArray(answer.body.data) ? answer.body.data : [];
  };

  return { callers, routes: () => app().routes, fetch, send, make, read, history };
}

type Roles = { readonly url: string; readonly store: Store; readonly clock: Clock; readonly seeded: Seeded };

/** Credentials with their secrets, and the roles that read them. */
function wholeRoles({ url, store, clock, seeded }: Roles) {
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
    credential,
    secret,
    /** A key of a new credential of org-a with these scopes, or with these `fields`. */
    key: async (clientId: string, fields: Partial<Credential> = {}, scopes: readonly Scope[] = SCOPES) =>
      secret(await credential({ clientId, scopes, ...fields }), "api_key"),
    minter: (env: Env = {}): Handler =>
      composeMinter({ config: readConfig({ SVC_DATABASE_URL: url, ...env }), store, log: quietLog, clock }),
    /** A resolver that has just read the database, or the one at `from`. */
    resolver: async (env: Env = {}, from = url) => {
      const config = readConfig({ SVC_RESOLVER: "1", SVC_DATABASE_URL: from, SVC_REFRESH_MS: "600000", ...env });
      const replica = await openReplica({ url: from });
      const { handler, tables } = await resolverOver({ config, replica, clock });
      closing.push(async () => {
        await tables.stop();
        await replica.close();
      });
      return { handler, tables, replica };
    },
    stop: async () => {
      for (const each of closing) await each();
    },
  };
}

/** One request through a role; a body that is not a text is sent as JSON. */
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

/** Reason and the name retyped. */
export const solemnly = (ark: string): Json => ({ ark, reason: "Asked for by its owner", confirm: ark });

function callersOf(orgA: number, orgB: number): Readonly<Record<Who, Caller>> {
  const base = { naan: "99999", organisationActive: true, shoulder: null, scopes: new Set(SCOPES) };
  const organisation = { ...base, tier: "organisation" as const };
  return {
    "org-a": { ...organisation, clientId: "org-a", organisationId: orgA },
    "org-b": { ...organisation, clientId: "org-b", organisationId: orgB },
    pinned: { ...organisation, clientId: "pinned", organisationId: orgA, shoulder: "r7" },
    disabled: { ...organisation, clientId: "disabled", organisationId: orgA, organisationActive: false },
    naan: { ...base, clientId: "naan", tier: "naan", organisationId: null },
    foreign: { ...base, clientId: "foreign", tier: "naan", naan: "88888", organisationId: null },
    system: { ...base, clientId: "system", tier: "system", naan: null, organisationId: null },
  };
}

/** A generator that answers these blades in turn, then others that are all different. */
export function scripted(blades: readonly string[]): Random {
  let next = 0;
  return {
    betanumerics: (length) => blades[next++] ?? String(next).padStart(length, "0"),
    bytes: (length) => new Uint8Array(length),
  };
}

/** Every living name, by key. */
export async function namesOf(store: Store): Promise<readonly ArkRecord[]> {
  return await store.listArks({ reach: { kind: "system" } }, "", 100_000);
}

/** Writes another state over a record, as the endpoints that change names would. */
export async function become(store: Store, record: ArkRecord, state: ArkRecord["state"]): Promise<void> {
  const public_ = state === "published" || (state === "tombstoned" && record.publishedAt !== null);
  const gone = state === "deleted" || state === "purged";
  const changed: ArkRecord = {
    ...record,
    state,
    publishedAt: public_ ? record.createdAt : null,
    tombstonedAt: state === "tombstoned" ? record.createdAt : null,
    url: gone ? "" : record.url,
    withdrawnAt: gone ? record.createdAt : null,
    withdrawnReason: gone ? "gone" : null,
  };
  await store.transact((tx) => tx.updateArks([changed]));
}
