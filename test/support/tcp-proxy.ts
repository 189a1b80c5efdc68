// A wire between a process and its database that a test can cut: refused and reset, or silent as where a cable was
// pulled.
import { connect, createServer, type Socket } from "node:net";

type Wire = {
  /** The URL given, through the wire. */
  readonly url: string;
  /**
   * `reset`: connections end and new ones are refused an answer; `silent`: nothing passes, and no side receives an
   * error.
   */
  cut(how: "reset" | "silent"): void;
  mend(): void;
  /** How many connections were refused so far. */
  refused(): number;
  close(): Promise<void>;
};

export async function wireTo(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: "whole" | "reset" | "silent" = "whole";
  let refused = 0;
  const server = createServer((near) => {
    near.on("error", () => {});
    if (state === "reset") {
      refused += 1;
      return void near.destroy();
    }
    const far = connect(Number(target.port), target.hostname);
    far.on("error", () => near.destroy());
    const pair = [near, far] as const;
    pairs.add(pair);
    near.on("close", () => {
      far.destroy();
      pairs.delete(pair);
    });
    far.on("close", () => near.destroy());
    near.on("data", (chunk) => void (state === "whole" && far.write(chunk)));
    far.on("data", (chunk) => void (state === "whole" && near.write(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  const through = new URL(databaseUrl);
  through.port = String(typeof address === "object" && address !== null ? address.port : 0);
  const endAll = (): void => {
    for (const [near] of pairs) near.destroy();
  };
  return {
    url: through.href,
    cut(how) {
      state = how;
      if (how === "reset") endAll();
    },
    mend() {
      // What was lost in silence is missing in the middle of a stream: such a connection is of no use any more.
      if (state === "silent") endAll();
      state = "whole";
    },
    refused: () => refused,
    close: () => {
      endAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
