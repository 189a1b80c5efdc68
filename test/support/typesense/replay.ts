// How a Typesense server comes back after a start: what its last snapshot holds is there at once, what was written
// since is read from its log while it answers already. Writes of one collection keep their order; those of different
// collections are read in parallel, so that a small one is whole long before a large one (source of 29.0: one queue for
// each hash of a name).
import type { Asked } from "./routes.ts";

type Write = Pick<Asked, "method" | "path" | "search" | "query" | "body">;

/** Calls that change nothing that is kept. */
export const isWrite = ({ method, path }: Pick<Write, "method" | "path">): boolean =>
  method !== "GET" && path[0] !== "multi_search" && path[0] !== "operations" && path[0] !== "health";

const queueOf = ({ method, path, body }: Write): string => {
  if (path[0] !== "collections") return path[0] ?? "";
  return method === "POST" && path.length === 1 ? String(JSON.parse(body).name) : (path[1] ?? "");
};

export function writeLog() {
  const writes: Write[] = [];
  let snapshotAt = 0;

  return {
    note: (write: Write): void => void (isWrite(write) ? writes.push(write) : undefined),
    snapshot(): void {
      snapshotAt = writes.length;
    },
    /**
     * Applies the snapshot, and then for each call of `step` this many lines of each queue; true where something is
     * left.
     */
    replay(apply: (write: Write) => void): { readonly step: (lines: number) => boolean } {
      for (const write of writes.slice(0, snapshotAt)) apply(write);
      const queues = Map.groupBy(writes.slice(snapshotAt), queueOf);
      return {
        step(lines) {
          for (const queue of queues.values()) {
            for (let left = lines; left > 0 && queue.length > 0; ) {
              const [write, ...rest] = queue;
              if (write === undefined) break;
              const all = write.path.at(-1) === "import" ? write.body.split("\n") : [write.body];
              apply({ ...write, body: all.slice(0, left).join("\n") });
              queue.splice(
                0,
                queue.length,
                ...(all.length > left ? [{ ...write, body: all.slice(left).join("\n") }] : []),
                ...rest,
              );
              left -= Math.min(left, all.length);
            }
          }
          return [...queues.values()].some((queue) => queue.length > 0);
        },
      };
    },
  };
}
