// What the server and the threads beside it say to each other (src/repository/store/parsing.ts, src/repository/store/exporting.ts).
import { SwordError } from "../repository/deposit/messages.ts";
import { DocumentError } from "../shared/document-error.ts";
import { Refusal } from "../shared/refusal.ts";
import type { Exporting, ExportOrder } from "../repository/store/exporting.ts";
import type { DescribeOrder, Parsing } from "../repository/store/parsing.ts";

export type AsideOrder =
  | { readonly what: "directory"; readonly path: string }
  | { readonly what: "bag"; readonly path: string }
  | { readonly what: "describe"; readonly order: DescribeOrder }
  | { readonly what: "export"; readonly order: ExportOrder };

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
