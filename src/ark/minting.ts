// Making names: mint, register and import, one by one and in bulk (specification 1, "Management endpoints"; A5, A8,
// A13, A14, A22).

import { type Call, type Caller, reachesShoulder } from "../auth/caller.ts";
import { ServiceError } from "../shared/errors.ts";
import { groupCommit } from "../shared/group-commit.ts";
import type { Clock, Random } from "../shared/time/clock.ts";
import {
  type AssignedName,
  attempt,
  type Batch,
  type Draft,
  isRefusal,
  makeNames,
  type NameRefusal,
  type NameRequest,
  type NameRequestInput,
  type Outcome,
  type Recipe,
} from "./assign-names.ts";
import { requireActive } from "./current-caller.ts";
import type { ImportIn, MintIn, RegisterIn } from "./inputs.ts";
import { admit } from "./lifecycle-table.ts";
import { checkFilledTarget, describe, drawArk, isWithdrawn } from "./new-name.ts";
import type { ArkRecord, Shoulder } from "./record.ts";
import { chooseShoulder, type RegisteredData, requireMintable, shoulderOfImport } from "./shoulder.ts";
import type { ArkWriter, Store } from "./store.ts";
import {
  type Ark,
  ancestorKeys,
  baseKey,
  formatArk,
  hasCheckCharacter,
  parseArk,
  qualify,
  requireNoDotSegment,
} from "./syntax.ts";

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

// Registering qualified names: a row for a part of an existing name, without a new number (specification 1, "Register
// input"; A7, A9, A12, A18).

const registerRecipe: Recipe<RegisterIn> = {
  kind: "register",
  origin: "registered",
  limited: true,
  plan: async (tx, known, requests) => {
    const plans: (Draft | NameRefusal)[] = [];
    for (const request of requests) plans.push(await planPart(tx, known, request));
    return plans;
  },
};

async function planPart(
  tx: ArkWriter,
  known: RegisteredData,
  request: NameRequest<RegisterIn>,
): Promise<Draft | NameRefusal> {
  const names = attempt(() => {
    const base = parseArk(request.input.ark);
    return { base, part: qualify(base, request.input.qualifier) };
  });
  if (isRefusal(names)) return names;
  // Locked, so that no name above the part is deleted while it is made (A11: 1502).
  const above = await tx.lockArks(ancestorKeys(names.part.key));
  return attempt(() => draftPart(known, request, names.base, names.part, above));
}

function draftPart(
  known: RegisteredData,
  { call, input, row }: NameRequest<RegisterIn>,
  base: Ark,
  part: Ark,
  above: ReadonlyMap<string, ArkRecord>,
): Draft {
  const record = above.get(base.key);
  const shoulder = record && known.shoulders.get(base.naan)?.get(record.shoulder);
  if (!record || isWithdrawn(record) || !shoulder || !reachesShoulder(call.caller, shoulder)) {
    throw new ServiceError(1401, { ark: formatArk(base) });
  }
  requireMintable(shoulder, "register", row !== null);
  // Names between base and part, nearest first, down to the base itself: the part hangs below every one of them.
  let state = record.state;
  for (const key of ancestorKeys(part.key)) {
    if (key.length < base.key.length) break;
    const ancestor = above.get(key);
    if (ancestor !== undefined) state = admit("register-below", ancestor).to;
  }
  const description = describe(input);
  checkFilledTarget(description.url, part, row);
  return { ark: part, shoulder, published: state === "published", description };
}

// Importing names that were minted elsewhere, into delegated, active and import-only shoulders (A15; A28 codes 1012,
// 1013, 1307).

export const importRecipe: Recipe<ImportIn> = {
  kind: "import",
  origin: "imported",
  limited: false,
  plan: async (tx, known, requests) => {
    const seen = new Set<string>();
    const drafts = requests.map((request) => attempt(() => draftImport(known, request, seen)));
    const keysAbove = new Set(drafts.flatMap((draft) => (isRefusal(draft) ? [] : ancestorKeys(draft.ark.key))));
    if (keysAbove.size === 0) return drafts;
    // Locked, so that no name above a part is deleted while it is imported (A11: 1502).
    const above = await tx.lockArks([...keysAbove]);
    return drafts.map((draft) => (isRefusal(draft) ? draft : attempt(() => requireLiving(draft, above))));
  },
};

function draftImport(known: RegisteredData, { call, input, row }: NameRequest<ImportIn>, seen: Set<string>): Draft {
  const ark = parseArk(input.ark);
  requireNoDotSegment(ark);
  const shoulder = shoulderOfImport(call.caller, ark, known);
  if (shoulder.checked && !hasCheckCharacter(baseKey(ark.key))) throw new ServiceError(1012, { ark: formatArk(ark) });
  if (seen.has(ark.key)) throw new ServiceError(1019, { ark: formatArk(ark) });
  seen.add(ark.key);
  const description = describe(input);
  checkFilledTarget(description.url, ark, row);
  return { ark, shoulder, published: input.reserve !== true, description };
}

/**
 * A part of a withdrawn name would be a reference to it (A11), a part of a tombstone is refused as in register (A9).
 */
function requireLiving(draft: Draft, above: ReadonlyMap<string, ArkRecord>): Draft {
  for (const key of ancestorKeys(draft.ark.key)) {
    const ancestor = above.get(key);
    if (ancestor === undefined) continue;
    if (isWithdrawn(ancestor)) throw new ServiceError(1014, { ark: formatArk(key) });
    if (ancestor.state === "tombstoned") throw new ServiceError(1505, { ark: formatArk(key) });
    break;
  }
  return draft;
}
