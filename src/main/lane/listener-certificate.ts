// TLS on a raw listener of Bun: what a handshake offers, and another certificate for a listener that goes on listening.
import { createSecureContext, createServer } from "node:tls";
import type { CertificateKeys } from "../process/certificate.ts";

/** `http/1.1` as ALPN writes it: a length and a name. */
const ALPN = "\x08http/1.1";

/** TLS 1.2 and 1.3, which are the runtime's own bounds; sessions are resumed by tickets. */
export function tlsOptions({ cert, key }: CertificateKeys): CertificateKeys & { readonly ALPNProtocols: string } {
  return { cert, key, ALPNProtocols: ALPN };
}

/**
 * New connections are greeted with this certificate; those that are open go on with theirs.
 *
 * The runtime offers this for the servers of `node:tls` alone, which keep their listener in `_handle`: one that never
 * listens lends its method. A second listener on the same port would lose the connections that wait in the first one
 * when it closes. `test/http/tls.long.ts` holds it.
 */
export function replaceCertificate(listener: object, { cert, key }: CertificateKeys): void {
  const server = createServer({ cert, key });
  Object.assign(server, { _handle: listener });
  server.setSecureContext({ cert, key });
  Object.assign(server, { _handle: null });
}

/** A certificate as the runtime holds it: one for all connections, because tickets of sessions belong to it. */
export type SecureContext = object;

export function secureContext(keys: CertificateKeys): SecureContext {
  return createSecureContext(keys).context;
}

/** What the runtime takes for `node:tls` and its types leave out. */
type AcceptOptions<Data> = Bun.TLSUpgradeOptions<Data> & {
  readonly tls: { readonly secureContext: SecureContext; readonly requestCert: boolean };
  readonly isServer: boolean;
  readonly initialData?: Uint8Array;
};

/**
 * Greets the client of a connection that was accepted without TLS, of which `rest` has come already. Events come to
 * the socket that `handlers.open` receives; the one before goes on receiving the bytes as they come.
 *
 * `test/http/proxy-protocol.long.ts` holds it: the runtime documents this for clients alone.
 */
export function acceptTls<Data>(
  socket: Bun.Socket<Data>,
  context: SecureContext,
  rest: Uint8Array,
  handlers: Bun.SocketHandler<Data>,
): void {
  const options: AcceptOptions<Data> = {
    tls: { secureContext: context, ALPNProtocols: ALPN, requestCert: false, rejectUnauthorized: false },
    isServer: true,
    socket: handlers,
    ...(rest.length === 0 ? {} : { initialData: rest }),
  };
  socket.upgradeTLS(options);
}
