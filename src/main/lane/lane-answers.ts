// The bytes of plain redirects, as the runtime's own HTTP server writes them (docs/fast-lane.md): the differential test
// holds them against it.
import type { ByteRoom } from "../../resolver/table.ts";
import type { Outlet } from "./lane-outlet.ts";

declare global {
  /** What buffers have and their types leave out: the quickest ways between bytes and text. */
  interface Buffer {
    latin1Slice(from: number, to: number): string;
    latin1Write(text: string, at: number): number;
  }
}

export interface LaneAnswers {
  /** Before the answers to one read: the date is renewed each second. */
  begin(): void;
  /** The room for the location of one more answer. */
  location(): ByteRoom;
  /** One answer with the location in the room; the request id, where one was sent, is in `bytes`. */
  add(bytes: Buffer, idFrom: number, idEnd: number): void;
  readonly isFull: boolean;
  /** When `begin` was called last, in seconds since 1970. */
  readonly second: number;
  send(outlet: Outlet): void;
}

/** Answers of pipelined requests are sent together, up to this number of bytes. */
const TOGETHER = 65_536;
/** Longer targets, which no part of this program writes, are left to the inner server. */
const LOCATION_MAX = 4096;
/** More than the longest answer. */
const ROOM = 2 * LOCATION_MAX;

/** One buffer for all answers of a thread. `headers`: those of every redirect. */
export function laneAnswers(headers: Readonly<Record<string, string>>): LaneAnswers {
  const out = Buffer.allocUnsafeSlow(TOGETHER);
  const lines = Object.entries(headers).map(([name, value]) => `${capitalised(name)}: ${value}\r\n`);
  const start = Buffer.from("HTTP/1.1 302 Found\r\nLocation: ");
  const middle = Buffer.from(`\r\n${lines.join("")}`);
  /** What follows the headers of every redirect, and both together. */
  let end = Buffer.alloc(0);
  let middleAndEnd = end;
  let second = 0;
  let used = 0;
  /**
   * Where the location of the next answer is written. The start of every answer is written before the first one, once.
   */
  const room: ByteRoom = { bytes: out, at: 0, limit: 0 };
  out.set(start, 0);

  function add(bytes: Uint8Array): void {
    out.set(bytes, used);
    used += bytes.length;
  }

  return {
    begin() {
      const now = Math.floor(Date.now() / 1000);
      if (now === second) return;
      second = now;
      end = Buffer.from(`Date: ${new Date(now * 1000).toUTCString()}\r\nContent-Length: 0\r\n\r\n`);
      middleAndEnd = Buffer.concat([middle, end]);
    },

    location() {
      if (used > 0) out.set(start, used);
      room.at = used + start.length;
      room.limit = room.at + LOCATION_MAX;
      return room;
    },

    add(bytes, idFrom, idEnd) {
      used = room.at;
      if (idEnd === idFrom) {
        add(middleAndEnd);
        return;
      }
      add(middle);
      used += out.latin1Write(`x-request-id: ${bytes.latin1Slice(idFrom, idEnd)}\r\n`, used);
      add(end);
    },

    get isFull(): boolean {
      return used > TOGETHER - ROOM;
    },

    get second(): number {
      return second;
    },

    send(outlet) {
      if (used > 0) outlet.write(out, 0, used, true);
      used = 0;
    },
  };
}

/** As the runtime spells the names it knows. */
function capitalised(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
