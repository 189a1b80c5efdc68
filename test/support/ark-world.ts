// The management surface over a fresh database, with callers of every tier: what the HTTP tests of names need of the world.
import { Elysia } from "elysia";
import { openStore } from "../../db/ark/store.ts";
import { arkManagement } from "../../plugins/ark/management.ts";
import { guard } from "../../plugins/ark/guard.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import type { ArkState } from "../../src/ark/record.ts";
import { type Caller, SCOPES } from "../../src/auth/caller.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { requireScope } from "../../src/ark/current-caller.ts";
import { lifecycle } from "../../src/ark/lifecycle.ts";
import { minting } from "../../src/ark/minting.ts";
import { reading } from "../../src/ark/reading.ts";
import { NOW, seed } from "./seed.ts";

export type Json = { readonly [name: string]: unknown };
export type Answer = { readonly status: number; readonly body: Json; readonly headers: Headers };
export type Who = "org-a" | "org-b" | "pinned" | "naan" | "foreign" | "system" | "disabled";

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

export async function arkWorld(options: { readonly url?: string; readonly bulkRows?: number } = {}) {
  const store = await openStore({ url: options.url ?? ":memory:" });
  const seeded = await seed(store);
  const callers = callersOf(seeded.orgA, seeded.orgB);
  const time = { now: NOW };
  const clock = { now: () => time.now };
  const limits = { bulkRows: options.bulkRows ?? 10_000, holdMaxDays: 90 };
  const services = {
    minting: minting({ store, clock, random: platformRandom(), limits }),
    lifecycle: lifecycle({ store, clock, limits }),
    reading: reading({ store, clock, limits }),
  };
  /** `Bearer org-a`, or `Bearer org-a;ark:read,ark:mint` for fewer scopes. */
  async function authenticate(authorization: string | null): Promise<Caller> {
    const [name = "", scopes] = (authorization ?? "").replace(/^Bearer /, "").split(";");
    const caller = Object.values(callers).find((each) => each.clientId === name);
    if (caller === undefined) throw new ServiceError(1201, {}, { "www-authenticate": 'Bearer realm="ark"' });
    return scopes === undefined
      ? caller
      : { ...caller, scopes: new Set(SCOPES.filter((scope) => scopes.split(",").includes(scope))) };
  }
  const app = new Elysia({ handler: { standardHostname: false }, normalize: false }).use(
    arkManagement({
      guard: guard({ authenticate, requireScope, bodyLimit: 1 << 20, clientSeconds: 10, rate: null }),
      ...services,
      csvGuarded: true,
    }),
  );

  const fetch = async (request: Request): Promise<Response> => await app.handle(request);

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

  return { ...services, store, seeded, callers, time, routes: app.routes, fetch, send, make, read, history };
}
export type ArkWorld = Awaited<ReturnType<typeof arkWorld>>;
