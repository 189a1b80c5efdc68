// Ways in which the bytes of HTTP reach a listener of ours: as they are, inside TLS, behind a PROXY header, and both.
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { CertificateKeys } from "../../../src/main/process/certificate.ts";
import { ownCertificate } from "../../../src/main/process/own-certificate.ts";
import type { ServeOptions } from "../../../src/main/process/serve.ts";

export type Dial = (port: number) => Promise<Socket>;

type Transport = {
  readonly name: string;
  readonly options: Partial<ServeOptions>;
  /** The connection when bytes of HTTP may be sent. */
  readonly dial: Dial;
};

export const dialPlain: Dial = dialFrom("127.0.0.1");

/** Comes from this address of this machine. */
export function dialFrom(localAddress: string): Dial {
  return async (port) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true, noDelay: true });
    await opened(socket, "connect");
    return socket;
  };
}

/** Begins the connection with these bytes. */
export function dialAfter(header: string): Dial {
  return async (port) => {
    const socket = await dialPlain(port);
    socket.write(Buffer.from(header, "latin1"));
    return socket;
  };
}

export function dialTls(dial: Dial): Dial {
  return async (port) => {
    const socket = connectTls({ socket: await dial(port), rejectUnauthorized: false, servername: "localhost" });
    await opened(socket, "secureConnect");
    socket.allowHalfOpen = true;
    return socket;
  };
}

/** A certificate of this machine for an hour. */
export function hourCertificate(): Promise<CertificateKeys> {
  const now = Date.now();
  return ownCertificate({ names: ["localhost"], from: new Date(now - 3_600_000), until: new Date(now + 3_600_000) });
}

export const CLIENT = "192.0.2.7";
export const HEADER = `PROXY TCP4 ${CLIENT} 198.51.100.1 56324 443\r\n`;

export async function ownTransports(): Promise<readonly Transport[]> {
  const certificate = await hourCertificate();
  const proxyHeaders = { refused: () => {} };
  const dialProxy = dialAfter(HEADER);
  return [
    { name: "plain", options: {}, dial: dialPlain },
    { name: "TLS", options: { certificate }, dial: dialTls(dialPlain) },
    { name: "PROXY", options: { proxyHeaders }, dial: dialProxy },
    { name: "PROXY and TLS", options: { proxyHeaders, certificate }, dial: dialTls(dialProxy) },
  ];
}

function opened(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once(event, () => {
      socket.off("error", reject);
      resolve();
    });
  });
}
