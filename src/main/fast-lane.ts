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
  readonly lane: Lane;
  readonly host: string;
  readonly port: number;
  readonly sharePort: boolean;
  /** The runtime's own server, on loopback. */
  readonly inner: Listener;
  /** Seconds a new connection has until its first request, and any connection between two. */
  readonly firstSeconds: number;
  readonly idleSeconds: number;
  /** False where too few files are left, when so many connections are being handed on already. */
  readonly mayOpen: (underWay: number) => boolean;
};

type Client = {
  readonly out: Outlet;
  /** Where requests were handed on to; null while there were none. */
  relay: Relay | null;
  /** Octets that wait until what was answered is taken. */
  unread: Buffer | null;
  /** Second of the last answer; 0 before the first. */
  answeredAt: number;
  hasEnded: boolean;
};
type ClientSocket = Bun.Socket<Client>;
/** The runtime's types leave out that a port may be shared. */
type ListenOptions = Bun.TCPSocketListenOptions<Client> & { readonly reusePort: boolean };

/** Time for the inner server to take a connection that stands already. */
const TAKEN_MS = 20;

export function listenFast(needs: FastLaneNeeds): Listener & Pick<Relays, "addressOf"> {
  const { lane, inner, idleSeconds } = needs;
  const { head, answers, isOurHost } = lane;
  const clients = new Set<ClientSocket>();
  const handedOn = relays({
    port: inner.port,
    stallSeconds: idleSeconds,
    telling: lane.telling,
    mayOpen: needs.mayOpen,
  });
  let isClosing = false;
  let whenGone: (() => void) | null = null;

  /** False also where the look-up fails: the inner server comes upon the same fault, says so and logs it. */
  function writeLocation(octets: Buffer): boolean {
    try {
      if (isOurHost !== null && !isOurHost(octets.latin1Slice(head.hostFrom, head.hostEnd))) return false;
      return lane.writeLocation(octets, head.nameFrom, head.pathEnd, answers.location());
    } catch {
      return false;
    }
  }

  /** Answers what is plain, in order and together; the first request that is not is handed on with all behind it. */
  function answer(socket: ClientSocket, octets: Buffer): void {
    const client = socket.data;
    let at = 0;
    answers.begin();
    while (at < octets.length && !client.out.isFull) {
      if (!head.read(octets, at, octets.length) || !writeLocation(octets)) break;
      answers.add(octets, head.idFrom, head.idEnd);
      at = head.end;
      lane.count();
      if (answers.isFull) answers.send(client.out);
    }
    if (at > 0) {
      client.answeredAt = answers.second;
      answers.send(client.out);
    }
    if (client.out.isFull) {
      client.unread = octets.subarray(at);
      socket.pause();
      socket.timeout(idleSeconds);
      return;
    }
    if (at < octets.length) handOn(socket, octets.subarray(at));
    if (!client.hasEnded) return;
    if (client.relay === null) client.out.end();
    else client.relay.ended();
  }

  function handOn(socket: ClientSocket, octets: Buffer): void {
    const { relay } = socket.data;
    if (relay !== null && !relay.isStale()) {
      relay.data(octets);
      return;
    }
    relay?.closed();
    socket.data.relay = handedOn.begin(sideOf(socket), octets);
  }

  function sideOf(socket: ClientSocket): ClientSide {
    return {
      out: socket.data.out,
      address: socket.remoteAddress,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      patience: (seconds) => socket.timeout(seconds),
      givenBack: () => givenBack(socket),
    };
  }

  /** From here on the connection costs no more than one that was never handed on. */
  function givenBack(socket: ClientSocket): void {
    const client = socket.data;
    client.relay = null;
    if (isClosing) client.out.end();
    else if (client.unread === null) timedOut(socket);
  }

  /** What was answered is taken: on with what came meanwhile. */
  function goOn(socket: ClientSocket): void {
    const { unread } = socket.data;
    if (unread === null) return;
    socket.data.unread = null;
    socket.resume();
    if (socket.data.relay !== null) socket.timeout(0);
    answer(socket, unread);
  }

  /** A connection that the lane answers may be idle for a while; only a look at the clock tells, so that no answer has to set a timer. */
  function timedOut(socket: ClientSocket): void {
    const { relay, answeredAt, unread } = socket.data;
    const left =
      relay !== null || answeredAt === 0 || unread !== null ? 0 : answeredAt + idleSeconds - Date.now() / 1000;
    if (left > 0) socket.timeout(Math.ceil(left));
    else socket.terminate();
  }

  const options: ListenOptions = {
    hostname: needs.host,
    port: needs.port,
    reusePort: needs.sharePort,
    allowHalfOpen: true,
    socket: {
      open(socket) {
        const out = new Outlet(socket);
        socket.data = { out, relay: null, unread: null, answeredAt: 0, hasEnded: false };
        clients.add(socket);
        socket.timeout(needs.firstSeconds);
      },
      data(socket, octets) {
        const { relay, unread } = socket.data;
        if (unread !== null) socket.data.unread = Buffer.concat([unread, octets]);
        else if (relay === null || relay.isIdle()) answer(socket, octets);
        else relay.data(octets);
      },
      drain(socket) {
        const { out, relay, unread } = socket.data;
        out.drain();
        if (relay !== null && unread === null) relay.drained();
        else if (!out.isFull) goOn(socket);
        else socket.timeout(idleSeconds);
      },
      end(socket) {
        const { out, relay, unread } = socket.data;
        socket.data.hasEnded = true;
        if (unread !== null) return;
        if (relay !== null) relay.ended();
        else out.end();
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
    async close() {
      isClosing = true;
      listener.stop(false);
      for (const { data } of clients) {
        data.unread = null;
        if (data.relay === null) data.out.end();
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

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
