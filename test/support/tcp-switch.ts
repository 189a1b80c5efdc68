// One address before several servers, as a failover moves it: connections are passed on to whichever is chosen, and cut
// when another is.
import { connect, createServer, type Socket } from "node:net";

type TcpSwitch = {
  /** The URL given, by the address of the switch. */
  urlOf(url: string): string;
  /** Sends new connections to the server of this URL and ends the old ones. */
  turnTo(url: string): void;
  stop(): Promise<void>;
};

export async function tcpSwitch(first: string): Promise<TcpSwitch> {
  let port = Number(new URL(first).port);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const there = connect(port, "127.0.0.1");
    for (const socket of [client, there]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        there.destroy();
      });
    }
    client.pipe(there);
    there.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    urlOf(url) {
      const address = server.address();
      const changed = new URL(url);
      changed.port = String(typeof address === "object" && address !== null ? address.port : 0);
      return changed.href;
    },
    turnTo(url) {
      port = Number(new URL(url).port);
      cut();
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      await closed;
    },
  };
}
