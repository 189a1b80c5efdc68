// Hands connections of the fast lane on to the runtime's own HTTP server on loopback: octets go both ways until one side ends (docs/fast-lane.md).
// While every request is such that all readers see it end at the same place, what goes by is counted, so that the lane may go on where all is
// answered. The inner server asks here whose connection it has, by the port that it comes from.
import { AnswerWatch } from "../resolver/lane/answer-watch.ts";
import { RequestWatch } from "../resolver/lane/request-watch.ts";
import { Outlet } from "./lane-outlet.ts";

/** The client's side of a connection: what the lane has of it. */
export type ClientSide = {
  readonly out: Outlet;
  readonly address: string;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends the connection unless octets are taken within so many seconds; 0: the inner server says when. */
  readonly patience: (seconds: number) => void;
  /** The inner server has let go of a connection on which everything is answered: it is the lane's alone again. */
  readonly givenBack: () => void;
};

/** One connection that was handed on, told what happens on the client's side. */
export type Relay = {
  /** True where all that was handed on is answered, and the next octet begins a request. */
  readonly isIdle: () => boolean;
  /** True where the inner server may be about to let go of an idle connection. */
  readonly isStale: () => boolean;
  readonly data: (octets: Buffer) => void;
  readonly drained: () => void;
  /** The client sends nothing more. */
  readonly ended: () => void;
  readonly closed: () => void;
};

type RelaysNeeds = {
  /** Of the inner server, on loopback. */
  readonly port: number;
  /** Seconds a client may leave an answer unread. */
  readonly stallSeconds: number;
  /** The field in which the inner server is told of targets that the runtime rewrites. */
  readonly telling: string;
  /** False where too few files are left, when so many connections are being handed on already. */
  readonly mayOpen: (underWay: number) => boolean;
};

export type Relays = {
  /** `octets`: what the client has sent from the first request on that the lane does not answer. */
  readonly begin: (client: ClientSide, octets: Buffer) => Relay;
  /** Whose connection comes from this port of loopback; null for one that is none of ours. */
  readonly addressOf: (port: number) => string | null;
  /** Connections that are being handed on. */
  readonly underWay: () => number;
};

type Inner = Bun.Socket<Side>;
/** What the runtime tells of the inner side. */
type Side = {
  opened: (socket: Inner) => void;
  data: (octets: Buffer) => void;
  drained: () => void;
  over: () => void;
};

export const LOOPBACK = "127.0.0.1";

/** Of each second that the inner server leaves an idle connection: half. */
const STALE_MS = 500;

/** The answer where a connection cannot be handed on: the inner server is gone, or no file is left for it. */
const UNAVAILABLE = new TextEncoder().encode(
  "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
);

const HANDLERS: Bun.SocketHandler<Side> = {
  open: (socket) => socket.data.opened(socket),
  data: (socket, octets) => socket.data.data(octets),
  drain: (socket) => socket.data.drained(),
  end: (socket) => socket.data.over(),
  close: (socket) => socket.data.over(),
  connectError: (socket) => socket.data.over(),
  error: (socket) => socket.data.over(),
};

export function relays({ port, stallSeconds, telling, mayOpen }: RelaysNeeds): Relays {
  const addresses = new Map<number, ClientSide>();
  let underWay = 0;

  function begin(client: ClientSide, octets: Buffer): Relay {
    const requests = new RequestWatch(telling);
    const answers = new AnswerWatch();
    /** What the client sends until the inner connection stands. */
    const early: Uint8Array[] = [requests.read(octets)];
    let usedAt = performance.now();
    let inner: Inner | null = null;
    let toInner: Outlet | null = null;
    let innerPort = 0;
    let hasEnded = false;
    let isOver = false;
    let isConnecting = true;

    function settled(): void {
      if (isConnecting) underWay -= 1;
      isConnecting = false;
    }

    function isIdle(): boolean {
      return (
        inner !== null &&
        !isOver &&
        !hasEnded &&
        requests.isBetween &&
        !requests.hasHeads &&
        !answers.isLost &&
        requests.whole === answers.whole
      );
    }

    /** The inner side is over: what it sent goes out, and with it the connection ends, unless all is answered. */
    function over(): void {
      settled();
      if (isOver) return;
      const isGivenBack = isIdle();
      isOver = true;
      if (addresses.get(innerPort) === client) addresses.delete(innerPort);
      if (inner === null) client.out.write(UNAVAILABLE, 0, UNAVAILABLE.length, false);
      inner?.end();
      toInner?.drop();
      if (isGivenBack) {
        client.givenBack();
        return;
      }
      client.patience(stallSeconds);
      client.out.end();
    }

    const side: Side = {
      opened(socket) {
        settled();
        if (isOver) {
          socket.terminate();
          return;
        }
        inner = socket;
        innerPort = socket.localPort;
        addresses.set(innerPort, client);
        // The client may still listen when it has said all.
        const write = (from: Uint8Array, at: number, length: number): number => socket.write(from, at, length);
        toInner = new Outlet({ write, end: () => socket.shutdown() });
        for (const each of early.splice(0)) toInner.write(each, 0, each.length, false);
        if (hasEnded) toInner.end();
        client.patience(client.out.isFull ? stallSeconds : 0);
        if (!toInner.isFull) client.resume();
      },
      data(octets) {
        if (isOver) return;
        answers.read(octets);
        client.out.write(octets, 0, octets.length, false);
        if (!client.out.isFull) return;
        inner?.pause();
        client.patience(stallSeconds);
      },
      drained() {
        toInner?.drain();
        if (toInner?.isFull === false) client.resume();
      },
      over,
    };

    client.pause();
    client.patience(stallSeconds);
    underWay += 1;
    if (mayOpen(underWay)) {
      void Bun.connect({ hostname: LOOPBACK, port, allowHalfOpen: true, data: side, socket: HANDLERS }).catch(over);
    } else over();

    return {
      isIdle,
      isStale: () => performance.now() - usedAt > stallSeconds * STALE_MS,
      data(more) {
        if (isOver) return;
        const told = requests.read(more);
        if (toInner === null) {
          early.push(told);
          return;
        }
        usedAt = performance.now();
        toInner.write(told, 0, told.length, false);
        if (toInner.isFull) client.pause();
      },
      drained() {
        if (isOver || client.out.isFull) {
          client.patience(stallSeconds);
          return;
        }
        client.patience(0);
        inner?.resume();
      },
      ended() {
        hasEnded = true;
        toInner?.end();
      },
      closed() {
        settled();
        isOver = true;
        if (addresses.get(innerPort) === client) addresses.delete(innerPort);
        toInner?.drop();
        inner?.terminate();
      },
    };
  }

  return {
    begin,
    addressOf: (from) => addresses.get(from)?.address ?? null,
    underWay: () => underWay,
  };
}
