// The repository as `arkstone up` sets it up, in this process or prepared for one of its own, and deposits as a plain client sends them.
import { systemClock } from "../../src/adapters/clock.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { readConfig } from "../../src/config.ts";
import { REPOSITORY_OPERATOR, REPOSITORY_SCOPES } from "../../src/domain/repository/account.ts";
import { composeRepository, openRepositoryWriter } from "../../src/main/repository.ts";
import { SETUP_STEPS } from "../../src/main/setup-steps.ts";
import { openStorage } from "../../src/main/storage.ts";
import { accountTokens } from "../../src/services/account-tokens.ts";
import { secretMaker } from "../../src/services/credentials.ts";
import { setUpEmpty } from "../../src/services/provisioning.ts";
import { setUpRepository } from "../../src/services/repository-setup.ts";
import { bagPieces, jpcoarOf, type Payload, SMALL_FILE } from "./package-builder.ts";
import { quietLog } from "./resolver-world.ts";
import { zip } from "./zip-writer.ts";

type Env = Readonly<Record<string, string>>;

/** An RO-Crate bag. */
export const smallCrate = (payload: readonly Payload[] = [SMALL_FILE]): Uint8Array => zip(bagPieces({ payload }));

/** A package that waits for approval: XML goes through a workflow. */
export const smallXml = (): Uint8Array =>
  zip([
    { name: "data/item.xml", bytes: jpcoarOf() },
    { name: `data/${SMALL_FILE.path}`, bytes: SMALL_FILE.bytes },
  ]);

export type DepositRequest = { readonly headers: Record<string, string>; readonly body: FormData };

/** A multipart deposit, as `curl -F file=@package.zip` sends it. */
export function depositOf(token: string, archive: Uint8Array): DepositRequest {
  const body = new FormData();
  // The copy lies in a buffer of its own, as the type of a Blob's parts asks.
  body.set("file", new Blob([new Uint8Array(archive)], { type: "application/zip" }), "package.zip");
  const headers = {
    authorization: `Bearer ${token}`,
    "content-disposition": "attachment; filename=package.zip",
    packaging: "http://purl.org/net/sword/3.0/package/SimpleZip",
  };
  return { headers, body };
}

/** First setup of both halves, as `up` makes it; gives back the administrator's token. */
export async function firstSetup(env: Env): Promise<string> {
  const store = await openRepositoryWriter(readConfig(env), () => {});
  const random = platformRandom();
  try {
    await setUpEmpty({ store: store.arks, clock: systemClock, secrets: secretMaker({ random }) });
    const token = await setUpRepository({ store, clock: systemClock, random, steps: SETUP_STEPS });
    if (token === null) throw new Error("There was a repository already");
    return token;
  } finally {
    await store.close();
  }
}

/** The repository in this process. Its jobs do not run. */
export async function repositoryWorld(env: Env) {
  const token = await firstSetup(env);
  const config = readConfig(env);
  const store = await openRepositoryWriter(config, () => {});
  const files = await openStorage(config, "serve");
  const handler = composeRepository({ config, store, files, log: quietLog });
  const peer = { addressOf: () => "127.0.0.1" };
  return {
    token,
    store,
    config,
    files,
    /** A token of the administrator without a client record: what the formats' own settings say counts for it (R17). */
    plainToken: () =>
      store.transact(async (tx) => {
        const [account] = await tx.accounts.listAccounts(0, 1);
        const tokens = accountTokens({ store, clock: systemClock, random: platformRandom() });
        const wish = {
          accountId: account?.id ?? 0,
          kind: "personal",
          name: "Plain",
          scopes: REPOSITORY_SCOPES,
        } as const;
        return (await tokens.makeIn(tx, REPOSITORY_OPERATOR, { ...wish, expiresAt: null })).text;
      }),
    ask: async (path: string, init: RequestInit = {}): Promise<Response> =>
      await handler(new Request(`http://127.0.0.1:8002${path}`, init), peer),
    close: () => store.close(),
  };
}
export type RepositoryWorld = Awaited<ReturnType<typeof repositoryWorld>>;
