// TLS on a raw listener of Bun: what a handshake offers, and another certificate for a listener that goes on listening.
import { createServer } from "node:tls";
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
