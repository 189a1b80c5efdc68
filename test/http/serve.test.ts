// The listener on a real port, on Bun and on Deno alike: busy ports, draining, addresses, raw URLs, large bodies.
import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { ListenError, type ServeOptions, type Server, serve } from "../../src/main/process/serve.ts";
import { eventually } from "../support/eventually.ts";

const open: Server[] = [];
const listen = (fetch: ServeOptions["fetch"], more: Partial<ServeOptions> = {}): Server => {
  const server = serve({ fetch, host: "127.0.0.1", port: 0, ...more });
  open.push(server);
  return server;
};
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends bytes and returns everything that comes until the other side closes; Deno keeps some connections, which end
 * with `last` or `leaves`.
 */
function talk(
  port: number,
  text: string,
  { last = "\0", leaves }: { last?: string; leaves?: Promise<void> } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    const end = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.on("connect", () => socket.write(text));
    socket.on("data", (data: Uint8Array) => {
      received += new TextDecoder().decode(data);
      if (received.includes(last)) end();
    });
    void leaves?.then(end);
    socket.on("close", end);
    socket.on("error", reject);
  });
}

afterAll(async () => {
  await Promise.all(open.map((server) => server.stop(100)));
});

describe("serve()", () => {
  test("answers on a free port and tells its address", async () => {
    const server = listen((request) => new Response(new URL(request.url).pathname));
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(await (await fetch(`${server.url}/a/b`)).text()).toBe("/a/b");
  });

  test("a busy port is one line that names it", () => {
    const { port } = listen(() => new Response("first"));
    let message = "";
    try {
      listen(() => new Response("second"), { port });
    } catch (error) {
      expect(error).toBeInstanceOf(ListenError);
      message = error instanceof Error ? error.message : "";
    }
    expect(message).toBe(
      `Cannot listen on 127.0.0.1:${port}: the port is in use; stop the other program or set SVC_PORT`,
    );
  });

  test("an address this machine lacks is one line too", () => {
    expect(() => listen(() => new Response(""), { host: "203.0.113.77" })).toThrow(
      /^Cannot listen on 203\.0\.113\.77:0: /,
    );
  });

  test("two listeners share a port when both ask for it", async () => {
    const first = listen(() => new Response("shared"), { sharePort: true });
    const second = listen(() => new Response("shared"), { sharePort: true, port: first.port });
    expect(second.port).toBe(first.port);
    expect(await (await fetch(first.url)).text()).toBe("shared");
  });

  test("tells the address of the peer", async () => {
    const server = listen((request, peer) => new Response(peer.addressOf(request)));
    expect(await (await fetch(server.url)).text()).toBe("127.0.0.1");
  });

  test("A34 a bare ? and a ?? are seen in the raw URL", async () => {
    const server = listen((request) => new Response(request.url.slice(request.url.indexOf("/", 8))));
    for (const path of ["/ark:12345/x?", "/ark:12345/x??", "/ark:12345/x%2Fy//z?info", "/ark%3A12345/x"]) {
      expect(await talk(server.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).toContain(
        `\r\n\r\n${path}`,
      );
    }
  });

  test("A43 dot segments are resolved by Bun before any handler runs, and seen as sent on Deno", async () => {
    const server = listen((request) => new Response(request.url.slice(request.url.indexOf("/", 8))));
    const answer = await talk(server.port, "GET /ark:1/x/../y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(answer.endsWith("Deno" in globalThis ? "/ark:1/x/../y" : "/ark:1/y")).toBe(true);
  });

  test("A28 a body of any declared size reaches us, so that the refusal is ours to word", async () => {
    const server = listen((request) => new Response(`ours: ${request.headers.get("content-length")}`, { status: 413 }));
    const head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1000000000000\r\n\r\nabc";
    const answer = await talk(server.port, head, { last: "ours: 1000000000000" });
    expect(answer.startsWith("HTTP/1.1 413 ")).toBe(true);
    expect(answer).toContain("ours: 1000000000000");
  });

  test("stop() lets a request in flight end and refuses new connections", async () => {
    let begun = false;
    const server = listen(async () => {
      begun = true;
      await wait(200);
      return new Response("late but whole");
    });
    const answer = fetch(server.url).then((response) => response.text());
    await eventually("the request is there", () => begun);
    const stopping = server.stop(5000);
    expect(await answer).toBe("late but whole");
    await stopping;
    await expect(fetch(server.url)).rejects.toThrow();
  });

  test("stop() does not wait for idle connections, nor longer than it may for slow ones", async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = 0;
    const server = listen(async (request) => {
      asked += 1;
      if (request.url.endsWith("/slow")) await released;
      return new Response("ok");
    });
    const stopped = Promise.withResolvers<void>();
    const ends = { leaves: stopped.promise };
    const idle = talk(server.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", ends);
    const slow = talk(server.port, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n", ends);
    await eventually("both requests are there", () => asked === 2);
    await wait(100);
    await server.stop(300);
    await wait(200);
    stopped.resolve();
    expect(await idle).toContain("ok");
    expect(await slow).toBe("");
    release();
  });
});
