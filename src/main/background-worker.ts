// A thread that reads large packages or writes long items (src/repository/store/parsing.ts,
// src/repository/store/exporting.ts). It runs one order at a time. The first thread enforces the limits and ends it.
import { parentPort } from "node:worker_threads";
import { openFileBytes } from "../adapters/files.ts";
import { unpacking } from "../adapters/unpacking.ts";
import { parsingHere } from "../repository/deposit/parsing.ts";
import { documentWriter } from "../repository/exports/document-writing.ts";
import { writeDetail } from "../repository/search/detail/detail-writing.ts";
import {
  type BackgroundAnswer,
  type BackgroundMessage,
  type BackgroundOrder,
  type BackgroundResult,
  errorMessageOf,
  orderOf,
} from "./background-messages.ts";

const write = documentWriter();
const parsing = parsingHere({ openFile: openFileBytes, unpacking: unpacking() });

async function run(order: BackgroundOrder): Promise<BackgroundResult> {
  if (order.what === "directory") return await parsing.directory(order.path);
  if (order.what === "bag") return await parsing.bag(order.path);
  if (order.what === "describe") return await parsing.describe(order.order);
  return order.order.format === "detail" ? writeDetail(order.order) : write(order.order);
}

parentPort?.on("message", (message: BackgroundMessage) => {
  run(orderOf(message))
    .then(
      (result): BackgroundAnswer => ({ result }),
      (error: unknown): BackgroundAnswer => ({ error: errorMessageOf(error) }),
    )
    .then((answer) => parentPort?.postMessage(answer));
});
