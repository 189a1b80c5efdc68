// `arkstone demo`: everything as `arkstone up` runs it, over a folder that is filled with invented items at the first
// run. The settings of the caller choose ports; their databases and storages are left alone.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { openRepositoryStore } from "../../../db/repository/store.ts";
import { systemClock } from "../../adapters/clock.ts";
import { codeOf } from "../../adapters/files.ts";
import { jsonLog } from "../../adapters/log.ts";
import { platformRandom } from "../../adapters/random.ts";
import { secretMaker } from "../../ark/credentials.ts";
import { setUpEmpty } from "../../ark/provisioning/apply.ts";
import { REPOSITORY_OPERATOR, REPOSITORY_SCOPES } from "../../auth/account.ts";
import { type Config, type Env, readConfig } from "../../config.ts";
import { findAccount } from "../../repository/administration/accounts.ts";
import { FIRST_ADMINISTRATOR, setUpRepository } from "../../repository/administration/repository-setup.ts";
import { accountTokens } from "../../repository/people/account-tokens.ts";
import { signIn } from "../../repository/people/sign-in.ts";
import type { RepositoryStore } from "../../repository/store/store.ts";
import type { Log } from "../../shared/log.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import { CommandRefusal } from "../commands/refusals.ts";
import { usageOf } from "../process/usage.ts";
import { coreOf } from "../repository/core.ts";
import { SETUP_STEPS } from "../repository/repository.ts";
import { openRepositoryWriter } from "../repository/runtime.ts";
import { composeRepository } from "../repository/serving.ts";
import { searchOf } from "../search.ts";
import { openStorage } from "../storage.ts";
import { childEnv, type Prepared, type Print, runUp } from "../up.ts";
import { fillRepository, type SetClock } from "./fill.ts";
import { ACCOUNTS, mailOf } from "./types.ts";
import { YEAR_DAYS } from "./works.ts";

/** In the folder of a demonstration: whether it was filled to its end. */
const MARK = "arkstone-demo.json";
/** Longer than filling takes: its tokens are good for nothing afterwards. */
const FILLING_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Settings that would lead away from the folder, or limit the filling. */
const LEFT_OUT = /^SVC_(?:DATA_DIR|DATABASE_URL|REPLICA_URL|STORAGE|S3_|SEARCH|TYPESENSE|BASE_URL|SMTP|MAIL)/;

const nothing = (): void => {};
const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Returns the exit code. @throws CommandRefusal for a folder with something else in it */
export async function runDemo(env: Env, given: string, items: number): Promise<number> {
  const folder = resolve(given);
  const isNew = await takeFolder(folder);
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !LEFT_OUT.test(name)));
  const name = kept.SVC_REPOSITORY_NAME ?? "Arkstone demonstration";
  const settings = { ...kept, SVC_DATA_DIR: folder, SVC_REPOSITORY_NAME: name };
  return await runUp(settings, async (all, config, print) => {
    // Addresses are those of the repository, which is not at the port of `up`.
    const ofRepository = readConfig(childEnv(all, config, "repository"));
    const token = isNew ? await fill(ofRepository, folder, items, print) : null;
    return await prepared(ofRepository, folder, token);
  });
}

/** True for a folder that is to be filled: a new or empty one, or one in which the filling was interrupted. */
async function takeFolder(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  if (names.length > 0) {
    const mark = await readFile(join(folder, MARK), "utf8").catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
      throw new CommandRefusal(
        `${folder} is not empty, and not the folder of a demonstration`,
        'Name another folder: "arkstone demo FOLDER"',
      );
    });
    if (mark.includes('"filled"')) return false;
    // The mark is the last to be deleted.
    for (const each of names) if (each !== MARK) await rm(join(folder, each), { recursive: true });
  }
  await writeMark(folder, "filling");
  return true;
}

const writeMark = (folder: string, state: "filling" | "filled"): Promise<void> =>
  writeFile(join(folder, MARK), `${JSON.stringify({ state })}\n`);

/** Returns the token of the administrator. */
async function fill(config: Config, folder: string, items: number, print: Print): Promise<string> {
  print(`Filling ${folder} with ${items} items …`);
  const today = systemClock.now();
  const token = await fillStore(
    { ...config, ratePerMinute: 0, addressRatePerMinute: 0, jobs: "off" },
    today,
    items,
    print,
  );
  await writeMark(folder, "filled");
  return token;
}

