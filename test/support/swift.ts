// OpenStack Swift with its S3 interface as a process of this machine: a real store for contract tests (R7, R7c). It is
// unpacked once, into a cache folder, by the scripts of ARKSTONE_SHARED; where they, Python or Debian's packages are
// missing, its tests are skipped in one line.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { s3Client } from "../../src/adapters/s3/client.ts";
import { openS3Storage, type S3StorageNeeds } from "../../src/adapters/storage-s3.ts";
import { freePorts, temporaryFolder } from "./processes.ts";

const SCRIPTS = join(
  process.env.ARKSTONE_SHARED ?? join(import.meta.dirname, "..", "..", "..", "shared"),
  "tools",
  "swift",
);
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "arkstone-tests");
const PYTHON = "/usr/bin/python3";
const GET_MS = 180_000;
const START_MS = 150_000;

const SWIFT_ACCOUNT = { accessKeyId: "test:tester", secretAccessKey: "testing", region: "us-east-1" };
const BUCKET = "bucket";

/** Where the server is unpacked, or null. */
function unpacked(): string | null {
  const place = join(CACHE, "swift");
  if (!existsSync(join(SCRIPTS, "get-swift.sh")) || !existsSync(PYTHON)) return null;
  if (existsSync(place)) return place;
  const own = `${place}.${process.pid}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    execFileSync("bash", [join(SCRIPTS, "get-swift.sh"), own], { stdio: "ignore", timeout: GET_MS });
    rmSync(join(own, "debs"), { recursive: true, force: true });
    // Another test file may have been faster.
    if (!existsSync(place)) renameSync(own, place);
    return place;
  } catch {
    return null;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

const SWIFT = unpacked();
export const hasSwift = SWIFT !== null;
if (!hasSwift)
  console.error(
    `No OpenStack Swift (${SCRIPTS}, Python, Debian's packages): the tests against a real S3 server are skipped`,
  );

export type Swift = {
  readonly endpoint: string;
  /** What the adapter needs to reach it, under this prefix. */
  readonly needs: (prefix: string, more?: Partial<S3StorageNeeds>) => S3StorageNeeds;
  /** The settings of a repository whose files are there. */
  readonly env: (prefix: string) => Readonly<Record<string, string>>;
  /** As a power cut; `start` brings it back with what it holds. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** It takes connections and answers nothing. */
  readonly hang: () => void;
  readonly goOn: () => void;
  /** Makes an object look this old. */
  readonly age: (key: string, at: Date) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts it with one bucket, on separate ports. */
export async function startSwift(): Promise<Swift> {
  const root = join(SWIFT ?? "", "root", "usr", "lib");
  const folder = temporaryFolder("swift");
  const port = await freePorts(4);
  const endpoint = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const signal = (name: NodeJS.Signals): void => {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(child.pid, name);
  };

  async function start(): Promise<void> {
    const started = spawn(PYTHON, [join(SCRIPTS, "swift-one.py"), folder.path, String(port)], {
      env: {
        ...process.env,
        PYTHONPATH: join(root, "python3", "dist-packages"),
        LD_LIBRARY_PATH: join(root, process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu"),
        S3API_CONF: "location = us-east-1\nmin_segment_size = 1\n",
      },
      stdio: ["ignore", "pipe", "ignore"],
    });
    child = started;
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`Swift was not ready within ${START_MS} ms`)), START_MS);
      started.stdout?.on("data", (chunk: Uint8Array) => {
        if (!new TextDecoder().decode(chunk).includes("ready")) return;
        clearTimeout(late);
        resolve();
      });
      started.once("exit", (code) => reject(new Error(`Swift ended with ${code}`)));
    });
  }

  async function kill(): Promise<void> {
    const ending = child;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => ending.once("exit", () => resolve()));
    // A process that hangs reacts to this signal only.
    signal("SIGKILL");
    await ended;
    child = null;
  }

  const place = { endpoint, bucket: BUCKET, pathStyle: true } as const;
  const needs: Swift["needs"] = (prefix, more = {}) => ({ ...SWIFT_ACCOUNT, ...place, prefix, ...more });
  await start();
  const made = await s3Client(needs("")).ask({ method: "PUT", object: "" });
  if (made.status !== 200) throw new Error(`Swift made no bucket: ${made.status} ${made.text}`);
  return {
    endpoint,
    needs,
    env: (prefix) => ({
      SVC_STORAGE: `s3://${BUCKET}/${prefix}`,
      SVC_S3_ENDPOINT: endpoint,
      SVC_S3_REGION: SWIFT_ACCOUNT.region,
      SVC_S3_ACCESS_KEY_ID: SWIFT_ACCOUNT.accessKeyId,
      SVC_S3_SECRET_ACCESS_KEY: SWIFT_ACCOUNT.secretAccessKey,
    }),
    kill,
    start,
    hang: () => signal("SIGSTOP"),
    goOn: () => signal("SIGCONT"),
    async age(key, at) {
      await (await fetch(`${endpoint}/-/age/${key}?at=${at.toISOString()}`, { method: "PUT" })).arrayBuffer();
    },
    async stop() {
      await kill();
      folder.remove();
    },
  };
}

/** Every stored key. */
export async function keysOn(swift: Swift, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of openS3Storage(swift.needs(prefix)).keys("9999-12-31T23:59:59.999Z")) keys.push(key);
  return keys.sort();
}
