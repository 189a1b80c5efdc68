// Files fetched from addresses that a caller names (port RemoteFiles; R37): every address of a name is checked, and the
// connection goes to one of those, so that the name cannot mean another one meanwhile; each redirect is checked like
// the first address. HTTP/1.1 over the platform's sockets, since not every client of the platforms accepts an address
// to connect to.
import { lookup } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { FetchRefused, type RemoteFile, type RemoteFiles } from "../repository/record-files/remote-files.ts";
import { isPublicAddress } from "../shared/http/public-address.ts";
import { inTime } from "../shared/time/event-loop.ts";
import { type Answer, readAnswer } from "./http-answer.ts";

export type GuardedFetchNeeds = {
  /** Asked of every hop. */
  readonly mayFetch: (url: URL) => boolean;
  readonly maxBytes: number;
  /** Of the whole, from the first look-up to the last byte. */
  readonly seconds: number;
  readonly redirects: number;
  readonly userAgent: string;
  /** The addresses of a name; for tests. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** For tests, which have no address that everybody reaches. */
  readonly isPublic?: (address: string) => boolean;
  /** A certificate authority in addition to those of the system; for tests. */
  readonly ca?: string;
};

const CONNECT_MS = 20_000;
const IDLE_MS = 60_000;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** What a server may be asked for again: it is busy, or fell over. */
const PASSING: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

const systemLookup = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

export function guardedFetch(needs: GuardedFetchNeeds): RemoteFiles {
  return {
    async open(address, signal) {
      const endsAt = performance.now() + needs.seconds * 1000;
      let url = new URL(address);
      let credentials = credentialsOf(url);
      for (let hops = 0; ; hops += 1) {
        if (!needs.mayFetch(url))
          throw new FetchRefused(
            hops === 0 ? "Domain not allowed" : "A redirect leads to a domain that is not allowed",
          );
        const { answer, socket } = await ask(needs, url, { credentials, endsAt, signal });
        const location = answer.headers.get("location");
        if (!REDIRECTS.includes(answer.status) || location === undefined) return given(needs, answer, socket, endsAt);
        socket.destroy();
        if (hops >= needs.redirects) throw new FetchRefused(`There are more than ${needs.redirects} redirects`);
        if (!URL.canParse(location, url)) throw new FetchRefused("A redirect leads nowhere");
        const next = new URL(location, url);
        // Credentials for one host are sent to no other.
        credentials = credentialsOf(next) ?? (next.origin === url.origin ? credentials : null);
        url = next;
      }
    },
  };
}

function credentialsOf({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
}

type FetchContext = { readonly credentials: string | null; readonly endsAt: number; readonly signal: AbortSignal };

const leftMs = (endsAt: number, most: number): number => Math.max(0, Math.min(most, endsAt - performance.now()));

function late(): never {
  throw new FetchRefused("The other side did not answer in time", { passing: true });
}

async function ask(needs: GuardedFetchNeeds, url: URL, { credentials, endsAt, signal }: FetchContext) {
  const addresses = await addressesOf(needs, url, endsAt);
  const socket = await connected(needs, url, addresses, endsAt);
  const giveUp = (): void => void socket.destroy();
  signal.addEventListener("abort", giveUp, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", giveUp));
  try {
    const lines = [
      `GET ${url.pathname}${url.search} HTTP/1.1`,
      `Host: ${url.host}`,
      `User-Agent: ${needs.userAgent}`,
      ...["Accept: */*", "Accept-Encoding: identity", "Connection: close"],
      ...(credentials === null ? [] : [`Authorization: Basic ${credentials}`]),
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    const answer = await inTime(readAnswer(piecesFrom(socket, endsAt)), leftMs(endsAt, IDLE_MS), late);
    return { answer, socket };
  } catch (error) {
    socket.destroy();
    throw asRefused(error);
  }
}

/** All addresses must be public: a name that also has an internal one is refused. */
async function addressesOf(
  { resolve = systemLookup, isPublic = isPublicAddress }: GuardedFetchNeeds,
  { hostname }: URL,
  endsAt: number,
): Promise<readonly string[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  let addresses: readonly string[] = [host];
  if (isIP(host) === 0) {
    try {
      addresses = await inTime(resolve(host), leftMs(endsAt, CONNECT_MS), late);
    } catch (error) {
      throw new FetchRefused("The name of the host is not known", { passing: true, cause: error });
    }
  }
  if (addresses.length === 0) throw new FetchRefused("The name of the host is not known", { passing: true });
  if (!addresses.every(isPublic)) throw new FetchRefused("The host is not on the public network");
  return addresses;
}

async function connected(
  needs: GuardedFetchNeeds,
  url: URL,
  addresses: readonly string[],
  endsAt: number,
): Promise<Socket> {
  let problem: unknown = null;
  for (const address of addresses) {
    try {
      return await connectedTo(needs, url, address, leftMs(endsAt, CONNECT_MS));
    } catch (error) {
      problem = error;
    }
  }
  throw problem instanceof FetchRefused
    ? problem
    : new FetchRefused("The other side cannot be connected to", { passing: true, cause: problem });
}

async function connectedTo({ ca }: GuardedFetchNeeds, url: URL, address: string, withinMs: number): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  // The certificate must be that of the name, whatever the address.
  const named = isIP(host) === 0 ? { servername: host } : {};
  const socket = isSecure
    ? connectSecure({ host: address, port, ALPNProtocols: ["http/1.1"], ...named, ...(ca === undefined ? {} : { ca }) })
    : connect({ host: address, port });
  const ready = new Promise<Socket>((resolve, reject) => {
    socket.once(isSecure ? "secureConnect" : "connect", () => resolve(socket));
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed")));
  });
  try {
    return await inTime(ready, withinMs, late);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** What comes, until the other side ends it. Nothing for too long ends it too. */
async function* piecesFrom(socket: Socket, endsAt: number): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = socket[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await inTime(pieces.next(), leftMs(endsAt, IDLE_MS), late);
    if (done === true) return;
    yield value;
  }
}

function given({ maxBytes }: GuardedFetchNeeds, answer: Answer, socket: Socket, endsAt: number): RemoteFile {
  const refuse = (message: string, passing = false): never => {
    socket.destroy();
    throw new FetchRefused(message, { passing });
  };
  const { status, headers, sizeBytes } = answer;
  if (status !== 200) refuse(`The other side answers with the status ${status}`, PASSING.includes(status));
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity" && encoding !== "") refuse("The other side sends the file in an encoding");
  if (sizeBytes !== null && sizeBytes > maxBytes) refuse(`The file has more than ${maxBytes} bytes`);
  const mediaType = headers.get("content-type") ?? null;
  return { sizeBytes, mediaType, pieces: bounded(answer.body, socket, { maxBytes, endsAt }) };
}

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  socket: Socket,
  { maxBytes, endsAt }: { readonly maxBytes: number; readonly endsAt: number },
): AsyncGenerator<Uint8Array> {
  let came = 0;
  try {
    for await (const piece of body) {
      came += piece.length;
      if (came > maxBytes) throw new FetchRefused(`The file has more than ${maxBytes} bytes`);
      if (performance.now() > endsAt) throw new FetchRefused("Fetching the file took too long");
      yield piece;
    }
  } catch (error) {
    throw asRefused(error);
  } finally {
    socket.destroy();
  }
}

function asRefused(error: unknown): unknown {
  if (error instanceof FetchRefused) return error;
  return new FetchRefused("The connection broke off", { passing: true, cause: error });
}
