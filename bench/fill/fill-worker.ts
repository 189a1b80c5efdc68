// A thread that makes the rows of works: it is sent numbers of works, and sends a batch for each.
import { parentPort, workerData } from "node:worker_threads";
import { Filler, type Plan, type Recordings } from "./filling.ts";
import { Batching, type Form } from "./sinks.ts";

export type FillWork = { readonly plan: Plan; readonly recordings: Recordings; readonly form: Form };
export type FillOrder = { readonly from: number; readonly to: number };
export type FillAnswer = { readonly batch: readonly (readonly [string, string])[]; readonly ids: Int32Array };

if (parentPort !== null) {
  const { plan, recordings, form }: FillWork = workerData;
  const filler = new Filler(plan, recordings);
  const batching = new Batching(form);
  const port = parentPort;
  port.on("message", ({ from, to }: FillOrder) => {
    const ids = filler.works(from, to, batching.write);
    const answer: FillAnswer = { batch: [...batching.take()], ids };
    port.postMessage(answer);
  });
}
