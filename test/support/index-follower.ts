// A process that follows the database it is given with a separate embedded index until it is killed. It writes `ready`
// to standard output when the index is there.
import process from "node:process";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
import { startIndexThread } from "../../src/main/index-thread.ts";
import { IndexFollower } from "../../src/repository/search/index/index-follower.ts";
import { quietLog } from "./quiet-log.ts";
import { NOW } from "./seed.ts";

const [url = "", folder = ""] = process.argv.slice(2);
const store = await openRepositoryStore({ url, poolSize: 4 });
const follower = new IndexFollower({
  store,
  open: openEmbeddedIndex({ folder, hold: holdLock, startThread: startIndexThread }),
  clock: { now: () => NOW },
  timeZone: "UTC",
  log: quietLog,
  waitMs: 0,
  pollMs: 5,
});
await follower.start();
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (follower.metrics().state === "following") break;
}
process.stdout.write("ready\n");
