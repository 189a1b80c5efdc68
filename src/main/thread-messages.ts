// Messages between the first thread of a resolver and the others (docs/resolver-table.md). They arrive in the order in
// which they were sent, so a thread that listens has received the table before.
import type { Config } from "../config.ts";
import type { Registry } from "../resolver/registry.ts";
import type { TableOrder } from "../resolver/table/table-copy.ts";
import type { Counts } from "../shared/metrics.ts";
import type { CertificateKeys } from "./process/certificate.ts";

export type ToThread =
  | {
      readonly kind: "begin";
      readonly config: Config;
      readonly registry: Registry;
      /** What all threads know together: see last-look.ts. */
      readonly state: SharedArrayBuffer;
      /** Where this thread counts its plain redirects; outlives it. */
      readonly fast: SharedArrayBuffer;
    }
  | { readonly kind: "order"; readonly order: TableOrder }
  | { readonly kind: "listen"; readonly port: number; readonly certificate: CertificateKeys | null }
  | { readonly kind: "certificate"; readonly certificate: CertificateKeys }
  | { readonly kind: "report"; readonly id: number }
  | { readonly kind: "answer"; readonly id: number; readonly value: Answers[keyof Answers] }
  | { readonly kind: "stop"; readonly graceMs: number }
  /** For tests alone: ends as if a bug had ended it. */
  | { readonly kind: "crash" };

/** What a thread asks the first one, which knows it for the whole process. */
export type Answers = { readonly notReady: readonly string[]; readonly metrics: string };

/** All counts except those of plain redirects, which are in shared memory. */
export type Report = Pick<Counts, "requests" | "latencies">;

export type FromThread =
  /** It has the table. */
  | { readonly kind: "table" }
  | { readonly kind: "listening" }
  /** It cannot listen, or not be put together: one line for the operator. */
  | { readonly kind: "refused"; readonly message: string }
  /** `id`: of the question; null where nobody asked. */
  | { readonly kind: "report"; readonly id: number | null; readonly report: Report }
  | { readonly kind: "ask"; readonly id: number; readonly what: keyof Answers }
  | { readonly kind: "stopped" };

/** A thread that does not answer within this time is busy or gone. */
export const ANSWER_MS = 2000;
export const REPORT_MS = 1000;
