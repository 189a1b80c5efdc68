// Services that know the metadata of a DOI (R14 `svc:metadataAutoFill`; the client record's `meta_data_api`). Off unless configured: a
// repository without such services has an empty list of sources.

/** Names as the client record's list has them; compared without regard to case. */
export type CompletionName = "Crossref" | "DataCite";

export type CompletionAnswer =
  /** The JSON document as it came, not looked into. */
  | { readonly kind: "found"; readonly document: Uint8Array }
  | { readonly kind: "unknown" }
  /** Not reachable, too slow, too large, or no sensible answer; `reason` is one sentence without a full stop. */
  | { readonly kind: "failed"; readonly reason: string };

export interface CompletionSource {
  readonly name: CompletionName;
  /** Asks for a DOI such as `10.5555/12345678`. Never throws for what the other side does. */
  lookUp(doi: string): Promise<CompletionAnswer>;
}
