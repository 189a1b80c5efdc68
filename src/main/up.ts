// `arkstone up`: minter and resolver as two processes over one database, with a first setup where it is empty (law, "What the service
// does" 6). Nothing is restarted in silence: when one of the two ends, the other is stopped and the exit code is 1.
import { createServer } from "node:net";
import process from "node:process";
import { systemClock } from "../adapters/clock.ts";
import { platformRandom } from "../adapters/random.ts";
import { type Config, type Env, type Role, readConfig, refuseForRole } from "../config.ts";
import { secretMaker } from "../services/credentials.ts";
import { FIRST_SETUP, setUpEmpty } from "../services/provisioning.ts";
import { startChild } from "./child.ts";
import { ListenError } from "./serve.ts";
import { startFailure, untilSignal } from "./server.ts";
import { openWriter } from "./service.ts";

type Say = (text: string) => void;

const ROLES = ["minter", "resolver"] as const satisfies readonly Role[];
const FIRST_CLIENT = FIRST_SETUP.credentials[0].client_id;
const FIRST_NAAN = FIRST_SETUP.shoulders[0].naan;
const FIRST_SHOULDER = FIRST_SETUP.shoulders[0].shoulder;

/** Runs both roles until a signal, or until one of them ends; gives back the exit code. Words for the person go to `say`, logs to stderr. */
export async function runUp(env: Env, say: Say = (text) => void process.stdout.write(`${text}\n`)): Promise<number> {
  // Listened for from the start: a signal during the start must not leave a child behind.
  const signal = untilSignal();
  try {
    const config = readConfig(env);
    refuseForRole(config, "resolver");
    await requireFreePorts(config);
    for (const warning of config.warnings) process.stderr.write(`${warning}\n`);
    const key = await prepareDatabase(config, say);
    return await superviseBoth(env, config, key, say, signal);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    return 1;
  }
}

/** The minter takes SVC_PORT (8000), the resolver the one after it. */
export function portsOf(config: Config): Readonly<Record<Role, number>> {
  const minter = config.givenPort ?? 8000;
  return { minter, resolver: minter === 0 ? 0 : minter + 1 };
}

/** Says that a port is busy before anything is written or started. */
async function requireFreePorts(config: Config): Promise<void> {
  for (const role of ROLES) {
    const port = portsOf(config)[role];
    if (port !== 0) await requireFree(config.host, port, role);
  }
}

function requireFree(host: string, port: number, role: Role): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => {
      const busy = "code" in error && error.code === "EADDRINUSE";
      const why = busy ? "the port is in use; stop the other program or set SVC_PORT" : error.message;
      reject(new ListenError(`Cannot listen on ${host}:${port} (${role}): ${why}`));
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** Brings the database to the newest schema; an empty one gets its first setup. Gives back the key made just now, or null. */
async function prepareDatabase(config: Config, say: Say): Promise<string | null> {
  const store = await openWriter(config, (warning) => process.stderr.write(`${warning}\n`));
  try {
    const secrets = secretMaker({ random: platformRandom() });
    const made = await setUpEmpty({ store, clock: systemClock, secrets, holdMaxDays: config.holdMaxDays });
    const key = made?.secrets[FIRST_CLIENT]?.api_keys[0] ?? null;
    if (key !== null) say(firstKeyText(key));
    return key;
  } finally {
    await store.close();
  }
}

async function superviseBoth(
  env: Env,
  config: Config,
  key: string | null,
  say: Say,
  signal: Promise<string>,
): Promise<number> {
  const children = ROLES.map((role) => startChild(role, childEnv(env, config, role), logLine(role)));
  const listening = Promise.all(children.map((child) => child.listening));
  // Observed below through `ended`; a rejection here must not end the process by itself.
  listening.catch(() => {});
  const end = Promise.race([signal.then(() => null), ...children.map((child) => child.ended.then(() => child))]);
  const urls = await Promise.race([listening, end.then(() => null)]).catch(() => null);
  if (urls !== null) say(readyText(urls[0] ?? "", urls[1] ?? "", config, key));
  const died = await end;
  for (const child of children) child.stop();
  const codes = await Promise.all(children.map((child) => child.ended));
  if (died !== null) {
    process.stderr.write(`The ${died.role} ended by itself, so everything was stopped\n`);
    return 1;
  }
  return codes.every((code) => code === 0) ? 0 : 1;
}

function childEnv(env: Env, config: Config, role: Role): Env {
  const { SVC_RESOLVER: _resolver, ...rest } = env;
  return { ...rest, SVC_PORT: String(portsOf(config)[role]) };
}

function logLine(role: Role): Say {
  const label = `[${role}]`.padEnd(11);
  return (line) => void process.stderr.write(`${label}${line}\n`);
}

function firstKeyText(key: string): string {
  return `
The database was empty: it now has NAAN ${FIRST_NAAN} (for tests), one organisation and the shoulder ${FIRST_SHOULDER}.
The first API key, shown this once (it may mint, read, update and publish):

  ${key}
`;
}

function readyText(minter: string, resolver: string, config: Config, key: string | null): string {
  const title = '{"url":"https://example.org/","title":"An example","who":"Somebody","when":"2026"}';
  return `
Arkstone runs. Ctrl-C stops it.

  minter     ${minter}    (its interface: ${minter}/api/docs)
  resolver   ${resolver}
  database   ${config.givenDatabaseUrl === null ? config.databaseUrl : "as SVC_DATABASE_URL says"}

Mint a name, then follow it and ask about it:

  KEY=${key ?? "svc_… # the API key shown at the first start; another one: bun run arkstone credential --help"}
  ARK=$(curl -s ${minter}/api/mint -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '${title}' | sed 's/.*"ark":"\\([^"]*\\)".*/\\1/'); echo $ARK
  curl -i "${resolver}/$ARK"
  curl "${resolver}/$ARK??"
`;
}
