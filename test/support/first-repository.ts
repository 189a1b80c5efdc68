// The repository as `arkstone up` sets it up, in this process or prepared for a separate one, and deposits as a plain
// client sends them. Separate from world.ts, because nothing is seeded here: its content is what the first setup makes,
// in a store opened as the process opens it.
import { systemClock } from "../../src/adapters/clock.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { secretMaker } from "../../src/ark/credentials.ts";
import { setUpEmpty } from "../../src/ark/provisioning/apply.ts";
import { REPOSITORY_OPERATOR, REPOSITORY_SCOPES } from "../../src/auth/account.ts";
import { readConfig } from "../../src/config.ts";
import { SETUP_STEPS } from "../../src/main/repository/repository.ts";
import { openRepositoryWriter } from "../../src/main/repository/runtime.ts";
import { composeRepository } from "../../src/main/repository/serving.ts";
import { openStorage } from "../../src/main/storage.ts";
import { setUpRepository } from "../../src/repository/administration/repository-setup.ts";
import { accountTokens } from "../../src/repository/people/account-tokens.ts";
import { SIMPLE_ZIP } from "./deposit-requests.ts";
import { describedAnswers } from "./described-answers.ts";
import { eventually } from "./eventually.ts";
import {
  bagPieces,
  jpcoarOf,
  type Payload,
  SMALL_FILE,
  tableColumns,
  tableOf,
  tablePieces,
} from "./package-builder.ts";
import { quietLog } from "./quiet-log.ts";
import { tokensAlone } from "./verbs-alone.ts";
import { zip } from "./zip-writer.ts";

type Env = Readonly<Record<string, string>>;

/** An RO-Crate bag. */
export const smallCrate = (payload: readonly Payload[] = [SMALL_FILE]): Uint8Array => zip(bagPieces({ payload }));

/** A table of the full item type. */
export const smallTable = (): Uint8Array => zip(tablePieces(tableOf(tableColumns())));

/** A package that waits for approval: XML goes through a workflow. */
export const smallXml = (): Uint8Array =>
  zip([
    { name: "data/item.xml", bytes: jpcoarOf() },
    { name: `data/${SMALL_FILE.path}`, bytes: SMALL_FILE.bytes },
  ]);

type DepositRequest = { readonly headers: Record<string, string>; readonly body: FormData };

/** A multipart deposit, as `curl -F file=@package.zip` sends it. */
export function depositOf(token: string, archive: Uint8Array): DepositRequest {
  const body = new FormData();
  // A copy in a separate buffer, as the type of a Blob's parts asks.
  body.set("file", new Blob([new Uint8Array(archive)], { type: "application/zip" }), "package.zip");
  const headers = {
    authorization: `Bearer ${token}`,
    "content-disposition": "attachment; filename=package.zip",
    packaging: SIMPLE_ZIP,
  };
  return { headers, body };
}

type Walked = {
  readonly deposited: number;
  /** Where the ARK leads, and what is there. */
  readonly led: string | null;
  readonly landingPage: number;
  readonly file: string;
  readonly removed: number;
  readonly ledAfterwards: string | null;
  readonly landingPageAfterwards: number;
};

/**
 * A deposit, its ARK through the resolver, its landing page and file, its removal, and the ARK again. Waits for the
 * resolver to receive the ARK.
 */
export async function walkThrough(repository: string, resolver: string, token: string): Promise<Walked> {
  const posted = await fetch(`${repository}/sword/service-document`, {
    method: "POST",
    ...depositOf(token, smallCrate()),
  });
  const status: { readonly "@id": string; readonly links: readonly { readonly "@id": string }[] } = await posted.json();
  const ark = status.links.map((link) => link["@id"]).find((url) => url.startsWith(`${resolver}/ark:`));
  if (ark === undefined) throw new Error(`No ARK below ${resolver} in ${JSON.stringify(status)}`);
  const led = await ledTo(ark);
  const landingPage = await fetch(led ?? "");
  await landingPage.body?.cancel();
  const file = await (await fetch(`${led}/files/${SMALL_FILE.path}`)).text();
  const removed = await fetch(status["@id"], { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
  await removed.body?.cancel();
  const tombstone = async (): Promise<boolean> => (await (await fetch(`${ark}?`)).text()).includes("state: tombstoned");
  await eventually("the name has a tombstone", tombstone);
  const ledAfterwards = await ledTo(ark);
  const after = await fetch(ledAfterwards ?? "");
  await after.body?.cancel();
  return {
    deposited: posted.status,
    led,
    landingPage: landingPage.status,
    file,
    removed: removed.status,
    ledAfterwards,
    landingPageAfterwards: after.status,
  };
}

/** The target of an ARK, as soon as the resolver knows one. */
function ledTo(ark: string): Promise<string> {
  return eventually(`${ark} leads somewhere`, async () => {
    const answer = await fetch(ark, { redirect: "manual" });
    await answer.body?.cancel();
    return answer.headers.get("location");
  });
}

/** What {@link walkThrough} finds when all is as it should be. */
export const walkedWell = (repository: string): Walked => ({
  deposited: 201,
  led: `${repository}/records/2`,
  landingPage: 200,
  file: String(SMALL_FILE.bytes),
  removed: 204,
  ledAfterwards: `${repository}/records/2`,
  landingPageAfterwards: 410,
});

/** First setup of both halves, as `up` makes it; returns the administrator's token. */
export async function firstSetup(env: Env): Promise<string> {
  const store = await openRepositoryWriter(readConfig(env), {});
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
export async function firstRepository(env: Env) {
  const token = await firstSetup(env);
  const config = readConfig(env);
  const store = await openRepositoryWriter(config, {});
  const files = await openStorage(config, "serve");
  const handler = describedAnswers(composeRepository({ config, store, files, log: quietLog }));
  const peer = { addressOf: () => "127.0.0.1" };
  return {
    token,
    store,
    config,
    files,
    /** A token of the administrator without a client record: the settings of the formats apply to it (R17). */
    async plainToken(): Promise<string> {
      const [account] = await store.accounts.listAccounts(0, 1);
      const tokens = tokensAlone(accountTokens({ clock: systemClock, random: platformRandom() }), {
        store,
        clock: systemClock,
      });
      const request = {
        accountId: account?.id ?? 0,
        kind: "personal",
        name: "Plain",
        scopes: REPOSITORY_SCOPES,
      } as const;
      return (await tokens.make(REPOSITORY_OPERATOR, { ...request, expiresAt: null })).text;
    },
    ask: async (path: string, init: RequestInit = {}): Promise<Response> =>
      await handler(new Request(`http://127.0.0.1:8002${path}`, init), peer),
    close: () => store.close(),
  };
}
export type FirstRepository = Awaited<ReturnType<typeof firstRepository>>;
