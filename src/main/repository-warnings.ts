// What an operator should know when a repository starts, though it does start (R5, R13, R16a): one sentence each, for the log.
import type { Config } from "../config.ts";
import { credentialProblem } from "../domain/auth/secret.ts";
import type { Clock } from "../ports/clock.ts";
import type { RepositoryStore } from "../ports/repository/store.ts";
import type { IncomingFiles } from "../ports/storage.ts";

export type WarningNeeds = {
  readonly config: Pick<Config, "mintItemArks" | "itemArkCredential" | "defaultIndex">;
  readonly store: Pick<RepositoryStore, "arks" | "indexes">;
  readonly incoming: Pick<IncomingFiles, "freeBytes">;
  readonly clock: Clock;
};

/** R13 asks for the room before a body is taken; Deno tells it only to who may ask. */
const FREE_SPACE_UNKNOWN =
  "The free space of the disk cannot be read: deposits are taken until it is full (on Deno: --allow-sys=statfs)";

export async function repositoryWarnings({ config, store, incoming, clock }: WarningNeeds): Promise<readonly string[]> {
  const room = (await incoming.freeBytes()) === null ? [FREE_SPACE_UNKNOWN] : [];
  const { mintItemArks, itemArkCredential: clientId } = config;
  const found = mintItemArks ? await store.arks.credentialByClientId(clientId) : null;
  const mints =
    found?.organisationActive === true &&
    found.credential.scopes.includes("ark:mint") &&
    credentialProblem(found.credential, clock.now()) === null;
  const noArks = `SVC_ITEM_ARK_CREDENTIAL="${clientId}" names no active credential that may mint: items get their ARKs when there is one`;
  const { defaultIndex } = config;
  const isDead = defaultIndex !== null && (await store.indexes.lineage(defaultIndex)).length === 0;
  const noIndex = `SVC_DEFAULT_INDEX=${defaultIndex} names no index that is there: it counts as not set`;
  return [...room, ...(mintItemArks && !mints ? [noArks] : []), ...(isDead ? [noIndex] : [])];
}
