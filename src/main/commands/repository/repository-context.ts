// What the repository's commands are handed: its store and the services over it, opened when a command runs (R32).

import { openRepositoryStore } from "../../../../db/repository/store.ts";
import { systemClock } from "../../../adapters/clock.ts";
import { platformRandom } from "../../../adapters/random.ts";
import type { Config } from "../../../config.ts";
import { dayIn } from "../../../shared/day.ts";
import { type Account, REPOSITORY_OPERATOR, type Viewer } from "../../../auth/account.ts";
import type { Clock, Random } from "../../../shared/clock.ts";
import { writeAs } from "../../../repository/people/current-viewer.ts";
import type { RepositoryStore, RepositoryWriter } from "../../../repository/store/store.ts";
import { findAccount } from "../../../repository/administration/accounts.ts";
import { type Administration, administration } from "../../../repository/administration/administration.ts";
import { indexTree } from "../../../repository/index-tree/index-tree.ts";
import { treeItems } from "../../../repository/index-tree/items-of-deleted-indexes.ts";
import { setUpRepository } from "../../../repository/administration/repository-setup.ts";
import { activities } from "../../../repository/workflow/activities.ts";
import { isShippedEntry, SETUP_STEPS } from "../../setup-steps.ts";
import { type Context, databaseRefusal, settingsOf } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";

/** Whoever sits at the server's command line. */
export const OPERATOR = REPOSITORY_OPERATOR;

export type RepositoryServices = {
  readonly config: Config;
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly admin: Administration;
};

/** Opens the database of the settings, brings it to what a repository has from its start, runs `work` and closes it again. */
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
  const store = await openOrRefuse(config);
  try {
    // Item types and mappings are there before the first start of a server, so that everything can be set up beforehand.
    const isNew = (await store.settings.workflows()).length === 0;
    if (isNew) await setUpRepository({ store, clock, random, steps: SETUP_STEPS, administrator: false });
    const admin = administration({ store, clock, random, isShipped: isShippedEntry });
    return await work({ config, store, clock, random, admin });
  } finally {
    await store.close();
  }
}

async function openOrRefuse(config: Config): Promise<RepositoryStore> {
  try {
    return await openRepositoryStore({ url: config.databaseUrl, poolSize: config.dbPool });
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

/** The core of items, activities and the index tree as the settings have them. Loaded only by the commands that need them. */
export async function coreOf({ config, store, clock, random }: RepositoryServices) {
  const { itemsOf } = await import("../../repository.ts");
  const items = itemsOf({ config, store, clock, random });
  const dayOf = (at: string): string => dayIn(config.timeZone, at);
  const deleteItem = async (tx: RepositoryWriter, { viewer }: { readonly viewer: Viewer }, id: number) =>
    void (await items.remove(tx, viewer, id));
  return {
    items,
    /** One change at the operator's word, in a transaction of its own. */
    byOperator: <T>(change: (tx: RepositoryWriter, viewer: Viewer) => Promise<T>): Promise<T> =>
      writeAs({ store, clock }, OPERATOR, change),
    activities: activities({ store, clock, items: items.activityItems, dayOf }),
    tree: indexTree({
      store,
      clock,
      today: () => dayOf(clock.now()),
      defaultIndex: config.defaultIndex,
      items: treeItems({ deleteItem }),
    }),
  };
}
