// The services that several features of the repository take, made once from the settings and a store (R1): for its
// server, its worker and its commands.
import { systemClock } from "../../adapters/clock.ts";
import { platformRandom } from "../../adapters/random.ts";
import { shippedEntry } from "../../assets/vocabularies/index.ts";
import { type Config, portOf, schemeOf } from "../../config.ts";
import { type Addresses, addressesUnder } from "../../model/items/addresses.ts";
import { type Administration, administration } from "../../repository/administration/administration.ts";
import { type StaticPages, staticPages } from "../../repository/administration/static-pages.ts";
import { type Authors, authors } from "../../repository/authors/authors.ts";
import { type IndexTree, indexTree } from "../../repository/index-tree/index-tree.ts";
import { treeItems } from "../../repository/index-tree/items-of-deleted-indexes.ts";
import { type Items, items } from "../../repository/items/items.ts";
import type { RepositoryStore } from "../../repository/store/store.ts";
import { type Activities, activities } from "../../repository/workflow/activities.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { type Day, dayIn } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { collectGarbage } from "../process/garbage.ts";

export type CoreParts = {
  readonly config: Config;
  readonly store: RepositoryStore;
  readonly log?: Log | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
};

export type Core = {
  readonly config: Config;
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly addresses: Addresses;
  readonly dayOf: (at: Instant) => Day;
  readonly items: Items;
  readonly activities: Activities;
  readonly tree: IndexTree;
  readonly authors: Authors;
  readonly admin: Administration;
  readonly staticPages: StaticPages;
};

export function coreOf({ config, store, log, ...ports }: CoreParts): Core {
  const { clock = systemClock, random = platformRandom() } = ports;
  const at = addresses(config);
  const dayOf = (moment: Instant): Day => dayIn(config.timeZone, moment);
  const core = items({
    store,
    clock,
    random,
    timeZone: config.timeZone,
    landingPage: at.landingPage,
    arkUrl: at.arkUrl,
    repositoryName: config.repositoryName,
    arkCredential: config.mintItemArks ? config.itemArkCredential : null,
    fullText: config.fullText,
    log,
  });
  return {
    config,
    store,
    clock,
    random,
    dayOf,
    addresses: at,
    items: core,
    activities: activities({ store, clock, items: core.activityItems, dayOf }),
    tree: indexTree({
      store,
      clock,
      today: () => dayOf(clock.now()),
      collect: collectGarbage,
      defaultIndex: config.defaultIndex,
      items: treeItems({ deleteItem: async (tx, { viewer }, id) => void (await core.remove(tx, viewer, id)) }),
    }),
    authors: authors({ store, clock, random }),
    admin: administration({ store, clock, random, isShipped }),
    staticPages: staticPages({ store, clock }),
  };
}

/** The public addresses of this repository and its names, from the settings (R5, R33). */
function addresses(config: Config): Addresses {
  return addressesUnder({
    base: config.baseUrl ?? `${schemeOf(config)}://${config.host}:${portOf(config, "repository")}${config.rootPath}`,
    resolver: config.resolverUrl ?? config.globalResolver ?? "https://n2t.net",
    oaiHost: config.oaiHost,
  });
}

/** True for an entry of a vocabulary that the product brings along. */
function isShipped(type: string, id: string): boolean {
  return shippedEntry(type, id) !== null;
}
