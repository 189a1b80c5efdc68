// The fast lane: the public listener of a resolver's thread on Bun (docs/fast-lane.md). It answers plain redirects from the octets of a request; all
// other requests are handed on to the runtime's own HTTP server, and with one that is unusual the whole connection, from its first octet on.
import type { PlainHead } from "../resolver/lane/plain-head.ts";
import type { OctetRoom } from "../resolver/table.ts";
import type { Listener } from "./connection-limit.ts";
import type { LaneAnswers } from "./lane-answers.ts";
import { Outlet } from "./lane-outlet.ts";
import { type ClientSide, type Relay, type Relays, relays } from "./lane-relay.ts";

/** What the lane is told of the resolver; of one thread alone. */
export type Lane = {
  readonly head: PlainHead;
  /** Writes where a request leads whose head is plain; false: the lane does not answer it. The name is all of `octets` from `from` to `to`. */
  readonly writeLocation: (octets: Buffer, from: number, to: number, room: OctetRoom) => boolean;
  /** Whether the service is asked under this name; null where it is under any. */
  readonly isOurHost: ((host: string) => boolean) | null;
  readonly answers: LaneAnswers;
  /** The field in which the inner server is told of a target that the runtime rewrites. */
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
  /** The runtime's own server, on loopback. */
  readonly inner: Listener;
  /** Seconds a new connection has until its first request, and any connection without progress. */
  readonly firstSeconds: number;
  readonly idleSeconds: number;
  /** False where too few files are left, when so many connections are being handed on already. */
  readonly mayOpen: (underWay: number) => boolean;
};

