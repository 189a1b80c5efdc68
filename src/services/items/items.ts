// The core of items (R1 to R5, R18, R19): one set of functions that deposit, pages, tools and the command line share.
import { searchedKeys } from "../../domain/items/duplicate-keys.ts";
import type { Metadata } from "../../domain/items/metadata.ts";
import type { RepositoryReader } from "../../ports/repository/store.ts";
import { changing } from "./changing.ts";
import { digests } from "./content.ts";
import { deleting } from "./deleting.ts";
import { drafting } from "./drafting.ts";
import { keeping } from "./keeping.ts";
import { locking } from "./locking.ts";
import { naming } from "./naming.ts";
import type { ItemsNeeds } from "./needs.ts";
import { placing } from "./placing.ts";
import { reading } from "./reading.ts";

/** Ids of suspected duplicates that are told at most (message 13). */
export const DUPLICATES_TOLD = 100;

export type Items = ReturnType<typeof items>;

export const items = (needs: ItemsNeeds) => {
  const core = { needs, naming: naming({ random: needs.random, credential: needs.arkCredential }) };
  const change = changing(core);
  return {
    ...change,
    ...placing(core, change.patchIn),
    ...deleting(core),
    ...drafting(core),
    ...reading(needs),
    ...locking(needs),
    ...keeping(core),

    /** Items that look like this one (R18), private ones too: only their ids are told. `except`: the item that is being replaced. */
    duplicatesIn: async (
      reader: Pick<RepositoryReader, "items">,
      metadata: Metadata,
      except: number | null,
    ): Promise<readonly number[]> =>
      reader.items.duplicates(await digests(searchedKeys(metadata)), except, DUPLICATES_TOLD),
  };
};
