// Hands connections of the fast lane on to the runtime's own HTTP server on loopback: bytes go both ways until one side
// ends (docs/fast-lane.md). While every request is such that all readers see it end at the same place, one goes on at a
// time: the next is kept back until its answer is whole, because the runtime's server drops requests that come earlier
// (docs/runtime-notes.md). The inner server asks here whose connection it has, by the port that it comes from.
import { AnswerWatch } from "../../resolver/lane/answer-watch.ts";
import { RequestWatch } from "../../resolver/lane/request-watch.ts";
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

/** One connection that was handed on, as the client's side reports to it. */
export interface Relay {
  /** True where all that was handed on is answered, and the next byte begins a request. */
  isIdle(): boolean;
  /** True while a request is being worked on: then silence has no limit. */
  isWorkedOn(): boolean;
  /** True where no more may be read from the client. */
  isFull(): boolean;
  /** Returns how many bytes it has taken: all up to the end of the request that is in progress. */
  data(bytes: Buffer): number;
  drained(): void;
  /** The client sends nothing more. */
  ended(): void;
  closed(): void;
}

type RelaysNeeds = {
  /** Of the inner server, on loopback. */
  readonly port: number;
  /** The field in which the inner server receives targets that the runtime rewrites; null: there is none. */
  readonly telling: string | null;
  /** False where too few files are left for one more connection, with this number handed on already. */
  readonly mayOpen: (underWay: number) => boolean;
};

type Inner = Bun.Socket<InnerRelay>;
export const LOOPBACK = "127.0.0.1";

/** The answer where a connection cannot be handed on: the inner server is gone, or no file is left for it. */
const UNAVAILABLE = new TextEncoder().encode(
  "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
);

const HANDLERS: Bun.SocketHandler<InnerRelay> = {
  open: (socket) => socket.data.opened(socket),
  data: (socket, bytes) => socket.data.answered(bytes),
  drain: (socket) => socket.data.innerDrained(),
  end: (socket) => socket.data.over(),
  close: (socket) => socket.data.over(),
  connectError: (socket) => socket.data.over(),
  error: (socket) => socket.data.over(),
};

export class InnerRelays {
  readonly #needs: RelaysNeeds;
  /** By the port that the inner server sees. */
  readonly #byPort = new Map<number, InnerRelay>();
  #connecting = 0;

  constructor(needs: RelaysNeeds) {
    this.#needs = needs;
  }

  begin(client: ClientSide): Relay {
    const relay = new InnerRelay(this.#needs.telling, client, this.#byPort, () => {
      this.#connecting -= 1;
    });
    client.pause();
    this.#connecting += 1;
    if (this.#needs.mayOpen(this.#connecting)) relay.connect(this.#needs.port);
    else relay.over();
    return relay;
  }

  /** The client whose connection comes from this port of loopback; null for a connection that is not ours. */
  addressOf(port: number): string | null {
    return this.#byPort.get(port)?.address ?? null;
  }

  /** The inner server works on a request of the connection that comes from this port, or has answered it. */
  working(port: number, isWorking: boolean): void {
    this.#byPort.get(port)?.work(isWorking);
  }

  /** Connections that are being handed on. */
  underWay(): number {
    return this.#connecting;
  }
}

/** One connection: the client's side of it, and the inner server's. */
class InnerRelay implements Relay {
  readonly #telling: string | null;
  readonly #client: ClientSide;
  readonly #byPort: Map<number, InnerRelay>;
  readonly #onConnected: () => void;
  #request: RequestWatch;
  /** Of the request that is in progress; null before it has begun. */
  #answer: AnswerWatch | null = null;
  /** What the client sends until the inner connection is open. */
  readonly #early: Uint8Array[] = [];
  #inner: Inner | null = null;
  #toInner: Outlet | null = null;
  #innerPort = 0;
  #isWorkedOn = false;
  #hasEnded = false;
  #isOver = false;
  #isConnecting = true;

  /** `onConnected`: called once, when the inner connection is open or has failed. */
  constructor(telling: string | null, client: ClientSide, byPort: Map<number, InnerRelay>, onConnected: () => void) {
    this.#telling = telling;
    this.#client = client;
    this.#byPort = byPort;
    this.#onConnected = onConnected;
    this.#request = new RequestWatch(telling);
  }

