// Answers with a body, and their media types (RFC 9110).
import { textStream } from "../../src/shared/bytes/byte-streams.ts";
import { LONG_TEXT } from "../../src/shared/time/event-loop.ts";
import { contextOf } from "./request-context.ts";

export const HTML_TYPE = "text/html; charset=utf-8";
export const JSON_TYPE = "application/json; charset=utf-8";
export const TEXT_TYPE = "text/plain; charset=utf-8";

/** An answer with its body. For `HEAD` the body is omitted and only its length is sent (RFC 9110 section 8.6). */
export function answerWith(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  init: { readonly status: number; readonly headers: Headers },
): Response {
  if (request.method !== "HEAD") return new Response(body, init);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  init.headers.set("content-length", String(bytes.length));
  contextOf(request).headLength = bytes.length;
  return new Response(null, init);
}

/**
 * A text made in pieces: in one where it is short, so that what fails on the way is an error like others; else as it
 * comes. To `HEAD` nothing.
 */
export async function answerInPieces(
  request: Request,
  pieces: AsyncGenerator<string>,
  headers: HeadersInit,
): Promise<Response> {
  let text = "";
  for (;;) {
    const { value, done } = await pieces.next();
    if (done === true) return answerWith(request, text, { status: 200, headers: new Headers(headers) });
    text += value;
    if (text.length > LONG_TEXT) break;
  }
  if (request.method === "HEAD") {
    await pieces.return(undefined);
    return new Response(null, { status: 200, headers });
  }
  return new Response(await textStream(begunWith(text, pieces)), { status: 200, headers });
}

async function* begunWith(text: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield text;
  yield* rest;
}

/** The query of a request as it was sent: what a router makes of it is cut at other places. */
export function queryOf({ url }: Request): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : (url.slice(start + 1).split("#", 1)[0] ?? "");
}

// A JSON document with one long list, made a member at a time: whatever the list has, it is never whole in memory.

const INDENT = 4;

/**
 * The document in pieces; members are given as JSON. The list takes the place of the first empty list of `frame`,
 * written as JSON, `depth` levels deep.
 */
export async function* withMembers(
  frame: object,
  members: AsyncIterable<string>,
  { depth, pretty }: { readonly depth: number; readonly pretty: boolean },
): AsyncGenerator<string> {
  const text = JSON.stringify(frame, null, pretty ? INDENT : undefined);
  const at = text.indexOf("[]") + 1;
  const line = (level: number): string => (pretty ? `\n${" ".repeat(level * INDENT)}` : "");
  let before = text.slice(0, at);
  let isEmpty = true;
  for await (const member of members) {
    yield before + (pretty ? indented(member, line(depth + 1)) : member);
    before = ",";
    isEmpty = false;
  }
  yield (isEmpty ? before : line(depth)) + text.slice(at);
}

const indented = (member: string, line: string): string =>
  line + JSON.stringify(JSON.parse(member), null, INDENT).replaceAll("\n", line);
