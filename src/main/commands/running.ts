// `arkstone up | minter | resolver | health`: the processes that serve, loaded only when they are asked for, and a question to them.
import { type Command, command } from "./command.ts";
import { healthCommand } from "./health.ts";

const up = command({
  name: "up",
  summary:
    "Run minter and resolver over one database; an empty one gets a NAAN, an organisation, a shoulder and a first API key",
  options: {},
  details: "The minter listens on port 8000, the resolver on 8001. The first key is printed once. Ctrl-C stops both.",
  examples: ["arkstone up", "SVC_DATA_DIR=/srv/arkstone arkstone up"],
  run: async (context) => (await import("../up.ts")).runUp(context.env),
});

const role = (name: "minter" | "resolver") =>
  command({
    name,
    summary:
      name === "minter" ? "Run the minter: it makes and manages names" : "Run the resolver: it answers for names",
    options: {},
    details: `Settings come from the environment: see "arkstone settings". Logs go to standard error.`,
    examples: [`arkstone ${name}`, `SVC_PORT=${name === "minter" ? 9000 : 9001} arkstone ${name}`],
    run: async (context) => (await import("../server.ts")).runServer(name, context.env),
  });

export const runningCommands: readonly Command[] = [up, role("minter"), role("resolver"), healthCommand];
