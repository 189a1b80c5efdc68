// The only file that knows Bun.serve and Deno.serve: one listener, the address of the peer, a busy port, drain then
// close.

import { createServer } from "node:net";
import { errorMessage } from "../../shared/error-message.ts";
import { inTime } from "../../shared/time/event-loop.ts";
import { FastListener, type Lane } from "../lane/fast-lane.ts";
import { type InnerRelays, LOOPBACK } from "../lane/lane-relay.ts";
import type { ProxyHeaders } from "../lane/proxy-start.ts";
import type { CertificateKeys } from "./certificate.ts";
import { type FilesLeft, filesOfThisProcess, keepAccepting, type Listener } from "./connection-limit.ts";

/** Who is at the other end of the connection. Asked only when somebody wants to know: it costs a system call on Bun. */
type Peer = {
  readonly addressOf: (request: Request) => string;
  /** Sets whether this request is being answered: then its connection does not count as that of a slow client. */
  readonly working?: (request: Request, isWorking: boolean) => void;
};

export type Handler = (request: Request, peer: Peer) => Response | Promise<Response>;

export type ServeOptions = {
  readonly fetch: Handler;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Lets several processes or threads listen on the same port. */
  readonly sharePort?: boolean;
  /**
   * Patience with a connection behind its first request: idle, or in the middle of another head. The first head of a
   * connection has FIRST_HEAD_SECONDS. Deno has no such measures.
   */
  readonly clientSeconds?: number;
  /** Called when no connections are accepted for lack of files, and when they are accepted again. */
  readonly onPause?: (isPaused: boolean) => void;
  /** The files that are left; the system's numbers where this is left out. */
  readonly files?: FilesLeft;
  /** Answers plain redirects before the runtime's own server sees them; on Bun alone. */
  readonly lane?: Lane | undefined;
  /**
   * Keeps back requests that come before the one before is answered, which the runtime's own server drops; on Bun
   * alone, with a lane always.
   */
  readonly inOrder?: boolean;
  /** Answers over TLS with this certificate, and over nothing else. */
  readonly certificate?: CertificateKeys | null;
  /** Takes the client's address from the header with which every connection must begin; on Bun alone. */
  readonly proxyHeaders?: ProxyHeaders | null;
};

export type Server = {
  readonly port: number;
  /** `http://host:port`, or with `https`, as a person on this machine would type it. */
  readonly url: string;
  /**
   * Greets new connections with this certificate; those that are open, and their requests, are left alone. Null without
   * TLS, and where the runtime keeps the first one (Deno).
   */
  readonly useCertificate: ((next: CertificateKeys) => void) | null;
  /** Takes no new connections, waits for the requests in flight at most `graceMs`, then cuts them. */
  readonly stop: (graceMs: number) => Promise<void>;
};

/** The port is taken, or may not be used. The message is one line for the operator. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/**
 * None: the runtime's refusal has no body, and ours has (1103). What a handler leaves unread is discarded as it
 * arrives, not kept.
 */
const BODY_MAX_BYTES = Number.MAX_SAFE_INTEGER;
const CLIENT_SECONDS = 120;
/** Bun's own patience with a new connection until its first head is whole, which no setting reaches. */
export const FIRST_HEAD_SECONDS = 12;
/**
 * None: after its last byte a large deposit is unpacked and hashed for minutes, and statements and bodies have separate
 * limits.
 */
const WORK_SECONDS = 0;
const NEVER_SECONDS = 0;

/** Starts listening. @throws ListenError when the port is not available. */
export function serve(options: ServeOptions): Server {
  const deno = denoRuntime();
  const { files = filesOfThisProcess(deno === null) } = options;
  try {
    return serveOn(options, files, (port, certificate, onFailed) => {
      const now = { ...options, certificate };
      return deno === null ? listenOnBun(now, port, files) : listenOnDeno(deno, now, port, onFailed);
    });
  } catch (error) {
    throw listenError(error, options);
  }
}

/**
 * Takes a port for a moment, alone: several threads or processes that all ask to share a port would split its traffic
 * in silence. Returns its number.
 *
 * @throws ListenError when another program listens there.
 */
