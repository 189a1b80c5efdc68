// Refusals of the repository's core, told apart by kind; every door renders them in its own shape (R9).

/** Status of each kind where a door fixes no other. */
export const REFUSAL_STATUS = {
  /** Something sent is wrong; `message` names the field and the value. */
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  /** It was there and was deleted (R2c). */
  gone: 410,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  unsupported: 415,
  too_many: 429,
  unavailable: 503,
} as const;
export type RefusalKind = keyof typeof REFUSAL_STATUS;

/** An expected refusal. `message` is one sentence that names the action and the value. Anything else thrown is a bug and ends as 500. */
export class RepositoryRefusal extends Error {
  override readonly name = "RepositoryRefusal";
  readonly kind: RefusalKind;
  readonly headers: Readonly<Record<string, string>>;
  /** For doors that can say more than a sentence. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(
    kind: RefusalKind,
    message: string,
    more: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly detail?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.kind = kind;
    this.headers = more.headers ?? {};
    this.detail = more.detail ?? {};
  }

  get status(): number {
    return REFUSAL_STATUS[this.kind];
  }
}
