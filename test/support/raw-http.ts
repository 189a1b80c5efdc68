// Raw HTTP/1.1 over a socket: requests go out byte by byte as written, answers come back as they are.
import { connect, type Socket } from "node:net";

export type RawAnswer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

const HEAD_END = "\r\n\r\n";

function headersOf(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

/** The body of a whole chunked message, or null when it has not all arrived. */
function chunkedBody(text: string): string | null {
  let body = "";
  let at = 0;
  for (;;) {
    const lineEnd = text.indexOf("\r\n", at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (Number.isNaN(size)) return null;
    if (size === 0) return text.indexOf("\r\n", lineEnd + 2) === -1 ? null : body;
    body += text.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
    if (at > text.length) return null;
  }
}

function answerOf(received: string, closed: boolean, head: boolean): RawAnswer | null {
  const end = received.indexOf(HEAD_END);
  if (end === -1) return null;
  const start = received.slice(0, end);
  const status = Number(start.slice(9, 12));
  const headers = headersOf(start);
  const rest = received.slice(end + HEAD_END.length);
  const done = (body: string): RawAnswer => ({ status, headers, body: Buffer.from(body, "latin1").toString("utf8") });
  if (head || status === 204 || status === 304) return done("");
  if (headers.get("transfer-encoding")?.includes("chunked")) {
    const body = chunkedBody(rest);
    return body === null ? null : done(body);
  }
  const length = headers.get("content-length");
  if (length === undefined) return closed ? done(rest) : null;
  return rest.length >= Number(length) ? done(rest.slice(0, Number(length))) : null;
}

/** Where a server listens: a port of this machine, or the path of a socket. */
export type Place = number | string;

export const connectTo = (place: Place): Socket =>
  typeof place === "number" ? connect(place, "127.0.0.1") : connect(place);

/** A connection that sends one request at a time and is opened again when the server closed it. */
export function rawClient(place: Place, timeoutMs = 50_000) {
  let socket: Socket | null = null;
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const made = connectTo(place);
      made.once("error", reject);
      made.once("connect", () => {
        made.removeListener("error", reject);
        resolve(made);
      });
    });
  return {
    /** Sends the bytes (a latin-1 text) and waits for the answer; null when the server closed without one. */
    async send(request: string): Promise<RawAnswer | null> {
      const line = socket !== null && !socket.destroyed ? socket : await open();
      socket = line;
      return await new Promise((resolve, reject) => {
        let received = "";
        const head = request.startsWith("HEAD ");
        const finish = (answer: RawAnswer | null, keep: boolean) => {
          clearTimeout(timer);
          line.removeAllListeners();
          line.on("error", () => {});
          if (!keep || answer?.headers.get("connection") === "close") {
            line.destroy();
            socket = null;
          }
          resolve(answer);
        };
        const timer = setTimeout(() => {
          line.destroy();
          socket = null;
          reject(new Error(`no answer within ${timeoutMs} ms to ${JSON.stringify(request.slice(0, 400))}`));
        }, timeoutMs);
        line.on("data", (chunk: Uint8Array) => {
          received += Buffer.from(chunk).toString("latin1");
          const answer = answerOf(received, false, head);
          if (answer !== null) finish(answer, true);
        });
        line.on("error", () => finish(answerOf(received, true, head), false));
        line.on("close", () => finish(answerOf(received, true, head), false));
        line.write(Buffer.from(request, "latin1"));
      });
    },
    close(): void {
      socket?.destroy();
      socket = null;
    },
  };
}
