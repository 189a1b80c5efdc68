// The fast lane: the public listener of a resolver's thread on Bun (docs/fast-lane.md). It answers plain redirects from
// the bytes of a request; all other requests are handed on to the runtime's own HTTP server, and with one that is
// unusual the whole connection, from its first byte on.
import type { PlainHead } from "../../resolver/lane/plain-head.ts";
import type { ByteRoom } from "../../resolver/table.ts";
import type { CertificateKeys } from "../process/certificate.ts";
import type { Listener } from "../process/connection-limit.ts";
import type { LaneAnswers } from "./lane-answers.ts";
import { Outlet } from "./lane-outlet.ts";
import { type ClientSide, InnerRelays, type Relay } from "./lane-relay.ts";
import {
  acceptTls,
  replaceCertificate,
  type SecureContext,
  secureContext,
  tlsOptions,
} from "./listener-certificate.ts";
import { type ProxyHeaders, ProxyStart } from "./proxy-start.ts";

/** What the lane knows of the resolver; of one thread alone. */
export type Lane = {
  readonly head: PlainHead;
  /**
   * Writes where a request leads whose head is plain; false: the lane does not answer it. The name is all of `bytes`
   * from `from` to `to`.
   */
  readonly writeLocation: (bytes: Buffer, from: number, to: number, room: ByteRoom) => boolean;
  /** Whether the service is asked under this name; null where it is under any. */
  readonly isOurHost: ((host: string) => boolean) | null;
  readonly answers: LaneAnswers;
  /** The field in which the inner server receives a target that the runtime rewrites. */
  readonly telling: string;
  /** One redirect was answered. */
  readonly count: () => void;
};

type FastLaneNeeds = {
  /** Null: nothing is answered here, requests are only kept in order. */
  readonly lane: Lane | null;
  readonly host: string;
  readonly port: number;
  readonly sharePort: boolean;
  /** Left out or null: without TLS. */
  readonly certificate?: CertificateKeys | null;
  /** Left out or null: connections begin with what the client sends. */
  readonly proxyHeaders?: ProxyHeaders | null;
  /** The runtime's own server, on loopback. */
  readonly inner: Listener;
  /** Seconds a new connection has until its first request, and any connection without progress. */
  readonly firstSeconds: number;
  readonly idleSeconds: number;
  /** False where too few files are left for one more connection, with this number handed on already. */
  readonly mayOpen: (underWay: number) => boolean;
};

type Client = {
  readonly out: Outlet;
  /** Reads the PROXY header; null where none is awaited any more. */
  start: ProxyStart | null;
  /** As the PROXY header passes it; null: that of the connection counts. */
  address: string | null;
  /** Where requests were handed on to; null while there were none. */
  relay: Relay | null;
  /** Bytes that wait until the requests before are answered, and the answers are taken. */
  unread: Buffer | null;
  /** When bytes moved last, in seconds since 1970; 0 before the first. */
  movedAt: number;
  /** The client sends nothing more. */
  hasEnded: boolean;
  /** Nothing more is answered: what the client still sends is discarded. */
  isEnding: boolean;
};
type ClientSocket = Bun.Socket<Client>;
/** The runtime's types leave out that a port may be shared. */
type ListenOptions = Bun.TCPSocketListenOptions<Client> & { readonly reusePort: boolean };

/** Time for the inner server to take a connection that is open already. */
const TAKEN_MS = 20;
/** How often in `idleSeconds` the system is asked whether a slow client has taken more. */
const PROGRESS_LOOKS = 4;

const nowSeconds = (): number => Date.now() / 1000;

export class FastListener implements Listener {
  readonly #needs: FastLaneNeeds;
  readonly #lane: FastLaneNeeds["lane"];
  readonly #inner: FastLaneNeeds["inner"];
  readonly #idleSeconds: FastLaneNeeds["idleSeconds"];
  /** How long a client that takes nothing is left before the system is asked again. */
  readonly #progressSeconds: number;
  readonly #clients = new Set<ClientSocket>();
  readonly #relays: InnerRelays;
  #isClosing = false;
  #whenGone: (() => void) | null = null;
  readonly #handlers: Bun.SocketHandler<Client>;
  readonly #listener: Bun.TCPSocketListener<Client>;
  /** For connections that become TLS after their PROXY header; null where none do. */
  #secureContext: SecureContext | null = null;

