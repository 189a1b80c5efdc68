// `arkstone up`: minter, resolver and repository as processes over one database, with a first setup where it is empty
// (specification 1, "What the service does" 6). Nothing is restarted in silence: when one of them ends, the others are
// stopped and the exit code is 1.
import { createServer } from "node:net";
import process from "node:process";
import { systemClock } from "../adapters/clock.ts";
import { platformRandom } from "../adapters/random.ts";
import { secretMaker } from "../ark/credentials.ts";
import { FIRST_SETUP, setUpEmpty } from "../ark/provisioning/apply.ts";
import {
  type Config,
  ConfigError,
  type Env,
  type Role,
  readConfig,
  refuseForRole,
  SERVER_ROLES,
  schemeOf,
} from "../config.ts";
import { FIRST_ADMINISTRATOR, setUpRepository } from "../repository/administration/repository-setup.ts";
import { PROGRAM, startChild } from "./child-process.ts";
import type { Certificate, CertificateFiles } from "./process/certificate.ts";
import { startFailure } from "./process/role-process.ts";
import { ListenError } from "./process/serve.ts";
import { tryCertificate } from "./process/try-certificate.ts";
import { untilSignal } from "./process/until-signal.ts";
import { SETUP_STEPS } from "./repository/repository.ts";
import { openRepositoryWriter } from "./repository/runtime.ts";

export type Print = (text: string) => void;

const toStdout: Print = (text) => void process.stdout.write(`${text}\n`);

const ROLES = SERVER_ROLES;
const FIRST_CLIENT = FIRST_SETUP.credentials[0].client_id;
const FIRST_NAAN = FIRST_SETUP.shoulders[0].naan;
const FIRST_SHOULDER = FIRST_SETUP.shoulders[0].shoulder;

/** What is made ready before the roles start; what the user reads once they listen. */
export type Prepared = { readonly readyText: (urls: readonly string[]) => string };
type Prepare = (env: Env, config: Config, print: Print) => Promise<Prepared>;

/**
 * Runs all roles until a signal, or until one of them ends; returns the exit code. Messages for the user go to `print`,
 * logs to stderr.
 */
export async function runUp(env: Env, prepare: Prepare = prepareDatabase, print: Print = toStdout): Promise<number> {
  // Listened for from the start: a signal during the start must not leave a child behind.
  const signal = untilSignal();
  try {
    const config = readConfig(env);
    refuseForRole(config, "resolver");
    await requireFreePorts(config);
    for (const warning of config.warnings) process.stderr.write(`${warning}\n`);
    print("Preparing the database …");
    const prepared = await prepare(env, config, print);
    print("Starting minter, resolver and repository …");
    return await superviseAll(env, config, prepared, print, signal);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    return 1;
  }
}

/** The settings with a certificate that this machine signs for itself, which is printed. @throws ConfigError */
export async function withOwnCertificate(env: Env, print: Print = toStdout): Promise<Env> {
  const config = readConfig(env);
  if (config.tlsCert !== null) {
    throw new ConfigError([`SVC_TLS_CERT="${config.tlsCert}" is not allowed with --tls: leave one of the two out`]);
  }
  const { files, certificate } = await tryCertificate(config, new Date());
  print(ownCertificateText(files, certificate));
  return { ...env, SVC_TLS_CERT: files.certFile, SVC_TLS_KEY: files.keyFile };
}

function ownCertificateText({ certFile }: CertificateFiles, { fingerprint, names, expires }: Certificate): string {
  return `
This machine has signed a certificate for itself, to try TLS with: browsers ask before they accept it.

  for         ${names}
  until       ${expires.toISOString()}
  SHA-256     ${fingerprint}

Programs on this machine trust it with

  export CURL_CA_BUNDLE="${certFile}" NODE_EXTRA_CA_CERTS="${certFile}"
`;
}

/** The minter takes SVC_PORT (8000), the resolver and the repository the two after it. */
function portsOf(config: Config): Readonly<Record<Role, number>> {
  const minter = config.givenPort ?? 8000;
  const after = (steps: number): number => (minter === 0 ? 0 : minter + steps);
  return { minter, resolver: after(1), repository: after(2) };
}

/** Refuses a port in use before anything is written or started. */
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
      const why = busy
        ? "the port is in use; stop the other program or set SVC_PORT"
        : `${error.message}; check SVC_HOST`;
      reject(new ListenError(`Cannot listen on ${host}:${port} (${role}): ${why}`));
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** What was made just now and is shown once; null where it was there already. */
type FirstKeys = { readonly key: string | null; readonly token: string | null };

