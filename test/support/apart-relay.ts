// Stands beside a server in a network of its own (`unshare -n`): a socket of the file system leads to its port, and port 9, where packages of tests
// name addresses, notes whoever comes. Arguments: path of the socket, port, file for the notes. Ends when its parent does.
import { appendFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import process from "node:process";

const [path = "", port = "0", notes = ""] = process.argv.slice(2);
const parent = process.ppid;

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
  // Whoever is cut off on one side is cut off on the other.
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
  if (process.ppid !== parent) process.exit(0);
}, 200);
