// A process that submits drafts to a community and accepts, declines or cancels them until it is killed. It writes to
// standard output what was committed: one line for each, `<request> <status>`.
import process from "node:process";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import type { Account, Viewer } from "../../src/auth/account.ts";
import { readConfig } from "../../src/config.ts";
import { coreOf } from "../../src/main/repository/core.ts";
import { requestsOf } from "../../src/main/repository/request-core.ts";
import { NOW } from "./seed.ts";
import { aContent } from "./world/items.ts";
import { viewerOf } from "./world/seeded.ts";

const [url = "", account = "1", community = "c1"] = process.argv.slice(2);
const store = await openRepositoryStore({ url, poolSize: 4 });
const config = readConfig({ SVC_DATABASE_URL: url, SVC_ITEM_ARK_CREDENTIAL: "items" });
const core = coreOf({ config, store, clock: { now: () => NOW }, random: platformRandom() });
const requests = requestsOf(core);
const identity = await store.accounts.identity(Number(account));
if (identity === null) throw new Error(`Missing account ${account}`);
const { groups, memberships } = identity;
const who: Viewer = viewerOf(identity.account satisfies Account, { groups, memberships });
const ENDS = { accept: "accepted", decline: "declined", cancel: "cancelled" } as const;

async function write(n: number): Promise<void> {
  for (let round = n; ; round += 1) {
    const content = { ...aContent(), filesEnabled: false };
    const { item } = await store.transact((tx) => core.items.createDraft(tx, who, { content }));
    const id = await requests.reviews.submitTo(who, item.id, community, "Please");
    process.stdout.write(`${id} submitted\n`);
    const action = (["accept", "accept", "decline", "cancel"] as const)[round % 4] ?? "accept";
    await requests.decide(who, id, action, () => "Done");
    process.stdout.write(`${id} ${ENDS[action]}\n`);
  }
}
await Promise.all(Array.from({ length: 4 }, (_, n) => write(n)));
