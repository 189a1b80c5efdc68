// The tool server of standard input and output in this very process (R30), over the world of a test: a connection for
// each person, whose token it has.
import { PassThrough } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { lineTransport } from "../../plugins/repository/mcp/lines.ts";
import { protocolServer } from "../../plugins/repository/mcp/protocol.ts";
import { GUEST } from "../../src/auth/account.ts";
import { gated } from "../../src/main/mcp/mcp-local.ts";
import { resourceReader } from "../../src/repository/tools/resource-reader.ts";
import { inTime } from "../../src/shared/time/event-loop.ts";
import { toolServer } from "./local-tools.ts";
import type { ToolReply } from "./tool-calls.ts";
import type { RepositoryWorld, Who } from "./world/repository.ts";

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

/** One message a line, each way: `take` is given the pieces of what comes. */
function lineClient(write: (line: string) => void) {
  let [nextId, rest] = [1, ""];
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();

  async function request(method: string, params: Readonly<Record<string, unknown>> = {}) {
    const id = nextId++;
    const answered = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: MODERN } })}\n`);
    return await inTime(answered, 30_000, () => {
      throw new Error(`${method}: no answer`);
    });
  }

  return {
    request,
    take(piece: string): void {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const message = JSON.parse(line) as Record<string, unknown>;
        waiting.get(Number(message.id))?.(message);
      }
    },
    async call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolReply> {
      const { result, error } = await request("tools/call", { name, arguments: args });
      if (result === undefined) throw new Error(`${name}: ${JSON.stringify(error)}`);
      // Tests check members that are there.
      return result as ToolReply;
    },
  };
}

/** `folder`: what files may be imported from. */
export function stdioTools(world: RepositoryWorld, folder: string) {
  const { people } = world;
  const { tools, authenticate, close } = toolServer(world, folder);
  const connections = new Map<string, ReturnType<typeof connected>>();

  function connected(token: string | null) {
    const input = new PassThrough();
    const client = lineClient((line) => void input.write(line));
    const write = async (line: string): Promise<void> => client.take(line);
    const { transport } = lineTransport({ input, write, lineBytes: 1_000_000, waitingMax: 8, graceMs: 1_000 });
    const caller = () => authenticate(token === null ? null : `Bearer ${token}`, "");
    const needs = {
      tools: gated(tools, caller),
      resourceReader: resourceReader(gated({ ...tools, stdio: tools.http }, caller)),
      version: "1",
    };
    const server = () => protocolServer(needs, { viewer: GUEST, isShown: () => true });
    const serving = serveStdio(server, { transport });
    return { client, close: () => serving.close() };
  }

  function clientOf(who: Who) {
    const token = who === null ? null : typeof who === "string" ? people[who].token : who.token;
    const connection = connections.get(String(token)) ?? connected(token);
    connections.set(String(token), connection);
    return connection.client;
  }

  return {
    call: (who: Who, name: string, args: Readonly<Record<string, unknown>>): Promise<ToolReply> =>
      clientOf(who).call(name, args),
    request: (who: Who, method: string, params: Readonly<Record<string, unknown>> = {}) =>
      clientOf(who).request(method, params),
    async close(): Promise<void> {
      for (const connection of connections.values()) await connection.close();
      await close();
    },
  };
}
