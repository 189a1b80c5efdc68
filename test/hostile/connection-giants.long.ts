// Connections that ask much at once or read slowly (R9a), at each role, while another connection asks for /healthz
// every 50 ms.
// `ARKSTONE_GIANTS=2000 bun test ./test/hostile/connection-giants.long.ts` opens as many, of all sizes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { onReferenceMachine } from "../support/calibration.ts";
import { type DepositInstallation, depositInstallation } from "../support/deposit-installation.ts";
import { eventually } from "../support/eventually.ts";
import { filesClient } from "../support/files-client.ts";
import { freePort, provision, type Role, startRole } from "../support/processes.ts";
import { METADATA } from "../support/record-calls.ts";
import { type StallWatch, stallWatch } from "../support/stall-watch.ts";
import {
  CONNECTION_SHAPES,
  type ConnectionFinding,
  type ConnectionGiant,
  type ConnectionTarget,
  connectionGiants,
  type RoleName,
  sendConnectionGiant,
} from "./connection-giants.ts";
import { rng } from "./generate.ts";
import { LONGEST_MS, MEMORY_MIB } from "./stalls.ts";

const SEED = Number(process.env.ARKSTONE_GIANTS_SEED ?? 20_261_123);
const ASKED = Number(process.env.ARKSTONE_GIANTS ?? 0);
const GIANTS = ASKED > 0 ? ASKED : CONNECTION_SHAPES;
const EACH_MS = 60_000;
const MEMORY_WAIT_MS = 40_000;
const ROLES = ["repository", "minter", "resolver"] as const;

let installation: DepositInstallation;
const envOf = (role: RoleName) => ({ ...installation.env, ...(role === "resolver" ? { SVC_RESOLVER: "1" } : {}) });
const running = new Map<RoleName, Role>();
const targets = new Map<RoleName, ConnectionTarget>();
const before = new Map<RoleName, number>();

beforeAll(async () => {
  installation = await depositInstallation("connections", { SVC_FILE_CHECK: "off", SVC_WORKERS: "1" });
  const key = await provision(installation.folder, installation.env);
  const token = await installation.setup.client();
  for (const role of ROLES) running.set(role, await startRole(role, envOf(role), await freePort()));
  const ark = await mintLong(at("minter"), key);
  const record = await publishLong(at("repository"), token);
  await eventually("the name resolves", async () => {
    const answer = await fetch(`${at("resolver")}/${ark}`, { redirect: "manual" });
    return answer.status === 302;
  });
  for (const role of ROLES) {
    const { port, pid } = roleOf(role);
    const authorization = `Bearer ${role === "repository" ? token : key}`;
    targets.set(role, { port, watch: await stallWatch({ port, pid }), authorization, ark, record });
  }
  // What ordinary work leaves behind is not a giant's.
  for (const giant of connectionGiants(rng(1), CONNECTION_SHAPES, true)) await send(giant);
  for (const role of ROLES) before.set(role, watchOf(role).residentMiB());
}, 600_000);

afterAll(async () => {
  for (const { watch } of targets.values()) await watch.close();
  for (const role of running.values()) await role.kill("SIGTERM");
  await installation?.close();
});

function roleOf(role: RoleName): Role {
  const found = running.get(role);
  if (found === undefined) throw new Error(`The ${role} was not started`);
  return found;
}
const at = (role: RoleName): string => roleOf(role).base;
function targetOf(role: RoleName): ConnectionTarget {
  const found = targets.get(role);
  if (found === undefined) throw new Error(`The ${role} is not watched`);
  return found;
}
const watchOf = (role: RoleName): StallWatch => targetOf(role).watch;
const send = (giant: ConnectionGiant): Promise<ConnectionFinding> => sendConnectionGiant(targetOf(giant.role), giant);

/** Names with long descriptions, so that an export has megabytes. Returns one of them. */
async function mintLong(base: string, key: string): Promise<string> {
  const data = Array.from({ length: 400 }, (_, index) => ({
    ...{ shoulder: "99999/b1", url: `https://t.example/${index}`, title: `${index} ${"long ".repeat(1_900)}` },
  }));
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${base}/api/mint/bulk`, { method: "POST", headers, body: JSON.stringify({ data }) });
  const { minted } = (await answer.json()) as { readonly minted: readonly { readonly ark: string }[] };
  return minted[0]?.ark ?? "none";
}

/** A published record of 9,000 people with a file of 16 MiB. */
async function publishLong(base: string, token: string): Promise<string> {
  const client = filesClient(() => base, token);
  const creators = Array.from({ length: 9_000 }, (_, index) => ({
    person_or_org: { type: "personal", family_name: `Family${index}`, given_name: "Given" },
  }));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { ...METADATA, creators }, files: { enabled: true } });
  const made = await fetch(`${base}/api/records`, { method: "POST", headers, body });
  const { id } = (await made.json()) as { readonly id: string };
  await client.register(id, { key: "a.bin" });
  await client.content(id, "a.bin", new Uint8Array(16 << 20).fill(97));
  await client.commit(id, "a.bin");
  const published = await fetch(`${base}/api/records/${id}/draft/actions/publish`, { method: "POST", headers });
  expect(published.status).toBe(202);
  return id;
}

test(
  `R9a ${GIANTS} connections that pipeline or read slowly are answered in order and hold nobody up`,
  async () => {
    const findings: ConnectionFinding[] = [];
    for (const giant of connectionGiants(rng(SEED), GIANTS, ASKED === 0)) {
      const found = await send(giant);
      if (onReferenceMachine(found.ownMs) > LONGEST_MS || found.faults.length > 0) findings.push(found);
    }
    expect(findings).toEqual([]);
    expect(ROLES.filter((role) => !roleOf(role).running())).toEqual([]);
  },
  240_000 + GIANTS * EACH_MS,
);

test(
  "R9a memory of each role comes back to what it was",
  async () => {
    const grown = () => ROLES.filter((role) => watchOf(role).residentMiB() > (before.get(role) ?? 0) + MEMORY_MIB);
    const until = Date.now() + MEMORY_WAIT_MS;
    while (grown().length > 0 && Date.now() < until) await sleep(1_000);
    expect(grown().map((role) => [role, before.get(role), watchOf(role).residentMiB()])).toEqual([]);
  },
  MEMORY_WAIT_MS * 2,
);
