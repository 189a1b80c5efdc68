// The thread that reads large packages (src/ports/parsing.ts). One order at a time; what it may take is the first thread's business, which ends it.
import { parentPort } from "node:worker_threads";
import { openFileBytes } from "../adapters/file-bytes.ts";
import { unpacking } from "../adapters/unpacking.ts";
import { parsingHere } from "../services/deposit/parsing.ts";
import { type ParsingAnswer, type ParsingOrder, type ParsingResult, tell } from "./parsing-messages.ts";

const parsing = parsingHere({ openFile: openFileBytes, unpacking: unpacking() });

function run(order: ParsingOrder): Promise<ParsingResult> {
  if (order.what === "directory") return parsing.directory(order.path);
  if (order.what === "bag") return parsing.bag(order.path);
  return parsing.describe(order.order);
}

parentPort?.on("message", (order: ParsingOrder) => {
  run(order)
    .then(
      (result): ParsingAnswer => ({ result }),
      (error: unknown): ParsingAnswer => ({ told: tell(error) }),
    )
    .then((answer) => parentPort?.postMessage(answer));
});
