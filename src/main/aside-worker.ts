// A thread that reads large packages or writes long items (src/repository/store/parsing.ts, src/repository/store/exporting.ts). One order at a time; what it may take is the first thread's business, which ends it.
import { parentPort } from "node:worker_threads";
import { openFileBytes } from "../adapters/file-bytes.ts";
import { unpacking } from "../adapters/unpacking.ts";
import { parsingHere } from "../repository/deposit/parsing.ts";
import { documentWriter } from "../repository/exports/document-writing.ts";
import { writeDetail } from "../repository/search/detail/detail-writing.ts";
import {
  type AsideAnswer,
  type AsideMessage,
  type AsideOrder,
  type AsideResult,
  orderOf,
  tell,
} from "./aside-messages.ts";

const write = documentWriter();
const parsing = parsingHere({ openFile: openFileBytes, unpacking: unpacking() });

async function run(order: AsideOrder): Promise<AsideResult> {
  if (order.what === "directory") return await parsing.directory(order.path);
  if (order.what === "bag") return await parsing.bag(order.path);
  if (order.what === "describe") return await parsing.describe(order.order);
  return order.order.format === "detail" ? writeDetail(order.order) : write(order.order);
}

parentPort?.on("message", (message: AsideMessage) => {
  run(orderOf(message))
    .then(
      (result): AsideAnswer => ({ result }),
      (error: unknown): AsideAnswer => ({ told: tell(error) }),
    )
    .then((answer) => parentPort?.postMessage(answer));
});
