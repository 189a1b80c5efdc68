// A role with few files and sockets, and more idle connections than those (docs/security.md): it does not spin, it
// reports it once, requests are answered or refused, and it goes on when the connections are gone. Needs a shell that
// knows `ulimit`, and /proc.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../support/eventually.ts";
import { freePort, type Role, startRole, temporaryFolder } from "../support/processes.ts";

const LIMIT = 64;
/** The watchdog of a repository is one more thread with files of its event loop. */
const LIMIT_OF_REPOSITORY = 80;
const IDLE = 150;
const possible = process.platform === "linux" && existsSync("/proc/self/stat");
const onDeno = "Deno" in globalThis;

/** CPU time of a process and its threads, in seconds. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function idleConnections(port: number, count: number): Socket[] {
  return Array.from({ length: count }, () => connect(port, "127.0.0.1").on("error", () => {}));
}

/** What a new connection receives; it would wait for ever where nobody paused. */
async function ask(base: string): Promise<string> {
  try {
    const answer = await fetch(`${base}/healthz`, {
      signal: AbortSignal.timeout(10_000),
      headers: { connection: "close" },
    });
    await answer.body?.cancel();
    return String(answer.status);
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError" ? "no answer" : "refused";
  }
}

const eventsOf = (role: Role, event: string): number => role.errors().split(`"event":"${event}"`).length - 1;

describe.skipIf(!possible)("no file is left for a connection", () => {
  test.each(["minter", "resolver", "repository"] as const)(
    "A15 the %s pauses without spinning, reports it in one line, answers or refuses, and goes on",
    async (name) => {
      const folder = temporaryFolder("files");
      // The threads of a resolver and the files of a repository's database take a few more.
      const limit = name === "repository" ? LIMIT_OF_REPOSITORY : LIMIT;
      const before = ["sh", "-c", `ulimit -n ${limit}; exec "$0" "$@"`];
      const env = { SVC_DATA_DIR: folder.path, SVC_WORKERS: "2", SVC_METRICS: "public", SVC_MINT_ITEM_ARKS: "0" };
      if (name === "resolver") await (await startRole("minter", env, await freePort())).kill("SIGTERM");
      const role = await startRole(name, env, await freePort(), { before });
      try {
        // Its thread opens files when it starts.
        if (name === "resolver") await eventually("a snapshot", () => eventsOf(role, "snapshot_written") > 0);
        const idle = idleConnections(role.port, IDLE);
        await sleep(1_000);
        const begun = cpuSeconds(role.pid);
        const heard: string[] = [];
        for (let round = 0; round < 6; round += 1) {
          heard.push(await ask(role.base));
          await sleep(300);
        }
        expect(heard.filter((each) => each !== "200" && each !== "refused")).toEqual([]);
        expect(heard).toContain("200");
        expect(cpuSeconds(role.pid) - begun).toBeLessThan(0.8);
        for (const socket of idle) socket.destroy();
        await eventually("it answers again", async () => (await ask(role.base)) === "200");
        expect(eventsOf(role, "accepting_paused")).toBe(1);
        expect(role.errors()).not.toContain("Uncaught");
        const figures = await (await fetch(`${role.base}/metrics`)).text();
        expect(figures).toMatch(/^arkstone_accepting_paused 0$/m);
        expect(figures).toMatch(/^arkstone_accepting_pauses_total [1-9]\d*$/m);
        expect(await role.kill("SIGTERM")).toBe(0);
      } finally {
        await role.kill("SIGKILL");
        folder.remove();
      }
    },
    60_000,
  );

  test("A15 a request that is being answered is not cut by the pause", async () => {
    const folder = temporaryFolder("files-slow");
    const before = ["sh", "-c", `ulimit -n ${LIMIT}; exec "$0" "$@"`];
    const role = await startRole("minter", { SVC_DATA_DIR: folder.path }, await freePort(), { before });
    try {
      const slow = connect(role.port, "127.0.0.1");
      let heard = "";
      slow.on("data", (data: Uint8Array) => {
        heard += new TextDecoder().decode(data);
      });
      slow.on("error", () => {});
      const body = "client_id=nobody&client_secret=x&grant_type=client_credentials";
      slow.write(
        `POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
      );
      await sleep(300);
      const idle = idleConnections(role.port, IDLE);
      await eventually("it pauses", () => eventsOf(role, "accepting_paused") === 1);
      slow.write(body.slice(9));
      await eventually("it answers", () => heard !== "");
      expect(heard).toMatch(onDeno ? /^HTTP\/1\.1 \d/ : /^HTTP\/1\.1 4\d\d /);
      for (const socket of [slow, ...idle]) socket.destroy();
    } finally {
      await role.kill("SIGTERM");
      folder.remove();
    }
  }, 60_000);
});