type Client = {
  readonly out: Outlet;
  /** Where requests were handed on to; null while there were none. */
  relay: Relay | null;
  /** Bytes that wait until what was asked before is answered, and the answers are taken. */
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

/** Time for the inner server to take a connection that stands already. */
const TAKEN_MS = 20;
/** How often in `idleSeconds` the system is asked whether a slow client has taken more. */
const PROGRESS_LOOKS = 4;

const nowSeconds = (): number => Date.now() / 1000;

export function listenFast(needs: FastLaneNeeds): Listener & Pick<Relays, "addressOf" | "working"> {
  const { lane, inner, idleSeconds } = needs;
  const lookSeconds = Math.max(1, Math.floor(idleSeconds / PROGRESS_LOOKS));
  const clients = new Set<ClientSocket>();
  const handedOn = relays({ port: inner.port, telling: lane?.telling ?? null, mayOpen: needs.mayOpen });
  let isClosing = false;
  let whenGone: (() => void) | null = null;

  /** Answers what is plain, in order and together. Returns how many bytes are answered. */
  function answerPlain(client: Client, octets: Buffer): number {
    if (lane === null || client.out.isFull) return 0;
    const { head, answers } = lane;
    let at = 0;
    answers.begin();
    while (at < octets.length && !client.out.isFull) {
      if (!head.read(octets, at, octets.length) || !writeLocation(lane, octets)) break;
      answers.add(octets, head.idFrom, head.idEnd);
      at = head.end;
      lane.count();
      if (answers.isFull) answers.send(client.out);
    }
    if (at > 0) {
      client.movedAt = answers.second;
      answers.send(client.out);
    }
    return at;
  }

  /** Answers or hands on one request after the other; what must wait is kept, and no more is read from the client. */
  function take(socket: ClientSocket, octets: Buffer): void {
    const client = socket.data;
    let at = 0;
    while (at < octets.length && !client.isEnding) {
      const isFree = client.relay === null || client.relay.isIdle();
      if (isFree) at += answerPlain(client, octets.subarray(at));
      if (at === octets.length) break;
      let taken = 0;
      if (!client.out.isFull || !isFree) {
        client.relay ??= handedOn.begin(sideOf(socket));
        taken = client.relay.data(octets.subarray(at));
      }
      if (taken === 0) {
        keep(socket, octets.subarray(at));
        return;
      }
      client.movedAt = nowSeconds();
      at += taken;
    }
    if (client.out.isFull) lookForProgress(socket);
    if (client.hasEnded) endAfterAll(client);
  }

  function keep(socket: ClientSocket, octets: Buffer): void {
    socket.data.unread = octets;
    socket.pause();
    if (socket.data.out.isFull) lookForProgress(socket);
  }

  function lookForProgress(socket: ClientSocket): void {
    socket.timeout(lookSeconds);
  }

  function endAfterAll({ relay, out }: Client): void {
    if (relay === null) out.end();
    else relay.ended();
  }

  function sideOf(socket: ClientSocket): ClientSide {
    const client = socket.data;
    return {
      out: client.out,
      address: socket.remoteAddress,
      pause: () => socket.pause(),
      resume: () => {
        if (client.unread === null) socket.resume();
      },
      moved: () => {
        client.movedAt = nowSeconds();
        if (client.out.isFull) lookForProgress(socket);
      },
      answered: () => goOn(socket),
      givenBack: () => {
        client.relay = null;
        if (isClosing) end(socket);
        else goOn(socket);
      },
      over: () => end(socket),
    };
  }

  /** What was kept comes next, when all before it is answered and taken. */
  function goOn(socket: ClientSocket): void {
    const { unread, relay, out } = socket.data;
    if (unread === null || (out.isFull && (relay === null || relay.isIdle()))) return;
    socket.data.unread = null;
    if (relay === null || !relay.isFull()) socket.resume();
    take(socket, unread);
  }

  /** Nothing more is answered. What is written goes out, then the end; what the client sends meanwhile is discarded, so that no reset cuts it off. */
  function end(socket: ClientSocket): void {
    const client = socket.data;
    client.isEnding = true;
    client.unread = null;
    client.movedAt = nowSeconds();
    socket.resume();
    socket.timeout(client.out.isFull ? lookSeconds : idleSeconds);
    client.out.end();
  }

  /** Called after silence. Only a look at the clock tells how long it was, so that no answer has to set a timer. */
  function timedOut(socket: ClientSocket): void {
    const client = socket.data;
    const { relay, out } = client;
    if (out.isFull && out.drain()) {
      client.movedAt = nowSeconds();
      drained(socket);
    }
    const left =
      client.movedAt === 0
        ? 0
        : relay?.isWorkedOn() === true
          ? idleSeconds
          : client.movedAt + idleSeconds - nowSeconds();
    if (left > 0) socket.timeout(out.isFull ? lookSeconds : Math.ceil(left));
    // A client that does not read is not waited for; one that has only been silent gets all that was written, and the end.
    else if (out.isFull) socket.terminate();
    else if (client.isEnding) socket.close();
    else end(socket);
  }

  function drained(socket: ClientSocket): void {
    const { out, relay } = socket.data;
    if (out.isFull) return;
    relay?.drained();
    goOn(socket);
  }

  const options: ListenOptions = {
    hostname: needs.host,
    port: needs.port,
    reusePort: needs.sharePort,
    allowHalfOpen: true,
    socket: {
      open(socket) {
        const out = new Outlet(socket);
        socket.data = { out, relay: null, unread: null, movedAt: 0, hasEnded: false, isEnding: false };
        clients.add(socket);
        socket.timeout(needs.firstSeconds);
      },
      data(socket, octets) {
        const { unread } = socket.data;
        if (unread === null) take(socket, octets);
        else socket.data.unread = Buffer.concat([unread, octets]);
      },
      drain(socket) {
        if (socket.data.out.drain()) socket.data.movedAt = nowSeconds();
        drained(socket);
      },
      end(socket) {
        socket.data.hasEnded = true;
        if (socket.data.unread === null) endAfterAll(socket.data);
      },
      timeout: timedOut,
      close(socket) {
        clients.delete(socket);
        socket.data.out.drop();
        socket.data.relay?.closed();
        if (clients.size === 0) whenGone?.();
      },
      error: (socket) => socket.terminate(),
    },
  };
  const listener = Bun.listen<Client>(options);

  return {
    port: listener.port,
    addressOf: handedOn.addressOf,
    working: handedOn.working,
    async close() {
      isClosing = true;
      listener.stop(false);
      for (const socket of [...clients]) {
        const { relay } = socket.data;
        socket.data.unread = null;
        if (relay === null || relay.isIdle()) end(socket);
      }
      // A connection that is being handed on has a request in it: the inner server must have taken it before it takes no more.
      while (handedOn.underWay() > 0) await wait(1);
      await wait(TAKEN_MS);
      await inner.close();
      if (clients.size === 0) return;
      await new Promise<void>((resolve) => {
        whenGone = resolve;
      });
    },
    async cut() {
      listener.stop(false);
      for (const socket of [...clients]) socket.terminate();
      await inner.cut();
    },
    pending: () => inner.pending() + handedOn.underWay() + [...clients].filter(({ data }) => data.out.isFull).length,
  };
}

/** False also where the look-up fails: the inner server comes upon the same fault, says so and logs it. */
function writeLocation({ head, isOurHost, writeLocation: write, answers }: Lane, octets: Buffer): boolean {
  try {
    if (isOurHost !== null && !isOurHost(octets.latin1Slice(head.hostFrom, head.hostEnd))) return false;
    return write(octets, head.nameFrom, head.pathEnd, answers.location());
  } catch {
    return false;
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
