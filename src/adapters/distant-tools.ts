// The tool server of a repository elsewhere (R30), as `arkstone mcp --url` uses it: one request a call, by the newest
// revision of the protocol, to one address alone. No redirect is followed, every body has a limit, and the token is
// sent to no other server.
import { ConnectionError, RefusalError } from "../../client/errors.ts";
import { type OutgoingRequest, send, textUpTo } from "../../client/transport.ts";
import type { ToolResult } from "../repository/tools/outcome.ts";
import { parseJson } from "../shared/json/read.ts";
import { isObject, memberOf } from "../shared/objects.ts";
import { withoutEnd } from "../shared/text/text.ts";

const REVISION = "2026-07-28";
/** Of one answer: the addresses of ten thousand parts, twice, fit in. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const CALL_MS = 120_000;
/** Joining the parts of a large file, and taking one of them. */
const TRANSFER_MS = 15 * 60_000;
/** Characters of another machine's message that are shown. */
const MESSAGE_CHARACTERS_MAX = 300;
/** What a front answers while the repository behind it does not. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
/** Invalid params of JSON-RPC. */
const UNKNOWN_TOOL = -32_602;

export type DistantNeeds = {
  /** Of /mcp, as {@link toolAddress} gives it. */
  readonly url: URL;
  readonly token: string | null;
  readonly version: string;
};

/** Why the repository refused a request: `status` is the one that a tool would return. */
export class DistantProblem extends Error {
  override readonly name = "DistantProblem";
  readonly status: number;
  readonly hint: string;
  /** Nothing is there now, or what is there is not ready; `unsent`: it has not received the call either. */
  readonly away: "unsent" | "unready" | null;

  constructor(status: number, message: string, hint: string, away: DistantProblem["away"] = null) {
    super(message);
    this.status = status;
    this.hint = hint;
    this.away = away;
  }
}

/** Which table of tools is meant: that of HTTP, or that of standard input and output. */
type Table = "http" | "stdio";

/** The tools of a repository elsewhere. */
export interface DistantTools {
  /** Names of the tools of standard input and output that are served there. @throws DistantProblem */
  names(): Promise<readonly string[]>;
  /** Null: no tool has this name. @throws DistantProblem without a result */
  call(name: string, args: unknown, table?: Table): Promise<ToolResult | null>;
  /** Sends bytes to the address that a call returned. @throws DistantProblem */
  put(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** The address of the tool server that a person means by this one; a text: what is wrong with it. */
export function toolAddress(given: string): URL | string {
  if (!URL.canParse(given)) return "it is not a URL";
  const url = new URL(given);
  if (!isSafe(url)) return "it must begin with https:// (http:// only on this machine)";
  if (url.username !== "" || url.password !== "")
    return "it holds a name or a password: a token belongs to SVC_MCP_TOKEN";
  if (url.search !== "" || url.hash !== "") return "it may have neither ? nor #";
  const path = withoutEnd(url.pathname, "/");
  url.pathname = /\/mcp(?:-auth)?$/.test(path) ? path : `${path}/mcp`;
  return url;
}

/** Nobody on the way may read the token or the files. */
function isSafe({ protocol, hostname }: URL): boolean {
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere);
}

export class RemoteToolServer implements DistantTools {
  readonly #url: DistantNeeds["url"];
  readonly #token: DistantNeeds["token"];
  readonly #version: DistantNeeds["version"];
  /** The address as errors name it. */
  readonly #where: string;
  readonly #authorization: Readonly<Record<string, string>>;
  #nextId = 1;

  constructor({ url, token, version }: DistantNeeds) {
    this.#url = url;
    this.#token = token;
    this.#version = version;
    this.#where = this.#url.href;
    this.#authorization = this.#token === null ? {} : { authorization: `Bearer ${this.#token}` };
  }

