// The client record with which linked data can be deposited at once (R6e, R16a, R17): what a new token begins with, and what personal tokens
// without a record use.

import { CLIENT_SETTING, type ClientSetting } from "../../model/items/deposit-settings.ts";
import { startOf } from "../../shared/declared.ts";
import type { RepositoryReader } from "../store/store.ts";

/** The index every repository has from its start (R24). */
export const FIRST_INDEX = 1;
/** The shipped mapping for RO-Crates (R14). */
export const RO_CRATE_MAPPING = "ro-crate-default";

/**
 * The record of a client that deposits linked data directly (R17), so that JSON-LD needs no configuration. Null after
 * the shipped mapping was deleted.
 */
export async function directClientSetting(
  { settings, indexes }: Pick<RepositoryReader, "settings" | "indexes">,
  clientId: string,
): Promise<ClientSetting | null> {
  const mapping = (await settings.mappings()).find(({ name, deleted }) => name === RO_CRATE_MAPPING && !deleted);
  if (mapping === undefined) return null;
  return {
    ...startOf(CLIENT_SETTING),
    clientId,
    mapping: mapping.id,
    // An administrator may have deleted the index: then there is not a default (R16a).
    defaultIndex: (await indexes.lineage(FIRST_INDEX)).length > 0 ? FIRST_INDEX : null,
  };
}
