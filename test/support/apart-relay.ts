// Runs with a server in a separate network (`unshare -n`): a socket of the file system leads to its port, and port 9,
// where packages of tests name addresses, records every connection. Arguments: path of the socket, port, file for the
// notes, process of the server. Ends when that does.
import { appendFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import process from "node:process";

const [path = "", port = "0", notes = "", server = "0"] = process.argv.slice(2);

createServer((inside) => {
  const outside = connect(Number(port), "127.0.0.1");
  inside.pipe(outside);
  outside.pipe(inside);
  const end = (): void => {
    inside.destroy();
    outside.destroy();
  };
  inside.on("error", end);
  outside.on("error", end);
  // A connection that ends on one side ends on the other.
  inside.on("close", () => outside.destroy());
  outside.on("close", () => inside.end());
}).listen(path);

createServer((socket) => {
  appendFileSync(notes, "a connection to port 9\n");
  socket.destroy();
})
  .on("error", () => {})
  .listen(9, "127.0.0.1");

setInterval(() => {
  try {
    process.kill(Number(server), 0);
  } catch {
    process.exit(0);
  }
}, 200);
