// Loaded into a server before its program (`--preload`): writes a line into the file ARKSTONE_OUTGOING names for every
// request, connection or look-up of a name that goes out of the process. Incoming connections are not counted.
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import net from "node:net";
import process from "node:process";

const FILE = process.env.ARKSTONE_OUTGOING ?? "";
const note = (what: string): void => {
  if (FILE !== "") appendFileSync(FILE, `${what}\n`);
};

const fetched = globalThis.fetch;
globalThis.fetch = Object.assign((...args: Parameters<typeof fetch>) => {
  note(`fetch ${args[0] instanceof Request ? args[0].url : String(args[0])}`);
  return fetched(...args);
}, fetched);

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function counted(this: net.Socket, ...args: unknown[]) {
  note(`connect ${JSON.stringify(args[0])}`);
  // The overloads of `connect` cannot be distinguished here.
  return Reflect.apply(connect, this, args) as net.Socket;
} as typeof connect;

const { lookup } = dns;
Object.assign(dns, {
  lookup: (...args: unknown[]) => {
    note(`lookup ${String(args[0])}`);
    return Reflect.apply(lookup, dns, args);
  },
});
note("loaded");
