// A repository on a SQLite file as its process composes it, under a clock that can be set: what templates are published
// through, and what tests compare with.
import { openRepositoryStore } from "../../db/repository/store.ts";
import { jsonLog } from "../../src/adapters/log.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { secretMaker } from "../../src/ark/credentials.ts";
import { setUpEmpty } from "../../src/ark/provisioning/apply.ts";
import { REPOSITORY_OPERATOR, REPOSITORY_SCOPES } from "../../src/auth/account.ts";
import { readConfig } from "../../src/config.ts";
import { jobsOf, SETUP_STEPS } from "../../src/main/repository/repository.ts";
import { runtimeOf } from "../../src/main/repository/runtime.ts";
import { composeRepository } from "../../src/main/repository/serving.ts";
import { searchOf } from "../../src/main/search.ts";
import { openStorage } from "../../src/main/storage.ts";
import { setUpRepository } from "../../src/repository/administration/repository-setup.ts";
import { accountTokens } from "../../src/repository/people/account-tokens.ts";
import type { Log } from "../../src/shared/log.ts";

/** Addresses in what is filled begin with it. */
const BASE_URL = "http://repository.example";
const nothing = (): void => {};
const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

export type Json = Readonly<Record<string, unknown>>;
export type Ask = (token: string, method: string, path: string, body?: unknown) => Promise<Json>;
export type Filling = Awaited<ReturnType<typeof openFilling>>;

/** `folder`: where the database `arkstone.db` is, or will be. */
export async function openFilling(folder: string) {
  const settings = { SVC_DATA_DIR: folder, SVC_BASE_URL: BASE_URL, SVC_RATE_PER_MINUTE: "0" };
  const config = { ...readConfig(settings), addressRatePerMinute: 0, jobs: "off" as const };
  const store = await openRepositoryStore({ url: config.databaseUrl });
  let at = "2016-01-01T00:00:00.000Z";
  const clock = { now: () => at };
  const random = platformRandom();
  const files = await openStorage(config, "serve");
  const search = searchOf({ config, store, clock, log: SILENT });
  const parts = { config, store, files, log: jsonLog("warn"), clock, random, search };
  const runtime = runtimeOf(parts);
  const handler = composeRepository({ ...parts, usage: runtime.usage });
  const runner = jobsOf(runtime);
  const ask: Ask = async (token, method, path, body) => {
    const isBytes = body instanceof Uint8Array;
    const sent = body === undefined ? null : isBytes ? new Uint8Array(body) : JSON.stringify(body);
    const type = { "content-type": isBytes ? "application/octet-stream" : "application/json" };
    const headers = { authorization: `Bearer ${token}`, ...(sent === null ? {} : type) };
    const request = new Request(`${BASE_URL}${path}`, { method, headers, body: sent });
    const answer = await handler(request, { addressOf: () => "127.0.0.1" });
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return text === "" ? {} : JSON.parse(text);
  };
  return {
    folder,
    ask,
    store,
    set(next: string): void {
      at = next;
    },
    /** Everything that a new repository has. Returns the token of its administrator. */
    async setUp(): Promise<string> {
      const secrets = secretMaker({ random });
      await setUpEmpty({ store: store.arks, clock, secrets, holdMaxDays: config.holdMaxDays });
      const token = await setUpRepository({ store, clock, random, steps: SETUP_STEPS });
      if (token === null) throw new RangeError("The repository has accounts before it is set up");
      return token;
    },
    /** A token with all scopes. */
    tokenOf: (accountId: number): Promise<string> =>
      store.transact(async (tx) => {
        const expiresAt = "2099-01-01T00:00:00.000Z";
        const request = { accountId, kind: "personal", name: "Fill", scopes: REPOSITORY_SCOPES, expiresAt } as const;
        return (await accountTokens({ clock, random }).make(tx, REPOSITORY_OPERATOR, request)).text;
      }),
    async runJobs(): Promise<void> {
      while ((await runner.runDue()) > 0);
    },
    async close(): Promise<void> {
      runtime.texts.close();
      await runtime.usage.close();
      await search.close();
      await files.own?.close();
      await store.close();
    },
  };
}
