// An answer with a body of ours, and the media types they have (RFC 9110).
import { contextOf } from "./request-context.ts";

export const HTML_TYPE = "text/html; charset=utf-8";
export const JSON_TYPE = "application/json; charset=utf-8";
export const TEXT_TYPE = "text/plain; charset=utf-8";

/** An answer with its body. To `HEAD` the body is left out and only its length said (RFC 9110 section 8.6). */
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