  get address(): string {
    return this.#client.address;
  }

  connect(port: number): void {
    const connected = Bun.connect({ hostname: LOOPBACK, port, allowHalfOpen: true, data: this, socket: HANDLERS });
    void connected.catch(() => this.over());
  }

  work(isWorking: boolean): void {
    this.#isWorkedOn = isWorking;
    this.#client.moved();
  }

  isIdle(): boolean {
    return this.#inner !== null && !this.#isOver && !this.#hasEnded && !this.#request.hasBegun && !this.#request.isLost;
  }

  isWorkedOn(): boolean {
    return this.#isWorkedOn;
  }

  isFull(): boolean {
    return !this.#isOver && this.#toInner?.isFull !== false;
  }

  data(bytes: Buffer): number {
    if (this.#isOver) return bytes.length;
    if (this.#request.isWhole && !this.#request.isLost) return 0;
    const { onward, taken } = this.#request.read(bytes);
    if (this.#toInner === null) this.#early.push(onward);
    else {
      this.#toInner.write(onward, 0, onward.length, false);
      if (this.#toInner.isFull) this.#client.pause();
    }
    this.#beginNext();
    return taken;
  }

  drained(): void {
    if (this.#isOver || this.#client.out.isFull) return;
    this.#inner?.resume();
  }

  ended(): void {
    this.#hasEnded = true;
    this.#toInner?.end();
  }

  closed(): void {
    this.#settleConnecting();
    this.#isOver = true;
    this.#forget();
    this.#toInner?.drop();
    this.#inner?.terminate();
  }

  /** The inner connection is open. */
  opened(socket: Inner): void {
    this.#settleConnecting();
    if (this.#isOver) {
      socket.terminate();
      return;
    }
    this.#inner = socket;
    this.#innerPort = socket.localPort;
    this.#byPort.set(this.#innerPort, this);
    // The client may still read when it has sent all.
    const write = (from: Uint8Array, at: number, length: number): number => socket.write(from, at, length);
    const toInner = new Outlet({ write, end: () => socket.shutdown() });
    this.#toInner = toInner;
    for (const each of this.#early.splice(0)) toInner.write(each, 0, each.length, false);
    if (this.#hasEnded) toInner.end();
    if (!toInner.isFull) this.#client.resume();
  }

  /** The inner server has sent these bytes. */
  answered(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#client.moved();
    // The head of an answer may come before the request is whole, but not before its method.
    this.#answer ??= new AnswerWatch(this.#request.isHead);
    this.#answer.read(bytes);
    this.#client.out.write(bytes, 0, bytes.length, false);
    if (this.#client.out.isFull) this.#inner?.pause();
    // Where it is not known where answers end, nothing is kept back.
    this.#request.isLost ||= this.#answer.isLost;
    if (this.#beginNext() || this.#answer?.isLost === true) this.#client.answered();
  }

  /** The inner server takes more. */
  innerDrained(): void {
    this.#toInner?.drain();
    if (this.#toInner?.isFull !== false) return;
    this.#client.moved();
    this.#client.resume();
  }

  /** The inner side is over: what it sent goes out, and with it the connection ends, unless all is answered. */
  over(): void {
    this.#settleConnecting();
    if (this.#isOver) return;
    const isGivenBack = this.isIdle();
    this.#isOver = true;
    this.#forget();
    if (this.#inner === null) this.#client.out.write(UNAVAILABLE, 0, UNAVAILABLE.length, false);
    this.#inner?.end();
    this.#toInner?.drop();
    if (isGivenBack) this.#client.givenBack();
    else this.#client.over();
  }

  #settleConnecting(): void {
    if (this.#isConnecting) this.#onConnected();
    this.#isConnecting = false;
  }

  #forget(): void {
    if (this.#byPort.get(this.#innerPort) === this) this.#byPort.delete(this.#innerPort);
  }

  /** The next request may come when this one has come whole and is answered whole. */
  #beginNext(): boolean {
    const request = this.#request;
    if (request.isLost || !request.isWhole || request.isLast || this.#answer?.isWhole !== true) return false;
    this.#request = new RequestWatch(this.#telling);
    this.#answer = null;
    return true;
  }
}
