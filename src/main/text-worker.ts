// A thread that reads the words of files (R35), where no process may be started (Deno). One order at a time; what it may take is the first thread's
// business, which ends it.
import { parentPort, workerData } from "node:worker_threads";
import type { TextOrder } from "../repository/store/text-reading.ts";
import { textHere } from "./text-here.ts";
import { READY, type TextTold } from "./text-messages.ts";

const { seconds } = workerData as { readonly seconds: number };
const read = textHere(seconds);
const tell = (told: TextTold): void => parentPort?.postMessage(told);

// What PDF.js still does for a page that is no longer wanted comes to nothing.
globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());

parentPort?.on("message", ({ order, bytes }: { readonly order: TextOrder; readonly bytes: Uint8Array }) => {
  void read(order, bytes).then((outcome) => tell({ outcome }));
});
tell(READY);
