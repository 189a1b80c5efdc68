// What an operator should know of a repository that does run (R5, R13, R16a): one sentence each, for the log at its
// start and for /readyz.

import type { ArkReader } from "../../ark/store.ts";
import { credentialProblem } from "../../auth/credential-text.ts";
import type { Config } from "../../config.ts";
import type { Check } from "../../operating/readiness.ts";
import type { RepositoryStore } from "../../repository/store/store.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { IncomingFiles } from "../../storage/storage.ts";

/** R13 asks for the room before a body is taken; Deno tells it only to who may ask. */
const FREE_SPACE_UNKNOWN =
  "The free space of the disk cannot be read: deposits are taken until it is full (on Deno: --allow-sys=statfs)";

export async function repositoryWarnings(
  needs: MintingNeeds & {
    readonly config: Pick<Config, "defaultIndex">;
    readonly indexes: Pick<RepositoryStore["indexes"], "lineage">;
    readonly files: { readonly incoming: Pick<IncomingFiles, "freeBytes"> };
  },
): Promise<readonly string[]> {
  const { defaultIndex } = needs.config;
  const room = (await needs.files.incoming.freeBytes()) === null ? FREE_SPACE_UNKNOWN : null;
  const isDead = defaultIndex !== null && (await needs.indexes.lineage(defaultIndex)).length === 0;
  const noIndex = isDead
    ? `SVC_DEFAULT_INDEX=${defaultIndex} names no index that is there: it counts as not set`
    : null;
  return [room, await mintingCheck(needs).ask(), noIndex].filter((warning) => warning !== null);
}

type MintingNeeds = {
  readonly config: Pick<Config, "mintItemArks" | "itemArkCredential">;
  readonly credentials: Pick<ArkReader, "credentialByClientId">;
  readonly clock: Clock;
};

/** Without such a credential items are published all the same, and wait for their ARKs (R5). */
export function mintingCheck({ config, credentials, clock }: MintingNeeds): Check {
  const { mintItemArks, itemArkCredential: clientId } = config;
  return {
    async ask() {
      if (!mintItemArks) return null;
      const found = await credentials.credentialByClientId(clientId);
      const mints =
        found?.organisationActive === true &&
        found.credential.scopes.includes("ark:mint") &&
        credentialProblem(found.credential, clock.now()) === null;
      return mints
        ? null
        : `SVC_ITEM_ARK_CREDENTIAL="${clientId}" names no active credential that may mint: items get their ARKs when there is one`;
    },
    silent: `Whether SVC_ITEM_ARK_CREDENTIAL="${clientId}" may mint is not known: the database does not answer`,
  };
}
