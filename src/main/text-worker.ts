// A thread that reads the words of files (R35), where no process may be started (Deno). One order at a time; what it may take is the first thread's
// business, which ends it.
import { parentPort, workerData } from "node:worker_threads";
import { textHere } from "./text-here.ts";
import { READY, type TextTold, type ThreadOrder } from "./text-messages.ts";

const { seconds } = workerData as { readonly seconds: number };
const read = textHere(seconds);
const tell = (told: TextTold): void => parentPort?.postMessage(told);

// What PDF.js still does for a page that is no longer wanted comes to nothing.
globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());

parentPort?.on("message", ({ order, buffer }: ThreadOrder) => {
  void read(order, new Uint8Array(buffer)).then((outcome) => tell({ outcome }));
});
tell(READY);
