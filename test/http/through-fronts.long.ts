// The fast lane behind real fronts: what they make of odd and smuggled streams, the lane understands as the runtime's own
// server does (docs/fast-lane.md). `bun run fuzz fronts` sends many more.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { fuzzFront, startSide } from "../fuzz/fronts.ts";
import { frontsHere } from "../support/fronts.ts";
import { temporaryFolder } from "../support/processes.ts";
import { exchange, hasLane } from "../support/world/lane.ts";
import { dialFrom } from "../support/world/transports.ts";

const ADDRESS = "127.9.9.9";
const request = (line: string, ...fields: string[]): string =>
  `${line} HTTP/1.1\r\n${["Host: a", ...fields].map((field) => `${field}\r\n`).join("")}\r\n`;
const plain = (index: number): string => request(`GET /ark:99999/b1long/${index}`);
const LAST = request("GET /ark:99999/b1a/last", "Connection: close");

describe.skipIf(!hasLane).each(hasLane ? frontsHere() : [])("through %s", (front) => {
  test("Q.272 A53 odd and smuggled streams are answered alike by lane and server, and no neighbour hears of them", async () => {
    const { findings, slow, arrived, fast } = await fuzzFront(front, 1, 150);
    expect(findings.slice(0, 3)).toEqual([]);
    expect(slow).toBe(0);
    expect(fast).toBeGreaterThan(300);
    expect(arrived - fast).toBeGreaterThan(50);
  }, 240_000);

  test("A44 Q.270 pipelined requests of all kinds are answered in their order, and a client that reads late loses none", async () => {
    const folder = temporaryFolder(`through-${front}`);
    const side = await startSide(front, join(folder.path, "front"), "1");
    side.expect(ADDRESS);
    const ask = (parts: readonly string[]) => exchange(side.port, parts, { dial: dialFrom(ADDRESS) });
    const kinds = [
      ["302", plain(1)],
      ["200", request("GET /ark:99999/b1n?info")],
      ["404", request("GET /ark:99999/b1unknown", "Accept: application/json")],
      ["200", request("HEAD /ark:99999/b1n")],
      ["405", `${request("POST /ark:99999/b1a", "Content-Length: 5")}abcde`],
      ["405", `${request("POST /ark:99999/b1a", "Transfer-Encoding: chunked")}5\r\nabcde\r\n0\r\n\r\n`],
      ["304", request("GET /ark:99999/b1n", "If-None-Match: *")],
      ["302", plain(2)],
      ["200", request("GET /healthz", "Upgrade: other", "Connection: Upgrade")],
    ] as const;
    const stream = kinds.map(([, text]) => text);
    for (const parts of [[stream.join("")], stream, [...stream.join("")]]) {
      const { bytes, end } = await ask([...parts, LAST]);
      const statuses = [...bytes.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
      expect([parts.length, statuses, end]).toEqual([
        parts.length,
        [...kinds.map(([status]) => status), "302"],
        "closed",
      ]);
    }
    const before = side.arrived.get(ADDRESS)?.length ?? 0;
    const MANY = 900;
    const socket = await dialFrom(ADDRESS)(side.port);
    let heard = "";
    socket.pause();
    socket.on("data", (data: Uint8Array) => {
      heard += Buffer.from(data).toString("latin1");
    });
    const closed = new Promise<void>((resolve) => void socket.once("end", () => resolve()));
    socket.write(Array.from({ length: MANY }, (_, index) => plain(index)).join("") + LAST);
    await new Promise((resolve) => setTimeout(resolve, 300));
    socket.resume();
    await closed;
    socket.destroy();
    const order = [...heard.matchAll(/^location: \S+\/l+\/(\d+)\r$/gim)].map(([, index]) => Number(index));
    expect(order).toEqual(Array.from({ length: MANY }, (_, index) => index));
    const late = (side.arrived.get(ADDRESS) ?? []).slice(before);
    expect(late.filter(({ isFast }) => isFast)).toHaveLength(MANY + 1);
    expect(side.strays).toEqual([]);
    await side.stop();
    folder.remove();
  }, 60_000);
});
