// What `bun run check` tests in which order: what mostly waits (for processes, for deadlines in seconds) runs in
// parallel with the rest, which takes the processor.
import { Glob } from "bun";

type Waiting = {
  readonly why: string;
  readonly paths: readonly string[];
};

export const WAITING: readonly Waiting[] = [
  {
    why: "Patience with what is away: a store, a database, a standby, a folder",
    paths: [
      "test/faults/storage-away.test.ts",
      "test/faults/unwritable.test.ts",
      "test/faults/feed-under-load.test.ts",
      "test/faults/files-exhausted.test.ts",
      "test/contracts/postgres-hosts.test.ts",
      "test/contracts/storage-swift.test.ts",
      "test/http/database-away.test.ts",
    ],
  },
  {
    why: "Patience with slow clients and slow tests",
    paths: [
      "test/http/slow-clients.test.ts",
      "test/http/slow-deposits.test.ts",
      "test/http/fast-lane.test.ts",
      "test/default-timeout.test.ts",
    ],
  },
  {
    why: "Processes that are started and ended",
    paths: ["test/http/repository-doors.test.ts", "test/http/docs-browser.test.ts", "test/deno/permissions.test.ts"],
  },
];

/** Every file of tests on Bun. */
export const bunFiles = (root: string): readonly string[] =>
  [...new Glob("test/**/*.test.ts").scanSync({ cwd: root })].sort();

/** These files, each once: those that wait, and the others in a number of parts of equal length. */
export function inParts(files: readonly string[], parts: number) {
  const named = new Set(WAITING.flatMap(({ paths }) => paths));
  const others = files.filter((path) => !named.has(path));
  return {
    waiting: files.filter((path) => named.has(path)),
    parts: Array.from({ length: parts }, (_, part) => others.filter((_path, at) => at % parts === part)),
  };
}