  constructor(needs: FastLaneNeeds) {
    this.#needs = needs;
    this.#lane = needs.lane;
    this.#inner = needs.inner;
    this.#idleSeconds = needs.idleSeconds;
    this.#progressSeconds = Math.max(1, Math.floor(needs.idleSeconds / PROGRESS_LOOKS));
    this.#relays = new InnerRelays({
      port: needs.inner.port,
      telling: needs.lane?.telling ?? null,
      mayOpen: needs.mayOpen,
    });
    const { certificate = null, proxyHeaders = null } = needs;
    if (certificate !== null && proxyHeaders !== null) this.#secureContext = secureContext(certificate);
    this.#handlers = this.#clientHandlers();
    const options: ListenOptions = {
      hostname: needs.host,
      port: needs.port,
      reusePort: needs.sharePort,
      allowHalfOpen: true,
      socket: this.#handlers,
      ...(certificate !== null && this.#secureContext === null ? { tls: tlsOptions(certificate) } : {}),
    };
    this.#listener = Bun.listen<Client>(options);
  }

  get port(): number {
    return this.#listener.port;
  }

  readonly useCertificate = (next: CertificateKeys): void => {
    if (this.#secureContext === null) replaceCertificate(this.#listener, next);
    else this.#secureContext = secureContext(next);
  };

  addressOf(port: number): string | null {
    return this.#relays.addressOf(port);
  }

  working(port: number, isWorking: boolean): void {
    this.#relays.working(port, isWorking);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#listener.stop(false);
    for (const socket of [...this.#clients]) {
      const { relay } = socket.data;
      socket.data.unread = null;
      if (relay === null || relay.isIdle()) this.#end(socket);
    }
    // A connection that is being handed on has a request in it: the inner server must have taken it before it takes no
    // more.
    while (this.#relays.underWay() > 0) await wait(1);
    await wait(TAKEN_MS);
    await this.#inner.close();
    if (this.#clients.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenGone = resolve;
    });
  }

  async cut(): Promise<void> {
    this.#listener.stop(false);
    for (const socket of [...this.#clients]) socket.terminate();
    await this.#inner.cut();
  }

  pending(): number {
    return (
      this.#inner.pending() + this.#relays.underWay() + [...this.#clients].filter(({ data }) => data.out.isFull).length
    );
  }

  #clientHandlers(): Bun.SocketHandler<Client> {
    return {
      open: (socket) =>
        this.#opened(socket, this.#needs.proxyHeaders ? new ProxyStart(socket.remoteAddress) : null, null),
      // With TLS: otherwise `open` would wait for it, and nothing would end a client that sends nothing.
      handshake: () => {},
      data: (socket, bytes) => {
        const { unread, start } = socket.data;
        if (start !== null) this.#begin(socket, start, bytes);
        else if (unread === null) this.#take(socket, bytes);
        else socket.data.unread = Buffer.concat([unread, bytes]);
      },
      drain: (socket) => {
        if (socket.data.out.drain()) socket.data.movedAt = nowSeconds();
        this.#drained(socket);
      },
      end: (socket) => {
        socket.data.hasEnded = true;
        if (socket.data.unread === null) this.#endAfterAll(socket.data);
      },
      timeout: (socket) => this.#timedOut(socket),
      close: (socket) => {
        this.#clients.delete(socket);
        const { start } = socket.data;
        if (start?.hasBegun === true) this.#refuse(start, "the header has no end");
        socket.data.out.drop();
        socket.data.relay?.closed();
        if (this.#clients.size === 0) this.#whenGone?.();
      },
      error: (socket) => socket.terminate(),
    };
  }

  #opened(socket: ClientSocket, start: ProxyStart | null, address: string | null): void {
    const out = new Outlet(socket);
    socket.data = { out, start, address, relay: null, unread: null, movedAt: 0, hasEnded: false, isEnding: false };
    this.#clients.add(socket);
    socket.timeout(this.#needs.firstSeconds);
  }

  /** The PROXY header comes first. What follows it is from the client. */
  #begin(socket: ClientSocket, start: ProxyStart, bytes: Buffer): void {
    const client = socket.data;
    if (client.isEnding) return;
    const header = start.read(bytes);
    if (header === null) return;
    client.start = null;
    if ("reason" in header) {
      this.#refuse(start, header.reason);
      socket.terminate();
      return;
    }
    const { rest } = header;
    client.address = header.address;
    if (this.#secureContext !== null) this.#beginTls(socket, this.#secureContext, rest);
    else if (rest.length > 0) this.#take(socket, rest);
    else if (client.hasEnded) this.#endAfterAll(client);
  }

  /** The runtime makes another socket of it. This one still receives the bytes as they come, and nothing is done. */
  #beginTls(socket: ClientSocket, context: SecureContext, rest: Buffer): void {
    const client = socket.data;
    client.isEnding = true;
    client.out.drop();
    this.#clients.delete(socket);
    socket.timeout(0);
    acceptTls(socket, context, rest, {
      ...this.#handlers,
      open: (secured) => this.#opened(secured, null, client.address),
    });
  }

  #refuse({ from }: ProxyStart, reason: string): void {
    this.#needs.proxyHeaders?.refused(from, reason);
  }

  /** Answers what is plain, in order and together. Returns how many bytes are answered. */
  #answerPlain(client: Client, bytes: Buffer): number {
    if (this.#lane === null || client.out.isFull) return 0;
    const { head, answers } = this.#lane;
    let at = 0;
    answers.begin();
    while (at < bytes.length && !client.out.isFull) {
      if (!head.read(bytes, at, bytes.length) || !writeLocation(this.#lane, bytes)) break;
      answers.add(bytes, head.idFrom, head.idEnd);
      at = head.end;
      this.#lane.count();
      if (answers.isFull) answers.send(client.out);
    }
    if (at > 0) {
      client.movedAt = answers.second;
      answers.send(client.out);
    }
    return at;
  }

  /** Answers or hands on one request after the other; what must wait is kept, and no more is read from the client. */
  #take(socket: ClientSocket, bytes: Buffer): void {
    const client = socket.data;
    let at = 0;
    while (at < bytes.length && !client.isEnding) {
      const isFree = client.relay === null || client.relay.isIdle();
      if (isFree) at += this.#answerPlain(client, bytes.subarray(at));
      if (at === bytes.length) break;
      let taken = 0;
      if (!client.out.isFull || !isFree) {
        client.relay ??= this.#relays.begin(this.#sideOf(socket));
        taken = client.relay.data(bytes.subarray(at));
      }
      if (taken === 0) {
        this.#keep(socket, bytes.subarray(at));
        return;
      }
      client.movedAt = nowSeconds();
      at += taken;
    }
    if (client.out.isFull) this.#watchProgress(socket);
    if (client.hasEnded) this.#endAfterAll(client);
  }

  #keep(socket: ClientSocket, bytes: Buffer): void {
    socket.data.unread = bytes;
    socket.pause();
    if (socket.data.out.isFull) this.#watchProgress(socket);
  }

  #watchProgress(socket: ClientSocket): void {
    socket.timeout(this.#progressSeconds);
  }

  #endAfterAll({ relay, out }: Client): void {
    if (relay === null) out.end();
    else relay.ended();
  }

  #sideOf(socket: ClientSocket): ClientSide {
    const client = socket.data;
    return {
      out: client.out,
      address: client.address ?? socket.remoteAddress,
      pause: () => socket.pause(),
      resume: () => {
        if (client.unread === null) socket.resume();
      },
      moved: () => {
        client.movedAt = nowSeconds();
        if (client.out.isFull) this.#watchProgress(socket);
      },
      answered: () => this.#goOn(socket),
      givenBack: () => {
        client.relay = null;
        if (this.#isClosing) this.#end(socket);
        else this.#goOn(socket);
      },
      over: () => this.#end(socket),
    };
  }

  /** What was kept comes next, when all before it is answered and taken. */
  #goOn(socket: ClientSocket): void {
    const { unread, relay, out } = socket.data;
    if (unread === null || (out.isFull && (relay === null || relay.isIdle()))) return;
    socket.data.unread = null;
    if (relay === null || !relay.isFull()) socket.resume();
    this.#take(socket, unread);
  }

  /**
   * Nothing more is answered. What is written goes out, then the end; what the client sends meanwhile is discarded, so
   * that no reset cuts it off.
   */
  #end(socket: ClientSocket): void {
    const client = socket.data;
    client.isEnding = true;
    client.unread = null;
    client.movedAt = nowSeconds();
    socket.resume();
    socket.timeout(client.out.isFull ? this.#progressSeconds : this.#idleSeconds);
    client.out.end();
  }

  /** Called after silence. The clock shows how long it was, so that no answer has to set a timer. */
  #timedOut(socket: ClientSocket): void {
    const client = socket.data;
    const { relay, out } = client;
    if (out.isFull && out.drain()) {
      client.movedAt = nowSeconds();
      this.#drained(socket);
    }
    const left =
      client.movedAt === 0
        ? 0
        : relay?.isWorkedOn() === true
          ? this.#idleSeconds
          : client.movedAt + this.#idleSeconds - nowSeconds();
    if (left > 0) socket.timeout(out.isFull ? this.#progressSeconds : Math.ceil(left));
    // A client that does not read is not waited for; one that has only been silent gets all that was written, and the
    // end.
    else if (out.isFull) socket.terminate();
    else if (client.isEnding) socket.close();
    else this.#end(socket);
  }

  #drained(socket: ClientSocket): void {
    const { out, relay } = socket.data;
    if (out.isFull) return;
    relay?.drained();
    this.#goOn(socket);
  }
}

/** False also where the look-up fails: the inner server meets the same fault, reports and logs it. */
function writeLocation({ head, isOurHost, writeLocation: write, answers }: Lane, bytes: Buffer): boolean {
  try {
    if (isOurHost !== null && !isOurHost(bytes.latin1Slice(head.hostFrom, head.hostEnd))) return false;
    return write(bytes, head.nameFrom, head.pathEnd, answers.location());
  } catch {
    return false;
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
