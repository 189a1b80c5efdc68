// A server in a separate network where that is permitted (`unshare -n`: only its loopback, nothing leads out), and in
// any case one whose outgoing requests are counted.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { DepositInstallation } from "./deposit-installation.ts";
import { type Role, RUNTIME_ARGS } from "./processes.ts";
import { type Place, rawClient } from "./raw-http.ts";
import { run } from "./run.ts";

const UNSHARE = process.getuid?.() === 0 ? ["unshare", "-n"] : ["unshare", "-rn"];
const RELAY = join(import.meta.dirname, "apart-relay.ts");
const COUNTER = join(import.meta.dirname, "count-outgoing.ts");
/** The relay goes on in the background; the shell becomes the server, so that the signals of a test reach it. */
const SCRIPT =
  'ip link set lo up || exit 1; relay=$1; shift; sh -c "exec $relay $$" </dev/null >/dev/null 2>&1 & exec "$@"';

export async function mayStandApart(): Promise<boolean> {
  return (await run([...UNSHARE, "ip", "link", "set", "lo", "up"])).code === 0;
}

export type Apart = {
  readonly role: Role;
  /** Where it is asked. */
  readonly place: Place;
  /** What went out of it, or tried to. */
  readonly outgoing: () => readonly string[];
};

export async function startApart(installation: DepositInstallation, isApart: boolean): Promise<Apart> {
  const notes = join(installation.dataDir, "outgoing.txt");
  const socket = join(installation.dataDir, "apart.sock");
  const place = isApart ? socket : installation.port;
  const relay = [process.execPath, ...RUNTIME_ARGS, RELAY, socket, String(installation.port), notes];
  const quoted = relay.map((each) => `'${each}'`).join(" ");
  const ready = async (): Promise<boolean> => {
    if (!existsSync(socket)) return false;
    const client = rawClient(place);
    const answer = await client.send("GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n").catch(() => null);
    client.close();
    return answer?.status === 200;
  };
  const role = await installation.start({
    env: { ARKSTONE_OUTGOING: notes },
    preload: COUNTER,
    ...(isApart ? { before: [...UNSHARE, "sh", "-c", SCRIPT, "apart", quoted], ready } : {}),
  });
  const lines = (): string[] => readFileSync(notes, "utf8").trim().split("\n");
  if (lines()[0] !== "loaded") throw new Error("What goes out is not counted");
  return { role, place, outgoing: () => lines().filter((line) => line !== "loaded") };
}
