// What the server and the threads beside it say to each other (src/repository/store/parsing.ts, src/repository/store/exporting.ts).
import { SwordError } from "../repository/deposit/messages.ts";
import type { Exporting, ExportOrder } from "../repository/store/exporting.ts";
import type { DescribeOrder, Parsing } from "../repository/store/parsing.ts";
import { DocumentError } from "../shared/document-error.ts";
import { Refusal } from "../shared/refusal.ts";

export type AsideOrder =
  | { readonly what: "directory"; readonly path: string }
  | { readonly what: "bag"; readonly path: string }
  | { readonly what: "describe"; readonly order: DescribeOrder }
  | { readonly what: "export"; readonly order: ExportOrder };

/** What is sent: what is long of an item as text, for copying it value by value costs several times as much on both sides. */
export type AsideMessage =
  | Exclude<AsideOrder, { what: "export" }>
  | { readonly what: "export"; readonly short: unknown; readonly long: string };

/** Members of an order that hold what an item says, in plain values. */
const LONG: ReadonlySet<string> = new Set(["metadata", "files", "content", "record"]);

export function messageOf(order: AsideOrder): AsideMessage {
  if (order.what !== "export") return order;
  const members = Object.entries(order.order);
  const short = Object.fromEntries(members.filter(([name]) => !LONG.has(name)));
  return {
    what: "export",
    short,
    long: JSON.stringify(Object.fromEntries(members.filter(([name]) => LONG.has(name)))),
  };
}

export function orderOf(message: AsideMessage): AsideOrder {
  if (message.what !== "export") return message;
  // Both were made of one order by messageOf.
  const order = { ...(message.short as object), ...(JSON.parse(message.long) as object) } as ExportOrder;
  return { what: "export", order };
}

export type AsideResult = Awaited<ReturnType<Parsing[keyof Parsing] | Exporting[keyof Exporting]>>;

/** A refusal in plain values: errors lose their class on the way. */
type Told =
  | { readonly kind: "document"; readonly message: string }
  | {
      readonly kind: "sword";
      readonly type: SwordError["type"];
      readonly message: string;
      readonly messageNumber: number | null;
    }
  | { readonly kind: "bug"; readonly message: string; readonly stack: string };

export type AsideAnswer = { readonly result: AsideResult } | { readonly told: Told };

export function tell(error: unknown): Told {
  if (error instanceof SwordError) {
    return { kind: "sword", type: error.type, message: error.message, messageNumber: error.messageNumber };
  }
  if (error instanceof DocumentError || error instanceof Refusal) {
    return { kind: "document", message: error.message };
  }
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { kind: "bug", message, stack };
}

export function toldError(told: Told): Error {
  if (told.kind === "sword") return new SwordError(told.type, told.message, told.messageNumber);
  if (told.kind === "document") return new DocumentError(told.message);
  return Object.assign(new Error(told.message), { stack: told.stack });
}