export function claimPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // A plain socket: a client that connects in this moment is refused at once. An HTTP server would drain such a
    // connection, and would still hold the port when the threads ask for it.
    const claim = createServer((socket) => socket.resetAndDestroy());
    claim.once("error", (error) => reject(listenError(error, { host, port })));
    claim.listen({ host, port, exclusive: true }, () => {
      const address = claim.address();
      const claimed = typeof address === "object" && address !== null ? address.port : port;
      claim.close(() => resolve(claimed));
    });
  });
}

function serveOn(
  options: ServeOptions,
  files: FilesLeft,
  open: (port: number, certificate: CertificateKeys | null, onFailed: () => void) => Listener,
): Server {
  const { host, port, onPause } = options;
  let certificate = options.certificate ?? null;
  let use: Listener["useCertificate"];
  const accepting = keepAccepting({
    open: (at, onFailed) => {
      const listener = open(at, certificate, onFailed);
      use = listener.useCertificate;
      return listener;
    },
    port,
    files,
    onPause,
  });
  return {
    port: accepting.port,
    url: displayUrl(certificate === null ? "http" : "https", host, accepting.port),
    useCertificate:
      certificate === null || use === undefined
        ? null
        : (next) => {
            certificate = next;
            use?.(next);
          },
    stop: (graceMs) =>
      accepting.stop((listeners) =>
        drain(
          graceMs,
          async () => void (await Promise.all(listeners.map((each) => each.close()))),
          async () => void (await Promise.all(listeners.map((each) => each.cut()))),
        ),
      ),
  };
}

function listenOnBun(options: ServeOptions, port: number, files: FilesLeft): Listener {
  const { lane = null, inOrder = false, host, sharePort = false, clientSeconds = CLIENT_SECONDS } = options;
  const { certificate = null, proxyHeaders = null } = options;
  // With TLS always: the runtime's own server cannot change its certificate while it listens. It reads no PROXY header.
  if (lane === null && !inOrder && certificate === null && proxyHeaders === null)
    return serveOnBun(options, { host, port, sharePort }, ({ address }) => address);
  // A connection that is none of the lane's has come past it, from this machine: nobody knows whose it is.
  let addressOf: (port: number) => string | null = () => null;
  let working: InnerRelays["working"] = () => {};
  // The lane ends what is idle: it alone knows whether a slow client still takes an answer.
  const inner = serveOnBun(
    { ...options, clientSeconds: NEVER_SECONDS },
    { host: LOOPBACK, port: 0, sharePort: false },
    (peer) => addressOf(peer.port) ?? "",
    (port, isWorking) => working(port, isWorking),
  );
  try {
    const seconds = { firstSeconds: FIRST_HEAD_SECONDS, idleSeconds: clientSeconds };
    const fast = new FastListener({
      lane,
      host,
      port,
      sharePort,
      certificate,
      proxyHeaders,
      inner,
      ...seconds,
      mayOpen: files.mayOpen,
    });
    addressOf = (port) => fast.addressOf(port);
    working = (port, isWorking) => fast.working(port, isWorking);
    return fast;
  } catch (error) {
    void inner.cut();
    throw error;
  }
}

function serveOnBun(
  { fetch, clientSeconds = CLIENT_SECONDS }: ServeOptions,
  place: { readonly host: string; readonly port: number; readonly sharePort: boolean },
  addressOf: (peer: { readonly address: string; readonly port: number }) => string,
  working?: InnerRelays["working"],
): Listener {
  const server = Bun.serve({
    hostname: place.host,
    port: place.port,
    reusePort: place.sharePort,
    idleTimeout: clientSeconds,
    maxRequestBodySize: BODY_MAX_BYTES,
    fetch: (request): Response | Promise<Response> => fetch(request, peer),
    error: unreachableFailure,
  });
  const peer: Peer = {
    addressOf(request) {
      const from = server.requestIP(request);
      return from === null ? "" : addressOf(from);
    },
    working(request, isWorking) {
      if (working === undefined) server.timeout(request, isWorking ? WORK_SECONDS : clientSeconds);
      else working(server.requestIP(request)?.port ?? 0, isWorking);
    },
  };
  return {
    port: server.port ?? place.port,
    close: () => server.stop(false),
    cut: () => server.stop(true),
    pending: () => server.pendingRequests,
  };
}

