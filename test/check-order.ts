// What `bun run check` tests, and in which order: what mostly waits (for processes, for deadlines in seconds) runs in
// parallel with the rest, which takes the processor.
import { globSync } from "node:fs";

type Group = {
  readonly why: string;
  readonly paths: readonly string[];
};

export const WAITING: readonly Group[] = [
  {
    why: "Patience with what is away: a store, a database, a standby, a folder",
    paths: [
      "test/faults/storage-away.long.ts",
      "test/faults/feed-under-load.long.ts",
      "test/faults/files-exhausted.long.ts",
      "test/contracts/postgres-hosts.long.ts",
      "test/contracts/storage-swift.long.ts",
      "test/http/database-away.long.ts",
    ],
  },
  {
    why: "Patience with slow clients and slow tests",
    paths: [
      "test/http/slow-clients.long.ts",
      "test/http/slow-deposits.long.ts",
      "test/http/fast-lane.long.ts",
      "test/http/proxy-protocol.long.ts",
      "test/http/busy-database.long.ts",
      "test/default-timeout.long.ts",
    ],
  },
  {
    why: "Processes that are started and ended, and pauses in which a page saves",
    paths: ["test/deno/permissions.long.ts", "test/pages/autosave.long.ts"],
  },
];

/** Not in `check`, which has 15 minutes; `bun run slow` runs them, and each can be run by its path. */
export const SLOW: readonly Group[] = [
  {
    why: "More of what other files hold at a small size: giants, deposits and questions of strangers",
    paths: [
      "test/hostile/connection-giants.long.ts",
      "test/hostile/deposits.long.ts",
      "test/hostile/full-text.long.ts",
      "test/hostile/search.long.ts",
      "test/http/rights-again.long.ts",
      "test/http/up-tls.long.ts",
    ],
  },
  {
    why: "More kills of what writes in the same way: kill-minter, kill-items, kill-records and kill-mail stay",
    paths: [
      "test/faults/deposit-interrupted.long.ts",
      "test/faults/feed-to-resolver.long.ts",
      "test/faults/kill-authors.long.ts",
      "test/faults/kill-following.long.ts",
      "test/faults/kill-requests.long.ts",
      "test/faults/postgres.long.ts",
      "test/faults/processes.long.ts",
      "test/faults/resolver-snapshot.long.ts",
      "test/faults/resolver-threads.long.ts",
    ],
  },
  {
    why: "Ways to run it of which check tests the parts: roles on one PostgreSQL, pages of the interfaces in a browser",
    paths: [
      "test/deploy/postgres-roles.long.ts",
      "test/faults/unwritable.long.ts",
      "test/http/docs-browser.long.ts",
      "test/operating/demo.long.ts",
    ],
  },
  {
    why: "What holds a bench, not the product",
    paths: ["test/bench/fill.long.ts", "test/bench/million.long.ts"],
  },
  {
    why: "Whole stories in a browser, of which check tests each step: pages over HTTP, axe, uploads, saving by itself",
    paths: [
      "test/pages/stories.long.ts",
      "test/pages/reading-stories.long.ts",
      "test/pages/item-page.long.ts",
      "test/pages/pdf-viewer.long.ts",
      "test/pages/viewers-media.long.ts",
    ],
  },
];

/** True for a file of tests: `.test.ts` runs in plain `bun test`, `.long.ts` only by name and in `check`. */
export const isTestFile = (path: string): boolean => /\.(?:test|long)\.ts$/.test(path);

/** Every file of tests. */
export const testFiles = (root: string): readonly string[] =>
  globSync("test/**/*.{test,long}.ts", { cwd: root }).sort();

/** What `check` runs. */
export const isInCheck = (path: string): boolean => !SLOW.some(({ paths }) => paths.includes(path));
export const isWaiting = (path: string): boolean => WAITING.some(({ paths }) => paths.includes(path));
/** A part by itself, which starts first. */
export const isLongest = (path: string): boolean => path === "test/hostile/giants.long.ts";
export const isLong = (path: string): boolean => path.endsWith(".long.ts");

/** These files, each once, in parts of about equal length. */
export const inParts = (files: readonly string[], parts: number): readonly (readonly string[])[] =>
  Array.from({ length: parts }, (_, part) => files.filter((_path, at) => at % parts === part));
