// What `bun run check` runs on Bun, in parts: what mostly waits (for processes, for deadlines that are told in seconds) goes on beside the rest, which
// takes the processor.
import { Glob } from "bun";

type Waiting = {
  readonly why: string;
  readonly paths: readonly string[];
};

export const WAITING: readonly Waiting[] = [
  {
    why: "Patience with what is away: a store, a database, a standby",
    paths: [
      "test/faults/storage-away.test.ts",
      "test/contracts/postgres-hosts.test.ts",
      "test/http/database-away.test.ts",
      "test/faults/feed-under-load.test.ts",
      "test/faults/files-exhausted.test.ts",
    ],
  },
  {
    why: "Patience with slow clients",
    paths: ["test/http/slow-clients.test.ts", "test/http/slow-deposits.test.ts", "test/http/fast-lane.test.ts"],
  },
  { why: "Roles that are started and ended", paths: ["test/http/repository-doors.test.ts"] },
];

/** Every file of tests, once: those that wait, and the others in so many parts of alike length. */
export function bunParts(root: string, parts: number) {
  const waiting = WAITING.flatMap(({ paths }) => paths);
  const others = [...new Glob("test/**/*.test.ts").scanSync({ cwd: root })].filter((path) => !waiting.includes(path));
  others.sort();
  return {
    waiting,
    parts: Array.from({ length: parts }, (_, part) => others.filter((_path, at) => at % parts === part)),
  };
}
