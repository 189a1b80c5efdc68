// Operations as types: what one takes and answers, and where it is. The generated files hold one table for each service.

/**
 * Bytes that a request sends. A function opens them again for each attempt: a stream that is given as it is can be sent
 * once.
 */
export type RequestBytes =
  | string
  | Blob
  | ArrayBuffer
  | Uint8Array<ArrayBuffer>
  | FormData
  | URLSearchParams
  | ReadableStream<Uint8Array<ArrayBuffer>>
  | (() => ReadableStream<Uint8Array<ArrayBuffer>>);

/** What is known of an operation at run time. */
export type OperationAddress = {
  readonly method: string;
  readonly path: string;
  /** Media types of the body; absent: it has none. */
  readonly body?: readonly string[];
  /** `response`: other media than JSON, read by the caller. */
  readonly answer: "json" | "nothing" | "response";
  /** The parameter that turns pages. */
  readonly pages?: "after" | "cursor" | "page";
};
export type OperationTable<Operations> = { readonly [Id in keyof Operations]: OperationAddress };

/** The parts of an input: of the address, of the query, headers, and the body. */
export type Input = {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

type InputOf<Operation> = Omit<Operation, "answer">;
export type AnswerOf<Operation> = Operation extends { readonly answer: infer Answer } ? Answer : never;
/** The input may be left out where every part of it may. */
export type Arguments<Operation, Options> =
  Record<never, never> extends InputOf<Operation>
    ? [input?: InputOf<Operation>, options?: Options]
    : [input: InputOf<Operation>, options?: Options];

/** A method for each operation, by its id. */
export type Methods<Operations, Options> = {
  readonly [Id in keyof Operations]: (
    ...given: Arguments<Operations[Id], Options>
  ) => Promise<AnswerOf<Operations[Id]>>;
};

/** An address that is one part as a whole: names are sent as they are written. */
const WHOLE = /^\/\{\w+\}$/;

/** The address of an operation with its parts and its query filled in. @throws TypeError for a part that is missing */
export function addressOf(base: string | URL, { path }: OperationAddress, input: Input): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const part = input.path?.[name];
    if (part === undefined || part === "") throw new TypeError(`The part "${name}" of ${path} is missing`);
    return WHOLE.test(path) ? String(part) : encodeURIComponent(part);
  });
  const { inflection, ...query } = input.query ?? {};
  const values = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined && each !== null)
      .map((each) => [name, String(each)]),
  );
  const text = new URLSearchParams(values).toString();
  // An inflection of a name is a word without a value: `?info&lang=ja`.
  const search = [...(inflection === undefined ? [] : [String(inflection)]), ...(text === "" ? [] : [text])].join("&");
  const root = new URL(base).href.replace(/[?#].*$/, "").replace(/\/+$/, "");
  return new URL(`${root}${filled}${search === "" && inflection === undefined ? "" : `?${search}`}`);
}

/** What `fetch` sends for the body of an operation, and its media type where `fetch` does not set it. */
export function bodyOf(media: readonly string[], body: unknown): { readonly body: BodyInit; readonly type?: string } {
  const [first = "application/octet-stream"] = media.filter((each) => !each.startsWith("multipart/"));
  if (isBytes(body)) {
    const isTyped = body instanceof FormData || body instanceof URLSearchParams || (body instanceof Blob && body.type);
    const bytes = typeof body === "function" ? body() : body;
    return isTyped ? { body: bytes } : { body: bytes, type: first };
  }
  const json = media.find((each) => /^application\/(?:[\w.-]+\+)?json$/.test(each));
  if (json !== undefined) return { body: JSON.stringify(body), type: json };
  const form = media.includes("multipart/form-data") ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (form instanceof FormData && value instanceof Blob) form.append(name, value);
    else if (value !== undefined) form.append(name, String(value));
  }
  return { body: form };
}

const isBytes = (body: unknown): body is RequestBytes =>
  typeof body === "string" ||
  typeof body === "function" ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body) ||
  body instanceof FormData ||
  body instanceof URLSearchParams ||
  body instanceof ReadableStream;
