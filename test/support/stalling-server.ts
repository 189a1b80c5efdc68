// A server that works for as much time of its one thread as a request asks: what a watch for stalls must see, however
// busy the machine is.
import { createServer } from "node:net";
import process from "node:process";

const ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const server = createServer((socket) => {
  socket.on("data", (bytes) => {
    const ms = Number(/^GET \/hold\/(\d+) /.exec(bytes.toString())?.[1] ?? 0);
    const before = process.cpuUsage();
    for (let used = 0; used < ms * 1000; ) {
      const { user, system } = process.cpuUsage(before);
      used = user + system;
    }
    socket.write(ANSWER);
  });
  socket.on("error", () => socket.destroy());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(address.port);
});