  async names(): Promise<readonly string[]> {
    const tools = memberOf(resultIn(await this.#send("tools/list", {}, "stdio")) ?? {}, "tools");
    const names = (Array.isArray(tools) ? tools : []).flatMap((each: unknown) =>
      isObject(each) ? String(memberOf(each, "name")) : [],
    );
    // Another server, or one that does not know what `server` means, lists something else.
    if (names.length === 0 || names.includes("whoami")) throw this.#noTools();
    return names;
  }

  async call(name: string, args: unknown, table: Table = "stdio"): Promise<ToolResult | null> {
    const message = await this.#send("tools/call", { name, arguments: args }, table);
    const error = errorIn(message);
    if (error?.code === UNKNOWN_TOOL) return null;
    if (error !== null)
      throw new DistantProblem(503, shown(error.message), "the log of the repository has the details");
    const result = toolResult(resultIn(message));
    if (result === null) throw this.#noTools();
    return result;
  }

  async put(to: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const address = URL.canParse(to) ? new URL(to) : null;
    if (address === null || !(isSafe(address) && (address.protocol === "https:" || this.#url.protocol === "http:"))) {
      throw new DistantProblem(
        503,
        "The repository names no safe address for the file",
        "its administrator can check SVC_BASE_URL",
      );
    }
    // The address itself authorizes the request: the server there does not receive our token.
    const request = { operation: "put", method: "PUT", url: address, headers: new Headers(), body: bytes };
    const refusal = await this.#request(request, TRANSFER_MS, async (response) => void (await response.body?.cancel()));
    if (!(refusal instanceof RefusalError)) return;
    const message = isObject(refusal.body) ? memberOf(refusal.body, "message") : null;
    const why = typeof message === "string" ? `: ${shown(message)}` : "";
    throw new DistantProblem(
      refusal.status,
      `A part of the file was refused with the status ${refusal.status}${why}`,
      "try again later",
    );
  }

  async #send(method: string, params: Readonly<Record<string, unknown>>, table: Table): Promise<unknown> {
    const id = this.#nextId++;
    const name = typeof params.name === "string" ? { "mcp-name": params.name } : {};
    const address = new URL(this.#url);
    if (table === "stdio") address.searchParams.set("server", "stdio");
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": REVISION,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "arkstone-stdio", version: this.#version },
    };
    const headers = new Headers({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...name,
      ...this.#authorization,
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
    const isLong = params.name === "complete_multipart_upload";
    const request = { operation: method, method: "POST", url: address, headers, body };
    const read = (response: Response): Promise<string> => textUpTo(response, ANSWER_BYTES);
    const answer = await this.#request(request, isLong ? TRANSFER_MS : CALL_MS, read);
    const message = messageIn(answer instanceof RefusalError ? answer.body : answer);
    if (answer instanceof RefusalError && errorIn(message)?.code !== UNKNOWN_TOOL) throw this.#refusal(answer, message);
    if (!isObject(message) || memberOf(message, "id") !== id) throw this.#noTools();
    return message;
  }

  /** One request, to this address and no other, within this time: what `read` takes of its answer, or the refusal. */
  async #request<Answer>(request: OutgoingRequest, timeoutMs: number, read: (response: Response) => Promise<Answer>) {
    try {
      return await send(request, { timeoutMs, attempts: 1 }, read);
    } catch (error) {
      if (error instanceof RefusalError) return error;
      if (error instanceof RangeError)
        throw new DistantProblem(503, `${this.#where} answers with more than ${ANSWER_BYTES} bytes`, "ask for less");
      if (!(error instanceof ConnectionError)) throw error;
      const { kind, reason } = error;
      if (kind !== "timeout") throw this.#unreached(shown(reason), kind === "unsent" ? "unsent" : "unready");
      throw new DistantProblem(
        503,
        `${this.#where} did not answer within ${timeoutMs / 1000} s`,
        "look whether it was done before you call again",
      );
    }
  }

  #unreached(reason: string, away: DistantProblem["away"]): DistantProblem {
    return new DistantProblem(503, `${this.#where} cannot be reached (${reason})`, "try again later", away);
  }

  #refusal({ status, headers }: RefusalError, message: unknown): DistantProblem {
    const text = errorIn(message)?.message ?? "";
    if (status >= 300 && status < 400) {
      return new DistantProblem(
        503,
        `${this.#where} redirects elsewhere, which is not followed`,
        "give --url the address it has",
      );
    }
    const challenge = headers.get("www-authenticate") ?? "";
    const scope = /scope="([\w: ]{1,100})"/.exec(challenge)?.[1];
    if (status === 401) {
      const hasEnded = challenge.includes(`error_description="The access token has ended"`);
      return this.#token === null
        ? new DistantProblem(
            401,
            "This tool needs a token",
            `set SVC_MCP_TOKEN to a token${scope === undefined ? "" : ` with ${scope}`}`,
          )
        : new DistantProblem(
            ...([
              401,
              `The token of SVC_MCP_TOKEN ${hasEnded ? "has ended" : "is not valid"} at ${this.#where}`,
            ] as const),
            "make another one there, and start this server again with it",
          );
    }
    if (AWAY.has(status)) {
      return new DistantProblem(503, `${this.#where} is not ready (status ${status})`, "try again later", "unready");
    }
    if (status === 403 && scope !== undefined) {
      return new DistantProblem(403, `The token lacks ${scope}`, "make another token that has it");
    }
    if (status === 429) {
      const seconds = /^\d{1,6}$/.exec(headers.get("retry-after") ?? "")?.[0];
      return new DistantProblem(429, "Too many calls", seconds === undefined ? "wait" : `wait ${seconds} seconds`);
    }
    if (status === 404 || status === 405 || text === "") return this.#noTools(status);
    return new DistantProblem(status, shown(text), "the log of the repository has the details");
  }

  #noTools(status?: number): DistantProblem {
    return new DistantProblem(
      503,
      `Found no tool server of Arkstone at ${this.#where}${status === undefined ? "" : ` (status ${status})`}`,
      "check --url",
    );
  }
}

/** The JSON message of a body, or of the last event of a stream; null for other texts. */
function messageIn(body: unknown): unknown {
  if (typeof body !== "string") return body;
  if (!/^(?:event|data|id|retry|):/m.test(body.slice(0, 200))) return jsonOf(body);
  const events = body.split("\n").filter((line) => line.startsWith("data:"));
  return jsonOf(events.at(-1)?.slice("data:".length) ?? "");
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function errorIn(message: unknown): { readonly code: unknown; readonly message: string } | null {
  const error = isObject(message) ? memberOf(message, "error") : null;
  if (!isObject(error)) return null;
  const text = memberOf(error, "message");
  return { code: memberOf(error, "code"), message: typeof text === "string" ? text : "" };
}

function resultIn(message: unknown): Readonly<Record<string, unknown>> | null {
  const result = isObject(message) ? memberOf(message, "result") : null;
  return isObject(result) ? result : null;
}

/** A result with the members that our tools return, and no others. */
function toolResult(result: Readonly<Record<string, unknown>> | null): ToolResult | null {
  const [content, structuredContent] = [result?.content, result?.structuredContent];
  if (!Array.isArray(content) || !isObject(structuredContent)) return null;
  const texts = content.flatMap((each: unknown) => {
    const text = isObject(each) ? memberOf(each, "text") : null;
    return typeof text === "string" ? [{ type: "text" as const, text }] : [];
  });
  return { content: texts, structuredContent, ...(result?.isError === true ? { isError: true as const } : {}) };
}

/** Another machine's message, in one line without its final full stop. */
const shown = (text: string): string => withoutEnd(text.replace(/\s/g, " ").slice(0, MESSAGE_CHARACTERS_MAX), ".");