function listenOnDeno(deno: DenoRuntime, options: ServeOptions, port: number, onFailed: () => void): Listener {
  const { fetch, certificate = null } = options;
  const server = deno.serve(
    {
      hostname: options.host,
      port,
      ...(certificate === null ? {} : { cert: certificate.cert, key: certificate.key }),
      reusePort: options.sharePort === true,
      onListen: () => {},
      onError: unreachableFailure,
    },
    (request, info) => fetch(asPlainHttp(request), { addressOf: () => info.remoteAddr.hostname ?? "" }),
  );
  // A rejection without a handler would end the process.
  server.finished.catch(onFailed);
  return {
    port: server.addr.port,
    // Ends idle connections by itself. A server that is shutting down takes no further order: requests that are late
    // end with the process.
    close: () => server.shutdown(),
    cut: () => Promise.resolve(),
    pending: () => 0,
  };
}

/**
 * The router reads paths from the eighth character of an address on, as those of the inner server on Bun have them,
 * which never has TLS.
 */
function asPlainHttp(request: Request): Request {
  return request.url.startsWith("https:")
    ? new Request(`http:${request.url.slice("https:".length)}`, request)
    : request;
}

/**
 * The handler answers everything itself. An error that reaches this place is a bug in it; the answer does not disclose
 * it.
 */
function unreachableFailure(): Response {
  return Response.json({ code: "SVC-1999", message: "Internal error", detail: {} }, { status: 500 });
}

async function drain(graceMs: number, gently: () => Promise<void>, now: () => Promise<void>): Promise<void> {
  const outcome = await inTime(gently(), graceMs, () => "late" as const);
  // The gentle end has begun already. Now it only has to end, so its failure does not matter.
  if (outcome === "late") await Promise.race([now(), new Promise((resolve) => setTimeout(resolve, 1000))]);
}

function displayUrl(scheme: "http" | "https", host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `${scheme}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function listenError(error: unknown, options: Pick<ServeOptions, "host" | "port">): unknown {
  const code = errorCode(error);
  const address = `${options.host}:${options.port}`;
  if (code === "EADDRINUSE" || code === "AddrInUse") {
    return new ListenError(`Cannot listen on ${address}: the port is in use; stop the other program or set SVC_PORT`);
  }
  if (code === "EACCES" || code === "PermissionDenied") {
    return new ListenError(
      `Cannot listen on ${address}: not permitted; ports below 1024 need rights this process lacks`,
    );
  }
  if (code === "EADDRNOTAVAIL" || code === "AddrNotAvailable") {
    return new ListenError(`Cannot listen on ${address}: this machine has no such address; check SVC_HOST`);
  }
  return error instanceof TypeError || error instanceof RangeError
    ? error
    : new ListenError(`Cannot listen on ${address}: ${errorMessage(error)}; check SVC_HOST and SVC_PORT`);
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

type DenoServer = {
  readonly addr: { readonly port: number };
  readonly finished: Promise<void>;
  readonly shutdown: () => Promise<void>;
};

/** The little of Deno this file uses; its own types would clash with Bun's. */
type DenoRuntime = {
  readonly serve: (
    options: {
      hostname: string;
      port: number;
      cert?: string;
      key?: string;
      reusePort: boolean;
      onListen: () => void;
      onError: () => Response;
    },
    handler: (
      request: Request,
      info: { readonly remoteAddr: { readonly hostname?: string } },
    ) => Response | Promise<Response>,
  ) => DenoServer;
};

function denoRuntime(): DenoRuntime | null {
  if (!("Deno" in globalThis)) return null;
  // The guard above is all that can be known of a global of another runtime.
  return (globalThis as unknown as { readonly Deno: DenoRuntime }).Deno;
}