export async function fillStore(config: Config, today: Instant, items: number, print: Print): Promise<string> {
  const store = await openRepositoryWriter(config, { checked: () => {} });
  const random = platformRandom();
  const clock = settableClock(new Date(Date.parse(today) - (YEAR_DAYS + 1) * DAY_MS).toISOString());
  const log = jsonLog("warn");
  try {
    const secrets = secretMaker({ random });
    await setUpEmpty({ store: store.arks, clock, secrets, holdMaxDays: config.holdMaxDays });
    const token = await setUpRepository({ store, clock, random, steps: SETUP_STEPS });
    if (token === null) throw new RangeError("The folder of a demonstration has accounts before it is filled");
    const files = await openStorage(config, "serve");
    const core = coreOf({ config, store, log, clock, random });
    const usage = usageOf(core, log);
    // The repository builds the index when it starts: this one stays unbuilt, which nobody needs to know.
    const search = searchOf({ config, store, clock, log: SILENT });
    try {
      const handler = composeRepository({ config, store, files, log, clock, random, usage, search });
      const expiresAt = addMilliseconds(today, FILLING_MS);
      const tokenOf = (accountId: number): Promise<string> =>
        fillingToken({ store, clock, random }, accountId, expiresAt);
      await fillRepository({
        ...{ handler, token, clock, today, usage, items, tokenOf },
        base: core.addresses.baseUrl,
        progress: print,
      });
    } finally {
      await usage.close();
      await search.close();
      await files.own?.close();
    }
    return token;
  } finally {
    await store.close();
  }
}

type TokenNeeds = Pick<Parameters<typeof signIn>[0], "store" | "clock" | "random">;

function fillingToken({ store, ...needs }: TokenNeeds, accountId: number, expiresAt: Instant): Promise<string> {
  const name = "Filling the demonstration";
  return store.transact(async (tx) => {
    const request = { accountId, kind: "personal", name, scopes: REPOSITORY_SCOPES, expiresAt } as const;
    return (await accountTokens(needs).make(tx, REPOSITORY_OPERATOR, request)).text;
  });
}

function settableClock(first: Instant): SetClock {
  let at = first;
  return {
    now: () => at,
    set(next) {
      at = next;
    },
  };
}

/** The links to sign in, and what is shown with them. */
async function prepared(config: Config, folder: string, token: string | null): Promise<Prepared> {
  const store = await openRepositoryStore({ url: config.databaseUrl, poolSize: config.dbPool, mustExist: true });
  try {
    const links = await signInLinks(config, store);
    return {
      readyText: ([minter = "", resolver = "", repository = ""]) =>
        readyText({ minter, resolver, repository, folder, token, links }),
    };
  } finally {
    await store.close();
  }
}

type SignInLink = { readonly role: string; readonly name: string; readonly link: string };

async function signInLinks(config: Config, store: RepositoryStore): Promise<readonly SignInLink[]> {
  const services = coreOf({ config, store });
  const way = signIn({ ...services, oidc: null });
  const mails = [["administrator", FIRST_ADMINISTRATOR], ...ACCOUNTS.map(({ role }) => [role, mailOf(role)])] as const;
  const links: SignInLink[] = [];
  for (const [role = "", mail = ""] of mails) {
    const account = await findAccount(store.accounts, mail);
    if (account === null) continue;
    const made = await way.makeLink(REPOSITORY_OPERATOR, account.id);
    links.push({ role, name: account.name, link: services.addresses.signInLink(made.token) });
  }
  return links;
}

type Ready = {
  readonly minter: string;
  readonly resolver: string;
  readonly repository: string;
  readonly folder: string;
  readonly token: string | null;
  readonly links: readonly SignInLink[];
};

function readyText({ minter, resolver, repository, folder, token, links }: Ready): string {
  const first =
    token === null
      ? ""
      : `
The access token of the administrator, shown this once:

  ${token}
`;
  return `
The demonstration runs. Ctrl-C stops it; the next run continues with the data in ${folder}.

  repository ${repository}    ← start here
  resolver   ${resolver}
  minter     ${minter}

To sign in as somebody, open one of these links (each works once, within 15 minutes):

${links.map(({ role, name, link }) => `  ${role.padEnd(13)} ${name.padEnd(18)} ${link}`).join("\n")}
${first}`;
}
