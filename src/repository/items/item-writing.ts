// Writes an item as a document without blocking the event loop (R9a): in the server, or for very long items in a
// background thread.

import { isLong } from "../../model/items/long-item.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { Refusal } from "../../shared/refusal.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { Exporting, ExportOrder } from "../store/exporting.ts";

/**
 * `item`: what the document is made from; `here` writes it in the server.
 *
 * @throws Refusal `unavailable` when the thread takes too long
 */
export async function writeInBackground<Order extends ExportOrder>(
  order: Order,
  item: Parameters<typeof isLong>[0],
  here: (order: Order) => string,
  exporting: Exporting,
): Promise<string> {
  if (!isLong(item)) return here(order);
  // It was just read: that and handing it over are two parts.
  await yieldToEventLoop();
  try {
    return await exporting.write(order);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new Refusal("unavailable", error.message);
  }
}
