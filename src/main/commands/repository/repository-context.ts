// What the repository's commands are handed: its store and the services over it, opened when a command runs (R32).

import { openRepositoryStore } from "../../../../db/repository/store.ts";
import { systemClock } from "../../../adapters/clock.ts";
import { platformRandom } from "../../../adapters/random.ts";
import { type Account, REPOSITORY_OPERATOR, type Viewer } from "../../../auth/account.ts";
import type { Config } from "../../../config.ts";
import { findAccount } from "../../../repository/administration/accounts.ts";
import { setUpRepository } from "../../../repository/administration/repository-setup.ts";
import { writeAs } from "../../../repository/people/current-viewer.ts";
import type { RepositoryStore, RepositoryWriter } from "../../../repository/store/store.ts";
import { type Core, coreOf } from "../../repository/core.ts";
import { type Context, databaseRefusal, settingsOf } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";

/** The user of the server's command line. */
export const OPERATOR = REPOSITORY_OPERATOR;

export type RepositoryServices = Core;

/** One change by the operator, in a separate transaction. */
export const byOperator = <T>(
  services: RepositoryServices,
  change: (tx: RepositoryWriter, viewer: Viewer) => Promise<T>,
): Promise<T> => writeAs(services, OPERATOR, change);

/**
 * Opens the database of the settings, brings it to what a repository has from its start, runs `work` and closes it
 * again.
 */
export async function withRepository<T>(
  context: Context,
  work: (services: RepositoryServices) => Promise<T>,
): Promise<T> {
  const config = settingsOf(context);
  // The port alone does not tell the repository's address: under `up` it is the minter's.
  if (config.baseUrl === null && config.givenPort !== null) {
    context.err(
      "SVC_BASE_URL is not set: set it to the repository's address, pages and ARKs of items are written with it\n",
    );
  }
  const [clock, random] = [systemClock, platformRandom()];
  const store = await openOrRefuse(config, context.needsDatabase === true);
  try {
    // Item types and mappings are there before the first start of a server, so that everything can be set up
    // beforehand.
    const isNew = (await store.settings.workflows()).length === 0;
    if (isNew) await setUpRepository({ store, clock, random, steps: context.setUp, administrator: false });
    return await work(coreOf({ config, store, clock, random }));
  } finally {
    await store.close();
  }
}

async function openOrRefuse(config: Config, mustExist: boolean): Promise<RepositoryStore> {
  try {
    return await openRepositoryStore({ url: config.databaseUrl, poolSize: config.dbPool, mustExist });
  } catch (error) {
    throw databaseRefusal(config, error);
  }
}

/** The account a person at the command line names by e-mail, ePPN or id. Throws CommandRefusal when there is none. */
export async function namedAccount({ store }: RepositoryServices, name: string): Promise<Account> {
  const account = await findAccount(store.accounts, name);
  if (account !== null) return account;
  throw new CommandRefusal(`There is no account "${name}"`, '"arkstone user list" shows what there is');
}
