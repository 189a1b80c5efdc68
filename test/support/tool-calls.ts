// Calls of tools over HTTP, as clients of the protocol's two eras make them (R30), over a world of deposits.
import type { RepositoryWorld, Who } from "./world/repository.ts";

/** The members of a result that tests check. */
export type ToolReply = {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  // Tests check members that are there.
  // biome-ignore lint/suspicious/noExplicitAny: results of 34 tools
  readonly structuredContent: any;
};

const BOTH = "application/json, text/event-stream";
const MODERN = "2026-07-28";
/** What every request of the newest revision states about itself. */
export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
};
/** Of a revision that knows batches. */
export const OLD = { "mcp-protocol-version": "2025-03-26" };

export const calling = (name: string, args: Readonly<Record<string, unknown>> = {}, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

/** The message of an answer, whether it came by itself or as an event. */
function messageOf(text: string): Record<string, unknown> {
  const data = text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trim())
    .at(-1);
  return JSON.parse(data ?? text) as Record<string, unknown>;
}

export function toolCalls(world: Pick<RepositoryWorld, "ask">, entrance = "/mcp") {
  let nextId = 1;

  async function send(who: Who, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    const answer = await world.ask(who, "POST", entrance, {
      headers: { "content-type": "application/json", accept: BOTH, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { ...answer, message: answer.text === "" ? {} : messageOf(answer.text) };
  }

  /** One request of the newest revision. */
  const modern = (who: Who, method: string, params: Readonly<Record<string, unknown>> = {}, name?: string) =>
    send(
      who,
      {
        jsonrpc: "2.0",
        id: nextId++,
        method,
        params: {
          ...params,
          _meta: { ...MODERN_META, "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" } },
        },
      },
      { "mcp-protocol-version": MODERN, "mcp-method": method, ...(name === undefined ? {} : { "mcp-name": name }) },
    );

  return {
    send,
    modern,
    /** The result of a tool. @throws Error where the call itself is refused */
    async call(who: Who, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolReply> {
      const { status, message, text } = await modern(who, "tools/call", { name, arguments: args }, name);
      if (status !== 200 || message.result === undefined) throw new Error(`${name}: ${status} ${text.slice(0, 500)}`);
      return message.result as ToolReply;
    },
  };
}

/** Calls whose results are already unpacked. */
export function takenApart(calls: Pick<ReturnType<typeof toolCalls>, "call">) {
  type Args = Readonly<Record<string, unknown>>;
  return {
    resultOf: async (who: Who, name: string, args: Args = {}) => (await calls.call(who, name, args)).structuredContent,
    refused: async (who: Who, name: string, args: Args = {}) => refusalOf(await calls.call(who, name, args)),
  };
}

/**
 * The content of a refused call, in members and in words alike.
 * @throws Error where it succeeded, or its text leaves something out
 */
export function refusalOf({ isError, content, structuredContent }: ToolReply) {
  const { error } = structuredContent as { error?: Refused };
  if (isError !== true || error === undefined) throw new Error(`Not refused: ${content[0]?.text.slice(0, 500)}`);
  const lines = [
    `${error.status} ${error.message}`,
    ...(error.errors ?? []).flatMap(({ field, messages }) => messages.map((each) => `${field}: ${each}`)),
    ...(error.hint === undefined ? [] : [`hint: ${error.hint}`]),
  ];
  if (content[0]?.text !== lines.join("\n")) throw new Error(`The text differs: ${content[0]?.text}`);
  return error;
}

/** Each call comes from a different address: no limit of a minute is reached. */
export function manyGuests(world: Pick<RepositoryWorld, "ask">): Pick<RepositoryWorld, "ask"> {
  let calls = 0;
  return {
    ask: (who, method, path, asked) => {
      calls += 1;
      return world.ask(who, method, path, { ...asked, address: `198.51.${calls >> 8}.${calls & 255}` });
    },
  };
}

type Refused = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly { readonly field: string; readonly messages: readonly string[] }[];
  readonly hint?: string;
  readonly recid?: string;
  readonly tombstone?: Readonly<Record<string, unknown>>;
};

/** Whether the gate lets this call through: the status, and what its challenge asks for. */
export async function gateOf(
  { modern }: Pick<ReturnType<typeof toolCalls>, "modern">,
  who: Who,
  name: string,
  args: Readonly<Record<string, unknown>>,
) {
  const { status, headers } = await modern(who, "tools/call", { name, arguments: args }, name);
  const challenge = headers.get("www-authenticate") ?? "";
  const [, error = "", scope = ""] = /^Bearer (?:error="([a-z_]+)", )?scope="([a-z: ]+)"/.exec(challenge) ?? [];
  return [status, error, scope];
}
