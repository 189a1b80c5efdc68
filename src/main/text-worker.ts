// A thread that reads the words of files (R35) where no process may be started (Deno). It runs one order at a time. The
// first thread enforces the limits and ends it.
import { parentPort, workerData } from "node:worker_threads";
import { textHere } from "./text-here.ts";
import { READY, type ReaderMessage, type ThreadOrder } from "./text-messages.ts";

const { seconds } = workerData as { readonly seconds: number };
const read = textHere(seconds);
const send = (message: ReaderMessage): void => parentPort?.postMessage(message);

// What PDF.js still does for a page that is no longer wanted comes to nothing.
globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());

parentPort?.on("message", ({ order, buffer }: ThreadOrder) => {
  void read(order, new Uint8Array(buffer)).then((outcome) => send({ outcome }));
});
send(READY);
