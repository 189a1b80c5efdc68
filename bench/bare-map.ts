// The yardstick of bench/resolve.ts: a bare Bun.serve that looks a name up in a Map, reads the same request headers and sends the same
// response headers as a plain redirect of the resolver does. Arguments: port, file of `key<TAB>target` lines.
import { readFileSync } from "node:fs";

const [port = "0", file = ""] = process.argv.slice(2);
const targets = new Map<string, string>();
for (const line of readFileSync(file, "utf8").split("\n")) {
  const tab = line.indexOf("\t");
  if (tab > 0) targets.set(line.slice(0, tab), line.slice(tab + 1));
}

Bun.serve({
  port: Number(port),
  hostname: "127.0.0.1",
  fetch(request) {
    const url = request.url;
    const label = url.indexOf("/ark:", 8);
    const target = label === -1 ? undefined : targets.get(url.slice(label + 5));
    const headers: Record<string, string> = {
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "Link, THUMP-Status",
    };
    const requestId = request.headers.get("x-request-id");
    if (requestId !== null) headers["x-request-id"] = requestId;
    if (target === undefined) return new Response("ready", { headers });
    headers.location = target;
    return new Response(null, { status: 302, headers });
  },
});
