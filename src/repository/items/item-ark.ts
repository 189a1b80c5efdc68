// The ARKs of items (R5): minted when an item is first published, tombstoned and restored with it, all in the
// transaction of the item. What the registry refuses never refuses the item: it is published all the same, and a job
// tries again.

import { isRefusal, makeNames, type Recipe } from "../../ark/assign-names.ts";
import { changeNameIn, type Decide } from "../../ark/change-name.ts";
import { callerOf } from "../../ark/current-caller.ts";
import { type MintIn, TEXT_MAX } from "../../ark/inputs.ts";
import { describeSteps, liftTombstoneSteps, tombstoneSteps } from "../../ark/lifecycle.ts";
import { mintRecipeOf } from "../../ark/minting.ts";
import { arkOfKey, formatArk } from "../../ark/syntax.ts";
import { type Call, ownCall } from "../../auth/caller.ts";
import { credentialProblem } from "../../auth/credential-text.ts";
import { type Metadata, mainTitle, publicationDate } from "../../model/metadata/metadata.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { Random } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { creatorsLine } from "./content.ts";

/** Under this name the receipts of items are kept: no credential can be called so, whatever it sends (R5a). */
const ITEM_RECEIPTS = "(repository)";

/**
 * The repository keeps its items' names also after the credential that minted them was deleted. History and audit show
 * this name.
 */
const REPOSITORY: Call = ownCall(ITEM_RECEIPTS);

export type ItemDescription = { readonly title: string; readonly who: string; readonly when: string };

/** An item that guests may not read has an empty description: descriptions of names are public. */
export const UNDESCRIBED: ItemDescription = { title: "", who: "", when: "" };

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

function descriptionText(text: string): string {
  return [...text.toWellFormed().replace(CONTROL, " ")].slice(0, TEXT_MAX).join("");
}

export function descriptionOf(metadata: Metadata): ItemDescription {
  return {
    title: descriptionText(mainTitle(metadata)),
    who: descriptionText(creatorsLine(metadata)),
    when: descriptionText(publicationDate(metadata) ?? ""),
  };
}

export interface Naming {
  /** Whether items get names at all. */
  readonly on: boolean;
  /**
   * The name of an item, minted now or before under the same receipt; null when none could be minted. A receipt whose
   * name leads anywhere but to the item's page (`url`) is not the item's: it is refused and logged, and a fresh one is
   * tried where `receipts` allows it (R5a).
   */
  mint(
    tx: RepositoryWriter,
    id: ItemId,
    url: string,
    description: ItemDescription,
    now: Instant,
    receipts?: ReceiptChoice,
  ): Promise<string | null>;
  /** The name leads to the page that explains (R5). */
  tombstone(tx: RepositoryWriter, key: string, url: string, now: Instant): Promise<boolean>;
  lift(tx: RepositoryWriter, key: string, now: Instant): Promise<boolean>;
  /** Title, who and when follow the item; an equal description is left as it is. */
  describe(
    tx: RepositoryWriter,
    key: string,
    description: ItemDescription & { readonly url?: string },
    now: Instant,
  ): Promise<boolean>;
}

type NamingNeeds = {
  readonly random: Random;
  readonly credential: string | null;
  readonly log?: Pick<Log, "warn"> | undefined;
};

/** Which receipts an item may use: its own, or, when that one leads elsewhere, the next that is free (R5a). */
export type ReceiptChoice = "first" | "fresh";

/** Receipts of one item: a job that finds this many used receipts waits for an operator. */
const RECEIPTS_MAX = 100;

const receiptId = (id: ItemId, number: number): string => (number === 1 ? `item:${id}` : `item:${id}:${number}`);

/** The name was withdrawn: its receipt gives none any more. */
const WITHDRAWN = 1506;

export const naming = (needs: NamingNeeds): Naming => {
  const recipe: Recipe<MintIn> = { ...mintRecipeOf(needs.random), issuer: ITEM_RECEIPTS };

  /** Who mints; null where the credential is missing, switched off or over. */
  async function minter(tx: RepositoryWriter, now: Instant): Promise<Call | null> {
    if (needs.credential === null) return null;
    const found = await tx.arks.credentialByClientId(needs.credential);
    if (found === null || credentialProblem(found.credential, now) !== null || !found.organisationActive) return null;
    return { caller: callerOf(found, null), address: "", readOnly: false };
  }

  /** True when the change was made; false when the registry refused it: the name was withdrawn, or is not there. */
  async function change(tx: RepositoryWriter, key: string, now: Instant, decide: Decide): Promise<boolean> {
    try {
      await changeNameIn(tx.arks, REPOSITORY, arkOfKey(key), () => now, decide);
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  return {
    on: needs.credential !== null,

    async mint(tx, id, url, description, now, receipts = "first") {
      const call = await minter(tx, now);
      if (call === null) return null;
      const making = { clock: { now: () => now }, random: needs.random };
      const last = receipts === "first" ? 1 : RECEIPTS_MAX;
      for (let number = 1; number <= last; number += 1) {
        const request_id = receiptId(id, number);
        const request = { call, input: { ...description, url, request_id }, row: null };
        const { outcomes } = await makeNames(making, tx.arks, recipe, [request], false);
        const [outcome] = outcomes;
        if (outcome === undefined) return null;
        if (isRefusal(outcome)) {
          if (!(outcome instanceof ServiceError) || outcome.code !== WITHDRAWN) return null;
        } else {
          const { record, replayed } = outcome;
          if (!replayed || (record.state === "published" && record.url === url)) return record.key;
          needs.log?.warn("item_ark_refused", { item: id, receipt: request_id, ark: formatArk(record.key) });
        }
      }
      return null;
    },

    tombstone: (tx, key, url, now) => change(tx, key, now, tombstoneSteps({ url })),

    lift: (tx, key, now) => change(tx, key, now, liftTombstoneSteps),

    describe: (tx, key, description, now) => change(tx, key, now, describeSteps(description)),
  };
};
