// Messages of the protocol as lines of standard input and output (R30): one message a line, none longer than the
// largest request over HTTP. What is not a message is answered as JSON-RPC specifies, and the next line is read. After
// the end of the input pending answers are still sent.
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { byteLines } from "../../../src/shared/bytes/byte-streams.ts";
import { parseJson } from "../../../src/shared/json/read.ts";
import { isObject, memberOf } from "../../../src/shared/objects.ts";
import { inTime } from "../../../src/shared/time/event-loop.ts";

export type LineNeeds = {
  readonly input: AsyncIterable<Uint8Array>;
  /** Settles when more may be written. */
  readonly write: (line: string) => Promise<void>;
  readonly lineBytes: number;
  /** Requests that are worked on at once; the next line is read when one of them is answered. */
  readonly waitingMax: number;
  /** How long answers may take after the end of the input. */
  readonly graceMs: number;
};

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** `ended`: settles when the input has ended and what was asked is answered. */
export function lineTransport(needs: LineNeeds): { readonly transport: Transport; readonly ended: Promise<void> } {
  const waiting = new Set<string | number>();
  let changed = Promise.withResolvers<void>();
  let isClosed = false;
  const over = Promise.withResolvers<void>();

  const settle = (id: unknown): void => {
    if ((typeof id === "string" || typeof id === "number") && waiting.delete(id)) {
      changed.resolve();
      changed = Promise.withResolvers<void>();
    }
  };
  const fewerThan = async (count: number): Promise<void> => {
    while (waiting.size >= count && !isClosed) await changed.promise;
  };
  const write = (message: unknown): Promise<void> => needs.write(`${JSON.stringify(message)}\n`);
  const refuse = (code: number, message: string, id: unknown = null): Promise<void> =>
    write({ jsonrpc: "2.0", id, error: { code, message } });

  async function take(line: Uint8Array): Promise<void> {
    let parsed: unknown;
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
      if (text.trim() === "") return;
      parsed = parseJson(text);
    } catch {
      return await refuse(PARSE_ERROR, "Parse error: the line is not JSON");
    }
    const message = messageOf(parsed);
    if (message === null)
      return await refuse(INVALID_REQUEST, "Invalid Request: the line is not a message", idOf(parsed));
    if (isJSONRPCRequest(message)) {
      await fewerThan(needs.waitingMax);
      waiting.add(message.id);
    } else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      // It may stay without an answer.
      settle(message.params?.requestId);
    }
    transport.onmessage?.(message);
  }

  async function read(): Promise<void> {
    for await (const line of byteLines(needs.input, needs.lineBytes)) {
      if (isClosed) return;
      if (line === null) await refuse(INVALID_REQUEST, `Invalid Request: a line has at most ${needs.lineBytes} bytes`);
      else await take(line);
    }
    await inTime(fewerThan(1), needs.graceMs, () => undefined);
  }

  const transport: Transport = {
    async start() {
      void read()
        .catch((error: unknown) => transport.onerror?.(error instanceof Error ? error : new Error(String(error))))
        .finally(() => over.resolve());
    },
    async send(message) {
      if (isClosed) return;
      await write(message);
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) settle(message.id);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      changed.resolve();
      over.resolve();
      transport.onclose?.();
    },
  };
  return { transport, ended: over.promise };
}

function messageOf(parsed: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(parsed);
  } catch {
    return null;
  }
}

/** Of a request that is wrong in something else. */
function idOf(parsed: unknown): string | number | null {
  const id = isObject(parsed) ? memberOf(parsed, "id") : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
