// The beginning of a connection on a port whose front passes the address of its client in a PROXY header
// (docs/front.md): the header is read before anything else, TLS included, and none of its bytes goes on.
import type { Config } from "../../config.ts";
import { readProxyHeader } from "../../shared/http/proxy-header.ts";
import type { Log } from "../../shared/log.ts";

/** What a port does about connections that do not begin with such a header. */
export type ProxyHeaders = { readonly refused: (address: string, reason: string) => void };

/** Null where connections begin with what the client sends. */
export function proxyHeaders({ proxyProtocol }: Pick<Config, "proxyProtocol">, log: Pick<Log, "warn">) {
  if (!proxyProtocol) return null;
  return {
    refused: (address, reason) => log.warn("proxy_header_refused", { address, reason }),
  } satisfies ProxyHeaders;
}

/** The header of one connection, which may come in parts. */
export class ProxyStart {
  /** The address of the connection: a socket that has ended has none any more. */
  readonly from: string;
  /** Bytes of a header that is not whole yet: less than the longest header. */
  #begun: Buffer | null = null;

  constructor(from: string) {
    this.from = from;
  }

  get hasBegun(): boolean {
    return this.#begun !== null;
  }

  /** Null while the header is not whole. `rest`: what comes after it. */
  read(bytes: Buffer): { readonly address: string | null; readonly rest: Buffer } | { readonly reason: string } | null {
    const seen = this.#begun === null ? bytes : Buffer.concat([this.#begun, bytes]);
    const header = readProxyHeader(seen);
    this.#begun = header.kind === "partial" ? seen : null;
    switch (header.kind) {
      case "whole":
        return { address: header.address, rest: seen.subarray(header.end) };
      case "wrong":
        return { reason: header.reason };
      case "partial":
        return null;
    }
  }
}
