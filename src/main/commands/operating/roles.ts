// `arkstone up | demo | minter | resolver | health`: the processes that serve, loaded only when they are asked for, and a
// question to them.

import { toolAddress } from "../../../adapters/distant-tools.ts";
import { type Role, SERVER_ROLES } from "../../../config.ts";
import { type Command, command } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { healthCommand } from "./health.ts";

const up = command({
  name: "up",
  summary:
    "Run minter, resolver and repository over one database; an empty one gets a first setup with an API key and an access token",
  details:
    "The minter listens on port 8000, the resolver on 8001, the repository on 8002. What is made at the first start is printed once. Ctrl-C stops all.",
  options: {
    tls: {
      type: "boolean",
      help: "Answer over TLS, to try it: with a certificate that this machine signs for itself (docs/tls.md)",
    },
  },
  examples: ["arkstone up", "SVC_DATA_DIR=/srv/arkstone arkstone up", "arkstone up --tls"],
  async run(context, given) {
    const { runUp, withOwnCertificate } = await import("../../up.ts");
    return await runUp(given.tls ? await withOwnCertificate(context.env) : context.env);
  },
});

const demo = command({
  name: "demo",
  summary: "Run everything over a folder with 300 invented items, to look around",
  words: ["[FOLDER]"],
  options: {
    items: { type: "string", value: "COUNT", help: "How many items a new folder gets, 1 to 2000; 300 unless set" },
  },
  details: `
FOLDER is demo-data unless given. It must be empty, or that of a demonstration: a second run continues with its data. Delete it to start again.
Ports as with "arkstone up" (SVC_PORT, SVC_HOST); databases and storages of the settings are left alone. Each run prints a link for each role, which
signs in once within 15 minutes. People, institutions and places are invented. Ctrl-C stops all.`,
  examples: ["arkstone demo", "SVC_PORT=9000 arkstone demo /tmp/arkstone-demo"],
  async run(context, { items = "300" }, [folder = "demo-data"]) {
    const count = Number(items);
    if (!Number.isInteger(count) || count < 1 || count > 2_000) {
      throw new UsageError(
        `Cannot use --items ${items}: it is not a number from 1 to 2000`,
        'See "arkstone demo --help"',
      );
    }
    return await (await import("../../demo/demo.ts")).runDemo(context.env, folder, count);
  },
});

const SUMMARIES: Readonly<Record<Role, string>> = {
  minter: "Run the minter: it makes and manages names",
  resolver: "Run the resolver: it answers for names",
  repository: "Run the repository: it takes deposits and keeps items",
};

const role = (name: Role) =>
  command({
    name,
    summary: SUMMARIES[name],
    details: `Settings come from the environment: see "arkstone settings". Logs go to standard error.`,
    examples: [`arkstone ${name}`, `SVC_PORT=900${SERVER_ROLES.indexOf(name)} arkstone ${name}`],
    run: async (context) => (await import("../../process/role-process.ts")).runServer(name, context.env),
  });

const worker = command({
  name: "worker",
  summary: "Run the jobs of the repository in a separate process",
  details: `
For repositories that run with SVC_JOBS=off; several workers may run in parallel. It takes the same settings as the repository.`,
  examples: ["SVC_JOBS=off arkstone repository", "arkstone worker"],
  run: async (context) => (await import("../../worker.ts")).runWorker(context.env),
});

const mcp = command({
  name: "mcp",
  summary: "Serve the tools for language models on standard input and output, or over HTTP by themselves",
  options: {
    url: { type: "string", value: "URL", help: "Work on the repository at this address instead of the database here" },
    http: {
      type: "boolean",
      help: "Serve /mcp over HTTP in a separate process, for repositories with SVC_MCP=off",
    },
  },
  details: `
A client such as a desktop assistant starts this command and speaks the Model Context Protocol with it; it works on the database and the storage of the
settings, or with --url on a repository elsewhere, over https. SVC_MCP_TOKEN holds the token it acts with (see "arkstone token add --help"); without one
it reads what guests may read. Files that a model names are read below SVC_STDIO_IMPORT_DIR only.

With --http it answers at /mcp and /mcp-auth on SVC_PORT (8003 unless set), with the settings of the repository.`,
  examples: [
    "SVC_MCP_TOKEN=... arkstone mcp",
    "SVC_MCP_TOKEN=... arkstone mcp --url https://repository.example.org",
    "SVC_MCP=off arkstone repository",
    "arkstone mcp --http",
  ],
  async run(context, { url, http }) {
    const hint = 'See "arkstone mcp --help"';
    if (http && url !== undefined) throw new UsageError("--http and --url exclude each other", hint);
    if (http) return await (await import("../../process/role-process.ts")).runServer("tools", context.env);
    const address = url === undefined ? null : toolAddress(url);
    if (typeof address === "string") throw new UsageError(`Cannot use --url ${url}: ${address}`, hint);
    return await (await import("../../mcp/mcp.ts")).runToolsOnStdio(context.env, address);
  },
});

export const runningCommands: readonly Command[] = [up, demo, ...SERVER_ROLES.map(role), worker, mcp, healthCommand];