/** Brings the database to the newest schema; an empty one gets its first setup. */
async function prepareDatabase(_env: Env, config: Config, print: Print): Promise<Prepared> {
  const store = await openRepositoryWriter(config, {
    checked: (warning) => void process.stderr.write(`${warning}\n`),
  });
  const random = platformRandom();
  try {
    const secrets = secretMaker({ random });
    const made = await setUpEmpty({ store: store.arks, clock: systemClock, secrets, holdMaxDays: config.holdMaxDays });
    const key = made?.secrets[FIRST_CLIENT]?.api_keys[0] ?? null;
    if (key !== null) print(firstKeyText(key));
    const token = await setUpRepository({ store, clock: systemClock, random, steps: SETUP_STEPS });
    if (token !== null) print(firstTokenText(token));
    return { readyText: (urls) => readyText(urls, config, { key, token }) };
  } finally {
    await store.close();
  }
}

async function superviseAll(
  env: Env,
  config: Config,
  prepared: Prepared,
  print: Print,
  signal: Promise<string>,
): Promise<number> {
  const children = ROLES.map((role) => startChild(role, childEnv(env, config, role), logLine(role)));
  const listening = Promise.all(children.map((child) => child.listening));
  // Observed below through `ended`; a rejection here must not end the process by itself.
  listening.catch(() => {});
  const end = Promise.race([signal.then(() => null), ...children.map((child) => child.ended.then(() => child))]);
  const urls = await Promise.race([listening, end.then(() => null)]).catch(() => null);
  if (urls !== null) print(prepared.readyText(urls));
  const died = await end;
  for (const child of children) child.stop();
  const codes = await Promise.all(children.map((child) => child.ended));
  if (died !== null) {
    process.stderr.write(`The ${died.role} ended by itself, so everything was stopped\n`);
    return 1;
  }
  return codes.every((code) => code === 0) ? 0 : 1;
}

/** The settings of one role. */
export function childEnv(env: Env, config: Config, role: Role): Env {
  const { SVC_RESOLVER: _resolver, ...rest } = env;
  const ports = portsOf(config);
  const resolver = ports.resolver === 0 ? null : `${schemeOf(config)}://${config.host}:${ports.resolver}`;
  // Nobody but this resolver knows the names of a first setup.
  const known = role === "repository" && config.resolverUrl === null && resolver !== null;
  return { ...rest, SVC_PORT: String(ports[role]), ...(known ? { SVC_RESOLVER_URL: resolver } : {}) };
}

function logLine(role: Role): Print {
  const label = `[${role}]`.padEnd(13);
  return (line) => void process.stderr.write(`${label}${line}\n`);
}

function firstKeyText(key: string): string {
  return `
The database was empty: it now has NAAN ${FIRST_NAAN} (for tests), one organisation and the shoulder ${FIRST_SHOULDER}.
The first API key, shown this once (it may mint, read, update and publish):

  ${key}
`;
}

function firstTokenText(token: string): string {
  return `
The repository had no accounts: it now has the system administrator ${FIRST_ADMINISTRATOR}.
The first access token, shown this once (it may do everything in the repository):

  ${token}
`;
}

function readyText(urls: readonly string[], config: Config, { key, token }: FirstKeys): string {
  const [minter = "", resolver = "", repository = ""] = urls;
  const title = '{"url":"https://example.org/","title":"An example","who":"Somebody","when":"2026"}';
  return `
Arkstone runs. Ctrl-C stops it.

  minter     ${minter}    (its interface: ${minter}/api/docs)
  resolver   ${resolver}
  repository ${repository}    (its interface: ${repository}/api/docs)
  database   ${config.givenDatabaseUrl === null ? config.databaseUrl : "as set by SVC_DATABASE_URL"}

Mint a name, then follow it and ask about it:

  KEY=${key ?? `svc_… # the API key shown at the first start; for another one: ${PROGRAM} credential --help`}
  ARK=$(curl -s ${minter}/api/mint -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '${title}' | sed 's/.*"ark":"\\([^"]*\\)".*/\\1/'); echo $ARK
  curl -i "${resolver}/$ARK"
  curl "${resolver}/$ARK??"

Ask the repository what it takes, and give it a folder of yours:

  TOKEN=${token ?? `svc_… # the access token shown at the first start; for another one: ${PROGRAM} token --help`}
  curl -s ${repository}/sword/service-document -H "Authorization: Bearer $TOKEN"
  ${PROGRAM} pack FOLDER --title "What it is" --creator "Family, Given" --out package.zip
  ${PROGRAM} deposit package.zip --url ${repository} --token $TOKEN
`;
}
