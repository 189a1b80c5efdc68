// The refusal of every reader of a document or a package: what is wrong with it, and where (R13, R13a, R14).

/**
 * A document that cannot be understood: what is wrong, in one sentence that names the path and the value. Becomes
 * message 11 (or 24 for bags).
 */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}
