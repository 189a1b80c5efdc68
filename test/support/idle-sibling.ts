// A process that does nothing but answer: its response times show how busy the machine is, not the server next to it.
import { createServer } from "node:net";

const ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const server = createServer((socket) => {
  socket.on("data", () => void socket.write(ANSWER));
  socket.on("error", () => socket.destroy());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(address.port);
});
