// Runs the system's nginx with deploy/nginx.conf: only addresses, the port and the paths of its files are put in.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import process from "node:process";
import { freePort } from "./processes.ts";

const CONFIGURATION = join(import.meta.dirname, "..", "..", "deploy", "nginx.conf");

export type Front = { readonly port: number; readonly repositoryPort: number; stop(): Promise<void> };

/** The program, or null where there is none. */
export function findNginx(): string | null {
  const folders = ["/usr/sbin", "/usr/local/sbin", ...(process.env.PATH ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, "nginx")).find((file) => existsSync(file)) ?? null;
}

/** The configuration with each of these texts replaced; a text that is not in it is a mistake of the test. */
function substituted(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`deploy/nginx.conf does not hold "${from}"`);
    return result.replaceAll(from, to);
  }, text);
}

/** Starts nginx in front of these ports and waits until it listens. */
export async function startNginx(
  program: string,
  folder: string,
  ports: { readonly minter: number; readonly resolvers: readonly [number, number]; readonly repository?: number },
): Promise<Front> {
  const port = await freePort();
  const repositoryPort = await freePort();
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const ownFiles = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(" ");
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    substituted(readFileSync(CONFIGURATION, "utf8"), {
      "server minter:8000": `server 127.0.0.1:${ports.minter}`,
      "server resolver-1:8001": `server 127.0.0.1:${ports.resolvers[0]}`,
      "server resolver-2:8001": `server 127.0.0.1:${ports.resolvers[1]}`,
      "server repository:8002": `server 127.0.0.1:${ports.repository ?? 9}`,
      "listen 8082;": `listen 127.0.0.1:${repositoryPort};`,
      "listen 8080;": `listen 127.0.0.1:${port};`,
      "http {": `http { ${ownFiles}`,
    }),
  );
  const child = spawn(program, ["-e", "stderr", "-c", file, "-g", `daemon off; pid ${join(folder, "nginx.pid")};`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve()).once("close", () => resolve());
  }).then(() => {
    hasEnded = true;
  });
  const deadline = Date.now() + 15_000;
  while (!(await listens(port))) {
    if (hasEnded || Date.now() > deadline) throw new Error(`nginx did not start:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    repositoryPort,
    async stop() {
      if (child.pid !== undefined && !hasEnded) process.kill(child.pid, "SIGQUIT");
      await ended;
    },
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
