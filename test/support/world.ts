// What a test runs against, by the features that it names: a database with its content, the services over it, clients
// with accounts and tokens. `setUpWorld({ repository: { env }, tools: true })` at the top of a file or a suite,
// `await openWorld({ names: true })` inside a test. A world is closed by itself; requests go through the handler,
// without a port. Each feature is described in its file.
import { afterAll, beforeAll, onTestFinished } from "bun:test";
import type { TestDatabase } from "./databases.ts";

/** What a world is made of: one of these. Loaded when a test names it. */
const BASES = {
  /** Minter and resolver over one database of names. */
  names: async () => (await import("./world/names.ts")).namesWorld,
  /** A resolver over a replica in memory. */
  resolver: async () => (await import("./world/resolver.ts")).resolverWorld,
  /** The store of the repository with seeded names. */
  store: async () => (await import("./world/seeded.ts")).seededStore,
  /** The store, and the repository as its process composes it. */
  served: async () => (await import("./world/seeded.ts")).servedRepository,
  /** The core of items without a server. */
  items: async () => (await import("./world/items.ts")).itemsWorld,
  /** The index tree alone, with viewers that are in no table. */
  tree: async () => (await import("./world/tree.ts")).treeWorld,
  /** The repository with accounts of every role, tokens, a tree and a community. */
  repository: async () => (await import("./world/repository.ts")).repositoryWorld,
  /** The repository as browsers see it. */
  pages: async () => (await import("./world/pages.ts")).pagesWorld,
  /** Items and the list for harvesters over them. */
  harvest: async () => (await import("./world/harvest.ts")).harvestWorld,
};
/** What is added to `repository`, and `consent` to `pages`. */
const ADDITIONS = {
  tools: async () => (await import("./world/tools.ts")).tools,
  authors: async () => (await import("./world/authors.ts")).authors,
  recordFiles: async () => (await import("./world/record-files.ts")).recordFiles,
  requests: async () => (await import("./world/requests.ts")).requests,
  jobs: async () => (await import("./world/jobs.ts")).jobs,
  consent: async () => (await import("./world/consent.ts")).consent,
};

type Loaded<Table, Name extends keyof Table> = Table[Name] extends () => Promise<infer Make> ? Make : never;
type Made<Make> = Make extends (...given: never[]) => infer Result ? Awaited<Result> : never;
type Bases = typeof BASES;
type Additions = typeof ADDITIONS;
type Options<Make> = Make extends (options: infer Given) => unknown ? NonNullable<Given> : never;
type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never;

export type Features = {
  readonly [Name in keyof Bases]?: Options<Loaded<Bases, Name>> | true;
} & { readonly [Name in keyof Additions]?: true } & {
  /** One of `onEachDatabase`; on SQLite each base has its own, in memory or a file. */
  readonly database?: TestDatabase;
};
/** What these features give: `World<"repository" | "tools">`. */
type World<Names extends keyof Bases | keyof Additions> = Omit<
  Made<Loaded<Bases, Names & keyof Bases>>,
  keyof AdditionsOf<Names>
> &
  AdditionsOf<Names>;
type AdditionsOf<Names> = [Names & keyof Additions] extends [never]
  ? unknown
  : Both<Names extends keyof Additions ? Made<Loaded<Additions, Names>> : never>;
type WorldOf<Given> = World<keyof Given & (keyof Bases | keyof Additions)>;

/**
 * A world for all tests of the file or suite it is called in: there before the first, closed after the last. Features
 * that need what an earlier `beforeAll` made are given as a function.
 */
export function setUpWorld<const Given extends Features>(
  features: Given | (() => Given | Promise<Given>),
): WorldOf<Given> {
  const world = {};
  let close = async (): Promise<void> => {};
  beforeAll(async () => {
    const made = await compose(typeof features === "function" ? await features() : features);
    fill(world, made);
    close = async () => void (await made.close?.());
  });
  afterAll(() => close());
  // It is filled before any test runs.
  return world as WorldOf<Given>;
}

/** A world for the test that opens it, closed when the test has ended. */
export async function openWorld<const Given extends Features>(features: Given): Promise<WorldOf<Given>> {
  const made = await compose(features);
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await made.close?.();
  };
  onTestFinished(close);
  // The features are those of the type.
  return fill({ close }, made, ["close"]) as unknown as WorldOf<Given>;
}

type Composed = { readonly close?: () => Promise<void> | void };

async function compose({ database, ...features }: Features): Promise<Composed> {
  const names = Object.keys(features) as (keyof Bases | keyof Additions)[];
  const [base, ...more] = names.filter((name): name is keyof Bases => name in BASES);
  if (base === undefined || more.length > 0) throw new TypeError(`One base is needed, not ${JSON.stringify(names)}`);
  const own = features[base];
  const options = {
    ...(own === true ? {} : own),
    ...(database?.name === "PostgreSQL" ? { url: await database.url() } : {}),
  };
  // Each takes its options, which the type of the features states.
  const make = (await BASES[base]()) as (options: object) => Promise<Composed>;
  const world = fill({}, await make(options));
  for (const name of names) {
    if (!(name in ADDITIONS)) continue;
    const add = (await ADDITIONS[name as keyof Additions]()) as (world: object) => object | Promise<object>;
    fill(world, await add(world));
  }
  return world;
}

/** Getters and setters stay what they are. */
function fill<Target extends object>(target: Target, from: object, except: readonly string[] = []): Target {
  const members = Object.entries(Object.getOwnPropertyDescriptors(from)).filter(([name]) => !except.includes(name));
  return Object.defineProperties(target, Object.fromEntries(members));
}
