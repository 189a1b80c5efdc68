// Runs the system's nginx or HAProxy with its configuration in deploy/: only addresses, ports and the paths of its files
// are put in.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import process from "node:process";
import { freePort } from "./processes.ts";

const DEPLOY = join(import.meta.dirname, "..", "..", "deploy");

const FRONTS = ["nginx", "haproxy"] as const;
export type FrontName = (typeof FRONTS)[number];
export type Front = { readonly port: number; readonly repositoryPort: number; stop(): Promise<void> };
export type FrontPorts = {
  readonly minter: number;
  readonly resolvers: readonly [number, number];
  readonly repository?: number;
};

type Program = {
  readonly configuration: string;
  /** What is put in for what stands there. */
  readonly replacements: (folder: string, ports: FrontPorts, own: Listening) => Readonly<Record<string, string>>;
  readonly args: (folder: string, file: string) => readonly string[];
  readonly signal: NodeJS.Signals;
};
type Listening = { readonly port: number; readonly repositoryPort: number };

const PROGRAMS: Readonly<Record<FrontName, Program>> = {
  nginx: {
    configuration: "nginx.conf",
    replacements: (folder, ports, own) => {
      const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      return {
        "server minter:8000": `server 127.0.0.1:${ports.minter}`,
        "server resolver-1:8001": `server 127.0.0.1:${ports.resolvers[0]}`,
        "server resolver-2:8001": `server 127.0.0.1:${ports.resolvers[1]}`,
        "server repository:8002": `server 127.0.0.1:${ports.repository ?? 9}`,
        "listen 8082;": `listen 127.0.0.1:${own.repositoryPort};`,
        "listen 8080;": `listen 127.0.0.1:${own.port};`,
        "http {": `http { ${kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(" ")}`,
      };
    },
    args: (folder, file) => ["-e", "stderr", "-c", file, "-g", `daemon off; pid ${join(folder, "nginx.pid")};`],
    signal: "SIGQUIT",
  },
  haproxy: {
    configuration: "haproxy.cfg",
    replacements: (_, ports, own) => ({
      "minter:8000": `127.0.0.1:${ports.minter}`,
      "resolver-1:8001": `127.0.0.1:${ports.resolvers[0]}`,
      "resolver-2:8001": `127.0.0.1:${ports.resolvers[1]}`,
      "repository:8002": `127.0.0.1:${ports.repository ?? 9}`,
      "bind :8082": `bind 127.0.0.1:${own.repositoryPort}`,
      "bind :8080": `bind 127.0.0.1:${own.port}`,
    }),
    args: (_, file) => ["-db", "-f", file],
    signal: "SIGTERM",
  },
};

/** The program, or null where there is none. */
export function findFront(name: FrontName): string | null {
  const folders = ["/usr/sbin", "/usr/local/sbin", ...(process.env.PATH ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/** The fronts that this machine has; tells of the others. */
export function frontsHere(): FrontName[] {
  const here = FRONTS.filter((name) => findFront(name) !== null);
  for (const name of FRONTS) if (!here.includes(name)) console.error(`No ${name} to test with: its tests are skipped`);
  return here;
}

/** The configuration with each of these texts replaced; a text that is not in it is a mistake of the test. */
function substituted(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The configuration does not hold "${from}"`);
    return result.replaceAll(from, to);
  }, text);
}

/** Starts a front before these ports and waits until it listens. `more`: what else is put into its configuration. */
export async function startFront(
  name: FrontName,
  folder: string,
  ports: FrontPorts,
  more: Readonly<Record<string, string>> = {},
): Promise<Front> {
  const { configuration, replacements } = PROGRAMS[name];
  const own = { port: await freePort(), repositoryPort: await freePort() };
  const text = substituted(readFileSync(join(DEPLOY, configuration), "utf8"), {
    ...replacements(folder, ports, own),
    ...more,
  });
  return { ...own, stop: await runFront(name, { folder, text, port: own.port }) };
}

/** Runs a front with this configuration, by which it listens on the port; returns what stops it. */
export async function runFront(
  name: FrontName,
  { folder, text, port }: { readonly folder: string; readonly text: string; readonly port: number },
): Promise<() => Promise<void>> {
  const { args, signal } = PROGRAMS[name];
  const file = join(folder, `${name}-${port}.conf`);
  writeFileSync(file, text);
  const child = spawn(findFront(name) ?? name, args(folder, file), { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    output += part;
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve()).once("close", () => resolve());
  }).then(() => {
    hasEnded = true;
  });
  const deadline = Date.now() + 15_000;
  while (!(await listens(port))) {
    if (hasEnded || Date.now() > deadline) throw new Error(`${name} did not start:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return async () => {
    if (child.pid !== undefined && !hasEnded) process.kill(child.pid, signal);
    await ended;
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
