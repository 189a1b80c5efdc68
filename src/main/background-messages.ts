// Messages between the server and its background threads (src/repository/store/parsing.ts,
// src/repository/store/exporting.ts).
import { SwordError } from "../repository/deposit/messages.ts";
import type { Exporting, ExportOrder } from "../repository/store/exporting.ts";
import type { DescribeOrder, Parsing } from "../repository/store/parsing.ts";
import { DocumentError } from "../shared/document-error.ts";
import { Refusal } from "../shared/refusal.ts";

export type BackgroundOrder =
  | { readonly what: "directory"; readonly path: string }
  | { readonly what: "bag"; readonly path: string }
  | { readonly what: "describe"; readonly order: DescribeOrder }
  | { readonly what: "export"; readonly order: ExportOrder };

/**
 * The message as it is sent. Long members of an item are one text: to copy them value by value costs several times as
 * much on both sides.
 */
export type BackgroundMessage =
  | Exclude<BackgroundOrder, { what: "export" }>
  | { readonly what: "export"; readonly short: unknown; readonly long: string };

/** Members of an order that hold the content of an item, in plain values. */
const LONG: ReadonlySet<string> = new Set(["metadata", "files", "content", "record"]);

export function messageOf(order: BackgroundOrder): BackgroundMessage {
  if (order.what !== "export") return order;
  const members = Object.entries(order.order);
  const short = Object.fromEntries(members.filter(([name]) => !LONG.has(name)));
  return {
    what: "export",
    short,
    long: JSON.stringify(Object.fromEntries(members.filter(([name]) => LONG.has(name)))),
  };
}

export function orderOf(message: BackgroundMessage): BackgroundOrder {
  if (message.what !== "export") return message;
  // Both were made of one order by messageOf.
  const order = { ...(message.short as object), ...(JSON.parse(message.long) as object) } as ExportOrder;
  return { what: "export", order };
}

export type BackgroundResult = Awaited<ReturnType<Parsing[keyof Parsing] | Exporting[keyof Exporting]>>;

/** An error in plain values: a message between threads does not keep the class. */
type ErrorMessage =
  | { readonly kind: "document"; readonly message: string }
  | {
      readonly kind: "sword";
      readonly type: SwordError["type"];
      readonly message: string;
      readonly messageNumber: number | null;
    }
  | { readonly kind: "bug"; readonly message: string; readonly stack: string };

export type BackgroundAnswer = { readonly result: BackgroundResult } | { readonly error: ErrorMessage };

export function errorMessageOf(error: unknown): ErrorMessage {
  if (error instanceof SwordError) {
    return { kind: "sword", type: error.type, message: error.message, messageNumber: error.messageNumber };
  }
  if (error instanceof DocumentError || error instanceof Refusal) {
    return { kind: "document", message: error.message };
  }
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { kind: "bug", message, stack };
}

export function errorOf(sent: ErrorMessage): Error {
  if (sent.kind === "sword") return new SwordError(sent.type, sent.message, sent.messageNumber);
  if (sent.kind === "document") return new DocumentError(sent.message);
  return Object.assign(new Error(sent.message), { stack: sent.stack });
}
