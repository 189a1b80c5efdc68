// Hands connections of the fast lane on to the runtime's own HTTP server on loopback: octets go both ways until one side ends (docs/fast-lane.md).
// While every request is such that all readers see it end at the same place, one goes on at a time: the next is kept back until its answer is whole,
// because the runtime's server drops requests that come earlier (docs/runtime-notes.md). The inner server asks here whose connection it has, by the
// port that it comes from.
import { AnswerWatch } from "../resolver/lane/answer-watch.ts";
import { RequestWatch } from "../resolver/lane/request-watch.ts";
import { Outlet } from "./lane-outlet.ts";

/** The client's side of a connection: what the lane has of it. */
export type ClientSide = {
  readonly out: Outlet;
  readonly address: string;
  readonly pause: () => void;
  /** Reads on from the client, unless requests are kept back. */
  readonly resume: () => void;
  /** Bytes have gone one way or the other: the connection is not idle. */
  readonly moved: () => void;
  /** Everything that was handed on is answered: requests that were kept back come next. */
  readonly answered: () => void;
  /** The inner server has ended a connection on which everything is answered: it is the lane's alone again. */
  readonly givenBack: () => void;
  /** The inner server has ended the connection: when what it sent is out, it is over. */
  readonly over: () => void;
};

/** One connection that was handed on, told what happens on the client's side. */
export type Relay = {
  /** True where all that was handed on is answered, and the next byte begins a request. */
  readonly isIdle: () => boolean;
  /** True while a request is being worked on: then silence has no limit. */
  readonly isWorkedOn: () => boolean;
  /** True where no more may be read from the client. */
  readonly isFull: () => boolean;
  /** Returns how many bytes it has taken: all up to the end of the request that is in progress. */
  readonly data: (octets: Buffer) => number;
  readonly drained: () => void;
  /** The client sends nothing more. */
  readonly ended: () => void;
  readonly closed: () => void;
};

type RelaysNeeds = {
  /** Of the inner server, on loopback. */
  readonly port: number;
  /** The field in which the inner server is told of targets that the runtime rewrites; null: it is not told. */
  readonly telling: string | null;
  /** False where too few files are left, when so many connections are being handed on already. */
  readonly mayOpen: (underWay: number) => boolean;
};

export type Relays = {
  readonly begin: (client: ClientSide) => Relay;
  /** Whose connection comes from this port of loopback; null for one that is none of ours. */
  readonly addressOf: (port: number) => string | null;
  /** The inner server works on a request of the connection that comes from this port, or has answered it. */
  readonly working: (port: number, isWorking: boolean) => void;
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

type Entry = { readonly client: ClientSide; isWorkedOn: boolean };

export function relays({ port, telling, mayOpen }: RelaysNeeds): Relays {
  const entries = new Map<number, Entry>();
  let underWay = 0;

  function begin(client: ClientSide): Relay {
    const entry: Entry = { client, isWorkedOn: false };
    let request = new RequestWatch(telling);
    /** Of the request that is in progress; null before it has begun. */
    let answer: AnswerWatch | null = null;
    /** What the client sends until the inner connection stands. */
    const early: Uint8Array[] = [];
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

    function forget(): void {
      if (entries.get(innerPort) === entry) entries.delete(innerPort);
    }

    const isIdle = (): boolean => inner !== null && !isOver && !hasEnded && !request.hasBegun && !request.isLost;

    /** The inner side is over: what it sent goes out, and with it the connection ends, unless all is answered. */
    function over(): void {
      settled();
      if (isOver) return;
      const isGivenBack = isIdle();
      isOver = true;
      forget();
      if (inner === null) client.out.write(UNAVAILABLE, 0, UNAVAILABLE.length, false);
      inner?.end();
      toInner?.drop();
      if (isGivenBack) client.givenBack();
      else client.over();
    }

    /** The next request may come when this one has come whole and is answered whole. */
    function beginNext(): boolean {
      if (request.isLost || !request.isWhole || request.isLast || answer?.isWhole !== true) return false;
      request = new RequestWatch(telling);
      answer = null;
      return true;
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
        entries.set(innerPort, entry);
        // The client may still listen when it has said all.
        const write = (from: Uint8Array, at: number, length: number): number => socket.write(from, at, length);
        toInner = new Outlet({ write, end: () => socket.shutdown() });
        for (const each of early.splice(0)) toInner.write(each, 0, each.length, false);
        if (hasEnded) toInner.end();
        if (!toInner.isFull) client.resume();
      },
      data(octets) {
        if (isOver) return;
        client.moved();
        // The head of an answer may come before the request is whole, but not before its method.
        answer ??= new AnswerWatch(request.isHead);
        answer.read(octets);
        client.out.write(octets, 0, octets.length, false);
        if (client.out.isFull) inner?.pause();
        // Where nobody knows where answers end, nothing is kept back.
        request.isLost ||= answer.isLost;
        if (beginNext() || answer.isLost) client.answered();
      },
      drained() {
        toInner?.drain();
        if (toInner?.isFull !== false) return;
        client.moved();
        client.resume();
      },
      over,
    };

    client.pause();
    underWay += 1;
    if (mayOpen(underWay)) {
      void Bun.connect({ hostname: LOOPBACK, port, allowHalfOpen: true, data: side, socket: HANDLERS }).catch(over);
    } else over();

    return {
      isIdle,
      isWorkedOn: () => entry.isWorkedOn,
      isFull: () => !isOver && toInner?.isFull !== false,
      data(octets) {
        if (isOver) return octets.length;
        if (request.isWhole && !request.isLost) return 0;
        const { onward, taken } = request.read(octets);
        if (toInner === null) early.push(onward);
        else {
          toInner.write(onward, 0, onward.length, false);
          if (toInner.isFull) client.pause();
        }
        beginNext();
        return taken;
      },
      drained() {
        if (isOver || client.out.isFull) return;
        inner?.resume();
      },
      ended() {
        hasEnded = true;
        toInner?.end();
      },
      closed() {
        settled();
        isOver = true;
        forget();
        toInner?.drop();
        inner?.terminate();
      },
    };
  }

  return {
    begin,
    addressOf: (from) => entries.get(from)?.client.address ?? null,
    working(from, isWorking) {
      const entry = entries.get(from);
      if (entry === undefined) return;
      entry.isWorkedOn = isWorking;
      entry.client.moved();
    },
    underWay: () => underWay,
  };
}
