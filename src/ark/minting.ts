// Making names: mint, register and import, one by one and in bulk (law, "Management endpoints"; A5, A8, A13, A14, A22).

import type { Call, Caller } from "../auth/caller.ts";
import { ServiceError } from "../shared/errors.ts";
import { groupCommit } from "../shared/group-commit.ts";
import type { Clock, Random } from "../shared/time/clock.ts";
import { type Batch, makeNames } from "./assign-names.ts";
import {
  type AssignedName,
  attempt,
  type Draft,
  isRefusal,
  type NameRefusal,
  type NameRequest,
  type NameRequestInput,
  type Outcome,
  type Recipe,
} from "./assign-names.types.ts";
import { requireActive } from "./caller-reach.ts";
import { importRecipe } from "./importing.ts";
import type { ImportIn, MintIn, RegisterIn } from "./inputs.ts";
import { describe, drawArk } from "./new-name.ts";
import type { ArkRecord } from "./record.ts";
import type { Shoulder } from "./registered-things.ts";
import { registerRecipe } from "./registering.ts";
import { chooseShoulder, type RegisteredData, requireMintable } from "./shoulder-choice.ts";
import type { Store } from "./store.ts";
import { checkFilledTarget } from "./target-template.ts";

type MintingNeeds = {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: { readonly bulkRows: number };
};

export interface Minting {
  /** One new name. Concurrent calls share a transaction and its commit; each has its own outcome. */
  mint(call: Call, input: MintIn): Promise<AssignedName>;
  /** All rows or none (A14). */
  mintBulk(call: Call, rows: readonly MintIn[]): Promise<AssignedNames>;
  /** One qualified name below an existing one. */
  register(call: Call, input: RegisterIn): Promise<AssignedName>;
  /** One name that was minted elsewhere. */
  importOne(call: Call, input: ImportIn): Promise<AssignedName>;
  /** All rows or none (A14, A15). */
  importBulk(call: Call, rows: readonly ImportIn[]): Promise<AssignedNames>;
  counters(): MintingCounters;
}

/** The answer of a bulk call: the records in the order of the rows, how many are new and how many were there. */
type AssignedNames = { readonly records: readonly ArkRecord[]; readonly created: number; readonly replayed: number };

/** Counts since the start, for the metrics. Only what was committed counts. */
type MintingCounters = {
  readonly minted: number;
  readonly registered: number;
  readonly imported: number;
  readonly replayed: number;
  readonly collisions: number;
  readonly bladesGrown: number;
  /** Transactions that wrote single mints, and the mints they wrote: their ratio is the size of a group. */
  readonly groups: number;
  readonly grouped: number;
};

/** Single mints that one transaction writes at most, and that wait for one at most. */
const MAX_GROUP = 256;
const MAX_WAITING = 20_000;

export const minting = (needs: MintingNeeds): Minting => {
  const { store, limits } = needs;
  const counted = {
    minted: 0,
    registered: 0,
    imported: 0,
    replayed: 0,
    collisions: 0,
    bladesGrown: 0,
    groups: 0,
    grouped: 0,
  };
  const mintRecipe = mintRecipeOf(needs.random);

  async function run<In extends NameRequestInput>(
    recipe: Recipe<In>,
    requests: readonly NameRequest<In>[],
    together: boolean,
  ): Promise<readonly Outcome[]> {
    const { outcomes, tally }: Batch = await store.transact((tx) => makeNames(needs, tx, recipe, requests, together));
    counted[recipe.origin] += tally.made;
    counted.replayed += tally.replayed;
    counted.collisions += tally.collisions;
    counted.bladesGrown += tally.bladesGrown;
    return outcomes;
  }

  async function one<In extends NameRequestInput>(recipe: Recipe<In>, call: Call, input: In): Promise<AssignedName> {
    requireActive(call.caller);
    const [made] = allMade(await run(recipe, [{ call, input, row: null }], true));
    if (made === undefined) throw new RangeError("A request was left without an outcome");
    return made;
  }

  async function bulk<In extends NameRequestInput>(
    recipe: Recipe<In>,
    call: Call,
    rows: readonly In[],
  ): Promise<AssignedNames> {
    requireActive(call.caller);
    if (rows.length > limits.bulkRows) throw new ServiceError(1011, { rows: rows.length, limit: limits.bulkRows });
    if (rows.length === 0) return { records: [], created: 0, replayed: 0 };
    const requests = rows.map((input, row) => ({ call, input, row }));
    const made = allMade(await run(recipe, requests, true));
    const replayed = made.reduce((count, each) => count + (each.replayed ? 1 : 0), 0);
    return { records: made.map((each) => each.record), created: made.length - replayed, replayed };
  }

  const mintInGroup = groupCommit<NameRequest<MintIn>, AssignedName>({
    maxGroup: MAX_GROUP,
    maxWaiting: MAX_WAITING,
    write: async (requests) => {
      const outcomes = await run(mintRecipe, requests, false);
      counted.groups++;
      counted.grouped += requests.length;
      return outcomes;
    },
  });

  return {
    mint: async (call, input) => {
      requireActive(call.caller);
      return await mintInGroup({ call, input, row: null });
    },
    mintBulk: (call, rows) => bulk(mintRecipe, call, rows),
    register: (call, input) => one(registerRecipe, call, input),
    importOne: (call, input) => one(importRecipe, call, input),
    importBulk: (call, rows) => bulk(importRecipe, call, rows),
    counters: () => ({ ...counted }),
  };
};

function allMade(outcomes: readonly Outcome[]): readonly AssignedName[] {
  return outcomes.map((outcome) => {
    // In an all-or-nothing call a refusal was thrown, so no outcome is a refusal.
    if (isRefusal(outcome)) throw outcome;
    return outcome;
  });
}

/** How a name is minted; also inside the transaction of an item that is published (R5). */
export function mintRecipeOf(random: Random): Recipe<MintIn> {
  return {
    kind: "mint",
    origin: "minted",
    limited: true,
    plan: async (_tx, known, requests) => {
      const choose = chooser(known);
      return requests.map((request) => attempt(() => draftMint(random, choose, request)));
    },
  };
}

function draftMint(
  random: Random,
  choose: ReturnType<typeof chooser>,
  { call, input, row }: NameRequest<MintIn>,
): Draft {
  const shoulder = choose(call.caller, input.shoulder ?? "");
  if (isRefusal(shoulder)) throw shoulder;
  requireMintable(shoulder, "mint", row !== null);
  const ark = drawArk(random, shoulder, shoulder.bladeLength);
  const description = describe(input);
  checkFilledTarget(description.url, ark, row);
  return { ark, shoulder, published: input.reserve !== true, description };
}

/** `chooseShoulder` that remembers its answers: the rows of a bulk mostly ask the same. */
function chooser(known: RegisteredData): (caller: Caller, named: string) => Shoulder | NameRefusal {
  const answers = new Map<Caller, Map<string, Shoulder | NameRefusal>>();
  return (caller, named) => {
    const ofCaller = answers.get(caller) ?? new Map<string, Shoulder | NameRefusal>();
    if (ofCaller.size === 0) answers.set(caller, ofCaller);
    const answer = ofCaller.get(named) ?? attempt(() => chooseShoulder(caller, named, known));
    ofCaller.set(named, answer);
    return answer;
  };
}
