// The one refusal: every expected error has a kind and one sentence. The registry of names adds its codes, the deposit
// interface its types and numbers; every interface has one dialect that makes an answer of it (R9, A28).

/** Status of each kind unless an interface defines another. */
const REFUSAL_STATUS = {
  /** Another service does it: the headers name it. */
  elsewhere: 307,
  /** Something sent is wrong; `message` names the field and the value. */
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  too_slow: 408,
  conflict: 409,
  /** It was there and was deleted (R2c). */
  gone: 410,
  precondition: 412,
  too_large: 413,
  unsupported: 415,
  /** Fields of a body, all that are wrong. */
  unprocessable: 422,
  too_many: 429,
  /** An internal error: no internal detail is returned. */
  internal: 500,
  unavailable: 503,
} as const;
export type RefusalKind = keyof typeof REFUSAL_STATUS;

const KINDS = new Map<number, RefusalKind>();
for (const kind of Object.keys(REFUSAL_STATUS) as RefusalKind[]) KINDS.set(REFUSAL_STATUS[kind], kind); // the keys are the kinds

/** The kind of a status. Throws TypeError for a status no refusal has. */
export function kindOfStatus(status: number): RefusalKind {
  const kind = KINDS.get(status);
  if (kind === undefined) throw new TypeError(`No refusal has the status ${status}`);
  return kind;
}

type RefusalMore = ErrorOptions & {
  readonly headers?: Readonly<Record<string, string>>;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/**
 * An expected refusal. `message` is one sentence that names the action and the value. `headers` are sent with the body
 * (`Location`, `Retry-After`, `WWW-Authenticate`, `Allow`), `detail` is for interfaces that can report more than a
 * sentence, `cause` for the log alone. Anything else thrown is a bug and ends as 500.
 */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly kind: RefusalKind;
  readonly headers: Readonly<Record<string, string>>;
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(kind: RefusalKind, message: string, more: RefusalMore = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.headers = more.headers ?? {};
    this.detail = more.detail ?? {};
  }

  get status(): number {
    return REFUSAL_STATUS[this.kind];
  }
}

/** Whether what was thrown is a refusal of one of these kinds. */
export function isRefusal(error: unknown, ...kinds: readonly RefusalKind[]): error is Refusal {
  return error instanceof Refusal && kinds.includes(error.kind);
}
