// A typed call for each operation: what follows from the interface descriptions is generated (client/generated), so that
// a new operation needs no code here.
import { OPERATIONS as NAMES, type Operations as NameOperations } from "./generated/names.ts";
import { OPERATIONS as REPOSITORY, type Operations as RepositoryOperations } from "./generated/repository.ts";
import {
  type AnswerOf,
  type Arguments,
  addressOf,
  type Input,
  type Methods,
  type OperationTable,
} from "./operations.ts";
import { type ItemOf, itemsOf, type PagedIds, pagesOf } from "./paging.ts";
import {
  type CallOptions,
  type ClientSettings,
  JSON_BYTES,
  type OutgoingRequest,
  send,
  textUpTo,
} from "./transport.ts";

type Given<Operations, Id extends keyof Operations> = Arguments<Operations[Id], CallOptions>;
type Answer<Operations, Id extends keyof Operations> = AnswerOf<Operations[Id]>;

/** What every client has besides a method for each operation. */
type Calls<Operations> = {
  /** Sends the input of an operation and returns its answer. @throws RefusalError, ConnectionError */
  call<Id extends keyof Operations>(id: Id, ...given: Given<Operations, Id>): Promise<Answer<Operations, Id>>;
  /** The same with the answer as it came: headers, other media, bytes. @throws RefusalError, ConnectionError */
  fetch<Id extends keyof Operations>(id: Id, ...given: Given<Operations, Id>): Promise<Response>;
  /** The pages of a list, each fetched when it is wanted. */
  pages<Id extends PagedIds<Operations>>(
    id: Id,
    ...given: Given<Operations, Id>
  ): AsyncGenerator<Answer<Operations, Id>, void>;
  /** The items of a list, on all its pages. */
  items<Id extends PagedIds<Operations>>(
    id: Id,
    ...given: Given<Operations, Id>
  ): AsyncGenerator<ItemOf<Answer<Operations, Id>>, void>;
  /** Sends bytes to an address that an answer named, without the token. @throws RefusalError, ConnectionError */
  put(url: string, bytes: Blob, options?: CallOptions): Promise<void>;
};
export type Client<Operations> = Methods<Operations, CallOptions> & Calls<Operations>;
export type RepositoryClient = Client<RepositoryOperations>;
export type NamesClient = Client<NameOperations>;

/** A client of the repository. */
export const repositoryClient = (settings: ClientSettings): RepositoryClient => clientOf(REPOSITORY, settings);

/** A client of the minter or of the resolver, by what is at `url`. */
export const namesClient = (settings: ClientSettings): NamesClient => clientOf(NAMES, settings);

function clientOf<Operations>(table: OperationTable<Operations>, settings: ClientSettings): Client<Operations> {
  type Id = keyof Operations & string;
  async function request(id: Id, input: Input, { headers: more }: CallOptions): Promise<OutgoingRequest> {
    const address = table[id];
    const headers = new Headers(settings.headers);
    if (address.answer === "json") headers.set("accept", "application/json");
    const { token } = settings;
    if (token !== undefined)
      headers.set("authorization", `Bearer ${typeof token === "string" ? token : await token()}`);
    for (const [name, value] of Object.entries({ ...input.headers, ...more })) {
      if (value !== undefined && value !== null) headers.set(name, String(value));
    }
    const url = addressOf(settings.url, address, input);
    return { operation: id, method: address.method, url, headers, body: input.body, media: address.body ?? [] };
  }
  const open = async (id: Id, input: Input = {}, options: CallOptions = {}): Promise<Response> =>
    // The caller reads it, in whatever time that takes.
    send(await request(id, input, options), { ...settings, timeoutMs: 0, ...options }, async (response) => response);
  const call = async (id: Id, input: Input = {}, options: CallOptions = {}): Promise<unknown> => {
    if (table[id].answer === "response") return open(id, input, options);
    return send(await request(id, input, options), { ...settings, ...options }, jsonIn);
  };
  const pages = (id: Id, input: Input = {}, options: CallOptions = {}) =>
    pagesOf(table[id].pages, input, (next) => call(id, next, options));
  async function* items(id: Id, input?: Input, options?: CallOptions) {
    for await (const page of pages(id, input, options)) yield* itemsOf(page);
  }
  const put = (to: string, bytes: Blob, options: CallOptions = {}): Promise<void> => {
    const headers = new Headers(options.headers);
    const request = { operation: "put", method: "PUT", url: new URL(to), headers, body: bytes };
    return send(request, { ...settings, timeoutMs: 0, ...options }, async ({ body }) => body?.cancel());
  };
  const ids = Object.keys(table) as Id[];
  const methods = ids.map((id) => [id, (input?: Input, options?: CallOptions) => call(id, input, options)]);
  // The types of the methods are those that were generated together with the table.
  return { ...Object.fromEntries(methods), call, fetch: open, pages, items, put } as unknown as Client<Operations>;
}

async function jsonIn(response: Response): Promise<unknown> {
  const text = await textUpTo(response, JSON_BYTES);
  return text === "" ? undefined : JSON.parse(text);
}
